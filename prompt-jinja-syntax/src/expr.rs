//! Jinja's expressions, with Jinja2's precedence, and the heads of its tags.

mod call;
mod head;
mod operand;
mod wrong;

pub(crate) use head::{filter_head, include, loop_head, macro_head, set, set_head, with_head};

use crate::lex::words::split_tokens;
use crate::problem::{expr as problem, subset};
use crate::{Binary, BinaryOp, Compare, Conditional, Expr, JinjaExpr};
use prompt_base::Span;
use prompt_syntax::dialect::{Cursor, TagToken};
use prompt_syntax::{CompareOp, Error, Spanned};

/// Reads what fills a slot.
pub(crate) fn parse_slot(text: &str, span: Span) -> Result<Expr, Error> {
    let read = JinjaExprParser::new(text, span)
        .and_then(|reader| reader.parse_all(|reader| reader.parse_tuple(true)));
    let written = span.of(text);
    read.map_err(|error| match subset::handlebars_tag(written) {
        Some(problem) => problem.at(span),
        None => match subset::format_of_slot(written) {
            Some(problem) => problem.at(span),
            None => error,
        },
    })
}

/// Reads what decides a condition.
pub(crate) fn parse_condition(text: &str, span: Span) -> Result<Expr, Error> {
    let mut reader = JinjaExprParser::new(text, span)?;
    let condition = reader.parse_conditional(false)?;
    if reader.words.is_next(",") {
        return Err(subset::condition_of_several_values().at(reader.words.here()));
    }
    reader.eat_colon();
    reader.expect_end()?;
    Ok(condition)
}

struct JinjaExprParser<'a> {
    words: Cursor<'a>,
    /// Whether a `:` is one of a slice, and so none of a filter's path.
    slices: bool,
    /// How many brackets are open.
    brackets: usize,
}

/// More brackets inside each other than anyone writes. Reading them costs much more stack than an operator does.
const BRACKETS: usize = 32;

/// The precedence of operators.
mod level {
    pub(super) const OR: u8 = 1;
    pub(super) const AND: u8 = 2;
    pub(super) const NOT: u8 = 3;
    pub(super) const COMPARE: u8 = 4;
    pub(super) const SUM: u8 = 5;
    pub(super) const CONCAT: u8 = 6;
    pub(super) const PRODUCT: u8 = 7;
    pub(super) const POWER: u8 = 8;
}

/// An operator between two values.
#[derive(Clone, Copy)]
enum Operator {
    Or,
    And,
    Compare(CompareOp),
    Concat,
    Binary(BinaryOp),
}

impl Operator {
    const fn level(self) -> u8 {
        match self {
            Operator::Or => level::OR,
            Operator::And => level::AND,
            Operator::Compare(_) => level::COMPARE,
            Operator::Binary(BinaryOp::Add | BinaryOp::Sub) => level::SUM,
            Operator::Concat => level::CONCAT,
            Operator::Binary(BinaryOp::Pow) => level::POWER,
            Operator::Binary(_) => level::PRODUCT,
        }
    }

    /// The words that it is written with.
    const fn words(self) -> usize {
        match self {
            Operator::Compare(CompareOp::NotIn) => 2,
            _ => 1,
        }
    }
}

