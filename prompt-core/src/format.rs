use crate::syntax::Family;
use crate::{Draft, Messages, Prompt, Result};

/// How a family of models writes a conversation as one text.
pub trait ChatFormat {
    /// Facts.
    fn family(&self) -> &'static Family;

    /// Writes.
    ///
    /// # Errors
    /// What the family cannot say.
    fn write(&self, messages: &Messages, out: &mut String) -> Result<()>;

    /// Text.
    ///
    /// # Errors
    /// What the family cannot say.
    fn text(&self, prompt: &impl Prompt) -> Result<String>
    where
        Self: Sized,
    {
        let mut out = String::new();
        self.write(&Draft::of(prompt).fold(), &mut out)?;
        Ok(out)
    }
}

impl<F: ChatFormat + ?Sized> ChatFormat for &F {
    fn family(&self) -> &'static Family {
        (**self).family()
    }

    fn write(&self, messages: &Messages, out: &mut String) -> Result<()> {
        (**self).write(messages, out)
    }
}
