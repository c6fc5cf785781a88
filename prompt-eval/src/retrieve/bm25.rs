//! Okapi BM25, over words as the Penn Treebank tokenizes them.

use std::collections::HashMap;

use prompt_core::Texts;

use super::{Query, Retriever, check_count, top};
use crate::DataError;

/// The examples with the highest Okapi BM25 score for the text of the query, highest first. The text of a row is that of
/// `Eval::query_text`; a query without a text is an error.
///
/// Words are case-sensitive. A word that occurs in more than half of the examples has a fraction of the average weight, as
/// in the `rank_bm25` package.
///
/// ```
/// use typed_prompt::eval::retrieve::{Bm25, Query, Retriever};
///
/// let mut bm25 = Bm25::new(1, ["how tall is mount everest", "who wrote hamlet", "the capital of France"]);
/// assert_eq!(bm25.select_rows(&Query::row(0).text("who wrote macbeth"), 3)?, [1]);
/// # Ok::<(), typed_prompt::eval::DataError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Bm25 {
    wanted: usize,
    /// The examples that contain a word, with its frequency.
    postings: HashMap<String, Vec<(usize, f64)>>,
    weights: HashMap<String, f64>,
    /// The length normalization of each example.
    lengths: Vec<f64>,
}

// The defaults of `rank_bm25`, so that the selection is that of AISBench and OpenCompass.
const K1: f64 = 1.5;
const B: f64 = 0.75;
const EPSILON: f64 = 0.25;

impl Bm25 {
    /// `wanted` of the examples with these texts: one for each example of the pool, in the same order, and of the same kind as the text of a row.
    pub fn new(wanted: usize, examples: impl Texts) -> Bm25 {
        let mut postings: HashMap<String, Vec<(usize, f64)>> = HashMap::new();
        let mut order = Vec::new();
        let mut lengths = Vec::new();
        for (id, example) in examples.into_texts().enumerate() {
            let tokens = split_tokens(&example);
            lengths.push(tokens.len() as f64);
            for token in tokens {
                let found = postings.entry(token).or_insert_with_key(|token| {
                    order.push(token.clone());
                    Vec::new()
                });
                match found.last_mut() {
                    Some((last, count)) if *last == id => *count += 1.0,
                    _ => found.push((id, 1.0)),
                }
            }
        }
        let count = lengths.len() as f64;
        let mean = lengths.iter().sum::<f64>() / count;
        for length in &mut lengths {
            *length = K1 * (1.0 - B + B * *length / mean);
        }
        let weight = |token: &String| {
            let frequency = postings[token].len() as f64;
            (count - frequency + 0.5).ln() - (frequency + 0.5).ln()
        };
        // In the order of first use, so that the sum is the same in every run.
        let all: Vec<f64> = order.iter().map(weight).collect();
        let floor = EPSILON * all.iter().sum::<f64>() / all.len() as f64;
        let weights = all
            .iter()
            .map(|weight| if *weight < 0.0 { floor } else { *weight });
        Bm25 {
            wanted,
            weights: order.into_iter().zip(weights).collect(),
            postings,
            lengths,
        }
    }
}

impl Retriever for Bm25 {
    fn select_rows(&mut self, query: &Query<'_>, count: usize) -> Result<Vec<usize>, DataError> {
        if count != self.lengths.len() {
            let message = format!(
                "the pool has {count} examples, and `Bm25::new` was given the texts of {}",
                self.lengths.len()
            );
            let help = "give `Bm25::new` one text for each example of the pool, in the same order";
            return Err(DataError::new(message).with_help(help));
        }
        check_count(self.wanted, query, count)?;
        if query.text.trim().is_empty() {
            let message = "BM25 compares texts, and this row has none";
            let help = "set it with `Eval::query_text`, `.query_text(|row| row.question.clone())`, or `Query::text`";
            return Err(DataError::new(message).with_help(help));
        }
        let mut scores = vec![0.0; count];
        for token in split_tokens(query.text) {
            let Some(postings) = self.postings.get(&token) else {
                continue;
            };
            let weight = self.weights[&token];
            for (id, times) in postings {
                scores[*id] += weight * (times * (K1 + 1.0) / (times + self.lengths[*id]));
            }
        }
        Ok(top(&scores, self.wanted, query))
    }

