//! Filters, tests, methods, functions and macros: whether they exist, and their arguments.

use crate::builtin::{Builtin, BuiltinParam, ExtraArgs, signature};
use crate::problem::subset::REFUSED;
use prompt_base::suggest::closest;
pub use prompt_syntax::problem::call::*;
use prompt_syntax::problem::{Problem, count_given, list_names};
use prompt_syntax::{Kind, problems};

/// Number 4, or 12: a name that no filter, test, method or function of the Jinja dialect has.
pub fn unknown_function(what: &str, name: &str, known: &[Builtin]) -> Problem {
    if let Some((_, instead)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
        return Problem::new(format!("the {what} `{name}` is left out"))
            .with_label("not in the typed subset of Jinja")
            .with_help(*instead);
    }
    let names = known.iter().map(|known| known.name);
    let near = name_in_jinja(name).filter(|near| known.iter().any(|known| known.name == *near));
    let filter = name_in_jinja(name).filter(|_| what == "method" && near.is_none());
    let as_filter = filter.map(|filter| format!("write it as a filter: `… | {filter}`"));
    let instead = instead_of_method(name).filter(|_| what == "method");
    let help = match near.or_else(|| closest(name, names.clone())) {
        _ if matches!(name, "is_empty" | "isEmpty") => {
            "write the value alone, which is true if it is not empty, or `not` before it".to_owned()
        }
        _ if as_filter.is_some() => as_filter.unwrap_or_default(),
        _ if instead.is_some() => instead.unwrap_or_default().to_owned(),
        Some(near) => format!("did you mean `{near}`?"),
        None if what == "method" => {
            "write a method of Python's strings and dicts, such as `upper`, `split` or `items`, or a filter, `… | join(\", \")`; or compute the value in Rust and give it as a field".to_owned()
        }
        None => {
            let all: Vec<&str> = names.filter(|name| name.len() > 2).collect();
            format!("write one of {}", list_names(&all))
        }
    };
    Problem::new(format!("unknown {what} `{name}`"))
        .with_label(format!("not a {what}"))
        .with_help(help)
}

/// What to write instead of a method of Rust or JavaScript.
fn instead_of_method(name: &str) -> Option<&'static str> {
    Some(match name {
        "as_deref" | "as_mut" | "as_ref" | "as_str" | "as_slice" | "borrow" | "chars" | "clone"
        | "cloned" | "copied" | "deref" | "expect" | "into" | "into_iter" | "iter" | "iter_mut"
        | "to_owned" | "to_string" | "to_vec" | "toString" | "unwrap" => {
            "write the value alone, and for an `Option` `{% if … %}` or `| default(\"…\")`"
        }
        "unwrap_or" | "unwrap_or_default" | "unwrap_or_else" => "write `… | default(\"…\")`",
        "is_some" => "write `… is not none`",
        "is_none" => "write `… is none`",
        "contains" | "contains_key" | "includes" | "has" => "write `value in …`",
        "nth" => "write `…[0]`",
        "take" | "slice" => "write `…[:3]`",
        "skip" => "write `…[3:]`",
        "rev" => "write it as a filter: `… | reverse`",
        "enumerate" => "write the list alone, and `{{ loop.index0 }}` for the number of the item",
        "starts_with" => "write `….startswith(…)`",
        "ends_with" => "write `….endswith(…)`",
        "format" => "write the filter, which takes `%` in place of braces: `\"%.2f\" | format(…)`",
        _ => return None,
    })
}

/// The name in Jinja of a filter, test or method of another language.
fn name_in_jinja(name: &str) -> Option<&'static str> {
    Some(match name {
        "uppercase" | "to_uppercase" | "upcase" | "toUpperCase" => "upper",
        "lowercase" | "to_lowercase" | "downcase" | "toLowerCase" => "lower",
        "strip" => "trim",
        "len" | "size" => "length",
        "json" | "to_json" | "dump" => "tojson",
        "sort_by" | "order" => "sort",
        "group_by" => "groupby",
        "where" | "filter" => "selectattr",
        "substring" | "ellipsis" => "truncate",
        "str" => "string",
        "concat" => "join",
        "collect" => "list",
        _ => return None,
    })
}

