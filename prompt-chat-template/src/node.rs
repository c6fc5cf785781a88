//! The conversation as a template sees it.

use std::fmt;

use prompt_base::json::{MAX_DEPTH, Scanner};
use prompt_core::JsonKind;
use prompt_core::{
    Error, ErrorKind, Json, MediaKind, Message, Messages, Part, Result, Role, Text, Tool, ToolCall,
};

/// The keys of a message's reasoning; of several, the first is the one that counts.
pub(crate) const REASONING: [&str; 3] = ["reasoning_content", "thinking", "reasoning"];

/// The values of a template, with the positions of data in them.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum InputNode {
    Null(RequestPart),
    Bool(bool, RequestPart),
    /// A number of the conversation, as it is written in JSON.
    Number(String, RequestPart),
    /// Text of a template or of this crate.
    Own(String),
    /// Text of the conversation, and the part of the request that contains it.
    Text(Text, RequestPart),
    /// The name of a speaker, a call or a tool.
    Name(Text, RequestPart),
    /// A key, or the type in a schema: templates compare it with their own words.
    Word(Text, RequestPart),
    List(Vec<InputNode>),
    Map(Vec<(InputNode, InputNode)>),
    /// The text that the model continues.
    Open(Box<InputNode>),
}

/// The part of a request that contains a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum RequestPart {
    /// The text of a message.
    Message(usize),
    /// The name, the id and the type of a tool call of a message, by their numbers. A call without arguments is all here.
    CallName(usize, usize),
    /// The arguments of a tool call, likewise.
    Arguments(usize, usize),
    /// The name, the id or the `tool_call_id` in a message, which a template may leave out.
    Header(usize),
    /// The definition of a tool, by its number.
    Tool(usize),
    /// Documents.
    Documents,
    /// Variables.
    Anywhere,
}

impl RequestPart {
    /// The message that contains it.
    pub(crate) fn message(self) -> Option<usize> {
        match self {
            RequestPart::Message(index)
            | RequestPart::CallName(index, _)
            | RequestPart::Arguments(index, _)
            | RequestPart::Header(index) => Some(index),
            RequestPart::Tool(_) | RequestPart::Documents | RequestPart::Anywhere => None,
        }
    }

    pub(crate) fn is_tool(self) -> bool {
        matches!(self, RequestPart::Tool(_))
    }

    /// Whether a template that does not write any of it drops a part of the conversation.
    pub(crate) fn is_required(self) -> bool {
        !matches!(
            self,
            RequestPart::Anywhere | RequestPart::Documents | RequestPart::Header(_)
        )
    }
}

/// A message as errors name it: by its index and its role.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NamedMessage<'c> {
    index: usize,
    role: Option<&'c str>,
}

impl<'c> NamedMessage<'c> {
    pub(crate) fn new(messages: &'c [InputNode], index: usize) -> NamedMessage<'c> {
        let message = messages.get(index);
        NamedMessage {
            index,
            role: message.and_then(|message| message.get("role")?.as_str()),
        }
    }

    pub(crate) fn add_to(self, error: Error) -> Error {
        match self.role.and_then(Role::from_name) {
            Some(role) => error.at_message(self.index, role),
            None => error.at_index(self.index),
        }
    }
}

impl fmt::Display for NamedMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "message {}", self.index)?;
        match self.role {
            Some(role) => write!(f, " ({role})"),
            None => Ok(()),
        }
    }
}

/// A conversation as a template sees it.
#[derive(Clone, Debug)]
pub(crate) struct TemplateConversation {
    pub(crate) messages: Vec<InputNode>,
    pub(crate) tools: Option<InputNode>,
}

/// The deepest nesting of JSON that is passed as a value. Templates put it into lists and maps of their own, so it is less than
/// the limit for printing.
const MAX_JSON_DEPTH: usize = MAX_DEPTH - 27;

