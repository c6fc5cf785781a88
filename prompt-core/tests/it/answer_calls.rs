//! Answers with tool calls and reasoning in the syntax of each family: complete, and in every division into chunks.

use std::collections::BTreeSet;

use prompt_core::format::{self, AnswerParser, AnswerPart, FormatOptions};
use prompt_core::format::{CallBody, CallSyntax, ConversationTemplate, Family, Turns};
use prompt_core::{AnnotatedText, ChatFormat, Message, Messages, Reply, Result, Tool, ToolCall};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::STEP;

fn tools() -> Vec<Tool> {
    let tool = |name, properties: Value| {
        let schema = json!({"type": "object", "properties": properties}).to_string();
        Tool::new(name).with_parameters(prompt_core::Json::parse(&schema).unwrap())
    };
    vec![
        tool(
            "get_weather",
            json!({"city": {"type": "string"}, "days": {"type": ["integer", "null"]}, "tags": {"type": "array"}}),
        ),
        tool(
            "add",
            json!({"a": {"type": "number"}, "b": {"type": "number"}}),
        ),
        Tool::new("now"),
    ]
}

fn parser(family: &str) -> AnswerParser {
    AnswerParser::new(&format::model_format(family).unwrap()).tools(&tools())
}

/// The parts of an answer in chunks, and the error.
fn read(mut parser: AnswerParser, chunks: &[&str]) -> (Reply, Result<()>) {
    let result = chunks.iter().try_for_each(|chunk| parser.push(chunk));
    let result = result.and_then(|()| parser.finish());
    let mut reply = Reply::default();
    while let Some(part) = parser.next_part() {
        match part {
            AnswerPart::Text(text) => reply.text += &text,
            AnswerPart::Reasoning(text) => *reply.reasoning.get_or_insert_default() += &text,
            AnswerPart::Call(call) => reply.tool_calls.push(call),
        }
    }
    (reply, result)
}

/// The differences from a case.
fn difference(family: &str, case: &Value, chunks: &[&str]) -> Option<String> {
    let (reply, result) = read(parser(family), chunks);
    let calls = |call: &ToolCall| {
        let arguments: Value = serde_json::from_str(&call.arguments).unwrap();
        match &call.id {
            Some(id) => json!([call.name, arguments, id]),
            None => json!([call.name, arguments]),
        }
    };
    let mut got = json!({"families": case["families"], "text": case["text"]});
    let mut set = |key: &str, value: Option<Value>| {
        value.into_iter().for_each(|value| got[key] = value);
    };
    match result {
        Err(error) => {
            let message = error.to_string();
            let reason = message.strip_prefix("the tool call is invalid, line ");
            let reason = reason
                .and_then(|reason| reason.split_once(": "))
                .map(|(_, reason)| reason);
            let expected = case["error"].as_str().unwrap_or_default();
            let is_expected =
                !expected.is_empty() && reason.is_some_and(|reason| reason.starts_with(expected));
            set(
                "error",
                Some(if is_expected {
                    case["error"].clone()
                } else {
                    json!(message)
                }),
            );
        }
        Ok(()) => {
            set(
                "content",
                Some(reply.text)
                    .filter(|text| !text.is_empty())
                    .map(Value::from),
            );
            set("reasoning", reply.reasoning.map(Value::from));
            let calls: Vec<Value> = reply.tool_calls.iter().map(calls).collect();
            set(
                "calls",
                Some(calls)
                    .filter(|calls| !calls.is_empty())
                    .map(Value::from),
            );
        }
    }
    (got != *case).then(|| {
        format!(
            "{family}, {} chunks\n  expected {case}\n  got      {got}",
            chunks.len()
        )
    })
}

fn each(mut check: impl FnMut(&str, &Value, &str)) {
    let cases: Vec<Value> = serde_json::from_str(include_str!("answers/calls.json")).unwrap();
    for case in &cases {
        for family in case["families"].as_array().unwrap() {
            check(
                family.as_str().unwrap(),
                case,
                case["text"].as_str().unwrap(),
            );
        }
    }
}

/// A text as a whole, by characters, and in two chunks that are divided at every `step`th character from the first or a later one.
fn divisions(text: &str, from: usize, step: usize) -> Vec<Vec<&str>> {
    let chars = text
        .char_indices()
        .map(|(at, char)| &text[at..at + char.len_utf8()]);
    let mut divisions = vec![vec![text], chars.collect()];
    let cuts = text.char_indices().skip(from).step_by(step);
    divisions.extend(cuts.map(|(at, _)| vec![&text[..at], &text[at..]]));
    divisions
}

#[test]
fn calls_are_read_however_the_answer_is_divided() {
    let mut differences = Vec::new();
    each(|family, case, text| {
        let mut found = divisions(text, 0, STEP)
            .into_iter()
            .filter_map(|chunks| difference(family, case, &chunks));
        differences.extend(found.next());
    });
    assert!(
        differences.is_empty(),
        "{}\n{}",
        differences.len(),
        differences.join("\n")
    );
}

/// The prompt of the program replaces the family's generation prompt, which may close the reasoning or open it.
#[test]
fn the_prompt_decides_whether_an_answer_begins_with_reasoning() {
    let mut checked = 0;
    for native in format::MODEL_FORMATS {
        let family = native.family();
        let Some((open, close)) = family.turns.reasoning else {
            continue;
        };
        let (open, close) = (open.trim(), close.trim());
        let first = family.turns.answer_calls.first();
        if first.is_some_and(|syntax| syntax.body == CallBody::Channel) {
            continue;
        }
        let answer = format!("Easy.{close}4");
        let parser = |prompt: &str| AnswerParser::new(native).prompt(prompt, false);
        let (opened, _) = read(parser(open), &[&answer]);
        assert_eq!(
            (opened.reasoning.as_deref(), opened.text.trim()),
            (Some("Easy."), "4"),
            "{}",
            family.name
        );
        let (closed, _) = read(parser(&format!("{open}{close}")), &["4"]);
        assert_eq!((closed.reasoning, &*closed.text), (None, "4"));
        checked += 1;
    }
    assert!(checked > 20, "{checked}");
}

#[test]
fn each_family_has_eight_cases() {
    let mut cases = std::collections::BTreeMap::<String, usize>::new();
    each(|family, _, _| *cases.entry(family.to_owned()).or_default() += 1);
    for native in format::MODEL_FORMATS {
        let family = native.family();
        let count = cases.get(family.name).copied().unwrap_or_default();
        let expected = if family.turns.answer_calls.is_empty() {
            0
        } else {
            8
        };
        assert!(count >= expected, "{}: {count}", family.name);
        assert!(
            !family.tools || expected > 0,
            "{} offers tools",
            family.name
        );
    }
}

/// A family that writes a name and a line break before the arguments, without a list of tools.
#[test]
fn unknown_tools_are_called_however_the_answer_is_divided() {
    let text = "get_weather\n{\"city\": \"Brest\"}";
    for (at, _) in text.char_indices() {
        let (reply, result) = read(
            AnswerParser::new(&format::GLM4),
            &[&text[..at], &text[at..]],
        );
        result.unwrap();
        assert_eq!((&*reply.text, reply.tool_calls.len()), ("", 1), "{at}");
    }
}

