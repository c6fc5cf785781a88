//! Parses expressions: the content of a slot, a condition, the head of a block.

use std::marker::PhantomData;

use crate::language::{Language, Plain};
use crate::lex::{TagToken, split_tokens};
use crate::name::{continues_name, name_len};
use crate::problem::expr as problem;
use crate::problem::expr::IntendedExpr;
use crate::{Coalesce, Compare, CompareOp, Dialect, Error, Expr, Filter, Literal, Path, Spanned};
use prompt_base::Span;

/// More filters, signs and parentheses inside each other than anyone writes. Each makes the tree deeper, and so costs
/// stack of recursive functions on it.
pub(crate) const OPERATORS: usize = 128;

/// Reads what fills a slot.
pub(crate) fn parse_slot<L: Language>(
    text: &str,
    span: Span,
    dialect: Dialect,
) -> Result<Expr<L>, Error> {
    match dialect {
        Dialect::Jinja => L::parse_slot(text, span),
        _ => plain_slot(text, span),
    }
}

/// Reads what decides a condition.
pub(crate) fn parse_condition<L: Language>(
    text: &str,
    span: Span,
    dialect: Dialect,
) -> Result<Expr<L>, Error> {
    match dialect {
        Dialect::Jinja => L::parse_condition(text, span),
        _ => plain_condition(text, span),
    }
}

/// Reads what a loop goes over, as far as it can be read, and what is wrong with it.
pub(crate) fn loop_head<L: Language>(
    text: &str,
    span: Span,
    dialect: Dialect,
) -> (Option<LoopHead<L>>, Option<Error>) {
    match dialect {
        Dialect::Jinja => L::loop_head(text, span),
        _ => plain_loop_head(text, span, dialect),
    }
}

/// The items of a loop.
pub struct LoopHead<L: Language = Plain> {
    /// The names of an item, or of its parts.
    pub targets: Vec<Spanned<String>>,
    /// The list.
    pub list: Expr<L>,
    /// Which items are taken.
    pub condition: Option<Expr<L>>,
}

/// The tokens of one tag, and the position of the parser.
pub struct Cursor<'a> {
    /// The text of the template.
    pub text: &'a str,
    /// The bytes of the tag's words.
    pub span: Span,
    /// The tokens.
    pub words: Vec<Spanned<TagToken>>,
    /// The index of the next token.
    pub at: usize,
    /// An upper bound of the depth of the tree, in operators.
    pub operators: usize,
}

impl<'a> Cursor<'a> {
    /// The tokens of a span of the text.
    pub fn new(text: &'a str, span: Span, words: Vec<Spanned<TagToken>>) -> Cursor<'a> {
        Cursor {
            text,
            span,
            words,
            at: 0,
            operators: 0,
        }
    }

    /// Counts what makes the tree deeper.
    ///
    /// # Errors
    /// There are too many.
    pub fn count(&mut self) -> Result<(), Error> {
        self.operators += 1;
        if self.operators <= OPERATORS {
            return Ok(());
        }
        Err(problem::too_many_operators(OPERATORS).at(self.here()))
    }

    /// Reads a name; the error calls it `what`.
    ///
    /// # Errors
    /// The next token is not a name.
    pub fn name(&mut self, what: &str) -> Result<Spanned<String>, Error> {
        self.name_or(what, IntendedExpr::Expected)
    }

    /// The same, where another help is better.
    ///
    /// # Errors
    /// The next token is not a name.
    pub fn name_or(
        &mut self,
        what: &str,
        meant: IntendedExpr<'_>,
    ) -> Result<Spanned<String>, Error> {
        match self.words.get(self.at) {
            Some(Spanned {
                value: TagToken::Name(name),
                span,
            }) => {
                self.at += 1;
                Ok(Spanned::new(name.clone(), *span))
            }
            _ => Err(self.unexpected(what, meant)),
        }
    }

    /// Whether the next token is this sign.
    pub fn is_next(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(TagToken::Sign(s)) if *s == sign)
    }

    /// Reads the sign, if it is next.
    pub fn eat(&mut self, sign: &str) -> bool {
        let found = self.is_next(sign);
        self.at += usize::from(found);
        found
    }

