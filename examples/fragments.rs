//! A prompt made of parts: a field whose type is a fragment renders in place.

use typed_prompt::{Prompt, format};

#[derive(Prompt)]
#[prompt(fragment = "## <title>\n<text | indent(2)>")]
struct Passage {
    title: String,
    text: String,
}

#[derive(Prompt)]
#[prompt(user = "<for passage in passages><passage>\n</for>\nQuestion: <question>")]
struct Ask {
    passages: Vec<Passage>,
    question: String,
}

fn main() -> typed_prompt::Result<()> {
    let passage = Passage {
        title: "Owls".into(),
        text: "They sleep by day.\nThey hunt by night.".into(),
    };
    let ask = Ask {
        passages: vec![passage],
        question: "When do owls sleep?".into(),
    };
    println!("{}", ask.to_text(format::PLAIN)?);
    Ok(())
}
