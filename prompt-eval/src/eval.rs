//! The evaluation builder: a dataset, few-shot examples, metrics and the settings of the run.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use prompt_core::output::AnswerText;
use prompt_core::{Examples, Message, Messages, Options, Prompt, Request, Usage};

use crate::metric::Metric;
use crate::retrieve::Query;
use crate::run::{PreparedInput, RowInput, input_fingerprint};
use crate::task::{RunSettings, Scorer, Task, score_answer};
use crate::{Conversation, DataError, Dataset, ExamplePool, PromptBudget, Report, Row, RunHead};

/// An evaluation: a dataset, its few-shot examples and its metrics.
///
/// A row of the dataset is a prompt. Its `#[prompt(answer)]` field holds the correct answer, which is not part of the
/// request.
///
/// ```
/// use typed_prompt::{MockLlm, Prompt, eval::{Dataset, Eval, metric::ExactMatch}};
///
/// #[derive(Prompt, serde::Deserialize)]
/// #[prompt(user = "What is <question>", assistant = "<answer>")]
/// struct Sum {
///     question: String,
///     #[prompt(answer)]
///     answer: String,
/// }
///
/// let rows = Dataset::<Sum>::from_jsonl("{\"question\": \"1+1?\", \"answer\": \"2\"}".as_bytes(), "sums.jsonl")?;
/// let eval = Eval::new(rows)
///     .metric(ExactMatch::new(), |row: &Sum, answer: &String| (answer.clone(), row.answer.clone()));
/// let report = pollster::block_on(eval.run(&MockLlm::new(["2"])))?;
/// assert_eq!((report.done, report.metrics[0].mean()), (1, 1.0));
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
#[must_use = "nothing is measured before `run`"]
pub struct Eval<R: Prompt> {
    pub(crate) task: Task<R>,
    pub(crate) prompts: PromptBuilder<R>,
}

/// Builds the prompt of a row, with its few-shot examples.
pub(crate) struct PromptBuilder<R> {
    pool: Option<(ExamplePool, Box<SetExamples<R>>)>,
    /// The prompt of a row was different with its examples.
    has_checked_examples: bool,
    query_text: Option<Box<ToText<R>>>,
    budget: Option<PromptBudget>,
    pub(crate) conversation: Option<Box<ToConversation<R>>>,
    pub(crate) template: Option<RowTemplate<R>>,
    options: Options,
}

/// A template of the rows instead of their own.
pub(crate) struct RowTemplate<R> {
    pub(crate) name: String,
    render: Box<ToMessages<R>>,
}

type SetExamples<R> = dyn Fn(&mut R, Examples) + Send;
type ToText<R> = dyn Fn(&R) -> String + Send;
type ToMessages<R> = dyn Fn(&R) -> prompt_core::Result<Messages> + Send;
type ToConversation<R> = dyn Fn(&R) -> Result<Conversation, DataError> + Send;

impl<R: Prompt> Eval<R> {
    /// An evaluation of this dataset: eight rows at a time, and without a results file.
    pub fn new(dataset: impl Into<Dataset<R>>) -> Eval<R> {
        Eval {
            task: Task {
                dataset: dataset.into(),
                settings: RunSettings {
                    results: None,
                    concurrency: 8,
                    limit: None,
                    repeats: 1,
                    skip_bad: false,
                    progress: false,
                    max_failures: 20,
                },
                scorers: Vec::new(),
                turn_metrics: Vec::new(),
                cost: None,
            },
            prompts: PromptBuilder {
                pool: None,
                has_checked_examples: false,
                query_text: None,
                budget: None,
                conversation: None,
                template: None,
                options: Options::default(),
            },
        }
    }

