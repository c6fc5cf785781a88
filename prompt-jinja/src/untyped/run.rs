//! Runs a template: its statements, scopes and limits.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use super::fault::{Fault, FaultKind, R, Span, depth_fault};
use super::nodes::{Expr, ForNode, MacroNode, Node, Symbol, Target};
use super::registry::NamedArgument;
use super::text::{Builder, Source, Str};
use super::value::{Dict, List, LoopItems, LoopState, MAX_DEPTH, Object, Value};
use super::{Limits, Rendered, Steering};
use crate::builtin::{Host, ITEM_BYTES};

/// The bytes that one call of a function, filter, test or method counts as.
const CALL_BYTES: usize = 256;

/// How deep calls of macros and recursive loops may nest: each of them uses the stack.
const MAX_CALLS: usize = 60;

/// How deep expressions and blocks may nest in all calls together.
const MAX_LEVELS: usize = 280;

/// The variables of a scope.
pub(super) struct Frame {
    variables: RefCell<Vec<(Symbol, Value)>>,
    parent: Option<Rc<Frame>>,
}

impl Frame {
    fn new(parent: Option<&Rc<Frame>>) -> Rc<Frame> {
        Rc::new(Frame {
            variables: RefCell::default(),
            parent: parent.cloned(),
        })
    }

    fn get(&self, symbol: Symbol) -> Option<Value> {
        let mut frame = self;
        loop {
            let variables = frame.variables.borrow();
            if let Some((_, value)) = variables.iter().find(|variable| variable.0 == symbol) {
                return Some(value.clone());
            }
            drop(variables);
            frame = frame.parent.as_deref()?;
        }
    }

    fn set(&self, symbol: Symbol, value: Value) {
        let mut variables = self.variables.borrow_mut();
        match variables.iter_mut().find(|variable| variable.0 == symbol) {
            Some(variable) => variable.1 = value,
            None => variables.push((symbol, value)),
        }
    }
}

/// A macro with the scope in which it was defined.
pub struct Macro {
    pub(super) node: Arc<MacroNode>,
    frame: Rc<Frame>,
}

/// A recursive loop, which its variable calls.
pub(super) struct Recursion {
    node: Arc<ForNode>,
    frame: Rc<Frame>,
    depth: usize,
}

/// What happens after a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Next,
    Break,
    Continue,
}

/// One run of a template.
pub(super) struct Run<'t> {
    pub(super) names: &'t [Arc<str>],
    /// The values of the names that the caller sets.
    pub(super) given: Vec<Option<Value>>,
    pub(super) limits: &'t Limits<'t>,
    pub(super) steering: Option<&'t Steering<'t>>,
    fuel: u64,
    pub(super) memory: u64,
    pub(super) out: Builder,
    captures: usize,
    pub(super) autoescape: bool,
    levels: usize,
    calls: usize,
    /// Scopes that a macro refers to, and which may contain the macro.
    scopes: Vec<Rc<Frame>>,
    symbols: Special,
    /// The named dict that the innermost loop visits.
    visited: Source,
    /// The named dicts that loops visit, each from a length of the output on.
    visits: Vec<(usize, Source)>,
    /// The named dict that this statement, or one that contains it, read last.
    read: Source,
}

/// The symbols of names with a meaning of their own.
#[derive(Clone, Copy, Default)]
struct Special {
    current_loop: Option<Symbol>,
    caller: Option<Symbol>,
    varargs: Option<Symbol>,
    kwargs: Option<Symbol>,
}

