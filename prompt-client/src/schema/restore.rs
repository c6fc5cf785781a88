//! Answers by a narrowed schema, converted back to the original schema while they arrive.
//!
//! | original | in the answer |
//! | --- | --- |
//! | a root that is not an object | `{"answer": …}` |
//! | a map | `{"map_entries": [{"key": "a", "value": 1}]}` |
//! | a tuple | `{"tuple_1": …, "tuple_2": …}` |

use crate::answer::{AnswerReader, ReceivedAnswer};
use crate::error::CallError;
use crate::stream::Event;

/// The property of a wrapped root.
pub(super) const WRAPPER: &str = "answer";
/// The property of a map, and those of its entries.
pub(super) const ENTRIES: &str = "map_entries";
pub(super) const KEY: &str = "key";
pub(super) const VALUE: &str = "value";

/// The property of an item of a tuple.
pub(super) fn tuple_item(index: usize) -> String {
    format!("tuple_{}", index + 1)
}

/// How the answers of a request are converted back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Restore {
    /// Whether the root is wrapped in an object.
    pub(crate) wrapped: bool,
}

/// A reader that converts the text back.
pub(crate) struct Restored<R> {
    reader: R,
    /// `None` if nothing is converted.
    rewriter: Option<Rewriter>,
}

impl<R> Restored<R> {
    pub(crate) fn new(reader: R, restore: Option<Restore>) -> Restored<R> {
        Restored {
            reader,
            rewriter: restore.map(Rewriter::new),
        }
    }
}

impl<R: AnswerReader> AnswerReader for Restored<R> {
    fn read_body(
        &mut self,
        body: &serde_json::Value,
        answer: &mut ReceivedAnswer,
    ) -> Result<(), CallError> {
        let before = answer.events.len();
        self.reader.read_body(body, answer)?;
        self.convert(before, answer)
    }

    fn finish_answer(&mut self, answer: &mut ReceivedAnswer) -> Result<(), CallError> {
        let before = answer.events.len();
        self.reader.finish_answer(answer)?;
        self.convert(before, answer)?;
        if let Some(rewriter) = self.rewriter.take()
            && rewriter.pending.starts_with('{')
        {
            answer.push_text(&rewriter.pending);
        }
        Ok(())
    }
}

impl<R> Restored<R> {
    /// Converts the text of the events from a position on.
    fn convert(&mut self, before: usize, answer: &mut ReceivedAnswer) -> Result<(), CallError> {
        let Some(rewriter) = &mut self.rewriter else {
            return Ok(());
        };
        for event in answer.events.iter_mut().skip(before) {
            if let Event::Text(text) = event {
                *text = rewriter.push(text)?;
            }
        }
        answer
            .events
            .retain(|event| !matches!(event, Event::Text(text) if text.is_empty()));
        Ok(())
    }
}

/// The container that the rewriter is inside of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Container {
    Object,
    List,
    Wrapper,
    /// Around the list of a map's entries.
    Map,
    Entries,
    /// An entry, and whether its value has begun.
    Entry {
        in_value: bool,
    },
    /// A tuple, and the number of items that have begun.
    Tuple(usize),
}

/// Rewrites JSON character by character.
struct Rewriter {
    wrapped: bool,
    containers: Vec<Container>,
    /// `{` or `,` and the key after it, until the key is complete. White space before the key is left out.
    pending: String,
    /// Whether the answer has begun.
    begun: bool,
    in_string: bool,
    escaped: bool,
    /// Whether the rest is not converted: text that is not JSON, or follows it.
    verbatim: bool,
}

/// The length of the longest key that has a meaning here, with delimiters. No tuple of Rust's traits has more than 2 digits.
const MAX_PENDING: usize = "{\"map_entries\":".len();

impl Rewriter {
    fn new(restore: Restore) -> Rewriter {
        Rewriter {
            wrapped: restore.wrapped,
            containers: Vec::new(),
            pending: String::new(),
            begun: false,
            in_string: false,
            escaped: false,
            verbatim: false,
        }
    }

