//! What the words around a value say of it: that it is the answer, an example, wrong, limited, corrected, or one of several.

use crate::fence::Fence;
use crate::lookahead::{window_after, window_before};
use crate::name::{Names, is_one_of, word_list};

/// Words for `not`, before or after what they deny.
const NOT: [&str; 18] = word_list(
    "not no never nicht kein keine niemals pas não nunca niet geen ikke inte не нет nie değil",
);
/// Further words that negate what follows in their clause, or make it a question or a condition.
const NEGATIONS: [&str; 79] = word_list(
    "non neither nor none nothing nobody cannot cant dont isnt doesnt wasnt arent without hardly barely \
    scarcely lack lacks lacking absence fails except excluding unlike than instead far unlikely ruled exclude excludes remove \
    excluded reject rejects rejected avoid disagree opposite reverse contrary if whether unless zero 0 kaum weder ohne \
    jamais jamás aucun aucune sauf sans ni excepto salvo sin senza nooit zonder uten uden utan ни без кроме никогда bez nem لا ليس keinen keiner \
    keinem keines außer",
);
/// Words that call a value wrong.
const WRONG: [&str; 15] = word_list(
    "wrong incorrect invalid untrue falsch incorrecto incorrecta falso faux fausse errado sbagliato onjuist fout \
    неверно",
);
/// Further words that negate what precedes them, or make it a condition.
const DENIALS: [&str; 12] =
    word_list("absent excluded isnt wasnt arent cannot unlikely ruled rejected if unless until");
/// Text that denies what precedes it, in scripts without spaces: `positiveではない`.
const DENIALS_CJK: [&str; 7] = ["ない", "아니", "않", "不对", "不是", "是错", "不正确"];
/// Characters that negate what follows, in such scripts.
const NEGATIONS_CJK: [char; 7] = ['不', '非', '没', '沒', '无', '無', '除'];
/// Words in parentheses after a value that take it back, next to those that call it wrong: `red (removed)`.
const REMOVED: [&str; 4] = word_list("removed deleted rejected excluded");
/// Words for a value that is not the answer, next to those that call it wrong: `This is a placeholder`.
const PLACEHOLDERS: [&str; 10] = word_list(
    "placeholder placeholders draft example examples sample samples hypothetical fictional made",
);
/// Words directly before a value that limit it, compare with it, or make it an example: `below high`, `at least 42`, `e.g. 7`.
pub(crate) const COMPARISONS: [&str; 35] = word_list(
    "least most less below above under over almost nearly beyond exceeds exceeding than eg e.g \
    example instance partly partially half min max minimum maximum mindestens höchstens über unter fast beinahe knapp casi presque menos \
    moins",
);
/// Words after a value and `and` that make it a limit: `medium and above`.
const LIMITS: [&str; 12] =
    word_list("above below higher lower more less better worse greater later earlier up");
/// Others than the one who answers: `Some would say red`.
const SOMEONE: [&str; 5] = word_list("some people many they others");
/// Signs that reject the value beside them: a cross, an empty box, a line through the text.
const CROSSES: [&str; 8] = ["✗", "✘", "❌", "☐", "🚫", "👎", "[ ]", "~~"];
/// Words between two values of which the second one is only mentioned.
const REFERRING: [&str; 19] = word_list(
    "see cf source sources ref reference references note notes footnote from in per according page index \
    instead unlike example",
);
/// Words that begin a correction.
const CORRECTIONS: [&str; 20] = word_list(
    "actually wait sorry rather oops hmm edit erratum correction corrected tatsächlich eigentlich korrektur \
    entschuldigung corrección perdón pardon correzione correção исправление",
);
/// The same in scripts without spaces between words.
const CORRECTIONS_CJK: [&str; 5] = ["更正", "纠正", "修正", "其实", "实际上"];
/// Verbs between a value and a judgment of it: `[1] is wrong`.
const VERBS: [&str; 14] = word_list("is was are were would ist sind war es son est sont è é");
/// Words before a value that is an example, next to those that call it wrong. They also qualify a word of the answer: `an example
/// output`.
const EXAMPLES: [&str; 9] = word_list("example examples eg e.g instance sample not unlike instead");
/// Words before a value that is not the answer, which do not qualify a word of the answer.
const INPUTS: [&str; 6] = word_list("input format schema template draft question");
/// Words before a value that is the answer.
pub(crate) const ANSWERS: [&str; 9] =
    word_list("answer answers result results output response solution final corrected");

/// Quotes, white space and the signs of Markdown around a word.
pub(crate) const DECORATION: [char; 9] = ['*', '_', '`', '"', '\'', '“', '”', ' ', '\t'];

