//! From text to tokens: the angle dialect, and what all dialects share.

pub(crate) mod brace;
mod fstring;

use std::borrow::Cow;
use std::collections::HashMap;

use crate::expr::find_range;
use crate::keyword::Keyword;
use crate::language::Language;
use crate::name::{begins_name, continues_name, fields_len, name_len, path_len};
use crate::notation::{Lookalike, scan_text, text_until};
use crate::problem::expr::{path_in_condition, range_of_a_loop};
use crate::problem::role::role_in_capitals;
use crate::problem::word::unclosed_text;
use crate::problem::{Problem, slot, tag, word as problem};
use crate::xml_tag::closers;
use crate::{Dialect, Error, Node, Options, Role, Spanned, XmlTag, XmlTags};
use prompt_base::Span;

pub(crate) fn lex<L: Language>(text: &str, options: Options, tags: &XmlTags) -> Lexed {
    let mut lexed = lex_dialect::<L>(text, options, tags);
    if options.input_only {
        lexed.lookalikes.clear();
    }
    lexed
}

fn lex_dialect<L: Language>(text: &str, options: Options, tags: &XmlTags) -> Lexed {
    match options.dialect {
        Dialect::Angle => {
            let spaced = SpacedTags::find_tags(text, options);
            let ordinary = with_ordinary_spaces(text, &spaced.spaces);
            let mut lexed = lex_angle(&ordinary, &spaced.escaped, options, tags);
            lexed.report_spaces(text, &spaced.spaces);
            if !options.keep_block_lines {
                remove_block_lines(text, &mut lexed.tokens);
            }
            lexed.remove_empty_texts();
            lexed
        }
        Dialect::Brace => {
            let mut lexed = brace::lex(text, options);
            lexed.remove_empty_texts();
            lexed
        }
        Dialect::Fstring => fstring::lex(text, options.roles),
        Dialect::Jinja => L::lex(text, options),
    }
}

/// A line break that is typed as `\\n` in a text without escapes, such as a raw string or a file: it is beside the tag of a block,
/// `<p>\\n</for>`, or all of the text is on one line, and has no other backslashes than those of strings. Next to a quote it is an example
/// of the escape. The Jinja dialect keeps it, because Jinja2 does, and a ported template renders the same text.
///
/// ```
/// use prompt_syntax::{Dialect, Options, parse, typed_line_break};
///
/// let nodes = |text: &str| parse(text, Options::default()).template.nodes;
/// let error = |text: &str| typed_line_break(Dialect::Angle, &nodes(text), text).is_some();
/// assert!(error(r"Context: <c>\n\nQuestion: <q>"));
/// assert!(error("Passages:\n<for p in xs>- <p>\\n</for>"));
/// assert!(!error(r"Write `\n` after \frac{<a>}{<b>}, \nu or \d+\n."));
/// ```
pub fn typed_line_break<L: Language>(
    dialect: Dialect,
    nodes: &[Node<L>],
    text: &str,
) -> Option<Error> {
    if dialect == Dialect::Jinja || !text.contains("\\n") {
        return None;
    }
    let typed = |at: usize| problem::typed_line_break().at(Span::new(at, at + 2));
    let beside = line_break_beside_block(nodes, text, false);
    if beside.is_some() || text.trim().contains(['\n', '\r']) {
        return beside.map(typed);
    }
    let is_text = |at: usize| {
        let mut nodes = nodes.iter();
        nodes.any(|node| matches!(node, Node::Text(text) if text.span.range().contains(&at)))
    };
    let escapes = text.match_indices('\\').filter(|(at, _)| is_text(*at));
    let mut first = None;
    for (at, _) in escapes {
        let (before, after) = (&text[..at], &text[at + 1..]);
        match after.chars().next() {
            Some('n') => {}
            Some('t' | 'r' | '"' | '\'' | '<' | '{') => continue,
            _ => return None,
        }
        let quotes = ['"', '\'', '`'];
        let is_quoted = before.ends_with(quotes) || after[1..].starts_with(quotes);
        // A command of LaTeX: `\nu`.
        let is_command = after[1..].starts_with(|c: char| c.is_ascii_lowercase())
            && !before.ends_with(['.', ':', '!', '?', '>', ')']);
        if is_command {
            return None;
        }
        if !is_quoted && !before.trim().is_empty() && !is_verbatim(text, at) {
            first = first.or(Some(at));
        }
    }
    first.map(typed)
}

/// The first `\n` beside the tag of a block, before a capital or the end of the words.
fn line_break_beside_block<L: Language>(
    nodes: &[Node<L>],
    text: &str,
    is_body: bool,
) -> Option<usize> {
    let is_block = |node: &Node<L>| matches!(node, Node::If(_) | Node::For(_));
    let is_typed = |at: &usize| {
        let after = &text[at + 2..];
        !after.starts_with(|c: char| c.is_ascii_lowercase() || "\"'`".contains(c))
            && !is_verbatim(text, *at)
    };
    nodes
        .iter()
        .enumerate()
        .find_map(|(index, node)| match node {
            Node::Text(words) => {
                let before = index
                    .checked_sub(1)
                    .map_or(is_body, |before| is_block(&nodes[before]));
                let after = nodes.get(index + 1).map_or(is_body, is_block);
                let written = words.span.of(text);
                let at_start = (before && written.starts_with("\\n")).then_some(words.span.start);
                let at_end = (after && written.ends_with("\\n")).then(|| words.span.end - 2);
                at_start.into_iter().chain(at_end).find(is_typed)
            }
            Node::If(block) => {
                let bodies = block.branches.iter().map(|branch| &branch.body);
                let mut bodies = bodies.chain(&block.otherwise);
                bodies.find_map(|body| line_break_beside_block(body, text, true))
            }
            Node::For(block) => {
                let mut bodies = [&block.body].into_iter().chain(&block.otherwise);
                bodies.find_map(|body| line_break_beside_block(body, text, true))
            }
            Node::Role(block) => line_break_beside_block(&block.body, text, false),
            _ => None,
        })
}

/// Whether a position is inside of a verbatim block, or of an unclosed one.
pub(crate) fn is_verbatim(text: &str, at: usize) -> bool {
    let before = &text[..at];
    let blocks = [(RAW.0, RAW.1), ("{% raw", "{% endraw")];
    blocks.iter().any(|(open, close)| {
        let opened = before.rfind(open);
        opened.is_some() && opened > before.rfind(close)
    })
}

