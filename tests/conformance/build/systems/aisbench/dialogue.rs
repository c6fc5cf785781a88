//! Dialogues: turns, with text and few-shot examples between them.

use serde_json::Value;

use super::columns::{Columns, SHOTS};
use super::config::Config;
use super::source::{Source, value};
use super::text::Reader;
use crate::item::Field;
use crate::rust::literal;

/// A piece of a dialogue.
#[derive(Clone, Copy)]
pub(super) enum Piece<'a> {
    Text(&'a str),
    Examples,
    Turn {
        role: &'a str,
        fallback: Option<&'a str>,
        prompt: &'a str,
        /// Templates for text, images, audio and video.
        mixed: Option<&'a Value>,
    },
}

/// The pieces with their sections.
pub(super) type Pieces<'a> = Vec<(&'static str, Piece<'a>)>;

impl<'a> Config<'a> {
    /// Parses `begin`, `round` and `end`. A turn without text is a compile error.
    pub(super) fn pieces(
        &self,
        template: &'a Value,
        source: &mut Source,
        texts: bool,
    ) -> Result<Pieces<'a>, String> {
        let mut pieces = Vec::new();
        for section in ["begin", "round", "end"] {
            let key = if section == "begin" { "system" } else { "user" };
            match &template[section] {
                Value::Null if section != "round" => {}
                Value::Null => refuse(source, key, ""),
                Value::String(text) => self.text(text, section, texts, &mut pieces),
                item @ Value::Object(_) if section != "round" => {
                    turn(item, section, source, &mut pieces)?;
                }
                Value::Object(_) => return Err("`round` is a dict, not a list".to_owned()),
                Value::Array(items) => {
                    for item in items {
                        match item {
                            Value::String(text) => self.text(text, section, texts, &mut pieces),
                            item => turn(item, section, source, &mut pieces)?,
                        }
                    }
                }
                other => refuse(source, key, &format!(" = {other}")),
            }
        }
        let keys = template.as_object().into_iter().flatten();
        for (key, text) in keys.filter(|(key, _)| !["begin", "round", "end"].contains(&&***key)) {
            let text = text.as_str().unwrap_or_default();
            let texts = [
                "system = \"x\"".to_owned(),
                format!("{key} = {}", literal(text)),
            ];
            source.prompt("More", &texts, &[]);
            source.refused("two system messages");
            source.refused(format!("unknown key `{key}`"));
        }
        Ok(pieces)
    }

    /// Adds a text, divided at the position of examples that are turns.
    fn text(&self, text: &'a str, section: &'static str, texts: bool, pieces: &mut Pieces<'a>) {
        let Some(token) = self.token().filter(|_| !texts) else {
            pieces.push((section, Piece::Text(text)));
            return;
        };
        for (index, part) in text.split(token).enumerate() {
            if index > 0 {
                pieces.push((section, Piece::Examples));
            }
            if !part.is_empty() {
                pieces.push((section, Piece::Text(part)));
            }
        }
    }

    /// `dialogue`: one prompt if all roles are system, user or assistant, else one prompt per piece.
    pub(super) fn dialogue(
        &self,
        pieces: &Pieces<'a>,
        answer: Option<&'a str>,
        source: &mut Source,
    ) -> Result<(), String> {
        let masked;
        let pieces = match answer.filter(|_| self.leaks(pieces, answer)) {
            // The package masks the answer there. The template does not contain it, because it would be a compile error.
            Some(answer) if self.case["class"] == "core" => {
                masked = self.without(pieces, answer);
                &masked
            }
            Some(answer) => {
                source.refused(format!("the answer `{answer}` is used in"));
                pieces
            }
            None => pieces,
        };
        if is_common(pieces) {
            self.one_prompt(pieces, answer, source)
        } else {
            self.many_prompts(pieces, answer, source)
        }
    }

    /// The pieces, with the mask instead of the answer except in the last turn.
    fn without(&self, pieces: &Pieces<'a>, answer: &str) -> Pieces<'a> {
        let mut pieces = pieces.clone();
        let last = pieces.len().saturating_sub(1);
        let slot = format!("{{{answer}}}");
        for (_, piece) in &mut pieces[..last] {
            if let Piece::Turn { prompt, .. } = piece {
                // Leaks memory, which a build script can afford.
                *prompt = Box::leak(prompt.replace(&slot, self.mask()).into_boxed_str());
            }
        }
        pieces
    }

    /// Whether a turn other than the model's last one contains the answer.
    fn leaks(&self, pieces: &Pieces<'a>, answer: Option<&'a str>) -> bool {
        let Some(answer) = answer else { return false };
        let holds = |piece: &Piece<'_>| {
            let Piece::Turn { prompt, .. } = piece else {
                return false;
            };
            prompt.contains(&format!("{{{answer}}}"))
        };
        let last = pieces.len().saturating_sub(1);
        pieces.iter().enumerate().any(|(index, (_, piece))| {
            let is_models = matches!(piece, Piece::Turn { role: "BOT", .. });
            holds(piece) && !(is_models && (index == last || !is_common(pieces)))
        })
    }

    fn one_prompt(
        &self,
        pieces: &Pieces<'a>,
        answer: Option<&'a str>,
        source: &mut Source,
    ) -> Result<(), String> {
        let mut columns = Columns::of(self.test());
        let mut reader = self.reader(&mut columns);
        let texts = texts(pieces, &mut reader)?;
        let placed = reader.placed;
        let fields = self.fields(&columns, answer, placed || has_examples(pieces), source);
        source.judge(&columns);
        source.prompt("Case", &texts, &fields);
        source.step(&format!("let prompt = {};", value("Case", &fields)));
        let mask = literal(self.mask());
        source.step(&format!(
            "let dialogue = Dialogue::from(&prompt.messages_with_mask({mask})?);"
        ));
        Ok(())
    }

    /// The fields of the row, and the field of the examples.
    pub(super) fn fields(
        &self,
        columns: &Columns<'_>,
        answer: Option<&str>,
        placed: bool,
        source: &mut Source,
    ) -> Vec<Field> {
        let mut fields = columns.fields(answer);
        if placed || self.has_examples() {
            let attributes = if placed {
                vec!["examples".to_owned()]
            } else {
                Vec::new()
            };
            if !placed {
                source.refused(format!("no slot uses the field `{SHOTS}`"));
            }
            fields.push(Field {
                name: SHOTS.to_owned(),
                attributes,
                ty: "Examples".to_owned(),
                value: Some("examples.clone()".to_owned()),
            });
        }
        fields
    }

    pub(super) fn reader<'c>(&self, columns: &'c mut Columns<'a>) -> Reader<'c, 'a> {
        Reader {
            columns,
            token: self.token(),
            separator: self.separator(),
            placed: false,
        }
    }

    pub(super) fn many_prompts(
        &self,
        pieces: &Pieces<'a>,
        answer: Option<&'a str>,
        source: &mut Source,
    ) -> Result<(), String> {
        let mut placed = has_examples(pieces);
        let mut steps = vec!["let dialogue = Dialogue::new()".to_owned()];
        for (section, piece) in pieces {
            let name = format!("Piece{}", source.fresh());
            let mut columns = Columns::of(self.test());
            let mut reader = self.reader(&mut columns);
            let step = match *piece {
                Piece::Examples => "Item::ExampleTurns(aisbench::examples(&examples)?)".to_owned(),
                Piece::Text(text) if text.trim().is_empty() => literal(text),
                Piece::Turn {
                    role,
                    fallback,
                    prompt,
                    mixed: None,
                } if prompt.trim().is_empty() => {
                    format!(
                        "Turn::new({}, {}){}",
                        literal(role),
                        literal(prompt),
                        or(fallback)
                    )
                }
                Piece::Text(text) => {
                    let texts = reader.question(text, answer)?;
                    let value = self.piece(&name, &texts, reader, answer, &mut placed, source);
                    format!("said(&{value}, {})?", literal(self.mask()))
                }
                Piece::Turn {
                    role,
                    fallback,
                    prompt,
                    mixed: None,
                } => {
                    let texts = vec![reader.attribute(key(role), prompt)?];
                    let value = self.piece(&name, &texts, reader, answer, &mut placed, source);
                    let mask = literal(self.mask());
                    format!(
                        "aisbench::turn({}, &{value}, {mask})?{}",
                        literal(role),
                        or(fallback)
                    )
                }
                Piece::Turn {
                    role,
                    fallback,
                    mixed: Some(mixed),
                    ..
                } => {
                    let value = self.mixed(&name, mixed, source)?;
                    format!(
                        "aisbench::turn({}, &{value}, \"\")?{}",
                        literal(role),
                        or(fallback)
                    )
                }
            };
            steps.push(format!("    .{section}({step})"));
        }
        if self.has_examples() && !placed {
            let fields = self.fields(&Columns::of(&Value::Null), None, false, source);
            source.prompt("Case", &["user = \"x\"".to_owned()], &fields);
        }
        steps.last_mut().expect("there is a first").push(';');
        steps.iter().for_each(|step| source.step(step));
        Ok(())
    }

    /// The prompt of one piece, and its value.
    fn piece(
        &self,
        name: &str,
        texts: &[String],
        reader: Reader<'_, 'a>,
        answer: Option<&str>,
        placed: &mut bool,
        source: &mut Source,
    ) -> String {
        let Reader {
            columns,
            placed: here,
            ..
        } = reader;
        *placed |= here;
        let fields = if here {
            self.fields(columns, answer, true, source)
        } else {
            columns.fields(answer)
        };
        source.judge(columns);
        source.prompt(name, texts, &fields);
        value(name, &fields)
    }
}

