//! Messages in the roles of chat APIs, as OpenCompass's newer configurations write them.

use serde_json::Value;

use super::columns::{Columns, SHOTS};
use super::config::Config;
use super::source::{Source, value};
use crate::item::Field;
use crate::rust::literal;

/// The message that marks the position of the examples.
const TOKEN: &str = "</E>";

impl<'a> Config<'a> {
    pub(super) fn raw(&self) -> Result<Source, String> {
        let mut source = Source::default();
        if let Some(ice) = self.ice {
            let row = self.train.first().copied().unwrap_or(&Value::Null);
            let mut columns = Columns::of(row);
            let mut history = None;
            let texts = self.raw_texts(ice, &mut columns, &mut history, &mut source)?;
            source.prompt("Example", &texts, &columns.fields(None));
            let train = self.train_values(&mut source, "Example", &columns);
            self.retrieved(&mut source, &train)?;
            source.step("let examples = Examples::turns(ids.iter().map(|id| &train[*id]))?;");
            source
                .step("results.set(\"ice\", Messages::from(examples.to_history()?.into_owned()));");
        }
        let prompt = self.prompt.unwrap_or(&Value::Null);
        let mut columns = Columns::of(self.test());
        let mut history = None;
        let texts = self.raw_texts(prompt, &mut columns, &mut history, &mut source)?;
        let mut more = Vec::new();
        if let Some(column) = history {
            columns.leave_out(column);
            more.push(Field {
                name: columns.extra("turns"),
                attributes: vec!["history".to_owned()],
                ty: "History".to_owned(),
                value: Some(format!(
                    "History::parse_with_system({})?",
                    literal(&self.test()[column].to_string())
                )),
            });
        }
        if texts.iter().any(|text| text == SHOTS) {
            more.push(Field {
                name: SHOTS.to_owned(),
                attributes: vec![SHOTS.to_owned()],
                ty: "Examples".to_owned(),
                value: Some("examples.clone()".to_owned()),
            });
        }
        let mut fields = columns.fields(self.answer);
        fields.extend(more);
        source.judge(&columns);
        source.prompt("Case", &texts, &fields);
        if self.case["parser"] == "LM" && self.case["meta_template"].is_null() {
            // Messages as one text need a format.
            source.item(&format!("drop(|| {}.to_text());", value("Case", &fields)));
            source.refused("this method takes 1 argument but 0 arguments were supplied");
        }
        source.step(&format!("let prompt = {};", value("Case", &fields)));
        source.step("results.set(\"final\", prompt.messages()?);");
        Ok(source)
    }

    fn raw_texts(
        &self,
        template: &'a Value,
        columns: &mut Columns<'a>,
        history: &mut Option<&'a str>,
        source: &mut Source,
    ) -> Result<Vec<String>, String> {
        let mut texts = Vec::new();
        let mut reader = self.reader(columns);
        for item in template["messages"].as_array().into_iter().flatten() {
            if item.as_str() == Some(TOKEN) {
                texts.push(SHOTS.to_owned());
            } else if let Some(column) = item["expand_column"].as_str() {
                *history = Some(column);
                texts.push("history".to_owned());
            } else {
                let role = item["role"].as_str().unwrap_or_default();
                if !["system", "user", "assistant"].contains(&role) {
                    source.refused(format!("unknown key `{role}`"));
                    source.refused("this prompt has no text");
                }
                let content = item["content"].as_str().unwrap_or_default();
                texts.push(reader.attribute(role, content)?);
            }
        }
        Ok(texts)
    }
}
