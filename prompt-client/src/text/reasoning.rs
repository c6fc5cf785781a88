//! What a model thinks, told apart from its answer while both come as one text.

use prompt_core::Reply;

use crate::stream::Event;

/// Reads the reasoning in front of an answer, however its text is cut into pieces.
pub(super) struct Reasoning {
    open: &'static str,
    close: &'static str,
    state: State,
    /// What may be part of a mark, or of the line breaks beside one.
    held: String,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum State {
    /// Nothing has come that tells whether the model thinks; it does, if the prompt opened its reasoning.
    Start {
        opened: bool,
    },
    /// The first words of the reasoning have not come.
    Opened,
    Thinking,
    /// The reasoning is closed, and the first words of the answer have not come.
    Closed,
    Answer,
}

impl Reasoning {
    /// For an answer to a prompt that ends so; a model that is `held` to a schema writes the answer alone.
    pub(super) fn new(
        marks: Option<(&'static str, &'static str)>,
        prompt: &str,
        held: bool,
    ) -> Reasoning {
        let (open, close) = marks.unwrap_or_default();
        let opened = !held && prompt.trim_end().ends_with(open);
        Reasoning {
            open,
            close,
            state: match marks {
                Some(_) => State::Start { opened },
                None => State::Answer,
            },
            held: String::new(),
        }
    }

    /// The parts of a piece of text.
    pub(super) fn push(&mut self, text: &str) -> Vec<Event> {
        self.held.push_str(text);
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
                let begun = self.held.trim_start();
                if let Some(rest) = begun.strip_prefix(self.open) {
                    self.held = rest.to_owned();
                    self.state = State::Opened;
                } else if !self.open.starts_with(begun) {
                    self.state = if opened { State::Opened } else { State::Answer };
                }
            }
            State::Opened => self.trim(State::Thinking),
            State::Thinking => match self.held.find(self.close) {
                Some(at) => {
                    let rest = self.held.split_off(at + self.close.len());
                    self.held.truncate(at);
                    let thought = self.held.trim_end_matches('\n').len();
                    self.say(thought, Event::Reasoning, events);
                    self.held = rest;
                    self.state = State::Closed;
                }
                None => self.say(self.told(), Event::Reasoning, events),
            },
            State::Closed => self.trim(State::Answer),
            State::Answer => self.say(self.held.len(), Event::Text, events),
        }
    }

    /// Leaves line breaks out until something else comes.
    fn trim(&mut self, next: State) {
        self.held = self.held.trim_start_matches('\n').to_owned();
        if !self.held.is_empty() {
            self.state = next;
        }
    }

    /// How much of the held text belongs to the reasoning, whatever comes.
    fn told(&self) -> usize {
        let text = &self.held;
        let ends = text.char_indices().map(|(at, _)| at);
        let mark = ends
            .filter(|at| text.len() - at < self.close.len())
            .find(|at| self.close.starts_with(&text[*at..]));
        text[..mark.unwrap_or(text.len())]
            .trim_end_matches('\n')
            .len()
    }

    fn say(&mut self, end: usize, event: fn(String) -> Event, events: &mut Vec<Event>) {
        let rest = self.held.split_off(end);
        let said = std::mem::replace(&mut self.held, rest);
        if !said.is_empty() {
            events.push(event(said));
        }
    }

    /// What was held back, now that nothing comes any more.
    pub(super) fn finish(&mut self) -> Option<Event> {
        let rest = std::mem::take(&mut self.held);
        let event = match self.state {
            State::Start { .. } | State::Closed | State::Answer => Event::Text,
            State::Opened | State::Thinking => Event::Reasoning,
        };
        (!rest.is_empty()).then(|| event(rest))
    }

    /// Splits the text of a whole answer.
    pub(super) fn split(&mut self, reply: &mut Reply) {
        let text = std::mem::take(&mut reply.text);
        let mut events = self.push(&text);
        events.extend(self.finish());
        for event in events {
            match event {
                Event::Text(text) => reply.text.push_str(&text),
                Event::Reasoning(text) => {
                    reply.reasoning.get_or_insert_default().push_str(&text);
                }
                Event::End(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MARKS: Option<(&str, &str)> = Some(("<think>", "</think>"));

    fn read(mut reasoning: Reasoning, pieces: &[&str]) -> (Option<String>, String) {
        let mut reply = Reply::default();
        let mut events: Vec<Event> = pieces
            .iter()
            .flat_map(|piece| reasoning.push(piece))
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

    /// A text, whether the prompt opened the reasoning, and what is read.
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
    fn reasoning_is_told_apart_however_the_text_is_cut() {
        for (text, opened, thought, answer) in CASES {
            let prompt = if opened { "Hi<think>\n" } else { "Hi" };
            let expected = (thought.map(str::to_owned), answer.to_owned());
            let reasoning = || Reasoning::new(MARKS, prompt, false);
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
    fn a_model_that_is_held_to_a_schema_does_not_think() {
        let reasoning = Reasoning::new(MARKS, "Hi<think>\n", true);
        assert_eq!(read(reasoning, &["{}"]), (None, "{}".to_owned()));
    }

    #[test]
    fn an_answer_of_a_model_that_does_not_think_is_its_text() {
        let text = "<think>So</think>4";
        assert_eq!(
            read(Reasoning::new(None, "Hi<think>", false), &[text]),
            (None, text.to_owned())
        );
    }

    proptest! {
        #[test]
        fn what_comes_is_told_once(pieces in prop::collection::vec("(<think>|</think>|[<>/a\nö]|think){0,4}", 0..8), opened: bool) {
            let prompt = if opened { "<think>" } else { "" };
            let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
            let whole = pieces.concat();
            let read_pieces = read(Reasoning::new(MARKS, prompt, false), &pieces);
            prop_assert_eq!(&read_pieces, &read(Reasoning::new(MARKS, prompt, false), &[&whole]));
            let words = |text: &str| text.replace("<think>", "").replace("</think>", "").replace('\n', "");
            let (thought, answer) = read_pieces;
            prop_assert_eq!(words(&whole), words(&(thought.unwrap_or_default() + "\n" + &answer)));
        }
    }
}
