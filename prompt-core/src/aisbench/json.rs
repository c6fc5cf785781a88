//! Meta templates as configurations write them.

use super::{Item, MetaRole, MetaTemplate, Turn};
use crate::json::{Shape, twice};
use crate::{Error, ErrorKind, Json, Result, Role, Text};

impl MetaTemplate {
    /// Reads a meta template from JSON in the shape of AISBench's configurations: `round`, `reserved_roles`, `begin`,
    /// `end`. `null` and `{}` are no marks. The `begin` and `end` of a role may be lists of texts, which are one text.
    ///
    /// # Errors
    /// Another shape, a role that occurs twice or has no name, an `api_role` that no chat model has, and numbers of
    /// tokens: for them there is [`from_json_with`](MetaTemplate::from_json_with).
    ///
    /// ```
    /// use prompt_core::{Json, aisbench::MetaTemplate};
    ///
    /// let json = Json::parse(r#"{"round": [{"role": "HUMAN", "api_role": "HUMAN"}, {"role": "BOT", "generate": true}]}"#)?;
    /// assert_eq!(MetaTemplate::from_json(&json)?.round.len(), 2);
    /// let error = MetaTemplate::from_json(&Json::parse(r#"{"begin": "x"}"#)?).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the meta template has no round; add its roles in their order, such as `HUMAN` and `BOT`"
    /// );
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn from_json(json: &Json) -> Result<MetaTemplate> {
        MetaTemplate::read(json, None)
    }

    /// Reads a meta template whose lists for `begin` and `end` of a role may hold numbers of tokens too; `vocabulary`
    /// knows their texts, as `tokens::Tokenizer::controls` does.
    ///
    /// # Errors
    /// As [`from_json`](MetaTemplate::from_json), and a number that the vocabulary does not have.
    ///
    /// ```
    /// use prompt_core::{Json, Message, Messages, Prompt, aisbench::MetaTemplate};
    ///
    /// let json = Json::parse(r#"{"round": [{"role": "HUMAN", "begin": [1, "U: "], "end": [2]}, {"role": "BOT", "generate": true}]}"#)?;
    /// let llama = |id| ["<unk>", "<s>", "</s>"].get(id as usize).map(|token| token.to_string());
    /// let meta = MetaTemplate::from_json_with(&json, llama)?;
    /// assert_eq!(Messages::from([Message::user("1+1=?")]).to_text(meta)?, "<s>U: 1+1=?</s>");
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn from_json_with(
        json: &Json,
        vocabulary: impl Fn(u32) -> Option<String>,
    ) -> Result<MetaTemplate> {
        MetaTemplate::read(json, Some(&vocabulary))
    }

    fn read(json: &Json, vocabulary: Vocabulary<'_>) -> Result<MetaTemplate> {
        let mut meta = MetaTemplate::new();
        if json.shape() == Shape::Null {
            return Ok(meta);
        }
        for (key, value) in entries(json, "the meta template")? {
            match (&*key, value.shape()) {
                (_, Shape::Null) => {}
                ("round", _) => {
                    for (index, part) in items(&value, "round")?.iter().enumerate() {
                        meta = match part.as_string() {
                            Some(text) => meta.text(text),
                            None => {
                                meta.role(role(part, vocabulary).map_err(inside("round", index))?)
                            }
                        };
                    }
                }
                ("reserved_roles", _) => {
                    for (index, part) in items(&value, "reserved_roles")?.iter().enumerate() {
                        meta = meta.reserved(
                            role(part, vocabulary).map_err(inside("reserved_roles", index))?,
                        );
                    }
                }
                ("begin", Shape::Object) => {
                    meta.begin = Some(Item::Turn(
                        turn(&value).map_err(|error| error.inside("begin"))?,
                    ));
                }
                ("begin", _) => {
                    let text = string("begin", &value)?;
                    meta.begin = (!text.is_empty()).then(|| Item::Text(Text::own(&text)));
                }
                ("end", _) => meta.end = string("end", &value)?.into(),
                // Which token ends an answer is the sampler's business.
                ("eos_token_id", _) => {}
                _ => return Err(unknown("the meta template", &key)),
            }
        }
        meta.check()?;
        Ok(meta)
    }
}

/// The texts of tokens by their numbers, where they are known.
type Vocabulary<'a> = Option<&'a dyn Fn(u32) -> Option<String>>;

