//! Strings, numbers, truth values and choices.

use crate::choice::{LiteralMatch, TruthError, find_literal, is_questioned, only_truth_value};
use crate::coerce::Coercer;
use crate::constraint::{Texts, is_multiple};
use crate::describe::{excerpt, expected};
use crate::fit::{Fit, Mismatch};
use crate::name::fold;
use crate::number::{Amount, NumberError, only_number, parse_number};
use crate::reader::{End, NodeKind, SyntaxNode};
use crate::repair::RepairKind;
use crate::types::{ChoiceLiteral, Integers, Lengths, Numbers, Type, TypeIndex};
use crate::unquoted::{is_null, may_be_literal};
use serde_json::{Number, Value};

/// The largest number up to which every whole number is a float.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// The cost of a whole number for the type `number`: beside the type `integer`, that is the closer match.
pub(crate) const WHOLE_COST: u32 = 1;

impl<'s> Coercer<'s> {
    pub(crate) fn string(
        &mut self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
        texts: &Texts,
    ) -> Result<Fit, Mismatch> {
        let span = self.span(node.span);
        let open = self.is_open(node);
        let fit = match &node.kind {
            NodeKind::Unquoted(word) if is_null(word) || node.is_ellipsis() => {
                return Err(self.type_mismatch(node, id));
            }
            // It may become a number or a literal, which is not text where other types are accepted.
            NodeKind::Unquoted(word) if self.may_change(node) && may_be_literal(word) => {
                return Err(self.breaks_off(node));
            }
            NodeKind::Unquoted(word) => {
                let fit = Fit::exact(*word);
                let typed = parse_number(word).is_some() || matches!(*word, "true" | "false");
                if typed {
                    fit.with_repair(RepairKind::ValueAsText, span, *word)
                } else {
                    fit
                }
            }
            NodeKind::Quoted(text) => Fit::exact(text.as_ref()),
            NodeKind::List(items) => match items.as_slice() {
                [_] if self.is_item() => return Err(self.type_mismatch(node, id)),
                [item] if !item.is_container() && node.end == End::Sure => {
                    return Ok(self
                        .fit(item, id)?
                        .with_repair(RepairKind::ListOfOne, span, ""));
                }
                _ => self.source(node)?,
            },
            NodeKind::Object(_) => self.source(node)?,
        };
        let fit = if open { fit.open() } else { fit };
        let text = fit.value.as_str().unwrap_or_default();
        // What is too short may grow.
        if !open || !texts.lengths.allow_text(text) && text.chars().count() >= texts.lengths.min {
            self.allowed(node, text, texts)?;
        }
        Ok(fit)
    }

    /// The mismatch of a string that its constraints do not allow.
    pub(crate) fn allowed(
        &self,
        node: &SyntaxNode<'_>,
        text: &str,
        texts: &Texts,
    ) -> Result<(), Mismatch> {
        if !texts.lengths.allow_text(text) {
            return Err(self.length(node, text.chars().count(), "character", texts.lengths));
        }
        match texts.missing(text) {
            None => Ok(()),
            Some(expected) => Err(self.mismatch(node, || {
                let message = [&self.quoted_excerpt(node), " is not ", &expected].concat();
                (message, ["expected ", &expected].concat())
            })),
        }
    }

    /// The source of an object or a list, if it is complete.
    fn source(&self, node: &SyntaxNode<'_>) -> Result<Fit, Mismatch> {
        if node.end == End::Cut && !self.partial {
            return Err(self.breaks_off(node));
        }
        let source = &self.text[node.span.start..node.span.end];
        Ok(Fit::exact(source).with_repair(RepairKind::SourceAsText, self.span(node.span), ""))
    }

    pub(crate) fn length(
        &self,
        node: &SyntaxNode<'_>,
        length: usize,
        what: &str,
        lengths: Lengths,
    ) -> Mismatch {
        self.mismatch(node, || {
            let (allowed, last) = match (lengths.min, lengths.max) {
                (min, max) if min == max => (format!("{min}"), min),
                (0, max) => (format!("at most {max}"), max),
                (min, usize::MAX) => (format!("at least {min}"), min),
                (min, max) => (format!("from {min} to {max}"), max),
            };
            let of = |count: usize| {
                if count == 1 {
                    what.to_owned()
                } else {
                    format!("{what}s")
                }
            };
            let verb = if last == 1 { "is" } else { "are" };
            let message = format!("{length} {} where {allowed} {verb} allowed", of(length));
            (message, format!("expected {allowed} {}", of(last)))
        })
    }

