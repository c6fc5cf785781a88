//! The tags of `for`, `set`, `with`, `macro`, `filter` and `include`.

use super::JinjaExprParser;
use super::call::expect_bindable;
use crate::head::BlockHead;
use crate::problem::expr::IntendedExpr;
use crate::problem::{expr as problem, subset};
use crate::{Expr, Jinja, JinjaExpr, MacroParam, Named};
use prompt_base::Span;
use prompt_syntax::dialect::{LoopHead, TagToken, find_range};
use prompt_syntax::{Dialect, Error, Spanned};

type Targets = Vec<Spanned<String>>;

/// Reads `item in list`, as far as it can be read, and what is wrong with it.
pub(crate) fn loop_head(text: &str, span: Span) -> (Option<LoopHead<Jinja>>, Option<Error>) {
    let (head, wrong) = read_loop_head(text, span);
    match find_range(text, span) {
        Some(sign) if wrong.is_some() => (None, Some(range_error(text, span, sign))),
        _ => (head, wrong),
    }
}

/// The error of a range that is written as in another language: `1..5`, `1..=count`.
fn range_error(text: &str, span: Span, sign: Span) -> Error {
    let before = &text[span.start..sign.start];
    let first = before.rsplit_once(" in ").map_or("", |(_, first)| first);
    let first = first.trim_start_matches([' ', '(']).trim_end();
    let after = &text[sign.end..span.end];
    let end = after.split(" if ").next().unwrap_or_default();
    let end = end.split(['|', ')']).next().unwrap_or_default().trim();
    let is_inclusive = sign.of(text).ends_with('=');
    problem::range_sign(sign.of(text), first, end, is_inclusive).at(sign)
}

fn read_loop_head(text: &str, span: Span) -> (Option<LoopHead<Jinja>>, Option<Error>) {
    let mut reader = match JinjaExprParser::new(text, span) {
        Ok(reader) => reader,
        Err(error) => return (None, Some(error)),
    };
    let targets = match reader.parse_targets("in") {
        Ok(targets) => targets,
        Err(error) => return (None, Some(error)),
    };
    if let Some(name) = targets.iter().find(|name| name.value == "loop") {
        return (None, Some(problem::item_named_loop().at(name.span)));
    }
    let mut wrong = None;
    if !reader.words.eat_name("in") {
        let at = reader.words.at;
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
        let on = std::mem::replace(&mut reader.words.at, at);
        let right = Dialect::Jinja.tag(&right);
        wrong = Some(reader.unexpected_error("`in`", IntendedExpr::Written(&right)));
        reader.words.at = on;
    }
    match reader.rest_of_loop(targets) {
        Ok(head) => (Some(head), wrong),
        Err(error) => (None, wrong.or(Some(error))),
    }
}

/// Reads `a, b = value`.
pub(crate) fn set(text: &str, span: Span) -> Result<(Targets, Expr), Error> {
    JinjaExprParser::new(text, span)?.parse_all(|reader| {
        let targets = reader.parse_targets("=")?;
        reader.expect_sign("=", "`=`")?;
        Ok((targets, reader.parse_tuple(true)?))
    })
}

/// Reads the tag of a `set` that has a block: `name`, `name | filter`.
pub(crate) fn set_head(text: &str, span: Span) -> Result<BlockHead, Error> {
    JinjaExprParser::new(text, span)?.parse_all(|reader| {
        let mut targets = reader.parse_targets("=")?;
        if let [_, second, ..] = &targets[..] {
            return Err(problem::block_of_several_names().at(second.span));
        }
        let mut value = Expr::Other(JinjaExpr::Body(Spanned::new((), span)));
        reader.parse_block_filters(&mut value, span)?;
        reader.eat_colon();
        if reader.words.peek().is_some() {
            return Err(
                reader.unexpected_error("`=`", IntendedExpr::Written("{% set name = value %}"))
            );
        }
        Ok(BlockHead::Set(targets.swap_remove(0), value))
    })
}

/// Reads `a = value, b = value`.
pub(crate) fn with_head(text: &str, span: Span) -> Result<BlockHead, Error> {
    JinjaExprParser::new(text, span)?.parse_all(|reader| {
        let mut bindings: Vec<Named> = Vec::new();
        while reader.words.peek().is_some() {
            if !bindings.is_empty() {
                reader.expect_sign(",", "`,`")?;
            }
            let name = reader.words.name("a name")?;
            expect_bindable(&name)?;
            if reader.words.is_next(",") {
                return Err(subset::with_several_names().at(reader.words.here()));
            }
            reader.expect_sign("=", "`=`")?;
            let value = reader.parse_expression()?;
            bindings.push(Named { name, value });
        }
        Ok(BlockHead::With(bindings))
    })
}

/// Reads `name(parameter, parameter=default)`.
pub(crate) fn macro_head(text: &str, span: Span) -> Result<BlockHead, Error> {
    JinjaExprParser::new(text, span)?.parse_all(|reader| {
        let name = reader.words.name("the name of the macro")?;
        expect_bindable(&name)?;
        let open = reader.words.here();
        if !reader.words.eat("(") {
            let right = format!("{{% macro {}() %}}", name.value);
            return Err(reader.unexpected_error("`(`", IntendedExpr::Written(&right)));
        }
        let mut params: Vec<MacroParam> = Vec::new();
        reader.parse_items(")", open, |reader| {
            let param = reader.parse_param(&params)?;
            params.push(param);
            if reader.words.is_next(",") && reader.words.is_sign(1, ")") {
                return Err(problem::comma_after_parameters().at(reader.words.here()));
            }
            Ok(())
        })?;
        reader.eat_colon();
        Ok(BlockHead::Macro(name, params))
    })
}

