//! The compiler's messages as errors of a rendering.

use prompt_syntax::problem::Problem;

use crate::expr::{EvalError, label_error};

/// An error that depends on values, with the compiler's message.
pub(crate) fn problem_error(problem: &Problem) -> EvalError {
    let mut error = EvalError::new(problem.message());
    if let Some(label) = problem.label() {
        error = label_error(error, label.to_owned());
    }
    match problem.help() {
        Some(help) => error.with_help(help),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use prompt_jinja_syntax::builtin::FILTERS;
    use prompt_jinja_syntax::problem::call;

    use super::*;
    use crate::expr::{TemplateText, draw_error};

    #[test]
    fn a_problem_keeps_its_label() {
        let error = problem_error(&call::unknown_function("filter", "uper", FILTERS)).at(5, 9);
        let template = TemplateText {
            name: None,
            text: "{{ a|uper }}",
            line: 1,
            column: 0,
        };
        let drawn = format!("{:#}", draw_error(error, &template));
        assert!(drawn.contains("^^^^ not a filter"), "{drawn}");
    }
}