    /// Reads the name, if it is next.
    pub fn eat_name(&mut self, name: &str) -> bool {
        let found = matches!(self.peek(), Some(TagToken::Name(n)) if n == name);
        self.at += usize::from(found);
        found
    }

    /// Whether the word that many words ahead is this sign.
    pub fn is_sign(&self, on: usize, sign: &str) -> bool {
        let word = self.words.get(self.at + on).map(|word| &word.value);
        matches!(word, Some(TagToken::Sign(s)) if *s == sign)
    }

    /// Whether the word that many words ahead is this name.
    pub fn is_name(&self, on: usize, name: &str) -> bool {
        let word = self.words.get(self.at + on).map(|word| &word.value);
        matches!(word, Some(TagToken::Name(n)) if n == name)
    }

    /// The next token.
    pub fn peek(&self) -> Option<&TagToken> {
        self.words.get(self.at).map(|word| &word.value)
    }

    /// The span of the next word, or the end.
    pub fn here(&self) -> Span {
        let end = Span::new(self.span.end, self.span.end);
        self.words.get(self.at).map_or(end, |word| word.span)
    }

    /// The span of the word just read.
    pub fn before(&self) -> Span {
        self.words[..self.at]
            .last()
            .map_or(self.here(), |word| word.span)
    }

    /// The error for the next token where another is expected.
    pub fn unexpected(&self, expected: &str, meant: IntendedExpr<'_>) -> Error {
        problem::unexpected_token(&self.found(), expected, meant).at(self.here())
    }

    /// The error for the next token where the end is expected.
    pub fn left_over(&self, expected: &str, meant: IntendedExpr<'_>) -> Error {
        problem::left_over(&self.found(), expected, meant).at(self.here())
    }

    fn found(&self) -> String {
        match self.peek() {
            Some(word) => word.describe(),
            None if self.words.is_empty() => "nothing".into(),
            None => "the end".into(),
        }
    }
}

/// Reads what fills a slot.
fn plain_slot<L: Language>(text: &str, span: Span) -> Result<Expr<L>, Error> {
    let written = span.of(text);
    if !written.is_empty() && name_len(written) == written.len() {
        // Most slots are a name alone.
        return Ok(Expr::Path(Path {
            span,
            segments: vec![Spanned::new(written.to_owned(), span)],
            input: false,
        }));
    }
    PlainExprParser::new(text, span)?
        .parse_all(PlainExprParser::parse_slot_value, IntendedExpr::FILTER)
}

/// Reads what decides a condition.
fn plain_condition<L: Language>(text: &str, span: Span) -> Result<Expr<L>, Error> {
    PlainExprParser::new(text, span)?.parse_all(PlainExprParser::parse_or, IntendedExpr::CONDITION)
}

/// Reads `item in list`. Where only the `in` is missing, the loop can be read nevertheless.
fn plain_loop_head<L: Language>(
    text: &str,
    span: Span,
    dialect: Dialect,
) -> (Option<LoopHead<L>>, Option<Error>) {
    if let Some(sign) = find_range(text, span) {
        return (None, Some(problem::range_of_a_loop().at(sign)));
    }
    let mut reader = match PlainExprParser::new(text, span) {
        Ok(reader) => reader,
        Err(error) => return (None, Some(error)),
    };
    let targets = match reader.parse_targets() {
        Ok(targets) => targets,
        Err(error) => return (None, Some(error)),
    };
    let mut wrong = None;
    if !reader.cursor.eat_name("in") {
        let at = reader.cursor.at;
        // Other languages write `of` or `:` there.
        let _ = reader.cursor.eat_name("of") || reader.cursor.eat(":");
        let list = Span::new(reader.cursor.here().start, span.end).of(text);
        let names: Vec<&str> = targets.iter().map(|name| name.as_str()).collect();
        let names = names.join(", ");
        let right = match list.split_once(" in ") {
            // `let item in list`
            Some((name, list)) if name_len(name) == name.len() => format!("for {name} in {list}"),
            _ if list.is_empty() => format!("for item in {names}"),
            _ => format!("for {names} in {list}"),
        };
        let on = std::mem::replace(&mut reader.cursor.at, at);
        let right = dialect.tag(&right);
        wrong = Some(
            reader
                .cursor
                .unexpected("`in`", IntendedExpr::Written(&right)),
        );
        reader.cursor.at = on;
    }
    match reader.parse_all(PlainExprParser::parse_list, IntendedExpr::LOOP) {
        Ok(list) => {
            let head = LoopHead {
                targets,
                list,
                condition: None,
            };
            (Some(head), wrong)
        }
        Err(error) => (None, wrong.or(Some(error))),
    }
}

