//! Public schemas with valid and invalid values: valid values are unchanged, and invalid ones are refused or repaired to valid ones.
//!
//! The data is MaskBench, the folder `maskbench/data` of `guidance-ai/jsonschemabench` on GitHub. It has no licence, so it is not in
//! this repository:
//! `MASKBENCH=…/maskbench/data cargo test --release -p prompt-output --test public_schemas -- --ignored --nocapture`

use prompt_output::Schema;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct PublicSchema {
    schema: Value,
    tests: Vec<Instance>,
}

#[derive(Deserialize)]
struct Instance {
    data: Value,
    valid: bool,
}

/// The numbers of values.
#[derive(Debug, Default)]
struct Figures {
    schemas: usize,
    schemas_refused: usize,
    valid: usize,
    valid_in_refused_schema: usize,
    invalid: usize,
    invalid_in_refused_schema: usize,
    invalid_repaired: usize,
}

#[test]
#[ignore = "needs the data"]
fn valid_values_are_unchanged_and_invalid_ones_are_never_returned() {
    let folder = std::env::var("MASKBENCH").expect("MASKBENCH is the folder of the data");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let mut figures = Figures::default();
    let mut wrong = Vec::new();
    for file in files {
        // Some files are not JSON of 64 bits.
        let Ok(public) = serde_json::from_slice::<PublicSchema>(&std::fs::read(&file).unwrap())
        else {
            continue;
        };
        let count = |valid| {
            public
                .tests
                .iter()
                .filter(|test| test.valid == valid)
                .count()
        };
        figures.schemas += 1;
        figures.valid += count(true);
        figures.invalid += count(false);
        let schema = match Schema::new(&public.schema) {
            Ok(schema) => schema,
            Err(error) => {
                figures.schemas_refused += 1;
                figures.valid_in_refused_schema += count(true);
                figures.invalid_in_refused_schema += count(false);
                if !error.to_string().contains('`') {
                    wrong.push(format!("{}: {error}", file.display()));
                }
                continue;
            }
        };
        for test in public.tests {
            let text = test.data.to_string();
            let value =
                |parsed: Result<prompt_output::Parsed, _>| parsed.ok().map(|parsed| parsed.value);
            let (tolerant, strict) = (
                value(schema.parse(&text)),
                value(schema.parse_strict(&text)),
            );
            let is_right = match test.valid {
                true => {
                    tolerant.as_ref() == Some(&test.data) && strict.as_ref() == Some(&test.data)
                }
                false => strict.is_none() && tolerant.as_ref() != Some(&test.data),
            };
            if !is_right {
                wrong.push(format!(
                    "{}: {text} is {tolerant:?}, strictly {strict:?}",
                    file.display()
                ));
            }
            figures.invalid_repaired += usize::from(!test.valid && tolerant.is_some());
        }
    }
    println!("{figures:#?}");
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}
