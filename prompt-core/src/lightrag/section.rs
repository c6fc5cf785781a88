use crate::{Error, Result, Source, Text, ToValue, Value};

/// The value of one section, as it will be written.
///
/// ```
/// use prompt_core::lightrag::Section;
///
/// assert!(Section::from("0").is_there());
/// assert!(!Section::from(0).is_there());
/// assert_eq!(Section::from(["a", "b"]).to_string(), "['a', 'b']");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Section(State);

#[derive(Clone, Debug, Default)]
enum State {
    #[default]
    Missing,
    Text(Text),
    /// It could not be written.
    Fault(Error),
}

impl Section {
    /// Whether it is written: Python's truth of its value.
    pub fn is_there(&self) -> bool {
        !matches!(self.0, State::Missing)
    }

    /// How many bytes it has, of how many pieces of data.
    pub(super) fn size(&self) -> (usize, usize) {
        match &self.0 {
            State::Text(text) => (text.as_str().len(), text.data().len()),
            State::Missing | State::Fault(_) => (0, 0),
        }
    }

    /// The text, if it is written.
    pub(super) fn text(&self) -> Result<Option<&Text>> {
        match &self.0 {
            State::Missing => Ok(None),
            State::Text(text) => Ok(Some(text)),
            State::Fault(error) => Err(error.clone()),
        }
    }
}

impl std::fmt::Display for Section {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            State::Text(text) => f.write_str(text.as_str()),
            State::Missing | State::Fault(_) => Ok(()),
        }
    }
}

/// Of texts, numbers, lists, maps, an `Option` of any of them, and of fragments.
impl<T: ToValue> From<T> for Section {
    fn from(value: T) -> Section {
        fn written(value: &Value<'_>) -> Result<State> {
            if !value.is_true().map_err(Error::from)? {
                return Ok(State::Missing);
            }
            let text = value.text().map_err(Error::from)?;
            Ok(State::Text(text.to_text()))
        }
        let value = value.to_value(Source::Data(None));
        Section(written(&value).unwrap_or_else(State::Fault))
    }
}
