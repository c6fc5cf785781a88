//! Conversations in which the model calls tools.

use std::collections::HashMap;
use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::pin::pin;
use std::time::{Duration, Instant};

use super::approval::{Approval, ApprovalFn, Approver, NoApproval};
use super::event::{OnEvent, chunk_event};
use super::limits::{LoopLimits, ToolLimit, WaitsFor};
use super::running::{CallEnd, RunningCalls};
use super::steps::{Finished, RequestedCall, ToolStep, ToolSteps};
use super::timer::run_within;
use super::tool_fn::ToolFn;
use super::{IntoToolOutput, ToolEvent, ToolOutput};
use crate::llm::BoxFuture;
use crate::{
    Error, ErrorKind, Llm, Message, Options, Prompt, Reply, Request, Result, Tool, ToolCall, Tools,
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
///
/// # Closures of tools
///
/// The futures of a loop can be sent to another thread, as servers require it, and several tools may run at the same time. So the closure borrows what it
/// uses, and does not change it: `async |action| db.search(&action).await`, without `move`. A closure that counts or
/// collects changes its variables outside of the future: `|action| { log.push(action); async { Ok("done") } }`, or locks a mutex.
#[must_use = "nothing is asked before `answer`"]
pub struct ToolLoop<'a, P, A = NoApproval> {
    llm: &'a dyn Llm,
    request: Result<Request>,
    /// Whether the prompt brings the tools.
    own: bool,
    limits: LoopLimits,
    concurrency: usize,
    options: Options,
    /// Whether the model receives the error of a failed tool.
    reports_errors: bool,
    /// Decides about consequential calls.
    approver: A,
    on_event: Option<OnEvent<'a>>,
    prompt: PhantomData<fn() -> P>,
}

impl<'a, P: Prompt> ToolLoop<'a, P> {
    pub(crate) fn new(llm: &'a dyn Llm, prompt: &P, own: bool) -> ToolLoop<'a, P> {
        ToolLoop {
            llm,
            request: Request::from_prompt(prompt),
            own,
            limits: LoopLimits::default(),
            concurrency: 1,
            options: Options::new(),
            reports_errors: false,
            approver: NoApproval,
            on_event: None,
            prompt: PhantomData,
        }
    }

    /// Sets the function that decides about each call of a tool marked `#[tool(consequential)]`, for example by asking a person: `|call: &Action| …`, or
    /// `async |call: &Action| …`. It receives the arguments as the tool would; `false` tells the model that the call was not approved.
    ///
    /// If no tool is marked, it decides about every call. This includes tools that the prompt contains, such as those of an MCP
    /// server, with the argument type [`ToolCall`](crate::ToolCall).
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
    ///     .approve(|Action::Send { to }: &Action| to.ends_with("@our-company.com"))
    ///     .answer(async |_: Action| Ok("sent"));
    /// assert_eq!(pollster::block_on(answer)?, "I may not send it.");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn approve<T: Tools, K, F: ApprovalFn<T, K> + 'a>(
        self,
        approve: F,
    ) -> ToolLoop<'a, P, Approval<'a, T, K>> {
        self.replace_approver(Approval::new(approve)).0
    }
}