    /// Sets the file of the results, with one JSON object per line: the [`RunHead`], and a [`RowResult`](crate::RowResult) per row. A run
    /// that was stopped resumes: rows with a result are not sent again. Rows whose request failed are listed in another file, `….failed`,
    /// and are sent again.
    ///
    /// Answers are kept, scores are not: the answers of an earlier run are scored with the rows and the metrics of this one, and a line is
    /// added for each row whose scores, cost or repairs differ. The report has the rows of this run alone. Another model, format or option is an error; a
    /// model that does not tell its name ([`Llm::model_info`](prompt_core::Llm::model_info)) cannot be distinguished from another such model.
    ///
    /// A row's result is written when its last answer has arrived and is scored, exactly once; with [`repeats`](Eval::repeats), the results of its
    /// answers are written together. If an error ends the run, such as a panic of a metric, no further row and no further
    /// repeat is started; the run completes the rows in progress, with all turns of a conversation and all choices, and keeps their answers. A run that is killed repeats
    /// only the rows that were in progress: their requests, at most [`concurrency`](Eval::concurrency) rows with all their
    /// turns, may be sent a second time. On a crash of the whole system, results that it had not yet written to the disk are
    /// repeated too.
    ///
    /// The file and those beside it are created readable by their owner only (on Unix). The file is locked if the system
    /// supports it, so that only one run at a time writes into it.
    pub fn results(mut self, path: impl Into<PathBuf>) -> Eval<R> {
        self.task.settings.results = Some(path.into());
        self
    }

    /// Sets how many rows are sent concurrently. A limit of requests per time is a wrapper of the model: `client::RateLimited`.
    pub fn concurrency(mut self, rows: usize) -> Eval<R> {
        self.task.settings.concurrency = rows;
        self
    }

    /// Evaluates only the first rows.
    pub fn limit(mut self, rows: u64) -> Eval<R> {
        self.task.settings.limit = Some(rows);
        self
    }

    /// Sets how many answers are requested for each row, one by default. The report then has the mean over all answers, with an interval for
    /// rows that are independent and answers that are not, and lists the rows that disagree with themselves.
    /// [`LoadedResults::row_summaries`](crate::LoadedResults::row_summaries) has the rate of each row.
    ///
    /// Each answer has a number, [`Request::repeat`](prompt_core::Request::repeat), by which caches and recordings distinguish it. If a seed is set, the number is
    /// added to it. A run that resumes requests only the answers that are missing, also after the number of repeats was raised.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, MockLlm, eval::{Eval, metric::ExactMatch}};
    ///
    /// let rows = vec![Messages::from([Message::user("1+1?")])];
    /// let eval = Eval::new(rows).gold(ExactMatch::new(), |_| "2".to_owned()).repeats(4);
    /// let report = pollster::block_on(eval.run(&MockLlm::new(["2", "2", "3", "2"])))?;
    /// assert_eq!((report.done, report.metrics[0].mean()), (1, 0.75));
    /// assert_eq!(report.disagreements, ["row 1, exact match: 0.7500 of 4 answers (0.3006 – 0.9544)"]);
    /// # Ok::<(), typed_prompt::eval::DataError>(())
    /// ```
    pub fn repeats(mut self, answers: u64) -> Eval<R> {
        self.task.settings.repeats = answers;
        self
    }

    /// Skips rows that cannot be parsed or rendered. The report counts them and lists the first; another file, `….skipped`,
    /// lists all. Without this, the first such row ends the run.
    pub fn skip_bad(mut self) -> Eval<R> {
        self.task.settings.skip_bad = true;
        self
    }

    /// Shows a progress bar, if the output is a terminal.
    pub fn progress(mut self) -> Eval<R> {
        self.task.settings.progress = true;
        self
    }

    /// Sets after how many consecutive failures the run ends: 20 by default, and never with `u64::MAX`.
    pub fn give_up_after(mut self, failures: u64) -> Eval<R> {
        self.task.settings.max_failures = failures;
        self
    }

    prompt_core::option_setters!(|self| self.prompts.options);

    /// Adds few-shot examples: `set` assigns the selected examples to the field of the row. A row never sees itself: see [`ExamplePool`].
    pub fn few_shot(
        mut self,
        pool: ExamplePool,
        set: impl Fn(&mut R, Examples) + Send + 'static,
    ) -> Eval<R> {
        self.prompts.pool = Some((pool, Box::new(set)));
        self
    }

