//! Values named in prose: which literal, or which boolean, a text names.
//!
//! Literals are compared from the most certain way to the least: the literal itself, another spelling, an alias, the description,
//! and then the only literal that occurs in the text. Where two literals match equally well, none is chosen.

use crate::lookahead::{window, window_before};
use crate::name::{fold, fold_char, lists};
use crate::repair::RepairKind;
use crate::types::Literal;
use prompt_syntax::order::sort_by;

/// The result of looking for a literal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum LiteralMatch {
    /// The index of the literal, and the repair.
    One(usize, Option<RepairKind>),
    /// The indexes of two literals that are both named.
    Several(usize, usize),
    /// The only one that is named follows a negation.
    Denied(usize),
    None,
}

/// Returns the literal that a text names.
pub(crate) fn find_literal(literals: &[Literal], text: &str) -> LiteralMatch {
    let text = text.trim();
    if let Some(place) = literals.iter().position(|literal| literal.text == text) {
        return LiteralMatch::One(place, None);
    }
    let name = fold(text);
    if name.is_empty() {
        return LiteralMatch::None;
    }
    let is_named = |literal: &str, folded: &str| {
        folded == name && signs_of(literal) == signs_of(text) || literal == text
    };
    let spelled = |literal: &Literal| is_named(&literal.text, &literal.folded.text);
    let alias = |literal: &Literal| {
        let mut aliases = literal.aliases.iter().zip(&literal.folded.aliases);
        aliases.any(|(alias, folded)| is_named(alias, folded))
    };
    let described = |literal: &Literal| is_described(literal, &name);
    let found = only(literals, RepairKind::ChoiceSpelling, spelled)
        .or_else(|| only(literals, RepairKind::ChoiceAlias, alias))
        .or_else(|| only(literals, RepairKind::ChoiceAlias, described));
    match found {
        Some(LiteralMatch::One(place, _)) if is_questioned(text) => LiteralMatch::Denied(place),
        Some(found) => found,
        None => in_text(literals, text),
    }
}

/// Whether a sign beside the letters of a text rejects or questions them.
pub(crate) fn is_questioned(text: &str) -> bool {
    let (start, end) = core(text);
    is_crossed_out(text, start, end)
}

/// The only literal that satisfies a test, or two of them, or none.
fn only(
    literals: &[Literal],
    how: RepairKind,
    test: impl Fn(&Literal) -> bool,
) -> Option<LiteralMatch> {
    let mut fitting = (0..literals.len()).filter(|&place| test(&literals[place]));
    let one = fitting.next()?;
    Some(match fitting.next() {
        None => LiteralMatch::One(one, Some(how)),
        Some(other) => LiteralMatch::Several(one, other),
    })
}

/// The description alone, or after the literal or its alias: `k1: the first`.
fn is_described(literal: &Literal, name: &str) -> bool {
    let folded = &literal.folded;
    let Some(description) = folded
        .description
        .as_deref()
        .filter(|words| !words.is_empty())
    else {
        return false;
    };
    let Some(word) = name.strip_suffix(description) else {
        return false;
    };
    word.is_empty() || word == folded.text || folded.aliases.iter().any(|alias| alias == word)
}

/// The only literal that occurs in the text: first in its exact spelling, then in any spelling.
fn in_text(literals: &[Literal], text: &str) -> LiteralMatch {
    let words = words(text);
    for exactly in [true, false] {
        let mut hits: Vec<Hit> = Vec::new();
        for (place, literal) in literals.iter().enumerate() {
            let names = std::iter::once(&literal.text).chain(&literal.aliases);
            let folded = std::iter::once(&literal.folded.text).chain(&literal.folded.aliases);
            for (name, wanted) in names.zip(folded) {
                occurrences(text, &words, (name, wanted), exactly, place, &mut hits);
            }
        }
        match settle(hits, text) {
            LiteralMatch::None => {}
            named => return named,
        }
    }
    LiteralMatch::None
}

/// An occurrence of a literal.
#[derive(Clone, Copy)]
struct Hit {
    literal: usize,
    start: usize,
    end: usize,
}

