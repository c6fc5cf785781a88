//! Filters, tests and calls, with their arguments.

use super::operand::is_reserved;
use super::{Reader, outside};
use crate::builtin::{REFUSED, TESTS, find};
use crate::suggest::closest;
use crate::token::Word;
use crate::{Call, Error, Expr, Filter, Named, Path, Span, Spanned, Test};

type Args = (Vec<Expr>, Vec<Named>);

impl Reader<'_> {
    /// A value with filters and tests behind it.
    pub(super) fn filtered(&mut self, mut value: Expr, start: Span) -> Result<Expr, Error> {
        loop {
            value = match self.words.peek() {
                Some(Word::Sign("|")) => self.filter(value, start)?,
                Some(Word::Name(name)) if name == "is" => self.test(value, start)?,
                Some(Word::Sign("(")) => self.call(value, start)?,
                _ => return Ok(value),
            };
        }
    }

    /// `| name`, `| name(arguments)`
    pub(super) fn filter(&mut self, value: Expr, start: Span) -> Result<Expr, Error> {
        self.words.eat("|");
        self.filter_name(value, start)
    }

    /// The same, after the sign.
    pub(super) fn filter_name(&mut self, value: Expr, start: Span) -> Result<Expr, Error> {
        self.words.count()?;
        let first = self.words.name("the name of a filter").map_err(|error| {
            error.help("write a filter like `trim`, `upper` or `join(\", \")` after `|`")
        })?;
        let mut name = Spanned::new(vec![first.value], first.span);
        while !self.slices && self.words.is_next(":") && self.words.is_sign(1, ":") {
            self.words.at += 2;
            let segment = self.words.name("a name after `::`")?;
            name.span = name.span.to(segment.span);
            name.value.push(segment.value);
        }
        if self.words.is_next(".") {
            let error = outside(self.words.here(), "a filter with a dot in its name");
            return Err(error.help(
                "write `|` before another filter, or `(…)` around the value to take a field of it",
            ));
        }
        let (args, named) = match self.words.is_next("(") {
            true => self.args()?,
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
    fn test(&mut self, value: Expr, start: Span) -> Result<Expr, Error> {
        self.words.at += 1;
        self.words.count()?;
        let negated = self.words.eat_name("not");
        let name = self.words.name("the name of a test").map_err(|error| {
            error.help(
                "write a test like `none`, `defined` or `string` after `is`, or `==` to compare",
            )
        })?;
        known_test(&name)?;
        let args = match self.words.peek() {
            Some(Word::Sign("(")) => {
                let (args, named) = self.args()?;
                if let Some(argument) = named.first() {
                    let error = outside(argument.name.span, "an argument with a name in a test");
                    return Err(error.help("write the value alone"));
                }
                args
            }
            Some(Word::Name(word)) if matches!(word.as_str(), "else" | "or" | "and") => Vec::new(),
            Some(Word::Name(word)) if word == "is" => {
                let error = Error::new(self.words.here(), "a test stands after a test");
                return Err(error
                    .label("not expected")
                    .help("join tests with `and` or `or`"));
            }
            Some(Word::Name(word)) if matches!(word.as_str(), "if" | "in" | "not") => {
                let value = self.words.text[start.start..self.words.before().end].trim();
                let error = Error::new(
                    self.words.here(),
                    format!(
                        "`{word}` stands where the test `{}` takes an argument",
                        name.value
                    ),
                );
                return Err(error
                    .label("not expected")
                    .help(format!("write `({value})` in parentheses")));
            }
            Some(
                Word::Name(_)
                | Word::Str(_)
                | Word::Int(_)
                | Word::Float(_)
                | Word::Sign("[" | "{"),
            ) => {
                vec![self.unary(false)?]
            }
            _ => Vec::new(),
        };
        if let Some(error) = wrong_count(&name, &args) {
            return Err(error);
        }
        Ok(Expr::Test(Box::new(Test {
            value,
            name,
            args,
            negated,
            span: start.to(self.words.before()),
        })))
    }

    /// `name(arguments)`, `value.name(arguments)`
    pub(super) fn call(&mut self, callee: Expr, start: Span) -> Result<Expr, Error> {
        let last = self.words.before();
        let open = self.words.here();
        self.words.count()?;
        let (receiver, name) = match callee {
            Expr::Path(path) if path.span.end == last.end => method(path),
            Expr::Attribute(attribute) if attribute.span.end == last.end => {
                (Some(attribute.value), attribute.name)
            }
            callee => {
                let place = callee.span().to(open);
                return Err(
                    outside(place, "a call of what is no macro, function or method")
                        .help("write `name(…)` or `value.name(…)`"),
                );
            }
        };
        if receiver.is_none()
            && let Some(help) = refused(&name)
        {
            return Err(outside(name.span, &format!("`{}(…)`", name.value)).help(help));
        }
        let (args, named) = self.args()?;
        Ok(Expr::Call(Box::new(Call {
            receiver,
            name,
            args,
            named,
            span: start.to(self.words.before()),
        })))
    }

    /// The arguments between parentheses; those with a name come last.
    fn args(&mut self) -> Result<Args, Error> {
        let open = self.words.here();
        self.words.eat("(");
        let mut named: Vec<Named> = Vec::new();
        let args = self.items(")", open, |reader| {
            let here = reader.words.here();
            if reader.words.is_next("*") || reader.words.is_next("**") {
                let error = outside(here, "an argument that is unpacked");
                return Err(error.help("write the arguments one by one"));
            }
            let name = match reader.words.peek() {
                Some(Word::Name(_)) if reader.words.is_sign(1, "=") => Some(reader.words.name("")?),
                _ => None,
            };
            let Some(name) = name else {
                if let Some(before) = named.last() {
                    let error = Error::new(
                        here,
                        "an argument without a name stands after one with a name",
                    )
                    .label("not expected")
                    .related(before.name.span, "has a name");
                    return Err(error.help("write the arguments without names first"));
                }
                return reader.expression().map(Some);
            };
            if named.iter().any(|before| before.name == name) {
                let error = Error::new(
                    name.span,
                    format!("the argument `{}` is given twice", name.value),
                );
                return Err(error.label("given before").help("remove one of them"));
            }
            reader.words.eat("=");
            let value = reader.expression()?;
            named.push(Named { name, value });
            Ok(None)
        })?;
        Ok((args.into_iter().flatten().collect(), named))
    }
}

/// What a path calls: its last name, on what stands before that.
fn method(mut path: Path) -> (Option<Expr>, Spanned<String>) {
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

/// What to write instead of a function that Jinja has.
fn refused(name: &str) -> Option<&'static str> {
    Some(match name {
        "namespace" => {
            "compute the value in Rust, or choose items with `| selectattr(…)` and `| first`"
        }
        "caller" => "give the text as an argument of the macro",
        "super" => "write the whole template here",
        "self" => "write the text, or a macro",
        "cycler" | "dict" | "joiner" | "lipsum" => {
            let refused = REFUSED.iter().find(|(refused, _)| *refused == name);
            refused.map_or("write the text", |(_, instead)| instead)
        }
        "loop" => "nest the loops that are needed: a loop cannot call itself",
        _ => return None,
    })
}

fn known_test(name: &Spanned<String>) -> Result<(), Error> {
    let error = match name.as_str() {
        "callable" | "escaped" => {
            let what = format!("the test `{}`", name.value);
            outside(name.span, &what).help("ask in Rust, and give a `bool` field")
        }
        "filter" | "test" => {
            let what = format!("the test `{}`", name.value);
            outside(name.span, &what).help("remove it: an unknown one is an error here")
        }
        known if find(TESTS, known).is_some() => return Ok(()),
        other => {
            let instead = match other {
                "null" | "nil" | "None" => Some("none"),
                "empty" => Some("not name"),
                "True" => Some("true"),
                "False" => Some("false"),
                "str" | "text" => Some("string"),
                "int" => Some("integer"),
                "bool" => Some("boolean"),
                "dict" | "map" | "object" => Some("mapping"),
                "list" | "array" => Some("sequence"),
                "equal" | "equals" => Some("eq"),
                other => closest(other, TESTS.iter().map(|test| test.name)),
            };
            let error =
                Error::new(name.span, format!("unknown test `{other}`")).label("not a test");
            match instead {
                Some("not name") => {
                    error.help("write `not` before the value: what is empty is false")
                }
                Some(right) => error.help(format!("write `is {right}`")),
                None => error.help(format!(
                    "write `== {other}` to compare, or a test like `none`, `defined`, `string`"
                )),
            }
        }
    };
    Err(error)
}

/// What is wrong with the number of a test's arguments.
fn wrong_count(name: &Spanned<String>, args: &[Expr]) -> Option<Error> {
    let takes = find(TESTS, name)?.params.len();
    let test = &name.value;
    let error = match (takes, args.get(takes)) {
        (0, Some(first)) => {
            let error = Error::new(first.span(), format!("the test `{test}` takes no argument"));
            error
                .label("not expected")
                .help("remove it, or join conditions with `and` or `or`")
        }
        (_, Some(more)) => {
            let error = Error::new(more.span(), format!("the test `{test}` takes one argument"));
            error.label("not expected").help("remove it")
        }
        (_, None) if args.len() < takes => {
            let error = Error::new(name.span, format!("the test `{test}` takes an argument"));
            error
                .label("none given")
                .help(format!("write `is {test}(…)`"))
        }
        _ => return None,
    };
    Some(error)
}

/// A name that something is bound to.
pub(super) fn bindable(name: &Spanned<String>) -> Result<(), Error> {
    if !is_reserved(name) {
        return Ok(());
    }
    let error = Error::new(
        name.span,
        format!("`{}` is a word of the language", name.value),
    );
    Err(error.label("not a name").help("give it another name"))
}
