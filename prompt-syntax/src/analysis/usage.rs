//! The names that a template takes from outside, and how it uses each: the attribute macro `template` chooses the types of
//! its fields by it, and `prompt!` the variables that it captures.

use std::collections::HashMap;

use crate::language::Language;
use crate::{Node, Path};
use prompt_base::Span;

/// A name from outside of the template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NameUsage {
    /// The name.
    pub name: String,
    /// Where it is first used.
    pub span: Span,
    /// It fills a slot that is written unconditionally.
    pub shown: bool,
    /// It fills a slot inside of a condition on it.
    pub guarded: bool,
    /// It precedes a `??`.
    pub defaulted: bool,
    /// A loop iterates over it, or a filter joins it.
    pub list: bool,
    /// It is used in a way that does not imply a type.
    pub unclear: bool,
}

impl NameUsage {
    /// Adds the uses of the same name in another text.
    pub fn merge_uses(&mut self, other: &NameUsage) {
        self.shown |= other.shown;
        self.guarded |= other.guarded;
        self.defaulted |= other.defaulted;
        self.list |= other.list;
        self.unclear |= other.unclear;
    }
}

/// The names that have been found so far.
pub(super) struct UsageRecorder {
    /// Whether names are to be inferred; otherwise nothing is recorded.
    pub(super) is_enabled: bool,
    /// In the order of their first use.
    pub(super) found: Vec<NameUsage>,
    /// Where each name is in `found`.
    indices: HashMap<String, usize>,
    /// Names that the conditions around have found a value for.
    pub(super) conditions: Vec<String>,
}

impl UsageRecorder {
    pub(super) fn new(is_enabled: bool) -> UsageRecorder {
        UsageRecorder {
            is_enabled,
            found: Vec::new(),
            indices: HashMap::new(),
            conditions: Vec::new(),
        }
    }

    /// Records that the items of a list have parts of their own.
    pub(super) fn record_parts(&mut self, list: Option<&str>) {
        if let Some(index) = list.and_then(|list| self.indices.get(list)) {
            self.found[*index].unclear = true;
        }
    }

    /// The entry of the name that a path begins with.
    pub(super) fn entry(&mut self, path: &Path) -> &mut NameUsage {
        let first = &path.segments[0];
        if let Some(index) = self.indices.get(&first.value) {
            return &mut self.found[*index];
        }
        let index = self.found.len();
        self.indices.insert(first.value.clone(), index);
        self.found.push(NameUsage {
            name: first.value.clone(),
            span: path.span,
            shown: false,
            guarded: false,
            defaulted: false,
            list: false,
            unclear: false,
        });
        &mut self.found[index]
    }
}

/// The variables of loops, which may end too early, and the names in tags that could not be parsed.
pub fn unparsed_names<L: Language>(nodes: &[Node<L>], text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for node in nodes {
        node.walk(&mut |node| match node {
            Node::For(block) => {
                names.extend(block.targets.iter().map(|name| name.value.clone()));
            }
            Node::Error(span) => {
                let text = text.get(span.start..span.end).unwrap_or_default();
                let words = text.split(|char: char| !char.is_alphanumeric() && char != '_');
                names.extend(words.filter(|word| !word.is_empty()).map(str::to_owned));
            }
            _ => {}
        });
    }
    names
}
