//! Multiple-choice evaluations, by the log-probabilities of the choices.

use std::fmt;

use prompt_core::{BoxFuture, ErrorKind, Likelihood, Options, Prompt, Reply, Texts};

use crate::error::check_choice;
use crate::eval::{PromptBuilder, locate_answer};
use crate::run::{ChoiceScores, PreparedInput, Repeat, Responder, Response, input_fingerprint};
use crate::task::Task;
use crate::{Completion, DataError, Eval, Report, Row, RowResult, RunHead};

/// The choices of a row, each with its label and the completion that is scored.
///
/// ```
/// use typed_prompt::{Message, Messages, eval::{Choices, Completion}};
///
/// let ask = |label: &str| Messages::from([Message::user("Is water wet? "), Message::assistant(label.to_owned())]);
/// let choices = Choices::from_labels(["yes", "no"], |label| Completion::from_prompt(&ask(label)))?;
/// assert_eq!(choices.iter().next().unwrap().1.text(), "Is water wet? yes");
/// let error = Choices::from_labels(["yes"], |label| Completion::from_prompt(&ask(label))).unwrap_err();
/// assert_eq!(error.to_string(), "there is 1 choice, and at least two are required");
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choices(Vec<(String, Completion)>);

impl Choices {
    /// One completion for each label.
    ///
    /// # Errors
    /// There are fewer than two labels, a label occurs twice, or a completion is empty or fails.
    pub fn from_labels(
        labels: impl Texts,
        mut completion: impl FnMut(&str) -> Result<Completion, DataError>,
    ) -> Result<Choices, DataError> {
        let mut choices: Vec<(String, Completion)> = Vec::new();
        for label in labels.into_texts() {
            if choices.iter().any(|(other, _)| *other == label) {
                return Err(DataError::new(format!("the choice `{label}` occurs twice")));
            }
            let completion = completion(&label)?;
            if completion.answer.is_empty() {
                let message =
                    format!("the prompt of the choice `{label}` has no answer that can be scored");
                return Err(DataError::new(message).with_help("its `assistant` text is empty"));
            }
            choices.push((label, completion));
        }
        match choices.len() {
            0 => Err(DataError::new("there are no choices")),
            1 => Err(DataError::new(
                "there is 1 choice, and at least two are required",
            )),
            _ => Ok(Choices(choices)),
        }
    }

    /// Each label with its completion.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Completion)> {
        self.0
            .iter()
            .map(|(label, completion)| (&**label, completion))
    }
}

/// How the log-probabilities of the tokens of an answer are combined into its likelihood.
///
/// ```
/// use typed_prompt::eval::Normalization;
///
/// assert_eq!(Normalization::Mean.combine_log_probs(&[-1.0, -2.0], "Yes"), -1.5);
/// assert_eq!(Normalization::Sum.combine_log_probs(&[-1.0, -2.0], "Yes"), -3.0);
/// assert_eq!(Normalization::Characters.combine_log_probs(&[-6.0], "ééé"), -2.0);
/// assert_eq!(Normalization::Bytes.combine_log_probs(&[-6.0], "ééé"), -1.0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Normalization {
    /// Their mean. AISBench's and OpenCompass's `PPLInferencer` call the negated mean perplexity, and choose the lowest
    /// (`-sum(logprobs) / count`, over the tokens that are not masked).
    #[default]
    Mean,
    /// Their sum, without normalization, as for `acc` of lm-evaluation-harness.
    Sum,
    /// Their sum divided by the number of characters of the answer, as for `acc_norm` of lm-evaluation-harness (0.4.13), whose choices do
    /// not contain the space before an answer.
    Characters,
    /// Their sum divided by the length of the answer in bytes, as for `acc_bytes` of lm-evaluation-harness.
    Bytes,
}

impl Normalization {
    /// The likelihood of an answer.
    pub fn combine_log_probs(self, log_probs: &[f64], answer: &str) -> f64 {
        let sum: f64 = log_probs.iter().sum();
        match self {
            Normalization::Mean => sum / log_probs.len() as f64,
            Normalization::Sum => sum,
            Normalization::Characters => sum / answer.chars().count() as f64,
            Normalization::Bytes => sum / answer.len() as f64,
        }
    }
}

