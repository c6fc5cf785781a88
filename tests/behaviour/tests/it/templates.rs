//! `#[typed_prompt::template]`: a struct whose fields are generated from the slots.

use crate::user;

#[typed_prompt::template(user = "Translate <text> into <language>.<if formal> Be formal.</if>")]
#[derive(Clone, Debug, PartialEq, Default)]
struct Translate;

#[typed_prompt::template(user = "{b} {a} {input:type}", syntax = "brace")]
struct Braces;

/// Say <word>, <word>.
#[typed_prompt::template(doc, from)]
struct Documented;

#[test]
fn a_slot_is_a_field() {
    let ask = Translate {
        text: "Hi".into(),
        language: "French".into(),
        formal: true,
    };
    assert_eq!(user(&ask), "Translate Hi into French. Be formal.");
    assert_eq!(ask.clone(), ask);
    assert_eq!(
        format!("{:?}", Translate::default()),
        r#"Translate { text: "", language: "", formal: false }"#
    );
    let braces = Braces {
        b: "1".into(),
        a: "2".into(),
        r#type: "3".into(),
    };
    assert_eq!(user(&braces), "1 2 3");
    assert_eq!(user(&Documented { word: "hi".into() }), "Say hi, hi.");
    assert_eq!(user(&Documented::from("hi")), "Say hi, hi.");
}