/// The tag of the angle or the Jinja dialect that begins on the last line of a text and does not end there.
///
/// ```
/// assert_eq!(prompt_syntax::open_tag("Tags: <tags | join(").unwrap().range(), 6..19);
/// assert_eq!(prompt_syntax::open_tag("Tags: <tags>"), None);
/// ```
pub fn open_tag(text: &str) -> Option<Span> {
    let line = text.rfind('\n').map_or(0, |at| at + 1);
    let tags = [("<", ">"), ("{{", "}}"), ("{%", "%}")];
    let open = |(open, close): &(&str, &str)| {
        let at = line + text[line..].rfind(open)?;
        let inside = &text[at + open.len()..];
        let words = inside.trim_start_matches(['-', '+', ' ']);
        (!inside.contains(close) && words.starts_with(begins_name)).then_some(at)
    };
    let at = tags.iter().filter_map(open).min()?;
    Some(Span::new(at, text.len()))
}

/// The tags of the angle dialect with white space that only looks like a space, such as a no-break space: pasted, it would make them text.
#[derive(Default)]
struct SpacedTags {
    /// The white space.
    spaces: Vec<Span>,
    /// Where tags begin that are kept as text by a backslash. Their white space stays.
    escaped: Vec<usize>,
}

impl SpacedTags {
    fn find_tags(text: &str, options: Options) -> SpacedTags {
        let mut found = SpacedTags::default();
        if text.is_ascii() || options.input_only {
            return found;
        }
        let mut verbatim = 0;
        for (start, _) in text.match_indices('<') {
            if start < verbatim {
                continue;
            }
            let before = &text[..start];
            let slashes = before.len() - before.trim_end_matches('\\').len();
            let is_escaped = slashes % 2 == 1;
            if text[start..].starts_with(RAW.0) && !is_escaped {
                let end = text[start..].find(RAW.1);
                verbatim = end.map_or(text.len(), |end| start + end);
                continue;
            }
            let spaces = other_spaces(text, start, options.roles);
            match is_escaped {
                true if !spaces.is_empty() => found.escaped.push(start),
                true => {}
                false => found.spaces.extend(spaces),
            }
        }
        found
    }
}

/// The white space in the tag at a position that only looks like a space. None if it is not a tag with ordinary spaces either.
pub(crate) fn other_spaces(text: &str, start: usize, roles: bool) -> Vec<Span> {
    let Some(line) = text_until(&text[start + 1..], ">") else {
        return Vec::new();
    };
    let end = line.find(['<', '"', '\'']).unwrap_or(line.len());
    // Another tag begins before this one ends.
    if line[end..].starts_with('<') {
        return Vec::new();
    }
    let is_other = |(at, c): (usize, char)| {
        (!c.is_ascii() && c.is_whitespace()).then_some(Span::new(at, at + c.len_utf8()))
    };
    let spaces: Vec<Span> = line[..end].char_indices().filter_map(is_other).collect();
    if spaces.is_empty() {
        return spaces;
    }
    // With the character before the tag, on which its shape depends.
    let from = text[..start]
        .char_indices()
        .next_back()
        .map_or(0, |(at, _)| at);
    let inside = start + 1 - from;
    let moved = |span: &Span, by: usize| Span::new(span.start + by, span.end + by);
    let local: Vec<Span> = spaces.iter().map(|span| moved(span, inside)).collect();
    let tag = with_ordinary_spaces(&text[from..start + 1 + line.len() + 1], &local);
    match tag_shape(&tag, start - from, roles) {
        Some(_) => spaces.iter().map(|span| moved(span, start + 1)).collect(),
        None => Vec::new(),
    }
}

/// The text with as many spaces as bytes in these places, so that all positions stay.
fn with_ordinary_spaces<'t>(text: &'t str, spaces: &[Span]) -> Cow<'t, str> {
    let mut text = Cow::Borrowed(text);
    for span in spaces {
        text.to_mut()
            .replace_range(span.range(), &" ".repeat(span.end - span.start));
    }
    text
}

/// Whether the `<` at a position begins a tag of the angle dialect.
pub(crate) fn is_angle_tag(text: &str) -> impl Fn(usize) -> bool {
    |start| tag_shape(text, start, false).is_some()
}

/// The result of a lexer. The spans of the tokens cover the text without gaps.
#[derive(Default)]
pub struct Lexed {
    pub(crate) tokens: Vec<LexToken>,
    pub(crate) tags: Vec<XmlTag>,
    pub(crate) errors: Vec<Error>,
    /// Literal text that other template languages would read as slots.
    pub(crate) lookalikes: Vec<Lookalike>,
    /// Where the last token ends.
    pub done: usize,
    dialect: Dialect,
    /// The role whose block is open, and whether the name of its tag is right.
    open_role: Option<(Role, bool)>,
    /// Where the last closing tag of each role begins, once that is needed.
    last_ends: Option<[Option<usize>; Role::ALL.len()]>,
}

impl Lexed {
    /// No tokens.
    pub fn new(dialect: Dialect) -> Lexed {
        Lexed {
            dialect,
            ..Lexed::default()
        }
    }

    /// A text of this length that could not be read.
    pub(crate) fn unread(dialect: Dialect, len: usize, error: Error) -> Lexed {
        let mut lexed = Lexed::new(dialect);
        lexed.push(LexTokenKind::Error, len, Some(error));
        lexed
    }

    /// Adds a token that begins where the last one ended, and what is wrong with it.
    pub fn push(&mut self, kind: LexTokenKind, end: usize, error: Option<Error>) {
        let span = Span::new(self.done, end);
        let reported = error.is_some();
        self.errors.extend(error);
        self.done = end;
        match kind {
            LexTokenKind::Role(role) => self.open_role = Some((role, !reported)),
            LexTokenKind::EndRole(_) => self.open_role = None,
            _ => {}
        }
        self.tokens.push(LexToken {
            kind,
            span,
            reported,
        });
    }

    /// The role's tag at a `<`. Inside of a role's block, a tag with capitals is text: XML such as `<User>`.
    fn role_tag(&mut self, text: &str, start: usize) -> Option<RoleTag> {
        let mut tag = role_tag(text, start, self.dialect)?;
        let Some((role, is_right)) = self.open_role.filter(|_| tag.error.is_some()) else {
            return Some(tag);
        };
        // The error of the opening tag is about both.
        if !is_right && tag.kind == LexTokenKind::EndRole(role) {
            tag.error = None;
            return Some(tag);
        }
        let last_ends = self.last_ends.get_or_insert_with(|| {
            Role::ALL.map(|role| text.rfind(&format!("</{}>", role.name())))
        });
        let is_inside = last_ends[role as usize].is_some_and(|end| end > start);
        (!is_inside).then_some(tag)
    }

