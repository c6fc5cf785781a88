//! Multiple-choice evaluations.

use std::sync::Mutex;

use prompt_core::{BoxFuture, Error, ErrorKind, Likelihood};
use prompt_eval::metric::Choice;
use prompt_eval::{
    Choices, Completion, Eval, MultipleChoice, Normalization, RowResult, load_results,
};
use typed_prompt::Prompt;

use crate::path;

#[derive(Clone, Prompt)]
#[prompt(user = "<question> ", assistant = "<answer>")]
struct Quiz {
    question: String,
    #[prompt(answer)]
    answer: String,
}

impl Quiz {
    fn answered(&self, answer: &str) -> Quiz {
        Quiz {
            answer: answer.to_owned(),
            ..self.clone()
        }
    }
}

/// Every letter of an answer is a token; it is the likelier, the more often the context has it.
#[derive(Default)]
struct Letters(Mutex<Vec<(String, String)>>);

impl Likelihood for Letters {
    fn score_tokens<'a>(
        &'a self,
        context: &'a str,
        answer: &'a str,
    ) -> BoxFuture<'a, prompt_core::Result<Vec<f64>>> {
        Box::pin(async move {
            let mut asked = self.0.lock().expect("no test panics with it");
            asked.push((context.to_owned(), answer.to_owned()));
            let often = |letter| 1 + context.chars().filter(|char| *char == letter).count();
            let value = |letter| (often(letter) as f64 / (context.len() + 26) as f64).ln();
            Ok(answer.chars().map(value).collect())
        })
    }
}

fn rows() -> Vec<Quiz> {
    let row = |question: &str, answer: &str| Quiz {
        question: question.to_owned(),
        answer: answer.to_owned(),
    };
    vec![row("aaaa?", "a"), row("bbbb?", "bb"), row("aab?", "bb")]
}

fn ranking(rows: Vec<Quiz>) -> MultipleChoice<Quiz> {
    Eval::new(rows).multiple_choice(
        |row| {
            Choices::from_labels(["a", "bb"], |label| {
                Completion::from_prompt(&row.answered(label))
            })
        },
        |row| row.answer.clone(),
    )
}

fn results(path: &std::path::Path) -> Vec<RowResult> {
    load_results(path)
        .and_then(Iterator::collect)
        .expect("whole results")
}

#[test]
fn the_likeliest_choice_is_the_answer() {
    let (llm, path) = (Letters::default(), path("ranked.jsonl"));
    let report = pollster::block_on(ranking(rows()).run(&llm)).expect("it runs");
    assert_eq!(report.metrics.len(), 1);
    assert_eq!(report.metrics[0].name, "accuracy");
    assert!((report.metrics[0].mean() - 2.0 / 3.0).abs() < 1e-12);
    let asked = llm.0.lock().expect("no test panics with it");
    // The context is the same for all choices, and has no answer.
    assert_eq!(asked[0], ("aaaa? ".to_owned(), "a".to_owned()));
    assert_eq!(asked[1], ("aaaa? ".to_owned(), "bb".to_owned()));

    let kept = Eval::new(rows())
        .results(&path)
        .concurrency(1)
        .multiple_choice(
            |row| {
                Choices::from_labels(["a", "bb"], |label| {
                    Completion::from_prompt(&row.answered(label))
                })
            },
            |row| row.answer.clone(),
        );
    pollster::block_on(kept.run(&Letters::default())).expect("it runs");
    let results = results(&path);
    assert_eq!(results[1].answers, ["bb"]);
    let expected = [("a", 1.0 / 32.0_f64), ("bb", 5.0 / 32.0)];
    for ((label, value), (wanted, probability)) in results[1].likelihoods.iter().zip(expected) {
        assert_eq!(label, wanted);
        assert!((value - probability.ln()).abs() < 1e-12, "{label}: {value}");
    }
}

#[test]
fn normalization_decides() {
    let accuracy = |weighing, neutral: Option<&str>| {
        let ranking = ranking(rows()).normalization(weighing);
        let ranking = match neutral {
            Some(neutral) => ranking.normalizing_context(neutral),
            None => ranking,
        };
        let report = pollster::block_on(ranking.run(&Letters::default())).expect("it runs");
        (report.metrics[0].mean() * 3.0).round()
    };
    // A sum is against long answers, and a neutral text full of `a` against that one.
    assert_eq!(accuracy(Normalization::Mean, None), 2.0);
    assert_eq!(accuracy(Normalization::Sum, None), 1.0);
    assert_eq!(accuracy(Normalization::Characters, None), 2.0);
    assert_eq!(accuracy(Normalization::Bytes, None), 2.0);
    assert_eq!(accuracy(Normalization::Mean, Some("aaa")), 3.0);
}