/// An answer that ends too early: its calls are the first of the whole answer's, and neither the arguments
/// nor the JSON of the next one are text.
#[test]
fn a_truncated_answer_never_has_a_shortened_call() {
    let mut found = Vec::new();
    each(|family, case, text| {
        let Some(whole) = case["calls"].as_array() else {
            return;
        };
        let content = case["content"].as_str().unwrap_or_default();
        for (at, _) in text.char_indices().step_by(STEP) {
            let (reply, result) = read(parser(family), &[&text[..at]]);
            let is_first = reply.tool_calls.iter().zip(whole).all(|(call, whole)| {
                let arguments: Value = serde_json::from_str(&call.arguments).unwrap();
                whole[0] == *call.name && whole[1] == arguments
            });
            let is_text = result.is_ok()
                && ["Brest", "\"name\": \"get"]
                    .iter()
                    .any(|word| reply.text.contains(word) && !content.contains(word));
            if !is_first || reply.tool_calls.len() > whole.len() || is_text {
                found.push(format!("{family}: {:?}\n  {reply:?}", &text[..at]));
                break;
            }
        }
    });
    assert!(found.is_empty(), "{}\n{}", found.len(), found.join("\n"));
}

/// No delimiter is text, not even the beginning of one, and text is delivered at once.
#[test]
fn text_is_delivered_before_the_call_is_complete() {
    let mut parser = parser("qwen3");
    let mut seen = String::new();
    for chunk in ["I ", "look", ".\n\n", "<tool", "_call>", "\n{\"na"] {
        parser.push(chunk).unwrap();
        while let Some(part) = parser.next_part() {
            match part {
                AnswerPart::Text(text) => seen += &text,
                part => panic!("{part:?}"),
            }
        }
    }
    assert_eq!(seen, "I look.");
}

