//! LazyLLM's recorded outputs, driven through the writer as generated code would.
//!
//! Cases marked `quirk` are bugs of the original and are left out; cases whose error the compiler reports, or a type
//! makes impossible, are counted apart.

use prompt_compat::lazyllm::{Alpaca, Chat, EMPTY, Keys};
use prompt_core::{
    ChatFormat, History, Message, Messages, Prompt, PromptInfo, Reply, Result, Role, Writer,
};
use serde_json::{Value, json};

/// One golden case as a prompt.
struct Golden<'a> {
    case: &'a Value,
    instruction: Vec<Piece>,
    user: Vec<Piece>,
    rest: Option<Value>,
    values: Value,
}

enum Piece {
    Text(&'static str),
    Slot(&'static str),
}

impl Prompt for Golden<'_> {
    type Output = String;
    const INFO: PromptInfo = PromptInfo::new("Golden");

    fn render(&self, out: &mut Writer) {
        let write = |out: &mut Writer, pieces: &[Piece]| {
            for piece in pieces {
                match piece {
                    Piece::Text(text) => out.text(text),
                    Piece::Slot(name) => out.slot(name, &string(&self.values[*name])),
                }
            }
        };
        if !self.instruction.is_empty() {
            out.role(Role::System);
            write(out, &self.instruction);
        }
        let history = self.case["call"].get("history");
        if let Some(history) = history.filter(|history| !history.is_null()) {
            match History::parse_with_system(&history.to_string()) {
                Ok(history) => out.history(&history),
                Err(error) => out.fail(error),
            }
        }
        match &self.rest {
            Some(Value::Array(_)) | Some(Value::Object(_)) => {
                let rest = self.rest.clone().map(|rest| {
                    if rest.is_array() {
                        rest
                    } else {
                        Value::from(vec![rest])
                    }
                });
                out.history(&rest);
            }
            rest => {
                let rest = rest.as_ref().map(string).unwrap_or_default();
                if !self.user.is_empty() || !rest.is_empty() {
                    out.role(Role::User);
                    write(out, &self.user);
                    out.slot("input", &rest);
                }
            }
        }
        for name in extra_keys(self.case) {
            out.extra(name, &string(&self.values[name]));
        }
        let tools = self.case["call"]
            .get("tools")
            .or_else(|| self.case["construct"].get("tools"));
        out.tools(&tools.filter(|tools| !tools.is_null()));
    }

    fn output_schema() -> Option<Value> {
        None
    }

    fn parse_reply(reply: &Reply) -> Result<String> {
        Ok(reply.text.clone())
    }
}

fn string(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn leak(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

/// LazyLLM's slots: one word in braces.
fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = text;
    let mut kept = String::new();
    while let Some(start) = rest.find('{') {
        kept.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest[1..]
            .find(|char: char| !(char.is_alphanumeric() || char == '_'))
            .map_or(rest.len(), |end| end + 1);
        if end > 1 && rest[end..].starts_with('}') {
            pieces.push(Piece::Text(leak(&std::mem::take(&mut kept))));
            pieces.push(Piece::Slot(leak(&rest[1..end])));
            rest = &rest[end + 1..];
        } else {
            kept.push('{');
            rest = &rest[1..];
        }
    }
    kept.push_str(rest);
    if !kept.is_empty() {
        pieces.push(Piece::Text(leak(&kept)));
    }
    pieces
}

fn extra_keys(case: &Value) -> Vec<&'static str> {
    match &case["construct"]["extra_keys"] {
        Value::String(key) => vec![leak(key)],
        Value::Array(keys) => keys.iter().map(|key| leak(key.as_str().unwrap())).collect(),
        _ => Vec::new(),
    }
}

fn golden(case: &Value) -> Golden<'_> {
    let instruction = &case["construct"]["instruction"];
    let (system, user) = match instruction {
        Value::Object(parts) => {
            let part =
                |key: &str| pieces(parts.get(key).and_then(Value::as_str).unwrap_or_default());
            (part("system"), part("user"))
        }
        text => (pieces(text.as_str().unwrap_or_default()), Vec::new()),
    };
    let mut slots: Vec<&str> = Vec::new();
    for piece in system.iter().chain(&user) {
        if let Piece::Slot(name) = piece {
            slots.push(name);
        }
    }
    slots.extend(extra_keys(case));
    slots.sort_unstable();
    slots.dedup();
    let (values, rest) = match &case["call"]["input"] {
        Value::Object(entries) => {
            let rest = entries
                .iter()
                .find(|entry| !slots.contains(&entry.0.as_str()))
                .map(|entry| entry.1.clone());
            (case["call"]["input"].clone(), rest)
        }
        input if slots.len() == 1 => (
            Value::from_iter([(slots[0].to_owned(), input.clone())]),
            None,
        ),
        input => (Value::Null, Some(input.clone())),
    };
    Golden {
        case,
        instruction: system,
        user,
        rest,
        values,
    }
}

enum Outcome {
    Text(Result<String>),
    Json(Result<Value>),
}

