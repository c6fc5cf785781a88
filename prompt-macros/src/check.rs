//! Rules about several messages, or about messages and attributes together. Each function is one rule.

mod format;
mod roles;

use prompt_syntax::near::{NearSlot, near_slot};
use prompt_syntax::problem::field::Form;
use prompt_syntax::problem::{attribute, feature, field, fragment};

use crate::attribute::{Given, INLINE_KEYS, ITEM_KEYS};
use crate::emit::is_string;
use crate::errors::Errors;
use crate::input::Field;
use crate::model::{Prompt, PromptCase};
use crate::source::SourceText;
use crate::uses::used;

pub(crate) use self::format::needs;
use self::format::{
    media_stand_in_messages_of_the_user, text_holds_no_control_token, the_format_can_say_it,
};
use self::roles::{roles_are_in_order, system_is_trusted, the_answer_is_at_the_end};

pub(crate) fn check(prompt: &Prompt<'_>, errors: &mut Errors) {
    for case in &prompt.cases {
        every_field_has_a_slot(prompt, case, errors);
        roles_are_in_order(prompt, case, errors);
        system_is_trusted(prompt.input.form, case, errors);
        the_answer_is_at_the_end(case, errors);
        media_stand_in_messages_of_the_user(case, errors);
        the_format_can_say_it(prompt, case, errors);
        text_holds_no_control_token(prompt, case, errors);
        one_field_of_a_kind(case, errors);
        fragments_are_text(case, errors);
    }
    fragments_stay_apart(prompt, errors);
    typed_output_has_its_feature(prompt, errors);
    from_needs_one_field(prompt, errors);
}

/// Reading an answer into a type needs the reader of answers, which only the feature `schema` compiles.
fn typed_output_has_its_feature(prompt: &Prompt<'_>, errors: &mut Errors) {
    if cfg!(feature = "schema") || prompt.is_fragment() {
        return;
    }
    if let Some(output) = prompt.output()
        && !is_string(&output.value)
    {
        errors.push(output.key, feature::missing("a typed `output`", "schema"));
    }
}

/// `From` converts one value, so the prompt it makes has exactly one field.
fn from_needs_one_field(prompt: &Prompt<'_>, errors: &mut Errors) {
    let input = prompt.input;
    let Some(key) = &input.keys.from else { return };
    if input.is_enum {
        let problem = attribute::misplaced("from", "an enum", "a struct with one field");
        errors.push(key.key, problem);
        return;
    }
    let fields = input.cases.iter().flat_map(|case| &case.fields);
    let names: Vec<&str> = fields.clone().map(|field| field.name.as_str()).collect();
    let is_value = |field: &Field| field.stands_apart().is_none();
    let is_broken = input.cases.iter().any(|case| case.broken);
    if !is_broken && (names.len() != 1 || !fields.clone().all(is_value)) {
        let problem = attribute::from_needs_one_field(&input.ident.to_string(), &names);
        errors.push(key.key, problem);
    }
}

/// A field that no slot uses was forgotten, in the template or in the struct.
fn every_field_has_a_slot(prompt: &Prompt<'_>, case: &PromptCase<'_>, errors: &mut Errors) {
    let (used, form) = (used(case), prompt.input.form);
    for (index, field) in case.case.fields.iter().enumerate() {
        if used.contains(&index) || field.stands_apart().is_some() || field.keys.broken {
            continue;
        }
        let name = field.name.as_str();
        if let Some((source, tag)) = case.tags.iter().find(|(_, tag)| tag.name.value == name) {
            let error = field::tag(form, name, tag.close).at(tag.name.span);
            case.sources[*source].report(&error, errors);
        } else if !case.readable {
            // A part with errors may contain the slot.
        } else if let Some((source, near)) = near(case, name) {
            let written = near.span.of(&source.value);
            let error = field::nearly_used(form, name, written, &near.slot).at(near.span);
            source.report(&error, errors);
        } else {
            let unused = || {
                let is_answer = field.keys.has("answer");
                match field.meant_key() {
                    _ if is_answer => field::answer_without_turn(form, name, case.dialect),
                    Some(key) => field::unmarked(form, name, key),
                    _ => field::unused(form, name, case.dialect, &template(prompt, case)),
                }
            };
            let problem = match form {
                Form::Inline if ITEM_KEYS.contains(&name) => attribute::of_the_derive(name),
                Form::Inline => {
                    attribute::unknown_inline(name, &INLINE_KEYS).unwrap_or_else(unused)
                }
                _ => unused(),
            };
            errors.push(field.ident.span(), problem);
        }
    }
}

/// Text of a template that was most likely meant as the slot of this field.
fn near<'a>(case: &'a PromptCase<'_>, name: &str) -> Option<(&'a SourceText, NearSlot)> {
    let fields = &case.case.fields;
    let names = || fields.iter().map(|field| field.name.as_str());
    case.sources.iter().find_map(|source| {
        let near = near_slot(&source.value, case.dialect, name, names())?;
        Some((source, near))
    })
}

/// The source to which a slot could be added.
fn template(prompt: &Prompt<'_>, case: &PromptCase<'_>) -> String {
    let keys = if prompt.input.is_enum {
        &case.case.keys
    } else {
        &prompt.input.keys
    };
    match keys.given.first().map(|given| &given.value) {
        Some(Given::File { path }) => format!("`{}`", path.value()),
        Some(Given::Doc) => "the doc comment".to_owned(),
        _ => "the template".to_owned(),
    }
}

/// There is one history and one set of tools, and a field has one such key.
fn one_field_of_a_kind(case: &PromptCase<'_>, errors: &mut Errors) {
    for key in ["history", "examples", "tools"] {
        let mut has_one = false;
        for field in &case.case.fields {
            if field.keys.has(key) {
                if has_one {
                    errors.push(field.ident.span(), field::second(key));
                }
                has_one = true;
            }
        }
    }
    for field in &case.case.fields {
        if field.keys.is_empty() {
            continue;
        }
        let mut kinds = vec![
            "skip", "history", "examples", "tools", "extra", "media", "answer",
        ];
        kinds.retain(|key| field.keys.has(key));
        if let [first, second, ..] = kinds[..] {
            let problem = field::marked_twice(&field.name, first, second);
            errors.push(field.ident.span(), problem);
        }
    }
}

/// A fragment has no roles.
fn fragments_are_text(case: &PromptCase<'_>, errors: &mut Errors) {
    if !case.fragment {
        return;
    }
    for field in &case.case.fields {
        let key = ["history", "examples", "tools", "extra", "answer"]
            .into_iter()
            .find(|key| field.keys.has(key));
        if let Some(key) = key {
            errors.push(field.ident.span(), fragment::no_place(key));
        }
    }
}

/// A type is a fragment or a prompt, not both.
fn fragments_stay_apart(prompt: &Prompt<'_>, errors: &mut Errors) {
    if !prompt.is_fragment() {
        return;
    }
    for case in prompt
        .cases
        .iter()
        .filter(|case| !case.fragment && case.readable)
    {
        errors.push(case.case.span, fragment::mixed());
    }
    let keys = &prompt.input.keys;
    if let Some(output) = &keys.output {
        errors.push(output.key, fragment::no_answer());
    }
    if let Some(format) = &keys.format {
        errors.push(format.key, fragment::no_format());
    }
}
