//! Values that do not fit the type of their field: the error of each names its column, whatever the type is.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io::Cursor;
use std::net::IpAddr;
use std::num::{NonZero, NonZeroU8};

use prompt_eval::{DataError, Dataset};
use proptest::prelude::*;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};

#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Channel {
    Mail,
    Phone,
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "only its errors are read")]
struct Wrapped(Channel);

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "only its errors are read")]
enum WithValue {
    Mail(u8),
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its errors are read")]
enum Untagged {
    Number(u8),
    Flag(bool),
}

#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
struct Even;

impl TryFrom<String> for Even {
    type Error = String;

    fn try_from(text: String) -> Result<Even, String> {
        match text.len().is_multiple_of(2) {
            true => Ok(Even),
            false => Err(format!("`{text}` has an odd length")),
        }
    }
}

/// A type with its own implementation, as those of dates.
#[derive(Debug)]
struct Day;

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Day, D::Error> {
        let text = String::deserialize(deserializer)?;
        match text.split('-').count() == 3 {
            true => Ok(Day),
            false => Err(D::Error::custom("premature end of input")),
        }
    }
}

/// The middle column of three.
#[derive(Debug, Deserialize, PartialEq)]
struct Middle<C> {
    a: String,
    c: C,
    z: Option<String>,
}

/// All rows of a CSV file.
fn csv_rows<R: DeserializeOwned + 'static>(text: &str) -> Vec<Result<R, DataError>> {
    let rows = Dataset::from_csv(Cursor::new(text.to_owned()), "c.csv").expect("it has a header");
    rows.map(|row| row.map(|row| row.value)).collect()
}

/// The error of the first row of a CSV file.
fn csv_error<R: Debug + DeserializeOwned + 'static>(text: &str) -> String {
    csv_rows::<R>(text).remove(0).unwrap_err().to_string()
}

/// The message of a value of the type in CSV, whose column is named.
#[track_caller]
fn csv<C: Debug + DeserializeOwned + 'static>(value: &str, message: &str) {
    let error = csv_error::<Middle<C>>(&format!("a,c,z\nfirst,{value},last\n"));
    assert_eq!(error, format!("c.csv, row 1, column `c`: {message}"));
}

/// The message of a value of the type in JSONL, whose path is named.
#[track_caller]
fn jsonl<C: Debug + DeserializeOwned + 'static>(value: &str, path: &str, message: &str) {
    let line = format!(r#"{{"a": "first", "c": {value}, "z": null}}"#);
    let rows = Dataset::<Middle<C>>::from_jsonl(Cursor::new(line), "c.jsonl");
    let error = rows.expect("it has a row").next().expect("a row");
    assert_eq!(
        error.unwrap_err().to_string(),
        format!("c.jsonl, row 1, column `{path}`: {message}")
    );
}

#[test]
fn values_of_csv() {
    let variant = "unknown variant `fax`, expected `mail` or `phone`";
    csv::<Channel>("fax", variant);
    csv::<Option<Channel>>("fax", variant);
    csv::<Box<Channel>>("fax", variant);
    csv::<Wrapped>("fax", variant);
    csv::<WithValue>(
        "Mail",
        "invalid type: unit variant, expected newtype variant",
    );
    csv::<Untagged>(
        "fax",
        "data did not match any variant of untagged enum Untagged",
    );
    csv::<NonZeroU8>("0", "invalid value: integer `0`, expected a nonzero u8");
    csv::<NonZero<i64>>("x", "`x` is not an integer");
    csv::<Even>("odd", "`odd` has an odd length");
    csv::<Day>("today", "premature end of input");
    csv::<Option<Day>>("today", "premature end of input");
    csv::<IpAddr>("here", "invalid IP address syntax");
    csv::<char>("ab", "invalid value: string \"ab\", expected a character");
    csv::<bool>("yes", "`yes` is neither `true` nor `false`");
    csv::<f64>("x", "`x` is not a number");
}

/// A value of CSV is one text, also in the last column.
#[test]
fn lists_and_objects_are_not_values_of_csv() {
    csv::<Vec<String>>("x", "invalid type: string \"x\", expected a sequence");
    csv::<(u8, u8)>(
        "1",
        "invalid type: string \"1\", expected a tuple of size 2",
    );
    csv::<BTreeMap<String, String>>("x", "invalid type: string \"x\", expected a map");
    csv::<Middle<u8>>("x", "invalid type: string \"x\", expected struct Middle");
    assert_eq!(
        csv_error::<BTreeMap<String, Vec<u8>>>("a\n1\n"),
        "c.csv, row 1, column `a`: invalid type: string \"1\", expected a sequence"
    );
}

