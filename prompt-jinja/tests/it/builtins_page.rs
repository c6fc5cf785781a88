//! Writes `docs/jinja.md`, the page about the names of the Jinja dialect, from the tables of the compiler's checks.
//!
//! `UPDATE_EXPECT=1 cargo test -p prompt-jinja builtins_page` writes it anew.

use std::fmt::Write;

use expect_test::expect_file;
use prompt_jinja_syntax::builtin::{Builtin, ExtraArgs, FILTERS, FUNCTIONS, METHODS, TESTS};
use prompt_jinja_syntax::problem::subset::{REFUSED, unsupported_tag};

const HEAD: &str = "\
# Filters, tests and methods of the Jinja dialect

`syntax = \"jinja\"` is a subset of Jinja2 3.1.6 with the behaviour of Jinja2 and Python: values print as Python's
`str` prints them (`True`, `None`, `1.0`, `['a', 1]`), `/` divides into a fraction, `//` and `%` round down, text and numbers
have no order, slices count characters. 200,000 random calls of filters, tests, methods and operators were compared with
Jinja2, 700 of them in every test run (`prompt-jinja/tests/goldens/expressions.py`). This page is made from the tables that the
compiler checks templates against.

## Where it differs from Jinja2, and why

- **A missing value is an error**, as with `StrictUndefined`: a missing key, an index out of range, the first item of an empty
  list. The error has its position in the template, and is returned when the prompt is rendered. `is defined` and `default` accept a missing value.
- **An `Option` without a value is `None`, but `default` returns its default and `is defined` is false**: an `Option` is the only
  way to omit a value in a Rust struct. `None` of JSON, or written out, is as in Jinja2: `none | default(\"x\")` is `None`.
- **Iterators of Jinja2 are lists** (`map`, `select`, `reverse`, `unique`, `.items()`, …): it can be printed, has a
  length, can be iterated twice, and is false when it is empty. In Jinja2, `{% if xs | select(\"odd\") %}` is always true.
- **Whole numbers have 128 bits**; more is an error. Python's have no bounds.
- **An inline `if` without `else` is empty text.** With `StrictUndefined`, Jinja2 refuses it.
- **`safe` changes nothing, and `escape` and `tojson` return plain text**: there is no automatic escaping. `| tojson | e` and `(x | e) + y`, which Jinja2
  writes otherwise, are errors.
- **`truncate`, `wordwrap` and `indent` accept only text.** Jinja2 accepts a short list.
- **`sameas` compares kind and value**: two equal lists are the same.
- `wordcount` counts a letter's combining marks as part of its word, where Python's `\\w` leaves them out; `sum` adds from left
  to right, as Python did before 3.12.
";

const LOOP: &str = "
## Functions of your own

A filter with a path is a function of Rust: `{{ name | crate::shout(\"!\") }}` calls `crate::shout(&self.name, \"!\")`. A field
is passed as a reference, and so is the result of another such function; a value that the template computes is passed as a `&str`, an
`i64`, an `f64` or a `bool`. rustc checks the types. The result is data of the slot. Run-time templates have no such filters. The items of a list made by `set` have
a kind that is only known at run time: convert them first, `… | string | crate::initials`.

## Structs

`{{ item.name }}`, a loop, and the filters `sort`, `map`, `selectattr`, `rejectattr` and `sum` with the name of a field need nothing of a struct or of a list of it.
A struct that is a value itself, as the result of `first` or `tojson`, in a list that `set` makes, or beside an operator, derives
`typed_prompt::jinja::ToValue`. So does each struct of a run-time template.

## In a loop

`loop.index`, `index0`, `revindex`, `revindex0`, `first`, `last`, `length`, `depth`, `depth0`, `previtem`, `nextitem`,
`loop.cycle(…)` and `loop.changed(…)`. `previtem` of the first item and `nextitem` of the last one are undefined: write
`{% if loop.previtem is defined %}`, or a `default`. For a list of the struct they are an `Option`, so that the compiler
reports a missing check.
";

const STATEMENTS: &str = "
## Statements

- `{% if … %}`, `{% elif … %}`, `{% else %}`
- `{% for … in … %}`, `{% for … in … if … %}`, with `{% else %}` for an empty list
- `{% set name = … %}`, `{% set name %}…{% endset %}`
- `{% with name = … %}`
- `{% macro name(…) %}`
- `{% filter … %}`
- `{% include \"…\" %}`
- `{% raw %}`, `{# … #}`, and `-` and `+` for white space
- `{% system %}`, `{% user %}`, `{% assistant %}`: a message

Left out, with what to write instead:

";

/// The statements of Jinja2 and its extensions that are left out.
const REFUSED_STATEMENTS: [&str; 10] = [
    "extends",
    "block",
    "import",
    "from",
    "call",
    "do",
    "break",
    "continue",
    "autoescape",
    "trans",
];

#[test]
fn builtins_page() {
    let mut page = HEAD.to_owned() + STATEMENTS;
    for word in REFUSED_STATEMENTS {
        let problem = unsupported_tag(word, "").unwrap();
        writeln!(page, "- `{{% {word} %}}`: {}", problem.help().unwrap()).unwrap();
    }
    for (title, table) in [
        ("Filters", FILTERS),
        ("Tests", TESTS),
        ("Methods", METHODS),
        ("Functions", FUNCTIONS),
    ] {
        write!(page, "\n## {title}\n\n").unwrap();
        for builtin in table {
            if builtin.name == builtin.function || builtin.name == "safe" {
                writeln!(page, "- `{}`", signature(builtin)).unwrap();
            } else {
                writeln!(page, "- `{}`: as `{}`", builtin.name, builtin.function).unwrap();
            }
        }
    }
    page.push_str(LOOP);
    page.push_str("\n## Left out\n\n| | instead |\n| --- | --- |\n");
    for (name, instead) in REFUSED {
        let instead = instead.replace('|', "\\|");
        writeln!(page, "| `{name}` | {instead} |").unwrap();
    }
    expect_file![concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/jinja.md")].assert_eq(&page);
}

/// The signature, with optional parameters in brackets.
fn signature(builtin: &Builtin) -> String {
    let mut params: Vec<String> = builtin
        .params
        .iter()
        .map(|param| match param.required {
            true => param.name.to_owned(),
            false => format!("[{}]", param.name),
        })
        .collect();
    match builtin.rest {
        ExtraArgs::None => {}
        ExtraArgs::Values => params.push("values…".into()),
        ExtraArgs::Filter => params.push("filter, arguments… or attribute=, [default=]".into()),
        ExtraArgs::Test => params.push("[test, arguments…]".into()),
        ExtraArgs::AttributeTest => params.push("attribute, [test, arguments…]".into()),
    }
    match params.is_empty() {
        true => builtin.name.to_owned(),
        false => format!("{}({})", builtin.name, params.join(", ")),
    }
}
