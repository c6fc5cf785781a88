//! The issues of a value that does not satisfy its schema, with their positions in the answer.

use crate::describe::excerpt;
use crate::fit::{Mismatch, RawIssue};
use crate::name::fold_name;
use crate::parser::Candidate;
use crate::path::PathStep;
use crate::schema::Schema;
use crate::syntax::{NodeKind, SyntaxNode};
use prompt_base::Span;
use serde_json::Value;

/// The largest number of reported issues.
const MAX_ISSUES: usize = 8;

/// What the validator reports about a value. `body` is the position of a value without a syntax tree.
pub(crate) fn mismatch_of_value(
    schema: &Schema,
    value: &Value,
    candidate: Option<&Candidate<'_>>,
    body: Span,
    answer: &str,
) -> Mismatch {
    let errors = schema.validator.iter_errors(value).take(MAX_ISSUES);
    let issues = errors.map(|error| {
        let pointer = error.instance_path().as_str();
        let span = match candidate {
            Some(candidate) => match node_at(&candidate.node, value, pointer) {
                Ok(node) | Err(node) => node.span,
            },
            None => body,
        };
        let written = answer.get(span.start..span.end).unwrap_or_default();
        let written = format!("`{}`", excerpt(written));
        let mut path: Vec<PathStep> = pointer
            .split('/')
            .skip(1)
            .map(|step| PathStep::Key(step.replace("~1", "/").replace("~0", "~")))
            .collect();
        path.reverse();
        RawIssue {
            span,
            message: error.masked_with(&written).to_string(),
            label: format!(
                "required by `#{}` of the schema",
                error.schema_path().as_str()
            ),
            help: None,
            path,
        }
    });
    Mismatch {
        issues: issues.collect(),
        matched: 1,
    }
}

/// The node of the part of a value that a pointer names, or as an error the last one on the way to it.
pub(crate) fn node_at<'n, 't>(
    root: &'n SyntaxNode<'t>,
    value: &Value,
    pointer: &str,
) -> Result<&'n SyntaxNode<'t>, &'n SyntaxNode<'t>> {
    let mut steps = pointer.split('/').skip(1);
    // A bare object is the only item of the list.
    if value.is_array() && matches!(root.kind, NodeKind::Object(_)) {
        steps.next();
    }
    let mut node = root;
    for step in steps {
        let step = step.replace("~1", "/").replace("~0", "~");
        let next = match &node.kind {
            NodeKind::Object(entries) => {
                let exact = entries.iter().find(|entry| entry.key == step);
                let folded = || {
                    let name = fold_name(&step);
                    entries.iter().find(|entry| fold_name(&entry.key) == name)
                };
                exact.or_else(folded).map(|entry| &entry.value)
            }
            NodeKind::List(items) => step.parse().ok().and_then(|index: usize| items.get(index)),
            NodeKind::Quoted(_) | NodeKind::Unquoted(_) => None,
        };
        node = next.ok_or(node)?;
    }
    Ok(node)
}
