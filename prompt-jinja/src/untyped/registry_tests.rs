//! Walks the registry: no filter, test, function or method forgets the limits or the origin of data.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::slice;
use std::sync::Arc;

use super::Limits;
use super::fault::R;
use super::registry::{Builtin, all_builtins};
use super::run::Run;
use super::text::{Source, Str};
use super::value::{List, LoopItems, LoopState, Object, Value};
use crate::builtin::ITEM_BYTES;

const DATA: u32 = 7;

/// What does the same work for a text of any size.
const CONSTANT_FOR_TEXTS: &[&str] = &[
    "shared_filters default",
    "shared_filters d",
    "shared_filters items",
    "shared_filters string",
    "shared_tests boolean",
    "shared_tests false",
    "shared_tests float",
    "shared_tests integer",
    "shared_tests mapping",
    "shared_tests none",
    "shared_tests number",
    "shared_tests string",
    "shared_tests true",
    "filter attr",
    "filter first",
    "filter last",
    "test callable",
    "test defined",
    "test escaped",
    "test filter",
    "test iterable",
    "test sequence",
    "test test",
    "test undefined",
    "method of dict copy",
    "method of list copy",
];

/// What does the same work for a list or dict of any size.
const CONSTANT_FOR_CONTAINERS: &[&str] = &[
    "shared_filters default",
    "shared_filters d",
    "shared_filters float",
    "shared_filters int",
    "shared_filters items",
    "shared_filters length",
    "shared_filters count",
    "shared_tests boolean",
    "shared_tests false",
    "shared_tests float",
    "shared_tests in",
    "shared_tests integer",
    "shared_tests mapping",
    "shared_tests none",
    "shared_tests number",
    "shared_tests string",
    "shared_tests true",
    "dict_methods get",
    "filter attr",
    "filter first",
    "filter last",
    "test callable",
    "test defined",
    "test escaped",
    "test iterable",
    "test sameas",
    "test sequence",
    "test undefined",
    "method of dict copy",
    "method of list copy",
];

/// The tables of what does not work on texts and containers.
const OTHER_TABLES: [&str; 5] = [
    "method of int",
    "method of float",
    "method of the type dict",
    "method of cycler",
    "method of loop",
];

/// Builtins that a template cannot call: each call is an error.
const REFUSED: &[&str] = &[
    "encode",
    "lipsum",
    "raise_exception",
    "random",
    "self",
    "urlize",
];

/// A value of some size, whose strings are of a source.
fn receivers(size: usize, source: Source) -> Vec<(&'static str, Value)> {
    let text = |text: String| Value::Str(Str::new(text, source));
    let items: Vec<Value> = (0..size).map(|at| text(format!("qz{at}"))).collect();
    let entries = items.iter().map(|item| (item.clone(), item.clone()));
    let pairs = items
        .iter()
        .map(|item| Value::tuple(vec![item.clone(), item.clone()]));
    let numbers = (0..size).map(|_| Value::Int(17, source)).collect();
    let items_of_loop = LoopItems::List(Rc::new(List::new(items.clone())));
    vec![
        ("text", text("qz Zq".repeat(size))),
        ("word", text("qz".repeat(size))),
        ("digits", text("1".repeat(size.min(400)))),
        ("list", Value::list(items.clone())),
        ("numbers", Value::list(numbers)),
        ("pairs", Value::list(pairs.clone().collect())),
        (
            "dicts",
            Value::list(vec![Value::dict(vec![(
                Value::template("a"),
                text("qz".repeat(size)),
            )])]),
        ),
        ("dict", Value::dict(entries.collect())),
        (
            "cycler",
            Value::object(Object::Cycler(items.clone(), Cell::new(0))),
        ),
        (
            "loop",
            Value::object(Object::Loop(LoopState {
                items: items_of_loop,
                index: Cell::new(0),
                depth: 0,
                changed: RefCell::new(None),
                recursive: None,
            })),
        ),
        ("int", Value::Int(17, source)),
        ("float", Value::Float(17.25, source)),
        ("none", Value::none()),
    ]
}

