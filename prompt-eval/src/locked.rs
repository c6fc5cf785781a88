//! A file that no other run writes into.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use fs4::TryLockError;

use crate::results::Store;
use crate::{Error, Result};

/// A file that is this run's alone. The system frees it when the program ends, however that ends.
pub(crate) struct Locked(pub(crate) File);

impl Locked {
    pub(crate) fn new(file: File, path: &Path) -> Result<Locked> {
        let mut tries = 0;
        loop {
            match fs4::FileExt::try_lock(&file) {
                Ok(()) => return Ok(Locked(file)),
                // A program that was killed holds it for a moment more.
                Err(TryLockError::WouldBlock) if tries < TRIES => {
                    tries += 1;
                    std::thread::sleep(PAUSE);
                }
                Err(TryLockError::WouldBlock) => {
                    let error = Error::new("another run writes its results into this file");
                    return Err(error
                        .with_help("wait for it, or name another file")
                        .in_file(path));
                }
                // A file system that has no locks.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                    return Ok(Locked(file));
                }
                Err(TryLockError::Error(error)) => {
                    return Err(Error::io(path, "it cannot be locked", error));
                }
            }
        }
    }
}

/// How often a lock that another has is tried again, and after how long.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(10);

/// Freed at once: a process that is just being started has the file too, until it is another program.
impl Drop for Locked {
    fn drop(&mut self) {
        drop(fs4::FileExt::unlock(&self.0));
    }
}

impl Write for Locked {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.0.write(data)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Store for Locked {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.0.cut(length)
    }

    fn settle(&mut self) -> io::Result<()> {
        self.0.settle()
    }
}
