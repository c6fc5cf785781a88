//! The trait of chat formats.

use std::fmt;

use super::options::{DEFAULT_OPTIONS, check_options, for_each_option};
use super::prefix;
use super::{Date, Family, FormatOption, FormatOptions, WithOptions};
use crate::{AnnotatedText, Guard, Json, Messages, PromptParts, Result};

/// Declares the methods of [`ChatFormat`] that set an option.
macro_rules! option_methods {
    (
        { $(
            $(#[$doc:meta])* example { $(#[$example:meta])* }
            $name:ident $(as $option:ident)?: $type:ty = $default:expr,
            ($($argument:ident: $argument_type:ty)?) $options:ident => $set:block;
        )* }
        { $(
            $(#[$try_doc:meta])* example { $(#[$try_example:meta])* }
            $try_name:ident($try_argument:ident: $try_type:ty) $try_options:ident => $try_set:block;
        )* }
    ) => {
        $(
            $(#[$doc])*
            $(#[$example])*
            fn $name(self $(, $argument: $argument_type)?) -> WithOptions<Self>
            where
                Self: Sized,
            {
                WithOptions::new(self).$name($($argument)?)
            }
        )*

        $(
            $(#[$try_doc])*
            $(#[$try_example])*
            fn $try_name(self, $try_argument: $try_type) -> Result<WithOptions<Self>>
            where
                Self: Sized,
            {
                WithOptions::new(self).$try_name($try_argument)
            }
        )*
    };
}

/// A family's way to write a conversation as one text.
///
/// The methods that set an option return the format with it; an option that the format does not support is an error when a text is
/// written.
///
/// ```
/// use typed_prompt::{Message, Messages, Prompt, format};
///
/// let ask = Messages::from([Message::user("2+2?")]);
/// assert_eq!(ask.to_text(format::LLAMA2)?, "<s>[INST] 2+2? [/INST]");
/// assert_eq!(ask.to_text(format::LLAMA2.bos(false))?, "[INST] 2+2? [/INST]");
/// assert_eq!(ask.to_text(format::LLAMA2.label("4 </s>"))?, "<s>[INST] 2+2? [/INST] 4 </s>");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a chat format",
    label = "not a chat format",
    note = "use a constant such as `format::LLAMA3`; for a name that only the running program knows, `format::from_name(name)?`"
)]
pub trait ChatFormat: Send + Sync {
    /// Returns the table of the model family.
    fn family(&self) -> &'static Family;

    /// Writes a conversation, without the guard. What the model generates is written between
    /// [`begin_generated`](AnnotatedText::begin_generated) and [`end_generated`](AnnotatedText::end_generated).
    ///
    /// # Errors
    /// The family does not support a message or a part of one. Nothing is dropped.
    fn write_messages(
        &self,
        messages: &Messages,
        options: &FormatOptions,
        out: &mut AnnotatedText,
    ) -> Result<()>;

    /// Writes a prompt with its extra fields separate, without the guard: for layouts that place extra fields themselves.
    ///
    /// # Errors
    /// As [`write_messages`](ChatFormat::write_messages).
    fn write_parts(
        &self,
        parts: PromptParts,
        options: &FormatOptions,
        out: &mut AnnotatedText,
    ) -> Result<()> {
        let parts = parts.guard_headings(options.guard, self.family().title)?;
        self.write_messages(&parts.join(), options, out)
    }

    /// Whether the format supports an option that only some formats have. By default these are the
    /// [options](Family::options) of its family. An option that is set and that the format does not support is an error.
    ///
    /// ```
    /// use typed_prompt::{ChatFormat, format::{self, FormatOption}};
    ///
    /// assert!(format::GRANITE3_1.supports(FormatOption::Documents));
    /// assert!(!format::CHATML.supports(FormatOption::Documents));
    /// ```
    fn supports(&self, option: FormatOption) -> bool {
        self.family().options.contains(&option)
    }

    /// The options that are set on the format.
    fn format_options(&self) -> &FormatOptions {
        &DEFAULT_OPTIONS
    }

    /// Other names under which [`from_name`](super::from_name) finds it, such as those of models.
    fn aliases(&self) -> &'static [&'static str] {
        &[]
    }

    /// The control tokens that the guard keeps out of data, next to the family's [numbered](Family::numbered) ones.
    fn guarded_tokens(&self) -> Vec<&str> {
        self.family().tokens.to_vec()
    }

    /// Returns the delimiters that a model of the family writes around its reasoning, before its answer. `None` for models without
    /// reasoning.
    ///
    /// ```
    /// use typed_prompt::{ChatFormat, format};
    ///
    /// assert_eq!(format::QWEN3.reasoning_delimiters(), Some(("<think>", "</think>")));
    /// assert_eq!(format::LLAMA3.reasoning_delimiters(), None);
    /// ```
    fn reasoning_delimiters(&self) -> Option<(&'static str, &'static str)> {
        None
    }

    /// Returns the table that defines the syntax of tool calls in answers: that of the family by default. A model's own chat
    /// template has the syntax whose delimiters it contains.
    fn call_family(&self) -> &'static Family {
        self.family()
    }

    /// Returns a prompt as one text in this format, with the guard applied to its data.
    ///
    /// # Errors
    /// The format does not support an option or a message, or data contains a control token and the guard rejects it.
    fn format_parts(&self, parts: PromptParts) -> Result<AnnotatedText> {
        let options = self.format_options();
        check_options(self, options)?;
        let mut out = AnnotatedText::new();
        self.write_parts(parts, options, &mut out)?;
        self.apply_guard(out, options)
    }

    /// Returns messages as one text in this format, with the guard applied to their data.
    ///
    /// # Errors
    /// As [`format_parts`](ChatFormat::format_parts).
    fn format_messages(&self, messages: &Messages) -> Result<AnnotatedText> {
        let options = self.format_options();
        check_options(self, options)?;
        let mut out = AnnotatedText::new();
        self.write_messages(messages, options, &mut out)?;
        self.apply_guard(out, options)
    }

    /// Whether each text of a growing conversation begins with the text before: that of the turns so far with the generation prompt, that
    /// with the answer, that with the next turn, and so on. Caches of a server's keys and values, and training on several turns, depend on it.
    ///
    /// It is found by rendering conversations with instructions, reasoning, tools and their results, of which what the format does
    /// not take is left out. Formats that leave the reasoning out of earlier turns do not preserve prefixes, and neither do those
    /// that move instructions or tools to the last user message.
    ///
    /// ```
    /// use typed_prompt::{ChatFormat, format};
    ///
    /// assert!(format::QWEN2_5.is_prefix_preserving());
    /// assert!(!format::QWEN3.is_prefix_preserving());
    /// ```
    fn is_prefix_preserving(&self) -> bool {
        prefix::is_prefix_preserving(self.format_options(), &|messages, options| {
            check_options(self, options)?;
            let mut out = AnnotatedText::new();
            self.write_messages(messages, options, &mut out)?;
            Ok(out)
        })
    }

    /// Applies the guard to the data in a text of this format. By default it searches for
    /// [`guarded_tokens`](ChatFormat::guarded_tokens).
    ///
    /// # Errors
    /// A control token in data where [`Guard::Reject`] is set.
    fn apply_guard(&self, text: AnnotatedText, options: &FormatOptions) -> Result<AnnotatedText> {
        text.guarded(self.family(), &self.guarded_tokens(), options)
    }

    /// Sets several options. Options that are not set here keep their earlier values.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, format::{self, FormatOptions}};
    ///
    /// let mut options = FormatOptions::new().bos(false);
    /// options.label = Some("4".to_owned());
    /// let ask = Messages::from([Message::user("2+2?")]);
    /// assert_eq!(ask.to_text(format::LLAMA2.options(options))?, "[INST] 2+2? [/INST] 4");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    fn options(self, options: FormatOptions) -> WithOptions<Self>
    where
        Self: Sized,
    {
        WithOptions::new(self).options(options)
    }

    for_each_option!(option_methods);
}

impl fmt::Debug for dyn ChatFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ChatFormat({})", self.family().name)
    }
}
