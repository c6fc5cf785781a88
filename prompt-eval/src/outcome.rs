use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// What came of a row, as a line of the file of results.
///
/// ```
/// use prompt_eval::Outcome;
///
/// let line = r#"{"row":7,"prompt":"00f1","answers":["4"],"scores":{"exact match":1.0}}"#;
/// let outcome: Outcome = serde_json::from_str(line)?;
/// assert_eq!((outcome.row, outcome.answers[0].as_str()), (7, "4"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The row, counted from 1.
    pub row: u64,
    /// A fingerprint of what was asked: a row that changed is found by it.
    pub prompt: String,
    /// What the model answered, once for each turn that was asked.
    pub answers: Vec<String>,
    /// Each metric with its score.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "pairs")]
    pub scores: Vec<(String, f64)>,
    /// Each choice with its likelihood, where choices were weighed.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "pairs")]
    pub likelihoods: Vec<(String, f64)>,
    /// Why the answer could not be read as the prompt's output: it counts as wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unread: Option<String>,
    /// How many examples were left out for the budget.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub dropped: u64,
    /// The tokens that were read and written, where the model says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<[u64; 2]>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// An object in its order.
mod pairs {
    use std::fmt;

    use serde::de::{MapAccess, Visitor};
    use serde::{Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(
        pairs: &[(String, f64)],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(pairs.iter().map(|(name, score)| (name, score)))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(String, f64)>, D::Error> {
        deserializer.deserialize_map(Pairs)
    }

    struct Pairs;

    impl<'de> Visitor<'de> for Pairs {
        type Value = Vec<(String, f64)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object of numbers")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut pairs = Vec::new();
            while let Some(pair) = map.next_entry()? {
                pairs.push(pair);
            }
            Ok(pairs)
        }
    }
}

/// Reads a file of results, one outcome after the other.
///
/// # Errors
/// A file that cannot be read, and lines that are no results.
///
/// ```no_run
/// for outcome in prompt_eval::outcomes("results.jsonl")? {
///     println!("{:?}", outcome?.answers);
/// }
/// # Ok::<(), prompt_eval::Error>(())
/// ```
pub fn outcomes(path: impl AsRef<Path>) -> Result<impl Iterator<Item = Result<Outcome>>> {
    let path = path.as_ref().to_owned();
    let file = File::open(&path).map_err(|error| Error::io(&path, "it cannot be opened", error))?;
    Ok(Lines::new(file, path))
}

/// The outcomes of a file, as far as its lines are whole.
pub(crate) struct Lines<F> {
    reader: BufReader<F>,
    path: PathBuf,
    /// The line that was read last.
    pub(crate) number: u64,
    /// How many bytes of whole lines were read.
    pub(crate) good: u64,
    over: bool,
}

impl<F: Read> Lines<F> {
    pub(crate) fn new(file: F, path: PathBuf) -> Lines<F> {
        Lines {
            reader: BufReader::with_capacity(1 << 16, file),
            path,
            number: 0,
            good: 0,
            over: false,
        }
    }
}

impl<F: Read> Iterator for Lines<F> {
    type Item = Result<Outcome>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let mut line = Vec::new();
        self.number += 1;
        let read = self.reader.read_until(b'\n', &mut line);
        let length = match read {
            Ok(0) => return None,
            Ok(length) => length as u64,
            Err(error) => {
                self.over = true;
                return Some(Err(Error::io(&self.path, "it cannot be read", error)));
            }
        };
        let outcome = match serde_json::from_slice(&line) {
            Ok(outcome) if line.ends_with(b"\n") => outcome,
            _ => {
                self.over = true;
                let error = Error::new(format!("line {} is no result", self.number));
                return Some(Err(error.in_file(&self.path)));
            }
        };
        self.good += length;
        Some(Ok(outcome))
    }
}
