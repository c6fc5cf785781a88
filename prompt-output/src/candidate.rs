//! The candidates for the answer: every bracket in a text may begin one, in prose, in a fence, or in a fence that is not closed.
//!
//! The inside of a candidate is never searched: a wrong answer must not be replaced by a part of it that happens to fit. Only
//! brackets around prose or code are, since these are not notation.

use crate::choice::{DENIALS, has_not, is_negation, is_one_of};
use crate::lookahead::{window, window_before};
use crate::name::{Names, lists};
use crate::reader::{
    Candidate, Context, End, Entry, Kind, Node, ReadError, SyntaxRepair, has_ellipsis, parse_value,
};
use crate::repair::RepairKind;
use crate::string::decode_escapes;
use crate::unquoted::is_literal;
use prompt_syntax::Span;

/// All candidates of a text.
#[derive(Default)]
pub(crate) struct Candidates<'t> {
    pub candidates: Vec<Candidate<'t>>,
    /// How the text presents each of them.
    pub presentations: Vec<Presentation>,
    pub unreadable: Option<Unreadable>,
}

/// Where parsing was abandoned, and why.
#[derive(Clone, Copy)]
pub(crate) struct Unreadable {
    pub at: usize,
    pub why: &'static str,
}

/// The largest number of candidates. More values in a row are not an answer.
const MANY: usize = 50_000;

pub(crate) fn find_candidates<'t>(
    text: &'t str,
    from: usize,
    fences: &[Fence],
    context: &Context<'_>,
) -> Candidates<'t> {
    let mut found = Candidates::default();
    let mut at = from;
    let mut previous = from;
    let last = memchr::memrchr2(b'}', b']', text.as_bytes());
    while let Some(offset) = memchr::memchr2(b'{', b'[', &text.as_bytes()[at..]) {
        let start = at + offset;
        at = start + 1;
        if let Some(candidate) = escaped(text, start, last, context) {
            at = candidate.node.span.end.max(at);
            found
                .presentations
                .push(Presentation::of(text, from, previous, start, fences));
            previous = at;
            found.candidates.push(candidate);
            continue;
        }
        let fence = Fence::around(fences, start).filter(|fence| fence.closed);
        let end = fence.map_or(text.len(), |fence| fence.body.end);
        match read_here(text, start, end, context) {
            Ok(mut candidate) => {
                let mut presentation = Presentation::of(text, from, previous, start, fences);
                if presentation == Presentation::Mention && is_citation(&candidate.node) {
                    presentation = Presentation::Excluded;
                }
                candidate.notation = is_notation(text, &candidate.node, context.names)
                    || presentation == Presentation::Answer && is_list_of_words(&candidate.node);
                if candidate.notation {
                    at = candidate.node.span.end.max(at);
                } else if is_link(text, &candidate.node) {
                    continue;
                }
                found.presentations.push(presentation);
                previous = at;
                found.candidates.push(candidate);
                if found.candidates.len() == MANY {
                    found.unreadable = Some(Unreadable {
                        at: start,
                        why: "there are too many values here",
                    });
                    break;
                }
            }
            Err(ReadError::NotJson) => {}
            Err(stop) => {
                let (at, why) = match stop {
                    ReadError::TooDeep(at) => (at, "this is nested deeper than 127 levels"),
                    _ => (start, "this is too tangled to be read"),
                };
                found.unreadable = Some(Unreadable { at, why });
                break;
            }
        }
    }
    found.retract(text, fences, context.names);
    found
}

