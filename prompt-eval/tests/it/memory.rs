//! The memory of a run does not grow with its rows. A run that resumes keeps the position of each earlier result.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use prompt_eval::metric::{Choice, Numeric};
use prompt_eval::retrieve::Random;
use prompt_eval::{Dataset, Eval, ExamplePool};

use crate::{Adder, Sum, path};

/// The program that is measured: this test, with the number of its rows in this variable, and the files in the next.
const ROWS: &str = "PROMPT_EVAL_MEMORY_ROWS";
const DATA: &str = "PROMPT_EVAL_MEMORY_DATA";

#[test]
#[ignore = "the program that the other test measures"]
fn child_process() {
    let Ok(rows) = std::env::var(ROWS) else {
        return;
    };
    let data = PathBuf::from(std::env::var_os(DATA).expect("a file"));
    let examples = (0..5).map(|row| Sum::new(&format!("{row}+1?"), &(row + 1).to_string()));
    let pool = ExamplePool::from_turns(examples)
        .expect("they can be rendered")
        .retriever(Random::new(2).seed(42));
    let eval = Eval::new(Dataset::<Sum>::load(&data).expect("it has rows"))
        .few_shot(pool, |row: &mut Sum, examples| row.examples = examples)
        .gold(Numeric::new(), |row| row.answer.clone())
        // Half of the answers are unscored, and listed.
        .gold(Choice::new(["odd", "even"]), |_| "odd".to_owned())
        .results(data.with_extension("results"));
    let report = pollster::block_on(eval.run(&Adder)).expect("it runs");
    assert_eq!(report.done.to_string(), rows);
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|peak| peak.trim().strip_suffix(" kB"))
        .expect("the largest resident memory");
    std::fs::write(data.with_extension("peak"), peak).expect("a temporary file");
}

/// The largest resident memory of a run in KiB.
fn measure_run(data: &Path, rows: u64) -> u64 {
    let child = Command::new(std::env::current_exe().expect("this program"))
        .args(["memory::child_process", "--exact", "--ignored"])
        .env(ROWS, rows.to_string())
        .env(DATA, data)
        .output()
        .expect("it starts");
    assert!(child.status.success(), "{child:?}");
    let peak = std::fs::read_to_string(data.with_extension("peak")).expect("it is written");
    peak.parse().expect("a number")
}

#[test]
#[ignore = "a million rows take minutes"]
fn a_million_rows_take_the_memory_of_fewer() {
    let [few, many] = [100_000, 1_000_000].map(|rows| {
        let data = path("rows.jsonl");
        let file = std::fs::File::create(&data).expect("a temporary file");
        let mut file = std::io::BufWriter::new(file);
        for row in 0..rows {
            let answer = row + 1;
            writeln!(
                file,
                "{{\"question\":\"{row}+1?\",\"answer\":\"{answer}\"}}"
            )
            .expect("a temporary file");
        }
        file.flush().expect("a temporary file");
        let peaks = ["first", "resumed"].map(|run| {
            let peak = measure_run(&data, rows);
            println!("{rows} rows, {run} run: {peak} KiB");
            peak
        });
        for extension in ["jsonl", "results", "peak"] {
            drop(std::fs::remove_file(data.with_extension(extension)));
        }
        peaks
    });
    assert!(many[0] < few[0] + few[0] / 10, "{few:?}, then {many:?}");
    // A result is found by its position in the file.
    let position_bytes = 1024 * (many[1] - many[0]) / 1_000_000;
    assert!(position_bytes <= 16, "{few:?}, then {many:?}");
}
