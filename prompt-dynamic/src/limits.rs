//! The limits of one rendering of a run-time template: steps, bytes and nesting.

use std::collections::HashMap;

use prompt_jinja_syntax::builtin::{Builtin, BuiltinKind};
use prompt_jinja_syntax::{Expr, JinjaExpr};

use super::fields::FieldValue;
use super::render::TemplateRenderer;
use crate::expr::{EvalError, Result, Value};

/// The limits of one rendering.
#[derive(Clone, Copy, Debug)]
pub(super) struct RenderLimits {
    pub(super) steps: u64,
    pub(super) bytes: usize,
    /// How many more bytes each byte of the fields allows.
    pub(super) bytes_per_data: usize,
}

impl Default for RenderLimits {
    fn default() -> RenderLimits {
        RenderLimits {
            steps: 10_000_000,
            bytes: 256 << 20,
            bytes_per_data: 16,
        }
    }
}

/// The resources that a rendering has used.
#[derive(Default)]
pub(super) struct UsedLimits {
    steps: u64,
    bytes: usize,
    /// The error of the limit that was exceeded: nothing more is rendered.
    pub(super) stopped: Option<EvalError>,
}

/// Lists inside each other: printing, comparing and dropping them is recursive.
const MAX_NESTING: usize = 128;

/// How many bytes are compared for the price of one that is computed.
const COMPARED_PER_BYTE: usize = 4;

/// The price of one byte of text that a filter, test or method goes through character by character, which takes longer than a
/// copy. Half of it is the price of one byte of a list, whose items take more bytes than their text.
const CALL_COST: usize = 4;

/// The price of one byte of an attribute's name in one item.
const ATTRIBUTE_COST: usize = 16;

/// The price of one entry of a dict in which a key is looked up.
const ENTRY_COST: usize = 2;

/// About how many bytes an item of a list takes.
const ITEM_SIZE: usize = size_of::<Value<'_>>();

