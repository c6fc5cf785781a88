//! The input of a case: a string, a dict, or messages.

use super::*;

impl Ask {
    pub(super) fn read_input(&mut self, input: &Value, template: &mut Template) {
        let wanted = template.wanted();
        if let Value::Object(given) = input {
            let rest: Vec<_> = given
                .iter()
                .filter(|(key, _)| !wanted.contains(key))
                .collect();
            self.add_fields(given, template);
            match rest[..] {
                [] => {}
                [(key, value)] => self.add_rest(key, value, template),
                _ => {
                    for (key, value) in rest {
                        self.add_unused(key, value, template);
                    }
                }
            }
            return;
        }
        self.query = true;
        match &wanted[..] {
            [] => self.add_rest("input", input, template),
            [key] => self.add_fields(&Map::from_iter([(key.clone(), input.clone())]), template),
            _ => {
                // A string for a prompt with several fields: `Case::from("…")` does not exist.
                let all = wanted
                    .iter()
                    .map(|key| (key.clone(), input.clone()))
                    .collect();
                self.add_fields(&all, template);
                self.several_fields = true;
                self.rejected.push(errors::QUERY.to_owned());
            }
        }
    }

    /// The fields whose slots are in the templates, and the extra ones.
    pub(super) fn add_fields(&mut self, given: &Map<String, Value>, template: &Template) {
        for (index, key) in template.keys.in_order().iter().enumerate() {
            let name = template.keys.known(key);
            let Some(value) = given.get(key) else {
                self.rejected.push(errors::unknown_slot(&name));
                continue;
            };
            self.rejected.extend(errors::judge(value));
            self.fields.push(Field {
                trusted: index < template.trusted,
                name,
                extra: None,
                value: Some(value.clone()),
            });
        }
        for (key, name) in &template.extras {
            let value = given.get(key).cloned();
            match &value {
                Some(Value::Array(_) | Value::Object(_)) => {
                    self.rejected.push(errors::NOT_TEXT.to_owned());
                }
                Some(_) => {}
                None => self.rejected.push(errors::MISSING.to_owned()),
            }
            self.fields.push(Field {
                trusted: false,
                name: name.clone(),
                extra: Some(key.clone()),
                value,
            });
        }
    }

    /// The only key without a slot: the user message.
    pub(super) fn add_rest(&mut self, key: &str, value: &Value, template: &mut Template) {
        if self.alpaca {
            // An empty value loses nothing.
            let said = !self.query || value.is_null() || is_truthy(value);
            return if said {
                self.add_unused(key, value, template);
            };
        }
        if is_message(value)
            || (!self.query
                && value
                    .as_array()
                    .is_some_and(|list| list.iter().any(is_message)))
        {
            return self.add_messages(key, value, template);
        }
        let name = template.keys.field(key);
        template
            .user
            .get_or_insert_default()
            .push_str(&format!("{{{name}}}"));
        self.rejected.extend(errors::judge(value));
        self.fields.push(Field {
            name,
            trusted: false,
            extra: None,
            value: Some(value.clone()),
        });
    }

    /// A message or a list of messages as the input: the last turns of the conversation.
    pub(super) fn add_messages(&mut self, key: &str, value: &Value, template: &mut Template) {
        if let Some(words) = plain_words(value).filter(|_| template.user.is_some()) {
            return self.add_rest(key, &words, template);
        }
        let list = match value {
            Value::Array(list) => list.clone(),
            message => vec![message.clone()],
        };
        self.judge_history(&Value::from(list.clone()));
        self.ends_with_messages = true;
        self.history.extend(list);
    }

    /// A field that no template uses.
    pub(super) fn add_unused(&mut self, key: &str, value: &Value, template: &mut Template) {
        let name = template.keys.field(key);
        self.rejected.push(errors::unused_field(&name));
        self.fields.push(Field {
            name,
            trusted: false,
            extra: None,
            value: Some(value.clone()),
        });
    }
}
