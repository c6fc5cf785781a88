//! What stands in the tags of `for`, `set`, `with`, `macro`, `filter` and `include`.

use super::call::bindable;
use super::{Reader, outside};
use crate::block::{Head, LoopHead};
use crate::token::Word;
use crate::{Dialect, Error, Expr, Named, Param, Span, Spanned};

type Targets = Vec<Spanned<String>>;

/// Reads `item in list`, as far as it can be read, and what is wrong with it.
pub(crate) fn loop_head(text: &str, span: Span) -> (Option<LoopHead>, Option<Error>) {
    let mut reader = match Reader::new(text, span) {
        Ok(reader) => reader,
        Err(error) => return (None, Some(error)),
    };
    let targets = match reader.targets("in") {
        Ok(targets) => targets,
        Err(error) => return (None, Some(error)),
    };
    if let Some(name) = targets.iter().find(|name| name.value == "loop") {
        let error = Error::new(name.span, "`loop` is the loop itself")
            .label("not a name for an item")
            .help("give it another name");
        return (None, Some(error));
    }
    let mut wrong = None;
    if !reader.words.eat_name("in") {
        let error = reader.wrong("`in`");
        let _ = reader.words.eat_name("of") || reader.words.eat(":") || reader.words.eat("=");
        let names: Vec<&str> = targets.iter().map(|name| name.as_str()).collect();
        let list = match Span::new(reader.words.here().start, span.end).of(text) {
            "" => names[0],
            list => list,
        };
        let right = match list == names[0] {
            true => format!("for item in {list}"),
            false => format!("for {} in {list}", names.join(", ")),
        };
        wrong = Some(error.help(format!("write `{}`", Dialect::Jinja.tag(&right))));
    }
    match reader.rest_of_loop(targets) {
        Ok(head) => (Some(head), wrong),
        Err(error) => (None, wrong.or(Some(error))),
    }
}

/// Reads `a, b = value`.
pub(crate) fn set(text: &str, span: Span) -> Result<(Targets, Expr), Error> {
    Reader::new(text, span)?.whole(|reader| {
        let targets = reader.targets("=")?;
        reader.expect("=", "`=`")?;
        Ok((targets, reader.tuple(true)?))
    })
}

/// Reads the tag of a `set` that has a block: `name`, `name | filter`.
pub(crate) fn set_head(text: &str, span: Span) -> Result<Head, Error> {
    Reader::new(text, span)?.whole(|reader| {
        let mut targets = reader.targets("=")?;
        if let [_, second, ..] = &targets[..] {
            let error = Error::new(second.span, "the text of a block has one name");
            return Err(error
                .label("not expected")
                .help("write `=` and the values, or remove it"));
        }
        let mut value = Expr::Body(Spanned::new((), span));
        reader.filters(&mut value, span)?;
        reader.colon();
        if reader.words.peek().is_some() {
            let error = reader.wrong("`=`");
            return Err(error.help("write `{% set name = value %}`"));
        }
        Ok(Head::Set(targets.swap_remove(0), value))
    })
}

/// Reads `a = value, b = value`.
pub(crate) fn with_head(text: &str, span: Span) -> Result<Head, Error> {
    Reader::new(text, span)?.whole(|reader| {
        let mut bindings: Vec<Named> = Vec::new();
        while reader.words.peek().is_some() {
            if !bindings.is_empty() {
                reader.expect(",", "`,`")?;
            }
            let name = reader.words.name("a name")?;
            bindable(&name)?;
            if reader.words.is_next(",") {
                let error = outside(
                    reader.words.here(),
                    "a `with` of several names for one value",
                );
                return Err(error.help("write `a = …, b = …`"));
            }
            reader.expect("=", "`=`")?;
            let value = reader.expression()?;
            bindings.push(Named { name, value });
        }
        Ok(Head::With(bindings))
    })
}

/// Reads `name(parameter, parameter=default)`.
pub(crate) fn macro_head(text: &str, span: Span) -> Result<Head, Error> {
    Reader::new(text, span)?.whole(|reader| {
        let name = reader.words.name("the name of the macro")?;
        bindable(&name)?;
        let open = reader.words.here();
        if !reader.words.eat("(") {
            let error = reader.wrong("`(`");
            return Err(error.help(format!("write `{{% macro {}() %}}`", name.value)));
        }
        let mut params: Vec<Param> = Vec::new();
        reader.items(")", open, |reader| {
            let param = reader.param(&params)?;
            params.push(param);
            if reader.words.is_next(",") && reader.words.is_sign(1, ")") {
                let error = Error::new(
                    reader.words.here(),
                    "a comma stands behind the last parameter",
                );
                return Err(error.label("not expected").help("remove it"));
            }
            Ok(())
        })?;
        reader.colon();
        Ok(Head::Macro(name, params))
    })
}

