//! The names that a template binds: in loops, conditions, `set`, `with` and macros.

use std::rc::Rc;

use super::piece::{Place, Root, Test};
use crate::kind::Kind;
use crate::problem::name::Bound;
use crate::{Macro, Node, Span};

/// A name that the template gives to something.
pub(in crate::analysis) struct Name {
    /// The path that stands for it.
    pub(in crate::analysis) name: String,
    pub(in crate::analysis) meaning: Meaning,
    /// Where it was written, if it has to be used.
    pub(in crate::analysis) written: Option<(Span, Bound)>,
    pub(in crate::analysis) used: bool,
    /// Whether it has a value wherever it can be seen.
    pub(in crate::analysis) certain: bool,
}

impl Name {
    /// Another name for a place.
    pub(in crate::analysis) fn place(name: String, place: Place, kind: Kind) -> Name {
        Name::new(name, Meaning::Place { place, kind })
    }

    /// A name that need not be used.
    pub(in crate::analysis) fn new(name: String, meaning: Meaning) -> Name {
        Name {
            name,
            meaning,
            written: None,
            used: false,
            certain: true,
        }
    }
}

#[derive(Clone)]
pub(in crate::analysis) enum Meaning {
    /// Another name for something in Rust: an item of a list, what is in an `Option`, a field.
    Place {
        place: Place,
        kind: Kind,
    },
    /// A variable that holds a value.
    Variable {
        ident: String,
        kind: Kind,
        /// The fields that its value is made from.
        origins: Vec<usize>,
    },
    Macro(Rc<Defined>),
    /// The loop itself.
    Loop(String),
    /// `loop.previtem` or `loop.nextitem` of what is a value; what its items come from.
    Neighbour(String, Vec<usize>),
    /// `loop.changed`, and what remembers its values.
    Changed(String),
    /// `loop.previtem` or `loop.nextitem` of a loop whose items have no one name.
    NoNeighbour,
}

/// A macro, and what it sees.
pub(in crate::analysis) struct Defined {
    pub(in crate::analysis) node: Macro,
    /// How many frames were open around it.
    pub(in crate::analysis) depth: usize,
    /// Where its text begins in the source.
    pub(in crate::analysis) offset: usize,
}

/// Scopes that end together.
#[derive(Default)]
struct Frame {
    /// Whether a `set` inside belongs to the frame around it, as in a condition.
    soft: bool,
    names: Vec<Name>,
    /// Scopes of variables that a condition sets later on.
    changed: Vec<String>,
    idents: usize,
}

#[derive(Default)]
pub(in crate::analysis) struct Scopes {
    frames: Vec<Frame>,
    /// The variables of generated code that can be seen.
    idents: Vec<String>,
}

impl Scopes {
    /// The scopes of a template, of which none is there yet.
    pub(in crate::analysis) fn of(nodes: &[Node]) -> Scopes {
        let mut names = Scopes::default();
        names.open(changed(nodes));
        names
    }

    pub(in crate::analysis) fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Begins a block with names of its own; a condition inside it changes those of `changed`.
    pub(in crate::analysis) fn open(&mut self, changed: Vec<String>) {
        self.frames.push(Frame {
            changed,
            idents: self.idents.len(),
            ..Frame::default()
        });
    }

    /// Begins a branch of a condition.
    pub(in crate::analysis) fn open_branch(&mut self) {
        self.frames.push(Frame {
            soft: true,
            idents: self.idents.len(),
            ..Frame::default()
        });
    }

    /// Ends the innermost block or branch.
    pub(in crate::analysis) fn close(&mut self) -> Vec<Name> {
        let Some(frame) = self.frames.pop() else {
            return Vec::new();
        };
        self.idents.truncate(frame.idents);
        frame.names
    }

    /// Leaves the frames that a macro does not see; [`restore`](Scopes::restore) takes them.
    pub(in crate::analysis) fn hide(&mut self, depth: usize) -> Hidden {
        Hidden(self.frames.split_off(depth.min(self.frames.len())))
    }

    pub(in crate::analysis) fn restore(&mut self, hidden: Hidden) {
        self.frames.extend(hidden.0);
    }