impl<'a> JinjaExprParser<'a> {
    fn new(text: &'a str, span: Span) -> Result<JinjaExprParser<'a>, Error> {
        let words = Cursor::new(text, span, split_tokens(text, span)?);
        Ok(JinjaExprParser {
            words,
            slices: false,
            brackets: 0,
        })
    }

    /// Reads up to the end.
    fn parse_all<T>(
        mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let value = read(&mut self)?;
        self.expect_end()?;
        Ok(value)
    }

    /// Parses the content of brackets.
    fn parse_within<T>(
        &mut self,
        slices: bool,
        read: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if self.brackets == BRACKETS {
            return Err(problem::too_many_brackets(BRACKETS).at(self.words.here()));
        }
        let outside = std::mem::replace(&mut self.slices, slices);
        self.brackets += 1;
        let value = read(self);
        self.brackets -= 1;
        self.slices = outside;
        value
    }

    /// A `:` may end the tag of a block, as in Python.
    fn eat_colon(&mut self) {
        if self.words.at + 1 == self.words.words.len() {
            self.words.eat(":");
        }
    }

    /// Several values with commas between them, or one.
    fn parse_tuple(&mut self, with_if: bool) -> Result<Expr, Error> {
        let start = self.words.here();
        let first = self.parse_conditional(with_if)?;
        if !self.words.is_next(",") {
            return Ok(first);
        }
        let before = self.words.operators;
        let mut most = before;
        let mut items = vec![first];
        while self.words.eat(",") && !self.is_tuple_end() {
            self.words.operators = before;
            items.push(self.parse_conditional(with_if)?);
            most = most.max(self.words.operators);
        }
        self.words.operators = most;
        Ok(Expr::Other(JinjaExpr::Tuple(Spanned::new(
            items,
            start.to(self.words.before()),
        ))))
    }

    fn is_tuple_end(&self) -> bool {
        match self.words.peek() {
            None | Some(TagToken::Sign(")")) => true,
            Some(TagToken::Name(name)) => name == "recursive",
            Some(_) => false,
        }
    }

    fn parse_expression(&mut self) -> Result<Expr, Error> {
        self.parse_conditional(true)
    }

    /// `a if b else c`, where it is accepted.
    fn parse_conditional(&mut self, with_if: bool) -> Result<Expr, Error> {
        let start = self.words.here();
        let mut value = self.parse_binary(level::OR)?;
        while with_if && self.words.eat_name("if") {
            self.words.count()?;
            let condition = self.parse_binary(level::OR)?;
            let otherwise = match self.words.eat_name("else") {
                true => Some(self.parse_conditional(true)?),
                false => None,
            };
            value = Expr::Other(JinjaExpr::If(Box::new(Conditional {
                value,
                condition,
                otherwise,
                span: start.to(self.words.before()),
            })));
        }
        Ok(value)
    }

    /// Values with operators between them that bind at least as tightly as this.
    fn parse_binary(&mut self, least: u8) -> Result<Expr, Error> {
        let start = self.words.here();
        let mut left = match least <= level::NOT && self.words.eat_name("not") {
            true => {
                self.words.count()?;
                let inner = self.parse_binary(level::NOT)?;
                let span = start.to(self.words.before());
                Expr::Not(Box::new(Spanned::new(inner, span)))
            }
            false => self.parse_unary(true)?,
        };
        while let Some(op) = self.peek_operator().filter(|op| op.level() >= least) {
            self.words.count()?;
            left = match op {
                Operator::Compare(_) => self.parse_comparisons(left, start)?,
                Operator::Concat => self.parse_concat(left, start)?,
                _ => {
                    let op_span = self.words.here();
                    self.words.at += op.words();
                    let right = self.parse_binary(op.level() + 1)?;
                    let span = start.to(self.words.before());
                    match op {
                        Operator::Or => Expr::Or(Box::new((left, right))),
                        Operator::Binary(op) => Expr::Other(JinjaExpr::Binary(Box::new(Binary {
                            op: Spanned::new(op, op_span),
                            left,
                            right,
                            span,
                        }))),
                        _ => Expr::And(Box::new((left, right))),
                    }
                }
            };
        }
        Ok(left)
    }

    fn parse_comparisons(&mut self, first: Expr, start: Span) -> Result<Expr, Error> {
        let mut rest = Vec::new();
        while let Some(Operator::Compare(op)) = self.peek_operator() {
            let mut span = self.words.here();
            self.words.at += Operator::Compare(op).words();
            span = span.to(self.words.before());
            rest.push((Spanned::new(op, span), self.parse_binary(level::SUM)?));
        }
        Ok(Expr::Compare(Box::new(Compare {
            first,
            rest,
            span: start.to(self.words.before()),
        })))
    }

    fn parse_concat(&mut self, first: Expr, start: Span) -> Result<Expr, Error> {
        let mut items = vec![first];
        while self.words.eat("~") {
            items.push(self.parse_binary(level::PRODUCT)?);
        }
        let span = start.to(self.words.before());
        Ok(Expr::Other(JinjaExpr::Concat(Spanned::new(items, span))))
    }

    fn peek_operator(&self) -> Option<Operator> {
        Some(match self.words.peek()? {
            TagToken::Name(name) => match name.as_str() {
                "or" => Operator::Or,
                "and" => Operator::And,
                "in" => Operator::Compare(CompareOp::In),
                "not" if self.words.is_name(1, "in") => Operator::Compare(CompareOp::NotIn),
                _ => return None,
            },
            TagToken::Sign(sign) => match *sign {
                "==" => Operator::Compare(CompareOp::Eq),
                "!=" => Operator::Compare(CompareOp::Ne),
                "<" => Operator::Compare(CompareOp::Lt),
                "<=" => Operator::Compare(CompareOp::Le),
                ">" => Operator::Compare(CompareOp::Gt),
                ">=" => Operator::Compare(CompareOp::Ge),
                "~" => Operator::Concat,
                "+" => Operator::Binary(BinaryOp::Add),
                "-" => Operator::Binary(BinaryOp::Sub),
                "*" => Operator::Binary(BinaryOp::Mul),
                "/" => Operator::Binary(BinaryOp::Div),
                "//" => Operator::Binary(BinaryOp::FloorDiv),
                "%" => Operator::Binary(BinaryOp::Mod),
                "**" => Operator::Binary(BinaryOp::Pow),
                _ => return None,
            },
            _ => return None,
        })
    }
}