impl Candidates<'_> {
    /// Excludes the candidates that the text after them calls wrong (`[1] is wrong`) or corrects (`[1], I mean [2]`). If the text
    /// presented one as its answer, there is no answer: it may have been reported as final while the text arrived.
    fn retract(&mut self, text: &str, fences: &[Fence], names: &Names) {
        for place in 0..self.candidates.len() {
            let end = self.candidates[place].node.span.end;
            let next = self.candidates.get(place + 1);
            let start = next.map_or(text.len(), |next| next.node.span.start);
            let fence = Fence::around(fences, start).filter(|fence| fence.outer.start >= end);
            let start = fence.map_or(start, |fence| fence.outer.start);
            let after = text.get(end..start).unwrap_or_default();
            let is_corrected = next.is_some() && is_correction(after);
            if !is_corrected && !is_denial(after) && !is_amended(after, names) {
                continue;
            }
            if self.presentations[place] == Presentation::Answer && self.candidates[place].notation
            {
                let why = "the text after this value takes it back";
                self.unreadable.get_or_insert(Unreadable { at: end, why });
                self.presentations.fill(Presentation::Excluded);
                return;
            }
            self.presentations[place] = Presentation::Excluded;
            if is_corrected {
                self.presentations[place + 1] = Presentation::Answer;
            }
        }
    }

    /// The text between a candidate and the next one, or the end.
    fn after<'t>(&self, text: &'t str, place: usize) -> &'t str {
        let next = self.candidates.get(place + 1);
        let end = next.map_or(text.len(), |next| next.node.span.start);
        text.get(self.candidates[place].node.span.end..end)
            .unwrap_or_default()
    }

    pub(crate) fn is_list(&self, place: usize) -> bool {
        matches!(self.candidates[place].node.kind, Kind::List(_))
    }

    /// Whether the text offers the candidate at `other` beside the one at `place`, which is before it: `[1] or [2]`, `[1] [2]`, and
    /// if it `fits` the schema or is a second list, `[1] and then [2]` and `A: [1] B: [2]`; if it fits, `[1], final answer: [2]`.
    pub(crate) fn is_alternative(
        &self,
        text: &str,
        place: usize,
        other: usize,
        fits: bool,
    ) -> bool {
        let are_lists = self.is_list(place) && self.is_list(other);
        let joins = if are_lists { "or and & | /" } else { "or | /" };
        let is_offered = match self.presentations[other] {
            Presentation::Example => false,
            Presentation::Excluded => is_citation(&self.candidates[other].node),
            Presentation::Mention | Presentation::Answer => true,
        };
        let between = self.after(text, other - 1);
        let mut words = window_before(between, INTRODUCTION).split(|c: char| !c.is_alphanumeric());
        fits && self.presentations[other] == Presentation::Answer
            && words.any(|word| ANSWER_WORDS.contains(&&*word.to_lowercase()))
            || (place..other).all(|place| is_wordless(self.after(text, place)))
            || other == place + 1
                && (lists(joins, between.trim_matches(is_around))
                    || is_offered && (fits || are_lists) && is_brief(between))
    }

    /// Where the text leaves out items of a list, or of a row of candidates: `[1, 2], ...`, `[1, 2] and 3 more`.
    pub(crate) fn leaves_out(&self, text: &str, row: &[usize]) -> Option<usize> {
        let (last, inner) = row.split_last()?;
        let after = self.after(text, *last).trim_start();
        let rest = after.strip_prefix(',').unwrap_or_default().trim_start();
        let more = window(after, INTRODUCTION).trim_start_matches(is_around);
        let unsigned = more.trim_start_matches(['+', '&', ' ']);
        let mut words = unsigned.split(|c: char| !c.is_alphanumeric());
        let first = words.next().unwrap_or_default();
        let is_joined = unsigned.len() < more.len() || lists("and plus", first);
        let mut near = std::iter::once(first).chain(words.take(2));
        let is_more =
            lists("etc usw", first) || is_joined && near.any(|word| lists("more others", word));
        let is_inner = |place: &&usize| has_ellipsis(self.after(text, **place));
        let found = inner
            .iter()
            .find(is_inner)
            .or((is_more || rest.starts_with("...") || rest.starts_with('…')).then_some(last));
        found.map(|place| self.candidates[*place].node.span.end)
    }

    /// The objects that may be the items of one list: several in a row, without examples beside others.
    pub(crate) fn row(&self) -> Vec<usize> {
        let objects = |least| {
            let places = 0..self.candidates.len();
            let fits = |place: &usize| {
                let candidate = &self.candidates[*place];
                candidate.is_object() && self.presentations[*place] >= least
            };
            places.filter(fits).collect::<Vec<_>>()
        };
        let mut row = objects(Presentation::Mention);
        if row.is_empty() {
            row = objects(Presentation::Example);
        }
        if row.len() > 1 { row } else { Vec::new() }
    }
}