/// An evaluation whose answer is the choice with the highest likelihood; see [`Eval::multiple_choice`].
///
/// Its report has the metric `accuracy`, and each result contains the likelihoods of the choices. Of equal likelihoods the
/// first wins.
///
/// ```
/// use typed_prompt::eval::{Choices, Completion, Eval};
/// use typed_prompt::llm::{BoxFuture, Likelihood};
/// use typed_prompt::{Prompt, Prompt as _};
///
/// #[derive(Clone, Prompt)]
/// #[prompt(user = "<question> Answer: ", assistant = "<answer>")]
/// struct Quiz { question: &'static str, #[prompt(answer)] answer: String }
///
/// /// A model that prefers short answers.
/// struct Short;
///
/// impl Likelihood for Short {
///     fn score_tokens<'a>(&'a self, _: &'a str, answer: &'a str) -> BoxFuture<'a, typed_prompt::Result<Vec<f64>>> {
///         Box::pin(async move { Ok(vec![-(answer.len() as f64)]) })
///     }
/// }
///
/// let rows = vec![Quiz { question: "Which is wet?", answer: "ice".into() }];
/// let eval = Eval::new(rows).multiple_choice(
///     |row: &Quiz| Choices::from_labels(["water", "ice"], |label| Completion::from_prompt(&Quiz { answer: label.into(), ..row.clone() })),
///     |row| row.answer.clone(),
/// );
/// let report = pollster::block_on(eval.run(&Short))?;
/// assert_eq!((report.metrics[0].name.as_str(), report.metrics[0].mean()), ("accuracy", 1.0));
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
#[must_use = "nothing is measured before `run`"]
pub struct MultipleChoice<R: Prompt> {
    task: Task<R>,
    prompts: PromptBuilder<R>,
    choices: Box<ToChoices<R>>,
    gold: Box<ToGold<R>>,
    normalization: Normalization,
    normalizing_context: Option<String>,
}

type ToChoices<R> = dyn Fn(&R) -> Result<Choices, DataError> + Send;
type ToGold<R> = dyn Fn(&R) -> String + Send;

/// The choices of a row, and the label of the correct one.
struct ChoiceInput {
    choices: Choices,
    gold: String,
}

impl<R: Prompt> Eval<R> {
    /// Scores the likelihood of given choices instead of requesting an answer. `gold` returns the label of the correct
    /// choice.
    ///
    /// Options of requests and conversations are not supported.
    pub fn multiple_choice(
        self,
        choices: impl Fn(&R) -> Result<Choices, DataError> + Send + 'static,
        gold: impl Fn(&R) -> String + Send + 'static,
    ) -> MultipleChoice<R> {
        MultipleChoice {
            task: self.task,
            prompts: self.prompts,
            choices: Box::new(choices),
            gold: Box::new(gold),
            normalization: Normalization::default(),
            normalizing_context: None,
        }
    }
}

impl<R: Prompt> MultipleChoice<R> {
    /// Sets how the log-probabilities of tokens are combined. By [`Normalization::Mean`] by default.
    pub fn normalization(mut self, normalization: Normalization) -> MultipleChoice<R> {
        self.normalization = normalization;
        self
    }

    /// Subtracts the likelihood of each answer after a neutral context, such as `Answer: `. OpenCompass calls it
    /// `normalizing_str`. It requires a second request for each choice.
    pub fn normalizing_context(mut self, context: impl Into<String>) -> MultipleChoice<R> {
        self.normalizing_context = Some(context.into());
        self
    }

    /// Renders the first texts as they would be scored, without sending them.
    ///
    /// # Errors
    /// A row cannot be parsed or rendered, unless such rows are skipped.
    pub fn dry_run(mut self, count: usize) -> Result<String, DataError> {
        self.check_support()?;
        let mut shown = String::new();
        self.task.visit_first(count, |row| {
            let dropped = self.prompts.add_examples(row)?;
            let ChoiceInput { choices, gold } = choice_input(&*self.choices, &*self.gold, row)?;
            shown.push_str(&format!("row {}\n", row.number));
            if dropped > 0 {
                shown.push_str(&format!("({dropped} examples left out)\n"));
            }
            for (label, Completion { context, answer }) in choices.iter() {
                let right = if label == gold { ", right" } else { "" };
                shown.push_str(&format!(
                    "[choice {label}{right}]\n{context}\n[scored]\n{answer}\n"
                ));
            }
            Ok(())
        })?;
        Ok(shown)
    }

