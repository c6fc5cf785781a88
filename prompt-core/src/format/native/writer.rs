//! Writes a text of a family: the segments, the contents of messages as the models' own templates read them (as text, printed as
//! in Python, or as JSON), and a record of what was written.

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::{Deref, Range};

use prompt_family::EffortText;

use super::TextEnding;
use super::chat::{ChatCall, ChatContent, ChatMessage, ContentItem};
use super::python::{display, dumps, escaped, list_to_text, title};
use crate::annotated_text::is_whitespace;
use crate::format::{Family, FormatOption, FormatOptions};
use crate::guard::{self, ControlTokens, ExactTokens};
use crate::{
    AnnotatedText, DataSpan, Error, ErrorKind, Guard, Json, MediaKind, Origin, Part, Result, Text,
};

/// The part of a conversation that a piece of text comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FieldOrigin {
    /// The content of a message.
    Content(usize),
    /// The reasoning of a message.
    Reasoning(usize),
    /// The role of a message that the format has no delimiters for.
    Role(usize),
    /// One of a message's tool calls.
    Call(usize, usize),
    /// Which call a message answers.
    CallId(usize),
    /// The definition of a tool.
    Tool(usize),
    /// A passage to answer from.
    Document,
    /// An option, such as the model's identity.
    Option,
}

impl FieldOrigin {
    fn message(self) -> Option<usize> {
        match self {
            FieldOrigin::Content(at)
            | FieldOrigin::Reasoning(at)
            | FieldOrigin::Role(at)
            | FieldOrigin::Call(at, _)
            | FieldOrigin::CallId(at) => Some(at),
            FieldOrigin::Tool(_) | FieldOrigin::Document | FieldOrigin::Option => None,
        }
    }
}

/// Writes a text of a family. It records the written parts, so that strict writing detects parts that were left out.
pub(crate) struct FormatWriter<'o> {
    pub(crate) options: &'o FormatOptions,
    pub(crate) family: &'static Family,
    annotated: &'o mut AnnotatedText,
    /// The end of the text.
    pub(crate) end: TextEnding,
    next: Next,
    /// How many messages are closed at their end: all, or all but the last.
    closed: usize,
    /// The messages whose content was written, or left out on purpose.
    contents: IndexSet,
    calls: Vec<(usize, usize)>,
    /// The last message whose reasoning was written.
    reasoning: Option<usize>,
    tools: bool,
    /// The last message is a list, and stays open inside it: white space there is its own.
    pub(super) inside: Cell<bool>,
    /// The last message was to stay open, and is left out.
    pub(super) dropped: Cell<bool>,
}

/// What happens to text that follows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Written,
    /// The format's text is written without this token at its start.
    Skips(&'static str),
    /// It is left out: the last message is written and stays open.
    LeftOut,
}

