//! Fixes of error 14: `ToPrompt`, a fragment, `Truthy`, a wrapper, or a filter.

use typed_prompt::{Prompt, ToPrompt, prompt, value::Truthy, write::Writer};

struct Person(&'static str);

impl ToPrompt for Person {
    fn write(&self, out: &mut Writer) {
        out.data(self.0);
    }
}

impl Truthy for Person {}

#[derive(Prompt)]
#[prompt(fragment = "<name>, <age>")]
struct Guest {
    name: String,
    age: u8,
}

#[derive(Prompt)]
#[prompt(user = "<if person>Hello <person></if> and <guest>, <names | join(\" and \")>")]
struct Greet {
    person: Person,
    guest: Guest,
    names: Vec<String>,
}

#[derive(Prompt)]
#[prompt(user = "Go.")]
struct Informed {
    #[prompt(extra)]
    knowledge: String,
}

#[test]
fn renders() {
    let guest = Guest {
        name: "b".into(),
        age: 3,
    };
    let greet = Greet {
        person: Person("a"),
        guest,
        names: vec!["c".into(), "d".into()],
    };
    assert_eq!(
        greet.messages().unwrap()[0].text(),
        "Hello a and b, 3, c and d"
    );
    let pair = (1, 2);
    let messages = prompt!("Use <pair>", pair = typed_prompt::value::debug(pair)).unwrap();
    assert_eq!(messages[0].text(), "Use (1, 2)");
    let knowledge = ["e", "f"].join("\n");
    let messages = Informed { knowledge }.messages().unwrap();
    assert!(messages[0].text().contains("e\nf"));
}

#[derive(Prompt)]
#[prompt(user = "<item | display>, <other>, <for x in items><x | debug></for>")]
struct Generic<T: std::fmt::Display + std::fmt::Debug, U: std::fmt::Display + ToPrompt> {
    item: T,
    other: U,
    items: Vec<T>,
}

#[derive(Prompt)]
#[prompt(syntax = "brace", user = "{item}")]
struct Wrapped<T: std::fmt::Display> {
    item: typed_prompt::value::DisplayValue<T>,
}

#[derive(Prompt)]
#[prompt(syntax = "jinja", user = "{{ item }} {{ other }}")]
struct InJinja<T: std::fmt::Display, U: typed_prompt::jinja::ToValue + Truthy> {
    item: typed_prompt::value::DisplayValue<T>,
    other: U,
}

#[test]
fn type_parameters_render() {
    let generic = Generic {
        item: 'a',
        other: 1,
        items: vec!['b'],
    };
    assert_eq!(generic.messages().unwrap()[0].text(), "a, 1, 'b'");
    let item = || typed_prompt::value::display(2);
    let wrapped = Wrapped { item: item() };
    assert_eq!(wrapped.messages().unwrap()[0].text(), "2");
    let jinja = InJinja {
        item: item(),
        other: 3,
    };
    assert_eq!(jinja.messages().unwrap()[0].text(), "2 3");
}
