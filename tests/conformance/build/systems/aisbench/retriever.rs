//! Retrievers, and the rows that they return.

use serde_json::Value;

use super::columns::Columns;
use super::config::Config;
use super::source::{Source, value};
use crate::rust::{literal, slice};

pub(super) struct Retriever<'a> {
    given: &'a Value,
    kind: &'a str,
    case: &'a Value,
}

impl<'a> Retriever<'a> {
    pub(super) fn read(case: &'a Value) -> Retriever<'a> {
        let given = &case["retriever"];
        let kind = given["type"].as_str().unwrap_or_default();
        Retriever {
            given,
            kind: kind.split('(').next().unwrap_or_default(),
            case,
        }
    }

    /// Whether the retriever returns examples.
    pub(super) fn finds(&self) -> bool {
        match self.kind {
            "ZeroRetriever" | "" => false,
            "FixKRetriever" => self.given["fix_id_list"]
                .as_array()
                .is_some_and(|ids| !ids.is_empty()),
            _ => true,
        }
    }

    /// The text after the position of the examples if there are no examples.
    pub(super) fn lone_end(&self) -> Option<&'a str> {
        let end = self.given["ice_eos_token"].as_str();
        end.filter(|_| self.kind == "ZeroRetriever")
    }

    /// The separator of examples that are text.
    pub(super) fn layout(&self) -> String {
        let call = |key: &str, name: &str| match self.given[key].as_str() {
            Some(text) => format!(".{name}({})", literal(text)),
            None => String::new(),
        };
        format!(
            "{}{}",
            call("ice_separator", "with_separator"),
            call("ice_eos_token", "with_suffix")
        )
    }

    fn number(&self, key: &str, or: u64) -> u64 {
        self.given[key].as_u64().unwrap_or(or)
    }

    /// An expression for the retriever.
    fn rust(&self, texts: &[String]) -> Result<String, String> {
        let texts = slice(texts.iter().map(|text| literal(text)));
        let vectors = |of: &str| {
            let vectors = self.case["embeddings"][of]
                .as_array()
                .cloned()
                .unwrap_or_default();
            let vectors = vectors.iter().map(|vector| format!("vec!{vector}"));
            format!("vec![{}]", vectors.collect::<Vec<_>>().join(", "))
        };
        let input = format!(
            "RetrievalInput {{ examples: {}, queries: {} }}",
            vectors("train"),
            vectors("test")
        );
        let wanted = self.number("ice_num", 1);
        Ok(match self.kind {
            "ZeroRetriever" => "Zero".to_owned(),
            "FixKRetriever" => format!("FixK::new({})", self.given["fix_id_list"]),
            "RandomRetriever" => {
                format!(
                    "Random::new({wanted}).numpy_seed({})",
                    self.number("seed", 43)
                )
            }
            "SlidingWindowRetriever" => format!("Window::new({})", self.number("k", 1)),
            "BM25Retriever" => format!("Bm25::new({wanted}, {texts} as &[&str])"),
            "TopkRetriever" => format!("Nearest::new({wanted}, {input}).expect(\"vectors\")"),
            "VotekRetriever" => format!(
                "VoteK::new({wanted}, {}).neighbours({})",
                vectors("train"),
                self.number("votek_k", 3)
            ),
            // By default there is one candidate, so there is nothing to choose.
            "DPPRetriever" => format!(
                "Dpp::new({wanted}, {input}).and_then(|dpp| dpp.candidates({})).expect(\"vectors\")",
                self.number("candidate_num", 1).max(wanted)
            ),
            other => return Err(format!("there is no retriever `{other}`")),
        })
    }
}

impl<'a> Config<'a> {
    /// `train`, `all` and `ids`: the rows as values of `Example`, and the indices that the retriever returns.
    ///
    /// `made` returns the value of a row.
    pub(super) fn retrieved(&self, source: &mut Source, train: &[String]) -> Result<(), String> {
        let texts = |rows: &[&'a Value]| rows.iter().map(|row| self.input(row)).collect::<Vec<_>>();
        let retriever = self.retriever.rust(&texts(&self.train))?;
        if retriever.contains("[-") {
            source.refused("`usize: Neg` is not satisfied");
            source.refused("cannot apply unary operator `-` to type `usize`");
        }
        source.item(&format!("let train = vec![{}];", train.join(", ")));
        source.item(&format!("let mut retriever = {retriever};"));
        let queries = slice(texts(&self.tests).iter().map(|text| literal(text)));
        source.step(&format!(
            "let all = aisbench::retrieve(&mut retriever, {queries}, train.len())?;"
        ));
        source.step(&format!("let ids = &all[{}];", self.index));
        source.step(match self.case["show_retrieved"] == true {
            true => "results.set(\"retrieved\", &all);",
            false => "results.set(\"retrieved\", ids);",
        });
        Ok(())
    }

    /// The text by which rows are compared.
    fn input(&self, row: &Value) -> String {
        let columns = &self.case["reader_cfg"]["input_columns"];
        let names: Vec<&str> = match columns {
            Value::String(names) => names.split_whitespace().collect(),
            other => other
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect(),
        };
        let values = names.iter().filter_map(|name| row.get(name));
        let texts: Vec<String> = values.map(crate::python::text).collect();
        texts.join(" ")
    }

    /// The training rows as values of a struct. A row that lacks a column is a compile error.
    pub(super) fn train_values(
        &self,
        source: &mut Source,
        name: &str,
        columns: &Columns<'_>,
    ) -> Vec<String> {
        if self.train.iter().any(|row| !columns.are_in(row)) {
            source.refused(format!("in initializer of `{name}`"));
        }
        let rows = self.train.iter();
        rows.map(|row| value(name, &columns.fields_of(row)))
            .collect()
    }
}
