use crate::lex::{Lexed, lex, name_len};
use crate::suggest::closest;
use crate::token::{Token, TokenKind};
use crate::{
    Branch, Error, Expr, For, If, Node, Options, Parsed, Role, RoleBlock, Slot, Span, Spanned,
    Template, Text, expr,
};

/// More blocks inside each other than anyone writes; deeper ones would cost stack in whoever walks the tree.
const DEPTH: usize = 128;

/// Nobody reads more errors of one template than these; a binary file given as one would have thousands.
const SHOWN: usize = 100;

/// Reads a template. It never fails: what cannot be read is an error in the result, and the rest is there.
/// After a hundred errors the others are left out.
///
/// ```
/// use prompt_syntax::{Dialect, Options, parse};
///
/// let parsed = parse("<if x>yes", Options::message(Dialect::Angle));
/// assert_eq!(parsed.errors[0].message, "this block is never closed");
/// ```
pub fn parse(text: &str, options: Options) -> Parsed {
    let Lexed {
        tokens,
        tags,
        errors,
    } = lex(text, options);
    let mut parser = Parser {
        text,
        nodes: Vec::new(),
        open: Vec::new(),
        skipped: 0,
        closed: Vec::new(),
        errors,
    };
    for token in tokens {
        parser.token(token);
    }
    let end = Span::new(text.len(), text.len());
    while !parser.open.is_empty() {
        parser.unclosed();
        parser.close(end);
    }
    let template = Template {
        nodes: parser.nodes,
    };
    let mut errors = parser.errors;
    if options.roles {
        outside_of_roles(text, &template, &mut errors);
    }
    errors.sort_by_key(|error| error.span.start);
    errors.truncate(SHOWN);
    Parsed {
        template,
        tags,
        errors,
    }
}

struct Parser<'a> {
    text: &'a str,
    /// What is complete, of the innermost open block.
    nodes: Vec<Node>,
    open: Vec<Open>,
    /// Blocks opened beyond the depth limit.
    skipped: usize,
    /// Blocks that an error has closed: their own ends are no further mistake.
    closed: Vec<&'static str>,
    errors: Vec<Error>,
}

/// A block whose end has not come yet.
struct Open {
    tag: Span,
    block: Block,
    /// What stood before it.
    outer: Vec<Node>,
}

enum Block {
    If {
        done: Vec<Branch>,
        condition: Option<Expr>,
    },
    For {
        head: Option<(Spanned<String>, Expr)>,
        body: Option<Vec<Node>>,
    },
    Role(Role),
}

impl Block {
    fn name(&self) -> &'static str {
        match self {
            Block::If { .. } => "if",
            Block::For { .. } => "for",
            Block::Role(role) => role.name(),
        }
    }
}

