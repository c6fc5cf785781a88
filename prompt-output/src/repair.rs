//! The repairs of an answer.

use crate::path::{ValuePath, json_pointer};
use crate::position::Positions;
use prompt_base::Span;

use std::fmt;
use std::ops::Range;

/// A repair, and its position in the raw answer.
///
/// ```
/// use typed_prompt::output::{RepairKind, Schema};
/// use serde_json::json;
///
/// let schema = Schema::new(&json!({"type": "array", "items": {"type": "integer"}}))?;
/// let parsed = schema.parse("[1,\n 2,\n]")?;
/// let repair = &parsed.repairs[0];
/// assert_eq!((repair.kind, repair.line, repair.column), (RepairKind::ExtraComma, 2, 3));
/// assert_eq!(repair.to_string(), "line 2, column 3: an extra comma");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Repair {
    /// The kind of repair.
    pub kind: RepairKind,
    /// The bytes of the raw answer it concerns.
    pub range: Range<usize>,
    /// The line of its start, counted from 1.
    pub line: usize,
    /// The column of its start in characters, counted from 1.
    pub column: usize,
    /// The position in the value, as a JSON pointer; empty for the whole value, and for repairs of the notation.
    pub path: String,
    /// The text concerned: the key as written, the value as read. May be empty.
    pub note: String,
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, column {}: {}",
            self.line,
            self.column,
            self.kind.description()
        )?;
        if !self.note.is_empty() {
            write!(f, " ({})", self.note)?;
        }
        if !self.path.is_empty() {
            write!(f, " at {}", self.path)?;
        }
        Ok(())
    }
}

/// Returns all repairs in the order of the text: of values, of the text around them, of the notation.
pub(crate) fn sorted_repairs(
    answer: &str,
    values: Vec<ValueRepair>,
    around: &[SyntaxRepair],
    notation: &[SyntaxRepair],
) -> Vec<Repair> {
    let mut repairs = Vec::with_capacity(values.len() + around.len() + notation.len());
    let mut add = |kind, span: Span, path, note| {
        repairs.push(Repair {
            kind,
            range: span.start..span.end,
            line: 0,
            column: 0,
            path,
            note,
        });
    };
    for mark in values {
        add(mark.kind, mark.span, json_pointer(&mark.path), mark.note);
    }
    for mark in around.iter().chain(notation) {
        add(mark.kind, mark.span, String::new(), String::new());
    }
    let position = |repair: &Repair| (repair.range.start, repair.range.end);
    repairs.sort_by_key(position);
    let mut positions = Positions::new(answer);
    for repair in &mut repairs {
        (repair.line, repair.column) = positions.next(repair.range.start);
    }
    repairs
}

/// A repair of a value, with its path.
#[derive(Clone, Debug)]
pub(crate) struct ValueRepair {
    pub kind: RepairKind,
    pub span: Span,
    pub path: ValuePath,
    pub note: String,
}

/// A repair of the notation, and the text that it concerns.
#[derive(Clone, Debug)]
pub(crate) struct SyntaxRepair {
    pub kind: RepairKind,
    pub span: Span,
}

impl SyntaxRepair {
    pub(crate) fn new(kind: RepairKind, span: Span) -> SyntaxRepair {
        SyntaxRepair { kind, span }
    }
}