    /// Scores all rows. Like [`Eval::run`], it resumes after it was stopped.
    ///
    /// # Errors
    /// As [`Eval::run`], and if the correct answer is not one of the choices.
    pub async fn run(self, llm: &dyn Likelihood) -> Result<Report, DataError>
    where
        R: Send + 'static,
    {
        self.check_support()?;
        let MultipleChoice {
            task,
            mut prompts,
            choices,
            gold,
            normalization,
            normalizing_context,
        } = self;
        let scorer = ChoiceScorer {
            llm,
            normalization,
            normalizing_context: normalizing_context.as_deref(),
        };
        let settings = (format!("{normalization:?}"), normalizing_context.clone());
        let definition = match &settings {
            (by, None) => format!("accuracy (by {by})"),
            (by, Some(context)) => format!("accuracy (by {by}, after `{context}`)"),
        };
        let examples = prompts.describe_examples();
        let prepare = move |row: &mut Row<R>| {
            let dropped = prompts.add_examples(row)?;
            let input = choice_input(&*choices, &*gold, row)?;
            let texts = input.choices.iter();
            let texts = texts.map(|(label, text)| (label, &text.context, &text.answer));
            let fingerprint = input_fingerprint(&(texts.collect::<Vec<_>>(), &settings));
            Ok(PreparedInput {
                input,
                fingerprint,
                dropped,
            })
        };
        let mut head = RunHead::new(&R::INFO, llm.model_info(), &Options::new());
        head.examples = examples;
        head.metrics.push(definition);
        crate::run::run_evaluation(task, Box::new(prepare), scorer, head).await
    }

    fn check_support(&self) -> Result<(), DataError> {
        let is_set = |options: &Options| *options != Options::new();
        self.prompts.refuse_option("options", "unset it", is_set)?;
        self.task.settings.check_numbers()?;
        if self.task.settings.repeats > 1 {
            return Err(DataError::new(
                "`repeats` has no effect in an evaluation by multiple choice, whose likelihoods do not vary",
            )
            .with_help("remove it"));
        }
        if self.prompts.template.is_some() {
            return Err(DataError::new(
                "`template` has no effect in an evaluation by multiple choice",
            )
            .with_help("render the choices with it"));
        }
        match self.prompts.conversation.is_some() || !self.task.turn_metrics.is_empty() {
            true => Err(
                DataError::new("a conversation cannot be evaluated by multiple choice")
                    .with_help("evaluate prompts, or the conversation with `Eval::run`"),
            ),
            false => Ok(()),
        }
    }
}

fn choice_input<R: Prompt>(
    choices: &ToChoices<R>,
    gold: &ToGold<R>,
    row: &Row<R>,
) -> Result<ChoiceInput, DataError> {
    let (choices, gold) = (choices(&row.value)?, gold(&row.value));
    check_choice(&gold, &gold, choices.0.iter().map(|(label, _)| &**label))
        .map_err(|error| locate_answer(error, &row.value, &gold))?;
    Ok(ChoiceInput { choices, gold })
}

#[derive(Clone, Copy)]
struct ChoiceScorer<'a> {
    llm: &'a dyn Likelihood,
    normalization: Normalization,
    normalizing_context: Option<&'a str>,
}

impl ChoiceScorer<'_> {
    async fn score_choice(self, context: &str, answer: &str) -> prompt_core::Result<f64> {
        let log_probs = self.llm.score_tokens(context, answer).await?;
        let likelihood = self.normalization.combine_log_probs(&log_probs, answer);
        if likelihood.is_finite() {
            return Ok(likelihood);
        }
        let message = format!("the likelihood of `{answer}` is {likelihood}, which is not finite");
        Err(prompt_core::Error::new(ErrorKind::Model, message))
    }
}

impl<'a> Responder<'a, ChoiceInput> for ChoiceScorer<'a> {
    fn respond_to<'i>(
        self,
        input: &'i ChoiceInput,
        _: Repeat,
    ) -> BoxFuture<'i, prompt_core::Result<Response>>
    where
        'a: 'i,
    {
        Box::pin(async move {
            let mut likelihoods: Vec<(String, f64)> = Vec::new();
            for (label, text) in &input.choices.0 {
                let mut likelihood = self.score_choice(&text.context, &text.answer).await?;
                if let Some(context) = self.normalizing_context {
                    likelihood -= self.score_choice(context, &text.answer).await?;
                }
                likelihoods.push((label.clone(), likelihood));
            }
            let mut best = &likelihoods[0];
            for choice in &likelihoods {
                if choice.1 > best.1 {
                    best = choice;
                }
            }
            let replies = vec![(Reply::new(&*best.0), None)];
            let gold = input.gold.clone();
            let choices = Some(ChoiceScores { likelihoods, gold });
            Ok(Response { replies, choices })
        })
    }

    fn restore(self, input: &ChoiceInput, stored: &RowResult) -> Option<Response> {
        let [answer] = &stored.answers[..] else {
            return None;
        };
        let likelihoods = stored.likelihoods.clone();
        Some(Response {
            replies: vec![(Reply::new(&**answer), None)],
            choices: Some(ChoiceScores {
                likelihoods,
                gold: input.gold.clone(),
            }),
        })
    }
}

impl<R: Prompt> fmt::Debug for MultipleChoice<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (dataset, normalization) = (&self.task.dataset, self.normalization);
        write!(f, "MultipleChoice({dataset:?}, {normalization:?})")
    }
}
