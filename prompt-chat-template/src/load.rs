//! Chat templates from text, files and `tokenizer_config.json`, and tokens from `tokenizer.json`.

use std::path::Path;

use crate::ChatTemplate;
use crate::config::{Config, DEFAULT, config_error};
use crate::engine::Engine;
use crate::probe::find_tokens;
use prompt_core::format::AddedToken;
use prompt_core::{Error, ErrorKind, Json, Result};

/// The name under which models ship a template for conversations with tools.
const WITH_TOOLS: &str = "tool_use";

impl ChatTemplate {
    /// A template from its text. It has no special tokens: where the template writes `bos_token`, nothing is written until
    /// [`token`](ChatTemplate::token) sets it.
    ///
    /// # Errors
    /// Text that is not Jinja, with its place, and JSON.
    ///
    /// ```
    /// use typed_prompt::ChatTemplate;
    ///
    /// let error = ChatTemplate::parse("{% for m in messages %}{{ m.content }").unwrap_err();
    /// assert!(format!("{error:#}").contains("--> 1:"));
    /// ```
    pub fn parse(source: &str) -> Result<ChatTemplate> {
        if let Ok(json) = Json::parse(source) {
            let text = format!(
                "this is JSON ({}), and not the text of a chat template",
                json.kind().name()
            );
            return Err(Error::new(ErrorKind::Template, text).with_help(
                "read a `tokenizer_config.json` with `ChatTemplate::from_tokenizer_config`",
            ));
        }
        if !source.contains("{{") && !source.contains("{%") {
            let text = "this chat template has neither `{{ … }}` nor `{% … %}`, so that no message can be in its text";
            return Err(Error::new(ErrorKind::Template, text).with_help(
                "give the text of the template, or read its file with `ChatTemplate::load`",
            ));
        }
        let main = Engine::new(source)?;
        Ok(ChatTemplate {
            tokens: find_tokens(&main),
            main,
            with_tools: None,
            bos: String::new(),
            eos: String::new(),
            token_variables: Vec::new(),
            variables: Vec::new(),
            second: None,
            fuel: None,
            output: None,
            memory: None,
        })
    }

    /// A template from the bytes of a file.
    ///
    /// # Errors
    /// Bytes that are not UTF-8, with their place, and text that is not Jinja.
    ///
    /// ```
    /// use typed_prompt::ChatTemplate;
    ///
    /// assert!(ChatTemplate::from_bytes(b"{{ messages }}").is_ok());
    /// let error = ChatTemplate::from_bytes(b"{{ \xff }}").unwrap_err();
    /// assert_eq!(error.message(), "the chat template is not UTF-8: byte 3");
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<ChatTemplate> {
        ChatTemplate::parse(decode_utf8(bytes, "the chat template")?)
    }