/// Drops literals that are part of a longer one (`SPAM` in `NOT SPAM`), and decides.
fn settle(mut hits: Vec<Hit>, text: &str) -> LiteralMatch {
    sort_by(&mut hits, |one, other| {
        (one.start, other.end).cmp(&(other.start, one.end))
    });
    let mut widest: Option<Hit> = None;
    let mut named: Option<usize> = None;
    let mut denied = true;
    for hit in hits {
        if is_joined(text, hit.start, hit.end) || is_determiner(text, hit.start, hit.end) {
            continue;
        }
        if let Some(wide) = widest
            && hit.end <= wide.end
            && (hit.start, hit.end) != (wide.start, wide.end)
        {
            continue;
        }
        match named {
            Some(other) if other != hit.literal => {
                return LiteralMatch::Several(other, hit.literal);
            }
            _ => named = Some(hit.literal),
        }
        denied = denied && is_negated(text, hit.start, hit.end);
        widest = Some(hit);
    }
    match named {
        Some(place) if denied => LiteralMatch::Denied(place),
        Some(place) => LiteralMatch::One(place, Some(RepairKind::ChoiceInText)),
        None => LiteralMatch::None,
    }
}

/// Words that negate what follows in their clause, or make it a question or a condition.
const NEGATIONS: &str = "not no non never neither nor none nothing nobody cannot cant dont isnt doesnt wasnt arent without hardly \
    barely scarcely lack lacks lacking absence fails except excluding unlike than instead far unlikely ruled exclude excludes remove \
    excluded reject rejects rejected avoid disagree opposite reverse contrary if whether unless zero 0 nicht kein keine kaum weder ohne pas \
    jamais aucun aucune sauf sans não nunca jamás ni excepto salvo sin senza niet geen zonder nooit ikke inte uten uden utan не ни нет \
    без кроме никогда nie bez nem değil لا ليس keinen keiner keinem keines niemals außer";
/// Words directly before a value that limit it, compare with it, or make it an example: `below high`, `at least 42`, `e.g. 7`.
pub(crate) const COMPARISONS: &str = "least most less below above under over almost nearly beyond exceeds exceeding than eg e.g \
    example instance partly partially half min max minimum maximum mindestens höchstens über unter fast beinahe knapp casi presque menos \
    moins";
/// Words that negate what precedes them, or make it a condition: `positive is wrong`.
pub(crate) const DENIALS: &str = "not no never wrong incorrect invalid absent excluded isnt wasnt arent cannot untrue unlikely ruled \
    rejected if unless until değil nicht falsch kein incorrecto incorrecta falso faux fausse errado sbagliato onjuist fout неверно";
/// Others than the one who answers: `Some would say red`.
const SOMEONE: &str = "some people many they others";
/// Words in parentheses after a value that take it back: `red (removed)`.
const REMOVED: &str = "removed deleted wrong incorrect invalid rejected excluded";
/// Characters that negate what follows, in scripts without spaces.
const NEGATING: [char; 7] = ['不', '非', '没', '沒', '无', '無', '除'];
/// Text that negates the text before it, in such scripts: `positiveではない`.
const NEGATED: [&str; 7] = ["ない", "아니", "않", "不对", "不是", "是错", "吗"];
/// Signs that reject the value beside them: a cross, an empty box, a line through the text.
const CROSSES: [&str; 8] = ["✗", "✘", "❌", "☐", "🚫", "👎", "[ ]", "~~"];

/// Whether words separated by spaces contain a word, whatever its case.
pub(crate) fn is_one_of(word: &str, words: &str) -> bool {
    word.len() <= 16
        && words
            .split(' ')
            .any(|known| known.eq_ignore_ascii_case(word))
}

/// Whether a word is one of the negations in a list, or a verb with `n't`.
pub(crate) fn is_negation(word: &str, words: &str) -> bool {
    has_not(word) || is_one_of(word, words)
}

/// Whether a word is a verb with `n't`.
pub(crate) fn has_not(word: &str) -> bool {
    ["n't", "n’t", "N'T"].iter().any(|not| word.ends_with(not))
}

/// Whether the clause around a part of a text negates it, or the clause around a quotation that contains it.
pub(crate) fn is_negated(text: &str, start: usize, end: usize) -> bool {
    is_crossed_out(text, start, end)
        || is_negated_by_clause(text, start, end)
        || quotation(text, start, end)
            .is_some_and(|(start, end)| is_negated_by_clause(text, start, end))
}

