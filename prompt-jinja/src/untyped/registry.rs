//! The filters, tests, functions and methods of the language: one line each.

use super::fault::{Fault, R};
use super::run::Run;
use super::text::Str;
use super::value::{Object, Value};
use super::{filters, functions, methods, tests};
use crate::builtin::table::{shared_filters, shared_methods, shared_tests};
use crate::builtin::{self, list, method, number, test, text, wrap};

/// A filter, test, function or method.
#[derive(Debug)]
pub struct Builtin {
    pub(super) name: &'static str,
    /// The parameters after the value, separated by spaces. `name=` is optional, `*` and `**` collect what is left, and a `/`
    /// before the first one makes all of them positional.
    pub(super) parameters: &'static str,
    pub(super) call: Call,
}

pub(super) type Call = fn(&mut Run<'_>, &Value, &mut Args) -> R<Value>;

/// The arguments of a call, by parameter.
#[derive(Default)]
pub(super) struct Args {
    pub(super) given: Vec<Option<Value>>,
    pub(super) rest: Vec<Value>,
    pub(super) named: Vec<NamedArgument>,
}

/// A keyword argument. Its name may be a key of the conversation, which is data.
pub(super) type NamedArgument = (Str, Value);

impl Builtin {
    pub(super) const fn new(name: &'static str, parameters: &'static str, call: Call) -> Builtin {
        Builtin {
            name,
            parameters,
            call,
        }
    }

    /// Assigns arguments to the parameters.
    pub(super) fn bind_arguments(
        &self,
        run: &Run<'_>,
        positional: Vec<Value>,
        mut named: Vec<NamedArgument>,
    ) -> R<Args> {
        let name = self.name;
        let mut args = Args::default();
        if self.parameters.is_empty() && positional.is_empty() && named.is_empty() {
            return Ok(args);
        }
        let mut positional = positional.into_iter();
        let (mut takes_rest, mut takes_named, mut is_positional) = (false, false, false);
        for parameter in self.parameters.split(' ').filter(|name| !name.is_empty()) {
            match parameter {
                "/" => is_positional = true,
                "*" => takes_rest = true,
                "**" => takes_named = true,
                parameter => {
                    let bare = parameter.trim_end_matches('=');
                    let mut value = positional.next();
                    let by_name = match is_positional {
                        true => None,
                        false => run.take_named(&mut named, bare)?,
                    };
                    if by_name.is_some() {
                        if value.is_some() {
                            return Err(Fault::new(format!(
                                "{name}() got multiple values for argument '{bare}'"
                            )));
                        }
                        value = by_name;
                    }
                    if value.is_none() && bare == parameter {
                        return Err(Fault::new(format!(
                            "{name}() is missing the argument '{bare}'"
                        )));
                    }
                    args.given.push(value);
                }
            }
        }
        args.rest = positional.collect();
        args.named = named;
        if !takes_rest && !args.rest.is_empty() {
            return Err(Fault::new(format!("{name}() takes fewer arguments")));
        }
        if let Some((unknown, _)) = args.named.first().filter(|_| !takes_named) {
            return Err(Fault::new(format!(
                "{name}() got an unexpected keyword argument '{}'",
                &**unknown
            )));
        }
        Ok(args)
    }
}

impl Args {
    /// The argument of a parameter.
    pub(super) fn get(&self, index: usize) -> Option<&Value> {
        self.given.get(index).and_then(Option::as_ref)
    }

    /// The same, unless it is `None`.
    pub(super) fn some(&self, index: usize) -> Option<&Value> {
        self.get(index)
            .filter(|value| !matches!(value, Value::None(_)))
    }

    /// An argument that is required.
    pub(super) fn value(&self, index: usize) -> Value {
        self.get(index).cloned().unwrap_or(Value::none())
    }

    pub(super) fn flag(&self, index: usize, default: bool) -> bool {
        self.get(index).map_or(default, Value::is_true)
    }
}

const fn b(name: &'static str, parameters: &'static str, call: Call) -> Builtin {
    Builtin::new(name, parameters, call)
}

/// Functions that find what both kinds of templates have.
macro_rules! shared {
    (
        $result:path;
        $($find:ident {
            $($module:ident::$function:ident [$($name:literal)+] $parameters:literal;)*
        })*
    ) => {$(
        fn $find(name: &str) -> Option<&'static Builtin> {
            Some(match name {
                $($($name => const { &b($name, $parameters, |run, value, args| {
                    $module::$function(run, value, builtin::Args(&args.given)).map($result)
                }) },)+)*
                _ => return None,
            })
        }
    )*};
}

