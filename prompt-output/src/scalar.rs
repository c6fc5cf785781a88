//! Strings, numbers, truth values and choices.

use crate::choice::{Named, Unsaid, find_literal, only_truth_value};
use crate::coerce::Coercer;
use crate::describe::{excerpt, expected};
use crate::fit::{Fit, Misfit};
use crate::name::fold;
use crate::number::{Amount, Why, only_number, parse_number};
use crate::reader::{Kind, Node};
use crate::repair::RepairKind;
use crate::shape::{Id, Integers, Lengths, Literal, Numbers, Shape};
use crate::unquoted::{is_null, may_be_literal};
use serde_json::{Number, Value};

/// The largest whole number up to which every whole number is a float.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// The cost of a whole number where a fraction may stand: beside a shape of whole numbers, that is the closer reading.
pub(crate) const WHOLE_COST: u32 = 1;

impl<'s> Coercer<'s> {
    pub(crate) fn string(
        &mut self,
        node: &Node<'_>,
        id: Id,
        lengths: Lengths,
    ) -> Result<Fit, Misfit> {
        let span = self.span(node.span);
        let open = self.is_open(node);
        let fit = match &node.kind {
            Kind::Word(word) if is_null(word) => {
                return Err(self.wrong(node, id));
            }
            // It may become a number or a literal, which is no text where other types may stand.
            Kind::Word(word) if self.may_change(node) && may_be_literal(word) => {
                return Err(self.breaks_off(node));
            }
            Kind::Word(word) => {
                let fit = Fit::exact(*word);
                let typed = parse_number(word).is_some() || matches!(*word, "true" | "false");
                if typed {
                    fit.mark(RepairKind::ValueAsText, span, *word)
                } else {
                    fit
                }
            }
            Kind::Text(text) => Fit::exact(text.as_ref()),
            Kind::List(items) => match items.as_slice() {
                [item] if !item.is_container() => {
                    return Ok(self.fit(item, id)?.mark(RepairKind::ListOfOne, span, ""));
                }
                _ => self.source(node),
            },
            Kind::Object(_) => self.source(node),
        };
        let fit = if open { fit.open() } else { fit };
        if fit
            .value
            .as_str()
            .is_some_and(|text| lengths.allow_text(text))
        {
            return Ok(fit);
        }
        let length = fit.value.as_str().map_or(0, |text| text.chars().count());
        if open && length < lengths.min {
            return Ok(fit);
        }
        Err(self.length(node, length, "character", lengths))
    }

    fn source(&self, node: &Node<'_>) -> Fit {
        let source = &self.text[node.span.start..node.span.end];
        Fit::exact(source).mark(RepairKind::SourceAsText, self.span(node.span), "")
    }

