//! The filters, tests, functions and methods of the language: one line each.

use std::sync::Arc;

use super::fault::{Fault, R};
use super::run::Run;
use super::value::Value;
use super::{filters, functions, methods, tests};

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

    pub(super) fn int(&self, index: usize, default: i64) -> R<i64> {
        self.get(index).map_or(Ok(default), Value::to_index)
    }
}

const fn b(name: &'static str, parameters: &'static str, call: Call) -> Builtin {
    Builtin::new(name, parameters, call)
}

static FILTERS: &[Builtin] = &[
    b("abs", "", filters::abs),
    b("attr", "name", filters::attr),
    b("batch", "linecount fill_with=", filters::batch),
    b("capitalize", "", filters::capitalize),
    b("center", "width=", filters::center),
    b("count", "", filters::length),
    b("d", "default_value= boolean=", filters::default),
    b("default", "default_value= boolean=", filters::default),
    b(
        "dictsort",
        "case_sensitive= by= reverse=",
        filters::dictsort,
    ),
    b("e", "", filters::escape),
    b("escape", "", filters::escape),
    b("filesizeformat", "binary=", filters::filesizeformat),
    b("first", "", filters::first),
    b("float", "default=", filters::float),
    b("forceescape", "", filters::forceescape),
    b("format", "* **", filters::format),
    b(
        "groupby",
        "attribute default= case_sensitive=",
        filters::groupby,
    ),
    b("indent", "width= first= blank=", filters::indent),
    b("int", "default= base=", filters::int),
    b("items", "", filters::items),
    b("join", "d= attribute=", filters::join),
    b("last", "", filters::last),
    b("length", "", filters::length),
    b("list", "", filters::list),
    b("lower", "", filters::lower),
    b("map", "* **", filters::map),
    b("max", "case_sensitive= attribute=", filters::max),
    b("min", "case_sensitive= attribute=", filters::min),
    b("pprint", "", filters::pprint),
    b("random", "", filters::left_out_random),
    b("reject", "* **", filters::reject),
    b("rejectattr", "* **", filters::rejectattr),
    b("replace", "old new count=", filters::replace),
    b("reverse", "", filters::reverse),
    b("round", "precision= method=", filters::round),
    b("safe", "", filters::safe),
    b("select", "* **", filters::select),
    b("selectattr", "* **", filters::selectattr),
    b("slice", "slices fill_with=", filters::slice),
    b("sort", "reverse= case_sensitive= attribute=", filters::sort),
    b("string", "", filters::string),
    b("striptags", "", filters::striptags),
    b("sum", "attribute= start=", filters::sum),
    b("title", "", filters::title),
    b(
        "tojson",
        "ensure_ascii= indent= separators= sort_keys=",
        filters::tojson,
    ),
    b("trim", "chars=", filters::trim),
    b(
        "truncate",
        "length= killwords= end= leeway=",
        filters::truncate,
    ),
    b("unique", "case_sensitive= attribute=", filters::unique),
    b("upper", "", filters::upper),
    b("urlencode", "", filters::urlencode),
    b("urlize", "* **", filters::left_out_urlize),
    b("wordcount", "", filters::wordcount),
    b(
        "wordwrap",
        "width= break_long_words= wrapstring= break_on_hyphens=",
        filters::wordwrap,
    ),
    b("xmlattr", "autospace=", filters::xmlattr),
];