impl<'a, P: Prompt + 'a, A: 'a> ToolLoop<'a, P, A> {
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
        self.limits.max_rounds = rounds;
        self
    }

    /// The maximum number of calls, of all tools together. There is none by default. None of the calls of a round that exceeds it runs.
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
    /// let asked = llm.with_tools(Messages::new()).max_calls(2).answer(async |_: Action| Ok(81));
    /// let error = pollster::block_on(asked).unwrap_err();
    /// assert_eq!(error.message(), "the model made 3 tool calls of 2, and it calls `depth`");
    /// ```
    pub fn max_calls(mut self, calls: usize) -> Self {
        self.limits.max_calls = Some(calls);
        self
    }

    /// The maximum number of tokens, of the input and the output of all requests together. There is none by default. A reply beyond it that answers is returned; one
    /// that calls tools or would be retried ends the loop. A reply without token counts is an error then. The length of one answer is limited by
    /// [`max_tokens`](ToolLoop::max_tokens).
    pub fn max_total_tokens(mut self, tokens: u64) -> Self {
        self.limits.max_total_tokens = Some(tokens);
        self
    }

    /// The longest time of the whole loop: the model and its tools. There is none by default. What runs then is cancelled, at its next `.await`. The longest wait for one
    /// answer of the model is [`timeout`](ToolLoop::timeout), and [`tool_timeout`](ToolLoop::tool_timeout) is that for a tool.
    pub fn total_timeout(mut self, timeout: Duration) -> Self {
        self.limits.total_timeout = Some(timeout);
        self
    }

    /// The longest time of each call of a tool. There is none by default. A call that takes longer fails, as if the tool returned an error, and is cancelled at
    /// its next `.await`.
    ///
    /// ```
    /// # #[derive(Debug)] enum Action { Depth }
    /// # impl typed_prompt::Tools for Action {
    /// #     fn tools() -> typed_prompt::Result<Vec<typed_prompt::Tool>> { Ok(vec![typed_prompt::Tool::new("depth")]) }
    /// #     fn parse(_: &ToolCall) -> typed_prompt::Result<Action> { Ok(Action::Depth) }
    /// # }
    /// use std::time::Duration;
    /// use typed_prompt::{Llm, Messages, MockLlm, Reply, Result, ToolCall};
    ///
    /// let llm = MockLlm::new([Reply::calls([ToolCall::new("c1", "depth", "{}")])]);
    /// let asked = llm.with_tools(Messages::new()).tool_timeout(Duration::from_millis(5));
    /// let asked = asked.answer(async |_: Action| std::future::pending::<Result<u8>>().await);
    /// let error = pollster::block_on(asked).unwrap_err();
    /// assert_eq!(error.message(), "the tool `depth` did not return within 5ms, the longest time of each call");
    /// ```
    pub fn tool_timeout(mut self, timeout: Duration) -> Self {
        self.limits.tool_timeout = Some(timeout);
        self
    }

    /// Sets the limits of one tool, by its name. A limit of a tool that the loop does not offer is an error before the first request.
    ///
    /// ```
    /// # #[derive(Debug)] enum Action { Depth }
    /// # impl typed_prompt::Tools for Action {
    /// #     fn tools() -> typed_prompt::Result<Vec<typed_prompt::Tool>> { Ok(vec![typed_prompt::Tool::new("depth")]) }
    /// #     fn parse(_: &ToolCall) -> typed_prompt::Result<Action> { Ok(Action::Depth) }
    /// # }
    /// use typed_prompt::{Llm, Messages, MockLlm, Reply, ToolCall, tool::ToolLimit};
    ///
    /// let calls = ["c1", "c2"].map(|id| ToolCall::new(id, "depth", "{}"));
    /// let llm = MockLlm::new([Reply::calls(calls), Reply::new("81 metres.")]);
    /// let asked = llm.with_tools(Messages::new()).tool_limit("depth", ToolLimit::new().max_calls(1));
    /// let finished = pollster::block_on(asked.run(async |_: Action| Ok(81)))?;
    /// assert_eq!(finished.messages[2].text(), "error: the tool `depth` may be called 1 time, and this is call 2");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn tool_limit(mut self, tool: impl Into<String>, limit: ToolLimit) -> Self {
        self.limits.tools.push((tool.into(), limit));
        self
    }

    /// Sets a function that receives what happens while the loop runs: the text as it arrives, calls, results, tokens. The replies are streamed then.
    ///
    /// ```
    /// # #[derive(Debug)] enum Action { Depth }
    /// # impl typed_prompt::Tools for Action {
    /// #     fn tools() -> typed_prompt::Result<Vec<typed_prompt::Tool>> { Ok(vec![typed_prompt::Tool::new("depth")]) }
    /// #     fn parse(_: &ToolCall) -> typed_prompt::Result<Action> { Ok(Action::Depth) }
    /// # }
    /// use typed_prompt::{Llm, Messages, MockLlm, Reply, ToolCall, tool::ToolEvent};
    ///
    /// let mut shown = String::new();
    /// let llm = MockLlm::new([Reply::calls([ToolCall::new("c1", "depth", "{}")]), Reply::new("81 metres.")]);
    /// let asked = llm.with_tools(Messages::new()).on_event(|event| match event {
    ///     ToolEvent::Text(text) => shown += &text, // or `print!("{text}")`
    ///     ToolEvent::Call(call) => shown += &format!("[{}] ", call.name),
    ///     _ => {}
    /// });
    /// pollster::block_on(asked.answer(async |_: Action| Ok(81)))?;
    /// assert_eq!(shown, "[depth] 81 metres.");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    ///
    /// A server sends the events to a channel, whose receiver is the body of its response: see the page "Run tools in a server" of the guide. A panic in the function is a
    /// panic of the loop.
    pub fn on_event(mut self, on_event: impl FnMut(ToolEvent) + Send + 'a) -> Self {
        self.on_event = Some(Box::new(on_event));
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

    /// Sets how many calls of one round run at the same time. One by default: each call begins when the one before has ended. The model receives the
    /// results in the order of its calls.
    ///
    /// ```
    /// # #[derive(Debug)] enum Action { Depth }
    /// # impl typed_prompt::Tools for Action {
    /// #     fn tools() -> typed_prompt::Result<Vec<typed_prompt::Tool>> { Ok(vec![typed_prompt::Tool::new("depth")]) }
    /// #     fn parse(_: &ToolCall) -> typed_prompt::Result<Action> { Ok(Action::Depth) }
    /// # }
    /// use typed_prompt::{Llm, Messages, MockLlm, Reply, ToolCall};
    ///
    /// let calls = ["c1", "c2"].map(|id| ToolCall::new(id, "depth", "{}"));
    /// let llm = MockLlm::new([Reply::calls(calls), Reply::new("Both are deep.")]);
    /// let asked = llm.with_tools(Messages::new()).concurrency(4);
    /// let answer = asked.answer(async |_: Action| Ok(81));
    /// assert_eq!(pollster::block_on(answer)?, "Both are deep.");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn concurrency(mut self, calls: usize) -> Self {
        self.concurrency = calls.max(1);
        self
    }

    /// Continues an earlier conversation: its messages replace those of the prompt, whose tools and output type stay. Calls at its end that have
    /// no result run first. A program that stored the conversation as JSON reads it with [`History::parse_with_system`](crate::History::parse_with_system), because the
    /// conversation contains the system message of the prompt.
    ///
    /// ```
    /// use typed_prompt::{Llm, Message, Messages, History, MockLlm, ToolCall};
    ///
    /// # fn resumed() -> typed_prompt::Result<()> {
    /// let stored = r#"[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "How deep is it?"},
    ///     {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function",
    ///         "function": {"name": "depth", "arguments": "{}"}}]}]"#;
    /// let llm = MockLlm::new(["It is 81 metres deep."]);
    /// let ask = Messages::from([Message::user("How deep is it?")]);
    /// let resumed = llm.with_own_tools(&ask).resume(History::parse_with_system(stored)?);
    /// let finished = pollster::block_on(resumed.run(async |_: ToolCall| Ok(81)))?;
    /// assert_eq!(finished.messages[3].text(), "81");
    /// # Ok(()) }
    /// # resumed().unwrap();
    /// ```
    pub fn resume(mut self, messages: impl IntoIterator<Item = Message>) -> Self {
        if let Ok(request) = &mut self.request {
            let tools = std::mem::take(request.messages.tools_mut());
            request.messages = messages.into_iter().collect();
            *request.messages.tools_mut() = tools;
        }
        self
    }

    crate::option_setters!(|self| self.options);

    /// Sends the prompt, passes each call to `tool`, and sends its result back, until the model answers.
    ///
    /// `tool` returns what the model receives: any type that converts into a [`ToolOutput`], or `Json::from_serialize(&value)` for a struct. It should include errors of the tool, so that the
    /// model can react to them. A call of an unknown tool, with arguments that do not fit, or in a truncated answer
    /// is not passed to `tool`; the model receives the error. An answer that does not fit is retried as by [`Llm::call`].
    ///
    /// # Errors
    /// As [`Llm::call`], what `tool` fails with, a `tool` that panics, and a loop that does not end within its limits. The error contains the conversation
    /// ([`Error::messages`]) and the requests ([`Error::attempts`]). Before the first request: a consequential tool without [`approve`](ToolLoop::approve), a limit of an unknown tool, and a prompt that
    /// has tools already: where its type does not show that, as with [`Messages`](crate::Messages), it is an error of
    /// kind [`Tool`](ErrorKind::Tool).
    pub fn answer<T, R, F>(self, tool: F) -> BoxFuture<'a, Result<P::Output>>
    where
        T: Tools + Send + Sync + 'a,
        R: IntoToolOutput + Send + 'a,
        F: ToolFn<T, R> + Send + 'a,
        F::Future: Send + 'a,
        A: Approver<T>,
    {
        Box::pin(async move { self.run_calls(tool, |_, error| error).await.map(value) })
    }

    /// The same for tools with any type of error, such as `std::io::Error` or `String`. The error of the loop names the tool.
    ///
    /// A function that contains `?` has a return type: `async |action| -> std::io::Result<String> { … }`.
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
    pub fn try_answer<T, R, E, F>(self, tool: F) -> BoxFuture<'a, Result<P::Output>>
    where
        T: Tools + Send + Sync + 'a,
        R: IntoToolOutput + Send + 'a,
        E: Display + Send + 'a,
        F: ToolFn<T, R, E> + Send + 'a,
        F::Future: Send + 'a,
        A: Approver<T>,
    {
        Box::pin(async move {
            let failed = |name: &str, error: E| {
                let message = format!("the tool `{name}` failed: {error}");
                Error::new(ErrorKind::Tool, message)
            };
            self.run_calls(tool, failed).await.map(value)
        })
    }

    /// The same as [`answer`](ToolLoop::answer), with the conversation, the tokens, and the numbers of rounds and calls.
    ///
    /// ```
    /// # #[derive(Debug)] enum Action { Depth }
    /// # impl typed_prompt::Tools for Action {
    /// #     fn tools() -> typed_prompt::Result<Vec<typed_prompt::Tool>> { Ok(vec![typed_prompt::Tool::new("depth")]) }
    /// #     fn parse(_: &ToolCall) -> typed_prompt::Result<Action> { Ok(Action::Depth) }
    /// # }
    /// use typed_prompt::{Llm, Message, Messages, MockLlm, Reply, ToolCall};
    ///
    /// let llm = MockLlm::new([Reply::calls([ToolCall::new("c1", "depth", "{}")]), Reply::new("81 metres.")]);
    /// let ask = Messages::from([Message::user("How deep is it?")]);
    /// let finished = pollster::block_on(llm.with_tools(&ask).run(async |_: Action| Ok(81)))?;
    /// assert_eq!((&*finished.value, finished.rounds, finished.calls), ("81 metres.", 1, 1));
    /// assert_eq!(finished.messages.len(), 4);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`answer`](ToolLoop::answer).
    pub fn run<T, R, F>(self, tool: F) -> BoxFuture<'a, Result<Finished<P::Output>>>
    where
        T: Tools + Send + Sync + 'a,
        R: IntoToolOutput + Send + 'a,
        F: ToolFn<T, R> + Send + 'a,
        F::Future: Send + 'a,
        A: Approver<T>,
    {
        Box::pin(self.run_calls(tool, |_, error| error))
    }

    /// The loop as a state machine, for programs that send the requests and run the calls themselves: for example a job that is stored between two
    /// requests. Approval and concurrency are then the program's.
    ///
    /// # Errors
    /// The prompt cannot be rendered, or has tools already: see [`answer`](ToolLoop::answer).
    pub fn steps<T: Tools>(self) -> Result<ToolSteps<P, T>> {
        let retries = self.llm.default_output_retries();
        let retries = self.options.output_retries.unwrap_or(retries);
        let mut request = self.request?;
        request.options = self.options;
        let tools = request.messages.tools_mut();
        match tools.first() {
            _ if self.own => {}
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
        let names: Vec<&str> = tools.iter().map(Tool::name).collect();
        self.limits.check_names(&names)?;
        request.check_options()?;
        Ok(ToolSteps::new(request, self.limits, retries))
    }

    async fn run_calls<T, R, E, F, Fut>(
        self,
        tool: F,
        failed: impl Fn(&str, E) -> Error + Send,
    ) -> Result<Finished<P::Output>>
    where
        T: Tools + Send + Sync,
        R: IntoToolOutput + Send,
        E: Send,
        F: FnMut(T) -> Fut + Send,
        Fut: Future<Output = std::result::Result<R, E>> + Send,
        A: Approver<T>,
    {
        let with_prompt = |error: Error| error.or_with_prompt(&P::INFO);
        check_approver::<T, A>().map_err(with_prompt)?;
        let (mut this, approver) = self.replace_approver(NoApproval);
        let mut runner = CallRunner {
            tool,
            results: ResultKeeper {
                failed,
                reports_errors: this.reports_errors,
            },
            concurrency: this.concurrency,
            approver,
            action: PhantomData,
        };
        let (llm, on_event) = (this.llm, this.on_event.take());
        let mut running = RunningLoop {
            steps: this.steps::<T>().map_err(with_prompt)?,
            on_event,
            has_ended: false,
            waits_for: WaitsFor::default(),
        };
        let time = running.steps.limits().total_timeout;
        let ended = run_within(time, running.run(llm, &mut runner)).await;
        let result = ended.unwrap_or_else(|| {
            let limits = running.steps.limits();
            Err(limits.total_timeout_error(&running.waits_for))
        });
        running.has_ended = result.is_ok();
        result.map_err(|error| with_prompt(running.steps.end_with(error)))
    }
}

