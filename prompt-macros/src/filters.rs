//! The filters that templates of the angle dialect can name, and what they take.

use prompt_syntax::builtin::plain;
use prompt_syntax::problem::call as problem;
use prompt_syntax::{Error, Filter};

use crate::model::Kind;

/// Whether a filter exists and is given what it takes. A Rust path is rustc's to check.
pub(crate) fn check(filter: &Filter) -> Result<(), Error> {
    match &filter.name.value[..] {
        [name] => plain::check(name, &filter.args, filter.name.span, true),
        _ => Ok(()),
    }
}

/// Whether a filter can take a value, as far as the tokens of its type tell.
pub(crate) fn takes(filter: &Filter, kind: Kind) -> Result<(), Error> {
    let [name] = &filter.name.value[..] else {
        return Ok(());
    };
    let is_text = matches!(kind, Kind::Text | Kind::Number);
    let problem = match (name.as_str(), kind) {
        ("join", _) if is_text => problem::takes_a_list(name),
        ("trim" | "upper" | "lower" | "indent" | "truncate", Kind::List) => {
            problem::takes_a_text(name)
        }
        ("json" | "join" | "lines", Kind::Unordered) => problem::shows_unordered(name),
        _ => return Ok(()),
    };
    Err(problem.at(filter.value.span()))
}
