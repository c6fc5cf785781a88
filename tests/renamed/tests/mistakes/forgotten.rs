//! Each macro without the key `crate`: one error, whatever the expansion contains.

use tp::jinja::ToValue;
use tp::{Fields, Label, Llm, MockLlm, Prompt, Tools, prompt};

#[derive(Prompt)]
#[prompt(
    system = "Be <tone>.",
    user = "<if note><note></if> <question> <value> <for part in parts><part.name></for>"
)]
struct Ask<T: tp::ToPrompt> {
    #[prompt(trusted)]
    tone: Tone,
    note: Option<String>,
    question: String,
    value: T,
    parts: Vec<User>,
}

#[derive(Prompt, Fields)]
#[prompt(user = "<question>", from)]
struct Question {
    question: String,
}

#[derive(Label)]
enum Tone {
    Kind,
}

#[derive(Fields, ToValue)]
struct User {
    name: String,
}

#[derive(Tools)]
enum Action {
    /// How deep a lake is.
    LakeDepth { lake: String },
}

#[tp::function(user = "<text>")]
fn sum_up(text: &str) -> String;

#[tp::template(user = "<text> <if formal>Be formal.</if><place ?? \"-\">")]
struct Translate;

fn main() {
    let lake = "Ammersee";
    let _ = prompt!("How deep is <lake>?");
    let ask = Ask {
        tone: Tone::Kind,
        note: None,
        question: String::new(),
        value: 1,
        parts: Vec::new(),
    };
    let _ = ask.messages();
    let _ = MockLlm::new(["Yes."]).call(sum_up("It crashes."));
    let translate = Translate {
        text: "Hi".into(),
        formal: false,
        place: None,
    };
    let _ = translate.messages();
}
