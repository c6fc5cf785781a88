//! The parser. It builds the syntax tree from the tokens of any dialect, and collects all errors.

use std::collections::HashMap;

use crate::expr::LoopHead;
use crate::keyword::Keyword;
use crate::language::Language;
use crate::lex::{LexToken, LexTokenKind, Lexed, lex};
use crate::notation::{Lookalike, text_until};
use crate::problem::block::{self, BlockStop, StrayEnd};
use crate::problem::role::role_with_attributes;
use crate::problem::{block as problem, role};
use crate::{
    Branch, Dialect, Error, Expr, For, If, Node, Options, Role, RoleBlock, Slot, Spanned, Text,
    XmlTag, XmlTags, expr,
};
use prompt_base::Span;
use prompt_base::suggest::closest;

/// More nested blocks than templates need. Deeper ones could overflow the stack of recursive functions on the tree.
const DEPTH: usize = 128;

/// For each keyword, how many more ends than beginnings follow.
type EndCounts = HashMap<&'static str, isize>;

/// The result of the parser.
pub(crate) struct ParsedTree<L: Language> {
    pub(crate) nodes: Vec<Node<L>>,
    /// `<name>…</name>` pairs that stay text.
    pub(crate) tags: Vec<XmlTag>,
    /// The errors in any order.
    pub(crate) errors: Vec<Error>,
    /// Literal text that other template languages would read as slots.
    pub(crate) lookalikes: Vec<Lookalike>,
}

/// Parses a template. Which of its text is literal depends on the names in scope, which the parser does not know.
pub(crate) fn parse_tree<L: Language>(
    text: &str,
    options: Options,
    tags: &XmlTags,
) -> ParsedTree<L> {
    let Lexed {
        tokens,
        tags,
        errors,
        lookalikes,
        ..
    } = lex::<L>(text, options, tags);
    let mut parser = Parser {
        text,
        dialect: options.dialect,
        nodes: Vec::new(),
        open: Vec::new(),
        ends_to_come: EndCounts::default(),
        cut: Vec::new(),
        errors,
    };
    for token in &tokens {
        parser.expect_end(&token.kind, 1);
    }
    for token in tokens {
        if !parser.push_token(token) {
            break;
        }
    }
    parser.close_all();
    ParsedTree {
        nodes: parser.nodes,
        tags,
        errors: parser.errors,
        lookalikes,
    }
}

struct Parser<'a, L: Language> {
    text: &'a str,
    dialect: Dialect,
    /// The complete parts of the innermost open block.
    nodes: Vec<Node<L>>,
    open: Vec<OpenBlock<L>>,
    ends_to_come: EndCounts,
    /// Blocks that were closed before their own end tag, and their errors.
    cut: Vec<(&'static str, Vec<usize>)>,
    errors: Vec<Error>,
}

