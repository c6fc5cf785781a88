//! Dialogues as AISBench's own parsers wrote them.

use prompt_compat::aisbench::{Dialogue, Item, MetaTemplate, Turn};
use prompt_core::{Role, Text};
use serde_json::Value;

use super::wrap;

#[test]
fn recorded_dialogues() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/goldens/aisbench.json"
    );
    let text = std::fs::read_to_string(file).unwrap();
    let cases: Value = serde_json::from_str(&text).unwrap();
    let mut equal = 0;
    for case in cases
        .as_array()
        .unwrap()
        .iter()
        .filter(|case| case["class"] == "core")
    {
        let id = &case["id"];
        let Ok(meta) = MetaTemplate::from_json(&case["meta_template"].clone().into()) else {
            panic!("{id}");
        };
        let complete = case["mode"] == "ppl";
        let mut seen = vec![&case["expect"]];
        seen.extend(
            case["expect"]["by_label"]
                .as_object()
                .into_iter()
                .flat_map(|labels| labels.values()),
        );
        for expect in seen {
            let Some(dialogue) = dialogue(&expect["prompt"]) else {
                continue;
            };
            match &expect["final"] {
                Value::String(text) => {
                    let meta = if case["parser"] == "API" {
                        MetaTemplate::new()
                    } else {
                        meta.clone()
                    };
                    assert_eq!(wrap(&meta, &dialogue, !complete).as_ref(), Ok(text), "{id}");
                }
                Value::Array(items) => {
                    let messages = if complete {
                        meta.complete_messages(&dialogue)
                    } else {
                        meta.messages(&dialogue)
                    };
                    let messages = messages.unwrap();
                    let names = |role: Role| match role {
                        Role::User => "HUMAN",
                        Role::Assistant => "BOT",
                        Role::System => "SYSTEM",
                        _ => "TOOL",
                    };
                    let ours: Vec<_> = messages
                        .iter()
                        .map(|turn| (names(turn.role), turn.text()))
                        .collect();
                    let theirs: Vec<_> = items
                        .iter()
                        .map(|item| {
                            (
                                item["role"].as_str().unwrap(),
                                item["prompt"].as_str().unwrap().into(),
                            )
                        })
                        .collect();
                    assert_eq!(ours, theirs, "{id}");
                }
                _ => continue,
            }
            equal += 1;
        }
    }
    eprintln!("meta templates: {equal} dialogues equal");
    assert!(equal > 60);
}

/// A dialogue with its sections marked, as AISBench hands it to a parser.
fn dialogue(items: &Value) -> Option<Dialogue> {
    let mut dialogue = Dialogue::new();
    let mut sections: Vec<&str> = Vec::new();
    for item in items.as_array()? {
        if let Some(section) = item["section"].as_str() {
            // AISBench opens the section `end` with the marker that closes it.
            match item["pos"].as_str()? {
                "end" if sections.last() == Some(&section) => drop(sections.pop()),
                _ => {
                    sections.push(section);
                    if section == "ice" {
                        dialogue.begin.push(Item::ExampleTurns(Vec::new()));
                    }
                }
            }
            continue;
        }
        let item = match item.as_str() {
            Some(text) => Item::Text(Text::from(text)),
            None => {
                let turn = Turn::new(item["role"].as_str()?.to_owned(), item["prompt"].as_str()?);
                Item::Turn(match item["fallback_role"].as_str() {
                    Some(fallback) => turn.or(fallback.to_owned()),
                    None => turn,
                })
            }
        };
        match (sections.last().copied(), item) {
            (Some("ice"), Item::Turn(turn)) => match dialogue.begin.last_mut() {
                Some(Item::ExampleTurns(turns)) => turns.push(turn),
                _ => return None,
            },
            (Some("round"), item) => dialogue.round.push(item),
            (Some("end"), item) => dialogue.end.push(item),
            (_, item) => dialogue.begin.push(item),
        }
    }
    Some(dialogue)
}
