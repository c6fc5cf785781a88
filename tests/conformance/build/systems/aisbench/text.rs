//! Template texts, converted to the dialects of typed-prompt.

use prompt_base::Span;
use prompt_jinja_syntax::{Expr, Node, Slot, Template, parse};
use prompt_syntax::{Dialect, Options, Path, Spanned, Text as Words};

use super::columns::{Columns, SHOTS};
use crate::print::to_source;
use crate::rust::literal;

/// Converts the text of a template to nodes.
pub(super) struct Reader<'c, 'a> {
    pub(super) columns: &'c mut Columns<'a>,
    /// The `ice_token`, which marks the position of the examples.
    pub(super) token: Option<&'a str>,
    /// The `sep_token` between question and answer.
    pub(super) separator: Option<&'a str>,
    /// Whether the position of the examples was found.
    pub(super) placed: bool,
}

/// The comparison of trees ignores spans.
const NOWHERE: Span = Span::new(0, 0);

impl<'a> Reader<'_, 'a> {
    /// A key with its text.
    pub(super) fn attribute(&mut self, key: &str, text: &str) -> Result<String, String> {
        let nodes = self.nodes(text, key == "system");
        Ok(format!(
            "{key} = {}",
            literal(&source(&nodes, Dialect::Brace)?)
        ))
    }

    /// Divides a text into a question and, from the first slot of the answer's column on, an answer.
    pub(super) fn question(
        &mut self,
        text: &str,
        answer: Option<&str>,
    ) -> Result<Vec<String>, String> {
        let marked = answer.map(|answer| format!("{{{answer}}}"));
        let at = marked.and_then(|answer| text.find(&answer));
        let (question, answer) = text.split_at(at.unwrap_or(text.len()));
        if !answer.is_empty() && question.trim().is_empty() {
            return Ok(vec![self.attribute("assistant", text)?]);
        }
        let mut texts = vec![self.attribute("user", question)?];
        if !answer.is_empty() {
            texts.push(self.attribute("assistant", answer)?);
        }
        Ok(texts)
    }

    pub(super) fn nodes(&mut self, text: &str, trusted: bool) -> Vec<Node> {
        let text = match self.separator {
            Some(separator) => text.replace(separator, ""),
            None => text.to_owned(),
        };
        let mut nodes = Vec::new();
        let mut rest = &text[..];
        loop {
            let token = self
                .token
                .and_then(|token| Some((rest.find(token)?, token.len(), None)));
            let column = self
                .columns
                .find(rest)
                .map(|(at, len, key)| (at, len, Some(key)));
            let Some((at, len, key)) = token.into_iter().chain(column).min_by_key(|found| found.0)
            else {
                break;
            };
            push_words(&mut nodes, &rest[..at]);
            let field = match key {
                Some(key) => self.columns.used(key, trusted),
                None => {
                    self.placed = true;
                    SHOTS.to_owned()
                }
            };
            nodes.push(slot(&[&field]));
            rest = &rest[at + len..];
        }
        push_words(&mut nodes, rest);
        nodes
    }
}

pub(super) fn slot(path: &[&str]) -> Node {
    let segments = path
        .iter()
        .map(|name| Spanned::new((*name).to_owned(), NOWHERE));
    let path = Path {
        span: NOWHERE,
        segments: segments.collect(),
        input: false,
    };
    Node::Slot(Slot {
        span: NOWHERE,
        expr: Expr::Path(path),
    })
}

fn push_words(nodes: &mut Vec<Node>, text: &str) {
    if !text.is_empty() {
        nodes.push(Node::Text(Words {
            span: NOWHERE,
            text: text.to_owned(),
        }));
    }
}

/// The source text of nodes, or an error if the dialect cannot express it.
pub(super) fn source(nodes: &[Node], dialect: Dialect) -> Result<String, String> {
    let template = Template {
        nodes: nodes.to_vec(),
    };
    let source = to_source(&template, Options::message(dialect));
    let parsed = parse(&source, Options::message(dialect));
    if parsed.errors.is_empty() && parsed.template == template {
        Ok(source)
    } else {
        Err(format!("the dialect cannot express this text: {source}"))
    }
}