/// Reads `upper | trim`.
pub(crate) fn filter_head(text: &str, span: Span) -> Result<BlockHead, Error> {
    JinjaExprParser::new(text, span)?.parse_all(|reader| {
        let mut value =
            reader.filter_name(Expr::Other(JinjaExpr::Body(Spanned::new((), span))), span)?;
        reader.parse_block_filters(&mut value, span)?;
        reader.eat_colon();
        if reader.words.peek().is_some() {
            return Err(reader.unexpected_error("`|`", problem::SECOND_FILTER));
        }
        Ok(BlockHead::Filter(value))
    })
}

/// Reads `"path"`.
pub(crate) fn include(text: &str, span: Span) -> Result<Spanned<String>, Error> {
    JinjaExprParser::new(text, span)?.parse_all(|reader| {
        let span = reader.words.here();
        let Some(TagToken::Str(path)) = reader.words.peek().cloned() else {
            return Err(match reader.words.peek() {
                Some(_) => subset::include_of_value().at(span),
                None => reader.unexpected_error(
                    "a path in quotes",
                    IntendedExpr::Written("{% include \"file.jinja\" %}"),
                ),
            });
        };
        reader.words.at += 1;
        if reader.words.is_name(0, "ignore") {
            return Err(subset::ignore_missing().at(reader.words.here()));
        }
        if reader.words.is_name(0, "without") {
            return Err(subset::without_context().at(reader.words.here()));
        }
        if reader.words.is_name(0, "with") && reader.words.is_name(1, "context") {
            reader.words.at += 2;
        }
        Ok(Spanned::new(path, span))
    })
}

impl JinjaExprParser<'_> {
    /// The filters after a block's text, each with its `|`.
    fn parse_block_filters(&mut self, value: &mut Expr, head: Span) -> Result<(), Error> {
        while self.words.is_next("|") {
            let before =
                std::mem::replace(value, Expr::Other(JinjaExpr::Body(Spanned::new((), head))));
            *value = self.parse_filter(before, head)?;
        }
        Ok(())
    }

    fn rest_of_loop(&mut self, targets: Targets) -> Result<LoopHead<Jinja>, Error> {
        let list = self.parse_tuple(false)?;
        let condition = match self.words.eat_name("if") {
            true => Some(self.parse_expression()?),
            false => None,
        };
        if self.words.is_name(0, "recursive") {
            return Err(subset::recursive().at(self.words.here()));
        }
        self.eat_colon();
        self.expect_end()?;
        Ok(LoopHead {
            targets,
            list,
            condition,
        })
    }

    /// One name or several, in parentheses or not. `before` is the token that follows them.
    fn parse_targets(&mut self, before: &str) -> Result<Targets, Error> {
        let open = self.words.here();
        let wrapped = self.words.eat("(");
        let mut names: Targets = Vec::new();
        loop {
            let name = self.parse_target(before)?;
            if names.contains(&name) && name.value != "_" {
                return Err(problem::named_twice(&name).at(name.span));
            }
            names.push(name);
            if !self.words.eat(",") {
                break;
            }
            // A comma may follow the last one; before `=`, Jinja2 has none.
            let ends = self.words.is_next(")") || self.words.is_name(0, "in");
            if ends && names.len() > 1 {
                break;
            }
        }
        if wrapped {
            self.expect_close(")", open)?;
        }
        Ok(names)
    }

    fn parse_target(&mut self, before: &str) -> Result<Spanned<String>, Error> {
        let here = self.words.here();
        match self.words.peek() {
            Some(TagToken::Sign("(")) => {
                return Err(subset::nested_target().at(here));
            }
            Some(TagToken::Name(name)) if name == "in" && before == "in" => {
                return Err(self.unexpected_error("the name of one item", IntendedExpr::ITEM));
            }
            _ => {}
        }
        let name = self.words.name("a name")?;
        expect_bindable(&name)?;
        if self.words.is_next(".") || self.words.is_next("[") {
            return Err(subset::part_of_name().at(here.to(self.words.here())));
        }
        Ok(name)
    }

    fn parse_param(&mut self, before: &[MacroParam]) -> Result<MacroParam, Error> {
        let name = self.words.name("the name of a parameter")?;
        expect_bindable(&name)?;
        if before.iter().any(|param| param.name == name) {
            return Err(problem::parameter_twice(&name).at(name.span));
        }
        let default = match self.words.eat("=") {
            true => Some(self.parse_expression()?),
            false => None,
        };
        if default.is_none()
            && let Some(other) = before.iter().find(|param| param.default.is_some())
        {
            return Err(problem::parameter_after_default(other.name.span).at(name.span));
        }
        Ok(MacroParam { name, default })
    }

    fn expect_sign(&mut self, sign: &str, what: &str) -> Result<(), Error> {
        match self.words.eat(sign) {
            true => Ok(()),
            false => Err(self.unexpected_error(what, IntendedExpr::Expected)),
        }
    }
}
