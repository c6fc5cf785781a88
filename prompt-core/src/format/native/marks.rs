//! The style of most families: every message stands between two marks.

use super::Style;
use super::chat::{Chat, Content, Turn};
use super::out::{Origin, Out};
use super::read::Reading;
use super::words::Words;
use crate::Result;

/// How a family writes conversations that are nothing but turns.
pub(crate) struct Marks {
    /// What the text begins with.
    pub(crate) start: Start,
    /// What becomes of a system message at the head.
    pub(crate) head: Head,
    /// How a system message is written.
    pub(crate) system: Option<Mark>,
    /// How a user message is written.
    pub(crate) user: Mark,
    /// How an assistant message is written.
    pub(crate) assistant: Mark,
    /// How a message of any other role is written.
    pub(crate) other: Other,
    /// Whether user and assistant must take turns, the user first.
    pub(crate) alternate: bool,
    /// What opens the assistant's answer.
    pub(crate) answer: &'static str,
    /// What ends a text without an answer.
    pub(crate) closing: Closing,
}

/// What stands around a content, and how it is trimmed.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    pub(crate) open: &'static str,
    pub(crate) close: &'static str,
    /// What closes the last message, where that is something else.
    pub(crate) last: Option<&'static str>,
    pub(crate) trim: Trim,
    /// Nothing at all is written for an empty content.
    pub(crate) unless_empty: bool,
}

/// How the model's own template takes a content.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trim {
    /// As it is.
    Keep,
    /// As it is; a list as Python shows it.
    Show,
    /// Without white space at both ends.
    Strip,
    /// Without white space at both ends; a list as Python shows it.
    ShowStrip,
    /// Without white space at both ends, and two line breaks in a row become one.
    Squeeze,
}

