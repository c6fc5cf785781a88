//! Meta templates from JSON, in the form of AISBench's configurations.

use std::collections::BTreeSet;
use std::fmt;

use prompt_core::{Error, ErrorKind, Json, JsonKind, Message, Origin, Result, Role, Text, Truthy};
use serde_core::de::{Deserialize, Deserializer, MapAccess, Visitor};

use super::{Item, MetaRole, MetaTemplate, Turn};

impl MetaTemplate {
    /// Parses a meta template from JSON in the form of AISBench's configurations: `round`, `reserved_roles`, `begin`,
    /// `end`. `null` and `{}` are a template without roles. The `begin` and `end` of a role may be lists of strings, which
    /// are concatenated.
    ///
    /// # Errors
    /// JSON of another form, a role that occurs twice or has no name, an unknown `api_role`, and token ids, for which
    /// [`from_json_with`](MetaTemplate::from_json_with) takes a vocabulary.
    ///
    /// ```
    /// use typed_prompt::{compat::aisbench::MetaTemplate, message::Json};
    ///
    /// let json = Json::parse(r#"{"round": [{"role": "HUMAN", "api_role": "HUMAN"}, {"role": "BOT", "generate": true}]}"#)?;
    /// assert_eq!(MetaTemplate::from_json(&json)?.round.len(), 2);
    /// let error = MetaTemplate::from_json(&Json::parse(r#"{"begin": "x"}"#)?).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the meta template has no round; add its roles in their order, such as `HUMAN` and `BOT`"
    /// );
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn from_json(json: &Json) -> Result<MetaTemplate> {
        MetaTemplate::parse_with_vocabulary(json, None)
    }

    /// Parses a meta template whose lists for `begin` and `end` of a role may contain token ids; `vocabulary` returns
    /// their text, as `tokens::Tokenizer::controls` does.
    ///
    /// # Errors
    /// As [`from_json`](MetaTemplate::from_json), and an id that the vocabulary does not have.
    ///
    /// ```
    /// use typed_prompt::{Message, Messages, Prompt, compat::aisbench::MetaTemplate, message::Json};
    ///
    /// let json = Json::parse(r#"{"round": [{"role": "HUMAN", "begin": [1, "U: "], "end": [2]}, {"role": "BOT", "generate": true}]}"#)?;
    /// let llama = |id| ["<unk>", "<s>", "</s>"].get(id as usize).map(|token| token.to_string());
    /// let meta = MetaTemplate::from_json_with(&json, llama)?;
    /// assert_eq!(Messages::from([Message::user("1+1=?")]).to_text(meta)?, "<s>U: 1+1=?</s>");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn from_json_with(
        json: &Json,
        vocabulary: impl Fn(u32) -> Option<String>,
    ) -> Result<MetaTemplate> {
        MetaTemplate::parse_with_vocabulary(json, Some(&vocabulary))
    }

    fn parse_with_vocabulary(json: &Json, vocabulary: Vocabulary<'_>) -> Result<MetaTemplate> {
        let mut meta = MetaTemplate::new();
        if is_null(json) {
            return Ok(meta);
        }
        for (key, value) in parse_entries(json, "the meta template")? {
            match &*key {
                _ if is_null(&value) => {}
                "round" => {
                    for (index, part) in parse_items(&value, &key)?.iter().enumerate() {
                        meta = match part.deserialize_as::<String>() {
                            Ok(text) => meta.text(text),
                            Err(_) => meta
                                .role(parse_role(part, vocabulary).map_err(at_index(&key, index))?),
                        };
                    }
                }
                "reserved_roles" => {
                    for (index, part) in parse_items(&value, &key)?.iter().enumerate() {
                        let role = parse_role(part, vocabulary).map_err(at_index(&key, index))?;
                        meta = meta.reserved(role);
                    }
                }
                "begin" if value.kind() == JsonKind::Object => {
                    let turn = parse_turn(&value).map_err(|error| error.inside("begin"))?;
                    meta.begin = Some(Item::Turn(turn));
                }
                "begin" => {
                    let text = parse_string(&key, &value)?;
                    meta.begin = (!text.is_empty()).then(|| Item::Text(template_text(&text)));
                }
                "end" => meta.end = parse_string(&key, &value)?.into(),
                // The sampler needs it, the text does not.
                "eos_token_id" => {}
                _ => return Err(unknown_key("the meta template", &key)),
            }
        }
        meta.check_roles()?;
        Ok(meta)
    }
}

/// The text of tokens by their ids, where it is known.
type Vocabulary<'a> = Option<&'a dyn Fn(u32) -> Option<String>>;

fn parse_role(json: &Json, vocabulary: Vocabulary<'_>) -> Result<MetaRole> {
    let mut role = MetaRole::new("");
    for (key, value) in parse_entries(json, "a role")? {
        match &*key {
            _ if is_null(&value) => {}
            "role" => role.name = parse_string(&key, &value)?.into(),
            "begin" => role.begin = parse_delimiter(&key, &value, vocabulary)?.into(),
            "end" => role.end = parse_delimiter(&key, &value, vocabulary)?.into(),
            "prompt" => role.prompt = Some(parse_string(&key, &value)?.into()),
            "api_role" => role.api_role = Some(api_role(&parse_string(&key, &value)?)?),
            "generate" => role.generate = value.is_truthy(),
            _ => return Err(unknown_key("a role", &key)),
        }
    }
    if role.name.is_empty() {
        return Err(config_error(
            "the role has no name",
            "write `\"role\": \"HUMAN\"`",
        ));
    }
    Ok(role)
}

