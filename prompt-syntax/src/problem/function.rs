//! `#[typed_prompt::function]`.

use super::Problem;

problems! {
    /// `output = …`, which is the return type.
    pub fn output_key() = "the return type of the function is what the model answers",
        help "remove `output`, and write the type behind `->`";

    /// `fragment = …`
    pub fn fragment_key() = "a fragment is part of other prompts, and asks nothing",
        help "derive it: `#[derive(Prompt)] #[prompt(fragment = \"…\")]`";
}

/// `async fn`, `unsafe fn`
pub fn unsupported_qualifier(name: &str, word: &str) -> Problem {
    Problem::new(match word {
        "async" => {
            format!("`{name}` makes a prompt, which takes no time: the model's answer does")
        }
        _ => format!("a prompt function is not `{word}`"),
    })
    .with_help(format!(
        "remove `{word}`, and write `llm.call({name}(…)).await`"
    ))
}

problems! {
    /// `fn f() { … }`
    pub fn function_with_body(name: &str) = "`{name}` has a body, and the model is what answers",
        help "write `;` in its place";

    /// A function without its `;`.
    pub fn no_end() = "a prompt function ends with `;`";

    /// `#[function]` on anything else.
    pub fn no_function() = "`function` is for functions",
        help "write `fn name(argument: Type) -> Answer;`, or derive a struct: `#[derive(Prompt)]`";
}

const ANSWER: &str = "write `-> String` for its text, or the type that it is read into";

problems! {
    /// No return type.
    pub fn no_answer(name: &str) = "`{name}` has no return type for the answer of the model", help "{ANSWER}";

    /// `-> ()`
    pub fn answers_nothing() = "an answer is not nothing", help "{ANSWER}";

    /// `-> impl Display`
    pub fn answer_without_name() = "`impl …` names no type that an answer can be read into",
        help "write the type itself";

    /// `-> &str`
    pub fn borrowed_answer() = "an answer is read into a value of its own, and cannot be a reference",
        help "write the type without `&`: `String` for a string, `Vec<…>` for a list";

    /// `-> Result<Answer>`
    pub fn result_return_type(name: &str) = "`{name}` cannot fail: it makes a prompt, and the call is what may fail",
        help "write the type of the answer alone: `llm.call({name}(…)).await` gives a `Result` of it";

    /// `fn f(mut a: A)`
    pub fn mutable_argument() = "an argument of a prompt is not changed", help "remove `mut`";

    /// `fn f(A)`
    pub fn no_type() = "an argument needs a name and a type", help "write `name: Type`";

    /// `fn f((a, b): A)`
    pub fn no_name() = "an argument of a prompt needs a name: slots are found by it",
        help "write `name: Type`";

    /// `fn f(/// … \n a: A)`
    pub fn documented_argument(name: &str) = "the doc comment of the argument `{name}` is not sent to the model",
        help "write it into the text, beside the slot of `{name}`, or as a comment of the code: `// …`";

    /// `fn f(a: impl Display)`
    pub fn argument_without_type() = "`impl …` has no name, and the prompt's type needs one for each of its parts",
        help "write a type parameter: `fn name<T: …>(argument: T)`";

    /// `fn f(&self)`
    pub fn self_argument() = "a prompt is made of its arguments, and has no `self`",
        help "move the function out of the `impl`, and give it what it needs as arguments";
}