/// Arguments that fit a builtin, where `value` is that of its first parameter with the others.
fn arguments(builtin: &Builtin) -> Vec<Vec<Value>> {
    let text = |text: &str| Value::template(text);
    let special = match builtin.name {
        "map" => vec![text("upper")],
        "selectattr" | "rejectattr" => vec![text("a")],
        "cycler" | "changed" | "cycle" => vec![text("x")],
        _ => Vec::new(),
    };
    let mut all = vec![special];
    for parameter in builtin.parameters.split(' ') {
        if parameter.is_empty() || "/***".contains(parameter) || parameter.ends_with('=') {
            continue;
        }
        let values = match parameter {
            "linecount" | "slices" | "width" | "num" | "start" => vec![Value::int(2)],
            "attribute" => vec![Value::int(0), text("a")],
            "iterable" | "seq" => vec![Value::list(vec![text("x")]), text("x")],
            "mapping" | "table" => vec![Value::dict(vec![(text("a"), text("b"))])],
            "other" | "value" | "key" => vec![text("x"), Value::int(2), text("qz0")],
            "sub" => vec![text("x"), text("q")],
            _ => vec![text("x")],
        };
        all = all
            .iter()
            .flat_map(|given| {
                values
                    .iter()
                    .map(|value| [&given[..], slice::from_ref(value)].concat())
            })
            .collect();
    }
    all
}

/// Calls a builtin; returns the result and the bytes that were counted.
fn call(builtin: &Builtin, value: &Value, arguments: &[Value], memory: u64) -> (R<Value>, u64) {
    let names: [Arc<str>; 0] = [];
    let limits = Limits {
        steps: 1 << 24,
        output: 1 << 24,
        memory,
        named_memory: memory,
        format_now: &|pattern| pattern.to_owned(),
    };
    let mut run = Run::new(&names, Vec::new(), &limits, None);
    let result = run.call_builtin(builtin, value, arguments.to_vec(), Vec::new());
    (result, memory - run.memory)
}