impl<'o> FormatWriter<'o> {
    /// A writer of a conversation of this many messages, with the training label as the last one.
    pub(crate) fn new(
        family: &'static Family,
        options: &'o FormatOptions,
        turns: usize,
        annotated: &'o mut AnnotatedText,
    ) -> FormatWriter<'o> {
        let end = match options.generation_prompt {
            _ if options.label.is_some() || options.continued => TextEnding::Open,
            true => TextEnding::Answer,
            false => TextEnding::Closed,
        };
        let skips_bos = !options.bos && !family.bos.is_empty();
        FormatWriter {
            options,
            family,
            end,
            next: match skips_bos {
                true => Next::Skips(family.bos),
                false => Next::Written,
            },
            closed: turns - usize::from(end == TextEnding::Open),
            contents: IndexSet::default(),
            calls: Vec::new(),
            reasoning: None,
            tools: false,
            inside: Cell::new(false),
            dropped: Cell::new(false),
            annotated,
        }
    }

    /// Whether the text ends with the start of an answer.
    pub(crate) fn has_generation_prompt(&self) -> bool {
        self.end == TextEnding::Answer
    }

    pub(crate) fn is_strict(&self) -> bool {
        !self.options.lenient
    }

    /// The option `keep_reasoning`, if the family supports it.
    pub(crate) fn keep_reasoning(&self) -> Option<bool> {
        let is_supported = self.family.options.contains(&FormatOption::KeepReasoning);
        self.options.keep_reasoning.filter(|_| is_supported)
    }

    /// The reasoning effort, if it is set: without reasoning it would have no effect, which is an error.
    pub(crate) fn requested_effort(&self, thinks: bool) -> Result<Option<&'o str>> {
        let effort = self.options.effort.as_deref();
        if effort.is_some() && !thinks && self.is_strict() {
            let what = "the reasoning effort is set without reasoning";
            let error = self.unsupported(what);
            return Err(error.with_help("turn it on with `.thinking(true)`"));
        }
        Ok(effort)
    }

    /// The text for the reasoning effort, one of those that the family knows. It is empty if no effort is set, and for a family that knows
    /// none, where the option is refused before.
    pub(crate) fn effort_text(&self, known: &[EffortText], thinks: bool) -> Result<&'static str> {
        let effort = self.requested_effort(thinks)?;
        let Some(effort) = effort.filter(|_| !known.is_empty()) else {
            return Ok("");
        };
        let mut texts = known.iter();
        let text = texts.find(|text| text.effort == effort);
        text.map(|text| text.text).ok_or_else(|| {
            let what = format!("the reasoning effort is `{}`", effort.escape_debug());
            let names: Vec<String> = known
                .iter()
                .map(|text| format!("`{}`", text.effort))
                .collect();
            let help = format!("use {}, or leave it out", names.join(", "));
            self.unsupported(&what).with_help(help)
        })
    }

    /// Whether this range of a text contains guarded data, in which a word such as `/no_think` has no effect.
    pub(crate) fn is_guarded_data(&self, text: &Text, range: &Range<usize>) -> bool {
        let overlaps =
            |data: &DataSpan| data.range.start < range.end && range.start < data.range.end;
        self.options.guard != Guard::Allow && text.data().iter().any(overlaps)
    }

    /// Whether this message stays open at its end.
    pub(crate) fn is_open(&self, at: usize) -> bool {
        at >= self.closed
    }

    /// Writes the format's own text.
    #[inline]
    pub(crate) fn structure(&mut self, text: &str) {
        match self.next {
            Next::Written => self.annotated.structure(text),
            _ => self.first_structure(text),
        }
    }

    /// Writes the first text of the format where a token is left out at its start.
    #[cold]
    fn first_structure(&mut self, text: &str) {
        if let Next::Skips(token) = self.next
            && !text.is_empty()
        {
            self.next = Next::Written;
            self.structure(text.strip_prefix(token).unwrap_or(text));
        }
    }

    /// Begins what the model generates: where no delimiter opens its turn.
    pub(crate) fn begin_answer(&mut self) {
        self.annotated.begin_generated();
    }

    /// Writes the delimiter that opens the assistant's turn, and begins what the model generates.
    #[inline]
    pub(crate) fn open_answer(&mut self) {
        self.open_answer_with(self.family.turns.assistant.open);
    }

    /// Writes a text that opens the assistant's turn. What the model generates begins where the generation prompt ends; a header
    /// inside the turn is a part of it.
    #[inline]
    pub(crate) fn open_answer_with(&mut self, open: &str) {
        if self.annotated.is_generating() {
            return self.structure(open);
        }
        let header = match self.family.turns.answer {
            Some(answer) if open.starts_with(answer) => answer,
            _ => open.trim_end_matches(' '),
        };
        self.structure(header);
        self.begin_answer();
        self.structure(&open[header.len()..]);
    }

    /// Writes the delimiter that closes the assistant's turn, and ends what the model generates.
    #[inline]
    pub(crate) fn close_answer(&mut self, close: &str) {
        self.structure(close);
        self.end_answer();
    }

    /// Ends what the model generates, if this turn is the assistant's.
    pub(crate) fn end_answer(&mut self) {
        self.annotated.end_generated();
    }

    /// Writes something that came from outside.
    pub(crate) fn write_data(&mut self, origin: FieldOrigin, text: &str) {
        self.push(text, Origin::Data(None), origin);
    }

    /// Writes a part of the text in which these tags are structure, and nowhere else: the guard is applied to the data in it. In
    /// a question, `<name>` is text.
    pub(crate) fn write_with_tags(
        &mut self,
        tags: &[String],
        write: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let before = std::mem::take(self.annotated);
        let written = write(self);
        let part = std::mem::replace(self.annotated, before);
        written?;
        let tokens = ControlTokens {
            exact: ExactTokens::Sorted(tags),
            numbered: &[],
            loose: &[],
        };
        // The tokens of the tokenizer are searched for in the whole text.
        let guard = FormatOptions::new().guard(self.options.guard);
        let part = guard::apply(part, tokens, self.family.title, &guard)?;
        self.annotated.append(&part);
        Ok(())
    }

    /// Writes the name of a tool or a call. A name is never changed, so a name with characters that could end a header or a JSON
    /// string is an error.
    pub(crate) fn write_name(&mut self, origin: FieldOrigin, text: &str) -> Result<()> {
        self.check_name(text)?;
        self.write_data(origin, text);
        Ok(())
    }

    pub(crate) fn check_name(&self, text: &str) -> Result<()> {
        let is_word = |letter: char| letter.is_alphanumeric() || "_-.:/".contains(letter);
        if !self.is_strict() || text.chars().all(is_word) {
            return Ok(());
        }
        let start: String = text.chars().take(40).collect();
        let message = format!("the name `{}` is not a word", start.escape_debug());
        let help = "name tools and calls with letters, digits, `_`, `-`, `.`, `:` and `/`";
        Err(self.unsupported(&message).with_help(help))
    }

    /// The placeholder of this kind of media, empty if the family does not support it.
    fn placeholder(&self, kind: MediaKind) -> &'static str {
        let media = &self.family.turns.media;
        match kind {
            MediaKind::Image => media.image,
            MediaKind::Audio => media.audio,
            MediaKind::Video => media.video,
            MediaKind::File => "",
        }
    }

    /// Whether the family has a placeholder for this kind of media.
    pub(crate) fn takes_media(&self, kind: MediaKind) -> bool {
        !self.placeholder(kind).is_empty()
    }

    /// Whether the template knows this kind of media by the name that chat APIs have for it.
    fn reads_urls(&self, kind: MediaKind) -> bool {
        kind == MediaKind::Image && self.family.turns.media.image_urls
    }

    /// Writes the placeholder of media in a message.
    pub(crate) fn write_media(&mut self, at: usize, kind: MediaKind) {
        let text = self.placeholder(kind);
        self.push(text, Origin::Structure, FieldOrigin::Content(at));
    }

    pub(super) fn push(&mut self, text: &str, source: Origin, origin: FieldOrigin) {
        if self.begin(origin, text) {
            self.annotated.push(text, source);
        }
    }

    /// Records that a text is written, and returns whether it is to be written.
    #[inline(always)]
    fn begin(&mut self, origin: FieldOrigin, text: &str) -> bool {
        if text.is_empty() || self.next == Next::LeftOut {
            return false;
        }
        match origin {
            FieldOrigin::Content(at) => self.contents.insert(at),
            FieldOrigin::Call(at, call) => self.calls.push((at, call)),
            FieldOrigin::Reasoning(at) => self.reasoning = Some(at),
            FieldOrigin::Tool(_) => self.tools = true,
            _ => {}
        }
        self.annotated.message(origin.message());
        true
    }

    /// Writes the role in a header: `is_capital` where it begins with a capital.
    pub(crate) fn role(&mut self, at: usize, role: &str, is_capital: bool) {
        const KNOWN: [&str; 6] = [
            "system",
            "user",
            "assistant",
            "tool",
            "developer",
            "ipython",
        ];
        if is_capital {
            self.write_data(FieldOrigin::Role(at), &title(role));
        } else if KNOWN.contains(&role) {
            self.structure(role);
        } else {
            self.write_data(FieldOrigin::Role(at), role);
        }
    }

    /// The reasoning of a message and the text after it. Some clients send the reasoning inside the text.
    pub(crate) fn reasoning_in<'t>(
        &mut self,
        at: usize,
        turn: &'t ChatMessage<'_>,
        text: TextSlice<'t>,
    ) -> (Option<(FieldOrigin, TextSlice<'t>)>, TextSlice<'t>) {
        let (open, close) = self.family.turns.reasoning.unwrap_or_default();
        let (open, close) = (open.trim(), close.trim());
        if let Some(reasoning) = turn.reasoning() {
            return (
                Some((FieldOrigin::Reasoning(at), TextSlice::new(reasoning))),
                text,
            );
        }
        if close.is_empty() || !text.contains(close) {
            return (None, text);
        }
        let reasoning = text
            .before(close)
            .strip_lines_end()
            .after_last(open)
            .strip_lines_start();
        self.omit_content(at);
        let text = text.after_last(close).strip_lines_start();
        (Some((FieldOrigin::Content(at), reasoning)), text)
    }

    /// Writes a part of a message's content that more of it follows.
    #[inline(always)]
    pub(crate) fn slice(&mut self, origin: FieldOrigin, slice: TextSlice<'_>) {
        if self.begin(origin, slice.as_str()) {
            self.annotated.slice(slice.text, slice.start, slice.slice);
        }
    }

    /// Writes the content of a message, or its end. If it is to stay open, the text ends here.
    #[inline(always)]
    pub(crate) fn finish_content(&mut self, at: usize, slice: TextSlice<'_>) {
        if self.is_open(at) {
            return self.leave_open(at, slice);
        }
        self.slice(FieldOrigin::Content(at), slice);
    }

    /// Writes the end of the last message, which stays open.
    #[cold]
    fn leave_open(&mut self, at: usize, slice: TextSlice<'_>) {
        let inside = self.inside.get();
        let slice = if inside { slice.whole_end() } else { slice };
        self.slice(FieldOrigin::Content(at), slice);
        if slice.is_closed && !inside {
            self.strip_end();
        }
        self.seal_open_message(at);
    }

    /// Writes the content of a message as a JSON string.
    pub(crate) fn finish_content_as_json(&mut self, at: usize, slice: TextSlice<'_>) {
        self.structure("\"");
        for (piece, source) in slice.text.pieces() {
            self.push(&escaped(piece), source, FieldOrigin::Content(at));
        }
        self.seal_open_message(at);
        self.structure("\"");
    }

    /// Ends the text here, if this message is to stay open.
    pub(crate) fn seal_open_message(&mut self, at: usize) {
        if self.is_open(at) {
            self.next = Next::LeftOut;
        }
    }

    /// Whether a content counts as text. A content that stays open does, whatever it contains.
    pub(crate) fn has_text(&self, at: usize, slice: TextSlice<'_>) -> bool {
        !slice.is_empty() || self.is_open(at)
    }

    /// Removes white space from the end of the written text.
    pub(crate) fn strip_end(&mut self) {
        if self.next != Next::LeftOut {
            self.annotated.strip_end();
        }
    }

    /// Remembers that a message's content, or some of it, is left out on purpose.
    pub(crate) fn omit_content(&mut self, at: usize) {
        self.contents.insert(at);
    }

    /// Whether the contents of this many messages at the start were written.
    pub(crate) fn wrote_contents(&self, count: usize) -> bool {
        self.contents.first >= count
    }

    /// Whether the content of a message was written.
    pub(crate) fn wrote_content(&self, at: usize) -> bool {
        self.contents.contains(at)
    }

    /// Whether a tool call was written.
    pub(crate) fn wrote_call(&self, at: usize, call: usize) -> bool {
        self.calls.contains(&(at, call))
    }

    /// Whether the reasoning of a message was written.
    pub(crate) fn wrote_reasoning(&self, at: usize) -> bool {
        self.reasoning == Some(at)
    }

    /// Whether tools are offered.
    pub(crate) fn wrote_tools(&self) -> bool {
        self.tools
    }

    /// Whether the text ends with the last message, left open.
    pub(crate) fn is_sealed(&self) -> bool {
        self.next == Next::LeftOut && !self.dropped.get()
    }

    pub(crate) fn as_str(&self) -> &str {
        self.annotated.as_str()
    }

    /// An error about a message. `what` follows "message 2 (user)".
    pub(crate) fn unsupported_message(
        &self,
        at: usize,
        turn: &ChatMessage<'_>,
        what: &str,
        help: &str,
    ) -> Error {
        let error = self
            .unsupported(&format!("message {at} ({}) {what}", turn.role_name()))
            .with_help(help);
        match turn.role() {
            Some(role) => error.at_message(at, role),
            None => error.at_index(at),
        }
    }

    /// An error about the whole conversation.
    pub(crate) fn unsupported(&self, what: &str) -> Error {
        let title = self.family.title;
        Error::new(
            ErrorKind::Unsupported,
            format!("{what}, which {title} does not support"),
        )
    }

    /// An error about a message that comes when another is due; `index` counts from the first turn.
    pub(crate) fn out_of_turn(&self, at: usize, turn: &ChatMessage<'_>, index: usize) -> Error {
        let due = if index.is_multiple_of(2) {
            "user"
        } else {
            "assistant"
        };
        let help = "alternate user and assistant messages, after one system message at most";
        self.unsupported_message(
            at,
            turn,
            &format!("comes where the {due}'s message is expected"),
            help,
        )
    }

    pub(crate) fn unsupported_role(&self, at: usize, turn: &ChatMessage<'_>) -> Error {
        let help = match turn.role_name() {
            "developer" => "write `system`",
            "system" => "put it first, or into a user message",
            "tool" => "write the result into a user message",
            _ => "use a role that the family supports",
        };
        self.unsupported_message(at, turn, "has this role in this position", help)
    }

    pub(crate) fn media_error(&self, at: usize, turn: &ChatMessage<'_>, kind: MediaKind) -> Error {
        let what = match kind {
            _ if !self.family.media => "holds an image, audio, video or file".to_owned(),
            kind => format!("holds media of the kind `{}`", kind.name()),
        };
        self.unsupported_message(at, turn, &what, "use a chat API")
    }

    pub(crate) fn part_error(&self, at: usize, turn: &ChatMessage<'_>) -> Error {
        self.unsupported_message(
            at,
            turn,
            "holds a part of an unknown type",
            "give it as text",
        )
    }
}

