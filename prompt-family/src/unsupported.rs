//! Models whose chat format is not built in, and the reason.

/// Models whose chat format is not built in. Their own chat template writes it.
///
/// ```
/// use typed_prompt::format;
///
/// let error = format::from_name("ai21labs/AI21-Jamba-1.5-Mini").err().unwrap();
/// assert!(error.message().starts_with("the chat format of Jamba is not built in: "));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnsupportedModel {
    /// The name for people.
    pub title: &'static str,
    /// A part of the models' names.
    pub name: &'static str,
    /// Why the format is not built in.
    pub reason: &'static str,
}

const fn model(title: &'static str, name: &'static str, reason: &'static str) -> UnsupportedModel {
    UnsupportedModel {
        title,
        name,
        reason,
    }
}

const NOT_READ: &str = "its chat template could not be read";

/// The models whose chat format is not built in although they are known, by title.
///
/// ```
/// assert!(prompt_family::UNSUPPORTED.iter().all(|model| !model.reason.is_empty()));
/// ```
pub const UNSUPPORTED: &[UnsupportedModel] = &[
    model("Jamba", "jamba", NOT_READ),
    model(
        "LLaVA-NeXT",
        "llava-v1.6",
        "its template takes one text for each answer, and images only before the text",
    ),
    model(
        "Muse Glimmer",
        "muse-glimmer",
        "each message names its recipient, which messages here do not have",
    ),
];
