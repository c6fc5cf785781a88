//! The head of a results file: what the figures of a run were made with.

use std::fmt;

use prompt_core::openai::RequestOptions;
use prompt_core::{ModelInfo, Options, PromptInfo};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::DataError;

/// What a run was made with, as a line of its results file. A line is added when a run with the same model continues with another
/// dataset, other metrics or another version.
///
/// ```
/// use typed_prompt::eval::RunHead;
///
/// let line = r#"{"typed_prompt":"0.1.0","prompt":"Sum","fingerprint":"00f1","model":"openai::gpt-4o","metrics":["exact match"]}"#;
/// let head: RunHead = serde_json::from_str(line)?;
/// assert_eq!(head.to_string(), "prompt Sum (00f1)\nmodel openai::gpt-4o\nmetrics exact match\ntyped-prompt 0.1.0\n");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RunHead {
    // The first field: it distinguishes the line of a head from that of a row.
    /// The version of this library.
    pub typed_prompt: String,
    /// The name of the prompt.
    pub prompt: String,
    /// The fingerprint of the prompt's template.
    pub fingerprint: String,
    /// The name of the template by which the rows were rendered instead of their own: [`Eval::template`](crate::Eval::template).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
    /// The model that was asked. `None` if it does not tell its name. The model that answered is in each row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The format in which the model received the prompts, with its version. `None` if its server formats them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The options of the requests, such as the seed, by their names in OpenAI's API.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub options: Map<String, Value>,
    /// The file of the dataset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dataset: Option<String>,
    /// The FNV-1a hash of the file of the dataset, of 64 bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dataset_hash: Option<String>,
    /// How few-shot examples were selected, with the seed of the selection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub examples: Option<String>,
    /// The metrics, with what their scores depend on.
    pub metrics: Vec<String>,
}

impl RunHead {
    pub(crate) fn new(prompt: &PromptInfo, model: Option<ModelInfo>, options: &Options) -> RunHead {
        let info = model.unwrap_or_default();
        let options = options.clone().or(&info.options);
        let sent = RequestOptions {
            options: &options,
            max_tokens: "max_tokens",
            seed: Some("seed"),
            is_chat: true,
        };
        // Options without a form in JSON are refused by the model.
        let sent = serde_json::to_value(sent).unwrap_or_default();
        let mut sent = sent.as_object().cloned().unwrap_or_default();
        sent.extend(options.fields);
        RunHead {
            typed_prompt: env!("CARGO_PKG_VERSION").to_owned(),
            prompt: prompt.name.to_owned(),
            fingerprint: prompt.fingerprint.to_string(),
            model: (!info.name.is_empty()).then_some(info.name),
            format: info.format,
            options: sent,
            ..RunHead::default()
        }
    }

    /// Fails if the answers of an earlier run may differ from those of this one.
    pub(crate) fn check_answers_of(
        &self,
        earlier: Option<&RunHead>,
        answers: u64,
    ) -> Result<(), DataError> {
        let Some(earlier) = earlier else {
            return match answers {
                0 => Ok(()),
                _ => Err(DataError::new(
                    "the results have no head, so that the model of their answers is unknown",
                )
                .with_help("use another results file")),
            };
        };
        let name = |name: &Option<String>, none: &str| {
            let named = name.as_ref().map(|name| format!("`{name}`"));
            named.unwrap_or_else(|| none.to_owned())
        };
        let different = |what: &str, theirs: String, own: String| {
            let message =
                format!("the results have the answers of {what} {theirs}, and this run has {own}");
            let help = format!("use another results file for each {what}");
            DataError::new(message).with_help(help)
        };
        if self.model != earlier.model {
            let none = "one without a name";
            return Err(different(
                "model",
                name(&earlier.model, none),
                name(&self.model, none),
            ));
        }
        if self.template != earlier.template {
            let none = "that of the rows";
            return Err(different(
                "template",
                name(&earlier.template, none),
                name(&self.template, none),
            ));
        }
        if self.format != earlier.format {
            let none = "that of the server";
            return Err(different(
                "format",
                name(&earlier.format, none),
                name(&self.format, none),
            ));
        }
        let names = self.options.keys().chain(earlier.options.keys());
        for option in names {
            let (own, theirs) = (self.options.get(option), earlier.options.get(option));
            if own != theirs {
                let show = |value: Option<&Value>| {
                    value.map_or_else(|| "unset".to_owned(), Value::to_string)
                };
                return Err(different(
                    &format!("option `{option}`"),
                    show(theirs),
                    show(own),
                ));
            }
        }
        Ok(())
    }
}

impl fmt::Display for RunHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "prompt {} ({})", self.prompt, self.fingerprint)?;
        if let Some(template) = &self.template {
            writeln!(f, "template {template}")?;
        }
        if let Some(model) = &self.model {
            writeln!(f, "model {model}")?;
        }
        if let Some(format) = &self.format {
            writeln!(f, "format {format}")?;
        }
        if !self.options.is_empty() {
            let options = self.options.iter();
            let options: Vec<String> = options
                .map(|(name, value)| format!("{name} {value}"))
                .collect();
            writeln!(f, "options {}", options.join(", "))?;
        }
        if let Some(dataset) = &self.dataset {
            write!(f, "dataset {dataset}")?;
            match &self.dataset_hash {
                Some(hash) => writeln!(f, " ({hash})")?,
                None => writeln!(f)?,
            }
        }
        if let Some(examples) = &self.examples {
            writeln!(f, "examples {examples}")?;
        }
        if !self.metrics.is_empty() {
            writeln!(f, "metrics {}", self.metrics.join(", "))?;
        }
        writeln!(f, "typed-prompt {}", self.typed_prompt)
    }
}