macro_rules! kinds {
    ($( $(#[doc = $doc:literal])+ $kind:ident: $cost:literal, $description:literal; )+) => {
        /// The kinds of [`Repair`].
        ///
        /// ```
        /// use typed_prompt::output::RepairKind;
        ///
        /// assert_eq!(RepairKind::MissingQuotes.description(), "missing quotes");
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum RepairKind { $( $(#[doc = $doc])+ $kind, )+ }

        impl RepairKind {
            /// A few words for a message.
            pub fn description(self) -> &'static str {
                match self { $( RepairKind::$kind => $description, )+ }
            }

            /// The distance of the candidate from the text. Only the order matters: of several candidates the one with the smallest sum is
            /// chosen. Repairs of the notation cost little, since all candidates of a text share them; a change of type costs more, and an
            /// inference most.
            pub(crate) fn cost(self) -> u32 {
                match self { $( RepairKind::$kind => $cost, )+ }
            }
        }
    };
}

kinds! {
    // Around the answer.
    // No cost: the text around a candidate is the same for all of them, and does not change its value.
    /// Reasoning before the answer.
    Thinking: 0, "reasoning before the answer ignored";
    /// Other text around the answer.
    Prose: 0, "text around the answer ignored";
    /// A Markdown fence around the answer.
    Fence: 0, "a Markdown fence removed";
    /// The same value again.
    OtherCandidate: 0, "the same value again";
    /// A value outside of JSON, in one of the accepted forms.
    AnswerForm: 0, "a value outside of JSON";
    /// The answer breaks off; see [`Ending`](super::Ending).
    Truncated: 15, "the text ends too early";

    // Notation.
    /// A comment.
    Comment: 1, "a comment ignored";
    /// A comma with nothing after it.
    ExtraComma: 1, "an extra comma";
    /// A missing comma.
    MissingComma: 2, "a missing comma";
    /// A missing colon.
    MissingColon: 2, "a missing colon";
    /// A missing closing bracket before an outer one.
    MissingBracket: 4, "a missing closing bracket";
    /// A closing bracket without an opening one, or too early.
    ExtraBracket: 4, "an extra closing bracket";
    /// The outermost brackets are missing.
    MissingOuterBrackets: 15, "missing outer brackets";
    /// Text between values that belongs to none of them.
    StrayText: 5, "text outside of all values ignored";
    /// A list in parentheses.
    Parentheses: 4, "a list in parentheses";
    /// A key without a value.
    MissingValue: 5, "a key without a value ignored";
    /// Quotes other than `"`.
    OtherQuotes: 1, "quotes other than `\"`";
    /// A key without quotes.
    UnquotedKey: 1, "a key without quotes";
    /// A string without quotes.
    MissingQuotes: 3, "missing quotes";
    /// A string without its closing quote.
    MissingClosingQuote: 8, "a missing closing quote";
    /// Quotes inside a string that are not escaped.
    UnescapedQuotes: 4, "unescaped quotes inside a string";
    /// Line breaks and other control characters inside a string.
    RawControl: 1, "a line break or control character inside a string";
    /// An escape that JSON does not define.
    UnknownEscape: 2, "an unknown escape kept verbatim";
    /// Strings joined with `+`.
    Joined: 4, "strings joined";
    /// JSON escaped once too often.
    Escaped: 8, "JSON in a string, or escaped twice";

    // Values.
    /// A key in another spelling than the field's name, or an alias of it.
    KeySpelling: 2, "a key in another spelling";
    /// The same field twice, with the same value.
    RepeatedField: 4, "a repeated field ignored";
    /// `None`, `True`, `False` or `undefined`.
    ForeignLiteral: 1, "a literal of another language";
    /// A number in quotes.
    NumberInQuotes: 10, "a number in quotes";
    /// A number with separators, a currency sign, a percent sign or the like.
    NumberNotation: 2, "a number in another notation";
    /// A boolean in quotes, or `yes` or `no`.
    BoolInWords: 12, "a boolean in words";
    /// Another value where a string is expected.
    ValueAsText: 10, "a value taken as text";
    /// A choice in another spelling.
    ChoiceSpelling: 2, "a choice in another spelling";
    /// A choice by its alias or description.
    ChoiceAlias: 3, "a choice by another name";
    /// One object where the whole answer is a list.
    OneAsList: 10, "an object where a list is expected";
    // Without brackets.
    /// `key: value` lines.
    KeyValueLines: 60, "lines of keys and values";
    /// A Markdown list.
    Bullets: 40, "a Markdown list";
}