impl Parser<'_> {
    fn token(&mut self, token: Token) {
        let span = token.span;
        match token.kind {
            TokenKind::Text(text) => self.nodes.push(Node::Text(Text { span, text })),
            TokenKind::Slot(inner) => {
                let node = match self.read(expr::slot(self.text, inner)) {
                    Some(expr) => Node::Slot(Slot { span, expr }),
                    None => Node::Error(span),
                };
                self.nodes.push(node);
            }
            TokenKind::If(inner) => {
                let condition = self.condition(span, inner);
                self.enter(
                    span,
                    Block::If {
                        done: Vec::new(),
                        condition: Some(condition),
                    },
                );
            }
            TokenKind::For(inner) => {
                let head = if inner.start == inner.end {
                    self.bare(span, "for", "<for item in list>");
                    None
                } else {
                    self.read(expr::loop_head(self.text, inner))
                };
                self.enter(span, Block::For { head, body: None });
            }
            TokenKind::Role(role) => {
                if let Some(outer) = self.open.last() {
                    let error = Error::new(
                        span,
                        format!("the role `{}` is opened inside another block", role.name()),
                    )
                    .label("roles stand at the top level")
                    .related(outer.tag, "this block is open")
                    .help(format!("close `{}` first", outer.block.name()));
                    self.errors.push(error);
                }
                while let Some(open) = self.open.last() {
                    self.closed.push(open.block.name());
                    self.close(Span::new(span.start, span.start));
                }
                self.enter(span, Block::Role(role));
            }
            TokenKind::Else => self.otherwise(span, None),
            TokenKind::ElseIf(inner) => {
                let condition = self.condition(span, inner);
                self.otherwise(span, Some(condition));
            }
            TokenKind::EndIf => self.end(span, "if"),
            TokenKind::EndFor => self.end(span, "for"),
            TokenKind::EndRole(role) => self.end(span, role.name()),
            TokenKind::Error => self.nodes.push(Node::Error(span)),
        }
    }

    fn condition(&mut self, span: Span, inner: Span) -> Expr {
        if inner.start == inner.end {
            self.bare(span, "if", "<if name>");
            return unread(inner);
        }
        self.read(expr::condition(self.text, inner))
            .unwrap_or_else(|| unread(inner))
    }

    fn bare(&mut self, span: Span, name: &str, example: &str) {
        let error = Error::new(span, format!("`<{name}>` says nothing to decide it"))
            .label("a block of the template language")
            .help(format!(
                "write `{example}`, or `\\<{name}>` to keep it as text"
            ));
        self.errors.push(error);
    }

    fn read<T>(&mut self, result: Result<T, Error>) -> Option<T> {
        result.map_err(|error| self.errors.push(error)).ok()
    }

    fn enter(&mut self, tag: Span, block: Block) {
        if self.open.len() == DEPTH {
            if self.skipped == 0 {
                let error = Error::new(tag, format!("more than {DEPTH} blocks inside each other"))
                    .label("this one is too deep")
                    .help("move a part into a fragment of its own");
                self.errors.push(error);
            }
            self.skipped += 1;
            self.nodes.push(Node::Error(tag));
            return;
        }
        let outer = std::mem::take(&mut self.nodes);
        self.open.push(Open { tag, block, outer });
    }

    fn otherwise(&mut self, span: Span, next: Option<Expr>) {
        if self.skipped > 0 {
            self.nodes.push(Node::Error(span));
            return;
        }
        let nodes = std::mem::take(&mut self.nodes);
        match self.open.last_mut().map(|open| &mut open.block) {
            Some(Block::If { done, condition }) if condition.is_some() => {
                if let Some(was) = std::mem::replace(condition, next) {
                    done.push(Branch {
                        condition: was,
                        body: nodes,
                    });
                }
            }
            Some(Block::For { body, .. }) if body.is_none() && next.is_none() => {
                *body = Some(nodes);
            }
            block => {
                let error = match block {
                    Some(Block::If { .. } | Block::For { .. }) if next.is_none() => {
                        Error::new(span, "a second `<else>` in one block").help("remove it, or close the block before it")
                    }
                    Some(_) if next.is_some() => Error::new(span, "`<else if …>` does not fit here")
                        .help("put it into an `<if …>` block, before its `<else>`"),
                    _ => Error::new(span, "`<else>` stands outside of a block")
                        .help("put it between `<if …>` and `</if>`, or write `\\<else>` to keep it as text"),
                };
                self.errors.push(error.label("no block to belong to"));
                self.nodes = nodes;
                self.nodes.push(Node::Error(span));
            }
        }
    }

    /// A closing tag.
    fn end(&mut self, span: Span, name: &str) {
        if self.skipped > 0 {
            self.skipped -= 1;
            self.nodes.push(Node::Error(span));
            return;
        }
        if !self.open.iter().any(|open| open.block.name() == name) {
            if let Some(at) = self.closed.iter().position(|closed| *closed == name) {
                self.closed.remove(at);
                self.nodes.push(Node::Error(span));
                return;
            }
            let mut error = Error::new(span, format!("`</{name}>` closes nothing"))
                .label(format!("no `<{name}>` is open"))
                .help(format!(
                    "remove it, or write `\\</{name}>` to keep it as text"
                ));
            if let Some(open) = self.open.last() {
                error = error.related(open.tag, "this block is open");
            }
            self.errors.push(error);
            self.nodes.push(Node::Error(span));
            return;
        }
        while let Some(open) = self.open.last() {
            if open.block.name() == name {
                break;
            }
            let inner = open.block.name();
            let error = Error::new(span, format!("`</{name}>` comes before `</{inner}>`"))
                .label(format!("`</{inner}>` must come first"))
                .related(open.tag, "this block is still open")
                .help(format!("add `</{inner}>` before `</{name}>`"));
            self.errors.push(error);
            self.closed.push(inner);
            self.close(Span::new(span.start, span.start));
        }
        self.close(span);
    }

    fn unclosed(&mut self) {
        let Some(open) = self.open.last() else { return };
        let within = |error: &Error| (open.tag.start..open.tag.end).contains(&error.span.start);
        if self.errors.iter().any(within) {
            return;
        }
        let name = open.block.name();
        let error = Error::new(open.tag, "this block is never closed")
            .label("opened here")
            .help(format!(
                "add `</{name}>`, or write `\\{}` to keep it as text",
                open.tag.of(self.text)
            ));
        self.errors.push(error);
    }

    /// Makes a node of the innermost block.
    fn close(&mut self, end: Span) {
        let Some(Open { tag, block, outer }) = self.open.pop() else {
            return;
        };
        let nodes = std::mem::replace(&mut self.nodes, outer);
        let span = tag.to(end);
        let node = match block {
            Block::If {
                mut done,
                condition,
            } => {
                let mut otherwise = None;
                match condition {
                    Some(condition) => done.push(Branch {
                        condition,
                        body: nodes,
                    }),
                    None => otherwise = Some(nodes),
                }
                Node::If(If {
                    span,
                    branches: done,
                    otherwise,
                })
            }
            Block::For { head: None, .. } => Node::Error(span),
            Block::For {
                head: Some((binding, list)),
                body,
            } => {
                let (body, otherwise) = match body {
                    Some(body) => (body, Some(nodes)),
                    None => (nodes, None),
                };
                Node::For(For {
                    span,
                    binding,
                    list,
                    body,
                    otherwise,
                })
            }
            Block::Role(role) => {
                let body = without_outer_breaks(nodes);
                Node::Role(RoleBlock {
                    span,
                    role: Spanned::new(role, tag),
                    body,
                })
            }
        };
        self.nodes.push(node);
    }
}