/// A loop that runs. If it is dropped before its end, its events end with the conversation.
struct RunningLoop<'a, P, T> {
    steps: ToolSteps<P, T>,
    on_event: Option<OnEvent<'a>>,
    has_ended: bool,
    waits_for: WaitsFor,
}

impl<P, T> RunningLoop<'_, P, T> {
    /// Passes an event to the function of the program, if there is one.
    fn emit(&mut self, event: impl FnOnce() -> ToolEvent) {
        if let Some(on_event) = &mut self.on_event {
            on_event(event());
        }
    }
}

impl<P, T> Drop for RunningLoop<'_, P, T> {
    fn drop(&mut self) {
        // A second panic would abort the program.
        if !self.has_ended && !std::thread::panicking() {
            let messages = self.steps.messages();
            self.emit(|| ToolEvent::Stopped(messages));
        }
    }
}

impl<P: Prompt, T: Tools> RunningLoop<'_, P, T> {
    async fn run<R, F, E, Failure, Fut, A>(
        &mut self,
        llm: &dyn Llm,
        runner: &mut CallRunner<T, F, E, A>,
    ) -> Result<Finished<P::Output>>
    where
        T: Send + Sync,
        R: IntoToolOutput + Send,
        F: FnMut(T) -> Fut + Send,
        Fut: Future<Output = std::result::Result<R, Failure>> + Send,
        E: Fn(&str, Failure) -> Error + Send,
        Failure: Send,
        A: Approver<T>,
    {
        let mut calls = self.steps.open_calls();
        loop {
            runner.run(self, calls).await?;
            let begin = Instant::now();
            let sent = self.send(llm).await;
            let latency = begin.elapsed();
            let reply = sent.map_err(|error| self.steps.request_failed(error, latency))?;
            self.emit(|| ToolEvent::Reply(reply.clone()));
            calls = match self.steps.reply_after(latency, &reply)? {
                ToolStep::Finished(finished) => return Ok(finished),
                ToolStep::Calls(calls) => calls,
                ToolStep::Retry => {
                    if let Some(unfit) = self.steps.unfit().cloned() {
                        self.emit(|| ToolEvent::Retry(unfit));
                    }
                    Vec::new()
                }
            };
        }
    }

    async fn send(&mut self, llm: &dyn Llm) -> Result<Reply> {
        let Some(on_event) = &mut self.on_event else {
            return llm.send(self.steps.request()).await;
        };
        let mut on_chunk = |chunk| {
            if let Some(event) = chunk_event(chunk) {
                on_event(event);
            }
        };
        let request = self.steps.request();
        llm.send_streamed(request, &mut on_chunk).await
    }

    /// Receives the result of a call.
    fn keep_result(&mut self, index: usize, call: ToolCall, result: Result<ToolOutput>) {
        self.waits_for.end_call(index);
        self.steps.result_at(index, result.clone());
        self.emit(|| ToolEvent::Result { call, result });
    }
}

