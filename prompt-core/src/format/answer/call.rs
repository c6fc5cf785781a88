//! Tool calls in the text of an answer.

use std::collections::BTreeSet;
use std::ops::Range;

use super::schema::SchemaPart;
use super::{AnswerParser, FENCE, Opening};
use crate::format::{CallBody, CallSyntax};
use crate::json::{repeated_key, take_entry};
use crate::{Error, ErrorKind, Json, Tool, ToolCall};
use prompt_base::json::{Escapes, ScanError, Scanner, TokenKind, push_string};

/// Why no call was read.
pub(super) enum CallStop {
    /// More text is needed.
    More,
    /// The call is invalid, and where.
    Wrong(Range<usize>, Error),
}

pub(super) type CallStep<T> = Result<T, CallStop>;

/// A position in an answer.
pub(super) struct AnswerCursor<'p> {
    pub(super) parser: &'p AnswerParser,
    pub(super) text: &'p str,
    pub(super) at: usize,
    /// No more text follows.
    pub(super) end: bool,
}

/// The keys of a call's parts in JSON, in the families' spellings.
const NAMES: [&str; 3] = ["name", "tool_name", "function"];
const ARGUMENTS: [&str; 2] = ["arguments", "parameters"];
/// The types of a string that may be null.
const STRING_TYPES: [&str; 2] = ["string", "null"];
const IDS: [&str; 2] = ["id", "tool_call_id"];

/// Whether names of tools contain this character.
pub(super) fn is_name_part(letter: char) -> bool {
    letter.is_alphanumeric() || "_-.:/".contains(letter)
}

impl<'p> AnswerCursor<'p> {
    pub(super) fn new(parser: &'p AnswerParser, at: usize, end: bool) -> AnswerCursor<'p> {
        let text = &*parser.text;
        AnswerCursor {
            parser,
            text,
            at,
            end,
        }
    }

    pub(super) fn rest(&self) -> &'p str {
        &self.text[self.at..]
    }

    pub(super) fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// The next character, `None` at the end of the answer.
    pub(super) fn peek(&self) -> CallStep<Option<char>> {
        match self.rest().chars().next() {
            None if !self.end => Err(CallStop::More),
            next => Ok(next),
        }
    }

    /// Whether this token follows, which is then skipped.
    pub(super) fn eat_token(&mut self, token: &str) -> CallStep<bool> {
        if self.rest().starts_with(token) {
            self.at += token.len();
            return Ok(!token.is_empty());
        }
        match !self.end && token.starts_with(self.rest()) {
            true => Err(CallStop::More),
            false => Ok(false),
        }
    }

    pub(super) fn expect_token(&mut self, token: &str) -> CallStep<()> {
        match token.is_empty() || self.eat_token(token)? {
            true => Ok(()),
            false if token.starts_with(self.rest()) => Err(self.truncated_error()),
            false => Err(self.expected_error(&format!("`{}`", token.trim()))),
        }
    }

    /// The error that something else is expected here.
    pub(super) fn expected_error(&self, what: &str) -> CallStop {
        let Some(next) = self.rest().chars().next() else {
            return self.truncated_error();
        };
        self.error_at(
            self.at..self.at + next.len_utf8(),
            format!("expected {what}"),
        )
    }

    pub(super) fn error_at(&self, span: Range<usize>, message: String) -> CallStop {
        CallStop::Wrong(span, Error::new(ErrorKind::Output, message))
    }

    pub(super) fn truncated_error(&self) -> CallStop {
        let error = Error::new(ErrorKind::Output, "the answer ends inside of it")
            .with_help("raise the limit of tokens, or call the model again");
        let at = self.text.trim_end().len();
        let start = self.text[..at].char_indices().next_back();
        CallStop::Wrong(start.map_or(0, |(start, _)| start)..at, error)
    }

