//! Fields without a slot (number 2), and fields that are two things at once.

use super::Problem;
use crate::Dialect;
use prompt_base::Span;

/// Where the fields of a prompt are defined, which determines their name in messages.
///
/// ```
/// use prompt_syntax::problem::field;
///
/// let problem = field::unused_field(field::MacroKind::Inline, "tone", "<tone>", "the template");
/// assert_eq!(problem.help(), Some("write `<tone>` in the template, or remove the argument"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MacroKind {
    /// In a struct or a variant.
    Derive,
    /// In `prompt!`: arguments and variables.
    Inline,
    /// In a function: its arguments.
    Function,
    /// In the slots, and in `fields(…)`.
    Template,
}

impl MacroKind {
    fn field_or_argument(self) -> &'static str {
        match self {
            MacroKind::Derive | MacroKind::Template => "field",
            MacroKind::Inline | MacroKind::Function => "argument",
        }
    }

    /// How a field is marked with a key.
    pub(super) fn marking_help(self, name: &str, key: &str) -> String {
        match self {
            MacroKind::Template => format!("write `fields(#[prompt({key})] {name})`"),
            form => format!("mark the {} `#[prompt({key})]`", form.field_or_argument()),
        }
    }

    /// How a field can be exempt from having a slot.
    fn without_slot(self, name: &str) -> String {
        match self {
            MacroKind::Inline => "remove the argument".into(),
            form => form.marking_help(name, "skip"),
        }
    }
}

/// The field or argument of that name.
pub(super) fn describe_field(form: MacroKind, name: &str) -> String {
    format!("{} `{name}`", form.field_or_argument())
}

/// Number 2: a field that no slot uses; `slot` is how it would be written, `location` is where its slot would be.
pub fn unused_field(form: MacroKind, name: &str, slot: &str, location: &str) -> Problem {
    let or = form.without_slot(name);
    Problem::new(format!("no slot uses the {}", describe_field(form, name)))
        .with_label("the template ends here")
        .with_help(format!("write `{slot}` in {location}, or {or}"))
}

/// The maximum number of characters of a template that a message repeats.
const LONGEST: usize = 60;

/// Number 2: a field whose slot was most likely meant by text of the template.
pub fn nearly_used(form: MacroKind, name: &str, written: &str, slot: &str) -> Problem {
    // A long template is not repeated in full.
    let mut shown: String = written.chars().take(LONGEST).collect();
    if shown.len() < written.len() {
        shown.push('…');
    }
    Problem::new(format!(
        "no slot uses the {}: `{shown}` is text",
        describe_field(form, name)
    ))
    .with_label("no slot")
    .with_help(
        // Where a slot has to begin with `input:`, another dialect does not change what is written.
        match super::literal::dialect_of(written, name)
            .filter(|_| written != slot && !slot.contains("input:"))
        {
            None => format!("write `{slot}`, or {}", form.without_slot(name)),
            Some(dialect) => format!(
                "write `{slot}`, or {}; or, if all slots are written so, add `syntax = \"{}\"`",
                form.without_slot(name),
                dialect.name()
            ),
        },
    )
}

/// Number 2: a field whose type is known not to be text and that has no key for its kind.
pub fn unmarked_field(form: MacroKind, name: &str, key: &str) -> Problem {
    Problem::new(format!("no slot uses the {}", describe_field(form, name))).with_help(format!(
        "{}; or, if it is not part of the prompt, {}",
        form.marking_help(name, key),
        form.without_slot(name)
    ))
}

/// Number 2: an answer without its assistant turn.
pub fn answer_without_turn(form: MacroKind, name: &str, dialect: Dialect) -> Problem {
    Problem::new(format!("no slot uses the {}", describe_field(form, name))).with_help(format!(
        "end with the turn that a model is to write: `assistant = \"{}\"`",
        dialect.slot(name)
    ))
}

/// The answer in a run-time template, where `slot` is how its slot is written.
pub fn answer_without_block(dialect: Dialect, name: &str, slot: &str) -> Problem {
    let (open, close) = (dialect.tag("assistant"), dialect.end("assistant"));
    Problem::new(format!("no slot uses the field `{name}`, the answer"))
        .with_label("the template ends here")
        .with_help(format!(
            "end with the turn that a model is to write: `{open}{slot}{close}`; a request is sent without it"
        ))
}

/// Number 10: `<name>` with `</name>` is an XML tag, and the field has no other slot.
pub fn field_as_xml_tag(form: MacroKind, name: &str, close: Option<Span>) -> Problem {
    let problem = Problem::new(format!(
        "`<{name}>` and `</{name}>` are an XML tag here, so the {} has no slot",
        describe_field(form, name)
    ))
    .with_label("stays text")
    .with_help(format!(
        "write the slot as `<input:{name}>`, or {}",
        form.without_slot(name)
    ));
    match close {
        Some(close) => problem.related_to(close, "because of this"),
        None => problem,
    }
}

/// Number 10: `<name>` with `</name>` is an XML tag, and only conditions use the field.
pub fn tested_xml_tag(form: MacroKind, name: &str, close: Option<Span>) -> Problem {
    let problem = Problem::new(format!(
        "`<{name}>` and `</{name}>` are an XML tag here, so the {} is tested and not shown",
        describe_field(form, name)
    ))
    .with_label("stays text")
    .with_help(format!(
        "write the slot as `<input:{name}>`, or `\\<{name}>` to keep the tag as text"
    ));
    match close {
        Some(close) => problem.related_to(close, "because of this"),
        None => problem,
    }
}

problems! {
    /// A second history, a second set of tools.
    pub fn second_marked_field(key: &str) = "a second field is marked `{key}`", help "keep one of them";

    /// A field that is two things.
    pub fn marked_twice(name: &str, first: &str, second: &str) = "the field `{name}` is marked `{first}` and `{second}`",
        help "keep one of them";
}

/// A position for turns without a field.
pub fn no_turns(key: &str) -> Problem {
    Problem::new(match key {
        "history" => "no field is the history",
        _ => "no field holds the examples",
    })
    .with_help(format!("mark a field `#[prompt({key})]`"))
}

#[cfg(test)]
mod tests {
    use super::{MacroKind, nearly_used};

    #[test]
    fn a_message_does_not_repeat_a_template() {
        let problem = nearly_used(MacroKind::Derive, "name", &"{".repeat(1000), "{name}");
        assert!(problem.message().len() < 120, "{}", problem.message());
        assert!(problem.message().ends_with("{…` is text"));
    }
}