/// The sign of a range in the head of a loop: `..`, `..=`. A slice of a list and a string contain none.
pub fn find_range(text: &str, span: Span) -> Option<Span> {
    let mut quote = None;
    let mut before = ' ';
    for (at, c) in span.of(text).char_indices() {
        let rest = &span.of(text)[at..];
        match (quote, c) {
            (Some(_), _) if before == '\\' => before = ' ',
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => before = c,
            (None, '"' | '\'') if !continues_name(before) => (quote, before) = (Some(c), c),
            (None, '[') if continues_name(before) || matches!(before, ')' | ']') => return None,
            (None, '.') if rest.starts_with("..") => {
                let len = 2 + usize::from(rest[2..].starts_with(['=', '.', '<']));
                return Some(Span::new(span.start + at, span.start + at + len));
            }
            _ => before = c,
        }
    }
    None
}

struct PlainExprParser<'a, L> {
    cursor: Cursor<'a>,
    /// The language whose trees it makes.
    language: PhantomData<L>,
}

impl<'a, L: Language> PlainExprParser<'a, L> {
    fn new(text: &'a str, span: Span) -> Result<PlainExprParser<'a, L>, Error> {
        let cursor = Cursor::new(text, span, split_tokens(text, span)?);
        Ok(PlainExprParser {
            cursor,
            language: PhantomData,
        })
    }

    /// Reads up to the end. What else could be meant by words that are left over is the help.
    fn parse_all<T>(
        mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Error>,
        meant: IntendedExpr<'_>,
    ) -> Result<T, Error> {
        let value = read(&mut self)?;
        match self.cursor.words.get(self.cursor.at) {
            None => Ok(value),
            Some(word) => Err(self.left_over(word, meant)),
        }
    }

    /// Returns the error for an expression that this word cannot continue.
    fn left_over(&self, word: &Spanned<TagToken>, meant: IntendedExpr<'_>) -> Error {
        let cursor = &self.cursor;
        let before = cursor.at.checked_sub(2).map(|index| &*cursor.words[index]);
        let written;
        let meant = match &**word {
            TagToken::Sign(":") if before == Some(&TagToken::Sign("|")) => {
                let filter = cursor.words[cursor.at - 1].span.of(cursor.text);
                let argument = cursor.words.get(cursor.at + 1);
                let argument = argument.map_or("…", |word| word.span.of(cursor.text));
                written = format!("{filter}({argument})");
                IntendedExpr::Written(&written)
            }
            TagToken::Name(name) if name == "is" && cursor.is_sign(2, "::") => {
                return self.path_of_variant(cursor.at + 1, "== ");
            }
            TagToken::Name(name) if name == "is" => match cursor.words.get(cursor.at + 1) {
                Some(value)
                    if matches!(
                        **value,
                        TagToken::Str(_) | TagToken::Int(_) | TagToken::Float(_)
                    ) =>
                {
                    written = format!("== {}", value.span.of(cursor.text));
                    IntendedExpr::Written(&written)
                }
                _ => IntendedExpr::PRESENCE,
            },
            // `tags.contains('x')`
            TagToken::Sign("(")
                if meant == IntendedExpr::CONDITION
                    && !self.method_receiver().is_empty()
                    && cursor
                        .words
                        .get(cursor.at + 1)
                        .is_some_and(|next| **next != TagToken::Sign(")")) =>
            {
                IntendedExpr::COMPUTED
            }
            TagToken::Sign("(")
                if self.method_receiver().is_empty() && meant != IntendedExpr::CONDITION =>
            {
                let called = cursor.words[cursor.at - 1].span;
                match called.of(cursor.text) {
                    "enumerate" => IntendedExpr::NUMBERED,
                    "range" if meant == IntendedExpr::LOOP => {
                        return problem::range_of_a_loop().at(called);
                    }
                    _ => IntendedExpr::Called("", false),
                }
            }
            TagToken::Sign("(") if self.method_receiver().is_empty() => {
                // The argument of a function such as `len(items)`.
                let argument = match cursor.words.get(cursor.at + 1..cursor.at + 3) {
                    Some([argument, close])
                        if matches!(**argument, TagToken::Name(_))
                            && **close == TagToken::Sign(")") =>
                    {
                        argument.span.of(cursor.text)
                    }
                    _ => "",
                };
                IntendedExpr::Called(argument, true)
            }
            TagToken::Sign("(") => {
                IntendedExpr::Called(self.method_receiver(), meant == IntendedExpr::CONDITION)
            }
            TagToken::Str(_) | TagToken::Int(_) | TagToken::Float(_)
                if before == Some(&TagToken::Sign("|")) =>
            {
                let filter = cursor.words[cursor.at - 1].span.of(cursor.text);
                written = format!("{filter}({})", word.span.of(cursor.text));
                IntendedExpr::Written(&written)
            }
            TagToken::Sign("::") if meant == IntendedExpr::CONDITION => {
                let is_equality = |word: &TagToken| matches!(word, TagToken::Sign("==" | "!="));
                return match before {
                    Some(sign) if !is_equality(sign) => {
                        cursor.left_over("the end", IntendedExpr::COMPUTED)
                    }
                    _ => self.path_of_variant(cursor.at - 1, ""),
                };
            }
            // `1 to n`: a number cannot be a list
            TagToken::Name(_)
                if meant == IntendedExpr::LOOP
                    && matches!(
                        cursor.words.get(cursor.at - 1).map(|word| &word.value),
                        Some(TagToken::Int(_))
                    ) =>
            {
                return problem::range_of_a_loop().at(word.span);
            }
            TagToken::Name(_)
                if meant == IntendedExpr::CONDITION
                    && cursor.words.get(cursor.at + 1).is_some_and(|next| {
                        matches!(**next, TagToken::Name(_) | TagToken::Str(_))
                    }) =>
            {
                IntendedExpr::COMPUTED
            }
            TagToken::Sign("??") => IntendedExpr::SECOND_DEFAULT,
            TagToken::Sign(")") => IntendedExpr::PARENTHESIS,
            _ => meant,
        };
        cursor.left_over("the end", meant)
    }

    /// The error of a path of Rust in a condition. `first` is the index of its first name; `sign` replaces the word before it, if one is given.
    fn path_of_variant(&self, first: usize, sign: &str) -> Error {
        let Cursor { text, span, .. } = self.cursor;
        let words = &self.cursor.words;
        let mut last = first;
        while let Some([sign, name]) = words.get(last + 1..last + 3)
            && **sign == TagToken::Sign("::")
            && matches!(**name, TagToken::Name(_))
        {
            last += 2;
        }
        let path = words[first].span.to(words[last].span);
        let end = match (sign, first.checked_sub(1)) {
            ("", _) | (_, None) => path.start,
            (_, Some(replaced)) => words[replaced].span.start,
        };
        let before = text[span.start..end].trim_start();
        let after = text[path.end..span.end].trim_end();
        let variant = words[last].span.of(text);
        problem::path_in_condition(&format!("{before}{sign}'{variant}'{after}")).at(path)
    }

    /// The receiver of the method that was parsed last: the path before its name.
    fn method_receiver(&self) -> &'a str {
        let words = &self.cursor.words[..self.cursor.at];
        let dotted = |index: usize| {
            words
                .get(index)
                .is_some_and(|word| **word == TagToken::Sign("."))
        };
        let mut first = words.len().saturating_sub(1);
        while first >= 2 && dotted(first - 1) {
            first -= 2;
        }
        match words.len().checked_sub(3) {
            Some(last) if first <= last => {
                Span::new(words[first].span.start, words[last].span.end).of(self.cursor.text)
            }
            _ => "",
        }
    }

