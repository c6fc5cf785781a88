//! A call of a model with a prompt: its options, its answer, and what happened on the way.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use super::output_retry::retry_request;
use super::{BoxFuture, Llm, Options, Request};
use crate::{Error, ErrorKind, Fingerprint, FinishReason, Prompt, Reply, Result, Usage};

/// A call of a model with a prompt, whose answer is an `O`: see [`Llm::call`]. It is a future of the answer, and takes [`Options`] by name.
///
/// ```
/// use typed_prompt::{Llm, Message, Messages, MockLlm, llm::Call};
///
/// let llm = MockLlm::new(["Hello."]);
/// let call: Call<'_, String> = llm.call(Messages::from([Message::user("Hi")]));
/// assert_eq!(pollster::block_on(call.temperature(0.0).max_tokens(200))?, "Hello.");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[must_use = "a call is made when it is awaited"]
pub struct Call<'a, O> {
    llm: &'a dyn Llm,
    /// Rendered before the first wait, so that the prompt need not be `Sync`. `None` once the call runs.
    request: Option<Result<Request>>,
    options: Options,
    run: Run<'a, O>,
    running: Option<BoxFuture<'a, Result<Answered<O>>>>,
}

/// Sends a request, and reads its answer. `true` if a successful call needs its report.
type Run<'a, O> = fn(&'a dyn Llm, Result<Request>, bool) -> BoxFuture<'a, Result<Answered<O>>>;

/// The answer of a call with what happened on the way: see [`Call::detailed`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answered<O> {
    /// The answer.
    pub value: O,
    /// The requests that were sent, in order. The last one has the reply with the answer.
    pub attempts: Vec<Attempt>,
}

impl<O> Answered<O> {
    /// Reads the reply to a request, or the error instead of it, for programs that send requests in their own way, such as streams. The attempts that failed
    /// before are included if the request [keeps them](Request::with_failures).
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Reply, Request, llm::Answered};
    ///
    /// let ask = Messages::from([Message::user("Hi")]);
    /// let request = Request::from_prompt(&ask)?.with_failures();
    /// let reply = Ok(Reply::new("Hello."));
    /// let answered = Answered::from_reply::<Messages>(&request, reply, Default::default())?;
    /// assert_eq!(answered.value, "Hello.");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The error instead of a reply, and a reply that does not fit the output type of the prompt.
    pub fn from_reply<P: Prompt<Output = O>>(
        request: &Request,
        reply: Result<Reply>,
        latency: Duration,
    ) -> Result<Answered<O>> {
        let read = match &reply {
            Ok(reply) => P::parse_reply(reply),
            Err(error) => Err(error.clone()),
        };
        let mut attempts = request.take_failures();
        let error = read.as_ref().err();
        attempts.push(Attempt::new(request, reply.ok(), error, latency));
        match read {
            Ok(value) => Ok(Answered { value, attempts }),
            Err(error) => Err(error.or_with_prompt(request.info).with_attempts(attempts)),
        }
    }

    /// The tokens of all attempts together, those of refused answers included.
    pub fn usage(&self) -> Usage {
        total_usage(&self.attempts)
    }

    /// The cost of all attempts together. `None` if the model has no prices, or if one of several models has none.
    ///
    /// ```
    /// use typed_prompt::{Llm, Messages, MockLlm, Reply};
    ///
    /// let mut reply = Reply::new("Hello.");
    /// reply.cost = Some(0.25); // set by a model with prices
    /// let answered = pollster::block_on(MockLlm::new([reply]).call(Messages::new()).detailed())?;
    /// assert_eq!(answered.cost(), Some(0.25));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn cost(&self) -> Option<f64> {
        total_cost(&self.attempts)
    }

    /// The reply with the answer: its text, model, id, finish reason, tokens and log-probabilities.
    pub fn reply(&self) -> Option<&Reply> {
        self.attempts.last()?.reply.as_ref()
    }
}

/// A request of a call, and its result. Each request that a model sends is one, also those that it sends again after an error of the server.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Attempt {
    /// The fingerprint of the request; `None` for a request without a form in JSON.
    pub request: Option<Fingerprint>,
    /// The reply of the model as it arrived; `None` if the request failed.
    pub reply: Option<Reply>,
    /// Why the attempt is not the answer: the request failed, or the reply does not fit the output type.
    pub error: Option<Error>,
    /// The tokens, also those that the provider counted before an error.
    pub usage: Option<Usage>,
    /// The cost of these tokens, if the model has prices.
    pub cost: Option<f64>,
    /// What was repaired in the notation of the answer.
    #[cfg(feature = "schema")]
    pub repairs: Vec<crate::output::Repair>,
    /// How long the request took. That of the last attempt includes the attempts and the pauses before it.
    pub latency: Duration,
}

pub(crate) fn total_usage(attempts: &[Attempt]) -> Usage {
    let mut total = Usage::default();
    for usage in attempts.iter().filter_map(|attempt| attempt.usage) {
        total += usage;
    }
    total
}

/// `None` if no attempt has a cost, or if the tokens of one have none.
pub(crate) fn total_cost(attempts: &[Attempt]) -> Option<f64> {
    let mut total = None;
    for attempt in attempts {
        match (attempt.cost, attempt.usage) {
            (Some(cost), _) => *total.get_or_insert(0.0) += cost,
            (None, Some(usage)) if usage != Usage::default() => return None,
            (None, _) => {}
        }
    }
    total
}

