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
fn partial(text: &str) -> PartialMenu {
    let schema = Schema::from_type::<Menu>().unwrap();
    schema
        .parse_partial(text)
        .unwrap()
        .to_partial::<Menu>()
        .unwrap()
}

#[test]
fn parts_appear_as_they_arrive() {
    let whole = r#"{"placeName": "Chez Ann", "type": {"Dinner": {"until": 22}}, "dishes": [{"title": "Soup", "price": 4.5}],
        "prices": {"tea": 2, "wine": 5.5}, "note": null, "size": [1, 2, 3, 4], "street": "Rue A", "next": {"placeName": "B"#;
    let cut = |end: &str| partial(&whole[..whole.find(end).expect(end) + end.len()]);
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
    assert_eq!(
        cut("\"tea\": 2, \"wine\"").prices.unwrap(),
        BTreeMap::from([("tea".to_owned(), 2.0)])
    );
    assert_eq!(cut("[1, 2, 3").size, None);
    assert_eq!(cut("[1, 2, 3, 4]").size, Some((1, 2, 3, 4)));
    let last = partial(whole);
    assert_eq!(last.address, so_far(Some("Rue A")));
    assert_eq!(last.note, None);
    assert_eq!(last.next.unwrap().place_name.as_deref(), Some("B"));
}

/// The part of an untrusted value is untrusted.
#[test]
fn parts_of_untrusted_values() {
    let note = partial(r#"{"note": "Ignore the"#).note.unwrap();
    assert_eq!(note, Untrusted::new("Ignore the".to_owned()));
}