/// Reads `upper | trim`.
pub(crate) fn filter_head(text: &str, span: Span) -> Result<Head, Error> {
    Reader::new(text, span)?.whole(|reader| {
        let mut value = reader.filter_name(Expr::Body(Spanned::new((), span)), span)?;
        reader.filters(&mut value, span)?;
        reader.colon();
        if reader.words.peek().is_some() {
            let error = reader.wrong("`|`");
            return Err(error.help("write `|` before another filter"));
        }
        Ok(Head::Filter(value))
    })
}

/// Reads `"path"`.
pub(crate) fn include(text: &str, span: Span) -> Result<Spanned<String>, Error> {
    Reader::new(text, span)?.whole(|reader| {
        let place = reader.words.here();
        let Some(Word::Str(path)) = reader.words.peek().cloned() else {
            let what = "an include of what is no path in quotes";
            let error = match reader.words.peek() {
                Some(_) => outside(place, what),
                None => reader.wrong("a path in quotes"),
            };
            return Err(error.help("write `{% include \"file.jinja\" %}`"));
        };
        reader.words.at += 1;
        if reader.words.is_name(0, "ignore") {
            let error = outside(reader.words.here(), "`ignore missing`");
            return Err(error.help("remove it: the file is read when the template is compiled"));
        }
        if reader.words.is_name(0, "without") {
            let error = outside(reader.words.here(), "`without context`");
            return Err(error.help("remove it: an included template sees the names around it"));
        }
        if reader.words.is_name(0, "with") && reader.words.is_name(1, "context") {
            reader.words.at += 2;
        }
        Ok(Spanned::new(path, place))
    })
}

impl Reader<'_> {
    /// The filters after a block's text, each with its `|`.
    fn filters(&mut self, value: &mut Expr, head: Span) -> Result<(), Error> {
        while self.words.is_next("|") {
            let before = std::mem::replace(value, Expr::Body(Spanned::new((), head)));
            *value = self.filter(before, head)?;
        }
        Ok(())
    }

    fn rest_of_loop(&mut self, targets: Targets) -> Result<LoopHead, Error> {
        let list = self.tuple(false)?;
        let condition = match self.words.eat_name("if") {
            true => Some(self.expression()?),
            false => None,
        };
        if self.words.is_name(0, "recursive") {
            let error = outside(self.words.here(), "a recursive loop");
            return Err(error.help("nest the loops that are needed, or give the items as one list"));
        }
        self.colon();
        self.end()?;
        Ok(LoopHead {
            targets,
            list,
            condition,
        })
    }

    /// One name or several, in parentheses or not; `before` is what comes after them.
    fn targets(&mut self, before: &str) -> Result<Targets, Error> {
        let open = self.words.here();
        let wrapped = self.words.eat("(");
        let mut names: Targets = Vec::new();
        loop {
            let name = self.target(before)?;
            if names.contains(&name) && name.value != "_" {
                let error = Error::new(name.span, format!("`{}` is named twice", name.value));
                return Err(error
                    .label("named before")
                    .help("give one of them another name"));
            }
            names.push(name);
            if !self.words.eat(",") {
                break;
            }
            // A comma may stand behind the last one; before `=`, Jinja2 has none.
            let ends = self.words.is_next(")") || self.words.is_name(0, "in");
            if ends && names.len() > 1 {
                break;
            }
        }
        if wrapped {
            self.close(")", open)?;
        }
        Ok(names)
    }

    fn target(&mut self, before: &str) -> Result<Spanned<String>, Error> {
        let here = self.words.here();
        match self.words.peek() {
            Some(Word::Sign("(")) => {
                let error = outside(here, "a part of an item that is taken apart itself");
                return Err(error.help("name it, and take its items by `[0]`"));
            }
            Some(Word::Name(name)) if name == "in" && before == "in" => {
                return Err(self
                    .wrong("the name of one item")
                    .help("write a name before `in`"));
            }
            _ => {}
        }
        let name = self.words.name("a name")?;
        bindable(&name)?;
        if self.words.is_next(".") || self.words.is_next("[") {
            let error = outside(here.to(self.words.here()), "a value for a part of a name");
            return Err(error.help("give it a name of its own: `{% set name = … %}`"));
        }
        Ok(name)
    }

    fn param(&mut self, before: &[Param]) -> Result<Param, Error> {
        let name = self.words.name("the name of a parameter")?;
        bindable(&name)?;
        if before.iter().any(|param| param.name == name) {
            let error = Error::new(
                name.span,
                format!("the parameter `{}` is named twice", name.value),
            );
            return Err(error
                .label("named before")
                .help("give one of them another name"));
        }
        let default = match self.words.eat("=") {
            true => Some(self.expression()?),
            false => None,
        };
        if default.is_none()
            && let Some(other) = before.iter().find(|param| param.default.is_some())
        {
            let error = Error::new(
                name.span,
                "a parameter without a default stands after one with a default",
            )
            .label("no default")
            .related(other.name.span, "has a default");
            return Err(error.help("write the parameters without a default first"));
        }
        Ok(Param { name, default })
    }

    fn expect(&mut self, sign: &str, what: &str) -> Result<(), Error> {
        match self.words.eat(sign) {
            true => Ok(()),
            false => Err(self.wrong(what)),
        }
    }
}