/// An answer: its name, text, reasoning, and calls.
type Shape = (
    &'static str,
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

/// Answers in every shape.
const SHAPES: [Shape; 9] = [
    ("a call", "", "", &[("get_weather", r#"{"city": "Brest"}"#)]),
    (
        "text",
        "I look.",
        "",
        &[("get_weather", r#"{"city": "Brest"}"#)],
    ),
    (
        "reasoning",
        "",
        "Easy.",
        &[("get_weather", r#"{"city": "Brest"}"#)],
    ),
    ("no arguments", "", "", &[("now", "{}")]),
    (
        "two calls",
        "",
        "",
        &[
            ("get_weather", r#"{"city": "Brest", "days": 2}"#),
            ("now", "{}"),
        ],
    ),
    (
        "all of them",
        "I look.\nOr not?",
        "Easy.\nOr not.",
        &[
            ("now", "{}"),
            ("now", "{}"),
            ("add", r#"{"a": 1, "b": -2.5}"#),
        ],
    ),
    (
        "characters",
        "é 🌊",
        "",
        &[(
            "get_weather",
            r#"{"city": "Łódź 🌊 \"a\" 'b' \\ \n {c} [d] <e> &amp; (f)\t"}"#,
        )],
    ),
    (
        "nested",
        "",
        "",
        &[(
            "get_weather",
            r#"{"city": "", "days": null, "tags": [{"a": null, "b": {"c": []}}, [true, -2.5, "x"], {}]}"#,
        )],
    ),
    (
        "strings that look like other values",
        "",
        "",
        &[
            ("get_weather", r#"{"city": "75001"}"#),
            ("get_weather", r#"{"city": "null"}"#),
            ("get_weather", r#"{"city": "None"}"#),
            ("get_weather", r#"{"city": "true"}"#),
            ("get_weather", r#"{"city": "{\"a\": 1}"}"#),
        ],
    ),
];

/// A question with the offered tools, in a family that offers some.
fn offer(family: &Family, messages: impl Into<Messages>) -> Messages {
    match family.tools {
        true => tools()
            .into_iter()
            .fold(messages.into(), Messages::with_tool),
        false => messages.into(),
    }
}

/// The prompt that a family writes, and the answer with these calls.
fn written(
    native: &format::NativeFormat,
    said: &'static str,
    reasoning: &'static str,
    calls: &[(&'static str, &'static str)],
) -> Result<(String, String)> {
    let ids = (1..).map(|number| format!("call0000{number}"));
    let calls = calls.iter().zip(ids);
    let calls: Vec<_> = calls
        .map(|((name, arguments), id)| ToolCall::new(id, *name, *arguments))
        .collect();
    let answer = match said {
        "" => Message::calls(calls),
        text => Message::assistant(text).with_tool_calls(calls),
    };
    let answer = match reasoning {
        "" => answer,
        reasoning => answer.with_reasoning(reasoning),
    };
    let family = native.family();
    let prompt = offer(family, [Message::user("?")]).to_text(native.generation_prompt(true))?;
    let messages = offer(family, [Message::user("?"), answer]);
    let text = messages.to_text(native.generation_prompt(false))?;
    let same = text.char_indices().zip(prompt.chars());
    let same = same.take_while(|((_, one), other)| one == other).count();
    let same = text.char_indices().nth(same);
    let same = same.map_or(text.len(), |(at, _)| at);
    // An answer begins with a whole token.
    let same = text[..same].trim_end_matches(['<', '[']).len();
    Ok((text[..same].to_owned(), text[same..].to_owned()))
}

/// The calls of a reply, with their arguments as JSON.
fn named(reply: &Reply) -> Vec<(&str, Value)> {
    let calls = reply.tool_calls.iter();
    calls
        .map(|call| (&*call.name, serde_json::from_str(&call.arguments).unwrap()))
        .collect()
}

/// Every family that writes calls, and every shape: what is written is read back, whole, by characters and in two chunks, or it is refused.
#[test]
fn written_calls_are_read_back() {
    let (mut refused, mut differences) = (String::new(), Vec::new());
    for native in format::MODEL_FORMATS.iter().copied() {
        let family = native.family();
        let mut count = 0;
        for (index, (shape, said, reasoning, calls)) in SHAPES.into_iter().enumerate() {
            let (prompt, answer) = match written(native, said, reasoning, calls) {
                Ok(written) => written,
                Err(error) => {
                    if family.tools {
                        refused += &format!("{}, {shape}: {}\n", family.name, error.message());
                    }
                    continue;
                }
            };
            count += 1;
            // The chat template of gpt-oss writes text beside a call into the channel of the reasoning.
            let (said, reasoning) = match reasoning {
                "" if family.template == ConversationTemplate::Harmony => ("", said),
                reasoning => (said, reasoning),
            };
            let json = |text: &str| serde_json::from_str::<Value>(text).unwrap();
            let expected: Vec<_> = calls.iter().map(|call| (call.0, json(call.1))).collect();
            for chunks in divisions(&answer, index, 16 * STEP) {
                let parser = AnswerParser::new(native);
                let parser = parser.tools(&tools()).prompt(&prompt, false);
                let (reply, result) = read(parser, &chunks);
                let is_same = result.is_ok()
                    && reply.text.trim() == said
                    && reply.reasoning.as_deref().unwrap_or_default().trim() == reasoning
                    && named(&reply) == expected;
                if !is_same {
                    let (name, count) = (family.name, chunks.len());
                    differences.push(format!(
                        "{name}, {shape}, {count}: {reply:?} {result:?}\n{answer}"
                    ));
                }
            }
        }
        assert!(count > 0 || !family.tools, "{} offers tools", family.name);
    }
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
    expect_test::expect![[r#"
        command_r7b, text: message 1 (assistant) holds text beside a tool call, which Command R7B does not support
        command_r7b, all of them: message 1 (assistant) holds text beside a tool call, which Command R7B does not support
        command_r7b, characters: message 1 (assistant) holds text beside a tool call, which Command R7B does not support
        deepseek_v3_1, reasoning: message 1 (assistant) holds reasoning, which DeepSeek V3.1 does not support
        deepseek_v3_1, all of them: message 1 (assistant) holds reasoning, which DeepSeek V3.1 does not support
        deepseek_v3_2, reasoning: message 1 (assistant) holds reasoning, which DeepSeek V3.2 does not support
        deepseek_v3_2, all of them: message 1 (assistant) holds reasoning, which DeepSeek V3.2 does not support
        deepseek_v4, reasoning: message 1 (assistant) holds reasoning, which DeepSeek V4 does not support
        deepseek_v4, all of them: message 1 (assistant) holds reasoning, which DeepSeek V4 does not support
        deepseek_v4_0731, reasoning: message 1 (assistant) holds reasoning, which DeepSeek V4 0731 does not support
        deepseek_v4_0731, all of them: message 1 (assistant) holds reasoning, which DeepSeek V4 0731 does not support
        glm4, reasoning: message 1 (assistant) holds reasoning, which GLM-4 does not support
        glm4, all of them: message 1 (assistant) holds reasoning, which GLM-4 does not support
        gpt_oss, all of them: message 1 (assistant) holds both a content and reasoning beside a tool call, which gpt-oss does not support
        granite3_1, reasoning: message 1 (assistant) holds reasoning, which Granite 3.1 does not support
        granite3_1, all of them: message 1 (assistant) holds reasoning, which Granite 3.1 does not support
        granite4, reasoning: message 1 (assistant) holds reasoning, which Granite 4 does not support
        granite4, all of them: message 1 (assistant) holds reasoning, which Granite 4 does not support
        granite4_1, reasoning: message 1 (assistant) holds reasoning, which Granite 4.1 does not support
        granite4_1, all of them: message 1 (assistant) holds reasoning, which Granite 4.1 does not support
        jamba1_7, reasoning: message 1 (assistant) holds reasoning, which Jamba 1.7 does not support
        jamba1_7, all of them: message 1 (assistant) holds reasoning, which Jamba 1.7 does not support
        kimi_k2, reasoning: message 1 (assistant) holds reasoning, which Kimi K2 does not support
        kimi_k2, all of them: message 1 (assistant) holds reasoning, which Kimi K2 does not support
        kimi_k2_0905, reasoning: message 1 (assistant) holds reasoning, which Kimi K2 0905 does not support
        kimi_k2_0905, all of them: message 1 (assistant) holds reasoning, which Kimi K2 0905 does not support
        lfm2, reasoning: message 1 (assistant) holds reasoning, which LFM2 does not support
        lfm2, all of them: message 1 (assistant) holds reasoning, which LFM2 does not support
        lfm2_5, characters: message 1 (assistant) calls a tool with the string "Łódź 🌊 \"a\" 'b' \\ \n {c} [d] <e> &amp; (f)\t", whose quotation mark, backslash or line break is not escaped, which LFM2.5 does not support
        llama3_1, text: message 1 (assistant) holds text beside a tool call, which Llama 3.1 does not support
        llama3_1, reasoning: message 1 (assistant) holds reasoning, which Llama 3.1 does not support
        llama3_1, two calls: message 1 (assistant) holds a list of tool calls that is not exactly one, which Llama 3.1 does not support
        llama3_1, all of them: message 1 (assistant) holds a list of tool calls that is not exactly one, which Llama 3.1 does not support
        llama3_1, characters: message 1 (assistant) holds text beside a tool call, which Llama 3.1 does not support
        llama3_1, strings that look like other values: message 1 (assistant) holds a list of tool calls that is not exactly one, which Llama 3.1 does not support
        llama3_2, text: message 1 (assistant) holds text beside a tool call, which Llama 3.2 does not support
        llama3_2, reasoning: message 1 (assistant) holds reasoning, which Llama 3.2 does not support
        llama3_2, two calls: message 1 (assistant) holds a list of tool calls that is not exactly one, which Llama 3.2 does not support
        llama3_2, all of them: message 1 (assistant) holds a list of tool calls that is not exactly one, which Llama 3.2 does not support
        llama3_2, characters: message 1 (assistant) holds text beside a tool call, which Llama 3.2 does not support
        llama3_2, strings that look like other values: message 1 (assistant) holds a list of tool calls that is not exactly one, which Llama 3.2 does not support
        llama4, reasoning: message 1 (assistant) holds reasoning, which Llama 4 does not support
        llama4, all of them: message 1 (assistant) holds reasoning, which Llama 4 does not support
        minimax_m3, nested: message 1 (assistant) calls `get_weather` with arguments that the tool's schema reads back as others, which MiniMax M3 does not support
        mistral_v11, reasoning: message 1 (assistant) holds reasoning, which Mistral v11 does not support
        mistral_v11, all of them: message 1 (assistant) holds reasoning, which Mistral v11 does not support
        mistral_v3, text: message 1 (assistant) holds text beside a tool call, which Mistral v3 does not support
        mistral_v3, reasoning: message 1 (assistant) holds reasoning, which Mistral v3 does not support
        mistral_v3, all of them: message 1 (assistant) holds text beside a tool call, which Mistral v3 does not support
        mistral_v3, characters: message 1 (assistant) holds text beside a tool call, which Mistral v3 does not support
        mistral_v3_tekken, text: message 1 (assistant) holds text beside a tool call, which Mistral v3 Tekken does not support
        mistral_v3_tekken, reasoning: message 1 (assistant) holds reasoning, which Mistral v3 Tekken does not support
        mistral_v3_tekken, all of them: message 1 (assistant) holds text beside a tool call, which Mistral v3 Tekken does not support
        mistral_v3_tekken, characters: message 1 (assistant) holds text beside a tool call, which Mistral v3 Tekken does not support
        muse_glimmer, text: message 1 (assistant) holds text beside a tool call, which Muse Glimmer does not support
        muse_glimmer, all of them: message 1 (assistant) holds text beside a tool call, which Muse Glimmer does not support
        muse_glimmer, characters: message 1 (assistant) holds text beside a tool call, which Muse Glimmer does not support
        olmo3, reasoning: message 1 (assistant) holds reasoning, which Olmo 3 does not support
        olmo3, all of them: message 1 (assistant) holds reasoning, which Olmo 3 does not support
        phi4_mini, reasoning: message 1 (assistant) holds reasoning, which Phi-4 mini does not support
        phi4_mini, all of them: message 1 (assistant) holds reasoning, which Phi-4 mini does not support
        qwen2_5, reasoning: message 1 (assistant) holds reasoning, which Qwen 2.5 does not support
        qwen2_5, all of them: message 1 (assistant) holds reasoning, which Qwen 2.5 does not support
        qwen3_coder, reasoning: message 1 (assistant) holds reasoning, which Qwen 3 Coder does not support
        qwen3_coder, all of them: message 1 (assistant) holds reasoning, which Qwen 3 Coder does not support
        qwen3_instruct, reasoning: message 1 (assistant) holds reasoning, which Qwen 3 Instruct does not support
        qwen3_instruct, all of them: message 1 (assistant) holds reasoning, which Qwen 3 Instruct does not support
        qwen3_vl, reasoning: message 1 (assistant) holds reasoning, which Qwen 3 VL does not support
        qwen3_vl, all of them: message 1 (assistant) holds reasoning, which Qwen 3 VL does not support
        smollm3, reasoning: message 1 (assistant) holds reasoning, which SmolLM 3 does not support
        smollm3, all of them: message 1 (assistant) holds reasoning, which SmolLM 3 does not support
    "#]].assert_eq(&refused);
}

/// Calls as models write them with mistakes, for every family that offers tools: the call is read, or it is an error. Neither it nor
/// a delimiter is text, unless the call is an example.
#[test]
fn changed_calls_are_read_or_are_errors() {
    let (mut seen, mut wrong) = (String::new(), Vec::new());
    let offered = tools();
    for native in format::MODEL_FORMATS.iter().copied() {
        let family = native.family();
        if !family.tools {
            continue;
        }
        let syntaxes = family.turns.answer_calls;
        let tokens = |part: fn(&CallSyntax) -> [&'static str; 2]| {
            let tokens = syntaxes.iter().flat_map(part);
            tokens.filter(|token| !token.is_empty())
        };
        let opens = || tokens(|syntax| [syntax.section_open, syntax.open]);
        let closes = || tokens(|syntax| [syntax.section_close, syntax.close]);
        // A message with headers begins with the header.
        let is_message = syntaxes[0].body == CallBody::Channel;
        let begin = |text: &str| match is_message {
            true => 0,
            false => opens()
                .filter_map(|open| text.find(open))
                .min()
                .unwrap_or(0),
        };
        let city = &[("get_weather", r#"{"city": "Brest"}"#)];
        let (prompt, answer) = written(native, "", "", city).unwrap();
        // Delimiters around an empty text.
        let texts = family.turns.answer_text.iter();
        let answer = texts.fold(answer, |answer, (open, close)| {
            answer.replace(&format!("{open}{close}"), "")
        });
        let (_, now) = written(native, "", "", &[("now", "{}")]).unwrap();
        let (head, call) = answer.split_at(begin(&answer));
        let now = &now[begin(&now)..];
        let ends = [family.eos, family.turns.assistant.close.trim()];
        let mut ends = ends.into_iter().chain(family.turns.closes.iter().copied());
        let end = ends.find_map(|end| {
            call.trim_end()
                .strip_suffix(end)
                .filter(|_| !end.is_empty())
        });
        let plain = end.unwrap_or(call).trim_end();
        let around = |line: &str| {
            let all: BTreeSet<_> = opens().chain(closes()).collect();
            let all = all.into_iter();
            all.fold(call.to_owned(), |text, token| {
                text.replace(token, &format!("{line}{token}{line}"))
            })
        };
        let mut changes = vec![
            ("without an end", plain.to_owned(), 1, ""),
            ("text before", format!("I look. {call}"), 1, "I look."),
            ("text after", format!("{plain}\nI wait."), 1, "I wait."),
            (
                "text after the turn",
                format!("{call}\nI wait."),
                1,
                "I wait.",
            ),
            (
                "text between",
                format!("{plain}\nAnd the time:\n{now}"),
                2,
                "And the time:",
            ),
            ("space", around(" "), 1, ""),
            ("lines", around("\n"), 1, ""),
            ("CRLF", call.replace('\n', "\r\n"), 1, ""),
            ("lines of CRLF", around("\r\n"), 1, ""),
            ("a fence", format!("```\n{plain}\n```"), 1, ""),
            (
                "an open fence",
                format!("Here:\n```\n{plain}"),
                1,
                "Here:\n```",
            ),
            ("an example", format!("So:\n```\n{plain}\n```\nNo?"), 0, ""),
        ];
        for close in closes() {
            if let Some(at) = call.rfind(close) {
                let (before, after) = call.split_at(at + close.len());
                changes.push(("a doubled end", format!("{before}{close}{after}"), 1, ""));
                changes.push(("a doubled line", format!("{before}\n{close}{after}"), 1, ""));
            }
        }
        // Arguments as JSON.
        for (name, arguments) in [
            ("a list", r#"["Brest"]"#),
            ("a string", r#""Brest""#),
            ("a number", "5"),
            ("Python's None", r#"{"city": "Brest", "days": None}"#),
            ("Python's quotes", "{'city': 'Brest'}"),
            ("a comma at the end", r#"{"city": "Brest",}"#),
            ("a key twice", r#"{"city": "Brest", "city": "Ulm"}"#),
        ] {
            if call.contains(city[0].1) {
                changes.push((name, call.replace(city[0].1, arguments), usize::MAX, ""));
            }
        }
        let calls = [
            ("get_weather", json!({"city": "Brest"})),
            ("now", json!({})),
        ];
        for (change, text, count, said) in changes {
            let text = format!("{head}{text}");
            let (mut chunks, mut rest) = (Vec::new(), &*text);
            while let Some((at, _)) = rest.char_indices().nth(7) {
                let (chunk, after) = rest.split_at(at);
                chunks.push(chunk);
                rest = after;
            }
            chunks.push(rest);
            for chunks in [&[&*text][..], &chunks] {
                let parser = AnswerParser::new(native);
                let parser = parser.tools(&offered).prompt(&prompt, false);
                let (reply, result) = read(parser, chunks);
                let is_same = count <= 2
                    && named(&reply) == calls[..count]
                    && (count == 0 || reply.text.trim() == said);
                match result {
                    Err(error) if calls.starts_with(&named(&reply)) => {
                        let message = error.to_string();
                        let reason = message.split_once(": ").map_or("", |(_, reason)| reason);
                        let line = format!("{}, {change}: {reason}\n", family.name);
                        seen += if count > 2 || seen.ends_with(&line) {
                            ""
                        } else {
                            &line
                        };
                    }
                    Ok(()) if is_same => {}
                    // Such a call is a name and an object, at the beginning of a line.
                    Ok(()) if plain.starts_with("get_weather\n") => {
                        let line = format!("{}, {change}: {:?}\n", family.name, reply.text);
                        seen += if seen.ends_with(&line) { "" } else { &line };
                    }
                    result => wrong.push(format!(
                        "{}, {change}: {result:?} {reply:?}\n{text}",
                        family.name
                    )),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n\n"));
    expect_test::expect![[r#"
        glm4, text before: "I look. get_weather\n{\"city\": \"Brest\"}"
        glm4, a fence: "```\n```"
        glm4, a list: "get_weather\n[\"Brest\"]"
        glm4, a string: "get_weather\n\"Brest\""
        glm4, a number: "get_weather\n5"
        gpt_oss, text after: expected `<|call|>`; call the model again
        gpt_oss, text between: expected `<|call|>`; call the model again
        gpt_oss, a fence: expected `<|call|>`; call the model again
        gpt_oss, an example: expected `<|call|>`; call the model again
        muse_glimmer, text after: expected `<|eom|>`; call the model again
        muse_glimmer, text between: expected `<|eom|>`; call the model again
        muse_glimmer, a fence: expected `<|eom|>`; call the model again
        muse_glimmer, an example: expected `<|eom|>`; call the model again
    "#]]
    .assert_eq(&seen);
}

/// Arguments that GLM writes as text: what the tool's schema reads as another value is left out or refused.
#[test]
fn arguments_between_tags_are_written_by_the_schema() {
    let schema = json!({
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "country": {"type": ["string", "null"]},
            "days": {"type": "integer"},
            "unit": {"type": "string"},
        },
        "required": ["unit"],
    });
    let tool = Tool::new("tide").with_parameters(prompt_core::Json::from(schema));
    let write = |arguments: &str| {
        let call = ToolCall::new("1", "tide", arguments);
        let messages = Messages::from([Message::user("?"), Message::calls([call])]);
        messages
            .with_tool(tool.clone())
            .to_text(format::GLM4_5.generation_prompt(false))
    };
    for (arguments, expected) in [
        (
            r#"{"city": "null", "days": 2}"#,
            Ok(r#"{"city": "null", "days": 2}"#),
        ),
        (r#"{"city": null}"#, Ok("{}")),
        (r#"{"country": null}"#, Ok(r#"{"country": null}"#)),
        (r#"{"country": "null"}"#, Err("`country` of `tide`")),
        (r#"{"unit": null}"#, Err("`unit` of `tide`")),
        (r#"{"city": true}"#, Err("`city` of `tide`")),
        (r#"{"days": "2"}"#, Err("`days` of `tide`")),
        (r#"{"other": "75001"}"#, Err("`other` of `tide`")),
        (r#"{"other": 75001}"#, Ok(r#"{"other": 75001}"#)),
    ] {
        match (write(arguments), expected) {
            (Ok(text), Ok(expected)) => {
                let answer = &text[text.rfind("<think>").unwrap()..];
                let parser = AnswerParser::new(&format::GLM4_5).tools(std::slice::from_ref(&tool));
                let reply = parser.parse(answer).unwrap();
                let json = |text: &str| serde_json::from_str::<Value>(text).unwrap();
                let got = json(&reply.tool_calls[0].arguments);
                assert_eq!(got, json(expected), "{arguments}");
            }
            (Err(error), Err(expected)) => {
                assert!(error.message().contains(expected), "{error}");
            }
            (got, _) => panic!("{arguments}: {got:?}"),
        }
    }
}

/// The schema as `derive(Tools)` writes it: a struct is a reference to a definition.
#[test]
fn arguments_are_read_by_the_definitions_of_the_schema() {
    let schema = json!({
        "type": "object",
        "properties": {
            "address": {"$ref": "#/$defs/Address"},
            "other": {"anyOf": [{"$ref": "#/$defs/Address"}, {"type": "null"}]},
            "by_name": {"type": "object", "additionalProperties": {"$ref": "#/$defs/Zip"}},
            "zip": {"allOf": [{"$ref": "#/$defs/Zip"}]},
            "loop": {"$ref": "#/$defs/Loop"},
        },
        "$defs": {
            "Address": {
                "type": "object",
                "properties": {
                    "zip": {"$ref": "#/$defs/Zip"},
                    "tags": {"type": "array", "items": {"type": "string"}},
                    "next": {"anyOf": [{"$ref": "#/$defs/Address"}, {"type": "null"}]},
                },
            },
            "Zip": {"type": "string"},
            "Loop": {"anyOf": [{"$ref": "#/$defs/Loop"}, {"$ref": "#/$defs/Loop"}]},
        },
    });
    let tool = Tool::new("order").with_parameters(prompt_core::Json::from(schema));
    for (family, arguments) in [
        ("minimax_m3", r#"{"address": {"zip": "75001", "tags": []}}"#),
        (
            "minimax_m3",
            r#"{"other": {"zip": "1", "tags": ["2"], "next": {"zip": "3"}}}"#,
        ),
        ("minimax_m3", r#"{"by_name": {"a": "1", "b": "null"}}"#),
        ("minimax_m3", r#"{"zip": "75001", "loop": 1}"#),
        ("glm4_5", r#"{"zip": "75001", "loop": 1}"#),
        (
            "glm4_5",
            r#"{"zip": "null", "address": {"zip": "75001", "tags": []}}"#,
        ),
        ("qwen3_5", r#"{"zip": "75001"}"#),
    ] {
        assert_eq!(written_and_read(family, &tool, arguments), arguments);
    }
}

/// Kimi K3 writes the key of an argument as an attribute, with escapes.
#[test]
fn escapes_in_keys_are_read() {
    let schema = json!({"type": "object", "properties": {"R&D": {"type": "string"}}});
    let tool = Tool::new("order").with_parameters(prompt_core::Json::from(schema));
    for (family, arguments) in [
        ("kimi_k3", r#"{"R&D": "75001"}"#),
        ("kimi_k3", r#"{"a&quot;b": "x"}"#),
        ("glm4_5", r#"{"R&amp;D": "x"}"#),
    ] {
        assert_eq!(written_and_read(family, &tool, arguments), arguments);
    }
}

/// The arguments of a call that this family writes, as they are read back.
fn written_and_read(family: &str, tool: &Tool, arguments: &str) -> String {
    let native = format::model_format(family).unwrap();
    let call = ToolCall::new("1", tool.name(), arguments);
    let messages = Messages::from([Message::user("?"), Message::calls([call])]);
    let messages = messages.with_tool(tool.clone());
    let text = messages.to_text(native.generation_prompt(false)).unwrap();
    let delimiters = native.family().turns.calls;
    let open = match delimiters.section_open.trim() {
        "" => delimiters.open.trim(),
        open => open,
    };
    let answer = &text[text.rfind(open).unwrap()..];
    let parser = AnswerParser::new(&native).prompt("", false);
    let reply = parser.tools(std::slice::from_ref(tool)).parse(answer);
    let mut calls = reply.unwrap().tool_calls;
    let json = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    let got = json(&calls.remove(0).arguments);
    match got == json(arguments) {
        true => arguments.to_owned(),
        false => got.to_string(),
    }
}

/// A call, its result and the next request, for every family that offers tools.
#[test]
fn the_second_round_of_a_tool_loop_is_written() {
    let call = |id: Option<&str>| {
        let mut call = ToolCall::new("", "get_weather", r#"{"city": "Brest", "days": 2}"#);
        call.id = id.map(str::to_owned);
        call
    };
    let now = ToolCall::new("call00002", "now", "{}");
    let first = call(Some("call00001"));
    let rounds = [
        ("a call", Message::calls([first.clone()])),
        ("a call without an id", Message::calls([call(None)])),
        (
            "text and a call",
            Message::assistant("I look.").with_tool_calls([first.clone()]),
        ),
        (
            "reasoning and a call",
            Message::calls([first.clone()]).with_reasoning("Easy."),
        ),
        ("two calls", Message::calls([first, now])),
    ];
    let mut refused = String::new();
    for native in format::MODEL_FORMATS {
        let family = native.family();
        if !family.tools {
            continue;
        }
        for (name, answer) in &rounds {
            let mut messages = Messages::from([Message::user("?"), answer.clone()]);
            for tool in tools() {
                messages = messages.with_tool(tool);
            }
            for call in &answer.tool_calls {
                let id = call.id.as_ref().unwrap_or(&call.name);
                messages.push(Message::tool(&**id, "Rain.").with_name(&*call.name));
            }
            match messages.to_text(*(*native)) {
                Ok(text) => {
                    let is_whole = ["get_weather", "Brest", "Rain."]
                        .iter()
                        .all(|word| text.contains(word));
                    assert!(is_whole, "{}, {name}: {text}", family.name);
                    let turns = native.parse(&text).unwrap();
                    let results = turns.iter().filter(|turn| turn.text.contains("Rain."));
                    assert!(results.count() > 0, "{}, {name}: {turns:#?}", family.name);
                }
                Err(error) => {
                    refused += &format!("{}, {name}: {}\n", family.name, error.message());
                }
            }
        }
    }
    expect_test::expect![[r#"
        command_r7b, text and a call: message 1 (assistant) holds text beside a tool call, which Command R7B does not support
        glm4, reasoning and a call: message 1 (assistant) holds reasoning, which GLM-4 does not support
        granite3_1, reasoning and a call: message 1 (assistant) holds reasoning, which Granite 3.1 does not support
        granite4, reasoning and a call: message 1 (assistant) holds reasoning, which Granite 4 does not support
        granite4_1, reasoning and a call: message 1 (assistant) holds reasoning, which Granite 4.1 does not support
        jamba1_7, reasoning and a call: message 1 (assistant) holds reasoning, which Jamba 1.7 does not support
        kimi_k2, reasoning and a call: message 1 (assistant) holds reasoning, which Kimi K2 does not support
        kimi_k2_0905, reasoning and a call: message 1 (assistant) holds reasoning, which Kimi K2 0905 does not support
        lfm2, reasoning and a call: message 1 (assistant) holds reasoning, which LFM2 does not support
        llama3_1, text and a call: message 1 (assistant) holds text beside a tool call, which Llama 3.1 does not support
        llama3_1, reasoning and a call: message 1 (assistant) holds reasoning, which Llama 3.1 does not support
        llama3_1, two calls: message 1 (assistant) holds a list of tool calls that is not exactly one, which Llama 3.1 does not support
        llama3_2, text and a call: message 1 (assistant) holds text beside a tool call, which Llama 3.2 does not support
        llama3_2, reasoning and a call: message 1 (assistant) holds reasoning, which Llama 3.2 does not support
        llama3_2, two calls: message 1 (assistant) holds a list of tool calls that is not exactly one, which Llama 3.2 does not support
        llama4, reasoning and a call: message 1 (assistant) holds reasoning, which Llama 4 does not support
        mistral_v11, a call without an id: message 1 (assistant) calls a tool without an id of nine characters, which Mistral v11 does not support
        mistral_v11, reasoning and a call: message 1 (assistant) holds reasoning, which Mistral v11 does not support
        mistral_v3, a call without an id: message 1 (assistant) calls a tool without an id of nine characters, which Mistral v3 does not support
        mistral_v3, text and a call: message 1 (assistant) holds text beside a tool call, which Mistral v3 does not support
        mistral_v3, reasoning and a call: message 1 (assistant) holds reasoning, which Mistral v3 does not support
        mistral_v3_tekken, a call without an id: message 1 (assistant) calls a tool without an id of nine characters, which Mistral v3 Tekken does not support
        mistral_v3_tekken, text and a call: message 1 (assistant) holds text beside a tool call, which Mistral v3 Tekken does not support
        mistral_v3_tekken, reasoning and a call: message 1 (assistant) holds reasoning, which Mistral v3 Tekken does not support
        muse_glimmer, text and a call: message 1 (assistant) holds text beside a tool call, which Muse Glimmer does not support
        olmo3, reasoning and a call: message 1 (assistant) holds reasoning, which Olmo 3 does not support
        phi4_mini, reasoning and a call: message 1 (assistant) holds reasoning, which Phi-4 mini does not support
        qwen2_5, reasoning and a call: message 1 (assistant) holds reasoning, which Qwen 2.5 does not support
        qwen3_coder, reasoning and a call: message 1 (assistant) holds reasoning, which Qwen 3 Coder does not support
        qwen3_instruct, reasoning and a call: message 1 (assistant) holds reasoning, which Qwen 3 Instruct does not support
        qwen3_vl, reasoning and a call: message 1 (assistant) holds reasoning, which Qwen 3 VL does not support
        smollm3, reasoning and a call: message 1 (assistant) holds reasoning, which SmolLM 3 does not support
    "#]].assert_eq(&refused);
}

/// Parallel calls in formats with one call per message: each is followed by its result, whatever the order of the results is.
#[test]
fn parallel_calls_of_one_call_formats() {
    let call = |id: Option<&str>, city: &str| {
        let mut call = ToolCall::new("", "tide", format!(r#"{{"city": "{city}"}}"#));
        call.id = id.map(str::to_owned);
        call
    };
    let chat = |ids: [Option<&str>; 2], results: &[&str]| {
        let calls = [call(ids[0], "Brest"), call(ids[1], "Oslo")];
        let mut chat = Messages::from([
            Message::user("?"),
            Message::assistant("I look.").with_tool_calls(calls),
        ]);
        for (id, text) in results.iter().zip(["6:12", "7:40"]) {
            chat.push(Message::tool(*id, text));
        }
        chat
    };
    let ids = [Some("a"), Some("b")];
    let llama = |chat: Messages| {
        let text = chat.to_text(format::LLAMA3_2.separate_calls())?;
        let turns = format::LLAMA3_2.parse(&text).unwrap();
        let turns = turns.iter().map(|turn| turn.text);
        Ok::<_, prompt_core::Error>(turns.skip(2).collect::<Vec<_>>().join(" | "))
    };
    let [brest, oslo] = ["Brest", "Oslo"]
        .map(|city| format!(r#"{{"name": "tide", "parameters": {{"city": "{city}"}}}}"#));
    for (ids, results, expected) in [
        (
            ids,
            &["a", "b"][..],
            format!("I look. | {brest} | \"6:12\" | {oslo} | \"7:40\""),
        ),
        (
            ids,
            &["b", "a"],
            format!("I look. | {brest} | \"7:40\" | {oslo} | \"6:12\""),
        ),
        (
            ids,
            &["b"],
            format!("I look. | {brest} | {oslo} | \"6:12\""),
        ),
        (
            [None, None],
            &["tide", "tide"],
            format!("I look. | {brest} | \"6:12\" | {oslo} | \"7:40\""),
        ),
    ] {
        assert_eq!(llama(chat(ids, results)).unwrap(), expected, "{results:?}");
    }
    for results in [&["c"][..], &["a", "a"]] {
        let error = llama(chat(ids, results)).unwrap_err();
        assert!(
            error
                .message()
                .contains("is not the result of one of the calls"),
            "{error}"
        );
    }

    let text = chat(ids, &["b", "a"]).to_text(format::GPT_OSS).unwrap();
    let turns = &text[text.find("I look.").unwrap()..];
    assert_eq!(
        turns,
        "I look.<|end|>\
         <|start|>assistant to=functions.tide<|channel|>commentary json<|message|>{\"city\": \"Brest\"}<|call|>\
         <|start|>assistant to=functions.tide<|channel|>commentary json<|message|>{\"city\": \"Oslo\"}<|call|>\
         <|start|>functions.tide to=assistant<|channel|>commentary<|message|>\"6:12\"<|end|>\
         <|start|>functions.tide to=assistant<|channel|>commentary<|message|>\"7:40\"<|end|>\
         <|start|>assistant"
    );
    let error = chat(ids, &["c"]).to_text(format::GPT_OSS).unwrap_err();
    assert!(error.message().contains("without the id of any"), "{error}");
}

/// A table with only a syntax of calls and the delimiters of reasoning.
const fn table(
    answer_calls: &'static [CallSyntax],
    also_reasoning: &'static [(&'static str, &'static str)],
) -> Family {
    Family {
        name: "other",
        title: "Another model",
        turns: Turns {
            answer_calls,
            also_reasoning,
            ..Turns::NONE
        },
        ..Family::BARE
    }
}

/// A syntax in a section of its own; without one, both delimiters are empty.
const fn syntax(
    [section_open, section_close]: [&'static str; 2],
    [open, close]: [&'static str; 2],
    body: CallBody,
) -> CallSyntax {
    CallSyntax {
        section_open,
        section_close,
        ..CallSyntax::new(open, close, body)
    }
}

/// The error of a call that is cut off states that complete calls precede it, which a stream returns.
#[test]
fn a_call_before_one_that_is_cut_off_is_not_lost() {
    let text = "<tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>\n<tool_call>\n{\"name\": \"get_wea";
    let error = parser("qwen3").parse(text).unwrap_err().to_string();
    assert!(
        error.ends_with("`push` and `next_part` return the 1 complete call before it"),
        "{error}"
    );
    let (reply, result) = read(parser("qwen3"), &[text]);
    assert!(result.is_err());
    assert_eq!(reply.tool_calls.len(), 1);
}

/// Models whose chat formats are not built in: a program defines the table of their calls.
#[test]
fn calls_of_other_models_are_read_by_a_table_of_the_program() {
    const THINK: &[(&str, &str)] = &[("<think>", "</think>")];
    static JAMBA: Family = table(
        &[syntax(
            ["", ""],
            ["<tool_calls>", "</tool_calls>"],
            CallBody::Json,
        )],
        THINK,
    );
    static NEMOTRON: Family = table(
        &[syntax(
            ["", ""],
            ["<TOOLCALL>", "</TOOLCALL>"],
            CallBody::Json,
        )],
        THINK,
    );
    static OLMO3: Family = table(
        &[syntax(
            ["", ""],
            ["<function_calls>", "</function_calls>"],
            CallBody::Python,
        )],
        THINK,
    );
    static SEED_OSS: Family = table(
        &[syntax(
            ["", ""],
            ["<seed:tool_call>", "</seed:tool_call>"],
            CallBody::Tags {
                name: ("<function=", ">"),
                key: ("<parameter=", ">"),
                value: ("", "</parameter>"),
                end: "</function>",
            },
        )],
        &[("<seed:think>", "</seed:think>")],
    );
    static MINIMAX_M2: Family = table(
        &[syntax(
            ["<minimax:tool_call>", "</minimax:tool_call>"],
            ["<invoke ", "</invoke>"],
            CallBody::Tags {
                name: ("name=\"", "\">"),
                key: ("<parameter name=\"", "\">"),
                value: ("", "</parameter>"),
                end: "",
            },
        )],
        THINK,
    );
    static STEP3: Family = table(
        &[syntax(
            ["<｜tool_calls_begin｜>", "<｜tool_calls_end｜>"],
            ["<｜tool_call_begin｜>", "<｜tool_call_end｜>"],
            CallBody::Tags {
                name: ("function<｜tool_sep｜><steptml:invoke name=\"", "\">"),
                key: ("<steptml:parameter name=\"", "\">"),
                value: ("", "</steptml:parameter>"),
                end: "</steptml:invoke>",
            },
        )],
        THINK,
    );
    let json = r#"{"name": "get_weather", "arguments": {"city": "a {b} ]", "days": 2}}"#;
    let now = r#"{"name": "now", "arguments": {}}"#;
    let tags = |open: &str, middle: &str, close: &str, end: &str| {
        let argument = |key: &str, value: &str| format!("{open}{key}{middle}{value}{close}\n");
        format!(
            "\n{}{}{end}",
            argument("city", "a {b} ]"),
            argument("days", "2")
        )
    };
    let qwen = tags("<parameter=", ">", "</parameter>", "</function>");
    let minimax = tags("<parameter name=\"", "\">", "</parameter>", "</invoke>");
    let step = tags(
        "<steptml:parameter name=\"",
        "\">",
        "</steptml:parameter>",
        "</steptml:invoke>",
    );
    let begin = "<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"";
    for (family, text) in [
        (&JAMBA, format!("<tool_calls>[{json}, {now}]</tool_calls>")),
        (
            &JAMBA,
            format!("<tool_calls>[\n  {json},\n  {now}\n]</tool_calls>"),
        ),
        // MiniMax M1.
        (
            &JAMBA,
            format!("<tool_calls>\n{json}\n{now}\n</tool_calls>"),
        ),
        (&NEMOTRON, format!("<TOOLCALL>[{json}, {now}]</TOOLCALL>")),
        (
            &OLMO3,
            "<function_calls>\nget_weather(city='a {b} ]', days=2)\nnow()\n</function_calls>"
                .to_owned(),
        ),
        (
            &SEED_OSS,
            format!(
                "<seed:tool_call>\n<function=get_weather>{qwen}\n</seed:tool_call><seed:tool_call><function=now></function></seed:tool_call>"
            ),
        ),
        (
            &MINIMAX_M2,
            format!(
                "<minimax:tool_call>\n<invoke name=\"get_weather\">{minimax}\n<invoke name=\"now\">\n</invoke>\n</minimax:tool_call>"
            ),
        ),
        (
            &STEP3,
            format!(
                "<｜tool_calls_begin｜>\n{begin}get_weather\">{step}<｜tool_call_end｜>\n{begin}now\"></steptml:invoke><｜tool_call_end｜>\n<｜tool_calls_end｜>"
            ),
        ),
    ] {
        let [(think, end)] = family.turns.also_reasoning else {
            unreachable!()
        };
        let answer = format!("{think}Easy.{end}I look.\n{text}");
        let chars: Vec<String> = answer.chars().map(String::from).collect();
        let chars: Vec<&str> = chars.iter().map(String::as_str).collect();
        for chunks in [&[&*answer][..], &chars] {
            let parser = AnswerParser::new(&OtherFormat(family)).tools(&tools());
            let (reply, result) = read(parser, chunks);
            result.unwrap_or_else(|error| panic!("{answer}: {error:#}"));
            let calls: Vec<(&str, Value)> = reply
                .tool_calls
                .iter()
                .map(|call| (&*call.name, serde_json::from_str(&call.arguments).unwrap()))
                .collect();
            let expected = [
                ("get_weather", json!({"city": "a {b} ]", "days": 2})),
                ("now", json!({})),
            ];
            assert_eq!(calls, expected, "{answer}");
            assert_eq!(
                (reply.reasoning.as_deref(), &*reply.text),
                (Some("Easy."), "I look."),
                "{answer}"
            );
        }
    }
}

/// ChatML with another table of calls, as a program defines it for `CompletionModel::tool_syntax`.
struct OtherFormat(&'static Family);

impl ChatFormat for OtherFormat {
    fn family(&self) -> &'static Family {
        self.0
    }

    fn write_messages(
        &self,
        messages: &Messages,
        options: &FormatOptions,
        out: &mut AnnotatedText,
    ) -> Result<()> {
        format::CHATML.write_messages(messages, options, out)
    }
}

#[test]
fn without_offered_tools_all_is_text() {
    let text = "<tool_call>\n{\"name\": \"now\"}\n</tool_call>";
    let reply = AnswerParser::new(&format::QWEN3)
        .tools(&[])
        .parse(text)
        .unwrap();
    assert_eq!((&*reply.text, reply.tool_calls.len()), (text, 0));
    let text = r#"{"name": "now", "arguments": {}}"#;
    assert_eq!(format::QWEN3.parse_answer(text).unwrap().text(), text);
    // Llama's own syntax.
    let answer = format::LLAMA3_1.parse_answer(r#"{"name": "now", "parameters": {}}<|eot_id|>"#);
    assert_eq!(answer.unwrap().tool_calls[0].name, "now");
}

#[test]
fn reasoning_without_its_opening_delimiter_is_read_from_complete_answers() {
    for (native, text) in [
        (format::QWEN3, "Easy.\n</think>\n\n4"),
        (format::QWEN3, "\n</think>Easy.\n</think>\n\n4"),
        (format::SMOLLM3, "Easy.\n</think>\n4<|im_end|>"),
        (format::KIMI_K2, "Easy.◁/think▷4"),
        (format::MISTRAL_V7, "Easy.[/THINK]4"),
        (format::GLM4_5, "Easy.</think>\n4"),
        (format::APERTUS, "Easy.<|inner_suffix|>4"),
    ] {
        let answer = native.parse_answer(text).unwrap();
        if text.starts_with('\n') {
            continue;
        }
        assert_eq!(
            answer,
            Message::assistant("4").with_reasoning("Easy."),
            "{text}"
        );
    }
    let answer = format::QWEN3
        .parse_answer(
            "So.</think><tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call><|im_end|>",
        )
        .unwrap();
    assert_eq!(
        (
            answer.reasoning.as_ref().map(prompt_core::Text::as_str),
            answer.tool_calls.len()
        ),
        (Some("So."), 1)
    );
}

/// Texts that are long in one way, for each family: the beginning, what is repeated, and the end.
fn long_texts() -> Vec<(&'static str, [String; 3])> {
    let mut texts = Vec::new();
    let mut seen = Vec::new();
    for native in format::MODEL_FORMATS {
        let family = native.family();
        let key = (family.turns.answer_calls, family.turns.also_reasoning);
        if key.0.is_empty() || seen.contains(&key) {
            continue;
        }
        seen.push(key);
        let mut add = |[open, unit, close]: [&str; 3]| {
            texts.push((
                family.name,
                [open.to_owned(), unit.to_owned(), close.to_owned()],
            ));
        };
        for unit in [
            "{",
            "[",
            " ",
            "a",
            "\n",
            "{\"name\": ",
            "{\"id\": \"",
            "\n[now(",
            "now\n",
            "<|",
            "<|start|>",
            "assistant",
            "analysis",
            "to=",
            ";",
            "```json\n",
            "<think>",
            "</think>",
        ] {
            add(["", unit, ""]);
        }
        for head in [
            "{\"type\": \"",
            "{\"name\": \"now\", \"arguments\": {\"a\": ",
            "[now(a=",
        ] {
            for unit in ["{", "[", "a", "\"", "\\"] {
                add([head, unit, ""]);
            }
        }
        for (open, close) in family.turns.answer_text {
            for text in [
                ["", open, ""],
                [open, close, ""],
                [open, " ", close],
                [open, "a", ""],
            ] {
                add(text);
            }
        }
        for syntax in key.0 {
            for open in [syntax.section_open, syntax.open] {
                let cut = open.chars().next_back().map_or(0, char::len_utf8);
                let open_object = format!("{open}{{\"name\": \"now\", \"arguments\": {{\"a\": [");
                add(["", open, ""]);
                add(["", &open[..open.len() - cut], ""]);
                add(["<think>", open, ""]);
                for unit in ["[", "a", "\"\",", " ", "{\"a\": "] {
                    add([&open_object, unit, ""]);
                }
            }
        }
    }
    let names: BTreeSet<_> = texts.iter().map(|(name, _)| *name).collect();
    let mut last = "";
    each(|family, case, text| {
        let name = names.get(family).copied().filter(|name| *name != last);
        if let (Some(name), Some(_), Some((open, close))) =
            (name, case["calls"].as_array(), text.split_once("Brest"))
        {
            last = name;
            for text in [[open, "x", close], [open, "x{}", ""], ["", text, ""]] {
                texts.push((name, text.map(str::to_owned)));
            }
        }
    });
    texts
}

/// Every `step`th text, divided into chunks of these sizes, in time that grows with its length alone.
fn assert_linear(step: usize, bytes: usize, chunks: &[usize]) {
    for (family, [open, unit, close]) in long_texts().into_iter().step_by(step) {
        for chunk in chunks {
            let name = format!("{family}, {open:?} {unit:?} {close:?} in chunks of {chunk}");
            crate::linear::assert_linear(&name, bytes, |bytes| {
                let count = (bytes / unit.len().max(1)).max(1);
                let text = format!("{open}{}{close}", unit.repeat(count));
                let mut parser = parser(family);
                let mut rest = &*text;
                while !rest.is_empty() {
                    let mut ends = *chunk..rest.len();
                    let end = ends.find(|at| rest.is_char_boundary(*at));
                    let (next, after) = rest.split_at(end.unwrap_or(rest.len()));
                    rest = after;
                    if parser.push(next).is_err() {
                        break;
                    }
                    while parser.next_part().is_some() {}
                }
                drop(parser.finish());
            });
        }
    }
}

#[test]
fn answers_are_parsed_in_linear_time() {
    assert_linear(7 * STEP, 300, &[1]);
}

#[test]
#[ignore = "minutes, in an optimised build"]
fn answers_of_ten_megabytes_are_parsed_in_linear_time() {
    assert_linear(17, 50_000, &[1]);
    assert_linear(61, 500_000, &[7, 4096]);
}

#[test]
fn a_delimiter_that_is_repeated_may_be_a_chunk() {
    let chunks = ["now", "<｜tool▁sep｜>", "<｜tool▁sep｜>", "<tool_call>"];
    for native in format::MODEL_FORMATS {
        let result = |chunks: &[&str]| {
            let parser = AnswerParser::new(*native).tools(&tools());
            let (reply, result) = read(parser, chunks);
            (reply.text, result.map_err(|error| error.to_string()))
        };
        let name = native.family().name;
        assert_eq!(result(&chunks), result(&[&chunks.concat()]), "{name}");
    }
}

proptest! {
    #[test]
    fn any_division_into_chunks_has_the_same_result(
        family in 0..format::MODEL_FORMATS.len(),
        pieces in prop::collection::vec(
            "<tool_call>|</tool_call>|<function=|\\{\"name\": \"now\", \"arguments\": \\{\\}\\}|\\{\"name\": |now|\\[now\\(\\)\\]|\\[TOOL_CALLS\\]|<think>|</think>|\n|[a{}\\[\\]\"ö ]|<\\|channel\\|>|<\\|message\\|>|final|analysis|assistant|<\\|start\\|>| to=|functions\\.|<｜tool▁call▁begin｜>|<｜tool▁sep｜>|:0",
            0..12,
        ),
    ) {
        let native = format::MODEL_FORMATS[family];
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        let parser = || AnswerParser::new(native).tools(&tools());
        let message = |(reply, result): (Reply, Result<()>)| match result {
            Ok(()) => Ok(reply),
            Err(error) => Err(error.to_string()),
        };
        let whole = message(read(parser(), &[&pieces.concat()]));
        prop_assert_eq!(message(read(parser(), &pieces)), whole);
    }
}
