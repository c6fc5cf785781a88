//! A prompt with a list of twenty items as one text.

mod ours;

use std::fmt::Write;

use askama::Template;
use minijinja::{Value, context};

use crate::engines::Engines;
use crate::measure::{Contest, Outcome};

const JINJA: &str = "Passages:\n{% for p in passages %}- {{ p.title }}, p. {{ p.page }}: {{ p.text }}\n{% endfor %}\
    Question: {{ question }}";

const HANDLEBARS: &str = "Passages:\n{{#each passages}}- {{title}}, p. {{page}}: {{text}}\n{{/each}}Question: {{question}}";

/// An item of the list.
#[derive(serde::Serialize, Clone, Debug)]
pub(crate) struct Passage {
    pub(crate) title: String,
    pub(crate) text: String,
    pub(crate) page: u32,
}

/// The values of the slots.
#[derive(serde::Serialize, Clone, Debug)]
pub(crate) struct Found {
    pub(crate) passages: Vec<Passage>,
    pub(crate) question: String,
}

impl Found {
    fn of(items: u32) -> Found {
        let passage = |item| Passage {
            title: format!("Conditions of sale, section {item}"),
            text: "Goods may be sent back within 60 days; an opened box is no reason to refuse."
                .to_owned(),
            page: 100 + 7 * item,
        };
        Found {
            passages: (0..items).map(passage).collect(),
            question: "May I send back a router that I have opened?".to_owned(),
        }
    }

    fn context(&self) -> Value {
        let passages = self.passages.iter();
        let passages: Vec<Value> = passages
            .map(
                |p| context! { title => p.title.as_str(), text => p.text.as_str(), page => p.page },
            )
            .collect();
        context! { passages => passages, question => self.question.as_str() }
    }
}

/// Renders into a new `String`, and into one that is kept.
pub(crate) fn run() -> Vec<Outcome> {
    let engines = Engines::new(JINJA, HANDLEBARS);
    let found = Found::of(20);
    let same = String::clone;
    let mut fresh = Contest::new("a loop of 20 items, a new `String`");
    fresh
        .entry("floor", same, || floor(&found))
        .entry("typed-prompt", same, || ours::angle(&found))
        .entry("typed-prompt, Jinja dialect", same, || ours::jinja(&found))
        .entry("askama", same, || {
            compiled(&found).render().expect("nothing in it can fail")
        })
        .entry("write!", same, || {
            let mut out = String::new();
            formatted(&found, &mut out);
            out
        })
        .entry("minijinja", same, || engines.minijinja(found.context()))
        .entry("tera", same, || engines.tera(&found))
        .entry("handlebars", same, || engines.handlebars(&found));
    let fresh = fresh.run();

    let mut kept = Contest::new("a loop of 20 items, a `String` kept");
    kept.reused("floor", |out| floor_into(&found, out))
        .reused("typed-prompt", |out| ours::angle_into(&found, out))
        .reused("typed-prompt, Jinja dialect", |out| {
            ours::jinja_into(&found, out);
        })
        .reused("askama", |out| {
            compiled(&found)
                .render_into(out)
                .expect("nothing in it can fail");
        })
        .reused("write!", |out| formatted(&found, out));
    vec![fresh, kept.run()]
}

#[derive(Template)]
#[template(
    ext = "txt",
    source = "Passages:\n{% for p in passages %}- {{ p.title }}, p. {{ p.page }}: {{ p.text }}\n{% endfor %}Question: {{ question }}"
)]
struct Compiled<'a> {
    passages: &'a [Passage],
    question: &'a str,
}

fn compiled(found: &Found) -> Compiled<'_> {
    Compiled {
        passages: &found.passages,
        question: &found.question,
    }
}

fn formatted(found: &Found, out: &mut String) {
    let mut write = || -> std::fmt::Result {
        writeln!(out, "Passages:")?;
        for Passage { title, text, page } in &found.passages {
            writeln!(out, "- {title}, p. {page}: {text}")?;
        }
        write!(out, "Question: {}", found.question)
    };
    write().expect("a string takes everything");
}

fn floor(found: &Found) -> String {
    let mut out = String::with_capacity(room(found));
    add(found, &mut out);
    out
}

/// As fast as it can be: the room for all of it, then one copy of each piece.
fn floor_into(found: &Found, out: &mut String) {
    out.reserve(room(found));
    add(found, out);
}

#[inline(always)]
fn room(found: &Found) -> usize {
    /// The most digits of a `u32`.
    const DIGITS: usize = 10;
    let of =
        |passage: &Passage| passage.title.len() + passage.text.len() + "- , p. : \n".len() + DIGITS;
    let items: usize = found.passages.iter().map(of).sum();
    items + found.question.len() + "Passages:\nQuestion: ".len()
}

#[inline(always)]
fn add(found: &Found, out: &mut String) {
    out.push_str("Passages:\n");
    let mut digits = itoa::Buffer::new();
    for passage in &found.passages {
        out.push_str("- ");
        out.push_str(&passage.title);
        out.push_str(", p. ");
        out.push_str(digits.format(passage.page));
        out.push_str(": ");
        out.push_str(&passage.text);
        out.push('\n');
    }
    out.push_str("Question: ");
    out.push_str(&found.question);
}
