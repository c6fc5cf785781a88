//! A prompt of six slots, strings and integers, as one text.

mod askama;
mod floor;
mod formatted;
mod ours;

use std::hint::black_box;

use minijinja::{Value, context};
use typed_prompt::Prompt;

use crate::engines::Engines;
use crate::measure::{Contest, Outcome};

/// For the engines that parse it at run time: all three have this notation of slots.
const JINJA: &str = "You help the customers of {{ product }}.\nAnswer from the passages only, in the customer's language, \
    in at most five sentences. If the passages do not say it, write that you do not know and offer to ask a colleague.\n\n\
    Customer: {{ customer }}\nOrder: {{ order }}\nDays since delivery: {{ days }}\n\nPassages:\n{{ passages }}\n\n\
    Question: {{ question }}\n\nAnswer:";

/// The values of the slots.
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

    fn context(&self) -> Value {
        context! {
            product => self.product.as_str(),
            customer => self.customer.as_str(),
            order => self.order,
            days => self.days,
            passages => self.passages.as_str(),
            question => self.question.as_str(),
        }
    }
}

const SIZES: [(&str, usize); 3] = [("0.6 KB", 600), ("2.4 KB", 2_400), ("20 KB", 20_000)];

/// Renders into a new `String`, and into one that is kept.
pub(crate) fn run() -> Vec<Outcome> {
    let engines = Engines::new(JINJA, JINJA);
    let mut outcomes = Vec::new();
    for (size, bytes) in SIZES {
        let ticket = Ticket::of(bytes);
        // The values exist before the measurement, and are hidden from the optimiser.
        let (ask, compiled) = (ours::Ask::of(&ticket), askama::Compiled::of(&ticket));
        let mut fresh = Contest::new(format!("six slots, {size}, a new `String`"));
        let same = String::clone;
        fresh
            .entry("floor", same, || floor::text(black_box(&ticket)))
            .entry("typed-prompt", same, || ours::text(black_box(&ask)))
            .entry("askama", same, || askama::text(black_box(&compiled)))
            .entry("format!", same, || formatted::text(black_box(&ticket)))
            .entry("typed-prompt: messages()", ours::shown, || {
                black_box(&ask).messages().unwrap()
            })
            .entry("minijinja", same, || engines.minijinja(ticket.context()))
            .entry("tera", same, || engines.tera(&ticket))
            .entry("handlebars", same, || engines.handlebars(&ticket));
        outcomes.push(fresh.run());

        let mut kept = Contest::new(format!("six slots, {size}, a `String` kept"));
        kept.reused("floor", |out| floor::write(black_box(&ticket), out))
            .reused("typed-prompt", |out| ours::write(black_box(&ask), out))
            .reused("askama", |out| askama::write(black_box(&compiled), out))
            .reused("write!", |out| formatted::write(black_box(&ticket), out));
        outcomes.push(kept.run());
    }
    outcomes
}
