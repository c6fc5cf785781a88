//! The fields of a struct as constants, so that the compiler checks a path such as `<user.name>` and suggests the right name.

use prompt_base::suggest;

/// A struct whose fields templates may name: what `#[derive(Fields)]` implements.
pub trait StructFields {
    /// All fields in order.
    const FIELDS: &'static [StructField];
}

/// A field of a struct, and the known facts about its type.
#[expect(missing_debug_implementations, reason = "only constants have it")]
pub struct StructField {
    /// The name in a template.
    pub name: &'static str,
    /// The fields of its type, if that is a struct with `#[derive(Fields)]`.
    pub fields: Option<&'static [StructField]>,
    /// The only texts that the field can be, if its type is an enum with `#[derive(Label)]`.
    pub labels: Option<&'static [&'static str]>,
}

/// The fields of a type: `None` for a type without [`StructFields`].
#[expect(missing_debug_implementations, reason = "it has no values")]
pub struct FieldsOf<T: ?Sized>(std::marker::PhantomData<T>);

impl<T: StructFields + ?Sized> FieldsOf<T> {
    /// They hide those of [`NoFields`].
    pub const FIELDS: Option<&'static [StructField]> = Some(T::FIELDS);
}

/// See [`FieldsOf`].
pub trait NoFields {
    /// None.
    const FIELDS: Option<&'static [StructField]> = None;
}

impl<T: ?Sized> NoFields for FieldsOf<T> {}

/// A value whose type contains the check of a path. If the check fails, the type is an error and rustc reports no second one.
#[expect(
    missing_debug_implementations,
    reason = "it exists only inside of an expression"
)]
pub struct CheckedPath<'a, T: ?Sized, const IS_KNOWN: bool>(pub &'a T);

/// Fails when the program is compiled if a path such as `["name", "first"]` of the value `root` contains an unknown field.
///
/// # Panics
/// With the field, the `position` in the template, and the closest field or all fields.
#[track_caller]
pub const fn expect_path(
    mut fields: Option<&[StructField]>,
    root: &str,
    path: &[&str],
    position: &str,
) -> bool {
    let mut depth = 0;
    while depth < path.len() {
        let Some(known) = fields else { return true };
        let Some(field) = find_field(known, path[depth]) else {
            report_unknown_field(known, root, path, depth, position)
        };
        fields = field.fields;
        depth += 1;
    }
    true
}

/// The labels of the last field of a path.
pub const fn labels_of(
    mut fields: Option<&'static [StructField]>,
    path: &[&str],
) -> Option<&'static [&'static str]> {
    let (mut labels, mut depth) = (None, 0);
    while depth < path.len() {
        let Some(known) = fields else { return None };
        let Some(field) = find_field(known, path[depth]) else {
            return None;
        };
        (fields, labels) = (field.fields, field.labels);
        depth += 1;
    }
    labels
}

const fn find_field<'a>(fields: &'a [StructField], name: &str) -> Option<&'a StructField> {
    let mut index = 0;
    while index < fields.len() {
        if is_same(fields[index].name.as_bytes(), name.as_bytes()) {
            return Some(&fields[index]);
        }
        index += 1;
    }
    None
}

#[track_caller]
const fn report_unknown_field(
    fields: &[StructField],
    root: &str,
    path: &[&str],
    depth: usize,
    position: &str,
) -> ! {
    let mut message = ConstMessage::new();
    message.add("`").add(root);
    let mut index = 0;
    while index < depth {
        message.add(".").add(path[index]);
        index += 1;
    }
    message.add("` has no field `").add(path[depth]).add("`\n");
    message.add(position);
    message
        .push_suggestion(path[depth], FieldNames::Fields(fields))
        .panic_with_message()
}

/// The names that one of them may be misspelt for.
#[derive(Clone, Copy)]
pub(crate) enum FieldNames<'a> {
    Fields(&'a [StructField]),
    Labels(&'a [&'a str]),
}

impl<'a> FieldNames<'a> {
    const fn len(self) -> usize {
        match self {
            FieldNames::Fields(fields) => fields.len(),
            FieldNames::Labels(labels) => labels.len(),
        }
    }

    const fn get(self, index: usize) -> &'a str {
        match self {
            FieldNames::Fields(fields) => fields[index].name,
            FieldNames::Labels(labels) => labels[index],
        }
    }
}

/// An error message that is assembled while the program is compiled.
pub(crate) struct ConstMessage {
    bytes: [u8; 8192],
    length: usize,
}

impl ConstMessage {
    pub(crate) const fn new() -> ConstMessage {
        ConstMessage {
            bytes: [0; 8192],
            length: 0,
        }
    }

    /// Adds a text if the buffer has the capacity.
    pub(crate) const fn add(&mut self, text: &str) -> &mut ConstMessage {
        let mut index = 0;
        if self.length + text.len() <= self.bytes.len() {
            while index < text.len() {
                self.bytes[self.length] = text.as_bytes()[index];
                self.length += 1;
                index += 1;
            }
        }
        self
    }

    /// Adds a help with the closest of the names, or all of them.
    pub(crate) const fn push_suggestion(
        &mut self,
        wrong: &str,
        names: FieldNames<'_>,
    ) -> &mut ConstMessage {
        self.add("\n= help: ");
        let (mut closest, mut least, mut index) = (None, usize::MAX, 0);
        while index < names.len() {
            let name = names.get(index);
            if let Some(distance) = suggest::distance(wrong, name)
                && distance < least
            {
                (closest, least) = (Some(name), distance);
            }
            index += 1;
        }
        if let Some(name) = closest {
            return self.add("did you mean `").add(name).add("`?");
        }
        let (several, none) = match names {
            FieldNames::Fields(_) => ("the fields are ", "the struct has no fields"),
            FieldNames::Labels(_) => ("the labels are ", "the enum has no variants"),
        };
        if names.len() == 0 {
            return self.add(none);
        }
        self.add(several);
        let mut index = 0;
        while index < names.len() {
            self.add(if index == 0 { "`" } else { ", `" });
            self.add(names.get(index)).add("`");
            index += 1;
        }
        self
    }

    #[track_caller]
    pub(crate) const fn panic_with_message(&self) -> ! {
        match std::str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => panic!("{}", text),
            Err(_) => panic!("a field is unknown"),
        }
    }
}

pub(crate) const fn is_same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut index = 0;
    while index < one.len() {
        if one[index] != other[index] {
            return false;
        }
        index += 1;
    }
    true
}
