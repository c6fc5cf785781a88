//! Names that a model calls by: whether providers accept them, and whether each is unique.

use prompt_base::tool_name::fault_of_name;
use prompt_syntax::problem::tools as problem;

use super::item::{ToolName, ToolsItem, VariantFields};
use crate::Errors;

pub(super) fn check_names(item: &ToolsItem, errors: &mut Errors) {
    let names: Vec<&ToolName> = item.variants.iter().map(|variant| &variant.name).collect();
    check_all(&names, "tool", errors);
    for variant in &item.variants {
        if let VariantFields::Fields(fields) = &variant.shape {
            let names: Vec<&ToolName> = fields.iter().map(|field| &field.name).collect();
            check_all(&names, "parameter", errors);
        }
    }
}

fn check_all(names: &[&ToolName], what: &str, errors: &mut Errors) {
    for (at, name) in names.iter().enumerate() {
        if let Some(fault) = fault_of_name(&name.text) {
            errors.push(
                name.at,
                problem::invalid_name(what, &name.text, &fault, name.given),
            );
        } else if names[..at].iter().any(|other| other.text == name.text) {
            errors.push(name.at, problem::same_name(what, &name.text, name.given));
        }
    }
}