impl<'a, P, A> ToolLoop<'a, P, A> {
    /// The loop with another approver, and the approver that it had.
    fn replace_approver<B>(self, approver: B) -> (ToolLoop<'a, P, B>, A) {
        let new = ToolLoop {
            llm: self.llm,
            request: self.request,
            own: self.own,
            limits: self.limits,
            concurrency: self.concurrency,
            options: self.options,
            reports_errors: self.reports_errors,
            approver,
            on_event: self.on_event,
            prompt: PhantomData,
        };
        (new, self.approver)
    }
}

impl<P, A: fmt::Debug> fmt::Debug for ToolLoop<'_, P, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolLoop")
            .field("request", &self.request)
            .field("limits", &self.limits)
            .field("concurrency", &self.concurrency)
            .field("options", &self.options)
            .field("approver", &self.approver)
            .finish_non_exhaustive()
    }
}

fn value<O>(finished: Finished<O>) -> O {
    finished.value
}

/// Fails if consequential tools have no approval.
fn check_approver<T: Tools, A: Approver<T>>() -> Result<()> {
    let [tool, ..] = T::CONSEQUENTIAL else {
        return Ok(());
    };
    if A::EXISTS {
        return Ok(());
    }
    let tools = std::any::type_name::<T>().rsplit("::").next();
    let tools = tools.unwrap_or("Action");
    let message = format!(
        "the tool `{tool}` is consequential, and the loop has no function that approves its calls"
    );
    Err(Error::new(ErrorKind::Tool, message).with_help(format!(
        "write `.approve(|call: &{tools}| …)` before `.answer(…)`"
    )))
}

