//! Names that a template with syntax errors may have bound: they are not reported as unknown.

use crate::Node;

/// The variables of loops, which may end where they should not, and the words of tags that could not be parsed.
pub fn lost(nodes: &[Node], text: &str) -> Vec<String> {
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
