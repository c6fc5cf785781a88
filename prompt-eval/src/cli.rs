//! Command-line arguments of an evaluation, for the user's own program.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use prompt_core::{Likelihood, Llm, Prompt};

use crate::{DataError, Eval, MultipleChoice, Report};

/// The command-line arguments of a run.
///
/// ```
/// use clap::Parser;
/// use typed_prompt::{MockLlm, Prompt, eval::{Eval, cli::Args}};
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
/// let output = pollster::block_on(cli.run.run(eval, &MockLlm::new([] as [&str; 0])))?;
/// assert_eq!(output.to_string(), "row 1\n[user]\nWhat is 1+1?\n");
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
#[derive(clap::Args, Clone, PartialEq, Debug, Default)]
pub struct Args {
    /// Show the first rows as they would be sent, without sending them.
    #[arg(long, value_name = "ROWS", num_args = 0..=1, require_equals = true, default_missing_value = "3")]
    pub dry_run: Option<usize>,
    /// Write every result into this file; a run that was stopped resumes.
    #[arg(long, value_name = "FILE")]
    pub results: Option<PathBuf>,
    /// Skip rows that cannot be parsed or rendered, and list them at the end.
    #[arg(long)]
    pub skip_bad: bool,
    /// Evaluate only the first rows.
    #[arg(long, value_name = "ROWS", value_parser = above_zero::<u64>)]
    pub limit: Option<u64>,
    /// Request this many answers for each row.
    #[arg(long, value_name = "ANSWERS", value_parser = above_zero::<u64>)]
    pub repeats: Option<u64>,
    /// Send this many rows concurrently.
    #[arg(long, value_name = "ROWS", value_parser = above_zero::<usize>)]
    pub concurrency: Option<usize>,
    /// End the run after this many consecutive failures.
    #[arg(long, value_name = "REQUESTS", value_parser = above_zero::<u64>)]
    pub give_up_after: Option<u64>,
    /// Do not show a progress bar.
    #[arg(long)]
    pub no_progress: bool,
}

/// The output of a run or of a dry run.
#[derive(Clone, Debug)]
pub enum RunOutput {
    /// The prompts that would have been sent.
    DryRun(String),
    /// The report of the run.
    Report(Box<Report>),
}

impl Args {
    /// Applies the arguments that are given to an evaluation.
    pub fn apply_to<R: Prompt>(&self, mut eval: Eval<R>) -> Eval<R> {
        if let Some(results) = &self.results {
            eval = eval.results(results);
        }
        // The builder methods replace values that a program could set without the parser, such as zero rows at a time.
        if let Some(concurrency) = self.concurrency {
            eval = eval.concurrency(concurrency);
        }
        if let Some(failures) = self.give_up_after {
            eval = eval.give_up_after(failures);
        }
        let settings = &mut eval.task.settings;
        settings.skip_bad |= self.skip_bad;
        settings.progress |= !self.no_progress;
        settings.limit = self.limit.or(settings.limit);
        settings.repeats = self.repeats.unwrap_or(settings.repeats);
        eval
    }

    /// Runs an evaluation with these arguments, or shows what it would send.
    ///
    /// # Errors
    /// Those of [`Eval::run`] and [`Eval::dry_run`].
    pub async fn run<R: Prompt + Send + 'static>(
        &self,
        eval: Eval<R>,
        llm: &dyn Llm,
    ) -> Result<RunOutput, DataError> {
        let eval = self.apply_to(eval);
        Ok(match self.dry_run {
            Some(rows) => RunOutput::DryRun(eval.dry_run(rows)?),
            None => RunOutput::Report(Box::new(eval.run(llm).await?)),
        })
    }

    /// Runs a multiple-choice evaluation, or shows what it would score. Apply the other arguments to the evaluation that it
    /// is made of: `args.apply_to(eval).multiple_choice(…)`.
    ///
    /// # Errors
    /// Those of [`MultipleChoice::run`] and [`MultipleChoice::dry_run`].
    pub async fn run_multiple_choice<R: Prompt + Send + 'static>(
        &self,
        eval: MultipleChoice<R>,
        llm: &dyn Likelihood,
    ) -> Result<RunOutput, DataError> {
        Ok(match self.dry_run {
            Some(rows) => RunOutput::DryRun(eval.dry_run(rows)?),
            None => RunOutput::Report(Box::new(eval.run(llm).await?)),
        })
    }
}

/// Parses a number above zero.
fn above_zero<N: FromStr + PartialOrd + Default>(text: &str) -> Result<N, &'static str> {
    let number = text.parse().ok();
    let number = number.filter(|number| *number > N::default());
    number.ok_or("it is not a number above zero")
}

impl fmt::Display for RunOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunOutput::DryRun(prompts) => f.write_str(prompts),
            RunOutput::Report(report) => report.fmt(f),
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
    fn invalid_numbers_are_rejected() {
        for wrong in [
            "--concurrency=0",
            "--limit=0",
            "--limit=-1",
            "--limit=NaN",
            "--give-up-after=0",
        ] {
            let error = Cli::try_parse_from(["run", wrong])
                .err()
                .expect("it is invalid");
            assert!(
                error.to_string().contains("it is not a number above zero"),
                "{error}"
            );
        }
        let run = Cli::try_parse_from(["run", "--dry-run", "--skip-bad", "--concurrency", "2"]);
        let run = run.expect("it is right").run;
        assert_eq!(
            (run.dry_run, run.skip_bad, run.concurrency),
            (Some(3), true, Some(2))
        );
    }
}
