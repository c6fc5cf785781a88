//! The filters of the language.

use std::cmp::Ordering;
use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::FromPrimitive;

use super::fault::{Fault, FaultKind, R};
use super::nodes::Compare;
use super::ops::Number;
use super::parser::unknown;
use super::print::JsonOptions;
use super::registry::{Args, Builtin, find_filter, find_test};
use super::run::Run;
use super::text::{Builder, Str};
use super::value::{List, Object, Value};
use super::{methods, registry};
use crate::expr;
use crate::expr::filters as typed;

/// A filter that the typed language has too, for a value of which nothing but the text or the number matters.
fn shared(run: &mut Run<'_>, value: &Value, args: &Args, filter: expr::Call) -> R<Value> {
    let source = value.source();
    let convert = |value: &Value| -> R<expr::Value<'static>> {
        Ok(match value {
            Value::None => expr::Value::None,
            Value::Bool(value) => expr::Value::Bool(*value),
            Value::Int(number, _) => expr::Value::Int(i128::from(*number)),
            Value::Float(number, _) => expr::Value::Float(*number),
            Value::Str(text) => {
                expr::Str::from_shared(&**text, prompt_core::Origin::Template).into()
            }
            Value::Undefined(reason) => return Err(Fault::new(&**reason)),
            other => {
                return Err(Fault::new(format!(
                    "the filter cannot work on {}",
                    other.kind()
                )));
            }
        })
    };
    run.charge_bytes(
        value
            .as_str()
            .map_or(0, |text| text.len().saturating_mul(4)),
    )?;
    let mut given = Vec::new();
    for argument in &args.given {
        given.push(argument.as_ref().map(convert).transpose()?);
    }
    let result = filter(&convert(value)?, &given).map_err(|error| Fault::new(error.to_string()))?;
    Ok(match result {
        expr::Value::Text(text) => Value::Str(Str::new(&*text, source)),
        expr::Value::Int(number) => Value::big(BigInt::from(number), source),
        expr::Value::Float(number) => Value::Float(number, source),
        expr::Value::Bool(value) => Value::Bool(value),
        _ => Value::None,
    })
}

/// The text that a filter works on.
fn text(run: &mut Run<'_>, value: &Value) -> R<Str> {
    let text = run.str_of(value)?;
    run.charge_bytes(text.len())?;
    Ok(text)
}

/// The string that a filter works on; other values have none.
fn own_text(run: &mut Run<'_>, value: &Value) -> R<Str> {
    match value {
        Value::Str(_) => text(run, value),
        Value::Undefined(reason) => Err(Fault::new(&**reason)),
        other => Err(Fault::new(format!(
            "'{}' object has no attribute 'splitlines'",
            other.kind()
        ))),
    }
}

/// The items of a value, of which a filter makes a generator: what is not iterable is an error where they are taken.
fn lazy_items(run: &mut Run<'_>, value: &Value) -> R<(Vec<Value>, Option<Box<Fault>>)> {
    match run.iterate(value) {
        Ok(items) => Ok((items, None)),
        Err(error) if error.kind == FaultKind::Runtime => Ok((Vec::new(), Some(error))),
        Err(error) => Err(error),
    }
}

/// The same, in a filter that takes no items of what is false.
fn items_if_true(run: &mut Run<'_>, value: &Value) -> R<(Vec<Value>, Option<Box<Fault>>)> {
    match value.is_true() {
        true => lazy_items(run, value),
        false => Ok((Vec::new(), None)),
    }
}

pub(super) fn abs(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    match value {
        Value::Float(number, source) => Ok(Value::Float(number.abs(), *source)),
        Value::Bool(_) | Value::Int(..) | Value::Big(..) => {
            match run.compare(Compare::Lt, value, &Value::int(0))? {
                true => run.negate(value, '-'),
                false => run.negate(value, '+'),
            }
        }
        Value::Undefined(reason) => Err(Fault::new(&**reason)),
        other => Err(Fault::new(format!(
            "bad operand type for abs(): '{}'",
            other.kind()
        ))),
    }
}

pub(super) fn attr(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let name = run.str_of(&args.value(0))?;
    if let Value::Dict(_) = value {
        return Ok(match registry::find_method(value, &name) {
            Some(method) => Value::object(Object::Method(value.clone(), method)),
            None => Value::undefined(format!("'dict object' has no attribute '{}'", &*name)),
        });
    }
    run.attribute(value, &name)
}

pub(super) fn batch(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let count = usize::try_from(args.int(0, 0)?).unwrap_or(0);
    let (items, error) = lazy_items(run, value)?;
    if args.some(1).is_some() && !items.is_empty() {
        run.charge_items(count)?;
    }
    let mut batches = Vec::new();
    let mut batch = Vec::new();
    for item in items {
        if batch.len() == count && (count > 0 || !batch.is_empty()) {
            batches.push(run.list(std::mem::take(&mut batch))?);
        }
        batch.push(item);
    }
    if !batch.is_empty() {
        if let Some(fill) = args.some(1) {
            while batch.len() < count {
                batch.push(fill.clone());
            }
        }
        batches.push(run.list(batch)?);
    }
    finish_generator(run, "do_batch", batches, error)
}

