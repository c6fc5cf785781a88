//! Recordings in files that are cut off, linked, too large, on a full disk, or written by several programs at a time.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use prompt_core::{BoxFuture, Llm, Message, Messages, RecordedLlm, Reply, Request, Result};

/// A file of this test alone.
fn path(name: &str) -> PathBuf {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("prompt-core-faults-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

fn request(question: &str) -> Request {
    Request::from_prompt(&Messages::from([Message::user(question)])).unwrap()
}

fn ask(llm: &RecordedLlm, question: &str) -> Result<String> {
    let request = request(question);
    pollster::block_on(llm.send(&request)).map(|reply| reply.text)
}

fn answer(question: &str) -> String {
    format!("é {question}")
}

/// A model that answers the question of the last message.
struct Echo;

impl Llm for Echo {
    fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply>> {
        let question = request.messages.last().unwrap().text().into_owned();
        Box::pin(async move { Ok(Reply::new(answer(&question))) })
    }
}

/// Records answers to `count` questions that begin with this name, up to the first error.
fn record(path: &Path, name: &str, count: usize) -> Result<()> {
    let llm = RecordedLlm::record(path, Echo)?;
    for index in 0..count {
        println!("recorded {}", ask(&llm, &format!("{name}{index}"))?);
    }
    Ok(())
}

#[test]
fn every_truncation_is_an_error_or_whole_lines() {
    let file = path("truncated.jsonl");
    record(&file, "q", 3).unwrap();
    let whole = std::fs::read(&file).unwrap();
    for length in 0..whole.len() {
        let kept = &whole[..length];
        std::fs::write(&file, kept).unwrap();
        let lines = kept.iter().filter(|byte| **byte == b'\n').count();
        // The last line without its line break is whole too.
        let is_whole = kept.is_empty() || kept.ends_with(b"\n") || whole[length] == b'\n';
        let lines = lines + usize::from(is_whole && !kept.is_empty() && !kept.ends_with(b"\n"));
        match RecordedLlm::replay(&file) {
            Ok(llm) => {
                assert!(is_whole, "{length}");
                for index in 0..3 {
                    let question = format!("q{index}");
                    let found = ask(&llm, &question);
                    match index < lines {
                        true => assert_eq!(found.unwrap(), answer(&question)),
                        false => assert!(found.is_err(), "{length}"),
                    }
                }
            }
            Err(error) => {
                assert!(!is_whole, "{length}: {error}");
                let line = format!("hold no JSON in line {}: ", lines + 1);
                assert!(error.to_string().contains(&line), "{error}");
                assert!(error.help().unwrap().contains("remove it"), "{error}");
                assert!(record(&file, "q", 3).is_err());
            }
        }
        // Nothing is repaired.
        assert_eq!(std::fs::read(&file).unwrap(), kept);
        if is_whole {
            record(&file, "q", 3).unwrap();
            let recorded = std::fs::read(&file).unwrap();
            assert_eq!(recorded.trim_ascii_end(), whole.trim_ascii_end());
        }
    }
}

#[test]
fn a_huge_file_is_an_error() {
    let file = path("huge.jsonl");
    let created = std::fs::File::create(&file).unwrap();
    created.set_len(1 << 40).unwrap();
    let error = RecordedLlm::replay(&file).unwrap_err().to_string();
    assert!(error.contains("it is larger than 256 MiB"), "{error}");
}

#[test]
#[cfg(unix)]
fn links_are_followed() {
    use std::os::unix::fs::symlink;
    let (file, link) = (path("target.jsonl"), path("link.jsonl"));
    symlink(&file, &link).unwrap();
    // Recording creates the file to which a link leads, replaying does not.
    assert!(RecordedLlm::replay(&link).is_err());
    record(&link, "q", 2).unwrap();
    assert!(link.is_symlink() && file.is_file());
    let llm = RecordedLlm::replay(&file).unwrap();
    assert_eq!(ask(&llm, "q1").unwrap(), answer("q1"));
    let (one, two) = (path("one"), path("two"));
    symlink(&one, &two).unwrap();
    symlink(&two, &one).unwrap();
    for other in [one, path(""), "/dev/zero".into(), "/dev/full".into()] {
        assert!(RecordedLlm::replay(&other).is_err(), "{}", other.display());
        assert!(record(&other, "q", 1).is_err(), "{}", other.display());
    }
}

/// The work of a child process: it records answers into a file.
const CHILD: &str = "PROMPT_CORE_RECORDS";

#[test]
#[ignore = "other tests start it as a process"]
fn child_process() {
    let given = std::env::var(CHILD).expect("a test starts it");
    let (name, file) = given.split_once('|').unwrap();
    record(Path::new(file), name, 40).unwrap();
}

/// This test in a separate process. `before` are commands of the shell.
#[cfg(unix)]
fn child(before: &str, name: &str, file: &Path) -> Command {
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(format!("{before} exec \"$0\" \"$@\""))
        .arg(std::env::current_exe().unwrap())
        .args([
            "--ignored",
            "--exact",
            "file_faults::child_process",
            "--nocapture",
        ])
        .env(CHILD, format!("{name}|{}", file.display()));
    command
}

/// A disk is full in the middle of a line: every returned answer is recorded, and the partial line is removed or the last one.
#[test]
#[cfg(unix)]
fn a_full_disk_loses_no_answer() {
    // With the signal ignored, writing fails. Otherwise, the program is killed while it writes.
    for (name, before, is_killed) in [
        ("full", "trap '' XFSZ; ulimit -f 4;", false),
        ("killed", "ulimit -f 4;", true),
    ] {
        let file = path(name);
        let output = child(before, "q", &file).output().unwrap();
        let shown = String::from_utf8_lossy(&output.stdout);
        let given = shown.matches("recorded é").count();
        assert!(!output.status.success() && given > 3, "{shown}");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(stderr.contains("cannot be added"), !is_killed, "{stderr}");
        let text = std::fs::read_to_string(&file).unwrap();
        if is_killed {
            let error = RecordedLlm::replay(&file).unwrap_err().to_string();
            let line = format!("hold no JSON in line {}: ", given + 1);
            assert!(error.contains(&line), "{error}");
            let whole = text.rfind('\n').unwrap() + 1;
            std::fs::write(&file, &text[..whole]).unwrap();
        } else {
            assert!(text.ends_with('\n'));
        }
        let llm = RecordedLlm::replay(&file).unwrap();
        for index in 0..given {
            let question = format!("q{index}");
            assert_eq!(ask(&llm, &question).unwrap(), answer(&question));
        }
        assert!(ask(&llm, &format!("q{given}")).is_err());
        // With room again, the rest is recorded.
        record(&file, "q", 40).unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), 40);
    }
}

#[test]
#[cfg(unix)]
fn several_programs_record_into_one_file() {
    let file = path("shared.jsonl");
    let start = |name| {
        child("", name, &file)
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    let children = ["a", "b", "c", "d"].map(start);
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let llm = RecordedLlm::replay(&file).unwrap();
    for name in ["a", "b", "c", "d"] {
        for index in 0..40 {
            let question = format!("{name}{index}");
            assert_eq!(ask(&llm, &question).unwrap(), answer(&question));
        }
    }
}
