//! Conversations in which the model calls tools.

use std::fmt::Display;
use std::marker::PhantomData;

use super::approval::{Approval, Approver, NoApproval};
use crate::llm::retry_request;
use crate::{
    Error, ErrorKind, FinishReason, Llm, Message, Options, Prompt, Reply, Request, Result,
    ToolCall, ToolChoice, Tools,
};

/// A conversation in which the model calls tools, in a bounded number of rounds: see [`Llm::with_tools`].
///
/// ```
/// # #[derive(Debug)] enum Action { Depth { lake: String } }
/// # impl typed_prompt::Tools for Action {
/// #     fn tools() -> typed_prompt::Result<Vec<typed_prompt::Tool>> { Ok(vec![typed_prompt::Tool::new("depth")]) }
/// #     fn parse(call: &ToolCall) -> typed_prompt::Result<Action> { Ok(Action::Depth { lake: call.json()?.as_str().into() }) }
/// # }
/// use typed_prompt::{Llm, Message, Messages, MockLlm, Reply, ToolCall};
///
/// // #[derive(Tools)] enum Action { /** How deep a lake is. */ Depth { lake: String } }
/// let call = ToolCall::new("c1", "depth", r#"{"lake": "Ammersee"}"#);
/// let llm = MockLlm::new([Reply::calls([call]), Reply::new("It is 81 metres deep.")]);
/// let ask = Messages::from([Message::user("How deep is it?")]);
/// let answer = llm.with_tools(&ask).answer(async |action: Action| match action {
///     Action::Depth { lake } => Ok(format!("{lake} is 81 metres deep")),
/// });
/// assert_eq!(pollster::block_on(answer)?, "It is 81 metres deep.");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[must_use = "nothing is asked before `answer`"]
#[derive(Debug)]
pub struct ToolLoop<'a, L: ?Sized, P, A = NoApproval> {
    llm: &'a L,
    request: Result<Request>,
    /// Whether the prompt brings the tools.
    own: bool,
    most: usize,
    round: usize,
    options: Options,
    /// The remaining number of retries for an answer that fits.
    output_retries: u32,
    /// Whether the model receives the error of a failed tool.
    reports_errors: bool,
    /// The error of the last call.
    wrong: Option<Error>,
    /// Decides about consequential calls.
    approver: A,
    prompt: PhantomData<fn() -> P>,
}

/// The default of `max_rounds`: a model that calls the same tool again and again has to end, and useful chains of calls are shorter.
const ROUNDS: usize = 8;

/// One step of the model in the loop.
enum ModelReply<T> {
    Answer(T),
    /// Its calls, each of which needs a result, and whether the last may be truncated.
    Calls(Vec<ToolCall>, bool),
}

impl<'a, L: Llm + ?Sized, P: Prompt> ToolLoop<'a, L, P> {
    pub(crate) fn new(llm: &'a L, prompt: &P, own: bool) -> ToolLoop<'a, L, P> {
        ToolLoop {
            llm,
            request: Request::from_prompt(prompt),
            own,
            most: ROUNDS,
            round: 0,
            options: Options::new(),
            output_retries: llm.default_output_retries(),
            reports_errors: false,
            wrong: None,
            approver: NoApproval,
            prompt: PhantomData,
        }
    }

    /// Sets the function that decides about each call of a tool marked `#[tool(consequential)]`, for example by asking a person. It
    /// receives the arguments as the tool would; `false` tells the model that the call was not approved.
    ///
    /// If no tool is marked, it decides about every call. This includes tools that the prompt contains, such as those of an MCP
    /// server, with the argument type [`ToolCall`].
    ///
    /// ```
    /// # #[derive(Debug)] enum Action { Send { to: String } }
    /// # impl typed_prompt::Tools for Action {
    /// #     const CONSEQUENTIAL: &'static [&'static str] = &["send"];
    /// #     fn tools() -> typed_prompt::Result<Vec<typed_prompt::Tool>> { Ok(vec![typed_prompt::Tool::new("send")]) }
    /// #     fn parse(call: &ToolCall) -> typed_prompt::Result<Action> { Ok(Action::Send { to: call.json()?.as_str().into() }) }
    /// # }
    /// use typed_prompt::{Llm, Messages, MockLlm, Reply, ToolCall};
    ///
    /// // #[derive(Tools)] enum Action { #[tool(consequential)] Send { to: String } }
    /// let call = ToolCall::new("c1", "send", r#"{"to": "eve@example.com"}"#);
    /// let llm = MockLlm::new([Reply::calls([call]), Reply::new("I may not send it.")]);
    /// let answer = llm
    ///     .with_tools(Messages::new())
    ///     .approve(async |Action::Send { to }: &Action| to.ends_with("@our-company.com"))
    ///     .answer(async |_: Action| Ok("sent"));
    /// assert_eq!(pollster::block_on(answer)?, "I may not send it.");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn approve<T: Tools, F: AsyncFnMut(&T) -> bool>(
        self,
        approve: F,
    ) -> ToolLoop<'a, L, P, Approval<F>> {
        ToolLoop {
            llm: self.llm,
            request: self.request,
            own: self.own,
            most: self.most,
            round: self.round,
            options: self.options,
            output_retries: self.output_retries,
            reports_errors: self.reports_errors,
            wrong: self.wrong,
            approver: Approval(approve),
            prompt: PhantomData,
        }
    }
}

