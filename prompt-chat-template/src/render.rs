//! One rendering: the text, the origin of each byte, and the bytes that the model generates.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use prompt_core::format::FormatOptions;
use prompt_core::python::is_whitespace;
use prompt_core::{AnnotatedText, Error, ErrorKind, Origin, Result, Text};
use prompt_jinja::untyped::{Fault, Source, Steering, Value};

use crate::engine::{Engine, EngineLimits};
use crate::fault;
use crate::node::{InputNode, NamedMessage, RequestPart, TemplateConversation};
use crate::tokens::{TokenList, is_word_letter};

/// The input of one rendering of a template.
#[derive(Clone, Debug)]
pub(crate) struct Rendering {
    pub(crate) conversation: TemplateConversation,
    /// Variables besides the conversation.
    pub(crate) variables: Vec<(String, InputNode)>,
    pub(crate) generation_prompt: bool,
    /// Whether the last message is left open.
    pub(crate) open: bool,
    pub(crate) limits: EngineLimits,
}

/// How a rendering treats words of the template in data.
#[derive(Clone, Copy)]
pub(crate) struct Guarding<'t> {
    pub(crate) tokens: &'t TokenList,
    /// Whether data that contains one is an error.
    pub(crate) rejects: bool,
}

/// A rendered text with its sources.
pub(crate) struct Rendered {
    pub(crate) text: String,
    /// The origin of each segment of the text, up to its end.
    pub(crate) segments: Vec<Segment>,
    /// Parts of the conversation that are missing in the text, sorted.
    pub(crate) missing: Vec<RequestPart>,
    /// What loops over messages wrote, in order.
    pub(crate) turns: Vec<Turn>,
    /// What was rendered.
    pub(crate) rendering: Rendering,
}

/// A part of the text that a loop wrote while it visited a message.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    pub(crate) range: Range<usize>,
    pub(crate) message: usize,
}

/// A part of the text with one origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    pub(crate) end: usize,
    pub(crate) origin: Origin,
    pub(crate) part: RequestPart,
    /// Whether it is the name of a speaker, a call or a tool.
    pub(crate) is_name: bool,
    /// Whether a `{% generation %}` block wrote it.
    pub(crate) is_generated: bool,
}

/// Ends the last message while a template runs, so that its end is found, as in transformers: templates search for it. Those that strip
/// white space keep the text.
const OPEN_MARKER: &str = "CONTINUE_FINAL_MESSAGE_TAG ";

/// Where a text of the conversation comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct InputSource {
    origin: Origin,
    part: RequestPart,
    kind: InputKind,
}

/// What a text of the conversation is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum InputKind {
    Text,
    Name,
    Word,
}

impl InputSource {
    /// Whether a word of the template has no effect in it: it is text that an author of the conversation chose freely.
    fn is_guarded(self) -> bool {
        let is_text = self.kind == InputKind::Text && matches!(self.origin, Origin::Data(_));
        is_text
            && !matches!(
                self.part,
                RequestPart::CallName(..) | RequestPart::Header(_) | RequestPart::Anywhere
            )
    }
}

/// The sources of the conversation's texts by number; the template has the number 0.
struct Sources {
    all: Vec<InputSource>,
    numbers: HashMap<InputSource, u32>,
}

impl Sources {
    fn new() -> Sources {
        let template = InputSource {
            origin: Origin::Structure,
            part: RequestPart::Anywhere,
            kind: InputKind::Text,
        };
        Sources {
            all: vec![template],
            numbers: HashMap::new(),
        }
    }

    fn of(&mut self, origin: Origin, part: RequestPart, kind: InputKind) -> Source {
        self.number(InputSource { origin, part, kind })
    }

    /// The source of a value that is not text.
    fn of_scalar(&mut self, part: RequestPart) -> Source {
        self.of(Origin::Data(None), part, InputKind::Text)
    }

    fn text(&mut self, text: &Text, part: RequestPart, kind: InputKind) -> Value {
        let pieces = text.pieces();
        Value::from_pieces(pieces.map(|(piece, origin)| (piece, self.of(origin, part, kind))))
    }

