//! Rows that mix text with images, audio and video.

use prompt_syntax::Dialect;
use serde_json::Value;

use super::columns::Columns;
use super::config::Config;
use super::source::{Source, value};
use super::text::{slot, source as written};
use crate::item::Field;
use crate::rust::{literal, slice};

const KINDS: [(&str, &str); 3] = [("image", "Image"), ("video", "Video"), ("audio", "Audio")];

impl<'a> Config<'a> {
    pub(super) fn media(&self) -> Result<Source, String> {
        let mut source = Source::default();
        let Some(template @ Value::Object(_)) = self.main() else {
            source.derive(
                "Case",
                "angle",
                &["user = \"<content>\"".to_owned()],
                &[content("Content", "")],
            );
            source.refused("cannot fill");
            source.refused("is not implemented for `Content`");
            return Ok(source);
        };
        source.step("let examples = Examples::new();");
        let pieces = self.pieces(template, &mut source, false)?;
        self.dialogue(&pieces, self.answer, &mut source)?;
        let model = self.model();
        source.step(&format!("results.dialogue(&{model}, &dialogue, false)?;"));
        source.step("results.listed();");
        let plain = plain_urls(template);
        if !plain.is_empty() {
            source.step(&format!(
                "results.plain({});",
                slice(plain.iter().map(|kind| literal(kind)))
            ));
        }
        Ok(source)
    }

    /// Mixed content as an example in a text.
    pub(super) fn mixed_example(&self) -> Result<Source, String> {
        let mut source = Source::default();
        let template = self
            .ice
            .map(|ice| &ice["template"]["round"][0]["prompt_mm"]);
        let made = self.mixed("Example", template.unwrap_or(&Value::Null), &mut source)?;
        source.prompt(
            "Case",
            &["user = \"{examples}\"".to_owned()],
            &[Field {
                name: "examples".to_owned(),
                attributes: vec!["examples".to_owned()],
                ty: "Examples".to_owned(),
                value: None,
            }],
        );
        source.step(&format!("let examples = Examples::turns([{made}])?;"));
        source.step("let text = said(&Case { examples }, \"\")?.as_str().to_owned();");
        source.step(&format!("results.text(&{}, &text);", self.model()));
        Ok(source)
    }

    /// A prompt that iterates the parts of the row's content, and its value.
    pub(super) fn mixed(
        &self,
        name: &str,
        template: &'a Value,
        source: &mut Source,
    ) -> Result<String, String> {
        let row = self.test();
        // AISBench's documentation has the content in another column.
        let column = match row.get("content") {
            Some(_) => "content",
            None => "question",
        };
        let mut columns = Columns::of(row);
        columns.leave_out(column);
        let mut reader = self.reader(&mut columns);
        let mut text = String::from("<for piece in content>");
        if let Some(words) = template["text"]["text"].as_str() {
            let answer = self
                .answer
                .filter(|answer| words.contains(&format!("{{{answer}}}")));
            if let Some(answer) = answer {
                source.refused(format!("the answer `{answer}` is used in"));
            }
            let mut nodes = Vec::new();
            for (index, part) in words.split("{question}").enumerate() {
                if index > 0 {
                    nodes.push(slot(&["piece", "text"]));
                }
                nodes.extend(reader.nodes(part, false));
            }
            let words = written(&nodes, Dialect::Angle)?;
            text.push_str(&format!("<if piece.text>{words}</if>"));
        }
        let mut kinds = Vec::new();
        let mut arms = String::new();
        for (kind, variant) in KINDS {
            let key = format!("{kind}_url");
            let url = &template[kind][&key];
            let Some(url) = url.as_str().or(url["url"].as_str()) else {
                // The template has no position for content of this kind.
                arms.push_str(&format!(
                    "MediaKind::{variant} => Media::{kind}_url(payload), "
                ));
                continue;
            };
            kinds.push(format!("MediaKind::{variant}"));
            text.push_str(&format!("<if piece.{kind}><piece.{kind}></if>"));
            let around = slice(url.split(&format!("{{{kind}}}")).map(literal));
            arms.push_str(&format!(
                "MediaKind::{variant} => Media::{kind}_url(({around}).join(payload)), "
            ));
        }
        text.push_str("</for>");
        let payload = row[column].as_str().unwrap_or_default();
        let made = format!(
            "eval(Content::parse_tagged({}, |kind, payload| Ok(match kind {{ {arms}_ => Media::image_url(payload) }})).and_then(|content| content.only(&[{}])))?",
            literal(payload),
            kinds.join(", ")
        );
        let mut fields = columns.fields(self.answer);
        fields.push(content("Content", &made));
        source.derive(
            name,
            "angle",
            &[format!("user = {}", literal(&text))],
            &fields,
        );
        Ok(value(name, &fields))
    }
}

fn content(ty: &str, value: &str) -> Field {
    Field {
        name: "content".to_owned(),
        attributes: Vec::new(),
        ty: ty.to_owned(),
        value: Some(value.to_owned()),
    }
}

/// The kinds whose key contains the address itself.
fn plain_urls(template: &Value) -> Vec<String> {
    let turns = template["round"].as_array().into_iter().flatten();
    let mixed = turns.map(|turn| &turn["prompt_mm"]);
    let keys = mixed.flat_map(|mixed| {
        KINDS
            .iter()
            .map(|(kind, _)| (format!("{kind}_url"), &mixed[*kind]))
            .filter(|(key, of)| of[key].is_string())
            .map(|(key, _)| key)
            .collect::<Vec<_>>()
    });
    keys.collect()
}
