//! The bytes that the model generates, as transformers marks them with `return_assistant_tokens_mask`.

use std::ops::Range;

use prompt_chat_template::ChatTemplate;
use prompt_core::{Error, Guard};
use serde_json::Value;

use crate::conversations::{Conversation, conversations, for_each_case, prepare, templates};
use crate::{Differences, bound, text};

#[test]
#[ignore = "tests/differential/chat/run writes its cases"]
fn as_in_transformers() {
    let templates = templates();
    let conversations = conversations();
    let mut differences = Differences::default();
    for_each_case("masks.jsonl", |name, case| {
        let template = text(case, "template");
        let conversation = &conversations[text(case, "conversation")];
        let got = templates[template]
            .clone()
            .and_then(|template| mark(template, case, conversation));
        let got = got.map_err(|error| error.to_string());
        let expected: Vec<[usize; 2]> = serde_json::from_value(case["generated"].clone()).unwrap();
        let expected = marked(
            text(case, "text"),
            expected.into_iter().map(|[start, end]| start..end),
        );
        differences.compare(
            template,
            name,
            Ok(&expected),
            got.as_deref().map_err(String::as_str),
        );
    });
    differences.finish("masks", bound("MASKS_BOUND"));
}

fn mark(
    template: ChatTemplate,
    case: &Value,
    (messages, tools): &Conversation,
) -> Result<String, Error> {
    let (template, options) = prepare(template, case, Guard::Allow)?;
    let (text, generated) = template.format_json_masked(messages, Some(tools), &options)?;
    Ok(marked(text.as_str(), generated.into_iter()))
}

/// The text with each range in brackets; ranges that touch are one.
fn marked(text: &str, ranges: impl Iterator<Item = Range<usize>>) -> String {
    let (mut out, mut at, mut is_open) = (String::new(), 0, false);
    for range in ranges.filter(|range| !range.is_empty()) {
        if is_open && range.start > at {
            out.push('⟧');
        }
        if !is_open || range.start > at {
            out.push_str(&text[at..range.start]);
            out.push('⟦');
        }
        out.push_str(&text[range.clone()]);
        (at, is_open) = (range.end, true);
    }
    if is_open {
        out.push('⟧');
    }
    out + &text[at..]
}
