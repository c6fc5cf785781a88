//! The operators, tests and filters of templates, which see placeholders as the characters that they represent and charge
//! what they build.

use std::cmp::Ordering;

use minijinja::formatting::{self, FormatStyle};
use minijinja::value::{Kwargs, Rest, Tuple, Value, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error, ErrorKind, State, filters, functions};

use crate::context::RenderContext;
use crate::instrument::{
    CHECKED, CHECKED_ATTRIBUTE, COMPARE, CONCAT, ITEM, ITEMS, REAL, SLICE, SUM, TEXT, TIMES,
};
use crate::json::{JsonOptions, invalid_operation, print_json};
use crate::methods;
use prompt_core::python::slice_positions;

/// `value[start:stop:step]` as in Python. The engine panics for some positions, does not charge the result, and nests lazy lists.
fn slice_value(context: &RenderContext, value: &Value, bounds: [Value; 3]) -> Result<Value, Error> {
    let mut numbers = [None; 3];
    for (number, bound) in numbers.iter_mut().zip(bounds) {
        *number = match bound.is_none() || bound.is_undefined() {
            true => None,
            false => Some(i128::try_from(bound)?),
        };
    }
    let positions = |length| {
        let positions = slice_positions(numbers, length);
        positions.ok_or_else(|| invalid_operation("cannot slice by step size of 0"))
    };
    if let Some(text) = value.as_str() {
        context.charge_bytes(text.len().saturating_mul(size_of::<char>()))?;
        let chars: Vec<char> = text.chars().collect();
        let text: String = positions(chars.len())?.map(|at| chars[at]).collect();
        return Ok(Value::from(text));
    }
    if value.is_undefined() || value.is_none() {
        return Ok(Value::from(Vec::<Value>::new()));
    }
    let kind = value.kind();
    if !matches!(kind, ValueKind::Seq | ValueKind::Iterable) {
        let message = format!("value of type {kind} cannot be sliced");
        return Err(Error::new(ErrorKind::InvalidOperation, message));
    }
    let charge = |items: usize| context.charge_bytes(items.saturating_mul(size_of::<Value>()));
    let listed: Vec<Value>;
    let length = match (kind, value.len()) {
        (ValueKind::Seq, Some(length)) => {
            listed = Vec::new();
            length
        }
        _ => {
            let items = value.try_iter()?;
            listed = items
                .map(|item| charge(1).map(|()| item))
                .collect::<Result<_, _>>()?;
            listed.len()
        }
    };
    let mut kept = Vec::new();
    for at in positions(length)? {
        charge(1)?;
        kept.push(match listed.get(at) {
            Some(item) => item.clone(),
            None => value.get_item_by_index(at)?,
        });
    }
    Ok(match value.is_tuple() {
        true => Value::from(Tuple::from(kept)),
        false => Value::from(kept),
    })
}

/// Adds all of them to an environment.
pub(crate) fn add_operators(environment: &mut Environment<'static>) {
    environment.add_function(CHECKED, |state: &State, value: Value| {
        RenderContext::from_state(state)?.charge_new(value)
    });
    environment.add_function(CHECKED_ATTRIBUTE, |state: &State, value: Value| {
        RenderContext::from_state(state)?.check_assigned(value)
    });
    environment.add_function(SUM, |state: &State, operands: Rest<Value>| {
        fold_operands(state, &operands, add_values)
    });
    environment.add_function(TIMES, |state: &State, operands: Rest<Value>| {
        fold_operands(state, &operands, multiply_values)
    });
    environment.add_function(CONCAT, |state: &State, operands: Rest<Value>| {
        let context = RenderContext::from_state(state)?;
        join_texts(&context, operands.iter().cloned(), "")
    });
    environment.add_function(REAL, |state: &State, value: &Value| {
        let context = RenderContext::from_state(state)?;
        context.charge_deep(value)?;
        context.real_value(value)
    });
    environment.add_function(ITEM, |state: &State, value: Value, key: &Value| {
        get_item(&*RenderContext::from_state(state)?, value, key)
    });
    environment.add_function(
        SLICE,
        |state: &State, value: Value, start: Value, stop: Value, step: Option<Value>| {
            slice_value(
                &*RenderContext::from_state(state)?,
                &value,
                [start, stop, step.unwrap_or_default()],
            )
        },
    );
    // The engine does not know the last character of a string, and collects the keys of a map before the first of them.
    environment.add_function(ITEMS, |state: &State, value: Value| {
        let context = RenderContext::from_state(state)?;
        match (value.kind(), value.as_str()) {
            (_, Some(text)) => {
                context.charge_bytes(text.len() * size_of::<Value>())?;
                Ok::<_, Error>(text.chars().map(Value::from).collect())
            }
            (ValueKind::Map, _) => {
                context.charge_items(value.len().unwrap_or(1))?;
                Ok(value)
            }
            _ => Ok(value),
        }
    });
    environment.add_function(TEXT, |state: &State, bytes: usize| {
        RenderContext::from_state(state)?.charge_bytes(bytes)?;
        Ok::<_, Error>("")
    });
    environment.add_function(
        "namespace",
        |state: &State, defaults: Option<ValueOrKwargs>| {
            let context = RenderContext::from_state(state)?;
            let values = defaults
                .as_ref()
                .filter(|defaults| defaults.kind() == ValueKind::Map);
            for pair in values
                .and_then(|map| map.as_object()?.try_iter_pairs())
                .into_iter()
                .flatten()
            {
                context.check_assigned(pair.1)?;
            }
            functions::namespace(defaults)
        },
    );
    environment.add_function(
        "dict",
        |state: &State, value: Option<Value>, more: Kwargs| {
            RenderContext::from_state(state)?.charge_new(functions::dict(value, more)?)
        },
    );
    add_comparisons(environment);
    add_filters(environment);
}

