//! Extractions of other evaluation tools, compared with what their packages extract. `goldens/run` writes the files again, and compares more
//! answers: the variables `ANSWERS` and `CHOICES` are other files.

use prompt_core::{BoxFuture, Likelihood, MockLlm};
use prompt_eval::metric::lm_eval::{self, FlexibleExtract, StrictMatch};
use prompt_eval::metric::opencompass::{self, FirstOption, Gsm8k};
use prompt_eval::metric::{ExactMatch, F1, Metric};
use prompt_eval::{Choices, Completion, Eval, Normalization, Report, RowResult, load_results};
use typed_prompt::Prompt;

use crate::{Sum, path};

/// The answer, the correct answer, and what is extracted and scored, in the order of the file.
type Case = (
    String,
    String,
    String,
    u8,
    String,
    u8,
    String,
    u8,
    String,
    String,
);

/// The lines of a file, or of another one that a variable names.
fn cases<C: serde::de::DeserializeOwned>(variable: &str, text: &str) -> Vec<C> {
    let other = std::env::var_os(variable);
    let other = other.map(|file| std::fs::read_to_string(file).expect("a file of cases"));
    let text = other.as_deref().unwrap_or(text);
    let cases: Vec<C> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a case"))
        .collect();
    assert!(cases.len() >= 2000);
    cases
}

fn answers() -> Vec<Case> {
    cases("ANSWERS", include_str!("../goldens/extractions.jsonl"))
}

#[test]
fn extractions_are_those_of_the_packages() {
    let choice = FirstOption::new(['A', 'B', 'C', 'D']);
    for case in answers() {
        let (
            answer,
            gold,
            strict,
            is_strict,
            flexible,
            is_flexible,
            gsm8k,
            is_gsm8k,
            option,
            squad,
        ) = case;
        let answer = &*answer;
        assert_eq!(lm_eval::strict_match(answer), strict, "{answer:?}");
        assert_eq!(lm_eval::flexible_extract(answer), flexible, "{answer:?}");
        assert_eq!(opencompass::gsm8k_postprocess(answer), gsm8k, "{answer:?}");
        let found = choice.extract(answer).map(String::from);
        assert_eq!(found.unwrap_or_default(), option, "{answer:?}");
        for whole in [gold.clone(), format!("1 + 1 = <<1+1=2>>2\n#### {gold}")] {
            let scores = [
                (StrictMatch.score(answer, &whole), is_strict),
                (FlexibleExtract.score(answer, &whole), is_flexible),
                (Gsm8k.score(answer, &whole), is_gsm8k),
            ];
            for (score, expected) in scores {
                assert_eq!(score, f64::from(expected), "{answer:?} {whole:?}");
            }
        }
        assert_eq!(ExactMatch::squad().score(answer, &squad), 1.0, "{answer:?}");
        assert_eq!(F1.score(answer, &squad), 1.0, "{answer:?}");
    }
}

/// The scores of each row in the results of a run, in the order of the rows.
fn scores(path: &std::path::Path) -> Vec<Vec<f64>> {
    let mut rows: Vec<RowResult> = load_results(path)
        .and_then(Iterator::collect)
        .expect("results");
    rows.sort_by_key(|row| row.row);
    assert!(rows.iter().all(|row| row.unscored.is_empty()));
    let scores = rows.into_iter().map(|row| row.scores);
    scores
        .map(|scores| scores.into_iter().map(|(_, score)| score).collect())
        .collect()
}

/// Compares the figures of a run with those of a package: the sums of what its rows have.
fn compare_figures(report: &Report, path: &std::path::Path, expected: &[Vec<u8>]) {
    let rows: Vec<Vec<f64>> = expected
        .iter()
        .map(|row| row.iter().map(|score| f64::from(*score)).collect())
        .collect();
    assert_eq!(scores(path), rows);
    for (index, metric) in report.metrics.iter().enumerate() {
        let sum: f64 = rows.iter().map(|row| row[index]).sum();
        let count = rows.len() as u64;
        assert_eq!(
            (metric.mean(), metric.count, metric.unscored),
            (sum / count as f64, count, 0),
            "{}",
            metric.name
        );
    }
}

