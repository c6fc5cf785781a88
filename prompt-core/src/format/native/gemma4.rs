//! Gemma 4: tools and calls with bare keys, and the results of tools inside the assistant's turn.

use std::collections::HashMap;

use super::chat::{ChatCall, ChatContent, ChatInput, ChatMessage, ContentItem};
use super::python::display;
use super::writer::{FieldOrigin, FormatWriter, TextSlice};
use crate::json::Shape;
use crate::{Json, Result, Role, Text};
use prompt_family::tokens::gemma4::{QUOTE, THINK, TOOL, TOOL_END};

/// Writes a conversation. `opens_again`: the assistant's turn is opened again after results.
pub(crate) fn write_chat(
    chat: &ChatInput<'_>,
    opens_again: bool,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let turns = &out.family.turns;
    let (reasoning_open, _) = turns.reasoning.unwrap_or_default();
    let thinks = out.options.thinking == Some(true);
    out.write_start(chat);
    let first = usize::from(chat.first().is_some_and(|turn| is_instruction(&turn)));
    write_head(chat, thinks, out)?;
    let question = chat
        .turns()
        .filter(|(_, turn)| turn.has_role(Role::User))
        .last();
    let question = question.map(|(at, _)| at);
    // Whether the message before is the assistant's, and whether its results precede this one.
    let (mut is_answered, mut has_results) = (false, false);
    // What the last message that is not a result ends with.
    let mut end = MessageEnd::Text;
    for (at, turn) in chat.turns().skip(first) {
        if turn.has_role(Role::Tool) {
            has_results = true;
            continue;
        }
        let continues = is_answered && !(opens_again && has_results);
        (is_answered, has_results) = (turn.has_role(Role::Assistant), false);
        if is_answered {
            let is_recent = question.is_none_or(|question| at > question);
            end = write_answer(at, &turn, (continues, is_recent), chat, out)?;
        } else {
            end = MessageEnd::Text;
            out.write_turn(at, &turn, false)?;
        }
    }
    match end {
        _ if !out.has_generation_prompt() => {}
        MessageEnd::Text => out.structure(turns.generation_prompt()),
        MessageEnd::Results if thinks => out.structure(reasoning_open),
        MessageEnd::Results | MessageEnd::Calls => {}
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq)]
enum MessageEnd {
    Text,
    Calls,
    Results,
}

fn is_instruction(turn: &ChatMessage<'_>) -> bool {
    turn.has_role(Role::System) || turn.is_named("developer")
}

fn write_head(chat: &ChatInput<'_>, thinks: bool, out: &mut FormatWriter<'_>) -> Result<()> {
    let delimiters = &out.family.turns.system.delimiters;
    let tools = chat.tools.as_deref().unwrap_or_default();
    let system = chat.first().filter(is_instruction);
    if !thinks && tools.is_empty() && system.is_none() {
        return Ok(());
    }
    out.structure(delimiters.open);
    if thinks {
        out.structure(THINK);
        out.structure("\n");
    }
    match system.map(|turn| (turn, turn.items().filter(|_| !out.is_strict()))) {
        Some((_, Some(items))) => {
            for item in items {
                if let ContentItem::Text(text) = item {
                    out.slice(FieldOrigin::Content(0), TextSlice::new(&text).strip());
                    out.structure(" ");
                }
            }
            out.seal_open_message(0);
        }
        Some((turn, None)) => out.finish_content(0, TextSlice::from(&out.text(0, &turn)?).strip()),
        None => {}
    }
    for (index, tool) in tools.iter().enumerate() {
        let origin = FieldOrigin::Tool(index);
        let function = tool.get("function").unwrap_or_else(|| tool.clone());
        out.structure(TOOL);
        Declaration { origin, out }.write_function(&function);
        out.structure(TOOL_END);
    }
    out.structure(delimiters.close);
    Ok(())
}

