//! A limit of the tokens and the cost of a program's calls.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use prompt_core::{BoxFuture, Llm, ModelInfo, OnChunk, Reply, Request, Result, Usage};

use crate::error::{CallError, CallErrorKind};
use crate::prices::Prices;
use crate::stream::ReplyStream;
use crate::streaming_llm::StreamingLlm;
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
    /// The tokens of all replies.
    pub usage: Usage,
    /// The cost of all replies.
    pub cost: f64,
    /// The number of replies without token counts. A limit cannot be enforced after one.
    pub uncounted: u64,
}

/// A model with a limit on the tokens or the cost of its calls. Clones share the limit.
///
/// A call is refused with [`CallErrorKind::Budget`] once the limit is reached, or after a reply without token counts. Replies
/// are counted when they are complete, so that calls at the same time may exceed the limit. Calls that fail, and streams that
/// are dropped, are not counted.
///
/// ```
/// use typed_prompt::{Llm, Message, Messages, MockLlm, Reply, client::{Budget, Prices}, llm::Usage};
///
/// let model = MockLlm::from_fn(|_| Ok(Reply::new("Hi.").with_usage(Usage::new(900, 100))));
/// let llm = Budget::new(model).max_cost(0.004, Prices::per_million(3.0, 15.0));
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let hello = Messages::from([Message::user("Hello")]);
/// llm.call(&hello).await?;
/// let error = llm.call(&hello).await.unwrap_err();
/// assert_eq!(error.message(), "the budget is spent: the calls cost 0.0042 of 0.004");
/// assert_eq!(llm.spent().usage.input, 900);
/// # Ok::<(), typed_prompt::Error>(()) }).unwrap();
/// ```
#[derive(Clone, Debug)]
pub struct Budget<L> {
    model: L,
    prices: Prices,
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
            prices: Prices::default(),
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

    /// Limits the cost at these prices.
    pub fn max_cost(mut self, cost: f64, prices: Prices) -> Budget<L> {
        self.max_cost = Some(cost);
        self.prices = prices;
        self
    }

    /// Returns the tokens and the cost that the calls have used so far.
    pub fn spent(&self) -> Spent {
        *lock_spent(&self.spent)
    }

    fn check_limits(&self) -> Result<(), CallError> {
        let spent = self.spent();
        let tokens = spent.usage.input.saturating_add(spent.usage.output);
        let is_limited = self.max_tokens.is_some() || self.max_cost.is_some();
        let message = match (self.max_tokens, self.max_cost) {
            _ if is_limited && spent.uncounted > 0 => {
                let message = "the budget cannot be enforced: a reply has no token counts";
                let help = "use a model that reports its usage; in tests, give each reply a `Usage` with `Reply::with_usage`";
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

    fn require_budget(&self) -> Result<()> {
        self.check_limits().map_err(|error| {
            trace::record_budget_refusal(&error);
            error.into_error("")
        })
    }

    /// Counts a complete reply.
    fn reply_counter(&self) -> impl FnOnce(&Reply) + Send + 'static {
        let (spent, prices) = (Arc::clone(&self.spent), self.prices);
        move |reply| {
            let mut spent = lock_spent(&spent);
            spent.replies += 1;
            let Some(usage) = &reply.usage else {
                spent.uncounted += 1;
                return;
            };
            spent.cost += prices.cost(usage);
            spent.usage += *usage;
        }
    }
}

fn lock_spent(spent: &Mutex<Spent>) -> MutexGuard<'_, Spent> {
    spent.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<L: Llm> Llm for Budget<L> {
    fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply>> {
        Box::pin(async move {
            self.require_budget()?;
            let reply = self.model.send(request).await?;
            self.reply_counter()(&reply);
            Ok(reply)
        })
    }

    fn send_streamed<'a>(
        &'a self,
        request: &'a Request,
        on_chunk: OnChunk<'a>,
    ) -> BoxFuture<'a, Result<Reply>> {
        Box::pin(async move {
            self.require_budget()?;
            let reply = self.model.send_streamed(request, on_chunk).await?;
            self.reply_counter()(&reply);
            Ok(reply)
        })
    }

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
            self.require_budget()?;
            let stream = self.model.stream(request).await?;
            Ok(stream.on_end(self.reply_counter()))
        })
    }
}
