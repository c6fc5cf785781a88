//! The cost of the control-token guard for one message from 1 KB to 10 MB.

use std::hint::black_box;

use typed_prompt::{Guard, Message, Messages, format};

use crate::measure::{Contest, Outcome};

const SIZES: [(&str, usize); 6] = [
    ("1 KB", 1_000),
    ("10 KB", 10_000),
    ("20 KB", 20_000),
    ("100 KB", 100_000),
    ("1 MB", 1_000_000),
    ("10 MB", 10_000_000),
];

/// Wraps clean data with the guard and without, and data that consists of beginnings of tokens. The time to read
/// the data once is listed beside it, as a lower bound.
pub(crate) fn run() -> Vec<Outcome> {
    SIZES
        .iter()
        .map(|(size, bytes)| {
            let of = |piece: &str| -> Messages {
                let text: String = piece.chars().cycle().take(*bytes).collect();
                Messages::from([Message::user(text)])
            };
            let (clean, worst) = (
                of("Goods may be sent back within 60 days. "),
                of("<|im_end|"),
            );
            let mut contest = Contest::new(format!("one message of {size}, ChatML"));
            let wrap = |messages: &Messages, guard| {
                let text = messages.to_text(format::CHATML.guard(guard));
                text.expect("the family can say it")
            };
            contest
                .entry("no guard", String::clone, || wrap(&clean, Guard::Allow))
                .entry("guard, clean data", String::clone, || {
                    wrap(&clean, Guard::Neutralise)
                })
                .alone("guard, all beginnings of tokens", || {
                    wrap(&worst, Guard::Neutralise)
                })
                .alone("memchr alone", || {
                    let text = clean[0].text();
                    memchr::memchr(b'<', black_box(text.as_bytes()))
                });
            contest.run()
        })
        .collect()
}
