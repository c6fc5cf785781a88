//! The arguments of a call as elements inside each other.

use super::call::{AnswerCursor, CallStep, argument_json};
use super::python::MAX_DEPTH;
use super::schema::{ITEM, SchemaPart};
use crate::ToolCall;
use prompt_base::json::{Escapes, push_string};

impl AnswerCursor<'_> {
    /// The name of a tool, and its arguments as elements. The end of the call is not skipped.
    pub(super) fn parse_element_call(&mut self, mark: &str, name_end: &str) -> CallStep<ToolCall> {
        let start = self.at;
        let name = self.name()?;
        let span = start..self.at;
        self.expect_token(name_end)?;
        let schema = self.parameters_of(name);
        let schema = schema.as_ref().map(SchemaPart::new);
        let mut arguments = Vec::new();
        loop {
            let before = self.at;
            self.skip_space();
            self.expect_token(mark)?;
            if self.eat_token("</")? {
                self.at = before;
                break;
            }
            arguments.push(self.element(mark, schema, 0)?);
        }
        let arguments = self.object_of(start, &arguments)?;
        self.finish(None, name, arguments, span)
    }

    /// An element after the mark before it: its name, and its value as JSON by the schema of what contains it.
    fn element(
        &mut self,
        mark: &str,
        parent: Option<SchemaPart<'_>>,
        depth: usize,
    ) -> CallStep<(String, String)> {
        let start = self.at;
        self.expect_token("<")?;
        let key = self.take_until(">")?;
        if key.is_empty() || key.contains(['<', '\n']) || depth > MAX_DEPTH {
            let what = match depth > MAX_DEPTH {
                true => "the arguments are too deeply nested",
                false => "expected the key of an argument",
            };
            return Err(self.error_at(start..self.at, what.to_owned()));
        }
        let schema = parent.and_then(|parent| parent.element(key));
        let content = self.at;
        let text = self.take_until(mark)?;
        let close = format!("</{key}>");
        if self.rest().starts_with("</") || self.rest().len() < 2 {
            self.expect_token(&close)?;
            let value = leaf_json(schema, text).ok_or_else(|| {
                let message = format!("the argument `{key}` is not a value of its type");
                self.error_at(content..content + text.len(), message)
            })?;
            return Ok((key.to_owned(), value));
        }
        if !text.trim().is_empty() {
            let message = format!("the argument `{key}` has text beside elements");
            return Err(self.error_at(content..content + text.len(), message));
        }
        let mut children = vec![self.element(mark, schema, depth + 1)?];
        loop {
            self.skip_space();
            self.expect_token(mark)?;
            if self.rest().starts_with("</") || self.rest().len() < 2 {
                self.expect_token(&close)?;
                break;
            }
            children.push(self.element(mark, schema, depth + 1)?);
        }
        let is_list = children.iter().all(|(key, _)| key == ITEM)
            && !schema.is_some_and(|schema| schema.allows_only("object"));
        let value = match is_list {
            true => {
                let items: Vec<String> = children.into_iter().map(|(_, value)| value).collect();
                format!("[{}]", items.join(","))
            }
            false => self.object_of(start, &children)?,
        };
        Ok((key.to_owned(), value))
    }

    /// The JSON of an object, none of whose keys occurs twice.
    fn object_of(&self, start: usize, entries: &[(String, String)]) -> CallStep<String> {
        let mut keys = std::collections::BTreeSet::new();
        let mut object = String::from("{");
        for (key, value) in entries {
            if !keys.insert(key) {
                return Err(self.error_at(start..self.at, format!("the key `{key}` occurs twice")));
            }
            object.push_str(if keys.len() > 1 { "," } else { "" });
            push_string(&mut object, key, Escapes::Required);
            object.push(':');
            object.push_str(value);
        }
        object.push('}');
        Ok(object)
    }
}

/// The JSON of a text by the schema of its argument. An element without content is an empty list or object, if its schema allows only that.
fn leaf_json(schema: Option<SchemaPart<'_>>, text: &str) -> Option<String> {
    let empty = [("array", "[]"), ("object", "{}")];
    let mut empty = empty.into_iter().filter(|_| text.trim().is_empty());
    match empty.find(|(name, _)| schema.is_some_and(|schema| schema.allows_only(name))) {
        Some((_, json)) => Some(json.to_owned()),
        None => argument_json(schema, text, None),
    }
}
