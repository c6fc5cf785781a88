//! The syntax of tool calls, found by the delimiters that a chat template contains.

use std::cmp::Reverse;

use prompt_family::{
    CALL_SYNTAXES, COMMAND_R, CallBody, CallSyntax, DEEPSEEK_V3_2, DEEPSEEK_V4, FAMILIES, Family,
    HY3, KIMI_K3, LFM2, LLAMA4, MINIMAX_M3, PHI4_MINI, Turns,
};

/// The features of a chat template that writes no delimiters of calls: a marker that is a word, the tools where the model alone writes
/// calls, a call in Python, or the instruction to write one.
const MARKS: [(&[&str], &Family); 7] = [
    (&["<|tool_list_start|>"], &LFM2),
    (&["functools["], &PHI4_MINI),
    (&["<|tool|>", "<|/tool|>"], &PHI4_MINI),
    (&["Action:", "\"tool_name\""], &COMMAND_R),
    (&[".name + '('"], &LLAMA4),
    (&[".name + \"(\""], &LLAMA4),
    (&["func_name1("], &LLAMA4),
];

/// Chat templates that compose the delimiters of calls from parts, so that no delimiter occurs in them: their tokens are strings of their
/// own.
const COMPOSED: [(&[&str], &Family); 5] = [
    (&["'｜DSML｜'", "function_calls>"], &DEEPSEEK_V3_2),
    (&["'｜DSML｜'"], &DEEPSEEK_V4),
    (&["'<tool_call{}>'", "':opensource'"], &HY3),
    (&["']<]minimax[>['"], &MINIMAX_M3),
    (&["'<|open|>'", "'<|close|>'", "'<|end_of_msg|>'"], &KIMI_K3),
];

fn composed_family(template: &str) -> Option<&'static Family> {
    let mut composed = COMPOSED.iter();
    let found = composed.find(|(tokens, _)| tokens.iter().all(|token| template.contains(token)));
    found.map(|(_, family)| *family)
}

/// Returns the family whose syntax of tool calls a chat template in Jinja contains: all delimiters of one of its syntaxes occur in it,
/// or else its features.
///
/// Of several families it is the one with the most delimiters, and of these the one that reads the least beside what the template
/// writes. `None` if there is none, or if several remain with different syntaxes.
pub(crate) fn call_family(template: &str) -> Option<&'static Family> {
    if let Some(family) = composed_family(template) {
        return Some(family);
    }
    let rank = |family: &'static Family| {
        let syntaxes = family.turns.answer_calls;
        let counts = syntaxes
            .iter()
            .map(|syntax| written_delimiters(syntax, template));
        let (count, unwritten) = counts.fold((0, 0), |(most, unwritten), count: usize| {
            (most.max(count), unwritten + usize::from(count == 0))
        });
        let count = count.max(written_keys(&family.turns, template));
        (count > 0).then_some((count, Reverse(unwritten)))
    };
    let families = FAMILIES.iter().chain(CALL_SYNTAXES).copied();
    let ranked: Vec<_> = families
        .filter_map(|family| Some((rank(family)?, family)))
        .collect();
    let Some(best) = ranked.iter().map(|(rank, _)| *rank).max() else {
        let mut marks = MARKS.iter();
        let marked = marks.find(|(marks, _)| marks.iter().all(|mark| template.contains(mark)));
        return marked.map(|(_, family)| *family);
    };
    let mut first = ranked
        .into_iter()
        .filter(|(rank, _)| *rank == best)
        .map(|(_, family)| family);
    let family = first.next()?;
    let is_unique = first.all(|other| other.turns.answer_calls == family.turns.answer_calls);
    is_unique.then_some(family)
}

/// Returns the delimiters of reasoning that a chat template contains.
pub(crate) fn reasoning_delimiters(template: &str) -> Option<(&'static str, &'static str)> {
    if let Some(family) = composed_family(template) {
        let (open, close) = family.turns.reasoning?;
        return Some((open.trim(), close.trim()));
    }
    let families = FAMILIES.iter().chain(CALL_SYNTAXES);
    let is_channel = |family: &&&Family| {
        let first = family.turns.answer_calls.first();
        first.is_some_and(|syntax| syntax.body == CallBody::Channel)
    };
    let mut pairs = families
        .filter(|family| !is_channel(family))
        .flat_map(|family| {
            let all = family
                .turns
                .reasoning
                .iter()
                .chain(family.turns.also_reasoning);
            all.map(|(open, close)| (open.trim(), close.trim()))
        });
    // A phrase may be an instruction.
    let is_token = |text: &str| !text.is_empty() && !text.starts_with(char::is_alphabetic);
    pairs.find(|(open, close)| is_token(open) && is_token(close) && template.contains(close))
}

/// Whether calls begin with a delimiter that is not a word.
fn is_delimited(syntax: &CallSyntax) -> bool {
    !syntax.open.is_empty() && !syntax.open.starts_with(char::is_alphabetic)
}

