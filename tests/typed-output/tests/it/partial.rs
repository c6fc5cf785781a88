//! `derive(Partial)`: the parts of a value that have arrived.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use typed_prompt::Untrusted;
use typed_prompt::output::{Partial, Schema};

#[derive(Deserialize, JsonSchema, Partial)]
#[allow(dead_code)]
#[partial(derive(PartialEq, Default))]
#[serde(rename_all = "camelCase")]
struct Menu {
    /// The name of the restaurant.
    place_name: String,
    #[serde(rename = "type")]
    kind: Kind,
    dishes: Vec<Dish>,
    prices: BTreeMap<String, f64>,
    note: Option<Untrusted<String>>,
    #[partial(complete)]
    size: Option<(u8, u8, u8, u8)>,
    #[serde(flatten)]
    address: Address,
    #[serde(skip)]
    cached: Cache,
    next: Option<Box<Menu>>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema, Partial)]
enum Kind {
    Lunch,
    Dinner { until: u8 },
}

#[derive(Deserialize, JsonSchema, Partial)]
#[allow(dead_code)]
#[partial(derive(PartialEq))]
struct Dish {
    title: Title,
    price: f64,
}

#[derive(Deserialize, JsonSchema, Partial)]
#[allow(dead_code)]
struct Title(String);

#[derive(Deserialize, JsonSchema, Partial)]
#[allow(dead_code)]
#[partial(derive(PartialEq, Default), name = "AddressSoFar")]
struct Address {
    street: String,
    #[partial(skip)]
    country: Option<String>,
}

#[derive(Default)]
struct Cache;

/// What has arrived of this text.
fn partial<T: Partial + JsonSchema>(text: &str) -> T::Partial {
    let schema = Schema::from_type::<T>().unwrap();
    schema
        .parse_partial(text)
        .unwrap()
        .to_partial::<T>()
        .unwrap()
}

#[test]
fn parts_appear_as_they_arrive() {
    let whole = r#"{"placeName": "Chez Ann", "type": {"Dinner": {"until": 22}}, "dishes": [{"title": "Soup", "price": 4.5}],
        "prices": {"tea": 2, "wine": 5.5}, "note": null, "size": [1, 2, 3, 4], "street": "Rue A", "next": {"placeName": "B"#;
    let cut = |end: &str| partial::<Menu>(&whole[..whole.find(end).expect(end) + end.len()]);
    let so_far = |street: Option<&str>| {
        Some(AddressSoFar {
            street: street.map(str::to_owned),
        })
    };
    assert_eq!(cut("Chez").place_name.as_deref(), Some("Chez"));
    // An enum is there once it is complete.
    assert_eq!(cut("\"until\": 22").kind, None);
    assert_eq!(cut("22}}").kind, Some(Kind::Dinner { until: 22 }));
    let dish = cut("\"title\": \"So").dishes.unwrap().remove(0);
    assert_eq!(
        dish,
        PartialDish {
            title: Some("So".to_owned()),
            price: None
        }
    );
    assert_eq!(cut("4.5}").dishes.unwrap()[0].price, Some(4.5));
    // A number is final once the next key is one, since a repair could read other text after it as a part of the value.
    assert_eq!(
        cut("\"tea\": 2, \"wine\":").prices.unwrap(),
        BTreeMap::from([("tea".to_owned(), 2.0)])
    );
    assert_eq!(cut("[1, 2, 3").size, None);
    assert_eq!(cut("[1, 2, 3, 4]").size, Some((1, 2, 3, 4)));
    let last = partial::<Menu>(whole);
    assert_eq!(last.address, so_far(Some("Rue A")));
    assert_eq!(last.note, None);
    assert_eq!(last.next.unwrap().place_name.as_deref(), Some("B"));
}

/// The part of an untrusted value is untrusted.
#[test]
fn parts_of_untrusted_values() {
    let note = partial::<Menu>(r#"{"note": "Ignore the"#).note.unwrap();
    assert_eq!(note, Untrusted::new("Ignore the".to_owned()));
}

/// Types whose JSON is not an object of their fields.
#[derive(Deserialize, JsonSchema, Partial)]
#[allow(dead_code)]
#[partial(derive(PartialEq, Default))]
struct Ticket {
    id: Id,
    lines: Lines,
    seat: Seat,
    code: Code,
    street: Street,
    minutes: Minutes,
}

#[derive(Deserialize, JsonSchema, Partial)]
#[allow(dead_code)]
#[serde(transparent)]
struct Id {
    #[serde(skip)]
    cached: Cache,
    text: String,
    #[serde(default)]
    read: bool,
    marker: std::marker::PhantomData<u8>,
}

#[derive(Deserialize, JsonSchema, Partial)]
#[allow(dead_code)]
#[serde(transparent)]
struct Lines(Vec<String>, #[serde(skip)] Cache);

#[derive(Deserialize, JsonSchema, Partial)]
#[allow(dead_code)]
struct Seat(#[partial(complete)] (u8, u8, u8, u8));

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema, Partial)]
#[serde(try_from = "String")]
struct Code(String);

impl TryFrom<String> for Code {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Code, Self::Error> {
        match text.len() {
            2 => Ok(Code(text.to_lowercase())),
            _ => Err("a code has two letters"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema, Partial)]
#[serde(from = "String")]
struct Street {
    name: String,
}

impl From<String> for Street {
    fn from(name: String) -> Street {
        Street { name }
    }
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema, Partial)]
struct Minutes(#[serde(deserialize_with = "minutes_of_hours")] u64);

fn minutes_of_hours<'de, D: serde::Deserializer<'de>>(json: D) -> Result<u64, D::Error> {
    u64::deserialize(json).map(|hours| hours * 60)
}

#[test]
fn parts_of_types_that_serde_reads_as_another_value() {
    let whole = r#"{"id": "abc", "lines": ["one", "two"], "seat": [1, 2, 3, 4], "code": "AB", "street": "Rue A", "minutes": 2}"#;
    let cut = |end: &str| partial::<Ticket>(&whole[..whole.find(end).expect(end) + end.len()]);
    let so_far = |id: &str| PartialTicket {
        id: Some(id.to_owned()),
        ..PartialTicket::default()
    };
    assert_eq!(cut("\"ab"), so_far("ab"));
    assert_eq!(
        cut("\"tw"),
        PartialTicket {
            lines: Some(vec!["one".to_owned(), "tw".to_owned()]),
            ..so_far("abc")
        }
    );
    assert_eq!(cut("[1, 2, 3").seat, None);
    assert_eq!(cut("[1, 2, 3, 4]").seat, Some((1, 2, 3, 4)));
    assert_eq!(cut("\"code\": \"A").code, None);
    assert_eq!(cut("\"street\": \"").code, Some(Code("ab".to_owned())));
    assert_eq!(cut("Rue").street, None);
    let name = "Rue A".to_owned();
    assert_eq!(cut("\"minutes\": 2").street, Some(Street { name }));
    assert_eq!(cut("\"minutes\": 2").minutes, None);
    assert_eq!(partial::<Ticket>(whole).minutes, Some(Minutes(120)));
}
