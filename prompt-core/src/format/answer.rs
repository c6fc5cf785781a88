//! The parser of answers: text, reasoning and tool calls in the syntax of a model family.

mod call;
mod elements;
mod harmony;
mod literal;
mod python;
mod schema;

use std::collections::VecDeque;
use std::ops::Range;

use call::{AnswerCursor, CallStop, is_name_part};
pub(crate) use call::{argument_json, without_line_breaks};
pub(crate) use schema::SchemaPart;

use crate::format::{CallBody, CallSyntax, ChatFormat, Family};
use crate::{Error, ErrorKind, Reply, Result, Tool, ToolCall};

/// A part of an answer.
///
/// ```
/// use typed_prompt::format::{self, AnswerParser, AnswerPart};
///
/// let mut parser = AnswerParser::new(&format::QWEN3);
/// parser.push("Hel")?;
/// assert_eq!(parser.next_part(), Some(AnswerPart::Text("Hel".to_owned())));
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnswerPart {
    /// More of the text.
    Text(String),
    /// More of the reasoning.
    Reasoning(String),
    /// A complete tool call.
    Call(ToolCall),
}

/// Parses the output of a model, complete or in chunks of any size, into text, reasoning and tool calls.
///
/// # Tool calls
///
/// The syntax of each family is a row of its [table](Family), `turns.answer_calls`.
///
/// - Text after the family's opening delimiter is a call, or an error with its position: invalid JSON, another structure,
///   a tool that is not offered, or an answer that ends inside a call.
/// - Servers may remove the delimiters. Where tools are offered, a line is a call too if it begins like a call without
///   delimiters: `{"name": …` with an offered name or with arguments, an offered name before `{`, or `[name(`. In a family that has
///   delimiters, only calls and the end of the answer may follow it: a line that prose follows is text. Families that
///   write calls without delimiters (Llama) may do so inside a line, with an offered name and arguments.
/// - A call in a Markdown fence after text is an example, and is text. A fence that is never closed, or that no text precedes, makes
///   no example, and the latter is not text. A fence inside of a call's arguments closes nothing.
/// - A call that is repeated without its opening delimiter is one call. Its opening and closing delimiters, and the tokens that end the
///   turn after it, may be repeated, and are not text.
/// - A closing delimiter that no opening one precedes is an error, if the text before it ends like a call and names an offered tool.
/// - The value of an argument that is written between tags (GLM, Qwen 3.5, DeepSeek V3.2) is read by the tool's schema: a string
///   stays a string, and `null` and `None` of a type that allows null are null. Without a type, `75001` is a number.
/// - Tools are offered, but the syntax of the model's calls is not known: an error.
/// - Without offered tools ([`tools`](AnswerParser::tools) with an empty list) all of it is text.
/// - If the tools are not known, delimiters begin a call, and so does a line of a family whose calls have no delimiters.
///
/// # Reasoning
///
/// - Text between the delimiters of reasoning, at the beginning of the answer.
/// - Text before the closing delimiter, if the [prompt](AnswerParser::prompt) ends with the opening delimiter. Without a known
///   prompt it is the family's generation prompt: that of DeepSeek R1 opens the reasoning.
/// - A delimiter of calls inside of reasoning is a part of it. If the reasoning is never closed, it ends before the first
///   valid call, or before an invalid call at the end of the answer, which is an error.
///
/// Delimiters around all of the text (`<|START_RESPONSE|>` of Command R, `<response>` of Granite) are not a part of it.
///
/// ```
/// use typed_prompt::{Tool, ToolCall, format::{self, AnswerParser}};
///
/// let tools = [Tool::new("tide")];
/// let parser = || AnswerParser::new(&format::QWEN3).tools(&tools);
/// let reply = parser().parse("<think>\nEasy.\n</think>\n\n<tool_call>\n{\"name\": \"tide\", \"arguments\": {}}\n</tool_call>")?;
/// assert_eq!(reply.reasoning.as_deref(), Some("Easy."));
/// assert_eq!(reply.tool_calls[0].name, "tide");
///
/// let error = parser().parse("<tool_call>\n{\"name\": \"tides\", \"arguments\": {}}").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "the tool call is invalid, line 2, column 1: there is no tool `tides`; did you mean `tide`?"
/// );
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is parsed before `parse`"]
pub struct AnswerParser {
    family: &'static Family,
    syntaxes: &'static [CallSyntax],
    /// The family of the syntaxes.
    calls: Option<&'static Family>,
    /// The delimiters of the text.
    texts: &'static [(&'static str, &'static str)],
    /// The delimiters of reasoning.
    reasoning: Vec<(&'static str, &'static str)>,
    /// `None` if the tools are not known.
    tools: Option<Vec<Tool>>,
    state: AnswerState,
    /// The answer so far.
    text: String,
    /// The bytes before it are parsed.
    at: usize,
    /// No call and no closing delimiter begins between `at` and it.
    scanned: usize,
    /// The end of the text before `scanned` without white space; of reasoning, without line breaks.
    trimmed: usize,
    /// The first delimiter of a call inside of reasoning that is not closed yet.
    held: Option<usize>,
    /// Only white space precedes `scanned` in its line.
    is_line_start: bool,
    /// The tokens of harmony were removed from the answer.
    is_stripped: bool,
    has_reasoning: bool,
    /// The delimiter that closes the text, if one opened it.
    text_close: &'static str,
    is_closed: bool,
    /// An incomplete call is parsed again when the answer has this length, so that the time is linear.
    retry: usize,
    has_text: bool,
    has_calls: bool,
    /// The last part is a call: the delimiters that follow it are not text.
    is_after_call: bool,
    /// The calls between delimiters.
    delimited: Vec<ToolCall>,
    /// A Markdown fence after text is open.
    is_fenced: bool,
    /// The fence around a call that no text precedes is open.
    has_call_fence: bool,
    /// No closing delimiter of a call begins between it and `scanned`.
    unread: usize,
    /// How many invalid calls in fences were parsed.
    wrong_examples: usize,
    parts: VecDeque<AnswerPart>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum AnswerState {
    /// It is not known yet whether the answer begins with reasoning. The number is that of the delimiters that the prompt
    /// opened; `is_whole`: the complete text may contain the closing delimiter alone.
    Start {
        opened: Option<usize>,
        is_whole: bool,
    },
    /// After the opening delimiter.
    Opened(usize),
    Reasoning(usize),
    /// After the closing delimiter.
    Closed,
    Answer,
    /// The header of a message of harmony.
    Header,
    /// The text of a message of harmony.
    Message {
        is_reasoning: bool,
    },
}

/// A Markdown fence.
const FENCE: &str = "```";
/// How long the first line of a fence may be: of a longer line it is not waited for the end.
const MAX_INFO: usize = 200;
/// How many invalid calls in fences are parsed.
const MAX_WRONG_EXAMPLES: usize = 16;
/// Line breaks around reasoning, of all systems.
const LINE_BREAKS: [char; 2] = ['\n', '\r'];

/// The beginning of a call.
#[derive(Clone, Copy)]
enum Opening {
    Delimited(usize),
    Bare(usize),
}

/// What begins like a call.
enum FoundCalls {
    Calls(Vec<ToolCall>),
    /// An example in prose.
    Text,
}

/// The result of a search for a call at a position.
enum CallSearch {
    No,
    /// More text decides it.
    Partial,
    Call(Opening),
    /// The text is closed here.
    TextEnd,
    /// The closing delimiter of a call that did not begin with its opening one.
    Unopened(&'static str),
}

impl AnswerParser {
    /// A parser of the answers of a family's models.
    ///
    /// ```
    /// use typed_prompt::format::{self, AnswerParser};
    ///
    /// assert_eq!(AnswerParser::new(&format::LLAMA3).parse("4")?.text, "4");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn new<F: ChatFormat + ?Sized>(format: &F) -> AnswerParser {
        let family = format.family();
        let calls = format.call_family();
        let texts = match family.turns.answer_text {
            [] => calls.turns.answer_text,
            texts => texts,
        };
        // The delimiter that opens the text is read by itself.
        let without_text = |close: &'static str| {
            let mut opens = texts.iter().map(|(open, _)| *open);
            opens
                .find_map(|open| close.strip_suffix(open))
                .unwrap_or(close)
        };
        let own = format.reasoning_delimiters().into_iter();
        let mut reasoning: Vec<_> = own
            .map(|(open, close)| (open, without_text(close)))
            .collect();
        reasoning.extend(family.turns.also_reasoning);
        AnswerParser {
            family,
            texts,
            syntaxes: family.turns.answer_calls,
            calls: None,
            reasoning,
            tools: None,
            state: AnswerState::Start {
                opened: None,
                is_whole: false,
            },
            text: String::new(),
            at: 0,
            scanned: 0,
            trimmed: 0,
            held: None,
            is_line_start: true,
            is_stripped: false,
            has_reasoning: false,
            text_close: "",
            is_closed: false,
            retry: 0,
            has_text: false,
            has_calls: false,
            is_after_call: false,
            delimited: Vec::new(),
            is_fenced: false,
            has_call_fence: false,
            unread: 0,
            wrong_examples: 0,
            parts: VecDeque::new(),
        }
        .syntax(calls)
        .prompt(family.turns.generation_prompt(), false)
    }

