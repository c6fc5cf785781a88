//! Strings, numbers, booleans and choices.

use crate::coerce::Coercer;
use crate::describe::{excerpt, expected_label};
use crate::deserialize::MAX_EXACT_FLOAT;
use crate::fit::{Fit, Mismatch};
use crate::literal::{LiteralMatch, find_literal, truth_value};
use crate::number::{Amount, ParsedNumber, amount_to_json, exceeds_floats, parse_number};
use crate::repair::RepairKind;
use crate::syntax::{NodeKind, SyntaxNode};
use crate::types::{ChoiceLiteral, Numbers, Type, TypeIndex};
use crate::unquoted::{is_null, is_number, may_be_literal};
use serde_json::{Number, Value};

/// The cost of a whole number for the type `number`: beside the type `integer`, that is the closer match.
const INTEGER_AS_NUMBER_COST: u32 = 1;

impl<'s> Coercer<'s> {
    pub(crate) fn coerce_string(
        &mut self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
    ) -> Result<Fit, Mismatch> {
        let span = self.answer_span(node.span);
        match &node.kind {
            NodeKind::Unquoted(word) if is_null(word) || node.is_ellipsis() => {
                Err(self.type_mismatch(node, id))
            }
            // It may become a number or a literal, which is not text where other types are accepted.
            NodeKind::Unquoted(word) if self.may_change(node) && may_be_literal(word) => {
                Err(self.truncated_mismatch(node))
            }
            NodeKind::Unquoted(word) => {
                let fit = Fit::from_value(*word);
                Ok(match is_number(word) || truth_value(word).is_some() {
                    true => fit.with_repair(RepairKind::ValueAsText, span, *word),
                    false => fit,
                })
            }
            NodeKind::Quoted(text) => Ok(Fit::from_value(text.as_ref())),
            NodeKind::List(_) | NodeKind::Object(_) => Err(self.type_mismatch(node, id)),
        }
    }

    /// Converts a boolean, a number or a choice.
    pub(crate) fn coerce_scalar(
        &mut self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
        ty: &'s Type,
    ) -> Result<Fit, Mismatch> {
        if let Type::Choice(literals) = ty
            && node.is_container()
        {
            let fit = self.coerce_any(node)?;
            return match literals.iter().any(|literal| literal.value == fit.value) {
                true => Ok(fit),
                false => Err(self.type_mismatch(node, id)),
            };
        }
        let (text, is_quoted) = match &node.kind {
            NodeKind::Unquoted(word) => (*word, false),
            NodeKind::Quoted(text) => (text.as_ref(), true),
            NodeKind::List(_) | NodeKind::Object(_) => return Err(self.type_mismatch(node, id)),
        };
        if self.may_change(node) {
            return Err(self.truncated_mismatch(node));
        }
        // `None` may be the choice `none`.
        if self.coerce_null(node).is_some() && (text == "null" || !matches!(ty, Type::Choice(_))) {
            return Err(self.type_mismatch(node, id));
        }
        match ty {
            Type::Bool => self.coerce_bool(node, id, text, is_quoted),
            Type::Number(numbers) => {
                let number = parse_number(text).ok_or_else(|| match exceeds_floats(text) {
                    true => self.lossy_number(node),
                    false => self.type_mismatch(node, id),
                })?;
                let fit = self.coerce_number(node, id, number, *numbers)?;
                Ok(self.with_number_repairs(fit, node, number, is_quoted))
            }
            Type::Choice(literals) => self.coerce_choice(node, id, text, is_quoted, literals),
            _ => Err(self.type_mismatch(node, id)),
        }
    }

    fn coerce_bool(
        &self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
        text: &str,
        is_quoted: bool,
    ) -> Result<Fit, Mismatch> {
        let truth = truth_value(text).ok_or_else(|| self.type_mismatch(node, id))?;
        let is_word = !text.trim().to_ascii_lowercase().starts_with(['t', 'f']);
        let kind = match (is_quoted, is_word, text) {
            (false, _, "true" | "false") => return Ok(Fit::from_value(truth)),
            (false, false, _) => RepairKind::ForeignLiteral,
            _ => RepairKind::BoolInWords,
        };
        Ok(Fit::from_value(truth).with_repair(kind, self.answer_span(node.span), text))
    }

