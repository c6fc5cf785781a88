//! Objects and maps.

use serde_json::{Map, Value};

use super::coerce::Coercer;
use super::describe;
use super::fit::{Fit, Misfit, Step};
use super::node::{Entry, Kind, Node};
use super::repair::RepairKind;
use super::shape::{Field, Id, Keys, Match, Object, Rest, Shape};

/// What was written for one field.
#[derive(Clone, Copy)]
struct Given<'n, 't> {
    entry: &'n Entry<'t>,
    how: Match,
}

impl Coercer<'_> {
    pub(super) fn object(
        &mut self,
        node: &Node<'_>,
        id: Id,
        object: &Object,
    ) -> Result<Fit, Misfit> {
        let span = self.span(node.span);
        match &node.kind {
            Kind::Object(entries) => match self.fields(node, entries, object) {
                Ok(fit) => Ok(fit),
                Err(misfit) => self.around(node, entries, id, object).ok_or(misfit),
            },
            Kind::List(items) => match items.as_slice() {
                [item] => match self.fit(item, id) {
                    Ok(fit) => Ok(fit.mark(RepairKind::ListOfOne, span, "")),
                    Err(misfit) => self.implied(node, object).ok_or(misfit),
                },
                _ => self.implied(node, object).ok_or_else(|| self.wrong(node, id)),
            },
            Kind::Text(_) => match self.nested(node, id) {
                Some(nested) => nested,
                None => self.implied(node, object).ok_or_else(|| self.wrong(node, id)),
            },
            Kind::Word(_) => self.implied(node, object).ok_or_else(|| self.wrong(node, id)),
        }
    }

    fn fields(
        &mut self,
        node: &Node<'_>,
        entries: &[Entry<'_>],
        object: &Object,
    ) -> Result<Fit, Misfit> {
        let mut whole = Fit::exact(Value::Null);
        let mut misfit = Misfit::empty();
        let mut given: Vec<Option<Given<'_, '_>>> = vec![None; object.fields.len()];
        let mut others: Vec<&Entry<'_>> = Vec::new();
        for entry in entries {
            let Some((place, how)) = object.field(&entry.key) else {
                others.push(entry);
                continue;
            };
            match given[place].replace(Given { entry, how }) {
                Some(first) => {
                    let (best, other) = if how == Match::Exact && first.how != how {
                        (Given { entry, how }, first.entry)
                    } else {
                        (first, entry)
                    };
                    given[place] = Some(best);
                    if best.how == Match::Exact && first.how != how {
                        others.push(other);
                    } else {
                        self.repeated(&object.fields[place], best.entry, other, &mut whole, &mut misfit);
                    }
                }
                None => {}
            }
        }
        let known = given.iter().flatten().count();
        let is_map = matches!(object.rest, Rest::Map { .. });
        if known == 0 && !entries.is_empty() && !is_map {
            return Err(self.unknown(node, entries, object));
        }
        let mut map = Map::new();
        for (field, given) in object.fields.iter().zip(&given) {
            self.field(node, field, *given, &mut map, &mut whole, &mut misfit);
        }
        match &object.rest {
            Rest::Map { value, keys } => {
                self.map(&others, *value, *keys, &mut map, &mut whole, &mut misfit);
            }
            Rest::Ignore => {
                for entry in others {
                    let span = self.span(entry.key_span);
                    whole = whole.mark(RepairKind::ExtraField, span, entry.key.as_ref());
                }
            }
        }
        if !misfit.problems.is_empty() {
            return Err(misfit.near(known));
        }
        whole.value = Value::Object(map);
        Ok(if self.is_open(node) { whole.open() } else { whole })
    }

    /// Matches what was written for a field, or says what its absence means.
    fn field(
        &mut self,
        node: &Node<'_>,
        field: &Field,
        given: Option<Given<'_, '_>>,
        map: &mut Map<String, Value>,
        whole: &mut Fit,
        misfit: &mut Misfit,
    ) {
        let step = Step::Key(field.name.clone());
        let Some(Given { entry, how }) = given else {
            if self.is_open(node) {
                whole.cost += u32::from(field.required);
            } else if field.required && matches!(self.shapes.get(field.shape), Shape::Nullable(_)) {
                map.insert(field.name.clone(), Value::Null);
                let span = self.span(node.span);
                let noted = Fit::exact(Value::Null).mark(RepairKind::MissingAsNull, span, "");
                whole.take(&mut { noted }, Some(step));
            } else if field.required {
                misfit.take(self.missing(node, field), None);
            }
            return;
        };
        match self.fit(&entry.value, field.shape) {
            Ok(mut fit) => {
                map.insert(field.name.clone(), std::mem::take(&mut fit.value));
                if how != Match::Exact {
                    let span = self.span(entry.key_span);
                    fit = fit.mark(RepairKind::KeySpelling, span, entry.key.as_ref());
                }
                whole.take(&mut fit, Some(step));
            }
            Err(_) if self.partial => whole.cost += self.unfit(&entry.value),
            Err(part) => misfit.take(part, Some(step)),
        }
    }

    fn map(
        &mut self,
        entries: &[&Entry<'_>],
        value: Id,
        keys: Keys,
        map: &mut Map<String, Value>,
        whole: &mut Fit,
        misfit: &mut Misfit,
    ) {
        // Where an object with named fields fits as well, it is what was meant.
        whole.cost += MAP;
        for entry in entries {
            let step = Step::Key(entry.key.to_string());
            let fitted = self.map_key(entry, keys).and_then(|(key, how)| {
                let fit = self.fit(&entry.value, value)?;
                let span = self.span(entry.key_span);
                let fit = match how {
                    Some(kind) => fit.mark(kind, span, entry.key.as_ref()),
                    None => fit,
                };
                Ok((key, fit))
            });
            match fitted {
                Ok((key, mut fit)) => {
                    let value = std::mem::take(&mut fit.value);
                    if map.get(&key).is_some_and(|other| *other != value) {
                        misfit.take(self.contradiction(&key, entry), Some(step));
                        continue;
                    }
                    whole.take(&mut fit, Some(Step::Key(key.clone())));
                    map.insert(key, value);
                }
                Err(_) if self.partial => whole.cost += self.unfit(&entry.value),
                Err(part) => misfit.take(part, Some(step)),
            }
        }
    }

    /// The key that a map takes for one that was written.
    fn map_key(
        &mut self,
        entry: &Entry<'_>,
        keys: Keys,
    ) -> Result<(String, Option<RepairKind>), Misfit> {
        let key = entry.key.as_ref();
        let wrong = |coercer: &Self, expected: &str| {
            let span = coercer.span(entry.key_span);
            let message = format!("`{}` is not a key of this map", describe::quote(key));
            Misfit::new(span, message, format!("expected {expected}"))
        };
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match keys {
            Keys::Any => Ok((key.to_owned(), None)),
            Keys::Numbers { signed } => {
                let number = key.trim();
                let unsigned = number.strip_prefix('-').filter(|_| signed).unwrap_or(number);
                if digits(unsigned) {
                    Ok((number.to_owned(), None))
                } else {
                    Err(wrong(self, "a whole number"))
                }
            }
            Keys::Of(id) => match self.shapes.get(id) {
                Shape::Choice(literals) => match super::choice::find(literals, key) {
                    super::choice::Named::One(place, how) => Ok((literals[place].text.clone(), how)),
                    _ => Err(wrong(self, &describe::shape(self.shapes, id))),
                },
                _ => Ok((key.to_owned(), None)),
            },
        }
    }

    /// The same field twice: no harm if both say the same.
    fn repeated(
        &mut self,
        field: &Field,
        first: &Entry<'_>,
        second: &Entry<'_>,
        whole: &mut Fit,
        misfit: &mut Misfit,
    ) {
        let values = (self.fit(&first.value, field.shape), self.fit(&second.value, field.shape));
        match values {
            (Ok(one), Ok(other)) if one.value != other.value && !self.partial => {
                let step = Step::Key(field.name.clone());
                misfit.take(self.contradiction(&field.name, second), Some(step));
            }
            _ => {
                let span = self.span(second.key_span);
                let noted = Fit::exact(Value::Null);
                let noted = noted.mark(RepairKind::RepeatedField, span, second.key.as_ref());
                whole.take(&mut { noted }, None);
            }
        }
    }

    fn contradiction(&self, name: &str, second: &Entry<'_>) -> Misfit {
        let message = format!("`{name}` is given twice, with different values");
        let misfit = Misfit::new(self.span(second.key_span), message, "given before");
        misfit.help("give it once")
    }

    fn missing(&self, node: &Node<'_>, field: &Field) -> Misfit {
        let expected = describe::shape(self.shapes, field.shape);
        let message = format!("the field `{}` is missing", field.name);
        let label = format!("expected `{}`: {expected}", field.name);
        // The end of the object is where it should have been.
        let span = self.span(node.span);
        let end = crate::syntax::Span { start: span.end.saturating_sub(1).max(span.start), end: span.end };
        Misfit::new(end, message, label)
    }

    fn unknown(&self, node: &Node<'_>, entries: &[Entry<'_>], object: &Object) -> Misfit {
        let names: Vec<String> =
            object.fields.iter().take(8).map(|field| format!("`{}`", field.name)).collect();
        let message = format!(
            "this object has none of the fields, but `{}`",
            describe::quote(entries.first().map_or("", |entry| entry.key.as_ref()))
        );
        self.misfit(node, message, format!("expected {}", names.join(", ")))
    }

    /// An object that is not the one asked for, but holds it, or is what it holds.
    fn around(
        &mut self,
        node: &Node<'_>,
        entries: &[Entry<'_>],
        id: Id,
        object: &Object,
    ) -> Option<Fit> {
        if let [entry] = entries
            && object.field(&entry.key).is_none()
            && entry.value.is_container()
            && let Ok(fit) = self.fit(&entry.value, id)
        {
            let span = self.span(entry.key_span);
            return Some(fit.mark(RepairKind::ObjectOfOne, span, entry.key.as_ref()));
        }
        self.implied(node, object)
    }

    /// A value that is the only field of the object. A text is not, since any text would be; nor is
    /// what had to be picked out of a text.
    pub(super) fn implied(&mut self, node: &Node<'_>, object: &Object) -> Option<Fit> {
        let [field] = object.fields.as_slice() else { return None };
        let inner = match self.shapes.get(field.shape) {
            Shape::Nullable(inner) => self.shapes.get(*inner),
            shape => shape,
        };
        if matches!(inner, Shape::Text(_) | Shape::Any | Shape::Null | Shape::Union(_))
            && !(node.is_container() && matches!(inner, Shape::Union(_)))
        {
            return None;
        }
        if matches!(inner, Shape::List(_)) && !matches!(node.kind, Kind::List(_)) {
            return None;
        }
        if self.null(node).is_some() {
            return None;
        }
        let span = self.span(node.span);
        let fit = self.fit(node, field.shape).ok().filter(|fit| !fit.inferred)?;
        let name = field.name.clone();
        let fit = fit.wrap(Step::Key(name.clone()), |value| {
            Value::Object(Map::from_iter([(name.clone(), value)]))
        });
        Some(fit.mark(RepairKind::ImpliedField, span, name).inferred())
    }
}

/// The cost of a map beside an object with fields.
const MAP: u32 = 5;
