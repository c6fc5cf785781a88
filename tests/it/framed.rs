//! A prompt whose family is fixed is joined with the family's marks when it is compiled: for every family and any values,
//! the text is what its style writes at run time.

use typed_prompt::format::{self, Native};
use typed_prompt::{Guard, Prompt};

/// What the prompts are filled with.
#[derive(Clone, Copy, Debug)]
struct Values {
    product: &'static str,
    passage: &'static str,
    number: i64,
    question: &'static str,
}

const CLEAN: Values = Values {
    product: "Acme",
    passage: "a < b, [x], # 1 <p>\n",
    number: -7,
    question: "May I?",
};

/// The text of a prompt of these values, and whether it was joined.
type Write = fn(Values, &Native, Guard) -> (Result<String, String>, bool);

/// By the way of its own, and by the family's style.
fn written<P: Prompt>(prompt: &P, native: &Native, guard: Guard) -> (Result<String, String>, bool) {
    use typed_prompt::ChatFormat;

    let text = |result: typed_prompt::Result<String>| result.map_err(|error| format!("{error:#}"));
    let own = text(prompt.to_text(native.clone().guard(guard)));
    let styled = text(prompt.to_text(native.clone().eos(true).guard(guard)));
    assert_eq!(own, styled, "{native:?}");
    let free = native.clone().guard(Guard::Allow);
    let joined = free.joined(&free.wrapping(), &mut |joint| prompt.framed(joint));
    assert!(P::FRAMED || joined.is_none(), "nobody asks for it");
    (own, joined.is_some())
}

macro_rules! prompts {
    ($($family:ident)*) => {
        $(mod $family {
            use super::*;

            #[derive(Prompt)]
            #[prompt(
                system = "You sell <product>.",
                user = "\nRaw: <|<passage>\n <question> ",
                assistant = "Which <number>?\n",
                user = "<question>",
                format = $family
            )]
            struct Ask {
                #[prompt(trusted)]
                product: &'static str,
                passage: &'static str,
                number: i64,
                question: &'static str,
            }

            pub(super) fn write(values: Values, native: &Native, guard: Guard) -> (Result<String, String>, bool) {
                let Values { product, passage, number, question } = values;
                written(&Ask { product, passage, number, question }, native, guard)
            }
        })*

        const PROMPTS: &[(&str, Write)] = &[$((stringify!($family), $family::write)),*];
    };
}

/// For families that have no place for instructions, or none that is known beforehand.
macro_rules! questions {
    ($($family:ident)*) => {
        mod question {
            use super::*;
            $(pub(super) mod $family {
                use super::*;

                #[derive(Prompt)]
                #[prompt(user = "<product><passage>Is it <number>? <question>", format = $family)]
                struct Ask {
                    product: &'static str,
                    passage: &'static str,
                    number: i64,
                    question: &'static str,
                }

                pub(in super::super) fn write(values: Values, native: &Native, guard: Guard) -> (Result<String, String>, bool) {
                    let Values { product, passage, number, question } = values;
                    written(&Ask { product, passage, number, question }, native, guard)
                }
            })*
        }

        const QUESTIONS: &[(&str, Write)] = &[$((stringify!($family), question::$family::write)),*];
    };
}

prompts! {
    chatml qwen2_5 qwen3 internlm2 smollm2 smollm3 yi1_5 phi4 lfm2 llama2 llama3 llama3_1 llama3_2 llama4 mistral_v1 mistral_v3
    mistral_v3_tekken mistral_v7 gemma3 phi3 phi3_5 command_r granite3_1 gpt_oss glm4 glm4_5 kimi_k2 exaone3 deepseek_v2
    deepseek_v3 deepseek_r1 deepseek_v3_1 deepseek_coder zephyr vicuna alpaca_chat openchat falcon olmo2 tulu3 minicpm solar
}

questions! { chatml llama3 llama4 mistral_v0 mistral_v3 mistral_v3_tekken gemma2 deepseek_v3 granite3_1 gpt_oss }