/// The work that is counted grows with the value, for each kind of value.
#[test]
fn each_builtin_counts_what_it_reads() {
    const LARGE: usize = 400;
    let values = |size| receivers(size, Source::TEMPLATE).into_iter();
    let mut wrong = Vec::new();
    for (table, builtin) in all_builtins() {
        let (mut is_called, mut least_of_texts, mut least_of_containers) = (false, None, None);
        for ((kind, small), (_, large)) in values(20).zip(values(LARGE)) {
            // The same arguments, and the value itself where it is compared with another one.
            let mut calls = arguments(builtin);
            calls.extend(builtin.parameters.contains("other").then(Vec::new));
            let counted = |value: &Value, given: &[Value]| {
                let given = match given.is_empty() && builtin.parameters == "other" {
                    true => slice::from_ref(value),
                    false => given,
                };
                let (result, counted) = call(builtin, value, given, u64::MAX);
                result.ok().map(|_| counted)
            };
            let growths = calls.iter().filter_map(|given| {
                let before = counted(&small, given)?;
                Some(counted(&large, given)?.saturating_sub(before))
            });
            let growth = growths.max();
            is_called |= growth.is_some();
            let least = match kind {
                "text" | "word" => &mut least_of_texts,
                "list" | "numbers" | "pairs" | "dict" => &mut least_of_containers,
                _ => continue,
            };
            if let Some(growth) = growth {
                *least = Some(least.map_or(growth, |known: u64| known.min(growth)));
            }
        }
        let name = format!("{table} {}", builtin.name);
        if is_called == REFUSED.contains(&builtin.name) {
            wrong.push(format!("{name} can be called: {is_called}"));
        }
        // What works on no value, on a number, or on an object of the engine.
        if table == "function" || OTHER_TABLES.contains(&table) {
            continue;
        }
        let walked = [
            (least_of_texts, CONSTANT_FOR_TEXTS, "text"),
            (least_of_containers, CONSTANT_FOR_CONTAINERS, "container"),
        ];
        for (least, constant, kind) in walked {
            let is_constant = least.is_some_and(|growth| growth < LARGE as u64 - 20);
            if is_constant != constant.contains(&&*name) {
                wrong.push(format!("{name}: {least:?} more for a large {kind}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The size of a value itself.
fn size(value: &Value) -> u64 {
    let bytes = match value {
        Value::Str(text) => text.len(),
        Value::Big(number, _) => usize::try_from(number.bits() / 8).unwrap_or(usize::MAX),
        value => value.length().unwrap_or(0).saturating_mul(ITEM_BYTES),
    };
    bytes as u64
}

/// No argument makes a result that is larger than what was given and what was counted, and a limit ends each call.
#[test]
fn no_result_is_larger_than_what_was_counted() {
    const MEMORY: u64 = 1 << 15;
    let huge = || {
        let text = Value::template("x".repeat(1 << 10));
        let items = Value::list(vec![text.clone(); 1 << 6]);
        [
            Value::int(1 << 40),
            Value::int(-(1 << 40)),
            Value::Float(1e300, Source::TEMPLATE),
            text,
            items,
        ]
    };
    let mut wrong = Vec::new();
    for (table, builtin) in all_builtins() {
        for (kind, value) in receivers(10, Source::TEMPLATE) {
            for given in arguments(builtin) {
                let count = builtin.parameters.split(' ').count().max(given.len());
                for at in 0..count {
                    for huge in huge() {
                        let mut arguments = given.clone();
                        arguments.resize(arguments.len().max(at), Value::none());
                        match arguments.get_mut(at) {
                            Some(argument) => *argument = huge,
                            None => arguments.push(huge),
                        }
                        let (result, counted) = call(builtin, &value, &arguments, MEMORY);
                        let Ok(result) = result else { continue };
                        let inputs = arguments.iter().map(size).fold(size(&value), u64::max);
                        if size(&result) > inputs + counted {
                            wrong.push(format!(
                                "{table} {} of {kind}, argument {at}: {} > {inputs} + {counted}",
                                builtin.name,
                                size(&result)
                            ));
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Calls with each string and number inside of a value.
fn each_scalar(value: &Value, visit: &mut impl FnMut(&Value)) {
    match value {
        Value::Str(_) | Value::Int(..) | Value::Big(..) | Value::Float(..) => visit(value),
        Value::List(list) | Value::Tuple(list) => {
            list.items.iter().for_each(|item| each_scalar(item, visit));
        }
        Value::Dict(dict) => dict.entries().iter().for_each(|(key, value)| {
            each_scalar(key, visit);
            each_scalar(value, visit);
        }),
        Value::Object(object) => match &**object {
            Object::Generator(_) | Object::View(..) | Object::Group(_) => {
                let items = value.iterate().unwrap_or_default();
                items.iter().for_each(|item| each_scalar(item, visit));
            }
            Object::Namespace(entries) => entries
                .borrow()
                .entries()
                .iter()
                .for_each(|entry| each_scalar(&entry.1, visit)),
            _ => {}
        },
        _ => {}
    }
}

/// Letters and digits of data are those of data in the result, and what is computed from a number of data is data.
#[test]
fn each_result_on_data_is_data() {
    let data = Source::input(DATA);
    let is_of_data = |char: char| "qQzZ7".contains(char);
    let mut wrong = Vec::new();
    for (table, builtin) in all_builtins() {
        for arguments in arguments(builtin) {
            // Data as the value, then as each argument.
            let mut calls: Vec<(Value, Vec<Value>)> = receivers(3, data)
                .into_iter()
                .map(|(_, value)| (value, arguments.clone()))
                .collect();
            for at in 0..arguments.len() {
                for (_, value) in receivers(3, data) {
                    let mut changed = arguments.clone();
                    changed[at] = value;
                    calls.extend(
                        receivers(3, Source::TEMPLATE)
                            .into_iter()
                            .filter(|(kind, _)| *kind == "none")
                            .map(|(_, value)| (value, changed.clone())),
                    );
                    calls.push((Value::template("x%s{}x"), changed));
                }
            }
            for (value, arguments) in calls {
                let (Ok(result), _) = call(builtin, &value, &arguments, u64::MAX) else {
                    continue;
                };
                let name = builtin.name;
                each_scalar(&result, &mut |scalar| match scalar {
                    Value::Str(text) => {
                        // A loop prints its position.
                        let lost: String = text
                            .pieces()
                            .filter(|piece| !piece.1.is_data())
                            .flat_map(|piece| piece.0.chars())
                            .filter(|char| is_of_data(*char))
                            .collect();
                        if !lost.is_empty() {
                            wrong.push(format!("{table} {name}: {lost:?} in {:?}", &**text));
                        }
                    }
                    number => {
                        let is_given = |value: &Value| {
                            matches!(value, Value::Str(_) | Value::Int(..) | Value::Float(..))
                                && value.source().is_data()
                        };
                        let is_from_data = is_given(&value) || arguments.iter().any(is_given);
                        if is_from_data && !number.source().is_data() {
                            wrong.push(format!("{table} {name}: a number of {}", value.kind()));
                        }
                    }
                });
            }
        }
    }
    wrong.dedup();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
