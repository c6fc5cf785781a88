//! Granite 3.1: tools and documents in turns of their own, the date in the default system message. Granite 4: tools and documents in
//! the system message.

use std::borrow::Cow;

use super::chat::{ChatInput, ChatMessage, ContentItem};
use super::python::{display, dumps};
use super::writer::{FieldOrigin, FormatWriter, TextSlice};
use crate::json::Shape;
use crate::{Error, ErrorKind, Json, Result, Role, Text};
use prompt_family::tokens::granite::{DOCUMENT_LIST, DOCUMENTS, TOOLS};
use prompt_family::{Family, OtherRoles};

const HELPFUL: &str = " You are a helpful AI assistant";
const WITH_TOOLS: &str = " with access to the following tools. When a tool is required to answer the user's query, respond with <|tool_call|> followed by a JSON list of tools used. If a tool does not exist in the provided list of tools, notify the user that you do not have the ability to fulfill the request.";
const FROM_DOCUMENTS: &str = "Write the response to the user's input by strictly aligning with the facts in the provided documents. If the information needed to answer the question is not available in the documents, inform the user that the question cannot be answered based on the available data.";
const CITE: &str = "\n\nIn your response, use the symbols <co> and </co> to indicate when a fact comes from a document in the search result, e.g <co>0</co> for a fact from document 0. Afterwards, list all the citations with their corresponding documents in an ordered list.";
const DOUBT: &str = "\n\nFinally, after the response is written, include a numbered list of sentences from the response that are potentially hallucinated and not based in the documents.";

pub(crate) fn write_chat(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let delimiters = &out.family.turns.system.delimiters;
    let system = chat.system();
    let tools = chat.tools.as_deref().unwrap_or_default();
    let documents = &*out.options.documents;
    if out.is_strict() {
        for (index, document) in documents.iter().enumerate() {
            check_document(out.family, index, document)?;
        }
    }
    out.structure(delimiters.open);
    match system {
        Some(turn) => out.finish_content(0, TextSlice::from(&out.text(0, &turn)?)),
        None => write_default_system(!tools.is_empty(), !documents.is_empty(), out),
    }
    out.structure(delimiters.close);
    if !tools.is_empty() {
        out.structure(TOOLS);
        out.write_data(FieldOrigin::Tool(0), &dumps(&Json::list(tools), Some(4)));
        out.structure(delimiters.close);
    }
    if !documents.is_empty() {
        out.structure(DOCUMENTS);
        for (index, document) in documents.iter().enumerate() {
            out.structure(if index > 0 { "\n\n" } else { "" });
            out.structure(&format!("Document {index}\n"));
            let text = document.get("text").map(|text| display(&text));
            out.write_data(FieldOrigin::Document, &text.unwrap_or_default());
        }
        out.structure(delimiters.close);
    }
    let first = usize::from(system.is_some());
    for (at, turn) in chat.turns().skip(first) {
        if out.has_own_calls(&turn) {
            out.turn_with_calls(at, &turn, ", ", FormatWriter::json_arguments)?;
        } else {
            out.write_turn(at, &turn, false)?;
        }
    }
    if out.has_generation_prompt() && chat.len() > first {
        let (open, middle) = header_delimiters(out.family);
        out.structure(open);
        out.structure("assistant");
        let controls = out.options.controls.as_ref();
        if let Some(controls) = controls.filter(|controls| controls.is_truthy()) {
            out.structure(" ");
            out.write_data(FieldOrigin::Option, &dumps(controls, None));
        }
        out.structure(middle);
    }
    Ok(())
}

/// The text before and after the name in a header.
fn header_delimiters(family: &Family) -> (&'static str, &'static str) {
    match family.turns.other {
        OtherRoles::Named { open, middle, .. } => (open, middle),
        _ => ("", ""),
    }
}

/// The chat template writes the `text` of a passage and drops the rest, which would be lost without an error.
fn check_document(family: &Family, index: usize, document: &Json) -> Result<()> {
    let entries = document.entries().unwrap_or_default();
    let error = |message: String, help: &str| {
        Err(Error::new(ErrorKind::Unsupported, message).with_help(help))
    };
    if document
        .get("text")
        .and_then(|text| text.as_string())
        .is_none()
    {
        let message = format!(
            "document {index} has no string `text`, which {} writes",
            family.title
        );
        return error(message, "write the passage as `{\"text\": \"…\"}`");
    }
    match entries.iter().find(|(key, _)| key != "text") {
        Some((key, _)) => error(
            format!(
                "document {index} has the key `{key}`, which {} does not support",
                family.title
            ),
            "move its value into `text`, or use `lenient` to drop it as the chat template does",
        ),
        None => Ok(()),
    }
}

