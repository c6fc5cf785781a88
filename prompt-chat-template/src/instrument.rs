//! Rewrites a template so that its operators are calls of this crate's functions, and limits how deep its expressions nest.
//!
//! The engine's own operators compare strings byte by byte and allocate without a limit. The functions (`ops.rs`) compare
//! placeholders as the characters that they represent, and charge what they build to the limits of the rendering.

use std::ops::Range;

/// The deepest nesting of an expression, with the operators of a chain counted as nested, and the longest chain of `elif`.
/// The engine parses, compiles and drops expressions recursively.
pub(crate) const MAX_NESTING: usize = 100;

/// Template text up to this length is covered by the limit of steps alone.
const SHORT_TEXT: usize = 64;
const MAX_RAW: usize = 1024;

/// Functions that the rewritten template calls.
pub(crate) const CHECKED: &str = "__checked";
pub(crate) const SUM: &str = "__sum";
pub(crate) const CONCAT: &str = "__concat";
pub(crate) const TIMES: &str = "__times";
/// `value[key]`.
pub(crate) const ITEM: &str = "__item";
/// An operand that the engine compares: the characters that its placeholders represent.
pub(crate) const REAL: &str = "__real";
pub(crate) const SLICE: &str = "__slice";
pub(crate) const TEXT: &str = "__text";
/// Checks the value of an attribute of a namespace.
pub(crate) const CHECKED_ATTRIBUTE: &str = "__checked_attribute";
/// The items of a loop.
pub(crate) const ITEMS: &str = "__items";
/// The variable that contains the context of a rendering.
pub(crate) const CONTEXT: &str = "__context";
const FUNCTIONS: [&str; 11] = [
    CHECKED,
    SUM,
    CONCAT,
    TIMES,
    ITEM,
    REAL,
    SLICE,
    TEXT,
    CHECKED_ATTRIBUTE,
    ITEMS,
    CONTEXT,
];
pub(crate) const COMPARE: [(&str, &str); 8] = [
    ("==", "__eq"),
    ("!=", "__ne"),
    ("<", "__lt"),
    ("<=", "__le"),
    (">", "__gt"),
    (">=", "__ge"),
    ("in", "__in"),
    ("not in", "__not_in"),
];

/// A rewritten template.
#[derive(Debug)]
pub(crate) struct InstrumentedTemplate {
    pub(crate) text: String,
    /// Positions in the rewritten text and in the template from which both are equal.
    equal: Vec<(usize, usize)>,
}

/// A template that is not rewritten.
#[derive(Debug)]
pub(crate) enum InstrumentError {
    /// An expression nests too deep.
    Nesting(Range<usize>),
    /// A `raw` block is too long.
    Raw(Range<usize>),
    /// The template uses the name of a function of this crate.
    Reserved(Range<usize>),
    /// A syntax error before this position.
    Syntax(usize),
}

impl InstrumentedTemplate {
    /// The range of the template from which a range of the rewritten text was made.
    pub(crate) fn in_source(&self, range: Range<usize>) -> Range<usize> {
        let position = |at: usize| {
            let next = self.equal.partition_point(|equal| equal.0 <= at);
            let (out, source) = self.equal[next.saturating_sub(1)];
            let end = self.equal.get(next).map_or(usize::MAX, |next| next.1);
            (source + at.saturating_sub(out)).min(end)
        };
        let start = position(range.start);
        start..position(range.end).max(start)
    }
}

