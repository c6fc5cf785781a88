//! Objects: their fields, and entries that are not fields.

use crate::coerce::Coercer;
use crate::describe::{describe_type, excerpt};
use crate::fit::{Fit, Mismatch, TAG_WEIGHT};
use crate::literal::{LiteralMatch, find_literal};
use crate::path::StepRef;
use crate::repair::RepairKind;
use crate::syntax::{NodeKind, ObjectEntry, SyntaxNode};
use crate::types::{ChoiceLiteral, FieldType, KeyMatch, Object, Type, TypeIndex, TypeTable};
use prompt_base::Span;
use serde_json::{Map, Value};

/// The mismatches of an object, if any.
#[derive(Default)]
struct Mismatches(Option<Mismatch>);

impl Mismatches {
    fn add_mismatch(&mut self, part: Mismatch, at: Option<StepRef<'_>>) {
        self.0.get_or_insert_default().take_part(part, at);
    }
}

impl Coercer<'_> {
    pub(crate) fn coerce_object(
        &mut self,
        node: &SyntaxNode<'_>,
        id: TypeIndex,
        object: &Object,
    ) -> Result<Fit, Mismatch> {
        match &node.kind {
            NodeKind::Object(entries) => self.coerce_entries(node, entries, object),
            NodeKind::Quoted(_) => self
                .coerce_nested_json(node, id)
                .unwrap_or_else(|| Err(self.type_mismatch(node, id))),
            NodeKind::Unquoted(_) | NodeKind::List(_) => Err(self.type_mismatch(node, id)),
        }
    }

    /// Converts the entries in the order of the text. Entries that are not fields are kept: the validator decides whether they are
    /// allowed.
    pub(crate) fn coerce_entries(
        &mut self,
        node: &SyntaxNode<'_>,
        entries: &[ObjectEntry<'_>],
        object: &Object,
    ) -> Result<Fit, Mismatch> {
        let types = self.types;
        let fields = match_fields(entries, object);
        let mut whole = Fit::from_value(Value::Null);
        let mut mismatches = Mismatches::default();
        let mut map = Map::with_capacity(entries.len());
        let mut matched = 0;
        for (entry, field) in entries.iter().zip(&fields) {
            let (name, ty) = match field {
                Some((index, _)) => {
                    let field = &object.fields[*index];
                    (field.name.as_str(), field.ty)
                }
                None => (listed_key(types, object, &entry.key), object.rest),
            };
            let at = StepRef::Key(name);
            let mut fit = match self.coerce_node(&entry.value, ty) {
                Ok(fit) => fit,
                Err(_) if self.partial => {
                    whole.leave_out(self.is_unfinished(&entry.value));
                    continue;
                }
                Err(part) => {
                    mismatches.add_mismatch(part, Some(at));
                    continue;
                }
            };
            matched += match field {
                Some((index, _)) if self.tag_literal(&object.fields[*index]).is_some() => {
                    TAG_WEIGHT
                }
                Some(_) => 2,
                None => 0,
            };
            let span = self.answer_span(entry.key_span);
            if name != entry.key {
                fit = fit.with_repair(RepairKind::KeySpelling, span, entry.key.as_ref());
            }
            let value = std::mem::take(&mut fit.value);
            match map.get(name) {
                // JSON parsers take the last of two equal keys, models mean either: only equal values are unambiguous.
                Some(other) if *other != value => {
                    if !self.partial {
                        mismatches.add_mismatch(self.contradiction_mismatch(name, entry), Some(at));
                    }
                    continue;
                }
                Some(_) => {
                    fit = fit.with_repair(RepairKind::RepeatedField, span, entry.key.as_ref());
                }
                None => {
                    map.insert(name.to_owned(), value);
                }
            }
            whole.take_part(&mut fit, Some(at));
        }
        // An object with named fields is preferred to a map where both fit.
        whole.cost += u32::from(object.fields.is_empty());
        for field in object.fields.iter().filter(|field| field.required) {
            if map.contains_key(&field.name) {
                continue;
            }
            let index = object.find_field(&field.name).map(|(index, _)| index);
            let is_given = fields
                .iter()
                .any(|field| field.map(|(index, _)| index) == index);
            match self.is_unfinished(node) {
                true => whole.cost += 1,
                // Its value has a mismatch of its own.
                false if is_given => {}
                false => mismatches.add_mismatch(self.missing_field(node, field), None),
            }
        }
        if let Some(mismatch) = mismatches.0 {
            return Err(mismatch.with_matched(matched));
        }
        whole.value = Value::Object(map);
        Ok(whole)
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

    pub(crate) fn contradiction_mismatch(&self, name: &str, second: &ObjectEntry<'_>) -> Mismatch {
        let message = format!("`{name}` is given twice, with different values");
        let texts = || (message, "given before".to_owned());
        self.mismatch_at(second.key_span, texts)
            .with_help("give it once")
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
            let message = format!("the field `{}` is missing", excerpt(&field.name));
            (
                message,
                format!("expected `{}`: {expected}", excerpt(&field.name)),
            )
        })
    }
}

/// The field of each entry, and how its key matches. A key in another spelling matches only if the text does not contain the exact
/// name, and only once.
fn match_fields(entries: &[ObjectEntry<'_>], object: &Object) -> Vec<Option<(usize, KeyMatch)>> {
    let mut next = 0;
    let mut taken = vec![None; object.fields.len()];
    let mut found: Vec<Option<(usize, KeyMatch)>> = Vec::with_capacity(entries.len());
    for entry in entries {
        let field = object.find_field_from(&entry.key, next);
        if let Some((index, how)) = field {
            next = index + 1;
            let exact = how == KeyMatch::Exact;
            taken[index] = Some(taken[index].unwrap_or(false) || exact);
        }
        found.push(field);
    }
    for field in &mut found {
        if let Some((index, how)) = field
            && *how != KeyMatch::Exact
            && taken[*index] == Some(true)
        {
            *field = None;
        }
    }
    found
}

/// The key of a map whose keys the schema lists, in their spelling.
fn listed_key<'k>(types: &'k TypeTable, object: &Object, key: &'k str) -> &'k str {
    let Some(Type::Choice(literals)) = object.keys.map(|keys| types.get(keys)) else {
        return key;
    };
    match find_literal(literals, key) {
        LiteralMatch::One(index, _) => &literals[index].text,
        _ => key,
    }
}
