//! Keys of attributes, and their values (numbers 4 and 5).

use super::{Problem, list_names, suggest_name};
use crate::Dialect;
use prompt_base::suggest::{closest, closest_version, other_versions};

/// Number 4: a key, a dialect or a format that there is not.
pub fn unknown_key(what: &str, name: &str, known: &[&str]) -> Problem {
    let help = match name {
        "temperature" | "max_tokens" | "top_p" | "stop" if what == "key" => {
            format!(
                "remove it: how a model answers is given with the call, `llm.call(&ask).{name}(…)`"
            )
        }
        "model" if what == "key" => {
            "remove it: the model is chosen where the prompt is called, `ChatModel::new(…)`"
                .to_owned()
        }
        "name" if what == "key" && known.contains(&"template") => {
            "remove it: the name of the struct is the name of the prompt".to_owned()
        }
        "rename" | "name" if what == "key" => {
            "remove it: a slot has the name of its field".to_owned()
        }
        _ => suggest_name(name, known),
    };
    Problem::new(format!("unknown {what} `{name}`")).with_help(help)
}

/// The help for the name of a format: never another version, which is another format.
pub(super) fn suggest_format(name: &str, known: &[&str]) -> String {
    let names = || known.iter().copied();
    let meant = name.replace(['.', '-'], "_");
    if let Some(near) = closest_version(&meant, names()) {
        return format!("did you mean `{near}`?");
    }
    match &other_versions(name, names())[..] {
        [] => "remove the key if a chat API receives the messages; for a model that completes text, write its name from `typed_prompt::format`, such as `llama3_1` or `qwen3`".to_owned(),
        [only] => format!("did you mean `{only}`?"),
        shown => format!("write one of {}", list_names(shown)),
    }
}

/// Number 4: a format that there is not, with the path of a layout that needs a feature.
pub fn unknown_format(name: &str, known: &[&str]) -> Problem {
    let (module, item) = match name {
        "lamini_alpaca" => ("lamini", "ALPACA_FAMILY"),
        "lamini_llama2" => ("lamini", "LLAMA2_FAMILY"),
        "lamini_llama3" => ("lamini", "LLAMA3_FAMILY"),
        "lamini_mistral" => ("lamini", "MISTRAL_FAMILY"),
        "lazyllm_alpaca" => ("lazyllm", "Alpaca::FAMILY"),
        "lazyllm_chat" => ("lazyllm", "Chat::FAMILY"),
        _ => {
            let problem = Problem::new(format!("unknown format `{name}`"));
            return problem.with_help(suggest_format(name, known));
        }
    };
    Problem::new(format!("unknown format `{name}`")).with_help(format!(
        "write `format = typed_prompt::compat::{module}::{item}`, with the feature `compat` of `typed-prompt`"
    ))
}

problems! {
    /// Number 5: a duplicate key.
    pub fn duplicate_key(key: &str) = "the key `{key}` is given twice", help "remove one of them";

    /// A key on an item that it does not apply to; `here` and `there` have their article.
    pub fn misplaced_key(key: &str, here: &str, there: &str) = "`{key}` is not a key of {here}",
        help "move it to {there}";
}

/// A field that is meant to be the answer, as in DSPy. `ty` is the type of the field.
pub fn output_field(ty: &str) -> Problem {
    Problem::new("`output` is not a key of a field").with_help(format!(
        "remove the field, and write the type of the answer at the struct: `#[prompt(…, output = {ty})]`"
    ))
}

/// `from` on a prompt that does not have exactly one field that a value fills.
pub fn from_needs_one_field(prompt: &str, fields: &[&str]) -> Problem {
    let found = match fields {
        [] => "has none".to_owned(),
        [field] => format!("has only `{field}`, which is not filled by a value"),
        _ => format!("has {}", fields.len()),
    };
    Problem::new(format!(
        "`from` needs exactly one field, and `{prompt}` {found}"
    ))
    .with_help("remove `from`, and write the struct with its fields")
}

problems! {
    /// `#[prompt]`
    pub fn empty_attribute(example: &str) = "this attribute is empty", help "write {example}";

    /// `output = &str`
    pub fn borrowed_output(owned: &str) = "an answer is made from the model's text and cannot be a reference",
        help "write `output = {owned}`";

    /// `output = Answer<'a>`
    pub fn borrowing_output(name: &str) = "an answer is made from the model's text and cannot borrow from it",
        help "write `output = {name}`, and `String` instead of `&str` in `{name}`";

    /// `prompt!("<name>", name: "Ada")`
    pub fn colon_after_key(name: &str) = "`{name}` is followed by `:`", help "write `{name} = …`";

    /// Two keys without a comma between.
    pub fn no_comma() = "a key begins where a comma is expected", help "put a `,` before it";

    /// A key with a missing or invalid value. `example` is the correct notation.
    pub fn wrong_value_of_key(key: &str, what: &str, example: &str) = "`{key}` takes {what}", help "write `{example}`";
}

