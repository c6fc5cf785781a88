//! Filters, tests and calls, with their arguments.

use super::JinjaExprParser;
use super::operand::is_reserved;
use crate::builtin::{TESTS, find};
use crate::problem::expr::IntendedExpr;
use crate::problem::{expr as problem, subset};
use crate::{CallExpr, Expr, Filter, JinjaExpr, Named, TestExpr};
use prompt_base::Span;
use prompt_syntax::dialect::TagToken;
use prompt_syntax::{Error, Path, Spanned};

type ParsedArgs = (Vec<Expr>, Vec<Named>);

impl JinjaExprParser<'_> {
    /// A value with filters and tests behind it.
    pub(super) fn parse_filters(&mut self, mut value: Expr, start: Span) -> Result<Expr, Error> {
        loop {
            value = match self.words.peek() {
                Some(TagToken::Sign("|")) => self.parse_filter(value, start)?,
                Some(TagToken::Name(name)) if name == "is" => self.parse_test(value, start)?,
                Some(TagToken::Sign("(")) => self.parse_call(value, start)?,
                _ => return Ok(value),
            };
        }
    }

    /// `| name`, `| name(arguments)`
    pub(super) fn parse_filter(&mut self, value: Expr, start: Span) -> Result<Expr, Error> {
        self.words.eat("|");
        self.filter_name(value, start)
    }

    /// The same, after the sign.
    pub(super) fn filter_name(&mut self, value: Expr, start: Span) -> Result<Expr, Error> {
        self.words.count()?;
        let first = self
            .words
            .name_or("the name of a filter", IntendedExpr::FILTER_NAME)?;
        let mut name = Spanned::new(vec![first.value], first.span);
        while !self.slices && self.words.is_next(":") && self.words.is_sign(1, ":") {
            self.words.at += 2;
            let segment = self.words.name("a name after `::`")?;
            name.span = name.span.to(segment.span);
            name.value.push(segment.value);
        }
        if self.words.is_next(".") {
            return Err(subset::dotted_filter().at(self.words.here()));
        }
        let (args, named) = match self.words.is_next("(") {
            true => self.parse_args()?,
            false => (Vec::new(), Vec::new()),
        };
        Ok(Expr::Filter(Box::new(Filter {
            value,
            name,
            args,
            named,
            span: start.to(self.words.before()),
        })))
    }

    /// `is name`, `is not name argument`
    fn parse_test(&mut self, value: Expr, start: Span) -> Result<Expr, Error> {
        self.words.at += 1;
        self.words.count()?;
        let negated = self.words.eat_name("not");
        let name = self
            .words
            .name_or("the name of a test", problem::TEST_NAME)?;
        known_test(&name)?;
        let args = match self.words.peek() {
            Some(TagToken::Sign("(")) => {
                let (args, named) = self.parse_args()?;
                if let Some(argument) = named.first() {
                    return Err(subset::named_argument_of_test().at(argument.name.span));
                }
                args
            }
            Some(TagToken::Name(word)) if matches!(word.as_str(), "else" | "or" | "and") => {
                Vec::new()
            }
            Some(TagToken::Name(word)) if word == "is" => {
                return Err(problem::test_after_test().at(self.words.here()));
            }
            Some(TagToken::Name(word)) if matches!(word.as_str(), "if" | "in" | "not") => {
                let value = self.words.text[start.start..self.words.before().end].trim();
                let problem = problem::word_for_argument(word, &name, value);
                return Err(problem.at(self.words.here()));
            }
            Some(
                TagToken::Name(_)
                | TagToken::Str(_)
                | TagToken::Int(_)
                | TagToken::Float(_)
                | TagToken::Sign("[" | "{"),
            ) => {
                vec![self.parse_unary(false)?]
            }
            _ => Vec::new(),
        };
        if let Some(error) = wrong_count(&name, &args) {
            return Err(error);
        }
        Ok(Expr::Other(JinjaExpr::Test(Box::new(TestExpr {
            value,
            name,
            args,
            negated,
            span: start.to(self.words.before()),
        }))))
    }

    /// `name(arguments)`, `value.name(arguments)`
    pub(super) fn parse_call(&mut self, callee: Expr, start: Span) -> Result<Expr, Error> {
        let last = self.words.before();
        let open = self.words.here();
        self.words.count()?;
        let (receiver, name) = match callee {
            Expr::Path(path) if path.span.end == last.end => split_method(path),
            Expr::Other(JinjaExpr::Attribute(attribute)) if attribute.span.end == last.end => {
                (Some(attribute.value), attribute.name)
            }
            callee => {
                let span = callee.span().to(open);
                return Err(subset::call_of_value().at(span));
            }
        };
        if receiver.is_none()
            && let Some(problem) = subset::unsupported_function(&name)
        {
            return Err(problem.at(name.span));
        }
        let (args, named) = self.parse_args()?;
        Ok(Expr::Other(JinjaExpr::Call(Box::new(CallExpr {
            receiver,
            name,
            args,
            named,
            span: start.to(self.words.before()),
        }))))
    }

    /// The arguments between parentheses; those with a name come last.
    fn parse_args(&mut self) -> Result<ParsedArgs, Error> {
        let open = self.words.here();
        self.words.eat("(");
        let mut named: Vec<Named> = Vec::new();
        let args = self.parse_items(")", open, |reader| {
            let here = reader.words.here();
            if reader.words.is_next("*") || reader.words.is_next("**") {
                return Err(subset::unpacked().at(here));
            }
            let name = match reader.words.peek() {
                Some(TagToken::Name(_)) if reader.words.is_sign(1, "=") => {
                    Some(reader.words.name("")?)
                }
                _ => None,
            };
            let Some(name) = name else {
                if let Some(before) = named.last() {
                    return Err(problem::argument_after_named(before.name.span).at(here));
                }
                return reader.parse_expression().map(Some);
            };
            if named.iter().any(|before| before.name == name) {
                return Err(problem::argument_twice(&name).at(name.span));
            }
            reader.words.eat("=");
            let value = reader.parse_expression()?;
            named.push(Named { name, value });
            Ok(None)
        })?;
        Ok((args.into_iter().flatten().collect(), named))
    }
}