/// Rewrites a template.
pub(crate) fn instrument(source: &str) -> Result<InstrumentedTemplate, InstrumentError> {
    let mut edits = Vec::new();
    let mut chains: Vec<usize> = Vec::new();
    let mut at = 0;
    while let Some((open, kind)) = next_tag(source, at) {
        charge_text(source, at..open, &mut edits);
        let inside = open + 2;
        if kind == b'#' {
            let Some(end) = source[inside..].find("#}") else {
                return Ok(apply_edits(source, edits));
            };
            at = inside + end + 2;
            continue;
        }
        if kind == b'%'
            && let Some(body) = tag_len(&source[inside..], "raw")
        {
            let Some(end) = raw_end(source, inside + body) else {
                return Ok(apply_edits(source, edits));
            };
            if end - inside > MAX_RAW {
                return Err(InstrumentError::Raw(open..inside + body));
            }
            at = end;
            continue;
        }
        let (tokens, end) = lex_tag(source, inside, kind);
        if let Some(token) = tokens.iter().find(|token| is_reserved(token)) {
            return Err(InstrumentError::Reserved(token.range()));
        }
        let mut tag = TagParser {
            tokens: &tokens,
            at: 0,
            depth: 0,
            edits: &mut edits,
        };
        let parsed = if kind == b'{' {
            tag.parse_expr().and_then(|()| tag.expect_end())
        } else {
            tag.parse_statement(&mut chains)
        };
        match (parsed, end) {
            (Err(LiftError::Nesting(range)), _) => return Err(InstrumentError::Nesting(range)),
            (Err(LiftError::Syntax(found)), Some(end)) => {
                let few = tokens.len() <= MAX_NESTING;
                return Err(InstrumentError::Syntax(if few { end } else { found }));
            }
            (_, None) => return Err(InstrumentError::Syntax(source.len())),
            (Ok(()), Some(end)) => at = end,
        }
    }
    charge_text(source, at..source.len(), &mut edits);
    Ok(apply_edits(source, edits))
}

fn is_reserved(token: &TemplateToken<'_>) -> bool {
    token.text.starts_with("__")
        && (FUNCTIONS.contains(&token.text) || COMPARE.iter().any(|(_, name)| *name == token.text))
}

/// The next tag from a position, with its second byte.
fn next_tag(source: &str, from: usize) -> Option<(usize, u8)> {
    let bytes = source.as_bytes();
    let mut at = from;
    loop {
        at += source[at..].find('{')?;
        match bytes.get(at + 1) {
            Some(kind @ (b'{' | b'%' | b'#')) => return Some((at, *kind)),
            _ => at += 1,
        }
    }
}

/// The length of the rest of a tag that consists of a keyword, such as ` raw %}` after `{%`.
pub(crate) fn tag_len(rest: &str, keyword: &str) -> Option<usize> {
    let inside = rest.strip_prefix(['-', '+']).unwrap_or(rest).trim_start();
    let after = inside.strip_prefix(keyword)?.trim_start();
    let after = after.strip_prefix(['-', '+']).unwrap_or(after);
    Some(rest.len() - after.strip_prefix("%}")?.len())
}

fn raw_end(source: &str, from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += source[at..].find("{%")? + 2;
        if let Some(len) = tag_len(&source[at..], "endraw") {
            return Some(at + len);
        }
    }
}

/// Charges long template text, which blocks can capture without printing it. The call is placed before the last character
/// that is not white space, so that no white space changes its neighbour.
fn charge_text(source: &str, range: Range<usize>, edits: &mut Vec<Edit>) {
    let text = &source[range.clone()];
    let last = text.trim_end().char_indices().next_back();
    if let Some((at, _)) = last.filter(|_| text.len() > SHORT_TEXT) {
        edits.push(Edit {
            at: range.start + at,
            len: 0,
            text: format!("{{{{{TEXT}({})}}}}", text.len()),
            opens: true,
        });
    }
}

/// A replacement of source text.
#[derive(Debug)]
struct Edit {
    at: usize,
    len: usize,
    text: String,
    /// Whether it is inserted before a token. Of several at one position the last one is the outermost.
    opens: bool,
}

