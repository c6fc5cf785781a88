//! Objects and maps.

use crate::choice::{Named, find_literal};
use crate::coerce::Coercer;
use crate::describe::{describe, excerpt};
use crate::fit::{At, Fit, Misfit};
use crate::reader::{Entry, Kind, Node};
use crate::repair::RepairKind;
use crate::shape::{Field, Id, Keys, Literal, Match, Object, Rest, Shape};
use prompt_syntax::Span;
use serde_json::{Map, Value};

/// What is wrong with an object, if anything is.
#[derive(Default)]
pub(crate) struct Flaws(Option<Misfit>);

impl Flaws {
    pub(crate) fn take(&mut self, part: Misfit, at: Option<At<'_>>) {
        self.0.get_or_insert_default().take(part, at);
    }
}

/// What was written for one field.
#[derive(Clone, Copy)]
struct Given<'n, 't> {
    entry: &'n Entry<'t>,
    how: Match,
}

impl Coercer<'_> {
    pub(crate) fn object(
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
                _ => self
                    .implied(node, object)
                    .ok_or_else(|| self.wrong(node, id)),
            },
            Kind::Text(_) => match self.nested(node, id) {
                Some(nested) => nested,
                None => self
                    .implied(node, object)
                    .ok_or_else(|| self.wrong(node, id)),
            },
            Kind::Word(_) => self
                .implied(node, object)
                .ok_or_else(|| self.wrong(node, id)),
        }
    }

    fn fields(
        &mut self,
        node: &Node<'_>,
        entries: &[Entry<'_>],
        object: &Object,
    ) -> Result<Fit, Misfit> {
        let mut whole = Fit::exact(Value::Null);
        let mut flaws = Flaws::default();
        let (given, others) = self.assign(entries, object, &mut whole, &mut flaws);
        let known = given.iter().flatten().count();
        let is_map = matches!(object.rest, Rest::Map { .. });
        if known == 0 && !entries.is_empty() && !is_map {
            return Err(self.unknown(node, entries, object));
        }
        let mut map = Map::with_capacity(object.fields.len());
        let mut near = known;
        for (field, given) in object.fields.iter().zip(&given) {
            if self.field(node, field, *given, &mut map, &mut whole, &mut flaws) {
                near += if self.tag(field).is_some() { TAG } else { 1 };
            }
        }
        match &object.rest {
            Rest::Map { value, keys } => {
                self.map(&others, *value, *keys, &mut map, &mut whole, &mut flaws);
            }
            Rest::Ignore => {
                for entry in others {
                    let span = self.span(entry.key_span);
                    whole = whole.mark(RepairKind::ExtraField, span, entry.key.as_ref());
                }
            }
        }
        if let Some(misfit) = flaws.0 {
            return Err(misfit.near(near));
        }
        whole.value = Value::Object(map);
        Ok(if self.is_open(node) {
            whole.open()
        } else {
            whole
        })
    }

    /// Which entry each field was given, and the entries that name none.
    fn assign<'n, 't>(
        &mut self,
        entries: &'n [Entry<'t>],
        object: &Object,
        whole: &mut Fit,
        flaws: &mut Flaws,
    ) -> (Vec<Option<Given<'n, 't>>>, Vec<&'n Entry<'t>>) {
        let mut given: Vec<Option<Given<'n, 't>>> = vec![None; object.fields.len()];
        let mut others = Vec::new();
        let mut next = 0;
        for entry in entries {
            let Some((place, how)) = object.field_near(&entry.key, next) else {
                others.push(entry);
                continue;
            };
            next = place + 1;
            let Some(first) = given[place].replace(Given { entry, how }) else {
                continue;
            };
            if how == Match::Exact && first.how != how {
                // Another spelling beside the name itself is another field.
                others.push(first.entry);
            } else {
                given[place] = Some(first);
                self.repeated(&object.fields[place], first.entry, entry, whole, flaws);
            }
        }
        (given, others)
    }

    /// The only value of a field that has but one: the tag of a union's variant.
    pub(crate) fn tag<'f>(&'f self, field: &Field) -> Option<&'f Literal> {
        match self.shapes.get(field.shape) {
            Shape::Choice(literals) => match literals.as_slice() {
                [only] => Some(only),
                _ => None,
            },
            _ => None,
        }
    }

    /// Matches what was written for a field, or says what its absence means. Whether it fits.
    fn field(
        &mut self,
        node: &Node<'_>,
        field: &Field,
        given: Option<Given<'_, '_>>,
        map: &mut Map<String, Value>,
        whole: &mut Fit,
        flaws: &mut Flaws,
    ) -> bool {
        let at = At::Key(&field.name);
        let Some(Given { entry, how }) = given else {
            if self.is_open(node) {
                whole.cost += u32::from(field.required);
            } else if field.required && matches!(self.shapes.get(field.shape), Shape::Nullable(_)) {
                map.insert(field.name.clone(), Value::Null);
                let span = self.span(node.span);
                let noted = Fit::exact(Value::Null).mark(RepairKind::MissingAsNull, span, "");
                whole.take(&mut { noted }, Some(at));
            } else if field.required {
                flaws.take(self.missing(node, field), None);
            }
            return false;
        };
        match self.fit(&entry.value, field.shape) {
            Ok(mut fit) => {
                map.insert(field.name.clone(), std::mem::take(&mut fit.value));
                if how != Match::Exact {
                    let span = self.span(entry.key_span);
                    fit = fit.mark(RepairKind::KeySpelling, span, entry.key.as_ref());
                }
                whole.take(&mut fit, Some(at));
                return true;
            }
            Err(_) if self.partial => whole.leave_out(self.is_open(&entry.value)),
            Err(part) => flaws.take(part, Some(at)),
        }
        false
    }

    /// The same field twice: no harm if both say the same.
    fn repeated(
        &mut self,
        field: &Field,
        first: &Entry<'_>,
        second: &Entry<'_>,
        whole: &mut Fit,
        flaws: &mut Flaws,
    ) {
        let values = self.quietly(|coercer| {
            (
                coercer.fit(&first.value, field.shape),
                coercer.fit(&second.value, field.shape),
            )
        });
        match values {
            (Ok(one), Ok(other)) if one.value != other.value && !self.partial => {
                let at = At::Key(&field.name);
                flaws.take(self.contradiction(&field.name, second), Some(at));
            }
            _ => {
                let span = self.span(second.key_span);
                let noted = Fit::exact(Value::Null);
                let noted = noted.mark(RepairKind::RepeatedField, span, second.key.as_ref());
                whole.take(&mut { noted }, None);
            }
        }
    }

    pub(crate) fn contradiction(&self, name: &str, second: &Entry<'_>) -> Misfit {
        let message = format!("`{name}` is given twice, with different values");
        let words = || (message, "given before".to_owned());
        self.misfit_at(second.key_span, words).help("give it once")
    }

    fn missing(&self, node: &Node<'_>, field: &Field) -> Misfit {
        // The end of the object is where it should have been.
        let Span { start, end } = node.span;
        let last = self.text[start..end]
            .chars()
            .next_back()
            .map_or(0, char::len_utf8);
        self.misfit_at(Span::new(end - last, end), || {
            let expected = describe(self.shapes, field.shape);
            let message = ["the field `", &field.name, "` is missing"].concat();
            (
                message,
                ["expected `", &field.name, "`: ", &expected].concat(),
            )
        })
    }

    fn unknown(&self, node: &Node<'_>, entries: &[Entry<'_>], object: &Object) -> Misfit {
        self.misfit(node, || {
            let names: Vec<String> = object
                .fields
                .iter()
                .take(8)
                .map(|field| ["`", &field.name, "`"].concat())
                .collect();
            let first = entries.first().map_or("", |entry| entry.key.as_ref());
            let message = format!(
                "this object has none of the fields, but `{}`",
                excerpt(first)
            );
            (message, format!("expected {}", names.join(", ")))
        })
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
            && let Ok(fit) = self.quietly(|coercer| coercer.fit(&entry.value, id))
        {
            let span = self.span(entry.key_span);
            return Some(fit.mark(RepairKind::ObjectOfOne, span, entry.key.as_ref()));
        }
        self.implied(node, object)
    }

    /// A value that is the only field of the object. A text is not, since any text would be; nor is
    /// what had to be picked out of a text.
    pub(crate) fn implied(&mut self, node: &Node<'_>, object: &Object) -> Option<Fit> {
        let [field] = object.fields.as_slice() else {
            return None;
        };
        let inner = match self.shapes.get(field.shape) {
            Shape::Nullable(inner) => self.shapes.get(*inner),
            shape => shape,
        };
        if matches!(
            inner,
            Shape::Text(_) | Shape::Any | Shape::Null | Shape::Union(_)
        ) && !(node.is_container() && matches!(inner, Shape::Union(_)))
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
        let fit = self
            .quietly(|coercer| coercer.fit(node, field.shape))
            .ok()
            .filter(|fit| !fit.inferred)?;
        let name = field.name.clone();
        let fit = fit.wrap(At::Key(&name), |value| {
            let mut map = Map::new();
            map.insert(name.clone(), value);
            Value::Object(map)
        });
        Some(fit.mark(RepairKind::ImpliedField, span, name).inferred())
    }
}

