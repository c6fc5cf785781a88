//! Rules about several messages, or about messages and attributes together. Each function is one rule.

use prompt_family::{Family, Order, foreign_token_in};
use prompt_syntax::analysis::{
    control_tokens, exposed_answer, foreign_control_tokens, is_only_tested, media_slots,
    role_order, untrusted_uses,
};
use prompt_syntax::near::{NearSlot, near_slot};
use prompt_syntax::problem::field::{self, MacroKind};
use prompt_syntax::problem::literal::slot_of_kind;
use prompt_syntax::problem::{
    Problem, attribute, feature, format as problem, fragment, role, value,
};
use prompt_syntax::{Dialect, Options, Role, XmlTag};
use syn::{Generics, Ident, Type, TypeParamBound, WherePredicate};

use crate::Errors;
use crate::emit::is_text;
use crate::input::Field;
use crate::input::{INLINE_KEYS, ITEM_KEYS, SourceKey};
use crate::lower::{
    AnalyzedPrompt, PlaceExpr, PromptCase, PromptStep, ResolvedNode, Root, SlotValue,
    TemplateMessage, answer_message, first_in_system, last_of_user, system_messages,
    template_messages, uses_field, walk,
};
use crate::source::SourceText;
use crate::types::{TypeKind, content_type, element_type, is_untrusted, peel_references};

pub(crate) fn check(prompt: &AnalyzedPrompt<'_>, errors: &mut Errors) {
    for case in &prompt.cases {
        every_field_has_a_slot(prompt, case, errors);
        roles_are_in_order(prompt, case, errors);
        system_is_trusted(prompt.input.form, case, errors);
        the_answer_is_at_the_end(case, errors);
        media_only_in_user_messages(case, errors);
        format_supports_prompt(prompt, case, errors);
        template_has_no_control_tokens(prompt, case, errors);
        one_field_of_a_kind(case, errors);
        tools_are_trusted(prompt.input.form, case, errors);
        fragments_are_text(case, errors);
        parameters_can_fill_slots(prompt, case, errors);
    }
    fragments_stay_apart(prompt, errors);
    typed_output_has_its_feature(prompt, errors);
    from_needs_one_field(prompt, errors);
}

/// A type parameter that prints itself, by its bounds, fills a slot by the filter that prints it, or with another bound.
fn parameters_can_fill_slots(
    prompt: &AnalyzedPrompt<'_>,
    case: &PromptCase<'_>,
    errors: &mut Errors,
) {
    let generics = &prompt.input.generics;
    if generics.type_params().next().is_none() {
        return;
    }
    for message in template_messages(case) {
        walk(&message.body, &mut |piece| match piece {
            // Its filters take values of the same kind as its slots.
            _ if case.dialect == Dialect::Jinja => piece.each_shown_place(&mut |place| {
                report_printed_parameter(case, message, place, place.span, generics, errors);
            }),
            ResolvedNode::Slot(slot) => {
                if let SlotValue::Place(place) = &slot.value {
                    report_printed_parameter(case, message, place, slot.span, generics, errors);
                }
            }
            _ => {}
        });
    }
}

fn report_printed_parameter(
    case: &PromptCase<'_>,
    message: &TemplateMessage,
    place: &PlaceExpr,
    at: prompt_base::Span,
    generics: &Generics,
    errors: &mut Errors,
) {
    let field = case.case.fields.get(place.origin);
    let ty = field.and_then(|field| match place.root {
        _ if !place.rest.is_empty() => None,
        Root::Field(_) => Some(&field.ty),
        // In the Jinja dialect, each item whose parts only rustc knows is open.
        Root::Local(_) if place.open && case.dialect != Dialect::Jinja => None,
        Root::Local(_) => match field.kind() {
            TypeKind::List | TypeKind::Option => element_type(&field.ty),
            _ => None,
        },
    });
    let found = ty.and_then(|ty| printed_parameter(peel_references(ty), generics));
    if let Some((parameter, printed)) = found {
        let source = &case.sources[message.source];
        let error = value::parameter_without_bound(
            case.dialect,
            &place.name,
            &parameter.to_string(),
            printed,
            at.of(&source.value),
        );
        source.report(&error.at(at), errors);
    }
}

