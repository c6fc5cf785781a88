//! One rendering: the text, and which bytes of it are data.

use std::collections::HashMap;
use std::sync::Arc;

use minijinja::value::{Enumerator, Object, ObjectRepr, Value};

use crate::engine::{Engine, EngineLimits};
use crate::fault;
use crate::marks::Marks;
use crate::node::{InputNode, RequestPart, Size, TemplateConversation};
use prompt_core::{AnnotatedText, Error, ErrorKind, Origin, Result};

/// The input of one rendering of a template.
#[derive(Clone, Debug)]
pub(crate) struct Rendering {
    pub(crate) conversation: TemplateConversation,
    /// Variables besides the conversation.
    pub(crate) variables: Vec<(String, InputNode)>,
    pub(crate) generation_prompt: bool,
    /// Whether the last message is left open.
    pub(crate) open: bool,
    pub(crate) limits: EngineLimits,
}

/// A rendered text with its sources.
pub(crate) struct Rendered {
    pub(crate) text: String,
    /// The origin of each segment of the text, up to its end; `None` if it cannot be determined.
    pub(crate) segments: Option<Vec<(usize, Origin, RequestPart)>>,
    /// The limit that a rendering with placeholders exceeds.
    pub(crate) exceeded: Option<Error>,
    /// Parts of the conversation that are missing in the text.
    pub(crate) missing: Vec<RequestPart>,
}

/// Ends the last message while a template runs, so that its end is found. Templates that strip white space keep the text.
const OPEN_MARKER: &str = "<<the answer continues here>> ";

impl Rendering {
    pub(crate) fn render(&self, engine: &Engine) -> Result<Rendered> {
        let text = self.render_text(engine, None)?;
        let mut rendered = Rendered {
            text,
            segments: None,
            exceeded: None,
            missing: Vec::new(),
        };
        let conversation = self.conversation_and_variables();
        // A placeholder for each origin may exceed the private use characters, or be compared by the template. Merged origins need
        // fewer, and still distinguish data from template text.
        for merged in [false, true] {
            let Some(marks) = Marks::new(&conversation, merged) else {
                continue;
            };
            let marks = Arc::new(marks);
            let marked = match self.render_text(engine, Some(&marks)) {
                Ok(marked) => marked,
                Err(error) if fault::is_limit(&error) => {
                    rendered.exceeded = Some(error);
                    break;
                }
                Err(_) => continue,
            };
            let Some(origins) = marks.char_origins(&marked, &rendered.text) else {
                continue;
            };
            if !merged {
                rendered.missing = marks.missing_parts(&conversation, &origins);
            }
            let mut segments: Vec<(usize, Origin, RequestPart)> = Vec::new();
            let mut end = 0;
            for (char, group) in origins {
                end += char.len_utf8();
                let (source, part) = marks.source(group);
                match segments.last_mut() {
                    Some(last) if (last.1, last.2) == (source, part) => last.0 = end,
                    _ => segments.push((end, source, part)),
                }
            }
            rendered.segments = Some(segments);
            break;
        }
        Ok(rendered)
    }

    /// The conversation with the variables that contain text, which is data too.
    fn conversation_and_variables(&self) -> TemplateConversation {
        let mut conversation = self.conversation.clone();
        conversation
            .messages
            .extend(self.variables.iter().map(|(_, value)| value.clone()));
        conversation
    }

    pub(crate) fn render_text(
        &self,
        engine: &Engine,
        marks: Option<&Arc<Marks>>,
    ) -> Result<String> {
        let value = |node: &InputNode| value_of(node, marks);
        let mut messages: Vec<Value> = self.conversation.messages.iter().map(value).collect();
        if let Some(last) = self.conversation.messages.last().filter(|_| self.open) {
            messages.pop();
            messages.push(value(&with_open_marker(last)?));
        }
        let tools = self
            .conversation
            .tools
            .as_ref()
            .map_or(Value::from(()), value);
        let mut variables = vec![
            ("messages", Value::from(messages)),
            ("tools", tools),
            ("documents", Value::from(())),
            ("add_generation_prompt", Value::from(self.generation_prompt)),
        ];
        variables.extend(
            self.variables
                .iter()
                .map(|(name, node)| (&**name, value(node))),
        );
        let text = engine.render(Value::from_pairs(variables), &self.limits, marks)?;
        if self.open {
            cut_at_open_marker(text)
        } else {
            Ok(text)
        }
    }
}