shared_filters!(shared! { std::convert::identity; });
shared_tests!(shared! { Value::bool; });
shared_methods!(shared! { std::convert::identity; });

// What only chat templates have, or have in another form.

static FILTERS: &[Builtin] = &[
    b("attr", "name", filters::attr),
    b("first", "", filters::first),
    b("forceescape", "", |run, value, args| {
        text::forceescape(run, value, builtin::Args(&args.given))
    }),
    b("format", "* **", filters::format),
    b("last", "", filters::last),
    b("map", "* **", filters::map),
    b("pprint", "", filters::pprint),
    b("random", "", filters::left_out_random),
    b("reject", "* **", filters::reject),
    b("rejectattr", "* **", filters::rejectattr),
    b("safe", "", filters::safe),
    b("select", "* **", filters::select),
    b("selectattr", "* **", filters::selectattr),
    b("striptags", "", filters::striptags),
    b(
        "tojson",
        "ensure_ascii= indent= separators= sort_keys=",
        filters::tojson,
    ),
    b("urlize", "* **", filters::left_out_urlize),
    b("xmlattr", "autospace=", filters::xmlattr),
];

static TESTS: &[Builtin] = &[
    b("callable", "", tests::callable),
    b("defined", "", tests::defined),
    b("escaped", "", tests::escaped),
    b("filter", "", tests::filter),
    b("iterable", "", tests::iterable),
    b("sameas", "other", tests::sameas),
    b("sequence", "", tests::sequence),
    b("test", "", tests::test),
    b("undefined", "", tests::undefined),
];

static FUNCTIONS: &[Builtin] = &[
    b("cycler", "*", functions::cycler),
    b("dict", "/ entries= **", functions::dict),
    b("joiner", "sep=", functions::joiner),
    b("lipsum", "* **", functions::lipsum),
    b("namespace", "/ entries= **", functions::namespace),
    b("raise_exception", "message", functions::raise_exception),
    b("range", "/ start stop= step=", functions::range),
    b("self", "* **", functions::call_self),
    b("strftime_now", "format", functions::strftime_now),
];

static STR_METHODS: &[Builtin] = &[
    b("encode", "encoding= errors=", methods::left_out_encode),
    b("format", "* **", methods::format),
    b("format_map", "/ mapping", methods::format_map),
    b("translate", "/ table", methods::translate),
];

static DICT_METHODS: &[Builtin] = &[b("copy", "", methods::copy)];

static LIST_METHODS: &[Builtin] = &[
    b("copy", "", methods::copy),
    b("count", "/ value", |run, value, args| {
        method::count(run, value, builtin::Args(&args.given))
    }),
    b("index", "/ value start= stop=", |run, value, args| {
        method::index(run, value, builtin::Args(&args.given))
    }),
];

static INT_METHODS: &[Builtin] = &[
    b("as_integer_ratio", "", methods::as_integer_ratio),
    b("bit_length", "", methods::bit_length),
    b("conjugate", "", methods::copy),
];

static FLOAT_METHODS: &[Builtin] = &[
    b("conjugate", "", methods::copy),
    b("is_integer", "", methods::is_integer),
];

/// Methods of the type `dict` itself.
static DICT_TYPE_METHODS: &[Builtin] = &[b("fromkeys", "/ iterable value=", methods::fromkeys)];

