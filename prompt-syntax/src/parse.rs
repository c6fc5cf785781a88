//! The parser: builds the syntax tree from the tokens of any dialect, and collects all errors.

mod ends;
#[cfg(feature = "jinja")]
mod jinja;
mod roles;

pub use self::roles::is_said_beside;

use crate::problem::block as problem;

use crate::block::{Block, Open, Part};
use crate::lex::{Lexed, lex};
use crate::order::sort_by;
use crate::token::{Keyword, Token, TokenKind};
use crate::{Dialect, Error, Expr, Node, Options, Parsed, Slot, Span, Template, Text, expr};

/// More blocks inside each other than anyone writes; deeper ones would cost stack in whoever walks the tree.
const DEPTH: usize = 128;

/// Nobody reads more errors of one template than these; a binary file given as one would have thousands.
pub(crate) const SHOWN: usize = 100;

/// Reads a template. It never fails: what cannot be read is an error in the result, and the rest is there.
/// After a hundred errors the others are left out.
///
/// ```
/// use prompt_syntax::{Dialect, Options, parse};
///
/// let parsed = parse("<if x>yes", Options::message(Dialect::Angle));
/// assert_eq!(parsed.errors[0].message(), "this block is never closed");
/// ```
pub fn parse(text: &str, options: Options) -> Parsed {
    let Lexed {
        tokens,
        tags,
        errors,
        ..
    } = lex(text, options);
    let mut parser = Parser {
        text,
        dialect: options.dialect,
        nodes: Vec::new(),
        open: Vec::new(),
        ends_to_come: [0; Keyword::ALL.len()],
        cut: Vec::new(),
        errors,
    };
    for token in &tokens {
        parser.expect_end(&token.kind, 1);
    }
    for token in tokens {
        if !parser.token(token) {
            break;
        }
    }
    parser.finish();
    let template = Template {
        nodes: parser.nodes,
    };
    let mut errors = parser.errors;
    if options.roles {
        roles::said_by_nobody(text, &template, options.dialect, &mut errors);
    }
    sort_by(&mut errors, |one, other| {
        (one.span.start, one.span.end).cmp(&(other.span.start, other.span.end))
    });
    errors.truncate(SHOWN);
    Parsed {
        template,
        tags,
        errors,
    }
}

struct Parser<'a> {
    text: &'a str,
    dialect: Dialect,
    /// What is complete, of the innermost open block.
    nodes: Vec<Node>,
    open: Vec<Open>,
    /// How many more ends than beginnings are to come, of each kind of block.
    ends_to_come: [isize; Keyword::ALL.len()],
    /// Blocks that had to end before their own end, and the errors that say so.
    cut: Vec<(&'static str, Vec<usize>)>,
    errors: Vec<Error>,
}

