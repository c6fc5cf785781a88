//! The bytes of a text that the model generates, for training.
//!
//! Without `{% generation %}` blocks, a turn of the assistant is what the template writes while its loop visits the message, from the
//! end of the prompt for the answer on. That prompt is rendered from the messages before it, and compared with the text before the
//! answer.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use prompt_core::format::FormatOptions;
use prompt_core::{ChatFormat as _, Error, ErrorKind, Origin, Result, Role};

use crate::ChatTemplate;
use crate::engine::EngineLimits;
use crate::node::{InputNode, NamedMessage, RequestPart, TemplateConversation};
use crate::render::{Rendered, Rendering, Turn};
use crate::tokens::PROBE;

impl ChatTemplate {
    /// The bytes that the model generates: what `{% generation %}` blocks wrote, or else the assistant's turns.
    ///
    /// # Errors
    /// It is unknown where a turn of the assistant begins or ends.
    pub(crate) fn generated_ranges(
        &self,
        rendered: &Rendered,
        options: &FormatOptions,
    ) -> Result<Vec<Range<usize>>> {
        match self.has_generation() {
            true => Ok(rendered.generated()),
            false => self.assistant_ranges(rendered, options),
        }
    }

    fn assistant_ranges(
        &self,
        rendered: &Rendered,
        options: &FormatOptions,
    ) -> Result<Vec<Range<usize>>> {
        let left = Arc::new(AtomicU64::new(rendered.rendering.limits.memory));
        let render = |messages: &[InputNode], generation_prompt: bool| {
            let rendering = &rendered.rendering;
            let part = Rendering {
                conversation: TemplateConversation {
                    messages: messages.to_vec(),
                    tools: rendering.conversation.tools.clone(),
                },
                variables: rendering.variables.clone(),
                generation_prompt,
                open: false,
                limits: EngineLimits {
                    left: left.clone(),
                    ..rendering.limits.clone()
                },
            };
            self.render_again(part, options).ok()
        };
        let messages = &rendered.rendering.conversation.messages;
        let outside = rendered.data_in(0..rendered.text.len());
        let outside = outside.filter(|data| !rendered.is_in_turn(data.0.start));
        let mut turns = AssistantTurns {
            rendered,
            messages,
            turns: rendered.turns_by_message(),
            outside: outside.filter_map(|data| data.1.message()).collect(),
            reasoning: self.reasoning_delimiters(),
            render: &render,
            headers: Vec::new(),
            ends_turns: None,
        };
        let mut ranges = Vec::new();
        for (index, message) in messages.iter().enumerate() {
            if role_of(message) == Some(Role::Assistant.name()) {
                let range = turns.range_of(index);
                let range =
                    range.map_err(|why| unknown_range(NamedMessage::new(messages, index), why));
                ranges.extend(range?);
            }
        }
        Ok(ranges)
    }
}

/// A message at an index whose text is data.
fn text_message(role: Role, index: usize) -> InputNode {
    let text = InputNode::data_text(PROBE, RequestPart::Message(index));
    let entries = [
        ("role", InputNode::template_text(role.name())),
        ("content", text),
    ];
    let entries = entries.map(|(key, value)| (InputNode::template_text(key), value));
    InputNode::Map(entries.into())
}

fn role_of(message: &InputNode) -> Option<&str> {
    message.get("role").and_then(InputNode::as_str)
}

fn unknown_range(message: NamedMessage<'_>, why: &str) -> Error {
    let text = format!("the text that the model generates for {message} is unknown: {why}");
    let error = message.add_to(Error::new(ErrorKind::Unsupported, text));
    error.with_help(
        "put `{% generation %}` and `{% endgeneration %}` around it in the chat template, as in the templates for training of Hugging Face's trl",
    )
}

/// Why a turn has no range.
type Reason = &'static str;

/// The turns of the assistant in a rendered text.
struct AssistantTurns<'r> {
    rendered: &'r Rendered,
    messages: &'r [InputNode],
    /// What loops wrote for each message.
    turns: Vec<Vec<Range<usize>>>,
    /// The messages of which something is written outside of loops over the messages.
    outside: BTreeSet<usize>,
    /// The delimiters of reasoning, with which a prompt may end.
    reasoning: Option<(&'static str, &'static str)>,
    /// Renders messages, with the generation prompt or without it.
    render: &'r dyn Fn(&[InputNode], bool) -> Option<Rendered>,
    /// Headers of turns, with the role of the turn before.
    headers: Vec<(Option<&'r str>, &'r str)>,
    ends_turns: Option<bool>,
}

