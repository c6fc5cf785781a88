//! The configuration of a case.

use serde_json::Value;

use super::retriever::Retriever;
use super::source::Source;

pub(super) struct Config<'a> {
    pub(super) case: &'a Value,
    pub(super) ice: Option<&'a Value>,
    pub(super) prompt: Option<&'a Value>,
    pub(super) train: Vec<&'a Value>,
    pub(super) tests: Vec<&'a Value>,
    /// The test row.
    pub(super) index: usize,
    pub(super) retriever: Retriever<'a>,
    /// The column with the answer.
    pub(super) answer: Option<&'a str>,
}

impl<'a> Config<'a> {
    pub(super) fn read(case: &'a Value) -> Config<'a> {
        let template = |key: &str| Some(&case["template"][key]).filter(|value| !value.is_null());
        let rows = |key: &str| {
            let rows = case["examples"][key].as_array();
            rows.map_or(Vec::new(), |rows| rows.iter().collect())
        };
        Config {
            case,
            ice: template("ice_template"),
            prompt: template("prompt_template"),
            train: rows("train"),
            tests: rows("test"),
            index: case["test_index"].as_u64().unwrap_or(0) as usize,
            retriever: Retriever::read(case),
            answer: case["reader_cfg"]["output_column"].as_str(),
        }
    }

    pub(super) fn source(&self) -> Result<Source, String> {
        let kind = |template: Option<&'a Value>| template.and_then(|it| it["type"].as_str());
        if kind(self.ice) == Some("MMPromptTemplate") {
            return self.mixed_example();
        }
        match (self.case["mode"].as_str(), kind(self.prompt)) {
            (_, Some("RawPromptTemplate")) => self.raw(),
            (_, Some("MMPromptTemplate")) => self.media(),
            (Some("multiturn" | "chat"), _) => self.rounds(),
            (Some("ppl"), _) => self.labels(),
            _ => self.plain(),
        }
    }

    /// The test row.
    pub(super) fn test(&self) -> &'a Value {
        self.tests.get(self.index).copied().unwrap_or(&Value::Null)
    }

    /// The `ice_token`, which marks the position of the examples, if it is declared.
    pub(super) fn token(&self) -> Option<&'a str> {
        let template = self.prompt.or(self.ice)?;
        template["ice_token"].as_str()
    }

    /// The template of the prompt: `prompt_template`, else `ice_template`.
    pub(super) fn main(&self) -> Option<&'a Value> {
        let template = self.prompt.or(self.ice)?;
        Some(&template["template"])
    }

    /// The `sep_token` between question and answer, if it is to be removed.
    pub(super) fn separator(&self) -> Option<&'a str> {
        let keeps = self.case["inferencer"]["remain_sep"] == true;
        let template = self.prompt.or(self.ice)?;
        template["sep_token"].as_str().filter(|_| !keeps)
    }

    /// The text that replaces the answer of the test row.
    pub(super) fn mask(&self) -> &'a str {
        let mask = &self.case["inferencer"]["gen_field_replace_token"];
        mask.as_str().unwrap_or_default()
    }

    /// Whether the prompt contains few-shot examples.
    pub(super) fn has_examples(&self) -> bool {
        self.token().is_some() || self.retriever.finds()
    }
}