    /// Gives a name in the innermost block, or branch.
    pub(in crate::analysis) fn bind(&mut self, name: Name) {
        if let Some(frame) = self.frames.last_mut() {
            frame.names.push(name);
        }
    }

    /// Gives a name in the innermost block: a branch ends before it does.
    pub(in crate::analysis) fn set(&mut self, name: Name) {
        if let Some(frame) = self.frames.iter_mut().rev().find(|frame| !frame.soft) {
            frame.names.push(name);
        }
    }

    /// Whether the innermost block is no branch.
    pub(in crate::analysis) fn is_block(&self) -> bool {
        self.frames.last().is_none_or(|frame| !frame.soft)
    }

    /// Whether a condition in this block sets the name.
    pub(in crate::analysis) fn is_changed(&self, name: &str) -> bool {
        let block = self.frames.iter().rev().find(|frame| !frame.soft);
        block.is_some_and(|frame| frame.changed.iter().any(|changed| changed == name))
    }

    /// The innermost meaning of the beginning of a path, and how many of its names that is.
    pub(in crate::analysis) fn find_path(&mut self, path: &[&str]) -> Option<(&mut Name, usize)> {
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
    pub(in crate::analysis) fn find(&mut self, name: &str) -> Option<&mut Name> {
        self.find_path(&[name]).map(|(name, _)| name)
    }

    /// The variable of that name that the innermost block has set.
    pub(in crate::analysis) fn own(&mut self, name: &str) -> Option<&mut Name> {
        let block = self.frames.iter_mut().rev().find(|frame| !frame.soft)?;
        let mut names = block.names.iter_mut().rev();
        names.find(|known| known.name == name && matches!(known.meaning, Meaning::Variable { .. }))
    }

    /// The variables of the innermost block and whether they have a value.
    pub(in crate::analysis) fn certain(&self) -> Vec<bool> {
        let block = self.frames.iter().rev().find(|frame| !frame.soft);
        block.map_or_else(Vec::new, |frame| {
            frame.names.iter().map(|name| name.certain).collect()
        })
    }

    pub(in crate::analysis) fn set_certain(&mut self, certain: &[bool]) {
        if let Some(frame) = self.frames.iter_mut().rev().find(|frame| !frame.soft) {
            for (name, certain) in frame.names.iter_mut().zip(certain) {
                name.certain = *certain;
            }
        }
    }

    /// The innermost frame's first.
    pub(in crate::analysis) fn all(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for frame in self.frames.iter().rev() {
            for name in &frame.names {
                names.push(name.name.as_str());
            }
        }
        names
    }

    /// A variable of generated code: like the template's, and unlike all others that can be seen.
    pub(in crate::analysis) fn fresh(
        &mut self,
        name: &str,
        mut taken: impl FnMut(&str) -> bool,
    ) -> String {
        let mut ident = name.replace('.', "_");
        while taken(&ident) || self.idents.contains(&ident) {
            ident.push('_');
        }
        self.idents.push(ident.clone());
        ident
    }
}

/// Frames that a macro does not see.
pub(in crate::analysis) struct Hidden(Vec<Frame>);

/// The names that conditions of a block set.
pub(in crate::analysis) fn changed(nodes: &[Node]) -> Vec<String> {
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
pub(in crate::analysis) fn sets(nodes: &[Node], names: &mut Vec<(String, Span)>) {
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

/// Removes the bindings of a condition that its block does not use.
pub(in crate::analysis) fn forget_unused(test: &mut Test, names: &[Name]) {
    match test {
        Test::Present { binding, .. } | Test::Given { binding, .. } => {
            let is_used = |ident: &String| {
                names.iter().any(|name| {
                    name.used
                        && matches!(&name.meaning, Meaning::Place { place, .. }
                            if matches!(&place.root, Root::Local(local) if local == ident))
                })
            };
            if !binding.as_ref().is_some_and(is_used) {
                *binding = None;
            }
        }
        Test::Not(inner) => forget_unused(inner, names),
        Test::And(sides) | Test::Or(sides) => {
            forget_unused(&mut sides.0, names);
            forget_unused(&mut sides.1, names);
        }
        Test::Holds(_) => {}
    }
}