#[test]
fn multiple_choice_runs_resume() {
    let path = path("ranked.jsonl");
    let ranking = |limit, weighing| {
        let eval = Eval::new(rows()).results(&path).limit(limit);
        let ranking = eval.multiple_choice(
            |row| {
                Choices::from_labels(["a", "bb"], |label| {
                    Completion::from_prompt(&row.answered(label))
                })
            },
            |row| row.answer.clone(),
        );
        ranking.normalization(weighing)
    };
    pollster::block_on(ranking(2, Normalization::Mean).run(&Letters::default())).expect("it runs");
    let llm = Letters::default();
    let report = pollster::block_on(ranking(3, Normalization::Mean).run(&llm)).expect("it runs");
    assert_eq!((report.done, report.resumed), (3, 2));
    assert_eq!(llm.0.lock().expect("no test panics with it").len(), 2);
    assert!((report.metrics[0].mean() - 2.0 / 3.0).abs() < 1e-12);
    // Results with another normalization do not belong to this run.
    let other = pollster::block_on(ranking(3, Normalization::Sum).run(&llm)).unwrap_err();
    assert_eq!(
        other.message(),
        "the result of row 1 belongs to another prompt"
    );
}

#[test]
fn invalid_choices_are_errors() {
    let error = |ranking: MultipleChoice<Quiz>, llm: &dyn Likelihood| {
        let error = pollster::block_on(ranking.run(llm)).unwrap_err();
        error.to_string()
    };
    let mut wrong = rows();
    wrong[1].answer = "ccc".to_owned();
    assert_eq!(
        error(ranking(wrong), &Letters::default()),
        "row 2, column `answer`: the right answer `ccc` is none of the choices `a`, `bb`"
    );
    let of = |labels: &'static [&'static str]| {
        Eval::new(rows()).multiple_choice(
            move |row| {
                Choices::from_labels(labels.iter().copied(), |label| {
                    Completion::from_prompt(&row.answered(label))
                })
            },
            |row| row.answer.clone(),
        )
    };
    let nobody = Letters::default();
    assert_eq!(error(of(&[]), &nobody), "row 1: there are no choices");
    assert_eq!(
        error(of(&["a", "a"]), &nobody),
        "row 1: the choice `a` occurs twice"
    );
    assert_eq!(
        error(of(&["a", ""]), &nobody),
        "row 1: the prompt of the choice `` has no answer that can be scored; its `assistant` text is empty"
    );

    let turns = Eval::new(rows()).turn_metric(Choice::new(["a", "bb"]));
    let turns = turns.multiple_choice(
        |_| Choices::from_labels(["a"], |_| unreachable!()),
        |row| row.answer.clone(),
    );
    assert_eq!(
        error(turns, &nobody),
        "a conversation cannot be evaluated by multiple choice; evaluate prompts, or the conversation with `Eval::run`"
    );

    /// It has no log-probabilities, or one too few.
    struct Broken(Option<Vec<f64>>);
    impl Likelihood for Broken {
        fn score_tokens<'a>(
            &'a self,
            _: &'a str,
            _: &'a str,
        ) -> BoxFuture<'a, prompt_core::Result<Vec<f64>>> {
            let values = self.0.clone();
            let none = || Error::new(ErrorKind::Model, "it tells none");
            Box::pin(async move { values.ok_or_else(none) })
        }
    }
    let failures = |llm: &Broken| {
        let report =
            pollster::block_on(ranking(rows()).run(llm)).expect("rows that fail are counted");
        assert_eq!((report.done, report.failed), (0, 3));
        report.failures[0].clone()
    };
    assert_eq!(failures(&Broken(None)), "row 1: it tells none");
    assert_eq!(
        failures(&Broken(Some(Vec::new()))),
        "row 1: the likelihood of `a` is NaN, which is not finite"
    );
}

#[test]
fn dry_runs_show_the_scored_texts() {
    assert_eq!(
        ranking(rows()).dry_run(1).expect("it can be shown"),
        "row 1\n[choice a, right]\naaaa? \n[scored]\na\n[choice bb]\naaaa? \n[scored]\nbb\n"
    );
}

#[test]
fn labels_may_have_other_metrics() {
    let eval = Eval::new(rows()).gold(Choice::new(["a", "bb"]), |row: &Quiz| row.answer.clone());
    let ranking = eval.multiple_choice(
        |row| {
            Choices::from_labels(["a", "bb"], |label| {
                Completion::from_prompt(&row.answered(label))
            })
        },
        |row| row.answer.clone(),
    );
    let report = pollster::block_on(ranking.run(&Letters::default())).expect("it runs");
    let names: Vec<&str> = report.metrics.iter().map(|tally| &*tally.name).collect();
    assert_eq!(names, ["accuracy", "choice"]);
    assert!((report.metrics[0].mean() - report.metrics[1].mean()).abs() < 1e-12);
}
