//! The forms in which a number, a boolean or a literal is accepted outside of JSON. `docs/answers.md` defines them.

use crate::coerce::Coercer;
use crate::describe::excerpt;
use crate::fence::Fence;
use crate::fit::Fit;
use crate::lookahead::window_before;
use crate::name::fold_name;
use crate::number::{amount_to_json, parse_number};
use crate::syntax::{End, NodeKind, SyntaxNode};
use crate::types::TypeIndex;
use crate::unbracketed::strip_bullet;
use prompt_base::Span;
use serde_json::Value;

/// The labels of an answer, besides the names of the schema.
pub(crate) const LABELS: [&str; 4] = ["answer", "final answer", "result", "output"];

/// The longest line that can be a value, in bytes.
const MAX_LINE: usize = 400;

/// The longest label, in bytes.
const MAX_LABEL: usize = 80;

/// Pairs of signs around a value that do not belong to it: Markdown emphasis, quotes, formulas.
const PAIRS: [(&str, &str); 15] = [
    ("***", "***"),
    ("**", "**"),
    ("__", "__"),
    ("*", "*"),
    ("_", "_"),
    ("`", "`"),
    ("\"", "\""),
    ("'", "'"),
    ("“", "”"),
    ("$$", "$$"),
    ("$", "$"),
    ("\\(", "\\)"),
    ("\\[", "\\]"),
    ("\\boxed{", "}"),
    ("\\text{", "}"),
];

/// Whether a text is the beginning of a sentence that gives the answer: `The answer is`. `names` are those of the schema, folded.
pub(crate) fn is_answer_phrase(text: &str, names: &[String]) -> bool {
    let text = text.trim_start().to_lowercase();
    let text = text.trim_end_matches(|c: char| c.is_whitespace() || c == '*' || c == '_');
    let label = text
        .strip_prefix("the ")
        .and_then(|text| text.strip_suffix(" is"));
    label.is_some_and(|label| {
        let label = label.strip_suffix(" to this question").unwrap_or(label);
        is_label(label, names)
    })
}

/// The rest of a text that begins with the end of a sentence that gives the answer: `is the answer`.
pub(crate) fn strip_answer_ending(text: &str) -> Option<&str> {
    let label = text.strip_prefix("is the ")?;
    LABELS.iter().find_map(|name| label.strip_prefix(name))
}

/// A text and what remains of it without decoration, from the outside to the inside.
fn without_decoration(text: &str) -> impl Iterator<Item = &str> {
    let mut next = Some(text.trim());
    std::iter::from_fn(move || {
        let text = next.filter(|text| !text.is_empty())?;
        let inside = |(open, close): &(&str, &str)| {
            let inside = text.strip_prefix(open)?.strip_suffix(close)?;
            (!inside.is_empty()).then_some(inside)
        };
        next = PAIRS
            .iter()
            .find_map(inside)
            .or_else(|| text.strip_suffix('.'))
            .map(str::trim);
        Some(text)
    })
}

