//! Names, and those of the Jinja dialect.

use prompt_syntax::problem::Problem;
pub use prompt_syntax::problem::name::*;
use prompt_syntax::problems;

problems! {
    /// A name that is set in a branch only.
    pub fn uncertain_name(name: &str) = "`{name}` may have no value here",
        label "set in a condition that may not hold",
        help "set it before the condition, as `{{% set {name} = none %}}`, or in each branch";

    /// `user-name`, which is a difference.
    pub fn hyphen_in_name(right: &str) = "a name cannot contain `-`",
        label "one value less another", help "write `{right}`";
}

problems! {
    /// A macro that is shown and not called.
    pub fn whole_macro(name: &str) = "`{name}` is a macro", label "not called", help "write `{name}(…)`";

    /// `loop.previtem` where an item has several names.
    pub fn no_neighbour(part: &str) = "`loop.{part}` has no one name for its item",
        label "an item is taken apart here",
        help "write `{{% for item in … %}}`, and take it apart with `{{% set a, b = item %}}`";

    /// `loop.changed` without its parentheses.
    pub fn changed_not_called() = "`loop.changed` is not a value",
        label "not called", help "write `loop.changed(…)` with the values that it looks at";
}

/// `{% if note == null %}`
pub(crate) fn null_in_jinja(name: &str, left: &str) -> Problem {
    Problem::new(format!("unknown slot `{name}`"))
        .with_label("`none` in Jinja")
        .with_help(format!("write `{left} is none` or `{left} is not none`"))
}

problems! {
    /// A macro that is never called.
    pub fn unused_macro(name: &str) = "the macro `{name}` is never called",
        label "bound here", help "write `{{{{ {name}(…) }}}}`, or remove it";

    /// A name of a `set` or a `with` that is never used.
    pub fn unused_variable(name: &str) = "`{name}` is set and never used",
        label "bound here", help "remove it, write `{{{{ {name} }}}}` after it, or call it `_{name}`";

    /// `{% set total = total + item.price %}` in a loop or a block, of a variable of outside.
    fn lost_variable(name: &str) = "`{name}` is set for this block alone, and never used in it",
        label "a new variable, which ends with the block",
        help "add with `{{{{ list | sum(attribute='key') }}}}`, count with `{{{{ list | selectattr('key') | list | length }}}}`, or use another name";
}

/// A name of a `set` that is never used, and whether a variable outside of the block has this name too.
pub(crate) fn unread_variable(name: &str, is_outside: bool) -> Problem {
    match is_outside {
        true => lost_variable(name),
        false => unused_variable(name),
    }
}
