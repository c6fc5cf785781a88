//! The order of a dialogue's turns under a meta template: one sequence, from which text and messages are made.

use std::ops::Range;

use super::dialogue::{names, round_start};
use super::{Dialogue, Item, MetaRole, MetaTemplate, RoundPart, Turn};
use prompt_core::{Message, Messages, Part, Result, Text};

/// One element of a dialogue under a meta template.
#[derive(Clone, Copy)]
pub(super) enum DialogueElement<'a> {
    /// Text of the model's format, in a round.
    Format(&'a str),
    /// Text that the meta template begins with.
    Begin(&'a Text),
    /// Text without a role, before the rounds.
    Opening(&'a Text),
    /// Text without a role, anywhere else.
    Text(&'a Text),
    /// A turn of a role.
    Turn(&'a MetaRole, TurnContent<'a>),
    /// The turn that the model generates. It is the last element.
    Generate(&'a MetaRole),
    /// Text after a complete dialogue.
    End(&'a str),
}

#[derive(Clone, Copy)]
pub(super) enum TurnContent<'a> {
    /// The turn of the dialogue with this index.
    Turn(usize, &'a [Part]),
    /// The default prompt of the role.
    Default(&'a str),
}

/// A turn, borrowed from a dialogue or from messages.
#[derive(Clone, Copy)]
pub(super) struct BorrowedTurn<'a> {
    pub(super) role: &'a str,
    pub(super) fallback: Option<&'a str>,
    pub(super) parts: &'a [Part],
}

impl<'a> From<&'a Turn> for BorrowedTurn<'a> {
    fn from(turn: &'a Turn) -> BorrowedTurn<'a> {
        BorrowedTurn {
            role: &turn.role,
            fallback: turn.fallback.as_deref(),
            parts: &turn.parts,
        }
    }
}

impl<'a> From<&'a Message> for BorrowedTurn<'a> {
    fn from(message: &'a Message) -> BorrowedTurn<'a> {
        let (role, fallback) = names(message.role);
        BorrowedTurn {
            role,
            fallback,
            parts: &message.parts,
        }
    }
}

/// Text without a role, or a turn.
#[derive(Clone, Copy)]
pub(super) enum Speech<'a> {
    Text(&'a Text),
    Turn(BorrowedTurn<'a>),
}

impl<'a> Speech<'a> {
    fn turn(turn: impl Into<BorrowedTurn<'a>>) -> Speech<'a> {
        Speech::Turn(turn.into())
    }
}

/// An item of a dialogue, borrowed.
#[derive(Clone, Copy)]
pub(super) enum BorrowedItem<'a> {
    Speech(Speech<'a>),
    ExampleTurns(&'a [Turn]),
}

impl<'a> From<&'a Item> for BorrowedItem<'a> {
    fn from(item: &'a Item) -> BorrowedItem<'a> {
        match item {
            Item::Text(text) => BorrowedItem::Speech(Speech::Text(text)),
            Item::Turn(turn) => BorrowedItem::Speech(Speech::turn(turn)),
            Item::ExampleTurns(turns) => BorrowedItem::ExampleTurns(turns),
        }
    }
}

/// A dialogue, borrowed: the items before the rounds, of the rounds, and after them.
pub(super) struct Sections<'a>(pub(super) [Vec<BorrowedItem<'a>>; 3]);

impl<'a> From<&'a Dialogue> for Sections<'a> {
    fn from(dialogue: &'a Dialogue) -> Sections<'a> {
        let sections = [&dialogue.begin, &dialogue.round, &dialogue.end];
        Sections(sections.map(|items| items.iter().map(BorrowedItem::from).collect()))
    }
}

impl<'a> From<&'a Messages> for Sections<'a> {
    fn from(messages: &'a Messages) -> Sections<'a> {
        let item = |message| BorrowedItem::Speech(Speech::turn(message));
        let mut begin: Vec<_> = messages.iter().map(item).collect();
        let round = begin.split_off(round_start(messages));
        Sections([begin, round, Vec::new()])
    }
}

/// Flattens examples into their turns.
pub(super) fn speeches<'a>(items: &[BorrowedItem<'a>]) -> impl Iterator<Item = Speech<'a>> {
    items.iter().flat_map(|item| {
        let (one, examples) = match *item {
            BorrowedItem::Speech(speech) => (Some(speech), &[][..]),
            BorrowedItem::ExampleTurns(turns) => (None, turns),
        };
        one.into_iter().chain(examples.iter().map(Speech::turn))
    })
}

/// The lines of a dialogue after `begin`, which is the meta template's own beginning where the output includes it. With
/// `generate` they end at the turn that the model generates; otherwise they are complete. In a `text` for a meta template without a
/// generating role, the last round is written completely: its roles without a turn after the last one are empty turns.
pub(super) fn lines<'a>(
    meta: &'a MetaTemplate,
    begin: Option<&'a Item>,
    Sections([before, round, after]): &Sections<'a>,
    generate: bool,
    text: bool,
) -> Result<Vec<DialogueElement<'a>>> {
    let generates = |part: &RoundPart| matches!(part, RoundPart::Role(role) if role.generate);
    let mut out = DialogueLines {
        meta,
        lines: Vec::with_capacity(before.len() + round.len() + after.len() + 4),
        turns: 0,
        completes: text && generate && !meta.round.iter().any(generates),
    };
    match begin {
        Some(Item::Text(text)) => out.lines.push(DialogueElement::Begin(text)),
        Some(item) => {
            out.item(item.into())?;
            // Only turns of the dialogue are counted.
            out.turns = 0;
        }
        None => {}
    }
    for item in before {
        match *item {
            BorrowedItem::Speech(Speech::Text(text)) => {
                out.lines.push(DialogueElement::Opening(text));
            }
            item => out.item(item)?,
        }
    }
    if out.rounds(speeches(round), generate)? {
        return Ok(out.lines);
    }
    for item in after {
        out.item(*item)?;
    }
    if !meta.end.is_empty() {
        out.lines.push(DialogueElement::End(&meta.end));
    }
    Ok(out.lines)
}

struct DialogueLines<'a> {
    meta: &'a MetaTemplate,
    lines: Vec<DialogueElement<'a>>,
    /// How many turns of the dialogue precede.
    turns: usize,
    /// Whether the last round ends with empty turns.
    completes: bool,
}