/// Runs the calls of a round.
struct CallRunner<T, F, E, A> {
    tool: F,
    results: ResultKeeper<E>,
    concurrency: usize,
    approver: A,
    action: PhantomData<fn(T)>,
}

/// Gives the results of calls to the loop.
struct ResultKeeper<E> {
    /// The error of the loop for the error of a tool, by the tool's name.
    failed: E,
    reports_errors: bool,
}

impl<T, F, E, A> CallRunner<T, F, E, A> {
    /// Runs the calls of a round, whose results the loop receives.
    async fn run<P, R, Failure, Fut>(
        &mut self,
        running: &mut RunningLoop<'_, P, T>,
        requested: Vec<RequestedCall<T>>,
    ) -> Result<()>
    where
        P: Prompt,
        T: Tools,
        R: IntoToolOutput,
        F: FnMut(T) -> Fut,
        Fut: Future<Output = std::result::Result<R, Failure>>,
        E: Fn(&str, Failure) -> Error,
        A: Approver<T>,
    {
        let mut calls = HashMap::new();
        let mut tools = RunningCalls::new();
        for RequestedCall {
            index,
            call,
            action,
        } in requested
        {
            running.emit(|| ToolEvent::Call(call.clone()));
            let refused = match action {
                Ok(action) => {
                    let is_approved = {
                        running.waits_for.begin_approval(&call.name);
                        let mut approval =
                            pin!(is_approved(&mut self.approver, &call.name, &action));
                        // The other calls run while somebody decides.
                        loop {
                            match tools.next_or(approval.as_mut()).await {
                                Ok(is_approved) => break is_approved,
                                Err(ended) => self.results.keep_end(running, ended, &mut calls)?,
                            }
                        }
                    };
                    running.waits_for.end_approval();
                    if is_approved {
                        running.waits_for.begin_call(index, &call.name);
                        let timeout = running.steps.limits().timeout_of(&call.name);
                        tools.push(index, timeout, || (self.tool)(action));
                        None
                    } else {
                        let message = format!("the call of `{}` was not approved", call.name);
                        Some((Error::new(ErrorKind::Tool, message), true))
                    }
                }
                // The model receives what is wrong with its call. Other errors are the program's.
                Err(error) => {
                    let is_for_model = error.kind() == ErrorKind::Output;
                    Some((error, is_for_model))
                }
            };
            match refused {
                None => drop(calls.insert(index, call)),
                Some((error, is_for_model)) => {
                    running.keep_result(index, call, Err(error.clone()));
                    if !is_for_model {
                        return Err(error);
                    }
                }
            }
            if tools.len() == self.concurrency
                && let Some(ended) = tools.next().await
            {
                self.results.keep_end(running, ended, &mut calls)?;
            }
        }
        while let Some(ended) = tools.next().await {
            self.results.keep_end(running, ended, &mut calls)?;
        }
        Ok(())
    }
}

