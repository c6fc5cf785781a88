//! Few-shot examples from a file, whose answers have the type of the output.

use typed_prompt::{Prompt, ToPrompt, Trusted, Writer};

use crate::turns;

#[derive(Clone, Debug, PartialEq)]
struct Level(&'static str);

impl From<&'static str> for Level {
    fn from(name: &'static str) -> Level {
        Level(name)
    }
}

impl ToPrompt for Level {
    fn write(&self, out: &mut Writer) {
        out.text(if self.0 == "high" { "HIGH" } else { "low" });
    }
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Urgency {
    urgency: u8,
}

#[derive(Prompt)]
#[prompt(
    user = "Hello.",
    assistant = "Hi.",
    user = "<text> <count> <rate> <for tag in tags>#<tag></for><if note> (<note>)</if><if sure>!</if> <level><for one in levels> <one></for> <mark>",
    examples = "tests/it/prompts/typed.jsonl",
    output = Urgency
)]
struct Typed<'a> {
    text: std::borrow::Cow<'a, str>,
    count: i8,
    rate: f32,
    tags: &'a [String],
    note: Option<Trusted<String>>,
    sure: bool,
    level: Level,
    levels: Vec<Level>,
    mark: char,
}

fn said<const N: usize>(expected: [(&'static str, &str); N]) -> Vec<(&'static str, String)> {
    expected.map(|(role, text)| (role, text.to_owned())).into()
}

#[test]
fn values_have_the_types_of_the_fields() {
    let typed = Typed {
        text: "c".into(),
        count: 1,
        rate: 0.5,
        tags: &[],
        note: None,
        sure: false,
        level: Level("low"),
        levels: vec![Level("high")],
        mark: '.',
    };
    let expected = said([
        ("user", "Hello."),
        ("assistant", "Hi."),
        ("user", "a -5 1 #x#y! HIGH low é"),
        ("assistant", "{\"urgency\": 4}"),
        ("user", "b 0 0.001  (short) low -"),
        ("assistant", "{\"urgency\":  1}"),
        ("user", "c 1 0.5  low HIGH ."),
    ]);
    assert_eq!(turns(&typed), expected);
    let read = Typed::parse_reply(&typed_prompt::Reply::new(r#"{"urgency": 4}"#));
    assert_eq!(read.unwrap().urgency, 4);
}