fn generator(run: &mut Run<'_>, name: &'static str, items: Vec<Value>) -> R<Value> {
    run.charge_items(items.len())?;
    run.checked(Value::generator(name, items))
}

pub(super) fn capitalize(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let text = text(run, value)?;
    methods::capitalize(run, &Value::Str(text), args)
}

pub(super) fn center(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let text = text(run, value)?;
    let mut args = Args {
        given: vec![Some(args.get(0).cloned().unwrap_or(Value::int(80)))],
        ..Args::default()
    };
    methods::center(run, &Value::Str(text), &mut args)
}

pub(super) fn default(_: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let is_missing = value.is_undefined() || args.flag(1, false) && !value.is_true();
    Ok(match is_missing {
        true => args.get(0).cloned().unwrap_or_else(|| Value::template("")),
        false => value.clone(),
    })
}

/// Keys by which values are sorted, compared without case where they are strings.
fn sort_key(run: &mut Run<'_>, value: Value, case_sensitive: bool) -> R<Value> {
    Ok(match value {
        Value::Str(text) if !case_sensitive => {
            run.charge_bytes(text.len())?;
            Value::Str(text.map_pieces(str::to_lowercase))
        }
        value => value,
    })
}

impl Run<'_> {
    /// Sorts items by keys as Python does: stable, with an error for keys that have no order.
    fn sort_by_keys(&mut self, mut keyed: Vec<(Value, Value)>, reverse: bool) -> R<Vec<Value>> {
        let mut failed: Option<Box<Fault>> = None;
        keyed.sort_by(|(a, _), (b, _)| {
            if failed.is_some() {
                return Ordering::Equal;
            }
            match self.order(a, b, "<") {
                Ok(order) if reverse => order.unwrap_or(Ordering::Equal).reverse(),
                Ok(order) => order.unwrap_or(Ordering::Equal),
                Err(fault) => {
                    failed = Some(fault);
                    Ordering::Equal
                }
            }
        });
        match failed {
            Some(fault) => Err(fault),
            None => Ok(keyed.into_iter().map(|(_, item)| item).collect()),
        }
    }

    /// The entries of a dict by their keys.
    pub(super) fn sort_entries(&mut self, entries: &[(Value, Value)]) -> R<Vec<(Value, Value)>> {
        self.charge_items(entries.len())?;
        let keyed = entries
            .iter()
            .enumerate()
            .map(|(at, (key, _))| (key.clone(), Value::len_of(at)))
            .collect();
        let order = self.sort_by_keys(keyed, false)?;
        let at = |value: &Value| {
            value
                .to_index()
                .ok()
                .and_then(|at| usize::try_from(at).ok())
                .unwrap_or(0)
        };
        Ok(order
            .iter()
            .map(|value| entries[at(value)].clone())
            .collect())
    }

    /// A value whose dicts are in the order of their keys.
    fn sort_keys(&mut self, value: &Value) -> R<Value> {
        self.charge_items(1)?;
        Ok(match value {
            Value::List(list) | Value::Tuple(list) => {
                let items = list.items.iter().map(|item| self.sort_keys(item));
                let items = items.collect::<R<Vec<Value>>>()?;
                match value {
                    Value::List(_) => Value::list(items),
                    _ => Value::tuple(items),
                }
            }
            Value::Dict(dict) => {
                let mut entries = self.sort_entries(dict.entries())?;
                for (_, value) in &mut entries {
                    *value = self.sort_keys(value)?;
                }
                Value::dict(entries)
            }
            other => other.clone(),
        })
    }

    /// The attribute of a value at a path such as `function.name`.
    fn attribute_path(&mut self, value: &Value, path: &Value, default: Option<&Value>) -> R<Value> {
        let mut value = value.clone();
        let Value::Str(path) = path else {
            self.charge_key(path)?;
            let item = self.item(&value, path)?;
            return Ok(or_default(item, default));
        };
        self.charge_bytes(path.len())?;
        for part in path.split('.') {
            let key = match part.parse::<i64>() {
                Ok(index) if part.bytes().all(|byte| byte.is_ascii_digit()) => Value::int(index),
                _ => Value::template(part),
            };
            let item = self.item(&value, &key)?;
            value = or_default(item, default);
        }
        Ok(value)
    }

    /// The values of one attribute, or of several separated by commas, as a key.
    fn multi_attribute(
        &mut self,
        value: &Value,
        path: Option<&Value>,
        case_sensitive: bool,
    ) -> R<Value> {
        let Some(path) = path else {
            return sort_key(self, value.clone(), case_sensitive);
        };
        let paths: Vec<Value> = match path {
            Value::Str(text) => text.split(',').map(Value::template).collect(),
            other => vec![other.clone()],
        };
        let mut parts = Vec::with_capacity(paths.len());
        for path in &paths {
            let part = self.attribute_path(value, path, None)?;
            parts.push(sort_key(self, part, case_sensitive)?);
        }
        self.tuple(parts)
    }

    /// The attribute of a value, or the value.
    fn optional_attribute(&mut self, value: &Value, path: Option<&Value>) -> R<Value> {
        match path {
            Some(path) => self.attribute_path(value, path, None),
            None => Ok(value.clone()),
        }
    }
}

