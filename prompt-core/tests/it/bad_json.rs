//! Invalid JSON in every function that accepts JSON: it is parsed or an error, never a panic, and no data is lost.

use prompt_core::format::{self, ChatInput, FormatOptions};
#[cfg(feature = "schema")]
use prompt_core::output::Schema;
use prompt_core::{Guard, History, Json, Message, Messages, Tool, ToolCall};

use crate::STEP;
use crate::bad_values::filled;

fn short(text: &str) -> String {
    text.chars().take(200).collect()
}

/// Every format writes a conversation or returns an error with a reason.
fn write(messages: &Messages) {
    // Long texts take long to test, and do not test guards.
    let long = serde_json::to_string(&messages.openai()).map_or(0, |text| text.len()) > 5000;
    for native in format::MODEL_FORMATS
        .iter()
        .step_by(if long { 5 * STEP } else { STEP })
    {
        for guard in [Guard::Neutralise, Guard::Reject, Guard::Allow] {
            let _ = messages.to_text((*(*native)).guard(guard));
        }
    }
    let _ = messages.to_text(format::PLAIN);
    let _ = serde_json::to_string(&messages.anthropic());
}

#[test]
fn json_itself() {
    for text in filled(&["$", " [ $ , $ ] ", r#"{"k": $}"#]) {
        let Ok(json) = Json::parse(&text) else {
            continue;
        };
        assert_eq!(Json::parse(json.as_str()).unwrap(), json);
        assert_eq!(
            Json::parse(&json.spaced()).unwrap(),
            json,
            "{}",
            short(&text)
        );
        assert_eq!(
            Json::parse(&json.indented(1)).unwrap(),
            json,
            "{}",
            short(&text)
        );
    }
}

#[test]
fn histories() {
    let shells = [
        "$",
        "[$]",
        "[[$,$]]",
        r#"[{"role":$,"content":"x"}]"#,
        r#"[{"role":"user","content":$}]"#,
        r#"[{"role":"user","content":[$]}]"#,
        r#"[{"role":"user","content":"x","name":$}]"#,
        r#"[{"role":"user","content":[{"type":$,"text":"x"}]}]"#,
        r#"[{"role":"user","content":[{"type":"text","text":$}]}]"#,
        r#"[{"role":"user","content":[{"type":"image_url","image_url":$}]}]"#,
        r#"[{"role":"user","content":[{"type":"input_audio","input_audio":{"data":$,"format":$}}]}]"#,
        r#"[{"role":"user","content":[{"type":"file","file":{"file_data":"data:text/plain;base64,AA==","filename":$}}]}]"#,
        r#"[{"role":"assistant","content":null,"reasoning":$}]"#,
        r#"[{"role":"assistant","content":null,"tool_calls":$}]"#,
        r#"[{"role":"assistant","content":null,"tool_calls":[$]}]"#,
        r#"[{"role":"assistant","tool_calls":[{"id":$,"function":{"name":"f","arguments":"{}"}}]}]"#,
        r#"[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":$,"arguments":"{}"}}]}]"#,
        r#"[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":$}}]},{"role":"tool","tool_call_id":"1","content":"x"}]"#,
        r#"[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":{"k":$}}}]},{"role":"tool","tool_call_id":"1","content":$}]"#,
        r#"[{"role":"user","content":"x","content":$}]"#,
        r#"[{"role":"assistant","tool_calls":[{"function":{"name":"f"},"more":$}]}]"#,
    ];
    for text in filled(&shells) {
        let Ok(history) = History::parse_with_system(&text) else {
            continue;
        };
        let messages: Messages = history.iter().cloned().collect();
        write(&messages);
        let written = serde_json::to_string(&messages).unwrap();
        let again = History::parse_with_system(&written)
            .unwrap_or_else(|error| panic!("{error:#}\n{}\n{}", short(&text), short(&written)));
        assert_eq!(
            serde_json::to_string(again.iter().as_slice()).unwrap(),
            written,
            "{}",
            short(&text)
        );
    }
}

#[test]
fn arguments_of_calls() {
    let broken = ["{", "{} x", "\u{feff}{}", "\0"].map(str::to_owned);
    for arguments in filled(&["$", r#"{"k":$}"#]).into_iter().chain(broken) {
        let call = ToolCall::new("call00001", "f", arguments);
        let _ = call.json();
        #[cfg(feature = "schema")]
        let _ = call.parse_arguments::<serde_json::Value>();
        write(&Messages::from([
            Message::user("x"),
            Message::calls([call]),
            Message::tool("call00001", "x"),
        ]));
    }
}

#[test]
fn tools() {
    let shells = [
        "$",
        r#"{"type":$,"function":{"name":"f"}}"#,
        r#"{"type":"function","function":$}"#,
        r#"{"type":"function","function":{"name":$}}"#,
        r#"{"name":"f","description":$}"#,
        r#"{"name":"f","parameters":$}"#,
        r#"{"name":"f","input_schema":$}"#,
        r#"{"name":"f","input_schema":{"type":"object","properties":{"a":$,"b":{"type":"string"}},"required":$}}"#,
        r#"{"name":"f","input_schema":{"type":"object","properties":{"a":{"type":$,"enum":$,"description":$}}}}"#,
        r#"{"type":"function","function":{"name":"f"},"function":$}"#,
        r#"{"type":"function","function":{"name":"f"},"strict":$}"#,
    ];
    for text in filled(&shells) {
        let Ok(json) = Json::parse(&text) else {
            continue;
        };
        let Ok(tool) = Tool::from_json(&json) else {
            continue;
        };
        let written = tool.to_json();
        assert_eq!(Tool::from_json(&written).unwrap(), tool, "{}", short(&text));
        write(&Messages::from([Message::user("x")]).with_tool(tool));
    }
}

#[test]
fn conversations_of_models() {
    let shells = [
        "$",
        "[$]",
        r#"[{"role":"user","content":$}]"#,
        r#"[{"role":"system","content":$},{"role":"user","content":[$,$]}]"#,
        r#"[{"role":"user","content":"x"},{"role":"assistant","content":$,"reasoning":$,"tool_calls":[{"id":$,"type":$,"function":{"name":"f","arguments":$}}]}]"#,
        r#"[{"role":"user","content":"x"},{"role":"tool","content":$,"name":$,"k":$}]"#,
    ];
    for text in filled(&shells) {
        let Ok(json) = Json::parse(&text) else {
            continue;
        };
        for tools in [None, Some(&json)] {
            let Ok(chat) = ChatInput::from_json(&json, tools) else {
                continue;
            };
            for native in format::MODEL_FORMATS {
                let _ = native.format_chat(&chat, &FormatOptions::new());
            }
        }
        let chat = Json::parse(r#"[{"role":"user","content":"x"}]"#).unwrap();
        if let Ok(chat) = ChatInput::from_json(&chat, Some(&json)) {
            for native in format::MODEL_FORMATS {
                let _ = native.format_chat(&chat, &FormatOptions::new());
            }
        }
    }
}

#[cfg(feature = "schema")]
#[test]
fn schemas() {
    let shells = [
        "$",
        r#"{"type":$}"#,
        r#"{"type":"object","properties":$,"required":$}"#,
        r#"{"type":"object","properties":{"a":$},"required":["a","b"],"additionalProperties":$,"patternProperties":{"a":$,"(":true}}"#,
        r#"{"type":"array","items":$,"minItems":$,"maxItems":$}"#,
        r#"{"prefixItems":[$,$],"items":false}"#,
        r#"{"type":"integer","minimum":$,"maximum":$,"format":$}"#,
        r#"{"type":"number","exclusiveMinimum":$,"multipleOf":$}"#,
        r#"{"enum":$}"#,
        r#"{"enum":[$,$],"x-aliases":$}"#,
        r#"{"const":$}"#,
        r#"{"allOf":[$,$]}"#,
        r#"{"anyOf":[$,{"type":"array","items":$}]}"#,
        r##"{"$defs":{"a":$},"$ref":"#/$defs/a"}"##,
    ];
    let answers = [
        "",
        "x",
        "1",
        "{\"a\": 1}",
        "[1, 2",
        "```json\n{\"a\": [1, {\"b\": null}]}\n```",
        "true",
        "a: 1\nb: 2",
        "'a",
        "1e400",
        "{\"a\":{\"a\":{\"a\":1}}}",
    ];
    for text in filled(&shells) {
        let Ok(json) = serde_json::from_str(&text) else {
            continue;
        };
        let Ok(schema) = Schema::new(&json) else {
            continue;
        };
        for answer in answers {
            if let Some(partial) = schema.parse_partial(answer) {
                assert!(partial.open.iter().all(|open| !partial.is_final(open)));
            }
            match schema.parse(answer) {
                Ok(parsed) if !parsed.value.is_string() => {
                    let json = parsed.value.to_string();
                    let again = schema.parse(&json).unwrap_or_else(|refusal| {
                        panic!("{}: {answer} {json}: {refusal:#}", short(&text))
                    });
                    assert_eq!(again.value, parsed.value, "{}: {answer}", short(&text));
                }
                Ok(_) => {}
                Err(refusal) => assert!(!format!("{refusal} {refusal:#}").is_empty()),
            }
        }
    }
}
