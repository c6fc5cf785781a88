//! Separation of reasoning from the answer where both are one text.

use crate::stream::Event;

/// Separates the reasoning before an answer from the answer, however the text is divided into chunks.
#[derive(Clone)]
pub(super) struct ReasoningParser {
    open: &'static str,
    close: &'static str,
    state: State,
    /// Text that may be part of a delimiter, or of the line breaks around one.
    buffer: String,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum State {
    /// It is not known yet whether the text begins with reasoning. `opened`: the prompt ends with the opening delimiter.
    Start {
        opened: bool,
    },
    /// After the opening delimiter.
    Opened,
    Reasoning,
    /// After the closing delimiter.
    Closed,
    Answer,
}

impl ReasoningParser {
    /// A parser for the answer to a prompt. A model that is `constrained` to a schema writes the answer alone.
    pub(super) fn new(
        delimiters: Option<(&'static str, &'static str)>,
        prompt: &str,
        constrained: bool,
    ) -> ReasoningParser {
        let (open, close) = delimiters.unwrap_or_default();
        let opened = !constrained && prompt.trim_end().ends_with(open);
        ReasoningParser {
            open,
            close,
            state: match delimiters {
                Some(_) => State::Start { opened },
                None => State::Answer,
            },
            buffer: String::new(),
        }
    }

    /// The events of a chunk of text.
    pub(super) fn parse(&mut self, text: &str) -> Vec<Event> {
        self.buffer.push_str(text);
        let mut events = Vec::new();
        loop {
            let before = self.state;
            self.step(&mut events);
            if self.state == before {
                return events;
            }
        }
    }

    fn step(&mut self, events: &mut Vec<Event>) {
        match self.state {
            State::Start { opened } => {
                let begun = self.buffer.trim_start();
                if let Some(rest) = begun.strip_prefix(self.open) {
                    self.buffer = rest.to_owned();
                    self.state = State::Opened;
                } else if !self.open.starts_with(begun) {
                    self.state = if opened { State::Opened } else { State::Answer };
                }
            }
            State::Opened => self.trim(State::Reasoning),
            State::Reasoning => match self.buffer.find(self.close) {
                Some(at) => {
                    let rest = self.buffer.split_off(at + self.close.len());
                    self.buffer.truncate(at);
                    let reasoning = self.buffer.trim_end_matches('\n').len();
                    self.emit(reasoning, Event::Reasoning, events);
                    self.buffer = rest;
                    self.state = State::Closed;
                }
                None => self.emit(self.reasoning_length(), Event::Reasoning, events),
            },
            State::Closed => self.trim(State::Answer),
            State::Answer => self.emit(self.buffer.len(), Event::Text, events),
        }
    }

    /// Removes line breaks before the first other character.
    fn trim(&mut self, next: State) {
        self.buffer = self.buffer.trim_start_matches('\n').to_owned();
        if !self.buffer.is_empty() {
            self.state = next;
        }
    }

    /// The length of the buffered text that belongs to the reasoning, whatever follows.
    fn reasoning_length(&self) -> usize {
        let text = &self.buffer;
        let ends = text.char_indices().map(|(at, _)| at);
        let delimiter = ends
            .filter(|at| text.len() - at < self.close.len())
            .find(|at| self.close.starts_with(&text[*at..]));
        text[..delimiter.unwrap_or(text.len())]
            .trim_end_matches('\n')
            .len()
    }

    fn emit(&mut self, end: usize, event: fn(String) -> Event, events: &mut Vec<Event>) {
        let rest = self.buffer.split_off(end);
        let text = std::mem::replace(&mut self.buffer, rest);
        if !text.is_empty() {
            events.push(event(text));
        }
    }

