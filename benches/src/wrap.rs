//! The floor of a conversation's text for each family; and a prompt whose format is fixed at compile time.

use typed_prompt::{Guard, Prompt, format};

use crate::chat::{self, Turn};
use crate::measure::{Contest, Outcome};

/// A family's text of user and assistant in turn, written by hand.
macro_rules! floor {
    ($name:ident, $trim:ident, $start:literal, $user:literal .. $ask:literal, $assistant:literal .. $end:literal, $answer:literal) => {
        fn $name(turns: &[Turn]) -> String {
            let size: usize = turns
                .iter()
                .map(|turn| match turn.role {
                    "user" => $user.len() + turn.content.len() + $ask.len(),
                    _ => $assistant.len() + turn.content.len() + $end.len(),
                })
                .sum();
            let mut out = String::with_capacity($start.len() + size + $answer.len());
            out.push_str($start);
            for turn in turns {
                if turn.role == "user" {
                    out.push_str($user);
                    out.push_str($trim(&turn.content));
                    out.push_str($ask);
                } else {
                    out.push_str($assistant);
                    out.push_str($trim(&turn.content));
                    out.push_str($end);
                }
            }
            out.push_str($answer);
            out
        }
    };
}

fn kept(text: &str) -> &str {
    text
}

fn trimmed(text: &str) -> &str {
    text.trim()
}

floor!(
    llama3,
    trimmed,
    "<|begin_of_text|>",
    "<|start_header_id|>user<|end_header_id|>\n\n".."<|eot_id|>",
    "<|start_header_id|>assistant<|end_header_id|>\n\n".."<|eot_id|>",
    "<|start_header_id|>assistant<|end_header_id|>\n\n"
);
floor!(
    gemma2,
    trimmed,
    "<bos>",
    "<start_of_turn>user\n".."<end_of_turn>\n",
    "<start_of_turn>model\n".."<end_of_turn>\n",
    "<start_of_turn>model\n"
);
floor!(mistral, kept, "<s>", "[INST] ".."[/INST]", " ".."</s>", "");
floor!(
    deepseek,
    kept,
    "<｜begin▁of▁sentence｜>",
    "<｜User｜>".."",
    "<｜Assistant｜>".."<｜end▁of▁sentence｜>",
    "<｜Assistant｜>"
);
floor!(
    openchat,
    kept,
    "<s>",
    "GPT4 Correct User: ".."<|end_of_turn|>",
    "GPT4 Correct Assistant: ".."<|end_of_turn|>",
    "GPT4 Correct Assistant:"
);

/// The floor of a family.
pub(crate) fn floor(title: &str, turns: &[Turn]) -> Option<String> {
    let write = match title {
        "ChatML" => chat::floor,
        "Llama 3" => llama3,
        "Gemma 2" => gemma2,
        "Mistral" => mistral,
        "DeepSeek V3" => deepseek,
        "OpenChat" => openchat,
        _ => return None,
    };
    Some(write(turns))
}

#[derive(Prompt)]
#[prompt(
    system = "You help the customers of <product>.\nAnswer from the passages only.",
    user = "Customer: <customer>\nOrder: <order>\n\nPassages:\n<passages>\n\nQuestion: <question>",
    format = llama3
)]
struct Ask<'a> {
    #[prompt(trusted)]
    product: &'a str,
    customer: &'a str,
    order: u64,
    passages: &'a str,
    question: &'a str,
}

impl Ask<'_> {
    fn floor(&self) -> String {
        const TEXTS: [&str; 6] = [
            "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nYou help the customers of ",
            ".\nAnswer from the passages only.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nCustomer: ",
            "\nOrder: ",
            "\n\nPassages:\n",
            "\n\nQuestion: ",
            "<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n",
        ];
        let mut number = itoa::Buffer::new();
        let values = [
            self.product,
            self.customer,
            number.format(self.order),
            self.passages,
            self.question.trim(),
        ];
        let size: usize = TEXTS.iter().chain(&values).map(|text| text.len()).sum();
        let mut out = String::with_capacity(size);
        for (text, value) in TEXTS.iter().zip(values) {
            out.push_str(text);
            out.push_str(value);
        }
        out.push_str(TEXTS[5]);
        out
    }
}

/// A prompt whose format is fixed at compile time, from the struct to the text.
pub(crate) fn fixed() -> Vec<Outcome> {
    [("0.6 KB", 5), ("2.4 KB", 51), ("20 KB", 503)]
        .into_iter()
        .map(|(size, sentences)| {
            let passages = "Goods may be sent back within 60 days. ".repeat(sentences);
            let ask = Ask {
                product: "Acme Router 3000",
                customer: "Ada Lovelace",
                order: 1_815_121_042,
                passages: &passages,
                question: "May I send back a router that I have opened?",
            };
            let mut contest =
                Contest::new(format!("a prompt of {size} in its fixed format, Llama 3"));
            contest
                .entry("floor", String::clone, || ask.floor())
                .entry("typed-prompt", String::clone, || {
                    ask.to_text(format::LLAMA3).expect("the family can say it")
                })
                .entry("typed-prompt, no guard", String::clone, || {
                    ask.to_text(format::LLAMA3.guard(Guard::Allow))
                        .expect("the family can say it")
                })
                .entry("typed-prompt: messages() first", String::clone, || {
                    ask.messages()
                        .unwrap()
                        .to_text(format::LLAMA3)
                        .expect("the family can say it")
                });
            contest.run()
        })
        .collect()
}
