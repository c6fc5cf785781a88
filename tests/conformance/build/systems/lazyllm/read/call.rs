//! The arguments of a case's call: history, tools, label.

use super::*;

impl Ask {
    pub(super) fn read_call(&mut self, call: &Map<String, Value>, template: &mut Template) {
        for (key, value) in call {
            match key.as_str() {
                "input" | "show" | "return_dict" | "format" => {}
                "history" => self.read_history(value),
                "tools" => self.read_tools(value, template),
                "label" if !is_truthy(value) => {}
                "label" => self.read_label(value),
                other => self.option(other, &argument(value)),
            }
        }
    }

    pub(super) fn read_label(&mut self, label: &Value) {
        self.options.push(format!(".label({})", argument(label)));
        if !label.is_string() {
            self.rejected.push(errors::MISMATCHED.to_owned());
        }
        if self.mode != Mode::Text {
            self.rejected.push(errors::no_method("to_messages"));
        }
    }

    pub(super) fn read_history(&mut self, history: &Value) {
        if is_truthy(history) {
            self.judge_history(history);
            match history.as_array() {
                // The history precedes input that consists of messages.
                Some(turns) => drop(self.history.splice(0..0, turns.iter().cloned())),
                None => self.no_history = Some(history.clone()),
            }
        }
    }

    /// The run-time error for a history that cannot be parsed, or that Alpaca's layout cannot contain.
    pub(super) fn judge_history(&mut self, history: &Value) {
        let is_pair = |turn: &Value| {
            turn.as_array()
                .is_some_and(|pair| pair.len() == 2 && pair.iter().all(Value::is_string))
        };
        let readable = history.as_array().is_some_and(|turns| {
            turns
                .iter()
                .all(|turn| is_whole_message(turn) || is_pair(turn))
        });
        if !readable {
            self.fails = Some("History");
        } else if self.alpaca {
            self.fails = self.fails.or(Some("Unsupported"));
        }
    }

    pub(super) fn read_tools(&mut self, tools: &Value, template: &mut Template) {
        if !is_truthy(tools) {
            return;
        }
        if !self.tools_fields.is_empty() {
            self.rejected.push(errors::TOOLS_TWICE.to_owned());
        }
        self.tools_fields
            .push((template.keys.extra("tools"), tools.clone()));
        let named = |tool: &Value| tool["function"]["name"].is_string() || tool["name"].is_string();
        if !tools.as_array().is_some_and(|list| list.iter().all(named)) {
            self.fails = Some("Tool");
        }
    }
}
