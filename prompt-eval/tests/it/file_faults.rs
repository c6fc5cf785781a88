//! Datasets, results and batch answers in files that are cut off, linked, too large, on a full disk, or shared by two runs.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use prompt_eval::export::{BatchWriter, parse_batch};
use prompt_eval::metric::ExactMatch;
use prompt_eval::{DataError, Dataset, Eval, Report, Row, RowResult, load_results};

use crate::{Adder, Sum, path, written};

const ROWS: u64 = 40;

fn rows(count: u64) -> Vec<Sum> {
    let row = |row: u64| Sum::new(&format!("{row}+{row}?"), &(row * 2).to_string());
    (0..count).map(row).collect()
}

fn run(rows: Vec<Sum>, results: &Path) -> Result<Report, DataError> {
    let eval = Eval::new(rows)
        .gold(ExactMatch::new(), |row: &Sum| row.answer.clone())
        .results(results)
        .concurrency(4);
    pollster::block_on(eval.run(&Adder))
}

/// The whole results of a file without their times, in order, and whether an error follows them.
fn read(path: &Path) -> (Vec<RowResult>, bool) {
    let mut results = Vec::new();
    for result in load_results(path).unwrap() {
        match result {
            Ok(mut result) => {
                result.seconds = 0.0;
                results.push(result);
            }
            Err(_) => return (results, true),
        }
    }
    (results, false)
}

fn sorted(path: &Path) -> Vec<RowResult> {
    let (mut results, is_cut) = read(path);
    assert!(!is_cut);
    results.sort_by_key(|result| result.row);
    results
}

fn broken(results: &Path) -> PathBuf {
    let mut name = results.as_os_str().to_owned();
    name.push(".broken");
    name.into()
}

/// A row is that of the whole file, or the last one and an error. The last value of a CSV file may be shorter: its end is the end
/// of the file.
#[test]
fn every_truncation_of_rows() {
    for (name, text) in [
        (
            "cut.jsonl",
            "{\"question\":\"é 1+1?\",\"answer\":\"2\"}\n{\"question\":\"20+20?\",\"answer\":\"40\"}\n",
        ),
        ("cut.csv", "question,answer\né 1+1?,2\n\"20+20?\",\"40\"\n"),
        ("cut.tsv", "question\tanswer\né 1+1?\t2\n20+20?\t40\n"),
    ] {
        let all = |text: &[u8]| -> Result<Vec<_>, DataError> {
            let rows = Dataset::<Sum>::load(written(name, text))?;
            let rows = rows.map(|row| row.map(|row| (row.value.question, row.value.answer)));
            Ok(rows.collect())
        };
        let whole: Vec<_> = all(text.as_bytes())
            .unwrap()
            .into_iter()
            .map(Result::unwrap)
            .collect();
        for length in 0..text.len() {
            let Ok(found) = all(&text.as_bytes()[..length]) else {
                assert!(length <= text.find('\n').unwrap(), "{name} {length}");
                continue;
            };
            let lines = text.as_bytes()[..length].split(|byte| *byte == b'\n');
            let lines = lines.filter(|line| !line.is_empty()).count();
            let is_csv = !name.ends_with("jsonl");
            // A header without rows is one error.
            let expected = if is_csv { lines.max(2) - 1 } else { lines };
            assert_eq!(found.len(), expected, "{name} {length}");
            for (at, row) in found.iter().enumerate() {
                match row {
                    Ok(row) if is_csv && at + 1 == found.len() => {
                        assert!(
                            row.0 == whole[at].0 && whole[at].1.starts_with(&row.1),
                            "{name} {length}: {row:?}"
                        );
                    }
                    Ok(row) => assert_eq!(*row, whole[at], "{name} {length}"),
                    Err(error) => assert_eq!(at + 1, found.len(), "{name} {length}: {error}"),
                }
            }
        }
    }
}