/// Whether a word calls a value wrong.
fn is_wrong(word: &str) -> bool {
    is_one_of(word, &WRONG)
}

/// Whether a word is one for `not`, or a verb with `n't`.
fn is_not(word: &str) -> bool {
    has_not(word) || is_one_of(word, &NOT)
}

/// Whether a word is a verb with `n't`.
pub(crate) fn has_not(word: &str) -> bool {
    ["n't", "n’t", "N'T"].iter().any(|not| word.ends_with(not))
}

/// Whether a word negates what follows it.
fn is_negation(word: &str) -> bool {
    is_not(word) || is_one_of(word, &NEGATIONS)
}

/// Whether a word denies what precedes it: `positive is wrong`.
pub(crate) fn is_denial(word: &str) -> bool {
    is_not(word) || is_wrong(word) || is_one_of(word, &DENIALS)
}

/// The words of a text (letters, digits, `_` and apostrophes inside them) and their positions.
pub(crate) fn prose_words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let letter = |c: char| c.is_alphanumeric() || c == '_' || c == '\'' || c == '’';
        let start = rest + text[rest..].find(letter)?;
        let end = text[start..]
            .find(|c| !letter(c))
            .map_or(text.len(), |length| start + length);
        rest = end;
        let word = text[start..end].trim_start_matches(['\'', '’']);
        Some((end - word.len(), word.trim_end_matches(['\'', '’'])))
    })
}

/// Whether the clause around a part of a text negates it, or the clause around a quotation that contains it.
pub(crate) fn is_negated(text: &str, start: usize, end: usize) -> bool {
    is_crossed_out(text, start, end)
        || is_negated_by_clause(text, start, end)
        || enclosing_quotation(text, start, end)
            .is_some_and(|(start, end)| is_negated_by_clause(text, start, end))
}

/// Whether a sign beside a part of a text rejects or questions it: `!red`, `red ❌`, `red?`.
pub(crate) fn is_crossed_out(text: &str, start: usize, end: usize) -> bool {
    let before = text[..start].trim_end();
    let after = text[end..].trim_start_matches(|c: char| c == ')' || DECORATION.contains(&c));
    let is_beside = |cross: &&str| before.ends_with(*cross) || after.starts_with(*cross);
    let compares = ["≥", "≤", "≠", ">=", "<=", "!=", "<>"];
    compares.iter().any(|sign| before.ends_with(sign))
        || text[..start].ends_with(['!', '¬'])
        || after.starts_with(['?', '？'])
        || CROSSES.iter().any(is_beside)
}

/// The quotation in one line that a part of a text is in: `It is not "high"`.
fn enclosing_quotation(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let before = window_before(&text[..start], MAX_CLAUSE);
    let line = before.rsplit('\n').next().unwrap_or_default();
    let is_quote = |c: char| matches!(c, '"' | '“' | '”');
    let opening = line.rfind(is_quote)?;
    let is_open = line.matches(is_quote).count() % 2 == 1;
    let after = window_after(&text[end..], MAX_CLAUSE);
    let closing = after.find(|c| is_quote(c) || c == '\n')?;
    let quote = after[closing..].chars().next().filter(|&c| is_quote(c))?;
    let end = end + closing + quote.len_utf8();
    is_open.then_some((start - line.len() + opening, end))
}

fn is_negated_by_clause(text: &str, start: usize, end: usize) -> bool {
    is_negated_before(&text[..start]) || is_negated_after(&text[start..end], &text[end..])
}

/// Whether the clause before a value negates or limits it. A clause ends at a punctuation mark, or at `but`.
fn is_negated_before(text: &str) -> bool {
    let is_stop = |c: char| {
        matches!(
            c,
            '.' | ',' | ';' | ':' | '!' | '?' | '\n' | '(' | '—' | '–' | '"'
        )
    };
    let text = window_before(text, MAX_CLAUSE);
    let before = text.rsplit(is_stop).next().unwrap_or_default();
    let mut negated = false;
    let (mut previous, mut second) = ("", "");
    for (_, word) in prose_words(before) {
        negated |= match (previous, word) {
            ("used", "to") | ("would", "have") => true,
            ("would", "say") => is_one_of(second, &SOMEONE),
            (who, "say") => is_one_of(who, &SOMEONE),
            _ => false,
        };
        match word {
            "but" => negated = is_one_of(previous, &["anything", "everything", "all"]),
            _ => negated |= is_negation(word),
        }
        (second, previous) = (previous, word);
    }
    // `not: red`
    let lead = text.trim_end().strip_suffix([':', '(']).unwrap_or_default();
    let is_offer = |word| {
        is_one_of(
            word,
            &["options", "choices", "candidates", "categories", "labels"],
        )
    };
    negated
        || prose_words(lead)
            .last()
            .is_some_and(|(_, word)| is_negation(word) || is_offer(word))
        || is_one_of(previous, &COMPARISONS)
        || previous == "or"
        || text.trim_end().to_ascii_lowercase().ends_with("e.g.")
        || previous == "as" && second == "such"
        || previous == "to" && is_one_of(second, &["up", "close"])
        || previous == "of" && is_one_of(second, &["half", "minimum", "maximum"])
        || previous == "as" && is_one_of(second, &["many", "much", "few", "little"])
        || before
            .chars()
            .rev()
            .take(3)
            .any(|c| NEGATIONS_CJK.contains(&c))
}

