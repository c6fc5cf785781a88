//! Stanford Alpaca as a format.

use crate::format::{ChatFormat, Family, FormatOptions, check, unsupported};
use crate::{AnnotatedText, Messages, Result, Role};
use prompt_family::{
    self,
    tokens::alpaca::{INPUT, INSTRUCTION, RESPONSE},
};

/// Alpaca, as Stanford trained it: with an input when there are a system and a user message, without one otherwise.
///
/// ```
/// use typed_prompt::{Message, Messages, Prompt, format};
///
/// let ask = Messages::from([Message::system("Translate into French."), Message::user("Good morning")]);
/// assert_eq!(
///     ask.to_text(format::ALPACA)?,
///     "Below is an instruction that describes a task, paired with an input that provides further context. \
///      Write a response that appropriately completes the request.\n\n### Instruction:\n\
///      Translate into French.\n\n### Input:\nGood morning\n\n### Response:"
/// );
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub const ALPACA: AlpacaFormat = AlpacaFormat;

/// See [`ALPACA`].
///
/// ```
/// use typed_prompt::{ChatFormat, format};
///
/// assert!(!format::AlpacaFormat.family().history);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AlpacaFormat;

const WITH_INPUT: &str = "Below is an instruction that describes a task, paired with an input that provides further \
                          context. Write a response that appropriately completes the request.\n\n";
const WITHOUT_INPUT: &str = "Below is an instruction that describes a task. \
                             Write a response that appropriately completes the request.\n\n";

impl ChatFormat for AlpacaFormat {
    fn family(&self) -> &'static Family {
        &prompt_family::ALPACA
    }

    fn write_messages(
        &self,
        messages: &Messages,
        options: &FormatOptions,
        out: &mut AnnotatedText,
    ) -> Result<()> {
        check(self.family(), messages, options)?;
        let input = messages
            .iter()
            .position(|message| message.role == Role::User)
            .filter(|index| *index > 0);
        for (index, message) in messages.iter().enumerate() {
            if index > 1 || (index == 1 && input != Some(1)) {
                let help = "give one instruction (system), one input (user), or both in this order";
                return Err(unsupported(
                    self.family(),
                    (index, message.role),
                    "is one message too many",
                    help,
                ));
            }
        }
        out.structure(if input.is_some() {
            WITH_INPUT
        } else {
            WITHOUT_INPUT
        });
        for (index, message) in messages.iter().enumerate() {
            out.message(index);
            out.structure(if index == 0 { INSTRUCTION } else { INPUT });
            out.structure("\n");
            out.text(&message.whole_text());
            out.structure("\n\n");
        }
        out.message(None);
        if options.generation_prompt || options.label.is_some() {
            out.structure(RESPONSE);
        }
        if let Some(label) = &options.label {
            out.label(label, "");
        }
        Ok(())
    }
}
