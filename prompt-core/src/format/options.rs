//! The options of chat formats, in one table: a field of [`FormatOptions`] and a method of every format are made from each row.

use crate::format::{AddedToken, Date, Family, FormatOption};
use crate::{ChatFormat, Error, ErrorKind, Guard, Json, Result};

/// Passes the table of all options to a macro. A row contains the documentation, an example for the method of
/// [`ChatFormat`], the option's name, its [`FormatOption`] if only some formats have it, its type and default, and what its method
/// takes and sets. The second list contains the methods that can fail.
macro_rules! for_each_option {
    ($callback:ident) => {
        $callback! { {
            /// What happens to control tokens in data.
            example {}
            guard: Guard = Guard::Neutralise,
            (guard: Guard) options => { options.guard = guard; };

            /// Whether the text begins with the beginning-of-sequence token. Turn it off if the tokenizer adds the token. A format
            /// without such a token has none to write in either case.
            example {
                ///
                /// ```
                /// use typed_prompt::{Message, Messages, format};
                ///
                /// let ask = Messages::from([Message::user("2+2?")]);
                /// assert_eq!(ask.to_text(format::LLAMA2.bos(false))?, "[INST] 2+2? [/INST]");
                /// # Ok::<(), typed_prompt::Error>(())
                /// ```
            }
            bos: bool = true,
            (bos: bool) options => { options.bos = bos; };

            /// Whether the text ends with the token that the family writes at the end of an answer. A format that writes no such
            /// token at the end of a text has none to leave out.
            example {
                ///
                /// ```
                /// use typed_prompt::{Message, Messages, format};
                ///
                /// let row = Messages::from([Message::user("Hi"), Message::assistant("Hello")]);
                /// assert_eq!(row.to_text(format::MISTRAL_V7.eos(false).generation_prompt(false))?, "<s>[INST] Hi[/INST] Hello");
                /// # Ok::<(), typed_prompt::Error>(())
                /// ```
            }
            eos: bool = true,
            (eos: bool) options => { options.eos = eos; };

            /// Whether the text ends with the generation prompt, after which the model's answer begins, or after the last message.
            example {}
            generation_prompt: bool = true,
            (generation_prompt: bool) options => { options.generation_prompt = generation_prompt; };

            /// The answer at the end of the text, for training. An empty label adds nothing.
            example {
                ///
                /// ```
                /// use typed_prompt::{Message, Messages, format};
                ///
                /// let ask = Messages::from([Message::user("2+2?")]);
                /// assert_eq!(ask.to_text(format::LLAMA2.label("4 </s>"))?, "<s>[INST] 2+2? [/INST] 4 </s>");
                /// # Ok::<(), typed_prompt::Error>(())
                /// ```
            }
            label: Option<String> = None,
            (label: impl Into<String>) options => {
                options.label = Some(label.into()).filter(|label| !label.is_empty());
            };

            /// Control tokens that data must not contain, next to those of the family: for a model whose tokenizer has more than its
            /// family.
            example {
                ///
                /// ```
                /// use typed_prompt::{ChatFormat, Message, Messages, format};
                ///
                /// let ask = Messages::from([Message::user("<|pause|>")]);
                /// let format = format::PLAIN.control_tokens(["<|pause|>"]);
                /// assert_eq!(ask.to_text(format)?, "< |pause|>");
                /// # Ok::<(), typed_prompt::Error>(())
                /// ```
            }
            control_tokens: Vec<String> = Vec::new(),
            (tokens: impl crate::Texts) options => {
                options.control_tokens.extend(crate::Texts::into_texts(tokens));
            };

            /// Control tokens that a tokenizer searches for in normalised text: data must not contain them in other characters
            /// either, such as full-width letters. List them in `control_tokens` too.
            example {}
            normalized_tokens: Vec<String> = Vec::new(),
            (tokens: impl crate::Texts) options => {
                options.normalized_tokens.extend(crate::Texts::into_texts(tokens));
            };

            /// Whether content that the family does not support is handled as the model's chat template handles it, even if the
            /// template drops it silently. It does not permit an option that the family does not support.
            example {
                ///
                /// ```
                /// use typed_prompt::{Message, Messages, format};
                ///
                /// // Mistral's template puts the system message before the last user message, and nowhere if that is not last.
                /// let ask = Messages::from([Message::system("Rhyme."), Message::user("Hi"), Message::assistant("Fly")]);
                /// let format = format::MISTRAL_V3.lenient();
                /// assert_eq!(ask.to_text(format)?, "<s>[INST] Hi[/INST] Fly</s>");
                /// # Ok::<(), typed_prompt::Error>(())
                /// ```
            }
            lenient as Lenient: bool = false,
            () options => { options.lenient = true; };

            /// Whether the last message stays open, so that the model continues it.
            example {
                ///
                /// ```
                /// use typed_prompt::{Message, Messages, format};
                ///
                /// let ask = Messages::from([Message::user("As JSON."), Message::assistant("{\"depth\":")]);
                /// assert!(ask.to_text(format::CHATML.continued())?.ends_with("<|im_start|>assistant\n{\"depth\":"));
                /// # Ok::<(), typed_prompt::Error>(())
                /// ```
            }
            continued as Continued: bool = false,
            () options => { options.continued = true; };

            /// Whether the model reasons before it answers, for the families that `docs/formats.md` lists. By default the text is that of
            /// the model's chat template without this variable.
            example {
                ///
                /// ```
                /// use typed_prompt::{ErrorKind, Message, Messages, format};
                ///
                /// let ask = Messages::from([Message::user("Hi")]);
                /// assert!(ask.to_text(format::DEEPSEEK_V3_1.thinking(true))?.ends_with("<｜Assistant｜><think>"));
                /// let error = ask.to_text(format::CHATML.thinking(true)).unwrap_err();
                /// assert_eq!(error.kind(), ErrorKind::Unsupported);
                /// assert_eq!(error.message(), "the option `thinking` is set, which ChatML does not support");
                /// # Ok::<(), typed_prompt::Error>(())
                /// ```
            }
            thinking as Thinking: Option<bool> = None,
            (thinking: bool) options => { options.thinking = Some(thinking); };

            /// The reasoning effort, for the families that `docs/formats.md` lists. Each has names of its own, such as gpt-oss's `low`, `medium` and
            /// `high`; another one is an error.
            example {
                ///
                /// ```
                /// use typed_prompt::{Message, Messages, format};
                ///
                /// let ask = Messages::from([Message::user("Hi")]);
                /// assert!(ask.to_text(format::GPT_OSS.effort("high"))?.contains("\n\nReasoning: high\n\n"));
                /// # Ok::<(), typed_prompt::Error>(())
                /// ```
            }
            effort as Effort: Option<String> = None,
            (effort: impl Into<String>) options => { options.effort = Some(effort.into()); };

            /// Whether the reasoning of messages before the user's last one is written, for the families that `docs/formats.md` lists. By default the
            /// text is that of the model's chat template without this variable. A text that keeps all reasoning preserves its prefixes.
            example {
                ///
                /// ```
                /// use typed_prompt::{ChatFormat, Message, Messages, format};
                ///
                /// let ask = Messages::from([
                ///     Message::user("2+2?"),
                ///     Message::assistant("4").with_reasoning("Easy."),
                ///     Message::user("3+3?"),
                /// ]);
                /// assert!(ask.to_text(format::QWEN3_6.keep_reasoning(true))?.contains("Easy."));
                /// assert!(!ask.to_text(format::QWEN3_6)?.contains("Easy."));
                /// # Ok::<(), typed_prompt::Error>(())
                /// ```
            }
            keep_reasoning as KeepReasoning: Option<bool> = None,
            (keep: bool) options => { options.keep_reasoning = Some(keep); };

            /// The identity of the model in the system message: gpt-oss.
            example {
                ///
                /// ```
                /// use typed_prompt::{Message, Messages, format};
                ///
                /// let text = Messages::from([Message::user("Hi")]).to_text(format::GPT_OSS.identity("You are Pilot."))?;
                /// assert!(text.starts_with("<|start|>system<|message|>You are Pilot.\n"));
                /// # Ok::<(), typed_prompt::Error>(())
                /// ```
            }
            identity as Identity: Option<String> = None,
            (identity: impl Into<String>) options => { options.identity = Some(identity.into()); };

            /// The date in the text, instead of today: Llama 3.1 and 3.2, Granite, gpt-oss, SmolLM 3.
            example {
                ///
                /// ```
                /// use typed_prompt::{Message, Messages, format::{self, Date}};
                ///
                /// let day = Date { year: 2025, month: 7, day: 26 };
                /// let text = Messages::from([Message::user("Hi")]).to_text(format::LLAMA3_2.date(day))?;
                /// assert!(text.contains("Today Date: 26 Jul 2025\n"));
                /// # Ok::<(), typed_prompt::Error>(())
                /// ```
            }
            date as Date: Option<Date> = None,
            (date: Date) options => { options.date = Some(date); };

            /// The date as text of your own: Llama 3.1 and 3.2.
            example {
                ///
                /// ```
                /// use typed_prompt::{Message, Messages, format};
                ///
                /// let text = Messages::from([Message::user("Hi")]).to_text(format::LLAMA3_1.date_text("May 1"))?;
                /// assert!(text.contains("Today Date: May 1\n"));
                /// # Ok::<(), typed_prompt::Error>(())
                /// ```
            }
            date_text as DateText: Option<String> = None,
            (text: impl Into<String>) options => { options.date_text = Some(text.into()); };

            /// Whether tools are described in the first user message, as by default, or in the system turn: Llama 3.1, 3.2 and 4.
            example {
                ///
                /// ```
                /// use typed_prompt::{Message, Messages, Tool, format};
                ///
                /// let ask = Messages::from([Message::user("Hi")]).with_tool(Tool::new("add"));
                /// let text = ask.to_text(format::LLAMA3_1.tools_in_user(false))?;
                /// assert!(text.contains("You have access to the following functions."));
                /// # Ok::<(), typed_prompt::Error>(())
                /// ```
            }
            tools_in_user as ToolsInUser: Option<bool> = None,
            (in_user: bool) options => { options.tools_in_user = Some(in_user); };

            /// Tools that the model's maker built in: Llama 3.1 (`brave_search`, `code_interpreter`, …), gpt-oss (`browser`,
            /// `python`).
            example {
                ///
                /// ```
                /// use typed_prompt::{Message, Messages, format};
                ///
                /// let ask = Messages::from([Message::user("Hi")]);
                /// assert!(ask.to_text(format::GPT_OSS.builtin_tools(["python"]))?.contains("## python\n"));
                /// # Ok::<(), typed_prompt::Error>(())
                /// ```
            }
            builtin_tools as BuiltinTools: Option<Vec<String>> = None,
            (tools: impl crate::Texts) options => {
                options.builtin_tools = Some(crate::Texts::into_texts(tools).collect());
            };

            /// Whether the text of a message with tool calls, and each call followed by its result, are messages of their own:
            /// Llama 3.1 and 3.2, whose template accepts one call and no text in such a message. Results belong to calls by id, or by
            /// order if none has an id.
            example {
                ///
                /// ```
                /// use typed_prompt::{Message, Messages, ToolCall, format};
                ///
                /// let calls = ["Brest", "Sète"].map(|port| ToolCall::new(port, "tide", format!(r#"{{"port": "{port}"}}"#)));
                /// let chat = Messages::from([
                ///     Message::user("High water?"),
                ///     Message::assistant("I will look.").with_tool_calls(calls.to_vec()),
                ///     Message::tool("Brest", "6:12"),
                ///     Message::tool("Sète", "7:40"),
                /// ]);
                /// assert!(chat.to_text(format::LLAMA3_1).is_err());
                /// assert!(chat.to_text(format::LLAMA3_1.separate_calls())?.contains("\"Brest\"}}<|eot_id|>"));
                /// # Ok::<(), typed_prompt::Error>(())
                /// ```
            }
            separate_calls as SeparateCalls: bool = false,
            () options => { options.separate_calls = true; };

            /// Tools that the model calls with Python code: SmolLM 3. An empty list is the same as none.
            example {
                ///
                /// ```
                /// use typed_prompt::{Message, Messages, format, message::Json};
                ///
                /// let tool = Json::parse("\"def tide(harbour): …\"")?;
                /// let text = Messages::from([Message::user("Hi")]).to_text(format::SMOLLM3.python_tools([tool]))?;
                /// assert!(text.contains("<tools>\ndef tide(harbour): …\n</tools>"));
                /// # Ok::<(), typed_prompt::Error>(())
                /// ```
            }
            python_tools as PythonTools: Vec<Json> = Vec::new(),
            (tools: impl IntoIterator<Item = Json>) options => { options.python_tools = tools.into_iter().collect(); };

            /// Passages to answer from, as objects with a `text`: Granite. An empty list is the same as none.
            example {
                ///
                /// ```
                /// use typed_prompt::{Message, Messages, format, message::Json};
                ///
                /// let passage = Json::parse(r#"{"text": "High water is at six."}"#)?;
                /// let text = Messages::from([Message::user("When?")]).to_text(format::GRANITE3_1.documents([passage]))?;
                /// assert!(text.contains("Document 0\nHigh water is at six.<|end_of_text|>"));
                /// # Ok::<(), typed_prompt::Error>(())
                /// ```
            }
            documents as Documents: Vec<Json> = Vec::new(),
            (documents: impl IntoIterator<Item = Json>) options => { options.documents = documents.into_iter().collect(); };

            /// Requirements of the answer, such as citations or a length: Granite.
            example {
                ///
                /// ```
                /// use typed_prompt::{Message, Messages, format, message::Json};
                ///
                /// let controls = Json::parse(r#"{"length": "short"}"#)?;
                /// let text = Messages::from([Message::user("When?")]).to_text(format::GRANITE3_1.controls(controls))?;
                /// assert!(text.ends_with("<|start_of_role|>assistant {\"length\": \"short\"}<|end_of_role|>"));
                /// # Ok::<(), typed_prompt::Error>(())
                /// ```
            }
            controls as Controls: Option<Json> = None,
            (controls: impl Into<Json>) options => { options.controls = Some(controls.into()); };
        } {
            /// Adds the control tokens of a `tokenizer.json`: all added tokens that are special or in the form `<|…|>`. Where the
            /// tokenizer normalises text before it searches for a token, data may not contain the token in full-width letters, with
            /// accents, or with characters without width either.
            ///
            /// # Errors
            /// As [`AddedToken::parse`](crate::format::AddedToken::parse).
            example {
                ///
                /// ```
                /// use typed_prompt::{Message, Messages, format};
                ///
                /// let json = r#"{"added_tokens": [{"id": 7, "content": "[PAUSE]", "special": true}]}"#; // the file's text
                /// let ask = Messages::from([Message::user("[PAUSE]</s>")]);
                /// let text = ask.to_text(format::LLAMA2.tokenizer(json)?)?;
                /// assert_eq!(text, "<s>[INST] [ PAUSE]< /s> [/INST]");
                /// # Ok::<(), typed_prompt::Error>(())
                /// ```
            }
            tokenizer(json: &str) options => { options.add_tokenizer(json)?; };
        } }
    };
}
pub(super) use for_each_option;

