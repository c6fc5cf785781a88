//! Tool calls whose arguments are written as text between tags, where the tool's schema decides how they are read.

use prompt_family::{CallBody, CallSyntax, TagValues, TaggedArguments};
use serde_json::Value;

use super::chat::{ChatCall, ChatInput, ChatMessage};
use super::python::{display, dumps};
use super::writer::{FieldOrigin, FormatWriter, parsed_arguments};
use crate::format::answer::{SchemaPart, argument_json, without_line_breaks};
use crate::json::Shape;
use crate::{Json, Result};

/// Placeholders in delimiters for the number of a call and the type of a value.
const INDEX: &str = "{index}";
const TYPE: &str = "{type}";

impl FormatWriter<'_> {
    /// Writes all calls of a message, with nothing between them.
    pub(super) fn write_tagged_calls(
        &mut self,
        at: usize,
        turn: &ChatMessage<'_>,
        chat: &ChatInput<'_>,
    ) -> Result<()> {
        let calls = turn.tool_calls().unwrap_or_default();
        let mut calls = calls.iter().enumerate();
        calls.try_for_each(|call| self.write_tagged_call((at, turn), call, chat))
    }

    /// Writes a call whose arguments are between the family's tags.
    pub(super) fn write_tagged_call(
        &mut self,
        (at, turn): (usize, &ChatMessage<'_>),
        (index, call): (usize, &ChatCall),
        chat: &ChatInput<'_>,
    ) -> Result<()> {
        let calls = &self.family.turns.calls;
        let origin = FieldOrigin::Call(at, index);
        self.open_tagged_call(origin, index, call)?;
        // Lenient writing too needs an object, because a string has no entries to write between tags.
        let arguments = parsed_arguments(call);
        let entries = arguments.entries().ok_or_else(|| {
            let what = "calls a tool with arguments that are not an object";
            self.unsupported_message(at, turn, what, "give them as an object")
        })?;
        let schema = self.schema_of(call, chat);
        let mut is_first = true;
        for (key, value) in entries {
            let Some(tags) = &calls.arguments else { break };
            let Some(written) =
                self.tagged_argument((at, turn), call, (&key, &value), tags, schema.as_ref())?
            else {
                continue;
            };
            self.structure(if is_first { "" } else { tags.between });
            is_first = false;
            self.structure(tags.open);
            let other_middle = tags.other_middle.filter(|_| value.shape() != Shape::Str);
            match tags
                .other_middle
                .is_some_and(|middle| middle.contains(TYPE))
            {
                true => {
                    let middle = other_middle.map(|middle| middle.replace(TYPE, type_of(&value)));
                    self.write_data(origin, &attribute(&key));
                    self.structure(middle.as_deref().unwrap_or(tags.middle));
                }
                false => {
                    self.write_data(origin, &key);
                    self.structure(other_middle.unwrap_or(tags.middle));
                }
            }
            self.write_data(origin, &written);
            self.structure(tags.close);
        }
        self.structure(calls.close);
        Ok(())
    }

    /// Writes a call up to its arguments.
    pub(super) fn open_tagged_call(
        &mut self,
        origin: FieldOrigin,
        index: usize,
        call: &ChatCall,
    ) -> Result<()> {
        let calls = &self.family.turns.calls;
        self.structure(calls.open);
        self.write_name(origin, &call.name)?;
        match calls.middle.contains(INDEX) {
            true => self.structure(&calls.middle.replace(INDEX, &(index + 1).to_string())),
            false => self.structure(calls.middle),
        }
        Ok(())
    }

    /// Whether values that the template writes without line breaks around them are read without them.
    fn reads_line_breaks(&self, tags: &TaggedArguments) -> bool {
        let mut syntaxes = self.family.turns.answer_calls.iter();
        let is_bare =
            |syntax: &CallSyntax| matches!(syntax.body, CallBody::Tags { value: ("", _), .. });
        tags.other_middle.is_none() && !tags.middle.ends_with('\n') && syntaxes.any(is_bare)
    }

    /// The schema of the tool that is called, where the arguments are compared with it.
    pub(super) fn schema_of(&self, call: &ChatCall, chat: &ChatInput<'_>) -> Option<Value> {
        let tools = chat.tools.iter().flatten().filter(|_| self.is_strict());
        let mut schemas = tools.filter_map(|tool| {
            let function = tool.get("function")?;
            let is_called = function.get("name")?.as_string()? == call.name.as_str();
            is_called.then(|| function.get("parameters")).flatten()
        });
        parsed(&schemas.next()?)
    }

    /// The text of an argument, if it is read back as this value by the schema of the tool. `None` for the null of an optional
    /// parameter whose type does not allow null: it is left out.
    fn tagged_argument(
        &self,
        (at, turn): (usize, &ChatMessage<'_>),
        call: &ChatCall,
        (key, value): (&str, &Json),
        tags: &TaggedArguments,
        schema: Option<&Value>,
    ) -> Result<Option<String>> {
        let written = tagged_value(value, tags.values);
        if !self.is_strict() {
            return Ok(Some(written));
        }
        if key.is_empty() || key.contains(['<', '>', '"', '\n']) {
            let what = format!("calls `{}` with an argument that is not a name", call.name);
            let help = "name arguments without `<`, `>`, quotation marks and line breaks";
            return Err(self.unsupported_message(at, turn, &what, help));
        }
        // The reader takes line breaks around a value for the tags' own.
        if self.reads_line_breaks(tags) && without_line_breaks(&written) != written {
            let what = format!(
                "gives `{key}` of `{}` a value that begins or ends with a line break",
                call.name
            );
            return Err(self.unsupported_message(at, turn, &what, "leave the line break out"));
        }
        let Some(schema) = schema else {
            return Ok(Some(written));
        };
        let is_string = tags.other_middle.map(|_| value.shape() == Shape::Str);
        let read = argument_json(SchemaPart::new(schema).entry(key), &written, is_string);
        if read.and_then(|read| serde_json::from_str(&read).ok()) == parsed(value) {
            return Ok(Some(written));
        }
        let mut required = schema["required"].as_array().into_iter().flatten();
        if value.as_str() == "null" && !required.any(|name| name == key) {
            return Ok(None);
        }
        let what = format!(
            "gives `{key}` of `{}` a value that the tool's schema reads back as another one (`{}`)",
            call.name,
            value.as_str()
        );
        let help =
            "give a value of the parameter's type, or give the parameter a type in the schema";
        Err(self.unsupported_message(at, turn, &what, help))
    }
}

pub(super) fn parsed(json: &Json) -> Option<Value> {
    serde_json::from_str(json.as_str()).ok()
}

/// The text of a value between tags.
fn tagged_value(value: &Json, values: TagValues) -> String {
    match (value.shape(), values) {
        (Shape::Str, _) => value.as_string().unwrap_or_default(),
        (Shape::Object | Shape::Array, TagValues::PythonScalars) | (_, TagValues::Json) => {
            dumps(value, None)
        }
        (_, TagValues::Python | TagValues::PythonScalars) => display(value),
    }
}

fn type_of(value: &Json) -> &'static str {
    match value.shape() {
        Shape::Object => "object",
        Shape::Array => "array",
        Shape::Str => "string",
        Shape::Number => "number",
        Shape::Bool => "boolean",
        Shape::Null => "null",
    }
}

/// The value of an attribute, with its escapes.
pub(super) fn attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;")
}
