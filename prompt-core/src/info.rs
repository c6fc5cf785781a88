//! Static information about a prompt: its name, slots, source location and fingerprint.

use std::fmt;

use crate::Role;

/// What is known about a prompt before it is filled: its name, its slots, and where its text was written.
///
/// ```
/// use prompt_core::{Messages, Prompt};
///
/// assert_eq!(Messages::INFO.name, "Messages");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PromptInfo {
    /// The name of the type.
    pub name: &'static str,
    /// Its doc comment, or the `description` of its file where it has none.
    pub doc: &'static str,
    /// The model that it is written for, where it says so. Which model is asked is for the program to say.
    pub model: Option<&'static str>,
    /// The slots of the template, in the order in which they first appear.
    pub slots: Slots,
    /// The file that holds the template.
    pub file: &'static str,
    /// The line on which the template begins, counted from 1.
    pub line: u32,
    /// The column at which it begins, counted from 1.
    pub column: u32,
    /// Changes whenever the template, its slots or its output change.
    pub fingerprint: Fingerprint,
}

/// What a macro has written: a call costs a compiler less than the names of the fields.
#[doc(hidden)]
pub const fn info(
    name: &'static str,
    doc: &'static str,
    slots: &'static str,
    file: &'static str,
    line: u32,
    column: u32,
    fingerprint: u64,
) -> PromptInfo {
    PromptInfo {
        name,
        doc,
        model: None,
        slots: Slots::of(slots),
        file,
        line,
        column,
        fingerprint: Fingerprint(fingerprint),
    }
}

impl PromptInfo {
    /// The same of a prompt that says for which model it is written.
    #[doc(hidden)]
    pub const fn for_model(self, model: &'static str) -> PromptInfo {
        PromptInfo {
            model: Some(model),
            ..self
        }
    }
}

/// The slots of a prompt, in the order in which they first appear.
///
/// ```
/// use prompt_core::{Messages, Prompt};
///
/// assert_eq!(Messages::INFO.slots.iter().count(), 0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Slots {
    /// `user question 3 14` and a line break for each: a table costs a compiler far more than a text.
    lines: &'static str,
}

impl Slots {
    /// No slots: what a prompt written by hand may say.
    pub const NONE: Slots = Slots::of("");

    /// The slots of a prompt that is implemented by hand or by a macro: a line for each slot, with its role, name, line and
    /// column.
    ///
    /// ```
    /// use prompt_core::{Role, Slots};
    ///
    /// let slots = Slots::of("system tone 3 9\nuser question 4 7\n");
    /// let question = slots.get("question").unwrap();
    /// assert_eq!((question.role, question.line, question.column), (Some(Role::User), 4, 7));
    /// ```
    pub const fn of(lines: &'static str) -> Slots {
        Slots { lines }
    }

    /// The slots.
    ///
    /// ```
    /// use prompt_core::{Messages, Prompt};
    ///
    /// assert_eq!(Messages::INFO.slots.iter().next(), None);
    /// ```
    pub fn iter(self) -> impl Iterator<Item = SlotInfo> {
        self.lines.lines().filter_map(|line| {
            let mut words = line.split(' ');
            let role = Role::from_name(words.next()?);
            Some(SlotInfo {
                role,
                name: words.next()?,
                line: words.next()?.parse().ok()?,
                column: words.next()?.parse().ok()?,
            })
        })
    }

    /// The slot of that name that appears first.
    ///
    /// ```
    /// use prompt_core::{Messages, Prompt};
    ///
    /// assert_eq!(Messages::INFO.slots.get("question"), None);
    /// ```
    pub fn get(self, name: &str) -> Option<SlotInfo> {
        self.iter().find(|slot| slot.name == name)
    }
}

impl fmt::Debug for Slots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// One slot of a prompt.
///
/// ```
/// use prompt_core::{Role, SlotInfo};
///
/// let slot = SlotInfo { name: "question", role: Some(Role::User), line: 3, column: 14 };
/// assert_eq!(slot.name, "question");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SlotInfo {
    /// The field that fills it.
    pub name: &'static str,
    /// The role of the message that contains it; a fragment has no role of its own.
    pub role: Option<Role>,
    /// The line in the template's file, counted from 1.
    pub line: u32,
    /// The column, counted from 1.
    pub column: u32,
}

/// Identifies the text of a prompt: recordings, caches and logs are kept under it.
///
/// ```
/// use prompt_core::Fingerprint;
///
/// assert_eq!(Fingerprint(0xbeef).to_string(), "000000000000beef");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Fingerprint(pub u64);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}
