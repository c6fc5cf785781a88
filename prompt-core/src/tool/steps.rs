//! The state of a tool loop, without I/O.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use super::ToolOutput;
use super::limits::LoopLimits;
use crate::llm::{retry_request, total_cost, total_usage};
use crate::{
    Attempt, Error, ErrorKind, FinishReason, JsonKind, Message, Messages, Prompt, Reply, Request,
    Result, Role, ToolCall, ToolChoice, Tools, Usage,
};

/// A tool loop as a state machine without I/O: see [`ToolLoop::steps`](crate::ToolLoop::steps).
///
/// [`request`](ToolSteps::request) is what the model is asked next, [`reply`](ToolSteps::reply) receives its answer, and
/// [`result`](ToolSteps::result) the result of each call. The limits of the loop apply, except for those of time.
///
/// ```
/// # #[derive(Debug)] enum Action { Depth }
/// # impl typed_prompt::Tools for Action {
/// #     fn tools() -> typed_prompt::Result<Vec<typed_prompt::Tool>> { Ok(vec![typed_prompt::Tool::new("depth")]) }
/// #     fn parse(_: &ToolCall) -> typed_prompt::Result<Action> { Ok(Action::Depth) }
/// # }
/// use typed_prompt::tool::ToolStep;
/// use typed_prompt::{Llm, Message, Messages, MockLlm, Reply, ToolCall};
///
/// # pollster::block_on(async {
/// let llm = MockLlm::new([Reply::calls([ToolCall::new("c1", "depth", "{}")]), Reply::new("81 metres.")]);
/// let ask = Messages::from([Message::user("How deep is it?")]);
/// let mut steps = llm.with_tools(&ask).steps::<Action>()?;
/// let finished = loop {
///     let reply = llm.send(steps.request()).await?;
///     match steps.reply(&reply)? {
///         ToolStep::Finished(finished) => break finished,
///         ToolStep::Calls(calls) => {
///             for call in calls {
///                 let result = call.action.map(|Action::Depth| 81.into());
///                 steps.result(result);
///             }
///         }
///         ToolStep::Retry => {}
///     }
/// };
/// assert_eq!((&*finished.value, finished.rounds, finished.calls), ("81 metres.", 1, 1));
/// # Ok::<(), typed_prompt::Error>(()) })?;
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub struct ToolSteps<P, T> {
    request: Request,
    limits: LoopLimits,
    /// The remaining number of retries for an answer that fits.
    output_retries: u32,
    rounds: usize,
    calls: usize,
    calls_of: BTreeMap<String, usize>,
    attempts: Vec<Attempt>,
    /// Whether every reply so far has token counts.
    counts_tokens: bool,
    /// The calls of the round whose results are not in the conversation, in order.
    open: VecDeque<OpenCall>,
    /// The number of the round's calls before them.
    ended: usize,
    /// The error of the last answer, which was retried.
    unfit: Option<Error>,
    /// The error of the last call.
    failed: Option<Error>,
    types: PhantomData<fn() -> (P, T)>,
}

/// A call whose result is not in the conversation.
#[derive(Debug)]
struct OpenCall {
    call: ToolCall,
    /// The result, if a call before it runs still.
    result: Option<Message>,
}

/// What a reply of the model means for its tool loop: see [`ToolSteps`].
#[derive(Debug)]
pub enum ToolStep<O, T> {
    /// The model answered.
    Finished(Finished<O>),
    /// The model calls tools. Each call needs a result, in this order.
    Calls(Vec<RequestedCall<T>>),
    /// The answer does not fit the output type. The request contains the error, and is sent again.
    Retry,
}

/// A call of a tool by the model: see [`ToolSteps`].
#[derive(Debug)]
#[non_exhaustive]
pub struct RequestedCall<T> {
    /// The number of the call in its round, for [`ToolSteps::result_at`].
    pub index: usize,
    /// The call as the model wrote it.
    pub call: ToolCall,
    /// The variant of the enum, or the error that the model receives as the result.
    pub action: Result<T>,
}

