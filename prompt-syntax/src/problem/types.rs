//! The messages of rustc for a type that does not fit (numbers 7, 14, 15 and 16): `#[diagnostic::on_unimplemented]`.

use crate::Dialect;

/// A message of rustc's, where `{Self}` is the type. `snippet` shows the position in the template.
///
/// ```
/// use prompt_syntax::{Dialect, problem::types};
///
/// let unfit = types::slot_mismatch(Dialect::Angle, "age", false, None, "<age>");
/// assert_eq!(unfit.message, "`{Self}` cannot fill the slot `age`");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeMismatch {
    /// The message.
    pub message: String,
    /// The label at the underlined code.
    pub label: &'static str,
    /// The snippet, and what to do.
    pub notes: Vec<String>,
}

/// Number 14: a type that cannot fill a slot. `has_default`: the slot has a default, so the type is that inside of an `Option`.
pub fn slot_mismatch(
    dialect: Dialect,
    name: &str,
    has_default: bool,
    parameter: Option<&str>,
    snippet: &str,
) -> TypeMismatch {
    let is_jinja = dialect == Dialect::Jinja;
    let wrapper = "a type that prints itself, also of another crate: make the field `DisplayValue<T>`, from `typed_prompt::value`";
    let mut notes = vec![
        format!("the slot is here\n{snippet}"),
        format!(
            "a type of your own: derive `Label` for an enum without fields; make a struct, also one that is a prompt, a fragment: `#[prompt(fragment = \"…\")]`; or implement {}",
            if is_jinja {
                "`ToValue` and `Truthy`"
            } else {
                "`ToPrompt`"
            }
        ),
        match dialect {
            Dialect::Angle => format!(
                "a type that prints itself, also of another crate: write `<{name} | display{0}>`; one with `Debug` only, such as a tuple or a `Duration`: `<{name} | debug{0}>`",
                if has_default { " ?? 'none'" } else { "" }
            ),
            Dialect::Brace | Dialect::Fstring | Dialect::Jinja => wrapper.to_owned(),
        },
    ];
    let bound = match is_jinja {
        true => "typed_prompt::jinja::ToValue + typed_prompt::value::Truthy",
        false => "typed_prompt::ToPrompt",
    };
    notes.extend(
        parameter
            .map(|name| format!("the type parameter `{name}` needs a bound: `{name}: {bound}`")),
    );
    notes.extend(match dialect {
        Dialect::Jinja => vec![
            format!("an `Option` needs a condition, `{{% if {name} %}}…{{{{ {name} }}}}…{{% endif %}}`, or a default, `{{{{ {name} | default(\"none\") }}}}`"),
        ],
        Dialect::Brace | Dialect::Fstring => vec!["an `Option` or a list needs a condition or a loop, which `syntax = \"angle\"` has".to_owned()],
        Dialect::Angle if has_default => vec![],
        Dialect::Angle => vec![
            format!("an `Option` needs a condition, `<if {name}>…<{name}>…</if>`, or a default, `<{name} ?? 'none'>`"),
            format!("a list needs a loop, `<for item in {name}>…<item>…</for>`, or a filter, `<{name} | join(', ')>`"),
        ],
    });
    TypeMismatch {
        message: format!("`{{Self}}` cannot fill the slot `{name}`"),
        label: if is_jinja {
            "neither text, number, `bool`, list, map nor fragment"
        } else {
            "neither text, number, `bool`, `char` nor path"
        },
        notes,
    }
}

/// Number 16: a loop over a value that is not a list.
pub fn list_mismatch(dialect: Dialect, name: &str, snippet: &str) -> TypeMismatch {
    TypeMismatch {
        message: format!("`{{Self}}` is not a list, and `{name}` is used in a loop"),
        label: "a loop needs a list",
        notes: vec![
            format!("the loop is here\n{snippet}"),
            "slices, arrays, `Vec`, `VecDeque`, `LinkedList` and `BTreeSet` are lists; a hash set has no order of its own".to_owned(),
            match dialect {
                Dialect::Jinja => format!("an `Option` of a list needs a condition first: `{{% if {name} %}}{{% for item in {name} %}}…{{% endfor %}}{{% endif %}}`"),
                _ => format!("an `Option` of a list needs a condition first: `<if {name}><for item in {name}>…</for></if>`"),
            },
        ],
    }
}

/// Number 16: a loop with two names over what has no pairs. `second` is the second name.
pub fn pairs_mismatch(name: &str, second: &str, snippet: &str) -> TypeMismatch {
    TypeMismatch {
        message: format!("`{{Self}}` has no pairs, and the loop over `{name}` takes pairs apart"),
        label: "a loop with two names needs pairs",
        notes: vec![
            format!("the loop is here\n{snippet}"),
            format!("for the number of an item write `<for {second} in {name}>` and `<loop.index>`, which counts from 1"),
            "`BTreeMap` and lists of pairs, as `Vec<(String, u32)>`, have pairs; those of a `HashMap` have to be sorted: `| sort`".to_owned(),
        ],
    }
}

/// A value that cannot be compared with a constant of this kind: `a string`, `a number`, `a boolean`.
pub fn comparison_mismatch(name: &str, kind: &str, snippet: &str) -> TypeMismatch {
    TypeMismatch {
        message: format!("`{{Self}}` cannot be compared with {kind}"),
        label: "compared in a condition",
        notes: vec![
            format!("the condition is here\n{snippet}"),
            match kind {
                "a string" => format!(
                    "text can be compared with a string, and so can an enum with `#[derive(Label)]`; for another type compare what it prints: `{name} | display == \"…\"`"
                ),
                "a number" => "numbers can be compared with a number; for another type, compare it in the program, and add a `bool` field".to_owned(),
                _ => "a `bool` can be compared with `true` and `false`".to_owned(),
            },
            format!("an `Option` needs a condition first: `{name} and {name} == …`"),
        ],
    }
}

/// Number 7: a value of `prompt!` that may not be used in the system message.
pub fn system_mismatch(name: &str, snippet: &str) -> TypeMismatch {
    TypeMismatch {
        message: "`{Self}` may not be used in the system message".to_owned(),
        label: "this value could instruct the model",
        notes: vec![
            format!("the slot is here\n{snippet}"),
            format!(
                "move the slot into `user`; or, if `{name}` never contains a user's text, wrap it: `{name} = Trusted({name})`"
            ),
        ],
    }
}

/// Number 23: a type that no row of a file of examples can fill.
pub fn row_mismatch(name: &str, snippet: &str) -> TypeMismatch {
    TypeMismatch {
        message: format!("no row can fill `{name}`: `{{Self}}` is not made of a string"),
        label: "not made of a string",
        notes: vec![
            format!("the first of them is here\n{snippet}"),
            "implement `From<&'static str>` for the type; or give the examples at run time, in a `#[prompt(examples)]` field".to_owned(),
        ],
    }
}