impl<'t> Run<'t> {
    pub(super) fn new(
        names: &'t [Arc<str>],
        given: Vec<Option<Value>>,
        limits: &'t Limits<'t>,
        steering: Option<&'t Steering<'t>>,
    ) -> Run<'t> {
        let find = |name: &str| {
            let at = names.iter().position(|known| **known == *name);
            at.and_then(|at| u32::try_from(at).ok()).map(Symbol)
        };
        Run {
            symbols: Special {
                current_loop: find("loop"),
                caller: find("caller"),
                varargs: find("varargs"),
                kwargs: find("kwargs"),
            },
            names,
            given,
            limits,
            steering,
            fuel: limits.steps,
            memory: limits.memory,
            out: Builder::default(),
            captures: 0,
            autoescape: false,
            levels: 0,
            calls: 0,
            scopes: Vec::new(),
            visited: Source::TEMPLATE,
            visits: Vec::new(),
            read: Source::TEMPLATE,
        }
    }

    pub(super) fn run(&mut self, body: &[Node]) -> R<()> {
        let root = Frame::new(None);
        let result = self.nodes(body, &root);
        // A macro and the scope that contains it refer to each other.
        for scope in std::mem::take(&mut self.scopes) {
            scope.variables.borrow_mut().clear();
        }
        result
            .map(drop)
            .map_err(|fault| fault.about(self.visited).about(self.read))
    }

    // ---- the input that an error is about. What is set when an error ends the run is what it is about.

    pub(super) fn note_read(&mut self, dict: &Dict) {
        if dict.source().is_data() {
            self.read = dict.source();
        }
    }

    fn note_visit(&mut self, item: &Value) {
        if let Value::Dict(dict) = item
            && dict.source().is_data()
        {
            self.visited = dict.source();
        }
    }

    /// Records the named dict that is visited for what is written from here on. What is captured is written where it is printed.
    fn record_visit(&mut self) {
        if self.captures > 0 {
            return;
        }
        let visit = (self.out.len(), self.visited);
        match self.visits.last_mut() {
            Some(last) if last.1 == visit.1 => {}
            Some(last) if last.0 == visit.0 => last.1 = visit.1,
            _ => self.visits.push(visit),
        }
    }

    // ---- limits: all that a template does passes one of these

    pub(super) fn step(&mut self) -> R<()> {
        match self.fuel.checked_sub(1) {
            Some(fuel) => {
                self.fuel = fuel;
                Ok(())
            }
            None => Err(Fault::of(
                FaultKind::Steps,
                format!("takes too many steps, more than {}", self.limits.steps),
            )),
        }
    }

    /// Counts bytes that are allocated, compared or searched.
    pub(super) fn charge_bytes(&mut self, bytes: usize) -> R<()> {
        match self.memory.checked_sub(bytes as u64) {
            Some(memory) => {
                self.memory = memory;
                Ok(())
            }
            None => {
                self.memory = 0;
                let most = self.limits.named_memory;
                Err(Fault::of(
                    FaultKind::Memory,
                    format!("allocates more than {most} bytes"),
                ))
            }
        }
    }

    pub(super) fn charge_items(&mut self, items: usize) -> R<()> {
        self.charge_bytes(items.saturating_mul(ITEM_BYTES))
    }

    pub(super) fn charge_call(&mut self) -> R<()> {
        self.step()?;
        self.charge_bytes(CALL_BYTES)
    }

    fn level<T>(&mut self, run: impl FnOnce(&mut Self) -> R<T>) -> R<T> {
        self.levels += 1;
        if self.levels > MAX_LEVELS {
            self.levels -= 1;
            return Err(recursion());
        }
        let result = run(self);
        self.levels -= 1;
        result
    }

    fn call_level<T>(&mut self, run: impl FnOnce(&mut Self) -> R<T>) -> R<T> {
        self.calls += 1;
        let result = match self.calls > MAX_CALLS {
            true => Err(recursion()),
            false => run(self),
        };
        self.calls -= 1;
        result
    }

    pub(super) fn eval(&mut self, expr: &Expr, frame: &Rc<Frame>) -> R<Value> {
        self.step()?;
        self.levels += 1;
        if self.levels > MAX_LEVELS {
            self.levels -= 1;
            return Err(recursion().at(expr.span));
        }
        let result = self.eval_kind(expr, frame);
        self.levels -= 1;
        result
    }

    /// A list, not nested too deep.
    pub(super) fn list(&mut self, items: Vec<Value>) -> R<Value> {
        self.charge_items(1)?;
        self.checked(Value::list(items))
    }

    pub(super) fn tuple(&mut self, items: Vec<Value>) -> R<Value> {
        self.charge_items(1)?;
        self.checked(Value::tuple(items))
    }

    pub(super) fn checked(&self, value: Value) -> R<Value> {
        match value.depth() > MAX_DEPTH {
            true => Err(depth_fault()),
            false => Ok(value),
        }
    }

    /// The items of a value, each of them charged.
    pub(super) fn iterate(&mut self, value: &Value) -> R<Vec<Value>> {
        let length = match value {
            Value::Str(text) => text.len(),
            value => value.length().unwrap_or(1),
        };
        self.charge_items(length)?;
        value.iterate()
    }

    // ---- output

    /// Appends to the output or to the block that is captured.
    pub(super) fn write(&mut self, text: &Str) -> R<()> {
        self.charge_output(text.len())?;
        self.out.push_str(text);
        Ok(())
    }

    fn charge_output(&mut self, bytes: usize) -> R<()> {
        if self.captures > 0 {
            return self.charge_bytes(bytes);
        }
        let most = self.limits.output;
        match self.out.len().saturating_add(bytes) > most {
            true => Err(Fault::of(
                FaultKind::Output,
                format!("writes more than {most} bytes"),
            )),
            false => Ok(()),
        }
    }

    fn capture(&mut self, run: impl FnOnce(&mut Self) -> R<()>) -> R<Str> {
        let outer = std::mem::take(&mut self.out);
        self.captures += 1;
        let result = run(self);
        self.captures -= 1;
        let inner = std::mem::replace(&mut self.out, outer);
        result?;
        let mut text = inner.finish();
        text.safe = self.autoescape;
        Ok(text)
    }

    // ---- names

    pub(super) fn name(&self, symbol: Symbol, frame: &Rc<Frame>) -> Value {
        if let Some(value) = frame.get(symbol) {
            return value;
        }
        let index = symbol.0 as usize;
        if let Some(Some(value)) = self.given.get(index) {
            return value.clone();
        }
        let name = &*self.names[index];
        match super::registry::find_function(name) {
            Some(function) => Value::object(Object::Function(function)),
            None => Value::undefined(format!("'{name}' is undefined")),
        }
    }

    fn assign(&mut self, target: &Target, value: Value, frame: &Rc<Frame>) -> R<()> {
        match target {
            Target::Name(symbol) => {
                frame.set(*symbol, value);
                Ok(())
            }
            Target::Attribute(symbol, attribute, span) => {
                let namespace = self.name(*symbol, frame);
                let Some(Object::Namespace(entries)) = namespace.as_object() else {
                    return Err(
                        Fault::new("cannot assign attribute on non-namespace object").at(*span),
                    );
                };
                let value = self
                    .check_assigned(value)
                    .map_err(|fault| fault.at(*span))?;
                let key = Value::template(attribute.clone());
                self.insert_entry(&mut entries.borrow_mut(), key, value)
            }
            Target::Tuple(targets, span) => {
                let items = self.iterate(&value).map_err(|fault| fault.at(*span))?;
                if items.len() != targets.len() {
                    let (wanted, found) = (targets.len(), items.len());
                    let message = match found < wanted {
                        true => {
                            format!("not enough values to unpack (expected {wanted}, got {found})")
                        }
                        false => format!("too many values to unpack (expected {wanted})"),
                    };
                    return Err(Fault::new(message).at(*span));
                }
                for (target, item) in targets.iter().zip(items) {
                    self.assign(target, item, frame)?;
                }
                Ok(())
            }
        }
    }

    /// A value for an attribute of a namespace. It contains no namespace: namespaces are the only values that change, so that a
    /// value can neither contain itself nor grow deeper after it was built.
    pub(super) fn check_assigned(&mut self, value: Value) -> R<Value> {
        self.charge_items(1)?;
        if matches!(value, Value::Str(_)) {
            return Ok(value);
        }
        self.charge_nested(&value, 0)?;
        match value.holds_namespace() {
            true => Err(Fault::new("a namespace cannot contain a namespace")),
            false => self.checked(value),
        }
    }

    /// Counts the items of a value, of shared lists and dicts each time.
    fn charge_nested(&mut self, value: &Value, depth: usize) -> R<()> {
        self.charge_items(1)?;
        if depth > MAX_DEPTH {
            return Err(depth_fault());
        }
        match value {
            Value::List(list) | Value::Tuple(list) => list
                .items
                .iter()
                .try_for_each(|item| self.charge_nested(item, depth + 1)),
            Value::Dict(dict) => dict
                .entries()
                .iter()
                .try_for_each(|(_, item)| self.charge_nested(item, depth + 1)),
            _ => Ok(()),
        }
    }

    // ---- steering

    /// Whether it has an effect that one of two texts occurs in the other. A word that the template searches for acts in its own text
    /// and in unguarded data only, and guarded data does not act in text of the template.
    pub(super) fn acts(&self, one: &Str, other: &Str) -> R<bool> {
        match (self.find_inert(one, other), self.steering) {
            (Some((word, source)), Some(Steering { rejects: true, .. })) => {
                let message = format!(
                    "searches data for its own word `{}`, and the data contains it",
                    word.escape_debug()
                );
                Err(Fault::of(FaultKind::Steered, message).about(source))
            }
            (found, _) => Ok(found.is_none()),
        }
    }

    /// Whether a sign of a pattern is one that is replaced: those in guarded data are text.
    pub(super) fn acts_as_placeholder(&self, sign: &Str) -> R<bool> {
        match (self.guarded_source(sign), self.steering) {
            (Some(source), Some(Steering { rejects: true, .. })) => {
                let message = format!("reads data as a pattern, which contains `{}`", &**sign);
                Err(Fault::of(FaultKind::Steered, message).about(source))
            }
            (source, _) => Ok(source.is_none()),
        }
    }

    /// Takes the keyword argument of a parameter. The name of a parameter is not found in guarded data.
    pub(super) fn take_named(
        &self,
        named: &mut Vec<NamedArgument>,
        parameter: &str,
    ) -> R<Option<Value>> {
        for (at, (name, _)) in named.iter().enumerate() {
            let is_named = **name == *parameter;
            if is_named
                && (!name.source().is_data() || self.acts(&Str::template(parameter), name)?)
            {
                return Ok(Some(named.remove(at).1));
            }
        }
        Ok(None)
    }

    /// The source of the guarded data in a text.
    fn guarded_source(&self, text: &Str) -> Option<Source> {
        let steering = self.steering?;
        let mut sources = text.pieces().map(|piece| piece.1);
        sources.find(|source| (steering.is_guarded)(*source))
    }

    /// The source of the guarded data in a text, if it has some in which a word of the template must have no effect.
    pub(super) fn inert_source(&self, word: &Str, text: &Str) -> Option<Source> {
        let steering = self.steering.filter(|_| !word.source().is_data())?;
        let source = self.guarded_source(text)?;
        (!(steering.may_act)(word)).then_some(source)
    }

    /// The text of the template in one of two texts that must have no effect in the guarded data of the other, and the data's source.
    fn find_inert<'s>(&self, one: &'s Str, other: &'s Str) -> Option<(&'s str, Source)> {
        let steering = self.steering?;
        match (one.source().is_data(), other.source().is_data()) {
            (false, false) => None,
            (false, true) => self.inert_source(one, other).map(|source| (&**one, source)),
            (true, false) => self
                .inert_source(other, one)
                .map(|source| (&**other, source)),
            // Where both contain data, equal texts are compared piece by piece.
            (true, true) if **one == **other => {
                one.common_pieces(other).find_map(|(piece, a, b)| {
                    let source = match (a.is_data(), b.is_data()) {
                        (false, true) => b,
                        (true, false) => a,
                        _ => return None,
                    };
                    let is_inert = (steering.is_guarded)(source) && !(steering.may_act)(piece);
                    is_inert.then_some((piece, source))
                })
            }
            (true, true) => [(one, other), (other, one)]
                .into_iter()
                .find_map(|(one, other)| {
                    let source = self.guarded_source(other)?;
                    let mut words = one.pieces().filter(|piece| !piece.1.is_data());
                    let word = words.find(|word| !(steering.may_act)(word.0))?;
                    Some((word.0, source))
                }),
        }
    }

    // ---- statements

    fn nodes(&mut self, nodes: &[Node], frame: &Rc<Frame>) -> R<Flow> {
        self.level(|run| {
            let read = run.read;
            for node in nodes {
                let flow = run.node(node, frame)?;
                run.read = read;
                if flow != Flow::Next {
                    return Ok(flow);
                }
            }
            Ok(Flow::Next)
        })
    }

    fn scoped(&mut self, nodes: &[Node], frame: &Rc<Frame>) -> R<Flow> {
        let inner = Frame::new(Some(frame));
        self.nodes(nodes, &inner)
    }

    fn node(&mut self, node: &Node, frame: &Rc<Frame>) -> R<Flow> {
        self.step()?;
        match node {
            Node::Text(text, span) => {
                self.charge_output(text.len())
                    .map_err(|fault| fault.at(*span))?;
                self.out.push_template(text);
            }
            Node::Print(value) => self.print(value, frame)?,
            Node::PrintAll(values) => {
                for value in values {
                    self.print(value, frame)?;
                }
            }
            Node::If(branches, otherwise) => {
                for (test, body) in branches {
                    if self.eval(test, frame)?.is_true() {
                        return self.nodes(body, frame);
                    }
                }
                return self.nodes(otherwise, frame);
            }
            Node::For(node) => return self.for_loop(node, frame),
            Node::Set(target, value) => {
                let value = self.eval(value, frame)?;
                self.assign(target, value, frame)?;
            }
            Node::SetBlock(target, filter, body, span) => {
                let text = self.capture(|run| run.scoped(body, frame).map(drop))?;
                let mut value = Value::Str(text);
                if let Some(filter) = filter {
                    value = self.filter_chain(filter, value, frame)?;
                }
                self.assign(target, value, frame)
                    .map_err(|fault| fault.at(*span))?;
            }
            Node::With(values, body) => {
                let inner = Frame::new(Some(frame));
                for (target, value) in values {
                    let value = self.eval(value, frame)?;
                    self.assign(target, value, &inner)?;
                }
                return self.nodes(body, &inner);
            }
            Node::Macro(symbol, node) => {
                self.charge_call()?;
                let value = self.define(node, frame);
                frame.set(*symbol, value);
            }
            Node::Call(call, node) => {
                self.charge_call()?;
                let caller = self.define(node, frame);
                let value = self.call_with(call, Some(caller), frame)?;
                self.print_value(&value, call.span)?;
            }
            Node::FilterBlock(filter, body) => {
                let text = self.capture(|run| run.scoped(body, frame).map(drop))?;
                let value = self.filter_chain(filter, Value::Str(text), frame)?;
                self.print_value(&value, filter.span)?;
            }
            Node::Autoescape(value, body) => {
                let on = self.eval(value, frame)?.is_true();
                let outer = std::mem::replace(&mut self.autoescape, on);
                let result = self.scoped(body, frame);
                self.autoescape = outer;
                return result;
            }
            Node::Block(body) => return self.scoped(body, frame),
            Node::Generation(body) => {
                let text = self.capture(|run| run.scoped(body, frame).map(drop))?;
                self.charge_output(text.len())?;
                self.out.push_generated(&text);
            }
            Node::Break => return Ok(Flow::Break),
            Node::Continue => return Ok(Flow::Continue),
            Node::File(span) => {
                return Err(
                    Fault::of(FaultKind::File, "asks for another file, and has none").at(*span),
                );
            }
        }
        Ok(Flow::Next)
    }

    fn print(&mut self, expr: &Expr, frame: &Rc<Frame>) -> R<()> {
        let value = self.eval(expr, frame)?;
        self.print_value(&value, expr.span)
    }

    fn print_value(&mut self, value: &Value, span: Span) -> R<()> {
        let text = self.to_str(value).map_err(|fault| fault.at(span))?;
        let text = match self.autoescape && !text.safe {
            true => {
                self.charge_bytes(text.len().saturating_mul(6))
                    .map_err(|fault| fault.at(span))?;
                text.escape_html()
            }
            false => text,
        };
        self.write(&text).map_err(|fault| fault.at(span))
    }

    fn for_loop(&mut self, node: &Arc<ForNode>, frame: &Rc<Frame>) -> R<Flow> {
        let items = self.eval(&node.items, frame)?;
        self.run_loop(node, &items, frame, 0)
    }

    fn run_loop(
        &mut self,
        node: &Arc<ForNode>,
        items: &Value,
        frame: &Rc<Frame>,
        depth: usize,
    ) -> R<Flow> {
        let at = |fault: Box<Fault>| fault.at(node.items.span);
        let items = match items.as_object() {
            Some(Object::Range(range, source)) if node.filter.is_none() => {
                LoopItems::Range(*range, *source)
            }
            _ => {
                let mut items = self.iterate(items).map_err(at)?;
                if let Some(filter) = &node.filter {
                    items = self.filter_loop(node, filter, items, frame)?;
                }
                LoopItems::List(Rc::new(List::new(items)))
            }
        };
        let count = items.len();
        if count == 0 {
            return self.scoped(&node.otherwise, frame);
        }
        let visited = self.visited;
        let mut inner = Frame::new(Some(frame));
        let state = node.reads_loop.then(|| {
            Rc::new(Object::Loop(LoopState {
                items: items.clone(),
                index: Cell::new(0),
                depth,
                changed: RefCell::new(None),
                recursive: node.is_recursive.then(|| Recursion {
                    node: node.clone(),
                    frame: frame.clone(),
                    depth,
                }),
            }))
        });
        for index in 0..count {
            self.step().map_err(at)?;
            let Some(item) = items.get(index) else {
                break;
            };
            match Rc::get_mut(&mut inner) {
                Some(inner) => inner.variables.get_mut().clear(),
                // A macro refers to the variables of the iteration before.
                None => inner = Frame::new(Some(frame)),
            }
            if let (Some(state), Some(symbol)) = (&state, self.symbols.current_loop) {
                if let Object::Loop(state) = &**state {
                    state.index.set(index);
                }
                inner.set(symbol, Value::Object(state.clone()));
            }
            self.note_visit(&item);
            self.record_visit();
            self.assign(&node.target, item, &inner)?;
            if self.nodes(&node.body, &inner)? == Flow::Break {
                break;
            }
        }
        self.visited = visited;
        self.record_visit();
        Ok(Flow::Next)
    }

    /// The items of a loop for which its condition holds.
    fn filter_loop(
        &mut self,
        node: &ForNode,
        filter: &Expr,
        items: Vec<Value>,
        frame: &Rc<Frame>,
    ) -> R<Vec<Value>> {
        let mut kept = Vec::new();
        let visited = self.visited;
        for item in items {
            self.step()?;
            self.note_visit(&item);
            let inner = Frame::new(Some(frame));
            self.assign(&node.target, item.clone(), &inner)?;
            if self.eval(filter, &inner)?.is_true() {
                kept.push(item);
            }
        }
        self.visited = visited;
        Ok(kept)
    }

    /// Runs a recursive loop on other items: `loop(items)`.
    pub(super) fn recurse(&mut self, recursion: &Recursion, items: &Value) -> R<Value> {
        let (node, frame, depth) = (&recursion.node, &recursion.frame, recursion.depth + 1);
        let text = self.call_level(|run| {
            run.capture(|run| run.run_loop(node, items, frame, depth).map(drop))
        })?;
        Ok(Value::Str(text))
    }

    // ---- macros

    fn define(&mut self, node: &Arc<MacroNode>, frame: &Rc<Frame>) -> Value {
        let is_known = self
            .scopes
            .last()
            .is_some_and(|scope| Rc::ptr_eq(scope, frame));
        if !is_known {
            self.scopes.push(frame.clone());
        }
        Value::object(Object::Macro(Macro {
            node: node.clone(),
            frame: frame.clone(),
        }))
    }

    pub(super) fn call_macro(
        &mut self,
        found: &Macro,
        positional: Vec<Value>,
        mut named: Vec<NamedArgument>,
    ) -> R<Value> {
        let node = &found.node;
        let name = &node.name;
        let frame = Frame::new(Some(&found.frame));
        let count = positional.len();
        let mut positional = positional.into_iter();
        let mut given: Vec<Option<Value>> = Vec::with_capacity(node.parameters.len());
        for (_, parameter, _) in &node.parameters {
            let by_position = positional.next();
            let by_name = match &by_position {
                Some(_) => None,
                None => self.take_named(&mut named, parameter)?,
            };
            given.push(by_position.or(by_name));
        }
        let caller = self.take_named(&mut named, "caller")?;
        if let Some(symbol) = self.symbols.caller.filter(|_| node.reads_caller) {
            let caller = caller.unwrap_or_else(|| Value::undefined("No caller defined"));
            frame.set(symbol, caller);
        } else if let Some(caller) = caller {
            if !node.reads_kwargs {
                let message = format!("macro '{name}' does not use its caller");
                return Err(Fault::new(message));
            }
            named.push((Str::template("caller"), caller));
        }
        let rest: Vec<Value> = positional.collect();
        if let Some(symbol) = self.symbols.kwargs.filter(|_| node.reads_kwargs) {
            let entries = std::mem::take(&mut named).into_iter();
            let entries = entries.map(|(name, value)| (Value::Str(name), value));
            frame.set(symbol, Value::dict(entries.collect()));
        } else if let Some((unknown, _)) = named.first() {
            return Err(Fault::new(format!(
                "macro '{name}' takes no keyword argument '{}'",
                &**unknown
            )));
        }
        if let Some(symbol) = self.symbols.varargs.filter(|_| node.reads_varargs) {
            frame.set(symbol, Value::tuple(rest));
        } else if count > node.parameters.len() {
            let most = node.parameters.len();
            return Err(Fault::new(format!(
                "macro '{name}' takes not more than {most} argument(s)"
            )));
        }
        let autoescape = self.autoescape;
        let text = self.call_level(|run| {
            let mut defaults = Vec::new();
            for ((symbol, parameter, default), value) in node.parameters.iter().zip(given) {
                let value = value.unwrap_or_else(|| {
                    defaults.extend(default.as_ref().map(|default| (*symbol, default)));
                    Value::undefined(format!("parameter '{parameter}' was not provided"))
                });
                frame.set(*symbol, value);
            }
            // A default may read the parameters that are given, and those before it.
            for (symbol, default) in defaults {
                let value = run.eval(default, &frame)?;
                frame.set(symbol, value);
            }
            run.capture(|run| run.nodes(&node.body, &frame).map(drop))
        })?;
        self.autoescape = autoescape;
        Ok(Value::Str(text))
    }

    /// The text of the template so far, and the memory that is left.
    pub(super) fn finish(self) -> (Rendered, u64) {
        let (text, runs) = self.out.into_parts();
        let visits = self.visits;
        (Rendered { text, runs, visits }, self.memory)
    }

    /// A namespace with these entries.
    pub(super) fn namespace(&mut self, entries: Vec<(Value, Value)>) -> R<Value> {
        let mut dict = Dict::default();
        for (key, value) in entries {
            let value = self.check_assigned(value)?;
            dict.push(key, value);
        }
        Ok(Value::object(Object::Namespace(RefCell::new(dict))))
    }
}

fn recursion() -> Box<Fault> {
    Fault::new("maximum recursion depth exceeded")
}
