//! The keys of a model group: the delimiters of LazyLLM's layouts.

use std::borrow::Cow;

use prompt_core::{Error, ErrorKind, Result};

use super::groups::GROUPS;

/// LazyLLM's system text for models whose keys have none.
///
/// ```
/// use typed_prompt::compat::lazyllm::{DEFAULT_SYSTEM, Keys};
///
/// assert_eq!(Keys::default().system, DEFAULT_SYSTEM);
/// ```
pub const DEFAULT_SYSTEM: &str = "You are an AI-Agent developed by LazyLLM.";

/// The keys of a model group: the delimiters of each role, and the group's system text.
///
/// An empty key writes nothing. Without `soe` and `eoe`, results of tools are written with the user's delimiters.
///
/// ```
/// use typed_prompt::compat::lazyllm::Keys;
///
/// let keys = Keys { soh: "User: ".into(), soa: "Bot: ".into(), ..Keys::from_name("qwen")? };
/// assert_eq!(keys.eoh, "<|im_end|>\n");
/// # Ok::<(), typed_prompt::Error>(())
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
    /// Texts at which the model's answer ends: for [`Options::stop`](prompt_core::Options).
    pub stop_words: Cow<'static, [Cow<'static, str>]>,
    /// Part of LazyLLM's table, but not of its text.
    pub separator: Cow<'static, str>,
    /// Part of LazyLLM's table, but not of its text.
    pub plugin: Cow<'static, str>,
    /// Part of LazyLLM's table, but not of its text.
    pub interpreter: Cow<'static, str>,
}

impl Default for Keys {
    /// No delimiters, and LazyLLM's own system text.
    fn default() -> Keys {
        const NONE: Cow<'static, str> = Cow::Borrowed("");
        Keys {
            system: DEFAULT_SYSTEM.into(),
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
    }
}

impl Keys {
    /// The keys of one of LazyLLM's model groups, by the group's name only.
    ///
    /// # Errors
    /// An unknown name, with the most similar group. LazyLLM guesses the group from a model's name, and uses no keys for
    /// unknown models; here nothing is guessed.
    ///
    /// ```
    /// use typed_prompt::compat::lazyllm::Keys;
    ///
    /// assert_eq!(Keys::from_name("meta-llama-3")?.eoa, "<|eot_id|>");
    /// assert!(Keys::from_name("Qwen2-72B-Instruct").is_err());
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn from_name(group: &str) -> Result<Keys> {
        let found = GROUPS.iter().find(|known| known.0 == group);
        found.map(|known| known.1()).ok_or_else(|| {
            Error::unknown_name("group of keys", group, &Vec::from_iter(Keys::groups()))
        })
    }

    /// The names of the groups.
    ///
    /// ```
    /// assert_eq!(typed_prompt::compat::lazyllm::Keys::groups().count(), 16);
    /// ```
    pub fn groups() -> impl Iterator<Item = &'static str> {
        GROUPS.iter().map(|group| group.0)
    }

    /// Sets the keys of a JSON object, as in a model's configuration; `null` leaves a key unchanged.
    ///
    /// # Errors
    /// An unknown key, with the most similar one, and a value that is not a string.
    ///
    /// ```
    /// use typed_prompt::compat::lazyllm::Keys;
    ///
    /// let keys = Keys::default().json(&serde_json::json!({"sos": "<s>", "eos": "</s>", "soh": null}))?;
    /// assert_eq!((&*keys.sos, &*keys.soh), ("<s>", ""));
    /// assert!(Keys::default().json(&serde_json::json!({"bos": "<s>"})).is_err());
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn json(mut self, json: &serde_json::Value) -> Result<Keys> {
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
            let found = self.get_mut(key)?;
            let text = value
                .as_str()
                .ok_or_else(|| wrong(format!("the key `{key}` is a string")))?;
            *found = text.to_owned().into();
        }
        Ok(self)
    }

    /// The key of this name, except `stop_words`.
    fn get_mut(&mut self, key: &str) -> Result<&mut Cow<'static, str>> {
        let keys = [
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
        let mut names = keys.each_ref().map(|known| known.0).to_vec();
        names.push("stop_words");
        let found = keys.into_iter().find(|known| known.0 == key);
        found
            .map(|known| known.1)
            .ok_or_else(|| Error::unknown_name("key", key, &names))
    }

    /// The same keys with another system text; an empty one leaves it out.
    ///
    /// ```
    /// use typed_prompt::compat::lazyllm::Keys;
    ///
    /// assert_eq!(Keys::from_name("qwen")?.system("").system, "");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn system(mut self, text: impl Into<Cow<'static, str>>) -> Keys {
        self.system = text.into();
        self
    }

    /// Whether the group has the delimiters of tool calls.
    pub(super) fn can_call(&self) -> bool {
        ![
            &self.tool_start_token,
            &self.tool_args_token,
            &self.tool_end_token,
        ]
        .iter()
        .any(|key| key.is_empty())
    }

    /// The control tokens in the keys: the parts of a key in angle or square brackets, or else its words.
    pub(super) fn control_tokens(&self) -> Vec<&str> {
        let mut tokens: Vec<&str> = Vec::new();
        for word in self
            .all_keys()
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
        tokens.sort_unstable();
        tokens.dedup();
        tokens
    }

    /// The keys that are written into a text.
    fn all_keys(&self) -> [&Cow<'static, str>; 11] {
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
    fn tokens_are_bracketed_parts_or_words() {
        let check = |group: &str, tokens: &[&str]| {
            assert_eq!(
                Keys::from_name(group).unwrap().control_tokens(),
                tokens,
                "{group}"
            );
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