/// Writes an answer, its calls, and the results that follow it, before its text.
fn write_answer(
    at: usize,
    turn: &ChatMessage<'_>,
    (continues, is_recent): (bool, bool),
    chat: &ChatInput<'_>,
    out: &mut FormatWriter<'_>,
) -> Result<MessageEnd> {
    let turns = &out.family.turns;
    let calls = turn.tool_calls().unwrap_or_default();
    match continues {
        true => out.begin_answer(),
        false => out.open_answer(),
    }
    let keeps = out.keep_reasoning() == Some(true) && !calls.is_empty();
    let reasoning = turn
        .reasoning()
        .filter(|text| !text.as_str().is_empty() && (is_recent || keeps));
    if let (Some(reasoning), Some((open, close))) = (reasoning, turns.reasoning) {
        out.structure(open);
        out.slice(FieldOrigin::Reasoning(at), TextSlice::new(reasoning));
        out.structure(close);
    }
    for (index, call) in calls.iter().enumerate() {
        write_call((at, turn), (index, call), out)?;
    }
    let is_result = |(_, turn): &(usize, ChatMessage<'_>)| turn.has_role(Role::Tool);
    let mut end = match calls.is_empty() {
        true => MessageEnd::Text,
        false => MessageEnd::Calls,
    };
    if !calls.is_empty() {
        let names: HashMap<Option<&str>, &str> = calls
            .iter()
            .map(|call| (call.id.as_deref(), &*call.name))
            .collect();
        for (result_at, result) in after(chat, at).take_while(is_result) {
            out.end_answer();
            write_result(result_at, &result, &names, out)?;
            end = MessageEnd::Results;
        }
    }
    out.begin_answer();
    let has_text = write_text(at, turn, out)?;
    let next = after(chat, at).find(|message| !is_result(message));
    let continues = next.is_some_and(|(_, turn)| turn.has_role(Role::Assistant));
    match end {
        MessageEnd::Calls => {
            out.end_answer();
            out.structure(turns.tool.map_or("", |tool| tool.open));
        }
        _ if continues => {}
        MessageEnd::Results if !has_text && next.is_none() => {}
        _ => out.close_answer(turns.assistant.close),
    }
    out.end_answer();
    Ok(end)
}

/// The messages after this one.
fn after<'c>(chat: &'c ChatInput<'c>, at: usize) -> impl Iterator<Item = (usize, ChatMessage<'c>)> {
    (at + 1..).map_while(|at| Some((at, chat.turn(at)?)))
}

/// Writes the text of an answer without reasoning that is inside of it, and returns whether there is any.
fn write_text(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) -> Result<bool> {
    let start = out.as_str().len();
    match turn.items() {
        Some(items) => out.write_each_item(at, turn, &items, |out, _, text, is_last| {
            write_without_reasoning(at, text, is_last, out);
        })?,
        None => {
            let whole = out.text(at, turn)?;
            write_without_reasoning(at, TextSlice::from(&whole), true, out);
        }
    }
    Ok(out.as_str().len() > start || out.is_open(at))
}

/// Writes one text of an answer: the parts outside of reasoning, without white space at the ends of the whole.
fn write_without_reasoning(
    at: usize,
    text: TextSlice<'_>,
    is_last: bool,
    out: &mut FormatWriter<'_>,
) {
    let (open, close) = out.family.turns.reasoning.unwrap_or_default();
    let (open, close) = (
        open.split_inclusive('>').next().unwrap_or_default(),
        close.trim(),
    );
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(found) = rest.find(close) {
        parts.push(rest.part(0..found).before(open));
        rest = rest.after(close);
    }
    if !parts.is_empty() || rest.contains(open) {
        out.omit_content(at);
    }
    parts.push(rest.before(open));
    let is_blank = |part: &TextSlice<'_>| part.strip_start().is_empty();
    while parts.len() > 1 && parts.last().is_some_and(is_blank) {
        parts.pop();
    }
    let first = parts.iter().position(|part| !is_blank(part));
    let last = parts.len() - 1;
    for (index, part) in parts.into_iter().enumerate() {
        let is_start = first.is_none_or(|first| index <= first);
        let part = if is_start { part.strip_start() } else { part };
        match index == last {
            false => out.slice(FieldOrigin::Content(at), part),
            true if is_last => out.finish_content(at, part.strip_end()),
            true => out.slice(FieldOrigin::Content(at), part.strip_end()),
        }
    }
}