impl<L: Language> Parser<'_, L> {
    /// Counts an end or a beginning among those that are to come.
    fn expect_end(&mut self, kind: &LexTokenKind, count: isize) {
        let (keyword, count) = match kind {
            LexTokenKind::Begin(keyword, _) => (keyword, -count),
            LexTokenKind::End(keyword) => (keyword, count),
            _ => return,
        };
        *self.ends_to_come.entry(keyword.name).or_default() += count;
    }

    /// Takes one token; `false` where the rest cannot be read.
    fn push_token(&mut self, token: LexToken) -> bool {
        let LexToken {
            kind,
            span,
            reported,
        } = token;
        self.expect_end(&kind, -1);
        match kind {
            LexTokenKind::Text(text) => self.nodes.push(Node::Text(Text { span, text })),
            LexTokenKind::Slot(head) => {
                let value = expr::parse_slot(self.text, head, self.dialect).map_err(|error| {
                    match self.dialect {
                        Dialect::Angle => error.pasted_tag(span.of(self.text)),
                        _ => error,
                    }
                });
                let node = match self.value_or_report(reported, value) {
                    Some(expr) => Node::Slot(Slot { span, expr }),
                    None => Node::Error(span),
                };
                self.nodes.push(node);
            }
            LexTokenKind::Begin(keyword, head) => {
                let (block, read) = self.begin_block(keyword, span, head, reported);
                return self.open_block(span, block, reported || !read);
            }
            LexTokenKind::Statement(keyword, head) => {
                let read = L::parse_statement(keyword, self.text, span, head);
                let node = self.value_or_report(reported, read);
                self.nodes.push(node.map_or(Node::Error(span), Node::Other));
            }
            LexTokenKind::Role(role) => {
                self.expect_role_at_top(span, role);
                return self.open_block(span, Block::Role(role), false);
            }
            LexTokenKind::Else => self.push_else(span, None, reported),
            LexTokenKind::ElseIf(head) => {
                let condition = self.parse_condition(span, head, reported);
                self.push_else(span, Some(condition), reported);
            }
            LexTokenKind::End(keyword) => self.end_block(span, keyword.name, reported),
            LexTokenKind::EndRole(role) => self.end_block(span, role.name(), reported),
            LexTokenKind::Error => self.nodes.push(Node::Error(span)),
        }
        true
    }

    /// Returns the parsed value. An error is reported unless the lexer has reported the tag already.
    fn value_or_report<T>(&mut self, reported: bool, result: Result<T, Error>) -> Option<T> {
        result
            .map_err(|error| {
                if !reported {
                    self.errors.push(error);
                }
            })
            .ok()
    }

    /// The block that a tag begins, and whether its text could be parsed.
    fn begin_block(
        &mut self,
        keyword: Keyword,
        span: Span,
        head: Span,
        reported: bool,
    ) -> (Block<L>, bool) {
        let empty = matches!(head.of(self.text), "" | "/");
        if empty && keyword != Keyword::IF {
            self.empty_tag(span, keyword, reported);
        }
        match keyword {
            Keyword::IF => {
                let condition = self.parse_condition(span, head, reported);
                let read = condition.is_some();
                (Block::If(IfBranches::new(span, condition)), read)
            }
            Keyword::FOR => {
                let (head, error) = expr::loop_head(self.text, head, self.dialect);
                if !reported && !empty {
                    let error = error.map(|error| self.tag_error(error, span));
                    self.errors.extend(error);
                }
                let read = head.is_some();
                (Block::For { head, body: None }, read)
            }
            keyword => {
                let head = L::parse_head(keyword, self.text, head);
                let head = self.value_or_report(reported || empty, head);
                let read = head.is_some();
                (Block::Other(keyword, head), read)
            }
        }
    }

    fn parse_condition(&mut self, span: Span, head: Span, reported: bool) -> Option<Expr<L>> {
        if matches!(head.of(self.text), "" | "/") {
            self.empty_tag(span, Keyword::IF, reported);
            return None;
        }
        let condition = expr::parse_condition(self.text, head, self.dialect);
        let condition = condition.map_err(|error| self.tag_error(error, span));
        self.value_or_report(reported, condition)
    }

    /// An error of a block's tag. Pasted text contains such tags in the angle dialect: `<if test="x">`.
    fn tag_error(&self, error: Error, tag: Span) -> Error {
        match self.dialect {
            Dialect::Angle => error.pasted_block(tag.of(self.text)),
            _ => error,
        }
    }

    fn empty_tag(&mut self, span: Span, keyword: Keyword, reported: bool) {
        let Some(alone) = keyword.alone.filter(|_| !reported) else {
            return;
        };
        let written = span.of(self.text);
        let error = problem::empty_tag(self.dialect, keyword.example, alone, written).at(span);
        let error = self.tag_error(error, span);
        self.errors.push(error);
    }

    /// Opens a block. One whose tag is wrong already is excused from having an end.
    fn open_block(&mut self, tag: Span, block: Block<L>, excused: bool) -> bool {
        if self.open.len() == DEPTH {
            let error = problem::too_deep(DEPTH).at(tag);
            self.errors.push(error);
            self.nodes
                .push(Node::Error(Span::new(tag.start, self.text.len())));
            self.open.iter_mut().for_each(|open| open.excused = true);
            return false;
        }
        let outer = std::mem::take(&mut self.nodes);
        self.open.push(OpenBlock {
            tag,
            block,
            outer,
            excused,
            crossed: None,
            ended: false,
        });
        true
    }

    /// An `else`, or an `else if` with the condition that could be read.
    fn push_else(&mut self, span: Span, next: Option<Option<Expr<L>>>, reported: bool) {
        let nodes = std::mem::take(&mut self.nodes);
        let Some(open) = self.open.last_mut() else {
            return self.report_misplaced_else(span, next.is_some(), nodes, reported);
        };
        match open.block.add_branch(span, next, nodes) {
            Ok(()) => {}
            Err((next, nodes)) => self.report_misplaced_else(span, next.is_some(), nodes, reported),
        }
    }

    fn report_misplaced_else(
        &mut self,
        span: Span,
        condition: bool,
        nodes: Vec<Node<L>>,
        reported: bool,
    ) {
        self.nodes = nodes;
        self.nodes.push(Node::Error(span));
        if reported {
            return;
        }
        let dialect = self.dialect;
        let written = span.of(self.text);
        let open = self.open.last().map(|open| (open, open.block.else_tag()));
        let problem = match open {
            Some((open, Some(first))) => {
                problem::after_else(dialect, written, open.block.name(), first)
            }
            Some((open, None)) if condition && matches!(open.block, Block::For { .. }) => {
                problem::condition_in_loop(dialect, written, open.tag)
            }
            Some((open, None)) if matches!(open.block, Block::Other(..)) => {
                L::no_other_branch(written, open.block.name(), open.tag)
            }
            _ => problem::else_outside(dialect, written),
        };
        let error = self.tag_error(problem.at(span), span);
        self.errors.push(error);
    }
}