    fn push(&mut self, text: &str) -> Result<String, CallError> {
        let mut out = String::with_capacity(text.len());
        for char in text.chars() {
            self.push_char(char, &mut out)?;
        }
        Ok(out)
    }

    fn push_char(&mut self, char: char, out: &mut String) -> Result<(), CallError> {
        if self.verbatim {
            out.push(char);
            return Ok(());
        }
        if !self.pending.is_empty() {
            return self.resolve_pending(char, out);
        }
        if self.in_string {
            self.push_string_char(char);
            out.push(char);
            return Ok(());
        }
        if char.is_ascii_whitespace() {
            // Not after the last value.
            if !self.containers.is_empty() {
                out.push(char);
            }
            return Ok(());
        }
        let top = self.containers.last().copied();
        if top.is_none() && (self.begun || char != '{') {
            self.verbatim = true;
            out.push(char);
            return Ok(());
        }
        self.begun = true;
        match (char, top) {
            ('[', Some(Container::Map)) => {
                self.containers.push(Container::Entries);
                out.push('{');
            }
            (']', Some(Container::Entries)) => drop(self.containers.pop()),
            ('}', Some(Container::Map)) => self.close_bracket('}', out),
            (_, Some(Container::Map)) => return Err(schema_violation()),
            (_, Some(Container::Entry { in_value: false })) if !['"', ','].contains(&char) => {
                return Err(schema_violation());
            }
            ('{', _) => self.pending.push('{'),
            (',', Some(Container::Entry { in_value: false } | Container::Tuple(_))) => {
                self.pending.push(',');
            }
            (',', Some(Container::Entry { in_value: true } | Container::Wrapper)) => {
                return Err(schema_violation());
            }
            ('[', _) => {
                self.containers.push(Container::List);
                out.push('[');
            }
            ('}', Some(Container::Wrapper)) => drop(self.containers.pop()),
            ('}', Some(Container::Entry { in_value: true })) => drop(self.containers.pop()),
            ('}', Some(Container::Tuple(_))) => self.close_bracket(']', out),
            ('}', Some(Container::Object)) | (']', Some(Container::List)) => {
                self.close_bracket(char, out);
            }
            ('}' | ']', Some(_)) => return Err(schema_violation()),
            _ => {
                if char == '"' {
                    self.push_string_char(char);
                }
                out.push(char);
            }
        }
        Ok(())
    }

    fn close_bracket(&mut self, bracket: char, out: &mut String) {
        self.containers.pop();
        out.push(bracket);
    }

    /// Tracks whether a string is open.
    fn push_string_char(&mut self, char: char) {
        if self.escaped {
            self.escaped = false;
        } else if char == '\\' {
            self.escaped = self.in_string;
        } else if char == '"' {
            self.in_string = !self.in_string;
        }
    }

    /// Adds a character to the key after `{` or `,`.
    fn resolve_pending(&mut self, char: char, out: &mut String) -> Result<(), CallError> {
        let quotes = self.pending.matches('"').count();
        if char.is_ascii_whitespace() && quotes != 1 {
            return Ok(());
        }
        self.pending.push(char);
        let is_key = match quotes {
            0 => char == '"',
            1 => char != '\\',
            _ => char == ':',
        };
        if !is_key || self.pending.len() > MAX_PENDING {
            return self.write_pending(out);
        }
        if quotes < 2 {
            return Ok(());
        }
        let key = self.pending[1..].trim_matches(['"', ':']).to_owned();
        let top = self.containers.last().copied();
        match (&self.pending[..1], top) {
            ("{", None) if self.wrapped && key == WRAPPER => {
                self.containers.push(Container::Wrapper);
            }
            ("{", Some(Container::Entries)) if key == KEY => {
                self.containers.push(Container::Entry { in_value: false });
            }
            ("{", _) if key == ENTRIES => self.containers.push(Container::Map),
            ("{", _) if key == tuple_item(0) => {
                self.containers.push(Container::Tuple(1));
                out.push('[');
            }
            (",", Some(Container::Entry { in_value: false })) if key == VALUE => {
                self.containers.pop();
                self.containers.push(Container::Entry { in_value: true });
                out.push(':');
            }
            (",", Some(Container::Tuple(items))) if key == tuple_item(items) => {
                self.containers.pop();
                self.containers.push(Container::Tuple(items + 1));
                out.push(',');
            }
            _ => return self.write_pending(out),
        }
        self.pending.clear();
        Ok(())
    }