    /// Sets the family that defines the syntax of tool calls.
    ///
    /// ```
    /// use typed_prompt::{ChatFormat, format::{self, AnswerParser}};
    ///
    /// let parser = AnswerParser::new(&format::CHATML).syntax(format::QWEN3.family());
    /// let reply = parser.parse("<tool_call>{\"name\": \"tide\", \"arguments\": {}}</tool_call>")?;
    /// assert_eq!(reply.tool_calls[0].name, "tide");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    ///
    /// The syntaxes of some models whose chat format is not built in are in [`CALL_SYNTAXES`](crate::format::CALL_SYNTAXES). Any other
    /// is a table of the program:
    ///
    /// ```
    /// use typed_prompt::format::{self, AnswerParser, CallBody, CallSyntax, Family, Turns};
    ///
    /// static OLMO3: Family = Family {
    ///     turns: Turns {
    ///         answer_calls: &[CallSyntax::new("<function_calls>", "</function_calls>", CallBody::Python)],
    ///         ..Turns::NONE
    ///     },
    ///     ..Family::BARE
    /// };
    /// let parser = AnswerParser::new(&format::CHATML).syntax(&OLMO3);
    /// let reply = parser.parse("<function_calls>tide(day=1)\nnow()</function_calls>")?;
    /// assert_eq!(reply.tool_calls.len(), 2);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn syntax(mut self, family: &'static Family) -> AnswerParser {
        (self.syntaxes, self.calls) = (family.turns.answer_calls, Some(family));
        if self.is_harmony() {
            self.state = AnswerState::Header;
        }
        self
    }

    /// Sets the offered tools. With an empty list no tool calls are read.
    pub fn tools(mut self, tools: &[Tool]) -> AnswerParser {
        self.tools = Some(tools.to_vec());
        self
    }

    /// Sets the prompt instead of the family's generation prompt: it may end inside the reasoning. A model that is constrained to a schema writes the answer alone.
    ///
    /// ```
    /// use typed_prompt::format::{self, AnswerParser};
    ///
    /// let reply = AnswerParser::new(&format::QWEN3).prompt("…<think>\n", false).parse("Easy.</think>4")?;
    /// assert_eq!((reply.reasoning.as_deref(), &*reply.text), (Some("Easy."), "4"));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn prompt(mut self, prompt: &str, is_constrained: bool) -> AnswerParser {
        if self.is_harmony() {
            return self;
        }
        let end = prompt.trim_end();
        let opens = |(open, _): &(&str, &str)| end.ends_with(open);
        let opened = self.reasoning.iter().position(opens);
        self.state = AnswerState::Start {
            opened: opened.filter(|_| !is_constrained),
            is_whole: matches!(self.state, AnswerState::Start { is_whole: true, .. }),
        };
        self.text_close = "";
        if self.reasoning.iter().any(|(_, close)| end.ends_with(close)) {
            self.state = AnswerState::Answer;
        }
        let mut texts = self.texts.iter();
        if let Some((_, close)) = texts.find(|(open, _)| end.ends_with(open)) {
            (self.state, self.text_close) = (AnswerState::Closed, close);
        }
        self
    }

    /// Waits for the complete answer where its beginning may be reasoning without the opening delimiter.
    ///
    /// ```
    /// use typed_prompt::format::{self, AnswerParser};
    ///
    /// let mut parser = AnswerParser::new(&format::QWEN3).complete();
    /// parser.push("Easy.")?;
    /// assert_eq!(parser.next_part(), None);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn complete(mut self) -> AnswerParser {
        if let AnswerState::Start { is_whole, .. } = &mut self.state {
            *is_whole = true;
        }
        self
    }

    /// Parses a complete answer. Text before a closing delimiter of reasoning is reasoning, also if the opening delimiter is
    /// missing.
    ///
    /// # Errors
    /// An invalid tool call, with its position, also if complete calls precede it: they are read with
    /// [`push`](AnswerParser::push) and [`next_part`](AnswerParser::next_part). Tools are offered, but the syntax of the model's
    /// calls is not known.
    pub fn parse(mut self, answer: &str) -> Result<Reply> {
        self = self.complete();
        let result = self.push(answer).and_then(|()| self.finish());
        let mut reply = Reply::default();
        while let Some(part) = self.next_part() {
            match part {
                AnswerPart::Text(text) => reply.text.push_str(&text),
                AnswerPart::Reasoning(text) => {
                    reply.reasoning.get_or_insert_default().push_str(&text);
                }
                AnswerPart::Call(call) => reply.tool_calls.push(call),
            }
        }
        let complete = reply.tool_calls.len();
        result.map(|()| reply).map_err(|error| {
            if complete == 0 {
                return error;
            }
            let calls = if complete == 1 { "call" } else { "calls" };
            let help = error.help().unwrap_or_default().to_owned();
            error.with_help(format!(
                "{help}; `push` and `next_part` return the {complete} complete {calls} before it"
            ))
        })
    }

    /// Adds a chunk of the answer.
    ///
    /// # Errors
    /// An invalid tool call, with its position. The parts before it can still be read. Tools are offered, but the syntax of the model's
    /// calls is not known.
    ///
    /// ```
    /// use typed_prompt::format::{self, AnswerParser, AnswerPart};
    ///
    /// let mut parser = AnswerParser::new(&format::QWEN3);
    /// parser.push("I look. <tool_")?;
    /// assert_eq!(parser.next_part(), Some(AnswerPart::Text("I look.".into())));
    /// parser.push("call>{\"name\": \"tide\"}</tool_call>")?;
    /// parser.finish()?;
    /// assert!(matches!(parser.next_part(), Some(AnswerPart::Call(call)) if call.name == "tide"));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn push(&mut self, chunk: &str) -> Result<()> {
        self.text.push_str(chunk);
        self.run(false)
    }

    /// Ends the answer.
    ///
    /// # Errors
    /// As [`push`](AnswerParser::push), and an answer that ends inside a tool call.
    pub fn finish(&mut self) -> Result<()> {
        self.run(true)?;
        // The delimiters after a call are not text.
        let rest = &self.text[self.at..];
        if !(self.ends_with_tokens() && rest.trim().is_empty()) {
            self.emit_text(self.text.len());
        }
        self.at = self.text.len();
        Ok(())
    }

    /// The next part that is complete enough to be used.
    pub fn next_part(&mut self) -> Option<AnswerPart> {
        self.parts.pop_front()
    }

    /// Whether answers consist of messages with headers.
    pub(crate) fn is_harmony(&self) -> bool {
        let first = self.syntaxes.first();
        first.is_some_and(|syntax| syntax.body == CallBody::Channel)
    }

    fn run(&mut self, end: bool) -> Result<()> {
        if self.syntaxes.is_empty() && self.tools.as_ref().is_some_and(|tools| !tools.is_empty()) {
            return Err(self.unknown_syntax_error());
        }
        loop {
            let before @ (state, _) = (self.state, self.at);
            match state {
                AnswerState::Start { opened, is_whole } => self.start(opened, is_whole, end),
                AnswerState::Opened(delimiters) => self.trim(AnswerState::Reasoning(delimiters)),
                AnswerState::Reasoning(delimiters) => {
                    self.read_reasoning(self.reasoning[delimiters].0, end);
                }
                AnswerState::Closed => self.trim(AnswerState::Answer),
                AnswerState::Answer if self.opens_text(end) => {}
                AnswerState::Answer => return self.answer(end),
                AnswerState::Header => self.read_header(end)?,
                AnswerState::Message {
                    is_reasoning: false,
                } if self.syntaxes.len() > 1 && self.reads_calls() => self.answer(end)?,
                AnswerState::Message { is_reasoning } => self.message(is_reasoning, end),
            }
            if (self.state, self.at) == before {
                return Ok(());
            }
        }
    }

    fn unknown_syntax_error(&self) -> Error {
        let message = format!(
            "tools are offered, but the syntax of tool calls of {} is not known",
            self.family.title
        );
        Error::new(ErrorKind::Unsupported, message).with_help(
            "set the family whose syntax the model writes, `.syntax(format::QWEN3.family())`, or offer no tools",
        )
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn start(&mut self, opened: Option<usize>, is_whole: bool, end: bool) {
        let unread = &self.text[self.scanned..];
        self.scanned = self.text.len() - unread.trim_start().len();
        let begun = &self.text[self.scanned..];
        let delimiters = self.reasoning.iter();
        if let Some(found) = delimiters
            .clone()
            .position(|(open, _)| begun.starts_with(open))
        {
            self.at = self.scanned + self.reasoning[found].0.len();
            self.state = AnswerState::Opened(found);
            return;
        }
        if !end && delimiters.clone().any(|(open, _)| open.starts_with(begun)) {
            return;
        }
        // There is no reasoning. A phrase may be the text.
        let mut closes = delimiters.clone().map(|(_, close)| *close);
        let closes = closes
            .by_ref()
            .filter(|close| !close.starts_with(char::is_alphabetic));
        for close in closes {
            if begun.starts_with(close) {
                self.at = self.scanned + close.len();
                self.state = AnswerState::Closed;
                return;
            }
            if !end && close.starts_with(begun) {
                return;
            }
        }
        // A model may call a tool without reasoning.
        if opened.is_some() {
            let mut opens = self.call_opens();
            if opens.any(|open| begun.starts_with(open)) {
                self.state = AnswerState::Answer;
                return self.begin_answer();
            }
            if !end && self.call_opens().any(|open| open.starts_with(begun)) {
                return;
            }
        }
        let mut closed = None;
        if is_whole && opened.is_none() && !self.reasoning.is_empty() {
            if !end {
                return;
            }
            closed = delimiters
                .enumerate()
                .filter_map(|(index, (open, close))| {
                    let before = &self.text[self.at..self.at + self.rest().find(close)?];
                    let mut openers = self
                        .syntaxes
                        .iter()
                        .map(|syntax| syntax.open)
                        .chain([*open]);
                    let is_alone = !openers.any(|open| !open.is_empty() && before.contains(open));
                    is_alone.then_some((before.len(), index))
                })
                .min()
                .map(|(_, index)| index);
        }
        self.state = match opened.or(closed) {
            Some(delimiters) if !self.rest().is_empty() => AnswerState::Opened(delimiters),
            Some(_) => return,
            None => AnswerState::Answer,
        };
        self.begin_answer();
    }

    /// No call begins before this position.
    fn begin_answer(&mut self) {
        (self.scanned, self.trimmed, self.is_line_start) = (self.at, self.at, true);
        (self.held, self.is_fenced, self.unread) = (None, false, self.at);
    }

    /// Skips line breaks before the first other character.
    fn trim(&mut self, next: AnswerState) {
        self.at = self.text.len() - self.rest().trim_start_matches(LINE_BREAKS).len();
        self.begin_answer();
        if !self.rest().is_empty() {
            self.state = next;
        }
    }

    fn read_reasoning(&mut self, open: &'static str, end: bool) {
        let unread = &self.text[self.scanned..];
        // Granite closes the same opening phrase with several phrases.
        let closes = self.reasoning.iter().filter(|pair| pair.0 == open);
        let closes = closes.map(|(_, close)| *close);
        let found = closes
            .clone()
            .filter_map(|close| Some((unread.find(close)?, close)))
            .min();
        let call = match (found, self.held) {
            (None, None) => self.call_opens().filter_map(|open| unread.find(open)).min(),
            _ => None,
        };
        let tokens = self.call_opens().chain(closes);
        let partial = tokens.map(|token| partial_length(unread, token)).min();
        let read = found.map(|(read, _)| read).or(partial);
        let read = read.unwrap_or(unread.len());
        let written = unread[..read].trim_end_matches(LINE_BREAKS).len();
        if written > 0 {
            self.trimmed = self.scanned + written;
        }
        if let Some(call) = call {
            let call = self.scanned + call;
            self.held = Some(call);
            self.emit_reasoning(self.text[..call].trim_end_matches(LINE_BREAKS).len());
        }
        self.scanned += read;
        match (found, self.held) {
            (Some((_, close)), _) => {
                self.emit_reasoning(self.trimmed);
                self.at = self.scanned + close.len();
                self.state = AnswerState::Closed;
            }
            (None, Some(held)) if end => match self.call_after(held) {
                Some(call) => {
                    self.emit_reasoning(self.text[..call].trim_end_matches(LINE_BREAKS).len());
                    (self.at, self.state) = (call, AnswerState::Answer);
                    self.begin_answer();
                }
                None => self.emit_reasoning(self.text.len()),
            },
            (None, None) if end => self.emit_reasoning(self.text.len()),
            (None, Some(_)) => {}
            (None, None) => self.emit_reasoning(self.trimmed),
        }
    }

    fn reads_calls(&self) -> bool {
        !self.tools.as_ref().is_some_and(Vec::is_empty) && !self.syntaxes.is_empty()
    }

    /// The delimiters that begin a call and contain no words.
    fn call_opens(&self) -> impl Iterator<Item = &'static str> + use<> {
        let reads_calls = self.reads_calls();
        let syntaxes = self.syntaxes.iter().filter(move |_| reads_calls);
        let opens = syntaxes.flat_map(|syntax| [syntax.section_open, syntax.open]);
        opens.filter(|open| !open.is_empty() && !open.starts_with(char::is_alphabetic))
    }

    /// The position of the first valid call in reasoning that was not closed, or of an invalid one at its end.
    fn call_after(&self, from: usize) -> Option<usize> {
        let opens = |at: &usize| {
            self.call_opens()
                .any(|open| self.text[*at..].starts_with(open))
        };
        let positions = self.text[from..].char_indices().map(|(at, _)| from + at);
        let is_call = |at: usize, is_last: bool| {
            let CallSearch::Call(opening) = self.delimited_call(at, true) else {
                return false;
            };
            let mut cursor = AnswerCursor::new(self, at, true);
            let is_found = match cursor.calls(opening) {
                Ok(_) => true,
                Err(CallStop::Wrong(span, _)) if is_last => self.is_begun_call(at, opening, span),
                Err(_) => false,
            };
            // A call in a fence is an example, as in text.
            is_found && !(self.is_in_fence(at) && self.fence_line(cursor.at).is_some())
        };
        // The first delimiters, so that the time is linear.
        let mut first = positions.clone().filter(opens).take(16);
        let valid = first.find(|at| is_call(*at, false));
        valid.or_else(|| {
            let mut last = self
                .call_opens()
                .filter_map(|open| self.text.rfind(open))
                .max()?;
            let before = self.text[..last].trim_end();
            let sections = self.syntaxes.iter().map(|syntax| syntax.section_open);
            let mut sections = sections.filter(|section| !section.is_empty());
            if let Some(section) = sections.find(|section| before.ends_with(section)) {
                last = before.len() - section.len();
            }
            (last >= from && is_call(last, true)).then_some(last)
        })
    }

    /// Whether this is a call that is invalid in this span, and not a delimiter that the reasoning mentions: the call begins as
    /// the syntax defines, and the answer ends inside of it or with its closing delimiter.
    fn is_begun_call(&self, at: usize, opening: Opening, wrong: Range<usize>) -> bool {
        let (Opening::Delimited(index) | Opening::Bare(index)) = opening;
        let syntax = &self.syntaxes[index];
        let mut cursor = AnswerCursor::new(self, at, true);
        while self
            .call_opens()
            .any(|open| matches!(cursor.eat_token(open), Ok(true)))
        {
            cursor.skip_space();
        }
        let begun = cursor.at;
        let text = self.text.trim_end();
        let is_name = self.is_unknown_name(syntax, &wrong);
        let is_at_end = wrong.end >= text.len()
            || match syntax.body {
                CallBody::Named { middle, .. } if is_name && syntax.close.is_empty() => {
                    let mut after = AnswerCursor::new(self, wrong.end, true);
                    after.named_arguments(middle).is_ok() && self.is_call_end(after.rest())
                }
                _ => self.call_ends().any(|end| text.ends_with(end)),
            };
        // The name of a tool that is not offered is a part of the call.
        let is_begun = is_name || wrong.start > begun;
        is_at_end && (is_begun || matches!(cursor.is_json_or_fence(), Ok(true)))
    }

    /// Whether an invalid span is the name of a tool that is not offered.
    fn is_unknown_name(&self, syntax: &CallSyntax, span: &Range<usize>) -> bool {
        let name = &self.text[span.clone()];
        if name.is_empty() || !name.chars().all(is_name_part) {
            return false;
        }
        let (before, after) = (&self.text[..span.start], self.text[span.end..].trim_start());
        match syntax.body {
            // No delimiter ends the name, so a word of the reasoning is parsed as one.
            CallBody::Tags {
                name: (open, ""),
                key,
                ..
            } => {
                let mut next = self.call_ends().chain([key.0, "{"]);
                before.ends_with(open)
                    && (after.is_empty() || next.any(|token| after.starts_with(token)))
            }
            CallBody::Tags {
                name: (open, _), ..
            }
            | CallBody::BareKeys { prefix: open, .. } => before.ends_with(open),
            CallBody::Named { .. } | CallBody::Python | CallBody::Elements { .. } => true,
            CallBody::Json | CallBody::JsonByName | CallBody::Channel => false,
        }
    }

    /// The closing delimiters of calls and the tokens that end a turn.
    fn call_ends(&self) -> impl Iterator<Item = &'static str> + use<> {
        let turn_ends = self.turn_ends().filter(|end| !end.is_empty());
        self.closes().chain(turn_ends)
    }

    /// Whether only closing delimiters of calls and tokens that end a turn follow.
    fn is_call_end(&self, rest: &str) -> bool {
        let mut rest = rest.trim();
        while let Some(after) = self.call_ends().find_map(|end| rest.strip_prefix(end)) {
            rest = after.trim_start();
        }
        rest.is_empty()
    }

    /// Skips a delimiter that opens the text. Returns `true` also if more text is needed to decide.
    fn opens_text(&mut self, end: bool) -> bool {
        let delimiters = self.texts;
        let is_begun = self.has_text || self.has_calls || self.trimmed > self.at;
        if is_begun || self.is_closed || !self.text_close.is_empty() || delimiters.is_empty() {
            return false;
        }
        let begun = self.text[self.scanned..].trim_start();
        self.scanned = self.text.len() - begun.len();
        if let Some((open, close)) = delimiters.iter().find(|(open, _)| begun.starts_with(open)) {
            // Llama 4 writes text and calls in Python between the same delimiters.
            if self.syntaxes.iter().any(|syntax| syntax.open == *open) {
                if !end && self.text.len() < self.retry {
                    return true;
                }
                match AnswerCursor::new(self, self.scanned + open.len(), end).begins_call() {
                    Ok(false) => {}
                    Ok(true) => return false,
                    Err(_) => {
                        self.retry = self.next_try(self.scanned);
                        return true;
                    }
                }
            }
            self.retry = 0;
            (self.at, self.text_close) = (self.scanned + open.len(), close);
            self.state = AnswerState::Closed;
            return true;
        }
        !end && delimiters.iter().any(|(open, _)| open.starts_with(begun))
    }

    fn emit_reasoning(&mut self, end: usize) {
        let text = self.text[self.at..end.max(self.at)].to_owned();
        self.at = self.at.max(end);
        if !text.is_empty() {
            self.has_reasoning = true;
            self.parts.push_back(AnswerPart::Reasoning(text));
        }
    }

    fn emit_text(&mut self, end: usize) {
        let mut text = &self.text[self.at..end];
        if self.has_calls && !self.has_text {
            text = text.trim_start();
        }
        let text = text.to_owned();
        self.at = end;
        if !text.is_empty() {
            (self.has_text, self.is_after_call) = (true, false);
            self.parts.push_back(AnswerPart::Text(text));
        }
    }

    fn answer(&mut self, end: bool) -> Result<()> {
        if !self.reads_calls() && self.text_close.is_empty() && !self.is_closed {
            self.emit_text(self.text.len());
            return Ok(());
        }
        loop {
            if !end && self.text.len() < self.retry || self.skip_closes(end) {
                return Ok(());
            }
            let found = self.find(end);
            let (position, before) = (self.scanned, self.trimmed);
            if matches!(found, CallSearch::TextEnd) {
                self.emit_text(before);
                if self.is_harmony() {
                    self.end_message(position);
                    return Ok(());
                }
                self.at = position + self.text_close.len();
                (self.text_close, self.is_closed, self.retry) = ("", true, 0);
                self.begin_answer();
                continue;
            }
            if let CallSearch::Unopened(close) = found {
                self.emit_text(before);
                let message = format!("this `{close}` closes no call");
                let error = Error::new(ErrorKind::Output, message);
                return Err(self.error(position..position + close.len(), &error));
            }
            let CallSearch::Call(opening) = found else {
                if matches!(found, CallSearch::Partial) {
                    self.retry = self.next_try(position);
                }
                // White space belongs to a call that follows, and tokens after a call end the turn.
                let text_end = self.without_turn_end(before, end);
                if text_end > self.at {
                    self.emit_text(text_end);
                }
                if end && text_end < before {
                    self.at = self.text.len();
                }
                return Ok(());
            };
            match self.calls(position, opening, end) {
                Ok((next, FoundCalls::Text)) => {
                    (self.scanned, self.trimmed, self.retry) = (next, next, 0);
                    self.is_line_start = false;
                }
                Ok((next, FoundCalls::Calls(calls))) => {
                    self.emit_text(before);
                    (self.has_calls, self.is_after_call) = (true, true);
                    match opening {
                        Opening::Delimited(_) => self.delimited.extend(calls.iter().cloned()),
                        Opening::Bare(_) => {}
                    }
                    self.parts.extend(calls.into_iter().map(AnswerPart::Call));
                    (self.at, self.retry) = (next, 0);
                    self.begin_answer();
                }
                Err(CallStop::More) => {
                    self.emit_text(before);
                    self.retry = self.next_try(position);
                    return Ok(());
                }
                Err(CallStop::Wrong(span, error)) => {
                    self.emit_text(before);
                    return Err(self.error(span, &error));
                }
            }
        }
    }

    /// The calls that begin here, and their end.
    fn calls(
        &self,
        position: usize,
        opening: Opening,
        end: bool,
    ) -> call::CallStep<(usize, FoundCalls)> {
        let mut cursor = AnswerCursor::new(self, position, end);
        let mut calls = cursor.calls(opening)?;
        let Opening::Bare(index) = opening else {
            return Ok((cursor.at, FoundCalls::Calls(calls)));
        };
        if self.syntaxes[index].open.is_empty() {
            return Ok((cursor.at, FoundCalls::Calls(calls)));
        }
        // Without the opening delimiter, a closing one or the end of the answer follows a call. Before other text it is an example.
        loop {
            let call = self.text[position..cursor.at].trim_end();
            let mut is_call = self.closes().any(|close| call.ends_with(close));
            let next = cursor.at;
            cursor.skip_space();
            let rest = cursor.rest();
            let found = self.delimited_call(cursor.at, false);
            let following = self.bare_call(cursor.at, false);
            let tokens = self.turn_ends().filter(|token| !token.is_empty());
            let is_token = tokens.clone().any(|token| rest.starts_with(token));
            is_call |= is_token || matches!(found, CallSearch::Call(_));
            // What follows may be the beginning of a call or of a token.
            let is_begun = matches!(found, CallSearch::Partial)
                || matches!(following, CallSearch::Partial)
                || tokens
                    .chain(self.closes())
                    .any(|token| token.starts_with(rest));
            if !is_call && (is_begun || rest.is_empty()) {
                if !end {
                    return Err(CallStop::More);
                }
                is_call = true;
            }
            if is_call {
                if self.delimited.ends_with(&calls) {
                    calls.clear();
                }
                return Ok((next, FoundCalls::Calls(calls)));
            }
            match following {
                CallSearch::Call(opening) => calls.extend(cursor.calls(opening)?),
                _ => return Ok((next, FoundCalls::Text)),
            }
        }
    }

    /// The closing delimiters of calls.
    fn closes(&self) -> impl Iterator<Item = &'static str> + use<> {
        let tagged = self.syntaxes.iter();
        let tagged = tagged.filter(|syntax| syntax.body != CallBody::Channel);
        let closes = tagged.flat_map(|syntax| [syntax.close, syntax.section_close]);
        closes.filter(|close| !close.is_empty())
    }

    /// Skips the closing delimiters that a model repeats after a call, and the tokens that end the turn. Returns `true` if more text is needed to decide.
    fn skip_closes(&mut self, end: bool) -> bool {
        while self.is_after_call {
            let rest = self.rest().trim_start();
            let start = self.text.len() - rest.len();
            // Those of messages with headers begin the next header.
            let ends = || {
                let is_message = self.is_harmony();
                let ends = self
                    .turn_ends()
                    .filter(move |end| !is_message && !end.is_empty());
                self.closes().chain(ends)
            };
            if let Some(close) = ends().find(|close| rest.starts_with(close)) {
                self.at = start + close.len();
                self.begin_answer();
                continue;
            }
            if self.has_call_fence && rest.starts_with(FENCE) {
                self.at = start + FENCE.len();
                self.has_call_fence = false;
                self.begin_answer();
                continue;
            }
            let mut closes = ends().chain(self.has_call_fence.then_some(FENCE));
            return !end && !rest.is_empty() && closes.any(|close| close.starts_with(rest));
        }
        false
    }

    /// The length of the answer at which a call that began here is parsed again.
    fn next_try(&self, from: usize) -> usize {
        self.text.len() + (self.text.len() - from).saturating_sub(256) / 4
    }

    /// Whether what follows may be tokens that end the turn.
    fn ends_with_tokens(&self) -> bool {
        self.has_calls || self.is_closed
    }

    /// The tokens that end a turn.
    fn turn_ends(&self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        let ends = |family: &'static Family| {
            let turns = &family.turns;
            // GLM ends a turn with the token that opens the next one.
            let next = turns.tool.map_or("", |tool| tool.open.trim());
            let own = [family.eos, turns.assistant.close.trim(), next];
            own.into_iter().chain(turns.closes.iter().copied())
        };
        // A chat template's own tokens are not known: they are those of the family whose calls it writes.
        let calls = self.calls.filter(|calls| calls.name != self.family.name);
        ends(self.family).chain(calls.into_iter().flat_map(ends))
    }

    /// The end of the text without the tokens at its end that end the turn, or, unless this is all of it, the beginning of one.
    fn without_turn_end(&self, to: usize, end: bool) -> usize {
        if !self.ends_with_tokens() || to <= self.at {
            return to;
        }
        let mut rest = &self.text[self.at..to];
        let mut is_last = true;
        loop {
            let closes = self.turn_ends().filter(|close| !close.is_empty());
            let length = closes.map(|close| match end || !is_last {
                true => rest.strip_suffix(close).unwrap_or(rest).len(),
                false => partial_length(rest, close),
            });
            match length.min() {
                Some(length) if length < rest.len() => rest = rest[..length].trim_end(),
                _ if is_last => return to,
                _ => return self.at + rest.len(),
            }
            is_last = false;
        }
    }

    fn error(&self, span: Range<usize>, error: &Error) -> Error {
        let before = &self.text[..span.start.min(self.text.len())];
        let line = before.matches('\n').count() + 1;
        let column = before
            .rsplit('\n')
            .next()
            .unwrap_or_default()
            .chars()
            .count()
            + 1;
        let message = format!(
            "the tool call is invalid, line {line}, column {column}: {}",
            error.message()
        );
        let help = error.help().unwrap_or("call the model again");
        Error::new(ErrorKind::Output, message)
            .with_help(help)
            .with_answer(&*self.text)
            .with_drawing(&self.text, span, "in this tool call")
    }

    /// Moves `scanned` to the next position that may begin a call, or to the end.
    fn find(&mut self, end: bool) -> CallSearch {
        let reads_calls = self.reads_calls();
        if reads_calls
            && !self.is_begun()
            && let found @ (CallSearch::Call(_) | CallSearch::Partial) = self.fenced_call(end)
        {
            return found;
        }
        while let Some(letter) = self.text[self.scanned..].chars().next() {
            if reads_calls && self.is_line_start && letter == '`' && self.is_begun() {
                if self.rest_at(self.scanned).starts_with(FENCE) {
                    // As in Markdown: a line with more backticks, such as "```ls``` lists files", does not open a fence.
                    let after = self.rest_at(self.scanned).trim_start_matches('`');
                    let line = after.split_once('\n').map(|(line, _)| line);
                    if !self.is_fenced
                        && line.is_none()
                        && !end
                        && after.len() < MAX_INFO
                        && !after.contains('`')
                    {
                        return CallSearch::Partial;
                    }
                    if !self.is_fenced && line.unwrap_or(after).contains('`') {
                        self.scanned += FENCE.len();
                        (self.trimmed, self.is_line_start) = (self.scanned, false);
                        continue;
                    }
                    self.is_fenced = !self.is_fenced;
                    self.scanned += FENCE.len();
                    (self.trimmed, self.is_line_start) = (self.scanned, false);
                    continue;
                }
                if !end && FENCE.starts_with(self.rest_at(self.scanned)) {
                    return CallSearch::Partial;
                }
            }
            if reads_calls && !self.is_fenced {
                match self.unopened_end(end) {
                    CallSearch::No => {}
                    found => return found,
                }
            }
            let found = match self.text_end(end) {
                CallSearch::No if reads_calls => self.delimited_call(self.scanned, end),
                found => found,
            };
            let found = match found {
                _ if !reads_calls => found,
                CallSearch::No if self.is_line_start && !letter.is_whitespace() => {
                    self.bare_call(self.scanned, end)
                }
                CallSearch::No if matches!(letter, '{' | '[') => {
                    self.inline_call(self.scanned, end)
                }
                found => found,
            };
            match found {
                CallSearch::No => {}
                CallSearch::Call(opening) if self.is_fenced => {
                    match self.skip_example(opening, end) {
                        Ok(()) => continue,
                        Err(found) => return found,
                    }
                }
                found => return found,
            }
            self.scanned += letter.len_utf8();
            if !letter.is_whitespace() {
                self.trimmed = self.scanned;
            }
            self.is_line_start = letter == '\n' || self.is_line_start && letter.is_whitespace();
        }
        CallSearch::No
    }

    /// Moves `scanned` to a call between delimiters in a fence that no text precedes: the fence is not text.
    fn fenced_call(&mut self, end: bool) -> CallSearch {
        let rest = self.rest().trim_start();
        if !end && FENCE.starts_with(rest) {
            return CallSearch::Partial;
        }
        let Some(fenced) = rest.strip_prefix(FENCE) else {
            return CallSearch::No;
        };
        let Some((info, inner)) = fenced.split_once('\n') else {
            let is_begun = !end && fenced.len() < MAX_INFO && !fenced.contains('`');
            return match is_begun {
                true => CallSearch::Partial,
                false => CallSearch::No,
            };
        };
        let inner = inner.trim_start();
        let found = match info.contains('`') {
            true => CallSearch::No,
            false if inner.is_empty() && !end => CallSearch::Partial,
            false => self.delimited_call(self.text.len() - inner.len(), end),
        };
        if matches!(found, CallSearch::Call(_)) {
            self.scanned = self.text.len() - inner.len();
            self.has_call_fence = true;
        }
        found
    }

    fn rest_at(&self, at: usize) -> &str {
        &self.text[at..]
    }

    /// Whether text precedes this position.
    fn is_begun(&self) -> bool {
        self.has_text || self.trimmed > self.at
    }

    /// Skips a call in a Markdown fence, which is an example. In a fence that is never closed it is a call. A fence inside of the call's
    /// arguments closes nothing.
    fn skip_example(&mut self, opening: Opening, end: bool) -> Result<(), CallSearch> {
        let unclosed = match end {
            true => CallSearch::Call(opening),
            false => CallSearch::Partial,
        };
        let Some(mut fence) = self.fence_line(self.scanned) else {
            return Err(unclosed);
        };
        // An invalid call may be parsed to the end of the answer: only some are, so that the time is linear.
        if self.wrong_examples < MAX_WRONG_EXAMPLES {
            match self.calls(self.scanned, opening, end) {
                Ok((next, _)) => match self.fence_line(next) {
                    Some(closing) => fence = closing,
                    None => return Err(unclosed),
                },
                Err(CallStop::More) => return Err(CallSearch::Partial),
                Err(CallStop::Wrong(..)) => self.wrong_examples += 1,
            }
        }
        (self.scanned, self.is_line_start, self.unread) = (fence, true, fence);
        self.trimmed = self.text[..fence].trim_end().len();
        Ok(())
    }

    /// Whether the closing delimiter of a call begins here that did not begin with its opening one: what precedes it ends like a call and
    /// contains the name of an offered tool.
    fn unopened_end(&mut self, end: bool) -> CallSearch {
        let rest = self.rest_at(self.scanned);
        let Some(close) = self.closes().find(|close| rest.starts_with(close)) else {
            return match !end && self.closes().any(|close| close.starts_with(rest)) {
                true => CallSearch::Partial,
                false => CallSearch::No,
            };
        };
        if self.unread > self.scanned {
            return CallSearch::No;
        }
        let before = self.text[self.unread..self.scanned].trim_end();
        let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
        let is_name = |tool: &Tool| {
            before.match_indices(tool.name()).any(|(at, name)| {
                let after = &before[at + name.len()..];
                !before[..at].ends_with(is_letter) && !after.starts_with(is_letter)
            })
        };
        let is_call =
            before.ends_with(['}', ']', ')', '>']) && self.tools.iter().flatten().any(is_name);
        self.unread = self.scanned + close.len();
        match is_call {
            true => CallSearch::Unopened(close),
            false => CallSearch::No,
        }
    }

    /// Whether a fence is open at this position.
    fn is_in_fence(&self, at: usize) -> bool {
        let fences = self.text[..at].lines().filter(|line| {
            let line = line.trim_start().strip_prefix(FENCE);
            line.is_some_and(|info| !info.trim_start_matches('`').contains('`'))
        });
        fences.count() % 2 == 1
    }

    /// The next line that begins with a fence.
    fn fence_line(&self, from: usize) -> Option<usize> {
        let mut fences = self.rest_at(from).match_indices(FENCE);
        fences.find_map(|(at, _)| {
            let before = self.text[..from + at].trim_end_matches([' ', '\t']);
            before.ends_with('\n').then_some(from + at)
        })
    }

    /// Whether the text is closed here: only the end of the turn or a call follows the delimiter.
    fn text_end(&self, end: bool) -> CallSearch {
        if self.is_harmony() {
            return self.message_end(end);
        }
        let (rest, close) = (&self.text[self.scanned..], self.text_close);
        let is_begun = !close.is_empty() && !end && close.starts_with(rest);
        let Some(after) = rest.strip_prefix(close).filter(|_| !close.is_empty()) else {
            return match is_begun {
                true => CallSearch::Partial,
                false => CallSearch::No,
            };
        };
        let after = after.trim_start();
        let next = |follows: &dyn Fn(&str) -> bool| {
            let mut tokens = self.turn_ends().chain(self.call_opens());
            tokens.any(|token| !token.is_empty() && follows(token))
        };
        match after {
            "" if end => CallSearch::TextEnd,
            _ if next(&|token| after.starts_with(token)) => CallSearch::TextEnd,
            _ if self.reads_calls() && after.starts_with(['{', '[']) => {
                match self.bare_call(self.text.len() - after.len(), end) {
                    CallSearch::Call(_) => CallSearch::TextEnd,
                    found => found,
                }
            }
            _ if !end && next(&|token| token.starts_with(after)) => CallSearch::Partial,
            _ => CallSearch::No,
        }
    }

    fn delimited_call(&self, at: usize, end: bool) -> CallSearch {
        let rest = &self.text[at..];
        let (mut found, mut is_partial) = (CallSearch::No, false);
        for (index, syntax) in self.syntaxes.iter().enumerate() {
            // The header of a message begins such a call.
            if syntax.body == CallBody::Channel {
                continue;
            }
            for open in [syntax.section_open, syntax.open] {
                // JSON follows a delimiter that is a word.
                let is_word = open.starts_with(char::is_alphabetic);
                if is_word && self.text[..at].ends_with(char::is_alphanumeric) {
                    continue;
                }
                if !open.is_empty() && rest.starts_with(open) {
                    let mut cursor = AnswerCursor::new(self, at + open.len(), end);
                    let begins = match is_word && !self.is_line_start {
                        // Inside a line, an offered name and arguments follow it.
                        true => {
                            let is_known = self.tools.is_some();
                            cursor
                                .eat_fence()
                                .and_then(|_| cursor.is_json_head(is_known))
                        }
                        false => cursor.is_json_or_fence(),
                    };
                    match begins {
                        Ok(false) if is_word => continue,
                        Err(_) if is_word => return CallSearch::Partial,
                        _ if matches!(found, CallSearch::No) => {
                            found = CallSearch::Call(Opening::Delimited(index));
                        }
                        _ => {}
                    }
                }
                if !end && open.starts_with(rest) {
                    is_partial |= open != rest;
                }
            }
        }
        if is_partial {
            CallSearch::Partial
        } else {
            found
        }
    }

    /// Whether a call begins here, inside of a line: with an offered name and arguments, in a family that writes calls without
    /// delimiters.
    fn inline_call(&self, at: usize, end: bool) -> CallSearch {
        let mut found = CallSearch::No;
        for (index, syntax) in self.syntaxes.iter().enumerate() {
            let mut cursor = AnswerCursor::new(self, at, end);
            let begins = match syntax.body {
                _ if !syntax.open.is_empty() => continue,
                CallBody::Json => cursor.is_json_head(true),
                CallBody::Python => cursor.is_python_head(),
                _ => continue,
            };
            match begins {
                Ok(true) => return CallSearch::Call(Opening::Bare(index)),
                Err(CallStop::More) => found = CallSearch::Partial,
                _ => {}
            }
        }
        found
    }

    /// Whether a call without delimiters begins here.
    fn bare_call(&self, at: usize, end: bool) -> CallSearch {
        let mut found = CallSearch::No;
        for (index, syntax) in self.syntaxes.iter().enumerate() {
            if self.tools.is_none() && !syntax.open.is_empty() {
                continue;
            }
            match AnswerCursor::new(self, at, end).is_call(syntax) {
                Ok(true) => return CallSearch::Call(Opening::Bare(index)),
                Ok(false) => {}
                Err(CallStop::More) => found = CallSearch::Partial,
                Err(CallStop::Wrong(..)) => {}
            }
        }
        found
    }
}

/// The length of the text before the beginning of a token at its end.
fn partial_length(text: &str, token: &str) -> usize {
    let from = text.len().saturating_sub(token.len());
    (from..text.len())
        .filter(|at| text.is_char_boundary(*at))
        .find(|at| token.starts_with(&text[*at..]))
        .unwrap_or(text.len())
}
