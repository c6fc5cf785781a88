//! One template per label: prompts whose log-probabilities are compared.

use serde_json::Value;

use super::columns::{Columns, SHOTS};
use super::config::Config;
use super::dialogue::{has_examples, is_common, texts};
use super::plain::is_labels;
use super::source::{Source, value};
use crate::item::Field;
use crate::rust::literal;

impl<'a> Config<'a> {
    pub(super) fn labels(&self) -> Result<Source, String> {
        let Some(Value::Object(templates)) = self.main() else {
            return Err("scoring labels needs one template per label".to_owned());
        };
        if !is_labels(templates) {
            return Err("scoring labels needs one dialogue per label".to_owned());
        }
        let mut source = Source::default();
        self.label_examples(&mut source)?;
        let normalizing = self.case["inferencer"]["normalizing_str"].as_str();
        if templates
            .values()
            .any(|template| self.is_uncommon(template))
        {
            self.one_by_one(templates, &mut source)?;
            return Ok(source);
        }
        let mut variants = Vec::new();
        let known: Vec<&String> = templates.keys().collect();
        for (index, (_, template)) in templates.iter().enumerate() {
            let mut columns = Columns::of(self.test());
            let (texts, placed) =
                self.label_texts(template, normalizing.is_some(), &mut columns, &mut source)?;
            source.judge(&columns);
            let fields = self.fields(&columns, None, placed, &mut source);
            variants.push((format!("Label{index}"), texts, fields));
        }
        source.prompts("Case", &variants);
        let labels = self.case["inferencer"]["labels"].as_array();
        let labels: Vec<String> = labels.map_or_else(
            || known.iter().map(|label| (*label).clone()).collect(),
            |labels| labels.iter().map(crate::python::text).collect(),
        );
        let is_dialogue = templates.values().any(Value::is_object);
        for label in &labels {
            let Some(index) = known.iter().position(|known| *known == label) else {
                // There is no variant of that name.
                source.item(&format!("drop(Case::Missing{});", labels.len()));
                source.refused("no variant");
                continue;
            };
            let prompt = value(&format!("Case::Label{index}"), &variants[index].2);
            self.scored(&prompt, label, is_dialogue, normalizing, &mut source);
        }
        let given: Vec<Value> = labels
            .iter()
            .map(|label| match label.parse::<i64>() {
                Ok(number) if self.case["int_labels"] == true => number.into(),
                _ => label.clone().into(),
            })
            .collect();
        let given = literal(&Value::Array(given).to_string());
        source.step(&format!("results.json(\"labels\", {given});"));
        Ok(source)
    }

    fn is_uncommon(&self, template: &'a Value) -> bool {
        let pieces = self.pieces(template, &mut Source::default(), false);
        template.is_object() && pieces.is_ok_and(|pieces| !is_common(&pieces))
    }

    /// Dialogues that contain more than turns, one after the other.
    fn one_by_one(
        &self,
        templates: &'a serde_json::Map<String, Value>,
        source: &mut Source,
    ) -> Result<(), String> {
        for (label, template) in templates {
            let pieces = self.pieces(template, source, false)?;
            self.many_prompts(&pieces, None, source)?;
            let (label, model) = (literal(label), self.model());
            source.step(&format!(
                "results.label({label}, aisbench::complete(&{model}, &dialogue)?);"
            ));
        }
        let labels = Value::from_iter(templates.keys().cloned());
        source.step(&format!(
            "results.json(\"labels\", {});",
            literal(&labels.to_string())
        ));
        Ok(())
    }