    fn with_number_repairs(
        &self,
        mut fit: Fit,
        node: &SyntaxNode<'_>,
        number: ParsedNumber,
        is_quoted: bool,
    ) -> Fit {
        let span = self.answer_span(node.span);
        if !number.is_json {
            fit = fit.with_repair(RepairKind::NumberNotation, span, self.node_excerpt(node));
        }
        match is_quoted {
            true => fit.with_repair(RepairKind::NumberInQuotes, span, self.node_excerpt(node)),
            false => fit,
        }
    }

    /// Converts a number. A whole number in JSON keeps its notation: `3.0` is a whole number of JSON Schema.
    fn coerce_number(
        &self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
        number: ParsedNumber,
        numbers: Numbers,
    ) -> Result<Fit, Mismatch> {
        let whole = match number.amount {
            Amount::Integer(whole) => Some(whole),
            // Beyond that limit a float may be the result of rounding.
            Amount::Float(float) if float.fract() == 0.0 && float.abs() <= MAX_EXACT_FLOAT => {
                Some(float as i128)
            }
            Amount::Float(_) | Amount::Fraction(_) => None,
        };
        let amount = match whole.filter(|_| numbers.is_whole) {
            Some(whole) if !number.is_json => Amount::Integer(whole),
            None if numbers.is_whole => {
                return Err(self.mismatch(node, || {
                    let message = self.quoted_excerpt(node) + " is not a whole number";
                    (message, expected_label(self.types, id))
                }));
            }
            _ => number.amount,
        };
        let value = amount_to_json(amount).ok_or_else(|| self.lossy_number(node))?;
        let float = value.as_f64().unwrap_or(f64::NAN);
        let value = match (number.is_percent, numbers.max) {
            (false, _) => Some(value),
            (true, _) if numbers.is_whole => None,
            // A number up to 1 is a share, which a percentage is too. With a larger maximum, the schema counts per cent.
            (true, Some(max)) if max.value <= 1.0 => Number::from_f64(float / 100.0),
            (true, Some(_)) => Some(value),
            (true, None) => {
                let help = "write it without the per cent sign";
                return Err(self.type_mismatch(node, id).with_help(help));
            }
        };
        let is_allowed =
            |number: &Number| number.as_f64().is_some_and(|float| numbers.allows(float));
        let value = value.filter(is_allowed);
        let value = value.ok_or_else(|| self.type_mismatch(node, id))?;
        let mut fit = Fit::from_value(Value::Number(value));
        if matches!(number.amount, Amount::Integer(_)) && !numbers.is_whole {
            fit.cost += INTEGER_AS_NUMBER_COST;
        }
        Ok(fit)
    }

    fn coerce_choice(
        &mut self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
        text: &str,
        is_quoted: bool,
        literals: &[ChoiceLiteral],
    ) -> Result<Fit, Mismatch> {
        let span = self.answer_span(node.span);
        // The value as it is written, before any other spelling of it.
        if let Ok(fit) = self.coerce_any(node)
            && literals.iter().any(|literal| literal.value == fit.value)
        {
            return Ok(fit);
        }
        match find_literal(literals, text) {
            LiteralMatch::One(index, how) => {
                let value = literals[index].value.clone();
                let is_text = value.is_string();
                let fit = Fit::from_value(value);
                let fit = match how {
                    Some(kind) => fit.with_repair(kind, span, excerpt(text)),
                    None => fit,
                };
                let is_typed = is_number(text) || truth_value(text).is_some();
                Ok(match (is_text, is_quoted) {
                    (true, false) if is_typed => {
                        fit.with_repair(RepairKind::ValueAsText, span, text)
                    }
                    (false, true) => fit.with_repair(RepairKind::NumberInQuotes, span, text),
                    _ => fit,
                })
            }
            LiteralMatch::Several(one, other) => {
                let mismatch = self.mismatch(node, || {
                    let (one, other) = (&literals[one].text, &literals[other].text);
                    let message = format!("this may be `{one}` or `{other}`");
                    (message, expected_label(self.types, id))
                });
                Err(mismatch.with_help("write one of them exactly"))
            }
            LiteralMatch::None => Err(self.type_mismatch(node, id)),
        }
    }
}
