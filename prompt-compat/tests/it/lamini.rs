//! Lamini's recorded hydrations that its own layouts cover.

use prompt_compat::lamini::{self, Coerced, Input, Output, TypedTemplate};
use prompt_core::format::NativeFormat;
use prompt_core::{Message, Messages, Prompt, Reply, output};
use serde_json::Value;

fn layout(template: &str) -> Option<NativeFormat> {
    Some(match template {
        "[INST] <<SYS>>\n{input:system}\n<</SYS>>\n{input:user} [/INST]" => lamini::LLAMA2,
        "<s>[INST] <<SYS>>\n{input:system}\n<</SYS>>\n\n{input:user} [/INST]{input:cue}" => {
            lamini::LLAMA2_BLANK_LINE
        }
        "[INST] {input:system} {input:user} [/INST]" => lamini::MISTRAL,
        _ if template.starts_with("Below is") => lamini::ALPACA,
        _ => return None,
    })
}

#[test]
fn goldens() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/goldens/lamini.json");
    let cases: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut checked = 0;
    for case in &cases {
        let Some(layout) = layout(case["template"].as_str().unwrap()) else {
            continue;
        };
        let input = &case["input"];
        let user = input
            .get("user")
            .or_else(|| input.get("question"))
            .and_then(Value::as_str)
            .unwrap();
        let system = input
            .get("system")
            .and_then(Value::as_str)
            .map(Message::system);
        let messages: Messages = system.into_iter().chain([Message::user(user)]).collect();
        let cue = input.get("cue").and_then(Value::as_str).unwrap_or_default();
        let text = messages.to_text(layout.label(cue)).unwrap();
        assert_eq!(Value::from(text), case["expect"], "{}", case["id"]);
        checked += 1;
    }
    assert_eq!(checked, 7);
}

#[test]
fn errors() {
    let error = Messages::from([Message::system("s"), Message::user("u")])
        .to_text(lamini::ALPACA)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "message 0 (system) holds instructions, which Lamini's Alpaca does not support; put the instructions into the user message"
    );
    let history = Messages::from([
        Message::user("u"),
        Message::assistant("a"),
        Message::user("u"),
    ]);
    for layout in [
        lamini::LLAMA2,
        lamini::LLAMA2_BLANK_LINE,
        lamini::MISTRAL,
        lamini::MISTRAL_BOS,
        lamini::LLAMA3,
    ] {
        assert_eq!(
            history.to_text(layout).unwrap_err().message_index(),
            Some(1)
        );
    }
}

#[test]
fn typed_templates() {
    let input = [Input {
        name: "q",
        description: "a sum",
        value: &"{#output(A)} {q}",
    }];
    let output = [Output {
        name: "a",
        description: "the sum",
    }];
    for (template, line, output, expected) in [
        (
            "{#input(Q)}{# {#",
            "{#value}{#value}",
            &output[..],
            "{#output(A)} {q}{#output(A)} {q}{# {#",
        ),
        (
            "{#input(Q)}|{#input(Q)}",
            "{#field}",
            &output,
            "error: the line of a field has no `{#value}`, so the input's values would be lost",
        ),
        (
            "{#cue(A)}{#input(Q)}{#cue(A)}",
            "{#value}",
            &output,
            "a: {#output(A)} {q}a: ",
        ),
        (
            "{#cue(A)}{#input(Q)}",
            "{#value}",
            &[],
            "error: the template has a marker, `{#cue(A)}`, that nothing fills in: the output has no fields",
        ),
        (
            "{#input(Q)}{#output(A)}{#output(B)}",
            "{#value}",
            &output,
            "error: the template has a marker, `{#output(B)}`, that nothing fills in: the output is `A`",
        ),
        (
            "{#output(A)}",
            "{#value}",
            &output,
            "error: the template has no `{#input(Type)}`, so the input's values would be lost",
        ),
        (
            "{#inputs(Q)}",
            "{#value}",
            &output,
            "error: `{#inputs(Q)}` is not a marker",
        ),
        (
            "{#input}",
            "{#value}",
            &output,
            "error: `{#input}` is not a marker",
        ),
        (
            "{#input(Q)}",
            "{#value(x)}",
            &output,
            "error: `{#value(x)}` is not a marker",
        ),
        (
            "{#input(Q)\nmore",
            "{#value}",
            &output,
            "error: `{#input(Q)` is not a marker",
        ),
    ] {
        let got = match TypedTemplate::new(template, line).fill(&input, output) {
            Ok(messages) => messages.to_plain_text().unwrap(),
            Err(error) => format!("error: {}", error.message()),
        };
        assert_eq!(got, expected, "{template}");
    }
}

#[test]
fn coerced_answers() {
    fn check<T>(read: fn(&T) -> String, cases: &[(&str, &str)])
    where
        T: serde::de::DeserializeOwned + schemars::JsonSchema,
    {
        #[derive(serde::Deserialize, schemars::JsonSchema)]
        struct Of<T> {
            x: T,
        }
        for (json, expected) in cases {
            let reply = Reply::new(format!("{{\"x\": {json}}}"));
            let got = match output::parse_json::<Of<T>>(&reply) {
                Ok(answer) => read(&answer.x),
                Err(error) => format!("error: {}", error.message()),
            };
            let is_expected = match expected.strip_prefix("error") {
                Some(_) => got.starts_with("error") && got.contains("(at /x)"),
                None => got == *expected,
            };
            assert!(is_expected, "{json}: {got}, expected {expected}");
        }
    }
    check::<Coerced<bool>>(
        |x| x.0.to_string(),
        &[
            ("true", "true"),
            ("0", "false"),
            ("1", "true"),
            ("\"T\"", "true"),
            ("\"off\"", "false"),
            ("\"FALSE\"", "false"),
            ("2", "error"),
            ("null", "error"),
            ("\"maybe\"", "error"),
            ("[]", "error"),
        ],
    );
    check::<Coerced<i64>>(
        |x| x.0.to_string(),
        &[
            ("\"17\"", "17"),
            ("1999.0", "1999"),
            ("true", "1"),
            ("2.9", "error"),
            ("null", "error"),
            ("\"two\"", "error"),
        ],
    );
    check::<Coerced<f64>>(
        |x| x.0.to_string(),
        &[
            ("\" 0.25 \"", "0.25"),
            ("false", "0"),
            ("7", "7"),
            ("null", "error"),
            ("\"deep\"", "error"),
        ],
    );
    check::<Coerced<String>>(
        |x| x.0.clone(),
        &[
            ("42", "42"),
            ("2.50", "2.5"),
            ("true", "True"),
            ("\"a\"", "a"),
            ("null", "error"),
        ],
    );
}