    /// A value, whose first word is a field even if it reads `true` or `false`.
    fn parse_slot_value(&mut self) -> Result<Expr<L>, Error> {
        let field = match self.cursor.peek() {
            Some(TagToken::Name(_)) => Some(Expr::Path(self.parse_path()?)),
            _ => None,
        };
        self.value_from(field)
    }

    /// `value ?? default`
    fn parse_value(&mut self) -> Result<Expr<L>, Error> {
        self.value_from(None)
    }

    /// The same, with its first words read already.
    fn value_from(&mut self, first: Option<Expr<L>>) -> Result<Expr<L>, Error> {
        let value = self.filtered_from(first)?;
        if !self.cursor.eat("??") {
            return Ok(value);
        }
        self.cursor.count()?;
        let default = self.parse_filters()?;
        Ok(Expr::Default(Box::new(Coalesce { value, default })))
    }

    /// `value | filter | filter(argument)`
    fn parse_filters(&mut self) -> Result<Expr<L>, Error> {
        self.filtered_from(None)
    }

    fn filtered_from(&mut self, first: Option<Expr<L>>) -> Result<Expr<L>, Error> {
        let mut value = match first {
            Some(first) => first,
            None => self.parse_primary()?,
        };
        while self.cursor.eat("|") {
            self.cursor.count()?;
            let name = self.filter_name()?;
            let args = if self.cursor.eat("(") {
                self.parse_args()?
            } else {
                Vec::new()
            };
            let span = value.span().to(self.cursor.before());
            value = Expr::Filter(Box::new(Filter {
                value,
                name,
                args,
                named: Vec::new(),
                span,
            }));
        }
        Ok(value)
    }