    /// Coerces a boolean, a number or a choice.
    pub(crate) fn scalar(
        &mut self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
        ty: &'s Type,
    ) -> Result<Fit, Mismatch> {
        let span = self.span(node.span);
        if let Type::Choice(literals) = ty
            && node.is_container()
            && literals
                .iter()
                .any(|literal| literal.value.is_object() || literal.value.is_array())
        {
            let fit = self.any(node)?;
            if literals.iter().any(|literal| literal.value == fit.value) {
                return Ok(fit);
            }
        }
        let (text, in_quotes) = match &node.kind {
            NodeKind::Unquoted(word) => (*word, false),
            NodeKind::Quoted(text) => (text.as_ref(), true),
            NodeKind::List(items) => {
                return match items.as_slice() {
                    [item] if !item.is_container() && node.end == End::Sure && !self.is_item() => {
                        Ok(self
                            .certain(item, id)?
                            .with_repair(RepairKind::ListOfOne, span, ""))
                    }
                    _ => Err(self.type_mismatch(node, id)),
                };
            }
            NodeKind::Object(entries) => {
                return match entries.as_slice() {
                    [entry] if !entry.value.is_container() && node.end == End::Sure => {
                        Ok(self.wrapped(node, entry, id)?.inferred())
                    }
                    _ => Err(self.type_mismatch(node, id)),
                };
            }
        };
        // `["[1]"]`
        let is_exact = |literal: &ChoiceLiteral| literal.text == text;
        if in_quotes
            && self.is_item()
            && text.trim_start().starts_with(['[', '{'])
            && !matches!(ty, Type::Choice(literals) if literals.iter().any(is_exact))
        {
            return Err(self.type_mismatch(node, id));
        }
        if self.may_change(node) {
            return Err(self.breaks_off(node));
        }
        // `None` may be the choice `none`.
        if self.null(node).is_some() && (text == "null" || !matches!(ty, Type::Choice(_))) {
            return Err(self.type_mismatch(node, id));
        }
        match ty {
            Type::Bool => self.truth(node, id, text, in_quotes),
            Type::Integer(integers) => self.number(node, id, text, in_quotes, |coercer, number| {
                coercer.integer(node, id, number, *integers)
            }),
            Type::Number(numbers) => self.number(node, id, text, in_quotes, |coercer, number| {
                coercer.float(node, id, number, *numbers)
            }),
            Type::Choice(literals) => self.choice(node, id, text, literals),
            _ => Err(self.type_mismatch(node, id)),
        }
    }

    fn truth(
        &self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
        text: &str,
        in_quotes: bool,
    ) -> Result<Fit, Mismatch> {
        let span = self.span(node.span);
        let word = if is_questioned(text) {
            String::new()
        } else {
            fold(text)
        };
        let fit = match (text, word.as_str()) {
            ("true", _) if !in_quotes => Fit::exact(true),
            ("false", _) if !in_quotes => Fit::exact(false),
            (_, "true") if !in_quotes => {
                Fit::exact(true).with_repair(RepairKind::ForeignLiteral, span, text)
            }
            (_, "false") if !in_quotes => {
                Fit::exact(false).with_repair(RepairKind::ForeignLiteral, span, text)
            }
            (_, "true" | "yes") => {
                Fit::exact(true).with_repair(RepairKind::BoolInWords, span, text)
            }
            (_, "false" | "no") => {
                Fit::exact(false).with_repair(RepairKind::BoolInWords, span, text)
            }
            _ => match only_truth_value(text) {
                Ok(truth) => Fit::exact(truth)
                    .with_repair(RepairKind::BoolInText, span, truth.to_string())
                    .inferred(),
                Err(TruthError::Nothing) => return Err(self.type_mismatch(node, id)),
                Err(error) => {
                    return Err(self.mismatch(node, || {
                        let message = match error {
                            TruthError::Both => "this names both true and false",
                            _ => "this names true or false only to deny it",
                        };
                        (message.to_owned(), "expected true or false".to_owned())
                    }));
                }
            },
        };
        Ok(fit)
    }