fn add_comparisons(environment: &mut Environment<'static>) {
    type Comparison = fn(&RenderContext, &Value, &Value) -> Result<bool, Error>;
    const TESTS: [(&str, &[&str], Comparison); 8] = [
        ("==", &["eq", "equalto", "=="], |context, a, b| {
            equal_values(context, a, b)
        }),
        ("!=", &["ne", "!="], |context, a, b| {
            Ok(!equal_values(context, a, b)?)
        }),
        ("<", &["lt", "lessthan", "<"], |context, a, b| {
            Ok(compare_values(context, a, b)?.is_lt())
        }),
        ("<=", &["le", "<="], |context, a, b| {
            Ok(compare_values(context, a, b)?.is_le())
        }),
        (">", &["gt", "greaterthan", ">"], |context, a, b| {
            Ok(compare_values(context, a, b)?.is_gt())
        }),
        (">=", &["ge", ">="], |context, a, b| {
            Ok(compare_values(context, a, b)?.is_ge())
        }),
        ("in", &["in"], |context, a, b| contains_value(context, b, a)),
        ("not in", &[], |context, a, b| {
            Ok(!contains_value(context, b, a)?)
        }),
    ];
    for (operator, tests, comparison) in TESTS {
        let call = move |state: &State, a: &Value, b: &Value| {
            comparison(&*RenderContext::from_state(state)?, a, b)
        };
        for (_, function) in COMPARE.iter().filter(|known| known.0 == operator) {
            environment.add_function(*function, call);
        }
        for test in tests {
            environment.add_test(*test, call);
        }
    }
    for (test, is_start) in [("startingwith", true), ("endingwith", false)] {
        environment.add_test(test, move |state: &State, value: &Value, part: &Value| {
            let context = RenderContext::from_state(state)?;
            let (value, part) = (context.printed_text(value)?, context.printed_text(part)?);
            context.charge_bytes(value.len() + part.len())?;
            let (value, part) = (context.real_text(&value), context.real_text(&part));
            Ok::<_, Error>(match is_start {
                true => value.starts_with(&*part),
                false => value.ends_with(&*part),
            })
        });
    }
    for (test, method) in [("lower", "islower"), ("upper", "isupper")] {
        environment.add_test(test, move |state: &mut State, value: &Value| {
            methods::call_method(state, value, method, &[])
        });
    }
}

