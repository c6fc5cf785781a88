//! The calls of the Berkeley function-calling leaderboard, written and read back in every native format that offers tools.

use std::collections::BTreeMap;

use prompt_core::format::{self, AnswerParser, NativeFormat};
use prompt_core::{ChatFormat, Json, Message, Messages, Tool, ToolCall};
use serde_json::Value;

use crate::{Differences, bound, read, text};

/// A call that is written is read back with the same arguments. A conversation that the family does not support is an error.
#[test]
#[ignore = "tests/differential/chat/run writes its cases"]
fn are_read_back() {
    let cases = read("calls.jsonl");
    let cases = cases
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let cases: Vec<(Value, Vec<Tool>)> = cases
        .map(|case: Value| {
            let tools = Json::parse(text(&case, "tools")).unwrap();
            let tools = tools.items().unwrap_or_default();
            let tools = tools.iter().map(|tool| Tool::from_json(tool).unwrap());
            let tools = tools.collect();
            (case, tools)
        })
        .collect();
    let mut differences = Differences::default();
    let least = bound("CALLS_READ_BACK");
    let natives = format::MODEL_FORMATS.iter().copied();
    for native in natives.filter(|native| native.family().tools) {
        let name = native.family().name;
        let mut written = 0;
        for (case, tools) in &cases {
            match read_back(*native, case, tools) {
                Err(refused) => differences.leave_out(&format!("{name}: {refused}")),
                Ok((expected, got)) => {
                    written += 1;
                    differences.compare(
                        name,
                        text(case, "id"),
                        Ok(&expected),
                        got.as_deref().map_err(String::as_str),
                    );
                }
            }
        }
        println!("{written:6} {name}: written and read back");
        assert!(
            written >= least,
            "{name} writes {written} of {} cases, and at least {least} have to be read back",
            cases.len()
        );
    }
    differences.finish("calls", bound("CALLS_BOUND"));
}

/// The calls of a case, as they are given and as they are read. The error is that of the writer.
fn read_back(
    native: NativeFormat,
    case: &Value,
    tools: &[Tool],
) -> Result<(String, Result<String, String>), String> {
    let calls = case["calls"].as_array().unwrap();
    let given = calls.iter().enumerate().map(|(at, call)| {
        let id = format!("call{at:05}");
        ToolCall::new(id, text(call, "name"), text(call, "arguments"))
    });
    let given: Vec<ToolCall> = given.collect();
    let offer = |messages: Messages| tools.iter().cloned().fold(messages, Messages::with_tool);
    let question = || Message::user("?");
    let write = |messages: Messages, is_prompt| {
        let text = offer(messages).to_text(native.generation_prompt(is_prompt));
        text.map_err(|error| error.message().to_owned())
    };
    let prompt = write([question()].into(), true)?;
    let whole = [question(), Message::calls(given.clone())];
    let whole = write(whole.into(), false)?;
    let same = whole.bytes().zip(prompt.bytes());
    let same = same.take_while(|(one, other)| one == other).count();
    // An answer begins with a whole token.
    let same = whole[..same].trim_end_matches(['<', '[']).len();
    let (prompt, answer) = whole.split_at(same);
    let parser = AnswerParser::new(&native)
        .tools(tools)
        .prompt(prompt, false);
    let got = parser
        .parse(answer)
        .map_err(|error| format!("{error} in {answer:?}"))
        .map(|reply| show(&reply.tool_calls, tools) + reply.text.trim());
    Ok((show(&given, tools), got))
}

/// The calls as JSON with sorted keys. An argument that is null and optional may be left out.
fn show(calls: &[ToolCall], tools: &[Tool]) -> String {
    let calls = calls.iter().map(|call| {
        let arguments: BTreeMap<String, Value> = serde_json::from_str(&call.arguments).unwrap();
        let mut tools = tools.iter().filter(|tool| tool.name() == call.name);
        let schema = tools.find_map(Tool::parameters);
        let schema: Value = schema.map_or(Value::Null, |schema| {
            serde_json::from_str(schema.as_str()).unwrap()
        });
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let is_required = |name: &str| required.iter().any(|one| one == name);
        let kept = arguments
            .into_iter()
            .filter(|(name, value)| !value.is_null() || is_required(name));
        let kept: BTreeMap<String, Value> =
            kept.map(|(name, value)| (name, sorted(value))).collect();
        format!("{}{}\n", call.name, serde_json::to_string(&kept).unwrap())
    });
    calls.collect()
}

/// The value with sorted keys: some templates sort them.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(entries) => {
            let entries = entries.into_iter().map(|(key, value)| (key, sorted(value)));
            let entries: BTreeMap<String, Value> = entries.collect();
            entries.into_iter().collect()
        }
        Value::Array(items) => items.into_iter().map(sorted).collect(),
        other => other,
    }
}
