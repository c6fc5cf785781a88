//! Types that a template cannot use, as rustc reports them.

use prompt_syntax::problem::types::TypeMismatch;

/// Number 14: a type that cannot be used in an expression of the Jinja dialect.
pub fn value_mismatch(name: &str, snippet: &str) -> TypeMismatch {
    TypeMismatch {
        message: format!("`{{Self}}` cannot be the value of `{name}` in an expression"),
        label: "neither text, number, `bool`, list, map nor fragment",
        notes: vec![
            format!("the value is here\n{snippet}"),
            "derive `typed_prompt::jinja::ToValue` for a type of your own, or write one of its fields"
                .to_owned(),
        ],
    }
}

/// Number 14: a user-defined function returns a value that cannot be rendered.
pub fn result_mismatch(snippet: &str) -> TypeMismatch {
    TypeMismatch {
        message: "`{Self}` cannot be what a filter gives".to_owned(),
        label: "neither text, number, `bool`, list, map nor fragment",
        notes: vec![
            format!("the filter is here\n{snippet}"),
            "give a `String`, a number, a list, or a type that implements `ToValue`".to_owned(),
        ],
    }
}
