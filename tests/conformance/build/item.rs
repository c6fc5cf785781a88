//! Source code of a derived prompt and of one of its values.

use serde_json::Value;

use crate::rust::field;
use crate::value;

/// `struct Case`.
pub(crate) struct Item {
    /// `system = "…"`, and so on.
    pub(crate) attributes: Vec<String>,
    pub(crate) fields: Vec<Field>,
}

pub(crate) struct Field {
    pub(crate) name: String,
    /// `trusted`, `skip`, …
    pub(crate) attributes: Vec<String>,
    pub(crate) ty: String,
    /// `None`: the field is missing in the value.
    pub(crate) value: Option<String>,
}

impl Field {
    /// A field for a value of a golden.
    pub(crate) fn of(name: String, attributes: Vec<String>, given: Option<&Value>) -> Field {
        let ty = given.map_or("&'static str", value::rust_type).to_owned();
        Field {
            name,
            attributes,
            ty,
            value: given.map(value::rust_value),
        }
    }
}

impl Item {
    /// The struct with its derive.
    pub(crate) fn declaration(&self) -> String {
        let attributes = self
            .attributes
            .iter()
            .map(|attribute| format!(", {attribute}"))
            .collect::<String>();
        let fields = self.fields.iter().map(|item| {
            let attributes = match item.attributes.join(", ") {
                none if none.is_empty() => none,
                some => format!("#[prompt({some})] "),
            };
            format!("        {attributes}{}: {},\n", field(&item.name), item.ty)
        });
        let fields: String = fields.collect();
        format!(
            "    #[derive(Prompt)]\n    #[prompt(syntax = \"brace\"{attributes})]\n    struct Case {{\n{fields}    }}\n"
        )
    }

    /// A value of the struct.
    pub(crate) fn literal(&self) -> String {
        let fields = self
            .fields
            .iter()
            .filter_map(|item| Some(format!("{}: {}", field(&item.name), item.value.as_ref()?)));
        format!("Case {{ {} }}", fields.collect::<Vec<_>>().join(", "))
    }
}