    /// Reports these spaces, and marks the tags that contain them as wrong.
    fn report_spaces(&mut self, text: &str, spaces: &[Span]) {
        for span in spaces {
            let around = |token: &&mut LexToken| {
                token.span.start <= span.start && span.end <= token.span.end
            };
            let Some(token) = self.tokens.iter_mut().find(around) else {
                continue;
            };
            if !token.reported {
                let char = span.of(text).chars().next().unwrap_or_default();
                self.errors.push(problem::other_space(char).at(*span));
                token.reported = true;
            }
        }
    }

    /// Adds the text up to a position as it is, and notes what looks like a slot in it.
    fn push_text_until(&mut self, text: &str, end: usize) {
        self.scan_lookalikes(text, end);
        self.push_literal_until(&text[self.done..end], end);
    }

    /// Notes what looks like a slot in the text up to a position, which is added next.
    pub fn scan_lookalikes(&mut self, text: &str, end: usize) {
        let at = match self.tokens.last() {
            Some(LexToken {
                kind: LexTokenKind::Text(before),
                span,
                ..
            }) => span.start + before.len(),
            _ => self.done,
        };
        let part = Span::new(self.done, end);
        scan_text(
            text,
            part,
            at,
            self.dialect,
            is_angle_tag(text),
            &mut self.lookalikes,
        );
    }

    /// Adds the literal text up to a position, joined with the literal text right before it.
    pub fn push_literal_until(&mut self, words: &str, end: usize) {
        if end == self.done {
            return;
        }
        if let Some(LexToken {
            kind: LexTokenKind::Text(before),
            span,
            ..
        }) = self.tokens.last_mut()
        {
            before.push_str(words);
            span.end = end;
            self.done = end;
        } else {
            self.push(LexTokenKind::Text(words.to_owned()), end, None);
        }
    }

    /// Adds the text before a tag. Backslashes right before the tag are halved; whether an odd one makes it text is the
    /// answer.
    fn push_before_tag(&mut self, text: &str, tag: usize) -> bool {
        let before = &text[self.done..tag];
        let slashes = before.len() - before.trim_end_matches('\\').len();
        self.scan_lookalikes(text, tag - slashes);
        self.push_literal_until(&before[..before.len() - slashes.div_ceil(2)], tag);
        slashes % 2 == 1
    }
}

/// The rest of a tag after the words that open it.
pub(crate) struct TagRemainder {
    /// The words up to the delimiter, without the white space around them.
    pub(crate) head: Span,
    /// Whether the closing delimiter is there.
    pub(crate) closed: bool,
    /// After the tag.
    pub(crate) end: usize,
    /// A quoted string that is never closed.
    pub(crate) quote: Option<Error>,
}

