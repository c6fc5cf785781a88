//! Error 1: a field of a field that is text. Error 2: of an `Option` of a number. Error 3: of the items of a list of strings.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "Read <values.yaml>, then answer: <question>")]
struct Ask {
    values: String,
    question: String,
}

#[derive(Prompt)]
#[prompt(user = "<if order>Order <order.id></if>: <for name in names><name.first></for>")]
struct Optional {
    order: Option<u64>,
    names: Vec<String>,
}

fn main() {}
