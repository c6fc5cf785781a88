use crate::format::{Mark, Order, System, Turns};
use crate::syntax::family;

/// Llama 3, as the template of Meta-Llama-3-8B-Instruct and its sizes prints it.
///
/// ```
/// use prompt_core::{Message, Messages, Prompt, format};
///
/// let ask = Messages::from([Message::system("You keep logs. "), Message::user("And today?")]);
/// assert_eq!(
///     ask.to_text(format::LLAMA3)?,
///     "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nYou keep logs.<|eot_id|>\
///      <|start_header_id|>user<|end_header_id|>\n\nAnd today?<|eot_id|>\
///      <|start_header_id|>assistant<|end_header_id|>\n\n"
/// );
/// # Ok::<(), prompt_core::Error>(())
/// ```
pub const LLAMA3: Turns = Turns {
    family: &family::LLAMA3,
    also_named: &[
        "llama-3",
        "meta-llama/Meta-Llama-3-8B-Instruct",
        "meta-llama/Meta-Llama-3-70B-Instruct",
    ],
    bos: "<|begin_of_text|>",
    bos_each_turn: false,
    system: System::Turn(Mark(
        "<|start_header_id|>system<|end_header_id|>\n\n",
        "<|eot_id|>",
    )),
    user: Mark("<|start_header_id|>user<|end_header_id|>\n\n", "<|eot_id|>"),
    assistant: Mark(
        "<|start_header_id|>assistant<|end_header_id|>\n\n",
        "<|eot_id|>",
    ),
    tool: Some(Mark(
        "<|start_header_id|>tool<|end_header_id|>\n\n",
        "<|eot_id|>",
    )),
    answer: "<|start_header_id|>assistant<|end_header_id|>\n\n",
    stop: "<|eot_id|>",
    strip: true,
    order: Order::Any,
};