/// JSON that was escaped once too often, `{\"a\": 1}`: the content of a string without its quotes. It ends at the last closing
/// bracket.
fn escaped<'t>(
    text: &'t str,
    start: usize,
    last: Option<usize>,
    context: &Context<'_>,
) -> Option<Candidate<'t>> {
    if !is_escaped(text, start) {
        return None;
    }
    let end = last.filter(|&end| end > start)? + 1;
    let (decoded, _) = decode_escapes(&text[start..end], false);
    let node = context.node(
        Span::new(start, end),
        End::Sure,
        Kind::Quoted(decoded.into()),
    );
    Some(Candidate::new(node, Vec::new()))
}

/// Whether the brackets contain a string whose quotes are escaped.
pub(crate) fn is_escaped(text: &str, start: usize) -> bool {
    let mut inside = text[start + 1..].trim_start();
    while let Some(rest) = inside.strip_prefix("\\n") {
        inside = rest;
    }
    inside.trim_start().starts_with("\\\"")
}

/// Reads a value up to the end of its fence. If the value does not end there, the end of the fence may be part of a string.
fn read_here<'t>(
    text: &'t str,
    start: usize,
    end: usize,
    context: &Context<'_>,
) -> Result<Candidate<'t>, ReadError> {
    let candidate = parse_value(text, start, end, context)?;
    if candidate.node.end == End::Cut
        && end < text.len()
        && let Ok(whole) = parse_value(text, start, text.len(), context)
        && whole.node.end == End::Sure
    {
        return Ok(whole);
    }
    Ok(candidate)
}

/// Whether a bracket opens an object or a list in some notation, complete or not, and not prose or code.
pub(crate) fn is_notation(text: &str, node: &Node<'_>, names: &Names) -> bool {
    let is_value = |node: &Node<'_>| match &node.kind {
        Kind::Unquoted(word) => is_literal(word),
        _ => true,
    };
    match &node.kind {
        Kind::Object(entries) => {
            let inside = text[node.span.start + 1..node.span.end].trim_start();
            let sure = |entry: &Entry<'_>| names.knows(&entry.key) || is_value(&entry.value);
            inside.starts_with('"')
                || entries.iter().any(sure)
                || node.end != End::Cut && (names.open || !entries.is_empty())
        }
        Kind::List(items) => {
            items.iter().any(is_value)
                || node.end != End::Cut && items.len() > 1 && is_list_of_words(node)
        }
        Kind::Unquoted(_) | Kind::Quoted(_) => true,
    }
}

/// A list of unquoted words, or an empty container.
fn is_list_of_words(node: &Node<'_>) -> bool {
    let is_word = |item: &Node<'_>| matches!(&item.kind, Kind::Unquoted(word) if !word.contains(char::is_whitespace));
    node.is_empty()
        || matches!(&node.kind, Kind::List(items) if !items.is_empty() && items.iter().all(is_word))
}

/// `as noted in [2]`
fn is_citation(node: &Node<'_>) -> bool {
    let is_number =
        |item: &Node<'_>| matches!(item.kind, Kind::Unquoted(word) if word.parse::<u32>().is_ok());
    matches!(&node.kind, Kind::List(items) if items.len() == 1 && is_number(&items[0]))
}

/// `[text](address)`
fn is_link(text: &str, node: &Node<'_>) -> bool {
    matches!(node.kind, Kind::List(_)) && text[node.span.end..].starts_with('(')
}