/// The contents of messages.
impl FormatWriter<'_> {
    /// A content where the family takes a text: lists of text are joined.
    #[inline]
    pub(crate) fn text<'t>(&self, at: usize, turn: &ChatMessage<'t>) -> Result<Cow<'t, Text>> {
        match turn.content() {
            ChatContent::Text(text) => Ok(Cow::Borrowed(text)),
            _ => self.joined_text(at, turn),
        }
    }

    fn joined_text<'t>(&self, at: usize, turn: &ChatMessage<'t>) -> Result<Cow<'t, Text>> {
        match turn.content() {
            ChatContent::Text(text) => return Ok(Cow::Borrowed(text)),
            ChatContent::Absent => return Ok(Cow::Owned(Text::new())),
            ChatContent::Texts(parts) => return Ok(Cow::Owned(joined(parts))),
            ChatContent::Parts(_) | ChatContent::Json(_) => {}
        }
        let Some(items) = turn.items() else {
            let what = "has a content that is neither text nor a list";
            return Err(self.unsupported_message(at, turn, what, "give it as text"));
        };
        let mut whole = Text::new();
        for item in items {
            match item {
                ContentItem::Text(text) => whole.push(&text),
                ContentItem::Media(kind, _) => return Err(self.media_error(at, turn, kind)),
                ContentItem::Other(_) => return Err(self.part_error(at, turn)),
            }
        }
        Ok(Cow::Owned(whole))
    }

    /// A content that the model's chat template prints whatever it is: a list as Python shows it.
    pub(crate) fn printed_text<'t>(
        &self,
        at: usize,
        turn: &ChatMessage<'t>,
    ) -> Result<Cow<'t, Text>> {
        match turn.content() {
            ChatContent::Json(json) if !self.is_strict() => {
                let open = self.open_list(at, json, false);
                Ok(Cow::Owned(open.unwrap_or_else(|| display(json)).into()))
            }
            _ => self.text(at, turn),
        }
    }

    /// The text that a content shows: lists are joined, and items that are not text are left out.
    pub(crate) fn visible_text<'t>(
        &self,
        at: usize,
        turn: &ChatMessage<'t>,
    ) -> Result<Cow<'t, Text>> {
        let Some(items) = turn.items().filter(|_| !self.is_strict()) else {
            return self.printed_text(at, turn);
        };
        let mut whole = Text::new();
        for item in items {
            match item {
                ContentItem::Text(text) => whole.push(&text),
                ContentItem::Other(json) => json
                    .as_string()
                    .into_iter()
                    .for_each(|text| whole.push(&text.into())),
                ContentItem::Media(..) => {}
            }
        }
        Ok(Cow::Owned(whole))
    }

    /// A content that the model's chat template takes for empty unless it is a text.
    pub(crate) fn only_text<'t>(&self, at: usize, turn: &ChatMessage<'t>) -> Result<Cow<'t, Text>> {
        match turn.content() {
            ChatContent::Parts(_) | ChatContent::Json(_) | ChatContent::Absent
                if !self.is_strict() =>
            {
                self.dropped.set(self.dropped.get() || self.is_open(at));
                Ok(Cow::Owned(Text::new()))
            }
            _ => self.text(at, turn),
        }
    }

    /// Writes a content as JSON, where the model's chat template prints that.
    pub(crate) fn write_json(&mut self, at: usize, turn: &ChatMessage<'_>) -> Result<()> {
        match turn.content() {
            ChatContent::Json(json) if !self.is_strict() => {
                let open = self.open_list(at, json, true);
                let is_open = open.is_some();
                let text = open.unwrap_or_else(|| dumps(json, None));
                self.write_data(FieldOrigin::Content(at), &text);
                if is_open {
                    self.seal_open_message(at);
                }
            }
            _ => {
                let text = self.text(at, turn)?;
                self.finish_content_as_json(at, TextSlice::from(&text));
            }
        }
        Ok(())
    }

    /// A list that stays open at the end of its last text.
    fn open_list(&self, at: usize, list: &Json, as_json: bool) -> Option<String> {
        let open = list_to_text(list, as_json).filter(|_| self.is_open(at))?;
        self.inside.set(true);
        Some(open)
    }

    /// Writes a content that is a list, with placeholders for media.
    pub(crate) fn write_items(
        &mut self,
        at: usize,
        turn: &ChatMessage<'_>,
        trim: ItemTrim,
    ) -> Result<()> {
        let items = turn.items().unwrap_or_default();
        let has_content = |item: &ContentItem<'_>| match item {
            ContentItem::Text(text) => !TextSlice::new(text).strip_start().is_empty(),
            _ => true,
        };
        let first = items.iter().position(has_content).unwrap_or(items.len());
        let end = items.iter().rposition(has_content).unwrap_or(0);
        self.write_each_item(at, turn, &items, |out, index, text, is_last| {
            let text = match trim {
                ItemTrim::Each => text.strip(),
                ItemTrim::Ends if index <= first && index >= end => text.strip(),
                ItemTrim::Ends if index <= first => text.strip_start(),
                ItemTrim::Ends if index >= end => text.strip_end(),
                ItemTrim::Ends | ItemTrim::Nothing => text,
            };
            match is_last {
                true => out.finish_content(at, text),
                false => out.slice(FieldOrigin::Content(at), text),
            }
        })
    }

    /// Writes a content that is a list, with placeholders for media. `write` receives each text with its index, and whether it is the last text.
    pub(crate) fn write_each_item(
        &mut self,
        at: usize,
        turn: &ChatMessage<'_>,
        items: &[ContentItem<'_>],
        write: impl Fn(&mut Self, usize, TextSlice<'_>, bool),
    ) -> Result<()> {
        let last = items
            .iter()
            .rposition(|item| matches!(item, ContentItem::Text(_)));
        for (index, item) in items.iter().enumerate() {
            match item {
                ContentItem::Text(text) => {
                    write(self, index, TextSlice::new(text), Some(index) == last);
                }
                // Most models' own templates know each kind by one name.
                ContentItem::Media(kind, plain)
                    if self.takes_media(*kind)
                        && (*plain || self.is_strict() || self.reads_urls(*kind)) =>
                {
                    self.write_media(at, *kind);
                }
                ContentItem::Media(kind, _) if self.is_strict() => {
                    return Err(self.media_error(at, turn, *kind));
                }
                ContentItem::Other(_) if self.is_strict() => return Err(self.part_error(at, turn)),
                _ => {}
            }
        }
        Ok(())
    }

    /// A call's arguments. Some clients send the JSON as a string, which many templates would quote once more.
    pub(crate) fn arguments<'c>(&self, call: &'c ChatCall) -> Cow<'c, Json> {
        match self.is_strict() {
            true => parsed_arguments(call),
            false => Cow::Borrowed(&call.arguments),
        }
    }
}

