use std::fmt;
use std::path::PathBuf;

use prompt_core::{Message, Messages, Options, Prompt, Shots};

use crate::ask::Preparing;
use crate::metric::Metric;
use crate::{Budget, Conversation, Error, Examples, Report, Result, Row, Rows};

/// An evaluation: rows that are asked, and how good the answers are.
///
/// A row is the struct of its prompt; the answer is a field of it that no model reads (`#[prompt(answer)]`).
///
/// ```
/// use prompt_core::Scripted;
/// use prompt_eval::{Eval, Rows, metric::ExactMatch};
/// use typed_prompt::Prompt;
///
/// #[derive(Prompt, serde::Deserialize)]
/// #[prompt(user = "What is <question>", assistant = "<answer>")]
/// struct Sum {
///     question: String,
///     #[prompt(answer)]
///     answer: String,
/// }
///
/// let rows = Rows::<Sum>::jsonl_from("{\"question\": \"1+1?\", \"answer\": \"2\"}".as_bytes(), "sums.jsonl")?;
/// let eval = Eval::new(rows)
///     .metric(ExactMatch::new(), |row: &Sum, answer: &String| (answer.clone(), row.answer.clone()));
/// let report = pollster::block_on(eval.run(&Scripted::new(["2"])))?;
/// assert_eq!((report.done, report.metrics[0].mean()), (1, 1.0));
/// # Ok::<(), prompt_eval::Error>(())
/// ```
pub struct Eval<R: Prompt> {
    pub(crate) work: Work<R>,
    pub(crate) preparing: Preparing<R>,
}

/// Rows, how they are gone through, and how answers are measured.
pub(crate) struct Work<R: Prompt> {
    pub(crate) rows: Rows<R>,
    pub(crate) settings: Settings,
    pub(crate) scores: Vec<Score<R>>,
    pub(crate) turn_metrics: Vec<Box<dyn Metric>>,
}

/// How a run goes.
pub(crate) struct Settings {
    pub(crate) results: Option<PathBuf>,
    pub(crate) concurrency: usize,
    pub(crate) per_second: Option<f64>,
    pub(crate) limit: Option<u64>,
    pub(crate) skip_bad: bool,
    pub(crate) progress: bool,
    pub(crate) give_up: u64,
}

type Check<R> = dyn Fn(&R) -> Result<()> + Send + Sync;
type Measure<R, O> = dyn Fn(&R, &O) -> f64 + Send + Sync;

/// A score of an answer.
pub(crate) struct Score<R: Prompt> {
    pub(crate) name: String,
    pub(crate) check: Box<Check<R>>,
    pub(crate) measure: Box<Measure<R, R::Output>>,
}

impl<R: Prompt> Eval<R> {
    /// An evaluation of these rows: eight at a time, and nothing kept but the report.
    pub fn new(rows: impl Into<Rows<R>>) -> Eval<R> {
        Eval {
            work: Work {
                rows: rows.into(),
                settings: Settings {
                    results: None,
                    concurrency: 8,
                    per_second: None,
                    limit: None,
                    skip_bad: false,
                    progress: false,
                    give_up: 20,
                },
                scores: Vec::new(),
                turn_metrics: Vec::new(),
            },
            preparing: Preparing {
                examples: None,
                like: None,
                budget: None,
                turns: None,
                options: Options::default(),
            },
        }
    }

    /// Keeps every result in this file, one JSON object on each line. A run that was stopped goes on where it was: rows with
    /// a result are not asked again. Rows whose request failed stand in a file beside it, `….failed`, and are asked again.
    ///
    /// The file is locked, where the system can, so that no two runs write into it.
    pub fn results(mut self, path: impl Into<PathBuf>) -> Eval<R> {
        self.work.settings.results = Some(path.into());
        self
    }

    /// Sets how many rows are asked at the same time.
    pub fn concurrency(mut self, rows: usize) -> Eval<R> {
        self.work.settings.concurrency = rows.max(1);
        self
    }

    /// Sets how many rows are begun in a second at most.
    pub fn per_second(mut self, rows: f64) -> Eval<R> {
        self.work.settings.per_second = (rows > 0.0).then_some(rows);
        self
    }

    /// Asks the first rows only.
    pub fn limit(mut self, rows: u64) -> Eval<R> {
        self.work.settings.limit = Some(rows);
        self
    }