impl TemplateRenderer<'_> {
    /// Counts a statement or an expression.
    pub(super) fn charge_step(&mut self) -> Result<()> {
        self.used.steps += 1;
        let most = self.limits.steps;
        match self.used.steps > most {
            true => self.stop_rendering(
                format!("the template takes more than {most} steps"),
                "shorten it, or raise the limit with `Dynamic::max_steps`",
            ),
            false => Ok(()),
        }
    }

    /// Counts bytes that are written or computed.
    pub(super) fn charge_bytes(&mut self, bytes: usize) -> Result<()> {
        self.used.bytes = self.used.bytes.saturating_add(bytes);
        match self.used.bytes > self.limits.bytes {
            true => self.too_many_bytes(),
            false => Ok(()),
        }
    }

    #[cold]
    fn too_many_bytes(&mut self) -> Result<()> {
        // Long data may be written completely, so the limit grows with it; only what the template adds is bounded.
        // The fields are measured once, and only when it matters.
        let share = std::mem::take(&mut self.limits.bytes_per_data);
        if share > 0 {
            let data = self.fields.iter().filter_map(|field| match field {
                FieldValue::Value(value) => printed_size(value, 0, &mut HashMap::new()),
                _ => None,
            });
            let more = data.sum::<usize>().saturating_mul(share);
            self.limits.bytes = self.limits.bytes.saturating_add(more);
            return self.charge_bytes(0);
        }
        let most = self.limits.bytes;
        self.stop_rendering(
            format!("the template computes more than {most} bytes"),
            "shorten it, or raise the limit with `Dynamic::max_bytes`",
        )
    }

    /// Counts the bytes of a value that an expression computed, as often as each part occurs in it.
    pub(super) fn charge_computed(&mut self, expr: &Expr, value: &Value<'_>) -> Result<()> {
        match expr {
            Expr::Path(_) | Expr::Literal(_) | Expr::Other(JinjaExpr::Body(_)) => Ok(()),
            // Its parts are counted before they are joined.
            Expr::Other(JinjaExpr::Concat(_)) => Ok(()),
            _ => self.charge_shown(value),
        }
    }

    /// Counts the bytes of a value that is written.
    pub(super) fn charge_shown(&mut self, value: &Value<'_>) -> Result<()> {
        self.charge_size(value, |size| size)
    }

    /// Counts a value that is compared, each time.
    pub(super) fn charge_compared(&mut self, value: &Value<'_>) -> Result<()> {
        self.charge_size(value, |size| size / COMPARED_PER_BYTE)
    }

    /// Counts the values that a filter, test or method goes through, each time.
    pub(super) fn charge_call(
        &mut self,
        called: &Builtin,
        value: &Value<'_>,
        args: &[Option<Value<'_>>],
    ) -> Result<()> {
        match (called.function, value) {
            // They do not go through their values.
            ("first" | "last" | "default" | "defined" | "undefined" | "none", _)
            | ("mapping" | "sequence" | "iterable" | "number" | "boolean", _)
            | ("string", Value::Text(_))
            | ("length", Value::List(_) | Value::Tuple(_) | Value::Dict(_)) => return Ok(()),
            ("get", Value::Dict(_)) => self.charge_lookup(value)?,
            // The characters are collected.
            ("wordwrap", value) => self.charge_argument(BuiltinKind::List, value)?,
            _ => self.charge_argument(called.takes, value)?,
        }
        let items = match value {
            Value::List(items) | Value::Tuple(items) => items.len(),
            _ => 0,
        };
        for (index, arg) in args.iter().enumerate() {
            let Some(arg) = arg else { continue };
            let param = called.params.get(index);
            self.charge_argument(param.map_or(BuiltinKind::Any, |param| param.kind), arg)?;
            if param.is_some_and(|param| param.name == "attribute") {
                self.charge_attribute(arg, items)?;
            }
        }
        Ok(())
    }

    /// Counts the name of an attribute, each part of which is looked up in each of so many items.
    pub(super) fn charge_attribute(&mut self, name: &Value<'_>, items: usize) -> Result<()> {
        match name {
            Value::Text(name) => self.charge_bytes(
                name.len()
                    .saturating_mul(items)
                    .saturating_mul(ATTRIBUTE_COST),
            ),
            _ => Ok(()),
        }
    }

    /// Counts a value that a function with a parameter of this kind goes through.
    pub(super) fn charge_argument(&mut self, kind: BuiltinKind, value: &Value<'_>) -> Result<()> {
        match (kind, value) {
            // Each character is made an item.
            (BuiltinKind::List, Value::Text(text)) => {
                self.charge_bytes(text.len().saturating_mul(ITEM_SIZE * CALL_COST / 2))
            }
            (_, Value::Text(text)) => self.charge_bytes(text.len().saturating_mul(CALL_COST)),
            (_, Value::List(_) | Value::Tuple(_) | Value::Dict(_)) => {
                self.charge_size(value, |size| size.saturating_mul(CALL_COST / 2))
            }
            _ => Ok(()),
        }
    }

    /// Counts the lookup of an item: the entries of a dict and the characters of a string are searched for it.
    pub(super) fn charge_lookup(&mut self, value: &Value<'_>) -> Result<()> {
        match value {
            Value::Text(text) => self.charge_bytes(text.len() / COMPARED_PER_BYTE),
            Value::Dict(dict) => self.charge_bytes(dict.entries().len().saturating_mul(ENTRY_COST)),
            _ => Ok(()),
        }
    }

    fn charge_size(&mut self, value: &Value<'_>, cost: impl Fn(usize) -> usize) -> Result<()> {
        match printed_size(value, 0, &mut HashMap::new()) {
            Some(size) => self.charge_bytes(cost(size)),
            None => self.stop_rendering(
                format!("the template nests lists more than {MAX_NESTING} levels deep"),
                "nest fewer lists",
            ),
        }
    }

    #[cold]
    fn stop_rendering(&mut self, message: String, help: &str) -> Result<()> {
        let error = EvalError::new(message).with_help(help);
        self.used.stopped.get_or_insert(error.clone());
        Err(error)
    }
}

/// The size of a value as it is printed, about. `None` if it is nested too deeply. Shared lists are walked once.
fn printed_size(
    value: &Value<'_>,
    depth: usize,
    known: &mut HashMap<*const (), usize>,
) -> Option<usize> {
    if depth > MAX_NESTING {
        return None;
    }
    let mut whole = ITEM_SIZE;
    let at: *const () = match value {
        Value::Text(text) => return Some(ITEM_SIZE + text.len()),
        Value::List(items) | Value::Tuple(items) => items.as_ptr().cast(),
        Value::Dict(dict) => dict.entries().as_ptr().cast(),
        _ => return Some(ITEM_SIZE),
    };
    // An empty list has no address of its own.
    if let Some(size) = known.get(&at) {
        return Some(*size);
    }
    let mut add = |item| {
        whole = whole.saturating_add(printed_size(item, depth + 1, known)?);
        Some(())
    };
    match value {
        Value::List(items) | Value::Tuple(items) => items.iter().try_for_each(&mut add)?,
        Value::Dict(dict) => dict
            .entries()
            .iter()
            .try_for_each(|(key, value)| add(key).and_then(|()| add(value)))?,
        _ => {}
    }
    if whole > ITEM_SIZE {
        known.insert(at, whole);
    }
    Some(whole)
}
