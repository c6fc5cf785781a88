//! Values as Python's `str` prints them, so that prompts ported from Python render the same text.

use std::fmt::Write as _;
use std::ops::Range;

use serde_core::Serialize;
use serde_core::ser::{
    Error as _, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::push_repr;
use crate::{Error, ErrorKind, Json, JsonKind, SystemSafe, ToPrompt, Truthy, Writer};
use prompt_base::json::{JsonPrinter, JsonStyle};

/// Fills a slot with what Python's `str(x)` prints: `True`, `None`, `1.0`, `['a', 'b']`, `{'k': 1}`.
///
/// Arrays and tuples print as lists, structs as dicts.
///
/// ```
/// use typed_prompt::{value::python, write::Writer};
///
/// let mut out = Writer::new();
/// out.slot("x", &python(1.0));
/// out.text(" ");
/// out.slot("b", &python(true));
/// out.text(" ");
/// out.slot("l", &python(["it's", "b\n"]));
/// assert_eq!(out.finish()?[0].text(), r#"1.0 True ["it's", 'b\n']"#);
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub fn python<T: Serialize>(value: T) -> Python<T> {
    Python(value)
}

/// See [`python`].
///
/// ```
/// use typed_prompt::{value::Python, write::Writer};
///
/// struct Row { score: Python<f64> }
/// let row = Row { score: Python(1e16) };
/// let mut out = Writer::new();
/// out.slot("score", &row.score);
/// assert_eq!(out.finish()?[0].text(), "1e+16");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Python<T>(pub T);

#[diagnostic::do_not_recommend]
impl<T: Serialize> ToPrompt for Python<T> {
    fn write(&self, out: &mut Writer) {
        let mut printer = JsonPrinter::new(JsonStyle::SPACED);
        match self.0.serialize(PythonValue {
            printer: &mut printer,
            nested: false,
        }) {
            Ok(()) => out.data(&printer.out),
            Err(error) => {
                let message = format!("the value cannot be printed as Python: {error}");
                out.fail(Error::new(ErrorKind::Value, message));
            }
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: SystemSafe> SystemSafe for Python<T> {}

#[diagnostic::do_not_recommend]
impl<T: Truthy> Truthy for Python<T> {
    fn is_truthy(&self) -> bool {
        self.0.is_truthy()
    }
}

/// Prints one value; a nested string has quotes.
struct PythonValue<'a> {
    printer: &'a mut JsonPrinter<'static>,
    nested: bool,
}

type PrintResult = Result<(), serde_json::Error>;

impl<'a> PythonValue<'a> {
    fn print_word(self, word: &str) -> PrintResult {
        self.printer.push(word);
        Ok(())
    }

    fn open_bracket(self, bracket: &str, end: &'static [&'static str]) -> Items<'a> {
        self.printer.open_bracket(bracket);
        Items {
            printer: self.printer,
            end,
            has_key: false,
        }
    }

    /// Opens a variant with content, which serde represents as a dict of one entry.
    fn in_variant(self, name: &str) -> PythonValue<'a> {
        self.printer.open_bracket("{");
        self.printer.begin_item();
        push_repr(&mut self.printer.out, name);
        self.printer.end_key();
        self
    }
}

macro_rules! whole_numbers {
    ($($name:ident $ty:ty),*) => {$(
        fn $name(self, value: $ty) -> PrintResult {
            self.print_word(&value.to_string())
        }
    )*};
}

impl<'a> Serializer for PythonValue<'a> {
    type Ok = ();
    type Error = serde_json::Error;
    type SerializeSeq = Items<'a>;
    type SerializeTuple = Items<'a>;
    type SerializeTupleStruct = Items<'a>;
    type SerializeTupleVariant = Items<'a>;
    type SerializeMap = Items<'a>;
    type SerializeStruct = ReprFields<'a>;
    type SerializeStructVariant = Items<'a>;

    whole_numbers! {
        serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64, serialize_i128 i128,
        serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64, serialize_u128 u128
    }

    fn serialize_bool(self, value: bool) -> PrintResult {
        self.print_word(if value { "True" } else { "False" })
    }

    fn serialize_f32(self, value: f32) -> PrintResult {
        let text = format_float(value.is_finite(), &format!("{value:e}"));
        self.print_word(&text)
    }

    fn serialize_f64(self, value: f64) -> PrintResult {
        let text = float_repr(value);
        self.print_word(&text)
    }