/// A call's arguments, also those that are given as a string of JSON.
pub(crate) fn parsed_arguments(call: &ChatCall) -> Cow<'_, Json> {
    let inner = call.arguments.as_string();
    match inner.and_then(|text| Json::parse(&text).ok()) {
        Some(json) => Cow::Owned(json.with_unique_keys()),
        None => Cow::Borrowed(&call.arguments),
    }
}

/// The opening and closing tags with these names, for [`FormatWriter::write_with_tags`].
pub(crate) fn sorted_tags(names: &[&str]) -> Vec<String> {
    let tags = names
        .iter()
        .flat_map(|name| [format!("<{name}>"), format!("</{name}>")]);
    let mut tags: Vec<String> = tags.collect();
    tags.sort();
    tags
}

/// How the texts of a content that is a list are trimmed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ItemTrim {
    /// Not at all.
    Nothing,
    /// Each text.
    Each,
    /// The whole content.
    Ends,
}

/// A part of a text, which keeps the origin of its bytes when it is trimmed.
#[derive(Clone, Copy)]
pub(crate) struct TextSlice<'a> {
    text: &'a Text,
    slice: &'a str,
    /// Where it begins in the text.
    start: usize,
    /// Whether white space at the end is taken away, also where there was none.
    is_closed: bool,
}

