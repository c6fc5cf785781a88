//! Timing: every entry of a contest runs once per round, so that other work on the machine affects all of them.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// How many rounds a contest has, at least.
pub(crate) const ROUNDS: usize = 401;

/// How long one entry runs in one round: short enough that it is seldom interrupted.
const SLICE: Duration = Duration::from_micros(500);

/// The number of bytes by which the address of texts changes in the next round. A copy takes up to twice as long if source and destination
/// have the same offset in their pages. It is an odd multiple of 16, so that all offsets occur.
const STEP: usize = 16 * 151;

/// More bytes than any free gap of the allocator: such a text is allocated after all others.
const HOLE: usize = 1 << 15;

/// Several ways to do the same work.
pub(crate) struct Contest<'a> {
    title: String,
    entries: Vec<Entry<'a>>,
}

struct Entry<'a> {
    name: String,
    shown: Option<String>,
    /// Does the work this many times.
    run: Box<dyn FnMut(u64) + 'a>,
}

/// The result of a contest: nanoseconds of each entry, and the ratio to the first entry.
#[derive(serde::Serialize, serde::Deserialize, Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) title: String,
    pub(crate) rows: Vec<Row>,
}

/// One entry of a contest: the medians over all rounds, and the fastest round.
#[derive(serde::Serialize, serde::Deserialize, Clone, Debug)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) nanos: f64,
    pub(crate) least: f64,
    pub(crate) ratio: f64,
}

impl<'a> Contest<'a> {
    pub(crate) fn new(title: impl Into<String>) -> Contest<'a> {
        Contest {
            title: title.into(),
            entries: Vec::new(),
        }
    }

    /// Adds an entry. `shown` returns the text that its work has written: all entries must write the same.
    pub(crate) fn entry<T>(
        &mut self,
        name: &'static str,
        shown: impl FnOnce(&T) -> String,
        mut work: impl FnMut() -> T + 'a,
    ) -> &mut Self {
        let shown = Some(shown(&work()));
        self.add(name, shown, move |times| {
            for _ in 0..times {
                black_box(work());
            }
        })
    }

    /// Adds an entry that writes into a string that is reused.
    pub(crate) fn reused(
        &mut self,
        name: &'static str,
        mut work: impl FnMut(&mut String) + 'a,
    ) -> &mut Self {
        let mut first = String::new();
        work(&mut first);
        let room = first.len() + HOLE;
        self.add(name, Some(first), move |times| {
            let mut text = String::with_capacity(room);
            for _ in 0..times {
                text.clear();
                work(&mut text);
                black_box(text.as_str());
            }
        })
    }

    /// Adds an entry whose text may differ from the others.
    pub(crate) fn alone<T>(
        &mut self,
        name: impl Into<String>,
        mut work: impl FnMut() -> T + 'a,
    ) -> &mut Self {
        self.add(name, None, move |times| {
            for _ in 0..times {
                black_box(work());
            }
        })
    }

    fn add(
        &mut self,
        name: impl Into<String>,
        shown: Option<String>,
        run: impl FnMut(u64) + 'a,
    ) -> &mut Self {
        let name = name.into();
        if let (Some(first), Some(shown)) = (self.entries.first(), &shown) {
            let expected = first.shown.as_deref().unwrap_or_default();
            assert_eq!(
                shown, expected,
                "{}: {name} writes another text",
                self.title
            );
        }
        self.entries.push(Entry {
            name,
            shown,
            run: Box::new(run),
        });
        self
    }

    /// Runs all entries in turn, each round beginning with the next one.
    pub(crate) fn run(mut self) -> Outcome {
        let times: Vec<u64> = self
            .entries
            .iter_mut()
            .map(|entry| repetitions(&mut entry.run))
            .collect();
        let count = self.entries.len();
        let mut nanos = vec![Vec::with_capacity(ROUNDS); count];
        let shown = self
            .entries
            .first()
            .and_then(|entry| entry.shown.as_deref());
        let _filled = filled(shown.map_or(0, str::len));
        for round in 0..ROUNDS {
            let spacer = Vec::<u8>::with_capacity(HOLE + round * STEP % 4096);
            black_box(&spacer);
            for turn in 0..count {
                let index = (round + turn) % count;
                let begin = Instant::now();
                (self.entries[index].run)(times[index]);
                nanos[index].push(begin.elapsed().as_nanos() as f64 / times[index] as f64);
            }
        }
        let names = self.entries.iter().map(|entry| entry.name.as_str());
        Outcome::of(self.title.clone(), names, &nanos)
    }
}

impl Outcome {
    /// The nanoseconds of each entry in each round.
    pub(crate) fn of<'a>(
        title: String,
        names: impl IntoIterator<Item = &'a str>,
        nanos: &[Vec<f64>],
    ) -> Outcome {
        let rows = names.into_iter().zip(nanos).map(|(name, own)| {
            let ratios = own.iter().zip(&nanos[0]).map(|(own, first)| own / first);
            Row {
                name: name.to_owned(),
                nanos: median(own.iter().copied()),
                least: own.iter().copied().fold(f64::INFINITY, f64::min),
                ratio: median(ratios),
            }
        });
        let outcome = Outcome {
            title,
            rows: rows.collect(),
        };
        outcome.print();
        outcome
    }

    pub(crate) fn print(&self) {
        println!("{}", self.title);
        for row in &self.rows {
            println!(
                "    {:<28} {:>12}   {:>8.2} x   least {}",
                row.name,
                time(row.nanos),
                row.ratio,
                time(row.least)
            );
        }
    }
}

/// Allocations that fill the gaps in which texts of about so many bytes would be allocated.
fn filled(bytes: usize) -> Vec<Vec<u8>> {
    let sizes = (0..8).map(|more| bytes + 16 * more);
    sizes
        .flat_map(|size| (0..64).map(move |_| Vec::with_capacity(size)))
        .collect()
}

/// Nanoseconds of a piece of work, repeated for one slice of time.
pub(crate) fn slice(run: &mut dyn FnMut(u64)) -> f64 {
    let times = repetitions(run);
    let begin = Instant::now();
    run(times);
    begin.elapsed().as_nanos() as f64 / times as f64
}

/// How often a piece of work is done in one slice of time.
fn repetitions(run: &mut dyn FnMut(u64)) -> u64 {
    let mut times = 1;
    loop {
        let begin = Instant::now();
        run(times);
        let taken = begin.elapsed();
        if taken >= SLICE / 4 {
            let exact = times as f64 * SLICE.as_secs_f64() / taken.as_secs_f64();
            return (exact as u64).max(1);
        }
        times *= 4;
    }
}

/// The middle of some figures.
pub(crate) fn median(figures: impl IntoIterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = figures.into_iter().collect();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        len if len % 2 == 1 => sorted[len / 2],
        len => f64::midpoint(sorted[len / 2 - 1], sorted[len / 2]),
    }
}

/// A time in a unit that suits it.
pub(crate) fn time(nanos: f64) -> String {
    match nanos {
        n if n < 1e3 => format!("{n:.1} ns"),
        n if n < 1e6 => format!("{:.2} µs", n / 1e3),
        n if n < 1e9 => format!("{:.2} ms", n / 1e6),
        n => format!("{:.2} s", n / 1e9),
    }
}
