//! Names in scope of a Jinja template: fields, and what `set`, `with`, loops, macros and conditions bind.

use std::rc::Rc;

use proc_macro2::{Ident, Span as TokenSpan};
use prompt_syntax::kind::Kind;
use prompt_syntax::problem::name::Bound;
use prompt_syntax::{Macro, Node, Span};

use crate::model::Place;
use crate::place::{OWN_NAMES, identifier};

/// A name that the template gives to something.
pub(crate) struct Name {
    /// The path that stands for it.
    pub(crate) name: String,
    pub(crate) meaning: Meaning,
    /// Where it was written, if it has to be used.
    pub(crate) written: Option<(Span, Bound)>,
    pub(crate) used: bool,
    /// Whether it has a value wherever it can be seen.
    pub(crate) certain: bool,
}

#[derive(Clone)]
pub(crate) enum Meaning {
    /// Another name for something in Rust: an item of a list, what is in an `Option`, a field.
    Place {
        place: Place,
        kind: Kind,
    },
    /// A variable that holds a value.
    Variable {
        ident: Ident,
        kind: Kind,
        /// The fields that its value is made from.
        origins: Vec<usize>,
    },
    Macro(Rc<Defined>),
    /// The loop itself.
    Loop(Ident),
    /// `loop.previtem` or `loop.nextitem` of what is a value; what its items come from.
    Neighbour(Ident, Vec<usize>),
    /// `loop.changed`, and what remembers its values.
    Changed(Ident),
    /// `loop.previtem` or `loop.nextitem` of a loop whose items have no one name.
    NoNeighbour,
}

/// A macro, and what it sees.
pub(crate) struct Defined {
    pub(crate) node: Macro,
    /// How many frames were open around it.
    pub(crate) depth: usize,
    /// Where its text begins in the source.
    pub(crate) offset: usize,
}

/// Names that end together.
#[derive(Default)]
struct Frame {
    /// Whether a `set` inside belongs to the frame around it, as in a condition.
    soft: bool,
    names: Vec<Name>,
    /// Names of variables that a condition sets later on.
    changed: Vec<String>,
    idents: usize,
}

#[derive(Default)]
pub(crate) struct Names {
    frames: Vec<Frame>,
    /// The variables of generated code that can be seen.
    idents: Vec<String>,
}

impl Names {
    /// The names of a template, of which none is there yet.
    pub(crate) fn of(nodes: &[Node]) -> Names {
        let mut names = Names::default();
        names.open(changed(nodes));
        names
    }

    pub(crate) fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Begins a block with names of its own; a condition inside it changes those of `changed`.
    pub(crate) fn open(&mut self, changed: Vec<String>) {
        self.frames.push(Frame {
            changed,
            idents: self.idents.len(),
            ..Frame::default()
        });
    }

    /// Begins a branch of a condition.
    pub(crate) fn open_branch(&mut self) {
        self.frames.push(Frame {
            soft: true,
            idents: self.idents.len(),
            ..Frame::default()
        });
    }

    /// Ends the innermost block or branch.
    pub(crate) fn close(&mut self) -> Vec<Name> {
        let Some(frame) = self.frames.pop() else {
            return Vec::new();
        };
        self.idents.truncate(frame.idents);
        frame.names
    }

    /// Leaves the frames that a macro does not see; [`restore`](Names::restore) takes them.
    pub(crate) fn hide(&mut self, depth: usize) -> Hidden {
        Hidden(self.frames.split_off(depth.min(self.frames.len())))
    }

    pub(crate) fn restore(&mut self, hidden: Hidden) {
        self.frames.extend(hidden.0);
    }

    /// Gives a name in the innermost block, or branch.
    pub(crate) fn bind(&mut self, name: Name) {
        if let Some(frame) = self.frames.last_mut() {
            frame.names.push(name);
        }
    }

    /// Gives a name in the innermost block: a branch ends before it does.
    pub(crate) fn set(&mut self, name: Name) {
        if let Some(frame) = self.frames.iter_mut().rev().find(|frame| !frame.soft) {
            frame.names.push(name);
        }
    }