/// The kind of an object in a request. It decides which of its keys belong to the protocol; all others are data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    Message,
    /// A part of a message's content.
    Part,
    Call,
    /// The function of a call.
    Function,
    Tool,
    Schema,
    /// Schemas by names.
    Schemas,
    /// A value of the conversation.
    Data,
}

impl Shape {
    /// The shape of the value of a key, or `None` if the key is data.
    fn key_shape(self, key: &str) -> Option<Shape> {
        Some(match (self, key) {
            (Shape::Message, "content") => Shape::Part,
            (Shape::Message, "tool_calls") => Shape::Call,
            (Shape::Message, "function_call") => Shape::Function,
            (Shape::Message, "role" | "name" | "tool_call_id" | "content_type") => Shape::Data,
            (Shape::Message, key) if REASONING.contains(&key) => Shape::Data,
            (Shape::Part, "image_url" | "input_audio" | "video_url" | "audio_url") => Shape::Part,
            (
                Shape::Part,
                "type" | "text" | "image" | "audio" | "video" | "url" | "data" | "format"
                | "detail" | "thinking",
            ) => Shape::Data,
            (Shape::Call | Shape::Function, "name" | "arguments") => Shape::Data,
            (Shape::Call, "function") => Shape::Function,
            (Shape::Call, "id" | "type" | "index") => Shape::Data,
            (Shape::Tool, "function") => Shape::Tool,
            (Shape::Tool, "parameters" | "input_schema" | "return" | "response") => Shape::Schema,
            (Shape::Tool, "type" | "name" | "description" | "strict") => Shape::Data,
            (
                Shape::Schema,
                "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas",
            ) => Shape::Schemas,
            (
                Shape::Schema,
                "items"
                | "prefixItems"
                | "additionalItems"
                | "anyOf"
                | "oneOf"
                | "allOf"
                | "not"
                | "if"
                | "then"
                | "else"
                | "additionalProperties"
                | "contains"
                | "propertyNames",
            ) => Shape::Schema,
            (Shape::Schema, key) if KEYWORDS.contains(&key) => Shape::Data,
            _ => return None,
        })
    }

    /// Whether the value of a key is a word of the protocol: a role, or a type that is named as a key is.
    fn is_own_word(self, key: &str, word: &str) -> bool {
        match (self, key) {
            (Shape::Message, "role") => is_word(word),
            (Shape::Part | Shape::Call | Shape::Tool, "type") => self.key_shape(word).is_some(),
            _ => false,
        }
    }
}

/// The keywords of JSON Schema whose values contain no schema.
pub(crate) const KEYWORDS: [&str; 30] = [
    "type",
    "title",
    "description",
    "enum",
    "const",
    "default",
    "examples",
    "format",
    "pattern",
    "required",
    "nullable",
    "deprecated",
    "readOnly",
    "writeOnly",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "$ref",
    "$id",
    "$schema",
    "$comment",
];

/// Whether JSON is nested deeper than [`DEPTH`].
fn is_deep(json: &Json) -> bool {
    let mut scanner = Scanner::new(json.as_str()).with_max_depth(MAX_JSON_DEPTH);
    scanner.finish().is_err()
}

impl InputNode {
    pub(crate) fn template_text(text: &str) -> InputNode {
        InputNode::Own(text.to_owned())
    }

    pub(crate) fn data_text(text: &str, part: RequestPart) -> InputNode {
        InputNode::Text(Text::from(text), part)
    }

    fn name(text: &str, part: RequestPart) -> InputNode {
        InputNode::Name(Text::from(text), part)
    }

    /// JSON whose strings and keys are data. JSON that is nested too deep stays text.
    pub(crate) fn from_json(json: &Json, part: RequestPart) -> InputNode {
        InputNode::from_shape(json, part, Shape::Data)
    }

    fn from_shape(json: &Json, part: RequestPart, shape: Shape) -> InputNode {
        if is_deep(json) {
            return InputNode::data_text(json.as_str(), part);
        }
        InputNode::from_shaped_json(json, part, shape)
    }

