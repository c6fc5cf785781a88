//! A format with other options.

use crate::format::options::for_each_option;
use crate::format::{ChatFormat, Date, Family, FormatOption, FormatOptions, NativeFormat};
use crate::{AnnotatedText, Guard, Json, Messages, PromptParts, Result};

/// A chat format with options: what the methods of [`ChatFormat`] that set an option return.
///
/// ```
/// use typed_prompt::{ChatFormat, Guard, format::{self, NativeFormat, WithOptions}};
///
/// let strict: WithOptions<NativeFormat> = format::LLAMA3.guard(Guard::Reject).bos(false);
/// assert_eq!(strict.format_options().guard, Guard::Reject);
/// ```
#[derive(Clone, PartialEq, Debug)]
#[must_use = "a format with options is given to `prompt.to_text(…)`"]
pub struct WithOptions<F> {
    format: F,
    options: FormatOptions,
}

impl<F: ChatFormat> WithOptions<F> {
    pub(super) fn new(format: F) -> WithOptions<F> {
        let options = format.format_options().clone();
        WithOptions { format, options }
    }

    /// The format without the options.
    ///
    /// ```
    /// use typed_prompt::{ChatFormat, format};
    ///
    /// assert_eq!(format::QWEN3.thinking(false).format().family().name, "qwen3");
    /// ```
    pub fn format(&self) -> &F {
        &self.format
    }

    /// Sets several options. Options that are not set here keep their earlier values.
    pub fn options(mut self, options: FormatOptions) -> WithOptions<F> {
        self.options = self.options.options(options);
        self
    }
}

/// Declares the methods that set an option, outside of a trait.
macro_rules! inherent_option_methods {
    (
        { $(
            $(#[$doc:meta])* example { $($example:tt)* }
            $name:ident $(as $option:ident)?: $type:ty = $default:expr,
            ($($argument:ident: $argument_type:ty)?) $options:ident => $set:block;
        )* }
        { $(
            $(#[$try_doc:meta])* example { $($try_example:tt)* }
            $try_name:ident($try_argument:ident: $try_type:ty) $try_options:ident => $try_set:block;
        )* }
    ) => {
        /// These take the place of the methods of [`ChatFormat`] with the same names, so that several options in a row are one
        /// `WithOptions`.
        impl<F: ChatFormat> WithOptions<F> {
            $(
                $(#[$doc])*
                pub fn $name(mut self $(, $argument: $argument_type)?) -> WithOptions<F> {
                    self.options = self.options.$name($($argument)?);
                    self
                }
            )*

            $(
                $(#[$try_doc])*
                pub fn $try_name(mut self, $try_argument: $try_type) -> Result<WithOptions<F>> {
                    self.options = self.options.$try_name($try_argument)?;
                    Ok(self)
                }
            )*
        }

        /// The methods of [`ChatFormat`] that set an option, for programs that do not import the trait.
        impl NativeFormat {
            $(
                $(#[$doc])*
                pub fn $name(self $(, $argument: $argument_type)?) -> WithOptions<NativeFormat> {
                    WithOptions::new(self).$name($($argument)?)
                }
            )*

            $(
                $(#[$try_doc])*
                pub fn $try_name(self, $try_argument: $try_type) -> Result<WithOptions<NativeFormat>> {
                    WithOptions::new(self).$try_name($try_argument)
                }
            )*

            /// Sets several options.
            pub fn options(self, options: FormatOptions) -> WithOptions<NativeFormat> {
                WithOptions::new(self).options(options)
            }
        }
    };
}
for_each_option!(inherent_option_methods);

/// The methods of a format that is inside of another one. `format_options` differ.
macro_rules! forward_to {
    (|$self:ident| $format:expr) => {
        fn family(&$self) -> &'static Family {
            $format.family()
        }

        fn supports(&$self, option: FormatOption) -> bool {
            $format.supports(option)
        }

        fn write_messages(
            &$self,
            messages: &Messages,
            options: &FormatOptions,
            out: &mut AnnotatedText,
        ) -> Result<()> {
            $format.write_messages(messages, options, out)
        }

        fn write_parts(
            &$self,
            parts: PromptParts,
            options: &FormatOptions,
            out: &mut AnnotatedText,
        ) -> Result<()> {
            $format.write_parts(parts, options, out)
        }

        fn aliases(&$self) -> &'static [&'static str] {
            $format.aliases()
        }

        fn guarded_tokens(&$self) -> Vec<&str> {
            $format.guarded_tokens()
        }

        fn apply_guard(&$self, text: AnnotatedText, options: &FormatOptions) -> Result<AnnotatedText> {
            $format.apply_guard(text, options)
        }

        fn reasoning_delimiters(&$self) -> Option<(&'static str, &'static str)> {
            $format.reasoning_delimiters()
        }

        fn call_family(&$self) -> &'static Family {
            $format.call_family()
        }
    };
}

impl<F: ChatFormat + ?Sized> ChatFormat for &F {
    forward_to!(|self| (**self));

    fn format_options(&self) -> &FormatOptions {
        (**self).format_options()
    }
}

impl<F: ChatFormat> ChatFormat for WithOptions<F> {
    forward_to!(|self| self.format);

    fn format_options(&self) -> &FormatOptions {
        &self.options
    }
}
