//! Rules that need more than one place to see. Each function is one rule.

mod format;
mod roles;

use prompt_syntax::Error;
use prompt_syntax::near::{NearSlot, near_slot};
use prompt_syntax::suggest::closest;

use crate::attribute::{Given, INLINE_KEYS, ITEM_KEYS};
use crate::errors::Errors;
use crate::input::Form;
use crate::model::{Prompt, PromptCase};
use crate::source::SourceText;
use crate::uses::used;

use self::format::{
    media_stand_in_messages_of_the_user, text_holds_no_control_token, the_format_can_say_it,
};
use self::roles::{roles_stand_in_order, system_is_trusted, the_answer_stands_at_the_end};

pub(crate) fn check(prompt: &Prompt<'_>, errors: &mut Errors) {
    for case in &prompt.cases {
        every_field_has_a_slot(prompt, case, errors);
        roles_stand_in_order(prompt, case, errors);
        system_is_trusted(prompt.input.form, case, errors);
        the_answer_stands_at_the_end(case, errors);
        media_stand_in_messages_of_the_user(case, errors);
        the_format_can_say_it(prompt, case, errors);
        text_holds_no_control_token(prompt, case, errors);
        one_field_of_a_kind(case, errors);
        fragments_are_text(case, errors);
    }
    fragments_stay_apart(prompt, errors);
}

/// A field that no slot uses was forgotten, in the template or in the struct.
fn every_field_has_a_slot(prompt: &Prompt<'_>, case: &PromptCase<'_>, errors: &mut Errors) {
    let (used, form) = (used(case), prompt.input.form);
    for (index, field) in case.case.fields.iter().enumerate() {
        if used.contains(&index) || field.stands_apart().is_some() || field.keys.broken {
            continue;
        }
        let name = &field.name;
        if let Some((source, tag)) = case.tags.iter().find(|(_, tag)| tag.name.value == *name) {
            let error = Error::new(tag.name.span, format!("`<{name}>` and `</{name}>` are an XML tag here, so the {} `{name}` has no slot", form.field()))
                .label("stays text")
                .related(tag.close, "because of this")
                .help(format!("write the slot as `<input:{name}>`, or {}", without_slot(prompt, name)));
            case.sources[*source].report(&error, errors);
        } else if case.readable
            && let Some((source, near)) = near(case, name)
        {
            let written = near.span.of(&source.value);
            let error = Error::new(
                near.span,
                format!(
                    "no slot uses the {} `{name}`: `{written}` is text",
                    form.field()
                ),
            )
            .label("no slot")
            .help(format!(
                "write `{}`, or {}",
                near.slot,
                without_slot(prompt, name)
            ));
            source.report(&error, errors);
        } else if case.readable {
            let slot = case.dialect.slot(name);
            if form == Form::Inline && ITEM_KEYS.contains(&name.as_str()) {
                let message = format!("`prompt!` has no key `{name}`, and no slot of that name");
                errors.push_help(
                    field.ident.span(),
                    message,
                    "derive a prompt: `#[derive(Prompt)]` has it",
                );
                continue;
            }
            if form == Form::Inline
                && let Some(key) = closest(name, INLINE_KEYS)
            {
                let message = format!("`prompt!` has no key `{name}`, and no slot of that name");
                errors.push_help(
                    field.ident.span(),
                    message,
                    format!("did you mean `{key}`?"),
                );
                continue;
            }
            let or = without_slot(prompt, name);
            errors.push_help(
                field.ident.span(),
                format!("no slot uses the {} `{name}`", form.field()),
                format!("write `{slot}` in {}, or {or}", template(prompt, case)),
            );
        }
    }
}

/// Words of a template that were most likely meant as the slot of this field.
fn near<'a>(case: &'a PromptCase<'_>, name: &str) -> Option<(&'a SourceText, NearSlot)> {
    let fields = &case.case.fields;
    let names = || fields.iter().map(|field| field.name.as_str());
    case.sources.iter().find_map(|source| {
        let near = near_slot(&source.value, case.dialect, name, names())?;
        Some((source, near))
    })
}

/// How a field may have no slot.
fn without_slot(prompt: &Prompt<'_>, name: &str) -> String {
    match prompt.input.form {
        Form::Inline => "remove the argument".into(),
        form => form.mark(name, "skip"),
    }
}

/// Where a slot would stand.
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

/// There is one history, one set of tools, and a field is one thing.
fn one_field_of_a_kind(case: &PromptCase<'_>, errors: &mut Errors) {
    for key in ["history", "shots", "tools"] {
        for field in case
            .case
            .fields
            .iter()
            .filter(|field| field.keys.has(key))
            .skip(1)
        {
            errors.push_help(
                field.ident.span(),
                format!("a second field is marked `{key}`"),
                "keep one of them",
            );
        }
    }
    for field in &case.case.fields {
        let kinds: Vec<&str> = [
            "skip", "history", "shots", "tools", "extra", "media", "answer",
        ]
        .into_iter()
        .filter(|key| field.keys.has(key))
        .collect();
        if let [first, second, ..] = kinds[..] {
            errors.push_help(
                field.ident.span(),
                format!(
                    "the field `{}` is marked `{first}` and `{second}`",
                    field.name
                ),
                "keep one of them",
            );
        }
    }
}

/// A fragment is text of no one.
fn fragments_are_text(case: &PromptCase<'_>, errors: &mut Errors) {
    if !case.fragment {
        return;
    }
    for field in &case.case.fields {
        let key = ["history", "shots", "tools", "extra", "answer"]
            .into_iter()
            .find(|key| field.keys.has(key));
        if let Some(key) = key {
            errors.push_help(
                field.ident.span(),
                format!("a fragment has no place for `{key}`"),
                "move the field to the prompt that holds the fragment",
            );
        }
    }
}

/// A type is a fragment or a prompt.
fn fragments_stay_apart(prompt: &Prompt<'_>, errors: &mut Errors) {
    if !prompt.is_fragment() {
        return;
    }
    for case in prompt
        .cases
        .iter()
        .filter(|case| !case.fragment && case.readable)
    {
        errors.push_help(
            case.case.span,
            "some variants are fragments and this one is not",
            "write `fragment = \"…\"` for all variants or for none",
        );
    }
    let keys = &prompt.input.keys;
    if let Some(output) = &keys.output {
        errors.push_help(
            output.key,
            "a fragment has no answer",
            "move `output` to the prompt that holds the fragment",
        );
    }
    if let Some(format) = &keys.format {
        errors.push_help(
            format.key,
            "a fragment has no format of its own",
            "move `format` to the prompt that holds the fragment",
        );
    }
}
