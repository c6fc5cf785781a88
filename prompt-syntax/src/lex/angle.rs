//! `<input:name>`, `<name>`, `<docs | join(", ")>`, `<if x>…</if>`, `<for x in xs>…</for>`; all else is text.

use std::collections::HashMap;

use super::{Lexed, Tail, role_tag, tail};
use crate::lex::{Keyword, TokenKind};
use crate::problem::{slot, tag};
use crate::unicode::{begins_name, name_len};
use crate::{Dialect, Error, Span, Spanned, Tag};

pub(crate) fn lex(text: &str, roles: bool) -> Lexed {
    let mut lexer = Lexer {
        text,
        closers: closers(text),
        lexed: Lexed::default(),
    };
    let mut at = 0;
    while let Some(found) = text[at..].find('<') {
        let start = at + found;
        at = match shape(text, start, roles) {
            Some(shape) if !lexer.lexed.escaped(text, start) => lexer.tag(shape, start),
            _ => start + 1,
        };
    }
    lexer.lexed.text_to(text, text.len());
    lexer.lexed
}

/// What a `<` begins if it is no text, seen from its first words. Escapes go by this, and so does printing.
pub(crate) enum Shape {
    /// `<name>`: a slot, unless `</name>` occurs.
    Bare,
    /// `<input:`, `<a.b>`, `<a |`, `<a ??`.
    Slot,
    /// A block's tag, with the length of the words that name it: `<if`, `</for`.
    Block(Block, usize),
    /// A role's tag, with its length.
    Role(TokenKind, usize),
}

#[derive(Clone, Copy)]
pub(crate) enum Block {
    If,
    For,
    Else,
    ElseIf,
    EndIf,
    EndFor,
    EndElse,
}

pub(crate) fn shape(text: &str, start: usize, roles: bool) -> Option<Shape> {
    if roles && let Some((kind, len)) = role_tag(&text[start..]) {
        return Some(Shape::Role(kind, len));
    }
    let rest = &text[start + 1..];
    let close = rest.starts_with('/');
    let rest = &rest[usize::from(close)..];
    let (name, after) = rest.split_at(name_len(rest));
    let block = |block, words| Some(Shape::Block(block, 1 + usize::from(close) + words));
    let ends = after.is_empty() || after.starts_with(['>', ' ', '\t', '\n', '\r']);
    match name {
        "" => None,
        "if" if close && ends => block(Block::EndIf, 2),
        "for" if close && ends => block(Block::EndFor, 3),
        "else" if close && ends => block(Block::EndElse, 4),
        _ if close => None,
        "input" if after.starts_with(':') => Some(Shape::Slot),
        "if" if opens_block(after, ends) => block(Block::If, 2),
        "for" if opens_block(after, ends) => block(Block::For, 3),
        "else" if opens_block(after, ends) => match else_if(after) {
            Some(len) => block(Block::ElseIf, 4 + len),
            None => block(Block::Else, 4),
        },
        "elif" | "elseif" | "elsif" if has_condition(after) => block(Block::ElseIf, name.len()),
        "endif" if after.starts_with('>') => block(Block::EndIf, 5),
        "endfor" if after.starts_with('>') => block(Block::EndFor, 6),
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
fn slot(before: &str, after: &str) -> Option<Shape> {
    let rest = &after[fields_len(after)..];
    if rest.starts_with('>') {
        // `<<SYS>>` is a word of another format.
        let doubled = before.ends_with('<') && rest.starts_with(">>");
        let bare = rest.len() == after.len();
        return (!doubled).then_some(if bare { Shape::Bare } else { Shape::Slot });
    }
    let sign = rest.trim_start_matches([' ', '\t']);
    let filter = sign.starts_with('|') && !sign.starts_with("||");
    (filter || sign.starts_with("??")).then_some(Shape::Slot)
}

/// The length of `.b.c` after a name.
fn fields_len(after: &str) -> usize {
    let mut rest = after;
    while let Some(field) = rest.strip_prefix('.') {
        match name_len(field) {
            0 => break,
            len => rest = &field[len..],
        }
    }
    after.len() - rest.len()
}

/// The names of all `</name>` of the text, each with its first place.
fn closers(text: &str) -> HashMap<&str, Span> {
    let mut closers = HashMap::new();
    // One character is looked for by words of memory, and slashes are rare.
    for (slash, _) in text.match_indices('/') {
        if !text[..slash].ends_with('<') {
            continue;
        }
        let inside = slash + 1;
        let (name, after) = text[inside..].split_at(name_len(&text[inside..]));
        let blank = after.len() - after.trim_start_matches([' ', '\t']).len();
        if !name.is_empty() && after[blank..].starts_with('>') {
            let end = inside + name.len() + blank + 1;
            closers.entry(name).or_insert(Span::new(slash - 1, end));
        }
    }
    closers
}

struct Lexer<'a> {
    text: &'a str,
    closers: HashMap<&'a str, Span>,
    lexed: Lexed,
}

impl Lexer<'_> {
    /// Adds the tag that begins here; the text before it is done. Returns where reading goes on.
    fn tag(&mut self, shape: Shape, start: usize) -> usize {
        match shape {
            Shape::Role(kind, len) => self.push(kind, start + len, None),
            Shape::Bare => self.kept(start).unwrap_or_else(|| self.bare(start)),
            Shape::Slot => self.slot(start),
            Shape::Block(block, len) => self
                .kept(start)
                .unwrap_or_else(|| self.block(block, start, start + len)),
        }
    }

    fn push(&mut self, kind: TokenKind, end: usize, error: Option<Error>) -> usize {
        self.lexed.push(kind, end, error);
        end
    }

    /// Adds `<name>` as text if `</name>` occurs. The blocks' own names never get here: their ends are no such tags.
    fn kept(&mut self, start: usize) -> Option<usize> {
        let inside = start + 1;
        let end = inside + name_len(&self.text[inside..]);
        let name = &self.text[inside..end];
        if matches!(name, "if" | "for" | "else") || !self.text[end..].starts_with('>') {
            return None;
        }
        let close = *self.closers.get(name)?;
        let name = Spanned::new(name.to_owned(), Span::new(inside, end));
        self.lexed.tags.push(Tag { name, close });
        self.lexed.text_to(self.text, end + 1);
        Some(end + 1)
    }

    /// Adds `<name>`, with which nothing can be wrong.
    fn bare(&mut self, start: usize) -> usize {
        let inside = start + 1;
        let end = inside + name_len(&self.text[inside..]);
        self.push(TokenKind::Slot(Span::new(inside, end)), end + 1, None)
    }

    fn slot(&mut self, start: usize) -> usize {
        let text = self.text;
        let mut tail = tail(text, start + 1);
        let error = match tail.quote.take() {
            Some(error) => Some(error),
            None if tail.head.of(text) == "input:" => Some(nameless(start, tail.end)),
            None if !tail.closed => Some(self.unclosed_slot(start, &mut tail)),
            None => self.named_like_block(tail.head),
        };
        self.push(TokenKind::Slot(tail.head), tail.end, error)
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

    /// What is wrong with a slot that does not end. Its path can still be read, and what follows the path is text.
    fn unclosed_slot(&self, start: usize, tail: &mut Tail) -> Error {
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
            return nameless(start, path);
        }
        slot::unclosed(written).at(span)
    }

    fn block(&mut self, block: Block, start: usize, words: usize) -> usize {
        let tail = tail(self.text, words);
        let end = start + self.text[start..tail.end].trim_end().len();
        let tag = BlockTag {
            text: self.text,
            block,
            span: Span::new(start, end),
            words: Span::new(start, words),
        };
        let error = tag.wrong(&tail);
        let kind = match block {
            Block::If => TokenKind::Begin(Keyword::If, tail.head),
            Block::For => TokenKind::Begin(Keyword::For, tail.head),
            Block::ElseIf => TokenKind::ElseIf(tail.head),
            Block::Else => TokenKind::Else,
            Block::EndIf => TokenKind::End(Keyword::If),
            Block::EndFor => TokenKind::End(Keyword::For),
            Block::EndElse => TokenKind::Error,
        };
        self.push(kind, tail.end, error)
    }
}