fn add_filters(environment: &mut Environment<'static>) {
    for (name, method) in [
        ("upper", "upper"),
        ("lower", "lower"),
        ("title", "title"),
        ("capitalize", "capitalize"),
        ("replace", "replace"),
        ("trim", "strip"),
        ("split", "split"),
        ("lines", "splitlines"),
    ] {
        environment.add_filter(
            name,
            move |state: &mut State, value: &Value, args: Rest<Value>| {
                let text = match value.as_str() {
                    Some(_) => value.clone(),
                    None => Value::from(
                        RenderContext::from_state(state)?
                            .printed_text(value)?
                            .into_owned(),
                    ),
                };
                methods::call_method(state, &text, method, &args)
            },
        );
    }
    environment.add_filter("safe", |state: &State, value: &Value| {
        let context = RenderContext::from_state(state)?;
        let text = context.printed_text(value)?.into_owned();
        context.charge_bytes(text.len())?;
        Ok::<_, Error>(Value::from_safe_string(text))
    });
    for name in ["string", "pprint"] {
        environment.add_filter(name, |state: &State, value: &Value| {
            Ok::<_, Error>(match value.kind() {
                ValueKind::String => value.clone(),
                _ => Value::from(
                    RenderContext::from_state(state)?
                        .printed_text(value)?
                        .into_owned(),
                ),
            })
        });
    }
    for name in ["e", "escape"] {
        environment.add_filter(name, |state: &State, value: &Value| {
            let context = RenderContext::from_state(state)?;
            methods::escape_html(&context, &context.printed_text(value)?)
        });
    }
    for name in ["length", "count"] {
        environment.add_filter(name, |state: &State, value: &Value| {
            value_length(&*RenderContext::from_state(state)?, value)
        });
    }
    environment.add_filter(
        "tojson",
        |state: &State, value: &Value, rest: Rest<Value>, kwargs: Kwargs| {
            let context = RenderContext::from_state(state)?;
            let form = JsonOptions::from_arguments(rest.first(), &kwargs)?;
            context.charge_bytes(form.separator_bytes())?;
            print_json(value, &form, &context)
        },
    );
    environment.add_filter(
        "join",
        |state: &State, value: &Value, rest: Rest<Value>, kwargs: Kwargs| {
            let context = RenderContext::from_state(state)?;
            let separator = option_argument(&rest, 0, &kwargs, "d")?;
            let separator = separator.unwrap_or_else(|| Value::from(""));
            let attribute = option_argument(&rest, 1, &kwargs, "attribute")?;
            kwargs.assert_all_used()?;
            let separator = context.printed_text(&separator)?;
            match attribute.filter(|attribute: &Value| !attribute.is_none()) {
                None => join_texts(&context, value.try_iter()?, &separator),
                Some(path) => {
                    let items = value.try_iter()?.map(|item| attribute_path(item, &path));
                    join_texts(
                        &context,
                        items.collect::<Result<Vec<_>, _>>()?.into_iter(),
                        &separator,
                    )
                }
            }
        },
    );
    environment.add_filter(
        "indent",
        |state: &State, value: &Value, args: Rest<Value>, kwargs: Kwargs| {
            indent_text(state, value, &args, &kwargs)
        },
    );
    environment.add_filter(
        "format",
        |state: &State, value: &Value, args: Rest<ValueOrKwargs>| {
            let context = RenderContext::from_state(state)?;
            format_text(
                &context,
                FormatStyle::Printf,
                &context.printed_text(value)?,
                &args.into_values(),
            )
        },
    );
    environment.add_filter(
        "int",
        |state: &State, value: &Value, default: Option<Value>, base: Option<u32>, more: Kwargs| {
            filters::int(
                state,
                &RenderContext::from_state(state)?.real_value(value)?,
                default,
                base,
                more,
            )
        },
    );
    environment.add_filter(
        "float",
        |state: &State, value: &Value, default: Option<Value>, more: Kwargs| {
            filters::float(
                state,
                &RenderContext::from_state(state)?.real_value(value)?,
                default,
                more,
            )
        },
    );
    add_visitors(environment);
}