impl<L: Language> Parser<'_, L> {
    /// A closing tag.
    fn end_block(&mut self, span: Span, name: &'static str, reported: bool) {
        let is_its = |open: &OpenBlock<L>| open.block.name() == name && !open.ended;
        let Some(at) = self.open.iter().rposition(is_its) else {
            return self.report_stray_end(span, name, reported);
        };
        let shows = match span.start == span.end {
            false => BlockStop::End(name),
            true => BlockStop::EndOfMessage,
        };
        if self.is_crossing(at) {
            self.keep_crossing_open(at, span, shows);
            return;
        }
        while self.open.len() > at + 1 {
            self.cut_off(span, shows);
        }
        self.close_block(span);
    }

    /// Closes the innermost block before its own end, as something else shows.
    fn cut_off(&mut self, span: Span, shows: BlockStop<'_>) {
        let name = self.open.last().map_or("", |open| open.block.name());
        if self.report_unclosed(Some((span, shows))) {
            let error = self.errors.len() - 1;
            match self.cut.iter_mut().find(|(cut, _)| *cut == name) {
                Some((_, errors)) => errors.push(error),
                None => self.cut.push((name, vec![error])),
            }
        }
        self.close_block(Span::new(span.start, span.start));
    }

    /// Whether the blocks inside of the one at this depth end after it. Else their ends are missing.
    fn is_crossing(&self, at: usize) -> bool {
        if self.open[at].is_role() {
            return false;
        }
        let inner = &self.open[at + 1..];
        if inner.is_empty() {
            return false;
        }
        let mut left = self.ends_to_come.clone();
        inner.iter().filter(|open| !open.ended).all(|open| {
            let Some(keyword) = open.block.keyword() else {
                return false;
            };
            let left = left.entry(keyword.name).or_default();
            *left -= 1;
            *left >= 0
        })
    }

    /// Keeps the crossing blocks open until the inner ones end, so that their content is parsed as intended.
    fn keep_crossing_open(&mut self, at: usize, span: Span, shows: BlockStop<'_>) {
        let inner = &mut self.open[at + 1];
        let (name, tag, written) = (inner.block.name(), inner.tag, span.of(self.text));
        inner.crossed = Some(self.errors.len());
        let error = block::crossing_blocks(self.dialect, name, written, span, shows).at(tag);
        let error = self.tag_error(error, tag);
        self.errors.push(error);
        self.open[at].ended = true;
        self.open[at].excused = true;
        self.nodes.push(Node::Error(span));
    }

    /// A closing tag without its block.
    fn report_stray_end(&mut self, span: Span, name: &'static str, reported: bool) {
        self.nodes.push(Node::Error(span));
        let end = self.dialect.end(name);
        let cut = self.cut.iter_mut().find(|(cut, _)| *cut == name);
        if let Some(error) = cut.and_then(|(_, errors)| errors.pop()) {
            let error = &mut self.errors[error];
            error.problem = block::closed_too_late(error.problem.clone(), &end, span);
            return;
        }
        if reported {
            return;
        }
        let written = span.of(self.text);
        let stray = if let Some(open) = self.open.last_mut().filter(|open| !open.is_role()) {
            // Most likely it is the wrong end: the unclosed block is not reported again.
            open.excused = true;
            StrayEnd::EndOf(open.block.name(), open.tag)
        } else if let Some(misspelt) = self.misspelt_role_slot(name) {
            StrayEnd::Role(misspelt)
        } else {
            StrayEnd::Nothing
        };
        if let Some(tag) = self
            .role_with_attributes(name, span)
            .filter(|_| stray == StrayEnd::Nothing)
        {
            let error = role_with_attributes(tag.of(self.text), name).at(tag);
            self.errors.push(error);
            return;
        }
        let error = block::stray_end(self.dialect, name, written, stray).at(span);
        let error = match Role::from_name(name) {
            Some(_) => error,
            None => self.tag_error(error, span),
        };
        self.errors.push(error);
    }

    /// `<user name="Ann">` before the first stray end, outside of the role blocks.
    fn role_with_attributes(&self, name: &str, end: Span) -> Option<Span> {
        if Role::from_name(name).is_none() || !self.errors.is_empty() {
            return None;
        }
        let open = format!("<{name} ");
        let last = self.nodes.iter().rev().find_map(|node| match node {
            Node::Role(block) => Some(block.span.end),
            _ => None,
        });
        let from = last.unwrap_or_default();
        let mut opened = self.text[from..end.start].rmatch_indices(&open);
        let is_text = |at| self.text[..at].ends_with('\\');
        let start = opened.find_map(|(at, _)| Some(from + at).filter(|at| !is_text(*at)))?;
        let inside = text_until(&self.text[start + open.len()..], ">")?;
        let span = Span::new(start, start + open.len() + inside.len() + 1);
        inside.contains('=').then_some(span)
    }

    /// A slot shortly before whose name is nearly the role's.
    fn misspelt_role_slot(&self, role: &str) -> Option<Span> {
        Role::from_name(role)?;
        let near = self.nodes.iter().rev().take(8);
        near.filter_map(|node| match node {
            Node::Slot(slot) => Some(slot),
            _ => None,
        })
        .find_map(|slot| match &slot.expr {
            Expr::Path(path) if closest(&path.dotted(), [role]).is_some() => Some(slot.span),
            _ => None,
        })
    }

    /// Closes what is open at the end of the text.
    fn close_all(&mut self) {
        let end = Span::new(self.text.len(), self.text.len());
        while !self.open.is_empty() {
            self.report_unclosed(None);
            self.close_block(end);
        }
    }

    /// Reports that the innermost block is not closed, and where that shows. `false` if it is known already.
    fn report_unclosed(&mut self, shows: Option<(Span, BlockStop<'_>)>) -> bool {
        let Some(open) = self.open.last().filter(|open| !open.excused) else {
            return false;
        };
        let (name, tag) = (open.block.name(), open.tag);
        let problem = match shows {
            Some((span, shows)) => {
                block::unclosed_before(self.dialect, name, span.of(self.text), span, shows)
            }
            None => block::unclosed_block(self.dialect, name, tag.of(self.text)),
        };
        let is_role = open.is_role();
        let error = problem.at(tag);
        self.errors.push(match is_role {
            true => error,
            false => self.tag_error(error, tag),
        });
        true
    }

    /// Makes nodes of the innermost block, and of those around it that should have ended before.
    fn close_block(&mut self, mut end: Span) {
        while let Some(open) = self.open.pop() {
            if let Some(error) = open.crossed {
                let name = self.dialect.end(open.block.name());
                let error = &mut self.errors[error];
                error.problem = block::with_end(error.problem.clone(), &name, end);
            }
            let nodes = std::mem::replace(&mut self.nodes, open.outer);
            self.nodes
                .extend(open.block.into_nodes(open.tag, end, nodes));
            if !self.open.last().is_some_and(|open| open.ended) {
                return;
            }
            end = Span::new(end.end, end.end);
        }
    }
}

