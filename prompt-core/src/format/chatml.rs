use crate::format::{Mark, Order, System, Turns};
use crate::syntax::family;

/// ChatML, as OpenHermes, SmolLM and many fine-tuned models read it; Qwen and Yi stand close to it.
///
/// ```
/// use prompt_core::{Message, Messages, Prompt, format};
///
/// let ask = Messages::from([
///     Message::system("You are a terse harbour pilot."),
///     Message::user("How deep is the channel?"),
///     Message::assistant("Nine metres at low water."),
///     Message::user("And at high water?"),
/// ]);
/// assert_eq!(
///     ask.to_text(format::CHATML)?,
///     "<|im_start|>system\nYou are a terse harbour pilot.<|im_end|>\n\
///      <|im_start|>user\nHow deep is the channel?<|im_end|>\n\
///      <|im_start|>assistant\nNine metres at low water.<|im_end|>\n\
///      <|im_start|>user\nAnd at high water?<|im_end|>\n\
///      <|im_start|>assistant\n"
/// );
/// # Ok::<(), prompt_core::Error>(())
/// ```
pub const CHATML: Turns = Turns {
    family: &family::CHATML,
    also_named: &["chat-ml"],
    bos: "",
    bos_each_turn: false,
    system: System::Turn(Mark("<|im_start|>system\n", "<|im_end|>\n")),
    user: Mark("<|im_start|>user\n", "<|im_end|>\n"),
    assistant: Mark("<|im_start|>assistant\n", "<|im_end|>\n"),
    tool: Some(Mark("<|im_start|>tool\n", "<|im_end|>\n")),
    answer: "<|im_start|>assistant\n",
    stop: "<|im_end|>",
    strip: false,
    order: Order::Any,
};