/// How a text presents a candidate: its own answer is preferred to an example.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Presentation {
    /// `[2]` in prose, and a value that the text calls wrong or corrects: never the answer.
    Excluded,
    Example,
    /// Somewhere in the text.
    Mention,
    /// At the beginning, in a fence, after a colon, or after words such as `the answer is`.
    Answer,
}

/// Words before a candidate that is not the answer, and before one that is. The last of them decides.
const EXAMPLE_WORDS: [&str; 18] = [
    "example",
    "examples",
    "eg",
    "e.g",
    "instance",
    "sample",
    "wrong",
    "incorrect",
    "invalid",
    "not",
    "unlike",
    "instead",
    "input",
    "format",
    "schema",
    "template",
    "draft",
    "question",
];
const ANSWER_WORDS: [&str; 9] = [
    "answer",
    "answers",
    "result",
    "results",
    "output",
    "response",
    "solution",
    "final",
    "corrected",
];
/// The number of the words that also qualify a word of the answer: `an example output`.
const QUALIFIERS: usize = 10;

/// The longest inspected introduction of a candidate, in bytes.
const INTRODUCTION: usize = 200;

/// Characters around a value in prose.
fn is_around(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '*' | '_' | '`' | '"' | '\'' | ',' | ';' | '(' | '[' | ')' | ']'
        )
}

/// Whether a text contains no words but those of the opening line of a fence.
fn is_wordless(text: &str) -> bool {
    let mut lines = text
        .split('\n')
        .filter(|line| !line.trim_start().starts_with("```"));
    !lines.any(|line| line.contains(char::is_alphanumeric))
}

/// Whether the text between two values is only a label or joining words: `Option 2:`, `and then`, `followed by`.
fn is_brief(between: &str) -> bool {
    let lines = between.split('\n');
    let lines = lines.filter(|line| !line.trim_start().starts_with("```"));
    let words = lines.flat_map(|line| line.split(|c: char| !c.is_alphanumeric()));
    let words = words.filter(|word| !word.is_empty()).take(BRIEF + 1);
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    let refers = |word: &String| is_negation(word, DENIALS) || lists(REFERRING, word);
    words.len() <= BRIEF && !words.iter().any(refers)
}

/// The number of words between two values that are only a label.
const BRIEF: usize = 3;

/// Words between two values of which the second one is only mentioned.
const REFERRING: &str = "see cf source sources ref reference references note notes footnote from in per according page index \
    instead unlike example";

/// Whether the text after a value changes a part of it: `Actually the price is 2.`, `The price should be 2.`
fn is_amended(after: &str, names: &Names) -> bool {
    if !window(after, 2 * INTRODUCTION).contains(char::is_alphanumeric) {
        return false;
    }
    let is_stop = |c: char| matches!(c, '.' | '!' | '?' | '\n' | '(' | '。' | '！' | '？');
    let mut sentences = window(after, 2 * INTRODUCTION).split(is_stop);
    sentences.any(|sentence| {
        let words = sentence.split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty()).take(40);
        let words: Vec<String> = words.map(str::to_lowercase).collect();
        let Some(first) = words.first() else {
            return false;
        };
        let has_digit = sentence.contains(|c: char| c.is_ascii_digit());
        let has_value = has_digit || words.iter().any(|word| names.knows(word));
        // `No, the price is 2`, and not `No price was found`.
        let lead = sentence.trim_start_matches(|c: char| !c.is_alphanumeric());
        let begins = lists(AMENDING, first)
            || first == "no" && lead[first.len()..].starts_with(',')
            || AMENDING_CJK.iter().any(|word| first.starts_with(word));
        let mut denials = words.iter();
        let denies = denials.any(|word| lists("should wrong incorrect not instead missing", word));
        let mut pairs = words.windows(2).map(|two| (&*two[0], &*two[1]));
        let is_changed = pairs.any(|pair| match pair {
            ("i", "meant" | "mean") | ("second", "thought" | "thoughts") => has_value,
            ("should", "be" | "have") => has_digit,
            ("correct", name) => has_digit && names.knows(name),
            _ => false,
        });
        begins && (has_value || denies) || is_changed
    })
}

