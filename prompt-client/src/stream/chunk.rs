use prompt_core::ToolCall;

/// A piece of an answer.
///
/// ```
/// use prompt_client::Chunk;
///
/// assert_eq!(Chunk::Text("Hel".to_owned()).text(), Some("Hel"));
/// assert_eq!(Chunk::Reasoning("So".to_owned()).text(), None);
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Chunk {
    /// More of the text.
    Text(String),
    /// More of what a model thinks before it answers; it is no part of the answer.
    Reasoning(String),
    /// A tool that the model calls. It comes once it is whole.
    ToolCall(ToolCall),
}

impl Chunk {
    /// The text, if it is a piece of text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Chunk::Text(text) => Some(text),
            _ => None,
        }
    }
}