    /// `join`, `crate::text::shout`
    fn filter_name(&mut self) -> Result<Spanned<Vec<String>>, Error> {
        let first = self
            .cursor
            .name_or("the name of a filter", IntendedExpr::FILTER_NAME)?;
        let mut span = first.span;
        let mut segments = vec![first.value];
        while self.cursor.eat("::") {
            let segment = self.cursor.name("a name after `::`")?;
            span = span.to(segment.span);
            segments.push(segment.value);
        }
        Ok(Spanned::new(segments, span))
    }

    fn parse_args(&mut self) -> Result<Vec<Expr<L>>, Error> {
        let open = self.cursor.before();
        let mut args = Vec::new();
        while !self.cursor.eat(")") {
            if self.cursor.is_next(",") {
                return Err(self.cursor.unexpected("an argument", IntendedExpr::QUOTED));
            }
            args.push(self.parse_deeper(PlainExprParser::parse_value)?);
            if !self.cursor.eat(",") {
                self.expect_close(open, "`,` or `)`")?;
                break;
            }
        }
        Ok(args)
    }

    fn parse_primary(&mut self) -> Result<Expr<L>, Error> {
        let Some(word) = self.cursor.words.get(self.cursor.at).cloned() else {
            return Err(self.cursor.unexpected("a field", IntendedExpr::Expected));
        };
        let literal = match word.value {
            TagToken::Name(name) if name == "true" || name == "false" => {
                Literal::Bool(name == "true")
            }
            TagToken::Name(_) => return self.parse_path().map(Expr::Path),
            TagToken::Str(text) => Literal::Str(text),
            TagToken::Int(number) => Literal::Int(number),
            TagToken::Float(number) => Literal::Float(number),
            TagToken::Sign("(") => {
                self.cursor.at += 1;
                return self.parse_parenthesised(PlainExprParser::parse_value);
            }
            TagToken::Sign(_) => {
                let written = self.comparison_without_value();
                let meant = written
                    .as_deref()
                    .map_or(IntendedExpr::Expected, IntendedExpr::Written);
                return Err(self.cursor.unexpected("a field", meant));
            }
        };
        self.cursor.at += 1;
        Ok(Expr::Literal(Spanned::new(literal, word.span)))
    }

