//! Few-shot examples: rendered once, shared, and inserted between messages or as text in a slot.

use std::borrow::Cow;
use std::sync::Arc;

use crate::{
    Error, ErrorKind, Message, Messages, Origin, Prompt, Result, Role, Text, ToHistory, ToPrompt,
    Truthy, Writer,
};

/// Few-shot examples, which precede the question.
///
/// Examples of a field marked `#[prompt(examples)]` are inserted at the position of the key `examples`, or before the first turn
/// without that key. A slot of the field inserts examples that are text ([`Examples::texts`]).
///
/// Examples are rendered once and shared, so that many prompts can use the same ones.
///
/// ```
/// use typed_prompt::{Examples, Message, Messages, history::ToHistory};
///
/// let example = Messages::from([Message::system("Add."), Message::user("2+2?"), Message::assistant("4")]);
/// let examples = Examples::turns([example])?;
/// // System messages are removed: the prompt that contains the examples has its own.
/// assert_eq!(*examples.to_history()?, [Message::user("2+2?"), Message::assistant("4")]);
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "examples are sent as a field of a prompt"]
pub struct Examples {
    examples: Vec<Example>,
    separator: Cow<'static, str>,
    end: Cow<'static, str>,
}

/// A few-shot example, rendered with its answer.
///
/// ```
/// use typed_prompt::{Message, Messages, history::Example};
///
/// let example = Example::turns(&Messages::from([Message::user("2+2?"), Message::assistant("4")]))?;
/// assert_eq!(example.to_string(), "2+2?4");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Example(Arc<ExampleContent>);

#[derive(Debug)]
enum ExampleContent {
    Turns(Arc<Vec<Message>>),
    Text(Text),
}

impl Example {
    /// Returns an example with the messages of a prompt and its answer, without system messages and tools: the prompt that contains the
    /// example has its own.
    ///
    /// # Errors
    /// As [`Prompt::messages_with_answer`].
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, history::Example};
    ///
    /// assert!(!Example::turns(&Messages::from([Message::user("Hi")]))?.is_text());
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn turns(example: &(impl Prompt + ?Sized)) -> Result<Example> {
        let turns = example
            .messages_with_answer()?
            .into_iter()
            .filter(|message| message.role != Role::System);
        Ok(Example(Arc::new(ExampleContent::Turns(Arc::new(
            turns.collect(),
        )))))
    }

    /// Returns an example as text for completion models: the prompt, and directly after it the answer.
    ///
    /// # Errors
    /// As [`Prompt::messages_with_answer`], and an image, audio, video or file in the example.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, history::Example};
    ///
    /// let example = Example::text(&Messages::from([Message::user("Q: 2+2? A: "), Message::assistant("4")]))?;
    /// assert_eq!(example.to_string(), "Q: 2+2? A: 4");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn text(example: &(impl Prompt + ?Sized)) -> Result<Example> {
        let mut text = Text::new();
        for message in &example.messages_with_answer()? {
            if !message.is_text() {
                return Err(not_text("an example holds an image, audio, video or file"));
            }
            message.texts().for_each(|part| text.push(part));
        }
        Ok(Example(Arc::new(ExampleContent::Text(text))))
    }

    /// Whether it is text, and no turns.
    pub fn is_text(&self) -> bool {
        matches!(*self.0, ExampleContent::Text(_))
    }

    /// The number of bytes of its text.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, history::Example};
    ///
    /// assert_eq!(Example::turns(&Messages::from([Message::user("four")]))?.len(), 4);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.text_pieces().into_iter().map(str::len).sum()
    }

    /// Whether the example has no text.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its turns; `index` is its place, for errors.
    fn between_turns(&self, index: usize) -> Result<&Arc<Vec<Message>>> {
        match &*self.0 {
            ExampleContent::Turns(turns) => Ok(turns),
            ExampleContent::Text(_) => Err(Error::new(
                ErrorKind::Value,
                "it is text, and is placed between the turns",
            )
            .with_help("make the examples with `Examples::turns`, or put the slot into a text")
            .inside(&format!("example {index}"))),
        }
    }

    fn text_pieces(&self) -> Vec<&str> {
        let mut pieces = Vec::new();
        match &*self.0 {
            ExampleContent::Turns(turns) => {
                for message in turns.iter() {
                    for text in message.texts() {
                        pieces.push(text.as_str());
                    }
                }
            }
            ExampleContent::Text(text) => pieces.push(text.as_str()),
        }
        pieces
    }
}