pub(crate) enum Start {
    Nothing,
    Always(&'static str),
    /// Only before a user or system message.
    IfAsked(&'static str),
}

/// What becomes of a system message at the head.
pub(crate) enum Head {
    /// It is a turn as the others are.
    Turn,
    /// The same, and without one these words stand there.
    TurnOr(&'static str),
    /// The same, and these words stand there when there is no system message at all.
    TurnOrNone(&'static str),
    /// It stands before the turns, which begin after it.
    Before(Mark),
    /// The same, but only if a turn follows; without one these words stand there.
    BeforeTurns(Mark, &'static str),
    /// It stands inside the first user message, before its text.
    InFirst {
        open: &'static str,
        close: &'static str,
        rule: Inside,
    },
    /// It is an error.
    Refused,
}

/// What a first user message looks like that holds the system message.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inside {
    /// Both as they are.
    Keep,
    /// The whole is stripped: so the user's text keeps the white space before it.
    StripEnd,
}

pub(crate) enum Other {
    /// Its role stands in the mark.
    Named {
        open: &'static str,
        middle: &'static str,
        close: &'static str,
        trim: Trim,
        capital: bool,
    },
    /// As the assistant's.
    AsAssistant,
    /// Left out.
    Dropped,
    /// An error.
    Refused,
}

pub(crate) enum Closing {
    Nothing,
    Always(&'static str),
    AfterAssistant(&'static str),
}

/// A mark that keeps the content as it is.
pub(crate) const fn keep(open: &'static str, close: &'static str) -> Mark {
    Mark {
        open,
        close,
        last: None,
        trim: Trim::Keep,
        unless_empty: false,
    }
}

impl Mark {
    pub(crate) const fn trim(self, trim: Trim) -> Mark {
        Mark { trim, ..self }
    }

    pub(crate) const fn last(self, close: &'static str) -> Mark {
        Mark {
            last: Some(close),
            ..self
        }
    }

    pub(crate) const fn unless_empty(self) -> Mark {
        Mark {
            unless_empty: true,
            ..self
        }
    }

    fn write(&self, at: usize, turn: &Turn<'_>, last: bool, out: &mut Out<'_>) -> Result<()> {
        let text = self.trim.read(at, turn, out)?;
        let words = match self.trim {
            // A space follows, so what is gone on with keeps the one at its end.
            Trim::Strip if self.close.starts_with(' ') && out.is_open(at) => {
                Words::from(&text).strip_start()
            }
            trim => trim.apply(Words::from(&text)),
        };
        if self.unless_empty && !out.has(at, Words::from(&text)) {
            return Ok(());
        }
        out.raw(self.open);
        self.trim.say(at, words, out);
        out.raw(self.last.filter(|_| last).unwrap_or(self.close));
        Ok(())
    }
}

impl Trim {
    fn read<'t>(
        self,
        at: usize,
        turn: &'t Turn<'_>,
        out: &Out<'_>,
    ) -> Result<std::borrow::Cow<'t, crate::Text>> {
        match self {
            Trim::Show | Trim::ShowStrip => out.shown(at, turn),
            _ => out.text(at, turn),
        }
    }

    fn apply(self, words: Words<'_>) -> Words<'_> {
        match self {
            Trim::Keep | Trim::Show => words,
            Trim::Strip | Trim::ShowStrip | Trim::Squeeze => words.strip(),
        }
    }

    fn say(self, at: usize, words: Words<'_>, out: &mut Out<'_>) {
        let mut rest = words;
        while self == Trim::Squeeze
            && let Some(found) = rest.find("\n\n")
        {
            let len = rest.len();
            out.piece(Origin::Content(at), rest.part(0..found + 1));
            rest = rest.part(found + 2..len);
        }
        out.say(at, rest);
    }
}

impl Style for Marks {
    fn write(&self, chat: &Chat<'_>, out: &mut Out<'_>) -> Result<()> {
        let mut turns = chat.turns.iter().enumerate().peekable();
        let last = chat.turns.len() - 1;
        let head = turns.next_if(|(_, turn)| turn.is("system") && self.head.takes());
        let first = turns.peek().map(|(_, turn)| *turn);
        self.begin(chat, head, first, out)?;
        for (index, (at, turn)) in turns.enumerate() {
            if self.alternate && turn.is("user") != (index % 2 == 0) {
                return Err(out.out_of_turn(at, turn, index));
            }
            let mark = match &*turn.role {
                "user" => &self.user,
                "assistant" => &self.assistant,
                "system" if self.system.is_some() => self.system.as_ref().unwrap_or(&self.user),
                _ => {
                    self.other(at, turn, out)?;
                    continue;
                }
            };
            match (
                head.filter(|(_, head)| !matches!(head.content, Content::Absent)),
                &self.head,
            ) {
                (Some(head), Head::InFirst { open, close, rule }) if index == 0 => {
                    self.first(head, (at, turn), (open, close, *rule), out)?;
                }
                _ => mark.write(at, turn, at == last, out)?,
            }
        }
        if out.answers() {
            out.raw(self.answer);
            return Ok(());
        }
        match self.closing {
            Closing::Nothing => {}
            Closing::Always(text) => out.raw(text),
            Closing::AfterAssistant(text) if chat.turns[last].is("assistant") => out.raw(text),
            Closing::AfterAssistant(_) => {}
        }
        Ok(())
    }

    fn reading(&self) -> Reading {
        self.read_marks()
    }
}

impl Marks {
    fn begin(
        &self,
        chat: &Chat<'_>,
        head: Option<(usize, &Turn<'_>)>,
        first: Option<&Turn<'_>>,
        out: &mut Out<'_>,
    ) -> Result<()> {
        match self.start {
            Start::Always(text) => out.raw(text),
            Start::IfAsked(text)
                if ["user", "system"].iter().any(|role| chat.turns[0].is(role)) =>
            {
                out.raw(text);
            }
            _ => {}
        }
        match (&self.head, head) {
            (Head::TurnOr(text), _) if !chat.turns[0].is("system") => out.raw(text),
            (Head::TurnOrNone(text), _) if !chat.turns.iter().any(|turn| turn.is("system")) => {
                out.raw(text);
            }
            (Head::Refused, Some((at, turn))) => {
                return Err(out.cannot(
                    at,
                    turn,
                    "holds instructions",
                    "put the instructions into the user message",
                ));
            }
            (Head::Before(mark), Some((at, turn))) => mark.write(at, turn, false, out)?,
            (Head::BeforeTurns(mark, _), Some((at, turn))) if first.is_some() => {
                mark.write(at, turn, false, out)?;
            }
            (Head::BeforeTurns(_, text), None) => out.raw(text),
            _ => {}
        }
        Ok(())
    }

    /// The first user message with the system message in it.
    fn first(
        &self,
        head: (usize, &Turn<'_>),
        (at, turn): (usize, &Turn<'_>),
        (open, close, rule): (&str, &str, Inside),
        out: &mut Out<'_>,
    ) -> Result<()> {
        let system = out.text(head.0, head.1)?;
        let text = out.text(at, turn)?;
        let words = Words::from(&text);
        out.raw(self.user.open);
        out.raw(open);
        out.say(head.0, Words::from(&system));
        out.raw(close);
        if rule == Inside::Keep || out.is_open(at) {
            out.say(at, words);
        } else {
            let words = words.strip_end();
            out.say(at, words);
            if words.is_empty() {
                out.strip_end();
            }
        }
        out.raw(self.user.close);
        Ok(())
    }

    fn other(&self, at: usize, turn: &Turn<'_>, out: &mut Out<'_>) -> Result<()> {
        match self.other {
            Other::Named {
                open,
                middle,
                close,
                trim,
                capital,
            } => {
                let text = trim.read(at, turn, out)?;
                out.raw(open);
                if capital {
                    out.role_capital(at, &turn.role);
                } else {
                    out.role(at, &turn.role);
                }
                out.raw(middle);
                trim.say(at, trim.apply(Words::from(&text)), out);
                out.raw(close);
                Ok(())
            }
            Other::AsAssistant if !out.is_strict() => self.assistant.write(at, turn, false, out),
            Other::Dropped => Ok(()),
            _ => Err(out.role_error(at, turn)),
        }
    }
}

impl Head {
    /// Whether the message is taken out of the turns.
    fn takes(&self) -> bool {
        matches!(
            self,
            Head::Before(_) | Head::BeforeTurns(..) | Head::InFirst { .. } | Head::Refused
        )
    }
}