    /// The buffered text, after the end of the stream.
    pub(super) fn finish(&mut self) -> Option<Event> {
        let rest = std::mem::take(&mut self.buffer);
        let event = match self.state {
            State::Start { .. } | State::Closed | State::Answer => Event::Text,
            State::Opened | State::Reasoning => Event::Reasoning,
        };
        (!rest.is_empty()).then(|| event(rest))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use prompt_core::Reply;

    use super::*;

    const DELIMITERS: Option<(&str, &str)> = Some(("<think>", "</think>"));

    fn read(mut reasoning: ReasoningParser, pieces: &[&str]) -> (Option<String>, String) {
        let mut reply = Reply::default();
        let mut events: Vec<Event> = pieces
            .iter()
            .flat_map(|piece| reasoning.parse(piece))
            .collect();
        events.extend(reasoning.finish());
        for event in events {
            match event {
                Event::Text(text) => reply.text += &text,
                Event::Reasoning(text) => *reply.reasoning.get_or_insert_default() += &text,
                Event::End(_) => unreachable!("no text ends a stream"),
            }
        }
        (reply.reasoning, reply.text)
    }

    /// A text, whether the prompt opened the reasoning, the expected reasoning and the expected answer.
    type Case = (&'static str, bool, Option<&'static str>, &'static str);

    const CASES: [Case; 13] = [
        ("4", false, None, "4"),
        ("<think>\nEasy.\n</think>\n\n4", false, Some("Easy."), "4"),
        ("\n<think>Easy.</think>4\n", false, Some("Easy."), "4\n"),
        ("Easy.\n</think>\n\n4", true, Some("Easy."), "4"),
        ("<think>\nEasy.\n</think>\n\n4", true, Some("Easy."), "4"),
        ("\n</think>\n\n4", true, None, "4"),
        ("<think>\n\n</think>\n\n4", false, None, "4"),
        (
            "<think>a </thin b\n\n c</think> 4",
            false,
            Some("a </thin b\n\n c"),
            " 4",
        ),
        ("<think>So", false, Some("So"), ""),
        ("<think>So </thi", false, Some("So </thi"), ""),
        ("<thin", false, None, "<thin"),
        (
            "  Say <think> x </think>",
            false,
            None,
            "  Say <think> x </think>",
        ),
        ("Ü</think>ä</think>", true, Some("Ü"), "ä</think>"),
    ];

    #[test]
    fn reasoning_is_separated_however_the_text_is_divided() {
        for (text, opened, expected_reasoning, answer) in CASES {
            let prompt = if opened { "Hi<think>\n" } else { "Hi" };
            let expected = (expected_reasoning.map(str::to_owned), answer.to_owned());
            let reasoning = || ReasoningParser::new(DELIMITERS, prompt, false);
            assert_eq!(read(reasoning(), &[text]), expected, "{text:?}");
            for (at, _) in text.char_indices() {
                let (one, two) = text.split_at(at);
                assert_eq!(read(reasoning(), &[one, two]), expected, "{one:?} {two:?}");
            }
            let chars: Vec<String> = text.chars().map(String::from).collect();
            let chars: Vec<&str> = chars.iter().map(String::as_str).collect();
            assert_eq!(
                read(reasoning(), &chars),
                expected,
                "{text:?} by characters"
            );
        }
    }

    #[test]
    fn answers_constrained_to_a_schema_have_no_reasoning() {
        let reasoning = ReasoningParser::new(DELIMITERS, "Hi<think>\n", true);
        assert_eq!(read(reasoning, &["{}"]), (None, "{}".to_owned()));
    }

    #[test]
    fn text_without_delimiters_is_the_answer() {
        let text = "<think>So</think>4";
        assert_eq!(
            read(ReasoningParser::new(None, "Hi<think>", false), &[text]),
            (None, text.to_owned())
        );
    }

    proptest! {
        #[test]
        fn all_text_is_emitted_once(pieces in prop::collection::vec("(<think>|</think>|[<>/a\nö]|think){0,4}", 0..8), opened: bool) {
            let prompt = if opened { "<think>" } else { "" };
            let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
            let whole = pieces.concat();
            let read_pieces = read(ReasoningParser::new(DELIMITERS, prompt, false), &pieces);
            prop_assert_eq!(&read_pieces, &read(ReasoningParser::new(DELIMITERS, prompt, false), &[&whole]));
            let without_delimiters = |text: &str| text.replace("<think>", "").replace("</think>", "").replace('\n', "");
            let (reasoning, answer) = read_pieces;
            prop_assert_eq!(without_delimiters(&whole), without_delimiters(&(reasoning.unwrap_or_default() + "\n" + &answer)));
        }
    }
}