    fn definition(&self) -> String {
        format!("{} by BM25", self.wanted)
    }
}

/// Splits a text into words and punctuation: `What's that?` is `What`, `'s`, `that` and `?`.
fn split_tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let words: Vec<&str> = text.split_whitespace().collect();
    for (index, word) in words.iter().enumerate() {
        // A full stop is separate only at the end of a sentence.
        let next = words.get(index + 1);
        let ends = next.is_none_or(|next| {
            next.starts_with(|c: char| c.is_uppercase() || !c.is_alphanumeric())
        });
        split_word(word, ends, &mut tokens);
    }
    tokens
}

/// The endings that the Penn Treebank's tokenizer separates.
const CLITICS: [&str; 7] = ["'s", "'m", "'d", "'ll", "'re", "'ve", "n't"];

fn split_word(word: &str, ends: bool, tokens: &mut Vec<String>) {
    let mut rest = word;
    let mut suffixes = Vec::new();
    while let Some(first) = rest.chars().next()
        && is_punctuation(first)
    {
        let (prefix, after) = rest.split_at(first.len_utf8());
        tokens.push(prefix.to_owned());
        rest = after;
    }
    while let Some(last) = rest.chars().next_back() {
        let is_stop = last == '.' && ends && !rest[..rest.len() - 1].contains('.');
        if !(is_punctuation(last) || is_stop || last == '\'') || rest.len() == last.len_utf8() {
            break;
        }
        let (before, suffix) = rest.split_at(rest.len() - last.len_utf8());
        suffixes.push(suffix.to_owned());
        rest = before;
    }
    split_inner(rest, tokens);
    tokens.extend(suffixes.into_iter().rev());
}

/// Splits a word without punctuation at its ends.
fn split_inner(word: &str, tokens: &mut Vec<String>) {
    let mut start = 0;
    for (at, char) in word.char_indices() {
        // `1,000` and `10:30` are one word.
        let number = char == ',' || char == ':';
        let of_number =
            number && word[at + char.len_utf8()..].starts_with(|next: char| next.is_ascii_digit());
        if is_punctuation(char) && !of_number {
            split_clitic(&word[start..at], tokens);
            tokens.push(char.to_string());
            start = at + char.len_utf8();
        }
    }
    split_clitic(&word[start..], tokens);
}

fn split_clitic(word: &str, tokens: &mut Vec<String>) {
    let lower = word.to_lowercase();
    let found = CLITICS.iter().find(|clitic| {
        lower.len() == word.len() && lower.len() > clitic.len() && lower.ends_with(**clitic)
    });
    if let Some(clitic) = found {
        let (word, clitic) = word.split_at(word.len() - clitic.len());
        tokens.extend([word.to_owned(), clitic.to_owned()]);
    } else if !word.is_empty() {
        tokens.push(word.to_owned());
    }
}

/// The full stop and the apostrophe are not in it: they also belong to abbreviations and to clitics.
fn is_punctuation(char: char) -> bool {
    "?!,;:\"()[]{}<>@#$%&".contains(char)
}

#[cfg(test)]
mod tests {
    use super::split_tokens;

    #[test]
    fn words_and_punctuation_are_split() {
        let check = |text: &str, expected: &str| {
            assert_eq!(split_tokens(text).join("|"), expected, "{text:?}");
        };
        check(
            "What's the capital of Spain?",
            "What|'s|the|capital|of|Spain|?",
        );
        check("Spain won in 2010.", "Spain|won|in|2010|.");
        check("One. Two.", "One|.|Two|.");
        check("Four, five, six.", "Four|,|five|,|six|.");
        check(
            "I don't; it's 1,000 (or so)",
            "I|do|n't|;|it|'s|1,000|(|or|so|)",
        );
        check("\"Who's there?\"", "\"|Who|'s|there|?|\"");
        check("珠穆朗玛峰 有 多高", "珠穆朗玛峰|有|多高");
        check("", "");
    }
}