impl<'r> AssistantTurns<'r> {
    /// What the model generates of an assistant message; `None` if the template writes nothing for it.
    fn range_of(&mut self, message: usize) -> Result<Option<Range<usize>>, Reason> {
        let Some(turn) = self.turn_of(message)? else {
            return Ok(None);
        };
        let start = turn.start + self.header_of(message, &turn)?.len();
        let end = self.end_of(message, &turn)?;
        Ok(Some(start..end.max(start)))
    }

    /// What the template writes while its loop visits a message.
    fn turn_of(&self, message: usize) -> Result<Option<Range<usize>>, Reason> {
        let turn = match &self.turns[message][..] {
            [] => None,
            [turn] => Some(turn.clone()),
            _ => return Err(PARTS),
        };
        if self.outside.contains(&message) {
            return Err("the template writes it outside of a loop over the messages");
        }
        match &turn {
            Some(turn) if self.rendered.has_data_of_others(message, turn) => Err(OTHERS),
            _ => Ok(turn),
        }
    }

    /// The end of a turn.
    fn end_of(&mut self, message: usize, turn: &Range<usize>) -> Result<usize, Reason> {
        let rendered = self.rendered;
        let is_last = rendered
            .turns
            .last()
            .is_some_and(|last| last.message == message);
        if is_last && rendered.rendering.open {
            return Ok(turn.end);
        }
        let end = match is_last {
            true => self.end_of_last(message, turn)?,
            false => turn.end,
        };
        // A space behind the end token is that before the next turn.
        let own = rendered.last_data(end).max(turn.start);
        let end = own + rendered.text[own..end].trim_end_matches(' ').len();
        match own < end && self.ends_turns() {
            true => Ok(end),
            false => Err(
                "the template writes nothing at its end, so that a model would not learn to end it",
            ),
        }
    }

    /// The end of the last turn. What the template writes behind its loop belongs to it, unless it is a generation prompt.
    fn end_of_last(&self, message: usize, turn: &Range<usize>) -> Result<usize, Reason> {
        self.check_results(message)?;
        let (text, asks) = (
            &*self.rendered.text,
            self.rendered.rendering.generation_prompt,
        );
        if !asks && turn.end == text.len() {
            return Ok(turn.end);
        }
        let other = (self.render)(self.messages, !asks)
            .ok_or("the template does not render it with and without the generation prompt")?;
        if !asks {
            // A template may write a generation prompt in any case.
            return Ok(if text == other.text {
                turn.end
            } else {
                text.len()
            });
        }
        let same = text.bytes().zip(other.text.bytes());
        let same = same.take_while(|(one, other)| one == other).count();
        let end = turn.end.min(same);
        match other
            .turns
            .last()
            .is_some_and(|last| end < last.range.end.min(turn.end))
        {
            true => Err("it has another end with the generation prompt"),
            false => Ok(end),
        }
    }

    /// Whether the template writes something at the end of an answer that is a text, as known so far. What closes a call or reasoning
    /// does not end a turn.
    fn ends_turns(&mut self) -> bool {
        *self.ends_turns.get_or_insert_with(|| {
            let roles = [Role::User, Role::Assistant, Role::User];
            let messages = roles
                .iter()
                .enumerate()
                .map(|(at, role)| text_message(*role, at));
            let rendered = (self.render)(&messages.collect::<Vec<_>>(), false);
            let is_open = |rendered: Rendered| {
                let mut turns = rendered.turns.iter().filter(|turn| turn.message == 1);
                turns.any(|turn| rendered.last_data(turn.range.end) == turn.range.end)
            };
            !rendered.is_some_and(is_open)
        })
    }

    /// Some templates write the results of calls inside the turn of the assistant, and begin them behind the last calls.
    fn check_results(&self, message: usize) -> Result<(), Reason> {
        if self.messages[message].get("tool_calls").is_none() {
            return Ok(());
        }
        let result = text_message(Role::Tool, self.messages.len());
        let messages = [self.messages, &[result]].concat();
        let with_result = (self.render)(&messages, false);
        let has_result = with_result.is_some_and(|rendered| {
            let own = &rendered.turns_by_message()[message];
            own.len() > 1
                || own
                    .iter()
                    .any(|turn| rendered.has_data_of_others(message, turn))
        });
        match has_result {
            true => Err(OTHERS),
            false => Ok(()),
        }
    }

