//! The types that a schema describes, prepared for matching against an answer.

use crate::compile::Keywords;
use crate::constraint::{StringConstraints, is_multiple};
use crate::name::{NameIndex, Names, fold_name};
use serde_json::Value;

/// The index of a type in its [`TypeTable`]. Types refer to each other by index, so that a type may contain itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TypeIndex(pub u32);

#[derive(Debug)]
pub(crate) enum Type {
    Any,
    /// No value fits: `false` in a schema.
    Never,
    Null,
    Bool,
    Integer(Integers),
    Number(Numbers),
    Text(StringConstraints),
    Choice(Vec<ChoiceLiteral>),
    List(ListType),
    Tuple(Vec<TypeIndex>),
    Object(Object),
    /// The inner type, or null.
    Nullable(TypeIndex),
    Union(Vec<TypeIndex>),
    /// Another type: the result of a `$ref`.
    Same(TypeIndex),
}

/// Whole numbers, from `min` to `max`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Integers {
    pub min: i128,
    pub max: i128,
    pub multiple_of: Option<f64>,
}

/// Numbers within bounds. An exclusive bound itself is not allowed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Numbers {
    pub min: Option<(f64, Bound)>,
    pub max: Option<(f64, Bound)>,
    pub multiple_of: Option<f64>,
}

impl Numbers {
    pub(crate) fn allows(self, number: f64) -> bool {
        let low = self.min.is_none_or(|(bound, kind)| match kind {
            Bound::Inclusive => number >= bound,
            Bound::Exclusive => number > bound,
        });
        let high = self.max.is_none_or(|(bound, kind)| match kind {
            Bound::Inclusive => number <= bound,
            Bound::Exclusive => number < bound,
        });
        low && high
            && self
                .multiple_of
                .is_none_or(|step| is_multiple(number, step))
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Bound {
    Inclusive,
    Exclusive,
}

/// The allowed number of characters or items.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Lengths {
    pub min: usize,
    pub max: usize,
}

impl Lengths {
    pub(crate) const ANY: Lengths = Lengths {
        min: 0,
        max: usize::MAX,
    };

    pub(crate) fn allows(self, length: usize) -> bool {
        (self.min..=self.max).contains(&length)
    }

    pub(crate) fn from_keywords(map: &Keywords<'_>, min: &str, max: &str) -> Lengths {
        let read = |key: &str| {
            map.get(key)
                .and_then(Value::as_f64)
                .map(|length| length as usize)
        };
        Lengths {
            min: read(min).unwrap_or(0),
            max: read(max).unwrap_or(usize::MAX),
        }
    }

    /// Counts characters only where their number matters.
    pub(crate) fn allows_text(self, text: &str) -> bool {
        self == Lengths::ANY || self.allows(text.chars().count())
    }
}

/// One of the values of an `enum` or `const`.
#[derive(Clone, Debug)]
pub(crate) struct ChoiceLiteral {
    pub value: Value,
    /// The value as a model writes it.
    pub text: String,
    /// Its aliases.
    pub aliases: Vec<String>,
    pub folded: FoldedNames,
}

/// The text, the aliases and the description of a literal, folded.
#[derive(Clone, Debug)]
pub(crate) struct FoldedNames {
    pub text: String,
    pub aliases: Vec<String>,
    pub description: Option<String>,
}

impl ChoiceLiteral {
    pub(crate) fn new(
        value: Value,
        text: String,
        aliases: Vec<String>,
        description: Option<&str>,
    ) -> ChoiceLiteral {
        let folded = FoldedNames {
            text: fold_name(&text),
            aliases: aliases.iter().map(|alias| fold_name(alias)).collect(),
            description: description.map(fold_name),
        };
        ChoiceLiteral {
            value,
            text,
            aliases,
            folded,
        }
    }
}

#[derive(Debug)]
pub(crate) struct ListType {
    pub item: TypeIndex,
    pub lengths: Lengths,
    /// All items are different.
    pub unique: bool,
}

#[derive(Debug)]
pub(crate) struct Object {
    pub fields: Vec<FieldType>,
    /// The allowed number of entries.
    pub lengths: Lengths,
    pub rest: OtherKeys,
    index: NameIndex,
    /// Fields by folded name; `None` where two fields share it, so that only the exact name matches.
    folded: NameIndex,
    aliases: NameIndex,
    descriptions: NameIndex,
}

#[derive(Debug)]
pub(crate) struct FieldType {
    pub name: String,
    pub aliases: Vec<String>,
    pub description: Option<String>,
    pub ty: TypeIndex,
    pub required: bool,
}

/// What happens to keys that name no field.
#[derive(Debug)]
pub(crate) enum OtherKeys {
    /// They are left out and reported.
    Ignore,
    /// They are entries of a map.
    Map { value: TypeIndex, keys: ObjectKeys },
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum ObjectKeys {
    Any,
    /// Whole numbers; `signed` allows a minus.
    Numbers {
        signed: bool,
    },
    /// Values of another type.
    Of(TypeIndex),
}

/// How a key matches a field.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum KeyMatch {
    Exact,
    Spelling,
    Alias,
}

impl Object {
    pub(crate) fn new(fields: Vec<FieldType>, rest: OtherKeys, lengths: Lengths) -> Object {
        let mut index = Vec::with_capacity(fields.len());
        let mut folded = Vec::with_capacity(fields.len());
        let mut aliases = Vec::new();
        let mut descriptions = Vec::new();
        for (at, field) in fields.iter().enumerate() {
            let at = Some(at);
            index.push((field.name.clone(), at));
            folded.push((fold_name(&field.name), at));
            for alias in &field.aliases {
                aliases.push((fold_name(alias), at));
            }
            if let Some(description) = &field.description {
                descriptions.push((fold_name(description), at));
            }
        }
        let same = |one, other| if one == other { one } else { None };
        Object {
            fields,
            lengths,
            rest,
            index: NameIndex::new(index, |first, _| first),
            folded: NameIndex::new(folded, same),
            aliases: NameIndex::new(aliases, same),
            descriptions: NameIndex::new(descriptions, same),
        }
    }