/// The end of a tool loop: see [`ToolLoop::run`](crate::ToolLoop::run).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finished<O> {
    /// The answer.
    pub value: O,
    /// The whole conversation, with the answer as its last message.
    pub messages: Messages,
    /// The requests that were sent, in order: see [`Attempt`].
    pub attempts: Vec<Attempt>,
    /// The number of rounds in which the model called tools.
    pub rounds: usize,
    /// The number of calls.
    pub calls: usize,
}

impl<O> Finished<O> {
    /// The tokens of all requests together.
    pub fn usage(&self) -> Usage {
        total_usage(&self.attempts)
    }

    /// The cost of all requests together, as that of [`Answered::cost`](crate::Answered::cost).
    pub fn cost(&self) -> Option<f64> {
        total_cost(&self.attempts)
    }
}

impl<P, T> ToolSteps<P, T> {
    /// The request that is sent next.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// The conversation so far, which another loop can [`resume`](crate::ToolLoop::resume). Calls without a result have the result
    /// that they were cancelled, because providers reject a conversation without it.
    pub fn messages(&self) -> Messages {
        let mut messages = self.request.messages.clone();
        messages.extend(self.open.iter().map(|open| match &open.result {
            Some(result) => result.clone(),
            None => {
                let error = format!("error: the call of `{}` was cancelled", open.call.name);
                ToolOutput::from(error).into_message(open.call.clone())
            }
        }));
        messages
    }

    /// The requests so far, each with its reply or its error.
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// The tokens of all requests so far.
    pub fn usage(&self) -> Usage {
        total_usage(&self.attempts)
    }

    /// Receives the result of the first call that has none. The model receives an error as text. Without such a call it does nothing.
    pub fn result(&mut self, result: Result<ToolOutput>) {
        let open = self.open.iter().position(|open| open.result.is_none());
        if let Some(position) = open {
            self.result_at(self.ended + position, result);
        }
    }

    /// Receives the result of a call by its [`index`](RequestedCall::index), for calls that run at the same time. The conversation contains the results in the
    /// order of the calls. For a call that has a result it does nothing.
    pub fn result_at(&mut self, index: usize, result: Result<ToolOutput>) {
        let position = index.checked_sub(self.ended);
        let Some(open) = position.and_then(|position| self.open.get_mut(position)) else {
            return;
        };
        if open.result.is_some() {
            return;
        }
        let output = match &result {
            Ok(output) => output.clone(),
            Err(error) => error_output(error),
        };
        open.result = Some(output.into_message(open.call.clone()));
        self.failed = result.err();
        while let Some(result) = self.open.front_mut().and_then(|open| open.result.take()) {
            self.open.pop_front();
            self.ended += 1;
            self.request.messages.push(result);
        }
    }

    pub(super) fn limits(&self) -> &LoopLimits {
        &self.limits
    }

    /// The error of a request that failed. For a mock or recording without a further answer, the error of the last answer is more useful.
    pub(super) fn request_failed(&mut self, error: Error, latency: Duration) -> Error {
        match self.unfit.take() {
            Some(unfit) if error.kind() == ErrorKind::MockExhausted => unfit,
            _ => {
                self.add_attempt(None, Some(&error), latency);
                error
            }
        }
    }

    fn add_attempt(&mut self, reply: Option<&Reply>, error: Option<&Error>, latency: Duration) {
        self.attempts.extend(self.request.take_failures());
        self.counts_tokens &= reply.is_none_or(|reply| reply.usage.is_some());
        let attempt = Attempt::new(&self.request, reply.cloned(), error, latency);
        self.attempts.push(attempt);
    }