/// A value in one of the forms.
pub(crate) struct FormValue {
    pub fit: Fit,
    pub span: Span,
    pub form: Form,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Form {
    /// The whole answer.
    Whole,
    /// The whole content of the only fence.
    Fence,
    /// A labelled line, or a sentence with a label.
    Labelled,
    /// A line of its own.
    Line,
}

/// The result of looking for a value in the forms.
pub(crate) enum FormResult {
    Value(FormValue),
    /// Two lines that contradict each other, or a labelled line without a value.
    Unclear(Span, String),
    None,
}

/// The names that label a value: those of the schema, folded.
fn is_label(text: &str, names: &[String]) -> bool {
    let name = fold_name(text);
    if text.contains(|c: char| !(c.is_alphanumeric() || c.is_whitespace() || "_-".contains(c))) {
        return false;
    }
    let is_fixed = |label: &&str| fold_name(label) == name;
    !name.is_empty() && (LABELS.iter().any(is_fixed) || names.contains(&name))
}

impl Coercer<'_> {
    /// Finds the number, boolean or literal of an answer.
    pub(crate) fn find_in_forms(
        &mut self,
        body: Span,
        fences: &[Fence],
        types: &[TypeIndex],
        names: &[String],
    ) -> FormResult {
        let text = self.text;
        if let Some(fit) = self.match_text(body, types) {
            let form = Form::Whole;
            return FormResult::Value(FormValue {
                fit,
                span: body,
                form,
            });
        }
        let mut found: Vec<FormValue> = Vec::new();
        let mut add = |value: FormValue| match found.first() {
            Some(first) if first.fit.value != value.fit.value => {
                let (one, other) = (&first.fit.value, &value.fit.value);
                Err((
                    value.span,
                    format!("the answer contains both `{one}` and `{other}`"),
                ))
            }
            _ => {
                found.push(value);
                Ok(())
            }
        };
        let unclear = |(span, message)| FormResult::Unclear(span, message);
        if let [fence] = fences
            && let Some(fit) = self.match_text(fence.body, types)
        {
            let (span, form) = (fence.body, Form::Fence);
            if let Err(why) = add(FormValue { fit, span, form }) {
                return unclear(why);
            }
        }
        let mut between = Vec::new();
        let mut lines = text_lines(text, body, fences);
        strip_only_bullet(text, &mut lines);
        let count = lines.len();
        // The text after a value on the first line.
        let mut rest = body.end..body.end;
        for (index, span) in lines.into_iter().enumerate() {
            if span.end - span.start > MAX_LINE {
                continue;
            }
            let labelled = labelled_value(text, span, names)
                .or_else(|| labelled_value(text, without_bullet(text, span)?, names));
            let (value, form) = match labelled {
                Some(value) if value.start == value.end => continue,
                Some(value) => (value, Form::Labelled),
                None => (span, Form::Line),
            };
            let fit = self.match_text(value, types).or_else(|| {
                let inner = sentence_value(text, value).filter(|_| form == Form::Line)?;
                self.match_text(inner, types)
            });
            match fit {
                Some(fit) => {
                    let span = value;
                    if form == Form::Line && index == 0 {
                        rest = span.end..body.end;
                    }
                    // A value between other lines is not the answer, but may contradict it.
                    if form == Form::Line && index > 0 && index + 1 < count {
                        between.push((fit.value, span));
                    } else if let Err(why) = add(FormValue { fit, span, form }) {
                        return unclear(why);
                    }
                }
                None if form == Form::Labelled => {
                    let line = &text[value.start..value.end];
                    let message = format!("`{}` is not the value alone", excerpt(line));
                    return FormResult::Unclear(value, message);
                }
                // Equations on other lines are steps.
                None if index + 1 == count => {
                    let result = self.equation_result(span, types);
                    between.extend(result.map(|fit| (fit.value, span)));
                }
                None => {}
            }
        }
        let Some(last) = found.pop() else {
            return FormResult::None;
        };
        match between
            .into_iter()
            .find(|(value, _)| *value != last.fit.value)
        {
            Some((other, span)) => {
                let message = format!(
                    "the answer contains both `{}` and `{other}`",
                    last.fit.value
                );
                FormResult::Unclear(span, message)
            }
            None if contains_only_others(&text[rest], &last.fit.value) => {
                let value = &last.fit.value;
                let message = format!("the lines after `{value}` contain other numbers only");
                FormResult::Unclear(last.span, message)
            }
            None => FormResult::Value(last),
        }
    }

    /// The right side of an equation. It may contradict the answer, and is not the answer.
    fn equation_result(&mut self, line: Span, types: &[TypeIndex]) -> Option<Fit> {
        let sign = self.text[line.start..line.end].rfind('=')?;
        self.match_text(Span::new(line.start + sign + 1, line.end), types)
    }

    /// Matches a part of the answer that must be a value, without its decoration.
    fn match_text(&mut self, span: Span, types: &[TypeIndex]) -> Option<Fit> {
        let whole = &self.text[span.start..span.end];
        if whole.len() > MAX_LINE {
            return None;
        }
        for text in without_decoration(whole) {
            let node = self.text_node(span, text);
            let fits = types.iter().filter_map(|ty| {
                let fit = self.without_messages(|coercer| coercer.coerce_node(&node, *ty));
                fit.ok()
            });
            // `None` may be the literal `none`.
            if let Some(fit) = fits.min_by_key(|fit| (fit.value.is_null(), fit.cost)) {
                return Some(fit);
            }
        }
        None
    }

    fn text_node<'t>(&self, span: Span, text: &'t str) -> SyntaxNode<'t> {
        self.context
            .new_node(span, End::Sure, NodeKind::Unquoted(text))
    }
}

/// The lines of an answer that are not empty and not the borders of a fence, without their margins.
fn text_lines(text: &str, body: Span, fences: &[Fence]) -> Vec<Span> {
    let mut start = body.start;
    let is_border = |at: usize| {
        let next = fences.partition_point(|fence| fence.outer.end <= at);
        fences.get(next).is_some_and(|fence| {
            let opening = fence.outer.start <= at && at < fence.body.start;
            opening || fence.closed && fence.body.end <= at && at < fence.outer.end
        })
    };
    let mut lines = Vec::new();
    for line in text[body.start..body.end].split_inclusive('\n') {
        let at = start + (line.len() - line.trim_start().len());
        let end = at + line.trim().len();
        start += line.len();
        if at < end && !is_border(at) {
            lines.push(Span::new(at, end));
        }
    }
    lines
}

/// Strips the bullet of a line if no other line has one: several are a list. Before a number, it may be a sign.
fn strip_only_bullet(text: &str, lines: &mut [Span]) {
    let mut items = lines
        .iter_mut()
        .filter_map(|line| without_bullet(text, *line).map(|item| (line, item)));
    if let (Some((line, item)), None) = (items.next(), items.next())
        && text[item.start..].starts_with(|c: char| c.is_alphabetic() || "*_`\"'".contains(c))
    {
        *line = item;
    }
}