    /// Returns the field that a key names, checking the expected index first: models write the fields in the order of the schema.
    pub(crate) fn find_field_from(&self, key: &str, at: usize) -> Option<(usize, KeyMatch)> {
        match self.fields.get(at) {
            Some(field) if field.name == key => Some((at, KeyMatch::Exact)),
            _ => self.find_field(key),
        }
    }

    /// Returns the field that a key names. The exact name is preferred to another spelling, and that to an alias. A name that
    /// matches two fields equally well matches none.
    pub(crate) fn find_field(&self, key: &str) -> Option<(usize, KeyMatch)> {
        if let Some(Some(at)) = self.index.get(key) {
            return Some((at, KeyMatch::Exact));
        }
        let name = fold_name(key);
        if name.is_empty() {
            return None;
        }
        if let Some(at) = self.folded.get(&name) {
            return at.map(|at| (at, KeyMatch::Spelling));
        }
        let by_alias = self.aliases.get(&name).flatten();
        by_alias
            .or_else(|| self.descriptions.get(&name).flatten())
            .map(|at| (at, KeyMatch::Alias))
    }
}

/// Returns the type behind all references. A type that is only a reference to itself fits no value.
pub(crate) fn resolve_reference(types: &[Type], mut id: TypeIndex) -> (TypeIndex, &Type) {
    for _ in 0..=types.len() {
        match &types[id.0 as usize] {
            Type::Same(next) => id = *next,
            ty => return (id, ty),
        }
    }
    (id, &Type::Never)
}

#[derive(Clone, Copy, PartialEq)]
enum Visit {
    New,
    Open,
    Done,
}

/// Replaces the members of a type that are the type itself, such as in `A = A | null`: they accept nothing more, and a reader would
/// not end.
fn remove_cycles(types: &mut [Type], id: usize, never: TypeIndex, visits: &mut [Visit]) {
    if visits[id] != Visit::New {
        return;
    }
    visits[id] = Visit::Open;
    let mut ty = std::mem::replace(&mut types[id], Type::Never);
    let members = match &mut ty {
        Type::Same(member) | Type::Nullable(member) => std::slice::from_mut(member),
        Type::Union(members) => members,
        _ => &mut [],
    };
    for member in members {
        remove_cycles(types, member.0 as usize, never, visits);
        if visits[member.0 as usize] == Visit::Open {
            *member = never;
        }
    }
    types[id] = ty;
    visits[id] = Visit::Done;
}

/// All types of a schema.
#[derive(Debug)]
pub(crate) struct TypeTable {
    list: Vec<Type>,
    root: TypeIndex,
    pub names: Names,
}

impl TypeTable {
    pub(crate) fn new(mut list: Vec<Type>, root: TypeIndex) -> TypeTable {
        let never = TypeIndex(list.len() as u32);
        list.push(Type::Never);
        let mut visits = vec![Visit::New; list.len()];
        for id in 0..list.len() {
            remove_cycles(&mut list, id, never, &mut visits);
        }
        let (mut known, mut open) = (Vec::new(), false);
        for ty in &list {
            match ty {
                Type::Any => open = true,
                Type::Object(object) => {
                    open |= matches!(object.rest, OtherKeys::Map { .. });
                    for field in &object.fields {
                        known.push(&field.name);
                        known.extend(&field.aliases);
                    }
                }
                _ => {}
            }
        }
        let names = Names::new(&known, open);
        TypeTable { list, root, names }
    }

    pub(crate) fn root(&self) -> TypeIndex {
        self.root
    }

    /// Returns the type behind all references, and its index.
    pub(crate) fn resolve_index(&self, id: TypeIndex) -> (TypeIndex, &Type) {
        resolve_reference(&self.list, id)
    }

    pub(crate) fn get(&self, id: TypeIndex) -> &Type {
        self.resolve_index(id).1
    }

    /// Returns the type that a value other than null has.
    pub(crate) fn without_null(&self, id: TypeIndex) -> &Type {
        match self.get(id) {
            Type::Nullable(inner) => self.get(*inner),
            ty => ty,
        }
    }

    /// Whether a type accepts nothing but single booleans, numbers and choices.
    pub(crate) fn is_scalar(&self, id: TypeIndex) -> bool {
        matches!(
            self.without_null(id),
            Type::Bool | Type::Integer(_) | Type::Number(_) | Type::Choice(_)
        )
    }

    /// Whether the text of a scalar may be the beginning of another value of the schema.
    pub(crate) fn may_continue(&self, value: &Value) -> bool {
        match value {
            Value::Number(_) | Value::Array(_) | Value::Object(_) => true,
            Value::String(text) => self.list.iter().any(|ty| match ty {
                Type::Choice(literals) => literals.iter().any(|literal| {
                    let continues = |whole: &str, part: &str| {
                        whole.len() > part.len() && whole.starts_with(part)
                    };
                    continues(&literal.text, text)
                        || continues(&literal.folded.text, &fold_name(text))
                }),
                Type::Text(_) | Type::Any => true,
                _ => false,
            }),
            _ => false,
        }
    }

    /// Whether the schema accepts nothing but a string.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.without_null(self.root), Type::Text(constraints) if constraints.is_any())
    }
}
