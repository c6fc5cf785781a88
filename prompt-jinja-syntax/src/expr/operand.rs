//! A value with its prefix and postfix operators: `-a.b[0] | upper is string`.

use super::JinjaExprParser;
use crate::problem::expr::IntendedExpr;
use crate::problem::subset;
use crate::{Attribute, Expr, Index, JinjaExpr, Slice};
use prompt_base::Span;
use prompt_syntax::dialect::TagToken;
use prompt_syntax::{Error, Literal, Path, Spanned};

impl JinjaExprParser<'_> {
    pub(super) fn parse_unary(&mut self, with_filter: bool) -> Result<Expr, Error> {
        let start = self.words.here();
        let value = if self.words.eat("-") {
            self.words.count()?;
            let inner = self.parse_unary(false)?;
            let span = start.to(self.words.before());
            Expr::Other(JinjaExpr::Neg(Box::new(Spanned::new(inner, span))))
        } else if self.words.is_next("+") {
            return Err(subset::plus().at(start));
        } else {
            let value = self.parse_primary()?;
            self.parse_postfix(value, start)?
        };
        match with_filter {
            true => self.parse_filters(value, start),
            false => Ok(value),
        }
    }

    fn parse_primary(&mut self) -> Result<Expr, Error> {
        let Some(word) = self.words.words.get(self.words.at).cloned() else {
            return Err(self.expected_value());
        };
        let literal = match word.value {
            TagToken::Name(name) => match name.as_str() {
                "true" | "True" => Literal::Bool(true),
                "false" | "False" => Literal::Bool(false),
                "none" | "None" => Literal::None,
                _ => return self.parse_path(name, word.span).map(Expr::Path),
            },
            TagToken::Str(_) => return Ok(self.parse_strings()),
            TagToken::Int(number) => Literal::Int(number),
            TagToken::Float(number) => Literal::Float(number),
            TagToken::Sign(sign) => {
                return match sign {
                    "(" => self.parse_parenthesised(),
                    "[" => self.parse_list(),
                    "{" => self.parse_dict(),
                    _ => Err(self.expected_value()),
                };
            }
        };
        self.words.at += 1;
        Ok(Expr::Literal(Spanned::new(literal, word.span)))
    }

    /// The first name of a path.
    fn parse_path(&mut self, name: String, span: Span) -> Result<Path, Error> {
        if is_reserved(&name) {
            return Err(self.expected_value());
        }
        self.words.at += 1;
        Ok(Path {
            span,
            segments: vec![Spanned::new(name, span)],
            input: false,
        })
    }

    /// Adjacent strings are one.
    fn parse_strings(&mut self) -> Expr {
        let mut span = self.words.here();
        let mut value = String::new();
        while let Some(TagToken::Str(text)) = self.words.peek() {
            value.push_str(text);
            span = span.to(self.words.here());
            self.words.at += 1;
        }
        Expr::Literal(Spanned::new(Literal::Str(value), span))
    }

    fn parse_parenthesised(&mut self) -> Result<Expr, Error> {
        let open = self.words.here();
        self.words.eat("(");
        self.words.count()?;
        if self.words.eat(")") {
            let span = open.to(self.words.before());
            return Ok(Expr::Other(JinjaExpr::Tuple(Spanned::new(
                Vec::new(),
                span,
            ))));
        }
        let inner = self.parse_within(false, |reader| reader.parse_tuple(true))?;
        self.expect_close(")", open)?;
        Ok(match inner {
            Expr::Other(JinjaExpr::Tuple(mut items)) if items.span.start > open.start => {
                // One in parentheses of its own has its span already.
                if self.is_bare(&items) {
                    items.span = open.to(self.words.before());
                }
                Expr::Other(JinjaExpr::Tuple(items))
            }
            inner => inner,
        })
    }

    /// Whether a tuple was written without parentheses.
    fn is_bare(&self, items: &Spanned<Vec<Expr>>) -> bool {
        !self.words.text[items.span.range()].starts_with('(')
            || items
                .first()
                .is_some_and(|first| first.span().start > items.span.start)
    }

    fn parse_list(&mut self) -> Result<Expr, Error> {
        let open = self.words.here();
        self.words.eat("[");
        let items = self.parse_items("]", open, JinjaExprParser::parse_expression)?;
        let span = open.to(self.words.before());
        Ok(Expr::Other(JinjaExpr::List(Spanned::new(items, span))))
    }

    fn parse_dict(&mut self) -> Result<Expr, Error> {
        let open = self.words.here();
        self.words.eat("{");
        let entries = self.parse_items("}", open, |reader| {
            let key = reader.parse_expression()?;
            if !reader.words.eat(":") {
                return Err(
                    reader.unexpected_error("`:`", IntendedExpr::Written("{\"key\": value}"))
                );
            }
            Ok((key, reader.parse_expression()?))
        })?;
        let span = open.to(self.words.before());
        Ok(Expr::Other(JinjaExpr::Dict(Spanned::new(entries, span))))
    }

    /// The values between brackets, separated by commas, up to the closing bracket. They are siblings, so that
    /// only the deepest of them counts.
    pub(super) fn parse_items<T>(
        &mut self,
        close: &'static str,
        open: Span,
        mut read: impl FnMut(&mut Self) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        self.words.count()?;
        let before = self.words.operators;
        let mut most = before;
        let mut items = Vec::new();
        while !self.words.is_next(close) {
            self.words.operators = before;
            items.push(self.parse_within(false, &mut read)?);
            most = most.max(self.words.operators);
            if !self.words.eat(",") {
                break;
            }
        }
        self.words.operators = most;
        self.expect_close(close, open)?;
        Ok(items)
    }

    /// `.name`, `.0`, `[index]`, `[start:stop]`, `(arguments)`
    fn parse_postfix(&mut self, mut value: Expr, start: Span) -> Result<Expr, Error> {
        loop {
            value = match self.words.peek() {
                Some(TagToken::Sign(".")) => self.parse_part(value, start)?,
                Some(TagToken::Sign("[")) => self.parse_subscript(value, start)?,
                Some(TagToken::Sign("(")) => self.parse_call(value, start)?,
                _ => return Ok(value),
            };
        }
    }

    fn parse_part(&mut self, value: Expr, start: Span) -> Result<Expr, Error> {
        let last = self.words.before();
        self.words.eat(".");
        if let Some(TagToken::Int(number)) = self.words.peek() {
            let index = Spanned::new(Literal::Int(*number), self.words.here());
            self.words.at += 1;
            self.words.count()?;
            return Ok(Expr::Other(JinjaExpr::Index(Box::new(Index {
                value,
                index: Expr::Literal(index),
                span: start.to(self.words.before()),
            }))));
        }
        let name = self.words.name("a name after `.`")?;
        let span = start.to(name.span);
        match value {
            // After a closing parenthesis the path is over.
            Expr::Path(mut path) if path.span.end == last.end => {
                path.span = path.span.to(name.span);
                path.segments.push(name);
                Ok(Expr::Path(path))
            }
            value => {
                self.words.count()?;
                Ok(Expr::Other(JinjaExpr::Attribute(Box::new(Attribute {
                    value,
                    name,
                    span,
                }))))
            }
        }
    }

    fn parse_subscript(&mut self, value: Expr, start: Span) -> Result<Expr, Error> {
        let open = self.words.here();
        self.words.eat("[");
        self.words.count()?;
        if self.words.is_next("]") {
            return Err(self.expected_value());
        }
        let first = match self.words.is_next(":") {
            true => None,
            false => Some(self.parse_within(true, JinjaExprParser::parse_expression)?),
        };
        let (mut stop, mut step) = (None, None);
        let slice = self.words.eat(":");
        if slice {
            stop = self.parse_bound()?;
            if self.words.eat(":") {
                step = self.parse_bound()?;
            }
        }
        if self.words.is_next(",") {
            return Err(subset::index_of_several_values().at(self.words.here()));
        }
        self.expect_close("]", open)?;
        let span = start.to(self.words.before());
        Ok(match first {
            Some(index) if !slice => {
                Expr::Other(JinjaExpr::Index(Box::new(Index { value, index, span })))
            }
            start => Expr::Other(JinjaExpr::Slice(Box::new(Slice {
                value,
                start,
                stop,
                step,
                span,
            }))),
        })
    }

    /// One of the numbers of a slice, if it is there.
    fn parse_bound(&mut self) -> Result<Option<Expr>, Error> {
        match self.words.peek() {
            None | Some(TagToken::Sign("]" | ":" | ",")) => Ok(None),
            Some(_) => self
                .parse_within(true, JinjaExprParser::parse_expression)
                .map(Some),
        }
    }
}

/// Whether a word is one of the language, so that it names no value.
pub(crate) fn is_reserved(name: &str) -> bool {
    [
        "true", "True", "false", "False", "none", "None", "not", "and", "or", "in", "is", "if",
        "else", "elif", "for",
    ]
    .contains(&name)
}