#[test]
fn every_truncation_of_results_resumes() {
    let file = path("whole.jsonl");
    run(rows(3), &file).unwrap();
    let (whole, expected) = (std::fs::read(&file).unwrap(), sorted(&file));
    for length in 0..whole.len() {
        let kept = &whole[..length];
        let cut = written("cut.jsonl", kept);
        // The first line is the head.
        let lines = kept.iter().filter(|byte| **byte == b'\n').count();
        let results = lines.saturating_sub(1);
        let is_cut = !kept.is_empty() && !kept.ends_with(b"\n");
        let (found, has_error) = read(&cut);
        assert_eq!((found.len(), has_error), (results, is_cut), "{length}");
        let report = run(rows(3), &cut).unwrap();
        assert_eq!(
            (report.done, report.resumed),
            (3, results as u64),
            "{length}"
        );
        assert_eq!(sorted(&cut), expected, "{length}");
        // The removed end of the file is kept.
        let aside = std::fs::read(broken(&cut)).unwrap_or_default();
        let start = kept
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        assert_eq!(
            (&*aside, report.repaired.is_some()),
            (&kept[start..], is_cut),
            "{length}"
        );
    }
}

const BATCH: &str = "{\"custom_id\":\"row-1\",\"response\":{\"status_code\":200,\"body\":{\"choices\":[{\"message\":{\"content\":\"é\"}}]}}}\n";

#[test]
fn every_truncation_of_batch_answers() {
    let text = [BATCH, &BATCH.replace("row-1", "row-2")].concat();
    for length in 0..text.len() {
        let kept = &text.as_bytes()[..length];
        let found: Vec<_> = parse_batch::<Sum>(kept, "b.jsonl").collect();
        let lines = kept
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
            .count();
        assert_eq!(found.len(), lines, "{length}");
        for (at, answer) in found.iter().enumerate() {
            let is_whole = length >= BATCH.len() * (at + 1) - 1;
            assert_eq!(answer.is_ok(), is_whole, "{length}: {answer:?}");
        }
    }
}

/// Lines and files without an end are errors before the memory is full.
#[test]
#[cfg(unix)]
fn endless_files_are_errors() {
    let huge = path("huge.jsonl");
    File::create(&huge).unwrap().set_len(1 << 40).unwrap();
    for file in [&*huge, Path::new("/dev/zero")] {
        let error = load_results(file)
            .unwrap()
            .next()
            .unwrap()
            .unwrap_err()
            .to_string();
        assert!(error.contains("the line is longer than 256 MiB"), "{error}");
        let opened = File::open(file).unwrap();
        let mut answers = parse_batch::<Sum>(opened, file);
        let error = answers.next().unwrap().unwrap_err().to_string();
        assert!(error.contains("the line is longer than 256 MiB"), "{error}");
        assert!(answers.next().is_none());
        assert!(run(rows(1), file).is_err());
        let rows = Dataset::<Sum>::from_jsonl(File::open(file).unwrap(), file).unwrap();
        let error = rows
            .max_row_bytes(1000)
            .next()
            .unwrap()
            .unwrap_err()
            .to_string();
        assert!(error.contains("row 1 is longer than 1000 bytes"), "{error}");
    }
    assert_eq!(std::fs::metadata(&huge).unwrap().len(), 1 << 40);
}

#[test]
#[cfg(unix)]
fn links_are_followed() {
    use std::os::unix::fs::symlink;
    let data = written("data.csv", "question,answer\n1+1?,2\n");
    let link = path("link.csv");
    symlink(&data, &link).unwrap();
    assert_eq!(Dataset::<Sum>::load(&link).unwrap().count(), 1);
    // Results are written to the target of the link, the removed end beside the link.
    let (file, link) = (path("target.jsonl"), path("link.jsonl"));
    symlink(&file, &link).unwrap();
    run(rows(2), &link).unwrap();
    assert!(link.is_symlink());
    let mut opened = File::options().append(true).open(&file).unwrap();
    opened.write_all(b"{\"row\":3").unwrap();
    assert_eq!(run(rows(3), &link).unwrap().resumed, 2);
    assert_eq!(
        (sorted(&file).len(), std::fs::read(broken(&link)).unwrap()),
        (3, b"{\"row\":3".to_vec())
    );
    let (one, two) = (path("one"), path("two"));
    symlink(&one, &two).unwrap();
    symlink(&two, &one).unwrap();
    for other in [one, std::env::temp_dir(), "/dev/full".into()] {
        assert!(run(rows(1), &other).is_err(), "{}", other.display());
    }
}

