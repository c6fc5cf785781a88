//! Static information about a prompt: its name, slots, source location and fingerprint.

use std::fmt;

use crate::Role;

/// Static information about a prompt: its name, its slots, and the location of its template.
///
/// ```
/// use typed_prompt::write::PromptInfo;
///
/// const INFO: PromptInfo = PromptInfo::new("Ask")
///     .with_slots("user question 3 14\n")
///     .with_position("src/ask.rs", 3, 1);
/// assert_eq!(INFO.slots.get("question").unwrap().column, 14);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PromptInfo {
    /// The name of the type.
    pub name: &'static str,
    /// The doc comment of the type, or the `description` of its template file if it has none.
    pub doc: &'static str,
    /// The `model` of the front matter. A client does not use it unless the program passes it on.
    pub model: Option<&'static str>,
    /// The slots of the template, in the order in which they first appear.
    pub slots: Slots,
    /// The fields that are marked `#[prompt(trusted)]`: the program fills them, never an end user.
    pub trusted: &'static [&'static str],
    /// The file that contains the template.
    pub file: &'static str,
    /// The line on which the template begins, counted from 1.
    pub line: u32,
    /// The column at which it begins, counted from 1.
    pub column: u32,
    /// Changes whenever the template, its slots or its output change.
    pub fingerprint: Fingerprint,
}

impl PromptInfo {
    /// Describes a prompt without slots. A `Prompt` implemented by hand needs the name alone.
    pub const fn new(name: &'static str) -> PromptInfo {
        PromptInfo {
            name,
            doc: "",
            model: None,
            slots: Slots { lines: "" },
            trusted: &[],
            file: "",
            line: 0,
            column: 0,
            fingerprint: Fingerprint(0),
        }
    }

    /// Sets the description.
    pub const fn with_doc(self, doc: &'static str) -> PromptInfo {
        PromptInfo { doc, ..self }
    }

    /// Sets the name of the model.
    pub const fn with_model(self, model: &'static str) -> PromptInfo {
        PromptInfo {
            model: Some(model),
            ..self
        }
    }

    /// Sets the slots: a line for each, with its role (or `fragment`), name, line and column.
    ///
    /// The macros write one string literal because the compiler checks it much faster than an array of values.
    pub const fn with_slots(self, lines: &'static str) -> PromptInfo {
        PromptInfo {
            slots: Slots { lines },
            ..self
        }
    }

    /// Sets the names of the trusted fields.
    pub const fn with_trusted(self, trusted: &'static [&'static str]) -> PromptInfo {
        PromptInfo { trusted, ..self }
    }

    /// Sets the location of the template.
    pub const fn with_position(self, file: &'static str, line: u32, column: u32) -> PromptInfo {
        PromptInfo {
            file,
            line,
            column,
            ..self
        }
    }

    /// Sets the fingerprint.
    pub const fn with_fingerprint(self, fingerprint: u64) -> PromptInfo {
        PromptInfo {
            fingerprint: Fingerprint(fingerprint),
            ..self
        }
    }
}

/// The slots of a prompt, in the order in which they first appear.
///
/// ```
/// use typed_prompt::{Role, write::PromptInfo};
///
/// let info = PromptInfo::new("Ask").with_slots("system tone 3 9\nuser question 4 7\n");
/// let question = info.slots.get("question").unwrap();
/// assert_eq!((question.role, question.line, question.column), (Some(Role::User), 4, 7));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Slots {
    lines: &'static str,
}

impl Slots {
    /// Returns the slots in the order in which they first appear.
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

    /// Returns the first slot of a name.
    pub fn get(self, name: &str) -> Option<SlotInfo> {
        self.iter().find(|slot| slot.name == name)
    }
}

impl fmt::Debug for Slots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A slot of a prompt: see [`Slots`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct SlotInfo {
    /// The name of the field.
    pub name: &'static str,
    /// The role of the message that contains the slot. A slot of a fragment has none.
    pub role: Option<Role>,
    /// The line in the template's file, counted from 1.
    pub line: u32,
    /// The column, counted from 1.
    pub column: u32,
}

/// Identifies the template of a prompt. Recordings, caches and logs use it as their key.
///
/// ```
/// use typed_prompt::write::Fingerprint;
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