/// Words that begin a correction.
const AMENDING: &str = "actually wait sorry rather oops hmm edit erratum correction corrected tatsächlich eigentlich korrektur \
    entschuldigung corrección perdón pardon correzione correção исправление";
const AMENDING_CJK: [&str; 5] = ["更正", "纠正", "修正", "其实", "实际上"];

/// Whether the text after a value calls it wrong: `is wrong`, `would not be right`, `isn't right`.
fn is_denial(after: &str) -> bool {
    let clause = window(after, INTRODUCTION).trim_start_matches(is_around);
    if clause.is_empty() {
        return false;
    }
    if DENIED_CJK.iter().any(|word| clause.starts_with(word)) {
        return true;
    }
    let mut sentences = clause.split(['.', '!', '\n', '(']);
    if sentences.any(is_retraction) {
        return true;
    }
    let clause = clause.split(['.', ',', ';', '!', '\n', '(']).next();
    let mut words = clause.unwrap_or_default().split(' ');
    let verb = words.next().unwrap_or_default();
    has_not(verb)
        || lists(VERBS, verb)
            && words.take(2).any(|word| {
                is_negation(word, DENIALS) || EXAMPLE_WORDS[..QUALIFIERS].contains(&word)
            })
}

/// Whether a sentence after a value takes it back: `This is incorrect`, `Ignore that`, `Not correct`.
fn is_retraction(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).take(6).collect();
    let words = match &*words {
        ["please" | "so" | "but" | "sorry" | "no", rest @ ..] => rest,
        words => words,
    };
    match words {
        ["ignore" | "disregard" | "scratch" | "discard", ..] => true,
        ["not", second, ..] => lists("correct right final complete", second),
        ["that's" | "that’s" | "it's" | "it’s", rest @ ..]
        | ["this" | "that" | "it", "is" | "was", rest @ ..] => {
            rest.iter().take(3).any(|word| lists(TAKEN_BACK, word))
        }
        ["these" | "those" | "they", "are" | "were", rest @ ..] => {
            rest.iter().take(3).any(|word| lists(TAKEN_BACK, word))
        }
        _ => false,
    }
}

/// Words for a value that is not the answer.
const TAKEN_BACK: &str = "wrong incorrect invalid untrue placeholder placeholders draft example examples sample hypothetical fictional made";

const VERBS: &str = "is was are were would ist sind war es son est sont è é";
const DENIED_CJK: [&str; 5] = ["不对", "不是", "错", "是错", "不正确"];

/// Whether the text between two values replaces the first by the second: `I mean`, `Wait, actually:`, `Correction:`.
fn is_correction(between: &str) -> bool {
    let lead = window_before(between, INTRODUCTION).to_lowercase();
    let lead = lead.trim_end_matches(|c: char| !c.is_alphanumeric());
    let mut sentences = lead.rsplit(['.', '!', '?', '\n']);
    let sentence = sentences.find(|part| part.contains(char::is_alphabetic));
    let words = sentence
        .unwrap_or_default()
        .split(|c: char| !c.is_alphabetic());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let begins = words
        .first()
        .is_some_and(|word| lists("actually wait sorry rather no", word));
    begins && words.len() <= 4
        || words
            .windows(2)
            .any(|two| matches!(two, ["i", "mean" | "meant"]))
        || words
            .iter()
            .any(|word| lists("oops mistake correction corrected", word))
}

