//! Plain text as a format.

use crate::format::{ChatFormat, Family, FormatOptions, check};
use crate::{AnnotatedText, Messages, Result};
use prompt_family as family;

/// Text and nothing else, for models that only continue a text: a blank line separates messages.
///
/// ```
/// use typed_prompt::{Message, Messages, Prompt, format};
///
/// let ask = Messages::from([Message::system("A list of knots:"), Message::user("1.")]);
/// assert_eq!(ask.to_text(format::PLAIN)?, "A list of knots:\n\n1.");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub const PLAIN: Plain = Plain;

/// See [`PLAIN`].
///
/// ```
/// use typed_prompt::{ChatFormat, format};
///
/// assert!(format::Plain.family().tokens.is_empty());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Plain;

impl ChatFormat for Plain {
    fn family(&self) -> &'static Family {
        &family::PLAIN
    }

    fn write_messages(
        &self,
        messages: &Messages,
        options: &FormatOptions,
        out: &mut AnnotatedText,
    ) -> Result<()> {
        check(self.family(), messages, options)?;
        for (index, message) in messages.iter().enumerate() {
            out.message(index);
            if index > 0 {
                out.structure("\n\n");
            }
            out.text(&message.whole_text());
        }
        if let Some(label) = &options.label {
            out.label(label, "");
        }
        Ok(())
    }
}
