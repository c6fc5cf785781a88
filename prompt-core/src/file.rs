//! Files that are read as a whole.

use std::fs::File;
use std::io::{Error, ErrorKind, Read as _, Result};
use std::path::Path;

/// Reads a file of at most `mebibytes`: a device or a pipe may not end.
#[doc(hidden)]
pub fn read_file(path: &Path, mebibytes: u64) -> Result<Vec<u8>> {
    let (max, mut bytes) = (mebibytes << 20, Vec::new());
    File::open(path)?.take(max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max {
        let message = format!("it is larger than {mebibytes} MiB");
        return Err(Error::new(ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}
