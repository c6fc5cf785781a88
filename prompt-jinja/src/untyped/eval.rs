//! Evaluates expressions.

use std::rc::Rc;

use num_bigint::BigInt;

use super::fault::{Fault, FaultKind, R};
use super::nodes::{Arguments, Const, Expr, ExprKind, Named};
use super::parser::unknown;
use super::registry::{Builtin, MUTATORS, NamedArgument, find_method};
use super::run::{Frame, Run};
use super::text::{Source, Str};
use super::value::{Dict, LoopState, Object, Value};
use crate::builtin::arith::sign_value;
use crate::builtin::item::{item_at, resolve_position, slice_bound, slice_value};
use crate::builtin::{Host, ITEM_BYTES};

/// Arguments of a call, evaluated.
type Evaluated = (Vec<Value>, Vec<NamedArgument>);

impl Run<'_> {
    #[inline]
    pub(super) fn eval_kind(&mut self, expr: &Expr, frame: &Rc<Frame>) -> R<Value> {
        match &expr.kind {
            ExprKind::Const(value) => Ok(constant(value)),
            ExprKind::Name(symbol) => Ok(self.name(*symbol, frame)),
            ExprKind::Attribute(value, name) => {
                let value = self.eval(value, frame)?;
                self.attribute(&value, name)
                    .map_err(|fault| fault.at(expr.span))
            }
            ExprKind::Item(value, key) => self.eval_item(expr, value, key, frame),
            ExprKind::Slice(value, bounds) => self.eval_slice(expr, value, bounds, frame),
            ExprKind::Call(..) => self.call_with(expr, None, frame),
            ExprKind::Filter(value, named, arguments) => {
                let value = match value {
                    Some(value) => self.eval(value, frame)?,
                    None => Value::undefined("a filter block has no value"),
                };
                self.filter(expr, &value, named, arguments, frame)
            }
            ExprKind::Test(value, named, arguments) => {
                self.eval_test(expr, value, named, arguments, frame)
            }
            ExprKind::Not(value) => Ok(Value::bool(!self.eval(value, frame)?.is_true())),
            ExprKind::And(operands) => self.eval_logic(operands, false, frame),
            ExprKind::Or(operands) => self.eval_logic(operands, true, frame),
            ExprKind::Compare(first, others) => {
                let mut left = self.eval(first, frame)?;
                for (operator, right) in others {
                    let right = self.eval(right, frame)?;
                    if !self
                        .compare(*operator, &left, &right)
                        .map_err(|fault| fault.at(expr.span))?
                    {
                        return Ok(Value::bool(false));
                    }
                    left = right;
                }
                Ok(Value::bool(true))
            }
            ExprKind::Condition(condition) => {
                match (
                    self.eval(&condition.test, frame)?.is_true(),
                    &condition.otherwise,
                ) {
                    (true, _) => self.eval(&condition.then, frame),
                    (false, Some(otherwise)) => self.eval(otherwise, frame),
                    (false, None) => Ok(Value::undefined(
                        "the inline if-expression evaluated to false and no else section was defined.",
                    )),
                }
            }
            _ => self.eval_rest(expr, frame),
        }
    }

    #[inline(never)]
    fn eval_rest(&mut self, expr: &Expr, frame: &Rc<Frame>) -> R<Value> {
        let at = |fault: Box<Fault>| fault.at(expr.span);
        match &expr.kind {
            ExprKind::List(items) => {
                let items = self.eval_all(items, frame)?;
                self.list(items).map_err(at)
            }
            ExprKind::Tuple(items) => {
                let items = self.eval_all(items, frame)?;
                self.tuple(items).map_err(at)
            }
            ExprKind::Dict(entries) => {
                let mut dict = Dict::default();
                for (key, value) in entries {
                    let key = self.eval(key, frame)?;
                    let value = self.eval(value, frame)?;
                    self.charge_key(&key).map_err(at)?;
                    if !key.is_hashable() {
                        return Err(
                            Fault::new(format!("unhashable type: '{}'", key.kind())).at(expr.span)
                        );
                    }
                    self.insert_entry(&mut dict, key, value).map_err(at)?;
                }
                self.checked(Value::Dict(Rc::new(dict))).map_err(at)
            }
            ExprKind::Neg(value) => {
                let value = self.eval(value, frame)?;
                sign_value::<Run<'_>>('-', &value).map_err(at)
            }
            ExprKind::Pos(value) => {
                let value = self.eval(value, frame)?;
                sign_value::<Run<'_>>('+', &value).map_err(at)
            }
            ExprKind::Arith(first, others) => {
                let mut left = self.eval(first, frame)?;
                for (operator, right) in others {
                    let right = self.eval(right, frame)?;
                    left = self.compute(*operator, &left, &right).map_err(at)?;
                }
                Ok(left)
            }
            ExprKind::Concat(operands) => {
                let operands = self.eval_all(operands, frame)?;
                self.concat(&operands).map_err(at)
            }
            _ => Err(
                Fault::of(FaultKind::Unsupported, "the expression is not supported").at(expr.span),
            ),
        }
    }

    fn eval_all(&mut self, items: &[Expr], frame: &Rc<Frame>) -> R<Vec<Value>> {
        items.iter().map(|item| self.eval(item, frame)).collect()
    }

    /// The first operand that decides, or the last one.
    fn eval_logic(&mut self, operands: &[Expr], decides: bool, frame: &Rc<Frame>) -> R<Value> {
        let mut value = Value::none();
        for operand in operands {
            value = self.eval(operand, frame)?;
            if value.is_true() == decides {
                break;
            }
        }
        Ok(value)
    }

    #[inline(never)]
    fn eval_item(&mut self, expr: &Expr, value: &Expr, key: &Expr, frame: &Rc<Frame>) -> R<Value> {
        let value = self.eval(value, frame)?;
        let key = self.eval(key, frame)?;
        self.item(&value, &key).map_err(|fault| fault.at(expr.span))
    }

    #[inline(never)]
    fn eval_slice(
        &mut self,
        expr: &Expr,
        value: &Expr,
        bounds: &[Option<Box<Expr>>; 3],
        frame: &Rc<Frame>,
    ) -> R<Value> {
        let value = self.eval(value, frame)?;
        let mut numbers = [None; 3];
        for (number, bound) in numbers.iter_mut().zip(bounds) {
            if let Some(bound) = bound {
                let bound = self.eval(bound, frame)?;
                *number = slice_bound::<Run<'_>>(&bound).map_err(|fault| fault.at(expr.span))?;
            }
        }
        self.slice(&value, numbers)
            .map_err(|fault| fault.at(expr.span))
    }

    #[inline(never)]
    fn eval_test(
        &mut self,
        expr: &Expr,
        value: &Expr,
        named: &Named,
        arguments: &Arguments,
        frame: &Rc<Frame>,
    ) -> R<Value> {
        let at = |fault: Box<Fault>| fault.at(expr.span);
        let value = self.eval(value, frame)?;
        let Some(builtin) = named.builtin else {
            return Err(at(unknown(&named.name, false)));
        };
        if arguments.positional.is_empty()
            && builtin.parameters.is_empty()
            && arguments.named.is_empty()
        {
            self.step()?;
            return (builtin.call)(self, &value, &mut super::registry::Args::default()).map_err(at);
        }
        let (positional, named) = self.eval_arguments(arguments, frame)?;
        self.call_builtin(builtin, &value, positional, named)
            .map_err(at)
    }

    pub(super) fn call_builtin(
        &mut self,
        builtin: &Builtin,
        value: &Value,
        positional: Vec<Value>,
        named: Vec<NamedArgument>,
    ) -> R<Value> {
        self.charge_call()?;
        let mut args = builtin.bind_arguments(self, positional, named)?;
        (builtin.call)(self, value, &mut args)
    }

    #[inline(never)]
    fn filter(
        &mut self,
        expr: &Expr,
        value: &Value,
        named: &Named,
        arguments: &Arguments,
        frame: &Rc<Frame>,
    ) -> R<Value> {
        let at = |fault: Box<Fault>| fault.at(expr.span);
        let Some(builtin) = named.builtin else {
            return Err(at(unknown(&named.name, true)));
        };
        let (positional, named) = self.eval_arguments(arguments, frame)?;
        self.call_builtin(builtin, value, positional, named)
            .map_err(at)
    }

    /// The filters of a block, applied to its text.
    pub(super) fn filter_chain(
        &mut self,
        expr: &Expr,
        value: Value,
        frame: &Rc<Frame>,
    ) -> R<Value> {
        let ExprKind::Filter(inner, named, arguments) = &expr.kind else {
            return Ok(value);
        };
        let value = match inner {
            Some(inner) => self.filter_chain(inner, value, frame)?,
            None => value,
        };
        self.filter(expr, &value, named, arguments, frame)
    }

    fn eval_arguments(&mut self, arguments: &Arguments, frame: &Rc<Frame>) -> R<Evaluated> {
        let mut positional = self.eval_all(&arguments.positional, frame)?;
        let mut named: Vec<NamedArgument> = Vec::with_capacity(arguments.named.len());
        for (name, value) in &arguments.named {
            if named.iter().any(|(known, _)| **known == **name) {
                return Err(Fault::of(
                    FaultKind::Syntax,
                    format!("keyword argument repeated: {name}"),
                )
                .at(value.span));
            }
            named.push((Str::template(name.clone()), self.eval(value, frame)?));
        }
        if let Some(rest) = &arguments.rest {
            let items = self.eval(rest, frame)?;
            positional.extend(self.iterate(&items).map_err(|fault| fault.at(rest.span))?);
        }
        if let Some(rest) = &arguments.rest_named {
            let items = self.eval(rest, frame)?;
            let Value::Dict(dict) = &items else {
                let message = format!("argument after ** must be a mapping, not {}", items.kind());
                return Err(Fault::new(message).at(rest.span));
            };
            self.charge_items(dict.len())?;
            for (key, value) in dict.entries() {
                let Value::Str(key) = key else {
                    return Err(Fault::new("keywords must be strings").at(rest.span));
                };
                if arguments.named.iter().any(|(known, _)| **known == **key) {
                    let message = format!("got multiple values for keyword argument '{}'", &**key);
                    return Err(Fault::new(message).at(rest.span));
                }
                named.push((key.clone(), value.clone()));
            }
        }
        Ok((positional, named))
    }

    /// A call, with the body of a call block.
    #[inline(never)]
    pub(super) fn call_with(
        &mut self,
        expr: &Expr,
        caller: Option<Value>,
        frame: &Rc<Frame>,
    ) -> R<Value> {
        let ExprKind::Call(callee, arguments) = &expr.kind else {
            return Err(Fault::new("expected call").at(expr.span));
        };
        // A method is called without making an object of it.
        if let ExprKind::Attribute(value, name) = &callee.kind {
            let value = self.eval(value, frame)?;
            if let Some(method) = find_method(&value, name) {
                let (positional, named) = self.eval_arguments(arguments, frame)?;
                return self
                    .call_builtin(method, &value, positional, named)
                    .map_err(|fault| fault.at(expr.span));
            }
            let callee_value = self
                .attribute(&value, name)
                .map_err(|fault| fault.at(callee.span))?;
            if let Value::Undefined(reason) = &callee_value {
                let at = super::fault::Span {
                    start: callee.span.end - u32::try_from(name.len()).unwrap_or(0),
                    end: expr.span.end,
                };
                return Err(Fault::new(&**reason).at(at));
            }
            return self.call_evaluated(expr, &callee_value, arguments, caller, frame);
        }
        let callee = self.eval(callee, frame)?;
        self.call_evaluated(expr, &callee, arguments, caller, frame)
    }

    fn call_evaluated(
        &mut self,
        expr: &Expr,
        callee: &Value,
        arguments: &Arguments,
        caller: Option<Value>,
        frame: &Rc<Frame>,
    ) -> R<Value> {
        let (positional, mut named) = self.eval_arguments(arguments, frame)?;
        named.extend(caller.map(|caller| (Str::template("caller"), caller)));
        self.call_value(callee, positional, named)
            .map_err(|fault| fault.at(expr.span))
    }

    pub(super) fn call_value(
        &mut self,
        callee: &Value,
        positional: Vec<Value>,
        named: Vec<NamedArgument>,
    ) -> R<Value> {
        match callee {
            Value::Undefined(reason) => Err(Fault::new(&**reason)),
            Value::Object(object) => match &**object {
                Object::Function(builtin) => {
                    self.call_builtin(builtin, &Value::none(), positional, named)
                }
                Object::Method(value, builtin) => {
                    self.call_builtin(builtin, value, positional, named)
                }
                Object::Macro(found) => {
                    self.charge_call()?;
                    self.call_macro(found, positional, named)
                }
                Object::Loop(LoopState {
                    recursive: Some(recursion),
                    ..
                }) => {
                    self.charge_call()?;
                    let [items] = &positional[..] else {
                        return Err(Fault::new("loop() takes the items of the recursive loop"));
                    };
                    self.recurse(recursion, items)
                }
                Object::Loop(_) => Err(Fault::new(
                    "The loop must have the 'recursive' marker to be called recursively.",
                )),
                Object::Joiner(separator, used) => Ok(match used.replace(true) {
                    true => separator.clone(),
                    false => Value::template(""),
                }),
                _ => Err(not_callable(callee)),
            },
            _ => Err(not_callable(callee)),
        }
    }

    /// Counts a key that is hashed or compared.
    pub(super) fn charge_key(&mut self, key: &Value) -> R<()> {
        match key {
            Value::Str(text) => self.charge_bytes(ITEM_BYTES + text.len()),
            Value::Tuple(list) | Value::List(list) => {
                self.charge_items(list.items.len() + 1)?;
                list.items.iter().try_for_each(|item| self.charge_key(item))
            }
            Value::Dict(dict) => self.charge_items(dict.len() + 1),
            _ => self.charge_items(1),
        }
    }

    /// The value of a key in a dict. A key of the template does not act in guarded data, which may be the key that is in the dict.
    pub(super) fn lookup_key(&mut self, container: &Value, key: &Value) -> R<Option<Value>> {
        self.charge_key(key)?;
        let Value::Dict(dict) = container else {
            return Ok(None);
        };
        self.note_read(dict);
        let found = self.find_entry(dict, key)?;
        Ok(found.map(|at| dict.entries()[at].1.clone()))
    }

    /// The position of a key in a dict. A word of the template and guarded data that is equal to it are two keys.
    fn find_entry(&mut self, dict: &Dict, key: &Value) -> R<Option<usize>> {
        let mut next = dict.find_key(key);
        while let Some(at) = next {
            let is_found = match (&dict.entries()[at].0, key) {
                (Value::Str(own), Value::Str(key)) => self.acts(own, key)?,
                (own @ Value::Tuple(_), key) => self.are_equal(own, key)?,
                _ => true,
            };
            if is_found {
                return Ok(Some(at));
            }
            self.charge_items(dict.len() - at)?;
            next = dict.find_after(at, key);
        }
        Ok(None)
    }

    /// Sets an entry of a dict. A repeated key keeps its place.
    pub(super) fn insert_entry(&mut self, dict: &mut Dict, key: Value, value: Value) -> R<()> {
        match self.find_entry(dict, &key)? {
            Some(at) => dict.set_value(at, value),
            None => dict.push(key, value),
        }
        Ok(())
    }

    /// `value.name`: a method or attribute, then an item.
    pub(super) fn attribute(&mut self, value: &Value, name: &str) -> R<Value> {
        match value {
            Value::Undefined(reason) => return Err(Fault::new(&**reason)),
            // What models' templates read most.
            Value::Dict(dict) if find_method(value, name).is_none() => {
                self.note_read(dict);
                if let Some(found) = self.named_entry(dict, name)? {
                    return Ok(found);
                }
            }
            _ => {}
        }
        if let Some(found) = self.object_attribute(value, name)? {
            return Ok(found);
        }
        Ok(missing(value, name))
    }

    /// `value.name` of a name that is a value. Guarded data is the name of nothing that the template or the language has.
    pub(super) fn attribute_by(&mut self, value: &Value, name: &Str) -> R<Value> {
        self.charge_bytes(name.len())?;
        match value {
            Value::Dict(_) if find_method(value, name).is_none() => {
                self.item(value, &Value::Str(name.clone()))
            }
            _ if !name.source().is_data() => self.attribute(value, name),
            Value::Undefined(reason) => Err(Fault::new(&**reason)),
            _ => Ok(self
                .attribute_of_data(value, name)?
                .unwrap_or_else(|| missing(value, name))),
        }
    }

    /// An attribute whose name may be data.
    fn attribute_of_data(&mut self, value: &Value, name: &Str) -> R<Option<Value>> {
        if let Some(Object::Namespace(entries)) = value.as_object() {
            let entries = entries.borrow();
            let found = self.find_entry(&entries, &Value::Str(name.clone()))?;
            return Ok(found.map(|at| entries.entries()[at].1.clone()));
        }
        let found = self.object_attribute(value, name)?;
        Ok(match found {
            Some(found) if self.acts(&Str::template(&**name), name)? => Some(found),
            _ => None,
        })
    }

    /// The value of a name that the template has. Guarded data that is a key has no effect.
    fn named_entry(&mut self, dict: &Dict, name: &str) -> R<Option<Value>> {
        match dict.get_named(name) {
            None => Ok(None),
            Some((Value::Str(key), _)) if key.source().is_data() => {
                let found = self.find_entry(dict, &Value::template(name))?;
                Ok(found.map(|at| dict.entries()[at].1.clone()))
            }
            Some((_, found)) => Ok(Some(found.clone())),
        }
    }

    /// A method or an attribute of Python's object.
    fn object_attribute(&mut self, value: &Value, name: &str) -> R<Option<Value>> {
        if let Some(method) = find_method(value, name) {
            return Ok(Some(Value::object(Object::Method(value.clone(), method))));
        }
        Ok(match value {
            Value::Int(..) | Value::Big(..) | Value::Bool(..) => match name {
                "real" | "numerator" => Some(value.clone()),
                "imag" => Some(Value::int(0)),
                "denominator" => Some(Value::int(1)),
                _ => None,
            },
            Value::Object(object) => match &**object {
                Object::Namespace(entries) => self.named_entry(&entries.borrow(), name)?,
                Object::Loop(state) => loop_attribute(state, name),
                Object::Group(list) => match name {
                    "grouper" => list.items.first().cloned(),
                    "list" => list.items.get(1).cloned(),
                    _ => None,
                },
                Object::Macro(found) => Some(match name {
                    "name" => Value::template(found.node.name.clone()),
                    "arguments" => Value::tuple(
                        found
                            .node
                            .parameters
                            .iter()
                            .map(|(_, name, _)| Value::template(name.clone()))
                            .collect(),
                    ),
                    "catch_kwargs" => Value::bool(found.node.reads_kwargs),
                    "catch_varargs" => Value::bool(found.node.reads_varargs),
                    "caller" => Value::bool(found.node.reads_caller),
                    _ => return Ok(None),
                }),
                Object::Cycler(items, at) => match name {
                    "current" => items.get(at.get()).cloned(),
                    "items" => Some(Value::tuple(items.clone())),
                    "pos" => Some(Value::len_of(at.get())),
                    _ => None,
                },
                Object::Range(range, source) => match name {
                    "start" => Some(Value::Int(range.start, *source)),
                    "stop" => Some(Value::Int(range.stop, *source)),
                    "step" => Some(Value::Int(range.step, *source)),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        })
    }

    /// `value[key]`: an item, then an attribute.
    pub(super) fn item(&mut self, value: &Value, key: &Value) -> R<Value> {
        if let Value::Undefined(reason) = value {
            return Err(Fault::new(&**reason));
        }
        match value {
            Value::Dict(_) if key.is_hashable() => {
                if let Some(found) = self.lookup_key(value, key)? {
                    return Ok(found);
                }
            }
            Value::Dict(_) => self.charge_key(key)?,
            Value::Str(_) | Value::List(_) | Value::Tuple(_) | Value::Object(_) => {
                if let Value::Int(..) | Value::Bool(..) = key
                    && let Some(found) = self.item_at(value, key.to_index()?)?
                {
                    return Ok(found);
                }
            }
            _ => {}
        }
        if let Value::Str(name) = key {
            self.charge_key(key)?;
            let found = self.attribute_of_data(value, name)?;
            return Ok(found.unwrap_or_else(|| missing(value, name)));
        }
        let key = match key {
            Value::Int(number, _) => number.to_string(),
            key => key.kind().to_owned(),
        };
        Ok(Value::undefined(format!(
            "'{} object' has no element {key}",
            value.kind()
        )))
    }

    fn item_at(&mut self, value: &Value, index: i64) -> R<Option<Value>> {
        match value.as_object() {
            Some(Object::Range(range, source)) => {
                let at = resolve_position(index, range.len());
                Ok(at.map(|at| Value::Int(range.number_at(at), *source)))
            }
            _ => item_at(self, value, index),
        }
    }

    /// `value[start:stop:step]`.
    fn slice(&mut self, value: &Value, bounds: [Option<i128>; 3]) -> R<Value> {
        let numbers;
        let value = match value.as_object() {
            Some(Object::Range(..)) => {
                numbers = Value::list(self.iterate(value)?);
                &numbers
            }
            _ => value,
        };
        Self::check_defined(value)?;
        // Jinja2 asks for the item of that slice of another value, and there is none.
        Ok(slice_value(self, value, bounds)?.unwrap_or_else(|| {
            Value::undefined(format!("'{}' object cannot be sliced", value.kind()))
        }))
    }
}

fn loop_attribute(state: &LoopState, name: &str) -> Option<Value> {
    let index = state.index.get();
    let length = state.items.len();
    Some(match name {
        "index" => Value::len_of(index + 1),
        "index0" => Value::len_of(index),
        "revindex" => Value::len_of(length - index),
        "revindex0" => Value::len_of(length - index - 1),
        "first" => Value::bool(index == 0),
        "last" => Value::bool(index + 1 == length),
        "length" => Value::len_of(length),
        "depth" => Value::len_of(state.depth + 1),
        "depth0" => Value::len_of(state.depth),
        "previtem" => {
            let previous = index.checked_sub(1).and_then(|at| state.items.get(at));
            previous.unwrap_or_else(|| Value::undefined("there is no previous item"))
        }
        "nextitem" => {
            let next = state.items.get(index + 1);
            next.unwrap_or_else(|| Value::undefined("there is no next item"))
        }
        _ => return None,
    })
}

fn missing(value: &Value, name: &str) -> Value {
    let kind = value.kind();
    if MUTATORS.contains(&name) && matches!(value, Value::Dict(_) | Value::List(_)) {
        return Value::undefined(format!(
            "access to attribute '{name}' of '{kind}' object is unsafe: a template cannot change values"
        ));
    }
    match value {
        Value::None(_) => Value::undefined(format!("'None' has no attribute '{name}'")),
        _ => Value::undefined(format!("'{kind} object' has no attribute '{name}'")),
    }
}

fn not_callable(value: &Value) -> Box<Fault> {
    Fault::new(format!("'{}' object is not callable", value.kind()))
}

fn constant(value: &Const) -> Value {
    match value {
        Const::None => Value::none(),
        Const::Bool(value) => Value::bool(*value),
        Const::Int(number) => Value::int(*number),
        Const::Big(digits) => Value::big(
            digits.parse::<BigInt>().unwrap_or_default(),
            Source::TEMPLATE,
        ),
        Const::Float(number) => Value::Float(*number, Source::TEMPLATE),
        Const::Str(text) => Value::Str(Str::template(text.clone())),
    }
}
