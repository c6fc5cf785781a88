//! Finds the end of the reasoning in an answer.

/// The delimiters of reasoning: opening and closing.
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

/// Closing delimiters whose opening delimiter some chat templates write themselves.
const CLOSES: [&str; 3] = ["</think>", "[/THINK]", "◁/think▷"];

/// The delimiters of models that write into channels. The last channel is the answer.
const CHANNEL: &str = "<|channel|>";
const FINAL: &str = "<|channel|>final<|message|>";

/// Where the answer begins.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Start {
    /// Here, after all reasoning.
    At(usize),
    /// Here, unless the closing delimiter is part of the answer: some chat templates open the reasoning themselves, so that only its
    /// end is in the text.
    Perhaps(usize),
    /// The reasoning is not closed.
    Never,
}

pub(crate) fn answer_start(text: &str) -> Start {
    let begun = text.trim_start();
    let begun = begun.strip_prefix("<|start|>assistant").unwrap_or(begun);
    if begun.starts_with(CHANNEL) {
        return match text.find(FINAL) {
            Some(at) => Start::At(at + FINAL.len()),
            None => Start::Never,
        };
    }
    let mut at = 0;
    loop {
        let rest = text[at..].trim_start();
        // All delimiters begin with one of these.
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
        return Start::At(at);
    }
    first_close(text).map_or(Start::At(0), Start::Perhaps)
}

/// The end of the first closing delimiter. They all contain a slash, which is rare in text.
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
            ("[THINK]{}[/THINK]1", Start::At(17)),
            ("◁think▷{}◁/think▷1", Start::At(25)),
            ("so it is 4[/THINK] 5", Start::Perhaps(18)),
            ("<|channel|>final<|message|>1", Start::At(27)),
            (
                "<|channel|>analysis<|message|>2<|end|><|start|>assistant<|channel|>final<|message|>1",
                Start::At(83),
            ),
            ("<|channel|>analysis<|message|>2", Start::Never),
            ("{\"a\": \"<|channel|>final<|message|>\"}", Start::At(0)),
        ] {
            assert_eq!(answer_start(text), start, "{text}");
        }
    }
}