impl<E> ResultKeeper<E> {
    fn keep_end<P, T, R, Failure>(
        &self,
        running: &mut RunningLoop<'_, P, T>,
        (index, end): (usize, CallEnd<std::result::Result<R, Failure>>),
        calls: &mut HashMap<usize, ToolCall>,
    ) -> Result<()>
    where
        P: Prompt,
        T: Tools,
        R: IntoToolOutput,
        E: Fn(&str, Failure) -> Error,
    {
        let Some(call) = calls.remove(&index) else {
            return Ok(());
        };
        // A panic is a fault of the program, which the model cannot correct.
        let is_for_model = self.reports_errors && !matches!(end, CallEnd::Panicked(_));
        let result = match end {
            CallEnd::Returned(Ok(output)) => Ok(output.into_tool_output()),
            CallEnd::Returned(Err(failure)) => Err((self.failed)(&call.name, failure)),
            CallEnd::TimedOut => Err(running.steps.limits().tool_timeout_error(&call.name)),
            CallEnd::Panicked(panic) => {
                let message = format!("the tool `{}` panicked: {panic}", call.name);
                Err(Error::new(ErrorKind::Tool, message))
            }
        };
        let error = result.as_ref().err().cloned();
        running.keep_result(index, call, result);
        match error {
            Some(error) if !is_for_model => Err(error),
            _ => Ok(()),
        }
    }
}

/// Whether a call needs no approval, or has it.
async fn is_approved<T: Tools, A: Approver<T>>(approver: &mut A, tool: &str, action: &T) -> bool {
    let marked = T::CONSEQUENTIAL;
    let is_consequential = A::EXISTS && (marked.is_empty() || marked.contains(&tool));
    !is_consequential || approver.approves(action).await
}
