//! Choices that are not asked for but weighed: the likeliest is the answer.

use std::fmt;

use prompt_core::{BoxFuture, ErrorKind, Likelihood, Prompt, Reply};

use crate::ask::{Answered, Answers, Asked, Preparing, Ranked, fingerprint};
use crate::eval::{Work, column};
use crate::{Completion, Error, Eval, Report, Result, Row};

/// The answers that a row may have, each as a label and the text whose end is scored.
///
/// ```
/// use prompt_core::{Message, Messages};
/// use prompt_eval::{Choices, Completion};
///
/// let ask = |label: &str| Messages::from([Message::user("Is water wet? "), Message::assistant(label.to_owned())]);
/// let choices = Choices::of(["yes", "no"], |label| Completion::of(&ask(label)))?;
/// assert_eq!(choices.iter().next().unwrap().1.text(), "Is water wet? yes");
/// let error = Choices::of(["yes"], |label| Completion::of(&ask(label))).unwrap_err();
/// assert_eq!(error.to_string(), "there is 1 choice, and two are the least to choose from");
/// # Ok::<(), prompt_eval::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choices(Vec<(String, Completion)>);

impl Choices {
    /// A text for each label.
    ///
    /// # Errors
    /// Fewer than two labels, one that occurs twice, a text without an end to be scored, and those of `completion`.
    pub fn of<L: Into<String>>(
        labels: impl IntoIterator<Item = L>,
        mut completion: impl FnMut(&str) -> Result<Completion>,
    ) -> Result<Choices> {
        let mut choices: Vec<(String, Completion)> = Vec::new();
        for label in labels {
            let label = label.into();
            if choices.iter().any(|(other, _)| *other == label) {
                return Err(Error::new(format!("the choice `{label}` occurs twice")));
            }
            let completion = completion(&label)?;
            if completion.answer.is_empty() {
                let message =
                    format!("the prompt of the choice `{label}` has no answer to be scored");
                return Err(Error::new(message).with_help("its `assistant` text is empty"));
            }
            choices.push((label, completion));
        }
        match choices.len() {
            0 => Err(Error::new("there are no choices")),
            1 => Err(Error::new(
                "there is 1 choice, and two are the least to choose from",
            )),
            _ => Ok(Choices(choices)),
        }
    }

    /// Each label with its text.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Completion)> {
        self.0.iter().map(|(label, text)| (&**label, text))
    }

    /// Refuses a right answer that no choice has.
    fn check(&self, gold: &str) -> Result<()> {
        if self.iter().any(|(label, _)| label == gold) {
            return Ok(());
        }
        let labels: Vec<&str> = self.iter().map(|(label, _)| label).collect();
        let labels = labels.join("`, `");
        let message = format!("the right answer `{gold}` is none of the choices `{labels}`");
        Err(Error::new(message))
    }
}

/// How the log-probabilities of an answer's tokens become one number, of which the highest wins.
///
/// ```
/// use prompt_eval::Weighing;
///
/// assert_eq!(Weighing::Mean.weigh(&[-1.0, -2.0], "Yes"), -1.5);
/// assert_eq!(Weighing::Sum.weigh(&[-1.0, -2.0], "Yes"), -3.0);
/// assert_eq!(Weighing::Bytes.weigh(&[-1.0, -2.0], "Yes"), -1.0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Weighing {
    /// Their mean: minus what AISBench's and OpenCompass's `PPLInferencer` call the perplexity, whose lowest wins
    /// (`-sum(logprobs) / count`, over the tokens that are not masked).
    #[default]
    Mean,
    /// Their sum: how probable the answer is as a whole, as `acc` of lm-evaluation-harness has it.
    Sum,
    /// Their sum by the answer's length in bytes, as its `acc_norm`.
    Bytes,
}

impl Weighing {
    /// The number.
    pub fn weigh(self, log_probs: &[f64], answer: &str) -> f64 {
        let sum: f64 = log_probs.iter().sum();
        match self {
            Weighing::Mean => sum / log_probs.len() as f64,
            Weighing::Sum => sum,
            Weighing::Bytes => sum / answer.len() as f64,
        }
    }
}

