//! `#[typed_prompt::function]`.

use super::Problem;

/// `output = …`, which is the return type.
pub fn output_key() -> Problem {
    Problem::new("the return type of the function is what the model answers")
        .helped("remove `output`, and write the type behind `->`")
}

/// `fragment = …`
pub fn fragment_key() -> Problem {
    Problem::new("a fragment is part of other prompts, and asks nothing")
        .helped("derive it: `#[derive(Prompt)] #[prompt(fragment = \"…\")]`")
}

/// `async fn`, `unsafe fn`
pub fn qualifier(name: &str, word: &str) -> Problem {
    Problem::new(match word {
        "async" => {
            format!("`{name}` makes a prompt, which takes no time: the model's answer does")
        }
        _ => format!("a prompt function is not `{word}`"),
    })
    .helped(format!(
        "remove `{word}`, and write `llm.call({name}(…)).await`"
    ))
}

/// `fn f() { … }`
pub fn body(name: &str) -> Problem {
    Problem::new(format!(
        "`{name}` has a body, and the model is what answers"
    ))
    .helped("write `;` in its place")
}

/// A function without its `;`.
pub fn no_end() -> Problem {
    Problem::new("a prompt function ends with `;`")
}

/// `#[function]` on anything else.
pub fn no_function() -> Problem {
    Problem::new("`function` stands on a function").helped(
        "write `fn name(argument: Type) -> Answer;`, or derive a struct: `#[derive(Prompt)]`",
    )
}

const ANSWER: &str = "write `-> String` for its text, or the type that it is read into";

/// No return type.
pub fn no_answer(name: &str) -> Problem {
    Problem::new(format!("`{name}` does not say what the model answers")).helped(ANSWER)
}

/// `-> ()`
pub fn answers_nothing() -> Problem {
    Problem::new("an answer is not nothing").helped(ANSWER)
}

/// `-> impl Display`
pub fn answer_without_name() -> Problem {
    Problem::new("`impl …` names no type that an answer can be read into")
        .helped("write the type itself")
}

/// `-> &str`
pub fn borrowed_answer() -> Problem {
    Problem::new("an answer is read into a value of its own, and is no reference")
        .helped("write the type without `&`: `String` for a text, `Vec<…>` for a list")
}

/// `-> Result<Answer>`
pub fn result(name: &str) -> Problem {
    Problem::new(format!(
        "`{name}` cannot fail: it makes a prompt, and the call is what may fail"
    ))
    .helped(format!(
        "write the type of the answer alone: `llm.call({name}(…)).await` gives a `Result` of it"
    ))
}

/// `fn f(mut a: A)`
pub fn mutable_argument() -> Problem {
    Problem::new("an argument of a prompt is not changed").helped("remove `mut`")
}

/// `fn f(A)`
pub fn no_type() -> Problem {
    Problem::new("an argument needs a name and a type").helped("write `name: Type`")
}

/// `fn f((a, b): A)`
pub fn no_name() -> Problem {
    Problem::new("an argument of a prompt needs a name: slots are found by it")
        .helped("write `name: Type`")
}

/// `fn f(a: impl Display)`
pub fn argument_without_type() -> Problem {
    Problem::new("`impl …` has no name, and the prompt's type needs one for each of its parts")
        .helped("write a type parameter: `fn name<T: …>(argument: T)`")
}

/// `fn f(&self)`
pub fn method() -> Problem {
    Problem::new("a prompt is made of its arguments, and has no `self`")
        .helped("move the function out of the `impl`, and give it what it needs as arguments")
}