    /// `n <= 5` for the second part of `n >= 3 and <= 5`.
    fn comparison_without_value(&self) -> Option<String> {
        let Cursor { text, at, .. } = self.cursor;
        let words = &self.cursor.words;
        let is_sign = |word: &Spanned<TagToken>| {
            matches!(
                **word,
                TagToken::Sign("==" | "!=" | "<" | "<=" | ">" | ">=")
            )
        };
        let sign = words.get(at).filter(|sign| is_sign(sign))?;
        let constant = words.get(at + 1)?;
        let (joint, before) = words[..at].split_last()?;
        if !matches!(&**joint, TagToken::Name(name) if name == "and" || name == "or") {
            return None;
        }
        let end = before.iter().rposition(is_sign)?;
        let ends = |word: &Spanned<TagToken>| match &**word {
            TagToken::Name(name) => matches!(&name[..], "and" | "or" | "not"),
            sign => *sign == TagToken::Sign("("),
        };
        let start = before[..end].iter().rposition(ends).map_or(0, |at| at + 1);
        let value = before.get(start)?.span.to(before[..end].last()?.span);
        let (sign, constant) = (sign.span.of(text), constant.span.of(text));
        Some(format!("{} {sign} {constant}", value.of(text)))
    }

    fn parse_path(&mut self) -> Result<Path, Error> {
        let mut first = self.cursor.name("a field")?;
        let input = first.value == "input" && self.cursor.is_next(":");
        if input {
            self.expect_no_space(first.span, "`input` and its `:`")?;
            self.cursor.eat(":");
            self.expect_no_space(first.span, "`input:` and the name")?;
            first = self.cursor.name("the name of a field after `input:`")?;
        }
        let mut span = first.span;
        let mut segments = vec![first];
        while self.cursor.is_next(".") {
            self.expect_no_space(span, "the name and a `.`")?;
            self.cursor.eat(".");
            self.expect_no_space(span, "a `.` and the name")?;
            let segment = self.cursor.name("a name after `.`")?;
            span = span.to(segment.span);
            segments.push(segment);
        }
        Ok(Path {
            span,
            segments,
            input,
        })
    }

    /// A path is written without spaces; `begun` is what precedes the next word.
    fn expect_no_space(&self, begun: Span, what: &str) -> Result<(), Error> {
        let gap = Span::new(self.cursor.before().end, self.cursor.here().start);
        if gap.start >= gap.end || self.cursor.at == self.cursor.words.len() {
            return Ok(());
        }
        // A `.` or `:` is followed by its name.
        let is_sign = matches!(self.cursor.words[self.cursor.at].value, TagToken::Sign(_));
        let last = self.cursor.words.get(self.cursor.at + usize::from(is_sign));
        let end = last.map_or(self.cursor.here(), |word| word.span);
        let written = begun.to(end).of(self.cursor.text);
        let joined: String = written.split_whitespace().collect();
        Err(problem::unexpected_space(what, &joined).at(gap))
    }

    fn parse_list(&mut self) -> Result<Expr<L>, Error> {
        let list = self.parse_filters()?;
        if self.cursor.eat("??") {
            return Err(problem::default_of_a_loop().at(self.cursor.before()));
        }
        Ok(list)
    }

    /// The name of an item, or those of the two parts of a pair.
    fn parse_targets(&mut self) -> Result<Vec<Spanned<String>>, Error> {
        let mut targets = vec![self.parse_target()?];
        if self.cursor.eat(",") {
            targets.push(self.parse_target()?);
            if self.cursor.is_next(",") {
                return Err(self.cursor.unexpected("`in`", IntendedExpr::ITEMS));
            }
            if targets[0].value == targets[1].value {
                return Err(problem::named_twice(&targets[1]).at(targets[1].span));
            }
        }
        Ok(targets)
    }

    fn parse_target(&mut self) -> Result<Spanned<String>, Error> {
        let what = "the name of an item";
        if self.cursor.peek() == Some(&TagToken::Name("in".to_owned())) {
            return Err(self.cursor.unexpected(what, IntendedExpr::ITEM));
        }
        if self.cursor.is_next("(") {
            let right = self.without_parentheses();
            let meant = right
                .as_deref()
                .map_or(IntendedExpr::ITEMS, IntendedExpr::Written);
            return Err(self.cursor.unexpected(what, meant));
        }
        let name = self.cursor.name(what)?;
        match name.as_str() {
            "loop" => Err(problem::item_named_loop().at(name.span)),
            _ => Ok(name),
        }
    }

