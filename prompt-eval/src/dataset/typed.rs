//! What serde finds wrong, in words and with the column.

use serde::de::DeserializeOwned;
use serde_path_to_error::{Deserializer, Track};

use crate::{Error, Result};

/// Reads a JSON object.
pub(super) fn json<R: DeserializeOwned>(text: &str) -> Result<R> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let mut track = Track::new();
    let value = R::deserialize(Deserializer::new(&mut reader, &mut track));
    let value = value.map_err(|error| {
        let path = track.path().to_string();
        wrong(&error, if path == "." { "" } else { &path })
    })?;
    reader.end().map_err(|error| wrong(&error, ""))?;
    Ok(value)
}

fn wrong(error: &serde_json::Error, path: &str) -> Error {
    let text = error.to_string();
    let message = text
        .rsplit_once(" at line ")
        .map_or(&*text, |(message, _)| message);
    if error.is_syntax() || error.is_eof() {
        let message = format!(
            "this is no JSON object: {message}, at character {}",
            error.column()
        );
        return Error::new(message);
    }
    named(message, path)
}

/// An error about a field, whose name may stand in the message only.
pub(super) fn named(message: &str, path: &str) -> Error {
    let missing = message
        .strip_prefix("missing field `")
        .and_then(|rest| rest.strip_suffix('`'));
    match missing {
        Some(field) => {
            let column = match path {
                "" => field.to_owned(),
                path => format!("{path}.{field}"),
            };
            Error::new("it is missing").at_column(column)
        }
        None => Error::new(message).at_column(path),
    }
}