    fn serialize_char(self, value: char) -> PrintResult {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> PrintResult {
        if self.nested {
            push_repr(&mut self.printer.out, value);
        } else {
            self.printer.push(value);
        }
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> PrintResult {
        let out = &mut self.printer.out;
        out.push('b');
        let text: String = value.iter().map(|byte| char::from(*byte)).collect();
        let mut quoted = String::new();
        push_repr(&mut quoted, &text);
        // Bytes beyond ASCII are escaped, in text they are not.
        for char in quoted.chars() {
            if char.is_ascii() {
                out.push(char);
            } else {
                let _ = write!(out, "\\x{:02x}", u32::from(char));
            }
        }
        Ok(())
    }

    fn serialize_none(self) -> PrintResult {
        self.print_word("None")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> PrintResult {
        value.serialize(self)
    }

    fn serialize_unit(self) -> PrintResult {
        self.print_word("None")
    }

    fn serialize_unit_struct(self, _: &'static str) -> PrintResult {
        self.print_word("None")
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> PrintResult {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> PrintResult {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> PrintResult {
        let PythonValue { printer, .. } = self.in_variant(variant);
        let nested = true;
        value.serialize(PythonValue { printer, nested })?;
        printer.close_bracket("}");
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'a>, serde_json::Error> {
        Ok(self.open_bracket("[", &["]"]))
    }

    fn serialize_tuple(self, len: usize) -> Result<Items<'a>, serde_json::Error> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        len: usize,
    ) -> Result<Items<'a>, serde_json::Error> {
        self.serialize_tuple(len)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items<'a>, serde_json::Error> {
        Ok(self.in_variant(variant).open_bracket("[", &["]", "}"]))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Items<'a>, serde_json::Error> {
        Ok(self.open_bracket("{", &["}"]))
    }

    fn serialize_struct(
        self,
        name: &'static str,
        _: usize,
    ) -> Result<ReprFields<'a>, serde_json::Error> {
        Ok(match name {
            RAW_VALUE => ReprFields::Json {
                printer: self.printer,
                nested: self.nested,
            },
            _ => ReprFields::Entries(self.open_bracket("{", &["}"])),
        })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items<'a>, serde_json::Error> {
        Ok(self.in_variant(variant).open_bracket("{", &["}", "}"]))
    }
}

/// The items of a list or dict, and the brackets that close it.
struct Items<'a> {
    printer: &'a mut JsonPrinter<'static>,
    end: &'static [&'static str],
    /// The key of an entry was printed, and its value was not.
    has_key: bool,
}

impl Items<'_> {
    fn print_value<T: Serialize + ?Sized>(&mut self, value: &T) -> PrintResult {
        value.serialize(PythonValue {
            printer: self.printer,
            nested: true,
        })
    }

    fn print_item<T: Serialize + ?Sized>(&mut self, value: &T) -> PrintResult {
        self.printer.begin_item();
        self.print_value(value)
    }

    fn print_entry<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> PrintResult {
        self.print_item(key)?;
        self.printer.end_key();
        self.print_value(value)
    }

    fn close_bracket(self) -> PrintResult {
        self.end
            .iter()
            .for_each(|end| self.printer.close_bracket(end));
        Ok(())
    }
}

macro_rules! sequences {
    ($($name:ident $method:ident),*) => {$(
        impl $name for Items<'_> {
            type Ok = ();
            type Error = serde_json::Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> PrintResult {
                self.print_item(value)
            }

            fn end(self) -> PrintResult {
                self.close_bracket()
            }
        }
    )*};
}

sequences! {
    SerializeSeq serialize_element, SerializeTuple serialize_element, SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field
}

impl SerializeStructVariant for Items<'_> {
    type Ok = ();
    type Error = serde_json::Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> PrintResult {
        self.print_entry(key, value)
    }

    fn end(self) -> PrintResult {
        self.close_bracket()
    }
}

/// The name of the struct that `serde_json` gives JSON text as, such as a [`Json`](crate::Json). Its field is the text.
const RAW_VALUE: &str = "$serde_json::private::RawValue";

/// The fields of a struct, or the text of JSON.
enum ReprFields<'a> {
    Entries(Items<'a>),
    Json {
        printer: &'a mut JsonPrinter<'static>,
        nested: bool,
    },
}

