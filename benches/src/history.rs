//! A prompt with a history of twenty turns, from the struct to the request.

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, context};
use typed_prompt::{History, Prompt, format};

use crate::chat::{TURNS, Turn, floor, turns};
use crate::measure::{Contest, Outcome};

#[derive(Prompt)]
#[prompt(
    system = "You help the customers of <product>. Answer briefly.",
    user = "<question>"
)]
struct Talk<'a> {
    #[prompt(trusted)]
    product: &'a str,
    #[prompt(history)]
    turns: &'a History,
    question: &'a str,
}

const PRODUCT: &str = "Acme Router 3000";
const QUESTION: &str = "May I send back a router that I have opened?";

const CHATML: &str = "<|im_start|>system\nYou help the customers of {{ product }}. Answer briefly.<|im_end|>\n\
    {% for m in turns %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}\
    <|im_start|>user\n{{ question }}<|im_end|>\n<|im_start|>assistant\n";

/// Writes the text of ChatML, and the JSON of chat APIs.
pub(crate) fn run() -> Vec<Outcome> {
    let earlier: Vec<Turn> = turns().into_iter().take(TURNS).collect();
    let pairs = earlier
        .chunks(2)
        .map(|pair| (pair[0].content.clone(), pair[1].content.clone()));
    let history = History::from(pairs.collect::<Vec<_>>());
    let talk = Talk {
        product: PRODUCT,
        turns: &history,
        question: QUESTION,
    };
    let mut environment = Environment::new();
    let mut syntax = SyntaxConfig::builder();
    syntax.keep_trailing_newline(true);
    environment.set_syntax(syntax.build().expect("the syntax is the usual one"));
    environment
        .add_template("talk", CHATML)
        .expect("the template is right");
    let template = environment.get_template("talk").expect("it was added");
    let values: Vec<minijinja::Value> = earlier
        .iter()
        .map(|turn| context! { role => turn.role, content => turn.content.as_str() })
        .collect();
    let mut ready = vec![Turn {
        role: "system",
        content: format!("You help the customers of {PRODUCT}. Answer briefly."),
    }];
    ready.extend(earlier);
    ready.push(Turn {
        role: "user",
        content: QUESTION.to_owned(),
    });

    let mut text = Contest::new(format!("a prompt with {TURNS} earlier turns, ChatML"));
    text.entry("floor, of ready messages", String::clone, || floor(&ready))
        .entry("typed-prompt", String::clone, || {
            talk.to_text(format::CHATML).expect("the family can say it")
        })
        .entry("minijinja", String::clone, || {
            let context =
                context! { product => PRODUCT, turns => values.as_slice(), question => QUESTION };
            template.render(context).expect("nothing in it can fail")
        });
    let text = text.run();

    let shown = |bytes: &Vec<u8>| String::from_utf8(bytes.clone()).expect("JSON is text");
    let mut json = Contest::new(format!(
        "a prompt with {TURNS} earlier turns, JSON of chat APIs"
    ));
    json.entry("a borrowed struct, of ready messages", shown, || {
        serde_json::to_vec(&ready).expect("nothing in it can fail")
    })
    .entry("typed-prompt", shown, || {
        serde_json::to_vec(&talk.messages().unwrap()).expect("nothing in it can fail")
    });
    vec![text, json.run()]
}