    /// Whether the innermost block is no branch.
    pub(crate) fn is_block(&self) -> bool {
        self.frames.last().is_none_or(|frame| !frame.soft)
    }

    /// Whether a condition in this block sets the name.
    pub(crate) fn is_changed(&self, name: &str) -> bool {
        let block = self.frames.iter().rev().find(|frame| !frame.soft);
        block.is_some_and(|frame| frame.changed.iter().any(|changed| changed == name))
    }

    /// The innermost meaning of the beginning of a path, and how many of its names that is.
    pub(crate) fn find_path(&mut self, path: &[&str]) -> Option<(&mut Name, usize)> {
        for frame in self.frames.iter_mut().rev() {
            for known in frame.names.iter_mut().rev() {
                let length = known.name.split('.').count();
                if length <= path.len() && known.name.split('.').eq(path[..length].iter().copied())
                {
                    return Some((known, length));
                }
            }
        }
        None
    }

    /// The innermost meaning of a name.
    pub(crate) fn find(&mut self, name: &str) -> Option<&mut Name> {
        self.find_path(&[name]).map(|(name, _)| name)
    }

    /// The variable of that name that the innermost block has set.
    pub(crate) fn own(&mut self, name: &str) -> Option<&mut Name> {
        let block = self.frames.iter_mut().rev().find(|frame| !frame.soft)?;
        let mut names = block.names.iter_mut().rev();
        names.find(|known| known.name == name && matches!(known.meaning, Meaning::Variable { .. }))
    }

    /// The variables of the innermost block and whether they have a value.
    pub(crate) fn certain(&self) -> Vec<bool> {
        let block = self.frames.iter().rev().find(|frame| !frame.soft);
        block.map_or_else(Vec::new, |frame| {
            frame.names.iter().map(|name| name.certain).collect()
        })
    }

    pub(crate) fn set_certain(&mut self, certain: &[bool]) {
        if let Some(frame) = self.frames.iter_mut().rev().find(|frame| !frame.soft) {
            for (name, certain) in frame.names.iter_mut().zip(certain) {
                name.certain = *certain;
            }
        }
    }

    /// The innermost frame's first.
    pub(crate) fn all(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for frame in self.frames.iter().rev() {
            for name in &frame.names {
                names.push(name.name.as_str());
            }
        }
        names
    }

    /// A variable of generated code: like the template's, and unlike all others that can be seen.
    pub(crate) fn fresh(&mut self, name: &str, mut taken: impl FnMut(&str) -> bool) -> Ident {
        let mut ident = name.replace('.', "_");
        while OWN_NAMES.contains(&ident.as_str()) || taken(&ident) || self.idents.contains(&ident) {
            ident.push('_');
        }
        self.idents.push(ident.clone());
        identifier(&ident, TokenSpan::mixed_site())
    }
}

/// Frames that a macro does not see.
pub(crate) struct Hidden(Vec<Frame>);

/// The names that conditions of a block set.
pub(super) fn changed(nodes: &[Node]) -> Vec<String> {
    let mut names = Vec::new();
    for node in nodes {
        if let Node::If(block) = node {
            for branch in &block.branches {
                sets(&branch.body, &mut names);
            }
            sets(block.otherwise.as_deref().unwrap_or_default(), &mut names);
        }
    }
    names.into_iter().map(|(name, _)| name).collect()
}

/// The names that a piece of a block sets, conditions in it included.
pub(super) fn sets(nodes: &[Node], names: &mut Vec<(String, Span)>) {
    for node in nodes {
        match node {
            Node::Set(set) => {
                for target in &set.targets {
                    if names.iter().all(|(name, _)| *name != target.value) {
                        names.push((target.value.clone(), target.span));
                    }
                }
            }
            Node::If(block) => {
                for branch in &block.branches {
                    sets(&branch.body, names);
                }
                sets(block.otherwise.as_deref().unwrap_or_default(), names);
            }
            _ => {}
        }
    }
}