fn without_bullet(text: &str, line: Span) -> Option<Span> {
    let item = strip_bullet(&text[line.start..line.end])?;
    Some(Span::new(line.end - item.len(), line.end))
}

/// Whether a text contains numbers, and not the one that is the value.
fn contains_only_others(text: &str, value: &Value) -> bool {
    let lines = text.lines().map(str::trim);
    let is_border = |c: char| c.is_whitespace() || "{}()[]$*=`\"".contains(c);
    let words = lines.flat_map(|line| strip_bullet(line).unwrap_or(line).split(is_border));
    let numbers = words.filter_map(|word| {
        let number = parse_number(word.trim_matches(|c| ",.;:!?'_".contains(c)))?;
        amount_to_json(number.amount)?.as_f64()
    });
    let mut numbers = numbers.peekable();
    let is_other = |number: f64| value.as_f64().is_some_and(|value| value != number);
    numbers.peek().is_some() && numbers.all(is_other)
}

/// The value of a sentence such as `It is a bug.` or `Red is the answer.`
fn sentence_value(text: &str, line: Span) -> Option<Span> {
    let source = &text[line.start..line.end];
    if let Some(verb) = source.find(" is the ")
        && let Some("" | ".") = strip_answer_ending(&source[verb + 1..])
    {
        return Some(Span::new(line.start, line.start + verb));
    }
    let start = "It is ";
    let begins = source.get(..start.len())?.eq_ignore_ascii_case(start);
    let value = source.get(start.len()..).filter(|_| begins)?;
    let articles = ["a ", "an ", "the "];
    let article = articles.iter().find(|article| value.starts_with(**article));
    let value = &value[article.map_or(0, |article| article.len())..];
    Some(Span::new(line.end - value.len(), line.end))
}

/// The value of a line such as `Answer: 5`, `**Answer:** 5` or `The answer is 5.` It is empty if nothing follows the label.
fn labelled_value(text: &str, line: Span, names: &[String]) -> Option<Span> {
    let source = &text[line.start..line.end];
    let value = |rest: &str| {
        let value = rest.trim();
        let start = value.as_ptr().addr() - text.as_ptr().addr();
        Span::new(start, start + value.len())
    };
    if let Some((label, rest)) = source.split_once(':')
        && label.len() <= MAX_LABEL
    {
        let marks = ['*', '_', '#', '`', '"', ' '];
        let name = label.trim_matches(marks);
        if is_label(name, names) || is_answer_phrase(name, names) {
            // `**Answer:** 5` closes its emphasis after the colon.
            let emphasis = label.trim_start_matches(['#', ' ']);
            let opened = ["**", "__"]
                .into_iter()
                .find(|mark| emphasis.starts_with(mark));
            let rest = rest.trim_start();
            let is_closed =
                opened.is_some_and(|mark| label.trim_end().ends_with(mark) && label.len() > 4);
            let rest = match opened.filter(|_| !is_closed) {
                Some(mark) => rest.strip_prefix(mark).or_else(|| rest.strip_suffix(mark)),
                None => Some(rest),
            };
            return Some(value(rest.unwrap_or(&source[source.len()..])));
        }
    }
    let is = source
        .to_ascii_lowercase()
        .find(" is ")
        .map(|at| at + " is".len())?;
    let before = window_before(&source[..is], MAX_LABEL);
    (before.len() == is && is_answer_phrase(before, names)).then(|| value(&source[is..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels() {
        for (line, value) in [
            ("Answer: 5", Some("5")),
            ("**Answer**: 5", Some("5")),
            ("**Answer:** 5", Some("5")),
            ("**Answer: 5**", Some("5")),
            ("### Final Answer: 5", Some("5")),
            ("The answer is 5.", Some("5.")),
            ("**The answer is:** 5.", Some("5.")),
            ("The result is: 5", Some("5")),
            ("The final answer is **5**.", Some("**5**.")),
            ("The answer to this question is: 5", Some("5")),
            ("Mood: 5", Some("5")),
            ("The mood is 5.", Some("5.")),
            ("Answer:", Some("")),
            ("The answer: 5", None),
            ("So the answer is 5", None),
            ("Note: 5", None),
            ("The wrong answer is 5", None),
            ("The answer to that question is 5", None),
        ] {
            let span = Span::new(0, line.len());
            let found = labelled_value(line, span, &["mood".to_owned()]);
            assert_eq!(
                found.map(|span| &line[span.start..span.end]),
                value,
                "{line}"
            );
        }
    }

    #[test]
    fn decoration() {
        let inner = |text| without_decoration(text).last().unwrap_or_default();
        for (text, value) in [
            ("**5**.", "5"),
            ("$\\boxed{\\text{red}}$", "red"),
            ("\"red.\"", "red"),
            ("`-1`", "-1"),
            ("*5", "*5"),
        ] {
            assert_eq!(inner(text), value, "{text}");
        }
    }
}
