//! Rules that need more than one place to see. Each function is one rule.

use prompt_syntax::{Dialect, Error, Role, Span};

use crate::errors::Errors;
use crate::model::{
    Fallback, Kind, Message, Piece, Place, Prompt, PromptCase, Slot, Step, Test, Value, walk,
};

pub(crate) fn check(prompt: &Prompt<'_>, errors: &mut Errors) {
    for case in &prompt.cases {
        every_field_has_a_slot(prompt, case, errors);
        roles_stand_in_order(prompt, case, errors);
        system_is_trusted(case, errors);
        media_stand_in_messages_of_the_user(case, errors);
        the_format_can_say_it(prompt, case, errors);
        text_holds_no_control_token(prompt, case, errors);
        one_field_of_a_kind(case, errors);
        fragments_are_text(prompt, case, errors);
    }
    fragments_stay_apart(prompt, errors);
}

/// A field that no slot uses was forgotten, in the template or in the struct.
fn every_field_has_a_slot(prompt: &Prompt<'_>, case: &PromptCase<'_>, errors: &mut Errors) {
    let used = used(case);
    let dialect = prompt
        .input
        .keys
        .syntax
        .as_ref()
        .map_or(Dialect::default(), |syntax| syntax.value);
    for (index, field) in case.case.fields.iter().enumerate() {
        if used.contains(&index) || field.stands_apart().is_some() || field.keys.broken {
            continue;
        }
        let name = &field.name;
        if let Some((source, tag)) = case.tags.iter().find(|(_, tag)| tag.name.value == *name) {
            let error = Error::new(tag.name.span, format!("`<{name}>` and `</{name}>` are an XML tag here, so the field `{name}` has no slot"))
                .label("stays text")
                .related(tag.close, "because of this")
                .help(format!("write the slot as `<input:{name}>`, or mark the field `#[prompt(skip)]`"));
            case.sources[*source].report(&error, errors);
        } else if case.readable {
            let slot = if dialect == Dialect::Brace {
                format!("{{{name}}}")
            } else {
                format!("<{name}>")
            };
            let (what, or) = if prompt.input.inline {
                ("argument", "remove the argument")
            } else {
                ("field", "mark the field `#[prompt(skip)]`")
            };
            errors.push_help(
                field.ident.span(),
                format!("no slot uses the {what} `{name}`"),
                format!("write `{slot}` in the template, or {or}"),
            );
        }
    }
}

/// The fields that a template uses.
fn used(case: &PromptCase<'_>) -> Vec<usize> {
    let mut used = Vec::new();
    each_place(case, &mut |place, _| used.push(place.origin));
    used
}

/// Whether a template uses a field.
pub(crate) fn uses(case: &PromptCase<'_>, index: usize) -> bool {
    used(case).contains(&index)
}

/// The fields whose text stands in the system message.
pub(crate) fn used_in_system(case: &PromptCase<'_>) -> Vec<usize> {
    let mut used = Vec::new();
    for message in messages(case).filter(|message| message.role == Some(Role::System)) {
        walk(&message.body, &mut |piece| {
            if let Piece::Slot(slot) = piece {
                each_shown(slot, &mut |place| used.push(place.origin));
            }
        });
    }
    used
}

/// Calls `see` for each place whose text a slot may show.
fn each_shown<'a>(slot: &'a Slot, see: &mut impl FnMut(&'a Place)) {
    slot.value.places(see);
    if let Some(fallback) = &slot.fallback {
        fallback.default.places(see);
    }
}

/// Calls `see` for each place of a template, with its message.
pub(crate) fn each_place<'a>(
    case: &'a PromptCase<'_>,
    see: &mut impl FnMut(&'a Place, &'a Message),
) {
    for message in messages(case) {
        let see = &mut |place| see(place, message);
        walk(&message.body, &mut |piece| match piece {
            Piece::Slot(slot) => {
                slot.value.places(see);
                if let Some(Fallback {
                    option, default, ..
                }) = &slot.fallback
                {
                    see(option);
                    default.places(see);
                }
            }
            Piece::Media { place, .. } => see(place),
            Piece::If { branches, .. } => branches
                .iter()
                .for_each(|branch| places_of(&branch.test, see)),
            Piece::For { list, .. } => list.places(see),
            Piece::Text { .. } => {}
        });
    }
}

