//! Meta templates as configurations write them.

use super::{Item, MetaRole, MetaTemplate, Turn};
use crate::json::Shape;
use crate::{Error, ErrorKind, Json, Result, Role, Text};

impl MetaTemplate {
    /// Reads a meta template from JSON in the shape of AISBench's configurations: `round`, `reserved_roles`, `begin`,
    /// `end`. `null` and `{}` are no marks.
    ///
    /// # Errors
    /// Another shape, a role that occurs twice or has no name, an `api_role` that no chat model has.
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
                            None => meta.role(role(part).map_err(inside("round", index))?),
                        };
                    }
                }
                ("reserved_roles", _) => {
                    for (index, part) in items(&value, "reserved_roles")?.iter().enumerate() {
                        meta = meta.reserved(role(part).map_err(inside("reserved_roles", index))?);
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

fn role(json: &Json) -> Result<MetaRole> {
    let mut role = MetaRole::new("");
    for (key, value) in entries(json, "a role")? {
        match (&*key, value.shape()) {
            (_, Shape::Null) => {}
            ("role", _) => role.name = string(&key, &value)?.into(),
            ("begin", _) => role.begin = string(&key, &value)?.into(),
            ("end", _) => role.end = string(&key, &value)?.into(),
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
fn api_role(name: &str) -> Result<Role> {
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
    json.entries().ok_or_else(|| {
        let shape = json.shape().name();
        wrong(
            &format!("{what} is an object, and this is {shape}"),
            "write `{\"role\": …}`",
        )
    })
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