problems! {
    /// Number 12: `{{ data | tojson | e }}`, which Jinja2 does not escape.
    pub fn escaped_again(name: &str, markup: &str) = "Jinja2 does not escape the result of `{markup}`, so `{name}` has no effect",
        label "no effect in Jinja2", help "remove it, or write `forceescape`";

    /// Number 12: `{{ people | groupby("age") | map("last") }}`
    pub fn of_groups(name: &str) = "`{name}` cannot be applied to the groups of `groupby`",
        label "the items of the groups are Rust values", help "write a loop: `{{% for key, items in … | groupby(\"…\") %}}…{{% endfor %}}`";

    /// `{{ people | sort(attribute="age, name") }}`
    pub fn no_attribute(attribute: &str) = "`{attribute}` is not the name of a field",
        label "not a name", help "write the name of a field, without white space; `sort` takes several with commas: `\"age,name\"`";

    /// Number 12: `{{ (data | tojson) + "<" }}`, of which Jinja2 escapes the other side.
    pub fn added_to_markup(markup: &str) = "Jinja2 escapes what is added to the result of `{markup}`",
        label "escapes the other side", help "write `~`, which joins both as they are";
}

/// Number 17: a value of another kind than a filter, test or method takes.
pub fn wrong_receiver(what: &str, known: &Builtin, kind: &Kind) -> Problem {
    let name = known.name;
    let wanted = signature::receiver_name(what, known);
    let help = match (wanted, kind) {
        ("a string", Kind::List(_)) => "join the list first: `| join(\", \")`".to_owned(),
        ("a list", Kind::Int | Kind::Float | Kind::Number | Kind::Bool) if what == "filter" => {
            "take the filter away".to_owned()
        }
        ("a number", Kind::Text) => "make a number of it first: `| int`".to_owned(),
        _ => format!("give {wanted}"),
    };
    Problem::new(format!("{what} `{name}` takes {wanted}"))
        .with_label(kind.to_string())
        .with_help(help)
}

/// Number 17: `{% for p in passages | truncate(3) %}`, where `list` is the list and `given` the arguments.
pub fn text_filter_of_items(known: &Builtin, list: &str, given: Option<&str>) -> Problem {
    let name = known.name;
    let help = match (name, given) {
        ("truncate", given) => {
            let list = match list.contains([' ', '|']) {
                true => format!("({list})"),
                false => list.to_owned(),
            };
            let count = given.and_then(|given| given.split(',').next());
            let count = count.filter(|count| count.parse::<u32>().is_ok());
            format!(
                "write `{list}[:{}]`, which are its first items",
                count.unwrap_or("3")
            )
        }
        (_, None) => format!("write `{list} | map('{name}')`, which filters each item"),
        (_, Some(given)) => {
            format!("write `{list} | map('{name}', {given})`, which filters each item")
        }
    };
    Problem::new(format!("filter `{name}` takes a string"))
        .with_label("a list")
        .with_help(help)
}

/// Number 17: `price | format('%.2f')`, where `right` is the filter with its pattern in front.
pub fn pattern_without_places(right: Option<&str>) -> Problem {
    Problem::new("filter `format` takes its pattern before it, and the values in parentheses")
        .with_label(match right {
            Some(_) => "the value, not the pattern",
            None => "has no place for a value",
        })
        .with_help(match right {
            Some(right) => format!("write `{right}`"),
            None => "write a pattern with a `%s` for each value: `'%s' | format(value)`".to_owned(),
        })
}

/// Number 17: an argument of another kind than the parameter takes.
pub fn wrong_argument(what: &str, known: &Builtin, param: &BuiltinParam, kind: &Kind) -> Problem {
    let wanted = signature::kind_name(param.kind);
    let (name, param) = (known.name, param.name);
    Problem::new(format!("{what} `{name}` takes `{param}` as {wanted}"))
        .with_label(format!("{kind}, not {wanted}"))
        .with_help(format!("give {wanted}"))
}

