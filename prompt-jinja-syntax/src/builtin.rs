//! The built-in filters, tests, methods and functions of the Jinja dialect, with their parameters.
//!
//! The compiler checks templates against these tables; the runtime has one function for each of their names.

pub mod signature;

/// Something that has a name and takes arguments.
///
/// ```
/// use prompt_jinja_syntax::builtin::{FILTERS, BuiltinKind, find};
///
/// let join = find(FILTERS, "join").unwrap();
/// assert_eq!((join.takes, join.gives), (BuiltinKind::List, BuiltinKind::Text));
/// assert_eq!((join.params[0].name, join.params[0].required), ("d", false));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Builtin {
    /// As a template writes it.
    pub name: &'static str,
    /// The function of the runtime: the same for several names of one thing.
    pub function: &'static str,
    /// The kind of its input.
    pub takes: BuiltinKind,
    /// Its parameters, in order; all can be given by name.
    pub params: &'static [BuiltinParam],
    /// The meaning of further arguments.
    pub rest: ExtraArgs,
    /// The kind of its result.
    pub gives: BuiltinKind,
}

impl Builtin {
    /// The position of a parameter.
    pub fn param(&self, name: &str) -> Option<usize> {
        self.params.iter().position(|param| param.name == name)
    }
}

/// A parameter.
///
/// ```
/// use prompt_jinja_syntax::builtin::{FILTERS, BuiltinKind, find};
///
/// let length = find(FILTERS, "truncate").unwrap().params[0];
/// assert_eq!((length.name, length.kind, length.required), ("length", BuiltinKind::Int, false));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuiltinParam {
    /// Its name, for arguments that are given by name.
    pub name: &'static str,
    /// The accepted kind.
    pub kind: BuiltinKind,
    /// Whether it has to be given.
    pub required: bool,
}

/// The static kind of a value.
///
/// ```
/// use prompt_jinja_syntax::builtin::{FILTERS, BuiltinKind, find};
///
/// assert_eq!(find(FILTERS, "length").unwrap().gives, BuiltinKind::Int);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BuiltinKind {
    /// Anything; of a result, what only the values decide.
    Any,
    /// The same as the value it works on.
    Same,
    /// An item of the list that it works on.
    Item,
    /// Text.
    Text,
    /// A whole number or a boolean.
    Int,
    /// Any number or a boolean.
    Number,
    /// A boolean.
    Bool,
    /// An iterable: a list, a tuple, the keys of a dict, the characters of a string. Of a result, a list.
    List,
    /// A dict.
    Dict,
    /// A value with a length: a list, a dict or text.
    Sized,
}

/// The meaning of arguments beyond the parameters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExtraArgs {
    /// There are none.
    None,
    /// As many values as one likes.
    Values,
    /// The name of a filter and its arguments, or `attribute=` and `default=`: `map`.
    Filter,
    /// The name of a test and its arguments: `select`, `reject`.
    Test,
    /// The name of an attribute, then that of a test and its arguments: `selectattr`, `rejectattr`.
    AttributeTest,
}

