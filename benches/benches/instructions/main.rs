//! The number of instructions of common operations, counted by Callgrind. More than 1.5 times the figure in
//! `benches/instructions.txt` is a failure: `.ci/instructions` runs it.
#![allow(missing_docs, reason = "gungraun's macros make public items")]

#[path = "../../src/rows.rs"]
mod rows;

mod cases;

use std::hint::black_box;

use gungraun::{
    Callgrind, EventKind, LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main,
};

use self::cases::{Work, ready};

/// How often a case does its work. The instructions of a single call would be few compared with those around it.
const TIMES: u64 = 100;

/// The recorded figures, one line per case: `plain 1557`.
const KNOWN: &str = include_str!("../../instructions.txt");

/// At most 1.5 times the figure: less cannot be felt beside a call to a model, and would punish simpler code.
fn bounded(case: &str) -> LibraryBenchmarkConfig {
    let known = KNOWN
        .lines()
        .find_map(|line| line.strip_prefix(case)?.strip_prefix(' '));
    let mut callgrind = Callgrind::with_args(["--cache-sim=no"]);
    if let Some(known) = known {
        let known: u64 = known.parse().expect("each line has a case and a number");
        callgrind.hard_limits([(EventKind::Ir, known * TIMES * 3 / 2)]);
    }
    LibraryBenchmarkConfig::default().tool(callgrind).clone()
}

#[library_benchmark(setup = ready)]
#[bench::plain(args = ("plain"), config = bounded("plain"))]
#[bench::messages(args = ("messages"), config = bounded("messages"))]
#[bench::chatml(args = ("chatml"), config = bounded("chatml"))]
#[bench::json(args = ("json"), config = bounded("json"))]
#[bench::list(args = ("list"), config = bounded("list"))]
#[bench::jinja(args = ("jinja"), config = bounded("jinja"))]
#[bench::history(args = ("history"), config = bounded("history"))]
#[bench::sent(args = ("sent"), config = bounded("sent"))]
#[bench::guard(args = ("guard"), config = bounded("guard"))]
#[bench::answer(args = ("answer"), config = bounded("answer"))]
#[bench::alpaca(args = ("alpaca"), config = bounded("alpaca"))]
#[bench::lazyllm(args = ("lazyllm"), config = bounded("lazyllm"))]
#[bench::lightrag(args = ("lightrag"), config = bounded("lightrag"))]
#[bench::rows(args = ("rows"), config = bounded("rows"))]
fn case(mut work: Work) -> Work {
    for _ in 0..TIMES {
        black_box(work());
    }
    // Dropped outside, where nothing is counted.
    work
}

library_benchmark_group!(name = counted; benchmarks = case);
main!(library_benchmark_groups = counted);