    fn number(&mut self, source: InputSource) -> Source {
        let all = &mut self.all;
        let number = *self.numbers.entry(source).or_insert_with(|| {
            all.push(source);
            u32::try_from(all.len() - 1).unwrap_or(0)
        });
        Source::input(number)
    }

    fn get(&self, source: Source) -> InputSource {
        self.all[source.number() as usize]
    }

    /// A message, which the errors of a template name.
    fn message(&mut self, message: &InputNode, index: usize) -> Value {
        let InputNode::Map(entries) = message else {
            return self.value(message);
        };
        let source = self.of(
            Origin::Structure,
            RequestPart::Message(index),
            InputKind::Text,
        );
        Value::named_dict(self.entries(entries), source)
    }

    fn entries(&mut self, entries: &[(InputNode, InputNode)]) -> Vec<(Value, Value)> {
        let entries = entries.iter();
        entries
            .map(|(key, value)| (self.value(key), self.value(value)))
            .collect()
    }

    fn value(&mut self, node: &InputNode) -> Value {
        match node {
            InputNode::Null(part) => Value::None(self.of_scalar(*part)),
            InputNode::Bool(value, part) => Value::Bool(*value, self.of_scalar(*part)),
            InputNode::Number(text, part) => Value::from_number(text, self.of_scalar(*part)),
            InputNode::Own(text) => Value::template(&**text),
            InputNode::Text(text, part) => self.text(text, *part, InputKind::Text),
            InputNode::Name(text, part) => self.text(text, *part, InputKind::Name),
            InputNode::Word(text, part) => self.text(text, *part, InputKind::Word),
            InputNode::List(items) => {
                Value::list(items.iter().map(|item| self.value(item)).collect())
            }
            InputNode::Map(entries) => Value::dict(self.entries(entries)),
            InputNode::Open(node) => {
                let mut pieces: Vec<(&str, Source)> = Vec::new();
                match &**node {
                    InputNode::Own(text) => pieces.push((text, Source::TEMPLATE)),
                    InputNode::Text(text, part) => {
                        let all = text.pieces();
                        pieces.extend(all.map(|(piece, origin)| {
                            (piece, self.of(origin, *part, InputKind::Text))
                        }));
                    }
                    _ => {}
                }
                pieces.push((OPEN_MARKER, Source::TEMPLATE));
                Value::from_pieces(pieces)
            }
        }
    }
}

impl Rendering {
    /// Renders the template; `guarding` where data is guarded.
    pub(crate) fn render(
        self,
        engine: &Engine,
        guarding: Option<Guarding<'_>>,
    ) -> Result<Rendered> {
        let mut sources = Sources::new();
        let values = self.values(&mut sources)?;
        let is_guarded = |source: Source| sources.get(source).is_guarded();
        let may_act = |word: &str| guarding.is_none_or(|guarding| guarding.tokens.may_act(word));
        let steering = guarding.map(|guarding| Steering {
            is_guarded: &is_guarded,
            may_act: &may_act,
            rejects: guarding.rejects,
        });
        let rendered = engine
            .render(values, &self.limits, steering.as_ref())
            .map_err(|fault| self.to_error(&fault, engine, &sources))?;
        let mut text = rendered.text;
        let mut segments: Vec<Segment> = Vec::with_capacity(rendered.runs.len());
        for (end, source) in rendered.runs {
            let input = sources.get(source);
            segments.push(Segment {
                end,
                origin: input.origin,
                part: input.part,
                is_name: input.kind == InputKind::Name,
                is_generated: source.is_generated(),
            });
        }
        if self.open {
            cut_at_marker(&mut text, &mut segments)?;
        }
        let ends = rendered.visits.iter().skip(1).map(|visit| visit.0);
        let visits = rendered.visits.iter().zip(ends.chain([text.len()]));
        let turns = visits.filter_map(|(&(start, source), end)| {
            let message = sources.get(source).part.message()?;
            let range = start..end.min(text.len());
            (!range.is_empty()).then_some(Turn { range, message })
        });
        let mut rendered = Rendered {
            turns: turns.collect(),
            text,
            segments,
            missing: Vec::new(),
            rendering: self,
        };
        rendered.missing = rendered.missing_parts();
        Ok(rendered)
    }