/// A string without quotes; `word` is the unquoted word, if it is one.
pub fn no_text(key: &str, word: Option<&str>) -> Problem {
    let what = match key {
        "file" => "a path in quotes",
        _ => "a quoted string",
    };
    let problem = Problem::new(format!("`{key}` takes {what}"));
    match word {
        _ if key == "syntax" => {
            let name = word.filter(|word| Dialect::from_name(word).is_some());
            problem.with_help(format!(
                "write `syntax = \"{}\"`",
                name.unwrap_or("angle")
            ))
        }
        Some("include_str") => problem.with_help(
            "write `file = \"…\"` as the only text, with the path from the folder of Cargo.toml: a file holds all messages, `<system>…</system>` and `<user>…</user>`",
        ),
        _ => problem.with_help(format!(
            "write `{key} = \"…\"`: the compiler can read a string literal here, but not a constant or a call"
        )),
    }
}

/// `output = "Answer"`
pub fn quoted_type(name: &str) -> Problem {
    wrong_value_of_key(
        "output",
        "a type without quotes",
        &format!("output = {name}"),
    )
}

/// `format = "llama3"`
pub fn quoted_format(name: &str) -> Problem {
    wrong_value_of_key(
        "format",
        "a name without quotes",
        &format!("format = {name}"),
    )
}

/// `format = format::LLAMA3`
pub fn path_of_format(name: &str) -> Problem {
    wrong_value_of_key("format", "a name, not a path", &format!("format = {name}"))
}

problems! {
    /// `prompt!(TEXT)`
    pub fn no_text_inline() = "`prompt!` takes a quoted string",
        help "write `prompt!(\"…\")`: the compiler can read a string literal here, but not a constant or a call";
}

/// Number 4: an argument of `prompt!` that is neither a key of it nor a slot.
pub fn unknown_inline(name: &str, known: &[&str]) -> Option<Problem> {
    let near = closest(name, known.iter().copied())?;
    Some(no_slot_inline(name).with_help(format!("did you mean `{near}`?")))
}

/// Number 4: a key of the derive in a `prompt!` with a string.
pub fn of_the_derive(name: &str) -> Problem {
    no_slot_inline(name).with_help(DERIVE)
}

problems! {
    fn no_slot_inline(name: &str) = "`prompt!` has no key `{name}`, and no slot of that name";

    /// Number 4: a key of the derive in a `prompt!` without a string.
    pub fn only_of_the_derive(name: &str) = "`prompt!` has no key `{name}`", help "{DERIVE}";
}

const DERIVE: &str = "derive a prompt: `#[derive(Prompt)]` has it";

problems! {
    /// `prompt!("… {}", "fr")`
    pub fn argument_by_position() = "`prompt!` takes no values by position",
        help "write `<name>` in the text for a variable `name`, or give the slot its value, `name = …`";

    /// `prompt!("…", name)`
    pub fn variable_by_position(name: &str) = "`prompt!` takes no values by position",
        help "write `<{name}>` in the text, which takes the variable, and remove `{name}` here; or give the name of a slot, `slot = {name}`";

    /// `prompt!("…", name = )`
    pub fn no_value(name: &str) = "`{name}` is given no value", help "write `{name} = value`";

    /// `prompt!("…", name = 1, name = 2)`
    pub fn argument_twice(name: &str) = "`{name}` is given twice", help "remove one of them";

    /// `fields(name: A, name: B)`
    pub fn field_twice(name: &str) = "the field `{name}` is given twice", help "remove one of them";
}

/// `fields(name)` of a name that no slot has; `names` are those of the slots.
pub fn field_without_slot(name: &str, names: &[&str]) -> Problem {
    let plain = name.strip_prefix("r#").unwrap_or(name);
    Problem::new(format!("no slot uses `{name}`")).with_help(
        match closest(plain, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("write `<{name}>` in the template, or remove it here"),
        },
    )
}

problems! {
    /// A field whose type does not follow from the slots, in `#[template]`.
    pub fn unclear_type(name: &str) = "the type of `{name}` does not follow from the template",
        label "neither a string, a list of strings nor a condition", help "add its type: `fields({name}: …)`";

    /// `#[prompt(…)]` beside `#[template(…)]` or `#[function(…)]`.
    pub fn keys_beside(whose: &str, name: &str) = "the keys of {whose} belong in `{name}(…)`",
        help "write them as `#[typed_prompt::{name}(user = \"…\")]`";
}