/// Whether a sign beside a part of a text rejects or questions it: `!red`, `red ❌`, `red?`.
fn is_crossed_out(text: &str, start: usize, end: usize) -> bool {
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
fn quotation(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let before = window_before(&text[..start], CLAUSE);
    let line = before.rsplit('\n').next().unwrap_or_default();
    let is_quote = |c: char| matches!(c, '"' | '“' | '”');
    let opening = line.rfind(is_quote)?;
    let is_open = line.matches(is_quote).count() % 2 == 1;
    let after = window(&text[end..], CLAUSE);
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
    let text = window_before(text, CLAUSE);
    let before = text.rsplit(is_stop).next().unwrap_or_default();
    let mut negated = false;
    let (mut previous, mut second) = ("", "");
    for (_, word) in prose_words(before) {
        negated |= match (previous, word) {
            ("used", "to") | ("would", "have") => true,
            ("would", "say") => is_one_of(second, SOMEONE),
            (who, "say") => is_one_of(who, SOMEONE),
            _ => false,
        };
        match word {
            "but" => negated = is_one_of(previous, "anything everything all"),
            _ => negated |= is_negation(word, NEGATIONS),
        }
        (second, previous) = (previous, word);
    }
    // `not: red`
    let lead = text.trim_end().strip_suffix([':', '(']).unwrap_or_default();
    let is_offer = |word| is_one_of(word, "options choices candidates categories labels");
    negated
        || prose_words(lead)
            .last()
            .is_some_and(|(_, word)| is_negation(word, NEGATIONS) || is_offer(word))
        || is_one_of(previous, COMPARISONS)
        || previous == "or"
        || text.trim_end().to_ascii_lowercase().ends_with("e.g.")
        || previous == "as" && second == "such"
        || previous == "to" && is_one_of(second, "up close")
        || previous == "of" && is_one_of(second, "half minimum maximum")
        || previous == "as" && is_one_of(second, "many much few little")
        || before.chars().rev().take(3).any(|c| NEGATING.contains(&c))
}

/// Whether the clause after a value denies, limits or retracts it.
fn is_negated_after(value: &str, text: &str) -> bool {
    let is_stop = |c: char| matches!(c, '.' | ',' | ';' | '!' | '\n' | '(' | '—' | '–' | '"');
    let rest = window(text, CLAUSE);
    let after = rest.split(is_stop).next().unwrap_or_default();
    let words_of = |text| prose_words(text).map(|(_, word)| word);
    let is_no = is_one_of(value, "no false");
    // `red, I think not`
    let next = rest[after.len()..].strip_prefix(',').unwrap_or_default();
    let mut words = words_of(next.split(is_stop).next().unwrap_or_default());
    let is_retracted = !is_no
        && words.find(|word| !is_one_of(word, "i think guess or maybe perhaps probably"))
            == Some("not")
        && words.next().is_none();
    // `red, but only if it rains`
    let mut words = words_of(next.split(['.', ';', '!', '\n']).next().unwrap_or_default());
    let is_limited = words.next() == Some("but")
        && words.any(|word| is_one_of(word, "if unless wrong incorrect falsch"));
    // `red (removed)`
    let remark = rest.trim_start().strip_prefix(['(', '—', '–', '-']);
    let mut words = words_of(remark.unwrap_or_default());
    let is_removed = words.next().is_some_and(|word| is_one_of(word, REMOVED));
    // `red = false`
    let set = rest.trim_start();
    let set = match set.trim_start_matches(['=', ':']) {
        value if value.len() < set.len() => value,
        _ => "",
    };
    let set = set.split_whitespace().next().unwrap_or_default();
    let is_unset = lists("0 0% false none", set.trim_end_matches(['.', ',', ')']));
    let mut words = words_of(after);
    let [first, second] = [words.next(), words.next()].map(Option::unwrap_or_default);
    is_retracted
        || is_limited
        || is_removed
        || is_unset
        || first == "or"
        || first == "and" && is_one_of(second, LIMITS)
        || first == "at" && is_one_of(second, "least most")
        || is_one_of(first, "min max minimum maximum")
        || NEGATED.iter().any(|not| after.contains(not))
        || after.trim_end().ends_with(['?', '？'])
        // `No, never`
        || [first, second].into_iter().chain(words.next())
            .skip_while(|word| is_no && is_one_of(word, "not no never"))
            .any(|word| is_negation(word, DENIALS))
}

/// Words after a value and `and` that make it a limit: `medium and above`.
const LIMITS: &str = "above below higher lower more less better worse greater later earlier up";

/// The longest inspected clause, in bytes.
const CLAUSE: usize = 120;

/// Whether a part of a text is joined with letters on one side, like `negative` in `non-negative`, `pay` in `pay_later` and `a` in
/// `a|b`.
fn is_joined(text: &str, start: usize, end: usize) -> bool {
    let joins = |c: char| matches!(c, '-' | '_' | '‐' | '‑' | '–' | '/' | '|');
    let joined = |letters: &mut dyn Iterator<Item = char>| {
        letters.next().is_some_and(joins) && letters.next().is_some_and(char::is_alphanumeric)
    };
    joined(&mut text[..start].chars().rev()) || joined(&mut text[end..].chars())
}

/// The signs that belong to a part of a text, before and after it: the minus of `-1`, the fraction of `1.5`, and what follows the
/// letters of `A+`, `B-`, `C++` and `C#`.
fn signs(text: &str, start: usize, end: usize) -> (&str, &str) {
    let (before, name) = (window_before(&text[..start], NUMBER), &text[start..end]);
    let after = window(&text[end..], NUMBER);
    let is_digit = |c: char| c.is_ascii_digit();
    let is_fraction = |c: char| is_digit(c) || matches!(c, '.' | ',');
    let is_minus = |c: char| matches!(c, '-' | '−');
    let mut head = before;
    if name.starts_with(is_digit) {
        let number = before.trim_end_matches(is_fraction);
        if before[number.len()..].starts_with(is_digit) {
            head = number;
        }
        if let Some(unsigned) = head.strip_suffix(is_minus)
            && !unsigned.ends_with(char::is_alphanumeric)
        {
            head = unsigned;
        }
    }
    let tail = if name.ends_with(is_digit) {
        match after.strip_prefix(['.', ',']) {
            Some(fraction) if fraction.starts_with(is_digit) => {
                after.trim_start_matches(is_fraction)
            }
            _ => after,
        }
    } else {
        let rest = after.trim_start_matches(['+', '#']);
        let unsigned = rest.trim_start_matches(is_minus);
        match name.chars().count() == 1 && !unsigned.starts_with(char::is_alphanumeric) {
            true => unsigned,
            false => rest,
        }
    };
    (&before[head.len()..], &after[..after.len() - tail.len()])
}

/// The longest number that is inspected on each side, in bytes.
const NUMBER: usize = 64;

/// The signs of a whole text.
fn signs_of(text: &str) -> (&str, &str) {
    let (start, end) = core(text);
    match start == end {
        true => ("", ""),
        false => signs(text, start, end),
    }
}

/// From the first letter or digit of a text to the last.
fn core(text: &str) -> (usize, usize) {
    let end = text.trim_end_matches(|c: char| !c.is_alphanumeric()).len();
    (text.find(char::is_alphanumeric).unwrap_or(end), end)
}

/// Whether a part of a text is the `no` of `no idea`, the `A` of `A cat` or the `I` of `I think`: not an answer, but a word about the
/// next one.
fn is_determiner(text: &str, start: usize, end: usize) -> bool {
    let next = text[end..].trim_start_matches(' ');
    is_one_of(&text[start..end], "no a i")
        && next.len() < text[end..].len()
        && next.starts_with(char::is_alphabetic)
        && prose_words(next).next().is_some_and(|(_, word)| {
            !is_negation(word, "because since as but and or for if when is was")
        })
}

/// A run of letters and digits, with its folded form.
struct Word {
    start: usize,
    end: usize,
    folded: String,
}

fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut folded = String::new();
    for (at, letter) in text.char_indices() {
        folded.clear();
        fold_char(letter, &mut folded);
        let end = at + letter.len_utf8();
        match words.last_mut() {
            // A combining mark belongs to the letter before it.
            Some(last) if last.end == at && is_mark(letter) => last.end = end,
            _ if folded.is_empty() => {}
            Some(last) if last.end == at && !is_single(letter) && !last.is_single(text) => {
                last.folded.push_str(&folded);
                last.end = end;
            }
            _ => words.push(Word {
                start: at,
                end,
                folded: folded.clone(),
            }),
        }
    }
    words
}

