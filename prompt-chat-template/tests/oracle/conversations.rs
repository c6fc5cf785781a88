//! The templates of `trl`, rendered with conversations and variables.

use std::collections::BTreeMap;

use prompt_chat_template::ChatTemplate;
use prompt_core::format::{FormatOption, FormatOptions};
use prompt_core::{ChatFormat, Guard, Json, Result};
use serde_json::Value;

use crate::{DAY, Differences, bound, read, text};

/// A conversation and its tools, as JSON.
type Conversation = (Json, Json);

#[test]
#[ignore = "tests/differential/chat/run writes its cases"]
fn as_in_transformers() {
    let templates: BTreeMap<String, String> =
        serde_json::from_str(&read("templates.json")).unwrap();
    let templates: BTreeMap<_, _> = templates
        .iter()
        .map(|(name, source)| (&**name, ChatTemplate::parse(source)))
        .collect();
    let conversations = conversations();
    let mut differences = Differences::default();
    for line in read("cases.jsonl").lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let (template, conversation) = (text(&case, "template"), text(&case, "conversation"));
        let got = templates[template]
            .clone()
            .and_then(|template| render(template, &case, &conversations[conversation]));
        let got = got.map_err(|error| error.to_string());
        let expected = case["text"].as_str().ok_or_else(|| text(&case, "error"));
        let flags = ["add_generation_prompt", "continue_final_message"];
        let flags = flags.into_iter().find(|flag| is_set(&case, flag));
        let name = format!(
            "{conversation} {} {}",
            text(&case, "variables"),
            flags.unwrap_or_default()
        );
        let got = got.as_deref().map_err(String::as_str);
        differences.compare(template, &name, expected, got);
    }
    differences.finish("conversations", bound("CONVERSATIONS_BOUND"));
}

fn conversations() -> BTreeMap<String, Conversation> {
    let texts: BTreeMap<String, (String, String)> =
        serde_json::from_str(&read("conversations.json")).unwrap();
    texts
        .into_iter()
        .map(|(name, (messages, tools))| {
            (
                name,
                (
                    Json::parse(&messages).unwrap(),
                    Json::parse(&tools).unwrap(),
                ),
            )
        })
        .collect()
}

fn is_set(case: &Value, key: &str) -> bool {
    case[key] == true
}

fn render(
    mut template: ChatTemplate,
    case: &Value,
    (messages, tools): &Conversation,
) -> Result<String> {
    template = template
        .token("bos_token", "<s>")
        .token("eos_token", "</s>");
    let mut options = FormatOptions::new()
        .guard(Guard::Allow)
        .lenient()
        .generation_prompt(is_set(case, "add_generation_prompt"));
    if template.supports(FormatOption::Date) {
        template = template.time(9, 5, 3);
        options = options.date(DAY);
    }
    for (name, value) in Json::parse(text(case, "variables"))?
        .entries()
        .unwrap_or_default()
    {
        template = template.variable(name, value);
    }
    if is_set(case, "continue_final_message") {
        options = options.continued();
    }
    Ok(template
        .format_json(messages, Some(tools), &options)?
        .into_string())
}
