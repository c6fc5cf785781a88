//! The Jinja dialect: expressions, loops and variables beside items with the names of the functions that they call.

#![no_implicit_prelude]

use ::tp::{Prompt, no_prelude::diagnostic};

/// All constructs that expand to statements.
#[derive(Prompt)]
#[prompt(crate = "::tp")]
#[prompt(
    syntax = "jinja",
    user = "{% set n = 1 %}{% if out %}{% set n = n + 1 %}{% endif %}{{ n }}{{ slot | upper }}
{% for value in items | sort(attribute='written', reverse=true) %}{{ loop.index }}{{ value.written }}{% else %}-{% endfor %}
{% for key, expr in map.items() if expr %}{{ key }}{{ expr }}{% endfor %}{% macro fault(given='a') %}{{ given }}{% endmacro %}{{ fault() }}
{% for Ok in range(2) %}{{ loop.last }}{{ Ok }}{% endfor %}{% with Some = none %}{{ Some }}{% endwith %}{{ items | map(attribute='written') | join }}
{% set text %}{{ slot }}{% endset %}{{ text }}{% filter trim %} {{ slot }} {% endfilter %}{{ [out, 1.5] }}{{ slot | default('x', true) }}"
)]
pub struct Jinja<'a> {
    /// A name of generated code.
    pub out: bool,
    /// Another.
    pub slot: &'a str,
    /// A third.
    pub items: &'a [Item],
    /// Entries.
    pub map: ::std::collections::BTreeMap<&'a str, u8>,
}

/// No value as a whole.
pub struct Item {
    /// A name of generated code.
    pub written: i64,
}

/// The template comes from a macro, for which clippy does not suppress lints in the expansion.
macro_rules! scored {
    ($name:ident, $scores:ident) => {
        /// From a macro.
        #[derive(Prompt)]
        #[prompt(crate = "::tp")]
        #[prompt(
            syntax = "jinja",
            user = "{% for score in scores if score % 2 == 0 and not (score > 5 or loop_ < 1) %}{{ (score * 1.5) | round(1) }}{% endfor %}
{{ scores[0] + 1 }}{% if scores[0] is divisibleby 2 and scores %}{{ -scores[0] }}{% endif %}{{ 'a' if scores[0] > loop_ else scores | sum }}
{% set top = scores | max %}{{ top }}{{ scores | select('odd') | list | length }}{{ [loop_ + 1, top] | join(', ') }}{{ scores[0] ~ (loop_ + 1) }}
{% if loop_ / 2 > 1 and scores[0] + 1 %}-{% endif %}{% for score in scores if score > 1 %}{{ score }}{% endfor %}
{% for score in scores if score is even %}{{ score }}{% endfor %}{{ loop_ if scores[0] is even }}{{ scores | reject('gt', loop_ + 1) | sum }}{{ (loop_ is even) | string }}{{ names | map('upper') | join }}"
        )]
        pub struct $name {
            /// A rendered value.
            pub $scores: ::std::vec::Vec<i64>,
            /// A compared value.
            pub loop_: i64,
            /// A mapped value.
            pub names: ::std::vec::Vec<::std::string::String>,
        }
    };
}

scored!(Scored, scores);