/// The type parameter that a type is, and the trait that prints it, if all of its bounds are of the standard library.
fn printed_parameter<'a>(ty: &Type, generics: &'a Generics) -> Option<(&'a Ident, &'static str)> {
    let is_named =
        |ty: &Type, name: &Ident| matches!(ty, Type::Path(path) if path.path.is_ident(name));
    let parameter = generics.type_params().find(|it| is_named(ty, &it.ident))?;
    let clause = generics
        .where_clause
        .iter()
        .flat_map(|clause| &clause.predicates);
    let clause = clause.filter_map(|predicate| match predicate {
        WherePredicate::Type(of) if is_named(&of.bounded_ty, &parameter.ident) => Some(&of.bounds),
        _ => None,
    });
    let bounds = std::iter::once(&parameter.bounds).chain(clause).flatten();
    let mut printed = None;
    for bound in bounds {
        let TypeParamBound::Trait(bound) = bound else {
            continue;
        };
        let name = bound.path.segments.last()?.ident.to_string();
        match &name[..] {
            "Display" => printed = Some("display"),
            "Debug" => printed = printed.or(Some("debug")),
            // A trait of the user's may have `ToPrompt` as a supertrait.
            name if !STANDARD_TRAITS.contains(&name) => return None,
            _ => {}
        }
    }
    Some((&parameter.ident, printed?))
}

/// The traits of Rust's prelude and of its derives, beside those that print.
const STANDARD_TRAITS: [&str; 12] = [
    "Clone",
    "Copy",
    "Default",
    "Eq",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Send",
    "Sized",
    "Sync",
    "Unpin",
];

/// Reading an answer into a type needs the reader of answers, which only the feature `schema` compiles.
fn typed_output_has_its_feature(prompt: &AnalyzedPrompt<'_>, errors: &mut Errors) {
    if cfg!(feature = "schema") || prompt.is_fragment() {
        return;
    }
    if let Some(output) = prompt.output()
        && !is_text(&output.value)
    {
        errors.push(
            output.key,
            feature::missing_feature("a typed `output`", "schema"),
        );
    }
}

/// `From` converts one value, so the prompt it makes has exactly one field.
fn from_needs_one_field(prompt: &AnalyzedPrompt<'_>, errors: &mut Errors) {
    let input = prompt.input;
    let Some(key) = &input.keys.from else { return };
    if input.is_enum {
        let problem = attribute::misplaced_key("from", "an enum", "a struct with one field");
        errors.push(key.key, problem);
        return;
    }
    let fields = input.cases.iter().flat_map(|case| &case.fields);
    let names: Vec<&str> = fields.clone().map(|field| field.name.as_str()).collect();
    let is_value = |field: &Field| field.key_without_slot().is_none();
    let is_broken = input.cases.iter().any(|case| case.broken);
    if !is_broken && (names.len() != 1 || !fields.clone().all(is_value)) {
        let problem = attribute::from_needs_one_field(&input.ident.to_string(), &names);
        errors.push(key.key, problem);
    }
}

/// A field that no slot uses was forgotten, in the template or in the struct.
fn every_field_has_a_slot(prompt: &AnalyzedPrompt<'_>, case: &PromptCase<'_>, errors: &mut Errors) {
    let form = prompt.input.form;
    for (index, field) in case.case.fields.iter().enumerate() {
        let of_field = |tag: &&(usize, XmlTag)| tag.1.name.value == field.name;
        let mut tags = case.tags.iter().filter(of_field);
        // The tag that another message closes was meant as the slot.
        let lone = tags.clone().find(|(_, tag)| tag.close.is_none());
        if let Some((source, tag)) = lone.or_else(|| tags.next()) {
            let bodies = template_messages(case);
            let bodies = bodies.iter().map(|message| &message.body[..]);
            if is_only_tested(&case.fields[index], index, bodies) {
                let error = field::tested_xml_tag(form, &field.name, tag.close).at(tag.name.span);
                case.sources[*source].report(&error, errors);
            }
        }
        if uses_field(case, index) || field.key_without_slot().is_some() || field.keys.broken {
            continue;
        }
        let name = field.name.as_str();
        if let Some((source, tag)) = case.tags.iter().find(|(_, tag)| tag.name.value == name) {
            let error = field::field_as_xml_tag(form, name, tag.close).at(tag.name.span);
            case.sources[*source].report(&error, errors);
        } else if !case.readable {
            // A part with errors may contain the slot.
        } else if let Some((source, near)) = near_slot_text(prompt, case, name) {
            let written = near.span.of(&source.value);
            let error = field::nearly_used(form, name, written, &near.slot).at(near.span);
            source.report(&error, errors);
        } else {
            let unused = || {
                let is_answer = field.keys.has("answer");
                match field.meant_key() {
                    _ if is_answer => field::answer_without_turn(form, name, case.dialect),
                    Some(key) => field::unmarked_field(form, name, key),
                    _ => field::unused_field(
                        form,
                        name,
                        &slot_of_kind(
                            case_options(prompt, case),
                            name,
                            &case.fields[index].kind,
                            false,
                        ),
                        &describe_template(prompt, case),
                    ),
                }
            };
            let problem = match form {
                MacroKind::Inline if ITEM_KEYS.contains(&name) => attribute::of_the_derive(name),
                MacroKind::Inline => {
                    attribute::unknown_inline(name, &INLINE_KEYS).unwrap_or_else(unused)
                }
                _ => unused(),
            };
            errors.push(field.ident.span(), problem);
        }
    }
}