    /// The beginning of a turn that belongs to the prompt for the answer.
    fn header_of(&mut self, message: usize, turn: &Range<usize>) -> Result<&'r str, Reason> {
        let rendered = self.rendered;
        let text = &rendered.text[turn.clone()];
        let before = rendered.turn_before(turn.start);
        let before = before.and_then(|turn| role_of(&self.messages[turn.message]));
        let mut known = self.headers.iter();
        if let Some(header) = known.find(|header| header.0 == before && text.starts_with(header.1))
        {
            return Ok(header.1);
        }
        // Behind the last data, the prompt is the same as the text before the answer.
        let mut start = rendered.last_data(turn.start);
        let earlier = Some(&self.messages[..message]).filter(|earlier| !earlier.is_empty());
        let mut prompt = earlier
            .and_then(|earlier| (self.render)(earlier, true))
            .map(|prompt| prompt.text[prompt.last_data(prompt.text.len())..].to_owned());
        if before.is_none() && prompt.is_none() {
            // The first turn begins as one behind a question.
            let asked = (self.render)(&[text_message(Role::User, 0)], true);
            let asked = asked
                .and_then(|asked| Some(asked.text[asked.turns.last()?.range.end..].to_owned()));
            start = turn.start;
            prompt = asked.filter(|prompt| !prompt.is_empty());
        }
        let prompt = prompt.ok_or("the template does not render the messages before it")?;
        let prompt = without_reasoning(&prompt, self.reasoning).trim_end_matches(' ');
        let data = rendered.data_in(turn.clone()).next();
        let first = data.map_or(turn.end, |data| data.0.start);
        let end = start + prompt.len();
        if !rendered.text[start..first].starts_with(prompt) || end < turn.start {
            return Err("it does not begin as the generation prompt of the template");
        }
        let header = &rendered.text[turn.start..end];
        self.headers.push((before, header));
        Ok(header)
    }
}

const PARTS: Reason = "the template writes it in several parts";
const OTHERS: Reason = "the template writes other messages inside of it";

/// A generation prompt without the beginning of the reasoning, or an empty reasoning, at its end: the model's turn begins before it.
fn without_reasoning<'p>(prompt: &'p str, delimiters: Option<(&str, &str)>) -> &'p str {
    let Some((open, close)) = delimiters else {
        return prompt;
    };
    let text = prompt.trim_end();
    let closed = text.strip_suffix(close);
    let opened = closed.map_or(text, str::trim_end).strip_suffix(open);
    opened.or(closed).unwrap_or(prompt)
}

impl Rendered {
    /// What loops wrote for each message, other than white space.
    fn turns_by_message(&self) -> Vec<Vec<Range<usize>>> {
        let mut turns = vec![Vec::new(); self.rendering.conversation.messages.len()];
        for turn in &self.turns {
            if !self.text[turn.range.clone()].trim().is_empty() {
                turns[turn.message].push(turn.range.clone());
            }
        }
        turns
    }

    /// The data that begins in a range, in order, with the part of the conversation that it is from.
    fn data_in(&self, range: Range<usize>) -> impl Iterator<Item = (Range<usize>, RequestPart)> {
        let first = self
            .segments
            .partition_point(|segment| segment.end <= range.start);
        let mut at = range.start;
        let segments = self.segments[first..].iter().map(move |segment| {
            let start = std::mem::replace(&mut at, segment.end);
            (start..segment.end, segment)
        });
        let inside = segments.take_while(move |(data, _)| data.start < range.end);
        let data = inside.filter(|(_, segment)| segment.origin != Origin::Structure);
        data.map(|(data, segment)| (data, segment.part))
    }

    /// Whether a part of the text has data of other messages.
    fn has_data_of_others(&self, message: usize, range: &Range<usize>) -> bool {
        let others = self
            .data_in(range.clone())
            .filter_map(|data| data.1.message());
        others.into_iter().any(|other| other != message)
    }

    fn is_in_turn(&self, at: usize) -> bool {
        let first = self.turns.partition_point(|turn| turn.range.end <= at);
        self.turns
            .get(first)
            .is_some_and(|turn| turn.range.start <= at)
    }

    /// The last turn that ends before a position.
    fn turn_before(&self, at: usize) -> Option<&Turn> {
        let count = self.turns.partition_point(|turn| turn.range.end <= at);
        self.turns[..count].last()
    }

    /// Where the template's own text before a position begins: behind the last data, or with the last turn if this has no data.
    fn last_data(&self, at: usize) -> usize {
        let turn = self.turn_before(at).map_or(0, |turn| turn.range.start);
        let count = self.segments.partition_point(|segment| segment.end <= at);
        let before = self.segments[..count].iter().rev();
        let mut near = before.take_while(|segment| segment.end > turn);
        let data = near.find(|segment| segment.origin != Origin::Structure);
        data.map_or(turn, |segment| segment.end)
    }
}
