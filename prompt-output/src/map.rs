//! Maps: objects whose keys are values too.

use serde_json::{Map, Value};

use super::choice::{self, Named};
use super::coerce::Coercer;
use super::describe;
use super::fit::{At, Fit, Misfit};
use super::node::Entry;
use super::object::Flaws;
use super::repair::RepairKind;
use super::shape::{Id, Keys, Shape};

/// The cost of a map beside an object with fields.
pub(super) const MAP: u32 = 1;

impl Coercer<'_> {
    /// Matches the entries that name no field.
    pub(super) fn map(
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
                let message = format!("`{}` is not a key of this map", describe::quote(key));
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
                Shape::Choice(literals) => match choice::find(literals, key) {
                    Named::One(place, how) => Ok((literals[place].text.clone(), how)),
                    _ => Err(wrong(self, &describe::shape(self.shapes, id))),
                },
                _ => Ok((key.to_owned(), None)),
            },
        }
    }
}
