//! The limits of a tool loop and of its tools.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use crate::{Error, ErrorKind, Result};

/// The limits of one tool: see [`ToolLoop::tool_limit`](crate::ToolLoop::tool_limit).
///
/// ```
/// use std::time::Duration;
/// use typed_prompt::tool::ToolLimit;
///
/// let limit = ToolLimit::new().max_calls(3).timeout(Duration::from_secs(5));
/// assert_ne!(limit, ToolLimit::new());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[must_use = "a limit has an effect where it is given to a tool loop"]
pub struct ToolLimit {
    max_calls: Option<usize>,
    timeout: Option<Duration>,
}

impl ToolLimit {
    /// No limits.
    pub fn new() -> ToolLimit {
        ToolLimit::default()
    }

    /// Sets how often the tool may be called in a loop. The model receives an error as the result of a further call.
    pub fn max_calls(mut self, calls: usize) -> ToolLimit {
        self.max_calls = Some(calls);
        self
    }

    /// Sets the longest time of a call.
    pub fn timeout(mut self, timeout: Duration) -> ToolLimit {
        self.timeout = Some(timeout);
        self
    }
}

/// The limits of a loop.
#[derive(Clone, Debug)]
pub(super) struct LoopLimits {
    pub(super) max_rounds: usize,
    pub(super) max_calls: Option<usize>,
    pub(super) max_total_tokens: Option<u64>,
    pub(super) total_timeout: Option<Duration>,
    pub(super) tool_timeout: Option<Duration>,
    pub(super) tools: Vec<(String, ToolLimit)>,
}

impl Default for LoopLimits {
    fn default() -> LoopLimits {
        LoopLimits {
            max_rounds: 8,
            max_calls: None,
            max_total_tokens: None,
            total_timeout: None,
            tool_timeout: None,
            tools: Vec::new(),
        }
    }
}

impl LoopLimits {
    fn limit_of(&self, tool: &str) -> ToolLimit {
        let limits = self.tools.iter().rev();
        let mut limits = limits.filter(|(name, _)| name == tool);
        limits.next().map(|(_, limit)| *limit).unwrap_or_default()
    }

    /// The longest time of a call of this tool.
    pub(super) fn timeout_of(&self, tool: &str) -> Option<Duration> {
        self.limit_of(tool).timeout.or(self.tool_timeout)
    }

    /// Fails if a limit is that of a tool which the loop does not offer.
    pub(super) fn check_names(&self, tools: &[&str]) -> Result<()> {
        let mut names = self.tools.iter().map(|(name, _)| &**name);
        match names.find(|name| !tools.contains(name)) {
            Some(name) if tools.is_empty() => {
                let message =
                    format!("`tool_limit` names the tool `{name}`, and the loop has no tools");
                Err(Error::new(ErrorKind::Tool, message).with_help("remove `tool_limit`"))
            }
            Some(name) => Err(Error::unknown_name("tool", name, tools).inside("`tool_limit`")),
            None => Ok(()),
        }
    }

    /// Fails if a call is one too many of its tool. `calls` includes it.
    pub(super) fn check_calls_of(&self, tool: &str, calls: usize) -> Result<()> {
        match self.limit_of(tool).max_calls {
            Some(max) if calls > max => {
                let message = format!(
                    "the tool `{tool}` may be called {max} time{}, and this is call {calls}",
                    plural(max)
                );
                Err(Error::new(ErrorKind::Output, message))
            }
            _ => Ok(()),
        }
    }

    /// Fails if the loop may not go on after a reply that calls `tool`, or whose answer is retried. The numbers include the reply.
    pub(super) fn check_loop(
        &self,
        tool: Option<&str>,
        (rounds, calls): (usize, usize),
        tokens: Option<u64>,
    ) -> Result<()> {
        if rounds > self.max_rounds {
            let max = self.max_rounds;
            let message = format!(
                "the model still calls tools after {max} round{}",
                plural(max)
            );
            return Err(limit_error(message, "max_rounds"));
        }
        let calls_tool = tool.map_or(String::new(), |tool| format!(", and it calls `{tool}`"));
        if let Some(max) = self.max_calls.filter(|max| calls > *max) {
            let message = format!("the model made {calls} tool calls of {max}{calls_tool}");
            return Err(limit_error(message, "max_calls"));
        }
        match (self.max_total_tokens, tokens) {
            (Some(_), None) => {
                let message = "`max_total_tokens` cannot be enforced: a reply has no token counts";
                let help = "use a model that reports its usage; in tests, give each reply a `Usage` with `Reply::with_usage`";
                Err(Error::new(ErrorKind::Model, message).with_help(help))
            }
            (Some(max), Some(tokens)) if tokens >= max => {
                let message = format!("the tool loop took {tokens} of {max} tokens{calls_tool}");
                Err(limit_error(message, "max_total_tokens"))
            }
            _ => Ok(()),
        }
    }

    /// The error of a loop that reached [`total_timeout`](LoopLimits::total_timeout) while this was running.
    pub(super) fn total_timeout_error(&self, waits_for: &WaitsFor) -> Error {
        let limit = self.total_timeout.unwrap_or_default();
        let message = format!("the tool loop did not end within {limit:?}: {waits_for}");
        Error::new(ErrorKind::Model, message).with_help("raise `total_timeout`")
    }

    /// The error of a call that reached its timeout.
    pub(super) fn tool_timeout_error(&self, tool: &str) -> Error {
        let timeout = self.timeout_of(tool).unwrap_or_default();
        let (option, limit) = match self.limit_of(tool).timeout {
            Some(_) => ("ToolLimit::timeout", "of the tool"),
            None => ("tool_timeout", "of each call"),
        };
        let message = format!(
            "the tool `{tool}` did not return within {timeout:?}, the longest time {limit}"
        );
        Error::new(ErrorKind::Tool, message).with_help(format!("raise `{option}`"))
    }
}

/// What a loop waits for: calls that run, the approval of a call, or else the model.
#[derive(Debug, Default)]
pub(super) struct WaitsFor {
    /// The tools whose calls run, by the index of the call.
    running: BTreeMap<usize, String>,
    /// The tool whose call is not approved yet.
    approval: Option<String>,
}

impl WaitsFor {
    pub(super) fn begin_approval(&mut self, tool: &str) {
        self.approval = Some(tool.to_owned());
    }

    pub(super) fn end_approval(&mut self) {
        self.approval = None;
    }

    pub(super) fn begin_call(&mut self, index: usize, tool: &str) {
        self.running.insert(index, tool.to_owned());
    }

    pub(super) fn end_call(&mut self, index: usize) {
        self.running.remove(&index);
    }
}

impl fmt::Display for WaitsFor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let running: Vec<&str> = self.running.values().map(String::as_str).collect();
        match (&*running, &self.approval) {
            ([], None) => f.write_str("the model was answering"),
            (_, Some(tool)) => write!(f, "the call of `{tool}` was waiting for its approval"),
            ([tool], _) => write!(f, "the tool `{tool}` was running"),
            (tools, _) => write!(f, "the tools `{}` were running", tools.join("`, `")),
        }
    }
}

fn limit_error(message: String, option: &str) -> Error {
    let help = format!("raise `{option}`, or say in the prompt when to stop");
    Error::new(ErrorKind::Model, message).with_help(help)
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
