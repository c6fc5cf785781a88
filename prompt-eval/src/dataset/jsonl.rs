//! A JSON object on each line.

use std::io::{self, BufRead, BufReader, Read};

use serde::de::DeserializeOwned;

use super::{Row, typed};
use crate::{Error, Result};

/// What a byte order mark is in UTF-8.
pub(super) const MARK: &[u8] = b"\xef\xbb\xbf";

/// Refuses text of another encoding by its byte order mark.
pub(super) fn no_wide(start: &[u8]) -> Result<()> {
    match start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
        true => Err(Error::new("the file is UTF-16").with_help("save it as UTF-8")),
        false => Ok(()),
    }
}

pub(super) fn rows<R: DeserializeOwned>(
    reader: impl Read + Send,
) -> Result<impl Iterator<Item = Result<Row<R>>> + Send> {
    let mut reader = BufReader::with_capacity(1 << 16, reader);
    let start = reader
        .fill_buf()
        .map_err(|error| Error::new(format!("it cannot be read: {error}")).with_source(error))?;
    if start.is_empty() || start == MARK {
        return Err(Error::new("the file is empty").with_help("write one JSON object on each line"));
    }
    no_wide(start)?;
    if start.starts_with(MARK) {
        reader.consume(MARK.len());
    }
    let (mut line, mut number) = (Vec::new(), 0);
    Ok(std::iter::from_fn(move || {
        loop {
            line.clear();
            number += 1;
            match reader.read_until(b'\n', &mut line) {
                Ok(0) => return None,
                Ok(_) => {}
                Err(error) => {
                    let message = format!("it cannot be read behind row {}: {error}", number - 1);
                    return Some(Err(Error::new(message).with_source(error)));
                }
            }
            let text = line.trim_ascii();
            if !text.is_empty() {
                return Some(row(text, number));
            }
        }
    }))
}

fn row<R: DeserializeOwned>(line: &[u8], number: u64) -> Result<Row<R>> {
    let text = std::str::from_utf8(line).map_err(|error| {
        let message = format!("byte {} of the line is not UTF-8", error.valid_up_to() + 1);
        Error::new(message).at_row(number)
    })?;
    if number == 1 && text == "[" || text.starts_with("[{") {
        let help = "write one object on each line, without brackets around all";
        let message = "this is a JSON list, and rows stand on lines of their own";
        return Err(Error::new(message).with_help(help).at_row(number));
    }
    typed::json(text)
        .map(|value| Row { number, value })
        .map_err(|error| error.at_row(number))
}

/// The lines of a file.
pub(super) fn count(mut reader: impl Read) -> io::Result<u64> {
    let mut buffer = vec![0; 1 << 16];
    let (mut lines, mut last) = (0, b'\n');
    loop {
        let length = match reader.read(&mut buffer) {
            Ok(0) => return Ok(lines + u64::from(last != b'\n')),
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let read = &buffer[..length];
        lines += read.iter().filter(|byte| **byte == b'\n').count() as u64;
        last = read[length - 1];
    }
}
