//! From text to tokens: one lexer for each dialect, and one for the words inside a tag.

pub(crate) mod angle;
pub(crate) mod brace;
#[cfg(feature = "jinja")]
pub(crate) mod jinja;

use crate::problem::word as problem;
use crate::problem::word::unclosed_text;
use crate::unicode::{begins_name, continues_name, name_len};
use crate::{Dialect, Error, Options, Role, Span, Spanned, Tag};

pub(crate) fn lex(text: &str, options: Options) -> Lexed {
    match options.dialect {
        Dialect::Angle => angle::lex(text, options.roles),
        Dialect::Brace => brace::lex(text, options.roles),
        #[cfg(feature = "jinja")]
        Dialect::Jinja => jinja::lex(text, options),
        #[cfg(not(feature = "jinja"))]
        Dialect::Jinja => {
            let problem = crate::problem::feature::missing("`syntax = \"jinja\"`", "jinja");
            let mut lexed = Lexed::default();
            let line = text.lines().next().unwrap_or_default();
            let error = problem.at(Span::new(0, line.len()));
            lexed.push(TokenKind::Error, text.len(), Some(error));
            lexed
        }
    }
}

/// What a lexer found. The spans of the tokens cover the text without gaps.
#[derive(Default)]
pub(crate) struct Lexed {
    pub(crate) tokens: Vec<Token>,
    pub(crate) tags: Vec<Tag>,
    pub(crate) errors: Vec<Error>,
    /// Where the last token ends.
    done: usize,
}

impl Lexed {
    /// Adds a token that begins where the last one ended, and what is wrong with it.
    fn push(&mut self, kind: TokenKind, end: usize, error: Option<Error>) {
        let span = Span::new(self.done, end);
        let reported = error.is_some();
        self.errors.extend(error);
        self.done = end;
        self.tokens.push(Token {
            kind,
            span,
            reported,
        });
    }

    /// Adds the text up to a place as it is.
    fn text_to(&mut self, text: &str, end: usize) {
        self.words_to(&text[self.done..end], end);
    }

    /// Adds words that the text up to a place stands for, joined with those right before them.
    fn words_to(&mut self, words: &str, end: usize) {
        if end == self.done {
            return;
        }
        if let Some(Token {
            kind: TokenKind::Text(before),
            span,
            ..
        }) = self.tokens.last_mut()
        {
            before.push_str(words);
            span.end = end;
            self.done = end;
        } else {
            self.push(TokenKind::Text(words.to_owned()), end, None);
        }
    }

    /// Adds the text before a tag. Backslashes right before the tag are halved; whether an odd one makes it text is the
    /// answer.
    fn escaped(&mut self, text: &str, tag: usize) -> bool {
        let before = &text[self.done..tag];
        if !before.ends_with('\\') {
            self.words_to(before, tag);
            return false;
        }
        let slashes = before.len() - before.trim_end_matches('\\').len();
        self.words_to(&before[..before.len() - slashes.div_ceil(2)], tag);
        slashes % 2 == 1
    }
}

/// The rest of a tag after the words that open it.
pub(crate) struct Tail {
    /// The words up to the delimiter, without the white space around them.
    pub(crate) head: Span,
    /// Whether the closing delimiter is there.
    pub(crate) closed: bool,
    /// After the tag.
    pub(crate) end: usize,
    /// A text in quotes that is never closed.
    pub(crate) quote: Option<Error>,
}

/// Reads up to the `>` that closes a tag. A tag ends on its line; `\` and another tag's beginning cannot stand in it.
pub(crate) fn tail(text: &str, from: usize) -> Tail {
    let mut at = from;
    let mut quote = None;
    // A quote right after a letter begins no text: it is an apostrophe.
    let mut after_letter = false;
    let mut closed = false;
    let mut parentheses = 0usize;
    while let Some(c) = text[at..].chars().next() {
        let next = at + c.len_utf8();
        match c {
            '>' => {
                closed = true;
                break;
            }
            '\n' | '\r' | '\\' => break,
            '<' if opens(&text[next..]) => break,
            '"' | '\'' if !after_letter => match string_end(text, at) {
                Ok(end) => {
                    at = end;
                    continue;
                }
                // Elsewhere it is a quote of the text after a forgotten `>`.
                Err(end) if parentheses > 0 || text[from..at].trim_end().ends_with("??") => {
                    quote.get_or_insert_with(|| unclosed(text, at, end));
                    at = end;
                    continue;
                }
                Err(_) => {}
            },
            '(' => parentheses += 1,
            ')' => parentheses = parentheses.saturating_sub(1),
            _ => {}
        }
        after_letter = continues_name(c);
        at = next;
    }
    Tail {
        head: trimmed(text, from, at),
        closed,
        end: at + usize::from(closed),
        quote,
    }
}

/// Whether a tag goes on like this after its `<`.
fn opens(rest: &str) -> bool {
    rest.strip_prefix('/')
        .unwrap_or(rest)
        .starts_with(begins_name)
}

