//! The order of a dialogue's turns under a meta template: one sequence, from which text and messages are made.

use std::ops::Range;

use super::dialogue::{dataset_names, round_start};
use super::{Dialogue, Item, MetaRole, MetaTemplate, RoundPart, Turn};
use prompt_core::{Messages, Part, Result, Text};

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

/// A turn of a dialogue or a message.
#[derive(Clone, Copy)]
pub(super) struct BorrowedTurn<'a> {
    pub(super) role: &'a str,
    /// The role if the meta template does not have the first one.
    pub(super) fallback: Option<&'a str>,
    pub(super) parts: &'a [Part],
}

/// Text without a role, a turn, or examples.
#[derive(Clone, Copy)]
pub(super) enum Speech<'a> {
    Text(&'a Text),
    Turn(BorrowedTurn<'a>),
    Examples(&'a [Turn]),
}

impl<'a> From<&'a Item> for Speech<'a> {
    fn from(item: &'a Item) -> Speech<'a> {
        match item {
            Item::Text(text) => Speech::Text(text),
            Item::Turn(turn) => Speech::Turn(borrow_turn(turn)),
            Item::ExampleTurns(turns) => Speech::Examples(turns),
        }
    }
}

pub(super) fn borrow_turn(turn: &Turn) -> BorrowedTurn<'_> {
    BorrowedTurn {
        role: &turn.role,
        fallback: turn.fallback.as_deref(),
        parts: &turn.parts,
    }
}

/// A dialogue: what is before the rounds, the rounds, and what is after them.
pub(super) type DialogueSections<'a> = [Vec<Speech<'a>>; 3];

pub(super) fn dialogue_sections(dialogue: &Dialogue) -> DialogueSections<'_> {
    let sections = [&dialogue.begin, &dialogue.round, &dialogue.end];
    sections.map(|items| items.iter().map(Speech::from).collect())
}

/// The sections of the dialogue of messages.
pub(super) fn message_sections(messages: &Messages) -> DialogueSections<'_> {
    let turns = messages.iter().map(|message| {
        let (role, fallback) = dataset_names(message.role);
        Speech::Turn(BorrowedTurn {
            role,
            fallback,
            parts: &message.parts,
        })
    });
    let mut begin: Vec<_> = turns.collect();
    let round = begin.split_off(round_start(messages));
    [begin, round, Vec::new()]
}

/// Texts and turns. Examples are flattened into their turns.
pub(super) fn flatten_examples<'a>(section: &[Speech<'a>]) -> impl Iterator<Item = Speech<'a>> {
    section.iter().flat_map(|speech| {
        let (one, examples) = match *speech {
            Speech::Examples(turns) => (None, turns),
            one => (Some(one), &[][..]),
        };
        let examples = examples.iter().map(|turn| Speech::Turn(borrow_turn(turn)));
        one.into_iter().chain(examples)
    })
}

/// The lines of a dialogue after `begin`, which is the meta template's own beginning where the output includes it. With
/// `generate` they end at the turn that the model generates; otherwise they are complete. In a `text` for a meta template without a
/// generating role, the last round is written completely: its roles without a turn after the last one are empty turns.
pub(super) fn dialogue_elements<'a>(
    meta: &'a MetaTemplate,
    begin: Option<&'a Item>,
    [before, round, after]: &DialogueSections<'a>,
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
            out.add(item.into())?;
            // Only turns of the dialogue are counted.
            out.turns = 0;
        }
        None => {}
    }
    for speech in before {
        match *speech {
            Speech::Text(text) => out.lines.push(DialogueElement::Opening(text)),
            speech => out.add(speech)?,
        }
    }
    if out.add_rounds(round, generate)? {
        return Ok(out.lines);
    }
    for speech in after {
        out.add(*speech)?;
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
    fn add(&mut self, speech: Speech<'a>) -> Result<()> {
        match self.place_turn(speech)? {
            Some((_, line)) => self.lines.push(line),
            None => _ = self.add_rounds(&[speech], false)?,
        }
        Ok(())
    }

    /// The line of a text or a turn. `None` for examples, which are several.
    fn place_turn(&mut self, speech: Speech<'a>) -> Result<Option<Placed<'a>>> {
        let turn = match speech {
            Speech::Text(text) => return Ok(Some((None, DialogueElement::Text(text)))),
            Speech::Turn(turn) => turn,
            Speech::Examples(_) => return Ok(None),
        };
        let index = self.turns;
        let found = self.meta.role_of(turn);
        let (position, role) = found.map_err(|error| error.at_index(index))?;
        self.turns += 1;
        let content = TurnContent::Turn(index, turn.parts);
        Ok(Some((position, DialogueElement::Turn(role, content))))
    }

    /// Adds rounds. Returns whether the model generates in the last one.
    ///
    /// A new round begins at a role that does not come later in the round than the role before it.
    fn add_rounds(&mut self, section: &[Speech<'a>], generate: bool) -> Result<bool> {
        let mut round = Vec::new();
        let mut next = 0;
        for speech in flatten_examples(section) {
            let Some((position, line)) = self.place_turn(speech)? else {
                continue;
            };
            if let Some(position) = position {
                if position < next {
                    self.add_round(&round, false);
                    round.clear();
                }
                next = position + 1;
            }
            round.push((position, line));
        }
        Ok(!round.is_empty() && self.add_round(&round, generate))
    }

    /// Adds a round. Returns whether the model generates in it.
    fn add_round(&mut self, round: &[Placed<'a>], generate: bool) -> bool {
        let mut next = 0;
        for (position, line) in round {
            if let Some(position) = *position {
                if self.without_turn(next..position, generate, None) {
                    return true;
                }
                next = position + 1;
                if let RoundPart::Role(role) = &self.meta.round[position]
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
