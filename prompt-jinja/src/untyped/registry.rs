//! The filters, tests, functions and methods of the language: one line each.

use std::sync::Arc;

use super::fault::{Fault, R};
use super::run::Run;
use super::value::Value;
use super::{filters, functions, methods, tests};
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
    pub(super) named: Vec<(Arc<str>, Value)>,
}

impl Builtin {
    pub(super) const fn new(name: &'static str, parameters: &'static str, call: Call) -> Builtin {
        Builtin {
            name,
            parameters,
            call,
        }
    }

    /// Assigns arguments to the parameters.
    pub(super) fn bind(&self, positional: Vec<Value>, named: Vec<(Arc<str>, Value)>) -> R<Args> {
        let name = self.name;
        let mut args = Args::default();
        if self.parameters.is_empty() && positional.is_empty() && named.is_empty() {
            return Ok(args);
        }
        let mut positional = positional.into_iter();
        let (mut takes_rest, mut takes_named, mut is_positional) = (false, false, false);
        let mut named: Vec<Option<(Arc<str>, Value)>> = named.into_iter().map(Some).collect();
        for parameter in self.parameters.split(' ').filter(|name| !name.is_empty()) {
            match parameter {
                "/" => is_positional = true,
                "*" => takes_rest = true,
                "**" => takes_named = true,
                parameter => {
                    let bare = parameter.trim_end_matches('=');
                    let mut value = positional.next();
                    let by_name = named.iter_mut().find(|entry| {
                        !is_positional && entry.as_ref().is_some_and(|entry| *entry.0 == *bare)
                    });
                    if let Some(entry) = by_name {
                        if value.is_some() {
                            return Err(Fault::new(format!(
                                "{name}() got multiple values for argument '{bare}'"
                            )));
                        }
                        value = entry.take().map(|entry| entry.1);
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
        args.named = named.into_iter().flatten().collect();
        if !takes_rest && !args.rest.is_empty() {
            return Err(Fault::new(format!("{name}() takes fewer arguments")));
        }
        if let Some((unknown, _)) = args.named.first().filter(|_| !takes_named) {
            return Err(Fault::new(format!(
                "{name}() got an unexpected keyword argument '{unknown}'"
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
            .filter(|value| !matches!(value, Value::None))
    }

    /// An argument that is required.
    pub(super) fn value(&self, index: usize) -> Value {
        self.get(index).cloned().unwrap_or(Value::None)
    }

    pub(super) fn flag(&self, index: usize, default: bool) -> bool {
        self.get(index).map_or(default, Value::is_true)
    }
}

const fn b(name: &'static str, parameters: &'static str, call: Call) -> Builtin {
    Builtin::new(name, parameters, call)
}

/// A filter or method that both languages have; after `is`, a test.
macro_rules! shared {
    ($name:literal, $parameters:literal, is $module:ident::$function:ident) => {
        b($name, $parameters, |run, value, args| {
            $module::$function(run, value, builtin::Args(&args.given)).map(Value::Bool)
        })
    };
    ($name:literal, $parameters:literal, $module:ident::$function:ident) => {
        b($name, $parameters, |run, value, args| {
            $module::$function(run, value, builtin::Args(&args.given))
        })
    };
}

static FILTERS: &[Builtin] = &[
    shared!("abs", "", number::abs),
    b("attr", "name", filters::attr),
    shared!("batch", "linecount fill_with=", list::batch),
    shared!("capitalize", "", text::capitalize),
    shared!("center", "width=", text::center),
    shared!("count", "", text::length),
    shared!("d", "default_value= boolean=", text::default),
    shared!("default", "default_value= boolean=", text::default),
    shared!("dictsort", "case_sensitive= by= reverse=", list::dictsort),
    shared!("e", "", text::escape),
    shared!("escape", "", text::escape),
    shared!("filesizeformat", "binary=", number::filesizeformat),
    b("first", "", filters::first),
    shared!("float", "default=", number::float),
    shared!("forceescape", "", text::forceescape),
    b("format", "* **", filters::format),
    shared!(
        "groupby",
        "attribute default= case_sensitive=",
        list::groupby
    ),
    shared!("indent", "width= first= blank=", text::indent),
    shared!("int", "default= base=", number::int),
    shared!("items", "", list::items),
    shared!("join", "d= attribute=", list::join),
    b("last", "", filters::last),
    shared!("length", "", text::length),
    shared!("list", "", list::list),
    shared!("lower", "", text::lower),
    b("map", "* **", filters::map),
    shared!("max", "case_sensitive= attribute=", list::max),
    shared!("min", "case_sensitive= attribute=", list::min),
    b("pprint", "", filters::pprint),
    b("random", "", filters::left_out_random),
    b("reject", "* **", filters::reject),
    b("rejectattr", "* **", filters::rejectattr),
    shared!("replace", "old new count=", text::replace),
    shared!("reverse", "", list::reverse),
    shared!("round", "precision= method=", number::round),
    b("safe", "", filters::safe),
    b("select", "* **", filters::select),
    b("selectattr", "* **", filters::selectattr),
    shared!("slice", "slices fill_with=", list::slice),
    shared!("sort", "reverse= case_sensitive= attribute=", list::sort),
    shared!("string", "", text::string),
    b("striptags", "", filters::striptags),
    shared!("sum", "attribute= start=", list::sum),
    shared!("title", "", text::title),
    b(
        "tojson",
        "ensure_ascii= indent= separators= sort_keys=",
        filters::tojson,
    ),
    shared!("trim", "chars=", text::trim),
    b(
        "truncate",
        "length= killwords= end= leeway=",
        filters::truncate,
    ),
    shared!("unique", "case_sensitive= attribute=", list::unique),
    shared!("upper", "", text::upper),
    shared!("urlencode", "", text::urlencode),
    b("urlize", "* **", filters::left_out_urlize),
    shared!("wordcount", "", text::wordcount),
    shared!(
        "wordwrap",
        "width= break_long_words= wrapstring= break_on_hyphens=",
        wrap::wordwrap
    ),
    b("xmlattr", "autospace=", filters::xmlattr),
];

static TESTS: &[Builtin] = &[
    shared!("!=", "other", is test::ne),
    shared!("<", "other", is test::lt),
    shared!("<=", "other", is test::le),
    shared!("==", "other", is test::eq),
    shared!(">", "other", is test::gt),
    shared!(">=", "other", is test::ge),
    shared!("boolean", "", is test::boolean),
    b("callable", "", tests::callable),
    b("defined", "", tests::defined),
    shared!("divisibleby", "num", is test::divisibleby),
    shared!("eq", "other", is test::eq),
    shared!("equalto", "other", is test::eq),
    b("escaped", "", tests::escaped),
    shared!("even", "", is test::even),
    shared!("false", "", is test::is_false),
    b("filter", "", tests::filter),
    shared!("float", "", is test::float),
    shared!("ge", "other", is test::ge),
    shared!("greaterthan", "other", is test::gt),
    shared!("gt", "other", is test::gt),
    shared!("in", "seq", is test::contained),
    shared!("integer", "", is test::integer),
    b("iterable", "", tests::iterable),
    shared!("le", "other", is test::le),
    shared!("lessthan", "other", is test::lt),
    shared!("lower", "", is test::lower),
    shared!("lt", "other", is test::lt),
    shared!("mapping", "", is test::mapping),
    shared!("ne", "other", is test::ne),
    shared!("none", "", is test::none),
    shared!("number", "", is test::number),
    shared!("odd", "", is test::odd),
    b("sameas", "other", tests::sameas),
    b("sequence", "", tests::sequence),
    shared!("string", "", is test::string),
    b("test", "", tests::test),
    shared!("true", "", is test::is_true),
    b("undefined", "", tests::undefined),
    shared!("upper", "", is test::upper),
];

static FUNCTIONS: &[Builtin] = &[
    b("cycler", "*", functions::cycler),
    b("dict", "/ entries= **", functions::dict),
    b("joiner", "sep=", functions::joiner),
    b("lipsum", "* **", functions::lipsum),
    b("namespace", "/ entries= **", functions::namespace),
    b("raise_exception", "message", functions::raise_exception),
    b("range", "/ start stop= step=", functions::range),
    b("self", "* **", functions::left_out_self),
    b("strftime_now", "format", functions::strftime_now),
];

static STR_METHODS: &[Builtin] = &[
    shared!("capitalize", "", method::capitalize),
    shared!("casefold", "", method::casefold),
    shared!("center", "/ width fillchar=", method::center),
    shared!("count", "/ sub start= end=", method::count),
    b("encode", "encoding= errors=", methods::left_out_encode),
    shared!("endswith", "/ suffix start= end=", method::endswith),
    shared!("expandtabs", "tabsize=", method::expandtabs),
    shared!("find", "/ sub start= end=", method::find),
    b("format", "* **", methods::format),
    b("format_map", "/ mapping", methods::format_map),
    shared!("index", "/ sub start= end=", method::index),
    shared!("isalnum", "", method::isalnum),
    shared!("isalpha", "", method::isalpha),
    shared!("isascii", "", method::isascii),
    shared!("isdecimal", "", method::isdecimal),
    shared!("isdigit", "", method::isdigit),
    shared!("isidentifier", "", method::isidentifier),
    shared!("islower", "", method::islower),
    shared!("isnumeric", "", method::isnumeric),
    shared!("isprintable", "", method::isprintable),
    shared!("isspace", "", method::isspace),
    shared!("istitle", "", method::istitle),
    shared!("isupper", "", method::isupper),
    shared!("join", "/ iterable", method::join),
    shared!("ljust", "/ width fillchar=", method::ljust),
    shared!("lower", "", method::lower),
    shared!("lstrip", "/ chars=", method::lstrip),
    shared!("partition", "/ sep", method::partition),
    shared!("removeprefix", "/ prefix", method::removeprefix),
    shared!("removesuffix", "/ suffix", method::removesuffix),
    shared!("replace", "/ old new count=", method::replace),
    shared!("rfind", "/ sub start= end=", method::rfind),
    shared!("rindex", "/ sub start= end=", method::rindex),
    shared!("rjust", "/ width fillchar=", method::rjust),
    shared!("rpartition", "/ sep", method::rpartition),
    shared!("rsplit", "sep= maxsplit=", method::rsplit),
    shared!("rstrip", "/ chars=", method::rstrip),
    shared!("split", "sep= maxsplit=", method::split),
    shared!("splitlines", "keepends=", method::splitlines),
    shared!("startswith", "/ prefix start= end=", method::startswith),
    shared!("strip", "/ chars=", method::strip),
    shared!("swapcase", "", method::swapcase),
    shared!("title", "", method::title),
    b("translate", "/ table", methods::translate),
    shared!("upper", "", method::upper),
    shared!("zfill", "/ width", method::zfill),
];

static DICT_METHODS: &[Builtin] = &[
    b("copy", "", methods::copy),
    shared!("get", "/ key default=", method::get),
    shared!("items", "", method::items),
    shared!("keys", "", method::keys),
    shared!("values", "", method::values),
];

static LIST_METHODS: &[Builtin] = &[
    b("copy", "", methods::copy),
    shared!("count", "/ value", method::count),
    shared!("index", "/ value start= stop=", method::index),
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
    find(FILTERS, name)
}

pub(super) fn find_test(name: &str) -> Option<&'static Builtin> {
    find(TESTS, name)
}

pub(super) fn find_function(name: &str) -> Option<&'static Builtin> {
    find(FUNCTIONS, name)
}

/// The method of a value.
pub(super) fn find_method(value: &Value, name: &str) -> Option<&'static Builtin> {
    use super::value::Object;
    let table = match value {
        Value::Str(_) => STR_METHODS,
        Value::Dict(_) => DICT_METHODS,
        Value::List(_) => LIST_METHODS,
        Value::Tuple(_) => &LIST_METHODS[1..],
        Value::Int(..) | Value::Big(..) | Value::Bool(_) => INT_METHODS,
        Value::Float(..) => FLOAT_METHODS,
        Value::Object(object) => match &**object {
            Object::Function(found) if found.name == "dict" => DICT_TYPE_METHODS,
            Object::Range(_) | Object::Group(_) => &LIST_METHODS[1..],
            Object::Cycler(..) => CYCLER_METHODS,
            Object::Loop(_) => LOOP_METHODS,
            _ => return None,
        },
        _ => return None,
    };
    find(table, name)
}

#[cfg(test)]
mod tests_of_tables {
    use super::*;

    #[test]
    fn names_are_sorted() {
        for table in [
            FILTERS,
            TESTS,
            FUNCTIONS,
            STR_METHODS,
            DICT_METHODS,
            LIST_METHODS,
            CYCLER_METHODS,
            LOOP_METHODS,
        ] {
            assert!(table.is_sorted_by(|one, other| one.name < other.name));
        }
    }
}
