//! The list of the chat formats, and how one is found by name.

use crate::format::model_name::ModelName;
use crate::format::{ALPACA, ChatFormat, NativeFormat, PLAIN};
use crate::guard::{ControlTokens, Prefilter};
use crate::{Error, ErrorKind, Result};
use prompt_base::suggest;
use prompt_family as family;

/// Declares the chat format of every family in the list of `prompt-family`.
macro_rules! formats {
    ($($name:ident)*) => {
        $(
            #[doc = concat!("The chat format of the family [`family::", stringify!($name), "`](prompt_family::", stringify!($name), ").")]
            ///
            /// ```
            /// use typed_prompt::{Message, Messages, Prompt, format};
            ///
            #[doc = concat!("let text = Messages::from([Message::user(\"Hi\")]).to_text(format::", stringify!($name), ")?;")]
            #[doc = concat!("assert_eq!(format::", stringify!($name), ".parse(&text)?.last().map(|turn| turn.text), Some(\"Hi\"));")]
            /// # Ok::<(), typed_prompt::Error>(())
            /// ```
            pub const $name: NativeFormat = NativeFormat::with_prefilter(&family::$name, const {
                &Prefilter::new(ControlTokens::from_family(&family::$name))
            });
        )*

        /// The chat formats of all model families.
        ///
        /// ```
        /// use typed_prompt::{ChatFormat, format};
        ///
        /// assert!(format::MODEL_FORMATS.len() > 40);
        /// assert!(format::MODEL_FORMATS.iter().any(|native| native.family().name == "gpt_oss"));
        /// ```
        pub const MODEL_FORMATS: &[&NativeFormat] = &[$(&$name),*];
    };
}
prompt_family::for_each_family!(formats);

/// All chat formats of this crate: [`MODEL_FORMATS`], [`ALPACA`] and [`PLAIN`].
///
/// ```
/// use typed_prompt::format;
///
/// let names: Vec<_> = format::FORMATS.iter().map(|format| format.family().name).collect();
/// assert_eq!(names[..2], ["alpaca_chat", "apertus"]);
/// assert!(names.ends_with(&["alpaca", "plain"]));
/// ```
pub const FORMATS: &[&dyn ChatFormat] = &all();

const fn all() -> [&'static dyn ChatFormat; MODEL_FORMATS.len() + 2] {
    let mut all: [&dyn ChatFormat; MODEL_FORMATS.len() + 2] = [&PLAIN; MODEL_FORMATS.len() + 2];
    let mut at = 0;
    while at < MODEL_FORMATS.len() {
        all[at] = MODEL_FORMATS[at];
        at += 1;
    }
    all[at] = &ALPACA;
    all
}

