//! Expressions, filters, methods, escapes, dates and statements, rendered as Jinja2 renders them under transformers.

use prompt_chat_template::ChatTemplate;
use prompt_core::format::{FormatOption, FormatOptions};
use prompt_core::{ChatFormat, Guard, Json, Result};
use serde_json::Value;

use crate::{DAY, Differences, bound, read, text};

#[test]
#[ignore = "tests/differential/chat/run writes its cases"]
fn as_in_jinja2() {
    let file = read("jinja.jsonl");
    let mut lines = file
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let head = lines.next().expect("a conversation");
    let messages = Json::parse(text(&head, "messages")).unwrap();
    let mut differences = Differences::default();
    for case in lines {
        let template = text(&case, "template");
        let got = render(&format!("{}{template}", text(&head, "prefix")), &messages);
        let got = got.map_err(|error| error.to_string());
        let expected = case["text"].as_str().ok_or_else(|| text(&case, "error"));
        match (expected, got) {
            (Ok(_), Err(error)) if error.contains("is not supported") => {
                differences.leave_out(&error);
            }
            (expected, got) => {
                let got = got.as_deref().map_err(String::as_str);
                differences.compare(text(&case, "kind"), template, expected, got);
            }
        }
    }
    differences.finish("Jinja", bound("JINJA_BOUND"));
}

fn render(source: &str, messages: &Json) -> Result<String> {
    let mut template = ChatTemplate::parse(source)?;
    let mut options = FormatOptions::new()
        .guard(Guard::Allow)
        .lenient()
        .generation_prompt(false);
    if template.supports(FormatOption::Date) {
        template = template.time(9, 5, 3);
        options = options.date(DAY);
    }
    Ok(template
        .format_json(messages, None, &options)?
        .into_string())
}