#[test]
fn integers_out_of_range() {
    csv::<u8>("300", "`300` is out of range: `u8` is from 0 to 255");
    csv::<u8>("-1", "`-1` is out of range: `u8` is from 0 to 255");
    csv::<i8>("-129", "`-129` is out of range: `i8` is from -128 to 127");
    csv::<Option<u16>>(
        "+65536",
        "`+65536` is out of range: `u16` is from 0 to 65535",
    );
    csv::<NonZeroU8>("300", "`300` is out of range: `u8` is from 0 to 255");
    csv::<u8>("0x100", "`0x100` is out of range: `u8` is from 0 to 255");
    csv::<i64>(
        "9223372036854775808",
        "`9223372036854775808` is out of range: `i64` is from -9223372036854775808 to 9223372036854775807",
    );
    let digits = "9".repeat(50);
    let most = u128::MAX;
    csv::<u128>(
        &digits,
        &format!("`{digits}` is out of range: `u128` is from 0 to {most}"),
    );
    for text in [
        "1.0", "1e3", "-", "+", "--1", "0x", "0xg", " 1", "", "1_000", "\u{663}",
    ] {
        csv::<u8>(text, &format!("`{text}` is not an integer"));
    }
}

#[test]
fn rows_of_csv_of_other_shapes() {
    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(tag = "kind", rename_all = "lowercase")]
    enum Kinds {
        Count { n: u8 },
        Text { text: String },
    }
    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only its errors are read")]
    struct Outer {
        a: String,
        #[serde(flatten)]
        inner: Inner,
    }
    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only its errors are read")]
    struct Inner {
        c: Channel,
        n: u8,
        ok: bool,
    }
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its errors are read")]
    struct Strict {
        a: String,
    }
    for (row, message) in [
        (
            "x,fax,1,true",
            "column `c`: unknown variant `fax`, expected `mail` or `phone`",
        ),
        (
            "x,mail,300,true",
            "column `n`: invalid value: integer `300`, expected u8",
        ),
        (
            "x,mail,1,maybe",
            "column `ok`: invalid type: string \"maybe\", expected a boolean",
        ),
        (
            "x,mail,1.5,true",
            "column `n`: invalid type: floating point `1.5`, expected u8",
        ),
        (
            "x,mail,1,3",
            "column `ok`: invalid type: integer `3`, expected a boolean",
        ),
    ] {
        let error = csv_error::<Outer>(&format!("a,c,n,ok\n{row}\n"));
        assert_eq!(error, format!("c.csv, row 1, {message}"), "{row}");
    }
    // Two columns have this value: neither is named, rather than the wrong one.
    assert_eq!(
        csv_error::<Outer>("a,c,n,ok\nfax,fax,1,true\n"),
        "c.csv, row 1: unknown variant `fax`, expected `mail` or `phone`"
    );
    assert_eq!(
        csv_error::<Outer>("a,c,n\nx,mail,1\n"),
        "c.csv, row 1, column `ok`: it is missing; the columns are `a`, `c`, `n`"
    );
    assert_eq!(
        csv_error::<Strict>("a,others\nx,1\n"),
        "c.csv, row 1, column `others`: unknown field `others`, expected `a`"
    );
    assert_eq!(
        csv_error::<(String, Vec<u8>)>("name,first,second\nx,1,x\n"),
        "c.csv, row 1, column `second`: `x` is not an integer"
    );
    assert_eq!(
        csv_error::<(String, String, u8)>("name,first\nx,1\n"),
        "c.csv, row 1: invalid length 2, expected a tuple of size 3"
    );
    assert_eq!(
        csv_error::<Channel>("c\nfax\n"),
        "c.csv, row 1, column `c`: unknown variant `fax`, expected `mail` or `phone`"
    );
    let rows = csv_rows::<Kinds>("kind,n,text\ncount,3,\ntext,,hi\n");
    let rows: Vec<_> = rows.into_iter().map(Result::unwrap).collect();
    let text = "hi".to_owned();
    assert_eq!(rows, [Kinds::Count { n: 3 }, Kinds::Text { text }]);
    let rows = csv_rows::<serde_json::Value>("a,n\nx,3\n");
    assert_eq!(
        rows[0].as_ref().unwrap(),
        &serde_json::json!({"a": "x", "n": 3})
    );
}

