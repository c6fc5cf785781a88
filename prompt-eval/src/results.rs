//! The file of results: one line for each row, only ever added to.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::locked::Locked;
use crate::outcome::Lines;
use crate::{Error, Outcome, Result};

/// Where lines are added.
pub(crate) trait Store: Write {
    /// Takes away what stands behind this many bytes.
    fn cut(&mut self, length: u64) -> io::Result<()>;

    /// Waits until all is on the disk.
    fn settle(&mut self) -> io::Result<()>;
}

impl Store for File {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }

    fn settle(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

/// The results so far, and the file that new ones are added to.
pub(crate) struct Results<S = Locked> {
    store: S,
    path: PathBuf,
    length: u64,
    /// How many rows are safe.
    count: u64,
}

/// What was found in a file of results.
#[derive(Default)]
pub(crate) struct Found {
    /// The fingerprint of each row's prompt.
    prompts: HashMap<u64, u64>,
    /// What had to be repaired.
    pub(crate) repaired: Option<String>,
}

impl Found {
    /// The fingerprint of the prompt that a row was asked with.
    pub(crate) fn prompt(&self, row: u64) -> Option<u64> {
        self.prompts.get(&row).copied()
    }

    fn note(&mut self, row: u64, prompt: u64) -> bool {
        self.prompts.insert(row, prompt.max(1)).is_none()
    }
}

impl Results {
    /// Opens or makes the file, for this run alone. Each result is given to `see`; a last line that was cut off is set aside.
    pub(crate) fn open(path: &Path, mut see: impl FnMut(&Outcome)) -> Result<(Results, Found)> {
        let file = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(path)
            .map_err(|error| Error::io(path, "it cannot be opened for results", error))?;
        let io = |error| Error::io(path, "the results cannot be read", error);
        let kind = file.metadata().map_err(io)?;
        if !kind.is_file() {
            return Err(Error::new("results are kept in a file, and this is none").in_file(path));
        }
        let mut locked = Locked::new(file, path)?;
        let file = &mut locked.0;
        let all = kind.len();
        let mut found = Found::default();
        let mut lines = Lines::new(&*file, path.to_owned());
        let mut count = 0;
        let mut broken = None;
        while let Some(line) = lines.next() {
            let outcome = match line {
                Ok(outcome) => outcome,
                Err(error) => {
                    broken = Some(error);
                    break;
                }
            };
            let prompt = u64::from_str_radix(&outcome.prompt, 16).unwrap_or(0);
            if !found.note(outcome.row, prompt) {
                let message = format!(
                    "line {} is a second result of row {}",
                    lines.number, outcome.row
                );
                return Err(Error::new(message)
                    .with_help("take one of them out")
                    .in_file(path));
            }
            see(&outcome);
            count += 1;
        }
        let (good, number) = (lines.good, lines.number);
        if let Some(error) = broken {
            let mut rest = Vec::new();
            file.seek(SeekFrom::Start(good)).map_err(io)?;
            file.read_to_end(&mut rest).map_err(io)?;
            let is_last = !rest[..rest.len().saturating_sub(1)].contains(&b'\n');
            if !is_last {
                return Err(error.with_help("repair or take out that line: others stand behind it"));
            }
            let aside = beside(path, "broken");
            OpenOptions::new()
                .create(true)
                .append(true)
                .open(&aside)
                .and_then(|mut file| file.write_all(&rest))
                .map_err(|error| Error::io(&aside, "the broken line cannot be set aside", error))?;
            file.set_len(good).map_err(io)?;
            found.repaired = Some(format!(
                "line {number} of {} was cut off, so its row is asked again; its {} bytes are in {}",
                path.display(),
                all - good,
                aside.display()
            ));
        }
        let results = Results {
            store: locked,
            path: path.to_owned(),
            length: good,
            count,
        };
        Ok((results, found))
    }
}

impl<S: Store> Results<S> {
    /// Adds a line. If it cannot be written whole, what was written of it is taken away again.
    pub(crate) fn add(&mut self, outcome: &Outcome) -> Result<()> {
        let mut line = serde_json::to_vec(outcome)
            .map_err(|error| Error::new(error.to_string()).at_row(outcome.row))?;
        line.push(b'\n');
        if let Err(error) = self
            .store
            .write_all(&line)
            .and_then(|()| self.store.flush())
        {
            drop(self.store.cut(self.length));
            let message = format!(
                "the result of row {} cannot be written: {error}",
                outcome.row
            );
            let help = format!(
                "the results of {} rows are safe: make room, and run it again",
                self.count
            );
            return Err(Error::new(message)
                .with_help(help)
                .with_source(error)
                .in_file(&self.path));
        }
        self.length += line.len() as u64;
        self.count += 1;
        Ok(())
    }

    /// Waits until all is on the disk.
    pub(crate) fn settle(&mut self) -> Result<()> {
        let settled = self.store.settle();
        settled.map_err(|error| Error::io(&self.path, "the results cannot be written", error))
    }
}

/// A file of another name in the same folder.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk with room for so many bytes.
    struct Disk {
        bytes: Vec<u8>,
        room: usize,
    }

    impl Write for Disk {
        fn write(&mut self, data: &[u8]) -> io::Result<usize> {
            let fits = data.len().min(self.room - self.bytes.len());
            if fits == 0 {
                return Err(io::Error::from(io::ErrorKind::StorageFull));
            }
            self.bytes.extend_from_slice(&data[..fits]);
            Ok(fits)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Store for Disk {
        fn cut(&mut self, length: u64) -> io::Result<()> {
            self.bytes.truncate(length as usize);
            Ok(())
        }

        fn settle(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn outcome(row: u64) -> Outcome {
        Outcome {
            row,
            prompt: "1f".to_owned(),
            answers: vec!["4".to_owned()],
            scores: vec![("exact match".to_owned(), 1.0)],
            likelihoods: Vec::new(),
            unread: None,
            dropped: 0,
            tokens: None,
        }
    }

    #[test]
    fn a_full_disk_loses_nothing_that_was_written() {
        let line = serde_json::to_vec(&outcome(1)).expect("it is JSON").len() + 1;
        let mut results = Results {
            store: Disk {
                bytes: Vec::new(),
                room: 2 * line + line / 2,
            },
            path: PathBuf::from("results.jsonl"),
            length: 0,
            count: 0,
        };
        results.add(&outcome(1)).expect("there is room");
        results.add(&outcome(2)).expect("there is room");
        let error = results.add(&outcome(3)).expect_err("there is no room");
        let text = error.to_string();
        assert!(
            text.starts_with("results.jsonl: the result of row 3 cannot be written: "),
            "{text}"
        );
        assert!(
            text.ends_with("; the results of 2 rows are safe: make room, and run it again"),
            "{text}"
        );
        // Half a line was written, and taken away again.
        assert_eq!(results.store.bytes.len(), 2 * line);
        assert!(results.store.bytes.ends_with(b"}\n"));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_device_that_is_full() {
        let path = PathBuf::from("/dev/full");
        let store = OpenOptions::new().append(true).open(&path);
        let mut results = Results {
            store: store.expect("it can be opened"),
            path,
            length: 0,
            count: 0,
        };
        let error = results
            .add(&outcome(1))
            .expect_err("it is full")
            .to_string();
        assert!(error.contains("No space left on device"), "{error}");
    }

    fn file(name: &str, text: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("prompt-eval-{}-{name}", std::process::id()));
        std::fs::write(&path, text).expect("the file can be written");
        drop(std::fs::remove_file(beside(&path, "broken")));
        path
    }

    #[test]
    fn a_line_that_was_cut_off_is_set_aside() {
        let whole = serde_json::to_string(&outcome(1)).expect("it is JSON");
        for rest in [
            "{\"row\":2,\"pro",
            "\0\0\0\n",
            "{\"row\":2,\"prompt\":\"1\",\"answers\":[]}",
        ] {
            let path = file("cut", &format!("{whole}\n{rest}"));
            let mut seen = 0;
            let (_, found) = Results::open(&path, |_| seen += 1).expect("it can be repaired");
            assert_eq!(seen, 1);
            assert_eq!(found.prompt(1), Some(0x1f));
            assert!(
                found
                    .repaired
                    .is_some_and(|text| text.starts_with("line 2 of "))
            );
            let kept = std::fs::read_to_string(&path).expect("it is there");
            assert_eq!(kept, format!("{whole}\n"));
            let aside = std::fs::read_to_string(beside(&path, "broken")).expect("it is there");
            assert_eq!(aside, rest);
        }
    }

    #[test]
    fn a_broken_line_before_others_is_an_error() {
        let whole = serde_json::to_string(&outcome(1)).expect("it is JSON");
        let path = file("middle", &format!("{{\"row\"\n{whole}\n"));
        let error = Results::open(&path, |_| ()).err().expect("it is broken");
        assert!(error.to_string().ends_with(
            ": line 1 is no result; repair or take out that line: others stand behind it"
        ));
        let kept = std::fs::read_to_string(&path).expect("it is there");
        assert!(kept.starts_with("{\"row\"\n"));
    }

    #[test]
    fn rows_far_apart_take_no_room_between_them() {
        let line = |row| serde_json::to_string(&outcome(row)).expect("it is JSON");
        let path = file("far", &format!("{}\n{}\n", line(u64::MAX), line(1 << 40)));
        let (_, found) = Results::open(&path, |_| ()).expect("it is right");
        assert_eq!(found.prompt(u64::MAX), Some(0x1f));
        assert_eq!((found.prompt(1 << 40), found.prompt(1)), (Some(0x1f), None));
    }

    #[test]
    fn two_results_of_a_row_are_an_error() {
        let whole = serde_json::to_string(&outcome(1)).expect("it is JSON");
        let path = file("twice", &format!("{whole}\n{whole}\n"));
        let error = Results::open(&path, |_| ())
            .err()
            .expect("it has a row twice");
        assert!(
            error
                .to_string()
                .contains("line 2 is a second result of row 1")
        );
    }
}