    /// The tag `<for (key, value) in map>` without its parentheses.
    fn without_parentheses(&self) -> Option<String> {
        let Cursor { text, span, at, .. } = self.cursor;
        let [_, key, comma, value, close] = self.cursor.words.get(at..at + 5)? else {
            return None;
        };
        let rest = Span::new(close.span.end, span.end).of(text);
        let is_pair = **comma == TagToken::Sign(",") && **close == TagToken::Sign(")");
        let (key, value) = (key.span.of(text), value.span.of(text));
        is_pair.then(|| match rest.split_once(".iter().enumerate()") {
            Some((list, _)) => {
                format!("<for {value}{list}>`, and `<loop.index>` instead of `<{key}>")
            }
            None => format!("<for {key}, {value}{rest}>"),
        })
    }

    fn parse_or(&mut self) -> Result<Expr<L>, Error> {
        let mut left = self.parse_and()?;
        while self.cursor.eat_name("or") {
            self.cursor.count()?;
            left = Expr::Or(Box::new((left, self.parse_and()?)));
        }
        Ok(left)
    }

    fn parse_and(&mut self) -> Result<Expr<L>, Error> {
        let mut left = self.parse_not()?;
        while self.cursor.eat_name("and") {
            self.cursor.count()?;
            left = Expr::And(Box::new((left, self.parse_not()?)));
        }
        Ok(left)
    }

    fn parse_not(&mut self) -> Result<Expr<L>, Error> {
        let start = self.cursor.here();
        if self.cursor.eat_name("not") {
            let inner = self.parse_deeper(PlainExprParser::parse_not)?;
            let span = start.to(self.cursor.before());
            return Ok(Expr::Not(Box::new(Spanned::new(inner, span))));
        }
        if self.cursor.eat("(") {
            return self.parse_parenthesised(PlainExprParser::parse_or);
        }
        self.parse_comparison()
    }

    /// `count > 3`, `0 < count <= 9`
    fn parse_comparison(&mut self) -> Result<Expr<L>, Error> {
        let first = self.parse_filters()?;
        let mut rest = Vec::new();
        while let Some(op) = self.comparison_sign() {
            self.cursor.count()?;
            let at = self.cursor.before();
            rest.push((Spanned::new(op, at), self.parse_filters()?));
        }
        Ok(match rest.last() {
            None => first,
            Some((_, last)) => Expr::Compare(Box::new(Compare {
                span: first.span().to(last.span()),
                first,
                rest,
            })),
        })
    }

    fn comparison_sign(&mut self) -> Option<CompareOp> {
        use CompareOp::{Eq, Ge, Gt, Le, Lt, Ne};
        [Eq, Ne, Lt, Le, Gt, Ge]
            .into_iter()
            .find(|op| self.cursor.eat(op.sign()))
    }

    /// The arguments after `(`, up to `)`.
    fn parse_parenthesised(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Expr<L>, Error>,
    ) -> Result<Expr<L>, Error> {
        let open = self.cursor.before();
        let inner = self.parse_deeper(read)?;
        self.expect_close(open, "`)`")?;
        Ok(inner)
    }

    fn expect_close(&mut self, open: Span, expected: &str) -> Result<(), Error> {
        if self.cursor.eat(")") {
            return Ok(());
        }
        let meant =
            match self.cursor.peek() {
                None => IntendedExpr::End(")"),
                Some(
                    TagToken::Str(_) | TagToken::Int(_) | TagToken::Float(_) | TagToken::Name(_),
                ) if expected.len() > 3 => IntendedExpr::ARGUMENT,
                Some(_) => IntendedExpr::Expected,
            };
        let error = self.cursor.unexpected(expected, meant);
        Err(problem::with_opening(error.problem, open).at(error.span))
    }

    fn parse_deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.cursor.count()?;
        read(self)
    }
}