/// How much nearer a variant is whose tag fits.
pub(crate) const TAG: usize = 100;

/// The cost of a map beside an object with fields.
pub(crate) const MAP: u32 = 1;

impl Coercer<'_> {
    /// Matches the entries that name no field.
    pub(crate) fn map(
        &mut self,
        entries: &[&Entry<'_>],
        value: Id,
        keys: Keys,
        map: &mut Map<String, Value>,
        whole: &mut Fit,
        flaws: &mut Flaws,
    ) {
        // Where an object with named fields fits as well, it is what was meant.
        whole.cost += MAP;
        for entry in entries {
            let at = At::Key(&entry.key);
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
                        flaws.take(self.contradiction(&key, entry), Some(at));
                        continue;
                    }
                    whole.take(&mut fit, Some(At::Key(&key)));
                    map.insert(key, value);
                }
                Err(_) if self.partial => whole.leave_out(self.is_open(&entry.value)),
                Err(part) => flaws.take(part, Some(at)),
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
            coercer.misfit_at(entry.key_span, || {
                let message = format!("`{}` is not a key of this map", excerpt(key));
                (message, format!("expected {expected}"))
            })
        };
        let digits =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match keys {
            Keys::Any => Ok((key.to_owned(), None)),
            Keys::Numbers { signed } => {
                let number = key.trim();
                let unsigned = number
                    .strip_prefix('-')
                    .filter(|_| signed)
                    .unwrap_or(number);
                if digits(unsigned) {
                    Ok((number.to_owned(), None))
                } else {
                    Err(wrong(self, "a whole number"))
                }
            }
            Keys::Of(id) => match self.shapes.get(id) {
                Shape::Choice(literals) => match find_literal(literals, key) {
                    Named::One(place, how) => Ok((literals[place].text.clone(), how)),
                    _ => Err(wrong(self, &describe(self.shapes, id))),
                },
                _ => Ok((key.to_owned(), None)),
            },
        }
    }
}
