//! The limits of one rendering of a run-time template: steps, bytes and nesting.

use std::collections::HashMap;

use prompt_syntax::Expr;

use super::render::TemplateRenderer;
use crate::expr::{EvalError, Result, Value};

/// The limits of one rendering.
#[derive(Clone, Copy, Debug)]
pub(super) struct RenderLimits {
    pub(super) steps: u64,
    pub(super) bytes: usize,
}

impl Default for RenderLimits {
    fn default() -> RenderLimits {
        RenderLimits {
            steps: 10_000_000,
            bytes: 256 << 20,
        }
    }
}

/// The resources that a rendering has used.
#[derive(Default)]
pub(super) struct Used {
    steps: u64,
    bytes: usize,
    /// The error of the limit that was exceeded: nothing more is rendered.
    pub(super) stopped: Option<EvalError>,
}

/// Lists inside each other: printing, comparing and dropping them is recursive.
const NESTING: usize = 128;

/// How many bytes are searched for the price of one that is computed.
const SEARCHED: usize = 4;

/// About how many bytes an item of a list takes.
const ITEM: usize = size_of::<Value<'_>>();

impl TemplateRenderer<'_> {
    /// Counts a statement or an expression.
    pub(super) fn step(&mut self) -> Result<()> {
        self.used.steps += 1;
        let most = self.limits.steps;
        match self.used.steps > most {
            true => self.exceeded(
                format!("the template takes more than {most} steps"),
                "shorten it, or raise the limit with `Dynamic::with_max_steps`",
            ),
            false => Ok(()),
        }
    }

    /// Counts bytes that are written or computed.
    pub(super) fn bytes(&mut self, bytes: usize) -> Result<()> {
        self.used.bytes = self.used.bytes.saturating_add(bytes);
        let most = self.limits.bytes;
        match self.used.bytes > most {
            true => self.exceeded(
                format!("the template computes more than {most} bytes"),
                "shorten it, or raise the limit with `Dynamic::with_max_bytes`",
            ),
            false => Ok(()),
        }
    }

    /// Counts the bytes of a value that an expression computed, as often as each part occurs in it.
    pub(super) fn computed(&mut self, expr: &Expr, value: &Value<'_>) -> Result<()> {
        match expr {
            Expr::Path(_) | Expr::Literal(_) | Expr::Body(_) => Ok(()),
            // Its parts are counted before they are joined.
            Expr::Concat(_) => Ok(()),
            _ => self.shown(value),
        }
    }

    /// Counts the bytes of a value that is written.
    pub(super) fn shown(&mut self, value: &Value<'_>) -> Result<()> {
        self.weighed(value, 1)
    }

    /// Counts a value that is searched or compared, each time.
    pub(super) fn searched(&mut self, value: &Value<'_>) -> Result<()> {
        self.weighed(value, SEARCHED)
    }

    fn weighed(&mut self, value: &Value<'_>, share: usize) -> Result<()> {
        match size(value, 0, &mut HashMap::new()) {
            Some(size) => self.bytes(size / share),
            None => self.exceeded(
                format!("the template nests lists more than {NESTING} levels deep"),
                "nest fewer lists",
            ),
        }
    }

    #[cold]
    fn exceeded(&mut self, message: String, help: &str) -> Result<()> {
        let error = EvalError::new(message).with_help(help);
        self.used.stopped.get_or_insert(error.clone());
        Err(error)
    }
}

/// The size of a value as it is printed, about. `None` if it is nested too deeply. Shared lists are walked once.
fn size(value: &Value<'_>, depth: usize, known: &mut HashMap<*const (), usize>) -> Option<usize> {
    if depth > NESTING {
        return None;
    }
    let mut whole = ITEM;
    let at: *const () = match value {
        Value::Text(text) => return Some(ITEM + text.len()),
        Value::List(items) | Value::Tuple(items) => items.as_ptr().cast(),
        Value::Dict(dict) => dict.entries().as_ptr().cast(),
        _ => return Some(ITEM),
    };
    // An empty list has no address of its own.
    if let Some(size) = known.get(&at) {
        return Some(*size);
    }
    let mut add = |item| {
        whole = whole.saturating_add(size(item, depth + 1, known)?);
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
    if whole > ITEM {
        known.insert(at, whole);
    }
    Some(whole)
}