/// The chat format of a model, by the names that [`from_name`] finds. Unlike it, this function returns the type of the constants,
/// with their options and parsers, and does not find `plain` and `alpaca`, which no model's chat template defines.
///
/// # Errors
/// As [`from_name`].
///
/// ```
/// use typed_prompt::{Message, Messages, Prompt, format};
///
/// let qwen = format::model_format("Qwen/Qwen3-8B")?.thinking(false);
/// assert!(Messages::from([Message::user("Hi")]).to_text(qwen)?.ends_with("<think>\n\n</think>\n\n"));
/// assert!(format::model_format("Qwen9-8B").is_err());
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub fn model_format(name: &str) -> Result<NativeFormat> {
    let natives = MODEL_FORMATS
        .iter()
        .map(|native| (**native, *native as &'static dyn ChatFormat));
    find_format("model format", name, natives)
}

/// The format with this name: the family's, or one of its aliases. [`model_format`] returns that of a model with its options and
/// parsers.
///
/// A name of a model is also found as servers write it: in another case, with other separators, without its organisation, with the format of
/// its numbers, and as Ollama, Groq and llama.cpp name it (`qwen3:8b`, `llama-3.1-8b-instant`, `Qwen3-8B-Q4_K_M.gguf`). All other words, and the
/// size, must be those of a name that [`MODEL_FORMATS`] list.
///
/// # Errors
/// A name that is not listed, with the nearest that is; a model of [`UNSUPPORTED`](prompt_family::UNSUPPORTED), with the reason; and a name of
/// several models whose formats differ: a format is never guessed.
///
/// ```
/// use typed_prompt::format;
///
/// assert_eq!(format::from_name("meta-llama/Llama-3.1-8B-Instruct")?.family().name, "llama3_1");
/// assert_eq!(format::from_name("llama3.1:8b")?.family().name, "llama3_1");
/// assert_eq!(format::from_name("gemma-3-4b-it-Q4_K_M.gguf")?.family().name, "gemma3");
/// let error = format::from_name("llama-9").unwrap_err();
/// assert!(error.to_string().starts_with("there is no format `llama-9`; use one of `llama2`, `llama3`"));
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub fn from_name(name: &str) -> Result<&'static dyn ChatFormat> {
    find_format(
        "format",
        name,
        FORMATS.iter().map(|format| (*format, *format)),
    )
}

/// The one format that a name finds. Each item is what is returned, and the format that has the names.
fn find_format<T>(
    what: &str,
    name: &str,
    formats: impl Iterator<Item = (T, &'static dyn ChatFormat)> + Clone,
) -> Result<T> {
    let find = |is_named: &dyn Fn(&str) -> bool| {
        let with_name = |(item, format)| Some((item, names(format).find(|known| is_named(known))?));
        formats.clone().filter_map(with_name).collect::<Vec<_>>()
    };
    let mut found = find(&|known| known == name);
    if found.is_empty() {
        let name = ModelName::parse(name);
        found = find(&|known| name.is_name_of(known));
    }
    match found.len() {
        0 => Err(unknown_format(
            what,
            name,
            formats.map(|(_, format)| format),
        )),
        1 => Ok(found.remove(0).0),
        _ => {
            let message = format!("models with different formats have the name `{name}`");
            let known: Vec<&str> = found.iter().map(|(_, known)| *known).collect();
            let help = format!("use one of `{}`", known.join("`, `"));
            Err(Error::new(ErrorKind::UnknownFormat, message).with_help(help))
        }
    }
}

/// The error for a name of no format. Of the known names, those of models are too many to read: if none is near, the names of families are shown,
/// those of other versions if there are any.
fn unknown_format(
    what: &str,
    name: &str,
    formats: impl Iterator<Item = &'static dyn ChatFormat> + Clone,
) -> Error {
    let parsed = ModelName::parse(name);
    let mut unsupported = family::UNSUPPORTED.iter();
    if let Some(model) = unsupported.find(|model| parsed.contains(model.name)) {
        let message = format!(
            "the chat format of {} is not built in: {}",
            model.title, model.reason
        );
        let help = "use the model's own chat template, `ChatTemplate`";
        return Error::new(ErrorKind::UnknownFormat, message).with_help(help);
    }
    let error = Error::new(
        ErrorKind::UnknownFormat,
        format!("there is no {what} `{name}`"),
    );
    if let Some(short) = parsed.without_size() {
        let mut known = formats.clone().flat_map(names);
        if let Some(family) = known.find(|known| short.is_name_of(known)) {
            let help = format!("if this model has the format of `{family}`, use `{family}`");
            return error.with_help(help);
        }
    }
    let families = formats.clone().map(|format| format.family().name);
    let mut shown = suggest::other_versions(name, families.clone());
    if let Some(near) = suggest::closest_version(name, formats.flat_map(names))
        && (shown.is_empty() || suggest::other_versions(name, [near]) == [near])
    {
        return error.with_help(format!("did you mean `{near}`?"));
    }
    if shown.is_empty() {
        shown = families.collect();
    }
    error.with_help(format!("use one of `{}`", shown.join("`, `")))
}

fn names(format: &'static dyn ChatFormat) -> impl Iterator<Item = &'static str> {
    std::iter::once(format.family().name).chain(format.aliases().iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_format_names_suggest_one_or_list_all() {
        let check = |name: &str, expected: &str| {
            for error in [model_format(name).err(), from_name(name).err()] {
                let help = error.map(|error| format!("{error:#}")).unwrap_or_default();
                assert!(help.contains(expected) && help.len() < 1_200, "{help}");
            }
        };
        check("lama3", "did you mean `llama3`?");
        check("jamba:1.5", "`ChatTemplate`");
        for name in [
            "moonshotai/Kimi-K2.5",
            "CohereLabs/c4ai-command-a-03-2025",
            "tencent/Hunyuan-A13B-Instruct",
            "allenai/Olmo-3-7B-Think",
            "ai-sage/GigaChat3-10B-A1.8B",
        ] {
            check(name, "is not built in: ");
        }
        check(
            "my-model-of-7b",
            "use one of `alpaca_chat`, `apertus`, `chatml`, ",
        );
        // Another version is another format, also if its name differs in one character.
        check("gemma5", "use one of `gemma2`, `gemma3`");
        check("mistral", "use one of `mistral_v0`, `mistral_v1`, ");
        check("llama-2-chat", "use one of `llama2`, `llama3`, ");
        check("smollm", "use one of `smollm2`, `smollm3`");
        check(
            "gemma3:1000b",
            "if this model has the format of `gemma3`, use `gemma3`",
        );
    }
}