    /// The text that the template writes, without its sources.
    pub(crate) fn render_text(&self, engine: &Engine) -> Result<String> {
        let mut sources = Sources::new();
        let values = self.values(&mut sources)?;
        let rendered = engine.render(values, &self.limits, None);
        let rendered = rendered.map_err(|fault| self.to_error(&fault, engine, &sources))?;
        Ok(rendered.text)
    }

    fn to_error(&self, fault: &Fault, engine: &Engine, sources: &Sources) -> Error {
        let part = fault.input.map(|source| sources.get(source).part);
        let message = part.and_then(RequestPart::message);
        let messages = &self.conversation.messages;
        let message = message.map(|index| NamedMessage::new(messages, index));
        fault::to_error(fault, &engine.source, message)
    }

    /// The variables that the template receives.
    fn values(&self, sources: &mut Sources) -> Result<Vec<(&str, Value)>> {
        let (last, others) = match self.conversation.messages.split_last() {
            Some((last, others)) if self.open => (Some(with_open_marker(last)?), others),
            _ => (None, &self.conversation.messages[..]),
        };
        let messages = others.iter().chain(&last).enumerate();
        let messages = messages
            .map(|(index, message)| sources.message(message, index))
            .collect();
        let tools = self.conversation.tools.as_ref();
        let mut values = vec![
            ("messages", Value::list(messages)),
            (
                "tools",
                tools.map_or_else(Value::none, |tools| sources.value(tools)),
            ),
            ("documents", Value::none()),
            ("add_generation_prompt", Value::bool(self.generation_prompt)),
        ];
        for (name, node) in &self.variables {
            values.push((name, sources.value(node)));
        }
        Ok(values)
    }
}

/// The last message with a sign at the end of its text.
fn with_open_marker(message: &InputNode) -> Result<InputNode> {
    let open = |node: &mut InputNode| {
        *node = InputNode::Open(Box::new(std::mem::replace(
            node,
            InputNode::Own(String::new()),
        )));
    };
    let mut message = message.clone();
    let content = message.get_mut("content");
    let text = content.and_then(|content| match content {
        InputNode::List(parts) => parts.iter_mut().rev().find_map(|part| part.get_mut("text")),
        InputNode::Own(_) | InputNode::Text(..) => Some(content),
        _ => None,
    });
    match text {
        Some(text) => open(text),
        None => {
            let message = "the last message has no text to go on with";
            let error = Error::new(ErrorKind::Unsupported, message);
            return Err(error.with_help(
                "end with an assistant message that holds the beginning of the answer",
            ));
        }
    }
    Ok(message)
}

/// Keeps the text up to the sign; without the white space before it where the template strips the message.
fn cut_at_marker(text: &mut String, segments: &mut Vec<Segment>) -> Result<()> {
    // The same words in data do not count.
    let is_own = |at: usize| {
        let segment = segments.partition_point(|segment| segment.end <= at);
        segments[segment].origin == Origin::Structure
    };
    let mut signs = text.rmatch_indices(OPEN_MARKER.trim_end());
    let Some((at, _)) = signs.find(|(at, _)| is_own(*at)) else {
        let message = "the chat template does not write the last message, so that the model could go on with it";
        return Err(Error::new(ErrorKind::Unsupported, message));
    };
    let is_kept = text[at..].starts_with(OPEN_MARKER);
    text.truncate(at);
    if !is_kept {
        text.truncate(text.trim_end_matches(is_whitespace).len());
    }
    let count = segments.partition_point(|segment| segment.end < text.len());
    segments.truncate(count + 1);
    if let Some(last) = segments.last_mut() {
        last.end = text.len();
    }
    Ok(())
}