/// An evaluation that asks a model how likely it finds each choice, and takes the likeliest for its answer. Made by
/// [`Eval::ranked`].
///
/// Its report has the metric `accuracy`, and each result says how likely the choices are. Of two that are alike the first
/// wins.
///
/// ```
/// use prompt_core::{BoxFuture, Likelihood, Prompt as _};
/// use prompt_eval::{Choices, Completion, Eval};
/// use typed_prompt::Prompt;
///
/// #[derive(Clone, Prompt)]
/// #[prompt(user = "<question> Answer: ", assistant = "<answer>")]
/// struct Quiz { question: &'static str, #[prompt(answer)] answer: String }
///
/// /// It finds short answers likelier.
/// struct Short;
///
/// impl Likelihood for Short {
///     fn log_probs<'a>(&'a self, _: &'a str, answer: &'a str) -> BoxFuture<'a, prompt_core::Result<Vec<f64>>> {
///         Box::pin(async move { Ok(vec![-(answer.len() as f64)]) })
///     }
/// }
///
/// let rows = vec![Quiz { question: "Which is wet?", answer: "ice".into() }];
/// let eval = Eval::new(rows).ranked(
///     |row: &Quiz| Choices::of(["water", "ice"], |label| Completion::of(&Quiz { answer: label.into(), ..row.clone() })),
///     |row| row.answer.clone(),
/// );
/// let report = pollster::block_on(eval.run(&Short))?;
/// assert_eq!((report.metrics[0].name.as_str(), report.metrics[0].mean()), ("accuracy", 1.0));
/// # Ok::<(), prompt_eval::Error>(())
/// ```
pub struct Ranking<R: Prompt> {
    work: Work<R>,
    preparing: Preparing<R>,
    choices: Box<ToChoices<R>>,
    gold: Box<ToGold<R>>,
    weighing: Weighing,
    neutral: Option<String>,
}

type ToChoices<R> = dyn Fn(&R) -> Result<Choices> + Send;
type ToGold<R> = dyn Fn(&R) -> String + Send;

/// The choices of a row, and the right one.
struct Candidates {
    choices: Choices,
    gold: String,
}

impl<R: Prompt> Eval<R> {
    /// Asks how likely each choice is instead of asking for an answer; `gold` gives the label of the right one.
    ///
    /// Options of requests have no meaning then, and a conversation cannot be ranked.
    pub fn ranked(
        self,
        choices: impl Fn(&R) -> Result<Choices> + Send + 'static,
        gold: impl Fn(&R) -> String + Send + 'static,
    ) -> Ranking<R> {
        Ranking {
            work: self.work,
            preparing: self.preparing,
            choices: Box::new(choices),
            gold: Box::new(gold),
            weighing: Weighing::default(),
            neutral: None,
        }
    }
}

impl<R: Prompt> Ranking<R> {
    /// Sets how tokens become one number; their mean otherwise.
    pub fn weighed(mut self, by: Weighing) -> Ranking<R> {
        self.weighing = by;
        self
    }

    /// Subtracts how likely each answer is after a text that says nothing about it, such as `Answer: `: what OpenCompass
    /// calls `normalizing_str`. It takes a second request for each choice.
    pub fn against(mut self, neutral: impl Into<String>) -> Ranking<R> {
        self.neutral = Some(neutral.into());
        self
    }

    /// The first texts as they would be scored, each answer on a line of its own.
    ///
    /// # Errors
    /// The first row that cannot be read or scored, unless these are passed over.
    pub fn dry_run(mut self, count: usize) -> Result<String> {
        self.check()?;
        let mut shown = String::new();
        self.work.first(count, |row| {
            let dropped = self.preparing.ready(row)?;
            let Candidates { choices, gold } = candidates(&*self.choices, &*self.gold, row)?;
            shown.push_str(&format!("row {}\n", row.number));
            if dropped > 0 {
                shown.push_str(&format!("({dropped} examples left out)\n"));
            }
            for (label, text) in choices.iter() {
                let right = if label == gold { ", right" } else { "" };
                let Completion { context, answer } = text;
                shown.push_str(&format!(
                    "[choice {label}{right}]\n{context}\n[scored]\n{answer}\n"
                ));
            }
            Ok(())
        })?;
        Ok(shown)
    }

