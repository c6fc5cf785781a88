//! Control tokens in the text of a template, where the prompt is written in the format that has them: in each dialect, source and message.

use typed_prompt::{ChatFormat, Dynamic, ErrorKind, Fields, Guard, Prompt, format, prompt};

/// The prompt is an error in this format, which names the token, the format and what to type; and it is text in formats that do not have the token.
#[track_caller]
fn refused(prompt: &impl Prompt, format: impl ChatFormat + Copy, token: &str, kept: &str) {
    let error = prompt.to_text(format).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ControlToken, "{error}");
    let title = format.family().title;
    for part in [
        format!("`{token}`, a control token of {title}"),
        "remove it, and write a message for each turn".to_owned(),
        format!("or write `{kept}` to keep it as text"),
    ] {
        assert!(
            error.to_string().contains(&part),
            "{error}\nholds no {part}"
        );
    }
    let strict = prompt.to_text(format.guard(Guard::Reject)).unwrap_err();
    assert_eq!(strict.message(), error.message());
    assert!(prompt.to_text(format.guard(Guard::Allow)).is_ok());
    assert!(prompt.to_text(format::PLAIN).is_ok());
}

#[derive(Prompt)]
#[prompt(user = "<|im_start|>user\n<q><|im_end|>", format = plain)]
struct Angle {
    q: String,
}

#[derive(Prompt, Fields)]
#[prompt(user = "<q>")]
struct Plain {
    q: String,
}

#[derive(Prompt)]
#[prompt(syntax = "brace", user = "<raw>[INST]</raw> {q} <raw>[/INST]</raw>")]
struct Brace {
    q: String,
}

#[derive(Prompt)]
#[prompt(syntax = "fstring", user = "<<SYS>>{q}", format = plain)]
struct Fstring {
    q: String,
}

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "{{ q }}{{ '<|eot_' }}id|>{% raw %}<|eot_id|>{% endraw %}"
)]
struct Jinja {
    q: String,
}

#[derive(Prompt)]
#[prompt(fragment = "<raw><|im_end|></raw> <q>")]
struct Part {
    q: String,
}

#[derive(Prompt)]
#[prompt(user = "See <part>")]
struct Outer {
    part: Part,
}

#[derive(Prompt)]
#[prompt(system = "Show <raw><|im_end|></raw>.", user = "<q>")]
struct System {
    q: String,
}

/// Data, also where it is formed with the template's text, is broken as before, and other tokens stay.
#[derive(Prompt)]
#[prompt(user = r"Think in \<think> tags, end with < |im_end|> or <|im_end|<input:q>")]
struct Fine {
    q: String,
}

#[test]
fn are_an_error_in_their_format() {
    let q = || "Hi".to_owned();
    refused(
        &Angle { q: q() },
        format::CHATML,
        "<|im_start|>",
        "< |im_start|>",
    );
    refused(&Brace { q: q() }, format::LLAMA2, "[INST]", "[I NST]");
    refused(&Fstring { q: q() }, format::LLAMA2, "<<SYS>>", "<<S YS>>");
    refused(
        &Jinja { q: q() },
        format::LLAMA3,
        "<|eot_id|>",
        "< |eot_id|>",
    );
    let outer = Outer {
        part: Part { q: q() },
    };
    refused(&outer, format::CHATML, "<|im_end|>", "< |im_end|>");
    refused(
        &System { q: q() },
        format::QWEN3,
        "<|im_end|>",
        "< |im_end|>",
    );
    let inline = "Hi";
    refused(
        &prompt!("<inline><raw><|im_end|></raw>").unwrap(),
        format::CHATML,
        "<|im_end|>",
        "< |im_end|>",
    );
    let live = Dynamic::<Plain>::parse("---\nformat: plain\n---\n<q><|im_end|>").unwrap();
    refused(
        &live.fill(&Plain { q: q() }),
        format::CHATML,
        "<|im_end|>",
        "< |im_end|>",
    );
}

#[test]
fn other_text_stays() {
    let fine = Fine { q: ">".to_owned() };
    let text = fine.to_text(format::QWEN3).unwrap();
    assert!(
        text.contains("Think in <think> tags, end with < |im_end|> or <|im_end| >"),
        "{text}"
    );
    let other = Angle { q: "Hi".to_owned() };
    assert!(other.to_text(format::LLAMA3).is_ok());
}

/// Without a format, a control token of any family is an error of a template that is parsed at run time, wherever it is.
#[test]
fn without_a_format_they_are_an_error() {
    for (template, token, family) in [
        ("<|im_start|>user\n<q>", "<|im_start|>", "ChatML"),
        ("What is <|eot_id|> in <q>?", "<|eot_id|>", "Llama 3"),
        (
            "---\nsyntax: jinja\n---\n[INST] {{ q }}",
            "[INST]",
            "Llama 2",
        ),
        (
            "---\nsyntax: brace\n---\n{q}<start_of_turn>",
            "<start_of_turn>",
            "Gemma 2",
        ),
        (
            "---\nsyntax: fstring\n---\n{q}<|end_of_text|>",
            "<|end_of_text|>",
            "Granite 3.1",
        ),
    ] {
        let error = Dynamic::<Plain>::parse(template).unwrap_err().to_string();
        for part in [
            format!("`{token}` is a control token of {family}"),
            "add `format = plain`".to_owned(),
        ] {
            assert!(error.contains(&part), "{error}\nholds no {part}");
        }
    }
    // Nor is a token of another family than that of the format text.
    for template in [
        "---\nformat: llama3\n---\n[INST] <q>",
        "---\nformat: alpaca\nsyntax: jinja\n---\n[INST] {{ q }}",
    ] {
        let error = Dynamic::<Plain>::parse(template).unwrap_err().to_string();
        for part in [
            "`[INST]` is a control token of Llama 2",
            "write `format = plain`",
        ] {
            assert!(error.contains(part), "{error}\nholds no {part}");
        }
    }
    for template in [
        "<raw><|im_start|></raw> <q>",
        "---\nformat: llama3\n---\n<raw>[INST]</raw> <q>",
        "---\nformat: llama3\nslots: input\n---\n[INST] <input:q>",
        "---\nslots: input\n---\n<|im_start|> <input:q>",
        "---\nformat: plain\n---\n[INST] <q> [/INST]",
        "---\nsyntax: jinja\n---\n{% raw %}<|im_start|>{% endraw %} {{ q }}",
        "Use <tool_call></tool_call>, <s></s>, [1] and <|x|> with <q>",
    ] {
        let template = Dynamic::<Plain>::parse(template);
        assert!(template.is_ok(), "{}", template.unwrap_err());
    }
}