#[test]
fn values_of_jsonl() {
    let kind = |found: &str| format!("invalid type: {found}, expected string or map");
    for (value, found) in [
        ("1", "integer `1`"),
        ("true", "boolean `true`"),
        ("[\"mail\"]", "sequence"),
    ] {
        jsonl::<Channel>(value, "c", &kind(found));
        jsonl::<Option<Channel>>(value, "c", &kind(found));
        jsonl::<Wrapped>(value, "c", &kind(found));
    }
    jsonl::<Channel>("null", "c", &kind("null"));
    jsonl::<Vec<Channel>>("[\"mail\", 2]", "c[1]", &kind("integer `2`"));
    jsonl::<Middle<Channel>>(
        r#"{"a": "", "c": {}}"#,
        "c.c",
        "invalid value: map, expected map with a single key",
    );
    let variant = "unknown variant `fax`, expected `mail` or `phone`";
    jsonl::<Channel>("\"fax\"", "c", variant);
    jsonl::<u8>("300", "c", "invalid value: integer `300`, expected u8");
    jsonl::<f64>("1e999", "c", "number out of range, at character 25");
    jsonl::<String>(
        r#""\ud800""#,
        "c",
        "unexpected end of hex escape, at character 28",
    );
    jsonl::<Day>("\"today at line 3\"", "c", "premature end of input");
}

/// A value of JSON.
fn json_values() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        prop_oneof!["mail", "phone", "Mail", ".{0,3}"].prop_map(Into::into),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        let key = prop_oneof!["a", "c", "z", "mail", "Mail", ".{0,2}"];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Into::into),
            prop::collection::btree_map(key, inner, 0..3)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Reads a line as a row with a field of the type.
fn check_line<C: DeserializeOwned + 'static>(line: &str, cut: Option<usize>) {
    let text = line[..cut.unwrap_or(line.len())].to_owned();
    let mut rows = Dataset::<Middle<C>>::from_jsonl(Cursor::new(text), "c.jsonl").unwrap();
    let Err(error) = rows.next().unwrap() else {
        assert_eq!(cut, None, "{line}");
        return;
    };
    let is_syntax = error.message().starts_with("this is not a JSON object: ");
    assert_eq!(is_syntax, cut.is_some(), "{line}: {error}");
    let is_located = error.column().is_some_and(|column| column.starts_with('c'));
    assert_eq!(is_located, cut.is_none(), "{line}: {error}");
}

proptest! {
    /// A line that is JSON never has an error of its syntax, and one that was cut off always has.
    #[test]
    fn errors_of_json_are_of_its_syntax_or_of_a_column(
        value in json_values(), cut in any::<prop::sample::Index>(),
    ) {
        let line = format!(r#"{{"a": "é", "c": {value}}}"#);
        let boundary = line.char_indices().map(|(index, _)| index).filter(|index| *index > 0);
        let boundary: Vec<usize> = boundary.collect();
        for cut in [None, Some(boundary[cut.index(boundary.len())])] {
            check_line::<Channel>(&line, cut);
            check_line::<Option<Wrapped>>(&line, cut);
            check_line::<WithValue>(&line, cut);
            check_line::<Untagged>(&line, cut);
            check_line::<Vec<Channel>>(&line, cut);
            check_line::<Middle<Channel>>(&line, cut);
            check_line::<BTreeMap<String, NonZeroU8>>(&line, cut);
            check_line::<Day>(&line, cut);
        }
    }

    /// The values are those that the crate `csv` reads, and the error of each other value names its column.
    #[test]
    fn values_of_csv_are_those_of_the_crate(
        value in prop_oneof![
            "[-+]?(0x)?[0-9]{0,20}", "[-+]?[0-9]{0,3}(\\.[0-9]{0,2})?(e[0-9])?",
            "true|false|mail|phone|inf|nan|Mail", "[^\"\u{0}-\u{1f},]{0,3}", "",
        ],
    ) {
        compare::<Option<bool>>(&value);
        compare::<u8>(&value);
        compare::<Option<i8>>(&value);
        compare::<u64>(&value);
        compare::<i64>(&value);
        compare::<i128>(&value);
        compare::<u128>(&value);
        compare::<NonZeroU8>(&value);
        compare::<f32>(&value);
        compare::<Option<f64>>(&value);
        compare::<char>(&value);
        compare::<String>(&value);
        compare::<Option<String>>(&value);
        compare::<Channel>(&value);
        compare::<Option<Channel>>(&value);
        compare::<IpAddr>(&value);
        compare::<serde_json::Value>(&value);
    }
}

/// Compares a value with what the crate `csv` reads.
fn compare<C: Debug + DeserializeOwned + 'static>(value: &str) {
    let (header, row) = (["a", "c", "z"], ["first", value, "last"]);
    let expected = csv::StringRecord::from(&row[..]);
    let names = csv::StringRecord::from(&header[..]);
    let text = format!("a,c,z\nfirst,{value},last\n");
    let shapes = [
        compare_row::<Middle<C>>(&expected, &names, &text),
        compare_row::<(String, C, String)>(&expected, &names, &text),
    ];
    assert_eq!(shapes[0], shapes[1], "{value}");
}

