//! The Jinja dialect: expressions, loops and variables beside items that have the names of what they call.

#![no_implicit_prelude]

use ::tp::Prompt;

/// Everything that becomes a statement of its own.
#[derive(Prompt)]
#[prompt(
    crate = ::tp,
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