impl<'a> TextSlice<'a> {
    pub(crate) fn new(text: &'a Text) -> TextSlice<'a> {
        TextSlice {
            text,
            slice: text.as_str(),
            start: 0,
            is_closed: false,
        }
    }

    pub(crate) fn as_str(self) -> &'a str {
        self.slice
    }

    /// `str.strip()`.
    #[inline]
    pub(crate) fn strip(self) -> TextSlice<'a> {
        match self.slice.as_bytes() {
            [first, .., last] if first.is_ascii_graphic() && last.is_ascii_graphic() => TextSlice {
                is_closed: true,
                ..self
            },
            _ => self.strip_start().strip_end(),
        }
    }

    /// `str.lstrip()`.
    pub(crate) fn strip_start(self) -> TextSlice<'a> {
        self.trim_start(is_whitespace)
    }

    /// `str.rstrip()`.
    pub(crate) fn strip_end(self) -> TextSlice<'a> {
        TextSlice {
            is_closed: true,
            ..self.trim_end(is_whitespace)
        }
    }

    /// `str.strip('\n')`.
    pub(crate) fn strip_lines(self) -> TextSlice<'a> {
        self.strip_lines_start().strip_lines_end()
    }

    /// `str.lstrip('\n')`.
    pub(crate) fn strip_lines_start(self) -> TextSlice<'a> {
        self.trim_start(is_line)
    }

    /// `str.rstrip('\n')`.
    pub(crate) fn strip_lines_end(self) -> TextSlice<'a> {
        self.trim_end(is_line)
    }

    fn trim_start(self, take: impl Fn(char) -> bool) -> TextSlice<'a> {
        let slice = self.slice.trim_start_matches(take);
        TextSlice {
            slice,
            start: self.start + self.slice.len() - slice.len(),
            ..self
        }
    }

    fn trim_end(self, take: impl Fn(char) -> bool) -> TextSlice<'a> {
        TextSlice {
            slice: self.slice.trim_end_matches(take),
            ..self
        }
    }

    /// With the text that was removed from the end.
    fn whole_end(self) -> TextSlice<'a> {
        TextSlice {
            slice: &self.text.as_str()[self.start..],
            ..self
        }
    }

    /// A part of it.
    pub(crate) fn part(self, range: Range<usize>) -> TextSlice<'a> {
        TextSlice {
            start: self.start + range.start,
            is_closed: self.is_closed && range.end == self.slice.len(),
            slice: &self.slice[range],
            ..self
        }
    }

    pub(crate) fn find(self, token: &str) -> Option<usize> {
        find(self.slice, token)
    }

    pub(crate) fn contains(self, token: &str) -> bool {
        self.find(token).is_some()
    }

    /// The text before the first `token`; everything, if there is none.
    pub(crate) fn before(self, token: &str) -> TextSlice<'a> {
        self.part(0..find(self.slice, token).unwrap_or(self.slice.len()))
    }

    /// The text after the first `token`; everything, if there is none.
    pub(crate) fn after(self, token: &str) -> TextSlice<'a> {
        let start = find(self.slice, token).map_or(0, |at| at + token.len());
        self.part(start..self.slice.len())
    }

    /// The text after the last `token`; everything, if there is none.
    pub(crate) fn after_last(self, token: &str) -> TextSlice<'a> {
        let start = find_last(self.slice, token).map_or(0, |at| at + token.len());
        self.part(start..self.slice.len())
    }
}