    /// The value of a variable: single words are compared with words of the template, other text is data.
    pub(crate) fn from_variable(json: &Json) -> InputNode {
        match json.as_string() {
            Some(word) if is_word(&word) => InputNode::Own(word),
            _ => InputNode::from_json(json, RequestPart::Anywhere),
        }
    }

    /// Reads JSON of a shape, or a list of it.
    fn from_shaped_json(json: &Json, part: RequestPart, shape: Shape) -> InputNode {
        match json.kind() {
            JsonKind::Null => InputNode::Null(part),
            JsonKind::Bool => InputNode::Bool(json.as_str() == "true", part),
            JsonKind::Number => InputNode::Number(json.as_str().to_owned(), part),
            JsonKind::Str => InputNode::data_text(&json.as_string().unwrap_or_default(), part),
            JsonKind::Array => {
                let items = json.items().unwrap_or_default();
                InputNode::List(
                    items
                        .iter()
                        .map(|item| InputNode::from_shaped_json(item, part, shape))
                        .collect(),
                )
            }
            JsonKind::Object => {
                let entries = json.unique_entries().unwrap_or_default();
                let entries = entries.iter();
                InputNode::Map(
                    entries
                        .map(|(key, value)| read_entry(key, value, part, shape))
                        .collect(),
                )
            }
        }
    }

    /// A word, or a list of words.
    fn into_words(self) -> InputNode {
        match self {
            InputNode::Text(text, part) => InputNode::Word(text, part),
            InputNode::List(items) => {
                InputNode::List(items.into_iter().map(InputNode::into_words).collect())
            }
            other => other,
        }
    }

    pub(crate) fn get(&self, key: &str) -> Option<&InputNode> {
        let InputNode::Map(map) = self else {
            return None;
        };
        map.iter()
            .find(|entry| entry.0.as_str() == Some(key))
            .map(|entry| &entry.1)
    }

    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut InputNode> {
        let InputNode::Map(map) = self else {
            return None;
        };
        let entry = map.iter_mut().find(|entry| entry.0.as_str() == Some(key));
        entry.map(|entry| &mut entry.1)
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            InputNode::Own(text) => Some(text),
            InputNode::Text(text, _) | InputNode::Name(text, _) | InputNode::Word(text, _) => {
                Some(text.as_str())
            }
            _ => None,
        }
    }

    /// Every text in it, keys too.
    pub(crate) fn visit_texts<'a>(&'a self, visit: &mut impl FnMut(&'a Text, RequestPart)) {
        match self {
            InputNode::Text(text, part)
            | InputNode::Name(text, part)
            | InputNode::Word(text, part) => visit(text, *part),
            InputNode::List(items) => items.iter().for_each(|item| item.visit_texts(visit)),
            InputNode::Map(map) => map.iter().for_each(|(key, value)| {
                key.visit_texts(visit);
                value.visit_texts(visit);
            }),
            InputNode::Open(node) => node.visit_texts(visit),
            InputNode::Null(_)
            | InputNode::Bool(..)
            | InputNode::Number(..)
            | InputNode::Own(_) => {}
        }
    }
}

