//! MiniMax M3: the model's own instructions before the developer's, and the arguments of calls as elements inside each other.

use serde_json::Value;

use super::chat::{ChatCall, ChatInput, ChatMessage, ContentItem};
use super::minimax::write_tools;
use super::python::display;
use super::tagged::parsed;
use super::writer::{FieldOrigin, FormatWriter, ItemTrim, TextSlice, parsed_arguments};
use crate::format::{AnswerParser, NativeFormat};
use crate::json::Shape;
use crate::{Json, Result, Role, Tool};
use prompt_family::tokens::minimax::MARK;

const IDENTITY: &str = "Your model version is MiniMax-M3, developed by MiniMax. Knowledge cutoff: January 2026. Founded in early 2022, MiniMax is a global AI foundation model company committed to advancing the frontiers of AI towards AGI.";
const THINKING: &str = "\n\n<thinking_instructions>\nYou have a thinking capability that allows you to reason step by step before responding. When thinking is enabled, wrap your reasoning in <mm:think></mm:think> tags before your response. When thinking is disabled, begin your response directly after the </mm:think> prefix. When thinking is adaptive, decide on your own whether to think for the current turn.\nCurrent thinking mode: ";
const ENABLED: &str = "enabled. You MUST think step by step before every response, including after receiving function/tool results.";
const DISABLED: &str = "disabled. Do not output any thinking process.";
const ADAPTIVE: &str = "adaptive. You are encouraged to think for complex decision-making, multi-step reasoning, or when analyzing function/tool results.";
const THINKING_END: &str = "\n</thinking_instructions>";
const CALLS: &str = "</tools>\n\nTo call tools, wrap all invocations in a single ]<]minimax[>[<tool_call>]<]minimax[>[</tool_call> block. Parameter values containing nested objects or arrays are recursively expanded into XML elements. Example:\n\n]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name=\"tool-name-1\">]<]minimax[>[<param-1>value-1]<]minimax[>[</param-1>]<]minimax[>[<param-2>]<]minimax[>[<item>]<]minimax[>[<key-a>val-a]<]minimax[>[</key-a>]<]minimax[>[<key-b>val-b]<]minimax[>[</key-b>]<]minimax[>[</item>]<]minimax[>[</param-2>]<]minimax[>[</invoke>\n]<]minimax[>[<invoke name=\"tool-name-2\">]<]minimax[>[<param-1>value-1]<]minimax[>[</param-1>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>";

pub(crate) fn write_chat(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let turns = &out.family.turns;
    out.write_start(chat);
    let first = write_head(chat, out)?;
    let mut is_called = false;
    for (at, turn) in chat.turns().skip(first) {
        match turn.role() {
            Some(Role::User) => {
                out.structure(turns.user.open);
                write_content(at, &turn, out)?;
                out.structure(turns.user.close);
            }
            Some(Role::Assistant) => {
                is_called = turn.has_calls();
                write_assistant(at, &turn, chat, out)?;
            }
            Some(Role::Tool) if is_called => write_result(at, &turn, chat, out)?,
            Some(Role::Tool) => {
                let what = "is a tool result without a call before it";
                let help = "put it after a message that calls tools";
                return Err(out.unsupported_message(at, &turn, what, help));
            }
            _ if out.is_strict() => return Err(out.unsupported_role(at, &turn)),
            _ => {}
        }
    }
    out.write_end(chat);
    if out.has_generation_prompt() {
        let (open, close) = turns.reasoning.unwrap_or_default();
        out.structure(match out.options.thinking {
            Some(true) => open,
            Some(false) => close,
            None => "",
        });
    }
    Ok(())
}