/// Whether the row is read.
fn compare_row<R: Debug + DeserializeOwned + 'static>(
    record: &csv::StringRecord,
    header: &csv::StringRecord,
    text: &str,
) -> bool {
    let expected = record.deserialize::<R>(Some(header));
    let read = csv_rows::<R>(text).remove(0);
    match (&expected, &read) {
        // As text, because NaN differs from itself.
        (Ok(expected), Ok(read)) => assert_eq!(format!("{expected:?}"), format!("{read:?}")),
        (Err(_), Err(read)) => assert_eq!(read.column(), Some("c"), "{read}"),
        _ => panic!("{text:?}: {expected:?}, {read:?}"),
    }
    read.is_ok()
}

#[test]
fn arrays_in_files_of_json() {
    let help = "write one object per line, without brackets around all objects, or parse the file with `serde_json` and give the rows to `Eval::new`";
    let array = "the file is a JSON array, not one row per line";
    let load = |name: &str, text: &str| {
        let path = crate::written(name, text);
        let error = match Dataset::<Middle<u8>>::load(&path) {
            Ok(mut rows) => rows.next().expect("a row").unwrap_err(),
            Err(error) => error,
        };
        assert_eq!(error.file(), Some(&*path));
        (error.message().to_owned(), error.help().map(str::to_owned))
    };
    for text in ["[{\"a\": 1},\n{}]", "[\n  {\n", "[ {}]", "\u{feff}[{}]"] {
        let expected = (array.to_owned(), Some(help.to_owned()));
        assert_eq!(load("rows.json", text), expected, "{text}");
        assert_eq!(load("rows.jsonl", text), expected, "{text}");
    }
    let endings = "rows are read from `.jsonl`, `.csv`, `.tsv` and `.parquet` files";
    let jsonl = "if each line is a JSON object, read it with `Dataset::load_jsonl`";
    assert_eq!(
        load("rows.json", "\n {\"a\": 1}\n"),
        (endings.to_owned(), Some(jsonl.to_owned()))
    );
    for text in ["", "a,b\n", "\u{0}["] {
        assert_eq!(
            load("rows.json", text),
            (endings.to_owned(), None),
            "{text}"
        );
    }
}

/// Its content decides only about the help: it is not waited for.
#[test]
#[cfg(unix)]
fn pipes_with_another_ending() {
    let path = crate::path("rows.json");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.expect("there is `mkfifo`").success());
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(Dataset::<Middle<u8>>::load(&path).err()));
    let error = receiver.recv_timeout(std::time::Duration::from_secs(30));
    let error = error.expect("it does not wait").expect("it is not read");
    assert_eq!(error.help(), None);
}

#[test]
fn separators_in_values() {
    for (name, text, help) in [
        (
            "r.csv",
            "a,c,z\nx,1,200,y\n",
            "quote a value that contains a comma, as in `\"1,200\"`",
        ),
        (
            "r.tsv",
            "a\tc\tz\nx\t1\t2\ty\n",
            "quote a value that contains a tab",
        ),
    ] {
        let mut rows = Dataset::<Middle<String>>::load(crate::written(name, text)).unwrap();
        let error = rows.next().unwrap().unwrap_err();
        assert_eq!(error.message(), "it has 4 values, and the header 3 columns");
        assert_eq!(error.help(), Some(help));
    }
}