fn run(case: &Value) -> Outcome {
    let prompt = golden(case);
    let call = &case["call"];
    let format = call["format"].as_str().or(call["return_dict"]
        .as_bool()
        .filter(|dict| *dict)
        .map(|_| "openai"));
    let roles = case["construct"]["instruction"].is_object();
    let label = call["label"].as_str().unwrap_or_default();
    let config = if case["model_config"].is_null() {
        Value::from_iter::<[(String, Value); 0]>([])
    } else {
        case["model_config"].clone()
    };
    let json = |messages: Result<Messages>| {
        Outcome::Json(messages.map(|messages| match format {
            Some("anthropic") => serde_json::to_value(messages.anthropic()).unwrap(),
            _ => serde_json::to_value(messages.openai()).unwrap(),
        }))
    };
    let keys = || match case["model"].as_str() {
        // The groups of the goldens are those of the table, so these check the table.
        Some(group) => Keys::from_name(group),
        None => Keys::default().json(&config),
    };
    let keys = match keys() {
        Ok(keys) => keys,
        Err(error) => return Outcome::Text(Err(error)),
    };
    match case["prompter"].as_str().unwrap() {
        "alpaca" => {
            let layout = if roles {
                Alpaca::new().roles()
            } else {
                Alpaca::new()
            }
            .keys(keys);
            match format {
                Some(_) => json(layout.to_messages(&prompt)),
                None => Outcome::Text(prompt.to_text(layout.label(label))),
            }
        }
        "chat" => {
            let mut layout = if roles {
                Chat::new().roles()
            } else {
                Chat::new()
            }
            .keys(keys);
            let construct = &case["construct"];
            if let Some(skills) = construct["skills"].as_str() {
                layout = layout.skills(skills);
            }
            if let Some(history) = construct.get("history") {
                layout = layout.history(History::parse_with_system(&history.to_string()).unwrap());
            }
            layout = layout.enable_system(construct["enable_system"].as_bool().unwrap_or(true));
            match format {
                Some(_) => json(layout.to_messages(&prompt)),
                None => Outcome::Text(prompt.to_text(layout.label(label))),
            }
        }
        _ => Outcome::Text(prompt.to_text(EMPTY)),
    }
}

/// Errors that the compiler reports, or that a type makes impossible.
const BY_THE_COMPILER: &[&str] = &[
    "doc-06-alpaca-extro_keys-literal",
    "str-float-input",
    "str-none-input",
    "dict-two-extra-keys-chat",
    "dict-two-extra-keys-alpaca",
    "dict-missing-key-alpaca",
    "dict-missing-key-chat",
    "extra-missing",
    "extra-as-dict",
    "hist-alpaca-construct",
    "label-nonstring",
    // `EmptyPrompter` returns any object, which is not a prompt; content that it drops is an error here.
    "empty-prompter-dict-input",
    "empty-prompter-all-ignored",
    "empty-prompter-none-dict",
    "empty-prompter-return_dict",
    "empty-prompter-braces-int",
];

#[test]
fn goldens() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/goldens/lazyllm.json");
    let cases: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let (mut passed, mut compiler, mut failed) = (0, 0, 0);
    for case in cases
        .iter()
        .filter(|case| case["quirk"] != Value::Bool(true))
    {
        let id = case["id"].as_str().unwrap();
        if BY_THE_COMPILER.contains(&id) {
            compiler += 1;
            continue;
        }
        let right = match (run(case), case.get("expect")) {
            (Outcome::Text(Ok(text)), Some(expected)) => {
                *expected == *text || {
                    eprintln!("{id}\n   got {text:?}\n  want {expected}");
                    false
                }
            }
            (Outcome::Json(Ok(json)), Some(expected)) => {
                json == *expected || {
                    eprintln!("{id}\n   got {json}\n  want {expected}");
                    false
                }
            }
            (Outcome::Text(Err(error)) | Outcome::Json(Err(error)), None) => {
                eprintln!("{id}: {error}");
                true
            }
            (Outcome::Text(Err(error)) | Outcome::Json(Err(error)), Some(expected)) => {
                eprintln!("{id}\n   got {error:#}\n  want {expected}");
                false
            }
            (_, None) => {
                eprintln!("{id}: no error");
                false
            }
        };
        if right { passed += 1 } else { failed += 1 }
    }
    eprintln!("lazyllm: {passed} passed, {failed} failed, {compiler} by the compiler");
    assert_eq!((failed, passed + compiler), (0, 169));
}

#[test]
fn an_empty_system_section_is_a_message() {
    let ask = Messages::from([Message::user("Hi")]);
    let messages = Chat::new().system("").to_messages(&ask).unwrap();
    assert_eq!(
        serde_json::to_value(messages.openai()).unwrap(),
        json!({"messages": [{"role": "system", "content": ""}, {"role": "user", "content": "Hi"}]})
    );
    assert_eq!(
        serde_json::to_value(messages.anthropic()).unwrap(),
        json!({"messages": [{"role": "user", "content": "Hi"}], "system": ""})
    );
}
