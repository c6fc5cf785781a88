//! The parts in which a reply arrives.

use crate::{Reply, ToolCall};

/// A chunk of a reply that is streamed.
///
/// ```
/// use typed_prompt::llm::Chunk;
///
/// assert_eq!(Chunk::Text("Hel".to_owned()).text(), Some("Hel"));
/// assert_eq!(Chunk::Reasoning("So".to_owned()).text(), None);
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Chunk {
    /// More of the text.
    Text(String),
    /// More of the reasoning, which is not part of the text.
    Reasoning(String),
    /// A tool call. Tool calls are returned once they are complete.
    ToolCall(ToolCall),
}

impl Chunk {
    /// The text of a text chunk.
    pub fn text(&self) -> Option<&str> {
        match self {
            Chunk::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// A function that receives the chunks of a reply: see [`Llm::send_streamed`](crate::Llm::send_streamed).
pub type OnChunk<'a> = &'a mut (dyn FnMut(Chunk) + Send);

impl Reply {
    /// The chunks of a complete reply: its reasoning and its text word by word, and its tool calls.
    ///
    /// ```
    /// use typed_prompt::{Reply, llm::Chunk};
    ///
    /// let text = |text: &str| Chunk::Text(text.to_owned());
    /// assert!(Reply::new("Nine metres.").chunks().eq([text("Nine "), text("metres.")]));
    /// ```
    pub fn chunks(&self) -> impl Iterator<Item = Chunk> {
        let reasoning = self
            .reasoning
            .as_deref()
            .into_iter()
            .flat_map(split_words)
            .map(Chunk::Reasoning);
        let text = split_words(&self.text).map(Chunk::Text);
        let calls = self.tool_calls.iter().cloned().map(Chunk::ToolCall);
        reasoning.chain(text).chain(calls)
    }
}

/// The words of a text with the white space behind them.
fn split_words(text: &str) -> impl Iterator<Item = String> {
    text.split_inclusive(char::is_whitespace).map(str::to_owned)
}
