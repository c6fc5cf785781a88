//! Rows per second, five examples each, as one text with a meta template: beside AISBench's own classes.
//!
//! `benches/aisbench/setup FOLDER` installs these; `AISBENCH=FOLDER cargo bench -p prompt-eval` compares, and checks that
//! both make the same text. Both are timed by the processor's time, so that what else runs counts little. Then the memory of a run over a million rows.
//!
//! Seen in November 2026 on two cores that others used too: 501,000 rows/s here; AISBench 2,680 with its rows in `datasets`,
//! as it keeps them (187 times slower), and 5,120 with plain dicts (98 times). A run over 1,000,000 rows of a file, with
//! results written, took no more memory than the 13.2 MB held before.

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use prompt_core::aisbench::MetaTemplate;
use prompt_core::{BoxFuture, Json, Llm, Reply, Request, Result, Shots};
use prompt_eval::metric::Numeric;
use prompt_eval::retrieve::{FixK, Query};
use prompt_eval::{Eval, Examples, Rows};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use typed_prompt::Prompt;

#[derive(Clone, Serialize, Deserialize, Prompt)]
#[prompt(
    system = "You are a careful calculator. Answer each question with one number.",
    user = "Question: <question>",
    assistant = "Answer: <answer>",
    crate = typed_prompt
)]
struct Sum {
    #[serde(skip)]
    #[prompt(shots)]
    shots: Shots,
    question: String,
    #[prompt(answer)]
    answer: String,
}

const ROWS: usize = 10_000;

fn sum(row: usize) -> Sum {
    let (baskets, apples, given) = (3 + row % 17, 5 + row % 23, 2 + row % 7);
    Sum {
        shots: Shots::new(),
        question: format!(
            "A farmer has {baskets} baskets with {apples} apples in each of them, and gives {given} apples away to \
             the neighbours. How many apples are left for the market on Saturday?"
        ),
        answer: (baskets * apples - given).to_string(),
    }
}

fn examples() -> Vec<Sum> {
    (0..5).map(|row| sum(row * 37 + 1)).collect()
}

fn meta() -> Value {
    json!({
        "round": [
            {"role": "HUMAN", "begin": "<|im_start|>user\n", "end": "<|im_end|>\n"},
            {"role": "BOT", "begin": "<|im_start|>assistant\n", "end": "<|im_end|>\n", "generate": true},
        ],
        "reserved_roles": [{"role": "SYSTEM", "begin": "<|im_start|>system\n", "end": "<|im_end|>\n"}],
    })
}

fn main() {
    // `cargo test --benches` builds it and runs it without `--bench`.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let own = own();
    println!(
        "typed-prompt, one thread     {:>9.0} rows/s, {} characters",
        own.per_second, own.characters
    );
    match std::env::var_os("AISBENCH") {
        // A relative folder counts from the root of the workspace.
        Some(folder) => beside(
            &own,
            &Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("..")
                .join(folder),
        ),
        None => println!("AISBENCH names no folder: nothing to compare with"),
    }
    memory();
}

struct Speed {
    per_second: f64,
    characters: usize,
    last: String,
}

/// The time that this thread has run, where the system says so: other programs on the machine do not count.
struct Clock {
    wall: Instant,
    run: Option<f64>,
}

impl Clock {
    fn now() -> Clock {
        let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        let run = stat
            .split_whitespace()
            .next()
            .and_then(|run| run.parse().ok());
        Clock {
            wall: Instant::now(),
            run,
        }
    }