fn read_entry(key: &str, value: &Json, part: RequestPart, shape: Shape) -> (InputNode, InputNode) {
    let next = match shape {
        Shape::Schemas => None,
        shape => shape.key_shape(key),
    };
    let name = match next {
        Some(_) => InputNode::template_text(key),
        None => InputNode::Word(Text::from(key), part),
    };
    let part = match (key, part, shape) {
        ("tool_calls", RequestPart::Message(index), Shape::Message) => {
            if let Some(calls) = value.items() {
                let calls = calls.iter().enumerate().map(|(call, json)| {
                    InputNode::from_shaped_json(
                        json,
                        RequestPart::CallName(index, call),
                        Shape::Call,
                    )
                });
                return (name, InputNode::List(calls.collect()));
            }
            RequestPart::CallName(index, 0)
        }
        ("function_call", RequestPart::Message(index), Shape::Message) => {
            RequestPart::CallName(index, 0)
        }
        (
            "id" | "tool_call_id" | "name" | "content_type",
            RequestPart::Message(index),
            Shape::Message,
        ) => RequestPart::Header(index),
        ("arguments", RequestPart::CallName(index, call), Shape::Call | Shape::Function)
            if has_arguments(value) =>
        {
            RequestPart::Arguments(index, call)
        }
        _ => part,
    };
    let value = match (value.as_string(), shape) {
        (Some(word), _) if shape.is_own_word(key, &word) => InputNode::template_text(&word),
        (Some(name), Shape::Message | Shape::Call | Shape::Function | Shape::Tool)
            if key == "name" =>
        {
            InputNode::name(&name, part)
        }
        (Some(word), Shape::Message) if key == "content_type" => {
            InputNode::Word(Text::from(&*word), part)
        }
        (Some(word), Shape::Part | Shape::Call) if key == "type" => {
            // A template need not write it.
            let part = match part {
                RequestPart::Message(index) => RequestPart::Header(index),
                part => part,
            };
            InputNode::Word(Text::from(&*word), part)
        }
        (_, Shape::Schemas) => InputNode::from_shaped_json(value, part, Shape::Schema),
        _ => InputNode::from_shaped_json(value, part, next.unwrap_or(Shape::Data)),
    };
    if part.is_tool() && ["type", "format"].contains(&key) {
        return (name, value.into_words());
    }
    (name, value)
}

/// Whether the arguments of a call, an object or its text, are more than an empty object.
fn has_arguments(arguments: &Json) -> bool {
    let is_empty = |json: &Json| ["{}", "[]", "null"].contains(&json.as_str());
    match arguments.as_string() {
        Some(text) if text.trim().is_empty() => false,
        Some(text) => !Json::parse(&text).is_ok_and(|json| is_empty(&json)),
        None => !is_empty(arguments),
    }
}

/// A string that cannot contain a token.
fn is_word(word: &str) -> bool {
    word.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
}

impl TemplateConversation {
    /// Reads a conversation in the shape of chat APIs; keys that only one model knows are kept.
    pub(crate) fn from_json(messages: &Json, tools: Option<&Json>) -> Result<TemplateConversation> {
        let wrong = |what: &str, json: &Json| {
            let name = json.kind().name();
            Error::new(ErrorKind::History, format!("{what}, and this is {name}"))
        };
        let items = messages.items();
        let items = items.ok_or_else(|| wrong("a conversation is a list of messages", messages))?;
        let mut turns = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            if item.kind() != JsonKind::Object {
                let error = wrong("a message is an object", item).at_index(index);
                return Err(error.inside(&format!("messages[{index}]")));
            }
            turns.push(InputNode::from_shape(
                item,
                RequestPart::Message(index),
                Shape::Message,
            ));
        }
        Ok(TemplateConversation {
            messages: turns,
            tools: tools.and_then(Json::items).map(tool_nodes),
        })
    }

    /// `typed`: contents are lists of parts also where they are text alone.
    pub(crate) fn from_messages(
        messages: &Messages,
        typed: bool,
        strings: bool,
    ) -> Result<TemplateConversation> {
        let turns = messages.iter().enumerate().map(|(index, message)| {
            message_node(message, index, typed, strings)
                .map_err(|error| error.at_message(index, message.role))
        });
        let tools = messages.tools();
        let list = || tool_nodes(tools.iter().map(Tool::to_json));
        Ok(TemplateConversation {
            messages: turns.collect::<Result<_>>()?,
            tools: (!tools.is_empty()).then(list),
        })
    }

    pub(crate) fn visit_texts<'a>(&'a self, visit: &mut impl FnMut(&'a Text, RequestPart)) {
        self.messages
            .iter()
            .chain(&self.tools)
            .for_each(|node| node.visit_texts(visit));
    }
}

