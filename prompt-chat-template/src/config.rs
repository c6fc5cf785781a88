//! The chat template and the tokens in a model's `tokenizer_config.json`.

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
                    let tokens = value.entries().unwrap_or_default();
                    config.tokens.extend(
                        tokens
                            .iter()
                            .filter_map(|(_, token)| AddedToken::from_json(token)),
                    );
                }
                ("additional_special_tokens" | "extra_special_tokens", JsonKind::Array) => {
                    let tokens = value.items().unwrap_or_default();
                    config
                        .tokens
                        .extend(tokens.iter().filter_map(AddedToken::from_json));
                }
                (key, _) if key.ends_with("_token") => {
                    if let Some(token) = AddedToken::from_json(value) {
                        let content = token.content.clone();
                        config.variables.push((key.to_owned(), content));
                        config.tokens.push(token);
                    }
                }
                _ => {}
            }
        }
        Ok(config)
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

fn parse_entries(text: &str) -> Result<Vec<(String, Json)>> {
    let json = Json::parse(text).map_err(|error| error.inside("tokenizer_config.json"))?;
    json.entries().ok_or_else(|| {
        let name = json.kind().name();
        config_error(&format!("an object is expected, and this is {name}"))
    })
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
            let named = json.entries().unwrap_or_default();
            let texts = named
                .into_iter()
                .map(|(name, text)| Some((name, text.as_string()?)));
            return texts.collect::<Option<_>>().ok_or_else(templates_error);
        }
        _ => return Err(templates_error()),
    };
    let read = |item: &Json| {
        let mut entries = item.entries()?;
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
