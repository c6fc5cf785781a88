//! Values that untrusted text may have written, such as the answers of a model that reads it.

#[cfg(feature = "schema")]
use std::borrow::Cow;

use std::cell::{Cell, RefCell};
use std::fmt;

use serde_core::{Deserialize, Deserializer};

use crate::{Error, ErrorKind, Result, ToPrompt, Writer};

/// A value that untrusted text may have written, such as the answer of a model that reads a web page.
///
/// As an output type it wraps the type of the answer, `#[prompt(output = Untrusted<Summary>)]`. It fills slots of user messages as
/// the value itself does. It cannot fill a slot of the system message, a field marked `#[prompt(trusted)]`, or an argument of a tool
/// marked `#[tool(consequential)]`: for these, [`endorse`](Untrusted::endorse) or [`endorse_after`](Untrusted::endorse_after) returns
/// the value, and shows in your source code who vouches for it.
///
/// ```
/// use typed_prompt::{Untrusted, write::Writer};
///
/// let topic = Untrusted::new("owls".to_owned());
/// let mut out = Writer::new();
/// out.slot("topic", &topic); // in a user message
/// assert_eq!(out.finish()?[0].text(), "owls");
///
/// const TOPICS: [&str; 2] = ["owls", "lakes"];
/// let topic: String = topic.endorse_after(|topic| TOPICS.contains(&topic.as_str()))?;
/// assert_eq!(topic, "owls");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
///
/// `Display`, `Deref` and `Serialize` are not implemented, since these would return the value without a decision:
/// `answer.map(|answer| answer.title)` returns a field of the value, untrusted too, and `answer.endorse("why the text instructs nobody")` the
/// value, which can be printed. `Debug` shows the value, for
/// logs and tests, and the function given to [`map`](Untrusted::map) reads it: a program that copies the text there avoids the
/// decision, and the copy is an ordinary string, which needs `trusted` in a system message. The compiler finds the type in a field that is marked `trusted`, also by an
/// alias. Inside of another type or a type parameter it is found when the prompt is rendered, also where it is printed by a derived `Debug` or by an expression.
#[derive(Clone, PartialEq, Eq)]
pub struct Untrusted<T: ?Sized>(pub(crate) T);

thread_local! {
    /// How many untrusted values this thread has formatted with `Debug` or written outside of a message.
    static READS: Cell<u64> = const { Cell::new(0) };
    /// The slots whose data contains the text of such values, each with the number of the last one.
    static READ_SLOTS: RefCell<Vec<(&'static str, u64)>> = const { RefCell::new(Vec::new()) };
}

/// The number of values that have been read, to detect later ones. A value that reads one while it is written contains its text, whatever types are between.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadsBefore(u64);

/// The present number of reads of this thread.
impl Default for ReadsBefore {
    fn default() -> ReadsBefore {
        ReadsBefore(READS.get())
    }
}

impl ReadsBefore {
    /// Whether an untrusted value has been read since.
    pub(crate) fn has_more(self) -> bool {
        READS.get() != self.0
    }

    /// Whether an untrusted value has been read since for data of a slot.
    pub(crate) fn has_more_of(self, slot: &str) -> bool {
        self.has_more()
            && READ_SLOTS
                .with_borrow(|slots| slots.iter().any(|(read, at)| *read == slot && *at > self.0))
    }
}

/// Notes that the text of an untrusted value is read.
pub(crate) fn note_read() {
    READS.set(READS.get() + 1);
}

/// Notes that the text of an untrusted value is read for data of a slot.
pub(crate) fn note_read_for(slot: Option<&'static str>) {
    note_read();
    let Some(slot) = slot else {
        return;
    };
    let now = READS.get();
    READ_SLOTS.with_borrow_mut(
        |slots| match slots.iter_mut().find(|(read, _)| *read == slot) {
            Some((_, at)) => *at = now,
            None => slots.push((slot, now)),
        },
    );
}

/// Converts a value of a slot with `convert`, and notes whether that reads an untrusted value.
pub fn note_conversion<R>(slot: Option<&'static str>, convert: impl FnOnce() -> R) -> R {
    let before = ReadsBefore::default();
    let converted = convert();
    if before.has_more() {
        note_read_for(slot);
    }
    converted
}

impl<T: fmt::Debug + ?Sized> fmt::Debug for Untrusted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        note_read();
        f.debug_tuple("Untrusted").field(&&self.0).finish()
    }
}

impl<T> Untrusted<T> {
    /// Marks a value as untrusted.
    ///
    /// ```
    /// let page = typed_prompt::Untrusted::new("<html>…".to_owned());
    /// assert_eq!(page.map(String::len).endorse("a length instructs nobody"), 9);
    /// ```
    pub fn new(value: T) -> Untrusted<T> {
        Untrusted(value)
    }

    /// Returns a value that is made from this one, such as one of its fields. It is untrusted too.
    ///
    /// ```
    /// use typed_prompt::Untrusted;
    ///
    /// let summary = Untrusted::new(("Owls", "They sleep by day."));
    /// assert_eq!(summary.map(|summary| summary.0), Untrusted::new("Owls"));
    /// ```
    pub fn map<'a, U>(&'a self, make: impl FnOnce(&'a T) -> U) -> Untrusted<U> {
        Untrusted(make(&self.0))
    }

    /// Returns the value. The reason states who checked it, or why it needs no check; it is documentation for the readers of your
    /// source code.
    ///
    /// ```
    /// let answer = typed_prompt::Untrusted::new("They sleep by day.");
    /// println!("{}", answer.endorse("shown to the person who asked"));
    /// ```
    pub fn endorse(self, reason: &'static str) -> T {
        let _ = reason;
        self.0
    }

    /// Returns the value if it passes a check, such as a comparison with a list of known values.
    ///
    /// # Errors
    /// The check returned `false`.
    ///
    /// ```
    /// use typed_prompt::Untrusted;
    ///
    /// let is_known = |address: &&str| ["ada@example.com"].contains(address);
    /// assert_eq!(Untrusted::new("ada@example.com").endorse_after(is_known)?, "ada@example.com");
    /// let error = Untrusted::new("eve@example.com").endorse_after(is_known).unwrap_err();
    /// assert_eq!(error.message(), "an untrusted value did not pass the check of `endorse_after`");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn endorse_after(self, check: impl FnOnce(&T) -> bool) -> Result<T> {
        if check(&self.0) {
            return Ok(self.0);
        }
        let message = "an untrusted value did not pass the check of `endorse_after`";
        Err(Error::new(ErrorKind::Value, message)
            .with_help("call the model again, or let a person decide"))
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToPrompt> ToPrompt for Untrusted<T> {
    fn write(&self, out: &mut Writer) {
        out.untrusted(&self.0);
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Untrusted<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Untrusted<T>, D::Error> {
        T::deserialize(deserializer).map(Untrusted)
    }
}

#[cfg(feature = "schema")]
impl<T: prompt_output::Partial> prompt_output::Partial for Untrusted<T> {
    type Partial = Untrusted<T::Partial>;

    fn from_partial(value: &prompt_output::PartialValue<'_>) -> Option<Self::Partial> {
        T::from_partial(value).map(Untrusted)
    }
}

/// The schema of `T`.
#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Untrusted<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        T::json_schema(generator)
    }
}