/// The definitions of tools.
fn tool_nodes(tools: impl IntoIterator<Item = Json>) -> InputNode {
    let tools = tools.into_iter().enumerate();
    let node =
        |(number, json)| InputNode::from_shape(&json, RequestPart::Tool(number), Shape::Tool);
    InputNode::List(tools.map(node).collect())
}

fn message_node(message: &Message, index: usize, typed: bool, strings: bool) -> Result<InputNode> {
    let at = RequestPart::Message(index);
    let mut map = vec![(
        InputNode::template_text("role"),
        InputNode::template_text(message.role.name()),
    )];
    let content = if message.is_text() && !typed {
        let mut text = Text::new();
        message.texts().for_each(|part| text.push(part));
        InputNode::Text(text, at)
    } else {
        InputNode::List(
            message
                .parts
                .iter()
                .map(|part| part_node(part, at))
                .collect::<Result<_>>()?,
        )
    };
    map.push((InputNode::template_text("content"), content));
    if let Some(reasoning) = &message.reasoning {
        map.push((
            InputNode::template_text("reasoning"),
            InputNode::Text(reasoning.clone(), at),
        ));
    }
    if !message.tool_calls.is_empty() {
        let calls = message.tool_calls.iter().enumerate();
        let calls = calls.map(|(number, call)| call_node(call, index, number, strings));
        map.push((
            InputNode::template_text("tool_calls"),
            InputNode::List(calls.collect()),
        ));
    }
    if let Some(id) = &message.tool_call_id {
        map.push((
            InputNode::template_text("tool_call_id"),
            InputNode::data_text(id, RequestPart::Header(index)),
        ));
    }
    if let Some(name) = &message.name {
        map.push((
            InputNode::template_text("name"),
            InputNode::name(name, RequestPart::Header(index)),
        ));
    }
    Ok(InputNode::Map(map))
}

fn part_node(part: &Part, at: RequestPart) -> Result<InputNode> {
    let (kind, value) = match part {
        Part::Text(text) => ("text", InputNode::Text(text.clone(), at)),
        Part::Media(media) => {
            let kind = match media.kind() {
                MediaKind::Image => "image",
                MediaKind::Audio => "audio",
                MediaKind::Video => "video",
                _ => return Err(unsupported_part("a file")),
            };
            (kind, InputNode::data_text(&media.to_url(), at))
        }
        _ => return Err(unsupported_part("this part")),
    };
    Ok(InputNode::Map(vec![
        (
            InputNode::template_text("type"),
            InputNode::template_text(kind),
        ),
        (InputNode::template_text(kind), value),
    ]))
}

fn unsupported_part(what: &str) -> Error {
    let message = format!("chat templates do not support {what}");
    Error::new(ErrorKind::Unsupported, message)
}

/// A call with its arguments as an object, which is what templates are written for, or as text.
fn call_node(call: &ToolCall, message: usize, number: usize, strings: bool) -> InputNode {
    let at = RequestPart::CallName(message, number);
    let json = call.json().ok();
    let in_arguments = match &json {
        Some(json) if !has_arguments(json) => at,
        _ => RequestPart::Arguments(message, number),
    };
    let object = json.filter(|json| !strings && json.kind() == JsonKind::Object && !is_deep(json));
    let arguments = match object {
        Some(json) => InputNode::from_shaped_json(&json, in_arguments, Shape::Data),
        None => InputNode::data_text(&call.arguments, in_arguments),
    };
    let mut map = Vec::new();
    if let Some(id) = &call.id {
        map.push((InputNode::template_text("id"), InputNode::data_text(id, at)));
    }
    map.push((
        InputNode::template_text("type"),
        InputNode::template_text("function"),
    ));
    let function = vec![
        (
            InputNode::template_text("name"),
            InputNode::name(&call.name, at),
        ),
        (InputNode::template_text("arguments"), arguments),
    ];
    map.push((
        InputNode::template_text("function"),
        InputNode::Map(function),
    ));
    InputNode::Map(map)
}
