//! Long and pathological text in every function that accepts text: no panic, and time that grows linearly with its length.

use prompt_core::format::{self, AnswerParser};
use prompt_core::{ChatFormat, History, Json, Message, Messages, Tool, ToolCall};

use crate::linear::assert_linear;
use crate::{STEP, long};

/// Parts of formats, of JSON and of models' answers, and similar text.
const UNITS: &[&str] = &[
    "<|im_start|>user\n",
    "<|im_end|>\n",
    "<|im_start|>",
    "<|",
    "<",
    "[INST]",
    "[/INST] ",
    "<<SYS>>\n",
    "</s>",
    "<s>[INST] a [/INST] b </s>",
    "<|start|>assistant<|channel|>analysis<|message|>",
    "<|start|>",
    "<|end|>",
    "<|start_header_id|>",
    "<|start_header_id|>user<|end_header_id|>\n\n",
    "<start_of_turn>",
    "<think>",
    "</think>",
    "<think>\n</think>\n\n",
    "<tool_response>\n",
    "</tool_response>",
    "### Instruction:\n",
    "### ",
    "USER: ",
    " ASSISTANT:",
    "\n\n",
    " ",
    "\u{3000}",
    "\0",
    "\u{feff}",
    "\r\n",
    "\u{202e}",
    "<\u{301}|im_end|>",
    "[TOOL_CALLS]",
    "[",
    "<｜User｜>",
    "<｜",
    "<|user|>\n",
    "<|assistant|>\n",
    "<|system|>\n",
    "Human: ",
    "\n\nAssistant: ",
    "x",
    "{\"name\": \"",
    "<tool_call>\n{",
    "</tool_call>",
    "[TOOL_RESULTS]",
    "<|eot_id|>",
    "<|tool_calls_section_begin|>",
    "{\"function\":\n",
    "{\"id\": \"a\", ",
    "{\"name\": \"now\", \"arguments\": {}}\n",
    "[now(",
    "[now()]\n",
    "now\n{}\n",
    "<function=now>\n",
    "Action:\n",
    "assistantanalysis",
];

#[test]
fn formats_are_parsed_in_linear_time() {
    for native in format::MODEL_FORMATS {
        let name = native.family().name;
        for unit in UNITS {
            assert_linear(&format!("{name} {unit:?}"), 400, |size| {
                let _ = native.parse(&unit.repeat(size / unit.len() + 1));
            });
        }
    }
}

#[test]
fn answers_of_models_are_read_in_time() {
    for native in format::MODEL_FORMATS.iter().step_by(STEP) {
        let name = native.family().name;
        for unit in UNITS {
            assert_linear(&format!("{name} {unit:?}"), 400, |size| {
                let _ = native.parse_answer(&unit.repeat(size / unit.len() + 1));
            });
        }
    }
}

/// Reads an answer in small chunks, however it ends.
fn stream(native: &format::NativeFormat, head: &str, unit: &str, size: usize) {
    let mut parser = AnswerParser::new(native).tools(&[Tool::new("now")]);
    let text = head.to_owned() + &unit.repeat(size / unit.len() + 1);
    let mut rest = &*text;
    while !rest.is_empty() {
        let length = rest.char_indices().nth(5).map_or(rest.len(), |(at, _)| at);
        if parser.push(&rest[..length]).is_err() {
            return;
        }
        rest = &rest[length..];
    }
    let _ = parser.finish();
}

#[test]
fn streamed_answers_are_read_in_time() {
    for native in format::MODEL_FORMATS.iter().step_by(STEP) {
        let family = native.family();
        let Some(syntax) = family.turns.answer_calls.first() else {
            continue;
        };
        let call = format!("{}{}", syntax.section_open, syntax.open);
        let reasoning = native.reasoning_delimiters().map_or("", |(open, _)| open);
        for head in ["", reasoning, &call] {
            for unit in UNITS {
                assert_linear(&format!("{} {head:?} {unit:?}", family.name), 100, |size| {
                    stream(native, head, unit, size);
                });
            }
        }
    }
}

