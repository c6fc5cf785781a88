//! Which role speaks when: the same for one text and for messages.

use super::dialogue::{Piece, Said, Speech};
use super::{Item, MetaRole, MetaTemplate, RoundPart};
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
    said: &'a impl Said,
    generate: bool,
) -> Result<Vec<Line<'a>>> {
    let mut out = Lines::of(meta)?;
    match &meta.begin {
        Some(Item::Text(text)) => out.lines.push(Line::Begin(text)),
        Some(item) => {
            out.piece(item.into())?;
            // Turns are counted in the dialogue.
            out.turns = 0;
        }
        None => {}
    }
    out.dialogue(said, generate)
}

/// The same without what the meta template begins with.
pub(super) fn lines_of_dialogue<'a>(
    meta: &'a MetaTemplate,
    said: &'a impl Said,
    generate: bool,
) -> Result<Vec<Line<'a>>> {
    Lines::of(meta)?.dialogue(said, generate)
}

struct Lines<'a> {
    meta: &'a MetaTemplate,
    lines: Vec<Line<'a>>,
    /// How many turns of the dialogue came before.
    turns: usize,
}

/// A line of a round, and its place in it; none of what stands beside the round's roles.
type Placed<'a> = (Option<usize>, Line<'a>);

impl<'a> Lines<'a> {
    fn of(meta: &'a MetaTemplate) -> Result<Lines<'a>> {
        meta.check()?;
        Ok(Lines {
            meta,
            // Instructions, a few turns of each example, the question and the marks around it.
            lines: Vec::with_capacity(24),
            turns: 0,
        })
    }

    fn dialogue(mut self, said: &'a impl Said, generate: bool) -> Result<Vec<Line<'a>>> {
        for piece in said.begin() {
            match piece {
                Piece::One(Speech::Text(text)) => self.lines.push(Line::Opening(text)),
                piece => self.piece(piece)?,
            }
        }
        if self.rounds(said.round(), generate)? {
            return Ok(self.lines);
        }
        for piece in said.end() {
            self.piece(piece)?;
        }
        if !self.meta.end.is_empty() {
            self.lines.push(Line::End(&self.meta.end));
        }
        Ok(self.lines)
    }

    fn piece(&mut self, piece: Piece<'a>) -> Result<()> {
        match piece {
            Piece::One(speech) => {
                let (_, line) = self.placed(speech)?;
                self.lines.push(line);
            }
            Piece::Examples(turns) => {
                self.rounds(turns.iter().map(Speech::from), false)?;
            }
        }
        Ok(())
    }

    fn placed(&mut self, speech: Speech<'a>) -> Result<Placed<'a>> {
        let turn = match speech {
            Speech::Text(text) => return Ok((None, Line::Text(text))),
            Speech::Turn(turn) => turn,
        };
        let at = self.turns;
        let found = self.meta.role_of(turn);
        let (place, role) = found.map_err(|error| error.at_index(at))?;
        self.turns += 1;
        Ok((place, Line::Said(role, Words::Turn(at, turn.parts))))
    }

    /// Writes rounds, and says whether the model goes on inside the last of them.
    ///
    /// A round ends where a role speaks that stands no later in it than the one before.
    fn rounds(&mut self, said: impl Iterator<Item = Speech<'a>>, generate: bool) -> Result<bool> {
        let mut round = Vec::with_capacity(8);
        let mut next = 0;
        for speech in said {
            let (place, line) = self.placed(speech)?;
            if let Some(place) = place {
                if place < next {
                    self.round(&round, false);
                    round.clear();
                }
                next = place + 1;
            }
            round.push((place, line));
        }
        Ok(!round.is_empty() && self.round(&round, generate))
    }

    /// Writes a round, and says whether the model goes on inside it.
    fn round(&mut self, said: &[Placed<'a>], generate: bool) -> bool {
        let mut next = 0;
        for (place, line) in said {
            if let Some(place) = *place {
                if self.unspoken(next..place, generate) {
                    return true;
                }
                next = place + 1;
                if let RoundPart::Role(role) = &self.meta.round[place]
                    && generate
                    && role.generate
                {
                    self.lines.push(Line::Opened(role));
                    return true;
                }
            }
            self.lines.push(*line);
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
