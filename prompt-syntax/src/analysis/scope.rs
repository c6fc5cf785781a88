//! The scopes of a template: which names its blocks have bound. This is the one implementation for all walks over a tree.

use std::collections::HashSet;

use prompt_base::Span;

use crate::Node;
use crate::language::{Language, LanguageNode as _};

/// A name that a block binds.
pub trait Bound {
    /// The path that refers to it: `item`, or `user.name` for a part that a condition has found.
    fn path(&self) -> &str;
}

/// The names of a block or branch.
struct Scope<B> {
    /// Whether a `set` inside belongs to the surrounding block, as in a condition.
    is_branch: bool,
    bindings: Vec<B>,
    /// The names of variables that a condition in the block sets later on.
    reassigned: Vec<String>,
    /// How many variables of generated code were in scope before it.
    variables: usize,
}

/// The scopes around a node, the innermost last.
pub struct ScopeStack<B> {
    scopes: Vec<Scope<B>>,
    /// The variables of generated code that are in scope.
    variables: Vec<Variable>,
    /// The names of the blocks that have ended.
    ended: HashSet<String>,
}

impl<B: Bound> ScopeStack<B> {
    /// The outermost scope of a template; its conditions assign the names in `reassigned`.
    pub fn new(reassigned: Vec<String>) -> ScopeStack<B> {
        let mut stack = ScopeStack {
            scopes: Vec::new(),
            variables: Vec::new(),
            ended: HashSet::new(),
        };
        stack.open_block(reassigned);
        stack
    }

    /// Opens a block; conditions inside it assign the names in `reassigned`.
    pub fn open_block(&mut self, reassigned: Vec<String>) {
        self.open_scope(false, reassigned);
    }

    /// Opens a branch of a condition.
    pub fn open_branch(&mut self) {
        self.open_scope(true, Vec::new());
    }

    fn open_scope(&mut self, is_branch: bool, reassigned: Vec<String>) {
        self.scopes.push(Scope {
            is_branch,
            bindings: Vec::new(),
            reassigned,
            variables: self.variables.len(),
        });
    }

    /// Closes the innermost block or branch and returns its names.
    pub fn close_scope(&mut self) -> Vec<B> {
        let Some(scope) = self.scopes.pop() else {
            return Vec::new();
        };
        self.variables.truncate(scope.variables);
        let names = scope.bindings.iter().map(|name| name.path().to_owned());
        self.ended.extend(names);
        scope.bindings
    }

    /// Binds a name in the innermost block or branch.
    pub fn bind_name(&mut self, name: B) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.bindings.push(name);
        }
    }

    /// Binds a name in the innermost block, also from inside a branch.
    pub fn bind_in_block(&mut self, name: B) {
        let mut scopes = self.scopes.iter_mut().rev();
        if let Some(block) = scopes.find(|scope| !scope.is_branch) {
            block.bindings.push(name);
        }
    }

    /// The innermost binding of a prefix of a path, and the length of the prefix.
    pub fn find_path(&mut self, path: &[&str]) -> Option<(&mut B, usize)> {
        for scope in self.scopes.iter_mut().rev() {
            for known in scope.bindings.iter_mut().rev() {
                let length = known.path().split('.').count();
                let prefix = path.get(..length);
                if prefix.is_some_and(|prefix| known.path().split('.').eq(prefix.iter().copied())) {
                    return Some((known, length));
                }
            }
        }
        None
    }

    /// The innermost binding of a name.
    pub fn find_name(&mut self, name: &str) -> Option<&mut B> {
        self.find_path(&[name]).map(|(name, _)| name)
    }

    /// Whether a block that has ended has bound this name.
    pub fn has_ended(&self, name: &str) -> bool {
        self.ended.contains(name)
    }

    /// All bindings in scope, the innermost block first.
    pub fn bindings(&self) -> impl Iterator<Item = &B> {
        self.scopes.iter().rev().flat_map(|scope| &scope.bindings)
    }

    /// All bindings in scope, the outermost first.
    pub fn bindings_mut(&mut self) -> impl Iterator<Item = &mut B> {
        self.scopes.iter_mut().flat_map(|scope| &mut scope.bindings)
    }

    /// A new variable of generated code, named after `name` and different from all that are in scope.
    pub fn fresh_variable(&mut self, name: &str, mut is_taken: impl FnMut(&str) -> bool) -> String {
        let base = name.replace('.', "_");
        let same = self
            .variables
            .iter()
            .rfind(|variable| variable.base == base);
        let mut number = same.map_or(0, |variable| variable.number + 1);
        let mut text = numbered_name(&base, number);
        while is_taken(&text) || self.variables.iter().any(|variable| variable.text == text) {
            number += 1;
            text = numbered_name(&base, number);
        }
        self.variables.push(Variable {
            base,
            number,
            text: text.clone(),
        });
        text
    }
}

