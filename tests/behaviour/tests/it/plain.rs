//! The plain text of a prompt, without a chat format.

use typed_prompt::{History, Media, Message, Messages, Prompt, ToPrompt, Tool, write::Writer};

#[derive(Prompt)]
#[prompt(user = "Sum <a>, <b> and <c>.<if note> Note: <note>!</if><for t in tags> #<t></for>")]
struct Sum<'a> {
    a: i64,
    b: &'a str,
    c: u8,
    note: Option<&'a str>,
    tags: Vec<String>,
}

#[derive(Prompt)]
#[prompt(user = "Ask <question>")]
struct Rich<'a> {
    question: &'a str,
    #[prompt(history)]
    history: History,
    #[prompt(tools, trusted)]
    tools: Vec<Tool>,
    #[prompt(extra)]
    knowledge: &'a str,
}

#[derive(Prompt)]
#[prompt(user = "Look: <photo>")]
struct Look {
    #[prompt(media)]
    photo: Media,
}

/// A user-defined value that only implements `ToPrompt`.
struct Star(u8);

impl ToPrompt for Star {
    fn write(&self, out: &mut Writer) {
        for _ in 0..self.0 {
            out.data("*");
        }
    }
}

struct Film {
    name: String,
    year: u16,
    stars: Star,
}

#[derive(Prompt)]
#[prompt(
    user = "Films:<for f in films>\n<f.name> (<f.year>)<if stars>: <f.stars></if><else> none</for>\n<if not stars>No stars.</if>"
)]
struct Films {
    films: Vec<Film>,
    stars: bool,
}

#[derive(Prompt)]
#[prompt(user = "<a>, <b>")]
struct Any<A, B> {
    a: A,
    b: B,
}

#[derive(Prompt)]
#[prompt(system = "Be brief.", user = "<question>")]
struct Two<'a> {
    question: &'a str,
}

#[test]
fn the_text_of_one_message() {
    let sum = Sum {
        a: i64::MIN,
        b: "<|im_end|>",
        c: 255,
        note: Some("é"),
        tags: vec!["x".to_owned(), "<b>".to_owned()],
    };
    let text = sum.to_plain_text().unwrap();
    assert_eq!(
        text,
        "Sum -9223372036854775808, <|im_end|> and 255. Note: é! #x #<b>"
    );
    assert_eq!(text, sum.messages().unwrap()[0].text());
}

#[test]
fn blocks_and_values_that_write_themselves() {
    let film = |name: &str, stars| Film {
        name: name.to_owned(),
        year: 1927,
        stars: Star(stars),
    };
    let films = |films: Vec<Film>, stars| Films { films, stars };
    for (films, expected) in [
        (films(vec![], true), "Films: none\n"),
        (films(vec![], false), "Films: none\nNo stars."),
        (
            films(vec![film("Metropolis", 3), film("Sunrise", 0)], true),
            "Films:\nMetropolis (1927): ***\nSunrise (1927): \n",
        ),
        (
            films(vec![film("Wings", 3)], false),
            "Films:\nWings (1927)\nNo stars.",
        ),
    ] {
        assert_eq!(films.to_plain_text().unwrap(), expected);
        assert_eq!(films.messages().unwrap()[0].text(), expected);
    }
}

#[test]
fn values_of_any_type() {
    let same = |text: String, messages: typed_prompt::Messages, expected: &str| {
        assert_eq!(text, expected);
        assert_eq!(messages[0].text(), expected);
    };
    let known = Any { a: "x", b: 7u64 };
    same(
        known.to_plain_text().unwrap(),
        known.messages().unwrap(),
        "x, 7",
    );
    let mixed = Any {
        a: String::from("x"),
        b: Star(2),
    };
    same(
        mixed.to_plain_text().unwrap(),
        mixed.messages().unwrap(),
        "x, **",
    );
}

#[test]
fn sections_are_placed_at_the_end() {
    let rich = Rich {
        question: "why?",
        history: History::new(),
        tools: Vec::new(),
        knowledge: "By day.",
    };
    assert_eq!(
        rich.to_plain_text().unwrap(),
        "Ask why?\n\n### knowledge:\nBy day."
    );
    assert_eq!(
        rich.to_plain_text().unwrap(),
        rich.messages().unwrap()[0].text()
    );
}

#[derive(Prompt)]
#[prompt(user = "<if note>Note: <note></if>")]
struct Noted<'a> {
    note: Option<&'a str>,
    #[prompt(extra)]
    knowledge: &'a str,
}

#[derive(Prompt)]
#[prompt(system = "Be brief.")]
struct Instructed<'a> {
    #[prompt(extra)]
    knowledge: &'a str,
}

#[test]
fn sections_without_other_text() {
    for (note, expected) in [
        (Some("é"), "Note: é\n\n### knowledge:\nBy day."),
        (None, "### knowledge:\nBy day."),
    ] {
        let noted = Noted {
            note,
            knowledge: "By day.",
        };
        assert_eq!(noted.to_plain_text().unwrap(), expected);
        assert_eq!(noted.messages().unwrap()[0].text(), expected);
    }
}

#[test]
fn messages_that_plain_text_cannot_express() {
    let rich = |turns: &[(&str, &str)], tools: &[Tool]| Rich {
        question: "why?",
        history: turns.iter().copied().collect(),
        tools: tools.to_vec(),
        knowledge: "",
    };
    let instructed = Instructed {
        knowledge: "By day.",
    };
    assert_eq!(instructed.messages().unwrap().len(), 2);
    let cases = [
        (Two { question: "Hi" }.to_plain_text(), "a second message"),
        (instructed.to_plain_text(), "a second message"),
        (
            Messages::from([Message::assistant("4").with_reasoning("Easy.")]).to_plain_text(),
            "reasoning",
        ),
        (
            Messages::from([Message::user("Hi").with_name("Ada")]).to_plain_text(),
            "a speaker's name",
        ),
        (
            rich(&[("Hi", "Hello")], &[]).to_plain_text(),
            "a second message",
        ),
        (rich(&[], &[Tool::new("add")]).to_plain_text(), "tools"),
        (
            Look {
                photo: Media::image_url("https://example.com/a.png"),
            }
            .to_plain_text(),
            "an image, audio, video or file",
        ),
    ];
    for (text, content) in cases {
        let error = text.unwrap_err().to_string();
        let expected = format!("a plain text cannot contain {content}");
        assert!(error.contains(&expected), "{error}");
    }
}