impl SerializeStruct for ReprFields<'_> {
    type Ok = ();
    type Error = serde_json::Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> PrintResult {
        match self {
            ReprFields::Entries(items) => items.print_entry(key, value),
            ReprFields::Json { printer, nested } => {
                let text: String = serde_json::from_value(serde_json::to_value(value)?)?;
                let json = Json::parse(&text).map_err(serde_json::Error::custom)?;
                print_json(
                    PythonValue {
                        printer,
                        nested: *nested,
                    },
                    &json,
                )
            }
        }
    }

    fn end(self) -> PrintResult {
        match self {
            ReprFields::Entries(items) => items.close_bracket(),
            ReprFields::Json { .. } => Ok(()),
        }
    }
}

/// Prints JSON with the entries in the order written; of repeated keys the last one counts.
fn print_json(repr: PythonValue<'_>, json: &Json) -> PrintResult {
    if let Some(entries) = json.unique_entries() {
        let mut items = repr.open_bracket("{", &["}"]);
        for (key, value) in &entries {
            items.print_item(key)?;
            items.printer.end_key();
            items.print_value(value)?;
        }
        return items.close_bracket();
    }
    if let Some(values) = json.items() {
        let mut items = repr.open_bracket("[", &["]"]);
        for value in &values {
            items.print_item(value)?;
        }
        return items.close_bracket();
    }
    let text = json.as_str();
    let is_whole = json.kind() == JsonKind::Number && !text.contains(['.', 'e', 'E']);
    match is_whole {
        true => repr.print_word(text),
        false => json
            .deserialize_as::<serde_json::Value>()
            .map_err(serde_json::Error::custom)?
            .serialize(repr),
    }
}

