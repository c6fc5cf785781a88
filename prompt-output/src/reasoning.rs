//! What a reasoning model thinks before it answers.

/// What models think in: what opens it, and what closes it.
const MARKS: [(&str, &str); 13] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<thoughts>", "</thoughts>"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
    ("<scratchpad>", "</scratchpad>"),
    ("<analysis>", "</analysis>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
];

/// Ends of thinking that some chat templates open themselves.
const CLOSES: [&str; 3] = ["</think>", "[/THINK]", "◁/think▷"];

/// The repairs of models that write everything into channels, of which the last is the answer.
const CHANNEL: &str = "<|channel|>";
const FINAL: &str = "<|channel|>final<|message|>";

/// Where an answer begins.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Start {
    /// Here, after all thinking.
    StepRef(usize),
    /// Here, unless the tag that ends the thinking is part of the answer: some chat templates open
    /// the thinking themselves, so that only its end is in the text.
    Perhaps(usize),
    /// The thinking never ends.
    Never,
}

pub(crate) fn answer_start(text: &str) -> Start {
    let begun = text.trim_start();
    let begun = begun.strip_prefix("<|start|>assistant").unwrap_or(begun);
    if begun.starts_with(CHANNEL) {
        return match text.find(FINAL) {
            Some(at) => Start::StepRef(at + FINAL.len()),
            None => Start::Never,
        };
    }
    let mut at = 0;
    loop {
        let rest = text[at..].trim_start();
        // As all marks begin.
        if !rest.starts_with(['<', '[', '◁']) {
            break;
        }
        let start = text.len() - rest.len();
        let opens = |(open, _): &&(&str, &str)| begins_ignoring_case(rest, open);
        let Some((_, close)) = MARKS.iter().find(opens) else {
            break;
        };
        match find_ignoring_case(rest, close) {
            Some(end) => at = start + end + close.len(),
            None => return Start::Never,
        }
    }
    if at > 0 {
        return Start::StepRef(at);
    }
    first_close(text).map_or(Start::StepRef(0), Start::Perhaps)
}

/// The end of the first mark that ends thinking. A slash is the rarest of what they have in common.
fn first_close(text: &str) -> Option<usize> {
    memchr::memchr_iter(b'/', text.as_bytes()).find_map(|slash| {
        let closes = |close: &&str| {
            let start = slash.checked_sub(close.find('/')?)?;
            begins_ignoring_case(text.get(start..)?, close).then_some(start + close.len())
        };
        CLOSES.iter().find_map(closes)
    })
}

fn begins_ignoring_case(text: &str, mark: &str) -> bool {
    text.get(..mark.len())
        .is_some_and(|begin| begin.eq_ignore_ascii_case(mark))
}

fn find_ignoring_case(text: &str, mark: &str) -> Option<usize> {
    let first = mark.chars().next()?;
    text.match_indices(first)
        .map(|(at, _)| at)
        .find(|&at| begins_ignoring_case(&text[at..], mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinking_is_left_out() {
        for (text, start) in [
            ("{}", Start::StepRef(0)),
            ("<think>{}</think>{}", Start::StepRef(17)),
            (
                " <Thinking>x</Thinking>\n<reflection>y</reflection> 1",
                Start::StepRef(50),
            ),
            ("so it is 4</think> 5", Start::Perhaps(18)),
            ("{\"a\": \"</think>\"}", Start::Perhaps(15)),
            ("<think>for ever", Start::Never),
            ("<thin", Start::StepRef(0)),
            ("[THINK]{}[/THINK]1", Start::StepRef(17)),
            ("◁think▷{}◁/think▷1", Start::StepRef(25)),
            ("so it is 4[/THINK] 5", Start::Perhaps(18)),
            ("<|channel|>final<|message|>1", Start::StepRef(27)),
            (
                "<|channel|>analysis<|message|>2<|end|><|start|>assistant<|channel|>final<|message|>1",
                Start::StepRef(83),
            ),
            ("<|channel|>analysis<|message|>2", Start::Never),
            (
                "{\"a\": \"<|channel|>final<|message|>\"}",
                Start::StepRef(0),
            ),
        ] {
            assert_eq!(answer_start(text), start, "{text}");
        }
    }
}
