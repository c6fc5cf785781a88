//! Files: reading up to a limit, and files that only their owner can read.

use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Read as _, Result};
use std::path::Path;

/// Reads a file of at most `mebibytes`. Devices and pipes are errors: opening or reading one may wait without end.
///
/// # Errors
/// The file cannot be read, is not a regular file, or is larger than that.
///
/// ```
/// let text = prompt_base::file::read_file("Cargo.toml".as_ref(), 1)?;
/// assert!(text.starts_with(b"[package]"));
/// # Ok::<(), std::io::Error>(())
/// ```
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

/// Makes a file that these options create readable and writable by its owner only, on Unix. A file that exists keeps its mode.
///
/// ```
/// use std::fs::File;
///
/// let path = std::env::temp_dir().join(format!("prompt-base-{}", std::process::id()));
/// prompt_base::file::owner_only(File::options().write(true).create_new(true)).open(&path)?;
/// std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn owner_only(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}
