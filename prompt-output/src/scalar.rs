//! Strings, numbers, truth values and choices.

use crate::choice::{LiteralMatch, TruthError, find_literal, is_questioned, only_truth_value};
use crate::coerce::Coercer;
use crate::constraint::{StringConstraints, is_multiple};
use crate::describe::{excerpt, expected_label};
use crate::fit::{Fit, Mismatch};
use crate::name::fold_name;
use crate::number::{Amount, NumberError, only_number, parse_number};
use crate::reader::{End, NodeKind, SyntaxNode};
use crate::repair::RepairKind;
use crate::types::{ChoiceLiteral, Integers, Lengths, Numbers, Type, TypeIndex};
use crate::unquoted::{is_null, may_be_literal};
use serde_json::{Number, Value};

/// The largest number up to which every whole number is a float.
const MAX_EXACT_FLOAT: f64 = 9_007_199_254_740_992.0;

/// The cost of a whole number for the type `number`: beside the type `integer`, that is the closer match.
pub(crate) const INTEGER_AS_NUMBER_COST: u32 = 1;

impl<'s> Coercer<'s> {
    pub(crate) fn coerce_string(
        &mut self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
        constraints: &StringConstraints,
    ) -> Result<Fit, Mismatch> {
        let span = self.answer_span(node.span);
        let open = self.is_open(node);
        let fit = match &node.kind {
            NodeKind::Unquoted(word) if is_null(word) || node.is_ellipsis() => {
                return Err(self.type_mismatch(node, id));
            }
            // It may become a number or a literal, which is not text where other types are accepted.
            NodeKind::Unquoted(word) if self.may_change(node) && may_be_literal(word) => {
                return Err(self.truncated_mismatch(node));
            }
            NodeKind::Unquoted(word) => {
                let fit = Fit::from_value(*word);
                let typed = parse_number(word).is_some() || matches!(*word, "true" | "false");
                if typed {
                    fit.with_repair(RepairKind::ValueAsText, span, *word)
                } else {
                    fit
                }
            }
            NodeKind::Quoted(text) => Fit::from_value(text.as_ref()),
            NodeKind::List(items) => match items.as_slice() {
                // In a list of lists, the inner list is a value of its own.
                [_] if self.is_item() => return Err(self.type_mismatch(node, id)),
                [item] if !item.is_container() && node.end == End::Sure => {
                    return Ok(self.coerce_node(item, id)?.with_repair(
                        RepairKind::ListOfOne,
                        span,
                        "",
                    ));
                }
                _ => self.source_as_text(node)?,
            },
            NodeKind::Object(_) => self.source_as_text(node)?,
        };
        let fit = if open { fit.mark_open() } else { fit };
        let text = fit.value.as_str().unwrap_or_default();
        // What is too short may grow.
        if !open
            || !constraints.lengths.allows_text(text)
                && text.chars().count() >= constraints.lengths.min
        {
            self.check_string(node, text, constraints)?;
        }
        Ok(fit)
    }

    /// The mismatch of a string that its constraints do not allow.
    pub(crate) fn check_string(
        &self,
        node: &SyntaxNode<'_>,
        text: &str,
        constraints: &StringConstraints,
    ) -> Result<(), Mismatch> {
        if !constraints.lengths.allows_text(text) {
            return Err(self.length_mismatch(
                node,
                text.chars().count(),
                "character",
                constraints.lengths,
            ));
        }
        match constraints.violated_constraint(text) {
            None => Ok(()),
            Some(expected) => Err(self.mismatch(node, || {
                let message = [&self.quoted_excerpt(node), " is not ", &expected].concat();
                (message, ["expected ", &expected].concat())
            })),
        }
    }

    /// The source of an object or a list, if it is complete.
    fn source_as_text(&self, node: &SyntaxNode<'_>) -> Result<Fit, Mismatch> {
        if node.end == End::Cut && !self.partial {
            return Err(self.truncated_mismatch(node));
        }
        let source = &self.text[node.span.start..node.span.end];
        Ok(Fit::from_value(source).with_repair(
            RepairKind::SourceAsText,
            self.answer_span(node.span),
            "",
        ))
    }

