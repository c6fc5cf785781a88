use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(shots, user = "<question>")]
struct Ask {
    question: String,
}

fn main() {}
