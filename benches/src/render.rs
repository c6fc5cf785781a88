//! A prompt of six slots, strings and integers, as one text.

mod askama;
mod engines;
mod floor;
mod formatted;
mod ours;

use crate::measure::{Contest, Outcome};

/// What fills the slots.
#[derive(serde::Serialize, Clone, Debug)]
pub(crate) struct Ticket {
    pub(crate) product: String,
    pub(crate) customer: String,
    pub(crate) order: u64,
    pub(crate) days: u32,
    pub(crate) passages: String,
    pub(crate) question: String,
}

impl Ticket {
    /// A ticket whose prompt has about this many bytes.
    pub(crate) fn of(bytes: usize) -> Ticket {
        let mut ticket = Ticket {
            product: "Acme Router 3000".to_owned(),
            customer: "Ada Lovelace".to_owned(),
            order: 1_815_121_042,
            days: 36,
            passages: String::new(),
            question: "May I send back a router that I have opened?".to_owned(),
        };
        let passage =
            "Goods may be sent back within 60 days. An opened box is no reason to refuse. ";
        let rest = bytes.saturating_sub(floor::text(&ticket).len());
        ticket.passages = passage.chars().cycle().take(rest).collect();
        ticket
    }
}

const SIZES: [(&str, usize); 3] = [("0.6 KB", 600), ("2.4 KB", 2_400), ("20 KB", 20_000)];

/// Renders into a new `String`, and into one that is kept.
pub(crate) fn run() -> Vec<Outcome> {
    let engines = engines::Engines::new();
    let mut outcomes = Vec::new();
    for (size, bytes) in SIZES {
        let ticket = Ticket::of(bytes);
        let mut fresh = Contest::new(format!("six slots, {size}, a new `String`"));
        let same = String::clone;
        fresh
            .entry("floor", same, || floor::text(&ticket))
            .entry("typed-prompt", same, || ours::text(&ticket))
            .entry("askama", same, || askama::text(&ticket))
            .entry("format!", same, || formatted::text(&ticket))
            .entry("typed-prompt: messages()", ours::shown, || {
                ours::messages(&ticket)
            })
            .entry("minijinja", same, || engines.minijinja(&ticket))
            .entry("tera", same, || engines.tera(&ticket))
            .entry("handlebars", same, || engines.handlebars(&ticket));
        outcomes.push(fresh.run());

        let mut kept = Contest::new(format!("six slots, {size}, a `String` kept"));
        kept.reused("floor", |out| floor::write(&ticket, out))
            .reused("typed-prompt", |out| ours::write(&ticket, out))
            .reused("askama", |out| askama::write(&ticket, out))
            .reused("write!", |out| formatted::write(&ticket, out));
        outcomes.push(kept.run());
    }
    outcomes
}
