//! Asserts that work takes linear time.

/// One large piece of work may take a few times as long as twenty small ones, because of caches and other work on the machine; work
/// that grows with the square would take twenty times as long.
pub(crate) fn assert_linear(name: &str, size: usize, work: impl Fn(usize)) {
    let best = |times: usize, pieces: usize, size: usize| {
        let times = (0..times).map(|_| {
            let start = std::time::Instant::now();
            (0..pieces).for_each(|_| work(size));
            start.elapsed()
        });
        times.min().unwrap_or_default()
    };
    let mut measured = String::new();
    for times in [1, 3, 3, 5] {
        // Both take about the same time, so that other work on the machine slows both equally.
        let small = best(times, 20, size).max(std::time::Duration::from_millis(1));
        let large = best(times, 1, 20 * size);
        if large < small * 7 {
            return;
        }
        measured = format!("{small:?} for {size} twenty times, {large:?} for as much in one");
    }
    panic!("{name}: {measured}");
}