    /// Sets the text of a row with which examples are compared. A retriever that compares texts, such as
    /// [`Bm25`](crate::retrieve::Bm25), needs it.
    pub fn query_text(mut self, text: impl Fn(&R) -> String + Send + 'static) -> Eval<R> {
        self.prompts.query_text = Some(Box::new(text));
        self
    }

    /// Leaves out few-shot examples until the prompt is within a budget.
    pub fn budget(mut self, budget: PromptBudget) -> Eval<R> {
        self.prompts.budget = Some(budget);
        self
    }

    /// Evaluates a conversation turn by turn instead of one prompt.
    pub fn conversation(
        mut self,
        conversation: impl Fn(&R) -> Result<Conversation, DataError> + Send + 'static,
    ) -> Eval<R> {
        self.prompts.conversation = Some(Box::new(conversation));
        self
    }

    /// Renders the rows by another template than their own: another version of the prompt, for the same rows and metrics. The name distinguishes
    /// its results. The output type is that of the row; with few-shot examples, their texts are those of the pool.
    ///
    /// With the feature `dynamic`: `let live = Dynamic::<Sum>::load("sum.prompt")?;` and `.template("short", move |row| live.messages(row))`. The file needs the
    /// slot of the answer too, which is not sent: `<user><question></user><assistant><answer></assistant>`.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, MockLlm, Prompt, eval::{Eval, metric::ExactMatch}};
    ///
    /// #[derive(Prompt)]
    /// #[prompt(user = "What is <question>", assistant = "<answer>")]
    /// struct Sum { question: &'static str, #[prompt(answer)] answer: &'static str }
    ///
    /// let eval = || {
    ///     Eval::new(vec![Sum { question: "1+1?", answer: "2" }]).gold(ExactMatch::new(), |row| row.answer.to_owned())
    /// };
    /// let short = eval().template("short", |row| Ok(Messages::from([Message::user(row.question)])));
    /// let llm = MockLlm::new(["It is 2.", "2"]);
    /// let [own, short] = [eval(), short].map(|eval| pollster::block_on(eval.run(&llm)).unwrap().metrics[0].mean());
    /// assert_eq!((own, short), (0.0, 1.0));
    /// assert_eq!(llm.requests()[1].messages[0].text(), "1+1?");
    /// ```
    pub fn template(
        mut self,
        name: impl Into<String>,
        messages: impl Fn(&R) -> prompt_core::Result<Messages> + Send + 'static,
    ) -> Eval<R> {
        self.prompts.template = Some(RowTemplate {
            name: name.into(),
            render: Box::new(messages),
        });
        self
    }

    /// Adds a metric. `texts` returns the text of the answer and the correct answer.
    pub fn metric(
        mut self,
        metric: impl Metric + 'static,
        texts: impl Fn(&R, &R::Output) -> (String, String) + Send + Sync + 'static,
    ) -> Eval<R> {
        self.task.scorers.push(Scorer {
            name: metric.name().to_owned(),
            definition: metric.definition(),
            check: Box::new(|_| Ok(())),
            score: Box::new(move |row, output, reply| {
                let (answer, gold) = texts(row, output);
                score_answer(&metric, &answer, &gold, reply)
            }),
        });
        self
    }