/// All its text.
impl std::fmt::Display for Example {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.text_pieces()
            .into_iter()
            .try_for_each(|piece| f.write_str(piece))
    }
}

impl Examples {
    /// No examples.
    pub fn new() -> Examples {
        Examples::default()
    }

    /// Examples as turns.
    ///
    /// # Errors
    /// As [`Example::turns`], with the index of the example.
    ///
    /// ```
    /// use typed_prompt::{Examples, Message, Messages};
    ///
    /// assert_eq!(Examples::turns([Messages::from([Message::user("Hi")])])?.len(), 1);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn turns<P: Prompt>(examples: impl IntoIterator<Item = P>) -> Result<Examples> {
        render_each(examples, Example::turns)
    }

    /// Examples as text: each on lines of its own, and a line break after the last.
    ///
    /// # Errors
    /// As [`Example::text`], with the index of the example.
    ///
    /// ```
    /// use typed_prompt::{Examples, Message, Messages, write::Writer};
    ///
    /// let example = |text: &str| Messages::from([Message::user(text)]);
    /// let mut out = Writer::new();
    /// out.slot("examples", &Examples::texts([example("2+2=4"), example("3+3=6")])?);
    /// assert_eq!(out.finish()?[0].text(), "2+2=4\n3+3=6\n");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn texts<P: Prompt>(examples: impl IntoIterator<Item = P>) -> Result<Examples> {
        render_each(examples, Example::text)
    }

    /// Sets the separator of two examples that are text. The default is a line break.
    ///
    /// ```
    /// use typed_prompt::{Examples, Message, Messages, write::Writer};
    ///
    /// let examples = Examples::texts(["a", "b"].map(|text| Messages::from([Message::user(text)])))?;
    /// let mut out = Writer::new();
    /// out.slot("examples", &examples.with_separator(" ## ").with_suffix(" END\n"));
    /// assert_eq!(out.finish()?[0].text(), "a ## b END\n");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn with_separator(mut self, separator: impl Into<Cow<'static, str>>) -> Examples {
        self.separator = separator.into();
        self
    }

    /// Sets the text after the last example, if examples are text and there is one. The default is a line break.
    ///
    /// ```
    /// use typed_prompt::{Examples, write::Writer};
    ///
    /// let mut out = Writer::new();
    /// out.slot("examples", &Examples::new().with_suffix("---"));
    /// assert!(out.finish()?.is_empty());
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn with_suffix(mut self, end: impl Into<Cow<'static, str>>) -> Examples {
        self.end = end.into();
        self
    }

    /// Adds an example.
    ///
    /// ```
    /// use typed_prompt::{Examples, Message, Messages, history::Example};
    ///
    /// let mut examples = Examples::new();
    /// examples.push(Example::turns(&Messages::from([Message::user("Hi")]))?);
    /// assert_eq!(examples.len(), 1);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn push(&mut self, example: Example) {
        self.examples.push(example);
    }

    /// Removes and returns the last example, for example if it exceeds the context.
    ///
    /// ```
    /// assert!(typed_prompt::Examples::new().pop().is_none());
    /// ```
    pub fn pop(&mut self) -> Option<Example> {
        self.examples.pop()
    }

    /// The number of examples.
    pub fn len(&self) -> usize {
        self.examples.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.examples.is_empty()
    }

    /// The examples in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Example> {
        self.examples.iter()
    }
}

impl Default for Examples {
    fn default() -> Examples {
        Examples {
            examples: Vec::new(),
            separator: "\n".into(),
            end: "\n".into(),
        }
    }
}

impl FromIterator<Example> for Examples {
    fn from_iter<I: IntoIterator<Item = Example>>(examples: I) -> Examples {
        Examples {
            examples: examples.into_iter().collect(),
            ..Examples::default()
        }
    }
}