fn write_call(
    (at, turn): (usize, &ChatMessage<'_>),
    (index, call): (usize, &ChatCall),
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let calls = &out.family.turns.calls;
    let origin = FieldOrigin::Call(at, index);
    let arguments = out.arguments(call).into_owned();
    if !matches!(arguments.shape(), Shape::Object | Shape::Null) {
        let what = "calls a tool with arguments that are not an object";
        return Err(out.unsupported_message(at, turn, what, "give them as an object"));
    }
    out.structure(calls.open);
    out.write_name(origin, &call.name)?;
    out.structure(calls.middle);
    Declaration { origin, out }.write_entries(&arguments, false);
    out.structure(calls.close);
    Ok(())
}

fn write_result(
    at: usize,
    turn: &ChatMessage<'_>,
    names: &HashMap<Option<&str>, &str>,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let (open, close) = out
        .family
        .turns
        .tool
        .map_or(("", ""), |tool| (tool.open, tool.close));
    let origin = FieldOrigin::Content(at);
    let called = names.get(&turn.call_id()).copied();
    let name = result_name(turn);
    let name = called.or(name.as_deref()).unwrap_or("unknown");
    out.structure(open);
    out.structure("response:");
    out.write_name(FieldOrigin::CallId(at), name)?;
    out.structure("{");
    let object = match turn.content() {
        ChatContent::Json(json) if !out.is_strict() && json.items().is_none() => Some(json),
        _ => None,
    };
    match object {
        Some(json) if json.shape() == Shape::Object => {
            Declaration { origin, out }.write_entries(json, false);
        }
        Some(json) => {
            out.structure("value:");
            Declaration { origin, out }.write_value(json, false);
        }
        None => {
            out.structure("value:");
            out.structure(QUOTE);
            let text = result_text(at, turn, out)?;
            out.finish_content(at, TextSlice::new(&text));
            out.structure(QUOTE);
        }
    }
    out.structure("}");
    out.structure(close);
    for item in turn.items().unwrap_or_default() {
        if let ContentItem::Media(kind, _) = item
            && out.takes_media(kind)
        {
            out.write_media(at, kind);
        }
    }
    Ok(())
}

/// The name of the tool that a result names.
fn result_name(turn: &ChatMessage<'_>) -> Option<String> {
    match turn {
        ChatMessage::Message(message) => message.name.clone(),
        ChatMessage::Json(_) => turn.extra("name").and_then(Json::as_string),
    }
}

/// The texts of a result. Images follow it.
fn result_text(at: usize, turn: &ChatMessage<'_>, out: &FormatWriter<'_>) -> Result<Text> {
    let Some(items) = turn.items() else {
        return Ok(out.text(at, turn)?.into_owned());
    };
    let mut whole = Text::new();
    for item in items {
        match item {
            ContentItem::Text(text) => whole.push(&text),
            ContentItem::Media(kind, _) if out.takes_media(kind) => {}
            ContentItem::Media(kind, _) if out.is_strict() => {
                return Err(out.media_error(at, turn, kind));
            }
            ContentItem::Other(_) if out.is_strict() => return Err(out.part_error(at, turn)),
            _ => {}
        }
    }
    Ok(whole)
}

/// Writes values with strings between special quotes, and objects sorted by key.
struct Declaration<'a, 'o> {
    origin: FieldOrigin,
    out: &'a mut FormatWriter<'o>,
}

/// The entries of an object as Jinja's `dictsort` sorts them.
fn sorted_entries(json: &Json) -> Vec<(String, Json)> {
    let mut entries = json.entries().unwrap_or_default();
    entries.sort_by_key(|(key, _)| key.to_lowercase());
    entries
}

/// The type of a schema in capitals.
fn type_of(schema: &Json) -> String {
    schema
        .get("type")
        .map(|kind| display(&kind).to_uppercase())
        .unwrap_or_default()
}

impl Declaration<'_, '_> {
    fn structure(&mut self, text: &str) {
        self.out.structure(text);
    }

    fn data(&mut self, text: &str) {
        self.out.write_data(self.origin, text);
    }

    fn write_quoted(&mut self, text: &str) {
        self.structure(QUOTE);
        self.data(text);
        self.structure(QUOTE);
    }

    fn write_entries(&mut self, object: &Json, quotes_keys: bool) {
        for (index, (key, value)) in sorted_entries(object).iter().enumerate() {
            self.structure(if index > 0 { "," } else { "" });
            match quotes_keys {
                true => self.write_quoted(key),
                false => self.data(key),
            }
            self.structure(":");
            self.write_value(value, quotes_keys);
        }
    }

    fn write_value(&mut self, value: &Json, quotes_keys: bool) {
        match value.shape() {
            Shape::Str => self.write_quoted(&value.as_string().unwrap_or_default()),
            Shape::Object => {
                self.structure("{");
                self.write_entries(value, quotes_keys);
                self.structure("}");
            }
            Shape::Array => {
                self.structure("[");
                for (index, item) in value.items().unwrap_or_default().iter().enumerate() {
                    self.structure(if index > 0 { "," } else { "" });
                    self.write_value(item, quotes_keys);
                }
                self.structure("]");
            }
            _ => self.data(value.as_str()),
        }
    }

    /// Strings in a list.
    fn write_names(&mut self, names: &Json) {
        self.structure("required:[");
        for (index, name) in names.items().unwrap_or_default().iter().enumerate() {
            self.structure(if index > 0 { "," } else { "" });
            self.write_quoted(&display(name));
        }
        self.structure("]");
    }

    fn write_function(&mut self, function: &Json) {
        let text =
            |json: &Json, key: &str| json.get(key).map(|text| display(&text)).unwrap_or_default();
        let set = |json: &Json, key: &str| json.get(key).filter(Json::is_truthy);
        self.structure("declaration:");
        self.data(&text(function, "name"));
        self.structure("{description:");
        self.write_quoted(&text(function, "description"));
        if let Some(parameters) = set(function, "parameters") {
            self.structure(",parameters:{");
            if let Some(properties) = set(&parameters, "properties") {
                self.structure("properties:{");
                self.write_properties(&properties, false);
                self.structure("},");
            }
            if let Some(required) = set(&parameters, "required") {
                self.write_names(&required);
                self.structure(",");
            }
            if set(&parameters, "type").is_some() {
                self.structure("type:");
                self.write_quoted(&type_of(&parameters));
                self.structure("}");
            }
        }
        if let Some(response) = function.get("response") {
            self.structure(",response:{");
            if set(&response, "description").is_some() {
                self.structure("description:");
                self.write_quoted(&text(&response, "description"));
                self.structure(",");
            }
            if type_of(&response) == "OBJECT" {
                self.structure("type:");
                self.write_quoted("OBJECT");
                self.structure("}");
            }
        }
        self.structure("}");
    }

    /// The parameters of a tool. `is_schema`: the entries are those of a schema, whose own keys are left out.
    fn write_properties(&mut self, properties: &Json, is_schema: bool) {
        const KEYS: [&str; 5] = ["description", "type", "properties", "required", "nullable"];
        let mut is_first = true;
        for (name, schema) in sorted_entries(properties) {
            if !(is_schema && KEYS.contains(&&*name)) {
                self.structure(if is_first { "" } else { "," });
                is_first = false;
                self.data(&name);
                self.structure(":{");
                self.write_schema(&schema);
                self.structure("}");
            }
        }
    }

    fn write_schema(&mut self, schema: &Json) {
        let set = |key: &str| schema.get(key).filter(Json::is_truthy);
        let kind = type_of(schema);
        let mut comma = "";
        if let Some(description) = set("description") {
            self.structure("description:");
            self.write_quoted(&display(&description));
            comma = ",";
        }
        match &*kind {
            "STRING" => {
                if let Some(values) = set("enum") {
                    self.structure(comma);
                    self.structure("enum:");
                    self.write_value(&values, true);
                    comma = ",";
                }
            }
            "ARRAY" => {
                if let Some(items) = set("items").filter(|items| items.shape() == Shape::Object) {
                    self.structure(comma);
                    self.structure("items:{");
                    self.write_items(&items);
                    self.structure("}");
                    comma = ",";
                }
            }
            _ => {}
        }
        if set("nullable").is_some() {
            self.structure(comma);
            self.structure("nullable:true");
            comma = ",";
        }
        if kind == "OBJECT" {
            self.structure(comma);
            self.structure("properties:{");
            match schema
                .get("properties")
                .filter(|json| json.shape() == Shape::Object)
            {
                Some(properties) => self.write_properties(&properties, false),
                None => self.write_properties(schema, true),
            }
            self.structure("}");
            comma = ",";
            if let Some(required) = set("required") {
                self.structure(comma);
                self.write_names(&required);
            }
        }
        self.structure(comma);
        self.structure("type:");
        self.write_quoted(&kind);
    }

    /// The schema of the items of a list.
    fn write_items(&mut self, items: &Json) {
        let entries = sorted_entries(items);
        let entries = entries
            .iter()
            .filter(|(_, value)| value.shape() != Shape::Null);
        for (index, (key, value)) in entries.enumerate() {
            self.structure(if index > 0 { "," } else { "" });
            match &**key {
                "properties" => {
                    self.structure("properties:{");
                    self.write_properties(value, false);
                    self.structure("}");
                }
                "required" => self.write_names(value),
                "type" => {
                    self.structure("type:");
                    match value.items() {
                        Some(kinds) => {
                            let kinds: Vec<_> = kinds
                                .iter()
                                .map(|kind| display(kind).to_uppercase())
                                .collect();
                            self.write_value(&Json::from(serde_json::Value::from(kinds)), true);
                        }
                        None => self.write_quoted(&display(value).to_uppercase()),
                    }
                }
                _ => {
                    self.data(key);
                    self.structure(":");
                    self.write_value(value, true);
                }
            }
        }
    }
}