/// A variable of generated code: `a`, then `a_`, `a_2`, `a_3`, ….
struct Variable {
    base: String,
    number: usize,
    text: String,
}

fn numbered_name(base: &str, number: usize) -> String {
    match number {
        0 => base.to_owned(),
        1 => format!("{base}_"),
        _ => format!("{base}_{number}"),
    }
}

/// What only dialects need that assign names: macros, whose scope is that of their definition, and variables of blocks.
impl<B: Bound> ScopeStack<B> {
    /// How many scopes there are.
    pub fn depth(&self) -> usize {
        self.scopes.len()
    }

    /// Removes the scopes that are not in scope of a macro; [`restore_scopes`](ScopeStack::restore_scopes) puts them back.
    pub fn hide_scopes(&mut self, depth: usize) -> HiddenScopes<B> {
        HiddenScopes(self.scopes.split_off(depth.min(self.scopes.len())))
    }

    /// Puts scopes back.
    pub fn restore_scopes(&mut self, hidden: HiddenScopes<B>) {
        self.scopes.extend(hidden.0);
    }

    /// Whether the innermost scope is a block, not a branch.
    pub fn is_block(&self) -> bool {
        self.scopes.last().is_none_or(|scope| !scope.is_branch)
    }

    /// Whether a condition in this block assigns the name.
    pub fn is_reassigned(&self, name: &str) -> bool {
        let block = self.scopes.iter().rev().find(|scope| !scope.is_branch);
        block.is_some_and(|scope| scope.reassigned.iter().any(|reassigned| reassigned == name))
    }

    /// The bindings of the innermost block.
    pub fn block_bindings(&mut self) -> &mut [B] {
        let mut scopes = self.scopes.iter_mut().rev();
        let block = scopes.find(|scope| !scope.is_branch);
        block.map_or(&mut [], |scope| &mut scope.bindings)
    }
}

/// Scopes that are not in scope of a macro.
pub struct HiddenScopes<B>(Vec<Scope<B>>);

/// The names that the conditions of a block assign.
///
/// Generated code declares such a variable so that it can be assigned again.
pub fn names_set_in_conditions<L: Language>(nodes: &[Node<L>]) -> Vec<String> {
    let mut names = Vec::new();
    for node in nodes {
        if let Node::If(block) = node {
            for branch in &block.branches {
                collect_set_names(&branch.body, &mut names);
            }
            collect_set_names(block.otherwise.as_deref().unwrap_or_default(), &mut names);
        }
    }
    names.into_iter().map(|(name, _)| name).collect()
}

/// The names that nodes assign, including those in conditions.
pub fn collect_set_names<L: Language>(nodes: &[Node<L>], names: &mut Vec<(String, Span)>) {
    for node in nodes {
        match node {
            Node::Other(node) => {
                for target in node.assigned_names() {
                    if names.iter().all(|(name, _)| *name != target.value) {
                        names.push((target.value.clone(), target.span));
                    }
                }
            }
            Node::If(block) => {
                for branch in &block.branches {
                    collect_set_names(&branch.body, names);
                }
                collect_set_names(block.otherwise.as_deref().unwrap_or_default(), names);
            }
            _ => {}
        }
    }
}
