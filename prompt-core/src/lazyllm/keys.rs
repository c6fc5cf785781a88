use std::borrow::Cow;

use crate::lazyllm::groups::{GROUPS, Group};
use crate::syntax::order::sort_by;
use crate::{Error, ErrorKind, Result};

/// What LazyLLM says about itself when a model's keys do not say otherwise.
///
/// ```
/// use prompt_core::lazyllm::{DEFAULT_SYSTEM, Keys};
///
/// assert_eq!(Keys::default().system, DEFAULT_SYSTEM);
/// ```
pub const DEFAULT_SYSTEM: &str = "You are an AI-Agent developed by LazyLLM.";

/// The keys of a model group: what LazyLLM writes around each role's words, and the group's own system text.
///
/// An empty key writes nothing; without `soe` and `eoe` the results of tools stand in the user's marks.
///
/// ```
/// use prompt_core::lazyllm::Keys;
///
/// let keys = Keys { soh: "User: ".into(), soa: "Bot: ".into(), ..Keys::named("qwen")? };
/// assert_eq!(keys.eoh, "<|im_end|>\n");
/// # Ok::<(), prompt_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Keys {
    /// The text before the instruction.
    pub system: Cow<'static, str>,
    /// Start of the system part.
    pub sos: Cow<'static, str>,
    /// End of the system part.
    pub eos: Cow<'static, str>,
    /// Start of the human's turn.
    pub soh: Cow<'static, str>,
    /// End of the human's turn.
    pub eoh: Cow<'static, str>,
    /// Start of the assistant's turn.
    pub soa: Cow<'static, str>,
    /// End of the assistant's turn.
    pub eoa: Cow<'static, str>,
    /// Start of a tool's result.
    pub soe: Cow<'static, str>,
    /// End of a tool's result.
    pub eoe: Cow<'static, str>,
    /// Before the name of a tool that is called.
    pub tool_start_token: Cow<'static, str>,
    /// Before the arguments of a call.
    pub tool_args_token: Cow<'static, str>,
    /// After a call.
    pub tool_end_token: Cow<'static, str>,
    /// Texts at which the model's answer ends: for [`Options::stop`](crate::Options).
    pub stop_words: Cow<'static, [Cow<'static, str>]>,
    /// What LazyLLM notes for the group and writes nowhere.
    pub separator: Cow<'static, str>,
    /// What LazyLLM notes for the group and writes nowhere.
    pub plugin: Cow<'static, str>,
    /// What LazyLLM notes for the group and writes nowhere.
    pub interpreter: Cow<'static, str>,
}

impl Default for Keys {
    /// No marks, and LazyLLM's own system text.
    fn default() -> Keys {
        Keys::NONE
    }
}

impl From<&'static Group> for Keys {
    fn from(group: &'static Group) -> Keys {
        Keys {
            system: group.system.into(),
            sos: group.sos.into(),
            eos: group.eos.into(),
            soh: group.soh.into(),
            eoh: group.eoh.into(),
            soa: group.soa.into(),
            eoa: group.eoa.into(),
            soe: group.soe.into(),
            eoe: group.eoe.into(),
            tool_start_token: group.tool_start_token.into(),
            tool_args_token: group.tool_args_token.into(),
            tool_end_token: group.tool_end_token.into(),
            stop_words: group
                .stop_words
                .iter()
                .map(|word| Cow::Borrowed(*word))
                .collect(),
            separator: group.separator.into(),
            plugin: group.plugin.into(),
            interpreter: group.interpreter.into(),
        }
    }
}

impl Keys {
    /// No marks, and LazyLLM's own system text.
    pub(super) const NONE: Keys = {
        const NONE: Cow<'static, str> = Cow::Borrowed("");
        Keys {
            system: Cow::Borrowed(DEFAULT_SYSTEM),
            sos: NONE,
            eos: NONE,
            soh: NONE,
            eoh: NONE,
            soa: NONE,
            eoa: NONE,
            soe: NONE,
            eoe: NONE,
            tool_start_token: NONE,
            tool_args_token: NONE,
            tool_end_token: NONE,
            stop_words: Cow::Borrowed(&[]),
            separator: NONE,
            plugin: NONE,
            interpreter: NONE,
        }
    };

    /// The keys of one of LazyLLM's model groups, by the group's name only.
    ///
    /// # Errors
    /// A name that is no group's, with the nearest that is. LazyLLM guesses the group from a model's name, and takes
    /// no keys at all for what it does not know; here nothing is guessed.
    ///
    /// ```
    /// use prompt_core::lazyllm::Keys;
    ///
    /// assert_eq!(Keys::named("meta-llama-3")?.eoa, "<|eot_id|>");
    /// assert!(Keys::named("Qwen2-72B-Instruct").is_err());
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn named(group: &str) -> Result<Keys> {
        let found = GROUPS.iter().find(|known| known.name == group);
        found.map(Keys::from).ok_or_else(|| {
            Error::unknown_name("group of keys", group, &Vec::from_iter(Keys::groups()))
        })
    }