    /// Skips the text before this token, and the token.
    pub(super) fn take_until(&mut self, token: &str) -> CallStep<&'p str> {
        match self.rest().find(token) {
            Some(found) => {
                let text = &self.rest()[..found];
                self.at += found + token.len();
                Ok(text)
            }
            None if self.end => Err(self.truncated_error()),
            None => Err(CallStop::More),
        }
    }

    /// A name: `get_weather`, `functions.get-weather:0`.
    pub(super) fn name(&mut self) -> CallStep<&'p str> {
        let rest = self.rest();
        let length = rest.find(|c| !is_name_part(c)).unwrap_or(rest.len());
        if length == rest.len() && !self.end {
            return Err(CallStop::More);
        }
        self.at += length;
        match length {
            0 => Err(self.expected_error("the name of a tool")),
            _ => Ok(&rest[..length]),
        }
    }

    /// Whether a token of this JSON may be incomplete: `-`, `nul`, `\u00`.
    fn may_grow(&self, rest: &str, error: &ScanError) -> bool {
        let is_part = |c: char| c.is_ascii_alphanumeric() || "+-.\\".contains(c);
        !self.end && (error.at_end || rest[error.span.range().start..].chars().all(is_part))
    }

    /// A JSON value.
    pub(super) fn take_json(&mut self) -> CallStep<&'p str> {
        let rest = self.rest();
        let (mut scanner, mut depth) = (Scanner::new(rest), 0_usize);
        loop {
            let token = match scanner.next_token() {
                Ok(Some(token)) => token,
                Err(error) if !error.at_end && !self.may_grow(rest, &error) => {
                    let span = error.span.range();
                    let message = format!("this is not JSON: {}", error.kind);
                    return Err(self.error_at(self.at + span.start..self.at + span.end, message));
                }
                _ if self.end => return Err(self.truncated_error()),
                _ => return Err(CallStop::More),
            };
            match token.kind {
                TokenKind::ObjectStart | TokenKind::ListStart => depth += 1,
                TokenKind::ObjectEnd | TokenKind::ListEnd => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                let length = token.span.range().end;
                self.at += length;
                return Ok(&rest[..length]);
            }
        }
    }

    /// All calls of a section, of a pair of delimiters, or without delimiters.
    pub(super) fn calls(&mut self, opening: Opening) -> CallStep<Vec<ToolCall>> {
        let (Opening::Delimited(index) | Opening::Bare(index)) = opening;
        let syntax = &self.parser.syntaxes[index];
        let mut is_open = matches!(opening, Opening::Bare(_));
        let mut calls = Vec::new();
        self.eat_repeated(syntax.section_open)?;
        loop {
            let before = self.at;
            self.skip_space();
            let opens = is_open
                || match syntax.open {
                    "" => calls.is_empty() || self.is_json()?,
                    open => self.eat_repeated(open)?,
                };
            if !opens {
                if calls.is_empty() {
                    return Err(self.expected_error("a tool call"));
                }
                self.at = before;
                break;
            }
            self.call(syntax, &mut calls)?;
            let after = self.at;
            self.skip_space();
            if !self.eat_token(syntax.close)? {
                if !is_open && !syntax.close.is_empty() && !self.may_lack(syntax)? {
                    return Err(self.expected_error(&format!("`{}`", syntax.close)));
                }
                self.at = after;
            }
            is_open = false;
            if syntax.section_open.is_empty() {
                break;
            }
        }
        let before = self.at;
        self.skip_space();
        if !self.eat_token(syntax.section_close)? {
            self.at = before;
        }
        Ok(calls)
    }

    /// Whether this delimiter follows, which is then skipped, also where the model repeats it.
    fn eat_repeated(&mut self, token: &str) -> CallStep<bool> {
        let mut is_eaten = false;
        loop {
            let before = self.at;
            if is_eaten {
                self.skip_space();
            }
            if !self.eat_token(token)? {
                self.at = before;
                return Ok(is_eaten);
            }
            is_eaten = true;
        }
    }

    /// Whether the closing delimiter may be missing: at the end of the turn, which is a token that servers remove.
    fn may_lack(&mut self, syntax: &CallSyntax) -> CallStep<bool> {
        let closes = [syntax.open, syntax.section_close].into_iter();
        let at = self.at;
        if self.peek()?.is_none() {
            return Ok(true);
        }
        for close in closes.chain(self.parser.turn_ends()) {
            if self.eat_token(close)? {
                self.at = at;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The calls after an opening delimiter.
    fn call(&mut self, syntax: &CallSyntax, calls: &mut Vec<ToolCall>) -> CallStep<()> {
        self.skip_space();
        let start = self.at;
        if let CallBody::Named { prefix, .. } = syntax.body {
            // The tokens in a prefix may be missing: servers remove special tokens from the text.
            let plain = self.without_tokens(prefix);
            if !self.eat_token(prefix)? && self.is_named_after(&plain)? {
                self.at += plain.len();
            }
            self.skip_space();
        }
        let is_fenced = self.eat_fence()?;
        if self.is_json()? {
            self.json_calls(syntax, calls)?;
        } else {
            match syntax.body {
                CallBody::Named { middle, .. } => calls.push(self.parse_named_call(start, middle)?),
                CallBody::Python => self.parse_python_calls(calls)?,
                CallBody::BareKeys { prefix, quote } => {
                    calls.push(self.parse_bare_key_call(prefix, quote)?);
                }
                CallBody::Elements { mark, name_end } => {
                    calls.push(self.parse_element_call(mark, name_end)?);
                }
                CallBody::Tags { name, .. } => loop {
                    calls.push(self.parse_tagged_call(syntax)?);
                    let after = self.at;
                    self.skip_space();
                    let is_next = !name.0.is_empty() && self.eat_token(name.0)?;
                    self.at = if is_next {
                        self.at - name.0.len()
                    } else {
                        after
                    };
                    if !is_next {
                        break;
                    }
                },
                CallBody::Json | CallBody::JsonByName | CallBody::Channel => {
                    return Err(self.expected_error("a call as JSON"));
                }
            }
        }
        self.fence_end(is_fenced)
    }

    /// Whether the text after this prefix is the name of an offered tool.
    fn is_named_after(&self, prefix: &str) -> CallStep<bool> {
        let rest = self.rest();
        if prefix.is_empty() || !rest.starts_with(prefix) {
            return match !self.end && !prefix.is_empty() && prefix.starts_with(rest) {
                true => Err(CallStop::More),
                false => Ok(false),
            };
        }
        let mut cursor = AnswerCursor {
            at: self.at + prefix.len(),
            ..*self
        };
        let name = cursor.name()?;
        Ok(self.tool(self.without_index(name)).is_some())
    }

    fn without_tokens(&self, text: &str) -> String {
        let tokens = self.parser.family.tokens.iter();
        tokens.fold(text.to_owned(), |text, token| text.replace(token, ""))
    }

    /// Whether a call follows, as JSON or in Python.
    pub(super) fn begins_call(&mut self) -> CallStep<bool> {
        if self.is_json_or_fence()? || self.peek()? == Some('[') {
            return Ok(true);
        }
        match self.name() {
            Ok(_) => self.eat_token("("),
            Err(CallStop::More) => Err(CallStop::More),
            Err(CallStop::Wrong(..)) => Ok(false),
        }
    }

    /// Whether JSON or a fence follows.
    pub(super) fn is_json_or_fence(&mut self) -> CallStep<bool> {
        self.skip_space();
        Ok(self.eat_fence()? || self.is_json()?)
    }

    /// Whether a fence follows, which is then skipped.
    pub(super) fn eat_fence(&mut self) -> CallStep<bool> {
        self.skip_space();
        // The longer one first: the other is its beginning.
        let is_fenced = self.eat_token("```json")? || self.eat_token(FENCE)?;
        self.skip_space();
        Ok(is_fenced)
    }

    /// Whether an object, or a list of objects, begins here.
    fn is_json(&self) -> CallStep<bool> {
        match self.peek()? {
            Some('{') => Ok(true),
            Some('[') => {
                let mut inner = AnswerCursor {
                    at: self.at + 1,
                    ..*self
                };
                inner.skip_space();
                Ok(matches!(inner.peek()?, Some('{' | ']')))
            }
            _ => Ok(false),
        }
    }

    fn json_calls(&mut self, syntax: &CallSyntax, calls: &mut Vec<ToolCall>) -> CallStep<()> {
        loop {
            let start = self.at;
            let text = self.take_json()?;
            let span = start..self.at;
            let parsed = Json::parse(text).map_err(|error| CallStop::Wrong(span.clone(), error))?;
            match parsed.items() {
                Some(items) if items.is_empty() => {
                    return Err(self.error_at(span, "the list of calls is empty".to_owned()));
                }
                Some(items) => {
                    for item in items {
                        calls.push(self.object(&item, syntax, span.clone())?);
                    }
                }
                None => calls.push(self.object(&parsed, syntax, span)?),
            }
            // Llama separates calls by `;`, other models by line breaks between two delimiters.
            let after = self.at;
            self.skip_space();
            let is_next =
                (self.eat_token(";")? || self.eat_token(",")? || !syntax.close.is_empty()) && {
                    self.skip_space();
                    self.eat_token(syntax.open)?;
                    self.skip_space();
                    self.peek()? == Some('{')
                };
            if !is_next {
                self.at = after;
                return Ok(());
            }
        }
    }

    /// `{"name": …, "arguments": {…}}`, with an id where the syntax has one.
    fn object(&self, json: &Json, syntax: &CallSyntax, span: Range<usize>) -> CallStep<ToolCall> {
        let wrong = |message: String| self.error_at(span.clone(), message);
        let mut entries = json
            .entries()
            .ok_or_else(|| wrong("a call is an object with `name` and `arguments`".to_owned()))?;
        if let Some(key) = repeated_key(&entries) {
            return Err(wrong(format!("the key `{key}` occurs twice")));
        }
        if let ([(name, arguments)], CallBody::JsonByName) = (&*entries, syntax.body)
            && arguments.entries().is_some()
        {
            self.check_arguments(arguments, span.clone())?;
            return self.finish(None, name, arguments.as_str().to_owned(), span);
        }
        if take_entry(&mut entries, "type")
            .is_some_and(|kind| kind.as_string().as_deref() != Some("function"))
        {
            return Err(wrong("the `type` of a call is `function`".to_owned()));
        }
        let id = IDS.iter().find_map(|key| take_entry(&mut entries, key));
        if let ([(key, function)], true) = (&*entries, entries.len() == 1)
            && key == "function"
            && let Some(inner) = function.entries()
        {
            entries = inner;
        }
        let name = NAMES.iter().find_map(|key| take_entry(&mut entries, key));
        let name = name
            .and_then(|name| name.as_string())
            .filter(|name| !name.is_empty());
        let name = name.ok_or_else(|| wrong("the call has no `name`".to_owned()))?;
        let arguments = ARGUMENTS
            .iter()
            .find_map(|key| take_entry(&mut entries, key));
        if let Some((key, _)) = entries.first() {
            return Err(wrong(format!("a call has no key `{key}`")));
        }
        // Some models write the arguments as a string that contains JSON.
        let arguments = match arguments {
            None => Json::compact("{}"),
            Some(text) => match text.as_string() {
                Some(inner) if inner.trim().is_empty() => Json::compact("{}"),
                Some(inner) => {
                    Json::parse(&inner).map_err(|error| CallStop::Wrong(span.clone(), error))?
                }
                None if text.as_str() == "null" => Json::compact("{}"),
                None => text,
            },
        };
        self.check_arguments(&arguments, span.clone())?;
        let id = id.and_then(|id| id.as_string().or_else(|| Some(id.as_str().to_owned())));
        self.finish(
            id.filter(|id| id != "null"),
            &name,
            arguments.as_str().to_owned(),
            span,
        )
    }

    /// A call of an offered tool.
    pub(super) fn finish(
        &self,
        id: Option<String>,
        name: &str,
        arguments: String,
        span: Range<usize>,
    ) -> CallStep<ToolCall> {
        let call = ToolCall {
            id,
            name: name.to_owned(),
            arguments,
        };
        match &self.parser.tools {
            Some(tools) if self.tool(name).is_none() => Err(CallStop::Wrong(
                span,
                call.unknown(tools.iter().map(Tool::name)),
            )),
            _ => Ok(call),
        }
    }

    /// The name of a tool without the number of the call: `tide` of `tide:0`. Kimi writes the id of a call as its name.
    fn without_index<'n>(&self, name: &'n str) -> &'n str {
        match name.rsplit_once(':') {
            _ if self.tool(name).is_some() => name,
            Some((tool, index)) if index.bytes().all(|byte| byte.is_ascii_digit()) => tool,
            _ => name,
        }
    }

    fn tool(&self, name: &str) -> Option<&'p Tool> {
        let mut tools = self.parser.tools.iter().flatten();
        tools.find(|tool| tool.name() == name)
    }

    /// A name and its arguments as JSON.
    fn parse_named_call(&mut self, start: usize, middle: &str) -> CallStep<ToolCall> {
        let written = self.name()?;
        let span = self.at - written.len()..self.at;
        let name = self.without_index(written);
        // Kimi's id: `functions.tide:0`.
        let mut id = (name != written).then(|| self.text[start..self.at].to_owned());
        let (written_id, arguments) = self.named_arguments(middle)?;
        id = written_id.map(str::to_owned).or(id);
        self.finish(id, name, arguments, span)
    }

    /// The id of a call, if it is written, and the arguments as JSON, which follow the name of the tool.
    pub(super) fn named_arguments(&mut self, middle: &str) -> CallStep<(Option<&'p str>, String)> {
        let mut id = None;
        self.skip_space();
        if self.eat_token("[CALL_ID]")? {
            id = Some(self.name()?);
            self.skip_space();
        }
        let middle = middle.trim();
        self.eat_token(middle)?;
        self.skip_space();
        let is_fenced = self.eat_fence()?;
        if self.peek()? != Some('{') {
            return Err(match middle.starts_with(self.rest()) {
                true if self.end => self.truncated_error(),
                true => CallStop::More,
                false => self.expected_error("the arguments as a JSON object"),
            });
        }
        let arguments = self.arguments()?;
        self.fence_end(is_fenced)?;
        Ok((id, arguments))
    }

    fn fence_end(&mut self, is_fenced: bool) -> CallStep<()> {
        if is_fenced {
            self.skip_space();
            self.expect_token(FENCE)?;
        }
        Ok(())
    }

    /// The arguments as a JSON object.
    pub(super) fn arguments(&mut self) -> CallStep<String> {
        let start = self.at;
        let text = self.take_json()?;
        let json = Json::parse(text).map_err(|error| CallStop::Wrong(start..self.at, error))?;
        self.check_arguments(&json, start..self.at)?;
        Ok(json.as_str().to_owned())
    }

    /// Arguments are an object in which no key occurs twice.
    fn check_arguments(&self, arguments: &Json, span: Range<usize>) -> CallStep<()> {
        let Some(entries) = arguments.entries() else {
            return Err(self.error_at(span, "the arguments are not an object".to_owned()));
        };
        match repeated_key(&entries) {
            None => Ok(()),
            Some(key) => Err(self.error_at(span, format!("the key `{key}` occurs twice"))),
        }
    }

    /// The schema of the parameters of an offered tool.
    pub(super) fn parameters_of(&self, tool: &str) -> Option<serde_json::Value> {
        let schema = self.tool(tool).and_then(Tool::parameters);
        schema.and_then(|schema| schema.deserialize_as().ok())
    }

    /// A name, and arguments between tags.
    fn parse_tagged_call(&mut self, syntax: &CallSyntax) -> CallStep<ToolCall> {
        let CallBody::Tags {
            name,
            key,
            value,
            end,
        } = syntax.body
        else {
            return Err(self.expected_error("a call as JSON"));
        };
        self.expect_token(name.0)?;
        let start = self.at;
        let tool = self.name()?;
        let span = start..self.at;
        self.skip_space();
        match name.1.strip_prefix('"') {
            // Other attributes may follow the name.
            Some(end) if self.eat_token("\" ")? => {
                let attributes = self.take_until(end)?;
                if attributes.contains(['<', '>']) {
                    return Err(self.error_at(span, format!("expected `{}`", name.1)));
                }
            }
            _ => self.expect_token(name.1)?,
        }
        let (open, close) = syntax.json_arguments;
        self.skip_space();
        if self.eat_token(open)? {
            self.skip_space();
            let arguments = self.arguments()?;
            self.skip_space();
            self.expect_token(close)?;
            self.tags_end(syntax, end)?;
            return self.finish(None, tool, arguments, span);
        }
        let schema = self.parameters_of(tool);
        let mut arguments = String::from("{");
        let mut keys: BTreeSet<String> = BTreeSet::new();
        loop {
            self.skip_space();
            if !self.eat_token(key.0)? {
                break;
            }
            let start = self.at;
            let argument = self.take_part(key.1, syntax, "the key of an argument")?;
            let argument = argument.trim();
            // Other attributes may follow the key: whether the value is a string (DeepSeek), or its type (Kimi K3).
            let (written, attribute) = match argument.split_once("\" ") {
                Some((written, attribute)) => (written, Some(attribute)),
                None => (argument, None),
            };
            // Kimi K3 writes a type, and the key with escapes.
            let argument = match attribute.and_then(named_attribute) {
                Some(("type", _)) => written.replace("&quot;", "\"").replace("&amp;", "&"),
                _ => written.to_owned(),
            };
            let attribute = match key.1 {
                "\"" => self.attribute_after_key(value.0)?,
                _ => attribute,
            };
            let is_string = match attribute.and_then(named_attribute) {
                Some(("string", is_string)) => Some(is_string == "true"),
                Some(("type", name)) => Some(name == "string"),
                _ => None,
            };
            let is_quoted = key.0.ends_with('"');
            let is_wrong = |letter| "<\n".contains(letter) || is_quoted && letter == '"';
            let is_other = |attribute: &str| attribute.contains(['<', '\n']);
            if written.is_empty()
                || written.contains(is_wrong)
                || attribute.is_some_and(is_other)
                || !keys.insert(argument.clone())
            {
                return Err(
                    self.error_at(start..self.at, "expected the key of an argument".to_owned())
                );
            }
            self.space_before(value.0)?;
            self.expect_token(value.0)?;
            let start = self.at;
            let what = format!("the argument `{argument}`");
            let written = self.take_part(value.1, syntax, &what)?;
            // A value without a tag of its own begins with the end of the argument's tag.
            let is_bare = !value.0.starts_with('<');
            let mut lines = written.lines();
            if is_bare && lines.any(|line| line.trim_start().starts_with(key.0)) {
                let message = format!("the argument `{argument}` has no `{}`", value.1);
                return Err(self.error_at(start..start + written.len(), message));
            }
            let written = match value.0 {
                "" if is_string.is_none() => without_line_breaks(written),
                _ => written,
            };
            let schema = schema
                .as_ref()
                .and_then(|schema| SchemaPart::new(schema).entry(&argument));
            let json = argument_json(schema, written, is_string).ok_or_else(|| {
                let message = format!("the argument `{argument}` is not a value of its type");
                self.error_at(start..start + written.len(), message)
            })?;
            arguments.push_str(if keys.len() > 1 { "," } else { "" });
            push_string(&mut arguments, &argument, Escapes::Required);
            arguments.push(':');
            arguments.push_str(&json);
        }
        arguments.push('}');
        self.tags_end(syntax, end)?;
        self.finish(None, tool, arguments, span)
    }

    /// The other attributes of an argument whose key ends with its quotation mark (Muse Glimmer). The end of the tag is not skipped.
    fn attribute_after_key(&mut self, tag_end: &str) -> CallStep<Option<&'p str>> {
        if !self.eat_token(" ")? {
            return Ok(None);
        }
        let start = self.at;
        let attributes = self.take_until(tag_end)?;
        let is_whole = attributes.matches('"').count() % 2 == 0;
        if !is_whole || attributes.contains('<') {
            return Err(self.error_at(start..self.at, format!("expected `{tag_end}`")));
        }
        self.at -= tag_end.len();
        Ok(attributes.trim().strip_suffix('"'))
    }

    /// Skips the end of arguments between tags. It may be missing before the end of the call.
    fn tags_end(&mut self, syntax: &CallSyntax, end: &str) -> CallStep<()> {
        self.skip_space();
        let after = self.at;
        match !syntax.close.is_empty() && self.eat_token(syntax.close)? {
            true => self.at = after,
            false => self.expect_token(end)?,
        }
        // Without an end of their own, the arguments may have continued.
        if end.is_empty() && self.peek()?.is_none() {
            return Err(self.truncated_error());
        }
        Ok(())
    }

    /// The text before this delimiter, which is skipped. The delimiter is missing if the call ends before it.
    fn take_part(&mut self, token: &str, syntax: &CallSyntax, what: &str) -> CallStep<&'p str> {
        let start = self.at;
        let taken = self.take_until(token);
        let (CallBody::Tags { end, .. }, Err(CallStop::Wrong(..))) = (syntax.body, &taken) else {
            return taken;
        };
        let rest = self.rest();
        let ends = [end, syntax.close].into_iter();
        if !ends
            .filter(|end| !end.is_empty())
            .any(|end| rest.contains(end))
        {
            return taken;
        }
        let line = rest.lines().next().unwrap_or_default();
        Err(self.error_at(
            start..start + line.len(),
            format!("{what} has no `{token}`"),
        ))
    }

    fn space_before(&mut self, token: &str) -> CallStep<()> {
        if !token.is_empty() {
            self.skip_space();
        }
        Ok(())
    }

    /// Whether a call without delimiters begins here.
    pub(super) fn is_call(&mut self, syntax: &CallSyntax) -> CallStep<bool> {
        let is_fenced = self.eat_fence()?;
        if self.is_json_head(false)? {
            return Ok(true);
        }
        if is_fenced {
            return Ok(false);
        }
        match syntax.body {
            CallBody::Named { prefix, middle } => {
                let plain = self.without_tokens(prefix);
                if self.is_named_after(&plain)? {
                    self.at += plain.len();
                }
                let name = match self.name() {
                    Err(CallStop::More) if !self.is_name_start() => return Ok(false),
                    name => name?,
                };
                let is_tool = match &self.parser.tools {
                    Some(_) => self.tool(self.without_index(name)).is_some(),
                    None => self.eat_token(middle)? && self.peek()?.is_some(),
                };
                self.skip_space();
                let middle = middle.trim();
                Ok(is_tool
                    && (self.eat_token(middle)? || self.eat_fence()? || self.peek()? == Some('{')))
            }
            CallBody::Python => {
                if !self.eat_token("[")? || !self.is_word_start()? {
                    return Ok(false);
                }
                let name = self.name()?;
                if !self.eat_token("(")? {
                    return Ok(false);
                }
                Ok(self.tool(name).is_some() || self.is_named_argument()?)
            }
            CallBody::Tags { name, .. } => Ok(!name.0.is_empty() && self.eat_token(name.0)?),
            CallBody::BareKeys { prefix, .. } => {
                if !self.eat_token(prefix)? {
                    return Ok(false);
                }
                let name = self.name()?;
                Ok(self.tool(name).is_some() && self.peek()? == Some('{'))
            }
            CallBody::Json
            | CallBody::JsonByName
            | CallBody::Channel
            | CallBody::Elements { .. } => Ok(false),
        }
    }

    /// Whether a call in Python begins here, inside a line: an offered name, and no argument or a named one.
    pub(super) fn is_python_head(&mut self) -> CallStep<bool> {
        if !self.eat_token("[")? || !self.is_word_start()? {
            return Ok(false);
        }
        let name = self.name()?;
        if self.tool(name).is_none() || !self.eat_token("(")? {
            return Ok(false);
        }
        self.is_named_argument()
    }

    /// Whether the arguments end here or begin with a name.
    fn is_named_argument(&mut self) -> CallStep<bool> {
        self.skip_space();
        if self.eat_token(")")? {
            return Ok(true);
        }
        if !self.is_word_start()? {
            return Ok(false);
        }
        self.name()?;
        self.skip_space();
        self.eat_token("=")
    }

    fn is_word_start(&mut self) -> CallStep<bool> {
        self.skip_space();
        let next = self.peek()?;
        Ok(next.is_some_and(|next| next.is_alphabetic() || next == '_'))
    }

    /// Whether an answer that ends with this text may have been cut inside of an offered name.
    fn begins_a_name(&self, begun: &str) -> bool {
        let mut tools = self.parser.tools.iter().flatten();
        !begun.is_empty() && tools.any(|tool| tool.name().starts_with(begun))
    }

    /// Whether the rest may be the beginning of a tool's name.
    fn is_name_start(&self) -> bool {
        let rest = self.rest();
        self.parser.tools.as_ref().is_none_or(|tools| {
            let mut names = tools.iter().map(Tool::name);
            names.any(|name| name.starts_with(rest) || rest.starts_with(name))
        })
    }

    /// Whether a call as JSON begins here: `{"name": "tide"`, with an offered name or arguments after it; inside a line, with
    /// both.
    pub(super) fn is_json_head(&self, is_inline: bool) -> CallStep<bool> {
        if !self.is_json()? {
            return Ok(false);
        }
        let rest = self.rest();
        let mut scanner = Scanner::new(rest);
        let mut key = "";
        let (mut is_offered, mut depth) = (None, 0);
        loop {
            let token = match scanner.next_token() {
                Ok(Some(token)) => token,
                Err(error) if self.may_grow(rest, &error) => return Err(CallStop::More),
                // A call that is cut off inside of an offered name or after it.
                Err(error) if error.at_end => {
                    let begun = rest[error.span.range().start..].trim_start_matches('"');
                    let is_name = is_offered.is_none() && NAMES.contains(&key);
                    return Ok(is_offered == Some(true) || is_name && self.begins_a_name(begun));
                }
                // A call that is broken after an offered name.
                _ => return Ok(is_offered == Some(true) && !is_inline),
            };
            let text = rest[token.span.range()].trim_matches('"');
            match (token.kind, key) {
                // At most a list of objects, and `function` in each of them.
                (TokenKind::ObjectStart | TokenKind::ListStart, "" | "function") if depth < 3 => {
                    depth += 1;
                }
                (TokenKind::Key, _) if ARGUMENTS.contains(&text) => {
                    return Ok(is_offered.is_some_and(|is_offered| is_offered || !is_inline));
                }
                (TokenKind::Key, _)
                    if NAMES.contains(&text) || IDS.contains(&text) || text == "type" =>
                {
                    key = text;
                }
                (TokenKind::String, _) if NAMES.contains(&key) => {
                    is_offered = Some(self.tool(text).is_some());
                }
                (TokenKind::String, _) => {}
                _ => return Ok(false),
            }
        }
    }
}

