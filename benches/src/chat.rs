//! A conversation of 20 turns and a question, in the format of six families, and as the JSON of chat APIs.

use std::fmt::Write;

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, context};
use typed_prompt::{ChatFormat, Guard, Message, Messages, format};

use crate::measure::{Contest, Outcome};
use crate::wrap;

/// The shortest template that writes a family's text. The chat templates of models are longer and write the same.
struct Peer {
    family: format::NativeFormat,
    title: &'static str,
    template: &'static str,
}

pub(crate) const TURNS: usize = 20;

/// Wraps a conversation.
pub(crate) fn run() -> Vec<Outcome> {
    let peers = [
        Peer {
            family: format::CHATML,
            title: "ChatML",
            template: "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}<|im_start|>assistant\n",
        },
        Peer {
            family: format::LLAMA3,
            title: "Llama 3",
            template: "<|begin_of_text|>{% for m in messages %}<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n{{ m.content | trim }}<|eot_id|>{% endfor %}<|start_header_id|>assistant<|end_header_id|>\n\n",
        },
        Peer {
            family: format::GEMMA2,
            title: "Gemma 2",
            template: "<bos>{% for m in messages %}<start_of_turn>{{ 'model' if m.role == 'assistant' else m.role }}\n{{ m.content | trim }}<end_of_turn>\n{% endfor %}<start_of_turn>model\n",
        },
        Peer {
            family: format::MISTRAL_V7,
            title: "Mistral",
            template: "<s>{% for m in messages %}{% if m.role == 'user' %}[INST] {{ m.content }}[/INST]{% else %} {{ m.content }}</s>{% endif %}{% endfor %}",
        },
        Peer {
            family: format::DEEPSEEK_V3,
            title: "DeepSeek V3",
            template: "<｜begin▁of▁sentence｜>{% for m in messages %}{% if m.role == 'user' %}<｜User｜>{{ m.content }}{% else %}<｜Assistant｜>{{ m.content }}<｜end▁of▁sentence｜>{% endif %}{% endfor %}<｜Assistant｜>",
        },
        Peer {
            family: format::OPENCHAT,
            title: "OpenChat",
            template: "<s>{% for m in messages %}GPT4 Correct {{ m.role | title }}: {{ m.content }}<|end_of_turn|>{% endfor %}GPT4 Correct Assistant:",
        },
    ];
    let turns = turns();
    let messages: Messages = turns
        .iter()
        .map(|turn| match turn.role {
            "user" => Message::user(turn.content.as_str()),
            _ => Message::assistant(turn.content.as_str()),
        })
        .collect();
    let values: Vec<minijinja::Value> = turns
        .iter()
        .map(|turn| context! { role => turn.role, content => turn.content.as_str() })
        .collect();
    let mut outcomes = Vec::new();
    for peer in &peers {
        let mut environment = Environment::new();
        let mut syntax = SyntaxConfig::builder();
        syntax.keep_trailing_newline(true);
        environment.set_syntax(syntax.build().expect("the syntax is the usual one"));
        environment
            .add_template("chat", peer.template)
            .expect("the template is right");
        let template = environment.get_template("chat").expect("it was added");
        let mut contest = Contest::new(format!("{TURNS} turns and a question, {}", peer.title));
        contest
            .entry("floor", String::clone, || {
                wrap::floor(peer.title, &turns).expect("each family has one")
            })
            .entry("typed-prompt", String::clone, || {
                messages
                    .to_text(peer.family)
                    .expect("the family can say it")
            })
            .entry("typed-prompt, no guard", String::clone, || {
                messages
                    .to_text((&peer.family).guard(Guard::Allow))
                    .expect("the family can say it")
            })
            .entry("minijinja", String::clone, || {
                let context = context! { messages => values.as_slice() };
                template.render(context).expect("nothing in it can fail")
            });
        outcomes.push(contest.run());
    }
    outcomes.push(json(&turns, &messages));
    outcomes.extend(wrap::fixed());
    outcomes
}

/// One turn, ready to be serialized.
#[derive(serde::Serialize)]
pub(crate) struct Turn {
    pub(crate) role: &'static str,
    pub(crate) content: String,
}

pub(crate) fn turns() -> Vec<Turn> {
    (0..=TURNS)
        .map(|index| {
            let mut content = format!("Turn {index} asks for the tide at Brest");
            for hour in 0..index % 5 {
                write!(content, ", and what it is {hour} hours later")
                    .expect("a string takes everything");
            }
            content.push('?');
            Turn {
                role: if index % 2 == 0 { "user" } else { "assistant" },
                content,
            }
        })
        .collect()
}

pub(crate) fn floor(turns: &[Turn]) -> String {
    const MARKS: usize = "<|im_start|>\n<|im_end|>\n".len();
    const OPEN: &str = "<|im_start|>assistant\n";
    let size: usize = turns
        .iter()
        .map(|turn| turn.role.len() + turn.content.len() + MARKS)
        .sum();
    let mut out = String::with_capacity(size + OPEN.len());
    for turn in turns {
        out.push_str("<|im_start|>");
        out.push_str(turn.role);
        out.push('\n');
        out.push_str(&turn.content);
        out.push_str("<|im_end|>\n");
    }
    out.push_str(OPEN);
    out
}

fn json(turns: &[Turn], messages: &Messages) -> Outcome {
    let text = |bytes: &Vec<u8>| String::from_utf8(bytes.clone()).expect("JSON is text");
    let mut contest = Contest::new(format!("{TURNS} turns and a question, JSON of chat APIs"));
    contest
        .entry("a borrowed struct", text, || {
            serde_json::to_vec(turns).expect("nothing in it can fail")
        })
        .entry("typed-prompt", text, || {
            serde_json::to_vec(messages).expect("nothing in it can fail")
        });
    contest.run()
}
