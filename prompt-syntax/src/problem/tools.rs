//! `#[derive(Tools)]`.

use super::Problem;
use prompt_base::tool_name::NAME_RULE;

problems! {
    /// `enum Action {}`
    pub fn no_variants() = "an enum without variants offers no tools", help "add a variant for each tool";

    /// A struct.
    pub fn on_a_struct(name: &str) = "a struct is one tool, and `Tools` are several",
        help "make it an enum with a variant for each tool, or write `Tool::from_type::<{name}>()` without the derive";

    /// A union.
    pub fn on_a_union() = "a union cannot be a set of tools: its active field is unknown",
        help "make it an enum";

    /// `enum Action<'a>`
    pub fn tools_with_lifetime() = "tools borrow nothing: a call is read from what the model wrote",
        help "use owned types such as `String`";

    /// `enum Action<T>`
    pub fn tools_with_parameter() = "tools have no parameters: each tool is defined once",
        help "name the types, or write one enum for each";

    /// A `&str` in a variant.
    pub fn borrowed_parameter() = "a parameter borrows nothing: it is read from what the model wrote",
        help "use owned types such as `String`";

    /// `#[tool(consequential)] Send { to: Untrusted<String> }`
    pub fn untrusted_argument(variant: &str) = "an argument of the consequential tool `{variant}` cannot be `Untrusted`",
        help "remove `Untrusted` from the type: the approval of a call endorses its arguments";

    /// `Now()`
    pub fn empty_parentheses(variant: &str) = "a tool without parameters has no parentheses",
        help "write `{variant}`";
}

/// `Ask(String, u8)`
pub fn unnamed_parameters(variant: &str, types: &[String]) -> Problem {
    let named: Vec<String> = types.iter().map(|ty| format!("…: {ty}")).collect();
    Problem::new("the parameters of a tool need names: the model gives them by name")
        .with_help(format!("write `{variant} {{ {} }}`", named.join(", ")))
}

problems! {
    /// `Ask(String)`: a type that has no fields.
    pub fn no_object(variant: &str, ty: &str) = "the parameters of a tool need names, and `{ty}` has none",
        help "write `{variant} {{ …: {ty} }}`";

    /// `Ask(#[tool(…)] Question)`
    pub fn keys_of_a_struct() = "the parameters of this tool are the fields of the struct, and not this one",
        help "use the attributes of `serde` and `schemars` in the struct";
}

/// A name that not every provider takes; `given` is true if it was written out.
pub fn invalid_name(what: &str, name: &str, fault: &str, given: bool) -> Problem {
    Problem::new(format!(
        "a {what} cannot be named `{name}`: the name {fault}"
    ))
    .with_help(match given {
        true => format!("use {NAME_RULE}"),
        false => format!("write `#[tool(name = \"…\")]` above it, with {NAME_RULE}"),
    })
}

/// A name that another one has too.
pub fn same_name(what: &str, name: &str, given: bool) -> Problem {
    Problem::new(format!("two {what}s are named `{name}`")).with_help(match given {
        true => "choose another name",
        false => "write `#[tool(name = \"…\")]` above one of them",
    })
}