fn or_default(value: Value, default: Option<&Value>) -> Value {
    match default {
        Some(default) if value.is_undefined() => default.clone(),
        _ => value,
    }
}

pub(super) fn dictsort(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let case_sensitive = args.flag(0, false);
    let by = match args.get(1) {
        None => 0,
        Some(Value::Str(by)) if **by == *"key" => 0,
        Some(Value::Str(by)) if **by == *"value" => 1,
        Some(_) => {
            return Err(Fault::new(
                "You can only sort by either \"key\" or \"value\"",
            ));
        }
    };
    let reverse = args.flag(2, false);
    let Value::Dict(dict) = value else {
        return Err(no_mapping(value, "items"));
    };
    run.charge_items(dict.len())?;
    let mut keyed = Vec::with_capacity(dict.len());
    for (key, value) in dict.entries() {
        let pair = run.tuple(vec![key.clone(), value.clone()])?;
        let by = if by == 0 { key } else { value };
        keyed.push((sort_key(run, by.clone(), case_sensitive)?, pair));
    }
    let items = run.sort_by_keys(keyed, reverse)?;
    run.list(items)
}

fn no_mapping(value: &Value, name: &str) -> Box<Fault> {
    match value {
        Value::Undefined(reason) => Fault::new(&**reason),
        other => Fault::new(format!(
            "'{} object' has no attribute '{name}'",
            other.kind()
        )),
    }
}

pub(super) fn escape(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    let text = text(run, value)?;
    if text.safe {
        return Ok(Value::Str(text));
    }
    run.charge_bytes(text.len().saturating_mul(5))?;
    Ok(Value::Str(text.escape_html()))
}

pub(super) fn forceescape(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    let text = text(run, value)?;
    run.charge_bytes(text.len().saturating_mul(5))?;
    Ok(Value::Str(text.escape_html()))
}

pub(super) fn filesizeformat(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    shared(run, value, args, typed::filesizeformat)
}

pub(super) fn first(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    if let Value::Object(object) = value
        && let Object::Generator(generator) = &**object
    {
        if let Some(item) = generator.items.borrow_mut().next() {
            return Ok(item);
        }
        if let Some(error) = generator.error.borrow_mut().take() {
            return Err(error);
        }
    }
    let first = run.iterate(value)?.into_iter().next();
    Ok(first.unwrap_or_else(|| Value::undefined("No first item, sequence was empty.")))
}

pub(super) fn last(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    if let Value::Object(object) = value
        && !matches!(
            **object,
            Object::Range(_) | Object::Group(_) | Object::View(..)
        )
    {
        return Err(Fault::new(format!(
            "'{}' object is not reversible",
            value.kind()
        )));
    }
    let last = run.iterate(value)?.pop();
    Ok(last.unwrap_or_else(|| Value::undefined("No last item, sequence was empty.")))
}

pub(super) fn float(_: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let source = value.source();
    let number = match value {
        Value::Str(text) => typed::parse_float(text),
        Value::Undefined(reason) => return Err(Fault::new(&**reason)),
        other => Number::of(other).map(|number| number.to_f64()),
    };
    Ok(match number {
        Some(number) => Value::Float(number, source),
        None => args.get(0).cloned().unwrap_or(Value::Float(0.0, source)),
    })
}

/// Python's `int(text, base)`.
fn parse_int(text: &str, base: u32) -> Option<BigInt> {
    let text = text.trim_matches(prompt_core::python::is_whitespace);
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = digits.get(..2).unwrap_or_default().to_ascii_lowercase();
    let prefixed = match &*lower {
        "0x" => 16,
        "0o" => 8,
        "0b" => 2,
        _ => 0,
    };
    let (digits, base) = match base {
        0 if prefixed > 0 => (&digits[2..], prefixed),
        0 => (digits, 10),
        base if prefixed == base => (&digits[2..], base),
        base => (digits, base),
    };
    let digits = match prefixed == base {
        true => digits.strip_prefix('_').unwrap_or(digits),
        false => digits,
    };
    if digits.starts_with('_')
        || digits.ends_with('_')
        || digits.contains("__")
        || !(2..=36).contains(&base)
    {
        return None;
    }
    let mut clean = String::with_capacity(digits.len());
    for char in digits.chars().filter(|char| *char != '_') {
        let digit = prompt_base::digit::decimal_value(char).filter(|digit| *digit < base);
        match digit {
            Some(digit) => clean.extend(char::from_digit(digit, 10)),
            None => clean.push(char),
        }
    }
    if clean.is_empty() || !clean.chars().all(|char| char.is_digit(base)) || clean.len() > 4300 {
        return None;
    }
    Some(BigInt::parse_bytes(clean.as_bytes(), base)? * sign)
}

