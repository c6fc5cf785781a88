//! The types that a schema describes, prepared for matching against an answer.

use crate::name::{NameIndex, Names, fold_name};
use serde_json::Value;

/// The index of a type in its [`TypeTable`]. Types refer to each other by index, so that a type may contain itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct TypeIndex(pub u32);

#[derive(Debug)]
pub(crate) enum Type {
    Any,
    /// No value fits: `false` in a schema.
    Never,
    Null,
    Bool,
    Number(Numbers),
    Text,
    Choice(Vec<ChoiceLiteral>),
    List(List),
    Object(Object),
    /// The inner type, or null.
    Nullable(TypeIndex),
    Union(Vec<TypeIndex>),
    /// Another type: the result of a `$ref`.
    Same(TypeIndex),
}

/// Numbers within bounds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Numbers {
    /// Only whole numbers, whose bounds are whole numbers that are allowed.
    pub is_whole: bool,
    pub min: Option<Bound>,
    pub max: Option<Bound>,
    pub multiple_of: Option<f64>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Bound {
    pub value: f64,
    /// The bound itself is not allowed.
    pub is_exclusive: bool,
}

impl Numbers {
    pub(crate) fn allows(self, number: f64) -> bool {
        let is_bound = |bound: Bound| !bound.is_exclusive && number == bound.value;
        let low = |min: Bound| number > min.value || is_bound(min);
        let high = |max: Bound| number < max.value || is_bound(max);
        self.min.is_none_or(low) && self.max.is_none_or(high)
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

/// A list, which may have a type for each of its first items.
#[derive(Debug)]
pub(crate) struct List {
    pub first: Vec<TypeIndex>,
    /// The type of all other items.
    pub rest: TypeIndex,
}

impl List {
    pub(crate) fn item_type(&self, index: usize) -> TypeIndex {
        self.first.get(index).copied().unwrap_or(self.rest)
    }
}

#[derive(Debug)]
pub(crate) struct Object {
    pub fields: Vec<FieldType>,
    /// The type of entries that are not fields.
    pub rest: TypeIndex,
    /// Any key is expected.
    pub is_map: bool,
    /// The type of keys that are not fields, if the schema lists them.
    pub keys: Option<TypeIndex>,
    index: NameIndex,
    /// Fields by folded name; `None` where two fields share it, so that only the exact name matches.
    folded: NameIndex,
    aliases: NameIndex,
}

#[derive(Debug)]
pub(crate) struct FieldType {
    pub name: String,
    pub aliases: Vec<String>,
    pub ty: TypeIndex,
    pub required: bool,
}

/// How a key matches a field.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum KeyMatch {
    Exact,
    Spelling,
    Alias,
}

impl Object {
    pub(crate) fn new(
        fields: Vec<FieldType>,
        rest: TypeIndex,
        is_map: bool,
        keys: Option<TypeIndex>,
    ) -> Object {
        let mut index = Vec::with_capacity(fields.len());
        let mut folded = Vec::with_capacity(fields.len());
        let mut aliases = Vec::new();
        for (at, field) in fields.iter().enumerate() {
            let at = Some(at);
            index.push((field.name.clone(), at));
            folded.push((fold_name(&field.name), at));
            for alias in &field.aliases {
                aliases.push((fold_name(alias), at));
            }
        }
        let same = |one, other| if one == other { one } else { None };
        Object {
            fields,
            rest,
            is_map,
            keys,
            index: NameIndex::new(index, |first, _| first),
            folded: NameIndex::new(folded, same),
            aliases: NameIndex::new(aliases, same),
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
        by_alias.map(|at| (at, KeyMatch::Alias))
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

/// Whether a type is a member of itself, such as `A = A | null`: whether a value fits would have no end.
fn has_cycle(types: &[Type], id: usize, visits: &mut [Visit]) -> bool {
    match visits[id] {
        Visit::Open => return true,
        Visit::Done => return false,
        Visit::New => visits[id] = Visit::Open,
    }
    let members = match &types[id] {
        Type::Same(member) | Type::Nullable(member) => std::slice::from_ref(member),
        Type::Union(members) => members,
        _ => &[],
    };
    let found = members
        .iter()
        .any(|member| has_cycle(types, member.0 as usize, visits));
    visits[id] = Visit::Done;
    found
}

/// All types of a schema.
#[derive(Debug)]
pub(crate) struct TypeTable {
    list: Vec<Type>,
    root: TypeIndex,
    null: TypeIndex,
    /// An object with any entries.
    any_object: Object,
    pub names: Names,
}

impl TypeTable {
    /// The error is a sentence for the user.
    pub(crate) fn new(mut list: Vec<Type>, root: TypeIndex) -> Result<TypeTable, String> {
        let null = TypeIndex(list.len() as u32);
        list.push(Type::Null);
        let any = TypeIndex(list.len() as u32);
        list.push(Type::Any);
        let mut visits = vec![Visit::New; list.len()];
        for id in 0..list.len() {
            if has_cycle(&list, id, &mut visits) {
                return Err(
                    "`$ref`: the schema refers to itself without an object or a list between"
                        .to_owned(),
                );
            }
        }
        let is_any = |id: &TypeIndex| matches!(resolve_reference(&list, *id).1, Type::Any);
        let (mut known, mut open) = (Vec::new(), is_any(&root));
        for ty in &list {
            match ty {
                Type::Object(object) => {
                    open |= object.is_map;
                    for field in &object.fields {
                        open |= is_any(&field.ty);
                        known.push(&field.name);
                        known.extend(&field.aliases);
                    }
                }
                Type::List(list) if list.first.is_empty() => open |= is_any(&list.rest),
                Type::List(list) => open |= list.first.iter().any(is_any),
                Type::Union(variants) => open |= variants.iter().any(is_any),
                _ => {}
            }
        }
        let names = Names::new(&known, open);
        Ok(TypeTable {
            list,
            root,
            null,
            any_object: Object::new(Vec::new(), any, true, None),
            names,
        })
    }

    pub(crate) fn root(&self) -> TypeIndex {
        self.root
    }

    /// The type of null.
    pub(crate) fn null(&self) -> TypeIndex {
        self.null
    }

    pub(crate) fn any_object(&self) -> &Object {
        &self.any_object
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

    /// The scalar types among the types of a value: booleans, numbers and choices.
    pub(crate) fn scalars(&self, id: TypeIndex) -> Vec<TypeIndex> {
        let mut found = Vec::new();
        self.visit_variants(id, &mut |id, ty| {
            if matches!(ty, Type::Bool | Type::Number(_) | Type::Choice(_)) {
                found.push(id);
            }
        });
        found
    }

    /// The objects among the types of a value.
    pub(crate) fn object_variants(&self, id: TypeIndex) -> Vec<&Object> {
        let mut found = Vec::new();
        self.visit_variants(id, &mut |id, ty| {
            if matches!(ty, Type::Object(_)) {
                found.push(id);
            }
        });
        let objects = found.into_iter().map(|id| self.get(id));
        let objects = objects.filter_map(|ty| match ty {
            Type::Object(object) => Some(object),
            _ => None,
        });
        objects.collect()
    }

    /// Whether one of the types of a value satisfies a test.
    pub(crate) fn any_variant(&self, id: TypeIndex, test: fn(&Type) -> bool) -> bool {
        let mut found = false;
        self.visit_variants(id, &mut |_, ty| found |= test(ty));
        found
    }

    /// Visits the types that a value may have: the variants of a union, the type beside null.
    fn visit_variants(&self, id: TypeIndex, visit: &mut dyn FnMut(TypeIndex, &Type)) {
        let mut next = vec![id];
        let mut seen = vec![false; self.list.len()];
        while let Some(id) = next.pop() {
            let (id, ty) = self.resolve_index(id);
            if std::mem::replace(&mut seen[id.0 as usize], true) {
                continue;
            }
            match ty {
                Type::Nullable(inner) => next.push(*inner),
                Type::Union(variants) => next.extend(variants.iter().rev()),
                ty => visit(id, ty),
            }
        }
    }

    /// Whether the text of a scalar may be the beginning of another literal of the schema.
    pub(crate) fn may_continue(&self, value: &Value) -> bool {
        let Value::String(text) = value else {
            return value.is_number();
        };
        self.list.iter().any(|ty| match ty {
            Type::Choice(literals) => literals.iter().any(|literal| {
                let (whole, part) = (&literal.folded.text, fold_name(text));
                whole.len() > part.len() && whole.starts_with(&part)
                    || literal.text.len() > text.len() && literal.text.starts_with(text.as_str())
            }),
            _ => false,
        })
    }

    /// Whether the schema accepts nothing but a string.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.without_null(self.root), Type::Text)
    }
}
