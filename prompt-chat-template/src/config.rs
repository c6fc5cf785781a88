//! The chat template and the tokens in a model's `tokenizer_config.json`.

use std::borrow::Cow;

use prompt_core::format::AddedToken;
use prompt_core::{Error, ErrorKind, Json, JsonKind, Result};

/// A model's templates by name, and its tokens.
#[derive(Clone, Debug, Default)]
pub(crate) struct Config {
    pub(crate) templates: Vec<(String, String)>,
    /// `bos_token`, `eos_token` and their like.
    pub(crate) variables: Vec<(String, String)>,
    /// The tokens that were added to the vocabulary.
    pub(crate) tokens: Vec<AddedToken>,
}

/// The tokens that a tokenizer may name, which are variables of its template. A value that is not a token is an error.
pub(crate) const NAMED_TOKENS: [&str; 7] = [
    "bos_token",
    "eos_token",
    "unk_token",
    "sep_token",
    "pad_token",
    "cls_token",
    "mask_token",
];

/// The name of a template that has none.
pub(crate) const DEFAULT: &str = "default";

impl Config {
    pub(crate) fn parse(text: &str) -> Result<Config> {
        let mut entries = parse_entries(text)?;
        let mut config = Config::default();
        if let Some(template) = take_entry(&mut entries, "chat_template") {
            config.templates = parse_templates(&template)?;
        }
        for (key, value) in &entries {
            match (&**key, value.kind()) {
                ("added_tokens_decoder", JsonKind::Object) => {
                    let tokens = value.unique_entries().unwrap_or_default();
                    config.tokens.extend(
                        tokens
                            .iter()
                            .filter_map(|(_, token)| AddedToken::from_json(token)),
                    );
                }
                (
                    "additional_special_tokens" | "extra_special_tokens" | "chat_control_tokens",
                    JsonKind::Array,
                ) => {
                    let tokens = value.items().unwrap_or_default();
                    config
                        .tokens
                        .extend(tokens.iter().filter_map(AddedToken::from_json));
                }
                (
                    "additional_special_tokens"
                    | "extra_special_tokens"
                    | "model_specific_special_tokens",
                    JsonKind::Object,
                ) => {
                    for (name, token) in value.unique_entries().unwrap_or_default() {
                        config.add_token(&name, &token)?;
                    }
                }
                (_, JsonKind::Null) => {}
                (key, _) if NAMED_TOKENS.contains(&key) => config.add_token(key, value)?,
                // Other keys of this form are tokens of the model, or switches such as `add_bos_token`.
                (key, JsonKind::Str | JsonKind::Object) if key.ends_with("_token") => {
                    config.add_token(key, value)?;
                }
                _ => {}
            }
        }
        Ok(config)
    }

    /// A token that has a name, which is a variable of the template.
    fn add_token(&mut self, name: &str, value: &Json) -> Result<()> {
        match (AddedToken::from_json(value), value.as_string()) {
            (Some(token), _) => {
                self.variables
                    .push((name.to_owned(), token.content.clone()));
                self.tokens.push(token);
                Ok(())
            }
            // The empty string is not a token.
            (None, Some(_)) => Ok(()),
            (None, None) => {
                let found = value.kind().name();
                Err(config_error(&format!(
                    "`{name}` is a string or an object with `content`, and this is {found}"
                )))
            }
        }
    }

    /// The template of a name, and the names there are.
    pub(crate) fn find_template(&self, name: &str) -> Option<&str> {
        let found = self.templates.iter().find(|template| template.0 == name)?;
        Some(&found.1)
    }

    pub(crate) fn template_names(&self) -> String {
        let names: Vec<String> = self
            .templates
            .iter()
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        names.join(", ")
    }
}

/// The entries of the file as Python's `json.loads` reads it: of a repeated key the last value counts.
fn parse_entries(text: &str) -> Result<Vec<(String, Json)>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let json = Json::parse(&without_constants(text)).map_err(|error| {
        let error = error.inside("tokenizer_config.json");
        match text.contains('{') {
            true => error,
            false => {
                error.with_help("give the text of the file, or read it with `ChatTemplate::load`")
            }
        }
    })?;
    json.unique_entries().ok_or_else(|| {
        let name = json.kind().name();
        config_error(&format!("an object is expected, and this is {name}"))
    })
}

/// Replaces the numbers that Python's JSON has besides by zeros of the same length, so that positions stay: none of them is read.
fn without_constants(text: &str) -> Cow<'_, str> {
    const CONSTANTS: [&str; 3] = ["NaN", "Infinity", "-Infinity"];
    let mut out = Cow::Borrowed(text);
    let (mut in_string, mut before, mut at) = (false, b' ', 0);
    while let Some(&byte) = text.as_bytes().get(at) {
        let constant = match byte {
            b'N' | b'I' | b'-' if !in_string && b" \t\r\n[:,".contains(&before) => CONSTANTS
                .iter()
                .find(|constant| text.as_bytes()[at..].starts_with(constant.as_bytes())),
            _ => None,
        };
        let len = match (constant, byte) {
            (Some(constant), _) => {
                let zero = format!("{:<1$}", '0', constant.len());
                out.to_mut().replace_range(at..at + constant.len(), &zero);
                constant.len()
            }
            (None, b'\\') if in_string => 2,
            (None, _) => {
                in_string ^= byte == b'"';
                1
            }
        };
        at += len;
        before = byte;
    }
    out
}

/// A template as text, or several as a list of `{name, template}`.
fn parse_templates(json: &Json) -> Result<Vec<(String, String)>> {
    if let Some(text) = json.as_string() {
        return Ok(vec![(DEFAULT.to_owned(), text)]);
    }
    if json.kind() == JsonKind::Null {
        return Ok(Vec::new());
    }
    let items = match json.kind() {
        JsonKind::Array => json.items().unwrap_or_default(),
        JsonKind::Object => {
            let named = json.unique_entries().unwrap_or_default();
            let texts = named
                .into_iter()
                .map(|(name, text)| Some((name, text.as_string()?)));
            return texts.collect::<Option<_>>().ok_or_else(templates_error);
        }
        _ => return Err(templates_error()),
    };
    let read = |item: &Json| {
        let mut entries = item.unique_entries()?;
        let name = take_entry(&mut entries, "name")?.as_string()?;
        Some((name, take_entry(&mut entries, "template")?.as_string()?))
    };
    items
        .iter()
        .map(read)
        .collect::<Option<_>>()
        .ok_or_else(templates_error)
}

fn templates_error() -> Error {
    config_error("`chat_template` is a string, or a list of `{\"name\": …, \"template\": …}`")
}

pub(crate) fn config_error(message: &str) -> Error {
    Error::new(
        ErrorKind::Template,
        format!("tokenizer_config.json: {message}"),
    )
}

/// Removes an entry of an object and returns its value.
fn take_entry(entries: &mut Vec<(String, Json)>, key: &str) -> Option<Json> {
    let at = entries.iter().position(|entry| entry.0 == key)?;
    Some(entries.remove(at).1)
}
