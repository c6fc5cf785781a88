//! The behaviour of prompt-core through its public API; one file per subject, cases as data.

mod aisbench;
mod builtins_page;
mod expressions;
mod formats;
mod formats_page;
mod guard;
mod guard_ways;
mod history;
#[cfg(feature = "jinja")]
mod jinja;
#[cfg(feature = "jinja")]
mod jinja_guard;
mod lamini;
mod layouts;
mod lazyllm;
mod lightrag;
mod native_guard;
mod native_read;
mod native_strict;
mod output;
mod reasoning;
#[cfg(feature = "tokens")]
mod tokens;
mod values;
mod wire;

/// Twenty times the work may take twenty times as long, and what else the machine does; squared it would be 400 times.
fn assert_linear(name: &str, size: usize, work: impl Fn(usize)) {
    let best = |size: usize| {
        let times = (0..5).map(|_| {
            let start = std::time::Instant::now();
            work(size);
            start.elapsed()
        });
        times.min().unwrap_or_default()
    };
    // On a busy machine a measurement may be of its neighbours: what grows too fast does so every time.
    let measure = || {
        let small = best(size).max(std::time::Duration::from_micros(100));
        (small, best(20 * size))
    };
    let mut measured = measure();
    for _ in 0..3 {
        if measured.1 < measured.0 * 150 {
            return;
        }
        measured = measure();
    }
    let (small, large) = measured;
    panic!("{name}: {small:?} for {size}, {large:?} for twenty times as much");
}