/// A line of a round and the index of its role in the round; `None` for text and reserved roles.
type Placed<'a> = (Option<usize>, DialogueElement<'a>);

impl<'a> DialogueLines<'a> {
    fn item(&mut self, item: BorrowedItem<'a>) -> Result<()> {
        match item {
            BorrowedItem::Speech(speech) => {
                let (_, line) = self.placed(speech)?;
                self.lines.push(line);
            }
            BorrowedItem::ExampleTurns(turns) => {
                self.rounds(turns.iter().map(Speech::turn), false)?;
            }
        }
        Ok(())
    }

    fn placed(&mut self, speech: Speech<'a>) -> Result<Placed<'a>> {
        let turn = match speech {
            Speech::Text(text) => return Ok((None, DialogueElement::Text(text))),
            Speech::Turn(turn) => turn,
        };
        let index = self.turns;
        let found = self.meta.role_of(&turn);
        let (place, role) = found.map_err(|error| error.at_index(index))?;
        self.turns += 1;
        Ok((
            place,
            DialogueElement::Turn(role, TurnContent::Turn(index, turn.parts)),
        ))
    }

    /// Adds rounds. Returns whether the model generates in the last one.
    ///
    /// A new round begins at a role that does not come later in the round than the role before it.
    fn rounds(
        &mut self,
        speeches: impl Iterator<Item = Speech<'a>>,
        generate: bool,
    ) -> Result<bool> {
        let mut round = Vec::new();
        let mut next = 0;
        for speech in speeches {
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

    /// Adds a round. Returns whether the model generates in it.
    fn round(&mut self, round: &[Placed<'a>], generate: bool) -> bool {
        let mut next = 0;
        for (place, line) in round {
            if let Some(place) = *place {
                if self.without_turn(next..place, generate, None) {
                    return true;
                }
                next = place + 1;
                if let RoundPart::Role(role) = &self.meta.round[place]
                    && generate
                    && role.generate
                {
                    self.lines.push(DialogueElement::Generate(role));
                    return true;
                }
            }
            self.lines.push(*line);
        }
        let empty = (generate && self.completes).then_some("");
        self.without_turn(next..self.meta.round.len(), generate, empty)
    }

    /// Adds parts of the round for which the dialogue has no turn; `default` is the content of a role without a prompt. Returns whether
    /// the model generates in one of them.
    fn without_turn(
        &mut self,
        parts: Range<usize>,
        generate: bool,
        default: Option<&'static str>,
    ) -> bool {
        for part in &self.meta.round[parts] {
            match part {
                RoundPart::Text(text) => self.lines.push(DialogueElement::Format(text)),
                RoundPart::Role(role) if generate && role.generate => {
                    self.lines.push(DialogueElement::Generate(role));
                    return true;
                }
                RoundPart::Role(role) => {
                    if let Some(prompt) = role.prompt.as_deref().or(default) {
                        let content = TurnContent::Default(prompt);
                        self.lines.push(DialogueElement::Turn(role, content));
                    }
                }
            }
        }
        false
    }
}
