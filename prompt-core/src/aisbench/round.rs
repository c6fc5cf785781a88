//! Which role speaks when: the same for one text and for messages.

use super::{Dialogue, Item, MetaRole, MetaTemplate, RoundPart, Turn};
use crate::{Part, Result, Text};

/// One thing after another that a model is told.
#[derive(Clone, Copy)]
pub(super) enum Line<'a> {
    /// Text of the model's format.
    Format(&'a str),
    /// Text of the meta template before everything.
    Begin(&'a Text),
    /// Text of a dialogue before its rounds, that no role says.
    Opening(&'a Text),
    /// Text of a dialogue anywhere else, that no role says.
    Text(&'a Text),
    /// A role speaks, in the turn with this index or in words of its own.
    Said(&'a MetaRole, Words<'a>),
    /// A role is to speak: the model goes on here, and nothing follows.
    Opened(&'a MetaRole),
    /// What ends a complete text.
    End(&'a str),
}

#[derive(Clone, Copy)]
pub(super) enum Words<'a> {
    Turn(usize, &'a [Part]),
    Own(&'a str),
}

/// What `meta` makes of a dialogue: up to where the model goes on, or complete.
pub(super) fn lines<'a>(
    meta: &'a MetaTemplate,
    dialogue: &'a Dialogue,
    generate: bool,
) -> Result<Vec<Line<'a>>> {
    meta.check()?;
    let mut out = Lines {
        meta,
        // Instructions, a few turns of each example, the question and the marks around it.
        lines: Vec::with_capacity(24),
        turns: 0,
    };
    match &meta.begin {
        Some(Item::Text(text)) => out.lines.push(Line::Begin(text)),
        Some(item) => {
            out.item(item)?;
            // Turns are counted in the dialogue.
            out.turns = 0;
        }
        None => {}
    }
    for item in &dialogue.begin {
        match item {
            Item::Text(text) => out.lines.push(Line::Opening(text)),
            item => out.item(item)?,
        }
    }
    let spoken = out.spoken_in(&dialogue.round)?;
    let mut rounds = cut(&spoken).peekable();
    while let Some(round) = rounds.next() {
        if out.round(round, generate && rounds.peek().is_none()) {
            return Ok(out.lines);
        }
    }
    for item in &dialogue.end {
        out.item(item)?;
    }
    if !meta.end.is_empty() {
        out.lines.push(Line::End(&meta.end));
    }
    Ok(out.lines)
}

struct Lines<'a> {
    meta: &'a MetaTemplate,
    lines: Vec<Line<'a>>,
    /// How many turns of the dialogue came before.
    turns: usize,
}

/// An item of a round: a turn with its place in the round and its index, or what stands beside the round's roles.
enum Spoken<'a> {
    InRound(usize, usize, &'a Turn),
    Beside(Line<'a>),
}

impl<'a> Lines<'a> {
    fn item(&mut self, item: &'a Item) -> Result<()> {
        match item {
            Item::Text(text) => self.lines.push(Line::Text(text)),
            Item::Turn(turn) => {
                let line = self.said(turn)?;
                self.lines.push(line);
            }
            Item::Examples(turns) => {
                let mut spoken = Vec::with_capacity(turns.len());
                for turn in turns {
                    spoken.push(self.spoken(turn)?);
                }
                for round in cut(&spoken) {
                    self.round(round, false);
                }
            }
        }
        Ok(())
    }

    fn said(&mut self, turn: &'a Turn) -> Result<Line<'a>> {
        let at = self.turns;
        let role = self
            .meta
            .role_of(turn)
            .map_err(|error| error.at_index(at))?;
        self.turns += 1;
        Ok(Line::Said(role, Words::Turn(at, &turn.parts)))
    }

    fn spoken(&mut self, turn: &'a Turn) -> Result<Spoken<'a>> {
        let at = self.turns;
        let line = self.said(turn)?;
        let Line::Said(role, _) = &line else {
            return Ok(Spoken::Beside(line));
        };
        Ok(match self.meta.place(&role.name) {
            Some(place) => Spoken::InRound(place, at, turn),
            None => Spoken::Beside(line),
        })
    }

    fn spoken_in(&mut self, items: &'a [Item]) -> Result<Vec<Spoken<'a>>> {
        let mut spoken = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Item::Text(text) => spoken.push(Spoken::Beside(Line::Text(text))),
                Item::Turn(turn) => spoken.push(self.spoken(turn)?),
                Item::Examples(turns) => {
                    for turn in turns {
                        spoken.push(self.spoken(turn)?);
                    }
                }
            }
        }
        Ok(spoken)
    }

    /// Writes a round, and says whether the model goes on inside it.
    fn round(&mut self, spoken: &[Spoken<'a>], generate: bool) -> bool {
        let mut next = 0;
        for item in spoken {
            match item {
                Spoken::Beside(line) => self.lines.push(*line),
                Spoken::InRound(place, at, turn) => {
                    if self.unspoken(next..*place, generate) {
                        return true;
                    }
                    let RoundPart::Role(role) = &self.meta.round[*place] else {
                        continue;
                    };
                    if generate && role.generate {
                        self.lines.push(Line::Opened(role));
                        return true;
                    }
                    self.lines
                        .push(Line::Said(role, Words::Turn(*at, &turn.parts)));
                    next = place + 1;
                }
            }
        }
        self.unspoken(next..self.meta.round.len(), generate)
    }

    /// Writes the parts of the round that the dialogue says nothing for.
    fn unspoken(&mut self, parts: std::ops::Range<usize>, generate: bool) -> bool {
        for part in &self.meta.round[parts] {
            match part {
                RoundPart::Text(text) => self.lines.push(Line::Format(text)),
                RoundPart::Role(role) if generate && role.generate => {
                    self.lines.push(Line::Opened(role));
                    return true;
                }
                RoundPart::Role(role) => {
                    if let Some(prompt) = &role.prompt {
                        self.lines.push(Line::Said(role, Words::Own(prompt)));
                    }
                }
            }
        }
        false
    }
}

/// A round ends where a role speaks that stands no later in it than the one before.
fn cut<'s, 'a>(mut rest: &'s [Spoken<'a>]) -> impl Iterator<Item = &'s [Spoken<'a>]> {
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut next = 0;
        let end = rest.iter().position(|item| match item {
            Spoken::InRound(place, ..) => {
                let begins = *place < next;
                next = place + 1;
                begins
            }
            Spoken::Beside(_) => false,
        });
        let (round, others) = rest.split_at(end.unwrap_or(rest.len()));
        rest = others;
        Some(round)
    })
}