#[test]
fn a_batch_on_a_full_disk_is_an_error() {
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let length = bytes.len().min(self.0);
            self.0 -= length;
            match length {
                0 => Err(std::io::ErrorKind::StorageFull.into()),
                _ => Ok(length),
            }
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    for room in [0, 1, 100, 9_000, 20_000] {
        let mut batch = BatchWriter::new(Full(room), "m");
        let mut add = |(row, value)| batch.add(&Row { number: row, value });
        let added: Result<Vec<()>, _> = (1..200).zip(rows(199)).map(&mut add).collect();
        let error = added.and_then(|_| batch.finish()).unwrap_err().to_string();
        assert!(
            error.contains("the batch cannot be written"),
            "{room}: {error}"
        );
    }
}

/// The results file of the program that runs out of disk space.
const CHILD: &str = "PROMPT_EVAL_FULL";

#[test]
#[ignore = "other tests start it as a process"]
fn child_process() {
    let file = std::env::var(CHILD).expect("a test starts it");
    run(rows(ROWS), Path::new(&file)).unwrap();
}

/// The disk is full in the middle of a line: all written results are complete, and the next run resumes after them.
#[test]
#[cfg(unix)]
fn a_full_disk_loses_no_result() {
    let whole = path("whole.jsonl");
    run(rows(ROWS), &whole).unwrap();
    // With the signal ignored, writing fails. Otherwise, the program is killed while it writes.
    for (before, is_killed) in [("trap '' XFSZ;", false), ("", true)] {
        let file = path("full.jsonl");
        let output = Command::new("sh")
            .arg("-c")
            .arg(format!("{before} ulimit -f 4; exec \"$0\" \"$@\""))
            .arg(std::env::current_exe().unwrap())
            .args([
                "--ignored",
                "--exact",
                "file_faults::child_process",
                "--nocapture",
            ])
            .env(CHILD, &file)
            .output()
            .unwrap();
        assert!(!output.status.success());
        let (results, is_cut) = read(&file);
        // A line may end where the disk is full: its length depends on the time that its row took.
        let is_full = std::fs::metadata(&file).unwrap().len().is_multiple_of(512);
        assert!(
            results.len() > 3 && (is_cut == is_killed || is_killed && is_full),
            "{}",
            results.len()
        );
        let safe = format!("the results of {} rows are safe", results.len());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(stderr.contains(&safe), !is_killed, "{stderr}");
        let report = run(rows(ROWS), &file).unwrap();
        assert_eq!((report.done, report.resumed), (ROWS, results.len() as u64));
        assert_eq!(sorted(&file), sorted(&whole));
    }
}

/// Of runs that write into one file at a time, one writes and the others are errors.
#[test]
fn two_runs_do_not_share_a_file() {
    let file = path("shared.jsonl");
    let start = |_| {
        let file = file.clone();
        std::thread::spawn(move || run(rows(2000), &file))
    };
    let runs: Vec<_> = (0..4).map(start).collect();
    let mut done = 0;
    for run in runs {
        match run.join().unwrap() {
            Ok(report) => done += report.done - report.resumed,
            Err(error) => assert!(error.to_string().contains("another run writes"), "{error}"),
        }
    }
    assert_eq!((done, sorted(&file).len()), (2000, 2000));
}