    /// Adds a metric of the answer's text: that of a string, a number, a boolean or an enum with `#[derive(Label)]`. The correct answer is
    /// validated before the row is sent. For other output types: [`metric`](Eval::metric), [`score`](Eval::score).
    ///
    /// ```
    /// use typed_prompt::{Prompt, eval::{Eval, metric::Choice}};
    ///
    /// #[derive(Prompt)]
    /// #[prompt(user = "<question> A, B or C?", assistant = "<answer>")]
    /// struct Quiz { question: &'static str, #[prompt(answer)] answer: &'static str }
    ///
    /// let rows = vec![Quiz { question: "Which is first?", answer: "D" }];
    /// let eval = Eval::new(rows).gold(Choice::new(["A", "B", "C"]), |row| row.answer.to_owned());
    /// let llm = typed_prompt::MockLlm::new(["A"]);
    /// assert_eq!(
    ///     pollster::block_on(eval.run(&llm)).unwrap_err().to_string(),
    ///     "row 1, column `answer`: the right answer `D` is none of the choices `A`, `B`, `C`"
    /// );
    /// ```
    pub fn gold(
        mut self,
        metric: impl Metric + 'static,
        gold: impl Fn(&R) -> String + Send + Sync + 'static,
    ) -> Eval<R>
    where
        R::Output: AnswerText,
    {
        let (name, definition) = (metric.name().to_owned(), metric.definition());
        let scored = Arc::new((metric, gold));
        let checked = Arc::clone(&scored);
        self.task.scorers.push(Scorer {
            name,
            definition,
            check: Box::new(move |row| {
                let gold = checked.1(row);
                let valid = checked.0.check_gold(&gold);
                valid.map_err(|error| locate_answer(error, row, &gold))
            }),
            score: Box::new(move |row, answer, reply| {
                score_answer(&scored.0, &answer.to_answer_text(), &scored.1(row), reply)
            }),
        });
        self
    }

    /// Adds a score, between 0 and 1, that a function computes.
    pub fn score(
        mut self,
        name: impl Into<String>,
        score: impl Fn(&R, &R::Output) -> f64 + Send + Sync + 'static,
    ) -> Eval<R> {
        let name = name.into();
        self.task.scorers.push(Scorer {
            definition: name.clone(),
            name,
            check: Box::new(|_| Ok(())),
            score: Box::new(move |row, output, _| Ok(Some(score(row, output)))),
        });
        self
    }

    /// Adds a metric of each turn of a conversation. The score of the row is the mean of its turns; a row with a turn that the metric does not read
    /// is unscored.
    pub fn turn_metric(mut self, metric: impl Metric + 'static) -> Eval<R> {
        self.task.turn_metrics.push(Box::new(metric));
        self
    }

    /// Sets how the cost of a row is computed from its tokens. Results and report then contain it.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, MockLlm, Reply, eval::Eval, llm::Usage};
    ///
    /// // With the feature `client`: `let prices = Prices::per_million(0.3, 1.2);` and `.cost(move |usage| prices.cost(usage))`.
    /// let eval = Eval::new(vec![Messages::from([Message::user("Hi")])]).cost(|usage| usage.output as f64 * 0.5);
    /// let llm = MockLlm::new([Reply::new("Hello.").with_usage(Usage::new(3, 2))]);
    /// assert_eq!(pollster::block_on(eval.run(&llm))?.cost, Some(1.0));
    /// # Ok::<(), typed_prompt::eval::DataError>(())
    /// ```
    pub fn cost(mut self, cost: impl Fn(&Usage) -> f64 + Send + Sync + 'static) -> Eval<R> {
        self.task.cost = Some(Box::new(cost));
        self
    }

    /// Renders the first prompts as they would be sent, without sending them.
    ///
    /// # Errors
    /// A row cannot be parsed or rendered, unless such rows are skipped.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, eval::Eval};
    ///
    /// let shown = Eval::new(vec![Messages::from([Message::user("Hi")])]).dry_run(1)?;
    /// assert_eq!(shown, "row 1\n[user]\nHi\n");
    /// # Ok::<(), typed_prompt::eval::DataError>(())
    /// ```
    pub fn dry_run(mut self, count: usize) -> Result<String, DataError> {
        self.check_support()?;
        let mut shown = String::new();
        self.task.visit_first(count, |row| {
            let (messages, note) = match self.prompts.prepare_row(row)?.input {
                RowInput::Prompt(request) => (request.messages, ""),
                RowInput::Conversation(conversation, _) => (
                    conversation.next_request().unwrap_or_default(),
                    " (first turn)",
                ),
            };
            shown.push_str(&format!(
                "row {}{note}\n{}",
                row.number,
                show_messages(&messages)
            ));
            Ok(())
        })?;
        Ok(shown)
    }

