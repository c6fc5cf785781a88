use crate::format::{Mark, Order, System, Turns};
use crate::syntax::family;

/// Llama 2, as the template of Llama-2-7b-chat-hf and its sizes prints it.
///
/// ```
/// use prompt_core::{Message, Messages, Prompt, format};
///
/// let ask = Messages::from([
///     Message::system("You are a terse harbour pilot."),
///     Message::user("How deep is the channel?"),
///     Message::assistant("Nine metres."),
///     Message::user("And at high water?"),
/// ]);
/// assert_eq!(
///     ask.to_text(format::LLAMA2)?,
///     "<s>[INST] <<SYS>>\nYou are a terse harbour pilot.\n<</SYS>>\n\nHow deep is the channel? [/INST] \
///      Nine metres. </s><s>[INST] And at high water? [/INST]"
/// );
/// # Ok::<(), prompt_core::Error>(())
/// ```
pub const LLAMA2: Turns = Turns {
    family: &family::LLAMA2,
    also_named: &[
        "llama-2",
        "meta-llama/Llama-2-7b-chat-hf",
        "meta-llama/Llama-2-13b-chat-hf",
        "meta-llama/Llama-2-70b-chat-hf",
    ],
    bos: "<s>",
    bos_each_turn: true,
    system: System::FirstUser(Mark("<<SYS>>\n", "\n<</SYS>>\n\n")),
    user: Mark("[INST] ", " [/INST]"),
    assistant: Mark(" ", " </s>"),
    tool: None,
    answer: "",
    stop: "</s>",
    strip: true,
    order: Order::Alternate,
};