pub(super) fn int(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let source = value.source();
    let base = u32::try_from(args.int(1, 10)?).unwrap_or(1);
    let whole = |number: f64| BigInt::from_f64(number.trunc());
    let number = match value {
        Value::Str(text) => {
            run.charge_bytes(text.len())?;
            let number = parse_int(text, base);
            number.or_else(|| typed::parse_float(text).and_then(whole))
        }
        Value::Float(number, _) => match whole(*number) {
            None if number.is_infinite() => {
                return Err(Fault::new("cannot convert float infinity to integer"));
            }
            whole => whole,
        },
        Value::Undefined(reason) => return Err(Fault::new(&**reason)),
        other => Number::of(other).and_then(|number| number.to_big()),
    };
    Ok(match number {
        Some(number) => Value::big(number, source),
        None => args.get(0).cloned().unwrap_or(Value::Int(0, source)),
    })
}

pub(super) fn format(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let pattern = text(run, value)?;
    if !args.rest.is_empty() && !args.named.is_empty() {
        return Err(Fault::new(
            "can't handle positional and keyword arguments at the same time",
        ));
    }
    let values = match args.named.is_empty() {
        true => run.tuple(std::mem::take(&mut args.rest))?,
        false => {
            let entries = std::mem::take(&mut args.named).into_iter();
            Value::dict(
                entries
                    .map(|(name, value)| (Value::template(name), value))
                    .collect(),
            )
        }
    };
    run.format_percent(&pattern, &values)
}

pub(super) fn groupby(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let path = args.value(0);
    let default = args.some(1).cloned();
    let case_sensitive = args.flag(2, false);
    let mut keyed = Vec::new();
    for item in run.iterate(value)? {
        let key = run.attribute_path(&item, &path, default.as_ref())?;
        keyed.push((sort_key(run, key, case_sensitive)?, item));
    }
    let sorted = run.sort_by_keys(keyed, false)?;
    let mut groups: Vec<(Value, Value, Vec<Value>)> = Vec::new();
    for item in sorted {
        let shown = run.attribute_path(&item, &path, default.as_ref())?;
        let key = sort_key(run, shown.clone(), case_sensitive)?;
        if let Some(last) = groups.last_mut()
            && run.equals(&last.0, &key)?
        {
            last.2.push(item);
            continue;
        }
        groups.push((key, shown, vec![item]));
    }
    let mut out = Vec::with_capacity(groups.len());
    for (_, shown, items) in groups {
        let items = run.list(items)?;
        let group = Value::object(Object::Group(Rc::new(List::new(vec![shown, items]))));
        out.push(run.checked(group)?);
    }
    run.list(out)
}

pub(super) fn indent(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let whole = own_text(run, value)?;
    let by = match args.get(0) {
        Some(Value::Str(by)) => by.clone(),
        width => {
            let width = width.map_or(Ok(4), Value::to_index)?;
            let width = usize::try_from(width).unwrap_or(0);
            run.charge_bytes(width)?;
            Str::template(" ".repeat(width))
        }
    };
    let (first, blank) = (args.flag(1, false), args.flag(2, false));
    let lines = prompt_core::python::lines(&whole);
    // A text that ends with a line break has an empty line after it.
    let ends = whole.is_empty() || lines.last().is_some_and(|line| line.end < whole.len());
    let mut ranges = lines;
    if ends {
        ranges.push(whole.len()..whole.len());
    }
    run.charge_items(ranges.len())?;
    run.charge_bytes(by.len().saturating_mul(ranges.len()))?;
    let mut out = Builder::default();
    for (index, range) in ranges.into_iter().enumerate() {
        if index > 0 {
            out.push_template("\n");
        }
        if index == 0 && first || index > 0 && (blank || !range.is_empty()) {
            out.push_str(&by);
        }
        out.push_str(&whole.slice(range));
    }
    Ok(Value::Str(out.finish_like(&whole)))
}

pub(super) fn items(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    match value {
        Value::Undefined(_) => generator(run, "do_items", Vec::new()),
        Value::Dict(dict) => {
            run.charge_items(dict.len())?;
            let mut pairs = Vec::with_capacity(dict.len());
            for (key, value) in dict.entries() {
                pairs.push(run.tuple(vec![key.clone(), value.clone()])?);
            }
            generator(run, "do_items", pairs)
        }
        _ => failing(
            run,
            "do_items",
            Vec::new(),
            Fault::new("Can only get item pairs from a mapping."),
        ),
    }
}

/// A generator with an error after its items, if there is one.
fn finish_generator(
    run: &mut Run<'_>,
    name: &'static str,
    items: Vec<Value>,
    error: Option<Box<Fault>>,
) -> R<Value> {
    match error {
        Some(error) => failing(run, name, items, error),
        None => generator(run, name, items),
    }
}