/// Adds the filters of the engine that visit the items of their input. The engine charges neither the visits nor the comparisons.
fn add_visitors(environment: &mut Environment<'static>) {
    let batch = |state: &State, value: Value, count: usize, fill: Option<Value>| {
        RenderContext::from_state(state)?.charge_items(if fill.is_some() { count } else { 0 })?;
        filters::batch(state, value, count, fill)
    };
    let slice = |state: &State, value: Value, count: usize, fill: Option<Value>| {
        RenderContext::from_state(state)?.charge_items(count)?;
        filters::slice(state, value, count, fill)
    };
    // The last value: whether the filter compares items.
    let visitors = [
        ("batch", Value::from_function(batch), false),
        ("chain", Value::from_function(filters::chain), false),
        ("dictsort", Value::from_function(filters::dictsort), true),
        ("first", Value::from_function(filters::first), false),
        ("groupby", Value::from_function(filters::groupby), true),
        ("items", Value::from_function(filters::items), false),
        ("last", Value::from_function(filters::last), false),
        ("list", Value::from_function(filters::list), false),
        ("map", Value::from_function(filters::map), false),
        ("max", Value::from_function(filters::max), true),
        ("min", Value::from_function(filters::min), true),
        ("reject", Value::from_function(filters::reject), false),
        (
            "rejectattr",
            Value::from_function(filters::rejectattr),
            false,
        ),
        ("reverse", Value::from_function(filters::reverse), false),
        ("select", Value::from_function(filters::select), false),
        (
            "selectattr",
            Value::from_function(filters::selectattr),
            false,
        ),
        ("slice", Value::from_function(slice), false),
        ("sort", Value::from_function(filters::sort), true),
        ("sum", Value::from_function(filters::sum), false),
        ("unique", Value::from_function(filters::unique), true),
        ("zip", Value::from_function(filters::zip), false),
    ];
    for (name, filter, compares) in visitors {
        environment.add_filter(
            name,
            move |state: &mut State, value: Value, args: Rest<ValueOrKwargs>| {
                let context = RenderContext::from_state(state)?;
                let args = args.into_values();
                let value = context.charge_iteration(value, &args, compares)?;
                let all: Vec<Value> = [value].into_iter().chain(args.iter().cloned()).collect();
                context.charge_new(filter.call(state, &all)?)
            },
        );
    }
}

/// `value[key]`. The engine charges neither the search for a character nor the hash of a key.
fn get_item(context: &RenderContext, value: Value, key: &Value) -> Result<Value, Error> {
    let value = match (value.kind(), value.as_str()) {
        (_, Some(text)) => {
            context.charge_bytes(text.len())?;
            value
        }
        (ValueKind::Iterable, _) => context.charge_new(value)?,
        _ => value,
    };
    context.charge_deep(key)?;
    match key.as_str() {
        Some(_) => value.get_item(&context.real_value(key)?),
        None => value.get_item(key),
    }
}

fn fold_operands(
    state: &State,
    operands: &[Value],
    operator: fn(&RenderContext, &Value, &Value) -> Result<Value, Error>,
) -> Result<Value, Error> {
    let context = RenderContext::from_state(state)?;
    let mut operands = operands.iter();
    let first = operands.next().cloned().unwrap_or_default();
    operands.try_fold(first, |left, right| operator(&context, &left, right))
}

/// A number as an operand.
enum PyNumber {
    Int(i128),
    Float(f64),
}

fn as_number(value: &Value) -> Option<PyNumber> {
    match value.kind() {
        ValueKind::Bool => Some(PyNumber::Int(i128::from(value.is_true()))),
        ValueKind::Number if value.is_integer() => {
            i128::try_from(value.clone()).ok().map(PyNumber::Int)
        }
        ValueKind::Number => f64::try_from(value.clone()).ok().map(PyNumber::Float),
        _ => None,
    }
}

/// The result of an operator on two numbers; nothing for other values.
fn combine_numbers(
    left: &Value,
    right: &Value,
    ints: fn(i128, i128) -> Option<i128>,
    floats: fn(f64, f64) -> f64,
) -> Option<Result<Value, Error>> {
    #[expect(clippy::cast_precision_loss, reason = "as Python converts them")]
    let float = |number: &PyNumber| match number {
        PyNumber::Int(int) => *int as f64,
        PyNumber::Float(float) => *float,
    };
    Some(match (&as_number(left)?, &as_number(right)?) {
        (PyNumber::Int(a), PyNumber::Int(b)) => {
            let result = ints(*a, *b).ok_or_else(|| invalid_operation("the number is too large"));
            // The small numbers are the fast ones.
            result.map(|int| i64::try_from(int).map_or_else(|_| Value::from(int), Value::from))
        }
        (a, b) => Ok(Value::from(floats(float(a), float(b)))),
    })
}

fn unsupported_operands(operator: &str, left: &Value, right: &Value) -> Error {
    let (left, right) = (left.kind(), right.kind());
    Error::new(
        ErrorKind::InvalidOperation,
        format!("tried to use {operator} operator on unsupported types {left} and {right}"),
    )
}

fn is_list(value: &Value) -> bool {
    matches!(value.kind(), ValueKind::Seq | ValueKind::Iterable)
}

fn is_tuple(value: &Value) -> bool {
    value.downcast_object_ref::<Tuple>().is_some()
}

