//! Output of prompts for people: messages under role headers, with data highlighted.

use std::fmt::{self, Write as _};
use std::io::IsTerminal;

use crate::{AnnotatedText, Message, Messages, Origin, Part};

/// A conversation for people: roles set apart, data marked.
///
/// Without colour, data is between `«` and `»`. Control characters are shown, never sent to the terminal.
///
/// ```
/// use typed_prompt::{Role, write::Writer};
///
/// let mut out = Writer::new();
/// out.role(Role::User);
/// out.text("What is ");
/// out.slot("word", &"entropy");
/// out.text("?");
/// assert_eq!(out.finish()?.preview().to_string(), "── user ──\nWhat is «entropy»?\n");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Preview<'a> {
    source: PreviewSource<'a>,
    color: bool,
    /// Whether the data's slots are named.
    names: bool,
    #[cfg(feature = "tokens")]
    tokens: Option<&'a crate::tokens::Tokens>,
}

#[derive(Clone, Copy, Debug)]
enum PreviewSource<'a> {
    Messages(&'a Messages),
    AnnotatedText(&'a AnnotatedText),
}

impl Messages {
    /// The conversation for people.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages};
    ///
    /// let messages = Messages::from([Message::user("Hi")]);
    /// assert_eq!(messages.preview().to_string(), "── user ──\n«Hi»\n");
    /// ```
    pub fn preview(&self) -> Preview<'_> {
        Preview::from_source(PreviewSource::Messages(self))
    }
}

impl AnnotatedText {
    /// Returns the text for display, with structure, template and data distinguished.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Prompt, format};
    ///
    /// let wrapped = Messages::from([Message::user("Hi")]).to_annotated_text(format::LLAMA2)?;
    /// assert_eq!(wrapped.preview().to_string(), "<s>[INST] «Hi» [/INST]");
    /// assert!(wrapped.preview().color(true).to_string().contains("\u{1b}["));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn preview(&self) -> Preview<'_> {
        Preview::from_source(PreviewSource::AnnotatedText(self))
    }
}

impl<'a> Preview<'a> {
    fn from_source(source: PreviewSource<'a>) -> Preview<'a> {
        Preview {
            source,
            color: false,
            names: false,
            #[cfg(feature = "tokens")]
            tokens: None,
        }
    }

    /// Chooses the highlighting for the program's standard output: colours if it is a terminal, `NO_COLOR` is not set and `TERM` is not
    /// `dumb`.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages};
    ///
    /// println!("{}", Messages::from([Message::user("Hi")]).preview().for_stdout());
    /// ```
    pub fn for_stdout(self) -> Self {
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        self.color(!is_set("NO_COLOR") && !is_dumb && std::io::stdout().is_terminal())
    }

    /// Names the slot in front of each piece of data.
    ///
    /// ```
    /// use typed_prompt::write::Writer;
    ///
    /// let mut out = Writer::new();
    /// out.text("What is ");
    /// out.slot("word", &"entropy");
    /// assert_eq!(out.finish()?.preview().names(true).to_string(), "── user ──\nWhat is «word: entropy»\n");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn names(mut self, names: bool) -> Self {
        self.names = names;
        self
    }

    /// Adds the number of tokens of the text and of each slot below the text.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Prompt, format, tokens::Tiktoken};
    ///
    /// let wrapped = Messages::from([Message::user("Hi there")]).to_annotated_text(format::PLAIN)?;
    /// let tokens = wrapped.to_tokens(&Tiktoken::from_model("gpt-4o")?)?;
    /// assert_eq!(wrapped.preview().tokens(&tokens).to_string(), "«Hi there»\n── 2 tokens ──\n");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    #[cfg(feature = "tokens")]
    pub fn tokens(mut self, tokens: &'a crate::tokens::Tokens) -> Self {
        self.tokens = Some(tokens);
        self
    }

    #[cfg(feature = "tokens")]
    fn write_counts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(tokens) = self.tokens else {
            return Ok(());
        };
        let mut counts = format!("{} tokens", tokens.len());
        if tokens.structure_tokens() > 0 {
            write!(counts, ", {} of the format", tokens.structure_tokens())?;
        }
        for (name, count) in tokens.slots() {
            write!(counts, ", {count} of `{name}`")?;
        }
        f.write_char('\n')?;
        self.write_title(f, format_args!("{counts}"))
    }

    /// Highlights with colours for a terminal instead of characters.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages};
    ///
    /// let messages = Messages::from([Message::user("Hi")]);
    /// assert!(messages.preview().color(true).to_string().contains("\u{1b}[36mHi\u{1b}[0m"));
    /// ```
    pub fn color(mut self, color: bool) -> Self {
        self.color = color;
        self
    }

    fn write_piece(&self, f: &mut fmt::Formatter<'_>, piece: &str, source: Origin) -> fmt::Result {
        let (before, after) = match (source, self.color) {
            (Origin::Data(_), true) => ("\u{1b}[36m", "\u{1b}[0m"),
            (Origin::Structure, true) => ("\u{1b}[35m", "\u{1b}[0m"),
            (Origin::Data(_), false) => ("«", "»"),
            _ => ("", ""),
        };
        f.write_str(before)?;
        if let Origin::Data(Some(name)) = source
            && self.names
        {
            write!(f, "{name}: ")?;
        }
        for char in piece.chars() {
            match char {
                '\n' | '\t' => f.write_char(char)?,
                _ if char.is_control() => write!(f, "{}", char.escape_unicode())?,
                _ => f.write_char(char)?,
            }
        }
        f.write_str(after)
    }

    fn write_title(&self, f: &mut fmt::Formatter<'_>, title: fmt::Arguments<'_>) -> fmt::Result {
        let (before, after) = if self.color {
            ("\u{1b}[1m", "\u{1b}[0m")
        } else {
            ("", "")
        };
        writeln!(f, "{before}── {title} ──{after}")
    }

    fn write_message(&self, f: &mut fmt::Formatter<'_>, message: &Message) -> fmt::Result {
        match (&message.name, &message.tool_call_id) {
            (Some(name), Some(id)) => {
                self.write_title(f, format_args!("{} {name} ({id})", message.role))?;
            }
            (Some(one), None) | (None, Some(one)) => {
                self.write_title(f, format_args!("{} {one}", message.role))?;
            }
            (None, None) => self.write_title(f, format_args!("{}", message.role))?,
        }
        for part in &message.parts {
            match part {
                Part::Text(text) => text
                    .pieces()
                    .try_for_each(|(piece, source)| self.write_piece(f, piece, source))?,
                Part::Media(media) => {
                    self.write_piece(f, &format!("{media:?}"), Origin::Data(None))?;
                }
            }
        }
        for call in &message.tool_calls {
            write!(f, "→ {}(", call.name)?;
            self.write_piece(f, &call.arguments, Origin::Data(None))?;
            f.write_char(')')?;
        }
        f.write_char('\n')
    }
}

impl fmt::Display for Preview<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.source {
            PreviewSource::AnnotatedText(wrapped) => wrapped
                .pieces()
                .try_for_each(|(piece, source)| self.write_piece(f, piece, source))?,
            PreviewSource::Messages(messages) => {
                for tool in messages.tools() {
                    self.write_title(f, format_args!("tool {}", tool.name()))?;
                }
                messages
                    .iter()
                    .try_for_each(|message| self.write_message(f, message))?;
            }
        }
        #[cfg(feature = "tokens")]
        self.write_counts(f)?;
        Ok(())
    }
}

/// As [`Messages::preview`].
impl fmt::Display for Messages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.preview().fmt(f)
    }
}