/// A generator that fails when its items are taken.
fn failing(
    run: &mut Run<'_>,
    name: &'static str,
    items: Vec<Value>,
    error: Box<Fault>,
) -> R<Value> {
    let value = generator(run, name, items)?;
    if let Some(Object::Generator(generator)) = value.as_object() {
        *generator.error.borrow_mut() = Some(error);
    }
    Ok(value)
}

pub(super) fn join(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let separator = match args.get(0) {
        Some(separator) => run.str_of(separator)?,
        None => Str::template(""),
    };
    let path = args.some(1).cloned();
    let mut texts = Vec::new();
    for item in run.iterate(value)? {
        let item = run.optional_attribute(&item, path.as_ref())?;
        texts.push(run.str_of(&item)?);
    }
    run.join(&texts, &separator)
}

impl Run<'_> {
    /// Joins strings.
    pub(super) fn join(&mut self, texts: &[Str], separator: &Str) -> R<Value> {
        let safe = self.autoescape && (separator.safe || texts.iter().any(|text| text.safe));
        let mut out = Builder::default();
        for (index, text) in texts.iter().enumerate() {
            self.charge_items(1)?;
            self.charge_bytes(text.len() + separator.len())?;
            if index > 0 {
                out.push_str(separator);
            }
            match safe && !text.safe {
                true => out.push_str(&text.escape_html()),
                false => out.push_str(text),
            }
        }
        let mut text = out.finish();
        text.safe = safe;
        Ok(Value::Str(text))
    }
}

fn filter_length(value: &Value) -> R<i64> {
    let length = value.length();
    let length = length
        .ok_or_else(|| Fault::new(format!("object of type '{}' has no len()", value.kind())))?;
    Ok(i64::try_from(length).unwrap_or(i64::MAX))
}

pub(super) fn length(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    if let Value::Str(text) = value {
        run.charge_bytes(text.len())?;
        return Ok(Value::len_of(text.count()).with_source(text.source()));
    }
    Ok(Value::int(filter_length(value)?))
}

pub(super) fn list(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    let items = run.iterate(value)?;
    run.list(items)
}

pub(super) fn lower(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let text = text(run, value)?;
    methods::lower(run, &Value::Str(text), args)
}

pub(super) fn upper(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let text = text(run, value)?;
    methods::upper(run, &Value::Str(text), args)
}