impl Presentation {
    /// The presentation of the candidate at `start`, judged by the text since the previous one.
    pub(crate) fn of(
        text: &str,
        from: usize,
        previous: usize,
        start: usize,
        fences: &[Fence],
    ) -> Presentation {
        let fence = Fence::around(fences, start).filter(|fence| fence.outer.start >= previous);
        let before = &text[previous..fence.map_or(start, |fence| fence.outer.start)];
        let near = window_before(before, INTRODUCTION);
        let lead = near.trim_end_matches(|c: char| c.is_whitespace() || "*_`\"'([".contains(c));
        if lead.is_empty() && previous == from && near.len() == before.len() {
            return Presentation::Answer;
        }
        let line = lead.rsplit('\n').next().unwrap_or_default();
        let sentence = line.rsplit(". ").next().unwrap_or_default();
        let introduced = fence.is_some()
            || lead.ends_with([':', '=', '>'])
            || lead.ends_with(" is")
            || lead.ends_with(" are");
        let mut presentation = match introduced {
            true => Presentation::Answer,
            false => Presentation::Mention,
        };
        let mut qualified = false;
        for word in sentence.split(|c: char| !c.is_alphanumeric() && c != '.') {
            let word = word.trim_matches('.').to_lowercase();
            if let Some(place) = EXAMPLE_WORDS.iter().position(|known| *known == word) {
                presentation = Presentation::Example;
                qualified = place < QUALIFIERS;
            } else if word.contains(|c: char| c.is_ascii_digit()) && !introduced {
                // `the answer is 5 [1]`
                presentation = Presentation::Mention;
            } else if !word.is_empty() {
                if !qualified && ANSWER_WORDS.contains(&word.as_str()) {
                    presentation = Presentation::Answer;
                }
                qualified = false;
            }
        }
        match presentation {
            // `Wrong: [1]`
            _ if is_rejected(sentence) => Presentation::Excluded,
            // `not [1]`
            _ if !introduced && is_denied(sentence) => Presentation::Excluded,
            // `Don't return this:`
            _ if sentence.contains(['\'', '’']) && sentence.split(' ').any(has_not) => {
                Presentation::Example
            }
            presentation => presentation,
        }
    }
}

/// Whether the last word of a sentence is a negation.
fn is_denied(sentence: &str) -> bool {
    let mut words = sentence.rsplit(|c: char| !c.is_alphanumeric());
    words.find(|word| !word.is_empty()).is_some_and(|word| {
        lists(
            "not no nicht kein keine pas não не nunca 不是 并非",
            &word.to_lowercase(),
        )
    })
}

/// Whether the words before a value reject it: `Wrong:`, `Never return`, `Don't use:`, `The answer isn't`.
fn is_rejected(sentence: &str) -> bool {
    let mut words = sentence.split([' ', ':']);
    let first = words.find(|word| !word.is_empty()).unwrap_or_default();
    let begins = is_one_of(first.trim_matches('*'), "wrong incorrect invalid never");
    if !begins && !sentence.contains(['\'', '’']) {
        return false;
    }
    let words = sentence.split(|c: char| c.is_whitespace() || c == ':');
    let words = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let mut words = words.filter(|word| !word.is_empty()).take(5);
    let Some(first) = words.next() else {
        return false;
    };
    let (count, last) = words.fold((1, first), |(count, _), word| (count + 1, word));
    count <= 4 && (begins || has_not(first) || has_not(last))
}

/// The repairs for the text around an answer.
pub(crate) fn surroundings(
    text: &str,
    from: usize,
    span: Span,
    fences: &[Fence],
) -> Vec<SyntaxRepair> {
    let mut repairs = Vec::new();
    if from > 0 {
        repairs.push(SyntaxRepair {
            kind: RepairKind::Thinking,
            span: Span::new(0, from),
        });
    }
    let mut around = [Span::new(from, span.start), Span::new(span.end, text.len())];
    if let Some(fence) = Fence::around(fences, span.start) {
        let opening = Span::new(fence.outer.start, fence.body.start);
        repairs.push(SyntaxRepair {
            kind: RepairKind::Fence,
            span: opening,
        });
        let before = Span::new(fence.body.start, span.start);
        let after = Span::new(span.end, fence.body.end.max(span.end));
        prose(text, before, &mut repairs);
        prose(text, after, &mut repairs);
        around[0].end = fence.outer.start;
        around[1].start = fence.outer.end.max(span.end);
    }
    for part in around {
        prose(text, part, &mut repairs);
    }
    repairs
}