/// Whether the clause after a value denies, limits or retracts it.
fn is_negated_after(value: &str, text: &str) -> bool {
    let is_stop = |c: char| matches!(c, '.' | ',' | ';' | '!' | '\n' | '(' | '—' | '–' | '"');
    let rest = window_after(text, MAX_CLAUSE);
    let after = rest.split(is_stop).next().unwrap_or_default();
    let words_of = |text| prose_words(text).map(|(_, word)| word);
    let is_no = is_one_of(value, &["no", "false"]);
    // `red, I think not`
    let next = rest[after.len()..].strip_prefix(',').unwrap_or_default();
    let mut words = words_of(next.split(is_stop).next().unwrap_or_default());
    let is_retracted = !is_no
        && words.find(|word| {
            !is_one_of(
                word,
                &["i", "think", "guess", "or", "maybe", "perhaps", "probably"],
            )
        }) == Some("not")
        && words.next().is_none();
    // `red, but only if it rains`
    let mut words = words_of(next.split(['.', ';', '!', '\n']).next().unwrap_or_default());
    let is_limited = words.next() == Some("but")
        && words.any(|word| is_wrong(word) || is_one_of(word, &["if", "unless"]));
    // `red (removed)`
    let remark = rest.trim_start().strip_prefix(['(', '—', '–', '-']);
    let mut words = words_of(remark.unwrap_or_default());
    let is_removed = words
        .next()
        .is_some_and(|word| is_wrong(word) || is_one_of(word, &REMOVED));
    // `red = false`
    let set = rest.trim_start();
    let set = match set.trim_start_matches(['=', ':']) {
        value if value.len() < set.len() => value,
        _ => "",
    };
    let set = set.split_whitespace().next().unwrap_or_default();
    let is_unset = is_one_of(
        set.trim_end_matches(['.', ',', ')']),
        &["0", "0%", "false", "none"],
    );
    let mut words = words_of(after);
    let [first, second] = [words.next(), words.next()].map(Option::unwrap_or_default);
    is_retracted
        || is_limited
        || is_removed
        || is_unset
        || first == "or"
        || first == "and" && is_one_of(second, &LIMITS)
        || first == "at" && is_one_of(second, &["least", "most"])
        || is_one_of(first, &["min", "max", "minimum", "maximum"])
        || DENIALS_CJK.iter().any(|denial| after.contains(denial))
        || after.contains('吗')
        || after.trim_end().ends_with(['?', '？'])
        // `No, never`
        || [first, second].into_iter().chain(words.next())
            .skip_while(|word| is_no && is_one_of(word, &["not", "no", "never"]))
            .any(is_denial)
}

/// The longest inspected clause, in bytes.
const MAX_CLAUSE: usize = 120;

/// Phrases with which models begin a refusal.
const REFUSALS: [&str; 16] = [
    "i'm sorry",
    "i am sorry",
    "sorry",
    "i can't",
    "i cannot",
    "i can not",
    "i won't",
    "i will not",
    "i'm unable",
    "i am unable",
    "i'm not able",
    "i am not able",
    "as an ai",
    "i apologize",
    "i don't know",
    "unfortunately",
];

/// Whether a text begins like a refusal, so that nothing in it is an answer.
pub(crate) fn is_model_refusal(text: &str) -> bool {
    let text = text.trim_start();
    // All phrases begin with one of these.
    if !text.starts_with(['i', 's', 'a', 'u', 'I', 'S', 'A', 'U']) {
        return false;
    }
    let start: String = text
        .chars()
        .take(20)
        .map(|letter| {
            if letter == '’' {
                '\''
            } else {
                letter.to_ascii_lowercase()
            }
        })
        .collect();
    REFUSALS.iter().any(|phrase| {
        start
            .strip_prefix(phrase)
            .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    })
}