fn places_of<'a>(test: &'a Test, see: &mut impl FnMut(&'a Place)) {
    match test {
        Test::Present { value, .. } => value.places(see),
        Test::Not(inner) => places_of(inner, see),
        Test::And(sides) | Test::Or(sides) => {
            places_of(&sides.0, see);
            places_of(&sides.1, see);
        }
    }
}

fn messages<'a>(case: &'a PromptCase<'_>) -> impl Iterator<Item = &'a Message> {
    case.steps.iter().filter_map(|step| match step {
        Step::Message(message) => Some(message),
        Step::History { .. } => None,
    })
}

/// One system message, at the front; an answer is asked for after the user's turn.
fn roles_stand_in_order(prompt: &Prompt<'_>, case: &PromptCase<'_>, errors: &mut Errors) {
    let mut system = false;
    let mut turns = false;
    for step in &case.steps {
        let Step::Message(message) = step else {
            turns = true;
            continue;
        };
        if message.role != Some(Role::System) {
            turns = true;
            continue;
        }
        if system {
            let help = "make one `system` text of them";
            case.report_message(
                message,
                "there are two system messages",
                "the second one",
                help,
                errors,
            );
        } else if turns {
            let help = "write `system` first";
            case.report_message(
                message,
                "the system message comes after a turn",
                "too late",
                help,
                errors,
            );
        }
        system = true;
    }
    if let Some(Step::Message(last)) = case.steps.last()
        && last.role == Some(Role::Assistant)
        && prompt.output().is_some()
    {
        let error = "the assistant speaks last, and yet an answer is asked for";
        let help = "end with a `user` text, or take `output` away";
        case.report_message(last, error, "nothing is left to answer", help, errors);
    }
}

impl PromptCase<'_> {
    /// Reports an error of a whole message: at its tag in the template, or at its key.
    fn report_message(
        &self,
        message: &Message,
        error: &str,
        label: &str,
        help: &str,
        errors: &mut Errors,
    ) {
        match message.tag {
            Some(tag) => {
                let error = Error::new(tag, error).label(label).help(help);
                self.sources[message.source].report(&error, errors);
            }
            None => errors.push_help(message.at, error, help),
        }
    }
}

/// What a user wrote must not speak as the system.
fn system_is_trusted(case: &PromptCase<'_>, errors: &mut Errors) {
    for message in messages(case).filter(|message| message.role == Some(Role::System)) {
        let source = &case.sources[message.source];
        walk(&message.body, &mut |piece| {
            let Piece::Slot(slot) = piece else { return };
            let mut check = |place: &Place| {
                let Some(field) = case.case.fields.get(place.origin) else {
                    return;
                };
                if field.is_trusted() {
                    return;
                }
                let name = &field.name;
                // Of several places in one slot, the one that is meant.
                let span = match (&slot.value, &slot.fallback) {
                    (Value::Place(_), None) => slot.span,
                    _ => place.span,
                };
                let error = Error::new(span, format!("the untrusted field `{name}` stands in the system message"))
                    .label("what it holds could instruct the model")
                    .help(format!("move the slot into `user`; or, if `{name}` never holds a user's text, mark the field `#[prompt(trusted)]`"));
                source.report(&error, errors);
            };
            each_shown(slot, &mut check);
        });
    }
}

/// Only a user's or an assistant's message holds more than text.
fn media_stand_in_messages_of_the_user(case: &PromptCase<'_>, errors: &mut Errors) {
    for message in messages(case) {
        let what = match message.role {
            Some(Role::System) => "the system message is text",
            None => "a fragment is text",
            Some(Role::User | Role::Assistant) => continue,
        };
        each_media(message, &mut |name, span| {
            let error = Error::new(span, format!("{what}, and `{name}` is none"))
                .label("an image, sound, film or file")
                .help("move the slot into `user`");
            case.sources[message.source].report(&error, errors);
        });
    }
}