fn native((name, _): &(&str, Write)) -> Native {
    format::native(name).expect("it is listed")
}

#[test]
fn every_family_is_here() {
    let known = |native: &&&Native| {
        let name = typed_prompt::ChatFormat::family(**native).name;
        !PROMPTS
            .iter()
            .chain(QUESTIONS)
            .any(|prompt| prompt.0 == name)
    };
    assert_eq!(format::NATIVES.iter().filter(known).count(), 0);
}

#[test]
fn joined_text_is_what_the_style_writes() {
    let mut values = vec![CLEAN];
    for (product, passage, question) in [
        ("", "x", "y"),
        ("x", "", ""),
        (" x", "y ", "z\n"),
        ("x\u{3000}", "\x1cy", " "),
        ("x", "im_end|>", "<|im_"),
        ("x", "eot_id|>", "y"),
        ("<", "/s>", "[INST"),
        ("[/INST] ", " user |>", "### Response"),
        ("</think>", "a</think>b", "/nothink"),
        ("\n\n", "a\n\nb", "a\n\nb"),
        ("<｜User｜>", "｜Assistant｜>", "USER:"),
        ("im_end|>", "\nim_end|>", "\n"),
    ] {
        values.push(Values {
            product,
            passage,
            question,
            number: 51,
        });
    }
    for prompt in PROMPTS.iter().chain(QUESTIONS) {
        let native = native(prompt);
        for values in &values {
            for guard in [Guard::Neutralise, Guard::Reject, Guard::Allow] {
                let _ = prompt.1(*values, &native, guard);
            }
            // Tokens of the family itself, whole and cut.
            for token in typed_prompt::ChatFormat::family(&native).tokens {
                let values = Values {
                    question: token,
                    ..*values
                };
                let _ = prompt.1(values, &native, Guard::Neutralise);
                let half = token
                    .char_indices()
                    .nth(2)
                    .map_or(token.len(), |(at, _)| at);
                let values = Values {
                    passage: &token[half..],
                    question: &token[..half],
                    ..values
                };
                let _ = prompt.1(values, &native, Guard::Neutralise);
            }
        }
    }
}

#[test]
fn most_families_are_joined() {
    let joined = |prompts: &[(&'static str, Write)]| -> Vec<&'static str> {
        let is_joined = |prompt: &&(&str, Write)| {
            let (text, joined) = prompt.1(CLEAN, &native(prompt), Guard::Neutralise);
            assert!(text.is_ok(), "{}: {text:?}", prompt.0);
            joined
        };
        let all = prompts.iter().filter(|prompt| !is_joined(prompt));
        all.map(|prompt| prompt.0).collect()
    };
    // Not joined are those that name the day; those that put the instructions elsewhere; those that strip some turns only,
    // where the template has white space at an end; and Falcon, where a value and the template make an empty line.
    assert_eq!(
        joined(PROMPTS),
        [
            "smollm3",
            "llama2",
            "llama3_2",
            "llama4",
            "mistral_v3",
            "mistral_v3_tekken",
            "gemma3",
            "command_r",
            "gpt_oss",
            "glm4_5",
            "vicuna",
            "falcon"
        ]
    );
    assert_eq!(joined(QUESTIONS), ["granite3_1", "gpt_oss"]);
}

#[derive(Prompt)]
#[prompt(user = "Summarise: <text>", format = chatml)]
struct Summary<'a> {
    text: &'a str,
}

#[test]
fn another_format_is_left_alone() {
    let summary = Summary { text: "Owls." };
    assert_eq!(
        summary.to_text(format::LLAMA2).unwrap(),
        "<s>[INST] Summarise: Owls. [/INST]"
    );
    assert_eq!(
        summary.to_text(format::CHATML).unwrap(),
        "<|im_start|>user\nSummarise: Owls.<|im_end|>\n<|im_start|>assistant\n"
    );
}
