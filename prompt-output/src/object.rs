//! Objects and maps.

use crate::choice::{LiteralMatch, find_literal};
use crate::coerce::Coercer;
use crate::describe::{describe_type, excerpt};
use crate::fit::{Fit, Mismatch, StepRef};
use crate::name::{fold_name, is_one_of, word_list};
use crate::prose::is_denial;
use crate::reader::{NodeKind, ObjectEntry, SyntaxNode};
use crate::repair::RepairKind;
use crate::types::{
    ChoiceLiteral, FieldType, KeyMatch, Object, ObjectKeys, OtherKeys, Type, TypeIndex,
};
use prompt_base::Span;
use serde_json::{Map, Value};

/// Keys that report a failure instead of a value, folded.
const FAILURES: [&str; 12] = word_list(
    "error errors errormessage err exception failure failed fault refusal refused traceback problem",
);
/// Generic keys, folded: in an object of one entry they do not describe its value.
const WRAPPERS: [&str; 17] = word_list(
    "value values val result results answer output data content item items list text name number amount count",
);
/// Keys of a status, and what it contains after a failure.
const STATUSES: [&str; 4] = word_list("status success ok state");
const FAILED: [&str; 7] = word_list("false error failed failure fail refused exception");

/// Whether an entry that is not a field of the schema reports a failure, so that nothing beside or inside it is an answer.
fn is_failure(entry: &ObjectEntry<'_>) -> bool {
    let key = fold_name(&entry.key);
    let text = match &entry.value.kind {
        NodeKind::Unquoted(word) => fold_name(word),
        NodeKind::Quoted(text) => fold_name(text),
        NodeKind::List(items) => return is_one_of(&key, &FAILURES) && !items.is_empty(),
        NodeKind::Object(entries) => return is_one_of(&key, &FAILURES) && !entries.is_empty(),
    };
    let nothing =
        ["", "null", "none", "false", "no", "0", "undefined", "ok"].contains(&text.as_str());
    is_one_of(&key, &FAILURES) && !nothing
        || is_one_of(&key, &STATUSES) && is_one_of(&text, &FAILED)
}

/// The mismatches of an object, if any.
#[derive(Default)]
pub(crate) struct Mismatches(Option<Mismatch>);

impl Mismatches {
    pub(crate) fn add_mismatch(&mut self, part: Mismatch, at: Option<StepRef<'_>>) {
        self.0.get_or_insert_default().take_part(part, at);
    }
}

/// The entry of a field.
#[derive(Clone, Copy)]
struct FieldEntry<'n, 't> {
    entry: &'n ObjectEntry<'t>,
    how: KeyMatch,
}