#[test]
fn figures_of_recorded_answers_are_those_of_the_packages() {
    let cases = answers();
    let label = |row: usize| ["A", "B", "C", "D"][row % 4];
    let rows: Vec<Sum> = cases
        .iter()
        .enumerate()
        .map(|(row, case)| Sum::new(label(row), &case.1))
        .collect();
    let expected: Vec<Vec<u8>> = cases
        .iter()
        .enumerate()
        .map(|(row, case)| vec![case.3, case.5, case.7, u8::from(case.8 == label(row))])
        .collect();
    let llm = MockLlm::new(cases.iter().map(|case| case.0.clone()));
    let path = path("results.jsonl");
    let eval = Eval::new(rows)
        .gold(StrictMatch, |row| row.answer.clone())
        .gold(FlexibleExtract, |row| row.answer.clone())
        .gold(Gsm8k, |row| row.answer.clone())
        .gold(FirstOption::new(['A', 'B', 'C', 'D']), |row| {
            row.question.clone()
        })
        .concurrency(1)
        .results(&path);
    let report = pollster::block_on(eval.run(&llm)).expect("it runs");
    compare_figures(&report, &path, &expected);
    // The report names what the figures can be compared with.
    let shown = report.to_string();
    for name in [
        "strict-match (gsm8k of lm-evaluation-harness 0.4.13)",
        "flexible-extract (gsm8k of lm-evaluation-harness 0.4.13)",
        "gsm8k (gsm8k_postprocess of OpenCompass 0.5.4)",
        "choice ABCD (first_option_postprocess of OpenCompass 0.5.4)",
    ] {
        assert!(shown.contains(name), "{name} in {shown}");
    }
}

/// Recorded log-likelihoods: the answer of a choice begins with its own.
struct Recorded;

impl Likelihood for Recorded {
    fn score_tokens<'a>(
        &'a self,
        context: &'a str,
        _: &'a str,
    ) -> BoxFuture<'a, prompt_core::Result<Vec<f64>>> {
        Box::pin(async move { Ok(vec![context.trim().parse().expect("a number")]) })
    }
}

#[derive(Clone, Prompt)]
#[prompt(user = "<score> ", assistant = "<choice>")]
struct Scored {
    score: f64,
    #[prompt(answer)]
    choice: String,
    #[prompt(skip)]
    choices: Vec<(String, f64)>,
}

#[test]
fn accuracies_of_recorded_likelihoods_are_those_of_the_package() {
    type Case = (Vec<String>, Vec<f64>, usize, u8, u8, u8);
    let cases: Vec<Case> = cases("CHOICES", include_str!("../goldens/choices.jsonl"));
    let rows = || {
        let rows = cases.iter().map(|(choices, scores, gold, ..)| Scored {
            score: 0.0,
            choice: choices[*gold].clone(),
            choices: choices
                .iter()
                .cloned()
                .zip(scores.iter().copied())
                .collect(),
        });
        rows.collect::<Vec<_>>()
    };
    let figure = |expected: fn(&Case) -> u8| -> Vec<Vec<u8>> {
        cases.iter().map(|case| vec![expected(case)]).collect()
    };
    for (normalization, expected) in [
        (Normalization::Sum, figure(|case| case.3)),
        (Normalization::Characters, figure(|case| case.4)),
        (Normalization::Bytes, figure(|case| case.5)),
    ] {
        let path = path("results.jsonl");
        let eval = Eval::new(rows()).results(&path).multiple_choice(
            |row: &Scored| {
                let labels = row.choices.iter().map(|(choice, _)| choice.clone());
                Choices::from_labels(labels, |label| {
                    let found = row.choices.iter().find(|(choice, _)| choice == label);
                    Completion::from_prompt(&Scored {
                        score: found.expect("a choice").1,
                        choice: label.to_owned(),
                        choices: Vec::new(),
                    })
                })
            },
            |row| row.choice.clone(),
        );
        let report = pollster::block_on(eval.normalization(normalization).run(&Recorded));
        compare_figures(&report.expect("it runs"), &path, &expected);
    }
}

#[test]
fn correct_answers_that_match_nothing_are_errors() {
    let choice = FirstOption::new(['A', 'B']);
    assert!(choice.check_gold("C").is_err() && choice.check_gold("B").is_ok());
    assert!(Gsm8k.check_gold("2.5").is_err() && Gsm8k.check_gold("#### 1,234").is_ok());
    assert_eq!(FirstOption::new([]).extract("A"), None);
}