impl<L: Language> Parser<'_, L> {
    /// Reports a role inside of another block.
    fn expect_role_at_top(&mut self, span: Span, role: Role) {
        // A role inside a role means that the first one's end was forgotten.
        if let Some(outer) = self.open.iter().position(OpenBlock::is_role) {
            while self.open.len() > outer {
                self.cut_off(span, BlockStop::Role);
            }
        } else if let Some(outer) = self.open.last_mut()
            && !outer.excused
        {
            outer.excused = true;
            let name = outer.block.name();
            let error = role::in_a_block(self.dialect, role, name, outer.tag).at(span);
            self.errors.push(error);
        }
    }
}

/// A block whose end tag has not been parsed.
pub(crate) struct OpenBlock<L: Language> {
    /// Its opening tag.
    pub(crate) tag: Span,
    pub(crate) block: Block<L>,
    /// The previous content.
    pub(crate) outer: Vec<Node<L>>,
    /// Whether an error was reported that explains a missing end, or a role inside of it.
    pub(crate) excused: bool,
    /// The error about a block that crosses another one.
    pub(crate) crossed: Option<usize>,
    /// Whether its end has come, but inside of a block that crosses it.
    pub(crate) ended: bool,
}

impl<L: Language> OpenBlock<L> {
    pub(crate) fn is_role(&self) -> bool {
        matches!(self.block, Block::Role(_))
    }
}

