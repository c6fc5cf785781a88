//! A mock model that returns prepared replies and keeps the requests.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use crate::llm::{BoxFuture, Llm, Reply, Request};
use crate::{Error, ErrorKind, Result};

/// A mock model for tests and examples: it returns prepared answers, or calls a function for each request.
///
/// It keeps all requests, and streams its answers word by word.
///
/// ```
/// use typed_prompt::{Llm, Message, Messages, MockLlm};
///
/// let llm = MockLlm::new(["Nine metres.", "Eleven."]);
/// let ask = Messages::from([Message::user("How deep is it?")]);
/// assert_eq!(pollster::block_on(llm.call(&ask))?, "Nine metres.");
/// assert_eq!(pollster::block_on(llm.call(&ask))?, "Eleven.");
/// assert_eq!(llm.requests().len(), 2);
/// let error = pollster::block_on(llm.call(&ask)).unwrap_err();
/// assert_eq!(error.message(), "`MockLlm` has 2 answers, and this is request 3, for `Messages`");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub struct MockLlm {
    script: Script,
    seen: Mutex<Vec<Request>>,
}

enum Script {
    Answers(Vec<Reply>),
    Function(Box<MockFn>),
}

type MockFn = dyn Fn(&Request) -> Result<Reply> + Send + Sync;

impl MockLlm {
    /// A model that returns these answers in order.
    ///
    /// ```
    /// use typed_prompt::{MockLlm, Reply};
    ///
    /// let llm = MockLlm::new([Reply::new("Hi").with_model("m-1")]);
    /// assert!(llm.requests().is_empty());
    /// ```
    pub fn new<R: Into<Reply>>(answers: impl IntoIterator<Item = R>) -> MockLlm {
        let answers = answers.into_iter().map(Into::into).collect();
        MockLlm {
            script: Script::Answers(answers),
            seen: Mutex::default(),
        }
    }

    /// A model that answers by a function of the request.
    ///
    /// ```
    /// use typed_prompt::{Llm, Message, Messages, MockLlm, Reply};
    ///
    /// let echo = MockLlm::from_fn(|request| Ok(Reply::new(request.messages[0].text())));
    /// let ask = Messages::from([Message::user("Hello")]);
    /// assert_eq!(pollster::block_on(echo.call(&ask))?, "Hello");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn from_fn(
        function: impl Fn(&Request) -> Result<Reply> + Send + Sync + 'static,
    ) -> MockLlm {
        MockLlm {
            script: Script::Function(Box::new(function)),
            seen: Mutex::default(),
        }
    }

    /// The requests so far.
    ///
    /// ```
    /// use typed_prompt::{Llm, Messages, MockLlm};
    ///
    /// let llm = MockLlm::new(["Hi"]);
    /// pollster::block_on(llm.call(&Messages::new()))?;
    /// assert_eq!(llm.requests()[0].messages, Messages::new());
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn requests(&self) -> Vec<Request> {
        // A panic elsewhere cannot leave the list half written.
        self.seen
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn next_answer(&self, request: &Request) -> Result<Reply> {
        request.check_options()?;
        let count = {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.push(request.clone());
            seen.len()
        };
        match &self.script {
            Script::Function(function) => function(request),
            Script::Answers(answers) => answers.get(count - 1).cloned().ok_or_else(|| {
                let (has, name) = (answers.len(), request.info.name);
                let plural = if has == 1 { "" } else { "s" };
                let message = format!(
                    "`MockLlm` has {has} answer{plural}, and this is request {count}, for `{name}`"
                );
                Error::new(ErrorKind::MockExhausted, message)
                    .with_help("give `MockLlm::new` one answer for each call")
            }),
        }
    }
}

impl Llm for MockLlm {
    fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply>> {
        Box::pin(async move { self.next_answer(request) })
    }
}

impl fmt::Debug for MockLlm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("MockLlm");
        match &self.script {
            Script::Answers(answers) => out.field("answers", &answers.len()),
            Script::Function(_) => out.field("answers", &"by a function"),
        };
        out.field("requests", &self.requests().len()).finish()
    }
}
