//! What holds for every text, whoever wrote it: property tests and fuzzers call this.

use crate::{Node, Options, Span, parse};

/// Parses a text and checks what must hold for the result.
///
/// # Panics
/// When it does not hold: spans lie in the text, at characters' borders and in order; those of the top level cover the
/// text without gaps; a text without errors, printed and read again, is the same tree; an error has a message.
pub fn check(text: &str, options: Options) {
    let parsed = parse(text, options);
    let mut end = 0;
    for node in &parsed.template.nodes {
        let span = node.span();
        assert_eq!(span.start, end, "a gap before {node:?}");
        end = span.end;
    }
    assert_eq!(end, text.len(), "the end is not covered");
    for node in &parsed.template.nodes {
        in_bounds(node, Span::new(0, text.len()), text);
    }
    for error in &parsed.errors {
        let related = error.related.iter().map(|(span, _)| *span);
        for span in related.chain([error.span]) {
            assert!(
                text.get(span.start..span.end).is_some(),
                "{error:?} is out of bounds"
            );
        }
        assert!(!error.message.is_empty());
    }
    if parsed.errors.is_empty() {
        let printed = parsed.template.to_source(options);
        let again = parse(&printed, options);
        assert!(
            again.errors.is_empty(),
            "{printed:?} has errors: {:?}",
            again.errors
        );
        assert_eq!(again.template, parsed.template, "printed as {printed:?}");
    }
}

fn in_bounds(node: &Node, outer: Span, text: &str) {
    let span = node.span();
    assert!(
        outer.start <= span.start && span.end <= outer.end,
        "{node:?} leaves {outer:?}"
    );
    assert!(
        text.get(span.start..span.end).is_some(),
        "{node:?} splits a character"
    );
    let inner: Vec<&Node> = match node {
        Node::If(block) => {
            let branches = block.branches.iter().flat_map(|branch| &branch.body);
            branches.chain(block.otherwise.iter().flatten()).collect()
        }
        Node::For(block) => block
            .body
            .iter()
            .chain(block.otherwise.iter().flatten())
            .collect(),
        Node::Role(block) => block.body.iter().collect(),
        _ => Vec::new(),
    };
    let mut last = span.start;
    for node in inner {
        assert!(last <= node.span().start, "{node:?} is out of order");
        last = node.span().end;
        in_bounds(node, span, text);
    }
}
