//! Messages of the language server protocol over a stream.

use std::io::{self, BufRead, Read, Write};

use serde_json::Value;

/// Sends one message.
pub(crate) fn write(to: &mut impl Write, message: &Value) -> io::Result<()> {
    let body = message.to_string();
    write!(to, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    to.flush()
}

/// Receives one message, or `None` if the other side has closed the connection.
pub(crate) fn read(from: &mut impl BufRead) -> io::Result<Option<Value>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            length = Some(value.parse().map_err(io::Error::other)?);
        }
    }
    let length: u64 = length.ok_or_else(|| io::Error::other("a message without a length"))?;
    let mut body = Vec::new();
    from.by_ref().take(length).read_to_end(&mut body)?;
    Ok(Some(serde_json::from_slice(&body)?))
}