/// The texts of a prompt that only has system, user and assistant turns.
pub(super) fn texts<'a>(
    pieces: &Pieces<'a>,
    reader: &mut Reader<'_, 'a>,
) -> Result<Vec<String>, String> {
    let texts = pieces.iter().map(|(_, piece)| match piece {
        Piece::Turn { role, prompt, .. } => reader.attribute(key(role), prompt),
        Piece::Examples => Ok(SHOTS.to_owned()),
        Piece::Text(_) => Err("text without a role".to_owned()),
    });
    texts.collect()
}

pub(super) fn has_examples(pieces: &Pieces<'_>) -> bool {
    pieces
        .iter()
        .any(|(_, piece)| matches!(piece, Piece::Examples))
}

/// Whether one prompt can express the pieces: turns of system, user and assistant.
pub(super) fn is_common(pieces: &Pieces<'_>) -> bool {
    let is_common = |(index, (section, piece)): (usize, &(&str, Piece<'_>))| match piece {
        Piece::Text(_) => false,
        Piece::Examples => *section == "begin",
        Piece::Turn { mixed: Some(_), .. } => false,
        Piece::Turn { prompt, .. } if prompt.trim().is_empty() => false,
        Piece::Turn {
            role: "SYSTEM",
            fallback,
            ..
        } => index == 0 && *fallback == Some("HUMAN"),
        Piece::Turn { role, fallback, .. } => {
            ["HUMAN", "BOT"].contains(role) && fallback.is_none() && *section == "round"
        }
    };
    !pieces.is_empty() && pieces.iter().enumerate().all(is_common)
}

fn or(fallback: Option<&str>) -> String {
    fallback.map_or(String::new(), |role| format!(".or({})", literal(role)))
}

pub(super) fn key(role: &str) -> &'static str {
    match role {
        "SYSTEM" => "system",
        "BOT" => "assistant",
        _ => "user",
    }
}

/// A text that is missing or not a string.
fn refuse(source: &mut Source, key: &str, given: &str) {
    source.prompt("Wrong", &[format!("{key}{given}")], &[]);
    source.refused(format!("`{key}` takes a quoted string"));
}

fn turn<'a>(
    item: &'a Value,
    section: &'static str,
    source: &mut Source,
    pieces: &mut Pieces<'a>,
) -> Result<(), String> {
    let known = ["role", "fallback_role", "prompt", "prompt_mm"];
    let mut keys = item.as_object().into_iter().flatten();
    if let Some((key, _)) = keys.find(|(key, _)| !known.contains(&&***key)) {
        return Err(format!("a turn has no `{key}`"));
    }
    let mixed = Some(&item["prompt_mm"]).filter(|mixed| !mixed.is_null());
    let Some(role) = item["role"].as_str() else {
        return Err("a turn without a role".to_owned());
    };
    if mixed.is_none() && item["prompt"].is_null() {
        refuse(source, key(role), "");
    }
    let piece = Piece::Turn {
        role,
        fallback: item["fallback_role"].as_str(),
        prompt: item["prompt"].as_str().unwrap_or_default(),
        mixed,
    };
    pieces.push((section, piece));
    Ok(())
}