/// Number 17: too few or too many arguments.
pub fn wrong_argument_count(what: &str, known: &Builtin, count: usize) -> Problem {
    let name = known.name;
    let mut required = known
        .params
        .iter()
        .filter(|param| param.required)
        .map(|param| param.name);
    let needed = required.clone().count()
        + usize::from(known.rest != ExtraArgs::None && known.rest != ExtraArgs::Values);
    let takes = match (needed, known.params.len().max(needed)) {
        (0, 0) => "no argument".to_owned(),
        (1, 1) => match required.next() {
            Some(param) => format!("one argument, `{param}`"),
            None => "the name of what it calls".to_owned(),
        },
        (a, b) if a == b => format!("{a} arguments"),
        (0, 1) => "at most one argument".to_owned(),
        (0, b) => format!("at most {b} arguments"),
        (a, b) => format!("{a} to {b} arguments"),
    };
    Problem::new(format!("{what} `{name}` takes {takes}"))
        .with_label(count_given(count))
        .with_help(format!("write `{}`", signature::usage_example(what, known)))
}

problems! {
    fn not_a_param(what: &str, of: &str, name: &str) = "{what} `{of}` has no parameter `{name}`",
        label "not a parameter";

    /// An argument that is given by position and by name, or a parameter that is named twice.
    pub fn duplicate_argument(name: &str) = "`{name}` is given twice", label "given before", help "remove one of them";
}

/// The filter with the effect of a Python function.
fn filter_of_python(name: &str) -> Option<&'static str> {
    Some(match name {
        "len" => "length",
        "str" => "string",
        "int" => "int",
        "float" => "float",
        "list" => "list",
        "sorted" => "sort",
        "reversed" => "reverse",
        "sum" => "sum",
        "min" => "min",
        "max" => "max",
        "abs" => "abs",
        "round" => "round",
        _ => return None,
    })
}

/// A parameter without a default that is not given.
pub fn missing_argument(name: &str, params: &[&str], param: &str) -> Problem {
    Problem::new(format!("macro `{name}` is not given `{param}`"))
        .with_label("one argument is missing")
        .with_help(call_of(name, params))
}

fn call_of(name: &str, params: &[&str]) -> String {
    format!("write `{name}({})`", params.join(", "))
}

problems! {
    /// Number 17: an argument with a name for a function of the user's.
    pub fn function_without_names() = "a function of Rust takes its arguments without names",
        label "has a name", help "write the value alone";
}

/// Number 17: a value of the template that has no type in Rust, for a function of the user's.
pub fn value_without_type(function: &str, kind: &Kind) -> Problem {
    if kind.is_open() {
        return Problem::new(format!("`{function}` is given a value of any kind"))
            .with_label("its kind is known only at run time")
            .with_help(format!(
                "convert it first: `… | string | {function}`, `… | int | {function}`"
            ));
    }
    Problem::new(format!(
        "`{function}` is given {kind} that a template makes"
    ))
    .with_label("not in Rust")
    .with_help("give a field, a string, a number or a boolean; or make this one in Rust")
}

/// Number 17: an argument by a name that no parameter has.
pub fn no_param(what: &str, known: &Builtin, name: &str) -> Problem {
    let names: Vec<&str> = known.params.iter().map(|param| param.name).collect();
    not_a_param(what, known.name, name).with_help(match closest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => format!("write `{}`", signature::usage_example(what, known)),
        None => format!("it has {}", list_names(&names)),
    })
}

/// Number 17: an argument by a name beside `map(attribute=…)`.
pub fn no_param_of_map(name: &str) -> Problem {
    not_a_param("filter", "map", name).with_help("it has `attribute` and `default`")
}

