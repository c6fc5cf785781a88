//! The syntax of tool calls, found by the delimiters that a chat template contains.

use prompt_family::{COMMAND_R, CallBody, FAMILIES, Family, LLAMA4, PHI4_MINI, Turns};

/// The features of a chat template that writes no delimiters of calls: a marker that is a word, the tools where the model alone writes
/// calls, a call in Python, or the instruction to write one.
const MARKS: [(&[&str], &Family); 6] = [
    (&["functools["], &PHI4_MINI),
    (&["<|tool|>", "<|/tool|>"], &PHI4_MINI),
    (&["Action:", "\"tool_name\""], &COMMAND_R),
    (&[".name + '('"], &LLAMA4),
    (&[".name + \"(\""], &LLAMA4),
    (&["func_name1("], &LLAMA4),
];

/// Returns the family whose syntax of tool calls a chat template in Jinja contains: all delimiters of the syntax occur in it, or else
/// its features.
///
/// Of several families it is the one with the most delimiters. `None` if there is none, or if several remain with different
/// syntaxes.
pub(crate) fn call_family(template: &str) -> Option<&'static Family> {
    let mut best: Option<(usize, &'static Family, bool)> = None;
    for &family in FAMILIES {
        let count = written_delimiters(&family.turns, template);
        let same = |other: &Family| other.turns.answer_calls == family.turns.answer_calls;
        match &mut best {
            _ if count == 0 => {}
            Some((most, first, is_unique)) if *most == count => *is_unique &= same(first),
            Some((most, ..)) if *most > count => {}
            best => *best = Some((count, family, true)),
        }
    }
    let marked = || {
        MARKS
            .iter()
            .find(|(marks, _)| marks.iter().all(|mark| template.contains(mark)))
    };
    match best {
        Some((_, family, is_unique)) => is_unique.then_some(family),
        None => marked().map(|(_, family)| *family),
    }
}

/// The number of delimiters of calls, if the template contains all of them.
fn written_delimiters(turns: &Turns, template: &str) -> usize {
    let is_word = |text: &str| text.starts_with(char::is_alphabetic);
    let written = |delimiters: [&str; 5]| {
        let delimiters = delimiters.iter().filter(|delimiter| !delimiter.is_empty());
        match delimiters
            .clone()
            .all(|delimiter| template.contains(delimiter))
        {
            true => delimiters.count(),
            false => 0,
        }
    };
    let mut syntaxes = turns.answer_calls.iter();
    let delimited = syntaxes.find(|syntax| !syntax.open.is_empty() && !is_word(syntax.open));
    let delimited = delimited.map_or(0, |syntax| {
        let [key, value] = match syntax.body {
            // Without tags around the name, the arguments are not JSON.
            CallBody::Tags {
                name: ("", _),
                key,
                value,
                ..
            } => [key.0, value.0],
            _ => ["", ""],
        };
        written([syntax.section_open, syntax.open, syntax.close, key, value])
    });
    // Calls of Llama have no delimiters. The template writes their keys, and a header.
    let first = turns.answer_calls.first();
    let is_bare = first.is_some_and(|first| first.open.is_empty() && first.body == CallBody::Json);
    let header = turns.user.open.split_inclusive('>').next();
    match header.filter(|_| is_bare && !turns.calls.open.is_empty()) {
        Some(header) => {
            let key = turns.calls.middle.trim_start_matches(['"', ',', ' ']);
            delimited.max(written([header, turns.calls.open, key, "", ""]))
        }
        None => delimited,
    }
}

#[cfg(test)]
mod tests {
    use prompt_family::QWEN3;

    use super::*;

    #[test]
    fn the_family_is_found_by_its_delimiters() {
        let template = "…{{ '<tool_call>\n' + call | tojson + '\n</tool_call>' }}…";
        let family = call_family(template).expect("the delimiters are Qwen's");
        assert_eq!(family.turns.answer_calls, QWEN3.turns.answer_calls);
        assert_eq!(call_family("{{ messages[0].content }}"), None);
    }
}