impl<'a> IntoIterator for &'a Examples {
    type Item = &'a Example;
    type IntoIter = std::slice::Iter<'a, Example>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The turns of all examples.
#[diagnostic::do_not_recommend]
impl ToHistory for Examples {
    fn to_history(&self) -> Result<Cow<'_, [Message]>> {
        let mut messages = Messages::new();
        self.add_to(&mut messages)?;
        Ok(Cow::Owned(messages.into_iter().collect()))
    }

    fn add_to(&self, messages: &mut Messages) -> Result<()> {
        // All of them or none.
        let mut all = Vec::with_capacity(self.len());
        for (index, example) in self.iter().enumerate() {
            all.push(example.between_turns(index)?);
        }
        messages.share_all_turns(&all);
        Ok(())
    }
}

/// The texts of all examples.
#[diagnostic::do_not_recommend]
impl ToPrompt for Examples {
    fn write(&self, out: &mut Writer) {
        for (index, example) in self.iter().enumerate() {
            if index > 0 {
                out.text_from(Origin::Template, &self.separator);
            }
            match &*example.0 {
                ExampleContent::Text(text) => out.push(text),
                ExampleContent::Turns(_) => {
                    let error = not_text("it is turns, and is used inside a text")
                        .inside(&format!("example {index}"));
                    return out.fail(error);
                }
            }
        }
        if !self.is_empty() {
            out.text_from(Origin::Template, &self.end);
        }
    }
}

/// Examples are there if there is one.
#[diagnostic::do_not_recommend]
impl Truthy for Examples {
    fn is_truthy(&self) -> bool {
        !self.is_empty()
    }
}

/// Renders each example.
fn render_each<P: Prompt>(
    examples: impl IntoIterator<Item = P>,
    render: impl Fn(&P) -> Result<Example>,
) -> Result<Examples> {
    let examples = examples.into_iter().enumerate();
    let examples = examples.map(|(index, example)| {
        render(&example).map_err(|error| error.inside(&format!("example {index}")))
    });
    examples.collect()
}

fn not_text(message: &str) -> Error {
    Error::new(ErrorKind::Value, message)
        .with_help("make the examples with `Examples::texts`, or give them a place between the turns with the key `examples`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PromptInfo, Reply};

    fn example() -> Messages {
        Messages::from([Message::user("2+2?"), Message::assistant("4")])
    }

    /// A prompt that may fail to render.
    struct Row {
        fails: bool,
    }

    impl Prompt for Row {
        type Output = String;
        const INFO: PromptInfo = PromptInfo::new("Row");

        fn render(&self, out: &mut Writer) {
            if self.fails {
                out.fail(Error::new(ErrorKind::Value, "no"));
            }
        }

        fn parse_reply(reply: &Reply) -> Result<String> {
            Ok(reply.text.clone())
        }
    }

    #[test]
    fn turns_in_text_examples_are_an_error() {
        let mut out = Writer::new();
        out.slot("examples", &Examples::turns([example()]).unwrap());
        let error = out.finish().unwrap_err();
        assert_eq!(
            error.message(),
            "example 0: it is turns, and is used inside a text"
        );
    }

    #[test]
    fn text_between_turns_is_an_error() {
        let mut out = Writer::new();
        out.history(&Examples::texts([example()]).unwrap());
        let error = out.finish().unwrap_err();
        assert_eq!(
            error.message(),
            "example 0: it is text, and is placed between the turns"
        );
    }

    #[test]
    fn an_example_that_cannot_be_written_is_an_error() {
        for (fails, is_ok) in [([false, false], true), ([false, true], false)] {
            let examples = fails.map(|fails| Row { fails });
            for made in [Examples::turns(&examples), Examples::texts(&examples)] {
                match made {
                    Ok(made) => assert_eq!((made.len(), true), (2, is_ok)),
                    Err(error) => {
                        assert_eq!((error.message(), false), ("example 1: no", is_ok));
                        assert_eq!(error.prompt(), Some("Row"));
                    }
                }
            }
        }
    }
}
