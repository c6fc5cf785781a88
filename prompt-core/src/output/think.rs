//! What a reasoning model thinks before it answers.

/// The tags models think in.
const TAGS: [&str; 8] = [
    "think", "thinking", "thought", "thoughts", "reasoning", "reflection", "scratchpad", "analysis",
];

/// Where the answer begins, after all thinking; nothing if the thinking never ends.
pub(super) fn answer(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = text[at..].trim_start();
        let start = text.len() - rest.len();
        let Some(tag) = opening(rest) else { break };
        let close = format!("</{tag}>");
        at = start + find_ignoring_case(rest, &close)? + close.len();
    }
    if at == 0 {
        at = headless(text).unwrap_or(0);
    }
    Some(at)
}

fn opening(rest: &str) -> Option<&'static str> {
    let inside = rest.strip_prefix('<')?;
    TAGS.into_iter().find(|tag| {
        let name = inside.get(..tag.len());
        name.is_some_and(|name| name.eq_ignore_ascii_case(tag))
            && inside[tag.len()..].starts_with('>')
    })
}

/// Some chat templates open the thinking themselves, so that only its end is in the answer. Inside
/// of JSON or a fence the tag is content.
fn headless(text: &str) -> Option<usize> {
    if text.trim_start().starts_with(['{', '[', '"', '`']) {
        return None;
    }
    let close = "</think>";
    find_ignoring_case(text, close).map(|at| at + close.len())
}

fn find_ignoring_case(text: &str, tag: &str) -> Option<usize> {
    text.match_indices("</").map(|(at, _)| at).find(|&at| {
        text.get(at..at + tag.len()).is_some_and(|found| found.eq_ignore_ascii_case(tag))
    })
}

#[cfg(test)]
mod tests {
    use super::answer;

    #[test]
    fn thinking_is_left_out() {
        for (text, rest) in [
            ("{\"a\": 1}", Some("{\"a\": 1}")),
            ("<think>{\"a\": 0}</think>{\"a\": 1}", Some("{\"a\": 1}")),
            (" <Thinking>x</Thinking>\n<reflection>y</reflection> 1", Some(" 1")),
            ("so it is 4</think> 5", Some(" 5")),
            ("{\"a\": \"</think>\"}", Some("{\"a\": \"</think>\"}")),
            ("<think>for ever", None),
            ("<thin", Some("<thin")),
        ] {
            assert_eq!(answer(text).map(|at| &text[at..]), rest, "{text}");
        }
    }
}
