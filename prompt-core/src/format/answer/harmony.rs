//! Answers of gpt-oss: messages in channels.

use super::call::{AnswerCursor, CallStep, CallStop};
use super::{AnswerParser, AnswerPart, AnswerState, CallSearch, Opening};
use crate::Result;
use prompt_family::tokens::gpt_oss::{CALL, CHANNEL, END, MESSAGE, RETURN, START};

/// The headers of messages without their tokens, as servers deliver them that remove special tokens.
const STRIPPED: [&str; 3] = ["assistantfinal", "assistantcommentary", "assistantanalysis"];
/// The tokens that end a message.
const ENDS: [&str; 5] = [END, CALL, RETURN, START, CHANNEL];

/// Before the recipient of a message.
const RECIPIENT: &str = "to=";
/// How many characters the recipient of a message may have.
const MAX_RECIPIENT: usize = 100;

/// The header of a message.
enum Header {
    /// The text is reasoning or not.
    Message { is_reasoning: bool },
    /// A call, and the name of its tool.
    Call(String),
    /// No header: the text of an answer whose tokens are missing.
    Plain,
}

impl AnswerParser {
    /// Parses the header of the next message, and all of it if it is a call.
    pub(super) fn read_header(&mut self, end: bool) -> Result<()> {
        if self.text.len() < self.retry && !end {
            return Ok(());
        }
        let mut cursor = AnswerCursor::new(self, self.at, end);
        let parsed = cursor.harmony_header().and_then(|header| match header {
            Header::Call(name) => {
                let calls = cursor.harmony_calls(&name)?;
                Ok((AnswerState::Header, calls))
            }
            Header::Message { is_reasoning } => {
                Ok((AnswerState::Message { is_reasoning }, Vec::new()))
            }
            Header::Plain => Ok((
                AnswerState::Message {
                    is_reasoning: false,
                },
                Vec::new(),
            )),
        });
        let next = cursor.at;
        let is_stripped = next > self.at && !self.text[self.at..next].contains("<|");
        let is_plain = next == self.at;
        match parsed {
            Ok((state, calls)) => {
                // Several messages of a channel are lines.
                match state {
                    AnswerState::Message { is_reasoning: true } if self.has_reasoning => {
                        self.parts.push_back(AnswerPart::Reasoning("\n".to_owned()));
                    }
                    AnswerState::Message {
                        is_reasoning: false,
                    } if self.has_text && !is_plain => {
                        self.parts.push_back(AnswerPart::Text("\n".to_owned()));
                    }
                    _ => {}
                }
                self.is_stripped |= is_stripped;
                self.state = state;
                self.has_calls |= !calls.is_empty();
                self.parts.extend(calls.into_iter().map(AnswerPart::Call));
                (self.at, self.retry) = (next, 0);
                self.begin_answer();
                Ok(())
            }
            Err(CallStop::More) => {
                self.retry = self.next_try(self.at);
                Ok(())
            }
            Err(CallStop::Wrong(span, error)) => Err(self.error(span, &error)),
        }
    }

    /// Emits the text of a message.
    pub(super) fn message(&mut self, is_reasoning: bool, end: bool) {
        let from = self.scanned.max(self.at);
        let rest = &self.text[from..];
        let (ends, begin): (Vec<&str>, _) = match self.is_stripped {
            true => (STRIPPED.to_vec(), "assistant"),
            false => (self.message_ends().collect(), "<|"),
        };
        let found = rest.match_indices(begin).find_map(|(at, _)| {
            let mut ends = ends.iter();
            Some((at, *ends.find(|token| rest[at..].starts_with(**token))?))
        });
        let read = match found {
            Some((length, _)) => length,
            None if end => rest.len(),
            None => ends
                .iter()
                .map(|token| super::partial_length(rest, token))
                .min()
                .unwrap_or(0),
        };
        let written = rest[..read].trim_end().len();
        if written > 0 {
            self.trimmed = from + written;
        }
        self.scanned = from + read;
        // The header of a message without `<|start|>` may follow white space, and begin with the recipient.
        let is_open = found.is_none() && !end;
        let recipient = match found {
            Some((_, CHANNEL)) => self.recipient_position(true),
            None if !end => self.recipient_position(self.trimmed < self.scanned),
            _ => None,
        };
        let length = match (recipient, found) {
            (Some(start), _) => self.at + self.text[self.at..start].trim_end().len(),
            (None, Some((_, CHANNEL))) => self.trimmed.max(self.at),
            (None, _) if is_open => self.trimmed.max(self.at),
            _ => self.scanned,
        };
        let next = found.map(|(at, _)| recipient.unwrap_or(from + at));
        if is_reasoning {
            self.emit_reasoning(length);
        } else {
            self.emit_text(length);
        }
        if let Some(at) = next {
            self.end_message(at);
        }
    }