/// A filter or test that is named by a value.
fn by_name(run: &mut Run<'_>, name: &Value, is_filter: bool) -> R<&'static Builtin> {
    let name = run.str_of(name)?;
    let found = match is_filter {
        true => find_filter(&name),
        false => find_test(&name),
    };
    found.ok_or_else(|| unknown(&name, is_filter))
}

pub(super) fn map(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let mut rest = std::mem::take(&mut args.rest);
    let mut named = std::mem::take(&mut args.named);
    let (items, error) = items_if_true(run, value)?;
    let mut out = Vec::with_capacity(items.len());
    if rest.is_empty() {
        let mut take = |wanted: &str| {
            let at = named.iter().position(|entry| *entry.0 == *wanted);
            at.map(|at| named.remove(at).1)
        };
        let path = take("attribute").ok_or_else(|| Fault::new("map requires a filter argument"))?;
        let default = take("default");
        if let Some((unknown, _)) = named.first() {
            return Err(Fault::new(format!(
                "Unexpected keyword argument '{unknown}'"
            )));
        }
        if let Some(default) = &default {
            run.charge_key(default)?;
        }
        for item in items {
            match run.attribute_path(&item, &path, default.as_ref()) {
                Ok(value) => out.push(value),
                Err(error) => return deferred(run, "sync_do_map", out, error),
            }
        }
        return finish_generator(run, "sync_do_map", out, error);
    }
    let filter = by_name(run, &rest.remove(0), true)?;
    for item in items {
        match run.call_builtin(filter, &item, rest.clone(), named.clone()) {
            Ok(value) => out.push(value),
            Err(error) => return deferred(run, "sync_do_map", out, error),
        }
    }
    finish_generator(run, "sync_do_map", out, error)
}

/// Items up to an error, which is raised where it is reached. An exceeded limit ends the template at once.
fn deferred(
    run: &mut Run<'_>,
    name: &'static str,
    items: Vec<Value>,
    error: Box<Fault>,
) -> R<Value> {
    match error.kind {
        FaultKind::Runtime | FaultKind::Unsupported | FaultKind::Raised => {
            failing(run, name, items, error)
        }
        _ => Err(error),
    }
}

/// `select`, `reject` and their kin.
fn filter_items(
    run: &mut Run<'_>,
    value: &Value,
    args: &mut Args,
    keeps: bool,
    by_attribute: bool,
) -> R<Value> {
    let mut rest = std::mem::take(&mut args.rest);
    let named = std::mem::take(&mut args.named);
    let path = match by_attribute {
        true if rest.is_empty() => return Err(Fault::new("Missing parameter for attribute name")),
        true => Some(rest.remove(0)),
        false => None,
    };
    let test = match rest.is_empty() {
        true => None,
        false => Some(by_name(run, &rest.remove(0), false)?),
    };
    let mut out = Vec::new();
    let (items, error) = items_if_true(run, value)?;
    for item in items {
        run.charge_call()?;
        let tested = run
            .optional_attribute(&item, path.as_ref())
            .and_then(|tested| {
                Ok(match test {
                    Some(test) => run
                        .call_builtin(test, &tested, rest.clone(), named.clone())?
                        .is_true(),
                    None => tested.is_true(),
                })
            });
        match tested {
            Ok(holds) if holds == keeps => out.push(item),
            Ok(_) => {}
            Err(error) => return deferred(run, "select_or_reject", out, error),
        }
    }
    finish_generator(run, "select_or_reject", out, error)
}

pub(super) fn select(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    filter_items(run, value, args, true, false)
}

pub(super) fn reject(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    filter_items(run, value, args, false, false)
}

pub(super) fn selectattr(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    filter_items(run, value, args, true, true)
}

pub(super) fn rejectattr(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    filter_items(run, value, args, false, true)
}

fn extreme(run: &mut Run<'_>, value: &Value, args: &Args, wanted: Ordering) -> R<Value> {
    let case_sensitive = args.flag(0, false);
    let path = args.some(1);
    let mut best: Option<(Value, Value)> = None;
    for item in run.iterate(value)? {
        let key = run.optional_attribute(&item, path)?;
        let key = sort_key(run, key, case_sensitive)?;
        let is_better = match &best {
            Some((known, _)) => run.order(&key, known, "<")? == Some(wanted),
            None => true,
        };
        if is_better {
            best = Some((key, item));
        }
    }
    Ok(match best {
        Some((_, item)) => item,
        None => Value::undefined("No aggregated item, sequence was empty."),
    })
}

pub(super) fn max(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    extreme(run, value, args, Ordering::Greater)
}

pub(super) fn min(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    extreme(run, value, args, Ordering::Less)
}

/// Python's `pprint`, which sorts the keys of dicts; only what fits into its line.
pub(super) fn pprint(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    let value = run.sort_keys(value)?;
    let text = run.repr(&value)?;
    match text.chars().count() > 80 && !matches!(value, Value::Str(_)) {
        true => Err(Fault::of(
            FaultKind::Unsupported,
            "the filter `pprint` is not supported for values that are longer than 80 characters; use `tojson(indent=1)`",
        )),
        false => Ok(Value::Str(text)),
    }
}

pub(super) fn left_out_random(_: &mut Run<'_>, _: &Value, _: &mut Args) -> R<Value> {
    Err(Fault::of(
        FaultKind::Unsupported,
        "the filter `random` is not supported: a prompt is the same each time",
    ))
}

pub(super) fn left_out_urlize(_: &mut Run<'_>, _: &Value, _: &mut Args) -> R<Value> {
    Err(Fault::of(
        FaultKind::Unsupported,
        "the filter `urlize` is not supported: it makes HTML",
    ))
}

pub(super) fn replace(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let text = text(run, value)?;
    let (old, new) = (run.str_of(&args.value(0))?, run.str_of(&args.value(1))?);
    let count = match args.some(2) {
        Some(count) => count.to_index()?,
        None => -1,
    };
    run.replace_text(&text, &old, &new, count)
}

pub(super) fn reverse(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    if let Value::Str(text) = value {
        run.charge_bytes(text.len())?;
        let mut out = Builder::default();
        for (at, char) in text.char_indices().rev() {
            out.push_str(&text.slice(at..at + char.len_utf8()));
        }
        return Ok(Value::Str(out.finish_like(text)));
    }
    let mut items = run.iterate(value)?;
    items.reverse();
    match value {
        // Without `__reversed__`, the filter makes a list.
        Value::Object(object) if matches!(**object, Object::Generator(_)) => run.list(items),
        Value::Undefined(_) => run.list(items),
        _ => generator(run, "reversed", items),
    }
}

pub(super) fn round(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    if let Value::Big(..) = value {
        return Ok(value.clone());
    }
    shared(run, value, args, typed::round)
}

pub(super) fn safe(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    let mut text = text(run, value)?;
    text.safe = true;
    Ok(Value::Str(text))
}

pub(super) fn slice(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let count = args.int(0, 0)?;
    let (items, error) = lazy_items(run, value)?;
    if let Some(error) = error {
        return failing(run, "sync_do_slice", Vec::new(), error);
    }
    let count = match usize::try_from(count) {
        Ok(0) | Err(_) => {
            let error = Fault::new("integer division or modulo by zero");
            return failing(run, "sync_do_slice", Vec::new(), error);
        }
        Ok(count) => count,
    };
    run.charge_items(count)?;
    let (each, more) = (items.len() / count, items.len() % count);
    let mut items = items.into_iter();
    let mut slices = Vec::with_capacity(count);
    for at in 0..count {
        let mut slice: Vec<Value> = items.by_ref().take(each + usize::from(at < more)).collect();
        if let Some(fill) = args.some(1)
            && at >= more
        {
            slice.push(fill.clone());
        }
        slices.push(run.list(slice)?);
    }
    generator(run, "sync_do_slice", slices)
}

pub(super) fn sort(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let (reverse, case_sensitive) = (args.flag(0, false), args.flag(1, false));
    let path = args.some(2).cloned();
    let mut keyed = Vec::new();
    for item in run.iterate(value)? {
        keyed.push((
            run.multi_attribute(&item, path.as_ref(), case_sensitive)?,
            item,
        ));
    }
    let items = run.sort_by_keys(keyed, reverse)?;
    run.list(items)
}

pub(super) fn string(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    run.str_of(value).map(Value::Str)
}

/// A text without the parts between two delimiters.
fn without_parts(text: &Str, open: &str, close: &str) -> Str {
    let mut out = Builder::default();
    let mut from = 0;
    while let Some(start) = text[from..].find(open).map(|found| from + found) {
        let Some(end) = text[start..].find(close) else {
            break;
        };
        out.push_str(&text.slice(from..start));
        from = start + end + close.len();
    }
    out.push_str(&text.slice(from..text.len()));
    out.finish()
}

/// Removes comments and tags, and the white space around words.
pub(super) fn striptags(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    let text = text(run, value)?;
    run.charge_bytes(text.len().saturating_mul(2))?;
    // Comments first: they may contain tags.
    let whole = without_parts(&text, "<!--", "-->");
    let whole = without_parts(&whole, "<", ">");
    let mut out = Builder::default();
    for word in whole
        .split(prompt_core::python::is_whitespace)
        .filter(|word| !word.is_empty())
    {
        if out.len() > 0 {
            out.push_template(" ");
        }
        let start = word.as_ptr() as usize - whole.as_ptr() as usize;
        out.push_str(&whole.slice(start..start + word.len()));
    }
    let text = out.finish();
    if text.contains('&') {
        return Err(Fault::of(
            FaultKind::Unsupported,
            "the filter `striptags` is not supported for text with `&`, which it would read as HTML",
        ));
    }
    Ok(Value::Str(text))
}

pub(super) fn sum(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let path = args.some(0).cloned();
    let mut sum = args.get(1).cloned().unwrap_or(Value::int(0));
    if let Value::Str(_) = sum {
        return Err(Fault::new(
            "sum() can't sum strings [use ''.join(seq) instead]",
        ));
    }
    for item in run.iterate(value)? {
        let item = run.optional_attribute(&item, path.as_ref())?;
        sum = run.arith(super::nodes::Arith::Add, &sum, &item)?;
    }
    Ok(sum)
}

pub(super) fn title(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    let text = text(run, value)?;
    run.charge_bytes(text.len())?;
    Ok(Value::Str(methods::change(&text, typed::title_words)))
}

pub(super) fn tojson(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let indent = match args.some(1) {
        None => None,
        Some(Value::Str(indent)) => Some(indent.to_string()),
        Some(width) => {
            let width = usize::try_from(width.to_index()?).unwrap_or(0);
            run.charge_bytes(width)?;
            Some(" ".repeat(width))
        }
    };
    let mut options = JsonOptions {
        ascii: args.flag(0, false),
        item: if indent.is_some() { "," } else { ", " }.to_owned(),
        key: ": ".to_owned(),
        indent,
        sorted: args.flag(3, false),
    };
    if let Some(separators) = args.some(2) {
        let pair = run.iterate(separators)?;
        let [Value::Str(item), Value::Str(key)] = &pair[..] else {
            return Err(Fault::new("`separators` are two strings"));
        };
        options.item = item.to_string();
        options.key = key.to_string();
    }
    let separators =
        options.item.len() + options.key.len() + options.indent.as_ref().map_or(0, String::len);
    run.charge_bytes(separators)?;
    run.json(value, &options).map(Value::Str)
}

pub(super) fn trim(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let text = text(run, value)?;
    methods::strip(run, &Value::Str(text), args)
}

pub(super) fn truncate(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let length = args.int(0, 255)?;
    let kills = args.flag(1, false);
    let end = match args.get(2) {
        Some(end) => run.str_of(end)?,
        None => Str::template("..."),
    };
    let leeway = match args.some(3) {
        Some(leeway) => leeway.to_index()?,
        None => 5,
    };
    let count = |text: &str| i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
    let kept = length - count(&end).min(length.saturating_add(1));
    if kept < 0 {
        return Err(Fault::new(format!(
            "expected length >= {}, got {length}",
            count(&end)
        )));
    }
    if leeway < 0 {
        return Err(Fault::new(format!("expected leeway >= 0, got {leeway}")));
    }
    if !matches!(value, Value::Str(_)) {
        let size = filter_length(value)?;
        return match size <= length.saturating_add(leeway) {
            true => Ok(value.clone()),
            false => Err(Fault::new(format!(
                "'{}' object cannot be cut",
                value.kind()
            ))),
        };
    }
    let text = text(run, value)?;
    if count(&text) <= length.saturating_add(leeway) {
        return Ok(Value::Str(text));
    }
    let mut cut =
        crate::expr::chars::char_offset(&text, usize::try_from(kept).unwrap_or(usize::MAX));
    if !kills {
        cut = text[..cut].rfind(' ').unwrap_or(cut);
    }
    let mut out = Builder::default();
    out.push_str(&text.slice(0..cut));
    out.push_str(&end);
    Ok(Value::Str(out.finish()))
}

pub(super) fn unique(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let case_sensitive = args.flag(0, false);
    let path = args.some(1).cloned();
    let mut seen = super::value::Dict::default();
    let mut out = Vec::new();
    let (items, error) = lazy_items(run, value)?;
    for item in items {
        let key = run.optional_attribute(&item, path.as_ref())?;
        let key = sort_key(run, key, case_sensitive)?;
        run.charge_key(&key)?;
        if !key.is_hashable() {
            return Err(Fault::new(format!("unhashable type: '{}'", key.kind())));
        }
        if seen.get(&key).is_none() {
            seen.insert(key, Value::None);
            out.push(item);
        }
    }
    finish_generator(run, "sync_do_unique", out, error)
}

pub(super) fn urlencode(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    let quote = |run: &mut Run<'_>, value: &Value, safe: &[u8]| -> R<Str> {
        let text = run.str_of(value)?;
        run.charge_bytes(text.len().saturating_mul(3))?;
        Ok(text.map_pieces(|piece| match safe.is_empty() {
            true => typed::percent_encode(piece, safe).replace("%20", "+"),
            false => typed::percent_encode(piece, safe),
        }))
    };
    let pairs = match value {
        Value::Dict(dict) => dict
            .entries()
            .iter()
            .map(|(key, value)| vec![key.clone(), value.clone()])
            .collect(),
        Value::Str(_)
        | Value::None
        | Value::Bool(_)
        | Value::Int(..)
        | Value::Big(..)
        | Value::Float(..) => {
            return quote(run, value, b"/").map(Value::Str);
        }
        other => {
            let mut pairs = Vec::new();
            for item in run.iterate(other)? {
                pairs.push(run.iterate(&item)?);
            }
            pairs
        }
    };
    let mut texts = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let [key, value] = &pair[..] else {
            return Err(Fault::new("`urlencode` takes pairs"));
        };
        let mut out = Builder::default();
        out.push_str(&quote(run, key, b"")?);
        out.push_template("=");
        out.push_str(&quote(run, value, b"")?);
        texts.push(out.finish());
    }
    run.join(&texts, &Str::template("&"))
}

