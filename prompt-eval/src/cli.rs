//! The options of a run as arguments of a program: a type of rows is a program's own, so the program is the user's too.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use prompt_core::{Likelihood, Llm, Prompt};

use crate::{Eval, Ranking, Report, Result};

/// How a run goes, as its user says on the command line.
///
/// ```
/// use clap::Parser;
/// use prompt_core::Scripted;
/// use prompt_eval::Eval;
/// use prompt_eval::cli::Args;
/// use typed_prompt::Prompt;
///
/// #[derive(Prompt)]
/// #[prompt(user = "What is <question>")]
/// struct Ask { question: &'static str }
///
/// #[derive(Parser)]
/// struct Cli {
///     #[command(flatten)]
///     run: Args,
/// }
///
/// let cli = Cli::parse_from(["ask", "--dry-run=1", "--concurrency", "4"]);
/// let eval = Eval::new(vec![Ask { question: "1+1?" }, Ask { question: "2+2?" }]);
/// let ran = pollster::block_on(cli.run.run(eval, &Scripted::new([] as [&str; 0])))?;
/// assert_eq!(ran.to_string(), "row 1\n[user]\nWhat is 1+1?\n");
/// # Ok::<(), prompt_eval::Error>(())
/// ```
#[derive(clap::Args, Clone, PartialEq, Debug, Default)]
pub struct Args {
    /// Show the first rows as they would be sent, and ask nobody.
    #[arg(long, value_name = "ROWS", num_args = 0..=1, require_equals = true, default_missing_value = "3")]
    pub dry_run: Option<usize>,
    /// Keep every result in this file; a run that was stopped goes on where it was.
    #[arg(long, value_name = "FILE")]
    pub results: Option<PathBuf>,
    /// Pass over rows that cannot be read or asked, and list them at the end.
    #[arg(long)]
    pub skip_bad: bool,
    /// Ask the first rows only.
    #[arg(long, value_name = "ROWS", value_parser = above_zero::<u64>)]
    pub limit: Option<u64>,
    /// Ask so many rows at the same time.
    #[arg(long, value_name = "ROWS", value_parser = above_zero::<usize>)]
    pub concurrency: Option<usize>,
    /// Begin at most so many rows in a second.
    #[arg(long, value_name = "ROWS", value_parser = above_zero::<f64>)]
    pub per_second: Option<f64>,
    /// End the run when so many requests have failed one after the other.
    #[arg(long, value_name = "REQUESTS", value_parser = above_zero::<u64>)]
    pub give_up_after: Option<u64>,
    /// Show no bar.
    #[arg(long)]
    pub no_progress: bool,
}

/// What came of a run that may have been a dry one; printed, it is for people.
#[derive(Clone, Debug)]
pub enum Ran {
    /// What would have been sent.
    Shown(String),
    /// What came of it.
    Done(Box<Report>),
}

impl Args {
    /// The evaluation with these options; what is not given stays as it is.
    pub fn apply<R: Prompt>(&self, mut eval: Eval<R>) -> Eval<R> {
        if let Some(results) = &self.results {
            eval = eval.results(results);
        }
        if self.skip_bad {
            eval = eval.skip_bad();
        }
        if let Some(limit) = self.limit {
            eval = eval.limit(limit);
        }
        if let Some(concurrency) = self.concurrency {
            eval = eval.concurrency(concurrency);
        }
        if let Some(per_second) = self.per_second {
            eval = eval.per_second(per_second);
        }
        if let Some(failures) = self.give_up_after {
            eval = eval.give_up_after(failures);
        }
        match self.no_progress {
            true => eval,
            false => eval.progress(),
        }
    }

    /// Runs an evaluation with these options, or shows what it would send.
    ///
    /// # Errors
    /// Those of [`Eval::run`] and [`Eval::dry_run`].
    pub async fn run<R: Prompt + Send + 'static>(
        &self,
        eval: Eval<R>,
        llm: &dyn Llm,
    ) -> Result<Ran> {
        let eval = self.apply(eval);
        Ok(match self.dry_run {
            Some(rows) => Ran::Shown(eval.dry_run(rows)?),
            None => Ran::Done(Box::new(eval.run(llm).await?)),
        })
    }

    /// Runs a ranking, or shows what it would score; its other options are those of the evaluation that it was made of:
    /// `args.apply(eval).ranked(…)`.
    ///
    /// # Errors
    /// Those of [`Ranking::run`] and [`Ranking::dry_run`].
    pub async fn rank<R: Prompt + Send + 'static>(
        &self,
        ranking: Ranking<R>,
        llm: &dyn Likelihood,
    ) -> Result<Ran> {
        Ok(match self.dry_run {
            Some(rows) => Ran::Shown(ranking.dry_run(rows)?),
            None => Ran::Done(Box::new(ranking.run(llm).await?)),
        })
    }
}

/// A number that means something for a run.
fn above_zero<N: FromStr + PartialOrd + Default>(text: &str) -> Result<N, &'static str> {
    let number = text.parse().ok();
    let number = number.filter(|number| *number > N::default());
    number.ok_or("it is no number above zero")
}

impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ran::Shown(shown) => f.write_str(shown),
            Ran::Done(report) => report.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        run: Args,
    }

    #[test]
    fn what_means_nothing_is_refused() {
        for wrong in [
            "--concurrency=0",
            "--limit=0",
            "--per-second=0",
            "--per-second=-1",
            "--per-second=NaN",
            "--give-up-after=0",
        ] {
            let error = Cli::try_parse_from(["run", wrong])
                .err()
                .expect("it means nothing");
            assert!(
                error.to_string().contains("it is no number above zero"),
                "{error}"
            );
        }
        let run = Cli::try_parse_from(["run", "--dry-run", "--skip-bad", "--per-second", "2.5"]);
        let run = run.expect("it is right").run;
        assert_eq!(
            (run.dry_run, run.skip_bad, run.per_second),
            (Some(3), true, Some(2.5))
        );
    }
}