/// Text of a template that was most likely meant as the slot of this field: a guess for the help of the error, which never changes the result.
fn near_slot_text<'a>(
    prompt: &AnalyzedPrompt<'_>,
    case: &'a PromptCase<'_>,
    name: &str,
) -> Option<(&'a SourceText, NearSlot)> {
    let fields = &case.case.fields;
    let names = || fields.iter().map(|field| field.name.as_str());
    case.sources.iter().find_map(|source| {
        let near = near_slot(&source.value, case_options(prompt, case), name, names())?;
        Some((source, near))
    })
}

/// How the templates of a case are parsed.
fn case_options(prompt: &AnalyzedPrompt<'_>, case: &PromptCase<'_>) -> Options {
    Options {
        dialect: case.dialect,
        ..case.case.keys.options_in(&prompt.input.keys)
    }
}

/// The source to which a slot could be added.
fn describe_template(prompt: &AnalyzedPrompt<'_>, case: &PromptCase<'_>) -> String {
    let keys = if prompt.input.is_enum {
        &case.case.keys
    } else {
        &prompt.input.keys
    };
    match keys.given.first().map(|given| &given.value) {
        Some(SourceKey::File(path)) => format!("`{}`", path.value()),
        Some(SourceKey::Doc) => "the doc comment".to_owned(),
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
                    errors.push(field.ident.span(), field::second_marked_field(key));
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
        } else if kinds[..] == ["extra"] && is_list(&field.ty) {
            let problem = value::list_as_extra(&field.name);
            errors.push(field.ident.span(), problem);
        }
    }
}

/// Whether a type is a list, a set or a map by its name, also in an `Option`.
fn is_list(ty: &Type) -> bool {
    match TypeKind::from_type(ty) {
        TypeKind::List | TypeKind::Unordered => true,
        TypeKind::Option => content_type(ty).is_some_and(is_list),
        _ => false,
    }
}

/// Many chat formats write the descriptions and schemas of tools into the system message.
fn tools_are_trusted(form: MacroKind, case: &PromptCase<'_>, errors: &mut Errors) {
    let untrusted =
        |field: &&Field| field.keys.has("tools") && !field.keys.has("skip") && !field.is_trusted();
    if let Some(field) = case.case.fields.iter().find(untrusted) {
        let problem = value::untrusted_tools(form, &field.name);
        errors.push(field.ident.span(), problem);
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
            errors.push(field.ident.span(), fragment::unsupported_key(key));
        }
    }
}

/// A type is a fragment or a prompt, not both.
fn fragments_stay_apart(prompt: &AnalyzedPrompt<'_>, errors: &mut Errors) {
    if !prompt.is_fragment() {
        return;
    }
    for case in prompt
        .cases
        .iter()
        .filter(|case| !case.fragment && case.readable)
    {
        errors.push(case.case.span, fragment::mixed_fragments());
    }
    let keys = &prompt.input.keys;
    if let Some(output) = &keys.output {
        errors.push(output.key, fragment::no_answer());
    }
    if let Some(format) = &keys.format {
        errors.push(format.key, fragment::no_format());
    }
}