/// The longest inspected introduction of a candidate, in bytes.
pub(crate) const MAX_INTRODUCTION: usize = 200;

/// Characters around a value in prose.
pub(crate) fn is_around(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '*' | '_' | '`' | '"' | '\'' | ',' | ';' | '(' | '[' | ')' | ']'
        )
}

/// Whether a text contains no words but those of the opening line of a fence.
pub(crate) fn is_wordless(text: &str) -> bool {
    let mut lines = text
        .split('\n')
        .filter(|line| !line.trim_start().starts_with("```"));
    !lines.any(|line| line.contains(char::is_alphanumeric))
}

/// Whether the text between two values is only a label or joining words: `Option 2:`, `and then`, `followed by`.
pub(crate) fn is_brief(between: &str) -> bool {
    let lines = between.split('\n');
    let lines = lines.filter(|line| !line.trim_start().starts_with("```"));
    let words = lines.flat_map(|line| line.split(|c: char| !c.is_alphanumeric()));
    let words = words
        .filter(|word| !word.is_empty())
        .take(MAX_LABEL_WORDS + 1);
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    let refers = |word: &String| is_denial(word) || is_one_of(word, &REFERRING);
    words.len() <= MAX_LABEL_WORDS && !words.iter().any(refers)
}

/// The number of words between two values that are only a label.
const MAX_LABEL_WORDS: usize = 3;

/// Whether the text after a value takes it back: calls it wrong, or changes a part of it.
pub(crate) fn is_taken_back(after: &str, names: &Names) -> bool {
    is_called_wrong(after) || is_amended(after, names)
}

/// Whether the text after a value changes a part of it: `Actually the price is 2.`, `The price should be 2.`
fn is_amended(after: &str, names: &Names) -> bool {
    let after = window_after(after, 2 * MAX_INTRODUCTION);
    if !after.contains(char::is_alphanumeric) {
        return false;
    }
    let is_stop = |c: char| matches!(c, '.' | '!' | '?' | '\n' | '(' | '。' | '！' | '？');
    after.split(is_stop).any(|sentence| {
        let words = sentence.split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty()).take(40);
        let words: Vec<String> = words.map(str::to_lowercase).collect();
        let Some(first) = words.first() else {
            return false;
        };
        let has_digit = sentence.contains(|c: char| c.is_ascii_digit());
        let has_value = has_digit || words.iter().any(|word| names.contains(word));
        // `No, the price is 2`, and not `No price was found`.
        let lead = sentence.trim_start_matches(|c: char| !c.is_alphanumeric());
        let begins = is_one_of(first, &CORRECTIONS)
            || first == "no" && lead[first.len()..].starts_with(',')
            || CORRECTIONS_CJK.iter().any(|word| first.starts_with(word));
        let mut denials = words.iter();
        let denies = denials.any(|word| {
            is_wrong(word) || is_one_of(word, &["should", "not", "instead", "missing"])
        });
        let mut pairs = words.windows(2).map(|two| (&*two[0], &*two[1]));
        let is_changed = pairs.any(|pair| match pair {
            ("i", "meant" | "mean") | ("second", "thought" | "thoughts") => has_value,
            ("should", "be" | "have") => has_digit,
            ("correct", name) => has_digit && names.contains(name),
            _ => false,
        });
        begins && (has_value || denies) || is_changed
    })
}

/// Whether the text after a value calls it wrong: `is wrong`, `would not be right`, `isn't right`.
fn is_called_wrong(after: &str) -> bool {
    let clause = window_after(after, MAX_INTRODUCTION).trim_start_matches(is_around);
    if clause.is_empty() {
        return false;
    }
    if clause.starts_with('错') || DENIALS_CJK.iter().any(|denial| clause.starts_with(denial)) {
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
        || is_one_of(verb, &VERBS)
            && words
                .take(2)
                .any(|word| is_denial(word) || is_one_of(word, &EXAMPLES))
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
        ["not", second, ..] => is_one_of(second, &["correct", "right", "final", "complete"]),
        ["that's" | "that’s" | "it's" | "it’s", rest @ ..]
        | ["this" | "that" | "it", "is" | "was", rest @ ..]
        | ["these" | "those" | "they", "are" | "were", rest @ ..] => {
            let is_no_answer = |word: &&str| is_wrong(word) || is_one_of(word, &PLACEHOLDERS);
            rest.iter().take(3).any(is_no_answer)
        }
        _ => false,
    }
}