    /// Passes over rows that cannot be read or asked; the report counts them and lists the first, and a file beside the
    /// results, `….skipped`, lists all. Otherwise the first ends the run.
    pub fn skip_bad(mut self) -> Eval<R> {
        self.work.settings.skip_bad = true;
        self
    }

    /// Shows a bar with the rate and the time left, where there is a terminal.
    pub fn progress(mut self) -> Eval<R> {
        self.work.settings.progress = true;
        self
    }

    /// Sets how many requests may fail one after the other before the run ends; 20 otherwise.
    pub fn give_up_after(mut self, failures: u64) -> Eval<R> {
        self.work.settings.give_up = failures.max(1);
        self
    }

    /// Sets the options of every request.
    pub fn options(mut self, options: Options) -> Eval<R> {
        self.preparing.options = options;
        self
    }

    /// Shows examples: `set` puts those that are chosen into the row's field.
    pub fn shots(
        mut self,
        examples: Examples,
        set: impl Fn(&mut R, Shots) + Send + 'static,
    ) -> Eval<R> {
        self.preparing.examples = Some((examples, Box::new(set)));
        self
    }

    /// Sets the text of a row that examples are compared with.
    pub fn like(mut self, text: impl Fn(&R) -> String + Send + 'static) -> Eval<R> {
        self.preparing.like = Some(Box::new(text));
        self
    }

    /// Leaves examples out until a prompt fits.
    pub fn budget(mut self, budget: Budget) -> Eval<R> {
        self.preparing.budget = Some(budget);
        self
    }

    /// Asks a conversation turn by turn instead of one prompt.
    pub fn turns(
        mut self,
        conversation: impl Fn(&R) -> Result<Conversation> + Send + 'static,
    ) -> Eval<R> {
        self.preparing.turns = Some(Box::new(conversation));
        self
    }

    /// Measures each answer: `texts` gives what the model said and what is right.
    pub fn metric(
        mut self,
        metric: impl Metric + 'static,
        texts: impl Fn(&R, &R::Output) -> (String, String) + Send + Sync + 'static,
    ) -> Eval<R> {
        let name = metric.name().to_owned();
        self.work.scores.push(Score {
            name,
            check: Box::new(|_| Ok(())),
            measure: Box::new(move |row, answer| {
                let (answer, gold) = texts(row, answer);
                metric.score(&answer, &gold)
            }),
        });
        self
    }

    /// Measures an answer that is text against the right one, which is checked before the row is asked.
    ///
    /// ```
    /// use prompt_eval::{Eval, Rows, metric::Choice};
    /// use typed_prompt::Prompt;
    ///
    /// #[derive(Prompt)]
    /// #[prompt(user = "<question> A, B or C?", assistant = "<answer>")]
    /// struct Quiz { question: &'static str, #[prompt(answer)] answer: &'static str }
    ///
    /// let rows = vec![Quiz { question: "Which is first?", answer: "D" }];
    /// let eval = Eval::new(rows).gold(Choice::new(["A", "B", "C"]), |row| row.answer.to_owned());
    /// let llm = prompt_core::Scripted::new(["A"]);
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
        R: Prompt<Output = String>,
    {
        let name = metric.name().to_owned();
        let shared = std::sync::Arc::new((metric, gold));
        let checked = std::sync::Arc::clone(&shared);
        self.work.scores.push(Score {
            name,
            check: Box::new(move |row| {
                let gold = checked.1(row);
                let wrong = checked.0.check(&gold);
                wrong.map_err(|error| error.at_column(column(row, &gold).unwrap_or_default()))
            }),
            measure: Box::new(move |row, answer| shared.0.score(answer, &shared.1(row))),
        });
        self
    }

    /// Measures each answer by a function, between 0 and 1.
    pub fn score(
        mut self,
        name: impl Into<String>,
        measure: impl Fn(&R, &R::Output) -> f64 + Send + Sync + 'static,
    ) -> Eval<R> {
        self.work.scores.push(Score {
            name: name.into(),
            check: Box::new(|_| Ok(())),
            measure: Box::new(measure),
        });
        self
    }

    /// Measures each turn of a conversation against the row's own; the row's score is their mean.
    pub fn turn_metric(mut self, metric: impl Metric + 'static) -> Eval<R> {
        self.work.turn_metrics.push(Box::new(metric));
        self
    }

