//! Static information about a prompt: its name, slots, source location and fingerprint.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::Role;

/// Static information about a prompt: its name, its slots, and the location of its template.
///
/// ```
/// use typed_prompt::Role;
/// use typed_prompt::write::{PromptInfo, SlotInfo, Slots};
///
/// const INFO: PromptInfo = PromptInfo::new("Ask")
///     .with_slots(Slots::new(&[SlotInfo::new(Some(Role::User), "question", 3, 14)]))
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
    /// The slots of the template, in the order in which they first appear. A slot in a loop has the name of the loop variable: `p` in `<for p in passages><p></for>`.
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
            slots: Slots::new(&[]),
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

    /// Sets the slots.
    pub const fn with_slots(self, slots: Slots) -> PromptInfo {
        PromptInfo { slots, ..self }
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
/// use typed_prompt::{Prompt, Role};
///
/// #[derive(Prompt)]
/// #[prompt(system = "Be kind.", user = "<question>")]
/// struct Ask {
///     question: String,
/// }
///
/// let question = Ask::INFO.slots.get("question").unwrap();
/// assert_eq!((question.role, question.column), (Some(Role::User), 39));
/// assert_eq!(Ask::INFO.slots.iter().count(), 1);
/// ```
#[derive(Clone, Copy)]
pub struct Slots {
    list: SlotList,
}

#[derive(Clone, Copy)]
enum SlotList {
    Values(&'static [SlotInfo]),
    /// A line for each slot, with its role (or `fragment`), name, line and column. The macros write one string literal because the
    /// compiler checks it much faster than an array of values.
    Lines(&'static str),
}

impl Slots {
    /// The slots of a `Prompt` that is implemented by hand.
    pub const fn new(slots: &'static [SlotInfo]) -> Slots {
        Slots {
            list: SlotList::Values(slots),
        }
    }

    pub(crate) const fn from_lines(lines: &'static str) -> Slots {
        Slots {
            list: SlotList::Lines(lines),
        }
    }

    /// Returns the slots in the order in which they first appear.
    pub fn iter(self) -> impl Iterator<Item = SlotInfo> {
        let (values, lines) = match self.list {
            SlotList::Values(values) => (values, ""),
            SlotList::Lines(lines) => (&[][..], lines),
        };
        values
            .iter()
            .copied()
            .chain(lines.lines().filter_map(SlotInfo::parse_line))
    }

    /// Returns the first slot of a name.
    pub fn get(self, name: &str) -> Option<SlotInfo> {
        self.iter().find(|slot| slot.name == name)
    }
}

impl Default for Slots {
    fn default() -> Slots {
        Slots::new(&[])
    }
}

impl PartialEq for Slots {
    fn eq(&self, other: &Slots) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Slots {}

impl Hash for Slots {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for slot in self.iter() {
            slot.hash(state);
        }
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
    /// The name in the slot: of a field, as `question` or `user.name`, or in a loop of its variable, as `p` or `p.text`.
    pub name: &'static str,
    /// The role of the message that contains the slot. A slot of a fragment has none.
    pub role: Option<Role>,
    /// The line in the template's file, counted from 1.
    pub line: u32,
    /// The column, counted from 1.
    pub column: u32,
}

impl SlotInfo {
    /// A slot in a message of `role`, at a line and a column that are counted from 1.
    pub const fn new(role: Option<Role>, name: &'static str, line: u32, column: u32) -> SlotInfo {
        SlotInfo {
            name,
            role,
            line,
            column,
        }
    }

    fn parse_line(line: &'static str) -> Option<SlotInfo> {
        let mut words = line.split(' ');
        let role = Role::from_name(words.next()?);
        let name = words.next()?;
        let [line, column] = [words.next()?.parse().ok()?, words.next()?.parse().ok()?];
        Some(SlotInfo::new(role, name, line, column))
    }
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