/// The call of a path: its last name, on the value before it.
fn split_method(mut path: Path) -> (Option<Expr>, Spanned<String>) {
    let name = path.segments.pop();
    let Some(name) = name else {
        return (None, Spanned::new(String::new(), path.span));
    };
    let Some(last) = path.segments.last() else {
        return (None, name);
    };
    path.span.end = last.span.end;
    (Some(Expr::Path(path)), name)
}

fn known_test(name: &Spanned<String>) -> Result<(), Error> {
    let problem = match name.as_str() {
        "callable" | "escaped" => subset::test(name),
        "filter" | "test" => subset::test_of_name(name),
        known if find(TESTS, known).is_some() => return Ok(()),
        other => problem::unknown_test(other, TESTS.iter().map(|test| test.name)),
    };
    Err(problem.at(name.span))
}

/// Returns the error for a wrong number of arguments of a test.
fn wrong_count(name: &Spanned<String>, args: &[Expr]) -> Option<Error> {
    let takes = find(TESTS, name)?.params.len();
    match (takes, args.get(takes)) {
        (0, Some(first)) => Some(problem::test_takes_none(name).at(first.span())),
        (_, Some(more)) => Some(problem::test_takes_one(name).at(more.span())),
        (_, None) if args.len() < takes => Some(problem::test_without_argument(name).at(name.span)),
        _ => None,
    }
}

/// A name that something is bound to.
pub(super) fn expect_bindable(name: &Spanned<String>) -> Result<(), Error> {
    match is_reserved(name) {
        true => Err(problem::reserved_word(name).at(name.span)),
        false => Ok(()),
    }
}