fn add_values(context: &RenderContext, left: &Value, right: &Value) -> Result<Value, Error> {
    if let (Some(a), Some(b)) = (left.as_str(), right.as_str()) {
        context.charge_bytes(a.len() + b.len())?;
        if !left.is_safe() && !right.is_safe() {
            return Ok(Value::from([a, b].concat()));
        }
        // A sum with a safe string is safe in Python: the other one is escaped, also where nothing else is.
        let safe = |value: &Value, text| match value.is_safe() {
            true => Ok(value.clone()),
            false => methods::escape_html(context, text),
        };
        let sum = format!("{}{}", safe(left, a)?, safe(right, b)?);
        return Ok(Value::from_safe_string(sum));
    }
    if let Some(sum) = combine_numbers(left, right, i128::checked_add, |a, b| a + b) {
        return sum;
    }
    if !is_list(left) || !is_list(right) || is_tuple(left) != is_tuple(right) {
        return Err(unsupported_operands("+", left, right));
    }
    let mut items = Vec::new();
    for item in left.try_iter()?.chain(right.try_iter()?) {
        context.charge_items(1)?;
        items.push(item);
    }
    Ok(match is_tuple(left) {
        true => Value::from(Tuple::from(items)),
        false => Value::from(items),
    })
}

fn multiply_values(context: &RenderContext, left: &Value, right: &Value) -> Result<Value, Error> {
    if let Some(product) = combine_numbers(left, right, i128::checked_mul, |a, b| a * b) {
        return product;
    }
    let is_repeated = |value: &Value| value.as_str().is_some() || is_list(value);
    let (repeated, count) = match (is_repeated(left), is_repeated(right)) {
        (true, false) => (left, right),
        (false, true) => (right, left),
        _ => return Err(unsupported_operands("*", left, right)),
    };
    let count =
        i128::try_from(count.clone()).map_err(|_| unsupported_operands("*", left, right))?;
    let count = usize::try_from(count.max(0)).unwrap_or(usize::MAX);
    if let Some(text) = repeated.as_str() {
        context.charge_bytes(text.len().saturating_mul(count))?;
        return Ok(Value::from(text.repeat(count)));
    }
    let mut items = Vec::new();
    for item in repeated.try_iter()? {
        context.charge_items(1)?;
        items.push(item);
    }
    context.charge_items(items.len().saturating_mul(count))?;
    let count = if items.is_empty() { 0 } else { count };
    let items: Vec<Value> = std::iter::repeat_n(items, count).flatten().collect();
    Ok(match is_tuple(repeated) {
        true => Value::from(Tuple::from(items)),
        false => Value::from(items),
    })
}

/// Both values with the characters that their placeholders represent.
fn real_values(
    context: &RenderContext,
    left: &Value,
    right: &Value,
) -> Result<(Value, Value), Error> {
    for value in [left, right] {
        context.charge_deep(value)?;
    }
    if context.marks().is_none() {
        return Ok((left.clone(), right.clone()));
    }
    Ok((context.real_value(left)?, context.real_value(right)?))
}

fn equal_values(context: &RenderContext, left: &Value, right: &Value) -> Result<bool, Error> {
    let (left, right) = real_values(context, left, right)?;
    Ok(left == right)
}

fn compare_values(context: &RenderContext, left: &Value, right: &Value) -> Result<Ordering, Error> {
    let (left, right) = real_values(context, left, right)?;
    Ok(left.cmp(&right))
}