    pub(crate) fn length_mismatch(
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
    pub(crate) fn coerce_scalar(
        &mut self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
        ty: &'s Type,
    ) -> Result<Fit, Mismatch> {
        let span = self.answer_span(node.span);
        if let Type::Choice(literals) = ty
            && node.is_container()
            && literals
                .iter()
                .any(|literal| literal.value.is_object() || literal.value.is_array())
        {
            let fit = self.coerce_any(node)?;
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
                        Ok(self.coerce_certain(item, id)?.with_repair(
                            RepairKind::ListOfOne,
                            span,
                            "",
                        ))
                    }
                    _ => Err(self.type_mismatch(node, id)),
                };
            }
            NodeKind::Object(entries) => {
                return match entries.as_slice() {
                    // The key was chosen by the model, so the value is an inference: `{"answer": 7}`.
                    [entry] if !entry.value.is_container() && node.end == End::Sure => {
                        Ok(self.coerce_wrapped(node, entry, id)?.mark_inferred())
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
            return Err(self.truncated_mismatch(node));
        }
        // `None` may be the choice `none`.
        if self.coerce_null(node).is_some() && (text == "null" || !matches!(ty, Type::Choice(_))) {
            return Err(self.type_mismatch(node, id));
        }
        match ty {
            Type::Bool => self.coerce_bool(node, id, text, in_quotes),
            Type::Integer(integers) => {
                self.coerce_number(node, id, text, in_quotes, |coercer, number| {
                    coercer.coerce_integer(node, id, number, *integers)
                })
            }
            Type::Number(numbers) => {
                self.coerce_number(node, id, text, in_quotes, |coercer, number| {
                    coercer.coerce_float(node, id, number, *numbers)
                })
            }
            Type::Choice(literals) => self.coerce_choice(node, id, text, literals),
            _ => Err(self.type_mismatch(node, id)),
        }
    }

    fn coerce_bool(
        &self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
        text: &str,
        in_quotes: bool,
    ) -> Result<Fit, Mismatch> {
        let span = self.answer_span(node.span);
        let word = if is_questioned(text) {
            String::new()
        } else {
            fold_name(text)
        };
        let fit = match (text, word.as_str()) {
            ("true", _) if !in_quotes => Fit::from_value(true),
            ("false", _) if !in_quotes => Fit::from_value(false),
            (_, "true") if !in_quotes => {
                Fit::from_value(true).with_repair(RepairKind::ForeignLiteral, span, text)
            }
            (_, "false") if !in_quotes => {
                Fit::from_value(false).with_repair(RepairKind::ForeignLiteral, span, text)
            }
            (_, "true" | "yes") => {
                Fit::from_value(true).with_repair(RepairKind::BoolInWords, span, text)
            }
            (_, "false" | "no") => {
                Fit::from_value(false).with_repair(RepairKind::BoolInWords, span, text)
            }
            _ => match only_truth_value(text) {
                Ok(truth) => Fit::from_value(truth)
                    .with_repair(RepairKind::BoolInText, span, truth.to_string())
                    .mark_inferred(),
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

    fn coerce_number(
        &self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
        text: &str,
        in_quotes: bool,
        take: impl Fn(&Self, crate::number::ParsedNumber) -> Result<Fit, Mismatch>,
    ) -> Result<Fit, Mismatch> {
        let span = self.answer_span(node.span);
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
                    .mark_inferred())
            }
            Err(NumberError::Several) => Err(self
                .type_mismatch(node, id)
                .with_help("write one number only")),
            Err(NumberError::Unclear) => Err(self
                .type_mismatch(node, id)
                .with_help("write the number in digits, alone")),
            Err(NumberError::None) => Err(self.type_mismatch(node, id)),
        }
    }

    /// Also reports whether a whole number was written with a fraction.
    fn coerce_integer(
        &self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
        number: crate::number::ParsedNumber,
        integers: Integers,
    ) -> Result<Fit, Mismatch> {
        let (whole, noted) = match number.value {
            Amount::Integer(whole) => (whole, false),
            // `3.0` is a whole number. Beyond that limit a float may be the result of rounding.
            Amount::Float(float) if float.fract() == 0.0 && float.abs() <= MAX_EXACT_FLOAT => {
                (float as i128, true)
            }
            Amount::Float(_) | Amount::Fraction(_) => {
                return Err(self.mismatch(node, || {
                    let message = self.quoted_excerpt(node) + " is not a whole number";
                    (message, expected_label(self.types, id))
                }));
            }
        };
        if i64::try_from(whole).is_err() && u64::try_from(whole).is_err() {
            return Err(self.mismatch(node, || {
                let message = self.quoted_excerpt(node) + " does not fit into 64 bits";
                (message, expected_label(self.types, id))
            }));
        }
        let step = integers.multiple_of.unwrap_or(1.0);
        let is_multiple = match step.fract() == 0.0 && step < MAX_EXACT_FLOAT {
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
        let fit = Fit::from_value(Value::Number(value));
        let span = self.answer_span(node.span);
        Ok(if noted {
            fit.with_repair(RepairKind::NumberNotation, span, self.node_excerpt(node))
        } else {
            fit
        })
    }

    fn coerce_float(
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
                // A number up to 1 is a share, which a percentage is too. With a larger maximum, the schema counts per cent.
                Some((max, _)) if max <= 1.0 => float /= 100.0,
                Some(_) => {}
                None => {
                    let help = "write it without the per cent sign";
                    return Err(self.type_mismatch(node, id).with_help(help));
                }
            }
        }
        let value = Number::from_f64(float).filter(|_| numbers.allows(float));
        let mut fit = Fit::from_value(Value::Number(
            value.ok_or_else(|| self.type_mismatch(node, id))?,
        ));
        if whole {
            fit.cost += INTEGER_AS_NUMBER_COST;
        }
        Ok(fit)
    }

    fn coerce_choice(
        &self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
        text: &str,
        literals: &[ChoiceLiteral],
    ) -> Result<Fit, Mismatch> {
        let span = self.answer_span(node.span);
        let expected = || expected_label(self.types, id);
        match find_literal(literals, text) {
            LiteralMatch::One(index, how) => {
                let fit = Fit::from_value(literals[index].value.clone());
                Ok(match how {
                    Some(RepairKind::ChoiceInText) => fit
                        .with_repair(RepairKind::ChoiceInText, span, excerpt(text))
                        .mark_inferred(),
                    Some(kind) => fit.with_repair(kind, span, excerpt(text)),
                    None => fit,
                })
            }
            LiteralMatch::Several(one, other) => {
                let mismatch = self.mismatch(node, || {
                    let (one, other) = (&literals[one].text, &literals[other].text);
                    (format!("this names both `{one}` and `{other}`"), expected())
                });
                Err(mismatch.with_help("write one of them only"))
            }
            LiteralMatch::Denied(index) => {
                let text = &literals[index].text;
                let texts = || {
                    (
                        format!("this names `{text}` only to deny it or beside an alternative"),
                        expected(),
                    )
                };
                Err(self.mismatch(node, texts))
            }
            LiteralMatch::None => Err(self.type_mismatch(node, id)),
        }
    }
}