    /// Sends all rows, and scores the answers.
    ///
    /// The future may be dropped, and the program killed, at any time. The next run with the same
    /// [`results`](Eval::results) resumes.
    ///
    /// # Errors
    /// The report would have no figures, because no metric, [`cost`](Eval::cost) or [`results`](Eval::results) is set, or a number of rows or answers
    /// is 0. A row cannot be parsed or rendered, unless such rows are skipped; the results cannot be written, or belong to other
    /// prompts; or the model fails too often in a row. Written results are safe.
    pub async fn run(self, llm: &dyn prompt_core::Llm) -> Result<Report, DataError>
    where
        R: Send + 'static,
    {
        self.check_support()?;
        self.task.expect_figures()?;
        let mut prompts = self.prompts;
        let mut head = RunHead::new(&R::INFO, llm.model_info(), &prompts.options);
        head.template = prompts
            .template
            .as_ref()
            .map(|template| template.name.clone());
        head.examples = prompts.describe_examples();
        let prepare = move |row: &mut Row<R>| prompts.prepare_row(row);
        crate::run::run_evaluation(self.task, Box::new(prepare), llm, head).await
    }

    /// Fails if a setting has no effect in this evaluation.
    fn check_support(&self) -> Result<(), DataError> {
        let Eval { task, prompts } = self;
        task.settings.check_numbers()?;
        // The retry would change the answer that is evaluated.
        let help = "unset it: each row is asked once, and an answer that does not fit its type is an error of its row";
        prompts.refuse_option("output_retries", help, |options| {
            options.output_retries.is_some()
        })?;
        let (message, help) = match (&prompts.conversation, task.scorers.first()) {
            (Some(_), _) if prompts.template.is_some() => (
                "`template` has no effect in a conversation, which has its own messages".to_owned(),
                "render them in `conversation`",
            ),
            (Some(_), Some(scorer)) => (
                format!(
                    "the metric `{}` has no effect in a conversation, whose turns have an answer each",
                    scorer.name
                ),
                "add it with `turn_metric`",
            ),
            (None, _) if !task.turn_metrics.is_empty() => (
                "`turn_metric` has no effect without `conversation`".to_owned(),
                "add the metric with `gold` or `metric`",
            ),
            _ => return Ok(()),
        };
        Err(DataError::new(message).with_help(help))
    }
}

impl<R: Prompt> PromptBuilder<R> {
    /// Fails if an option is set that has no effect in this evaluation.
    pub(crate) fn refuse_option(
        &self,
        name: &str,
        help: &str,
        is_set: impl Fn(&Options) -> bool,
    ) -> Result<(), DataError> {
        match is_set(&self.options) {
            true => Err(DataError::new(format!(
                "the option `{name}` has no effect in this evaluation"
            ))
            .with_help(help)),
            false => Ok(()),
        }
    }

    /// How the few-shot examples are selected.
    pub(crate) fn describe_examples(&self) -> Option<String> {
        self.pool
            .as_ref()
            .map(|(pool, _)| pool.describe_selection())
    }

