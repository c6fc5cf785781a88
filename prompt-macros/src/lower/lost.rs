//! What a template that could not be read may have named: no name is then said to be unknown.

use prompt_syntax::Node;

/// The names that loops bind, anywhere.
pub(super) fn loops(nodes: &[Node], names: &mut Vec<String>) {
    for node in nodes {
        match node {
            Node::If(block) => {
                for branch in &block.branches {
                    loops(&branch.body, names);
                }
                loops(block.otherwise.as_deref().unwrap_or_default(), names);
            }
            Node::For(block) => {
                names.extend(block.targets.iter().map(|name| name.value.clone()));
                loops(&block.body, names);
                loops(block.otherwise.as_deref().unwrap_or_default(), names);
            }
            Node::Role(block) => loops(&block.body, names),
            _ => {}
        }
    }
}

/// The words of tags that could not be read: one of them may be a name that the tag was to give.
pub(super) fn broken(nodes: &[Node], text: &str, words: &mut Vec<String>) {
    for node in nodes {
        match node {
            Node::Error(span) => {
                let text = text.get(span.start..span.end).unwrap_or_default();
                let split = text.split(|char: char| !char.is_alphanumeric() && char != '_');
                words.extend(split.filter(|word| !word.is_empty()).map(str::to_owned));
            }
            Node::If(block) => {
                for branch in &block.branches {
                    broken(&branch.body, text, words);
                }
                broken(block.otherwise.as_deref().unwrap_or_default(), text, words);
            }
            Node::For(block) => {
                broken(&block.body, text, words);
                broken(block.otherwise.as_deref().unwrap_or_default(), text, words);
            }
            Node::Role(block) => broken(&block.body, text, words),
            Node::Set(set) => broken(set.body.as_deref().unwrap_or_default(), text, words),
            Node::With(block) => broken(&block.body, text, words),
            Node::Filter(block) => broken(&block.body, text, words),
            _ => {}
        }
    }
}
