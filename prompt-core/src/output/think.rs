//! What a reasoning model thinks before it answers.

/// The tags models think in.
const TAGS: [&str; 8] = [
    "think",
    "thinking",
    "thought",
    "thoughts",
    "reasoning",
    "reflection",
    "scratchpad",
    "analysis",
];

/// Where an answer begins.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Start {
    /// Here, after all thinking.
    At(usize),
    /// Here, unless the tag that ends the thinking is part of the answer: some chat templates open
    /// the thinking themselves, so that only its end is in the text.
    Perhaps(usize),
    /// The thinking never ends.
    Never,
}

pub(super) fn answer(text: &str) -> Start {
    let mut at = 0;
    loop {
        let rest = text[at..].trim_start();
        let start = text.len() - rest.len();
        let Some(tag) = opening(rest) else { break };
        let close = format!("</{tag}>");
        match find_ignoring_case(rest, &close) {
            Some(end) => at = start + end + close.len(),
            None => return Start::Never,
        }
    }
    match find_ignoring_case(text, CLOSE) {
        Some(end) if at == 0 => Start::Perhaps(end + CLOSE.len()),
        _ => Start::At(at),
    }
}

const CLOSE: &str = "</think>";

fn opening(rest: &str) -> Option<&'static str> {
    let inside = rest.strip_prefix('<')?;
    TAGS.into_iter().find(|tag| {
        let name = inside.get(..tag.len());
        name.is_some_and(|name| name.eq_ignore_ascii_case(tag))
            && inside[tag.len()..].starts_with('>')
    })
}

fn find_ignoring_case(text: &str, tag: &str) -> Option<usize> {
    text.match_indices("</").map(|(at, _)| at).find(|&at| {
        text.get(at..at + tag.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(tag))
    })
}

#[cfg(test)]
mod tests {
    use super::{Start, answer};

    #[test]
    fn thinking_is_left_out() {
        for (text, start) in [
            ("{}", Start::At(0)),
            ("<think>{}</think>{}", Start::At(17)),
            (
                " <Thinking>x</Thinking>\n<reflection>y</reflection> 1",
                Start::At(50),
            ),
            ("so it is 4</think> 5", Start::Perhaps(18)),
            ("{\"a\": \"</think>\"}", Start::Perhaps(15)),
            ("<think>for ever", Start::Never),
            ("<thin", Start::At(0)),
        ] {
            assert_eq!(answer(text), start, "{text}");
        }
    }
}