    pub(crate) fn length(
        &self,
        node: &Node<'_>,
        length: usize,
        what: &str,
        lengths: Lengths,
    ) -> Misfit {
        self.misfit(node, || {
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

    /// A truth value, a number or a choice.
    pub(crate) fn scalar(
        &mut self,
        node: &Node<'_>,
        id: Id,
        shape: &'s Shape,
    ) -> Result<Fit, Misfit> {
        let span = self.span(node.span);
        let (text, in_quotes) = match &node.kind {
            Kind::Word(word) => (*word, false),
            Kind::Text(text) => (text.as_ref(), true),
            Kind::List(items) => {
                return match items.as_slice() {
                    [item] if !item.is_container() => {
                        Ok(self.fit(item, id)?.mark(RepairKind::ListOfOne, span, ""))
                    }
                    _ => Err(self.wrong(node, id)),
                };
            }
            Kind::Object(entries) => {
                return match entries.as_slice() {
                    [entry] if !entry.value.is_container() => {
                        let fit = self.fit(&entry.value, id)?;
                        let key = entry.key.as_ref();
                        Ok(fit.mark(RepairKind::ObjectOfOne, span, key).inferred())
                    }
                    _ => Err(self.wrong(node, id)),
                };
            }
        };
        if self.may_change(node) {
            return Err(self.breaks_off(node));
        }
        if self.null(node).is_some() {
            return Err(self.wrong(node, id));
        }
        match shape {
            Shape::Bool => self.truth(node, id, text, in_quotes),
            Shape::Integer(integers) => {
                self.number(node, id, text, in_quotes, |coercer, number| {
                    coercer.integer(node, id, number, *integers)
                })
            }
            Shape::Number(numbers) => self.number(node, id, text, in_quotes, |coercer, number| {
                coercer.float(node, id, number, *numbers)
            }),
            Shape::Choice(literals) => self.choice(node, id, text, literals),
            _ => Err(self.wrong(node, id)),
        }
    }

    fn truth(&self, node: &Node<'_>, id: Id, text: &str, in_quotes: bool) -> Result<Fit, Misfit> {
        let span = self.span(node.span);
        let fit = match (text, fold(text).as_str()) {
            ("true", _) if !in_quotes => Fit::exact(true),
            ("false", _) if !in_quotes => Fit::exact(false),
            (_, "true") if !in_quotes => {
                Fit::exact(true).mark(RepairKind::ForeignLiteral, span, text)
            }
            (_, "false") if !in_quotes => {
                Fit::exact(false).mark(RepairKind::ForeignLiteral, span, text)
            }
            (_, "true" | "yes") => Fit::exact(true).mark(RepairKind::BoolInWords, span, text),
            (_, "false" | "no") => Fit::exact(false).mark(RepairKind::BoolInWords, span, text),
            _ => match only_truth_value(text) {
                Ok(truth) => Fit::exact(truth)
                    .mark(RepairKind::BoolInText, span, truth.to_string())
                    .inferred(),
                Err(Unsaid::Nothing) => return Err(self.wrong(node, id)),
                Err(unsaid) => {
                    return Err(self.misfit(node, || {
                        let message = match unsaid {
                            Unsaid::Both => "this says both true and false",
                            _ => "this says it only to deny it",
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
        node: &Node<'_>,
        id: Id,
        text: &str,
        in_quotes: bool,
        take: impl Fn(&Self, crate::number::Number) -> Result<Fit, Misfit>,
    ) -> Result<Fit, Misfit> {
        let span = self.span(node.span);
        if let Some(number) = parse_number(text) {
            let mut fit = take(self, number)?;
            if !number.plain {
                fit = fit.mark(RepairKind::NumberNotation, span, text);
            }
            return Ok(if in_quotes {
                fit.mark(RepairKind::NumberInQuotes, span, text)
            } else {
                fit
            });
        }
        match only_number(text) {
            Ok(number) => {
                let fit = take(self, number)?;
                Ok(fit
                    .mark(RepairKind::NumberInText, span, excerpt(text))
                    .inferred())
            }
            Err(Why::Several) => Err(self.wrong(node, id).help("write one number only")),
            Err(Why::Unclear) => Err(self
                .wrong(node, id)
                .help("write the number in digits, alone")),
            Err(Why::None) => Err(self.wrong(node, id)),
        }
    }

    /// Also says whether the notation was that of a whole number.
    fn integer(
        &self,
        node: &Node<'_>,
        id: Id,
        number: crate::number::Number,
        integers: Integers,
    ) -> Result<Fit, Misfit> {
        let (whole, noted) = match number.value {
            Amount::Integer(whole) => (whole, false),
            Amount::Float(float) if float.fract() == 0.0 && float.abs() <= WHOLE => {
                (float as i128, true)
            }
            Amount::Float(_) | Amount::Fraction(_) => {
                return Err(self.misfit(node, || {
                    let message = self.quoted(node) + " is not a whole number";
                    (message, expected(self.shapes, id))
                }));
            }
        };
        if i64::try_from(whole).is_err() && u64::try_from(whole).is_err() {
            return Err(self.misfit(node, || {
                let message = self.quoted(node) + " does not fit into 64 bits";
                (message, expected(self.shapes, id))
            }));
        }
        let step = integers.multiple_of.unwrap_or(1);
        if whole < integers.min || whole > integers.max || whole % step != 0 {
            return Err(self.wrong(node, id));
        }
        let value = u64::try_from(whole)
            .map(Number::from)
            .or_else(|_| i64::try_from(whole).map(Number::from))
            .map_err(|_| self.wrong(node, id))?;
        let fit = Fit::exact(Value::Number(value));
        let span = self.span(node.span);
        Ok(if noted {
            fit.mark(RepairKind::NumberNotation, span, self.quote(node))
        } else {
            fit
        })
    }

    fn float(
        &self,
        node: &Node<'_>,
        id: Id,
        number: crate::number::Number,
        numbers: Numbers,
    ) -> Result<Fit, Misfit> {
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
                    return Err(self.wrong(node, id).help(help));
                }
            }
        }
        let value = Number::from_f64(float).filter(|_| numbers.allow(float));
        let mut fit = Fit::exact(Value::Number(value.ok_or_else(|| self.wrong(node, id))?));
        if whole {
            fit.cost += WHOLE_COST;
        }
        Ok(fit)
    }

    fn choice(
        &self,
        node: &Node<'_>,
        id: Id,
        text: &str,
        literals: &[Literal],
    ) -> Result<Fit, Misfit> {
        let span = self.span(node.span);
        let expected = || expected(self.shapes, id);
        match find_literal(literals, text) {
            Named::One(place, how) => {
                let fit = Fit::exact(literals[place].value.clone());
                Ok(match how {
                    Some(RepairKind::ChoiceInText) => fit
                        .mark(RepairKind::ChoiceInText, span, excerpt(text))
                        .inferred(),
                    Some(kind) => fit.mark(kind, span, excerpt(text)),
                    None => fit,
                })
            }
            Named::Several(one, other) => {
                let misfit = self.misfit(node, || {
                    let (one, other) = (&literals[one].text, &literals[other].text);
                    (format!("this names both `{one}` and `{other}`"), expected())
                });
                Err(misfit.help("write one of them only"))
            }
            Named::Denied(place) => {
                let text = &literals[place].text;
                let words = || (format!("this names `{text}` only to deny it"), expected());
                Err(self.misfit(node, words))
            }
            Named::None => Err(self.wrong(node, id)),
        }
    }
}