impl<L: Llm + ?Sized, P: Prompt, A> ToolLoop<'_, L, P, A> {
    /// The maximum number of rounds in which the model calls tools. Parallel calls are one round. 8 by default.
    ///
    /// ```
    /// # #[derive(Debug)] enum Action { Depth }
    /// # impl typed_prompt::Tools for Action {
    /// #     fn tools() -> typed_prompt::Result<Vec<typed_prompt::Tool>> { Ok(vec![typed_prompt::Tool::new("depth")]) }
    /// #     fn parse(_: &ToolCall) -> typed_prompt::Result<Action> { Ok(Action::Depth) }
    /// # }
    /// use typed_prompt::{Llm, Messages, MockLlm, Reply, ToolCall};
    ///
    /// let llm = MockLlm::from_fn(|_| Ok(Reply::calls([ToolCall::new("c1", "depth", "{}")])));
    /// let asked = llm.with_tools(Messages::new()).max_rounds(2).answer(async |_: Action| Ok(81));
    /// let error = pollster::block_on(asked).unwrap_err();
    /// assert_eq!(error.message(), "the model still calls tools after 2 rounds");
    /// ```
    pub fn max_rounds(mut self, rounds: usize) -> Self {
        self.most = rounds;
        self
    }

    /// Sends the error of a failed tool to the model, which may then do otherwise. Without it, the error ends the loop.
    ///
    /// ```
    /// # #[derive(Debug)] enum Action { Depth }
    /// # impl typed_prompt::Tools for Action {
    /// #     fn tools() -> typed_prompt::Result<Vec<typed_prompt::Tool>> { Ok(vec![typed_prompt::Tool::new("depth")]) }
    /// #     fn parse(_: &ToolCall) -> typed_prompt::Result<Action> { Ok(Action::Depth) }
    /// # }
    /// use typed_prompt::{Llm, Messages, MockLlm, Reply, ToolCall};
    ///
    /// let call = ToolCall::new("c1", "depth", "{}");
    /// let llm = MockLlm::new([Reply::calls([call]), Reply::new("I could not find out.")]);
    /// let asked = llm.with_tools(Messages::new()).report_errors();
    /// let answer = asked.try_answer(async |_: Action| Err::<u32, _>("no such lake"));
    /// assert_eq!(pollster::block_on(answer)?, "I could not find out.");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn report_errors(mut self) -> Self {
        self.reports_errors = true;
        self
    }

    crate::option_setters!(|self| self.options);

    /// Sends the prompt, passes each call to `tool`, and sends its result back, until the model answers.
    ///
    /// `tool` returns the text that the model receives. It should include errors of the tool, so that the model can react to
    /// them. A call of an unknown tool, with arguments that do not fit, or in a truncated answer
    /// is not passed to `tool`; the model receives the error. An answer that does not fit is retried as by [`Llm::call`].
    ///
    /// # Errors
    /// As [`Llm::call`], what `tool` fails with, and a model that still calls tools after the last round. Before the first request:
    /// a consequential tool without [`approve`](ToolLoop::approve), and a prompt that
    /// has tools already: where its type does not show that, as with [`Messages`](crate::Messages), it is an error of
    /// kind [`Tool`](ErrorKind::Tool).
    pub async fn answer<T: Tools, R: Display>(
        self,
        tool: impl AsyncFnMut(T) -> Result<R>,
    ) -> Result<P::Output>
    where
        A: Approver<T>,
    {
        self.run_calls(tool, |_, error| error).await
    }

    /// The same for tools with any type of error, such as `std::io::Error` or `String`. The error of the loop names the tool.
    ///
    /// ```
    /// # #[derive(Debug)] enum Action { Depth }
    /// # impl typed_prompt::Tools for Action {
    /// #     fn tools() -> typed_prompt::Result<Vec<typed_prompt::Tool>> { Ok(vec![typed_prompt::Tool::new("depth")]) }
    /// #     fn parse(_: &ToolCall) -> typed_prompt::Result<Action> { Ok(Action::Depth) }
    /// # }
    /// use typed_prompt::{Llm, Messages, MockLlm, Reply, ToolCall};
    ///
    /// let llm = MockLlm::new([Reply::calls([ToolCall::new("c1", "depth", "{}")])]);
    /// let asked = llm.with_tools(Messages::new()).try_answer(async |_: Action| "81 m".parse::<u32>());
    /// let error = pollster::block_on(asked).unwrap_err();
    /// assert_eq!(error.message(), "the tool `depth` failed: invalid digit found in string");
    /// ```
    ///
    /// # Errors
    /// As [`answer`](ToolLoop::answer).
    pub async fn try_answer<T: Tools, R: Display, E: Display>(
        self,
        tool: impl AsyncFnMut(T) -> std::result::Result<R, E>,
    ) -> Result<P::Output>
    where
        A: Approver<T>,
    {
        self.run_calls(tool, |name, error| {
            Error::new(
                ErrorKind::Tool,
                format!("the tool `{name}` failed: {error}"),
            )
        })
        .await
    }

    async fn run_calls<T: Tools, R: Display, E>(
        mut self,
        mut tool: impl AsyncFnMut(T) -> std::result::Result<R, E>,
        failed: impl Fn(&str, E) -> Error,
    ) -> Result<P::Output>
    where
        A: Approver<T>,
    {
        self.offer_tools::<T>().map_err(at_prompt::<P>)?;
        loop {
            let (calls, is_cut) = match self.next().await.map_err(at_prompt::<P>)? {
                ModelReply::Answer(answer) => return Ok(answer),
                ModelReply::Calls(calls, is_cut) => (calls, is_cut),
            };
            let last = calls.len().saturating_sub(1);
            for (at, call) in calls.into_iter().enumerate() {
                let read = match is_cut && at == last {
                    true => require_complete_call(&call).and_then(|()| T::parse(&call)),
                    false => T::parse(&call),
                };
                let marked = T::CONSEQUENTIAL;
                let is_consequential =
                    A::EXISTS && (marked.is_empty() || marked.contains(&&*call.name));
                let result = match read {
                    Ok(action) if is_consequential && !self.approver.approves(&action).await => {
                        let message = format!("the call of `{}` was not approved", call.name);
                        Err(Error::new(ErrorKind::Tool, message))
                    }
                    Ok(action) => match tool(action).await {
                        Ok(result) => Ok(result),
                        Err(error) if self.reports_errors => Err(failed(&call.name, error)),
                        Err(error) => return Err(at_prompt::<P>(failed(&call.name, error))),
                    },
                    Err(error) if error.kind() == ErrorKind::Output => Err(error),
                    Err(error) => return Err(at_prompt::<P>(error)),
                };
                self.add_result(call, result)?;
            }
        }
    }

    fn request_mut(&mut self) -> Result<&mut Request> {
        self.request.as_mut().map_err(|error| error.clone())
    }

    /// Puts the tools into the request, unless they are there.
    fn offer_tools<T: Tools>(&mut self) -> Result<()>
    where
        A: Approver<T>,
    {
        if let [tool, ..] = T::CONSEQUENTIAL
            && !A::EXISTS
        {
            let tools = std::any::type_name::<T>().rsplit("::").next();
            let tools = tools.unwrap_or("Action");
            let message = format!(
                "the tool `{tool}` is consequential, and the loop has no function that approves its calls"
            );
            return Err(Error::new(ErrorKind::Tool, message).with_help(format!(
                "write `.approve(async |call: &{tools}| …)` before `.answer(…)`"
            )));
        }
        self.output_retries = self.options.output_retries.unwrap_or(self.output_retries);
        let (own, options) = (self.own, std::mem::take(&mut self.options));
        let request = self.request_mut()?;
        request.options = options;
        let tools = request.messages.tools_mut();
        match tools.first() {
            _ if own => {}
            None => tools.extend(T::tools()?),
            Some(tool) => {
                let (prompt, tool) = (P::INFO.name, tool.name());
                let message = format!(
                    "`{prompt}` brings tools of its own, such as `{tool}`, and the call gives it more"
                );
                return Err(Error::new(ErrorKind::Tool, message)
                    .with_help("give the tools in one place, or use `with_own_tools`"));
            }
        }
        Ok(())
    }

    /// Lets the model answer or call, and asks again for an answer that does not fit.
    async fn next(&mut self) -> Result<ModelReply<P::Output>> {
        let mut unfit: Option<Error> = None;
        loop {
            let llm = self.llm;
            let reply = match (llm.send(self.request_mut()?).await, unfit.take()) {
                // A mock or recording without a further answer: the error of the last answer is more useful.
                (Err(ended), Some(error)) if ended.kind() == ErrorKind::MockExhausted => {
                    return Err(error);
                }
                (sent, _) => sent?,
            };
            if !reply.tool_calls.is_empty() {
                let is_cut = reply.finish == Some(FinishReason::Length);
                return self
                    .record_calls(reply)
                    .map(|calls| ModelReply::Calls(calls, is_cut));
            }
            match P::parse_reply(&reply) {
                Err(error) if self.output_retries > 0 && can_retry_help(&reply, &error) => {
                    self.output_retries -= 1;
                    let request = self.request_mut()?;
                    *request = retry_request(request, &reply, &error);
                    unfit = Some(error);
                }
                read => return read.map(ModelReply::Answer),
            }
        }
    }

    fn record_calls(&mut self, reply: Reply) -> Result<Vec<ToolCall>> {
        if self.round == self.most {
            return Err(self.too_many_rounds());
        }
        self.round += 1;
        let request = self.request_mut()?;
        // A model that has to call tools in every answer cannot end the loop.
        request.options.tool_choice = request
            .options
            .tool_choice
            .take()
            .filter(|choice| matches!(choice, ToolChoice::Auto | ToolChoice::None));
        request.messages.push(reply.message());
        Ok(reply.tool_calls)
    }

    /// Sends the result of a call, or its error, to the model.
    fn add_result(&mut self, call: ToolCall, result: Result<impl Display>) -> Result<()> {
        let text = match &result {
            Ok(result) => result.to_string(),
            Err(error) => format!("error: {error}"),
        };
        self.wrong = result.err();
        let id = call.id.unwrap_or_else(|| call.name.clone());
        let message = Message::tool(id, text).with_name(call.name);
        self.request_mut()?.messages.push(message);
        Ok(())
    }

    fn too_many_rounds(&mut self) -> Error {
        let plural = if self.most == 1 { "" } else { "s" };
        let message = format!(
            "the model still calls tools after {} round{plural}",
            self.most
        );
        let error = Error::new(ErrorKind::Model, message)
            .with_help("allow more rounds, or say in the prompt when to stop");
        match self.wrong.take() {
            Some(wrong) => error.with_source(wrong),
            None => error,
        }
    }
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

fn at_prompt<P: Prompt>(error: Error) -> Error {
    error.or_with_prompt(&P::INFO)
}
