//! A limit of the tokens and the cost of a program's calls.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use prompt_core::{BoxFuture, Error, Llm, ModelInfo, OnChunk, Reply, Request, Result, Usage};

use crate::error::{CallError, CallErrorKind};
use crate::stream::ReplyStream;
use crate::streaming_llm::{StreamingLlm, send_methods, send_to};
use crate::trace;

/// The tokens and the cost that the calls of a [`Budget`] have used.
///
/// ```
/// use typed_prompt::{MockLlm, client::Budget};
///
/// assert_eq!(Budget::new(MockLlm::new(["Hi."])).spent().replies, 0);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Spent {
    /// The number of replies.
    pub replies: u64,
    /// The tokens of all replies, and those that the provider counted before an error.
    pub usage: Usage,
    /// The cost of these tokens, at the prices of the model that took them.
    pub cost: f64,
    /// The number of replies without token counts. A limit cannot be enforced after one.
    pub uncounted: u64,
    /// The number of replies and errors whose tokens have no cost, because their model has no prices. A limit of the cost cannot be enforced after one.
    pub unpriced: u64,
}

impl Spent {
    fn add(&mut self, usage: Usage, cost: Option<f64>) {
        self.usage += usage;
        self.cost += cost.unwrap_or_default();
        self.unpriced += u64::from(cost.is_none() && usage != Usage::default());
    }
}

/// A model with a limit on the tokens or the cost of its calls. Clones share the limit.
///
/// A call is refused with [`CallErrorKind::Budget`] once the limit is reached, or after a reply without token counts. Replies
/// are counted when they are complete, so that calls at the same time may exceed the limit. Tokens that the provider counted before an error are
/// counted too, also where the model, or one inside of it, answered after a retry. Calls and streams that are dropped before
/// their end, for example by a timeout around them, are not counted.
///
/// The cost is that of the replies, at the prices of the model: `ChatModel::prices`. So each model of a [`Fallback`](crate::Fallback) has its own.
/// With [`max_cost`](Budget::max_cost), the first call of a model without prices is refused before it is sent. A model that does not report
/// whether it has prices ([`ModelInfo`]), such as a `MockLlm`, is refused after its first reply without a cost.
///
/// ```
/// use typed_prompt::{Llm, Message, Messages, MockLlm, Reply, client::Budget, llm::Usage};
///
/// let model = MockLlm::from_fn(|_| {
///     let mut reply = Reply::new("Hi.").with_usage(Usage::new(900, 100));
///     reply.cost = Some(0.0042); // set by a `ChatModel` with `.prices(Prices::per_million(3.0, 15.0))`
///     Ok(reply)
/// });
/// let llm = Budget::new(model).max_cost(0.004);
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let hello = Messages::from([Message::user("Hello")]);
/// llm.call(&hello).await?;
/// let error = llm.call(&hello).await.unwrap_err();
/// assert_eq!(error.message(), "the budget is spent: the calls cost 0.0042 of 0.004");
/// assert_eq!(llm.spent().usage.input, 900);
/// # Ok::<(), typed_prompt::Error>(()) }).unwrap();
/// ```
#[derive(Clone, Debug)]
#[must_use = "this is a model of its own: call it in place of the one inside"]
pub struct Budget<L> {
    model: L,
    max_tokens: Option<u64>,
    max_cost: Option<f64>,
    spent: Arc<Mutex<Spent>>,
}

impl<L> Budget<L> {
    /// Counts the calls of a model, without a limit.
    ///
    /// ```
    /// use typed_prompt::{MockLlm, client::Budget};
    ///
    /// let llm = Budget::new(MockLlm::new(["Hi."])).max_total_tokens(1_000_000);
    /// assert_eq!(llm.spent().usage.input, 0);
    /// ```
    pub fn new(model: L) -> Budget<L> {
        Budget {
            model,
            max_tokens: None,
            max_cost: None,
            spent: Arc::default(),
        }
    }

    /// Limits the tokens of input and output together.
    #[doc(alias = "max_tokens")]
    pub fn max_total_tokens(mut self, tokens: u64) -> Budget<L> {
        self.max_tokens = Some(tokens);
        self
    }

    /// Limits the cost, in the currency of the model's prices.
    pub fn max_cost(mut self, cost: f64) -> Budget<L> {
        self.max_cost = Some(cost);
        self
    }

    /// Returns the tokens and the cost that the calls have used so far.
    pub fn spent(&self) -> Spent {
        *lock_spent(&self.spent)
    }