impl Parser<'_> {
    /// Counts an end or a beginning among those that are to come.
    fn expect_end(&mut self, kind: &TokenKind, count: isize) {
        match kind {
            TokenKind::Begin(keyword, _) => self.ends_to_come[*keyword as usize] -= count,
            TokenKind::End(keyword) => self.ends_to_come[*keyword as usize] += count,
            _ => {}
        }
    }

    /// Takes one token; `false` where the rest cannot be read.
    fn token(&mut self, token: Token) -> bool {
        let Token {
            kind,
            span,
            reported,
        } = token;
        self.expect_end(&kind, -1);
        match kind {
            TokenKind::Text(text) => self.nodes.push(Node::Text(Text { span, text })),
            TokenKind::Slot(head) => {
                let node = match self.read(reported, expr::slot(self.text, head, self.dialect)) {
                    Some(expr) => Node::Slot(Slot { span, expr }),
                    None => Node::Error(span),
                };
                self.nodes.push(node);
            }
            TokenKind::Begin(keyword, head) => {
                let (block, read) = self.begin(keyword, span, head, reported);
                return self.enter(span, block, reported || !read);
            }
            #[cfg(feature = "jinja")]
            TokenKind::Set(head) => self.set(span, head, reported),
            #[cfg(feature = "jinja")]
            TokenKind::Include(head) => self.include(span, head, reported),
            TokenKind::Role(role) => {
                self.roles_stand_at_the_top(span, role);
                return self.enter(span, Block::Role(role), false);
            }
            TokenKind::Else => self.otherwise(span, None, reported),
            TokenKind::ElseIf(head) => {
                let condition = self.condition(span, head, reported);
                self.otherwise(span, Some(condition), reported);
            }
            TokenKind::End(keyword) => self.end(span, keyword.name(), reported),
            TokenKind::EndRole(role) => self.end(span, role.name(), reported),
            TokenKind::Error => self.nodes.push(Node::Error(span)),
        }
        true
    }

    /// Takes what was read. An error counts if the lexer has not reported the tag already.
    fn read<T>(&mut self, reported: bool, result: Result<T, Error>) -> Option<T> {
        result
            .map_err(|error| {
                if !reported {
                    self.errors.push(error);
                }
            })
            .ok()
    }

    /// The block that a tag begins, and whether its words could be read.
    fn begin(&mut self, keyword: Keyword, span: Span, head: Span, reported: bool) -> (Block, bool) {
        let empty = matches!(head.of(self.text), "" | "/");
        // A `with` may bind nothing.
        if empty && keyword != Keyword::With {
            self.says_nothing(span, keyword, reported);
        }
        let reported = reported || empty;
        let (text, dialect) = (self.text, self.dialect);
        let head = match keyword {
            Keyword::If => {
                let condition = self.read(reported, expr::condition(text, head, dialect));
                let read = condition.is_some();
                return (Block::If(Part::new(span, condition)), read);
            }
            Keyword::For => {
                let (head, error) = expr::loop_head(text, head, dialect);
                if !reported {
                    self.errors.extend(error);
                }
                let read = head.is_some();
                return (Block::For { head, body: None }, read);
            }
            #[cfg(feature = "jinja")]
            keyword => self.head(keyword, head, reported),
            #[cfg(not(feature = "jinja"))]
            _ => None,
        };
        let read = head.is_some();
        (Block::Other(keyword, head), read)
    }

    fn condition(&mut self, span: Span, head: Span, reported: bool) -> Option<Expr> {
        if matches!(head.of(self.text), "" | "/") {
            self.says_nothing(span, Keyword::If, reported);
            return None;
        }
        self.read(reported, expr::condition(self.text, head, self.dialect))
    }

    fn says_nothing(&mut self, span: Span, keyword: Keyword, reported: bool) {
        if reported {
            return;
        }
        let written = span.of(self.text);
        let error = problem::says_nothing(self.dialect, keyword, written).at(span);
        self.errors.push(error);
    }

    /// Opens a block. One whose tag is wrong already is excused from having an end.
    fn enter(&mut self, tag: Span, block: Block, excused: bool) -> bool {
        if self.open.len() == DEPTH {
            let error = problem::too_deep(DEPTH).at(tag);
            self.errors.push(error);
            self.nodes
                .push(Node::Error(Span::new(tag.start, self.text.len())));
            self.open.iter_mut().for_each(|open| open.excused = true);
            return false;
        }
        let outer = std::mem::take(&mut self.nodes);
        self.open.push(Open {
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
    fn otherwise(&mut self, span: Span, next: Option<Option<Expr>>, reported: bool) {
        let nodes = std::mem::take(&mut self.nodes);
        let Some(open) = self.open.last_mut() else {
            return self.misplaced(span, next.is_some(), nodes, reported);
        };
        match open.block.next(span, next, nodes) {
            Ok(()) => {}
            Err((next, nodes)) => self.misplaced(span, next.is_some(), nodes, reported),
        }
    }

    fn misplaced(&mut self, span: Span, condition: bool, nodes: Vec<Node>, reported: bool) {
        self.nodes = nodes;
        self.nodes.push(Node::Error(span));
        if reported {
            return;
        }
        let dialect = self.dialect;
        let written = span.of(self.text);
        let open = self.open.last().map(|open| (open, open.block.otherwise()));
        let problem = match open {
            Some((open, Some(first))) => {
                problem::after_else(dialect, written, open.block.name(), first)
            }
            Some((open, None)) if condition && matches!(open.block, Block::For { .. }) => {
                problem::condition_in_loop(dialect, written, open.tag)
            }
            Some((open, None)) if matches!(open.block, Block::Other(..)) => {
                problem::no_other_branch(dialect, written, open.block.name(), open.tag)
            }
            _ => problem::else_outside(dialect, written),
        };
        self.errors.push(problem.at(span));
    }
}