fn apply_edits(source: &str, edits: Vec<Edit>) -> InstrumentedTemplate {
    let mut ordered: Vec<(usize, Edit)> = edits.into_iter().enumerate().collect();
    ordered.sort_by_key(|(index, edit)| {
        let order = if edit.opens {
            usize::MAX - index
        } else {
            *index
        };
        (edit.at, edit.opens, order)
    });
    let mut instrumented = InstrumentedTemplate {
        text: String::with_capacity(source.len() * 2),
        equal: vec![(0, 0)],
    };
    let mut at = 0;
    for (_, edit) in ordered {
        instrumented.text.push_str(&source[at..edit.at]);
        instrumented.text.push_str(&edit.text);
        at = edit.at + edit.len;
        instrumented.equal.push((instrumented.text.len(), at));
    }
    instrumented.text.push_str(&source[at..]);
    instrumented
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TemplateTokenKind {
    Name,
    String,
    Number,
    Sign,
}

#[derive(Clone, Copy, Debug)]
struct TemplateToken<'a> {
    kind: TemplateTokenKind,
    text: &'a str,
    at: usize,
}

impl TemplateToken<'_> {
    fn range(&self) -> Range<usize> {
        self.at..self.at + self.text.len()
    }
}

/// The tokens of a tag and the position after it, if it ends.
fn lex_tag(source: &str, from: usize, kind: u8) -> (Vec<TemplateToken<'_>>, Option<usize>) {
    let close = if kind == b'{' { "}}" } else { "%}" };
    let mut tokens = Vec::new();
    let mut at = from;
    // The sign of white space control is not an operator.
    at += usize::from(source[at..].starts_with(['-', '+']));
    let mut open = 0_i64;
    loop {
        let rest = &source[at..];
        let Some(char) = rest.chars().next() else {
            return (tokens, None);
        };
        if char.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        if open == 0 {
            let end = rest.strip_prefix(['-', '+']).unwrap_or(rest);
            if end.starts_with(close) {
                return (tokens, Some(source.len() - end.len() + close.len()));
            }
        }
        let (kind, len) = match char {
            '\'' | '"' => match string_len(rest, char) {
                Some(len) => (TemplateTokenKind::String, len),
                None => return (tokens, None),
            },
            '0'..='9' => {
                let is_item = tokens
                    .last()
                    .is_some_and(|last: &TemplateToken<'_>| last.text == ".");
                (TemplateTokenKind::Number, number_len(rest, is_item))
            }
            char if char.is_alphanumeric() || char == '_' => {
                let end = rest.find(|char: char| !char.is_alphanumeric() && char != '_');
                (TemplateTokenKind::Name, end.unwrap_or(rest.len()))
            }
            char => {
                open += match char {
                    '(' | '[' | '{' => 1,
                    ')' | ']' | '}' => -1,
                    _ => 0,
                };
                let is_pair = ["//", "**", "==", "!=", ">=", "<="]
                    .iter()
                    .any(|pair| rest.starts_with(pair));
                (
                    TemplateTokenKind::Sign,
                    if is_pair { 2 } else { char.len_utf8() },
                )
            }
        };
        let text = &rest[..len];
        tokens.push(TemplateToken { kind, text, at });
        at += len;
    }
}

fn string_len(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, char) in text.char_indices().skip(1) {
        match char {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            char if char == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The length of a number, as the engine reads it. After a dot it is an index, which has no fraction.
fn number_len(text: &str, is_index: bool) -> usize {
    let bytes = text.as_bytes();
    let is_hex = text.starts_with("0x") || text.starts_with("0X");
    let has_radix = is_hex
        || ["0b", "0B", "0o", "0O"]
            .iter()
            .any(|radix| text.starts_with(radix));
    let mut len = if has_radix { 2 } else { 0 };
    let (mut has_fraction, mut has_exponent) = (is_index || has_radix, has_radix);
    while let Some(byte) = bytes.get(len) {
        match byte {
            b'0'..=b'9' | b'_' => {}
            b'a'..=b'f' | b'A'..=b'F' if is_hex => {}
            b'.' if !has_fraction && !has_exponent => {
                let rest = &bytes[len + 1..];
                let is_exponent = matches!(rest, [b'e' | b'E', b'+' | b'-' | b'0'..=b'9', ..]);
                let next = text[len + 1..].chars().next().unwrap_or(' ');
                if !is_exponent && (next.is_alphabetic() || next == '_') {
                    break;
                }
                has_fraction = true;
            }
            b'e' | b'E' if !has_exponent => has_exponent = true,
            b'+' | b'-' if !has_radix && matches!(bytes[len - 1], b'e' | b'E') => {}
            _ => break,
        }
        len += 1;
    }
    len
}

enum LiftError {
    Nesting(Range<usize>),
    /// The end of the token that is not expected.
    Syntax(usize),
}

type ParseResult = Result<(), LiftError>;

/// Parses one tag of a template and collects its edits.
struct TagParser<'a> {
    tokens: &'a [TemplateToken<'a>],
    at: usize,
    depth: usize,
    edits: &'a mut Vec<Edit>,
}

impl TagParser<'_> {
    fn peek(&self) -> &str {
        self.current_token().map_or("", |token| token.text)
    }

    /// A string is never a keyword or an operator: its text begins with a quote.
    fn current_token(&self) -> Option<&TemplateToken<'_>> {
        self.tokens.get(self.at)
    }

    fn eat_token(&mut self, text: &str) -> bool {
        let found = self.peek() == text;
        self.at += usize::from(found);
        found
    }

    fn expect_token(&mut self, text: &str) -> ParseResult {
        if self.eat_token(text) {
            Ok(())
        } else {
            self.syntax_error()
        }
    }

    fn expect_name(&mut self) -> ParseResult {
        let is_name = self
            .current_token()
            .is_some_and(|token| token.kind == TemplateTokenKind::Name);
        self.at += usize::from(is_name);
        if is_name { Ok(()) } else { self.syntax_error() }
    }

    fn syntax_error(&self) -> ParseResult {
        let token = self.current_token().or(self.tokens.last());
        Err(LiftError::Syntax(
            token.map_or(0, |token| token.range().end),
        ))
    }

    fn expect_end(&self) -> ParseResult {
        if self.at == self.tokens.len() {
            Ok(())
        } else {
            self.syntax_error()
        }
    }

    /// Counts one level of nesting.
    fn enter_level(&mut self) -> ParseResult {
        self.depth += 1;
        if self.depth <= MAX_NESTING {
            return Ok(());
        }
        let token = self.current_token().or(self.tokens.last());
        Err(LiftError::Nesting(token.map_or(0..0, TemplateToken::range)))
    }

    /// Parses with the depth that it had before afterwards.
    fn with_nesting(&mut self, parse: impl FnOnce(&mut Self) -> ParseResult) -> ParseResult {
        let depth = self.depth;
        self.enter_level()?;
        parse(self)?;
        self.depth = depth;
        Ok(())
    }

    fn insert_text(&mut self, at: usize, text: String, opens: bool) {
        let len = 0;
        self.edits.push(Edit {
            at,
            len,
            text,
            opens,
        });
    }

    /// Makes the tokens from this one to the last parsed one the arguments of a function.
    fn wrap_call(&mut self, start: usize, function: &str) {
        let (Some(first), Some(last)) = (self.tokens.get(start), self.tokens.get(self.at - 1))
        else {
            return;
        };
        self.insert_text(first.at, format!("{function}("), true);
        self.insert_text(last.range().end, ")".to_owned(), false);
    }

    /// Makes operators the commas between arguments.
    fn insert_commas(&mut self, operators: Range<usize>) {
        let range = self.tokens[operators.start].at..self.tokens[operators.end - 1].range().end;
        self.replace_source(range, ", ".to_owned());
    }

    fn replace_source(&mut self, range: Range<usize>, text: String) {
        self.edits.push(Edit {
            at: range.start,
            len: range.len(),
            text,
            opens: false,
        });
    }

    fn parse_statement(&mut self, chains: &mut Vec<usize>) -> ParseResult {
        let Some(keyword) = self.current_token() else {
            return self.syntax_error();
        };
        let keyword = keyword.text.to_owned();
        self.at += 1;
        match &*keyword {
            "if" | "elif" => {
                match (&*keyword, chains.last_mut()) {
                    ("elif", Some(chain)) => *chain += 1,
                    _ => chains.push(0),
                }
                self.depth = chains.last().copied().unwrap_or_default();
                self.enter_level()?;
                self.depth = 0;
                self.parse_logic()?;
            }
            "endif" => {
                chains.pop();
            }
            "for" => {
                self.skip_until("in");
                self.expect_token("in")?;
                let start = self.at;
                self.parse_logic()?;
                self.wrap_call(start, ITEMS);
                if self.eat_token("if") {
                    self.parse_expr()?;
                }
                self.eat_token("recursive");
            }
            "set" => return self.parse_set(),
            "macro" => {
                self.expect_name()?;
                self.expect_token("(")?;
                self.parse_parameters()?;
            }
            "call" => {
                if self.eat_token("(") {
                    self.parse_parameters()?;
                }
                self.parse_expr()?;
            }
            "filter" => self.parse_filters()?,
            "with" => {
                while self.at < self.tokens.len() {
                    self.skip_until("=");
                    self.expect_token("=")?;
                    self.parse_expr()?;
                    self.eat_token(",");
                }
            }
            "do" | "autoescape" => self.parse_expr()?,
            "extends" | "include" | "import" | "from" => {
                self.parse_expr()?;
                self.at = self.tokens.len();
            }
            _ => self.at = self.tokens.len(),
        }
        self.expect_end()
    }

    fn parse_set(&mut self) -> ParseResult {
        let start = self.at;
        self.skip_until("=");
        if self.at == self.tokens.len() {
            self.at = start;
            self.skip_until("|");
            if self.eat_token("|") {
                self.parse_filters()?;
            }
            return self.expect_end();
        }
        let is_attribute = self.tokens[start..self.at]
            .iter()
            .any(|token| token.text == ".");
        self.at += 1;
        let value = self.at;
        self.parse_expr()?;
        while self.eat_token(",") && self.at < self.tokens.len() {
            self.parse_expr()?;
        }
        self.expect_end()?;
        let is_tuple = self.tokens[value..self.at]
            .iter()
            .any(|token| token.text == ",");
        if is_attribute || is_tuple {
            let function = if is_attribute {
                CHECKED_ATTRIBUTE
            } else {
                CHECKED
            };
            self.wrap_call(value, &format!("{function}("));
            let end = self.tokens[self.at - 1].range().end;
            self.insert_text(end, ")".to_owned(), false);
        }
        Ok(())
    }

    /// Skips tokens outside brackets up to this one.
    fn skip_until(&mut self, text: &str) {
        let mut open = 0_i64;
        while let Some(token) = self.current_token() {
            match token.text {
                "(" | "[" | "{" => open += 1,
                ")" | "]" | "}" => open -= 1,
                found if found == text && open == 0 => return,
                _ => {}
            }
            self.at += 1;
        }
    }

    /// The parameters of a macro, after the parenthesis.
    fn parse_parameters(&mut self) -> ParseResult {
        while !self.eat_token(")") {
            self.expect_name()?;
            if self.eat_token("=") {
                self.parse_expr()?;
            }
            if !self.eat_token(",") && self.peek() != ")" {
                return self.syntax_error();
            }
        }
        Ok(())
    }

    fn parse_filters(&mut self) -> ParseResult {
        loop {
            self.enter_level()?;
            self.parse_dotted_name()?;
            if self.peek() == "(" {
                self.parse_arguments()?;
            }
            if !self.eat_token("|") {
                return Ok(());
            }
        }
    }

    fn parse_dotted_name(&mut self) -> ParseResult {
        self.expect_name()?;
        while self.eat_token(".") {
            self.expect_name()?;
        }
        Ok(())
    }

    fn parse_expr(&mut self) -> ParseResult {
        self.with_nesting(|tag| {
            tag.parse_logic()?;
            while tag.eat_token("if") {
                tag.enter_level()?;
                tag.parse_logic()?;
                if tag.eat_token("else") {
                    tag.parse_expr()?;
                }
            }
            Ok(())
        })
    }

    /// Operands of `and`, `or` and `not`.
    fn parse_logic(&mut self) -> ParseResult {
        self.with_nesting(|tag| {
            loop {
                while tag.eat_token("not") {
                    tag.enter_level()?;
                }
                tag.parse_comparison()?;
                if !tag.eat_token("and") && !tag.eat_token("or") {
                    return Ok(());
                }
                tag.enter_level()?;
            }
        })
    }

    fn parse_comparison(&mut self) -> ParseResult {
        let start = self.at;
        self.parse_sum()?;
        let mut operands = vec![(start, self.at)];
        let mut operators = Vec::new();
        loop {
            let at = self.at;
            let is_not = self.eat_token("not");
            if is_not && self.peek() != "in" {
                return self.syntax_error();
            }
            let function = COMPARE.iter().find(|(operator, _)| match is_not {
                true => *operator == "not in",
                false => *operator == self.peek(),
            });
            let Some((_, function)) = function else {
                break;
            };
            self.at += 1;
            operators.push((at..self.at, *function));
            self.enter_level()?;
            let operand = self.at;
            self.parse_sum()?;
            operands.push((operand, self.at));
        }
        if let [(operator, function)] = &operators[..] {
            self.insert_commas(operator.clone());
            self.wrap_call(start, function);
        } else if operators.len() > 1 {
            // A chain such as `1 < x < 9` stays with the engine.
            let end = self.at;
            for (start, end) in operands {
                self.at = end;
                self.wrap_call(start, REAL);
            }
            self.at = end;
        }
        Ok(())
    }

    fn parse_sum(&mut self) -> ParseResult {
        let start = self.at;
        let mut is_sum = false;
        self.parse_concat()?;
        loop {
            let operator = self.at;
            if self.eat_token("+") {
                self.parse_concat()?;
                self.insert_commas(operator..operator + 1);
                is_sum = true;
                continue;
            }
            if is_sum {
                let end = self.at;
                self.wrap_call(start, SUM);
                self.at = end;
                is_sum = false;
            }
            if !self.eat_token("-") {
                return Ok(());
            }
            self.enter_level()?;
            self.parse_concat()?;
        }
    }

    fn parse_concat(&mut self) -> ParseResult {
        let start = self.at;
        self.parse_product()?;
        let mut is_text = false;
        while self.peek() == "~" {
            self.insert_commas(self.at..self.at + 1);
            self.at += 1;
            self.parse_product()?;
            is_text = true;
        }
        if is_text {
            self.wrap_call(start, CONCAT);
        }
        Ok(())
    }

    fn parse_product(&mut self) -> ParseResult {
        let (start, depth) = (self.at, self.depth);
        self.parse_operand()?;
        while matches!(self.peek(), "*" | "/" | "//" | "%" | "**") {
            let operator = self.at;
            self.at += 1;
            self.enter_level()?;
            self.parse_operand()?;
            if self.tokens[operator].text == "*" {
                self.insert_commas(operator..operator + 1);
                self.wrap_call(start, TIMES);
            }
        }
        self.depth = depth;
        Ok(())
    }

    /// An operand with its attributes, filters and tests.
    fn parse_operand(&mut self) -> ParseResult {
        let depth = self.depth;
        self.parse_value()?;
        loop {
            if self.eat_token("|") {
                self.enter_level()?;
                self.parse_dotted_name()?;
                if self.peek() == "(" {
                    self.parse_arguments()?;
                }
            } else if self.eat_token("is") {
                self.enter_level()?;
                self.eat_token("not");
                self.parse_dotted_name()?;
                let is_argument = self.current_token().is_some_and(|token| match token.kind {
                    TemplateTokenKind::Name => !["and", "or", "else", "is"].contains(&token.text),
                    TemplateTokenKind::String | TemplateTokenKind::Number => true,
                    TemplateTokenKind::Sign => ["+", "-", "[", "{"].contains(&token.text),
                });
                if self.peek() == "(" {
                    self.parse_arguments()?;
                } else if is_argument {
                    self.parse_value()?;
                }
            } else {
                break;
            }
        }
        self.depth = depth;
        Ok(())
    }

    /// A value with its sign and attributes.
    fn parse_value(&mut self) -> ParseResult {
        let depth = self.depth;
        while self.eat_token("-") {
            self.enter_level()?;
        }
        let Some(token) = self.current_token() else {
            return self.syntax_error();
        };
        let (kind, text) = (token.kind, token.text.to_owned());
        let start = self.at;
        self.at += 1;
        match (kind, &*text) {
            (TemplateTokenKind::Name | TemplateTokenKind::Number, _) => {}
            (TemplateTokenKind::String, _) => {
                while self
                    .current_token()
                    .is_some_and(|token| token.kind == TemplateTokenKind::String)
                {
                    self.at += 1;
                }
            }
            (TemplateTokenKind::Sign, open @ ("(" | "[" | "{")) => self.parse_items(start, open)?,
            (TemplateTokenKind::Sign, _) => {
                self.at -= 1;
                return self.syntax_error();
            }
        }
        loop {
            if self.eat_token(".") {
                self.enter_level()?;
                let is_changed = self.peek() == "changed";
                self.at += 1;
                if is_changed && self.peek() == "(" {
                    self.parse_compared_arguments()?;
                }
            } else if self.eat_token("[") {
                self.enter_level()?;
                self.parse_subscript(start)?;
            } else if self.peek() == "(" {
                self.enter_level()?;
                self.parse_arguments()?;
            } else {
                break;
            }
        }
        if self.at > self.tokens.len() {
            self.at = self.tokens.len();
            return self.syntax_error();
        }
        self.depth = depth;
        Ok(())
    }

    /// A list, a map, a tuple or an expression in parentheses, after the bracket.
    fn parse_items(&mut self, start: usize, open: &str) -> ParseResult {
        let close = match open {
            "(" => ")",
            "[" => "]",
            _ => "}",
        };
        let mut is_one = open == "(";
        while !self.eat_token(close) {
            self.parse_expr()?;
            if open == "{" {
                self.expect_token(":")?;
                self.parse_expr()?;
            }
            let is_comma = self.eat_token(",");
            is_one &= !is_comma;
            if !is_comma && self.peek() != close {
                return self.syntax_error();
            }
        }
        if !is_one {
            self.wrap_call(start, CHECKED);
        }
        Ok(())
    }

    /// A subscript of the value that begins at this token, after the bracket. A slice is a call of a function.
    fn parse_subscript(&mut self, value: usize) -> ParseResult {
        let (open, start) = (self.at - 1, self.at);
        if self.peek() != ":" {
            self.parse_expr()?;
        }
        if self.peek() == "]" {
            let is_string =
                self.at == start + 1 && self.tokens[start].kind == TemplateTokenKind::String;
            if !is_string && self.at > start {
                self.wrap_subscript(value, open..open + 1, ITEM);
            }
            return self.expect_token("]");
        }
        let mut is_empty = self.at == start;
        let mut separator = open;
        for _ in 0..2 {
            if self.peek() != ":" {
                break;
            }
            self.insert_slice_comma(separator, is_empty);
            separator = self.at;
            self.at += 1;
            is_empty = matches!(self.peek(), ":" | "]");
            if !is_empty {
                self.parse_expr()?;
            }
        }
        self.insert_slice_comma(separator, is_empty);
        self.wrap_subscript(value, 0..0, SLICE);
        self.expect_token("]")
    }

    /// Makes a subscript the arguments of a function, with a comma for its bracket unless that is replaced already.
    fn wrap_subscript(&mut self, value: usize, open: Range<usize>, function: &str) {
        if self.peek() != "]" {
            return;
        }
        if let (Some(first), Some(close)) = (self.tokens.get(value), self.current_token()) {
            let (first, close) = (first.at, close.range());
            if !open.is_empty() {
                self.insert_commas(open);
            }
            self.insert_text(first, format!("{function}("), true);
            self.replace_source(close, ")".to_owned());
        }
    }

    /// Makes a sign of a slice the comma before an argument.
    fn insert_slice_comma(&mut self, sign: usize, is_empty: bool) {
        let text = if is_empty { ", none" } else { ", " };
        self.replace_source(self.tokens[sign].range(), text.to_owned());
    }

    /// The arguments of `loop.changed`, which the engine compares with those before.
    fn parse_compared_arguments(&mut self) -> ParseResult {
        let open = self.at;
        self.enter_level()?;
        self.parse_arguments()?;
        if self.at > open + 2 {
            let end = self.at;
            let (first, last) = (self.tokens[open + 1].at, self.tokens[end - 1].at);
            self.insert_text(first, format!("{REAL}(["), true);
            self.insert_text(last, "])".to_owned(), false);
        }
        Ok(())
    }

    fn parse_arguments(&mut self) -> ParseResult {
        self.expect_token("(")?;
        while !self.eat_token(")") {
            if !self.eat_token("**") {
                self.eat_token("*");
            }
            self.parse_expr()?;
            if self.eat_token("=") {
                self.parse_expr()?;
            }
            if !self.eat_token(",") && self.peek() != ")" {
                return self.syntax_error();
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_calls() {
        for (source, text) in [
            ("{{ a ~ 'b' ~ c }}", "{{ __concat(a ,  'b' ,  c) }}"),
            ("{{ a + b - c + d }}", "{{ __sum(__sum(a ,  b) - c ,  d) }}"),
            (
                "{%- if 'x' not in m['k'] -%}",
                "{%- if __not_in('x' ,  m['k']) -%}",
            ),
            (
                "{{ d[k](a=1) * 2 | f }}",
                "{{ __times(__item(d, k)(a=1) ,  2 | f) }}",
            ),
            (
                "{% set n.s = [n.s], %}",
                "{% set n.s = __checked_attribute((__checked([n.s]),)) %}",
            ),
            ("{{ x|sort|join('}}') }}", "{{ x|sort|join('}}') }}"),
            (
                "{% for a, b in x[1:] if not a == b %}",
                "{% for a, b in __items(__slice(x, 1, none)) if not __eq(a ,  b) %}",
            ),
            (
                "{{ a['b'][::-1][c:][0] }}",
                "{{ __item(__slice(__slice(a['b'], none, none, -1), c, none), 0) }}",
            ),
            (
                "{{ 'b'[a + 1:-1:x[:]] }}",
                "{{ __slice('b', __sum(a ,  1), -1, __slice(x, none, none)) }}",
            ),
            (
                "{# a ~ b #}{% raw %}{{ a ~ b }}{% endraw %}",
                "{# a ~ b #}{% raw %}{{ a ~ b }}{% endraw %}",
            ),
        ] {
            let instrumented = instrument(source).unwrap();
            assert_eq!(instrumented.text, text);
            for word in ["'b'", "join", "m['k']", "d["] {
                if let (Some(at), Some(from)) = (instrumented.text.find(word), source.find(word)) {
                    assert_eq!(
                        instrumented.in_source(at..at + word.len()).start,
                        from,
                        "{source}"
                    );
                }
            }
        }
    }
}
