//! The result of a tool: text, JSON or media.

use std::borrow::Cow;
use std::sync::Arc;

use crate::{Json, Media, Message, Part, Text, ToolCall};

/// A value that a tool of a [`ToolLoop`](crate::ToolLoop) can return: all types that convert into a [`ToolOutput`].
///
/// A struct that implements `Serialize` is returned as JSON, by [`Json::from_serialize`]:
///
/// ```
/// use typed_prompt::{Llm, Message, Messages, MockLlm, Tool, ToolCall, message::Json};
///
/// #[derive(serde::Serialize)]
/// struct Depth { metres: u32 }
///
/// let llm = MockLlm::new(["It is 81 m deep."]);
/// let ask = Messages::from([Message::user("How deep is it?")]).with_tool(Tool::new("depth"));
/// let answer = llm.with_own_tools(&ask).answer(async |_: ToolCall| Json::from_serialize(&Depth { metres: 81 }));
/// assert_eq!(pollster::block_on(answer)?, "It is 81 m deep.");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a tool cannot return `{Self}`",
    label = "the result of a tool is text, a number, `bool`, JSON or media",
    note = "a struct that derives `Serialize`: end the function with `Json::from_serialize(&value)` instead of `Ok(value)`, with `typed_prompt::message::Json`",
    note = "a type that prints itself: `Ok(value.to_string())`; nothing to tell: `Ok(\"done\")`"
)]
pub trait IntoToolOutput {
    /// The result as the model receives it.
    fn into_tool_output(self) -> ToolOutput;
}

// Without it, rustc lists the types that convert into `ToolOutput`.
#[diagnostic::do_not_recommend]
impl<T: Into<ToolOutput>> IntoToolOutput for T {
    fn into_tool_output(self) -> ToolOutput {
        self.into()
    }
}

/// The result of a tool call, as the model receives it: text, JSON, media, or several of them.
///
/// Tools of a [`ToolLoop`](crate::ToolLoop) return any type that converts into it: strings, numbers, `bool`, [`Json`],
/// `serde_json::Value` and [`Media`]. Media that a provider does not accept in the result of a tool is an error of the next request.
///
/// ```
/// use typed_prompt::{Media, tool::ToolOutput};
///
/// assert_eq!(ToolOutput::from(81), ToolOutput::from("81"));
/// let chart = ToolOutput::from("The depths:").with_media(Media::image("image/png", [1, 2, 3]));
/// assert_eq!(chart.parts().len(), 2);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct ToolOutput {
    parts: Vec<Part>,
}

impl ToolOutput {
    /// Adds media at the end.
    pub fn with_media(mut self, media: Media) -> ToolOutput {
        self.parts.push(Part::Media(media));
        self
    }

    /// The texts, joined without the media between them.
    ///
    /// ```
    /// assert_eq!(typed_prompt::tool::ToolOutput::from(81).text(), "81");
    /// ```
    pub fn text(&self) -> Cow<'_, str> {
        let mut texts = self.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            _ => None,
        });
        let first = texts.next().unwrap_or_default();
        texts.fold(Cow::Borrowed(first), |text, more| text + more)
    }

    /// The text and the media, in order.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The message with this result of a call.
    pub(super) fn into_message(self, call: ToolCall) -> Message {
        // Results of calls without an id belong to their call by the name of the tool.
        let id = call.id.unwrap_or_else(|| call.name.clone());
        let message = Message::tool(id, "").with_name(call.name);
        Message {
            parts: self.parts,
            ..message
        }
    }
}

impl From<Media> for ToolOutput {
    fn from(media: Media) -> ToolOutput {
        let parts = vec![Part::Media(media)];
        ToolOutput { parts }
    }
}

impl From<String> for ToolOutput {
    fn from(text: String) -> ToolOutput {
        let parts = vec![Part::Text(Text::from(text))];
        ToolOutput { parts }
    }
}

/// Several texts and media, in order.
impl From<Vec<Part>> for ToolOutput {
    fn from(parts: Vec<Part>) -> ToolOutput {
        match parts.is_empty() {
            true => ToolOutput::from(""),
            false => ToolOutput { parts },
        }
    }
}

macro_rules! from_text {
    ($($ty:ty)*) => {$(
        impl From<$ty> for ToolOutput {
            fn from(value: $ty) -> ToolOutput {
                ToolOutput::from(value.to_string())
            }
        }
    )*};
}

from_text! {
    &str &String Cow<'_, str> Box<str> Arc<str> char bool Json serde_json::Value
    i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64
}