fn unclosed(text: &str, quote: usize, end: usize) -> Error {
    let span = Span::new(quote, quote + text[quote..end].trim_end().len());
    unclosed_text(&text[quote..=quote]).at(span)
}

/// The span without the white space at its ends.
pub(crate) fn trimmed(text: &str, start: usize, end: usize) -> Span {
    let words = text[start..end].trim_end();
    let blank = words.len() - words.trim_start().len();
    Span::new(start + blank, start + words.len())
}

/// Finds the end of the text whose quote stands at `at`: the place after the closing quote. Without one, the place where
/// reading goes on.
///
/// A forgotten quote makes the next one far away look like its end. So a text that holds `>` or a line break counts as
/// closed only if what follows can follow a text.
pub(crate) fn string_end(text: &str, at: usize) -> Result<usize, usize> {
    let mut chars = text[at..].char_indices();
    let quote = chars.next().map(|(_, quote)| quote);
    let mut suspect = None;
    while let Some((index, c)) = chars.next() {
        if Some(c) == quote {
            let end = at + index + c.len_utf8();
            let next = text[end..].trim_start_matches([' ', '\t']);
            let follows = next.is_empty()
                || next.starts_with([')', ',', '|', '?', '>', '%', '}', '~', '\n', '\r'])
                || matches!(&next[..name_len(next)], "and" | "or");
            return match suspect {
                Some(resume) if !follows => Err(resume),
                _ => Ok(end),
            };
        }
        match c {
            '\\' => drop(chars.next()),
            '>' | '\n' | '\r' => suspect = suspect.or(Some(at + index)),
            _ => {}
        }
    }
    Err(suspect.unwrap_or(text.len()))
}

/// The role's tag at a `<`, and its length.
pub(crate) fn role_tag(rest: &str) -> Option<(TokenKind, usize)> {
    let inside = rest.strip_prefix('<')?;
    let close = inside.strip_prefix('/');
    let inside = close.unwrap_or(inside);
    let (name, after) = inside.split_at(name_len(inside));
    let role = Role::from_name(name)?;
    let after = after.trim_start_matches([' ', '\t']).strip_prefix('>')?;
    let kind = match close {
        Some(_) => TokenKind::EndRole(role),
        None => TokenKind::Role(role),
    };
    Some((kind, rest.len() - after.len()))
}

const SIGNS: [&str; 8] = ["??", "::", ".", ",", "(", ")", "|", ":"];

/// Splits the span of the text into words.
pub(crate) fn words(text: &str, span: Span) -> Result<Vec<Spanned<Word>>, Error> {
    let mut words: Vec<Spanned<Word>> = Vec::new();
    let mut at = span.start;
    while let Some(c) = text[at..span.end].chars().next() {
        let rest = &text[at..span.end];
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let (word, len) = if let len @ 1.. = name_len(rest) {
            (Word::Name(rest[..len].to_owned()), len)
        } else if matches!(c, '"' | '\'') && !text[..at].ends_with(continues_name) {
            quoted(text, at, span.end)?
        } else if rest
            .trim_start_matches('-')
            .starts_with(|c: char| c.is_ascii_digit())
            && !rest.starts_with("--")
        {
            number(rest, at)?
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign))
            && !rest.starts_with("||")
        {
            (Word::Sign(sign), sign.len())
        } else {
            return Err(meaningless(text, at, span, &words));
        };
        words.push(Spanned::new(word, Span::new(at, at + len)));
        at += len;
    }
    Ok(words)
}

/// Says what a sign without a meaning should be.
fn meaningless(text: &str, at: usize, span: Span, words: &[Spanned<Word>]) -> Error {
    let rest = &text[at..span.end];
    let c = rest.chars().next().unwrap_or_default();
    let before = words.last().filter(|word| word.span.end == at);
    let joins_names = rest[c.len_utf8()..].starts_with(continues_name);
    let two = ["==", "!=", "<=", "&&", "||"]
        .into_iter()
        .find(|sign| rest.starts_with(sign));
    let sign = match two {
        Some(sign) => sign.to_owned(),
        None => c.to_string(),
    };
    let place = Span::new(at, at + sign.len());
    if c == '#'
        && let Some(Spanned {
            value: Word::Name(raw),
            span: word,
        }) = before
        && raw == "r"
    {
        let name = &rest[1..=name_len(&rest[1..])];
        return problem::raw_name(name).at(word.to(place));
    }
    let in_name = joins_names && before.is_some();
    problem::meaningless(Dialect::Angle, &sign, "", in_name).at(place)
}

fn quoted(text: &str, at: usize, limit: usize) -> Result<(Word, usize), Error> {
    let Some(end) = string_end(text, at).ok().filter(|end| *end <= limit) else {
        return Err(problem::unclosed_text(&text[at..=at]).at(Span::new(at, at + 1)));
    };
    let inside = &text[at + 1..end - 1];
    let mut value = String::with_capacity(inside.len());
    let mut rest = inside;
    while let Some(slash) = rest.find('\\') {
        value.push_str(&rest[..slash]);
        let place = end - 1 - (rest.len() - slash);
        let (c, len) = escape(&rest[slash..], place)?;
        value.push(c);
        rest = &rest[slash + len..];
    }
    value.push_str(rest);
    Ok((Word::Str(value), end - at))
}

