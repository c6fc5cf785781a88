//! The names that a template binds: in loops, conditions, `set`, `with` and macros.

use std::rc::Rc;

use super::piece::{Place, Root, Test};
use crate::kind::Kind;
use crate::problem::name::Bound;
use crate::{Macro, Node, Span};

/// A name that the template binds.
pub(in crate::analysis) struct Name {
    /// The path that refers to it.
    pub(in crate::analysis) name: String,
    pub(in crate::analysis) meaning: Meaning,
    /// Its span and kind of binding, if it has to be used.
    pub(in crate::analysis) written: Option<(Span, Bound)>,
    pub(in crate::analysis) used: bool,
    /// Whether it has a value wherever it is in scope.
    #[cfg_attr(not(feature = "jinja"), allow(dead_code))]
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
#[cfg_attr(not(feature = "jinja"), allow(dead_code))]
pub(in crate::analysis) enum Meaning {
    /// Another name for a Rust place: an item of a list, the value inside an `Option`, a field.
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
    /// `loop.previtem` or `loop.nextitem` of a list of values, and the fields that its items come from.
    Neighbour(String, Vec<usize>),
    /// `loop.changed`, and the variable for its state.
    Changed(String),
    /// `loop.previtem` or `loop.nextitem` of a loop that unpacks its items.
    NoNeighbour,
}

/// A macro and its scope.
#[cfg_attr(not(feature = "jinja"), allow(dead_code))]
pub(in crate::analysis) struct Defined {
    pub(in crate::analysis) node: Macro,
    /// The number of frames around its definition.
    pub(in crate::analysis) depth: usize,
    /// Where its text begins in the source.
    pub(in crate::analysis) offset: usize,
}

/// Names that end together.
#[cfg_attr(not(feature = "jinja"), allow(dead_code))]
#[derive(Default)]
struct Frame {
    /// Whether a `set` inside belongs to the surrounding frame, as in a condition.
    soft: bool,
    names: Vec<Name>,
    /// Names of variables that a condition sets later on.
    changed: Vec<String>,
    idents: usize,
}

#[derive(Default)]
pub(in crate::analysis) struct Scopes {
    frames: Vec<Frame>,
    /// The variables of generated code that are in scope.
    idents: Vec<String>,
}

impl Scopes {
    /// The outermost scope of a template.
    pub(in crate::analysis) fn of(nodes: &[Node]) -> Scopes {
        let mut names = Scopes::default();
        names.open(changed(nodes));
        names
    }

    /// Opens a block; conditions inside it assign the names in `changed`.
    pub(in crate::analysis) fn open(&mut self, changed: Vec<String>) {
        self.frames.push(Frame {
            changed,
            idents: self.idents.len(),
            ..Frame::default()
        });
    }

    /// Opens a branch of a condition.
    pub(in crate::analysis) fn open_branch(&mut self) {
        self.frames.push(Frame {
            soft: true,
            idents: self.idents.len(),
            ..Frame::default()
        });
    }

    /// Closes the innermost block or branch.
    pub(in crate::analysis) fn close(&mut self) -> Vec<Name> {
        let Some(frame) = self.frames.pop() else {
            return Vec::new();
        };
        self.idents.truncate(frame.idents);
        frame.names
    }

    /// Binds a name in the innermost block or branch.
    pub(in crate::analysis) fn bind(&mut self, name: Name) {
        if let Some(frame) = self.frames.last_mut() {
            frame.names.push(name);
        }
    }

    /// The innermost binding of a prefix of a path, and the length of the prefix.
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

    /// The innermost binding of a name.
    pub(in crate::analysis) fn find(&mut self, name: &str) -> Option<&mut Name> {
        self.find_path(&[name]).map(|(name, _)| name)
    }

    /// All names in scope, the innermost first.
    pub(in crate::analysis) fn all(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for frame in self.frames.iter().rev() {
            for name in &frame.names {
                names.push(name.name.as_str());
            }
        }
        names
    }

    /// A new variable of generated code, named after `name` and different from all that are in scope.
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

/// What only the Jinja dialect binds.
#[cfg(feature = "jinja")]
impl Scopes {
    pub(in crate::analysis) fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Removes the frames that are not in scope of a macro; [`restore`](Scopes::restore) puts them back.
    pub(in crate::analysis) fn hide(&mut self, depth: usize) -> Hidden {
        Hidden(self.frames.split_off(depth.min(self.frames.len())))
    }

    pub(in crate::analysis) fn restore(&mut self, hidden: Hidden) {
        self.frames.extend(hidden.0);
    }

    /// Binds a name in the innermost block, also from inside a branch.
    pub(in crate::analysis) fn set(&mut self, name: Name) {
        if let Some(frame) = self.frames.iter_mut().rev().find(|frame| !frame.soft) {
            frame.names.push(name);
        }
    }

    /// Whether the innermost frame is a block, not a branch.
    pub(in crate::analysis) fn is_block(&self) -> bool {
        self.frames.last().is_none_or(|frame| !frame.soft)
    }

    /// Whether a condition in this block assigns the name.
    pub(in crate::analysis) fn is_changed(&self, name: &str) -> bool {
        let block = self.frames.iter().rev().find(|frame| !frame.soft);
        block.is_some_and(|frame| frame.changed.iter().any(|changed| changed == name))
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
}

/// Frames that are not in scope of a macro.
#[cfg(feature = "jinja")]
pub(in crate::analysis) struct Hidden(Vec<Frame>);

/// The names that conditions in a block assign.
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

/// The names that nodes assign, including those in conditions.
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