fn write_default_system(tools: bool, documents: bool, out: &mut FormatWriter<'_>) {
    let day = out.options.date_or_today();
    let date = format!("{} {:02}, {}", day.month_name(), day.day, day.year);
    out.structure("Knowledge Cutoff Date: April 2024.\nToday's Date: ");
    out.structure(&date);
    out.structure(".\nYou are Granite, developed by IBM.");
    match (tools, documents) {
        (true, true) => out.structure(&[HELPFUL, WITH_TOOLS, "\n\n", FROM_DOCUMENTS].concat()),
        (true, false) => out.structure(&[HELPFUL, WITH_TOOLS].concat()),
        (false, true) => out.structure(&[" ", FROM_DOCUMENTS].concat()),
        (false, false) => out.structure(&[HELPFUL, "."].concat()),
    }
    for (name, text) in [("citations", CITE), ("hallucinations", DOUBT)] {
        if documents
            && out
                .options
                .controls
                .as_ref()
                .is_some_and(|controls| has_control(controls, name))
        {
            out.structure(text);
        }
    }
}

/// Whether controls, an object or a list, contain this name.
fn has_control(controls: &Json, name: &str) -> bool {
    match controls.shape() {
        Shape::Object => controls.get(name).is_some(),
        Shape::Array => controls
            .items()
            .unwrap_or_default()
            .iter()
            .any(|item| item.as_string().as_deref() == Some(name)),
        _ => controls.as_string().is_some_and(|text| text.contains(name)),
    }
}

/// Granite 4.
pub(crate) fn write_granite4(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let turns = &out.family.turns;
    write_head(chat, out)?;
    for (at, turn) in chat.turns().skip(usize::from(chat.system().is_some())) {
        let text = lines_of(at, &turn, out)?;
        let text = TextSlice::from(&text);
        match turn.role() {
            Some(Role::User | Role::System) => {
                out.open_turn(at, &turn);
                out.finish_content(at, text);
                out.structure(turns.user.close);
            }
            Some(Role::Assistant) => {
                out.open_answer();
                out.finish_content(at, text);
                out.structure(match turn.has_calls() && out.has_text(at, text) {
                    true => "\n",
                    false => "",
                });
                for (index, call) in turn.tool_calls().unwrap_or_default().iter().enumerate() {
                    out.structure(if index > 0 { "\n" } else { "" });
                    // The template writes a string as it is.
                    let arguments = call.arguments.as_string();
                    let arguments = arguments.unwrap_or_else(|| dumps(&call.arguments, None));
                    out.write_call(FieldOrigin::Call(at, index), call, &arguments)?;
                }
                out.close_answer(turns.assistant.close);
            }
            Some(Role::Tool) => {
                let (is_first, is_last) = chat.ends_of_results(at);
                let (open, close) = turns.results.unwrap_or_default();
                out.structure(if is_first { turns.user.open } else { "" });
                out.structure(open);
                out.finish_content(at, text);
                out.structure(close);
                out.structure(if is_last { turns.user.close } else { "" });
            }
            None => {}
        }
    }
    out.write_end(chat);
    Ok(())
}

/// The system message, with the tools and documents in it.
fn write_head(chat: &ChatInput<'_>, out: &mut FormatWriter<'_>) -> Result<()> {
    let settings = &out.family.turns.system;
    let tools = chat.tools.as_deref().unwrap_or_default();
    let documents = &*out.options.documents;
    let text = match chat.system() {
        Some(turn) => Some(lines_of(0, &turn, out)?),
        None => None,
    };
    let text = text.as_ref().map(TextSlice::from);
    let has_text = text.is_some_and(|text| out.has_text(0, text));
    let is_empty = !has_text && tools.is_empty() && documents.is_empty();
    let default = settings.default.text().filter(|_| is_empty);
    if is_empty && default.is_none() {
        return Ok(());
    }
    out.structure(settings.delimiters.open);
    out.structure(default.unwrap_or_default());
    let mut is_first = true;
    if let Some(text) = text.filter(|_| !is_empty) {
        out.finish_content(0, text);
        is_first = false;
    }
    if !tools.is_empty() {
        out.structure(if is_first { "" } else { "\n\n" });
        out.write_tool_list(tools);
        is_first = false;
    }
    if !documents.is_empty() {
        out.structure(if is_first { "" } else { "\n\n" });
        out.structure(DOCUMENT_LIST.open);
        for (index, document) in documents.iter().enumerate() {
            out.structure(if index > 0 { DOCUMENT_LIST.between } else { "" });
            out.write_data(FieldOrigin::Document, &dumps(document, None));
        }
        out.structure(DOCUMENT_LIST.close);
    }
    out.structure(settings.delimiters.close);
    Ok(())
}

/// A content as text. The texts of a list are lines.
fn lines_of<'t>(
    at: usize,
    turn: &ChatMessage<'t>,
    out: &FormatWriter<'_>,
) -> Result<Cow<'t, Text>> {
    let Some(items) = turn.items().filter(|_| !out.is_strict()) else {
        return out.text(at, turn);
    };
    let mut whole = Text::new();
    for item in items {
        if let ContentItem::Text(text) = item {
            if !whole.as_str().is_empty() {
                whole.push(&"\n".to_owned().into());
            }
            whole.push(&text);
        }
    }
    Ok(Cow::Owned(whole))
}