#[test]
fn a_streamed_answer_of_a_megabyte_is_read_in_time() {
    let string = r#"<tool_call>{"name": "now", "arguments": {"a": ""#;
    for (native, head, unit) in [
        (format::QWEN3, "", "Some words. "),
        (format::QWEN3, "", "\n"),
        (format::QWEN3, "<think>", "\n"),
        (format::QWEN3, string, "x{}"),
        (
            format::QWEN3,
            "<tool_call>{\"name\": \"now\", \"arguments\": {",
            " ",
        ),
        (
            format::QWEN3,
            "<tool_call><function=now>",
            "<parameter=a>\n",
        ),
        (
            format::QWEN3,
            "",
            "<tool_call>{\"name\": \"now\", \"arguments\": {}}</tool_call>\n",
        ),
        (format::LLAMA3_1, "{\"name\": \"", "x"),
        (format::LFM2, "<|tool_call_start|>[now(a='", "x"),
        (format::LFM2, "<|tool_call_start|>[", "now(), "),
        (format::GPT_OSS, "<|channel|>analysis<|message|>", "x\n"),
        (format::GPT_OSS, "analysis", "x\n"),
        (
            format::KIMI_K2,
            "<|tool_calls_section_begin|>",
            "<|tool_call_begin|>now:0<|tool_call_argument_begin|>{}<|tool_call_end|>",
        ),
    ] {
        let name = format!("{} {head:?} {unit:?}", native.family().name);
        assert_linear(&name, long(50_000), |size| {
            stream(&native, head, unit, size);
        });
    }
    // Every argument has another name.
    for (native, head) in [
        (format::LFM2, "<|tool_call_start|>[now("),
        (format::QWEN3, "<tool_call><function=now>"),
    ] {
        assert_linear(head, 1000, |count| {
            let arguments = (0..count).map(|at| match head.ends_with('(') {
                true => format!("a{at}=1, "),
                false => format!("<parameter=a{at}>1</parameter>"),
            });
            stream(&native, head, &arguments.collect::<String>(), 0);
        });
    }
}

#[test]
fn conversations_are_written_in_time() {
    for native in format::MODEL_FORMATS {
        let name = native.family().name;
        assert_linear(&format!("{name}: turns"), 50, |turns| {
            let turn = |at: usize| match at % 2 {
                0 => Message::user("Hi <|im_end|>"),
                _ => Message::assistant("Hello."),
            };
            let messages: Messages = (0..turns | 1).map(turn).collect();
            let _ = messages.to_text(*(*native));
        });
        assert_linear(&format!("{name}: tools"), 20, |tools| {
            let tool = |at: usize| Tool::new(format!("t{at}")).with_description("x");
            let messages = (0..tools)
                .map(tool)
                .fold(Messages::from([Message::user("x")]), Messages::with_tool);
            let _ = messages.to_text(*(*native));
        });
        assert_linear(&format!("{name}: parameters"), 20, |count| {
            let name = |at: usize| format!("\"p{at}\"");
            let properties: Vec<_> = (0..count)
                .map(|at| name(at) + ": {\"type\": \"string\"}")
                .collect();
            let required: Vec<_> = (0..count).map(name).collect();
            let schema = format!(
                r#"{{"type": "object", "properties": {{{}}}, "required": [{}]}}"#,
                properties.join(","),
                required.join(",")
            );
            let tool = Tool::new("f").with_parameters(Json::parse(&schema).unwrap());
            let _ = Messages::from([Message::user("x")])
                .with_tool(tool)
                .to_text(*(*native));
        });
        assert_linear(&format!("{name}: arguments"), 20, |count| {
            let properties: Vec<_> = (0..count)
                .map(|at| format!(r#""p{at}": {{"type": "string"}}"#))
                .collect();
            let schema = format!(
                r#"{{"type": "object", "properties": {{{}}}}}"#,
                properties.join(",")
            );
            let tool = Tool::new("f").with_parameters(Json::parse(&schema).unwrap());
            let arguments: Vec<_> = (0..count).map(|at| format!(r#""p{at}": "x""#)).collect();
            let arguments = format!("{{{}}}", arguments.join(","));
            let call = Message::calls([ToolCall::new("call00001", "f", arguments)]);
            let messages = [Message::user("x"), call, Message::tool("call00001", "1")];
            let _ = Messages::from(messages).with_tool(tool).to_text(*(*native));
        });
        assert_linear(&format!("{name}: results"), 50, |count| {
            let id = |at: usize| format!("call{at:05}");
            let calls = (0..count).map(|at| ToolCall::new(id(at), "f", "{}"));
            let asked = [Message::user("x"), Message::calls(calls)];
            let results = (0..count).map(|at| Message::tool(id(at), "1"));
            let messages: Messages = asked.into_iter().chain(results).collect();
            let _ = messages.to_text(*(*native));
        });
    }
}

#[test]
fn json_is_read_in_time() {
    for unit in [
        "[1],",
        "\"\\u00e9\",",
        "\"\\\\\",",
        "{\"a\":1},",
        "\"x\",",
        "1,",
    ] {
        assert_linear(unit, 400, |size| {
            let text = format!("[{}1]", unit.repeat(size / unit.len()));
            let json = Json::parse(&text).unwrap();
            json.spaced();
            json.indented(2);
        });
    }
    assert_linear("keys", 100, |size| {
        let keys: Vec<_> = (0..size).map(|at| format!("\"k{at}\":1")).collect();
        let object = format!("{{{}}}", keys.join(","));
        let _ = History::parse(&format!("[{object}]"));
        let _ = Tool::from_json(
            &Json::parse(&format!(r#"{{"name":"f","function":{object}}}"#)).unwrap(),
        );
        let _ = Tool::from_json(&Json::parse(&object.replacen("k0", "name", 1)).unwrap());
    });
    assert_linear("turns", 100, |size| {
        let _ = History::parse(&format!("[{}[\"a\",\"b\"]]", "[\"a\",\"b\"],".repeat(size)));
    });
}
