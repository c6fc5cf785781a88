//! The values that can fill a slot, and their text.

use std::borrow::Cow;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use typed_prompt::{
    Prompt, ToPrompt, Trusted, prompt,
    value::{debug, display, python},
    write::Writer,
};

use crate::{turns, user};

#[test]
fn values_render_as_text() {
    let cases: [(&dyn ToPrompt, &str); 22] = [
        (&"text", "text"),
        (&"", ""),
        (&String::from("owned"), "owned"),
        (&&&"referenced", "referenced"),
        (&Box::<str>::from("boxed"), "boxed"),
        (&Rc::new("counted"), "counted"),
        (&Arc::<str>::from("shared"), "shared"),
        (&Cow::Borrowed("cow"), "cow"),
        (&'é', "é"),
        (&true, "true"),
        (&i64::MIN, "-9223372036854775808"),
        (&u128::MAX, "340282366920938463463374607431768211455"),
        (&0.1_f64, "0.1"),
        (&1.0_f64, "1"),
        (&f64::NAN, "NaN"),
        (&1e21_f64, "1000000000000000000000"),
        (&Path::new("a/b"), "a/b"),
        (&display(std::net::Ipv4Addr::LOCALHOST), "127.0.0.1"),
        (&debug(Some("x")), "Some(\"x\")"),
        (&python(1.0), "1.0"),
        (&python(true), "True"),
        (&Trusted("mine"), "mine"),
    ];
    for (value, expected) in cases {
        let mut out = Writer::new();
        out.slot("value", value);
        let messages = out.finish().unwrap();
        assert_eq!(
            messages
                .iter()
                .map(|message| message.text().into_owned())
                .collect::<String>(),
            expected
        );
    }
}

struct Money {
    cents: u64,
}

impl ToPrompt for Money {
    fn write(&self, out: &mut Writer) {
        out.data(&format!("{}.{:02} €", self.cents / 100, self.cents % 100));
    }
}

#[test]
fn a_user_defined_type_fills_a_slot() {
    let price = Money { cents: 1205 };
    assert_eq!(
        user(&prompt!("It costs <price>.").unwrap()),
        "It costs 12.05 €."
    );
}

#[derive(Prompt)]
#[prompt(
    system = "<count> <ready> <letter> <name> <product>",
    user = "<question>"
)]
struct Safe<'a> {
    count: u8,
    ready: bool,
    #[prompt(trusted)]
    letter: char,
    #[prompt(trusted)]
    name: &'a str,
    product: Trusted<String>,
    question: &'a str,
}

#[test]
fn types_without_instructions_may_be_used_in_the_system_message() {
    let product = Trusted("Acme".to_owned());
    let prompt = Safe {
        count: 1,
        ready: true,
        letter: 'x',
        name: "n",
        product,
        question: "?",
    };
    assert_eq!(
        turns(&prompt),
        [
            ("system", "1 true x n Acme".to_owned()),
            ("user", "?".to_owned())
        ]
    );
}

#[allow(non_snake_case)]
#[derive(Prompt)]
#[prompt(user = "<value> of <N> <T>", syntax = "angle")]
struct Generic<'a, T: ToPrompt + ?Sized, const N: usize>
where
    T: 'a,
{
    value: &'a T,
    #[prompt(skip)]
    #[allow(dead_code)]
    rest: [u8; N],
    N: usize,
    T: u8,
}

/// A type parameter behind a reference, beside other slots: only the parameter's own lifetime is required.
#[derive(Prompt)]
#[prompt(user = "<value> <for item in items><item></for> <count>")]
struct Referring<'a, T, const N: usize> {
    value: &'a T,
    items: [&'a str; N],
    count: usize,
}

#[derive(Prompt)]
#[prompt(
    syntax = "jinja",
    user = "{{ value }} {% for item in items %}{{ item }}{% endfor %} {{ count }}"
)]
struct ReferringJinja<'a, T> {
    value: &'a &'a T,
    items: &'a [String],
    count: usize,
}

#[test]
fn a_type_parameter_behind_a_reference() {
    let items = ["a".to_owned(), "b".to_owned()];
    let value = 7;
    let short = Referring {
        value: &value,
        items: [&items[0], &items[1]],
        count: 2,
    };
    assert_eq!(user(&short), "7 ab 2");
    let jinja = ReferringJinja {
        value: &&value,
        items: &items,
        count: 2,
    };
    assert_eq!(user(&jinja), "7 ab 2");
}

#[test]
fn prompts_may_be_generic() {
    assert_eq!(
        user(&Generic {
            value: "v",
            rest: [0; 3],
            N: 3,
            T: 1
        }),
        "v of 3 1"
    );
    assert_eq!(
        user(&Generic {
            value: &7,
            rest: [],
            N: 0,
            T: 1
        }),
        "7 of 0 1"
    );
}

#[derive(Prompt)]
#[prompt(user = "Say <text>.", from)]
struct One<'a> {
    text: &'a str,
}

#[test]
fn a_prompt_with_one_field_converts_from_its_value() {
    assert_eq!(user(&One::from("hi")), "Say hi.");
    let one: One<'_> = "ho".into();
    assert_eq!(user(&one), "Say ho.");
}

/// A glob import of the crate has no name that generated code uses.
mod glob_import {
    use typed_prompt::*;

    #[derive(Prompt)]
    #[prompt(user = "<value>")]
    struct Ask<T: ToPrompt> {
        value: T,
    }

    #[test]
    fn compiles() {
        assert_eq!(super::user(&Ask { value: 1 }), "1");
    }
}