    /// The names of the groups.
    ///
    /// ```
    /// assert_eq!(prompt_core::lazyllm::Keys::groups().count(), 16);
    /// ```
    pub fn groups() -> impl Iterator<Item = &'static str> {
        GROUPS.iter().map(|group| group.name)
    }

    /// Changes the keys that JSON names, as a model's configuration has them; `null` leaves a key as it is.
    ///
    /// # Errors
    /// A name that is no key, with the nearest that is, and a value that is no string.
    ///
    /// ```
    /// use prompt_core::lazyllm::Keys;
    ///
    /// let keys = Keys::default().with_json(&serde_json::json!({"sos": "<s>", "eos": "</s>", "soh": null}))?;
    /// assert_eq!((&*keys.sos, &*keys.soh), ("<s>", ""));
    /// assert!(Keys::default().with_json(&serde_json::json!({"bos": "<s>"})).is_err());
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn with_json(mut self, json: &serde_json::Value) -> Result<Keys> {
        let wrong = |message: String| Error::new(ErrorKind::UnknownFormat, message);
        let entries = json
            .as_object()
            .ok_or_else(|| wrong("keys are an object".to_owned()))?;
        for (key, value) in entries.iter().filter(|entry| !entry.1.is_null()) {
            if key == "stop_words" {
                let no_list = || wrong("`stop_words` is a list of strings".to_owned());
                let mut words = Vec::new();
                for word in value.as_array().ok_or_else(no_list)? {
                    words.push(word.as_str().ok_or_else(no_list)?.to_owned().into());
                }
                self.stop_words = words.into();
                continue;
            }
            let place = self.place(key)?;
            let text = value
                .as_str()
                .ok_or_else(|| wrong(format!("the key `{key}` is a string")))?;
            *place = text.to_owned().into();
        }
        Ok(self)
    }

    fn place(&mut self, key: &str) -> Result<&mut Cow<'static, str>> {
        let places = [
            ("system", &mut self.system),
            ("sos", &mut self.sos),
            ("eos", &mut self.eos),
            ("soh", &mut self.soh),
            ("eoh", &mut self.eoh),
            ("soa", &mut self.soa),
            ("eoa", &mut self.eoa),
            ("soe", &mut self.soe),
            ("eoe", &mut self.eoe),
            ("tool_start_token", &mut self.tool_start_token),
            ("tool_args_token", &mut self.tool_args_token),
            ("tool_end_token", &mut self.tool_end_token),
            ("separator", &mut self.separator),
            ("plugin", &mut self.plugin),
            ("interpreter", &mut self.interpreter),
        ];
        let names = places.each_ref().map(|place| place.0);
        let found = places
            .into_iter()
            .find(|place| place.0 == key)
            .map(|place| place.1);
        found
            .ok_or_else(|| Error::unknown_name("key", key, &[&names[..], &["stop_words"]].concat()))
    }

    /// The same keys with another system text; an empty one leaves it out.
    ///
    /// ```
    /// use prompt_core::lazyllm::Keys;
    ///
    /// assert_eq!(Keys::named("qwen")?.with_system("").system, "");
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn with_system(mut self, text: impl Into<Cow<'static, str>>) -> Keys {
        self.system = text.into();
        self
    }

    /// Whether a model of the group can be told how to call a tool.
    pub(crate) fn can_call(&self) -> bool {
        ![
            &self.tool_start_token,
            &self.tool_args_token,
            &self.tool_end_token,
        ]
        .iter()
        .any(|key| key.is_empty())
    }

    /// The control tokens in the keys: what stands in angle or square brackets, or else the key's words.
    pub(crate) fn tokens(&self) -> Vec<&str> {
        let mut tokens: Vec<&str> = Vec::new();
        for word in self
            .all()
            .into_iter()
            .chain(self.stop_words.iter())
            .flat_map(|key| key.split_whitespace())
        {
            let before = tokens.len();
            let mut rest = word;
            while let Some(start) = rest.find(['<', '[']) {
                let Some(end) = rest[start..].find(['>', ']']) else {
                    break;
                };
                let end = start
                    + end
                    + rest[start + end..]
                        .chars()
                        .take_while(|char| ">]".contains(*char))
                        .count();
                tokens.push(&rest[start..end]);
                rest = &rest[end..];
            }
            if tokens.len() == before {
                tokens.push(word);
            }
        }
        sort_by(&mut tokens, Ord::cmp);
        tokens.dedup();
        tokens
    }

    /// The keys that can stand in a text.
    fn all(&self) -> [&Cow<'static, str>; 11] {
        [
            &self.sos,
            &self.eos,
            &self.soh,
            &self.eoh,
            &self.soa,
            &self.eoa,
            &self.soe,
            &self.eoe,
            &self.tool_start_token,
            &self.tool_args_token,
            &self.tool_end_token,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_what_stands_in_brackets() {
        let check = |group: &str, tokens: &[&str]| {
            assert_eq!(Keys::named(group).unwrap().tokens(), tokens, "{group}");
        };
        check(
            "llama-2",
            &["</s>", "<</SYS>>", "<<SYS>>", "[/INST]", "[INST]"],
        );
        check("internlm", &["<eoa>", "<|Bot|>", "<|System|>", "<|User|>"]);
        check(
            "glm-4",
            &[
                "<|assistant|>",
                "<|observation|>",
                "<|system|>",
                "<|user|>",
                "✿ARGS✿:",
                "✿FUNCTION✿:",
            ],
        );
        check("codellama", &[]);
    }
}
