/// Answers a customer's question from retrieved passages.
#[prompt(
    system = "You are a support agent of <product>. Answer only from the passages.",
    user   = "<for p in passages>- <p>\n</for>\nQuestion: <input:question>",
    output = Answer,
)]
struct Ask<'a> {
    #[prompt(trusted)] product: &'a str,
    passages: &'a [String],
    question: &'a str,
}