impl SerializeMap for Items<'_> {
    type Ok = ();
    type Error = serde_json::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> PrintResult {
        self.has_key = true;
        self.print_item(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> PrintResult {
        if !std::mem::take(&mut self.has_key) {
            return Err(serde_json::Error::custom(
                "a map gives a value before its key",
            ));
        }
        self.printer.end_key();
        self.print_value(value)
    }

    fn end(self) -> PrintResult {
        self.close_bracket()
    }
}

/// The fewest digits that are parsed back to the same number, in scientific form. If two such texts are equally near, Python uses
/// the one that ends in an even digit, and Rust the larger one.
fn format_shortest(number: f64) -> String {
    let shortest = format!("{number:e}");
    let digits = shortest.bytes().take_while(|byte| *byte != b'e');
    let digits = digits.filter(u8::is_ascii_digit).count();
    let even = format!("{number:.*e}", digits.saturating_sub(1));
    if even.parse() == Ok(number) {
        even
    } else {
        shortest
    }
}

/// A float from its shortest digits in scientific form, such as `1.5e16`.
fn format_float(finite: bool, scientific: &str) -> String {
    let (sign, digits) = scientific
        .strip_prefix('-')
        .map_or(("", scientific), |digits| ("-", digits));
    if !finite {
        return format!("{sign}{}", if digits == "NaN" { "nan" } else { "inf" });
    }
    let (mantissa, exponent) = digits.split_once('e').unwrap_or((digits, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits = mantissa.replace('.', "");
    // Python's repr: from 1e16 on, and below 1e-4, in scientific form.
    if !(-4..16).contains(&exponent) {
        let mark = if exponent < 0 { '-' } else { '+' };
        return format!("{sign}{mantissa}e{mark}{:02}", exponent.abs());
    }
    if exponent < 0 {
        let zeros = "0".repeat(exponent.unsigned_abs() as usize - 1);
        return format!("{sign}0.{zeros}{digits}");
    }
    let whole = exponent.unsigned_abs() as usize + 1;
    match digits.split_at_checked(whole) {
        Some((before, after)) if !after.is_empty() => format!("{sign}{before}.{after}"),
        _ => format!("{sign}{digits}{}.0", "0".repeat(whole - digits.len())),
    }
}

/// A number as Python's `repr` prints it.
///
/// ```
/// assert_eq!(prompt_core::python::float_repr(1e16), "1e+16");
/// ```
pub fn float_repr(number: f64) -> String {
    format_float(number.is_finite(), &format_shortest(number))
}

/// A number as Python's `json.dumps` prints it: as [`float_repr`], but `NaN` and `Infinity`.
///
/// ```
/// assert_eq!(prompt_core::python::json_float(f64::NEG_INFINITY), "-Infinity");
/// ```
pub fn json_float(number: f64) -> String {
    match number {
        f64::INFINITY => "Infinity".to_owned(),
        f64::NEG_INFINITY => "-Infinity".to_owned(),
        _ if number.is_nan() => "NaN".to_owned(),
        _ => float_repr(number),
    }
}

/// The positions of the items in a slice `[start:stop:step]` of this length, in its order. `None` for a step of zero.
///
/// ```
/// use prompt_core::python::slice_positions;
///
/// let last_two = slice_positions([Some(-2), None, None], 5).map(Iterator::collect::<Vec<_>>);
/// assert_eq!(last_two, Some(vec![3, 4]));
/// ```
pub fn slice_positions(
    [start, stop, step]: [Option<i128>; 3],
    length: usize,
) -> Option<impl Iterator<Item = usize>> {
    let step = step.unwrap_or(1);
    let length = i128::try_from(length).unwrap_or(i128::MAX);
    // Backwards, the positions are before the start of the list and its last one, instead of its first one and its end.
    let (least, most) = if step > 0 {
        (0, length)
    } else {
        (-1, length - 1)
    };
    let position = |at: i128| {
        let at = if at < 0 {
            at.saturating_add(length)
        } else {
            at
        };
        at.clamp(least, most)
    };
    let (first, end) = if step > 0 {
        (least, most)
    } else {
        (most, least)
    };
    let mut at = start.map_or(first, position);
    let end = stop.map_or(end, position);
    let positions = std::iter::from_fn(move || {
        let here = at;
        let is_inside = if step > 0 { here < end } else { here > end };
        at = at.saturating_add(step);
        is_inside.then(|| usize::try_from(here).ok()).flatten()
    });
    (step != 0).then_some(positions)
}

/// The ranges of the lines without their line breaks, as Python's `str.splitlines` cuts them.
///
/// ```
/// assert_eq!(prompt_core::python::lines("a\r\nb\u{b}"), [0..1, 3..4]);
/// ```
pub fn lines(text: &str) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        if !ends_line(char) {
            continue;
        }
        lines.push(start..at);
        start = at + char.len_utf8();
        if char == '\r' && chars.next_if(|next| next.1 == '\n').is_some() {
            start += 1;
        }
    }
    if start < text.len() {
        lines.push(start..text.len());
    }
    lines
}

fn ends_line(char: char) -> bool {
    matches!(
        char,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: impl Serialize, expected: &str) {
        let mut out = Writer::new();
        out.slot("x", &python(value));
        assert_eq!(out.finish().unwrap()[0].text(), expected);
    }

    #[test]
    fn floats() {
        for (value, expected) in [
            (1.0, "1.0"),
            (0.1, "0.1"),
            (-0.0, "-0.0"),
            (123.456, "123.456"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1.5e300, "1.5e+300"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (-2.5e-7, "-2.5e-07"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "nan"),
            (100.0, "100.0"),
            (2_f64.powi(-25), "2.9802322387695312e-08"),
        ] {
            check(value, expected);
        }
        check(0.1_f32, "0.1");
    }

    #[test]
    fn values() {
        check("a'b", "a'b");
        check(
            ["a'b", "a\"b", "a'\"b", "é\u{a0}\u{7f}\u{200b}\u{1f980}"],
            r#"["a'b", 'a"b', 'a\'"b', 'é\xa0\x7f\u200b🦀']"#,
        );
        check((1, "a"), "[1, 'a']");
        check((true, Option::<u8>::None, "x"), "[True, None, 'x']");
        check(
            serde_json::json!({"k": [1, 2.0, null, {}]}),
            "{'k': [1, 2.0, None, {}]}",
        );
        let json =
            r#"{"b": [1, 2.50, null, {}, 1e30, 123456789012345678901], "a": "it's", "b": true}"#;
        let json = Json::parse(json).unwrap();
        check(&json, "{'b': True, 'a': \"it's\"}");
        let json =
            Json::parse(r#"{"b": [1, 2.50, null, {}], "a": 123456789012345678901}"#).unwrap();
        check(
            (json, Json::parse("\"x\"").unwrap()),
            "[{'b': [1, 2.5, None, {}], 'a': 123456789012345678901}, 'x']",
        );
        check(std::collections::BTreeMap::from([(1, "a")]), "{1: 'a'}");
    }
}