/// `str::find`. Most texts do not contain the first byte of a token, which is a faster search.
fn find(text: &str, token: &str) -> Option<usize> {
    let first = token.bytes().next()?;
    memchr::memchr_iter(first, text.as_bytes()).find(|at| text[*at..].starts_with(token))
}

/// `str::rfind`, in the same way.
fn find_last(text: &str, token: &str) -> Option<usize> {
    let first = token.bytes().next()?;
    memchr::memrchr_iter(first, text.as_bytes()).find(|at| text[*at..].starts_with(token))
}

fn is_line(letter: char) -> bool {
    letter == '\n'
}

impl Deref for TextSlice<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl<'a> From<&'a Cow<'_, Text>> for TextSlice<'a> {
    fn from(text: &'a Cow<'_, Text>) -> TextSlice<'a> {
        TextSlice::new(text)
    }
}

/// The text of parts that are all text.
fn joined(parts: &[Part]) -> Text {
    let mut whole = Text::new();
    for part in parts {
        if let Part::Text(text) = part {
            whole.push(text);
        }
    }
    whole
}

/// A set of the indices of messages, most of which are added in order.
#[derive(Default)]
struct IndexSet {
    /// All indices less than this one are in the set.
    first: usize,
    rest: Vec<bool>,
}

impl IndexSet {
    #[inline]
    fn insert(&mut self, index: usize) {
        match index == self.first {
            true => self.first += 1,
            false => self.insert_other(index),
        }
    }

    #[cold]
    fn insert_other(&mut self, index: usize) {
        if index > self.first {
            self.rest.resize(self.rest.len().max(index + 1), false);
            self.rest[index] = true;
        }
    }

    fn contains(&self, index: usize) -> bool {
        index < self.first || self.rest.get(index) == Some(&true)
    }
}