/// The name and the value of an attribute without its last quotation mark.
fn named_attribute(attribute: &str) -> Option<(&str, &str)> {
    attribute.trim().split_once("=\"")
}

/// A value without the line breaks around it, which are the tags': one at each end, in the notation of the first.
pub(crate) fn without_line_breaks(written: &str) -> &str {
    let line_break = if written.starts_with('\r') {
        "\r\n"
    } else {
        "\n"
    };
    let text = written.strip_prefix(line_break).unwrap_or(written);
    text.strip_suffix(line_break).unwrap_or(text)
}

/// The value of an argument that is written as text, by the type in the tool's schema. `is_string` is the attribute of DSML,
/// which decides where the schema has no single type.
pub(crate) fn argument_json(
    schema: Option<SchemaPart<'_>>,
    written: &str,
    is_string: Option<bool>,
) -> Option<String> {
    let types = schema.map(SchemaPart::types).unwrap_or_default();
    let (string, json) = (|| quoted_start(written), || json_text(written));
    let may_be_string = types.is_empty() || types.contains(&"string");
    let may_be_other = types.is_empty() || types.iter().any(|name| !STRING_TYPES.contains(name));
    let is_null = match is_string {
        Some(is_string) => !is_string && written.trim() == "null",
        None => types.contains(&"null") && ["null", "None"].contains(&written.trim()),
    };
    match (may_be_string, may_be_other) {
        (true, _) if is_null => Some("null".to_owned()),
        (true, false) => Some(string()),
        (true, true) => match is_string {
            Some(true) => Some(string()),
            Some(false) => json(),
            None => json().or_else(|| Some(string())),
        },
        (false, _) => json().or_else(|| super::python::python_literal(written.trim())),
    }
}

fn quoted_start(text: &str) -> String {
    let mut out = String::new();
    push_string(&mut out, text, Escapes::Required);
    out
}

fn json_text(text: &str) -> Option<String> {
    Some(Json::parse(text.trim()).ok()?.as_str().to_owned())
}