/// Whether the text between two values replaces the first by the second: `I mean`, `Wait, actually:`, `Correction:`.
pub(crate) fn is_correction(between: &str) -> bool {
    let lead = window_before(between, MAX_INTRODUCTION).to_lowercase();
    let lead = lead.trim_end_matches(|c: char| !c.is_alphanumeric());
    let mut sentences = lead.rsplit(['.', '!', '?', '\n']);
    let sentence = sentences.find(|part| part.contains(char::is_alphabetic));
    let words = sentence
        .unwrap_or_default()
        .split(|c: char| !c.is_alphabetic());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let begins = words
        .first()
        .is_some_and(|word| *word == "no" || is_one_of(word, &CORRECTIONS));
    begins && words.len() <= 4
        || words
            .windows(2)
            .any(|two| matches!(two, ["i", "mean" | "meant"]))
        || words
            .iter()
            .any(|word| is_one_of(word, &["oops", "mistake", "correction", "corrected"]))
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

impl Presentation {
    /// The presentation of the candidate at `start`, judged by the text since the previous one.
    pub(crate) fn from_context(
        text: &str,
        from: usize,
        previous: usize,
        start: usize,
        fences: &[Fence],
    ) -> Presentation {
        let fence =
            Fence::find_containing(fences, start).filter(|fence| fence.outer.start >= previous);
        let before = &text[previous..fence.map_or(start, |fence| fence.outer.start)];
        let near = window_before(before, MAX_INTRODUCTION);
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
            let word = word.trim_matches('.');
            let qualifies = is_wrong(word) || is_one_of(word, &EXAMPLES);
            if qualifies || is_one_of(word, &INPUTS) {
                presentation = Presentation::Example;
                qualified = qualifies;
            } else if word.contains(|c: char| c.is_ascii_digit()) && !introduced {
                // `the answer is 5 [1]`
                presentation = Presentation::Mention;
            } else if !word.is_empty() {
                if !qualified && is_one_of(word, &ANSWERS) {
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
    words
        .find(|word| !word.is_empty())
        .is_some_and(|word| is_not(word) || is_one_of(word, &["不是", "并非"]))
}

/// Whether the words before a value reject it: `Wrong:`, `Never return`, `Don't use:`, `The answer isn't`.
fn is_rejected(sentence: &str) -> bool {
    let mut words = sentence.split([' ', ':']);
    let first = words.find(|word| !word.is_empty()).unwrap_or_default();
    let first = first.trim_matches('*');
    let begins = is_wrong(first) || is_one_of(first, &["never"]);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negated_clauses() {
        for (text, value, negated) in [
            ("It is red", "red", false),
            ("It is not red", "red", true),
            ("Es ist NICHT rot", "rot", true),
            ("Nie rot", "rot", true),
            ("rot ist falsch", "rot", true),
            ("красный НЕВЕРНО", "красный", true),
            ("red (removed)", "red", true),
            ("red (untrue)", "red", true),
            ("red (see above)", "red", false),
            ("red, but that is wrong", "red", true),
            ("red = False", "red", true),
            ("红是错的", "红", true),
            ("红，没错", "红", false),
            ("42 non-null values", "42", false),
            ("anything but red", "red", true),
            ("Some would say red", "red", true),
        ] {
            let start = text.find(value).expect("the text contains the value");
            let found = is_negated(text, start, start + value.len());
            assert_eq!(found, negated, "{text}");
        }
    }

    #[test]
    fn values_that_are_taken_back() {
        let names = Names::new(&[&"price".to_owned()], false);
        for (after, taken_back) in [
            (" is wrong.", true),
            (" est faux.", true),
            (" is an example.", true),
            (" is right.", false),
            (" 错了", true),
            (" 不正确", true),
            (" Those are placeholders.", true),
            (" It was untrue.", true),
            (" It was rejected by the board.", false),
            (" Actually the price is 2.", true),
            (" Korrektur: 2", true),
            (" The price should be 2.", true),
            (" I hope that this helps.", false),
            ("", false),
        ] {
            assert_eq!(is_taken_back(after, &names), taken_back, "{after}");
        }
        for (between, corrected) in [
            (". I mean ", true),
            (". Wait, actually: ", true),
            (". Edit: ", true),
            (". No: ", true),
            (" and then ", false),
        ] {
            assert_eq!(is_correction(between), corrected, "{between}");
        }
    }

    #[test]
    fn refusals() {
        assert!(is_model_refusal(
            "I'm sorry, but I can't rate this from 1 to 10."
        ));
        assert!(is_model_refusal("As an AI, I have 0 opinions."));
        assert!(!is_model_refusal("Sorrypoint: 5"));
        assert!(!is_model_refusal("The answer is 5."));
    }
}