    fn seconds(&self) -> f64 {
        let now = Clock::now();
        match (self.run, now.run) {
            (Some(before), Some(after)) => (after - before) / 1e9,
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

/// The best of several rounds over all rows.
fn own() -> Speed {
    let meta = MetaTemplate::from_json(&Json::parse(&meta().to_string()).expect("it is JSON"));
    let meta = meta.expect("it is a meta template");
    let mut rows: Vec<Sum> = (0..ROWS).map(sum).collect();
    let mut best = Speed {
        per_second: 0.0,
        characters: 0,
        last: String::new(),
    };
    for _ in 0..20 {
        let mut examples = Examples::turns(examples()).chosen_by(FixK::new(0..5));
        let began = Clock::now();
        best.characters = 0;
        for (row, sum) in rows.iter_mut().enumerate() {
            sum.shots = examples.choose(&Query::row(row)).expect("there are five");
            best.last = black_box(sum.to_text(&meta).expect("it can be written"));
            best.characters += best.last.len();
        }
        let per_second = ROWS as f64 / began.seconds();
        best.per_second = best.per_second.max(per_second);
    }
    best
}

/// The same rows through the package's classes.
fn beside(own: &Speed, folder: &Path) {
    let config = json!({
        "system": "You are a careful calculator. Answer each question with one number.",
        "round": [
            {"role": "HUMAN", "prompt": "Question: {question}"},
            {"role": "BOT", "prompt": "Answer: {answer}"},
        ],
        "meta_template": meta(),
        "train": examples(),
        "test": (0..ROWS).map(sum).collect::<Vec<_>>(),
    });
    let file = std::env::temp_dir().join(format!("aisbench-rows-{}.json", std::process::id()));
    std::fs::write(&file, config.to_string()).expect("a temporary file");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/aisbench/rows.py");
    let output = Command::new(folder.join("bin/python"))
        .arg(script)
        .arg(&file)
        .arg("3")
        .output()
        .expect("its Python starts");
    drop(std::fs::remove_file(file));
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let theirs: Value = serde_json::from_str(line).expect("a line of JSON");
        assert_eq!(theirs["last"], own.last, "the texts differ");
        assert_eq!(theirs["characters"], own.characters);
        let per_second = theirs["per_second"].as_f64().expect("a number");
        println!(
            "AISBench, rows as {:<10} {per_second:>9.0} rows/s: {:.0} times slower",
            theirs["rows"].as_str().unwrap_or_default(),
            own.per_second / per_second
        );
    }
}

/// A model that costs nothing.
struct Nothing;

impl Llm for Nothing {
    fn send<'a>(&'a self, _: &'a Request) -> BoxFuture<'a, Result<Reply>> {
        Box::pin(async { Ok(Reply::new("42")) })
    }
}

/// A run over a million rows of a file, and what it takes at its most.
fn memory() {
    let before = peak();
    for rows in [100_000, 1_000_000] {
        let file = std::env::temp_dir().join(format!("rows-{}.jsonl", std::process::id()));
        let results = file.with_extension("results");
        let mut text = String::new();
        let mut out = std::fs::File::create(&file).expect("a temporary file");
        for row in 0..rows {
            let line = serde_json::to_string(&sum(row)).expect("it is JSON");
            writeln!(text, "{line}").expect("a string takes everything");
            if text.len() > 1 << 20 || row + 1 == rows {
                std::io::Write::write_all(&mut out, text.as_bytes()).expect("there is room");
                text.clear();
            }
        }
        let began = Instant::now();
        let eval = Eval::new(Rows::<Sum>::open(&file).expect("it opens"))
            .shots(Examples::turns(examples()), |row, shots| row.shots = shots)
            .gold(Numeric::new(), |row| row.answer.clone())
            .results(&results);
        let report = pollster::block_on(eval.run(&Nothing)).expect("it runs");
        assert_eq!(report.done, rows as u64);
        println!(
            "a run over {rows:>9} rows: {:>7.0} rows/s, at most {:.1} MB (before: {:.1} MB)",
            rows as f64 / began.elapsed().as_secs_f64(),
            peak(),
            before
        );
        drop(std::fs::remove_file(file));
        drop(std::fs::remove_file(results));
    }
}

/// The most memory that the program has held so far, in MB, where the system says so.
fn peak() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.unwrap_or(f64::NAN) / 1024.0
}