    /// Adds the few-shot examples to a row. Returns how many were left out.
    pub(crate) fn add_examples(&mut self, row: &mut Row<R>) -> Result<usize, DataError> {
        let Some((pool, set)) = &mut self.pool else {
            if let Some(budget) = &self.budget {
                budget.fit_examples(Examples::new(), |_| render_row(&self.template, &row.value))?;
            }
            return Ok(0);
        };
        let text = self.query_text.as_ref().map(|text| text(&row.value));
        let query = Query::row(row.index()).text(text.as_deref().unwrap_or_default());
        let mut examples = pool.select_examples(&row.value, &query)?;
        let is_checked = self.has_checked_examples || self.conversation.is_some();
        let before = match is_checked {
            true => None,
            false => Some(render_row(&self.template, &row.value)?),
        };
        let mut dropped = 0;
        if let Some(budget) = &self.budget {
            let fitted = budget.fit_examples(examples, |examples| {
                set(&mut row.value, examples.clone());
                render_row(&self.template, &row.value)
            })?;
            (examples, dropped) = (fitted.examples, fitted.dropped);
        }
        let has_examples = !examples.is_empty();
        set(&mut row.value, examples);
        if let Some(before) = before.filter(|_| has_examples) {
            if render_row(&self.template, &row.value)? == before {
                let message = "the few-shot examples are not in the prompt";
                let help = "assign them to the `#[prompt(examples)]` field in the closure of `few_shot`: `|row, examples| row.examples = examples`";
                return Err(DataError::new(message).with_help(help));
            }
            self.has_checked_examples = true;
        }
        Ok(dropped)
    }

    fn prepare_row(&mut self, row: &mut Row<R>) -> Result<PreparedInput<RowInput>, DataError> {
        let dropped = self.add_examples(row)?;
        let options = self.options.clone();
        let (input, fingerprint) = match &self.conversation {
            Some(conversation) => {
                let conversation = conversation(&row.value)?;
                let fingerprint = input_fingerprint(conversation.messages());
                (RowInput::Conversation(conversation, options), fingerprint)
            }
            None => {
                let mut request = Request::from_prompt(&row.value)?.with_options(options);
                if self.template.is_some() {
                    request.messages = render_row(&self.template, &row.value)?;
                }
                let fingerprint = input_fingerprint(&request.messages);
                (RowInput::Prompt(request), fingerprint)
            }
        };
        Ok(PreparedInput {
            input,
            fingerprint,
            dropped,
        })
    }
}

fn render_row<R: Prompt>(
    template: &Option<RowTemplate<R>>,
    row: &R,
) -> prompt_core::Result<Messages> {
    match template {
        Some(template) => (template.render)(row),
        None => row.messages(),
    }
}

/// Adds the name of the answer field that has this text to an error.
pub(crate) fn locate_answer<R: Prompt>(error: DataError, row: &R, gold: &str) -> DataError {
    let slots = |messages: &Messages| {
        let texts = messages.iter().flat_map(Message::texts);
        let slots = texts.flat_map(|text| {
            let data = text.data().iter();
            data.filter_map(|data| Some((data.slot?, text.as_str()[data.range.clone()].to_owned())))
        });
        slots.collect::<Vec<_>>()
    };
    let (Ok(without_answer), Ok(with_answer)) = (row.messages(), row.messages_with_answer()) else {
        return error;
    };
    let without_answer = slots(&without_answer);
    let is_answer = |slot: &str| without_answer.iter().all(|(other, _)| *other != slot);
    let mut slots = slots(&with_answer).into_iter();
    match slots.find(|(slot, value)| value == gold && is_answer(slot)) {
        Some((slot, _)) => error.at_column(slot),
        None => error,
    }
}

/// The messages of a prompt for people.
fn show_messages(messages: &Messages) -> String {
    let mut shown = String::new();
    for message in messages {
        shown.push_str(&format!("[{}]\n", message.role));
        for part in &message.parts {
            match part {
                prompt_core::Part::Text(text) => shown.push_str(&format!("{}\n", text.as_str())),
                prompt_core::Part::Media(media) => {
                    let url: String = media.to_url().chars().take(80).collect();
                    shown.push_str(&format!("({} {url})\n", media.kind().name()));
                }
                _ => {}
            }
        }
    }
    shown
}

impl<R: Prompt> fmt::Debug for Eval<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scorers = self.task.scorers.iter();
        let scores: Vec<&str> = scorers.map(|scorer| &*scorer.name).collect();
        write!(f, "Eval({:?}, {scores:?})", self.task.dataset)
    }
}

impl From<DataError> for prompt_core::Error {
    fn from(error: DataError) -> prompt_core::Error {
        prompt_core::Error::new(prompt_core::ErrorKind::Value, error.to_string())
    }
}