/// One system message, at the front; a prompt that a model answers ends before the answer.
fn roles_are_in_order(prompt: &AnalyzedPrompt<'_>, case: &PromptCase<'_>, errors: &mut Errors) {
    // Where a field is the answer, a message that lacks its slot is another error.
    let has_answer = case
        .case
        .fields
        .iter()
        .any(|field| field.keys.has("answer"));
    let asks = prompt.output().is_some() && !has_answer;
    if let [
        ..,
        PromptStep::Message(before),
        PromptStep::History { at, field },
    ] = &case.steps[..]
        && before.role == Some(Role::User)
        // A template places the history where it is written.
        && before.tag.is_none()
        && case.case.fields[*field].keys.has("history")
    {
        errors.push(*at, role::history_after_question());
    }
    for (index, problem) in role_order(&case.step_roles(), asks) {
        if let PromptStep::Message(message) = &case.steps[index] {
            case.report_message(message, problem, errors);
        }
    }
}

/// The answer is used in the assistant's message at the end, and in no message that the model reads.
fn the_answer_is_at_the_end(case: &PromptCase<'_>, errors: &mut Errors) {
    if case.fragment {
        return;
    }
    for message in template_messages(case) {
        if message.is_answer {
            continue;
        }
        for error in exposed_answer(&case.fields, message.role, &message.used) {
            case.sources[message.source].report(&error, errors);
        }
    }
}

impl PromptCase<'_> {
    /// Reports an error of a whole message: at its tag in the template, or at its key.
    fn report_message(&self, message: &TemplateMessage, problem: Problem, errors: &mut Errors) {
        match message.tag {
            Some(tag) => {
                self.sources[message.source].report(&problem.at(tag), errors);
            }
            None => errors.push(message.at, problem),
        }
    }
}

/// Text of users must not be used in the system message.
fn system_is_trusted(form: MacroKind, case: &PromptCase<'_>, errors: &mut Errors) {
    let mut fields = case.fields.clone();
    for (index, field) in case.case.fields.iter().enumerate() {
        let (place, trusted) = (first_in_system(case, index), fields[index].trusted);
        // Last, because it reads the tokens of the type.
        if !(trusted || place.is_some()) || !is_untrusted(&field.ty) {
            continue;
        }
        if trusted {
            let problem = value::trusted_and_untrusted(form, &field.name);
            errors.push(field.ident.span(), problem);
        } else if let Some((message, place)) = place {
            let error = value::unendorsed_field(form, &field.name).at(place.span);
            case.sources[message.source].report(&error, errors);
            fields[index].trusted = true;
        }
    }
    for message in system_messages(case) {
        for error in untrusted_uses(form, case.dialect, &fields, &message.body) {
            case.sources[message.source].report(&error, errors);
        }
    }
}

/// The format of a prompt must support everything that the prompt contains.
fn format_supports_prompt(prompt: &AnalyzedPrompt<'_>, case: &PromptCase<'_>, errors: &mut Errors) {
    if let Some(family) = prompt.input.keys.family() {
        family_supports_case(family, case, errors);
    }
}

/// Whether a prompt needs earlier turns, a system message, media, tools, and any order of roles: for a format that only
/// rustc can evaluate.
pub(crate) fn format_needs(case: &PromptCase<'_>) -> [bool; 5] {
    let all = Family {
        system: true,
        history: true,
        tools: true,
        media: true,
        ..Family::BARE
    };
    let (mut history, mut system, mut media, mut tools, mut order) = (all, all, all, all, all);
    history.history = false;
    system.system = false;
    media.media = false;
    tools.tools = false;
    order.order = Order::Alternate;
    [history, system, media, tools, order].map(|family| {
        let mut errors = Errors::default();
        family_supports_case(&family, case, &mut errors);
        errors.count() > 0
    })
}