    /// Adds the conversation and the attempts to the error that ends the loop.
    pub(super) fn end_with(&mut self, error: Error) -> Error {
        let mut attempts = std::mem::take(&mut self.attempts);
        // Of a request that was cancelled, what failed before.
        attempts.extend(self.request.take_failures());
        error.with_attempts(attempts).with_messages(self.messages())
    }
}

impl<P: Prompt, T: Tools> ToolSteps<P, T> {
    pub(super) fn new(
        request: Request,
        limits: LoopLimits,
        output_retries: u32,
    ) -> ToolSteps<P, T> {
        let open = open_calls(&request.messages);
        let mut calls_of: BTreeMap<String, usize> = BTreeMap::new();
        for open in &open {
            *calls_of.entry(open.call.name.clone()).or_default() += 1;
        }
        ToolSteps {
            calls: open.len(),
            open,
            request: request.with_failures(),
            limits,
            output_retries,
            rounds: 0,
            calls_of,
            attempts: Vec::new(),
            counts_tokens: true,
            ended: 0,
            unfit: None,
            failed: None,
            types: PhantomData,
        }
    }

    /// The calls without a result: those of a resumed conversation that was stopped while they ran.
    pub fn open_calls(&self) -> Vec<RequestedCall<T>> {
        let open = self.open.iter().enumerate();
        let open = open.filter(|(_, open)| open.result.is_none());
        open.map(|(position, open)| {
            let before = self.open.iter().take(position + 1);
            let count = before.filter(|other| other.call.name == open.call.name);
            let is_allowed = self.limits.check_calls_of(&open.call.name, count.count());
            RequestedCall {
                index: self.ended + position,
                call: open.call.clone(),
                action: is_allowed.and_then(|()| T::parse(&open.call)),
            }
        })
        .collect()
    }

    /// Receives the reply to [`request`](ToolSteps::request). Its attempt has no latency, which only the program could measure.
    ///
    /// # Errors
    /// The answer does not fit the output type and is not retried, or the model does not end within the limits of the loop.
    pub fn reply(&mut self, reply: &Reply) -> Result<ToolStep<P::Output, T>> {
        self.reply_after(Duration::ZERO, reply)
    }

    pub(super) fn reply_after(
        &mut self,
        latency: Duration,
        reply: &Reply,
    ) -> Result<ToolStep<P::Output, T>> {
        if !reply.tool_calls.is_empty() {
            self.add_attempt(Some(reply), None, latency);
            return self.record_calls(reply).map(ToolStep::Calls);
        }
        let answer = P::parse_reply(reply);
        self.add_attempt(Some(reply), answer.as_ref().err(), latency);
        match answer {
            Ok(value) => {
                self.request.messages.push(reply.message());
                Ok(ToolStep::Finished(Finished {
                    value,
                    messages: self.request.messages.clone(),
                    attempts: std::mem::take(&mut self.attempts),
                    rounds: self.rounds,
                    calls: self.calls,
                }))
            }
            Err(error) if self.output_retries > 0 && can_retry_help(reply, &error) => {
                self.check_limits(None)
                    .map_err(|limit| limit.with_source(error.clone()))?;
                self.output_retries -= 1;
                self.request = retry_request(&self.request, reply, &error);
                self.unfit = Some(error);
                Ok(ToolStep::Retry)
            }
            Err(error) if can_retry_help(reply, &error) => {
                Err(error.with_retry_note(&self.attempts))
            }
            Err(error) => Err(error),
        }
    }

    /// The error of the last answer, which is retried.
    pub(super) fn unfit(&self) -> Option<&Error> {
        self.unfit.as_ref()
    }