impl Word {
    fn is_single(&self, text: &str) -> bool {
        text[self.start..self.end]
            .chars()
            .next_back()
            .is_some_and(is_single)
    }
}

fn is_mark(letter: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&letter)
}

/// Scripts without spaces between words: each character is a word.
fn is_single(letter: char) -> bool {
    matches!(letter, '\u{e00}'..='\u{eff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

fn occurrences(
    text: &str,
    words: &[Word],
    (name, wanted): (&str, &str),
    exactly: bool,
    literal: usize,
    hits: &mut Vec<Hit>,
) {
    if wanted.is_empty() {
        // No letters: only the exact characters match.
        let found = text
            .match_indices(name)
            .filter(|_| exactly && !name.is_empty());
        hits.extend(found.map(|(start, name)| Hit {
            literal,
            start,
            end: start + name.len(),
        }));
        return;
    }
    for (place, first) in words.iter().enumerate() {
        if !wanted.starts_with(&first.folded) {
            continue;
        }
        let mut length = 0;
        for (offset, word) in words[place..].iter().enumerate() {
            let near = offset == 0 || word.start - words[place + offset - 1].end <= NEAR;
            if !near || !wanted[length..].starts_with(&word.folded) {
                break;
            }
            length += word.folded.len();
            if length < wanted.len() {
                continue;
            }
            let (start, end) = (first.start, word.end);
            let is_whole =
                signs(text, start, end) == signs_of(name) && !is_pronoun(name, &text[start..end]);
            if is_whole && (!exactly || is_exact(text, start, end, name)) {
                hits.push(Hit {
                    literal,
                    start,
                    end,
                });
            }
            break;
        }
    }
}

/// Whether a word may be another one than an abbreviation of two letters: `us` in a sentence is not `US`.
fn is_pronoun(name: &str, written: &str) -> bool {
    let is_capital = |c: char| c.is_ascii_uppercase();
    name.len() == 2 && name.chars().all(is_capital) && !written.chars().any(is_capital)
}

/// The largest distance between the words of one literal, in bytes.
const NEAR: usize = 2;

/// Whether the literal occurs in its exact spelling or with a capital letter, as at the beginning of a sentence, and not inside an
/// identifier.
fn is_exact(text: &str, start: usize, end: usize, name: &str) -> bool {
    let core = name.trim_matches(|c: char| !c.is_alphanumeric());
    let joined = |letter: Option<char>| letter == Some('_');
    let (written, mut letters) = (&text[start..end], core.chars());
    let mut is_capitalized = || {
        let mut capital = letters.next().into_iter().flat_map(char::to_uppercase);
        let mut written = written.chars();
        written.next() == capital.next() && written.as_str() == letters.as_str()
    };
    (written == core || is_capitalized())
        && !joined(text[..start].chars().next_back())
        && !joined(text[end..].chars().next())
}

/// Why a text names no boolean.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum TruthError {
    Nothing,
    Both,
    /// `not true`
    Denied,
}

/// The boolean that a text names. `true` and `false` count anywhere as separate words; `yes` and `no` only as the answer and not
/// as part of a sentence (`there is no doubt`), that is at the beginning of a line or alone at its end. The other of the two at the
/// end of a sentence contradicts it: `Yes, but actually no.`
pub(crate) fn only_truth_value(text: &str) -> Result<bool, TruthError> {
    let (mut found, mut last_yes) = (None, None);
    let mut denied = false;
    for (start, word) in prose_words(text) {
        let end = start + word.len();
        let truth = match word.to_ascii_lowercase().as_str() {
            "true" => true,
            "false" => false,
            "yes" if stands_out(text, start, end) => true,
            "no" if stands_out(text, start, end) => false,
            "yes" if is_predicate(text, start, end) => true,
            "no" if is_predicate(text, start, end) => false,
            "yes" | "no" if ends_sentence(text, end) => {
                last_yes = Some(word.eq_ignore_ascii_case("yes"));
                continue;
            }
            _ => continue,
        };
        if is_joined(text, start, end) {
            continue;
        }
        if found.is_some_and(|other| other != truth) {
            return Err(TruthError::Both);
        }
        found = Some(truth);
        denied |= is_negated(text, start, end);
    }
    match found {
        Some(truth) if last_yes.is_some_and(|other| other != truth) => Err(TruthError::Both),
        Some(_) if denied => Err(TruthError::Denied),
        Some(truth) => Ok(truth),
        None => Err(TruthError::Nothing),
    }
}

/// Quotes, white space and the signs of Markdown around a word.
const DECORATION: [char; 9] = ['*', '_', '`', '"', '\'', '“', '”', ' ', '\t'];

/// Whether a word is set off from its sentence: first in its line and followed by punctuation, or alone after a colon.
fn stands_out(text: &str, start: usize, end: usize) -> bool {
    let before = text[..start].trim_end_matches(DECORATION);
    let after = text[end..].trim_start_matches(DECORATION);
    let begins = before.is_empty() || before.ends_with(['\n', ':', '.', '>', '{', '(']);
    let ends = after.is_empty()
        || after.starts_with([',', '.', '!', '\n', ';', ':', '<', '}', ')', '—', '–', '-']);
    begins && ends
}

/// Whether a word is the predicate of a sentence about the answer: `The answer is yes.`
fn is_predicate(text: &str, start: usize, end: usize) -> bool {
    let before = text[..start].trim_end_matches(DECORATION);
    ends_sentence(text, end)
        && ["answer is", "answer would be"]
            .iter()
            .any(|lead| before.ends_with(lead))
}

/// Whether a sentence ends after a word.
fn ends_sentence(text: &str, end: usize) -> bool {
    let after = text[end..].trim_start_matches(DECORATION);
    after.is_empty() || after.starts_with(['.', '!', '\n'])
}

/// The words of a text (letters, digits and `_`) and their positions.
fn prose_words(text: &str) -> impl Iterator<Item = (usize, &str)> {
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

#[cfg(test)]
mod choice_tests {
    use serde_json::json;

    use super::*;

    fn literals(texts: &[&str]) -> Vec<Literal> {
        let literal = |text: &&str| {
            let (text, aliases) = match text.split_once('=') {
                Some((text, alias)) => (text, vec![alias.to_owned()]),
                None => (*text, Vec::new()),
            };
            let description = format!("all about {text}");
            Literal::new(json!(text), text.to_owned(), aliases, Some(&description))
        };
        texts.iter().map(literal).collect()
    }

    fn check(texts: &[&str], cases: &[(&str, Option<&str>)]) {
        let literals = literals(texts);
        for (text, wanted) in cases {
            let found = match find_literal(&literals, text) {
                LiteralMatch::One(place, _) => Some(literals[place].text.as_str()),
                _ => None,
            };
            assert_eq!(found, *wanted, "{text}");
        }
    }

    #[test]
    fn one_and_only_one() {
        check(
            &["POSITIVE", "NEGATIVE=neg"],
            &[
                ("POSITIVE", Some("POSITIVE")),
                ("positive.", Some("POSITIVE")),
                ("neg", Some("NEGATIVE")),
                ("The answer is **Positive**!", Some("POSITIVE")),
                ("POSITIVE: all about POSITIVE", Some("POSITIVE")),
                ("all about NEGATIVE", Some("NEGATIVE")),
                ("positive or negative", None),
                ("positive or mixed", None),
                ("mixed or positive", None),
                ("positive==false", None),
                ("positive: false", None),
                ("POSITIVE, not negative", Some("POSITIVE")),
                ("It is not positive", None),
                ("it isn't a positive one", None),
                ("anything but positive", None),
                ("Anything but positive", None),
                ("positively", None),
                ("", None),
            ],
        );
    }

    #[test]
    fn a_longer_literal_hides_the_shorter_inside_it() {
        check(
            &["SPAM", "NOT_SPAM"],
            &[
                ("NOT_SPAM", Some("NOT_SPAM")),
                ("this is not spam", Some("NOT_SPAM")),
                ("SPAM", Some("SPAM")),
                ("SPAM or NOT_SPAM", None),
            ],
        );
        check(
            &["car", "car-2"],
            &[("car 2", Some("car-2")), ("not car or car-2!", None)],
        );
    }

    #[test]
    fn other_scripts() {
        check(
            &["café", "北京", "Привет"],
            &[
                ("CAFE", Some("café")),
                ("答案是北京。", Some("北京")),
                ("привет!", Some("Привет")),
            ],
        );
    }
}

#[cfg(test)]
mod prose_tests {
    use super::*;

    #[test]
    fn yes_or_no() {
        for (text, truth) in [
            ("The answer is true", Ok(true)),
            ("Answer: **True**", Ok(true)),
            (r"False.\n\nThe sum is 4, not 5.", Ok(false)),
            ("Yes.", Ok(true)),
            ("No, it does not.", Ok(false)),
            ("It is true, there is no doubt.", Ok(true)),
            ("Answer: no", Ok(false)),
            ("<answer>yes</answer>", Ok(true)),
            ("true or false", Err(TruthError::Both)),
            ("That is not true.", Err(TruthError::Denied)),
            ("It isn't true", Err(TruthError::Denied)),
            ("untrue", Err(TruthError::Nothing)),
            ("There is no way to say.", Err(TruthError::Nothing)),
        ] {
            assert_eq!(only_truth_value(text), truth, "{text}");
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