    /// The template and the tokens of a `tokenizer_config.json`.
    ///
    /// Of several named templates `default` is taken, and for conversations with tools `tool_use`.
    ///
    /// # Errors
    /// JSON of another shape, a named token that is not a string or an object with `content`, no template, and several of which none is
    /// called `default`.
    ///
    /// ```
    /// use typed_prompt::{ChatTemplate, Message, Messages};
    ///
    /// let template = ChatTemplate::from_tokenizer_config(
    ///     r#"{"chat_template": "{{ bos_token }}{{ messages[0].content }}", "bos_token": {"content": "<s>"}}"#,
    /// )?;
    /// assert_eq!(Messages::from([Message::user("Hi")]).to_text(&template)?, "<s>Hi");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn from_tokenizer_config(json: &str) -> Result<ChatTemplate> {
        let config = Config::parse(json)?;
        let main = match (&config.templates[..], config.find_template(DEFAULT)) {
            ([], _) => {
                let error = config_error("there is no `chat_template`");
                return Err(error.with_help(
                    "look for `chat_template.jinja` beside it, and see `tokenizer_config`",
                ));
            }
            (_, Some(main)) => main,
            ([(_, only)], None) => only,
            _ => {
                let names = config.template_names();
                let error = config_error(&format!("there are several chat templates: {names}"));
                return Err(error.with_help("name one with `from_tokenizer_config_named`"));
            }
        };
        let mut template = ChatTemplate::parse(main)?;
        if let Some(source) = config.find_template(WITH_TOOLS) {
            let engine = Engine::new(source)?;
            template.tokens.extend(find_tokens(&engine));
            template.with_tools = Some(engine);
        }
        Ok(template.with_tokens(config))
    }

    /// One of the named templates of a `tokenizer_config.json`, with its tokens.
    ///
    /// # Errors
    /// As [`from_tokenizer_config`](ChatTemplate::from_tokenizer_config), and a name that does not exist.
    ///
    /// ```
    /// use typed_prompt::ChatTemplate;
    ///
    /// let json = r#"{"chat_template": [{"name": "rag", "template": "{{ documents }}"}]}"#;
    /// assert_eq!(ChatTemplate::from_tokenizer_config_named(json, "rag")?.source(), "{{ documents }}");
    /// assert!(ChatTemplate::from_tokenizer_config_named(json, "tool_use").is_err());
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn from_tokenizer_config_named(json: &str, name: &str) -> Result<ChatTemplate> {
        let config = Config::parse(json)?;
        let Some(source) = config.find_template(name) else {
            let error = config_error(&format!("there is no chat template `{name}`"));
            let names = config.template_names();
            return Err(if names.is_empty() {
                error
            } else {
                error.with_help(format!("use one of {names}"))
            });
        };
        Ok(ChatTemplate::parse(source)?.with_tokens(config))
    }

    /// The same template with the tokens of a `tokenizer_config.json`, for a template in a separate file.
    ///
    /// # Errors
    /// JSON of another shape.
    ///
    /// ```
    /// use typed_prompt::{ChatFormat, ChatTemplate};
    ///
    /// let json = r#"{"added_tokens_decoder": {"0": {"content": "<|pad|>", "special": true}}, "eos_token": "</s>"}"#;
    /// let template = ChatTemplate::parse("{{ messages }}")?.tokenizer_config(json)?;
    /// assert_eq!(template.guarded_tokens(), ["<|pad|>", "</s>"]);
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn tokenizer_config(self, json: &str) -> Result<ChatTemplate> {
        Ok(self.with_tokens(Config::parse(json)?))
    }

    /// Reads a model's template from a file: `chat_template.jinja`, or a `tokenizer_config.json`.
    ///
    /// A `.json` file is a configuration; if it has no template, the `chat_template.jinja` in the same folder is read. The text
    /// of any other file is the template. Control tokens are read from the `tokenizer_config.json` and the `tokenizer.json` in
    /// the same folder, if there are any.
    ///
    /// # Errors
    /// A file that cannot be read or is not UTF-8, and as [`from_tokenizer_config`](ChatTemplate::from_tokenizer_config).
    ///
    /// ```
    /// assert!(typed_prompt::ChatTemplate::load("no/such/chat_template.jinja").is_err());
    /// ```
    pub fn load(path: impl AsRef<Path>) -> Result<ChatTemplate> {
        let path = path.as_ref();
        let text = read_text_file(path)?;
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            let beside = path.with_file_name("chat_template.jinja");
            let template = match Config::parse(&text)?.templates.is_empty() && beside.is_file() {
                true => ChatTemplate::parse(&read_text_file(&beside)?)?.tokenizer_config(&text)?,
                false => ChatTemplate::from_tokenizer_config(&text)?,
            };
            return template.with_files_beside(path);
        }
        ChatTemplate::parse(&text)?.with_files_beside(path)
    }

    /// Takes the control tokens from a `tokenizer.json`: all added tokens that are special, and of the others those that the
    /// template uses and those in the form `<|…|>`.
    ///
    /// The list of the tokenizer is complete, that of a template contains only what the template shows. A token of the list is
    /// one token, so that it is broken only where data contains it letter by letter.
    ///
    /// # Errors
    /// JSON without a list `added_tokens`.
    ///
    /// ```
    /// use typed_prompt::{ChatTemplate, Message, Messages};
    ///
    /// let json = r#"{"added_tokens": [
    ///     {"id": 0, "content": "[MASK]", "special": true},
    ///     {"id": 1, "content": "<code>", "special": false}
    /// ]}"#;
    /// let template = ChatTemplate::parse("{{ messages[0].content }}")?.tokenizer(json)?;
    /// let ask = Messages::from([Message::user("[MASK] <code>")]);
    /// assert_eq!(ask.to_text(&template)?, "[ MASK] <code>");
    /// # Ok::<(), typed_prompt::Error>(())
    /// ```
    pub fn tokenizer(self, json: &str) -> Result<ChatTemplate> {
        Ok(self.with_added(AddedToken::parse(json)?))
    }

    fn with_tokens(self, config: Config) -> ChatTemplate {
        let template = self.with_added(config.tokens);
        let set = |template: ChatTemplate, (name, token)| template.token(name, token);
        config.variables.into_iter().fold(template, set)
    }

    fn with_added(mut self, tokens: Vec<AddedToken>) -> ChatTemplate {
        let sources = [Some(&self.main), self.with_tools.as_ref()];
        let is_used = |content: &str| {
            self.tokens.all.iter().any(|token| token == content)
                || sources
                    .iter()
                    .flatten()
                    .any(|engine| engine.source.contains(content))
        };
        let is_control = |token: &AddedToken| token.is_control() || is_used(&token.content);
        let tokens: Vec<AddedToken> = tokens.into_iter().filter(is_control).collect();
        let normalized = tokens.iter().filter(|token| token.is_normalized);
        let normalized = normalized.map(|token| token.content.clone());
        self.tokens.add_normalized(normalized);
        self.tokens
            .add_exact(tokens.into_iter().map(|token| token.content));
        self
    }

    /// The template with the tokens of the tokenizer files in the same folder.
    fn with_files_beside(self, path: &Path) -> Result<ChatTemplate> {
        let mut template = self;
        let config = path.with_file_name("tokenizer_config.json");
        if config != path && config.is_file() {
            template = template.tokenizer_config(&read_text_file(&config)?)?;
        }
        let tokenizer = path.with_file_name("tokenizer.json");
        if tokenizer.is_file() {
            template = template.tokenizer(&read_text_file(&tokenizer)?)?;
        }
        Ok(template)
    }
}

fn decode_utf8<'a>(bytes: &'a [u8], what: &str) -> Result<&'a str> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        Error::new(
            ErrorKind::Template,
            format!("{what} is not UTF-8: byte {at}"),
        )
    })
}

fn read_text_file(path: &Path) -> Result<String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let bytes = prompt_base::file::read_file(path, 256).map_err(|error| {
        let error_text = format!("{name} cannot be read: {error}");
        Error::new(ErrorKind::Template, error_text).with_source(error)
    })?;
    let text = decode_utf8(&bytes, &name)?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_owned())
}