impl Coercer<'_> {
    pub(crate) fn coerce_object(
        &mut self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
        object: &Object,
    ) -> Result<Fit, Mismatch> {
        let span = self.answer_span(node.span);
        match &node.kind {
            NodeKind::Object(entries) => match self.coerce_fields(node, entries, object) {
                Ok(fit) => Ok(fit),
                Err(mismatch) => self
                    .coerce_wrapped_or_implied(node, entries, id, object)
                    .ok_or(mismatch),
            },
            NodeKind::List(items) => match items.as_slice() {
                [item] if !self.is_item() => match self.coerce_node(item, id) {
                    Ok(fit) => Ok(fit.with_repair(RepairKind::ListOfOne, span, "")),
                    Err(mismatch) => self.coerce_implied(node, object).ok_or(mismatch),
                },
                _ => self
                    .coerce_implied(node, object)
                    .ok_or_else(|| self.type_mismatch(node, id)),
            },
            NodeKind::Quoted(_) => match self.coerce_nested_json(node, id) {
                Some(nested) => nested,
                None => self
                    .coerce_implied(node, object)
                    .ok_or_else(|| self.type_mismatch(node, id)),
            },
            NodeKind::Unquoted(_) => self
                .coerce_implied(node, object)
                .ok_or_else(|| self.type_mismatch(node, id)),
        }
    }

    fn coerce_fields(
        &mut self,
        node: &SyntaxNode<'_>,
        entries: &[ObjectEntry<'_>],
        object: &Object,
    ) -> Result<Fit, Mismatch> {
        let mut whole = Fit::from_value(Value::Null);
        let mut mismatches = Mismatches::default();
        let (assigned, others) = self.assign_entries(entries, object, &mut whole, &mut mismatches);
        let known = assigned.iter().flatten().count();
        let is_map = matches!(object.rest, OtherKeys::Map { .. });
        // An object without any of the fields is another object. With only optional fields it would otherwise fit as an empty one.
        if known == 0 && !entries.is_empty() && !is_map {
            return Err(self.unknown_fields(node, entries, object));
        }
        let mut map = Map::with_capacity(object.fields.len());
        let mut near = known;
        for (field, assigned) in object.fields.iter().zip(&assigned) {
            if self.coerce_field(
                node,
                field,
                *assigned,
                &mut map,
                &mut whole,
                &mut mismatches,
            ) {
                near += if self.tag_literal(field).is_some() {
                    TAG_WEIGHT
                } else {
                    1
                };
            }
        }
        match &object.rest {
            OtherKeys::Map { value, keys } => {
                self.coerce_map(
                    &others,
                    *value,
                    *keys,
                    &mut map,
                    &mut whole,
                    &mut mismatches,
                );
            }
            OtherKeys::Ignore => {
                for entry in others {
                    if let Err(part) = self.check_not_failure(entry) {
                        mismatches.add_mismatch(part, None);
                    }
                    let span = self.answer_span(entry.key_span);
                    whole = whole.with_repair(RepairKind::ExtraField, span, entry.key.as_ref());
                }
            }
        }
        if let Some(mismatch) = mismatches.0 {
            return Err(mismatch.with_matched(near));
        }
        let short = self.is_open(node) && map.len() < object.lengths.min;
        if !object.lengths.allows(map.len()) && !short {
            return Err(self
                .length_mismatch(node, map.len(), "field", object.lengths)
                .with_matched(near));
        }
        whole.value = Value::Object(map);
        Ok(if self.is_open(node) {
            whole.mark_open()
        } else {
            whole
        })
    }

    /// Assigns the entries to the fields. The second result are the entries that name no field.
    fn assign_entries<'n, 't>(
        &mut self,
        entries: &'n [ObjectEntry<'t>],
        object: &Object,
        whole: &mut Fit,
        mismatches: &mut Mismatches,
    ) -> (Vec<Option<FieldEntry<'n, 't>>>, Vec<&'n ObjectEntry<'t>>) {
        let mut assigned: Vec<Option<FieldEntry<'n, 't>>> = vec![None; object.fields.len()];
        let mut others = Vec::new();
        let mut next = 0;
        for entry in entries {
            let Some((index, how)) = object.find_field_from(&entry.key, next) else {
                others.push(entry);
                continue;
            };
            next = index + 1;
            let Some(first) = assigned[index].replace(FieldEntry { entry, how }) else {
                continue;
            };
            match (first.how == KeyMatch::Exact, how == KeyMatch::Exact) {
                // Another spelling beside the exact name is another field.
                (false, true) => others.push(first.entry),
                (true, false) => {
                    assigned[index] = Some(first);
                    others.push(entry);
                }
                _ => {
                    assigned[index] = Some(first);
                    self.check_repeated_field(
                        &object.fields[index],
                        first.entry,
                        entry,
                        whole,
                        mismatches,
                    );
                }
            }
        }
        (assigned, others)
    }

    /// The only value of a field with a single literal: the tag of a union's variant.
    pub(crate) fn tag_literal<'f>(&'f self, field: &FieldType) -> Option<&'f ChoiceLiteral> {
        match self.types.get(field.ty) {
            Type::Choice(literals) => match literals.as_slice() {
                [only] => Some(only),
                _ => None,
            },
            _ => None,
        }
    }

    /// Coerces the entry of a field, or handles its absence. Returns whether it fits.
    fn coerce_field(
        &mut self,
        node: &SyntaxNode<'_>,
        field: &FieldType,
        assigned: Option<FieldEntry<'_, '_>>,
        map: &mut Map<String, Value>,
        whole: &mut Fit,
        mismatches: &mut Mismatches,
    ) -> bool {
        let at = StepRef::Key(&field.name);
        let Some(FieldEntry { entry, how }) = assigned else {
            if self.is_open(node) {
                whole.cost += u32::from(field.required);
            } else if field.required && matches!(self.types.get(field.ty), Type::Nullable(_)) {
                map.insert(field.name.clone(), Value::Null);
                let span = self.answer_span(node.span);
                let noted =
                    Fit::from_value(Value::Null).with_repair(RepairKind::MissingAsNull, span, "");
                whole.take_part(&mut { noted }, Some(at));
            } else if field.required {
                mismatches.add_mismatch(self.missing_field(node, field), None);
            }
            return false;
        };
        match self.coerce_node(&entry.value, field.ty) {
            Ok(mut fit) => {
                map.insert(field.name.clone(), std::mem::take(&mut fit.value));
                if how != KeyMatch::Exact {
                    if self.is_open(node) {
                        // The exact name may follow.
                        fit = fit.mark_open();
                    }
                    let span = self.answer_span(entry.key_span);
                    fit = fit.with_repair(RepairKind::KeySpelling, span, entry.key.as_ref());
                }
                whole.take_part(&mut fit, Some(at));
                return true;
            }
            Err(_) if self.partial => whole.leave_out(self.is_open(&entry.value)),
            Err(part) => mismatches.add_mismatch(part, Some(at)),
        }
        false
    }

    /// Handles a field that occurs twice: an error unless both values are equal.
    fn check_repeated_field(
        &mut self,
        field: &FieldType,
        first: &ObjectEntry<'_>,
        second: &ObjectEntry<'_>,
        whole: &mut Fit,
        mismatches: &mut Mismatches,
    ) {
        let values = self.without_messages(|coercer| {
            (
                coercer.coerce_node(&first.value, field.ty),
                coercer.coerce_node(&second.value, field.ty),
            )
        });
        match values {
            // JSON parsers take the last of two equal keys, models mean either: only equal values are unambiguous.
            (Ok(one), Ok(other)) if one.value != other.value && !self.partial => {
                let at = StepRef::Key(&field.name);
                mismatches.add_mismatch(self.contradiction_mismatch(&field.name, second), Some(at));
            }
            _ => {
                let span = self.answer_span(second.key_span);
                let noted = Fit::from_value(Value::Null);
                let noted = noted.with_repair(RepairKind::RepeatedField, span, second.key.as_ref());
                whole.take_part(&mut { noted }, None);
            }
        }
    }

    pub(crate) fn contradiction_mismatch(&self, name: &str, second: &ObjectEntry<'_>) -> Mismatch {
        let message = format!("`{name}` is given twice, with different values");
        let texts = || (message, "given before".to_owned());
        self.mismatch_at(second.key_span, texts)
            .with_help("give it once")
    }

    /// The mismatch of an entry that reports a failure.
    fn check_not_failure(&self, entry: &ObjectEntry<'_>) -> Result<(), Mismatch> {
        if self.partial || !is_failure(entry) {
            return Ok(());
        }
        Err(self.mismatch_at(entry.key_span, || {
            let message = format!("this object reports a failure: `{}`", excerpt(&entry.key));
            (message, "expected an answer".to_owned())
        }))
    }

    /// Coerces the value in an object of one entry whose key is not a field: `{"result": 7}`.
    pub(crate) fn coerce_wrapped(
        &mut self,
        node: &SyntaxNode<'_>,
        entry: &ObjectEntry<'_>,
        id: TypeIndex,
    ) -> Result<Fit, Mismatch> {
        self.check_not_failure(entry)?;
        let key = fold_name(&entry.key);
        // Inside of another value, a key with a meaning of its own makes it another value: `{"age": {"months": 7}}`.
        let is_other = is_one_of(&key, &FAILURES) || is_denial(&key);
        if is_other || !self.is_root() && !is_one_of(&key, &WRAPPERS) {
            return Err(self.type_mismatch(node, id));
        }
        let fit = self.coerce_certain(&entry.value, id)?;
        Ok(fit.with_repair(
            RepairKind::ObjectOfOne,
            self.answer_span(node.span),
            entry.key.as_ref(),
        ))
    }

    /// Coerces the only value in a container. What would have to be inferred in two ways is not accepted.
    pub(crate) fn coerce_certain(
        &mut self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
    ) -> Result<Fit, Mismatch> {
        match self.coerce_node(node, id)? {
            fit if fit.inferred => Err(self.type_mismatch(node, id)),
            fit => Ok(fit),
        }
    }

    fn missing_field(&self, node: &SyntaxNode<'_>, field: &FieldType) -> Mismatch {
        // The field is reported at the end of the object.
        let Span { start, end } = node.span;
        let last = self.text[start..end]
            .chars()
            .next_back()
            .map_or(0, char::len_utf8);
        self.mismatch_at(Span::new(end - last, end), || {
            let expected = describe_type(self.types, field.ty);
            let message = ["the field `", &field.name, "` is missing"].concat();
            (
                message,
                ["expected `", &field.name, "`: ", &expected].concat(),
            )
        })
    }

    fn unknown_fields(
        &self,
        node: &SyntaxNode<'_>,
        entries: &[ObjectEntry<'_>],
        object: &Object,
    ) -> Mismatch {
        self.mismatch(node, || {
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

    /// Coerces an object that contains the expected one, or is the value of its only field.
    fn coerce_wrapped_or_implied(
        &mut self,
        node: &SyntaxNode<'_>,
        entries: &[ObjectEntry<'_>],
        id: TypeIndex,
        object: &Object,
    ) -> Option<Fit> {
        if let [entry] = entries
            && object.find_field(&entry.key).is_none()
            && matches!(object.rest, OtherKeys::Ignore)
            && entry.value.is_container()
            && !is_failure(entry)
            && let Ok(fit) = self.without_messages(|coercer| coercer.coerce_node(&entry.value, id))
        {
            let span = self.answer_span(entry.key_span);
            return Some(fit.with_repair(RepairKind::ObjectOfOne, span, entry.key.as_ref()));
        }
        self.coerce_implied(node, object)
    }

    /// Coerces a value that is the only field of the object. A text is not accepted, since any text would fit; nor is an inferred value.
    pub(crate) fn coerce_implied(&mut self, node: &SyntaxNode<'_>, object: &Object) -> Option<Fit> {
        let [field] = object.fields.as_slice() else {
            return None;
        };
        let inner = self.types.without_null(field.ty);
        if matches!(
            inner,
            Type::Text(_) | Type::Any | Type::Null | Type::Union(_)
        ) && !(node.is_container() && matches!(inner, Type::Union(_)))
        {
            return None;
        }
        if matches!(inner, Type::List(_)) && !matches!(node.kind, NodeKind::List(_)) {
            return None;
        }
        let is_other = |entry: &ObjectEntry<'_>| object.find_field(&entry.key).is_none();
        let is_itself = matches!(&node.kind, NodeKind::Object(entries) if node.is_empty() || !entries.iter().all(is_other));
        if is_itself || self.coerce_null(node).is_some() {
            return None;
        }
        let span = self.answer_span(node.span);
        let fit = self
            .without_messages(|coercer| coercer.coerce_node(node, field.ty))
            .ok()
            .filter(|fit| !fit.inferred && fit.cost < RepairKind::NumberInQuotes.cost())?;
        let name = field.name.clone();
        let fit = fit.wrap_value(StepRef::Key(&name), |value| {
            let mut map = Map::new();
            map.insert(name.clone(), value);
            Value::Object(map)
        });
        Some(
            fit.with_repair(RepairKind::ImpliedField, span, name)
                .mark_inferred(),
        )
    }
}

/// The weight of a matching tag among the matched fields.
pub(crate) const TAG_WEIGHT: usize = 100;

/// The cost of a map beside an object with fields.
pub(crate) const MAP_COST: u32 = 1;

impl Coercer<'_> {
    /// Coerces the entries that name no field.
    pub(crate) fn coerce_map(
        &mut self,
        entries: &[&ObjectEntry<'_>],
        value: TypeIndex,
        keys: ObjectKeys,
        map: &mut Map<String, Value>,
        whole: &mut Fit,
        mismatches: &mut Mismatches,
    ) {
        // An object with named fields is preferred where both fit.
        whole.cost += MAP_COST;
        for entry in entries {
            let at = StepRef::Key(&entry.key);
            let fitted = self.map_key(entry, keys).and_then(|(key, how)| {
                let fit = match is_failure(entry) {
                    true => self.coerce_certain(&entry.value, value)?,
                    false => self.coerce_node(&entry.value, value)?,
                };
                let span = self.answer_span(entry.key_span);
                let fit = match how {
                    Some(kind) => fit.with_repair(kind, span, entry.key.as_ref()),
                    None => fit,
                };
                Ok((key, fit))
            });
            match fitted {
                Ok((key, mut fit)) => {
                    let value = std::mem::take(&mut fit.value);
                    if map.get(&key).is_some_and(|other| *other != value) {
                        mismatches.add_mismatch(self.contradiction_mismatch(&key, entry), Some(at));
                        continue;
                    }
                    whole.take_part(&mut fit, Some(StepRef::Key(&key)));
                    map.insert(key, value);
                }
                Err(_) if self.partial => whole.leave_out(self.is_open(&entry.value)),
                Err(part) => mismatches.add_mismatch(part, Some(at)),
            }
        }
    }

    /// The key of the map for a key of the text.
    fn map_key(
        &mut self,
        entry: &ObjectEntry<'_>,
        keys: ObjectKeys,
    ) -> Result<(String, Option<RepairKind>), Mismatch> {
        let key = entry.key.as_ref();
        let type_mismatch = |coercer: &Self, expected: &str| {
            coercer.mismatch_at(entry.key_span, || {
                let message = format!("`{}` is not a key of this map", excerpt(key));
                (message, format!("expected {expected}"))
            })
        };
        let digits =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match keys {
            ObjectKeys::Any => Ok((key.to_owned(), None)),
            ObjectKeys::Numbers { signed } => {
                let number = key.trim();
                let unsigned = number
                    .strip_prefix('-')
                    .filter(|_| signed)
                    .unwrap_or(number);
                if digits(unsigned) {
                    Ok((number.to_owned(), None))
                } else {
                    Err(type_mismatch(self, "a whole number"))
                }
            }
            ObjectKeys::Of(id) => match self.types.get(id) {
                Type::Choice(literals) => match find_literal(literals, key) {
                    LiteralMatch::One(index, how) => Ok((literals[index].text.clone(), how)),
                    _ => Err(type_mismatch(self, &describe_type(self.types, id))),
                },
                Type::Text(constraints)
                    if !constraints.lengths.allows_text(key)
                        || constraints.violated_constraint(key).is_some() =>
                {
                    Err(type_mismatch(self, &describe_type(self.types, id)))
                }
                _ => Ok((key.to_owned(), None)),
            },
        }
    }
}