/// The character of the escape at the start of the text, and the escape's length.
fn escape(rest: &str, at: usize) -> Result<(char, usize), Error> {
    let c = rest[1..].chars().next().unwrap_or_default();
    let value = match c {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        '\\' | '"' | '\'' => c,
        'u' => return code_point(rest, at),
        _ => {
            let shown = c.escape_debug().to_string();
            let place = Span::new(at, at + 1 + c.len_utf8().min(rest.len() - 1));
            return Err(problem::unknown_escape(&shown).at(place));
        }
    };
    Ok((value, 2))
}

/// `\u{1F600}`
fn code_point(rest: &str, at: usize) -> Result<(char, usize), Error> {
    let digits = rest.strip_prefix("\\u{").map_or("", |code| {
        &code[..code
            .find(|c: char| !c.is_ascii_hexdigit())
            .unwrap_or(code.len())]
    });
    let len = "\\u{".len() + digits.len();
    let value = u32::from_str_radix(digits, 16)
        .ok()
        .and_then(char::from_u32);
    match value {
        Some(c) if rest[len..].starts_with('}') => Ok((c, len + 1)),
        _ => {
            let place = Span::new(at, at + if digits.is_empty() { 2 } else { len });
            Err(problem::no_character(None).at(place))
        }
    }
}

/// `12`, `-1.5`, `1e-3`
fn number(rest: &str, at: usize) -> Result<(Word, usize), Error> {
    let digits = |from: usize| {
        rest.as_bytes()[from..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count()
    };
    let sign = usize::from(rest.starts_with('-'));
    let whole = sign + digits(sign);
    let mut len = whole;
    if rest[len..].starts_with('.') && digits(len + 1) > 0 {
        len += 1 + digits(len + 1);
    }
    if rest[len..].starts_with(['e', 'E']) {
        let exponent = len + 1 + usize::from(rest[len + 1..].starts_with(['+', '-']));
        if digits(exponent) > 0 {
            len = exponent + digits(exponent);
        }
    }
    let written = &rest[..len];
    let word = if len == whole {
        written.parse().ok().map(Word::Int)
    } else {
        let value = written.parse().ok().filter(|value: &f64| value.is_finite());
        value.map(Word::Float)
    };
    let place = Span::new(at, at + len);
    let word = word.ok_or_else(|| problem::large_number().at(place))?;
    if rest[len..].starts_with(continues_name) {
        let end = len
            + rest[len..]
                .find(|c| !continues_name(c))
                .unwrap_or(rest.len() - len);
        return Err(problem::begins_with_digit(written).at(Span::new(at, at + end)));
    }
    Ok((word, len))
}

/// A piece of the text, recognised by its delimiters.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    /// The whole piece, with its delimiters.
    pub(crate) span: Span,
    /// Whether the lexer has reported it: then its words are taken if they can be read, and no second error follows.
    pub(crate) reported: bool,
}

/// The kinds of pieces. A span is that of the words between the delimiters, which the parser reads.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum TokenKind {
    /// Words of the template, with escapes taken out.
    Text(String),
    Slot(Span),
    Begin(Keyword, Span),
    ElseIf(Span),
    Else,
    End(Keyword),
    /// A `set` without an end.
    #[cfg(feature = "jinja")]
    Set(Span),
    #[cfg(feature = "jinja")]
    Include(Span),
    Role(Role),
    EndRole(Role),
    /// Nothing that could be read.
    Error,
}

/// The blocks that have an end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Keyword {
    If,
    For,
    Set,
    With,
    Macro,
    Filter,
}

impl Keyword {
    pub(crate) const ALL: [Keyword; 6] = [
        Keyword::If,
        Keyword::For,
        Keyword::Set,
        Keyword::With,
        Keyword::Macro,
        Keyword::Filter,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Keyword::If => "if",
            Keyword::For => "for",
            Keyword::Set => "set",
            Keyword::With => "with",
            Keyword::Macro => "macro",
            Keyword::Filter => "filter",
        }
    }

    /// What such a block may look like.
    pub(crate) const fn example(self) -> &'static str {
        match self {
            Keyword::If => "if name",
            Keyword::For => "for item in list",
            Keyword::Set => "set name = value",
            Keyword::With => "with name = value",
            Keyword::Macro => "macro name(parameter)",
            Keyword::Filter => "filter upper",
        }
    }
}

/// A name, number, string or sign inside a tag.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Word {
    Name(String),
    Str(String),
    Int(i64),
    Float(f64),
    /// `.` `,` `(` `)` `|` `:` `::` `??`
    Sign(&'static str),
}

impl Word {
    /// The word as a message names it.
    pub(crate) fn describe(&self) -> String {
        match self {
            Word::Name(name) => format!("`{name}`"),
            Word::Str(_) => "a text".into(),
            Word::Int(number) => format!("`{number}`"),
            Word::Float(number) => format!("`{number}`"),
            Word::Sign(sign) => format!("`{sign}`"),
        }
    }
}