static TESTS: &[Builtin] = &[
    b("!=", "other", tests::ne),
    b("<", "other", tests::lt),
    b("<=", "other", tests::le),
    b("==", "other", tests::eq),
    b(">", "other", tests::gt),
    b(">=", "other", tests::ge),
    b("boolean", "", tests::boolean),
    b("callable", "", tests::callable),
    b("defined", "", tests::defined),
    b("divisibleby", "num", tests::divisibleby),
    b("eq", "other", tests::eq),
    b("equalto", "other", tests::eq),
    b("escaped", "", tests::escaped),
    b("even", "", tests::even),
    b("false", "", tests::is_false),
    b("filter", "", tests::filter),
    b("float", "", tests::float),
    b("ge", "other", tests::ge),
    b("greaterthan", "other", tests::gt),
    b("gt", "other", tests::gt),
    b("in", "seq", tests::contained),
    b("integer", "", tests::integer),
    b("iterable", "", tests::iterable),
    b("le", "other", tests::le),
    b("lessthan", "other", tests::lt),
    b("lower", "", tests::lower),
    b("lt", "other", tests::lt),
    b("mapping", "", tests::mapping),
    b("ne", "other", tests::ne),
    b("none", "", tests::none),
    b("number", "", tests::number),
    b("odd", "", tests::odd),
    b("sameas", "other", tests::sameas),
    b("sequence", "", tests::sequence),
    b("string", "", tests::string),
    b("test", "", tests::test),
    b("true", "", tests::is_true),
    b("undefined", "", tests::undefined),
    b("upper", "", tests::upper),
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
    b("capitalize", "", methods::capitalize),
    b("casefold", "", methods::casefold),
    b("center", "/ width fillchar=", methods::center),
    b("count", "/ sub start= end=", methods::count),
    b("encode", "encoding= errors=", methods::left_out_encode),
    b("endswith", "/ suffix start= end=", methods::endswith),
    b("expandtabs", "tabsize=", methods::expandtabs),
    b("find", "/ sub start= end=", methods::find),
    b("format", "* **", methods::format),
    b("format_map", "/ mapping", methods::format_map),
    b("index", "/ sub start= end=", methods::index),
    b("isalnum", "", methods::isalnum),
    b("isalpha", "", methods::isalpha),
    b("isascii", "", methods::isascii),
    b("isdecimal", "", methods::isdecimal),
    b("isdigit", "", methods::isdigit),
    b("isidentifier", "", methods::isidentifier),
    b("islower", "", methods::islower),
    b("isnumeric", "", methods::isnumeric),
    b("isprintable", "", methods::isprintable),
    b("isspace", "", methods::isspace),
    b("istitle", "", methods::istitle),
    b("isupper", "", methods::isupper),
    b("join", "/ iterable", methods::join),
    b("ljust", "/ width fillchar=", methods::ljust),
    b("lower", "", methods::lower),
    b("lstrip", "/ chars=", methods::lstrip),
    b("partition", "/ sep", methods::partition),
    b("removeprefix", "/ prefix", methods::removeprefix),
    b("removesuffix", "/ suffix", methods::removesuffix),
    b("replace", "/ old new count=", methods::replace),
    b("rfind", "/ sub start= end=", methods::rfind),
    b("rindex", "/ sub start= end=", methods::rindex),
    b("rjust", "/ width fillchar=", methods::rjust),
    b("rpartition", "/ sep", methods::rpartition),
    b("rsplit", "sep= maxsplit=", methods::rsplit),
    b("rstrip", "/ chars=", methods::rstrip),
    b("split", "sep= maxsplit=", methods::split),
    b("splitlines", "keepends=", methods::splitlines),
    b("startswith", "/ prefix start= end=", methods::startswith),
    b("strip", "/ chars=", methods::strip),
    b("swapcase", "", methods::swapcase),
    b("title", "", methods::title),
    b("translate", "/ table", methods::translate),
    b("upper", "", methods::upper),
    b("zfill", "/ width", methods::zfill),
];

static DICT_METHODS: &[Builtin] = &[
    b("copy", "", methods::copy),
    b("get", "/ key default=", methods::get),
    b("items", "", methods::items),
    b("keys", "", methods::keys),
    b("values", "", methods::values),
];

static LIST_METHODS: &[Builtin] = &[
    b("copy", "", methods::copy),
    b("count", "/ value", methods::count_items),
    b("index", "/ value start= stop=", methods::index_of_item),
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