problems! {
    /// `sort(attribute=name)`: a field is named by a string.
    pub fn attribute_not_written_out(filter: &str) = "filter `{filter}` takes the name of a field as a string written out",
        label "not a quoted string", help "write `attribute=\"name\"`";

    /// `sort(reverse=flag)` of a list of the user's types.
    pub fn flag_not_written_out(filter: &str) = "filter `{filter}` takes `true` or `false` written out",
        label "not written out", help "write `true` or `false`";
}

/// `map(name)`, `select(name)`: the filter or test is named by a string.
pub fn name_not_written_out(filter: &str) -> Problem {
    let (what, example) = match filter {
        "map" => ("filter", "map(\"upper\")"),
        _ => ("test", "select(\"odd\")"),
    };
    Problem::new(format!(
        "filter `{filter}` takes the name of a {what} as a string written out"
    ))
    .with_label("not a quoted string")
    .with_help(format!("write `{example}`"))
}

problems! {
    /// `min(attribute="age")` of a list of the user's types.
    pub fn returns_an_item(filter: &str) = "filter `{filter}` gives an item, which is of your own type",
        label "no text, number or list",
        help "map the field first, `map(attribute=\"…\") | {filter}`, or sort the list and loop over it";

    /// `map("upper", attribute="name")`
    pub fn map_of_both() = "`map` takes a filter or `attribute=`, not both",
        label "not expected", help "write `map(attribute=\"name\")`";
}

/// `loop.cycle()`
pub fn empty_cycle() -> Problem {
    Problem::new("`loop.cycle` takes at least one argument")
        .with_label(count_given(0))
        .with_help("write `loop.cycle(\"odd\", \"even\")`")
}

/// `loop.changed()`
pub fn empty_changed() -> Problem {
    Problem::new("`loop.changed` takes the values that it looks at")
        .with_label(count_given(0))
        .with_help("write `loop.changed(item)`")
}

problems! {
    /// A call of a value.
    pub fn value_called(name: &str) = "`{name}` is a value and cannot be called",
        label "no macro", help "write `{{{{ {name} }}}}`";
}

/// A call of an unknown name.
pub fn unknown_macro(name: &str, known: &[&str]) -> Problem {
    Problem::new(format!("unknown macro `{name}`"))
        .with_label("not defined")
        .with_help(match closest(name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => match filter_of_python(name) {
                Some(filter) => format!("write it as a filter: `… | {filter}`"),
                None if name == "enumerate" => "write the list alone, and `{{ loop.index0 }}` for the number of the item".to_owned(),
                None if matches!(name, "all" | "any" | "filter" | "map" | "now" | "today" | "zip") => {
                    "compute it in Rust, and give it as a field".to_owned()
                }
                None => format!("define it before with `{{% macro {name}() %}}…{{% endmacro %}}`; or add a field with its value, and write `{{{{ {name} }}}}`"),
            },
        })
}

/// Number 24: a macro that calls itself, by way of those in `chain`.
pub fn macro_calls_itself(name: &str, chain: &[String]) -> Problem {
    Problem::new(format!("the macro `{name}` calls itself"))
        .with_label("would never end")
        .with_help(match chain {
            [] | [_] | [_, _] => "use a loop".to_owned(),
            _ => format!("`{}`: take one of the calls out", chain.join("` calls `")),
        })
}

/// Too many arguments for a macro.
pub fn macro_count(name: &str, params: &[&str], count: usize) -> Problem {
    let takes = match params.len() {
        0 => "no argument".to_owned(),
        1 => "one argument".to_owned(),
        count => format!("{count} arguments"),
    };
    Problem::new(format!("macro `{name}` takes {takes}"))
        .with_label(format!("{count} given"))
        .with_help(call_of(name, params))
}

/// An argument by a name that no parameter of a macro has.
pub fn no_param_of_macro(name: &str, params: &[&str], given: &str) -> Problem {
    not_a_param("macro", name, given).with_help(match closest(given, params.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => call_of(name, params),
    })
}