    /// Scores all rows. It goes on like [`Eval::run`] where it was stopped.
    ///
    /// # Errors
    /// As [`Eval::run`], and a right answer that no choice has.
    pub async fn run(self, llm: &dyn Likelihood) -> Result<Report>
    where
        R: Send + 'static,
    {
        self.check()?;
        let Ranking {
            work,
            mut preparing,
            choices,
            gold,
            weighing,
            neutral,
        } = self;
        let weigher = Weigher {
            llm,
            weighing,
            neutral: neutral.as_deref(),
        };
        let by = (format!("{weighing:?}"), neutral.clone());
        let prepare = move |row: &mut Row<R>| {
            let dropped = preparing.ready(row)?;
            let ask = candidates(&*choices, &*gold, row)?;
            let texts = ask.choices.iter();
            let texts = texts.map(|(label, text)| (label, &text.context, &text.answer));
            let prompt = fingerprint(&(texts.collect::<Vec<_>>(), &by));
            Ok(Asked {
                ask,
                prompt,
                dropped,
            })
        };
        crate::run::run(work, Box::new(prepare), weigher).await
    }

    fn check(&self) -> Result<()> {
        match self.preparing.turns.is_some() || !self.work.turn_metrics.is_empty() {
            true => Err(Error::new("the turns of a conversation cannot be ranked")
                .with_help("rank prompts, or ask the conversation with `Eval::run`")),
            false => Ok(()),
        }
    }
}

fn candidates<R: Prompt>(
    choices: &ToChoices<R>,
    gold: &ToGold<R>,
    row: &Row<R>,
) -> Result<Candidates> {
    let (choices, gold) = (choices(&row.value)?, gold(&row.value));
    let wrong = choices.check(&gold);
    wrong.map_err(|error| error.at_column(column(&row.value, &gold).unwrap_or_default()))?;
    Ok(Candidates { choices, gold })
}

/// Who says how likely choices are.
#[derive(Clone, Copy)]
struct Weigher<'a> {
    llm: &'a dyn Likelihood,
    weighing: Weighing,
    neutral: Option<&'a str>,
}

impl Weigher<'_> {
    async fn weigh(self, context: &str, answer: &str) -> prompt_core::Result<f64> {
        let values = self.llm.log_probs(context, answer).await?;
        let weight = self.weighing.weigh(&values, answer);
        if weight.is_finite() {
            return Ok(weight);
        }
        let message =
            format!("the model gives `{answer}` the likelihood {weight}, which is no number");
        Err(prompt_core::Error::new(ErrorKind::Model, message))
    }
}

impl<'a> Answers<'a, Candidates> for Weigher<'a> {
    fn answers(self, ask: Candidates) -> BoxFuture<'a, prompt_core::Result<Answered>> {
        Box::pin(async move {
            let Candidates { choices, gold } = ask;
            let mut likelihoods: Vec<(String, f64)> = Vec::new();
            for (label, text) in choices.0 {
                let mut weight = self.weigh(&text.context, &text.answer).await?;
                if let Some(neutral) = self.neutral {
                    weight -= self.weigh(neutral, &text.answer).await?;
                }
                likelihoods.push((label, weight));
            }
            let mut best = &likelihoods[0];
            for one in &likelihoods {
                if one.1 > best.1 {
                    best = one;
                }
            }
            let replies = vec![(Reply::new(&*best.0), None)];
            let ranked = Some(Ranked { likelihoods, gold });
            Ok(Answered { replies, ranked })
        })
    }
}

impl<R: Prompt> fmt::Debug for Ranking<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ranking({:?}, {:?})", self.work.rows, self.weighing)
    }
}
