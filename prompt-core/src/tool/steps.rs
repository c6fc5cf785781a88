//! The state of a tool loop, without I/O.

use std::fmt;
use std::marker::PhantomData;

use super::ToolOutput;
use crate::llm::retry_request;
use crate::{
    Error, ErrorKind, FinishReason, Messages, Prompt, Reply, Request, Result, Role, ToolCall,
    ToolChoice, Tools, Usage,
};

/// A tool loop as a state machine without I/O: see [`ToolLoop::steps`](crate::ToolLoop::steps).
///
/// [`request`](ToolSteps::request) is what the model is asked next, [`reply`](ToolSteps::reply) receives its answer, and
/// [`result`](ToolSteps::result) the result of each call.
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
    max_rounds: usize,
    /// The remaining number of retries for an answer that fits.
    output_retries: u32,
    rounds: usize,
    calls: usize,
    usage: Usage,
    /// The calls without a result, in order.
    open: Vec<ToolCall>,
    /// The error of the last answer, which was retried.
    unfit: Option<Error>,
    /// The error of the last call.
    failed: Option<Error>,
    types: PhantomData<fn() -> (P, T)>,
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
    /// The tokens of all requests together.
    pub usage: Usage,
    /// The number of rounds in which the model called tools.
    pub rounds: usize,
    /// The number of calls.
    pub calls: usize,
}

impl<P: Prompt, T: Tools> ToolSteps<P, T> {
    pub(super) fn new(request: Request, max_rounds: usize, output_retries: u32) -> ToolSteps<P, T> {
        ToolSteps {
            open: open_calls(&request.messages),
            request,
            max_rounds,
            output_retries,
            rounds: 0,
            calls: 0,
            usage: Usage::default(),
            unfit: None,
            failed: None,
            types: PhantomData,
        }
    }

    /// The request that is sent next.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// The conversation so far, which another loop can [`resume`](crate::ToolLoop::resume). Calls without a result have the result
    /// that they were cancelled, because providers reject a conversation without it.
    pub fn messages(&self) -> Messages {
        let mut messages = self.request.messages.clone();
        let cancelled = self.open.iter().map(|call| {
            let error = format!("error: the call of `{}` was cancelled", call.name);
            ToolOutput::from(error).into_message(call.clone())
        });
        messages.extend(cancelled);
        messages
    }

    /// The tokens of all requests so far.
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// The calls without a result: those of a resumed conversation that was stopped while they ran.
    pub fn open_calls(&self) -> Vec<RequestedCall<T>> {
        self.open
            .iter()
            .map(|call| read_call(call, false))
            .collect()
    }

    /// Receives the reply to [`request`](ToolSteps::request).
    ///
    /// # Errors
    /// The answer does not fit the output type and is not retried, or the model still calls tools after the last round.
    pub fn reply(&mut self, reply: &Reply) -> Result<ToolStep<P::Output, T>> {
        self.usage += reply.usage.unwrap_or_default();
        if !reply.tool_calls.is_empty() {
            return self.record_calls(reply).map(ToolStep::Calls);
        }
        match P::parse_reply(reply) {
            Ok(value) => {
                self.request.messages.push(reply.message());
                Ok(ToolStep::Finished(Finished {
                    value,
                    messages: self.request.messages.clone(),
                    usage: self.usage,
                    rounds: self.rounds,
                    calls: self.calls,
                }))
            }
            Err(error) if self.output_retries > 0 && can_retry_help(reply, &error) => {
                self.output_retries -= 1;
                self.request = retry_request(&self.request, reply, &error);
                self.unfit = Some(error);
                Ok(ToolStep::Retry)
            }
            Err(error) => Err(error),
        }
    }

    /// Receives the result of the first call that has none. The model receives an error as text. Without such a call it does nothing.
    pub fn result(&mut self, result: Result<ToolOutput>) {
        if self.open.is_empty() {
            return;
        }
        let call = self.open.remove(0);
        let output = match &result {
            Ok(output) => output.clone(),
            Err(error) => ToolOutput::from(format!("error: {error}")),
        };
        self.failed = result.err();
        self.request.messages.push(output.into_message(call));
    }

    /// The error of a request that failed. For a mock or recording without a further answer, the error of the last answer is more useful.
    pub(super) fn request_failed(&mut self, error: Error) -> Error {
        match self.unfit.take() {
            Some(unfit) if error.kind() == ErrorKind::MockExhausted => unfit,
            _ => error,
        }
    }

    fn record_calls(&mut self, reply: &Reply) -> Result<Vec<RequestedCall<T>>> {
        if self.rounds == self.max_rounds {
            return Err(self.too_many_rounds());
        }
        self.rounds += 1;
        self.calls += reply.tool_calls.len();
        self.unfit = None;
        // A model that has to call tools in every answer cannot end the loop.
        let choice = &mut self.request.options.tool_choice;
        *choice = choice
            .take()
            .filter(|choice| matches!(choice, ToolChoice::Auto | ToolChoice::None));
        self.request.messages.push(reply.message());
        self.open.clone_from(&reply.tool_calls);
        let is_cut = reply.finish == Some(FinishReason::Length);
        let last = self.open.len().saturating_sub(1);
        let calls = self.open.iter().enumerate();
        Ok(calls
            .map(|(index, call)| read_call(call, is_cut && index == last))
            .collect())
    }

    fn too_many_rounds(&mut self) -> Error {
        let plural = if self.max_rounds == 1 { "" } else { "s" };
        let message = format!(
            "the model still calls tools after {} round{plural}",
            self.max_rounds
        );
        let error = Error::new(ErrorKind::Model, message)
            .with_help("allow more rounds, or say in the prompt when to stop");
        match self.failed.take() {
            Some(failed) => error.with_source(failed),
            None => error,
        }
    }
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

fn read_call<T: Tools>(call: &ToolCall, is_cut: bool) -> RequestedCall<T> {
    let checked = match is_cut {
        true => require_complete_call(call),
        false => Ok(()),
    };
    RequestedCall {
        call: call.clone(),
        action: checked.and_then(|()| T::parse(call)),
    }
}

/// The calls at the end of a conversation that have no result.
fn open_calls(messages: &Messages) -> Vec<ToolCall> {
    let results = messages.iter().rev();
    let results = results.take_while(|message| message.role == Role::Tool);
    let results = results.count();
    let caller = messages.iter().rev().nth(results);
    let calls = caller.map_or(&[][..], |message| &message.tool_calls);
    calls.get(results..).unwrap_or_default().to_vec()
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