fn each_media<'a>(message: &'a Message, see: &mut impl FnMut(&'a str, Span)) {
    walk(&message.body, &mut |piece| {
        if let Piece::Media { place, span, .. } = piece {
            see(&place.name, *span);
        }
    });
}

/// A format that was chosen must have a place for what the prompt holds.
fn the_format_can_say_it(prompt: &Prompt<'_>, case: &PromptCase<'_>, errors: &mut Errors) {
    let Some(format) = &prompt.input.keys.format else {
        return;
    };
    let family = format.value;
    for step in &case.steps {
        match step {
            Step::History { at, .. } if !family.history => {
                let message = format!("{} has no place for earlier turns", family.title);
                errors.push_help(
                    *at,
                    message,
                    "take the history away, or choose a format of a chat model: `format = chatml`",
                );
            }
            _ => {}
        }
    }
    if !family.history
        && let Some(message) = messages(case).find(|message| is_earlier_turn(case, message))
    {
        let error = format!("{} has no place for earlier turns", family.title);
        let help = "write these turns into the last `user` text, or choose a format of a chat model: `format = chatml`";
        case.report_message(message, &error, "a turn before the last one", help, errors);
    }
    if !family.media {
        for message in messages(case) {
            each_media(message, &mut |name, span| {
                let error = Error::new(span, format!("{} has no place for `{name}`", family.title))
                    .label("an image, sound, film or file")
                    .help("take the slot away, or leave `format` out and use a chat API");
                case.sources[message.source].report(&error, errors);
            });
        }
    }
    for field in case
        .case
        .fields
        .iter()
        .filter(|field| field.keys.has("tools") && !family.tools)
    {
        let message = format!("{} has no place for tools", family.title);
        errors.push_help(
            field.ident.span(),
            message,
            "take the field away, or leave `format` out and use a chat API",
        );
    }
}

/// Whether a message is neither the system's nor the one that is answered.
fn is_earlier_turn(case: &PromptCase<'_>, message: &Message) -> bool {
    let last = messages(case)
        .filter(|other| other.role == Some(Role::User))
        .last();
    match message.role {
        Some(Role::User) => last.is_some_and(|last| !std::ptr::eq(last, message)),
        Some(Role::Assistant) => true,
        Some(Role::System) | None => false,
    }
}

/// The template's own words must not be structure of the format that they are written for.
fn text_holds_no_control_token(prompt: &Prompt<'_>, case: &PromptCase<'_>, errors: &mut Errors) {
    let Some(format) = &prompt.input.keys.format else {
        return;
    };
    for message in messages(case) {
        let source = &case.sources[message.source];
        walk(&message.body, &mut |piece| {
            let Piece::Text { text, span } = piece else {
                return;
            };
            for token in format
                .value
                .tokens
                .iter()
                .filter(|token| text.contains(**token))
            {
                let written = span.of(&source.value);
                let at = written.find(token).map_or(*span, |at| {
                    Span::new(span.start + at, span.start + at + token.len())
                });
                let error = Error::new(
                    at,
                    format!(
                        "`{token}` is structure in the format {}",
                        format.value.title
                    ),
                )
                .label("a control token")
                .help("remove it: the format writes it where it belongs");
                source.report(&error, errors);
            }
        });
    }
}

/// There is one history, one set of tools, and a field is one thing.
fn one_field_of_a_kind(case: &PromptCase<'_>, errors: &mut Errors) {
    for key in ["history", "tools"] {
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
        let kinds: Vec<&str> = ["skip", "history", "tools", "extra", "media"]
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
fn fragments_are_text(prompt: &Prompt<'_>, case: &PromptCase<'_>, errors: &mut Errors) {
    if !case.fragment {
        return;
    }
    for field in &case.case.fields {
        if let Some(key @ ("history" | "tools" | "extra")) = field.stands_apart() {
            errors.push_help(
                field.ident.span(),
                format!("a fragment has no place for `{key}`"),
                "move the field to the prompt that holds the fragment",
            );
        }
    }
    let _ = prompt;
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

/// Whether a field's type cannot carry instructions by its name: then rustc checks that it is what it is called.
pub(crate) fn is_safe_by_name(kind: Kind) -> bool {
    matches!(kind, Kind::Number | Kind::Trusted)
}
