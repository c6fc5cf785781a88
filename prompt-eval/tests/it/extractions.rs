//! Extractions of other evaluation tools, compared with what their packages extract (`goldens/extractions.py`).

use prompt_eval::metric::lm_eval::{self, FlexibleExtract, StrictMatch};
use prompt_eval::metric::opencompass::{self, FirstOption, Gsm8k};
use prompt_eval::metric::{ExactMatch, F1, Metric};

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

#[test]
fn extractions_are_those_of_the_packages() {
    let choice = FirstOption::new(['A', 'B', 'C', 'D']);
    let cases = include_str!("../goldens/extractions.jsonl").lines();
    let mut count = 0;
    for line in cases {
        let case: Case = serde_json::from_str(line).expect("it is a case");
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
        count += 1;
    }
    assert_eq!(count, 2000);
}

#[test]
fn correct_answers_that_match_nothing_are_errors() {
    let choice = FirstOption::new(['A', 'B']);
    assert!(choice.check_gold("C").is_err() && choice.check_gold("B").is_ok());
    assert!(Gsm8k.check_gold("2.5").is_err() && Gsm8k.check_gold("#### 1,234").is_ok());
    assert_eq!(FirstOption::new([]).extract("A"), None);
}
