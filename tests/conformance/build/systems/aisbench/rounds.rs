//! Conversations that are sent turn by turn.

use serde_json::Value;

use super::columns::Columns;
use super::config::Config;
use super::dialogue::{Piece, Pieces, texts};
use super::source::{Source, value};
use crate::item::Field;
use crate::rust::{literal, slice};

impl<'a> Config<'a> {
    pub(super) fn rounds(&self) -> Result<Source, String> {
        let mut source = Source::default();
        if self.ice.is_some() {
            self.examples(&mut source)?;
        }
        if self
            .ice
            .is_some_and(|ice| ice["type"] == "MultiTurnPromptTemplate")
        {
            // Lists of turns are not a few-shot example.
            return Ok(source);
        }
        let turns = &serde_json::json!({"round": [
            {"role": "HUMAN", "prompt": "{question}"}, {"role": "BOT", "prompt": "{answer}"},
        ]});
        // OpenCompass sends a conversation unchanged if there is no template.
        let turns: &'static Value = Box::leak(Box::new(turns.clone()));
        let template = self.prompt.map_or(turns, |prompt| &prompt["template"]);
        let mode = literal(self.case["infer_mode"].as_str().unwrap_or("last"));
        source.step(&format!("let mode: TurnMode = eval({mode}.parse())?;"));
        let is_fixed = self
            .prompt
            .is_some_and(|prompt| prompt["type"] == "PromptTemplate")
            && self.case["mode"] != "chat";
        if is_fixed {
            let pieces = self.pieces(template, &mut source, false)?;
            let mut columns = Columns::of(self.test());
            let texts = texts(&pieces, &mut self.reader(&mut columns))?;
            let fields = columns.fields(self.answer);
            source.prompt("Case", &texts, &fields);
            source.step("let begin: Vec<Item> = Vec::new();");
            source.step(&format!("let prompt = {};", value("Case", &fields)));
            source.step("let asked = Conversation::new(prompt.messages_with_answer()?, mode);");
        } else if let Value::String(text) = template {
            let fields = self.round(&mut source, &mut |reader| {
                Ok(vec![reader.attribute("user", text)?])
            })?;
            source.refused(format!(
                "the answer `{}` is used in",
                fields.last().map_or("", |field| &field.name)
            ));
        } else {
            self.opened(template, &mut source)?;
        }
        let replies = self.case["replies"]
            .as_array()
            .map_or(Vec::new(), Clone::clone);
        let replies = slice(
            replies
                .iter()
                .map(|reply| literal(reply.as_str().unwrap_or_default())),
        );
        let fails = match self.case["fail_at"].as_u64() {
            Some(at) => format!("Some({at})"),
            None => "None".to_owned(),
        };
        source.step(&format!(
            "results.asked(&{}, &begin, eval(asked)?, {replies}, {fails})?;",
            self.model()
        ));
        Ok(source)
    }

    /// The section `begin`, and one round for each question and its answer.
    fn opened(&self, template: &'a Value, source: &mut Source) -> Result<(), String> {
        let pieces = self.pieces(template, source, false)?;
        let (begin, round): (Pieces<'a>, Pieces<'a>) = pieces
            .into_iter()
            .partition(|(section, _)| *section == "begin");
        let mut items = Vec::new();
        for (index, (_, piece)) in begin.iter().enumerate() {
            let name = format!("Opening{index}");
            let mut columns = Columns::of(self.test());
            let mut reader = self.reader(&mut columns);
            let (key, text, role) = match piece {
                Piece::Text(text) => ("user", text, None),
                Piece::Turn {
                    role,
                    fallback,
                    prompt,
                    ..
                } => (super::dialogue::key(role), prompt, Some((role, fallback))),
                Piece::Examples => return Err("few-shot examples in a conversation".to_owned()),
            };
            let texts = vec![reader.attribute(key, text)?];
            let fields = columns.fields(None);
            source.judge(&columns);
            source.prompt(&name, &texts, &fields);
            let value = value(&name, &fields);
            items.push(match role {
                None => format!("Item::from(said(&{value}, \"\")?)"),
                Some((role, fallback)) => {
                    let or =
                        fallback.map_or(String::new(), |role| format!(".or({})", literal(role)));
                    format!(
                        "Item::from(aisbench::turn({}, &{value}, \"\")?{or})",
                        literal(role)
                    )
                }
            });
        }
        source.step(&format!(
            "let begin: Vec<Item> = vec![{}];",
            items.join(", ")
        ));
        self.round(source, &mut |reader| texts(&round, reader))?;
        Ok(())
    }

    /// `asked`: the conversation of a prompt for one round.
    fn round(
        &self,
        source: &mut Source,
        texts: &mut dyn FnMut(&mut super::text::Reader<'_, 'a>) -> Result<Vec<String>, String>,
    ) -> Result<Vec<Field>, String> {
        let mut columns = Columns::of(self.test());
        let texts = texts(&mut self.reader(&mut columns))?;
        let mut fields = columns.fields(self.answer);
        fields.retain(|field| !field.attributes.contains(&"skip".to_owned()));
        for field in &mut fields {
            if field.ty == "&'static [&'static str]" {
                field.ty = "&'static str".to_owned();
            }
        }
        source.prompt("Round", &texts, &fields);
        let is_list = |field: &&Field| {
            let value = field.value.as_ref();
            value.is_some_and(|value| value.starts_with('('))
        };
        let (lists, texts): (Vec<&Field>, Vec<&Field>) = fields.iter().partition(is_list);
        let names = |fields: &[&Field]| {
            fields
                .iter()
                .map(|field| field.name.clone())
                .collect::<Vec<_>>()
                .join(", ")
        };
        let values = |fields: &[&Field]| {
            fields
                .iter()
                .filter_map(|field| field.value.clone())
                .collect::<Vec<_>>()
        };
        let said = texts
            .iter()
            .map(|field| format!(", {}: {}", field.name, values(&[field]).join("")));
        let made = format!("Round {{ {}{} }}", names(&lists), said.collect::<String>());
        match &values(&lists)[..] {
            [one] => source.step(&format!(
                "let all = {one}.iter().map(|{}| {made});",
                names(&lists)
            )),
            [first, second] => source.step(&format!(
                "let all = eval(split_rounds({first}.iter().copied(), {second}.iter().copied()))?.into_iter().map(|({})| {made});",
                names(&lists)
            )),
            _ => {
                // A string is not a list of turns.
                source.item(&format!("let all = split_rounds({});", values(&texts).join(", ")));
                source.refused("is not an iterator");
            }
        }
        source.step("let asked = Conversation::from_prompt(&Messages::new(), all, mode);");
        Ok(fields)
    }
}
