//! Files that are read as a whole.

use std::fs::File;
use std::io::{Error, ErrorKind, Read as _, Result};
use std::path::Path;

/// Reads a file of at most `mebibytes`. Devices and pipes are errors: opening or reading one may wait without end.
#[doc(hidden)]
pub fn read_file(path: &Path, mebibytes: u64) -> Result<Vec<u8>> {
    let (max, mut bytes) = (mebibytes << 20, Vec::new());
    let kind = std::fs::metadata(path)?.file_type();
    if !kind.is_file() && !kind.is_dir() {
        let message = "it is a device or a pipe, not a regular file";
        return Err(Error::new(ErrorKind::InvalidInput, message));
    }
    File::open(path)?.take(max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max {
        let message = format!("it is larger than {mebibytes} MiB");
        return Err(Error::new(ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}