static CYCLER_METHODS: &[Builtin] = &[
    b("next", "", methods::cycler_next),
    b("reset", "", methods::cycler_reset),
];

static LOOP_METHODS: &[Builtin] = &[
    b("changed", "*", methods::loop_changed),
    b("cycle", "*", methods::loop_cycle),
];

/// Methods of Python that change their object; the sandbox refuses them.
pub(super) const MUTATORS: [&str; 11] = [
    "append",
    "clear",
    "extend",
    "insert",
    "pop",
    "popitem",
    "remove",
    "reverse",
    "setdefault",
    "sort",
    "update",
];

fn find(table: &'static [Builtin], name: &str) -> Option<&'static Builtin> {
    let at = table.binary_search_by(|builtin| builtin.name.cmp(name));
    at.ok().map(|at| &table[at])
}

pub(super) fn find_filter(name: &str) -> Option<&'static Builtin> {
    shared_filters(name).or_else(|| find(FILTERS, name))
}

pub(super) fn find_test(name: &str) -> Option<&'static Builtin> {
    shared_tests(name).or_else(|| find(TESTS, name))
}

pub(super) fn find_function(name: &str) -> Option<&'static Builtin> {
    find(FUNCTIONS, name)
}

/// The method of a value.
pub(super) fn find_method(value: &Value, name: &str) -> Option<&'static Builtin> {
    let table = match value {
        Value::Str(_) => return str_methods(name).or_else(|| find(STR_METHODS, name)),
        Value::Dict(_) => return dict_methods(name).or_else(|| find(DICT_METHODS, name)),
        Value::List(_) => LIST_METHODS,
        Value::Tuple(_) => &LIST_METHODS[1..],
        Value::Int(..) | Value::Big(..) | Value::Bool(..) => INT_METHODS,
        Value::Float(..) => FLOAT_METHODS,
        Value::Object(object) => match &**object {
            Object::Function(found) if found.name == "dict" => DICT_TYPE_METHODS,
            Object::Range(..) | Object::Group(_) => &LIST_METHODS[1..],
            Object::Cycler(..) => CYCLER_METHODS,
            Object::Loop(_) => LOOP_METHODS,
            _ => return None,
        },
        _ => return None,
    };
    find(table, name)
}

/// The tables of what only chat templates have.
#[cfg(test)]
static TABLES: [(&str, &[Builtin]); 11] = [
    ("filter", FILTERS),
    ("test", TESTS),
    ("function", FUNCTIONS),
    ("method of str", STR_METHODS),
    ("method of dict", DICT_METHODS),
    ("method of list", LIST_METHODS),
    ("method of int", INT_METHODS),
    ("method of float", FLOAT_METHODS),
    ("method of the type dict", DICT_TYPE_METHODS),
    ("method of cycler", CYCLER_METHODS),
    ("method of loop", LOOP_METHODS),
];

/// Every builtin, with the name of its table.
#[cfg(test)]
pub(super) fn all_builtins() -> Vec<(&'static str, &'static Builtin)> {
    macro_rules! names {
        ($($find:ident {
            $($module:ident::$function:ident [$($name:literal)+] $parameters:literal;)*
        })*) => {
            [$([$($($name),+),*].map(|name| (stringify!($find), $find(name))).to_vec()),*].concat()
        };
    }
    let shared = [
        shared_filters!(names! {}),
        shared_tests!(names! {}),
        shared_methods!(names! {}),
    ];
    let shared = shared.concat().into_iter();
    let shared = shared.filter_map(|(table, builtin)| Some((table, builtin?)));
    let own = TABLES.iter();
    let own = own.flat_map(|(table, builtins)| builtins.iter().map(|builtin| (*table, builtin)));
    shared.chain(own).collect()
}

#[cfg(test)]
mod tests_of_tables {
    use super::*;

    #[test]
    fn names_are_sorted() {
        for (_, table) in TABLES {
            assert!(table.is_sorted_by(|one, other| one.name < other.name));
        }
    }
}