/// Reads up to the `>` that closes a tag. A tag ends on its line; it cannot contain `\` or the beginning of another tag.
///
/// In a `condition`, a `>` after a blank is an operator if the tag is closed behind it.
pub(crate) fn tag_remainder(text: &str, from: usize, condition: bool) -> TagRemainder {
    let mut at = from;
    let mut quote = None;
    // A quote right after a letter begins no text: it is an apostrophe.
    let mut after_letter = false;
    let mut closed = false;
    let mut parentheses = 0usize;
    while let Some(c) = text[at..].chars().next() {
        let next = at + c.len_utf8();
        match c {
            '>' if condition && is_operator_at(text, from, at) => {}
            '>' => {
                closed = true;
                break;
            }
            '\n' | '\r' | '\\' => break,
            '<' if can_continue_tag(&text[next..]) => break,
            '"' | '\'' if !after_letter => match string_end(text, at) {
                Ok(end) => {
                    at = end;
                    continue;
                }
                // Elsewhere it is a quote of the text after a forgotten `>`.
                Err(end) if parentheses > 0 || text[from..at].trim_end().ends_with("??") => {
                    quote.get_or_insert_with(|| unclosed_string_error(text, at, end));
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
    TagRemainder {
        head: trim_span(text, from, at),
        closed,
        end: at + usize::from(closed),
        quote,
    }
}

/// Whether the `>` at this position of a condition is an operator.
fn is_operator_at(text: &str, from: usize, at: usize) -> bool {
    let before = &text[from..at];
    let rest = &text[at + 1..];
    let is_end = |(index, c): (usize, char)| match c {
        '>' => Some(true),
        '\n' | '\r' => Some(false),
        '<' if can_continue_tag(&rest[index + 1..]) => Some(false),
        _ => None,
    };
    before.ends_with([' ', '\t'])
        && !before.trim().is_empty()
        && rest.char_indices().find_map(is_end) == Some(true)
}

/// The comparison that `<if count>3>` was meant as: the text after the tag is its second half. A condition in parentheses
/// ends at the end of the tag.
pub(crate) fn split_comparison(head: &str, after: &str) -> Option<String> {
    if head.starts_with('(') && head.ends_with(')') {
        return None;
    }
    let (op, rest) = match after.strip_prefix('=') {
        Some(rest) => (">=", rest.trim_start_matches([' ', '\t'])),
        None => (">", after),
    };
    let rest_of = |quote: char| {
        let inside = rest[1..].find([quote, '<', '>', '\n', '\r'])?;
        rest[1 + inside..].strip_prefix(quote)
    };
    let end = match rest.chars().next()? {
        quote @ ('"' | '\'') => rest_of(quote)?,
        _ => {
            let word = rest.strip_prefix('-').unwrap_or(rest);
            word.trim_start_matches(|c| c == '.' || continues_name(c))
        }
    };
    let operand = &rest[..rest.len() - end.len()];
    (!operand.is_empty() && end.starts_with('>')).then(|| format!("{head} {op} {operand}"))
}

/// Whether this text continues a tag after its `<`.
fn can_continue_tag(rest: &str) -> bool {
    rest.strip_prefix('/')
        .unwrap_or(rest)
        .starts_with(begins_name)
}

fn unclosed_string_error(text: &str, quote: usize, end: usize) -> Error {
    let span = Span::new(quote, quote + text[quote..end].trim_end().len());
    unclosed_text(&text[quote..=quote]).at(span)
}

/// The span without the white space at its ends.
pub fn trim_span(text: &str, start: usize, end: usize) -> Span {
    let words = text[start..end].trim_end();
    let blank = words.len() - words.trim_start().len();
    Span::new(start + blank, start + words.len())
}

/// Finds the end of the string whose quote is at `at`: the position after the closing quote. Without one, the position where
/// parsing continues.
///
/// After a forgotten quote, the next quote far away looks like its end. So a string that contains `>` or a line break counts as
/// closed only if what follows can follow a string.
pub(crate) fn string_end(text: &str, at: usize) -> Result<usize, usize> {
    let mut chars = text[at..].char_indices();
    let quote = chars.next().map(|(_, quote)| quote);
    let mut suspect = None;
    while let Some((index, c)) = chars.next() {
        if Some(c) == quote {
            let end = at + index + c.len_utf8();
            let next = text[end..].trim_start_matches([' ', '\t']);
            let follows = next.is_empty()
                || next.starts_with([')', ',', '|', '?', '>', '%', '}', '~', '\n', '\r', '='])
                || next.starts_with("!=")
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

/// The tag of a role, in any case.
pub(crate) struct RoleTag {
    pub(crate) kind: LexTokenKind,
    /// Its bytes.
    pub(crate) len: usize,
    /// What is wrong with its name.
    pub(crate) error: Option<Error>,
}

/// The role's tag at the `<` at a position. A name with capitals behind an identifier belongs to a generic type: `List<User>`.
pub(crate) fn role_tag(text: &str, start: usize, dialect: Dialect) -> Option<RoleTag> {
    let rest = &text[start..];
    let inside = rest.strip_prefix('<')?;
    let close = inside.strip_prefix('/');
    let inside = close.unwrap_or(inside);
    let (name, after) = inside.split_at(name_len(inside));
    let role = Role::from_any_case(name)?;
    let after = after.trim_start_matches([' ', '\t']).strip_prefix('>')?;
    let len = rest.len() - after.len();
    let is_exact = name == role.name();
    let before = text[..start].trim_end_matches('\\');
    if !is_exact && close.is_none() && before.ends_with(|c| continues_name(c) || ":<(,".contains(c))
    {
        return None;
    }
    let error = || role_in_capitals(dialect, &rest[..len], role).at(Span::new(start, start + len));
    Some(RoleTag {
        kind: match close {
            Some(_) => LexTokenKind::EndRole(role),
            None => LexTokenKind::Role(role),
        },
        len,
        error: (!is_exact).then(error),
    })
}

const SIGNS: [&str; 14] = [
    "??", "::", "==", "!=", "<=", ">=", "<", ">", ".", ",", "(", ")", "|", ":",
];

/// Splits the span of the text into words.
pub(crate) fn split_tokens(text: &str, span: Span) -> Result<Vec<Spanned<TagToken>>, Error> {
    let mut words: Vec<Spanned<TagToken>> = Vec::new();
    let mut at = span.start;
    while let Some(c) = text[at..span.end].chars().next() {
        let rest = &text[at..span.end];
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let (word, len) = if let len @ 1.. = name_len(rest) {
            (TagToken::Name(rest[..len].to_owned()), len)
        } else if matches!(c, '"' | '\'') && !text[..at].ends_with(continues_name) {
            read_quoted(text, at, span.end)?
        } else if rest
            .trim_start_matches('-')
            .starts_with(|c: char| c.is_ascii_digit())
            && !rest.starts_with("--")
        {
            read_number(rest, at)?
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign))
            && !rest.starts_with("||")
        {
            (TagToken::Sign(sign), sign.len())
        } else {
            return Err(meaningless_sign_error(text, at, span, &words));
        };
        words.push(Spanned::new(word, Span::new(at, at + len)));
        at += len;
    }
    Ok(words)
}

/// Returns the error for a sign without a meaning.
fn meaningless_sign_error(text: &str, at: usize, span: Span, words: &[Spanned<TagToken>]) -> Error {
    let rest = &text[at..span.end];
    let c = rest.chars().next().unwrap_or_default();
    let before = words.last().filter(|word| word.span.end == at);
    let joins_names = rest[c.len_utf8()..].starts_with(continues_name);
    let two = ["&&", "||"].into_iter().find(|sign| rest.starts_with(sign));
    let sign = match two {
        Some(sign) => sign.to_owned(),
        None => c.to_string(),
    };
    let span = Span::new(at, at + sign.len());
    if c == '#'
        && let Some(Spanned {
            value: TagToken::Name(raw),
            span: word,
        }) = before
        && raw == "r"
    {
        let name = &rest[1..=name_len(&rest[1..])];
        return problem::raw_name(name).at(word.to(span));
    }
    let in_name = joins_names && before.is_some();
    let problem = match sign.as_str() {
        "=" if words.first().is_some_and(|word| is_word(word, "let")) => {
            let value = rest[1..].trim();
            if let [_, first, .., sign, variant] = words
                && sign.value == TagToken::Sign("::")
            {
                let right = format!("{value} == '{}'", variant.span.of(text));
                return path_in_condition(&right).at(first.span.to(variant.span));
            }
            Some(problem::let_in_condition(value))
        }
        "!" if rest[1..].starts_with('(') && before.is_some() => {
            Some(problem::macro_in_condition(&rest[1..]))
        }
        "=" => argument_name(words).map(problem::named_argument),
        "[" => list_problem(text, words, rest),
        _ => None,
    };
    let problem = problem.unwrap_or_else(|| match is_loop_head(text, words) {
        true => {
            let target = words.first().map(|word| word.span.of(text));
            let is_first = words.last().is_some_and(|word| is_word(word, "in"));
            problem::sign_in_a_loop(&sign, in_name, target.filter(|_| is_first))
        }
        false => problem::meaningless_sign(&sign, in_name),
    });
    problem.at(span)
}

/// Whether the words are behind the `for` of a tag.
fn is_loop_head(text: &str, words: &[Spanned<TagToken>]) -> bool {
    words.first().is_some_and(|first| {
        let tag = text[..first.span.start].trim_end();
        let before = tag.strip_suffix("for");
        before.is_some_and(|before| !before.ends_with(continues_name))
    })
}

fn is_word(word: &Spanned<TagToken>, name: &str) -> bool {
    matches!(&word.value, TagToken::Name(written) if written == name)
}

/// The last word, if it is the name of a filter's argument: `| join(sep`.
fn argument_name(words: &[Spanned<TagToken>]) -> Option<&str> {
    let (last, before) = words.split_last()?;
    let TagToken::Name(name) = &last.value else {
        return None;
    };
    let begins_argument =
        |word: &Spanned<TagToken>| matches!(word.value, TagToken::Sign("(") | TagToken::Sign(","));
    before.last().filter(|word| begins_argument(word))?;
    let mut depth = 0;
    let open = before.iter().rposition(|word| {
        depth += match word.value {
            TagToken::Sign("(") => 1,
            TagToken::Sign(")") => -1,
            _ => 0,
        };
        depth > 0
    })?;
    let is_filter = matches!(
        &before[..open],
        [.., pipe, filter]
            if pipe.value == TagToken::Sign("|") && matches!(filter.value, TagToken::Name(_))
    );
    is_filter.then_some(name)
}

/// The problem of a list after `in` in a condition. In the head of a loop, `in` follows the loop's variable. `rest` begins with the list.
fn list_problem(text: &str, words: &[Spanned<TagToken>], rest: &str) -> Option<Problem> {
    let (last, before) = words.split_last()?;
    if let TagToken::Sign(sign @ ("==" | "!=")) = last.value
        && let [value] = before
        && rest.starts_with("[]")
    {
        return Some(problem::empty_list(value.span.of(text), sign == "!="));
    }
    if is_loop_head(text, words) || !is_word(last, "in") {
        return None;
    }
    let (before, is_negated) = match before {
        [before @ .., not] if is_word(not, "not") => (before, true),
        _ => (before, false),
    };
    let is_joint = |word: &Spanned<TagToken>| ["and", "or"].iter().any(|it| is_word(word, it));
    let ends = |word: &Spanned<TagToken>| {
        is_joint(word) || is_word(word, "not") || word.value == TagToken::Sign("(")
    };
    let end = before.iter().rposition(ends);
    let value = &before[end.map_or(0, |end| end + 1)..];
    let span = value.first()?.span.to(value.last()?.span);
    let end = end.map(|end| &before[end]);
    let is_negated = is_negated || end.is_some_and(|word| is_word(word, "not"));
    let after = rest
        .split_once(']')
        .map_or("", |(_, after)| after.trim_start());
    let is_part = end.is_some_and(is_joint) || !after.is_empty() && !after.starts_with(')');
    Some(problem::list_in_condition(
        span.of(text),
        is_negated,
        is_part,
    ))
}

fn read_quoted(text: &str, at: usize, limit: usize) -> Result<(TagToken, usize), Error> {
    let Some(end) = string_end(text, at).ok().filter(|end| *end <= limit) else {
        return Err(problem::unclosed_text(&text[at..=at]).at(Span::new(at, at + 1)));
    };
    let inside = &text[at + 1..end - 1];
    let mut value = String::with_capacity(inside.len());
    let mut rest = inside;
    while let Some(slash) = rest.find('\\') {
        value.push_str(&rest[..slash]);
        let position = end - 1 - (rest.len() - slash);
        let (c, len) = read_escape(&rest[slash..], position)?;
        value.push(c);
        rest = &rest[slash + len..];
    }
    value.push_str(rest);
    Ok((TagToken::Str(value), end - at))
}

/// The character of the escape at the start of the text, and the escape's length.
fn read_escape(rest: &str, at: usize) -> Result<(char, usize), Error> {
    let c = rest[1..].chars().next().unwrap_or_default();
    let value = match c {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        '\\' | '"' | '\'' => c,
        'u' => return code_point(rest, at),
        _ => {
            let shown = c.escape_debug().to_string();
            let span = Span::new(at, at + 1 + c.len_utf8().min(rest.len() - 1));
            return Err(problem::unknown_escape(&shown).at(span));
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
            let span = Span::new(at, at + if digits.is_empty() { 2 } else { len });
            Err(problem::no_character(None).at(span))
        }
    }
}

/// The length of a number with its fraction and exponent, after a whole part of `whole` bytes. `digits` counts the digits from
/// a position.
pub fn number_len(text: &str, whole: usize, digits: impl Fn(usize) -> usize) -> usize {
    let mut len = whole;
    if text[len..].starts_with('.') && digits(len + 1) > 0 {
        len += 1 + digits(len + 1);
    }
    if text[len..].starts_with(['e', 'E']) {
        let exponent = len + 1 + usize::from(text[len + 1..].starts_with(['+', '-']));
        if digits(exponent) > 0 {
            len = exponent + digits(exponent);
        }
    }
    len
}

/// `12`, `-1.5`, `1e-3`
fn read_number(rest: &str, at: usize) -> Result<(TagToken, usize), Error> {
    let digits = |from: usize| {
        rest.as_bytes()[from..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count()
    };
    let sign = usize::from(rest.starts_with('-'));
    let whole = sign + digits(sign);
    let len = number_len(rest, whole, digits);
    let written = &rest[..len];
    let word = if len == whole {
        written.parse().ok().map(TagToken::Int)
    } else {
        let value = written.parse().ok().filter(|value: &f64| value.is_finite());
        value.map(TagToken::Float)
    };
    let span = Span::new(at, at + len);
    let word = word.ok_or_else(|| problem::large_number().at(span))?;
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
pub(crate) struct LexToken {
    pub(crate) kind: LexTokenKind,
    /// The whole piece, with its delimiters.
    pub(crate) span: Span,
    /// Whether the lexer has reported it: then its words are taken if they can be read, and no second error follows.
    pub(crate) reported: bool,
}

/// The kinds of pieces. A span is that of the words between the delimiters, which the parser reads.
#[derive(Clone, PartialEq, Debug)]
pub enum LexTokenKind {
    /// Words of the template, with escapes taken out.
    Text(String),
    /// A slot.
    Slot(Span),
    /// The opening tag of a block.
    Begin(Keyword, Span),
    /// A tag that opens another branch with a condition.
    ElseIf(Span),
    /// A tag that opens the last branch.
    Else,
    /// The closing tag of a block.
    End(Keyword),
    /// A statement without an end, by its keyword.
    Statement(&'static str, Span),
    /// The opening tag of a role.
    Role(Role),
    /// The closing tag of a role.
    EndRole(Role),
    /// Nothing that could be read.
    Error,
}

/// A name, number, string or sign inside a tag.
#[derive(Clone, PartialEq, Debug)]
pub enum TagToken {
    /// A name or a word of the language.
    Name(String),
    /// A quoted string, without escapes.
    Str(String),
    /// A whole number.
    Int(i64),
    /// A number with a fraction or an exponent.
    Float(f64),
    /// `.` `,` `(` `)` `|` `:` `::` `??`, those that compare, and those of the dialect.
    Sign(&'static str),
}

impl TagToken {
    /// The word as a message names it.
    pub(crate) fn describe(&self) -> String {
        match self {
            TagToken::Name(name) => format!("`{name}`"),
            TagToken::Str(_) => "a string".into(),
            TagToken::Int(number) => format!("`{number}`"),
            TagToken::Float(number) => format!("`{number}`"),
            TagToken::Sign(sign) => format!("`{sign}`"),
        }
    }
}

/// `escaped`: where tags begin that are text, although their white space is not ordinary.
fn lex_angle(text: &str, escaped: &[usize], options: Options, tags: &XmlTags) -> Lexed {
    let mut lexer = AngleLexer {
        text,
        tags,
        closers: closers(text),
        verbatim: RawBlocks::default(),
        lexed: Lexed::new(Dialect::Angle),
    };
    let mut at = 0;
    while let Some(found) = text[at..].find('<') {
        let start = at + found;
        if is_comment(text, start) && !options.input_only {
            at = lexer.lexed.push_comment(text, start);
            continue;
        }
        let role = options.roles.then(|| lexer.lexed.role_tag(text, start));
        let shape = match role.flatten() {
            Some(tag) => Some(AngleTag::Role(tag)),
            None if options.input_only && !text[start..].starts_with("<input:") => None,
            None => tag_shape(text, start, false),
        };
        if shape.is_none() && escaped.binary_search(&start).is_ok() {
            lexer.lexed.push_before_tag(text, start);
        }
        at = match shape {
            Some(shape) if !lexer.lexed.push_before_tag(text, start) => {
                lexer.push_tag(shape, start)
            }
            _ => start + 1,
        };
    }
    lexer.lexed.push_text_until(text, text.len());
    lexer.lexed
}

/// A comment of the angle and the brace dialect: nothing of it is sent.
pub(crate) const COMMENT: (&str, &str) = ("<!--#", "-->");

/// Whether a `<` begins a comment.
pub(crate) fn is_comment(text: &str, start: usize) -> bool {
    text[start..].starts_with(COMMENT.0)
}

impl Lexed {
    /// Skips the comment that begins here, with its line if nothing else is on it. Returns the position at which parsing continues. With a
    /// backslash before it, it is text.
    pub(crate) fn push_comment(&mut self, text: &str, start: usize) -> usize {
        if text[..start].ends_with('\\') && self.push_before_tag(text, start) {
            return start + 1;
        }
        let Some(len) = text[start..].find(COMMENT.1) else {
            self.push_text_until(text, start);
            let error = tag::unclosed_comment().at(Span::new(start, start + COMMENT.0.len()));
            self.push(LexTokenKind::Error, text.len(), Some(error));
            return text.len();
        };
        let end = start + len + COMMENT.1.len();
        let before = text[..start].trim_end_matches(BLANKS).len();
        let begins_line = before == 0 || text[..before].ends_with('\n');
        let line = line_end(&text[end..]).filter(|_| begins_line && before >= self.done);
        let (from, to) = match line {
            Some(after) => (before, end + after),
            None => (start, end),
        };
        self.push_text_until(text, from);
        self.push_literal_until("", to);
        to
    }

    /// Removes the empty texts of comments.
    pub(crate) fn remove_empty_texts(&mut self) {
        let is_empty =
            |token: &LexToken| matches!(&token.kind, LexTokenKind::Text(text) if text.is_empty());
        self.tokens.retain(|token| !is_empty(token));
    }
}

/// The construct that a `<` begins, by its first words. Escapes and printing depend on it.
pub(crate) enum AngleTag {
    /// `<name>`: a slot, unless `</name>` occurs.
    Bare,
    /// `<input:`, `<a.b>`, `<a |`, `<a ??`.
    Slot,
    /// A block's tag, with the length of the words that name it: `<if`, `</for`.
    Block(AngleBlock, usize),
    /// A role's tag.
    Role(RoleTag),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum AngleBlock {
    If,
    For,
    Else,
    ElseIf,
    EndIf,
    EndFor,
    EndElse,
}

pub(crate) fn tag_shape(text: &str, start: usize, roles: bool) -> Option<AngleTag> {
    if roles && let Some(tag) = role_tag(text, start, Dialect::Angle) {
        return Some(AngleTag::Role(tag));
    }
    let rest = &text[start + 1..];
    let close = rest.starts_with('/');
    let rest = &rest[usize::from(close)..];
    let (name, after) = rest.split_at(name_len(rest));
    let block = |block, words| Some(AngleTag::Block(block, 1 + usize::from(close) + words));
    let ends = after.is_empty() || after.starts_with(['>', ' ', '\t', '\n', '\r']);
    match name {
        "" => None,
        "if" if close && ends => block(AngleBlock::EndIf, 2),
        "for" if close && ends => block(AngleBlock::EndFor, 3),
        "else" if close && ends => block(AngleBlock::EndElse, 4),
        _ if close => None,
        "input" if after.starts_with(':') => Some(AngleTag::Slot),
        "if" if opens_block(after, ends) => block(AngleBlock::If, 2),
        "for" if opens_block(after, ends) => block(AngleBlock::For, 3),
        "else" if opens_block(after, ends) || after.starts_with(':') => match else_if(after) {
            Some(len) => block(AngleBlock::ElseIf, 4 + len),
            None => block(AngleBlock::Else, 4),
        },
        "elif" | "elseif" | "elsif" if has_condition(after) => {
            block(AngleBlock::ElseIf, name.len())
        }
        "endif" if after.starts_with('>') => block(AngleBlock::EndIf, 5),
        "endfor" if after.starts_with('>') => block(AngleBlock::EndFor, 6),
        _ => slot(&text[..start], after),
    }
}

fn opens_block(after: &str, ends: bool) -> bool {
    ends || after.starts_with('(') || after.starts_with("/>")
}

fn has_condition(after: &str) -> bool {
    let words = after.trim_start_matches([' ', '\t']);
    words.starts_with('(') || (words.len() < after.len() && words.starts_with(begins_name))
}

/// The length of ` if` after `else`.
fn else_if(after: &str) -> Option<usize> {
    let words = after.trim_start_matches([' ', '\t']);
    let blank = after.len() - words.len();
    (blank > 0 && name_len(words) == 2 && words.starts_with("if")).then_some(blank + 2)
}

/// The shape of `<` and a name with this before and after it.
fn slot(before: &str, after: &str) -> Option<AngleTag> {
    let rest = &after[fields_len(after)..];
    if rest.starts_with('>') {
        // `<<SYS>>` is a word of another format.
        let doubled = before.ends_with('<') && rest.starts_with(">>");
        let bare = rest.len() == after.len();
        return (!doubled).then_some(if bare { AngleTag::Bare } else { AngleTag::Slot });
    }
    let sign = rest.trim_start_matches([' ', '\t']);
    let filter = sign.starts_with('|') && !sign.starts_with("||");
    (filter || sign.starts_with("??")).then_some(AngleTag::Slot)
}

const RAW: (&str, &str) = ("<raw>", "</raw>");

/// Verbatim blocks: `<raw>…</raw>`. An empty one is a pair of XML tags.
#[derive(Default)]
struct RawBlocks {
    /// Whether no `</raw>` follows any more, so that it is searched for once.
    ended: bool,
}

impl RawBlocks {
    /// The text inside of a block that begins here.
    fn block(&mut self, text: &str, start: usize) -> Option<Span> {
        if self.ended || !text[start..].starts_with(RAW.0) {
            return None;
        }
        let inside = start + RAW.0.len();
        let end = text[inside..].find(RAW.1).map(|end| inside + end);
        self.ended = end.is_none();
        end.filter(|end| *end > inside)
            .map(|end| Span::new(inside, end))
    }
}

impl Lexed {
    /// Adds a verbatim block that begins where the last token ended. Returns where it ends.
    fn push_raw_block(&mut self, text: &str, inside: Span) -> usize {
        let end = inside.end + RAW.1.len();
        self.push_literal_until(inside.of(text), end);
        end
    }
}

struct AngleLexer<'a> {
    text: &'a str,
    tags: &'a XmlTags,
    verbatim: RawBlocks,
    closers: HashMap<&'a str, Span>,
    lexed: Lexed,
}

impl AngleLexer<'_> {
    /// Adds the tag that begins here; the text before it is done. Returns the position at which parsing continues.
    fn push_tag(&mut self, shape: AngleTag, start: usize) -> usize {
        if let Some(inside) = self.verbatim.block(self.text, start) {
            return self.lexed.push_raw_block(self.text, inside);
        }
        match shape {
            AngleTag::Role(tag) => self.push(tag.kind, start + tag.len, tag.error),
            AngleTag::Bare => self
                .push_xml_tag(start)
                .unwrap_or_else(|| self.push_plain_slot(start)),
            AngleTag::Slot => self.push_xml_tag(start).unwrap_or_else(|| self.slot(start)),
            AngleTag::Block(block, len) => self
                .push_xml_tag(start)
                .unwrap_or_else(|| self.block(block, start, start + len)),
        }
    }

    fn push(&mut self, kind: LexTokenKind, end: usize, error: Option<Error>) -> usize {
        self.lexed.push(kind, end, error);
        end
    }

    /// Adds `<name>` as text if `</name>` occurs. The names of blocks never get here, because their ends are other tags.
    fn push_xml_tag(&mut self, start: usize) -> Option<usize> {
        let inside = start + 1;
        let end = inside + path_len(&self.text[inside..]);
        let name = &self.text[inside..end];
        if matches!(name, "if" | "for" | "else") || !self.text[end..].starts_with('>') {
            return None;
        }
        let close = self.closers.get(name).copied();
        if close.is_none() && !self.tags.has(name) {
            return None;
        }
        let name = Spanned::new(name.to_owned(), Span::new(inside, end));
        self.lexed.tags.push(XmlTag { name, close });
        self.lexed.push_text_until(self.text, end + 1);
        Some(end + 1)
    }

    /// Adds `<name>`, with which nothing can be wrong.
    fn push_plain_slot(&mut self, start: usize) -> usize {
        let inside = start + 1;
        let end = inside + name_len(&self.text[inside..]);
        self.push(LexTokenKind::Slot(Span::new(inside, end)), end + 1, None)
    }

    fn slot(&mut self, start: usize) -> usize {
        let text = self.text;
        let mut tail = tag_remainder(text, start + 1, false);
        let error = match tail.quote.take() {
            Some(error) => Some(error),
            None if tail.head.of(text) == "input:" => Some(nameless_slot_error(start, tail.end)),
            None if !tail.closed => Some(self.unclosed_slot(start, &mut tail)),
            None => self.named_like_block(tail.head),
        };
        self.push(LexTokenKind::Slot(tail.head), tail.end, error)
    }

    fn named_like_block(&self, head: Span) -> Option<Error> {
        let words = head.of(self.text);
        let name = &words[..name_len(words)];
        if !matches!(name, "if" | "for" | "else") {
            return None;
        }
        let span = Span::new(head.start, head.start + name.len());
        Some(slot::named_like_block(name, words).at(span))
    }

    /// Returns the error of a slot that does not end. Its path can still be read, and the text after the path is text.
    fn unclosed_slot(&self, start: usize, tail: &mut TagRemainder) -> Error {
        let text = self.text;
        let mut path = start + 1;
        if text[path..].starts_with("input:") {
            path += "input:".len();
        }
        path += name_len(&text[path..]);
        path += fields_len(&text[path..]);
        let more = text[path..tail.head.end.max(path)].trim_start();
        if !more.starts_with('|') && !more.starts_with("??") {
            tail.head.end = path;
            tail.end = path;
        }
        let span = Span::new(start, tail.head.end);
        let written = span.of(text);
        if written == "<input:" {
            return nameless_slot_error(start, path);
        }
        slot::unclosed_slot(written).at(span).pasted_tag(written)
    }

    fn block(&mut self, block: AngleBlock, start: usize, words: usize) -> usize {
        let is_condition = matches!(block, AngleBlock::If | AngleBlock::ElseIf);
        let tail = tag_remainder(self.text, words, is_condition);
        let end = start + self.text[start..tail.end].trim_end().len();
        let tag = BlockTag {
            text: self.text,
            block,
            span: Span::new(start, end),
            words: Span::new(start, words),
        };
        let error = tag.block_error(&tail);
        let error = error.map(|error| error.pasted_block(tag.span.of(self.text)));
        let kind = match block {
            AngleBlock::If => LexTokenKind::Begin(Keyword::IF, tail.head),
            AngleBlock::For => LexTokenKind::Begin(Keyword::FOR, tail.head),
            AngleBlock::ElseIf => LexTokenKind::ElseIf(tail.head),
            AngleBlock::Else => LexTokenKind::Else,
            AngleBlock::EndIf => LexTokenKind::End(Keyword::IF),
            AngleBlock::EndFor => LexTokenKind::End(Keyword::FOR),
            AngleBlock::EndElse => LexTokenKind::Error,
        };
        self.push(kind, tail.end, error)
    }
}

fn nameless_slot_error(start: usize, end: usize) -> Error {
    slot::nameless_slot(Dialect::Angle).at(Span::new(start, end))
}

/// The tag of a block, for what may be wrong with it apart from the words that the parser reads.
struct BlockTag<'a> {
    text: &'a str,
    block: AngleBlock,
    span: Span,
    /// The words that name it: `<if`.
    words: Span,
}

impl BlockTag<'_> {
    fn block_error(&self, tail: &TagRemainder) -> Option<Error> {
        let head = tail.head.of(self.text);
        let words = self.words.of(self.text);
        let takes_head = matches!(
            self.block,
            AngleBlock::If | AngleBlock::ElseIf | AngleBlock::For
        );
        if let Some(quote) = &tail.quote {
            return Some(quote.clone());
        }
        let written = self.span.of(self.text);
        if !tail.closed {
            // `<for i in 1..<n>`
            let range = find_range(self.text, tail.head)
                .filter(|sign| self.block == AngleBlock::For && sign.end == tail.head.end);
            return Some(match range {
                Some(sign) => range_of_a_loop().at(sign),
                None => tag::unclosed_tag(words).at(self.span),
            });
        }
        if matches!(self.block, AngleBlock::EndElse) {
            return Some(tag::end_of_else(written).at(self.span));
        }
        if matches!(words, "<elif" | "<elseif" | "<elsif" | "<endif" | "<endfor") {
            return Some(tag::unknown_tag(words, &self.corrected_tag(head), written).at(self.span));
        }
        if takes_head {
            return self.space_before_end(tail);
        }
        if head.is_empty() {
            return None;
        }
        let problem = match self.block {
            AngleBlock::Else if name_len(head) > 0 => tag::condition_of_else(words, head, written),
            _ => tag::more_than_a_word(words, &self.corrected_tag(""), written),
        };
        Some(problem.at(tail.head))
    }

    /// `<if a >` ends with a comparison that lacks its second operand, or with a space; and `<if a>b>` reads as a condition
    /// `a` and the text `b>`.
    fn space_before_end(&self, tail: &TagRemainder) -> Option<Error> {
        let end = tail.end - 1;
        let head = tail.head.of(self.text);
        if matches!(self.block, AngleBlock::For) || head.is_empty() {
            return None;
        }
        if tail.head.end != end {
            return Some(tag::comparison_closes_tag(&self.corrected_tag(head)).at(self.span));
        }
        let meant = split_comparison(head, &self.text[tail.end..])?;
        let text = self.corrected_tag(&format!("({head})"));
        Some(tag::split_comparison(&self.corrected_tag(&meant), &text).at(self.span))
    }

    /// The tag as it should be.
    fn corrected_tag(&self, head: &str) -> String {
        match self.block {
            AngleBlock::If => format!("<if {head}>"),
            AngleBlock::ElseIf => format!("<else if {head}>"),
            AngleBlock::For => format!("<for {head}>"),
            AngleBlock::Else => "<else>".to_owned(),
            AngleBlock::EndIf | AngleBlock::EndElse => "</if>".to_owned(),
            AngleBlock::EndFor => "</for>".to_owned(),
        }
    }
}

/// Removes the white space of lines that contain only block tags: the blanks before, between and after the block tags of such a line, and the line break at its end.
///
/// The rule is that of standalone tags in Mustache; `docs/whitespace.md` describes it.
fn remove_block_lines(text: &str, tokens: &mut Vec<LexToken>) {
    let mut at = 0;
    while at < tokens.len() {
        if !is_block(&tokens[at].kind) {
            at += 1;
            continue;
        }
        let last = last_of_run(tokens, at);
        let (start, end) = (tokens[at].span.start, tokens[last].span.end);
        let before = text[..start].trim_end_matches(BLANKS);
        if (before.is_empty() || before.ends_with('\n'))
            && let Some(after) = line_end(&text[end..])
        {
            cut_end(&mut tokens[..at], start - before.len());
            for between in &mut tokens[at..last] {
                if let LexTokenKind::Text(blank) = &mut between.kind {
                    blank.clear();
                }
            }
            cut_start(&mut tokens[last + 1..], after);
        }
        at = last + 1;
    }
    tokens.retain(|token| !matches!(&token.kind, LexTokenKind::Text(text) if text.is_empty()));
}

const BLANKS: [char; 2] = [' ', '\t'];

fn is_block(kind: &LexTokenKind) -> bool {
    use LexTokenKind::{Begin, Else, ElseIf, End};
    matches!(kind, Begin(..) | ElseIf(_) | Else | End(_))
}

/// The last of the block tags from `first` on that only blanks separate.
fn last_of_run(tokens: &[LexToken], first: usize) -> usize {
    let mut last = first;
    for (index, token) in tokens.iter().enumerate().skip(first + 1) {
        match &token.kind {
            LexTokenKind::Text(text) if text.trim_matches(BLANKS).is_empty() => {}
            kind if is_block(kind) => last = index,
            _ => break,
        }
    }
    last
}

/// The length of the blanks and the line break at the start of the text. `None` if the line has more text.
fn line_end(text: &str) -> Option<usize> {
    let rest = text.trim_start_matches(BLANKS);
    let after = match rest.strip_prefix('\r').unwrap_or(rest) {
        _ if rest.is_empty() => rest,
        line => line.strip_prefix('\n')?,
    };
    Some(text.len() - after.len())
}

/// Removes bytes at the end of the text before a line of tags.
fn cut_end(tokens: &mut [LexToken], length: usize) {
    if let Some(LexToken {
        kind: LexTokenKind::Text(text),
        span,
        ..
    }) = tokens.last_mut()
    {
        text.truncate(text.len() - length);
        span.end -= length;
    }
}

/// Removes bytes at the start of the text after a line of tags.
fn cut_start(tokens: &mut [LexToken], length: usize) {
    if let Some(LexToken {
        kind: LexTokenKind::Text(text),
        span,
        ..
    }) = tokens.first_mut()
    {
        text.drain(..length);
        span.start += length;
    }
}