/// The state of an open block.
pub(crate) enum Block<L: Language> {
    If(IfBranches<L>),
    For {
        /// `None` if it could not be read.
        head: Option<LoopHead<L>>,
        /// The content before the `else`, and its span.
        body: Option<(Vec<Node<L>>, Span)>,
    },
    Role(Role),
    /// A block without `else`. `None` if its tag could not be parsed.
    Other(Keyword, Option<L::Head>),
}

/// The branches of an `if`, up to the one that is being read.
pub(crate) struct IfBranches<L: Language> {
    done: Vec<PastBranch<L>>,
    tag: Span,
    /// `None` in an `else`.
    condition: Option<Option<Expr<L>>>,
}

/// A branch that has ended: its tag, its condition if that could be read, and its nodes.
type PastBranch<L> = (Span, Option<Expr<L>>, Vec<Node<L>>);

impl<L: Language> IfBranches<L> {
    pub(crate) fn new(tag: Span, condition: Option<Expr<L>>) -> IfBranches<L> {
        IfBranches {
            done: Vec::new(),
            tag,
            condition: Some(condition),
        }
    }
}

/// An `else` that a block does not accept: the condition of an `else if`, and the nodes before it.
pub(crate) type UnexpectedElse<L> = (Option<Option<Expr<L>>>, Vec<Node<L>>);