fn role(json: &Json, vocabulary: Vocabulary<'_>) -> Result<MetaRole> {
    let mut role = MetaRole::new("");
    for (key, value) in entries(json, "a role")? {
        match (&*key, value.shape()) {
            (_, Shape::Null) => {}
            ("role", _) => role.name = string(&key, &value)?.into(),
            ("begin", _) => role.begin = marks(&key, &value, vocabulary)?.into(),
            ("end", _) => role.end = marks(&key, &value, vocabulary)?.into(),
            ("prompt", _) => role.prompt = Some(string(&key, &value)?.into()),
            ("api_role", _) => role.api_role = Some(api_role(&string(&key, &value)?)?),
            ("generate", _) => role.generate = value.is_truthy(),
            _ => return Err(unknown("a role", &key)),
        }
    }
    if role.name.is_empty() {
        return Err(wrong("the role has no name", "write `\"role\": \"HUMAN\"`"));
    }
    Ok(role)
}

fn turn(json: &Json) -> Result<Turn> {
    let mut turn = Turn::new("", Text::new());
    for (key, value) in entries(json, "a turn")? {
        match &*key {
            "role" => turn.role = string(&key, &value)?.into(),
            "fallback_role" => turn.fallback = Some(string(&key, &value)?.into()),
            "prompt" => {
                let text = Text::own(&string(&key, &value)?);
                turn.parts = crate::Message::new(Role::User, text).parts;
            }
            _ => return Err(unknown("a turn", &key)),
        }
    }
    Ok(turn)
}

/// AISBench's names for the roles of chat models, or the models' own.
pub(super) fn api_role(name: &str) -> Result<Role> {
    match name {
        "HUMAN" => Ok(Role::User),
        "BOT" => Ok(Role::Assistant),
        "SYSTEM" => Ok(Role::System),
        "TOOL" => Ok(Role::Tool),
        _ => Role::from_name(name).ok_or_else(|| {
            wrong(
                &format!("the `api_role` `{name}` is no role of a chat model"),
                "use `HUMAN`, `BOT`, `SYSTEM` or `TOOL`",
            )
        }),
    }
}

fn entries(json: &Json, what: &str) -> Result<Vec<(String, Json)>> {
    let entries = json.entries().ok_or_else(|| {
        let shape = json.shape().name();
        wrong(
            &format!("{what} is an object, and this is {shape}"),
            "write `{\"role\": …}`",
        )
    })?;
    match twice(&entries) {
        None => Ok(entries),
        Some(key) => Err(wrong(
            &format!("{what} has the key `{key}` twice"),
            "remove one of the two",
        )),
    }
}

fn items(json: &Json, key: &str) -> Result<Vec<Json>> {
    json.items().ok_or_else(|| {
        let shape = json.shape().name();
        wrong(
            &format!("`{key}` is a list of roles, and this is {shape}"),
            "put it into brackets",
        )
    })
}

fn string(key: &str, json: &Json) -> Result<String> {
    json.as_string().ok_or_else(|| {
        let shape = json.shape().name();
        wrong(
            &format!("`{key}` is text, and this is {shape}"),
            "write it in quotes",
        )
    })
}

/// Text, or a list of texts and numbers of tokens, one after the other.
fn marks(key: &str, json: &Json, vocabulary: Vocabulary<'_>) -> Result<String> {
    let Some(list) = json.items() else {
        return string(key, json);
    };
    let mut text = String::new();
    for (index, item) in list.iter().enumerate() {
        let key = format!("{key}[{index}]");
        text += &match item.shape() {
            Shape::Number => token(&key, item, vocabulary)?,
            _ => string(&key, item)?,
        };
    }
    Ok(text)
}

/// The text of a token by its number.
fn token(key: &str, json: &Json, vocabulary: Vocabulary<'_>) -> Result<String> {
    let id = json.to_string();
    let Some(vocabulary) = vocabulary else {
        return Err(wrong(
            &format!("`{key}` is the number of a token, which only the model's vocabulary knows"),
            "write its text, such as `\"<s>\"`, or give the vocabulary to `MetaTemplate::from_json_with`",
        ));
    };
    let text = id.parse().ok().and_then(vocabulary);
    text.ok_or_else(|| {
        wrong(
            &format!("`{key}` is {id}, and the vocabulary has no such token"),
            "use the numbers of the model's own tokenizer",
        )
    })
}

fn unknown(what: &str, key: &str) -> Error {
    let help = "use `round`, `reserved_roles`, `begin` and `end`, and in roles `role`, `begin`, `end`, `prompt`, \
                `api_role` and `generate`";
    wrong(&format!("{what} has no `{key}`"), help)
}

fn inside(list: &'static str, index: usize) -> impl Fn(Error) -> Error {
    move |error| error.inside(&format!("{list}[{index}]"))
}

fn wrong(message: &str, help: &str) -> Error {
    Error::new(ErrorKind::Unsupported, message).with_help(help)
}
