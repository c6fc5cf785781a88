//! The templates of `trl`, rendered with conversations and variables.

use std::collections::BTreeMap;

use prompt_chat_template::ChatTemplate;
use prompt_core::format::{FormatOption, FormatOptions};
use prompt_core::{ChatFormat, Error, Guard, Json};
use serde_json::Value;

use crate::{DAY, Differences, bound, read, text};

/// A conversation and its tools, as JSON.
pub(crate) type Conversation = (Json, Json);

#[test]
#[ignore = "tests/differential/chat/run writes its cases"]
fn as_in_transformers() {
    let templates = templates();
    let conversations = conversations();
    let mut differences = Differences::default();
    for_each_case("cases.jsonl", |name, case| {
        let template = text(case, "template");
        let conversation = &conversations[text(case, "conversation")];
        let got = render(&templates[template], case, conversation, Guard::Allow);
        let expected = case["text"].as_str().ok_or_else(|| text(case, "error"));
        differences.compare(
            template,
            name,
            expected,
            got.as_deref().map_err(String::as_str),
        );
    });
    differences.finish("conversations", bound("CONVERSATIONS_BOUND"));
}

/// The guard changes nothing where data contains no token, and finds the origin of each byte to know that.
#[test]
#[ignore = "tests/differential/chat/run writes its cases"]
fn the_guard_changes_no_other_text() {
    let templates = templates();
    let conversations = conversations();
    let mut differences = Differences::default();
    for_each_case("cases.jsonl", |name, case| {
        let conversation = text(case, "conversation");
        if text(case, "variables") != "{}" || conversation == WITH_TOKENS {
            return;
        }
        let template = text(case, "template");
        let conversation = &conversations[conversation];
        let allowed = render(&templates[template], case, conversation, Guard::Allow);
        let guarded = render(&templates[template], case, conversation, Guard::Reject);
        let expected = allowed.as_deref().map_err(String::as_str);
        differences.compare(
            template,
            name,
            expected,
            guarded.as_deref().map_err(String::as_str),
        );
    });
    differences.finish("guard", bound("GUARD_BOUND"));
}

/// The conversation whose data contains a token of some templates.
const WITH_TOKENS: &str = "reasoning_in_text";

pub(crate) fn templates() -> BTreeMap<String, Result<ChatTemplate, Error>> {
    let parse = |(name, source): (String, String)| (name, ChatTemplate::parse(&source));
    sources().into_iter().map(parse).collect()
}

pub(crate) fn sources() -> BTreeMap<String, String> {
    serde_json::from_str(&read("templates.json")).unwrap()
}

/// Calls a function with the name of each case of a file, and the case.
pub(crate) fn for_each_case(file: &str, mut visit: impl FnMut(&str, &Value)) {
    for line in read(file).lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let flags = ["add_generation_prompt", "continue_final_message"];
        let flag = flags.into_iter().find(|flag| is_set(&case, flag));
        let (conversation, variables) = (text(&case, "conversation"), text(&case, "variables"));
        visit(
            &format!("{conversation} {variables} {}", flag.unwrap_or_default()),
            &case,
        );
    }
}

pub(crate) fn conversations() -> BTreeMap<String, Conversation> {
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

pub(crate) fn is_set(case: &Value, key: &str) -> bool {
    case[key] == true
}

fn render(
    template: &Result<ChatTemplate, Error>,
    case: &Value,
    conversation: &Conversation,
    guard: Guard,
) -> Result<String, String> {
    let text = template
        .clone()
        .and_then(|template| try_render(template, case, conversation, guard));
    text.map_err(|error| error.to_string())
}

fn try_render(
    template: ChatTemplate,
    case: &Value,
    (messages, tools): &Conversation,
    guard: Guard,
) -> Result<String, Error> {
    let (template, options) = prepare(template, case, guard)?;
    Ok(template
        .format_json(messages, Some(tools), &options)?
        .into_string())
}

/// The template and the options of a case.
pub(crate) fn prepare(
    mut template: ChatTemplate,
    case: &Value,
    guard: Guard,
) -> Result<(ChatTemplate, FormatOptions), Error> {
    template = template
        .token("bos_token", "<s>")
        .token("eos_token", "</s>");
    let mut options = FormatOptions::new()
        .guard(guard)
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
    Ok((template, options))
}