    fn number(
        &self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
        text: &str,
        in_quotes: bool,
        take: impl Fn(&Self, crate::number::ParsedNumber) -> Result<Fit, Mismatch>,
    ) -> Result<Fit, Mismatch> {
        let span = self.span(node.span);
        if let Some(number) = parse_number(text) {
            let mut fit = take(self, number)?;
            if !number.plain {
                fit = fit.with_repair(RepairKind::NumberNotation, span, text);
            }
            return Ok(if in_quotes {
                fit.with_repair(RepairKind::NumberInQuotes, span, text)
            } else {
                fit
            });
        }
        match only_number(text) {
            Ok(number) => {
                let fit = take(self, number)?;
                Ok(fit
                    .with_repair(RepairKind::NumberInText, span, excerpt(text))
                    .inferred())
            }
            Err(NumberError::Several) => {
                Err(self.type_mismatch(node, id).help("write one number only"))
            }
            Err(NumberError::Unclear) => Err(self
                .type_mismatch(node, id)
                .help("write the number in digits, alone")),
            Err(NumberError::None) => Err(self.type_mismatch(node, id)),
        }
    }

    /// Also reports whether a whole number was written with a fraction.
    fn integer(
        &self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
        number: crate::number::ParsedNumber,
        integers: Integers,
    ) -> Result<Fit, Mismatch> {
        let (whole, noted) = match number.value {
            Amount::Integer(whole) => (whole, false),
            Amount::Float(float) if float.fract() == 0.0 && float.abs() <= WHOLE => {
                (float as i128, true)
            }
            Amount::Float(_) | Amount::Fraction(_) => {
                return Err(self.mismatch(node, || {
                    let message = self.quoted_excerpt(node) + " is not a whole number";
                    (message, expected(self.types, id))
                }));
            }
        };
        if i64::try_from(whole).is_err() && u64::try_from(whole).is_err() {
            return Err(self.mismatch(node, || {
                let message = self.quoted_excerpt(node) + " does not fit into 64 bits";
                (message, expected(self.types, id))
            }));
        }
        let step = integers.multiple_of.unwrap_or(1.0);
        let is_multiple = match step.fract() == 0.0 && step < WHOLE {
            true => whole % step as i128 == 0,
            false => is_multiple(whole as f64, step),
        };
        if whole < integers.min || whole > integers.max || !is_multiple {
            return Err(self.type_mismatch(node, id));
        }
        let value = u64::try_from(whole)
            .map(Number::from)
            .or_else(|_| i64::try_from(whole).map(Number::from))
            .map_err(|_| self.type_mismatch(node, id))?;
        let fit = Fit::exact(Value::Number(value));
        let span = self.span(node.span);
        Ok(if noted {
            fit.with_repair(RepairKind::NumberNotation, span, self.excerpt(node))
        } else {
            fit
        })
    }

    fn float(
        &self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
        number: crate::number::ParsedNumber,
        numbers: Numbers,
    ) -> Result<Fit, Mismatch> {
        let (mut float, whole) = match number.value {
            Amount::Integer(whole) => (whole as f64, true),
            Amount::Float(float) | Amount::Fraction(float) => (float, false),
        };
        if number.percent {
            match numbers.max {
                Some((max, _)) if max <= 1.0 => float /= 100.0,
                Some(_) => {}
                None => {
                    let help = "write it without the per cent sign";
                    return Err(self.type_mismatch(node, id).help(help));
                }
            }
        }
        let value = Number::from_f64(float).filter(|_| numbers.allow(float));
        let mut fit = Fit::exact(Value::Number(
            value.ok_or_else(|| self.type_mismatch(node, id))?,
        ));
        if whole {
            fit.cost += WHOLE_COST;
        }
        Ok(fit)
    }

    fn choice(
        &self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
        text: &str,
        literals: &[ChoiceLiteral],
    ) -> Result<Fit, Mismatch> {
        let span = self.span(node.span);
        let expected = || expected(self.types, id);
        match find_literal(literals, text) {
            LiteralMatch::One(index, how) => {
                let fit = Fit::exact(literals[index].value.clone());
                Ok(match how {
                    Some(RepairKind::ChoiceInText) => fit
                        .with_repair(RepairKind::ChoiceInText, span, excerpt(text))
                        .inferred(),
                    Some(kind) => fit.with_repair(kind, span, excerpt(text)),
                    None => fit,
                })
            }
            LiteralMatch::Several(one, other) => {
                let mismatch = self.mismatch(node, || {
                    let (one, other) = (&literals[one].text, &literals[other].text);
                    (format!("this names both `{one}` and `{other}`"), expected())
                });
                Err(mismatch.help("write one of them only"))
            }
            LiteralMatch::Denied(index) => {
                let text = &literals[index].text;
                let words = || {
                    (
                        format!("this names `{text}` only to deny it or beside an alternative"),
                        expected(),
                    )
                };
                Err(self.mismatch(node, words))
            }
            LiteralMatch::None => Err(self.type_mismatch(node, id)),
        }
    }
}
