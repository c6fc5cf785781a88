//! Names that a model calls by: whether providers take them, and whether each stands for one thing.

use prompt_syntax::tool::{NAME_RULE, fault_of_name};

use super::item::{Item, Name, Shape};
use crate::errors::Errors;

pub(super) fn check(item: &Item, errors: &mut Errors) {
    let names: Vec<&Name> = item.variants.iter().map(|variant| &variant.name).collect();
    check_all(&names, "tool", errors);
    for variant in &item.variants {
        if let Shape::Fields(fields) = &variant.shape {
            let names: Vec<&Name> = fields.iter().map(|field| &field.name).collect();
            check_all(&names, "parameter", errors);
        }
    }
}

fn check_all(names: &[&Name], what: &str, errors: &mut Errors) {
    for (at, name) in names.iter().enumerate() {
        if let Some(fault) = fault_of_name(&name.text) {
            let message = format!("a {what} cannot be named `{}`: the name {fault}", name.text);
            let help = if name.given {
                format!("use {NAME_RULE}")
            } else {
                format!("write `#[tool(name = \"…\")]` above it, with {NAME_RULE}")
            };
            errors.push_help(name.at, message, help);
        } else if names[..at].iter().any(|other| other.text == name.text) {
            let message = format!("two {what}s are named `{}`", name.text);
            let help = if name.given {
                "choose another name"
            } else {
                "write `#[tool(name = \"…\")]` above one of them"
            };
            errors.push_help(name.at, message, help);
        }
    }
}