/// Stands for a condition that could not be read.
fn unread(span: Span) -> Expr {
    Expr::Literal(Spanned::new(crate::Literal::Bool(false), span))
}

/// The line break after a role's opening tag and the one before its closing tag belong to the tags.
fn without_outer_breaks(mut nodes: Vec<Node>) -> Vec<Node> {
    if let Some(Node::Text(first)) = nodes.first_mut() {
        let cut = first.text.len()
            - first
                .text
                .strip_prefix("\r\n")
                .or(first.text.strip_prefix('\n'))
                .unwrap_or(&first.text)
                .len();
        first.text.drain(..cut);
    }
    if let Some(Node::Text(last)) = nodes.last_mut() {
        let kept = last
            .text
            .strip_suffix("\r\n")
            .or(last.text.strip_suffix('\n'))
            .unwrap_or(&last.text)
            .len();
        last.text.truncate(kept);
    }
    nodes.retain(|node| !matches!(node, Node::Text(text) if text.text.is_empty()));
    nodes
}

/// Where a role block is, everything said belongs into one.
fn outside_of_roles(text: &str, template: &Template, errors: &mut Vec<Error>) {
    if !template
        .nodes
        .iter()
        .any(|node| matches!(node, Node::Role(_)))
    {
        return;
    }
    for node in &template.nodes {
        let (span, what) = match node {
            Node::Text(words) if !words.text.trim().is_empty() => {
                let written = words.span.of(text);
                if let Some(error) = near_role(written, words.span.start) {
                    errors.push(error);
                    continue;
                }
                let start = words.span.end - written.trim_start().len();
                (Span::new(start, start + written.trim().len()), "text")
            }
            Node::If(block) => (block.span, "a block"),
            Node::For(block) => (block.span, "a block"),
            _ => continue,
        };
        let error = Error::new(span, format!("{what} stands outside of the roles"))
            .label("said by nobody")
            .help(
                "move it into `<system>…</system>`, `<user>…</user>` or `<assistant>…</assistant>`",
            );
        errors.push(error);
    }
}

/// A tag among text outside of the roles whose name is almost that of a role.
fn near_role(written: &str, start: usize) -> Option<Error> {
    written.match_indices('<').find_map(|(at, _)| {
        let rest = &written[at + 1..];
        let name = &rest[..name_len(rest)];
        let role = closest(name, Role::ALL.map(Role::name))?;
        let at = start + at + 1;
        let error = Error::new(
            Span::new(at, at + name.len()),
            format!("unknown role `{name}`"),
        )
        .label("not a role")
        .help(format!("did you mean `{role}`?"));
        rest[name.len()..].starts_with('>').then_some(error)
    })
}