    /// The first prompts as they would be sent, without asking anyone.
    ///
    /// # Errors
    /// The first row that cannot be read or asked, unless these are passed over.
    ///
    /// ```
    /// use prompt_core::{Message, Messages};
    /// use prompt_eval::Eval;
    ///
    /// let shown = Eval::new(vec![Messages::from([Message::user("Hi")])]).dry_run(1)?;
    /// assert_eq!(shown, "row 1\n[user]\nHi\n");
    /// # Ok::<(), prompt_eval::Error>(())
    /// ```
    pub fn dry_run(mut self, count: usize) -> Result<String> {
        let mut shown = String::new();
        self.work.first(count, |row| {
            let asked = self.preparing.asked(row)?;
            let (messages, more) = asked.ask.first();
            show(&mut shown, row.number, more, &messages);
            Ok(())
        })?;
        Ok(shown)
    }

    /// Asks all rows, and measures the answers.
    ///
    /// The future may be dropped, and the program killed, at any moment: run it again with the same
    /// [`results`](Eval::results), and it goes on.
    ///
    /// # Errors
    /// A row that cannot be read or asked, unless these are passed over; results that cannot be written, or are of other
    /// prompts; a model that fails again and again. What was written is safe.
    pub async fn run(self, llm: &dyn prompt_core::Llm) -> Result<Report>
    where
        R: Send + 'static,
    {
        let mut preparing = self.preparing;
        let prepare = move |row: &mut Row<R>| preparing.asked(row);
        crate::run::run(self.work, Box::new(prepare), llm).await
    }
}

impl<R: Prompt> Work<R> {
    /// Goes through the first rows without asking anyone.
    pub(crate) fn first(
        &mut self,
        count: usize,
        mut see: impl FnMut(&mut Row<R>) -> Result<()>,
    ) -> Result<()> {
        let mut left = count;
        while left > 0 {
            let Some(row) = self.rows.next() else { break };
            let seen = row.and_then(|mut row| {
                let seen = self.checked(&row.value).and_then(|()| see(&mut row));
                seen.map_err(|error| self.rows.placed(error, row.number))
            });
            match seen {
                Ok(()) => left -= 1,
                Err(error) if self.settings.skip_bad && error.row().is_some() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    pub(crate) fn checked(&self, row: &R) -> Result<()> {
        self.scores.iter().try_for_each(|score| (score.check)(row))
    }
}

/// The answer's field that holds a text.
pub(crate) fn column<R: Prompt>(row: &R, text: &str) -> Option<&'static str> {
    let (whole, asked) = (row.with_answer(), row.messages());
    let slots = |messages: &Messages| {
        let texts = messages.iter().flat_map(Message::texts);
        let slots = texts.flat_map(|text| {
            let data = text.data().iter();
            data.filter_map(|data| Some((data.slot?, text.as_str()[data.range.clone()].to_owned())))
        });
        slots.collect::<Vec<_>>()
    };
    let asked = slots(&asked);
    let whole = slots(&whole).into_iter();
    let mut hidden = whole.filter(|(slot, _)| asked.iter().all(|(other, _)| other != slot));
    hidden.find(|(_, held)| held == text).map(|(slot, _)| slot)
}

fn show(out: &mut String, number: u64, more: &str, messages: &Messages) {
    use fmt::Write;

    let mut write = || -> fmt::Result {
        writeln!(out, "row {number}{more}")?;
        for message in messages {
            writeln!(out, "[{}]", message.role)?;
            for part in &message.parts {
                match part {
                    prompt_core::Part::Text(text) => writeln!(out, "{}", text.as_str())?,
                    prompt_core::Part::Media(media) => {
                        let url: String = media.to_url().chars().take(80).collect();
                        writeln!(out, "({} {url})", media.kind().name())?;
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    };
    write().unwrap_or_else(|_| unreachable!("a string takes everything"));
}

impl<R: Prompt> fmt::Debug for Eval<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scores: Vec<&str> = self.work.scores.iter().map(|score| &*score.name).collect();
        write!(f, "Eval({:?}, {scores:?})", self.work.rows)
    }
}

impl From<Error> for prompt_core::Error {
    fn from(error: Error) -> prompt_core::Error {
        prompt_core::Error::new(prompt_core::ErrorKind::Value, error.to_string())
    }
}