    fn record_calls(&mut self, reply: &Reply) -> Result<Vec<RequestedCall<T>>> {
        self.rounds += 1;
        self.calls += reply.tool_calls.len();
        self.unfit = None;
        // A model that has to call tools in every answer cannot end the loop.
        let choice = &mut self.request.options.tool_choice;
        *choice = choice
            .take()
            .filter(|choice| matches!(choice, ToolChoice::Auto | ToolChoice::None));
        let mut message = reply.message();
        message.tool_calls.iter_mut().for_each(require_object);
        self.request.messages.push(message);
        let calls = reply.tool_calls.iter().cloned();
        self.open = calls.map(|call| OpenCall { call, result: None }).collect();
        self.ended = 0;
        let first = reply.tool_calls.first().map(|call| &*call.name);
        if let Err(limit) = self.check_limits(first) {
            return Err(match self.failed.take() {
                Some(failed) => limit.with_source(failed),
                None => limit,
            });
        }
        let is_cut = reply.finish == Some(FinishReason::Length);
        let last = reply.tool_calls.len().saturating_sub(1);
        let calls = reply.tool_calls.iter().enumerate();
        Ok(calls
            .map(|(index, call)| RequestedCall {
                index,
                call: call.clone(),
                action: self.read_call(call, is_cut && index == last),
            })
            .collect())
    }

    fn read_call(&mut self, call: &ToolCall, is_cut: bool) -> Result<T> {
        if is_cut {
            require_complete_call(call)?;
        }
        let calls = self.calls_of.entry(call.name.clone()).or_default();
        *calls += 1;
        self.limits.check_calls_of(&call.name, *calls)?;
        T::parse(call)
    }

    /// Fails if the loop may not go on after the last reply.
    fn check_limits(&self, tool: Option<&str>) -> Result<()> {
        let usage = self.usage();
        let tokens = usage.input.saturating_add(usage.output);
        let tokens = self.counts_tokens.then_some(tokens);
        let counts = (self.rounds, self.calls);
        self.limits.check_loop(tool, counts, tokens)
    }
}

/// An error as the result of a call.
fn error_output(error: &Error) -> ToolOutput {
    ToolOutput::from(format!("error: {error}"))
}

impl<P, T> fmt::Debug for ToolSteps<P, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolSteps")
            .field("request", &self.request)
            .field("rounds", &self.rounds)
            .field("open", &self.open)
            .finish_non_exhaustive()
    }
}

/// Wraps arguments that are not a JSON object in one, because most providers reject a conversation with such a call. The name of the field is that of
/// Anthropic's documentation. Servers write calls without arguments in several ways, which the clients of the models handle.
fn require_object(call: &mut ToolCall) {
    let is_empty = matches!(call.arguments.trim(), "" | "null" | "\"\"");
    let json = call.json();
    if !is_empty && !json.is_ok_and(|json| json.kind() == JsonKind::Object) {
        let wrapped = serde_json::json!({"INVALID_JSON": call.arguments});
        call.arguments = wrapped.to_string();
    }
}

/// The calls at the end of a conversation that have no result.
fn open_calls(messages: &Messages) -> VecDeque<OpenCall> {
    let results = messages.iter().rev();
    let results = results.take_while(|message| message.role == Role::Tool);
    let results = results.count();
    let caller = messages.iter().rev().nth(results);
    let calls = caller.map_or(&[][..], |message| &message.tool_calls);
    let calls = calls.get(results..).unwrap_or_default().iter().cloned();
    calls.map(|call| OpenCall { call, result: None }).collect()
}

/// Refuses the last call of an answer that reached its greatest length, unless it was whole by then: what is missing may
/// be what makes it harmless.
fn require_complete_call(call: &ToolCall) -> Result<()> {
    call.json().map(drop).map_err(|_| {
        let name = &call.name;
        let message = format!(
            "the call of `{name}` breaks off, since the answer reached its greatest length"
        );
        Error::new(ErrorKind::Output, message).with_answer(call.arguments.as_str())
    })
}

/// Whether asking again can help: an answer that reached its greatest length would only come again.
fn can_retry_help(reply: &Reply, error: &Error) -> bool {
    error.kind() == ErrorKind::Output && reply.finish != Some(FinishReason::Length)
}