fn nameless(start: usize, end: usize) -> Error {
    slot::nameless(Dialect::Angle).at(Span::new(start, end))
}

/// The tag of a block, for what may be wrong with it apart from the words that the parser reads.
struct BlockTag<'a> {
    text: &'a str,
    block: Block,
    span: Span,
    /// The words that name it: `<if`.
    words: Span,
}

impl BlockTag<'_> {
    fn wrong(&self, tail: &Tail) -> Option<Error> {
        let head = tail.head.of(self.text);
        let words = self.words.of(self.text);
        let takes_head = matches!(self.block, Block::If | Block::ElseIf | Block::For);
        if let Some(quote) = &tail.quote {
            return Some(quote.clone());
        }
        let written = self.span.of(self.text);
        if !tail.closed {
            return Some(tag::unclosed(words).at(self.span));
        }
        if matches!(self.block, Block::EndElse) {
            return Some(tag::end_of_else(written).at(self.span));
        }
        if matches!(words, "<elif" | "<elseif" | "<elsif" | "<endif" | "<endfor") {
            return Some(tag::unknown(words, &self.right(head), written).at(self.span));
        }
        if takes_head {
            return self.space_before_end(tail);
        }
        if head.is_empty() {
            return None;
        }
        let problem = match self.block {
            Block::Else if name_len(head) > 0 => tag::condition_of_else(words, head, written),
            _ => tag::more_than_a_word(words, &self.right(""), written),
        };
        Some(problem.at(tail.head))
    }

    /// `<if a > b>` reads as a condition `a` and the text ` b>`: that is never meant.
    fn space_before_end(&self, tail: &Tail) -> Option<Error> {
        let end = tail.end - 1;
        let head = tail.head.of(self.text);
        if matches!(self.block, Block::For) || head.is_empty() || tail.head.end == end {
            return None;
        }
        Some(tag::comparison(&self.right(head)).at(self.span))
    }

    /// The tag as it should be.
    fn right(&self, head: &str) -> String {
        match self.block {
            Block::If => format!("<if {head}>"),
            Block::ElseIf => format!("<else if {head}>"),
            Block::For => format!("<for {head}>"),
            Block::Else => "<else>".to_owned(),
            Block::EndIf | Block::EndElse => "</if>".to_owned(),
            Block::EndFor => "</for>".to_owned(),
        }
    }
}
