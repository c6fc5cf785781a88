//! The Rust code of a case, and its expected result.

use serde_json::Value;

use super::columns::Columns;
use super::expect;
use crate::item::Field;
use crate::plan::Plan;
use crate::rust::{field, literal, slice};

#[derive(Default)]
pub(super) struct Source {
    /// Types, and values of them.
    items: String,
    /// The statements that use them.
    steps: String,
    /// The texts of the expected compile errors.
    words: Vec<String>,
    names: usize,
}

impl Source {
    /// Returns a number for a unique name.
    pub(super) fn fresh(&mut self) -> usize {
        self.names += 1;
        self.names
    }

    /// Adds a statement that uses only the project's own names.
    pub(super) fn item(&mut self, line: &str) {
        self.items.push_str(&format!("    {line}\n"));
    }

    /// Adds a statement.
    pub(super) fn step(&mut self, line: &str) {
        self.steps.push_str(&format!("    {line}\n"));
    }

    /// Adds a text that an expected compile error contains.
    pub(super) fn refused(&mut self, word: impl Into<String>) {
        self.words.push(word.into());
    }

    /// Adds a struct with its derive and the texts as attributes.
    pub(super) fn prompt(&mut self, name: &str, texts: &[String], fields: &[Field]) {
        self.derive(name, "brace", texts, fields);
    }

    pub(super) fn derive(&mut self, name: &str, syntax: &str, texts: &[String], fields: &[Field]) {
        let texts: String = texts.iter().map(|text| format!(", {text}")).collect();
        self.item("#[derive(Clone, Prompt)]");
        self.item(&format!("#[prompt(syntax = \"{syntax}\"{texts})]"));
        self.item(&format!("struct {name} {{ {} }}", declared(fields)));
    }

    /// Adds an enum with a prompt for each variant.
    pub(super) fn prompts(&mut self, name: &str, variants: &[(String, Vec<String>, Vec<Field>)]) {
        self.item("#[derive(Clone, Prompt)]");
        self.item("#[prompt(syntax = \"brace\")]");
        self.item(&format!("enum {name} {{"));
        for (variant, texts, fields) in variants {
            let fields = declared(fields);
            self.item(&format!(
                "#[prompt({})] {variant} {{ {fields} }},",
                texts.join(", ")
            ));
        }
        self.item("}");
    }

    /// Adds the texts of the compile errors for values whose type cannot fill a slot.
    pub(super) fn judge(&mut self, columns: &Columns<'_>) {
        self.words.extend(columns.refused());
    }

    pub(super) fn plan(self, case: &Value) -> Plan {
        let Source {
            items,
            steps,
            words,
            ..
        } = self;
        let is_quirk = case["quirk"] == true;
        let is_bug = case["class"] == "error-bug";
        let fails = case.get("expect").is_none() && !is_quirk && !is_bug;
        if !words.is_empty() {
            if !fails && !is_quirk {
                return Plan::unmapped(format!("it is rejected here: {}", words.join(", ")));
            }
            let body = format!("{{\n{items}    Ok(())\n}}");
            return Plan::Reject { body, words };
        }
        let (wanted, keys) = match case.get("expect") {
            Some(expect) => {
                let wanted = expect::wanted(case, expect, is_quirk);
                let keys = wanted.as_object().map(|map| map.keys().cloned().collect());
                let keys: Vec<String> = keys.unwrap_or_default();
                let wanted = literal(&wanted.to_string());
                let wanted = match is_quirk {
                    true => format!("Wanted::Quirk(Some({wanted}))"),
                    false => format!("Wanted::Json({wanted})"),
                };
                (wanted, keys)
            }
            None if fails => ("Wanted::Fails".to_owned(), Vec::new()),
            None => {
                let keys = ["final", "requests", "by_label"].map(str::to_owned);
                let wanted = match is_quirk {
                    true => "Wanted::Quirk(None)",
                    false => "Wanted::Renders",
                };
                (wanted.to_owned(), keys.into())
            }
        };
        let keys = slice(keys.iter().map(|key| literal(key)));
        Plan::Run {
            body: format!(
                "{{\n    let mut results = Results::default();\n{items}{steps}    results.end({keys})\n}}"
            ),
            wanted,
        }
    }
}

fn declared(fields: &[Field]) -> String {
    let fields = fields.iter().map(|item| {
        let attributes = match item.attributes.join(", ") {
            none if none.is_empty() => none,
            some => format!("#[prompt({some})] "),
        };
        format!("{attributes}{}: {}", field(&item.name), item.ty)
    });
    fields.collect::<Vec<_>>().join(", ")
}

/// A value of a struct or variant.
pub(super) fn value(name: &str, fields: &[Field]) -> String {
    let fields = fields
        .iter()
        .filter_map(|item| Some(format!("{}: {}", field(&item.name), item.value.as_ref()?)));
    format!("{name} {{ {} }}", fields.collect::<Vec<_>>().join(", "))
}