    fn check_limits(&self) -> Result<(), CallError>
    where
        L: Llm,
    {
        let spent = self.spent();
        let is_unpriced = || {
            let info = self.model.model_info();
            spent.unpriced > 0 || info.is_some_and(|info| info.has_prices == Some(false))
        };
        let tokens = spent.usage.input.saturating_add(spent.usage.output);
        let is_limited = self.max_tokens.is_some() || self.max_cost.is_some();
        let message = match (self.max_tokens, self.max_cost) {
            _ if is_limited && spent.uncounted > 0 => {
                let message = "the budget cannot be enforced: a reply has no token counts";
                let help = "use a model that reports its usage; in tests, give each reply a `Usage` with `Reply::with_usage`";
                return Err(CallError::new(CallErrorKind::Budget, message).with_help(help));
            }
            (_, Some(_)) if is_unpriced() => {
                let message = "the budget cannot be enforced: the model has no prices";
                let help = "set them with `.prices(Prices::per_million(…, …))` on the model; in tests, set `Reply::cost`";
                return Err(CallError::new(CallErrorKind::Budget, message).with_help(help));
            }
            (Some(max), _) if tokens >= max => {
                format!("the budget is spent: the calls took {tokens} of {max} tokens")
            }
            // A limit that is not a number is reached.
            (_, Some(max))
                if !matches!(spent.cost.partial_cmp(&max), Some(std::cmp::Ordering::Less)) =>
            {
                format!(
                    "the budget is spent: the calls cost {} of {max}",
                    spent.cost
                )
            }
            _ => return Ok(()),
        };
        Err(CallError::new(CallErrorKind::Budget, message))
    }

    fn require_budget(&self, request: &Request) -> Result<()>
    where
        L: Llm,
    {
        self.check_limits().map_err(|error| {
            trace::record_budget_refusal(request, &error);
            error.into_error("")
        })
    }

    /// Counts a complete reply, or the tokens before an error.
    fn counter(
        &self,
    ) -> impl FnOnce(std::result::Result<&Reply, &Error>) + Send + 'static + use<L> {
        let spent = Arc::clone(&self.spent);
        move |reply| {
            let mut spent = lock_spent(&spent);
            match reply {
                Ok(reply) => {
                    spent.replies += 1;
                    spent.uncounted += u64::from(reply.usage.is_none());
                    spent.add(reply.usage.unwrap_or_default(), reply.cost);
                }
                Err(error) => spent.add(error.usage(), error.cost()),
            }
        }
    }

    /// Sends a request within the budget, and counts the attempts that fail on the way. The request keeps failures.
    async fn run_counted<T>(
        &self,
        request: &Request,
        sent: impl Future<Output = Result<T>>,
    ) -> Result<T>
    where
        L: Llm,
    {
        self.require_budget(request)?;
        let before = request.failures().map_or(0, |failures| failures.len());
        let result = sent.await;
        let failures = request.failures().unwrap_or_default();
        let mut spent = lock_spent(&self.spent);
        for failure in failures.iter().skip(before) {
            spent.add(failure.usage.unwrap_or_default(), failure.cost);
        }
        result
    }
}

/// The request with a list of its failed attempts.
fn keep_failures(request: &Request) -> Cow<'_, Request> {
    match request.failures() {
        Some(_) => Cow::Borrowed(request),
        None => Cow::Owned(request.clone().with_failures()),
    }
}

fn lock_spent(spent: &Mutex<Spent>) -> MutexGuard<'_, Spent> {
    spent.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<L: Llm> Budget<L> {
    async fn send_to(&self, request: &Request, on_chunk: Option<OnChunk<'_>>) -> Result<Reply> {
        let request = keep_failures(request);
        let request = request.as_ref();
        let sent = send_to(&self.model, request, on_chunk);
        let result = self.run_counted(request, sent).await;
        self.counter()(result.as_ref());
        result
    }
}

impl<L: Llm> Llm for Budget<L> {
    send_methods!();

    fn default_output_retries(&self) -> u32 {
        self.model.default_output_retries()
    }

    fn model_info(&self) -> Option<ModelInfo> {
        self.model.model_info()
    }
}

impl<L: StreamingLlm> StreamingLlm for Budget<L> {
    fn stream<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<ReplyStream>> {
        Box::pin(async move {
            let request = keep_failures(request);
            let request = request.as_ref();
            let opened = async { self.model.stream(request).await };
            match self.run_counted(request, opened).await {
                Ok(stream) => Ok(stream.on_end(self.counter())),
                Err(error) => {
                    self.counter()(Err(&error));
                    Err(error)
                }
            }
        })
    }
}
