use prompt_core::{Error, Result, Source, Text};
use prompt_jinja::{ToValue, Value};

/// The value of one section, as it will be written.
///
/// ```
/// use prompt_compat::lightrag::Section;
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
            if !value.is_true()? {
                return Ok(State::Missing);
            }
            Ok(State::Text(value.to_text()?))
        }
        let value = value.to_value(Source::Data(None));
        Section(written(&value).unwrap_or_else(State::Fault))
    }
}