/// The instructions of the model and of the developer, which are always there. Returns the number of messages in them.
fn write_head(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<usize> {
    let system = &out.family.turns.system;
    let root = chat.turn(0).filter(|turn| turn.is_named("root"));
    let at = usize::from(root.is_some());
    let is_developer =
        |turn: &ChatMessage<'_>| turn.has_role(Role::System) || turn.is_named("developer");
    let developer = chat.turn(at).filter(is_developer);
    out.structure(out.family.turns.also_read[0].1);
    if !write_instructions(0, root.as_ref(), out)? {
        out.structure(IDENTITY);
    }
    out.structure(THINKING);
    out.structure(match out.options.thinking {
        Some(true) => ENABLED,
        Some(false) => DISABLED,
        None => ADAPTIVE,
    });
    out.structure(THINKING_END);
    out.structure(system.delimiters.close);
    out.structure(system.delimiters.open);
    if !write_instructions(at, developer.as_ref(), out)? {
        match (&out.options.identity, system.default.text()) {
            (Some(identity), _) => out.write_data(FieldOrigin::Option, identity),
            (None, default) => out.structure(default.unwrap_or_default()),
        }
    }
    let tools = chat.tools.as_deref().unwrap_or_default();
    if !tools.is_empty() {
        write_tools(tools, out)?;
        out.structure(CALLS);
    }
    out.structure(system.delimiters.close);
    Ok(at + usize::from(developer.is_some()))
}

/// Writes the text of instructions, and returns whether there is any.
fn write_instructions(
    at: usize,
    turn: Option<&ChatMessage<'_>>,
    out: &mut FormatWriter<'_>,
) -> Result<bool> {
    let Some(turn) = turn else { return Ok(false) };
    if turn.items().is_some_and(|items| !items.is_empty()) {
        write_content(at, turn, out)?;
        return Ok(true);
    }
    let text = out.text(at, turn)?;
    let text = TextSlice::from(&text);
    let has_text = out.has_text(at, text);
    if has_text {
        out.finish_content(at, text);
    }
    Ok(has_text)
}

/// Writes a content with placeholders for media.
fn write_content(at: usize, turn: &ChatMessage<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    match turn.items() {
        Some(_) => out.write_items(at, turn, ItemTrim::Nothing),
        None => {
            let text = out.printed_text(at, turn)?;
            out.finish_content(at, TextSlice::from(&text));
            Ok(())
        }
    }
}

fn write_assistant(
    at: usize,
    turn: &ChatMessage<'_>,
    chat: &ChatInput<'_>,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let turns = &out.family.turns;
    let (open, close) = turns.reasoning.unwrap_or_default();
    let whole = out.visible_text(at, turn)?;
    let (reasoning, text) = out.reasoning_in(at, turn, TextSlice::from(&whole));
    let text = match reasoning {
        Some((FieldOrigin::Content(_), _)) => text.strip_lines(),
        _ => text,
    };
    out.open_answer();
    if let Some((origin, reasoning)) = reasoning.filter(|(_, text)| !text.is_empty()) {
        out.structure(open);
        out.slice(origin, reasoning);
        out.structure(close);
    } else {
        out.structure(turns.no_reasoning);
    }
    out.finish_content(at, text);
    let calls = turn.tool_calls().unwrap_or_default();
    if !calls.is_empty() {
        out.structure(turns.calls.section_open);
        for (index, call) in calls.iter().enumerate() {
            write_call((at, turn), (index, call), chat, out)?;
        }
        out.structure(turns.calls.section_close);
    }
    out.close_answer(turns.assistant.close);
    Ok(())
}

fn write_call(
    (at, turn): (usize, &ChatMessage<'_>),
    (index, call): (usize, &ChatCall),
    chat: &ChatInput<'_>,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let calls = &out.family.turns.calls;
    let origin = FieldOrigin::Call(at, index);
    let arguments = parsed_arguments(call);
    if arguments.entries().is_none() {
        let what = "calls a tool with arguments that are not an object";
        return Err(out.unsupported_message(at, turn, what, "give them as an object"));
    }
    check_call((at, turn), call, &arguments, chat, out)?;
    out.structure(calls.open);
    out.write_name(origin, &call.name)?;
    out.structure(calls.middle);
    each_piece(&arguments, &mut |piece| match piece {
        Piece::Tag(tag) => out.structure(tag),
        Piece::Key(text) | Piece::Value(text) => out.write_data(origin, text),
    });
    out.structure(calls.close);
    Ok(())
}

/// A part of the arguments of a call.
#[derive(Clone, Copy)]
enum Piece<'a> {
    /// A part of a tag.
    Tag(&'a str),
    /// The key of an argument, inside a tag.
    Key(&'a str),
    /// The text of a value.
    Value(&'a str),
}

/// Visits the text of a value: an object and a list are elements inside its own. A null of an object is left out.
fn each_piece(value: &Json, visit: &mut dyn FnMut(Piece<'_>)) {
    let mut element = |name: &str, is_key: bool, value: &Json| {
        let name = match is_key {
            true => Piece::Key(name),
            false => Piece::Tag(name),
        };
        visit(Piece::Tag(MARK));
        visit(Piece::Tag("<"));
        visit(name);
        visit(Piece::Tag(">"));
        each_piece(value, visit);
        visit(Piece::Tag(MARK));
        visit(Piece::Tag("</"));
        visit(name);
        visit(Piece::Tag(">"));
    };
    match value.shape() {
        Shape::Object => {
            let entries = value.entries().unwrap_or_default();
            let entries = entries
                .iter()
                .filter(|(_, value)| value.shape() != Shape::Null);
            for (key, value) in entries {
                element(key, true, value);
            }
        }
        Shape::Array => {
            for item in value.items().unwrap_or_default() {
                element("item", false, &item);
            }
        }
        Shape::Null => {}
        Shape::Bool => visit(Piece::Value(value.as_str())),
        Shape::Str => visit(Piece::Value(&value.as_string().unwrap_or_default())),
        _ => visit(Piece::Value(&display(value))),
    }
}

/// Checks that the arguments are read back as these, by the schema of the tool: a text may be a string or another value, and an element
/// without content may be an empty string, list or object.
fn check_call(
    (at, turn): (usize, &ChatMessage<'_>),
    call: &ChatCall,
    arguments: &Json,
    chat: &ChatInput<'_>,
    out: &FormatWriter<'_>,
) -> Result<()> {
    let calls = &out.family.turns.calls;
    let mut text = [calls.open, &call.name, calls.middle].concat();
    // A delimiter in data is handled by the guard, so it is not compared here.
    let (mut are_names, mut has_mark) = (true, false);
    each_piece(arguments, &mut |piece| {
        let (Piece::Tag(part) | Piece::Key(part) | Piece::Value(part)) = piece;
        if let Piece::Key(key) = piece {
            are_names &= !key.is_empty() && !key.contains(['<', '>', '"', '\n']);
        }
        has_mark |= !matches!(piece, Piece::Tag(_)) && part.contains(MARK);
        text.push_str(part);
    });
    text.push_str(calls.close);
    if out.is_strict() && !are_names {
        let what = format!("calls `{}` with an argument that is not a name", call.name);
        let help = "name arguments without `<`, `>`, quotation marks and line breaks";
        return Err(out.unsupported_message(at, turn, &what, help));
    }
    let Some(schema) = out.schema_of(call, chat).filter(|_| !has_mark) else {
        return Ok(());
    };
    let mut expected = parsed(arguments).unwrap_or_default();
    if let Some(entries) = expected.as_object_mut() {
        let is_required = |key: &String| {
            let mut required = schema["required"].as_array().into_iter().flatten();
            required.any(|name| name == key)
        };
        entries.retain(|key, value| !value.is_null() || is_required(key));
    }
    let tool = Tool::new(&*call.name).with_parameters(Json::from(schema.clone()));
    let parser = AnswerParser::new(&NativeFormat::new(out.family)).tools(&[tool]);
    let read = parser.parse(&text).ok();
    let mut read = read.map(|reply| reply.tool_calls).unwrap_or_default();
    let read: Option<Value> = read
        .pop()
        .and_then(|call| serde_json::from_str(&call.arguments).ok());
    if read.as_ref() == Some(&expected) {
        return Ok(());
    }
    let what = format!(
        "calls `{}` with arguments that the tool's schema reads back as others",
        call.name
    );
    let help = "give values of the parameters' types without `null`, and the parameters a type in the schema";
    Err(out.unsupported_message(at, turn, &what, help))
}

fn write_result(
    at: usize,
    turn: &ChatMessage<'_>,
    chat: &ChatInput<'_>,
    out: &mut FormatWriter<'_>,
) -> Result<()> {
    let turns = &out.family.turns;
    let (open, close) = turns.results.unwrap_or_default();
    let tool = turns.tool.unwrap_or(turns.user);
    let (token, line) = tool.open.split_at(tool.open.trim_end().len());
    let (is_first, is_last) = chat.ends_of_results(at);
    out.structure(if is_first { token } else { "" });
    out.structure(line);
    out.structure(open);
    match turn.items() {
        Some(items) if !out.is_strict() => {
            for item in &items {
                match item {
                    ContentItem::Text(text) => {
                        out.slice(FieldOrigin::Content(at), TextSlice::new(text));
                    }
                    ContentItem::Media(kind, true) if out.takes_media(*kind) => {
                        out.write_media(at, *kind);
                    }
                    ContentItem::Media(..) => {}
                    ContentItem::Other(json) => {
                        let shown = json.get("output").unwrap_or_else(|| json.clone());
                        out.write_data(FieldOrigin::Content(at), &display(&shown));
                    }
                }
            }
        }
        _ => write_content(at, turn, out)?,
    }
    out.structure(close);
    out.structure(if is_last { tool.close } else { "" });
    Ok(())
}