impl Rendered {
    /// The pieces of the text with their segments.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (&str, &Segment)> {
        let mut at = 0;
        self.segments.iter().map(move |segment| {
            let start = std::mem::replace(&mut at, segment.end);
            (&self.text[start..segment.end], segment)
        })
    }

    /// The parts of the conversation that have text of which nothing is rendered.
    fn missing_parts(&self) -> Vec<RequestPart> {
        let has_words = |text: &str| text.contains(|char| !is_whitespace(char));
        let seen: BTreeSet<RequestPart> = self
            .pieces()
            .filter(|(text, segment)| segment.origin != Origin::Structure && has_words(text))
            .map(|(_, segment)| segment.part)
            .collect();
        let mut missing = BTreeSet::new();
        let conversation = &self.rendering.conversation;
        conversation.visit_texts(&mut |text, part| {
            let is_seen = match part {
                // Arguments alone are a call.
                RequestPart::CallName(message, call) => {
                    seen.contains(&part) || seen.contains(&RequestPart::Arguments(message, call))
                }
                part => seen.contains(&part),
            };
            if part.is_required() && has_words(text.as_str()) && !is_seen {
                missing.insert(part);
            }
        });
        missing.into_iter().collect()
    }

    /// The bytes that `{% generation %}` blocks wrote.
    pub(crate) fn generated(&self) -> Vec<Range<usize>> {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        let mut at = 0;
        for segment in &self.segments {
            let start = std::mem::replace(&mut at, segment.end);
            match ranges.last_mut() {
                _ if !segment.is_generated => {}
                Some(last) if last.end == start => last.end = segment.end,
                _ => ranges.push(start..segment.end),
            }
        }
        ranges
    }

    /// Writes the text with the origins of its bytes, and marks the ranges that the model generates. `guard_tools` is applied to the
    /// definitions of tools with the text beside them.
    pub(crate) fn write_to(
        &self,
        generated: &[Range<usize>],
        guard_tools: Option<&impl Fn(AnnotatedText) -> Result<AnnotatedText>>,
        out: &mut AnnotatedText,
    ) -> Result<()> {
        let mut tools = AnnotatedText::new();
        let flush = |tools: &mut AnnotatedText, out: &mut AnnotatedText| -> Result<()> {
            if let Some(guard) = guard_tools {
                out.message(None);
                let guarded = guard(std::mem::take(tools))?;
                guarded
                    .pieces()
                    .for_each(|(piece, origin)| out.push(piece, origin));
            }
            Ok(())
        };
        let borders = |range: &Range<usize>| [(range.start, true), (range.end, false)];
        let mut borders = generated.iter().flat_map(borders).peekable();
        let mut at = 0;
        for segment in &self.segments {
            let is_beside_tools = segment.origin == Origin::Structure || segment.part.is_tool();
            if !is_beside_tools {
                flush(&mut tools, out)?;
            }
            out.message(segment.part.message());
            let is_kept = is_beside_tools && guard_tools.is_some();
            while let Some((border, begins)) = borders.next_if(|border| border.0 < segment.end) {
                let written = if is_kept { &mut tools } else { &mut *out };
                written.push(&self.text[at..border], segment.origin);
                flush(&mut tools, out)?;
                at = border;
                match begins {
                    true => out.begin_generated(),
                    false => out.end_generated(),
                }
            }
            let written = if is_kept { &mut tools } else { &mut *out };
            written.push(&self.text[at..segment.end], segment.origin);
            at = segment.end;
        }
        flush(&mut tools, out)?;
        out.end_generated();
        out.message(None);
        Ok(())
    }

    pub(crate) fn writes_tools(&self) -> bool {
        let mut segments = self.segments.iter();
        segments.any(|segment| segment.part.is_tool())
    }

    /// The guard of the definitions of tools, if the text has some and the guard has tokens for them.
    pub(crate) fn guard_of_tools<'g>(
        &self,
        tokens: &'g TokenList,
        options: &FormatOptions,
    ) -> Option<impl Fn(AnnotatedText) -> Result<AnnotatedText> + use<'g>> {
        let set = tokens.set_in_tools().filter(|_| self.writes_tools())?;
        // The tokens of the options are searched for in the whole text.
        let options = FormatOptions::new().guard(options.guard);
        Some(move |text| set.guard(text, &options))
    }

    /// Checks the names that the template writes, and the data that it writes where it writes roles. A name is never changed, so a name that
    /// may end a header, or that is a role where roles are written, is an error.
    pub(crate) fn check_names(&self, tokens: &TokenList) -> Result<()> {
        let mut at = 0;
        for (index, segment) in self.segments.iter().enumerate() {
            let start = std::mem::replace(&mut at, segment.end);
            if !matches!(segment.origin, Origin::Data(_)) {
                continue;
            }
            let name = &self.text[start..segment.end];
            let is_word = |letter: char| letter.is_alphanumeric() || "_-.:/".contains(letter);
            let shown: String = name.chars().take(40).collect();
            let shown = shown.escape_debug();
            let error = if segment.is_name && !name.chars().all(is_word) {
                let message = format!("the name `{shown}` is not a word");
                Error::new(ErrorKind::ControlToken, message).with_help(
                    "name tools and speakers with letters, digits, `_`, `-`, `.`, `:` and `/`",
                )
            } else if self.is_header(tokens, index, start..segment.end) {
                let what = if segment.is_name { "name" } else { "text" };
                let message =
                    format!("the chat template writes the {what} `{shown}` where it writes roles");
                let help = format!("use a {what} that is not a role");
                Error::new(ErrorKind::ControlToken, message).with_help(help)
            } else {
                continue;
            };
            let messages = &self.rendering.conversation.messages;
            return Err(match segment.part.message() {
                Some(index) => NamedMessage::new(messages, index).add_to(error),
                None => error,
            });
        }
        Ok(())
    }

    /// Whether a segment of data, with the letters beside it, is a role where the template writes one.
    fn is_header(&self, tokens: &TokenList, index: usize, range: Range<usize>) -> bool {
        let text = &self.text;
        let is_named = |word: &str, start: usize| {
            let is_role = self.segments[index].is_name && tokens.is_role(word);
            is_role && tokens.ends_with_header(&text[..start])
        };
        let name = &text[range.clone()];
        if is_named(name, range.start) {
            return true;
        }
        if name.is_empty() || name.len() > MAX_ROLE || !name.chars().all(is_word_letter) {
            return false;
        }
        let start = range.start - word_length(text[..range.start].chars().rev());
        let end = range.end + word_length(text[range.end..].chars());
        let word = &text[start..end];
        // Data beside it is not a header.
        let (before, after) = (self.own_text_before(start), self.own_text_after(end));
        let is_guarded =
            !self.segments[index].is_name && tokens.is_token_between(word, before, after);
        is_named(word, start) || !is_guarded && tokens.is_role_between(word, before, after)
    }

    /// The template's text that ends at a position.
    fn own_text_before(&self, end: usize) -> &str {
        let last = self.segments.partition_point(|segment| segment.end < end);
        let own = self.segments[..=last].iter().rev();
        let own = own.take_while(|segment| segment.origin == Origin::Structure);
        let start = match own.count() {
            0 => end,
            own if own > last => 0,
            own => self.segments[last - own].end,
        };
        &self.text[start..end]
    }

    /// The template's text that begins at a position.
    fn own_text_after(&self, start: usize) -> &str {
        let first = self
            .segments
            .partition_point(|segment| segment.end <= start);
        let own = self.segments[first..].iter();
        let own = own.take_while(|segment| segment.origin == Origin::Structure);
        let end = own.last().map_or(start, |segment| segment.end);
        &self.text[start..end]
    }
}

/// A longer word is not a role.
const MAX_ROLE: usize = 40;

/// The bytes of the letters before the end of a word.
fn word_length(letters: impl Iterator<Item = char>) -> usize {
    let letters = letters.take(MAX_ROLE);
    letters
        .take_while(|letter| is_word_letter(*letter))
        .map(char::len_utf8)
        .sum()
}
