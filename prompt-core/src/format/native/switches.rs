//! The switches of the families' formats.

use super::options::Options;
use super::{Date, NativeFormat};
use crate::Json;

impl NativeFormat {
    /// The switches, to be changed.
    fn switch(&mut self) -> &mut Options {
        let default = || Box::new(Options::DEFAULT);
        self.options.get_or_insert_with(default)
    }

    /// The behaviour of the model's own template, also where that drops something silently.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, Prompt, format};
    ///
    /// // Mistral's template puts the system message before the last user message, and nowhere if that is not last.
    /// let ask = Messages::from([Message::system("Rhyme."), Message::user("Hi"), Message::assistant("Fly")]);
    /// let format = format::MISTRAL_V3.lenient();
    /// assert_eq!(ask.to_text(format)?, "<s>[INST] Hi[/INST] Fly</s>");
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn lenient(mut self) -> NativeFormat {
        self.switch().strict = false;
        self
    }

    /// Leaves the last message open: the model continues it.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, Prompt, format};
    ///
    /// let ask = Messages::from([Message::user("As JSON."), Message::assistant("{\"depth\":")]);
    /// assert!(ask.to_text(format::CHATML.continued())?.ends_with("<|im_start|>assistant\n{\"depth\":"));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn continued(mut self) -> NativeFormat {
        self.open = true;
        self
    }

    /// With or without the token that ends a text, where the family writes one.
    ///
    /// ```
    /// use prompt_core::{ChatFormat, Message, Messages, Prompt, format};
    ///
    /// let row = Messages::from([Message::user("Hi"), Message::assistant("Hello")]);
    /// assert_eq!(row.to_text(format::MISTRAL_V7.eos(false).generation_prompt(false))?, "<s>[INST] Hi[/INST] Hello");
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn eos(mut self, eos: bool) -> NativeFormat {
        self.switch().eos = eos;
        self
    }

    /// Whether the model reasons before it answers: Qwen 3, DeepSeek V3.1, GLM 4.5, SmolLM 3.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, Prompt, format};
    ///
    /// let ask = Messages::from([Message::user("Hi")]);
    /// assert!(ask.to_text(format::DEEPSEEK_V3_1.thinking(true))?.ends_with("<｜Assistant｜><think>"));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn thinking(mut self, thinking: bool) -> NativeFormat {
        self.switch().thinking = Some(thinking);
        self
    }

    /// The reasoning effort, `low`, `medium` or `high`: gpt-oss.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, Prompt, format};
    ///
    /// let ask = Messages::from([Message::user("Hi")]);
    /// assert!(ask.to_text(format::GPT_OSS.effort("high"))?.contains("\n\nReasoning: high\n\n"));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn effort(mut self, effort: impl Into<String>) -> NativeFormat {
        self.switch().effort = Some(effort.into());
        self
    }

    /// The identity of the model in the system message: gpt-oss.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, Prompt, format};
    ///
    /// let text = Messages::from([Message::user("Hi")]).to_text(format::GPT_OSS.identity("You are Pilot."))?;
    /// assert!(text.starts_with("<|start|>system<|message|>You are Pilot.\n"));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn identity(mut self, identity: impl Into<String>) -> NativeFormat {
        self.switch().identity = Some(identity.into());
        self
    }

    /// The date in the text, instead of today: Llama 3.1 and 3.2, Granite, gpt-oss, SmolLM 3.
    ///
    /// ```
    /// use prompt_core::format::{self, Date};
    /// use prompt_core::{Message, Messages, Prompt};
    ///
    /// let day = Date { year: 2025, month: 7, day: 26 };
    /// let text = Messages::from([Message::user("Hi")]).to_text(format::LLAMA3_2.date(day))?;
    /// assert!(text.contains("Today Date: 26 Jul 2025\n"));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn date(mut self, date: Date) -> NativeFormat {
        self.switch().date = Some(date);
        self
    }

    /// The date as text of your own: Llama 3.1 and 3.2.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, Prompt, format};
    ///
    /// let text = Messages::from([Message::user("Hi")]).to_text(format::LLAMA3_1.date_text("May 1"))?;
    /// assert!(text.contains("Today Date: May 1\n"));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn date_text(mut self, text: impl Into<String>) -> NativeFormat {
        self.switch().date_text = Some(text.into());
        self
    }

    /// Describes tools in the first user message, as by default, or in the system turn: Llama 3.1, 3.2 and 4.
    ///
    /// ```
    /// use prompt_core::{Message, Messages, Prompt, Tool, format};
    ///
    /// let ask = Messages::from([Message::user("Hi")]).with_tool(Tool::new("add"));
    /// let text = ask.to_text(format::LLAMA3_1.tools_in_user(false))?;
    /// assert!(text.contains("You have access to the following functions."));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn tools_in_user(mut self, in_user: bool) -> NativeFormat {
        self.switch().tools_in_user = in_user;
        self
    }

    /// Turns on tools that the model's maker built in: Llama 3.1 (`brave_search`, `code_interpreter`, …), gpt-oss
    /// (`browser`, `python`).
    ///
    /// ```
    /// use prompt_core::{Message, Messages, Prompt, format};
    ///
    /// let ask = Messages::from([Message::user("Hi")]);
    /// assert!(ask.to_text(format::GPT_OSS.builtin_tools(["python"]))?.contains("## python\n"));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn builtin_tools<T: Into<String>>(
        mut self,
        tools: impl IntoIterator<Item = T>,
    ) -> NativeFormat {
        self.switch().builtin_tools = Some(tools.into_iter().map(Into::into).collect());
        self
    }

    /// Describes tools that the model calls with Python code: SmolLM 3.
    ///
    /// ```
    /// use prompt_core::{Json, Message, Messages, Prompt, format};
    ///
    /// let tool = Json::parse("\"def tide(harbour): …\"")?;
    /// let text = Messages::from([Message::user("Hi")]).to_text(format::SMOLLM3.python_tools([tool]))?;
    /// assert!(text.contains("<tools>\ndef tide(harbour): …\n</tools>"));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn python_tools(mut self, tools: impl IntoIterator<Item = Json>) -> NativeFormat {
        self.switch().python_tools = tools.into_iter().collect();
        self
    }

    /// Gives passages to answer from, as objects with a `text`: Granite.
    ///
    /// ```
    /// use prompt_core::{Json, Message, Messages, Prompt, format};
    ///
    /// let passage = Json::parse(r#"{"text": "High water is at six."}"#)?;
    /// let text = Messages::from([Message::user("When?")]).to_text(format::GRANITE3_1.documents([passage]))?;
    /// assert!(text.contains("Document 0\nHigh water is at six.<|end_of_text|>"));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn documents(mut self, documents: impl IntoIterator<Item = Json>) -> NativeFormat {
        self.switch().documents = documents.into_iter().collect();
        self
    }

    /// Asks for more than an answer, such as citations or a length: Granite.
    ///
    /// ```
    /// use prompt_core::{Json, Message, Messages, Prompt, format};
    ///
    /// let controls = Json::parse(r#"{"length": "short"}"#)?;
    /// let text = Messages::from([Message::user("When?")]).to_text(format::GRANITE3_1.controls(controls))?;
    /// assert!(text.ends_with("<|start_of_role|>assistant {\"length\": \"short\"}<|end_of_role|>"));
    /// # Ok::<(), prompt_core::Error>(())
    /// ```
    pub fn controls(mut self, controls: impl Into<Json>) -> NativeFormat {
        self.switch().controls = Some(controls.into());
        self
    }
}
