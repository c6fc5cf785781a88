//! Hostile JSON as a value: it has the value that Python reads, in linear time.

use prompt_core::{Json, Origin};
use prompt_jinja::ToValue;

use crate::bad_values::filled;
use crate::linear::assert_linear;

#[test]
fn values_of_templates() {
    for (json, expected) in [
        ("18446744073709551616", "18446744073709551616"),
        ("-0", "0"),
        ("1e400", "inf"),
        ("[1.50, -1E-400]", "[1.5, -0.0]"),
        (r#"{"a": 1, "b": 2, "a": 3}"#, "{'a': 3, 'b': 2}"),
    ] {
        let json = Json::parse(json).unwrap();
        assert_eq!(json.to_value(Origin::Template).to_string(), expected);
    }
    for text in filled(&["$", r#"{"k":$}"#]) {
        let Ok(json) = Json::parse(&text) else {
            continue;
        };
        let value = json.to_value(Origin::Data(None));
        let _ = format!("{value:?}");
        drop(value);
    }
}

#[test]
fn keys_are_read_in_linear_time() {
    assert_linear("keys", 100, |size| {
        let keys: Vec<_> = (0..size).map(|at| format!("\"k{at}\":1")).collect();
        let object = Json::parse(&format!("{{{}}}", keys.join(","))).unwrap();
        drop(object.to_value(Origin::Template));
    });
}