/// The turn that the meta template begins with. AISBench takes its API role from `role`, so `api_role` may only repeat it.
fn parse_turn(json: &Json) -> Result<Turn> {
    let mut turn = Turn::new("", Text::new());
    let mut repeated = None;
    for (key, value) in parse_entries(json, "a turn")? {
        match &*key {
            "role" => turn.role = parse_string(&key, &value)?.into(),
            "fallback_role" => turn.fallback = Some(parse_string(&key, &value)?.into()),
            "prompt" => {
                turn.parts = Message::user(template_text(&parse_string(&key, &value)?)).parts;
            }
            "api_role" => repeated = Some(api_role(&parse_string(&key, &value)?)?),
            _ => return Err(unknown_key("a turn", &key)),
        }
    }
    match repeated {
        Some(role) if api_role(&turn.role).ok() != Some(role) => Err(config_error(
            &format!("`role` is `{}`, and `api_role` is another role", turn.role),
            "write the role for the chat model as `role`",
        )),
        _ => Ok(turn),
    }
}

/// The API role with AISBench's name for it, or its own.
pub(super) fn api_role(name: &str) -> Result<Role> {
    match name {
        "HUMAN" => Ok(Role::User),
        "BOT" => Ok(Role::Assistant),
        "SYSTEM" => Ok(Role::System),
        "TOOL" => Ok(Role::Tool),
        _ => Role::from_name(name).ok_or_else(|| {
            config_error(
                &format!("the `api_role` `{name}` is not a role of a chat model"),
                "use `HUMAN`, `BOT`, `SYSTEM` or `TOOL`",
            )
        }),
    }
}

fn parse_entries(json: &Json, what: &str) -> Result<Vec<(String, Json)>> {
    let Ok(DuplicateEntries(entries)) = json.deserialize_as() else {
        let kind = json.kind().name();
        return Err(config_error(
            &format!("{what} is an object, and this is {kind}"),
            "write `{\"role\": …}`",
        ));
    };
    let mut known = BTreeSet::new();
    match entries.iter().find(|entry| !known.insert(&entry.0)) {
        Some((key, _)) => Err(config_error(
            &format!("{what} has the key `{key}` twice"),
            "remove one of the two",
        )),
        None => Ok(entries),
    }
}

/// The entries of an object in their order, with duplicate keys.
struct DuplicateEntries(Vec<(String, Json)>);

impl<'de> Deserialize<'de> for DuplicateEntries {
    fn deserialize<D: Deserializer<'de>>(
        deserializer: D,
    ) -> std::result::Result<DuplicateEntries, D::Error> {
        deserializer.deserialize_map(DuplicateEntries(Vec::new()))
    }
}

impl<'de> Visitor<'de> for DuplicateEntries {
    type Value = DuplicateEntries;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(
        mut self,
        mut map: A,
    ) -> std::result::Result<DuplicateEntries, A::Error> {
        while let Some(entry) = map.next_entry()? {
            self.0.push(entry);
        }
        Ok(self)
    }
}

fn parse_items(json: &Json, key: &str) -> Result<Vec<Json>> {
    json.deserialize_as().map_err(|_| {
        let kind = json.kind().name();
        config_error(
            &format!("`{key}` is a list of roles, and this is {kind}"),
            "put it into brackets",
        )
    })
}

fn parse_string(key: &str, json: &Json) -> Result<String> {
    json.deserialize_as().map_err(|_| {
        let kind = json.kind().name();
        config_error(
            &format!("`{key}` is text, and this is {kind}"),
            "write it in quotes",
        )
    })
}

fn is_null(json: &Json) -> bool {
    json.kind() == JsonKind::Null
}

/// A string, or a list of strings and token ids, concatenated.
fn parse_delimiter(key: &str, json: &Json, vocabulary: Vocabulary<'_>) -> Result<String> {
    let Ok(list) = json.deserialize_as::<Vec<Json>>() else {
        return parse_string(key, json);
    };
    let mut text = String::new();
    for (index, item) in list.iter().enumerate() {
        let key = format!("{key}[{index}]");
        text += &match item.kind() {
            JsonKind::Number => token_text(&key, item, vocabulary)?,
            _ => parse_string(&key, item)?,
        };
    }
    Ok(text)
}

/// The text of a token by its id.
fn token_text(key: &str, json: &Json, vocabulary: Vocabulary<'_>) -> Result<String> {
    let id = json.to_string();
    let Some(vocabulary) = vocabulary else {
        return Err(config_error(
            &format!("`{key}` is the number of a token, which only the model's vocabulary knows"),
            "write its text, such as `\"<s>\"`, or give the vocabulary to `MetaTemplate::from_json_with`",
        ));
    };
    let text = id.parse().ok().and_then(vocabulary);
    text.ok_or_else(|| {
        config_error(
            &format!("`{key}` is {id}, and the vocabulary has no such token"),
            "use the numbers of the model's own tokenizer",
        )
    })
}

fn unknown_key(what: &str, key: &str) -> Error {
    let help = "use `round`, `reserved_roles`, `begin` and `end`, and in roles `role`, `begin`, `end`, `prompt`, \
                `api_role` and `generate`";
    config_error(&format!("{what} has no `{key}`"), help)
}

/// Text of the configuration.
fn template_text(text: &str) -> Text {
    Text::from_iter([(text, Origin::Template)])
}

fn at_index(list: &str, index: usize) -> impl Fn(Error) -> Error {
    move |error| error.inside(&format!("{list}[{index}]"))
}

fn config_error(message: &str, help: &str) -> Error {
    Error::new(ErrorKind::Unsupported, message).with_help(help)
}
