//! A format with other options.

use crate::format::{ChatFormat, Family, FormatOptions};
use crate::{AnnotatedText, Draft, Messages, Result};

macro_rules! forward {
    ($format:ident) => {
        fn family(&self) -> &'static Family {
            self.$format().family()
        }

        fn write(&self, messages: &Messages, out: &mut AnnotatedText) -> Result<()> {
            self.$format().write(messages, out)
        }

        fn write_draft(&self, draft: Draft, out: &mut AnnotatedText) -> Result<()> {
            self.$format().write_draft(draft, out)
        }

        fn aliases(&self) -> &'static [&'static str] {
            self.$format().aliases()
        }

        fn tokens(&self) -> Vec<&str> {
            self.$format().tokens()
        }

        fn apply_guard(&self, out: AnnotatedText) -> Result<AnnotatedText> {
            self.$format().apply_guard(out)
        }

        fn reasoning_delimiters(&self) -> Option<(&'static str, &'static str)> {
            self.$format().reasoning_delimiters()
        }

        fn call_family(&self) -> &'static Family {
            self.$format().call_family()
        }
    };
}

impl<F: ChatFormat + ?Sized> ChatFormat for &F {
    forward!(inner);

    fn options(&self) -> FormatOptions {
        (**self).options()
    }
}

/// Lets `forward!` name what it forwards to.
trait HasInnerFormat {
    type Format: ChatFormat + ?Sized;
    fn inner(&self) -> &Self::Format;
}

impl<F: ChatFormat + ?Sized> HasInnerFormat for &F {
    type Format = F;

    fn inner(&self) -> &F {
        self
    }
}

impl<F: ChatFormat> HasInnerFormat for Adjusted<F> {
    type Format = F;

    fn inner(&self) -> &F {
        &self.format
    }
}

/// A chat format with other options: see [`ChatFormat::guard`] and [`ChatFormat::bos`].
///
/// ```
/// use typed_prompt::{ChatFormat, Guard, format};
///
/// let strict: format::Adjusted<format::NativeFormat> = format::LLAMA3.guard(Guard::Reject);
/// assert_eq!(strict.options().guard, Guard::Reject);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Adjusted<F> {
    format: F,
    wrapping: FormatOptions,
}

impl<F: ChatFormat> Adjusted<F> {
    pub(super) fn new(format: F, change: impl FnOnce(&mut FormatOptions)) -> Adjusted<F> {
        let mut wrapping = format.options();
        change(&mut wrapping);
        Adjusted { format, wrapping }
    }
}

impl<F: ChatFormat> ChatFormat for Adjusted<F> {
    forward!(inner);

    fn options(&self) -> FormatOptions {
        self.wrapping.clone()
    }
}