fn value_of(node: &InputNode, marks: Option<&Arc<Marks>>) -> Value {
    match node {
        InputNode::Null => Value::from(()),
        InputNode::Bool(bool) => Value::from(*bool),
        // The small numbers are the fast ones.
        InputNode::Int(int) => i64::try_from(*int).map_or_else(|_| Value::from(*int), Value::from),
        InputNode::Float(float) => Value::from(*float),
        InputNode::Own(text) => Value::from(&**text),
        InputNode::Text(text, part) => match marks {
            Some(marks) => Value::from(marks.with_placeholders(text, *part)),
            None => Value::from(text.as_str()),
        },
        InputNode::List(items) => items.iter().map(|item| value_of(item, marks)).collect(),
        InputNode::Map(map) => Value::from_object(InputMap::new(map, marks)),
        InputNode::Open(node) => {
            let text = value_of(node, marks);
            Value::from(format!(
                "{}{OPEN_MARKER}",
                text.as_str().unwrap_or_default()
            ))
        }
    }
}

/// A map of the conversation. Templates look keys up by their text; what they print of a key are its placeholders.
#[derive(Debug)]
pub(crate) struct InputMap {
    pairs: Vec<(Value, Value)>,
    /// The pairs by the text and by the placeholders of their keys.
    index: HashMap<String, usize>,
    size: Size,
}

impl InputMap {
    fn new(map: &[(InputNode, InputNode)], marks: Option<&Arc<Marks>>) -> InputMap {
        let mut given = InputMap {
            pairs: Vec::with_capacity(map.len()),
            index: HashMap::with_capacity(map.len()),
            size: Size::LIST,
        };
        for (at, (key, value)) in map.iter().enumerate() {
            let shown = value_of(key, marks);
            for text in [key.as_str(), shown.as_str()].into_iter().flatten() {
                given.index.entry(text.to_owned()).or_insert(at);
            }
            given.size = given.size.with_item(key.size()).with_item(value.size());
            given.pairs.push((shown, value_of(value, marks)));
        }
        given
    }

    pub(crate) fn size(&self) -> Size {
        self.size
    }
}

impl Object for InputMap {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Map
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.get_value_by_str(key.as_str()?)
    }

    fn get_value_by_str(self: &Arc<Self>, key: &str) -> Option<Value> {
        Some(self.pairs[*self.index.get(key)?].1.clone())
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Values(self.pairs.iter().map(|pair| pair.0.clone()).collect())
    }
}

/// The last message with a sign at the end of its text.
fn with_open_marker(message: &InputNode) -> Result<InputNode> {
    let open = |node: &mut InputNode| {
        *node = InputNode::Open(Box::new(std::mem::replace(node, InputNode::Null)));
    };
    let mut message = message.clone();
    let content = message.get_mut("content");
    let text = content.and_then(|content| match content {
        InputNode::List(parts) => parts.iter_mut().rev().find_map(|part| part.get_mut("text")),
        InputNode::Own(_) | InputNode::Text(..) => Some(content),
        _ => None,
    });
    match text {
        Some(text) => open(text),
        None => {
            let message = "the last message has no text to go on with";
            let error = Error::new(ErrorKind::Unsupported, message);
            return Err(error.with_help(
                "end with an assistant message that holds the beginning of the answer",
            ));
        }
    }
    Ok(message)
}

/// The text up to the sign; without the white space before it where the template strips the message.
fn cut_at_open_marker(mut text: String) -> Result<String> {
    let Some(at) = text.rfind(OPEN_MARKER.trim_end()) else {
        let message = "the chat template does not write the last message, so that the model could go on with it";
        return Err(Error::new(ErrorKind::Unsupported, message));
    };
    let kept = text[at..].starts_with(OPEN_MARKER);
    text.truncate(at);
    if !kept {
        text.truncate(
            text.trim_end_matches(prompt_core::python::is_whitespace)
                .len(),
        );
    }
    Ok(text)
}

impl Rendered {
    /// Writes the text; where its sources are not known all of it is data.
    pub(crate) fn write_to(&self, out: &mut AnnotatedText) {
        let Some(segments) = &self.segments else {
            out.push(&self.text, Origin::Data(None));
            return;
        };
        let mut at = 0;
        for (end, source, part) in segments {
            out.message(match part {
                RequestPart::Message(index) | RequestPart::Calls(index) => Some(*index),
                RequestPart::Tools | RequestPart::Anywhere => None,
            });
            out.push(&self.text[at..*end], *source);
            at = *end;
        }
        out.message(None);
    }
}