impl<'a, O> Call<'a, O> {
    pub(super) fn new<P>(llm: &'a dyn Llm, prompt: &P) -> Call<'a, O>
    where
        P: Prompt<Output = O> + 'a,
        O: 'a,
    {
        Call {
            llm,
            request: Some(Request::from_prompt(prompt)),
            options: Options::new(),
            run: |llm, request, reports| Box::pin(run::<P>(llm, request, reports)),
            running: None,
        }
    }

    /// The answer with the reply, the attempts and their tokens.
    ///
    /// ```
    /// use typed_prompt::llm::Usage;
    /// use typed_prompt::{Llm, Message, Messages, MockLlm, Reply};
    ///
    /// let llm = MockLlm::new([Reply::new("Hello.").with_usage(Usage::new(8, 2))]);
    /// let ask = Messages::from([Message::user("Hi")]);
    /// let answered = pollster::block_on(llm.call(&ask).detailed())?;
    /// assert_eq!((&*answered.value, answered.attempts.len()), ("Hello.", 1));
    /// assert_eq!(answered.usage(), Usage::new(8, 2));
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Llm::call`]. An error of any call has its attempts too: [`Error::attempts`].
    pub fn detailed(mut self) -> BoxFuture<'a, Result<Answered<O>>> {
        self.start(true)
    }

    crate::option_setters!(|self| self.options);

    fn start(&mut self, reports: bool) -> BoxFuture<'a, Result<Answered<O>>> {
        if let Some(running) = self.running.take() {
            return running;
        }
        let missing = || Err(Error::new(ErrorKind::Model, "the call has ended"));
        let options = std::mem::take(&mut self.options);
        let request = self.request.take().unwrap_or_else(missing);
        let request = request.map(|request| request.with_options(options).with_failures());
        (self.run)(self.llm, request, reports)
    }
}

impl<O> Future for Call<'_, O> {
    type Output = Result<O>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<O>> {
        let call = self.get_mut();
        let mut running = call.start(false);
        let polled = running.as_mut().poll(context);
        call.running = Some(running);
        polled.map(|answered| answered.map(|answered| answered.value))
    }
}

impl<O> fmt::Debug for Call<'_, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("request", &self.request)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

async fn run<P: Prompt>(
    llm: &dyn Llm,
    request: Result<Request>,
    reports: bool,
) -> Result<Answered<P::Output>> {
    let request = request.and_then(|request| request.check_options().map(|()| request));
    let request = request.map_err(|error| error.or_with_prompt(&P::INFO))?;
    let retries = request.options.output_retries;
    let retries = retries.unwrap_or_else(|| llm.default_output_retries());
    let mut attempts = Vec::new();
    let result = send_with_retries::<P>(llm, &request, retries, reports, &mut attempts).await;
    match result {
        Ok(value) => Ok(Answered { value, attempts }),
        Err(error) => Err(error.or_with_prompt(request.info).with_attempts(attempts)),
    }
}

/// Sends a request, and retries it at most `retries` times with the error if the answer does not fit the output type.
async fn send_with_retries<P: Prompt>(
    llm: &dyn Llm,
    request: &Request,
    mut retries: u32,
    reports: bool,
    attempts: &mut Vec<Attempt>,
) -> Result<P::Output> {
    let mut retried: Option<Request> = None;
    loop {
        let sent = retried.as_ref().unwrap_or(request);
        let begin = Instant::now();
        let reply = llm.send(sent).await;
        let latency = begin.elapsed();
        attempts.extend(sent.take_failures());
        let reply = match reply {
            Ok(reply) => reply,
            Err(error) => {
                // The mock or recording has no further answer: the first error is more helpful.
                let ended = error.kind() == ErrorKind::MockExhausted;
                let refused = attempts
                    .iter()
                    .rev()
                    .find_map(|attempt| attempt.error.clone());
                if let (true, Some(refused)) = (ended, refused) {
                    return Err(refused.with_retry_note(attempts));
                }
                attempts.push(Attempt::new(sent, None, Some(&error), latency));
                return Err(error);
            }
        };
        let error = match P::parse_reply(&reply) {
            Ok(value) => {
                if reports {
                    attempts.push(Attempt::new(sent, Some(reply), None, latency));
                }
                return Ok(value);
            }
            Err(error) => error,
        };
        // The model would repeat an answer that calls tools or that reached the length limit.
        let can_help = error.kind() == ErrorKind::Output
            && reply.tool_calls.is_empty()
            && reply.finish != Some(FinishReason::Length);
        let next = (retries > 0 && can_help).then(|| retry_request(request, &reply, &error));
        attempts.push(Attempt::new(sent, Some(reply), Some(&error), latency));
        match next {
            Some(next) => retried = Some(next),
            None if can_help => return Err(error.with_retry_note(attempts)),
            None => return Err(error),
        }
        retries -= 1;
    }
}

impl Attempt {
    pub(crate) fn new(
        request: &Request,
        reply: Option<Reply>,
        error: Option<&Error>,
        latency: Duration,
    ) -> Attempt {
        let of_error = error.filter(|_| reply.is_none());
        Attempt {
            request: request.fingerprint().ok(),
            usage: match &reply {
                Some(reply) => reply.usage,
                None => of_error.and_then(Error::counted_usage),
            },
            cost: match &reply {
                Some(reply) => reply.cost,
                None => of_error.and_then(Error::cost),
            },
            #[cfg(feature = "schema")]
            repairs: repairs(request, reply.as_ref()),
            reply,
            error: error.cloned(),
            latency,
        }
    }
}

/// The repairs of an answer by the schema of its request.
#[cfg(feature = "schema")]
fn repairs(request: &Request, reply: Option<&Reply>) -> Vec<crate::output::Repair> {
    let parse = || {
        let schema = crate::output::Schema::new(request.schema.as_ref()?).ok()?;
        schema.parse_json(&reply?.text).ok()
    };
    parse().map(|parsed| parsed.repairs).unwrap_or_default()
}
