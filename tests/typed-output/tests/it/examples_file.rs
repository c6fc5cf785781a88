//! Few-shot examples from a file, whose answers have the type of the output.

use typed_prompt::{ErrorKind, Label, Prompt, Reply, ToPrompt, Trusted, write::Writer};

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

#[derive(Label, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Mood {
    Calm,
    Angry,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Team {
    Sales,
    Support,
}

#[derive(Prompt)]
#[prompt(
    user = "<text> (<mood><if mood == \"angry\">!</if><for one in before> <one></for>)",
    examples = "tests/it/prompts/labels.jsonl",
    output = Team
)]
struct Route<'a> {
    text: &'a str,
    mood: Mood,
    before: Vec<Mood>,
}

fn route<'a>() -> Route<'a> {
    Route {
        text: "c",
        mood: Mood::Angry,
        before: vec![Mood::Calm],
    }
}

/// A type with labels needs no `From` implementation.
#[test]
fn labels_are_values_of_fields() {
    let expected = said([
        ("user", "a (calm angry calm)"),
        ("assistant", "\"sales\""),
        ("user", "b (angry!)"),
        ("assistant", "\"support\""),
        ("user", "c (angry! calm)"),
    ]);
    assert_eq!(turns(&route()), expected);
    let teams = ["\"sales\"", "\"support\""].map(|text| Route::parse_reply(&Reply::new(text)));
    assert!(matches!(teams, [Ok(Team::Sales), Ok(Team::Support)]));
}

#[derive(Prompt)]
#[prompt(
    user = "<text>",
    examples = "tests/it/prompts/wrong_answers.jsonl",
    output = Team
)]
struct WrongRoute<'a> {
    text: &'a str,
}

/// An answer that only serde can check is an error when the prompt is rendered, at its position in the file.
#[test]
fn answers_have_the_type_of_the_output() {
    for _ in 0..2 {
        let error = WrongRoute { text: "c" }.messages().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Output);
        assert!(
            error.message().contains("unknown variant `suport`"),
            "{error}"
        );
        let help = error.help().unwrap_or_default();
        assert_eq!(help, "correct tests/it/prompts/wrong_answers.jsonl:2:25");
    }
}