    /// The position of the recipient of the next message, `to=functions.tide`, at the end of the text, or of what may be its beginning.
    fn recipient_position(&self, is_whole: bool) -> Option<usize> {
        let text = &self.text[self.at..self.trimmed.max(self.at)];
        let mut letters = text.char_indices().rev().take(MAX_RECIPIENT);
        let space = letters.find(|(_, letter)| letter.is_whitespace());
        let start = match space {
            Some((at, space)) => at + space.len_utf8(),
            None if text.len() < MAX_RECIPIENT => 0,
            None => return None,
        };
        let word = &text[start..];
        let is_begun = !is_whole && !word.is_empty() && RECIPIENT.starts_with(word);
        (word.starts_with(RECIPIENT) || is_begun).then_some(self.at + start)
    }

    /// Continues with the header of the next message after the token at this position, which ends a message or begins the header.
    pub(super) fn end_message(&mut self, at: usize) {
        let ended = self.message_ends().find(|token| {
            let is_header = [START, CHANNEL].contains(token) || self.is_stripped;
            !is_header && self.text[at..].starts_with(token)
        });
        self.at = at + ended.map_or(0, str::len);
        self.state = AnswerState::Header;
        self.begin_answer();
    }

    /// Whether the message ends here.
    pub(super) fn message_end(&self, end: bool) -> CallSearch {
        let rest = &self.text[self.scanned..];
        let before = &self.text[self.at..self.scanned];
        if before.is_empty() || before.ends_with(char::is_whitespace) {
            match AnswerCursor::new(self, self.scanned, end).is_recipient() {
                Ok(true) => return CallSearch::TextEnd,
                Err(CallStop::More) => return CallSearch::Partial,
                _ => {}
            }
        }
        let mut ends = self.message_ends();
        match ends.any(|token| rest.starts_with(token)) {
            true => CallSearch::TextEnd,
            false if !end && self.message_ends().any(|token| token.starts_with(rest)) => {
                CallSearch::Partial
            }
            false => CallSearch::No,
        }
    }
}

impl AnswerParser {
    /// The tokens that end a message.
    fn message_ends(&self) -> impl Iterator<Item = &'static str> + use<> {
        let first = self.syntaxes.first();
        let own = first.map_or(["", ""], |first| [first.close, first.section_close]);
        let own = own.into_iter().filter(|end| !end.is_empty());
        ENDS.into_iter().chain(own)
    }
}

