//! The chat template and the tokens in a model's `tokenizer_config.json`, and the tokens in its `tokenizer.json`.

use prompt_core::JsonKind;
use prompt_core::{Error, ErrorKind, Json, Result};

/// A model's templates by name, and its tokens.
#[derive(Clone, Debug, Default)]
pub(crate) struct Config {
    pub(crate) templates: Vec<(String, String)>,
    /// `bos_token`, `eos_token` and their like.
    pub(crate) variables: Vec<(String, String)>,
    /// The tokens that were added to the vocabulary.
    pub(crate) tokens: Vec<AddedToken>,
}

/// A token that the tokenizer finds in text before it splits it.
#[derive(Clone, Debug)]
pub(crate) struct AddedToken {
    pub(crate) content: String,
    /// Whether it is a control token. Others, such as `<tool_call>`, may be ordinary text to some users.
    pub(crate) is_special: bool,
}

/// The name of a template that has none.
pub(crate) const DEFAULT: &str = "default";

impl Config {
    pub(crate) fn read(text: &str) -> Result<Config> {
        let mut entries = entries_of(text, "tokenizer_config.json")?;
        let mut config = Config::default();
        if let Some(template) = take(&mut entries, "chat_template") {
            config.templates = templates(&template)?;
        }
        for (key, value) in &entries {
            match (&**key, value.kind()) {
                ("added_tokens_decoder", JsonKind::Object) => {
                    let tokens = value.entries().unwrap_or_default();
                    config
                        .tokens
                        .extend(tokens.iter().filter_map(|(_, token)| added(token)));
                }
                ("additional_special_tokens" | "extra_special_tokens", JsonKind::Array) => {
                    let tokens = value.items().unwrap_or_default();
                    config.tokens.extend(tokens.iter().filter_map(added));
                }
                (key, _) if key.ends_with("_token") => {
                    if let Some(token) = content(value) {
                        config.tokens.extend(added(value));
                        config.variables.push((key.to_owned(), token));
                    }
                }
                _ => {}
            }
        }
        Ok(config)
    }

    /// The template of a name, and the names there are.
    pub(crate) fn template(&self, name: &str) -> Option<&str> {
        let found = self.templates.iter().find(|template| template.0 == name)?;
        Some(&found.1)
    }

    pub(crate) fn names(&self) -> String {
        let names: Vec<String> = self
            .templates
            .iter()
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        names.join(", ")
    }
}

/// The added tokens of a `tokenizer.json`.
pub(crate) fn added_tokens(text: &str) -> Result<Vec<AddedToken>> {
    let mut entries = entries_of(text, "tokenizer.json")?;
    let tokens = take(&mut entries, "added_tokens").and_then(|tokens| tokens.items());
    let tokens = tokens.ok_or_else(|| {
        let message = "`tokenizer.json` has no list `added_tokens`";
        let help = "give the file that belongs to the tokenizer";
        Error::new(ErrorKind::Template, message).with_help(help)
    })?;
    Ok(tokens.iter().filter_map(added).collect())
}

fn entries_of(text: &str, file: &str) -> Result<Vec<(String, Json)>> {
    let json = Json::parse(text).map_err(|error| error.inside(file))?;
    json.entries().ok_or_else(|| {
        let name = json.kind().name();
        Error::new(
            ErrorKind::Template,
            format!("{file}: an object is expected, and this is {name}"),
        )
    })
}

/// A template as text, or several as a list of `{name, template}`.
fn templates(json: &Json) -> Result<Vec<(String, String)>> {
    if let Some(text) = json.as_string() {
        return Ok(vec![(DEFAULT.to_owned(), text)]);
    }
    if json.kind() == JsonKind::Null {
        return Ok(Vec::new());
    }
    let items = match json.kind() {
        JsonKind::Array => json.items().unwrap_or_default(),
        JsonKind::Object => {
            let named = json.entries().unwrap_or_default();
            let texts = named
                .into_iter()
                .map(|(name, text)| Some((name, text.as_string()?)));
            return texts.collect::<Option<_>>().ok_or_else(not_templates);
        }
        _ => return Err(not_templates()),
    };
    let read = |item: &Json| {
        let mut entries = item.entries()?;
        let name = take(&mut entries, "name")?.as_string()?;
        Some((name, take(&mut entries, "template")?.as_string()?))
    };
    items
        .iter()
        .map(read)
        .collect::<Option<_>>()
        .ok_or_else(not_templates)
}

fn not_templates() -> Error {
    wrong("`chat_template` is a string, or a list of `{\"name\": …, \"template\": …}`")
}

/// A token, as a string or as an object with its `content`.
fn content(json: &Json) -> Option<String> {
    let text = json
        .as_string()
        .or_else(|| take(&mut json.entries()?, "content")?.as_string())?;
    (!text.is_empty()).then_some(text)
}

/// A token that is special unless the file states the opposite.
fn added(json: &Json) -> Option<AddedToken> {
    let mut entries = json.entries().unwrap_or_default();
    let special = take(&mut entries, "special");
    Some(AddedToken {
        content: content(json)?,
        is_special: special.is_none_or(|special| special.as_str() != "false"),
    })
}

pub(crate) fn wrong(message: &str) -> Error {
    Error::new(
        ErrorKind::Template,
        format!("tokenizer_config.json: {message}"),
    )
}

/// Removes an entry of an object and returns its value.
fn take(entries: &mut Vec<(String, Json)>, key: &str) -> Option<Json> {
    let at = entries.iter().position(|entry| entry.0 == key)?;
    Some(entries.remove(at).1)
}