    /// The pending text is the beginning of an object that stays as it is.
    fn write_pending(&mut self, out: &mut String) -> Result<(), CallError> {
        let pending = std::mem::take(&mut self.pending);
        let Some(rest) = pending.strip_prefix('{') else {
            return Err(schema_violation());
        };
        if self.containers.last() == Some(&Container::Entries) {
            return Err(schema_violation());
        }
        self.containers.push(Container::Object);
        out.push('{');
        rest.chars().try_for_each(|char| self.push_char(char, out))
    }
}

fn schema_violation() -> CallError {
    CallError::protocol_error("the answer does not have the structure of the schema in the request")
}

/// A whole answer, converted back.
#[cfg(test)]
pub(super) fn restore(restore: Restore, answer: &str) -> String {
    Rewriter::new(restore).push(answer).unwrap()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn restored(wrapped: bool, text: &str, chunk: usize) -> Result<String, CallError> {
        let mut rewriter = Rewriter::new(Restore { wrapped });
        let chars: Vec<char> = text.chars().collect();
        let mut out = String::new();
        for chars in chars.chunks(chunk) {
            out += &rewriter.push(&chars.iter().collect::<String>())?;
        }
        Ok(out + &rewriter.pending)
    }

    #[test]
    fn replaced_types_are_restored_in_any_chunking() {
        for (wrapped, text, expected) in [
            (true, r#"{"answer": [1, 2]}"#, " [1, 2]"),
            (true, r#" { "answer" : "a}\"{" } "#, r#" "a}\"{" "#),
            (true, r#"{"answer":{"answer":1}}"#, r#"{"answer":1}"#),
            (true, r#"{"answer": 5"#, " 5"),
            (true, r#"{"answer": [{"a": "#, r#" [{"a": "#),
            (true, "I cannot {\"answer\": 1}", "I cannot {\"answer\": 1}"),
            (true, r#"{"other": 1}"#, r#"{"other": 1}"#),
            (true, r#"{"answer":1} {"answer":2}"#, r#"1{"answer":2}"#),
            (true, "{", "{"),
            (true, "{}", "{}"),
            (
                false,
                r#"{"map_entries":[{"key":"a\"","value":1},{"key":"b","value":[]}]}"#,
                r#"{"a\"":1,"b":[]}"#,
            ),
            (false, r#"{"map_entries": []}"#, " {}"),
            (
                false,
                r#"{"m":{"map_entries":[{"key":"a","value":{"map_entries":[]}}]}}"#,
                r#"{"m":{"a":{}}}"#,
            ),
            (
                false,
                r#"{"tuple_1":1,"tuple_2":{"tuple_1":"x"}}"#,
                r#"[1,["x"]]"#,
            ),
            (
                false,
                r#"{"a":{"tuple_1":[1,2],"tuple_2":null},"b":"{\"tuple_1\":"}"#,
                r#"{"a":[[1,2],null],"b":"{\"tuple_1\":"}"#,
            ),
            (
                false,
                r#"{"a_very_long_key_of_an_object":{"map_entriesx":1}}"#,
                r#"{"a_very_long_key_of_an_object":{"map_entriesx":1}}"#,
            ),
            (false, r#"{"ö\"{":{}}"#, r#"{"ö\"{":{}}"#),
        ] {
            for chunk in [1, 2, 3, 7, 1000] {
                assert_eq!(
                    restored(wrapped, text, chunk).unwrap(),
                    expected,
                    "{text} by {chunk}"
                );
            }
        }
    }

    #[test]
    fn another_structure_is_an_error() {
        for text in [
            r#"{"answer": 1, "note": 2}"#,
            r#"{"answer": {"map_entries": {}}}"#,
            r#"{"answer": {"map_entries": [{"value": 1}]}}"#,
            r#"{"answer": {"map_entries": [{"key": "a"}]}}"#,
            r#"{"answer": {"map_entries": [{"key": 1, "value": 1}]}}"#,
            r#"{"answer": {"map_entries": [{"key": "a", "val": 1}]}}"#,
            r#"{"answer": {"map_entries": [], "more": 1}}"#,
            r#"{"answer": {"tuple_1": 1, "tuple_3": 2}}"#,
            r#"{"answer": [}"#,
        ] {
            assert!(restored(true, text, 1).is_err(), "{text}");
        }
    }

    #[test]
    fn time_grows_linearly_with_the_text() {
        let spaces = format!("{{{}\"answer\": 1}}", " ".repeat(1_000_000));
        assert_eq!(restored(true, &spaces, 1000).unwrap(), " 1");
        let key = format!("{{\"{}\": 1}}", "k".repeat(1_000_000));
        assert_eq!(restored(false, &key, 1000).unwrap().len(), key.len());
    }

    /// A value as the model writes it, and in its original form.
    fn values() -> impl Strategy<Value = (String, String)> {
        let text = |text: &str| serde_json::Value::from(text).to_string();
        let leaf = prop_oneof![
            Just("null".to_owned()),
            any::<i64>().prop_map(|number| number.to_string()),
            any::<String>().prop_map(move |string| text(&string)),
            "[{}\\[\\]\"\\\\:, a]{0,8}".prop_map(move |string| text(&string)),
        ];
        let leaf = leaf.prop_map(|leaf| (leaf.clone(), leaf));
        leaf.prop_recursive(4, 24, 4, move |inner| {
            let pairs = proptest::collection::vec((any::<String>(), inner.clone()), 0..4);
            let join = |items: Vec<String>| items.join(",");
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(move |items| {
                    let (written, original) = items.into_iter().unzip();
                    (
                        format!("[{}]", join(written)),
                        format!("[{}]", join(original)),
                    )
                }),
                proptest::collection::vec(inner, 1..4).prop_map(move |items| {
                    let (written, original): (Vec<_>, Vec<_>) = items.into_iter().unzip();
                    let written = written.iter().enumerate();
                    let written =
                        written.map(|(index, item)| format!("\"{}\":{item}", tuple_item(index)));
                    (
                        format!("{{{}}}", join(written.collect())),
                        format!("[{}]", join(original)),
                    )
                }),
                (pairs, any::<bool>()).prop_map(move |(pairs, is_map)| {
                    let members = |written: bool| {
                        let members = pairs.iter().map(|(key, (value, original))| match written {
                            true if is_map => {
                                format!("{{\"key\":{},\"value\":{value}}}", text(key))
                            }
                            true => format!("{}:{value}", text(key)),
                            false => format!("{}:{original}", text(key)),
                        });
                        join(members.collect())
                    };
                    let written = match is_map {
                        true => format!("{{\"map_entries\":[{}]}}", members(true)),
                        false => format!("{{{}}}", members(true)),
                    };
                    (written, format!("{{{}}}", members(false)))
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_value_is_restored_as_it_was(value in values(), wrapped in any::<bool>(), chunk in 1..40_usize) {
            let (written, original) = value;
            // Another root is wrapped.
            let wrapped = wrapped || !written.starts_with('{');
            let written = match wrapped {
                true => format!("{{\"answer\":{written}}}"),
                false => written,
            };
            prop_assert_eq!(restored(wrapped, &written, chunk).unwrap(), original);
        }

        #[test]
        fn any_text_is_restored_or_refused(text in "[{}\\[\\]\":,a ]{0,40}", wrapped in any::<bool>(), chunk in 1..40_usize) {
            let whole = restored(wrapped, &text, usize::MAX).ok();
            prop_assert_eq!(restored(wrapped, &text, chunk).ok(), whole);
        }
    }
}