fn prose(text: &str, span: Span, repairs: &mut Vec<SyntaxRepair>) {
    let Some(part) = text.get(span.start..span.end) else {
        return;
    };
    let body = part.trim();
    if body.is_empty() {
        return;
    }
    let start = span.start + (part.len() - part.trim_start().len());
    let kind = RepairKind::Prose;
    repairs.push(SyntaxRepair {
        kind,
        span: Span::new(start, start + body.len()),
    });
}

/// A Markdown fence in a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fence {
    /// From the opening line to the end of the closing line.
    pub outer: Span,
    pub body: Span,
    pub closed: bool,
}

impl Fence {
    /// The fence whose body contains a position. The fences are in order.
    pub(crate) fn around(fences: &[Fence], place: usize) -> Option<&Fence> {
        let next = fences.partition_point(|fence| fence.body.end <= place);
        fences.get(next).filter(|fence| fence.body.start <= place)
    }
}

/// Returns the fences of a text after a position. Opening and closing lines may be indented; a closing line contains nothing else.
pub(crate) fn find_fences(text: &str, from: usize) -> Vec<Fence> {
    let mut fences: Vec<Fence> = Vec::new();
    let mut open: Option<(usize, usize, char, usize)> = None;
    let bytes = text.as_bytes();
    let mut next = from;
    // Only lines with a fence character.
    while let Some(offset) = memchr::memchr2(b'`', b'~', &bytes[next..]) {
        let at = next + offset;
        let start = memchr::memrchr(b'\n', &bytes[next..at]).map_or(next, |end| next + end + 1);
        let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |end| at + end + 1);
        let line = &text[start..end];
        next = end;
        let indent = line.len() - line.trim_start().len();
        let trimmed = line.trim();
        let mark = trimmed
            .chars()
            .next()
            .filter(|mark| matches!(mark, '`' | '~'))
            .unwrap_or(' ');
        let length = trimmed.chars().take_while(|&letter| letter == mark).count();
        match open {
            Some((outer, body, opening, count))
                if mark == opening && length >= count && length == trimmed.len() =>
            {
                let outer = Span::new(outer, end);
                fences.push(Fence {
                    outer,
                    body: Span::new(body, start),
                    closed: true,
                });
                open = None;
            }
            None if mark != ' ' && length >= 3 && !trimmed[length..].contains('`') => {
                let fence = start + indent;
                let info = &text[fence + length..end];
                // The answer may begin on the opening line: "```json {".
                let body = info.find(['{', '[']).map_or(end, |at| fence + length + at);
                open = Some((fence, body, mark, length));
            }
            _ => {}
        }
    }
    if let Some((outer, body, ..)) = open {
        let end = text.len();
        let outer = Span::new(outer, end);
        fences.push(Fence {
            outer,
            body: Span::new(body.min(end), end),
            closed: false,
        });
    }
    fences
}

#[cfg(test)]
mod fence_tests {
    use super::*;

    #[test]
    fn fences() {
        let bodies = |text: &str| -> Vec<(String, bool)> {
            let fences = find_fences(text, 0);
            fences
                .iter()
                .map(|f| (text[f.body.start..f.body.end].to_owned(), f.closed))
                .collect()
        };
        let one = |body: &str, closed| vec![(body.to_owned(), closed)];
        assert_eq!(bodies("a\n```json\n{}\n```\nb"), one("{}\n", true));
        assert_eq!(bodies("  ~~~\nx\n  ~~~"), one("x\n", true));
        assert_eq!(
            bodies("```json {\"a\":\n1}\n```"),
            one("{\"a\":\n1}\n", true)
        );
        assert_eq!(bodies("```\nnever closed"), one("never closed", false));
        assert_eq!(
            bodies("```\n{\"code\": \"```\",\n1}\n```"),
            one("{\"code\": \"```\",\n1}\n", true)
        );
        assert_eq!(bodies("`inline` and ```x``` too").len(), 0);
        assert_eq!(bodies("```\na\n```\n\n```\nb\n```").len(), 2);
    }
}