/// Looks a name up.
///
/// ```
/// use prompt_jinja_syntax::builtin::{FILTERS, find};
///
/// assert_eq!(find(FILTERS, "count").unwrap().function, "length");
/// assert_eq!(find(FILTERS, "shout"), None);
/// ```
pub fn find(table: &'static [Builtin], name: &str) -> Option<&'static Builtin> {
    table.iter().find(|builtin| builtin.name == name)
}

macro_rules! builtins {
    (@rest) => { ExtraArgs::None };
    (@rest $rest:ident) => { ExtraArgs::$rest };
    (@required) => { true };
    (@required nothing) => { false };
    ($($(#[$doc:meta])* $table:ident {$(
        $name:literal => $function:literal: $takes:ident
            ($($param:ident: $kind:ident $(or $default:ident)?),*) $([$rest:ident])? -> $gives:ident;
    )*})*) => {$(
        $(#[$doc])*
        pub const $table: &[Builtin] = &[$(
            Builtin {
                name: $name,
                function: $function,
                takes: BuiltinKind::$takes,
                params: &[$(
                    BuiltinParam {
                        name: stringify!($param),
                        kind: BuiltinKind::$kind,
                        required: builtins!(@required $($default)?),
                    },
                )*],
                rest: builtins!(@rest $($rest)?),
                gives: BuiltinKind::$gives,
            },
        )*];
    )*};
}

builtins! {
    /// The filters: what follows `|`.
    FILTERS {
        "abs" => "abs": Number() -> Number;
        "batch" => "batch": List(linecount: Int, fill_with: Any or nothing) -> List;
        "capitalize" => "capitalize": Any() -> Text;
        "center" => "center": Any(width: Int or nothing) -> Text;
        "count" => "length": Sized() -> Int;
        "d" => "default": Any(default_value: Any or nothing, boolean: Bool or nothing) -> Any;
        "default" => "default": Any(default_value: Any or nothing, boolean: Bool or nothing) -> Any;
        "dictsort" => "dictsort": Dict(case_sensitive: Bool or nothing, by: Text or nothing, reverse: Bool or nothing) -> List;
        "e" => "escape": Any() -> Text;
        "escape" => "escape": Any() -> Text;
        "filesizeformat" => "filesizeformat": Any(binary: Bool or nothing) -> Text;
        "first" => "first": List() -> Item;
        "float" => "float": Any(default: Any or nothing) -> Any;
        "forceescape" => "escape": Any() -> Text;
        "format" => "format": Any()[Values] -> Text;
        "groupby" => "groupby": List(attribute: Any, default: Any or nothing, case_sensitive: Bool or nothing) -> List;
        "indent" => "indent": Text(width: Any or nothing, first: Bool or nothing, blank: Bool or nothing) -> Text;
        "int" => "int": Any(default: Any or nothing, base: Int or nothing) -> Any;
        "items" => "items": Any() -> List;
        "join" => "join": List(d: Any or nothing, attribute: Any or nothing) -> Text;
        "last" => "last": List() -> Item;
        "length" => "length": Sized() -> Int;
        "list" => "list": List() -> List;
        "lower" => "lower": Any() -> Text;
        "map" => "map": List()[Filter] -> List;
        "max" => "max": List(case_sensitive: Bool or nothing, attribute: Any or nothing) -> Item;
        "min" => "min": List(case_sensitive: Bool or nothing, attribute: Any or nothing) -> Item;
        "reject" => "reject": List()[Test] -> List;
        "rejectattr" => "rejectattr": List()[AttributeTest] -> List;
        "replace" => "replace": Any(old: Any, new: Any, count: Int or nothing) -> Text;
        "reverse" => "reverse": List() -> Same;
        "round" => "round": Number(precision: Int or nothing, method: Text or nothing) -> Number;
        "safe" => "string": Any() -> Text;
        "select" => "select": List()[Test] -> List;
        "selectattr" => "selectattr": List()[AttributeTest] -> List;
        "slice" => "slice": List(slices: Int, fill_with: Any or nothing) -> List;
        "sort" => "sort": List(reverse: Bool or nothing, case_sensitive: Bool or nothing, attribute: Any or nothing) -> List;
        "string" => "string": Any() -> Text;
        "sum" => "sum": List(attribute: Any or nothing, start: Any or nothing) -> Any;
        "title" => "title": Any() -> Text;
        "tojson" => "tojson": Any(indent: Int or nothing) -> Text;
        "trim" => "trim": Any(chars: Text or nothing) -> Text;
        "truncate" => "truncate": Text(length: Int or nothing, killwords: Bool or nothing, end: Text or nothing, leeway: Int or nothing) -> Text;
        "unique" => "unique": List(case_sensitive: Bool or nothing, attribute: Any or nothing) -> List;
        "upper" => "upper": Any() -> Text;
        "urlencode" => "urlencode": Any() -> Text;
        "wordcount" => "wordcount": Any() -> Int;
        "wordwrap" => "wordwrap":
            Text(width: Int or nothing, break_long_words: Bool or nothing, wrapstring: Text or nothing, break_on_hyphens: Bool or nothing) -> Text;
    }

    /// The tests: what follows `is`.
    TESTS {
        "!=" => "ne": Any(other: Any) -> Bool;
        "<" => "lt": Any(other: Any) -> Bool;
        "<=" => "le": Any(other: Any) -> Bool;
        "==" => "eq": Any(other: Any) -> Bool;
        ">" => "gt": Any(other: Any) -> Bool;
        ">=" => "ge": Any(other: Any) -> Bool;
        "boolean" => "boolean": Any() -> Bool;
        "defined" => "defined": Any() -> Bool;
        "divisibleby" => "divisibleby": Number(num: Number) -> Bool;
        "eq" => "eq": Any(other: Any) -> Bool;
        "equalto" => "eq": Any(other: Any) -> Bool;
        "even" => "even": Number() -> Bool;
        "false" => "false": Any() -> Bool;
        "float" => "float": Any() -> Bool;
        "ge" => "ge": Any(other: Any) -> Bool;
        "greaterthan" => "gt": Any(other: Any) -> Bool;
        "gt" => "gt": Any(other: Any) -> Bool;
        "in" => "in": Any(seq: List) -> Bool;
        "integer" => "integer": Any() -> Bool;
        "iterable" => "iterable": Any() -> Bool;
        "le" => "le": Any(other: Any) -> Bool;
        "lessthan" => "lt": Any(other: Any) -> Bool;
        "lower" => "lower": Any() -> Bool;
        "lt" => "lt": Any(other: Any) -> Bool;
        "mapping" => "mapping": Any() -> Bool;
        "ne" => "ne": Any(other: Any) -> Bool;
        "none" => "none": Any() -> Bool;
        "number" => "number": Any() -> Bool;
        "odd" => "odd": Number() -> Bool;
        "sameas" => "sameas": Any(other: Any) -> Bool;
        "sequence" => "sequence": Any() -> Bool;
        "string" => "string": Any() -> Bool;
        "true" => "true": Any() -> Bool;
        "undefined" => "undefined": Any() -> Bool;
        "upper" => "upper": Any() -> Bool;
    }

    /// The methods of texts, dicts and lists.
    METHODS {
        "capitalize" => "capitalize": Text() -> Text;
        "casefold" => "casefold": Text() -> Text;
        "center" => "center": Text(width: Int, fillchar: Text or nothing) -> Text;
        "count" => "count": Sized(item: Any, start: Int or nothing, end: Int or nothing) -> Int;
        "endswith" => "endswith": Text(suffix: Any, start: Int or nothing, end: Int or nothing) -> Bool;
        "expandtabs" => "expandtabs": Text(tabsize: Int or nothing) -> Text;
        "find" => "find": Text(part: Text, start: Int or nothing, end: Int or nothing) -> Int;
        "get" => "get": Dict(key: Any, default: Any or nothing) -> Any;
        "index" => "index": Sized(item: Any, start: Int or nothing, stop: Int or nothing) -> Int;
        "isalnum" => "isalnum": Text() -> Bool;
        "isalpha" => "isalpha": Text() -> Bool;
        "isascii" => "isascii": Text() -> Bool;
        "isdecimal" => "isdecimal": Text() -> Bool;
        "isdigit" => "isdigit": Text() -> Bool;
        "isidentifier" => "isidentifier": Text() -> Bool;
        "islower" => "islower": Text() -> Bool;
        "isnumeric" => "isnumeric": Text() -> Bool;
        "isprintable" => "isprintable": Text() -> Bool;
        "isspace" => "isspace": Text() -> Bool;
        "istitle" => "istitle": Text() -> Bool;
        "isupper" => "isupper": Text() -> Bool;
        "items" => "items": Dict() -> List;
        "join" => "join": Text(items: List) -> Text;
        "keys" => "keys": Dict() -> List;
        "ljust" => "ljust": Text(width: Int, fillchar: Text or nothing) -> Text;
        "lower" => "lower": Text() -> Text;
        "lstrip" => "lstrip": Text(chars: Text or nothing) -> Text;
        "partition" => "partition": Text(sep: Text) -> List;
        "removeprefix" => "removeprefix": Text(prefix: Text) -> Text;
        "removesuffix" => "removesuffix": Text(suffix: Text) -> Text;
        "replace" => "replace": Text(old: Text, new: Text, count: Int or nothing) -> Text;
        "rfind" => "rfind": Text(part: Text, start: Int or nothing, end: Int or nothing) -> Int;
        "rindex" => "rindex": Text(part: Text, start: Int or nothing, end: Int or nothing) -> Int;
        "rjust" => "rjust": Text(width: Int, fillchar: Text or nothing) -> Text;
        "rpartition" => "rpartition": Text(sep: Text) -> List;
        "rsplit" => "rsplit": Text(sep: Any or nothing, maxsplit: Int or nothing) -> List;
        "rstrip" => "rstrip": Text(chars: Text or nothing) -> Text;
        "split" => "split": Text(sep: Any or nothing, maxsplit: Int or nothing) -> List;
        "splitlines" => "splitlines": Text(keepends: Bool or nothing) -> List;
        "startswith" => "startswith": Text(prefix: Any, start: Int or nothing, end: Int or nothing) -> Bool;
        "strip" => "strip": Text(chars: Text or nothing) -> Text;
        "swapcase" => "swapcase": Text() -> Text;
        "title" => "title": Text() -> Text;
        "upper" => "upper": Text() -> Text;
        "values" => "values": Dict() -> List;
        "zfill" => "zfill": Text(width: Int) -> Text;
    }

    /// A function that is called by its own name.
    FUNCTIONS {
        "range" => "range": Any(start: Int, stop: Int or nothing, step: Int or nothing) -> List;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_and_name_each_thing_once() {
        for table in [FILTERS, TESTS, METHODS, FUNCTIONS] {
            assert!(table.is_sorted_by(|a, b| a.name < b.name));
            for builtin in table {
                let optional = builtin.params.iter().skip_while(|param| param.required);
                assert!(
                    optional.clone().all(|param| !param.required),
                    "{}",
                    builtin.name
                );
            }
        }
        let refused = crate::problem::subset::REFUSED;
        assert!(refused.is_sorted_by(|a, b| a.0 < b.0));
    }
}
