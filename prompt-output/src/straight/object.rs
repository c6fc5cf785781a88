//! Objects and maps on the short way.

use serde_json::{Map, Value};

use super::{Bail, Straight};
use crate::fit::At;
use crate::map::MAP;
use crate::repair::RepairKind;
use crate::shape::{Keys, Match, Object, Rest, Shape};
use prompt_syntax::Span;

impl Straight<'_, '_> {
    pub(super) fn object(&mut self, object: &Object) -> Result<Value, Bail> {
        let start = self.at;
        let mut map = Map::with_capacity(object.fields.len());
        // How many entries are fields, and whether those came in their order, before all others.
        let (mut known, mut entries, mut ordered, mut next) = (0, 0, true, 0);
        self.entries(|straight, key, span| {
            entries += 1;
            let Some((place, how)) = object.field_near(&key, next) else {
                return straight.other(&key, span, object, &mut map);
            };
            known += 1;
            ordered &= place >= next && map.len() < known;
            next = place + 1;
            let field = &object.fields[place];
            let marks = straight.marks.len();
            let value = straight.value(field.shape)?;
            if how != Match::Exact {
                straight.mark(RepairKind::KeySpelling, span, &key);
            }
            straight.inside(marks, At::Key(&field.name));
            once(map.insert(field.name.clone(), value).as_ref())
        })?;
        let is_map = matches!(object.rest, Rest::Map { .. });
        if known == 0 && entries > 0 && !is_map {
            return Err(Bail::Mismatch);
        }
        if is_map {
            self.cost += MAP;
        }
        if known < object.fields.len() {
            ordered &= self.missing(start, object, &mut map)?;
        }
        if !ordered {
            map = object.in_order(map);
        }
        Ok(Value::Object(map))
    }

    /// An entry that names no field.
    fn other(
        &mut self,
        key: &str,
        span: Span,
        object: &Object,
        map: &mut Map<String, Value>,
    ) -> Result<(), Bail> {
        let Rest::Map { value, keys } = &object.rest else {
            self.deeper(Self::any)?;
            self.mark(RepairKind::ExtraField, span, key);
            return Ok(());
        };
        let allowed = match keys {
            Keys::Any => true,
            Keys::Numbers { .. } => !key.is_empty() && key.bytes().all(|b| b.is_ascii_digit()),
            Keys::Of(id) => match self.shapes.get(*id) {
                Shape::Choice(literals) => {
                    key.trim() == key && literals.iter().any(|literal| literal.text == key)
                }
                _ => true,
            },
        };
        if !allowed {
            return Err(Bail::Unsure);
        }
        let marks = self.marks.len();
        let value = self.value(*value)?;
        self.inside(marks, At::Key(key));
        once(map.insert(key.to_owned(), value).as_ref())
    }

    /// What the absence of fields means. Whether nothing was added.
    fn missing(
        &mut self,
        start: usize,
        object: &Object,
        map: &mut Map<String, Value>,
    ) -> Result<bool, Bail> {
        let span = Span::new(start, self.at);
        let mut ordered = true;
        for field in object.fields.iter().filter(|field| field.required) {
            if map.contains_key(&field.name) {
                continue;
            }
            let Shape::Nullable(_) = self.shapes.get(field.shape) else {
                return Err(Bail::Mismatch);
            };
            let marks = self.marks.len();
            self.mark(RepairKind::MissingAsNull, span, "");
            self.inside(marks, At::Key(&field.name));
            map.insert(field.name.clone(), Value::Null);
            ordered = false;
        }
        Ok(ordered)
    }
}

/// What was given twice has to be compared.
fn once(before: Option<&Value>) -> Result<(), Bail> {
    match before {
        None => Ok(()),
        Some(_) => Err(Bail::Unsure),
    }
}
