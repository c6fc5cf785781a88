//! Those that only the Jinja dialect can have.

use super::*;

/// `user-name`, which is a difference.
pub fn hyphen(right: &str) -> Problem {
    Problem::new("a name holds no `-`")
        .labelled("one value less another")
        .helped(format!("write `{right}`"))
}

/// `{{ loop }}`
pub fn whole_loop() -> Problem {
    Problem::new("`loop` is no value")
        .labelled("knows where the loop is")
        .helped("write `loop.index`, `loop.first`, `loop.last` or `loop.length`")
}

/// `{{ loop.previtem }}`
pub fn no_part_of_loop(part: &str, names: &[&str]) -> Problem {
    Problem::new(format!("`loop` has no `{part}`"))
        .labelled("not known of a loop")
        .helped(match closest(part, names.iter().copied()) {
            Some(near) => format!("did you mean `loop.{near}`?"),
            None => format!("it has {}", listed(names)),
        })
}

/// A macro that is shown and not called.
pub fn whole_macro(name: &str) -> Problem {
    Problem::new(format!("`{name}` is a macro"))
        .labelled("not called")
        .helped(format!("write `{name}(…)`"))
}

/// `loop.previtem` where an item has several names.
pub fn no_neighbour(part: &str) -> Problem {
    Problem::new(format!("`loop.{part}` has no one name for its item"))
        .labelled("an item is taken apart here")
        .helped("write `{% for item in … %}`, and take it apart with `{% set a, b = item %}`")
}

/// `loop.changed` without its parentheses.
pub fn changed_not_called() -> Problem {
    Problem::new("`loop.changed` is no value")
        .labelled("not called")
        .helped("write `loop.changed(…)` with the values that it looks at")
}