pub(super) fn wordcount(run: &mut Run<'_>, value: &Value, _: &mut Args) -> R<Value> {
    let text = text(run, value)?;
    let words = text.split(|char| !crate::expr::chars::is_word(char));
    Ok(Value::len_of(words.filter(|word| !word.is_empty()).count()))
}

pub(super) fn wordwrap(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let text = own_text(run, value)?;
    let width = args.int(0, 79)?;
    let breaks = args.flag(1, true);
    let between = match args.some(2) {
        Some(between) => run.str_of(between)?,
        None => Str::template("\n"),
    };
    let hyphens = args.flag(3, true);
    if width <= 0 && !text.is_empty() {
        return Err(Fault::new(format!("invalid width {width} (must be > 0)")));
    }
    run.charge_bytes(text.len().saturating_mul(32))?;
    let width = usize::try_from(width).unwrap_or(0);
    let mut out = Builder::default();
    for (index, line) in prompt_core::python::lines(&text).into_iter().enumerate() {
        if index > 0 {
            out.push_str(&between);
        }
        for (index, kept) in typed::wrap_line(&text[line.clone()], width, breaks, hyphens)
            .into_iter()
            .enumerate()
        {
            run.charge_bytes(between.len() + kept.len())?;
            if index > 0 {
                out.push_str(&between);
            }
            out.push_str(&text.slice(line.start + kept.start..line.start + kept.end));
        }
    }
    Ok(Value::Str(out.finish()))
}

pub(super) fn xmlattr(run: &mut Run<'_>, value: &Value, args: &mut Args) -> R<Value> {
    let Value::Dict(dict) = value else {
        return Err(no_mapping(value, "items"));
    };
    let mut out = Builder::default();
    for (key, value) in dict.entries() {
        if matches!(value, Value::None | Value::Undefined(_)) {
            continue;
        }
        let (key, value) = (run.str_of(key)?, run.str_of(value)?);
        run.charge_bytes((key.len() + value.len()).saturating_mul(6))?;
        if key
            .contains(|char: char| prompt_core::python::is_whitespace(char) || "/>=".contains(char))
        {
            return Err(Fault::new(format!(
                "Invalid character in attribute name: '{}'",
                &*key
            )));
        }
        if out.len() > 0 || args.flag(0, true) {
            out.push_template(" ");
        }
        out.push_str(&key.escape_html());
        out.push_template("=\"");
        out.push_str(&value.escape_html());
        out.push_template("\"");
    }
    Ok(Value::Str(out.finish()))
}