    fn label_texts(
        &self,
        template: &'a Value,
        split: bool,
        columns: &mut Columns<'a>,
        source: &mut Source,
    ) -> Result<(Vec<String>, bool), String> {
        let separator = self.prompt.and_then(|prompt| prompt["sep_token"].as_str());
        let mut reader = self.reader(columns);
        match template {
            Value::String(text) => {
                let cut = separator
                    .filter(|_| split)
                    .and_then(|mark| text.split_once(mark));
                let texts = match cut {
                    Some((context, answer)) => vec![
                        reader.attribute("user", context)?,
                        reader.attribute("assistant", answer)?,
                    ],
                    None => vec![reader.attribute("user", text)?],
                };
                Ok((texts, reader.placed))
            }
            template => {
                let pieces = self.pieces(template, source, false)?;
                if !is_common(&pieces) {
                    return Err("the dialogue of a label contains more than turns".to_owned());
                }
                let texts = texts(&pieces, &mut reader)?;
                Ok((texts, reader.placed || has_examples(&pieces)))
            }
        }
    }

    fn scored(
        &self,
        prompt: &str,
        label: &str,
        is_dialogue: bool,
        normalizing: Option<&str>,
        source: &mut Source,
    ) {
        let (model, label) = (self.model(), literal(label));
        source.step(&format!("let prompt = {prompt};"));
        if let Some(other) = normalizing {
            source.step("let scored = eval(Completion::from_prompt(&prompt))?;");
            source.step("results.call(&scored);");
            source.step(&format!(
                "results.call(&scored.with_context({}));",
                literal(other)
            ));
        } else if is_dialogue {
            source.step("let dialogue = Dialogue::from(&prompt.messages_with_answer()?);");
            source.step(&format!(
                "results.label({label}, aisbench::complete(&{model}, &dialogue)?);"
            ));
        } else {
            source.step(&format!(
                "results.label({label}, said(&prompt, \"\")?.as_str().into());"
            ));
        }
    }

    /// Examples, each with the template of its own label.
    fn label_examples(&self, source: &mut Source) -> Result<(), String> {
        let template = self.ice.map(|ice| &ice["template"]);
        let of_labels = template
            .and_then(Value::as_object)
            .filter(|keys| is_labels(keys));
        let Some(templates) = of_labels.filter(|_| self.retriever.finds()) else {
            // One template for the examples of all labels.
            return self.examples(source).map(drop);
        };
        let token = self.ice.and_then(|ice| ice["ice_token"].as_str());
        let row = self.train.first().copied().unwrap_or(&Value::Null);
        let mut variants: Vec<(String, Vec<String>, Vec<Field>)> = Vec::new();
        let mut train = Vec::new();
        for (index, (label, template)) in templates.iter().enumerate() {
            let mut columns = Columns::of(row);
            let mut reader = self.reader(&mut columns);
            reader.token = None;
            let texts = match template {
                Value::String(text) => {
                    let text = token.map_or(text.clone(), |token| text.replace(token, ""));
                    vec![reader.attribute("user", &text)?]
                }
                template => {
                    let mut pieces = self.pieces(template, source, false)?;
                    pieces.retain(|(section, _)| *section == "round");
                    texts(&pieces, &mut reader)?
                }
            };
            let name = format!("Label{index}");
            let fields = columns.fields(None);
            for (place, row) in self.train.iter().enumerate() {
                let own = self.answer.map(|answer| crate::python::text(&row[answer]));
                if own.as_ref() == Some(label) {
                    train.push((
                        place,
                        value(&format!("Example::{name}"), &columns.fields_of(row)),
                    ));
                }
            }
            variants.push((name, texts, fields));
        }
        source.prompts("Example", &variants);
        if train.len() < self.train.len() {
            source.item("drop(Example::Missing);");
            source.refused("no variant");
        }
        train.sort();
        let train: Vec<String> = train.into_iter().map(|(_, value)| value).collect();
        self.retrieved(source, &train)?;
        let is_text = templates.values().all(Value::is_string);
        let form = if is_text { "texts" } else { "turns" };
        source.step(&format!(
            "let {SHOTS} = Examples::{form}(ids.iter().map(|id| &train[*id]))?{};",
            self.retriever.layout()
        ));
        if is_text {
            source.step("results.set(\"ice\", aisbench::text(&examples)?);");
        }
        Ok(())
    }
}