fn contains_value(
    context: &RenderContext,
    container: &Value,
    value: &Value,
) -> Result<bool, Error> {
    if container.is_undefined() {
        return Ok(false);
    }
    if let Some(text) = container.as_str() {
        let part = context.printed_text(value)?;
        context.charge_bytes(text.len())?;
        return Ok(context.real_text(text).contains(&*context.real_text(&part)));
    }
    match container.kind() {
        ValueKind::Map => {
            context.charge_deep(value)?;
            let object = container.as_object();
            let has = |key: &Value| object.is_some_and(|object| object.get_value(key).is_some());
            Ok(has(value) || has(&context.real_value(value)?))
        }
        ValueKind::Seq | ValueKind::Iterable => {
            let value = context.real_value(value)?;
            for item in container.try_iter()? {
                context.charge_bytes(size_of::<Value>())?;
                if equal_values(context, &item, &value)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        _ => Err(invalid_operation(
            "cannot perform a containment check on this value",
        )),
    }
}

pub(crate) fn join_texts(
    context: &RenderContext,
    items: impl Iterator<Item = Value>,
    separator: &str,
) -> Result<Value, Error> {
    let mut out = String::new();
    for (index, item) in items.enumerate() {
        let text = context.printed_text(&item)?;
        context.charge_items(1)?;
        context.charge_bytes(text.len() + separator.len())?;
        if index > 0 {
            out.push_str(separator);
        }
        out.push_str(&text);
    }
    Ok(Value::from(out))
}

/// An argument that a filter receives by its position or by its name.
fn option_argument(
    args: &[Value],
    index: usize,
    kwargs: &Kwargs,
    name: &str,
) -> Result<Option<Value>, Error> {
    match args.get(index) {
        Some(value) => Ok(Some(value.clone())),
        None => kwargs.get(name),
    }
}

/// The attribute of a value at a path such as `function.name`.
fn attribute_path(value: Value, path: &Value) -> Result<Value, Error> {
    match path.as_str() {
        None => value.get_item(path),
        Some(path) => path
            .split('.')
            .try_fold(value, |value, key| match key.parse::<usize>() {
                Ok(index) => value.get_item(&Value::from(index)),
                Err(_) => value.get_attr(key),
            }),
    }
}

fn value_length(context: &RenderContext, value: &Value) -> Result<usize, Error> {
    if value.is_undefined() {
        return Ok(0);
    }
    context.charge_bytes(value.as_str().map_or(0, str::len))?;
    value.len().ok_or_else(|| {
        let kind = value.kind();
        Error::new(ErrorKind::InvalidOperation, format!("{kind} has no length"))
    })
}

fn indent_text(
    state: &State,
    value: &Value,
    args: &[Value],
    kwargs: &Kwargs,
) -> Result<Value, Error> {
    let context = RenderContext::from_state(state)?;
    let width = option_argument(args, 0, kwargs, "width")?;
    let first = option_argument(args, 1, kwargs, "first")?;
    let blank = option_argument(args, 2, kwargs, "blank")?;
    kwargs.assert_all_used()?;
    let [first, blank] = [first, blank].map(|flag| flag.is_some_and(|flag| flag.is_true()));
    let text = context.printed_text(value)?;
    let width = width.unwrap_or_else(|| Value::from(4));
    let lines = text.split('\n').count();
    let by = match (width.as_str(), width.as_usize()) {
        (Some(by), _) => by.to_owned(),
        (None, Some(width)) => {
            context.charge_bytes(width)?;
            " ".repeat(width)
        }
        (None, None) => return Err(invalid_operation("`width` is a number or a string")),
    };
    context.charge_bytes(text.len().saturating_add(by.len().saturating_mul(lines)))?;
    let mut out = String::with_capacity(text.len());
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let is_blank = line.trim().is_empty();
        if (index > 0 || first) && (blank || !is_blank) {
            out.push_str(&by);
        }
        out.push_str(line);
    }
    Ok(Value::from(out))
}

/// Formats values by a pattern, in which placeholders count as one character each.
pub(crate) fn format_text(
    context: &RenderContext,
    style: FormatStyle,
    pattern: &str,
    args: &[Value],
) -> Result<Value, Error> {
    charge_widths(context, pattern, args)?;
    formatting::format(style, pattern, args).map(Value::from)
}

/// Charges the widths in a pattern of `%` or `str.format`, before anything is padded to them.
fn charge_widths(context: &RenderContext, pattern: &str, args: &[Value]) -> Result<(), Error> {
    let real = context.real_text(pattern);
    context.charge_bytes(real.len())?;
    for digits in real.split(|char: char| !char.is_ascii_digit()) {
        if !digits.is_empty() {
            context.charge_bytes(digits.parse().unwrap_or(usize::MAX))?;
        }
    }
    let fields = real.matches(['%', '{']).count();
    // `%*d` and `{:{}}` take their width from an argument.
    let has_width = real.contains('*') || real.split('{').skip(1).any(|field| !field.contains('}'));
    for arg in args {
        let len = match arg.kind() {
            ValueKind::Number if has_width => {
                let width = i128::try_from(arg.clone()).unwrap_or(0).unsigned_abs();
                usize::try_from(width).unwrap_or(usize::MAX)
            }
            ValueKind::Number => 0,
            _ => context.printed_text(arg)?.len().saturating_mul(fields),
        };
        context.charge_bytes(len)?;
    }
    Ok(())
}