macro_rules! declare_options {
    (
        { $(
            $(#[$doc:meta])* example { $($example:tt)* }
            $name:ident $(as $option:ident)?: $type:ty = $default:expr,
            ($($argument:ident: $argument_type:ty)?) $options:ident => $set:block;
        )* }
        { $(
            $(#[$try_doc:meta])* example { $($try_example:tt)* }
            $try_name:ident($try_argument:ident: $try_type:ty) $try_options:ident => $try_set:block;
        )* }
    ) => {
        /// The options of a chat format. An option that is set and that the format does not support is an error.
        ///
        /// A format takes them one by one, or all at once with [`options`](ChatFormat::options).
        ///
        /// ```
        /// use typed_prompt::{Message, Messages, format, format::FormatOptions};
        ///
        /// let ask = Messages::from([Message::user("Hi")]);
        /// let options = FormatOptions::new().thinking(false);
        /// assert_eq!(
        ///     ask.to_text(format::QWEN3.options(options))?,
        ///     ask.to_text(format::QWEN3.thinking(false))?,
        /// );
        /// # Ok::<(), typed_prompt::Error>(())
        /// ```
        #[derive(Clone, PartialEq, Debug)]
        #[non_exhaustive]
        #[must_use = "options have an effect where they are given to a format"]
        pub struct FormatOptions {
            $($(#[$doc])* pub $name: $type,)*
        }

        impl FormatOptions {
            /// The defaults.
            pub const fn new() -> FormatOptions {
                FormatOptions { $($name: $default,)* }
            }

            $(
                #[doc = concat!("Sets [`", stringify!($name), "`](FormatOptions::", stringify!($name), ").")]
                pub fn $name(mut self $(, $argument: $argument_type)?) -> FormatOptions {
                    let $options = &mut self;
                    $set
                    self
                }
            )*

            $(
                $(#[$try_doc])*
                pub fn $try_name(mut self, $try_argument: $try_type) -> Result<FormatOptions> {
                    let $try_options = &mut self;
                    $try_set
                    Ok(self)
                }
            )*

            /// Sets the options that are set in `options`. The others keep their earlier values.
            ///
            /// ```
            /// use typed_prompt::format::FormatOptions;
            ///
            /// let options = FormatOptions::new().bos(false).options(FormatOptions::new().label("4"));
            /// assert_eq!(options, FormatOptions::new().bos(false).label("4"));
            /// ```
            pub fn options(mut self, options: FormatOptions) -> FormatOptions {
                $(
                    if options.$name != DEFAULT_OPTIONS.$name {
                        self.$name = options.$name;
                    }
                )*
                self
            }

            /// The options that are set and that only some formats have.
            ///
            /// ```
            /// use typed_prompt::format::{FormatOption, FormatOptions};
            ///
            /// let options = FormatOptions::new().bos(false).effort("low");
            /// assert_eq!(options.special_options().collect::<Vec<_>>(), [FormatOption::Effort]);
            /// ```
            pub fn special_options(&self) -> impl Iterator<Item = FormatOption> + use<> {
                let all = [$($((FormatOption::$option, self.$name != DEFAULT_OPTIONS.$name),)?)*];
                all.into_iter().filter(|(_, is_set)| *is_set).map(|(option, _)| option)
            }
        }
    };
}
for_each_option!(declare_options);

/// The options of a format on which none is set.
pub(crate) static DEFAULT_OPTIONS: FormatOptions = FormatOptions::new();

impl Default for FormatOptions {
    fn default() -> FormatOptions {
        FormatOptions::new()
    }
}

impl FormatOptions {
    fn add_tokenizer(&mut self, json: &str) -> Result<()> {
        for token in AddedToken::parse(json)? {
            if token.is_control() {
                if token.is_normalized {
                    self.normalized_tokens.push(token.content.clone());
                }
                self.control_tokens.push(token.content);
            }
        }
        Ok(())
    }

    /// The date in the text.
    pub(crate) fn date_or_today(&self) -> Date {
        self.date.unwrap_or_else(Date::today)
    }

    /// Whether tools are described in the first user message.
    pub(crate) fn are_tools_in_user(&self) -> bool {
        self.tools_in_user.unwrap_or(true)
    }
}

/// Checks that a format supports all options that are set. The provided methods of [`ChatFormat`] that return a text call it.
///
/// # Errors
/// The first option that the format does not support.
///
/// ```
/// use typed_prompt::format::{self, FormatOptions, check_options};
///
/// let options = FormatOptions::new().effort("high");
/// assert!(check_options(&format::GPT_OSS, &options).is_ok());
/// assert!(check_options(&format::LLAMA3, &options).is_err());
/// ```
pub fn check_options(format: &(impl ChatFormat + ?Sized), options: &FormatOptions) -> Result<()> {
    if options.date.is_some() && options.date_text.is_some() {
        let text = "the options `date` and `date_text` are both set";
        return Err(Error::new(ErrorKind::Unsupported, text).with_help("set one of them"));
    }
    let mut special = options.special_options();
    match special.find(|option| !format.supports(*option)) {
        Some(option) => Err(unsupported_option(format.family(), option)),
        None => Ok(()),
    }
}

fn unsupported_option(family: &Family, option: FormatOption) -> Error {
    let name = option.name();
    let text = format!(
        "the option `{name}` is set, which {} does not support",
        family.title
    );
    let with_option = prompt_family::FAMILIES
        .iter()
        .filter(|family| family.options.contains(&option));
    let names: Vec<String> = with_option
        .map(|family| format!("`{}`", family.name))
        .collect();
    let help = match &names[..] {
        [] => format!("leave `{name}` out, or use the format of a model family"),
        names => format!(
            "leave `{name}` out, or use a format that supports it: {}",
            names.join(", ")
        ),
    };
    Error::new(ErrorKind::Unsupported, text).with_help(help)
}
