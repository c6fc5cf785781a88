//! Evaluations of tables have the figures of prompt-eval's own runner.
#![cfg(feature = "eval")]

use std::sync::Arc;

use datafusion::error::Result;
use datafusion::functions::core::expr_ext::FieldAccessor;
use datafusion::prelude::*;
use prompt_datafusion::{Ask, AskExt, Store, eval, session};
use typed_prompt::eval::metric::{ExactMatch, F1, Metric, Numeric};
use typed_prompt::eval::{Choices, Completion, Eval, Normalization};
use typed_prompt::llm::{BoxFuture, Likelihood};
use typed_prompt::{Error, ErrorKind, MockLlm, Prompt, Reply};

#[derive(Clone, Prompt, serde::Deserialize)]
#[prompt(user = "<question>", output = Number)]
struct Sum {
    question: String,
    #[prompt(skip)]
    gold: String,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Number {
    number: String,
}

const COUNT: usize = 40;

fn sums() -> Vec<Sum> {
    let sum = |number: usize| Sum {
        question: format!("{number} + 1?"),
        gold: (number + 1).to_string(),
    };
    (0..COUNT).map(sum).collect()
}

fn table() -> String {
    let row = |sum: &Sum| format!("('{}', '{}')", sum.question, sum.gold);
    let rows: Vec<String> = sums().iter().map(row).collect();
    let rows = rows.join(", ");
    format!(
        "SELECT coalesce(q, '') AS question, coalesce(g, '') AS gold FROM (VALUES {rows}) AS t(q, g)"
    )
}

/// Answers that are right, nearly right, wrong, not of the type, and missing.
fn model() -> MockLlm {
    MockLlm::from_fn(|request| {
        let text = request.messages[0].text();
        let number: usize = text
            .split(' ')
            .next()
            .and_then(|number| number.parse().ok())
            .unwrap_or(0);
        match number % 5 {
            0 => Ok(Reply::new(format!(
                r#"{{"number": "{} apples"}}"#,
                number + 1
            ))),
            1 => Ok(Reply::new(format!(r#"{{"number": "{}"}}"#, number + 1))),
            2 => Ok(Reply::new(r#"{"number": "many apples"}"#)),
            3 => Ok(Reply::new("I do not know.")),
            _ => Err(Error::new(ErrorKind::Model, "the server is down")),
        }
    })
}

#[tokio::test]
async fn metrics_of_answers_are_those_of_the_runner() -> Result<()> {
    let text = |row: &Sum, output: &Number| (output.number.clone(), row.gold.clone());
    let runner = Eval::new(sums())
        .metric(ExactMatch::new(), text)
        .metric(F1, text)
        .metric(Numeric::new(), text);
    let report = runner.run(&model()).await.unwrap();
    assert_eq!(
        (report.done, report.failed, report.parse_errors),
        (32, 8, 8)
    );

    let ctx = session();
    let ask = Ask::new(Store::in_memory(), Arc::new(model()), "mock");
    let asked = ctx.sql(&table()).await?.ask::<Sum>(ask)?;
    let asked = asked.cache().await?;
    let metrics: [&dyn Metric; 3] = [&ExactMatch::new(), &F1, &Numeric::new()];
    for (metric, expected) in metrics.into_iter().zip(&report.metrics) {
        let answer = col("answer").field("value").field("number");
        let summary = eval::summary(asked.clone(), metric, "answer", answer, col("gold")).await?;
        assert_eq!(summary, *expected);
        assert_eq!(
            summary.confidence_interval(),
            expected.confidence_interval()
        );
    }
    assert!(report.metrics[0].mean() < report.metrics[1].mean());
    Ok(())
}

#[derive(Clone, Prompt, serde::Deserialize)]
#[prompt(user = "<question> Answer: ", assistant = "<answer>")]
struct Quiz {
    question: String,
    #[prompt(answer)]
    answer: String,
}

struct Letters;

impl Likelihood for Letters {
    fn score_tokens<'a>(
        &'a self,
        context: &'a str,
        answer: &'a str,
    ) -> BoxFuture<'a, typed_prompt::Result<Vec<f64>>> {
        let score = |letter: char| -1.0 / (1.0 + context.matches(letter).count() as f64);
        Box::pin(async move { Ok(answer.chars().map(score).collect()) })
    }
}

#[tokio::test]
async fn rankings_of_a_table_are_those_of_the_runner() -> Result<()> {
    let questions = [
        "Which is wet and cold?",
        "Which is warm?",
        "Which runs?",
        "Which walks?",
    ];
    let quiz = |(at, question): (usize, &&str)| Quiz {
        question: (*question).to_owned(),
        answer: ["ice", "water"][at % 2].to_owned(),
    };
    let rows: Vec<Quiz> = questions.iter().enumerate().map(quiz).collect();
    let values: Vec<String> = rows
        .iter()
        .map(|row| format!("('{}', '{}')", row.question, row.answer))
        .collect();
    let sql = format!(
        "SELECT coalesce(q, '') AS question, coalesce(a, '') AS answer FROM (VALUES {}) AS t(q, a)",
        values.join(", ")
    );
    let table = eval::collect_rows::<Quiz>(session().sql(&sql).await?).await?;
    for normalization in [
        Normalization::Mean,
        Normalization::Sum,
        Normalization::Bytes,
    ] {
        let mut figures = Vec::new();
        for rows in [rows.clone(), table.clone()] {
            let choices = |row: &Quiz| {
                let completion = |label: &str| {
                    Completion::from_prompt(&Quiz {
                        answer: label.into(),
                        ..row.clone()
                    })
                };
                Choices::from_labels(["water", "ice"], completion)
            };
            let eval = Eval::new(rows).multiple_choice(choices, |row| row.answer.clone());
            let report = eval
                .normalization(normalization)
                .run(&Letters)
                .await
                .unwrap();
            figures.push(report.metrics);
        }
        assert_eq!(figures[0], figures[1]);
    }
    Ok(())
}

#[tokio::test]
async fn rows_that_do_not_fit_are_errors() -> Result<()> {
    let ctx = session();
    let missing = eval::collect_rows::<Quiz>(ctx.sql("SELECT 'a' AS question").await?).await;
    let error = missing.map(drop).unwrap_err().to_string();
    assert!(
        error.contains("the field `answer` (`String`) has no column"),
        "{error}"
    );
    let sql = "SELECT coalesce(q, '') AS question, '1' AS gold FROM (VALUES ('a')) AS t(q)";
    let ask = Ask::new(Store::in_memory(), Arc::new(model()), "mock");
    let asked = ctx.sql(sql).await?.ask::<Sum>(ask)?;
    let null = cast(
        lit(datafusion::common::ScalarValue::Null),
        datafusion::arrow::datatypes::DataType::Utf8,
    );
    let error = eval::summary(asked, &F1, "answer", col("answer").field("text"), null).await;
    let error = error.map(drop).unwrap_err().to_string();
    assert!(
        error.contains("row 1: the correct answer is null"),
        "{error}"
    );
    Ok(())
}