impl AnswerCursor<'_> {
    /// Whether the header of a message without its first tokens follows: `to=tide<|message|>`.
    fn is_recipient(&mut self) -> CallStep<bool> {
        if !self.eat_token(RECIPIENT)? {
            return Ok(false);
        }
        self.name()?;
        self.eat_token(MESSAGE)
    }

    /// Whether a token follows that ends a message, which is then skipped.
    fn eat_end(&mut self) -> CallStep<bool> {
        for end in self.parser.message_ends() {
            if ![START, CHANNEL].contains(&end) && self.eat_token(end)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// `<|start|>assistant<|channel|>commentary to=functions.tide <|constrain|>json<|message|>`, each part of it optional.
    fn harmony_header(&mut self) -> CallStep<Header> {
        let before = self.at;
        self.skip_space();
        let start = self.at;
        if self.rest().is_empty() {
            self.at = before;
            return if self.end {
                Ok(Header::Plain)
            } else {
                Err(CallStop::More)
            };
        }
        let is_started = self.eat_token(START)?;
        let is_header = is_started || {
            let at = self.at;
            let known = self.eat_token(CHANNEL)?
                || self.eat_token(RECIPIENT)?
                || self.eat_token("assistant to=")?
                || self.eat_token("assistant<|")?
                || self.text[..before].ends_with(CALL) && self.eat_token("commentary to=")?;
            self.at = at;
            known
        };
        if !is_header {
            self.at = before;
            return self.parse_stripped_header();
        }
        let header = match self.take_until(MESSAGE) {
            Ok(header) => header,
            Err(CallStop::Wrong(..)) => {
                return Err(self.error_at(
                    start..self.text.len(),
                    "the answer ends inside the header of a message".to_owned(),
                ));
            }
            Err(more) => return Err(more),
        };
        let role = header.split(CHANNEL).next().unwrap_or_default();
        let channel = match header.rsplit_once(CHANNEL) {
            Some((_, channel)) => channel,
            None if role.starts_with("commentary ") => role,
            None => "final",
        };
        let role = role.strip_prefix("commentary ").unwrap_or(role);
        let role = role.split_whitespace().next().unwrap_or_default();
        if !["", "assistant"].contains(&role) && !role.starts_with(RECIPIENT) {
            return Err(self.error_at(
                start..self.at,
                format!("the answer continues with a message of `{role}`"),
            ));
        }
        let recipient = header
            .split(|letter: char| letter == '<' || letter.is_whitespace())
            .find_map(|word| word.strip_prefix(RECIPIENT));
        let channel = channel.split([' ', '<']).next().unwrap_or_default();
        match (recipient, channel) {
            (Some("self"), _) => Ok(Header::Message { is_reasoning: true }),
            (Some(name), _) if name != "user" => Ok(Header::Call(name.to_owned())),
            (_, "analysis") => Ok(Header::Message { is_reasoning: true }),
            (_, "final" | "commentary") => Ok(Header::Message {
                is_reasoning: false,
            }),
            _ => Err(self.error_at(start..self.at, format!("there is no channel `{channel}`"))),
        }
    }

    /// The same without its tokens, which servers remove: `analysisEasy.assistantfinal4`.
    fn parse_stripped_header(&mut self) -> CallStep<Header> {
        let start = self.at;
        self.skip_space();
        let is_first = start == 0 || self.parser.is_stripped;
        if is_first && self.eat_token("analysis")? {
            let is_answer = STRIPPED.iter().any(|marker| self.rest().contains(marker));
            match is_answer {
                true => return Ok(Header::Message { is_reasoning: true }),
                false if !self.end => return Err(CallStop::More),
                false => {}
            }
        } else if is_first && self.eat_token("assistantanalysis")? {
            return Ok(Header::Message { is_reasoning: true });
        } else if is_first && self.eat_token("assistantfinal")? {
            return Ok(Header::Message {
                is_reasoning: false,
            });
        } else if is_first
            && (self.eat_token("assistantcommentary")? || self.eat_token("commentary to=")?)
        {
            self.at -= if self.text[..self.at].ends_with(RECIPIENT) {
                3
            } else {
                0
            };
            self.skip_space();
            if !self.eat_token(RECIPIENT)? {
                return Ok(Header::Message {
                    is_reasoning: false,
                });
            }
            let name = self.name()?.to_owned();
            self.skip_space();
            self.eat_token("json")?;
            return Ok(Header::Call(name));
        }
        self.at = start;
        Ok(Header::Plain)
    }

    fn harmony_calls(&mut self, recipient: &str) -> CallStep<Vec<crate::ToolCall>> {
        let name = recipient.strip_prefix("functions.").unwrap_or(recipient);
        self.skip_space();
        let start = self.at;
        if let Some((index, syntax)) = self.parser.syntaxes.iter().enumerate().nth(1)
            && self.eat_token(syntax.section_open)?
        {
            self.at = start;
            let calls = self.calls(Opening::Delimited(index))?;
            self.end_of_call()?;
            return Ok(calls);
        }
        let arguments = match self.peek()? {
            Some('{') => self.arguments()?,
            // A call without arguments.
            Some(_) if self.eat_end()? => {
                self.at = start;
                "{}".to_owned()
            }
            _ => return Err(self.expected_error("the arguments as a JSON object")),
        };
        let span = start..self.at;
        self.end_of_call()?;
        Ok(vec![self.finish(None, name, arguments, span)?])
    }

    /// Skips the end of the message. The next message may begin without it.
    fn end_of_call(&mut self) -> CallStep<()> {
        self.skip_space();
        // Closing delimiters that the model repeats.
        for syntax in self.parser.syntaxes.iter().skip(1) {
            while self.eat_token(syntax.close)? || self.eat_token(syntax.section_close)? {
                self.skip_space();
            }
        }
        if self.peek()?.is_none() || self.eat_end()? {
            return Ok(());
        }
        let at = self.at;
        if !self.eat_token(START)? {
            let ends = self
                .parser
                .syntaxes
                .first()
                .map(|first| first.section_close);
            let end = ends.filter(|end| !end.is_empty()).unwrap_or(CALL);
            return Err(self.expected_error(&format!("`{end}`")));
        }
        self.at = at;
        Ok(())
    }
}