fn family_supports_case(family: &Family, case: &PromptCase<'_>, errors: &mut Errors) {
    for step in &case.steps {
        match step {
            PromptStep::History { at, field } if !family.history => {
                let field = &case.case.fields[*field];
                let problem = match field.keys.has("examples") {
                    true => problem::examples_of_field(family.title, &field.name),
                    false => problem::unsupported_history(family.title),
                };
                errors.push(*at, problem);
            }
            PromptStep::Examples(examples) if !family.history => {
                errors.push(examples.at, problem::unsupported_examples(family.title));
            }
            _ => {}
        }
    }
    if !family.history
        && let Some(message) = template_messages(case)
            .into_iter()
            .find(|message| is_earlier_turn(case, message))
    {
        case.report_message(message, problem::unsupported_turns(family.title), errors);
    }
    if !family.system {
        for message in system_messages(case) {
            case.report_message(message, problem::unsupported_system(family.title), errors);
        }
    }
    if family.history && family.order == Order::Alternate {
        user_and_assistant_take_turns(family, case, errors);
    }
    if !family.media {
        for message in template_messages(case) {
            for (name, span) in media_slots(&message.body) {
                let error = problem::unsupported_media(family.title, name).at(span);
                case.sources[message.source].report(&error, errors);
            }
        }
    }
    for field in case
        .case
        .fields
        .iter()
        .filter(|field| field.keys.has("tools") && !family.tools)
    {
        errors.push(field.ident.span(), problem::unsupported_tools(family.title));
    }
}

/// In such a family, user and assistant messages alternate and begin with the user.
fn user_and_assistant_take_turns(family: &Family, case: &PromptCase<'_>, errors: &mut Errors) {
    let mut due = Some(Role::User);
    for step in &case.steps {
        let PromptStep::Message(message) = step else {
            // A history is empty, or begins with the user and ends with the assistant.
            due = due.filter(|due| *due == Role::User);
            continue;
        };
        let Some(role) = message.role.filter(|role| *role != Role::System) else {
            continue;
        };
        if let Some(due) = due.filter(|due| *due != role) {
            case.report_message(
                message,
                problem::wrong_role_order(family.title, role, due),
                errors,
            );
            return;
        }
        due = Some(match role {
            Role::User => Role::Assistant,
            _ => Role::User,
        });
    }
}

/// Whether a message is neither the system message nor the last of the user, nor the answer.
fn is_earlier_turn(case: &PromptCase<'_>, message: &TemplateMessage) -> bool {
    let last = last_of_user(case);
    match message.role {
        Some(Role::User) => last.is_some_and(|last| !std::ptr::eq(last, message)),
        Some(Role::Assistant) => {
            !answer_message(case).is_some_and(|answer| std::ptr::eq(answer, message))
        }
        Some(Role::System) | None => false,
    }
}

/// The template's own text must not contain control tokens of its format.
fn template_has_no_control_tokens(
    prompt: &AnalyzedPrompt<'_>,
    case: &PromptCase<'_>,
    errors: &mut Errors,
) {
    let family = prompt.input.keys.family();
    report_foreign_tokens(prompt, case, family, errors);
    let Some(family) = family else {
        return;
    };
    for message in template_messages(case) {
        let source = &case.sources[message.source];
        for error in control_tokens(
            family.title,
            |text| family.control_tokens_in(text),
            &source.value,
            &message.body,
        ) {
            source.report(&error, errors);
        }
    }
}

/// Nor those of another format, unless it is written for plain text.
fn report_foreign_tokens(
    prompt: &AnalyzedPrompt<'_>,
    case: &PromptCase<'_>,
    family: Option<&Family>,
    errors: &mut Errors,
) {
    // The tokens of a format of the program are known to rustc alone.
    let is_unknown = family.is_none() && prompt.input.keys.format.is_some();
    // With `slots = "input"`, everything else is text by the author's word. In a text with mistakes, tokens may be marks of roles.
    if is_unknown || case_options(prompt, case).input_only || !case.readable {
        return;
    }
    let can_be_plain = !case.fragment && !matches!(prompt.input.form, MacroKind::Inline);
    let find = |text: &str| {
        let (other, token) = foreign_token_in(text, family)?;
        Some((other.title, other.name, token))
    };
    for message in template_messages(case) {
        let source = &case.sources[message.source];
        for error in foreign_control_tokens(
            case.dialect,
            can_be_plain,
            family.map(|family| family.name),
            find,
            &source.value,
            &message.body,
        ) {
            source.report(&error, errors);
        }
    }
}

/// Only messages of the user or the assistant contain media.
fn media_only_in_user_messages(case: &PromptCase<'_>, errors: &mut Errors) {
    for message in template_messages(case) {
        if message.role != Some(Role::System) {
            continue;
        }
        for (name, span) in media_slots(&message.body) {
            let error = value::media_in_system(name).at(span);
            case.sources[message.source].report(&error, errors);
        }
    }
}
