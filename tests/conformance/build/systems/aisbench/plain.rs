//! Templates for generation: one text or one dialogue.

use serde_json::Value;

use super::columns::Columns;
use super::config::Config;
use super::source::{Source, value};
use crate::rust::literal;

impl<'a> Config<'a> {
    pub(super) fn plain(&self) -> Result<Source, String> {
        let mut source = Source::default();
        let texts = self.examples(&mut source)?;
        match self.main() {
            None => {
                let fields = Columns::of(self.test()).fields(None);
                source.prompt("Case", &[], &fields);
                source.refused("this prompt has no text");
            }
            Some(Value::String(text)) => self.string(text, &mut source)?,
            Some(Value::Object(keys)) if is_labels(keys) => {
                return Err(
                    "templates per label are for scoring, and this case generates text".to_owned(),
                );
            }
            Some(template @ Value::Object(_)) => {
                let pieces = self.pieces(template, &mut source, texts)?;
                self.dialogue(&pieces, self.answer, &mut source)?;
                let model = self.model();
                source.step(&format!("results.dialogue(&{model}, &dialogue, false)?;"));
            }
            Some(other) => {
                source.prompt("Case", &[format!("user = {other}")], &[]);
                source.refused("`user` takes a quoted string");
            }
        }
        Ok(source)
    }

    /// A prompt that is one text, which ends before the answer.
    fn string(&self, text: &'a str, source: &mut Source) -> Result<(), String> {
        if text.is_empty() {
            source.step("let text = String::new();");
        } else {
            let text = match (self.retriever.lone_end(), self.token()) {
                // Without examples, the text after them is template text.
                (Some(end), Some(token)) => text.replacen(token, &format!("{token}{end}"), 1),
                _ => text.to_owned(),
            };
            let mut columns = Columns::of(self.test());
            let mut reader = self.reader(&mut columns);
            let texts = reader.question(&text, self.answer)?;
            let placed = reader.placed;
            let fields = self.fields(&columns, self.answer, placed, source);
            source.judge(&columns);
            source.prompt("Case", &texts, &fields);
            let mut given = fields;
            if let Some(limit) = self.case["inferencer"]["max_seq_len"].as_u64() {
                source.step(&format!("let budget = PromptBudget::max_words({limit});"));
                let fitted = value("Case", &given);
                source.step(&format!(
                    "let examples = eval(budget.fit_examples(examples, |examples| {fitted}.messages_with_mask(\"\")))?.examples;"
                ));
            }
            given.retain(|field| field.value.is_some());
            source.step(&format!("let prompt = {};", value("Case", &given)));
            source.step(&format!(
                "let text = said(&prompt, {})?.as_str().to_owned();",
                literal(self.mask())
            ));
        }
        source.step(&format!("results.text(&{}, &text);", self.model()));
        Ok(())
    }

    /// The model with its meta template.
    pub(super) fn model(&self) -> String {
        let meta = literal(&self.case["meta_template"].to_string());
        let is_chat = self.case["parser"] == "API";
        format!("Model::read({meta}, {is_chat})?")
    }

    /// `examples`: the examples that the retriever returns, and whether they are text.
    pub(super) fn examples(&self, source: &mut Source) -> Result<bool, String> {
        let Some(ice) = self.ice.map(|ice| &ice["template"]) else {
            if self.retriever.finds() && !self.train.is_empty() {
                let columns = Columns::of(self.train[0]);
                source.prompt("Example", &[], &columns.fields(None));
                source.refused("this prompt has no text");
            }
            source.step("let examples = Examples::new();");
            return Ok(true);
        };
        let is_text = ice.is_string();
        if !self.retriever.finds() {
            source.step("let examples = Examples::new();");
            return Ok(is_text);
        }
        let row = self.train.first().copied().unwrap_or(&Value::Null);
        let mut columns = Columns::of(row);
        let texts = self.example_texts(ice, &mut columns, source)?;
        source.judge(&columns);
        source.prompt("Example", &texts, &columns.fields(None));
        let train = self.train_values(source, "Example", &columns);
        self.retrieved(source, &train)?;
        let form = if is_text { "texts" } else { "turns" };
        let layout = self.retriever.layout();
        source.step(&format!(
            "let examples = Examples::{form}(ids.iter().map(|id| &train[*id]))?{layout};"
        ));
        source.step(match is_text {
            true => "results.set(\"ice\", aisbench::text(&examples)?);",
            false => "results.set(\"ice\", aisbench::items(&aisbench::examples(&examples)?));",
        });
        Ok(is_text)
    }

    /// An example is the text without the slot of the examples, or the rounds of a dialogue.
    fn example_texts(
        &self,
        ice: &'a Value,
        columns: &mut Columns<'a>,
        source: &mut Source,
    ) -> Result<Vec<String>, String> {
        let own_token = self.ice.and_then(|ice| ice["ice_token"].as_str());
        let mut reader = self.reader(columns);
        reader.token = None;
        match ice {
            Value::String(text) => {
                let text = own_token.map_or(text.clone(), |token| text.replace(token, ""));
                Ok(vec![reader.attribute("user", &text)?])
            }
            Value::Object(keys) if is_labels(keys) => {
                Err("examples with one template per label".to_owned())
            }
            template => {
                let mut pieces = self.pieces(template, source, false)?;
                pieces.retain(|(section, _)| *section == "round");
                super::dialogue::texts(&pieces, &mut reader)
            }
        }
    }
}

/// Whether a template has one text per label. A dialogue with an additional key is a dialogue.
pub(super) fn is_labels(keys: &serde_json::Map<String, Value>) -> bool {
    !keys.is_empty()
        && !keys
            .keys()
            .any(|key| ["begin", "round", "end"].contains(&&**key))
}