impl<L: Language> Block<L> {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Block::If(_) => "if",
            Block::For { .. } => "for",
            Block::Role(role) => role.name(),
            Block::Other(keyword, _) => keyword.name,
        }
    }

    /// The keyword that opens and ends it; the name of a role is not a keyword.
    pub(crate) fn keyword(&self) -> Option<Keyword> {
        match self {
            Block::If(_) => Some(Keyword::IF),
            Block::For { .. } => Some(Keyword::FOR),
            Block::Role(_) => None,
            Block::Other(keyword, _) => Some(*keyword),
        }
    }

    /// The tag of its `else`.
    pub(crate) fn else_tag(&self) -> Option<Span> {
        match self {
            Block::If(part) => part.condition.is_none().then_some(part.tag),
            Block::For { body, .. } => body.as_ref().map(|(_, tag)| *tag),
            Block::Role(_) | Block::Other(..) => None,
        }
    }

    /// Adds an `else`, or an `else if` with its condition if that could be parsed.
    pub(crate) fn add_branch(
        &mut self,
        tag: Span,
        next: Option<Option<Expr<L>>>,
        nodes: Vec<Node<L>>,
    ) -> Result<(), UnexpectedElse<L>> {
        match self {
            Block::If(part) => {
                let Some(condition) = part.condition.take() else {
                    return Err((next, nodes));
                };
                part.done.push((part.tag, condition, nodes));
                part.tag = tag;
                part.condition = next;
                Ok(())
            }
            Block::For { body, .. } if body.is_none() && next.is_none() => {
                *body = Some((nodes, tag));
                Ok(())
            }
            _ => Err((next, nodes)),
        }
    }

    /// The nodes of the block, with the last parsed part.
    pub(crate) fn into_nodes(self, tag: Span, end: Span, nodes: Vec<Node<L>>) -> Vec<Node<L>> {
        let span = tag.to(end);
        match self {
            Block::If(part) => part.into_nodes(span, end, nodes),
            // Without the names that it binds, its content cannot be checked.
            Block::For { head: None, .. } => vec![Node::Error(span)],
            Block::Other(_, None) => vec![Node::Error(span)],
            Block::Other(_, Some(head)) => vec![Node::Other(L::block_node(head, span, nodes))],
            Block::For {
                head: Some(head),
                body,
            } => {
                let (body, otherwise) = match body {
                    Some((body, _)) => (body, Some(nodes)),
                    None => (nodes, None),
                };
                vec![Node::For(For {
                    span,
                    targets: head.targets,
                    list: head.list,
                    condition: head.condition,
                    body,
                    otherwise,
                })]
            }
            Block::Role(role) => vec![Node::Role(RoleBlock {
                span,
                role: Spanned::new(role, tag),
                body: without_outer_breaks(nodes, tag.end, end.start),
            })],
        }
    }
}

impl<L: Language> IfBranches<L> {
    fn into_nodes(mut self, span: Span, end: Span, nodes: Vec<Node<L>>) -> Vec<Node<L>> {
        let mut otherwise = None;
        match self.condition {
            Some(condition) => self.done.push((self.tag, condition, nodes)),
            None => otherwise = Some((self.tag, nodes)),
        }
        if self
            .done
            .iter()
            .any(|(_, condition, _)| condition.is_none())
        {
            return in_pieces(self.done, otherwise, end);
        }
        let mut branches = Vec::with_capacity(self.done.len());
        for (_, condition, body) in self.done {
            branches.extend(condition.map(|condition| Branch { condition, body }));
        }
        vec![Node::If(If {
            span,
            branches,
            otherwise: otherwise.map(|(_, nodes)| nodes),
        })]
    }
}

/// The content of an `if` whose conditions cannot be parsed: its tags are errors, the rest is parsed as if they were absent.
fn in_pieces<L: Language>(
    branches: Vec<PastBranch<L>>,
    otherwise: Option<(Span, Vec<Node<L>>)>,
    end: Span,
) -> Vec<Node<L>> {
    let branches = branches.into_iter().map(|(tag, _, nodes)| (tag, nodes));
    let mut pieces = Vec::new();
    for (tag, nodes) in branches.chain(otherwise) {
        pieces.push(Node::Error(tag));
        pieces.extend(nodes);
    }
    if end.start < end.end {
        pieces.push(Node::Error(end));
    }
    pieces
}

/// The line break after a role's opening tag and the one before its closing tag belong to the tags. Where a lexer has
/// taken them already, the text does not touch the tag.
fn without_outer_breaks<L: Language>(
    mut nodes: Vec<Node<L>>,
    start: usize,
    end: usize,
) -> Vec<Node<L>> {
    if let Some(Node::Text(first)) = nodes.first_mut()
        && first.span.start == start
    {
        let words = first.text.strip_prefix('\r').unwrap_or(&first.text);
        if let Some(words) = words.strip_prefix('\n') {
            let cut = first.text.len() - words.len();
            first.text.drain(..cut);
            first.span.start += cut;
        }
    }
    if let Some(Node::Text(last)) = nodes.last_mut()
        && last.span.end == end
        && let Some(words) = last.text.strip_suffix('\n')
    {
        let kept = words.strip_suffix('\r').unwrap_or(words).len();
        last.span.end -= last.text.len() - kept;
        last.text.truncate(kept);
    }
    nodes.retain(|node| !matches!(node, Node::Text(text) if text.text.is_empty()));
    nodes
}