/// The number of delimiters of a syntax, if the template contains all of them.
fn written_delimiters(syntax: &CallSyntax, template: &str) -> usize {
    if !is_delimited(syntax) {
        return 0;
    }
    let [key, value] = match syntax.body {
        // Without tags around the name, the arguments are not JSON.
        CallBody::Tags {
            name: ("", _),
            key,
            value,
            ..
        } => [key.0, value.0],
        CallBody::BareKeys { quote, .. } => [quote, ""],
        _ => ["", ""],
    };
    let section_close = match syntax.section_open {
        // It may follow the calls, and the template writes it for something else.
        "" => "",
        _ => syntax.section_close,
    };
    count_all(
        [
            syntax.section_open,
            section_close,
            syntax.open,
            syntax.close,
            key,
            value,
        ],
        template,
    )
}

/// The number of keys and delimiters of a family whose calls have no delimiters (Llama): the template writes their keys, and a header.
fn written_keys(turns: &Turns, template: &str) -> usize {
    let first = turns.answer_calls.first();
    let is_bare = first.is_some_and(|first| first.open.is_empty() && first.body == CallBody::Json);
    let header = turns.user.open.split_inclusive('>').next();
    match header.filter(|_| is_bare && !turns.calls.open.is_empty()) {
        Some(header) => {
            let key = turns.calls.middle.trim_start_matches(['"', ',', ' ']);
            count_all([header, turns.calls.open, key], template)
        }
        None => 0,
    }
}

/// The number of texts that are not empty, if the template contains all of them.
fn count_all<const COUNT: usize>(texts: [&str; COUNT], template: &str) -> usize {
    let texts = texts.iter().filter(|text| !text.is_empty());
    match texts.clone().all(|text| template.contains(text)) {
        true => texts.count(),
        false => 0,
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

    /// As the templates of newer models do, which contain tags that are also those of other families.
    #[test]
    fn delimiters_that_are_composed_of_parts_are_found() {
        let minimax = "{% set ns = ']<]minimax[>[' %}{{ ns ~ '<tool_call>' }}{{ ns ~ '<invoke name=\"' }}{{ ns ~ '</tool_call>' }}";
        let kimi = "{{ '<|open|>' + tag + '<|sep|>' }}{{ '<|close|>' + tag }}<think>{{ '<|end_of_msg|>' }}";
        let hy3 = "{% set kind = ':opensource' %}{{ '<tool_call{}>'.format(kind) }}";
        let deepseek = "{% set dsml = '｜DSML｜' %}{{ '<' + dsml + 'NAME>' }}";
        let function_calls = deepseek.replace("NAME", "function_calls");
        let tool_calls = deepseek.replace("NAME", "tool_calls");
        for (template, family) in [
            (minimax, &MINIMAX_M3),
            (kimi, &KIMI_K3),
            (hy3, &HY3),
            (&function_calls, &DEEPSEEK_V3_2),
            (&tool_calls, &DEEPSEEK_V4),
        ] {
            assert_eq!(call_family(template), Some(family));
            assert!(reasoning_delimiters(template).is_some(), "{}", family.name);
        }
    }

    /// No template with the delimiters of one syntax is taken for one of another: all pairs of families, in both orders.
    #[test]
    fn each_syntax_is_distinguished_from_every_other() {
        let families: Vec<_> = FAMILIES.iter().chain(CALL_SYNTAXES).copied().collect();
        let written = |syntax: &CallSyntax| {
            let body = match syntax.body {
                CallBody::Tags {
                    name,
                    key,
                    value,
                    end,
                } => [name.0, name.1, key.0, key.1, value.0, value.1, end].join(" "),
                CallBody::Named { prefix, middle } => format!("{prefix} {middle}"),
                CallBody::BareKeys { prefix, quote } => format!("{prefix} {quote}"),
                CallBody::Elements { mark, name_end } => format!("{name_end} {mark}"),
                CallBody::Json | CallBody::JsonByName | CallBody::Python | CallBody::Channel => {
                    String::new()
                }
            };
            let CallSyntax {
                section_open,
                open,
                close,
                section_close,
                ..
            } = syntax;
            format!("{section_open} {open} {body} {close} {section_close}")
        };
        for family in &families {
            for syntax in family.turns.answer_calls {
                if !is_delimited(syntax) {
                    continue;
                }
                let found = call_family(&written(syntax));
                let is_read = found.is_some_and(|found| found.turns.answer_calls.contains(syntax));
                assert!(
                    is_read,
                    "{}: {syntax:?} is taken for {:?}",
                    family.name,
                    found.map(|found| found.name)
                );
            }
        }
        for (one, other) in families
            .iter()
            .flat_map(|one| families.iter().map(move |other| (one, other)))
        {
            let (Some(first), Some(second)) = (
                one.turns.answer_calls.first(),
                other.turns.answer_calls.first(),
            ) else {
                continue;
            };
            if !is_delimited(first) {
                continue;
            }
            // A template that writes one syntax and mentions the opening delimiter of another.
            let template = format!("{} {}", written(first), second.open);
            if let Some(found) = call_family(&template) {
                let reads = |syntax| found.turns.answer_calls.contains(syntax);
                assert!(
                    reads(first) || reads(second),
                    "{} and {}: {}",
                    one.name,
                    other.name,
                    found.name
                );
            }
        }
    }
}
