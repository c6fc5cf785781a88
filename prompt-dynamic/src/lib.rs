//! Templates that are loaded at run time: they can be edited without a rebuild, and have the checks of the compiler.
//!
//! [`Dynamic`] reads a template of any dialect, checks it by the analysis that the macros use, and interprets its tree. Values, filters and
//! operators of Jinja expressions are the functions that generated code calls.

mod call;
mod check;
mod error;
mod eval;
mod fields;
mod file;
mod front_matter;
mod limits;
mod plain;
mod render;
mod slot;
mod template;
mod walk;

use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use prompt_syntax::Dialect;

use prompt_jinja::{eval_error, private as expr};

pub use self::fields::{Contract, Field, FieldKind, FieldValue, Fields, optional_media};
use self::front_matter::TemplateSettings;
use self::limits::RenderLimits;
use self::render::TemplateRenderer;
use self::template::{RunTimeTemplate, TemplateSource};
use prompt_core::{Error, ErrorKind, Messages, Prompt, PromptInfo, Reply, Result, Writer};

/// A template of a prompt that is read when the program runs, and can be read again.
///
/// It is checked against the fields of the prompt when it is read, with the errors of the compiler: a slot that names no
/// field, a field without a slot, a user's text in the system message. What only the values know, such as a missing key, is
/// an error of [`messages`](Dynamic::messages). A template of run time does what the same template does in the program's source.
///
/// The prompt itself is not changed: `llm.call(&ask)` sends the template of the program, `llm.call(&live.fill(&ask))` the loaded one.
///
/// ```
/// use typed_prompt::dynamic::{Contract, Field, FieldKind, FieldValue};
/// use typed_prompt::jinja::ToValue;
/// use typed_prompt::message::Origin;
/// use typed_prompt::{Dynamic, Fields};
/// # use typed_prompt::{Prompt, Reply, Result, write::{Fingerprint, PromptInfo, Writer}};
/// # struct Ask<'a> { question: &'a str }
/// # impl Prompt for Ask<'_> {
/// #     type Output = String;
/// #     const INFO: PromptInfo = PromptInfo::new("Ask");
/// #     fn render(&self, _: &mut Writer) {}
/// #     fn output_schema() -> Option<serde_json::Value> { None }
/// #     fn parse_reply(reply: &Reply) -> Result<String> { Ok(reply.text.clone()) }
/// # }
/// // What `#[derive(Fields)]` writes for `struct Ask<'a> { question: &'a str }`:
/// impl Fields for Ask<'_> {
///     const CONTRACT: &'static Contract =
///         &Contract { fields: &[Field::new("question", FieldKind::Value(<&str>::kind))], ..Contract::NONE };
///     fn field(&self, _: usize) -> FieldValue<'_> {
///         FieldValue::Value(self.question.to_value(Origin::Data(None)))
///     }
/// }
///
/// let live = Dynamic::parse("<system>Answer briefly.</system><user>Q: <question></user>")?;
/// let messages = live.messages(&Ask { question: "Why?" })?;
/// assert_eq!(messages[1].text(), "Q: Why?");
///
/// let error = Dynamic::<Ask>::parse("Q: <qestion>").unwrap_err();
/// assert_eq!(format!("{error:#}").lines().take(5).collect::<Vec<_>>(), [
///     "unknown slot `qestion`",
///     " --> 1:5",
///     "  |",
///     "1 | Q: <qestion>",
///     "  |     ^^^^^^^ not a field of `Ask`",
/// ]);
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[must_use = "a template changes no prompt: render it with `messages(&prompt)`, and call a model with `fill(&prompt)`"]
pub struct Dynamic<P> {
    path: Option<PathBuf>,
    template: RunTimeTemplate,
    limits: RenderLimits,
    prompt: PhantomData<fn() -> P>,
}

// Each function has the bound, so that rustc reports the missing impl and not a missing function.
impl<P> Dynamic<P> {
    /// Reads a file, in the dialect that its front matter names or else in that of the prompt.
    ///
    /// The last line break of the file is removed, as by the key `file` of `#[derive(Prompt)]`; in the Jinja dialect `keep_trailing_newline` decides about it.
    /// The file is the whole prompt: without role blocks it is one user message, and the prompt then has no system message.
    ///
    /// # Errors
    /// A file that cannot be read or is not UTF-8, and every mistake of the template.
    ///
    /// ```no_run
    /// # use typed_prompt::{Dynamic, Fields};
    /// # fn example<Ask: Fields>(ask: Ask) -> typed_prompt::Result<()> {
    /// let mut live = Dynamic::<Ask>::load("prompts/ask.prompt")?;
    /// live.messages(&ask)?;
    /// live.reload()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn load(path: impl AsRef<Path>) -> Result<Dynamic<P>>
    where
        P: Fields,
    {
        let path = path.as_ref();
        Ok(Dynamic {
            template: load_template(path, &P::INFO, P::CONTRACT)?,
            path: Some(path.to_owned()),
            limits: RenderLimits::default(),
            prompt: PhantomData,
        })
    }

    /// Parses a string, in the dialect that its front matter names or else in that of the prompt.
    ///
    /// A line break at the end of the string is a part of the template, where [`load`](Dynamic::load) removes that of a file; in the Jinja dialect
    /// `keep_trailing_newline` decides about both. The string is the whole prompt: without role blocks it is one user message, and the prompt then has no system message.
    ///
    /// # Errors
    /// Every mistake of the template.
    pub fn parse(text: &str) -> Result<Dynamic<P>>
    where
        P: Fields,
    {
        Ok(Dynamic {
            template: parse_template(&file::normalize_text(text), None, &P::INFO, P::CONTRACT)?,
            path: None,
            limits: RenderLimits::default(),
            prompt: PhantomData,
        })
    }

    /// Sets how many statements and expressions one rendering may run, by default 10 million. More are an error of the prompt.
    ///
    /// ```no_run
    /// # use typed_prompt::{Dynamic, Fields};
    /// # fn example<Ask: Fields>() -> typed_prompt::Result<()> {
    /// let live = Dynamic::<Ask>::load("prompts/ask.prompt")?.max_steps(100_000);
    /// # Ok(())
    /// # }
    /// ```
    pub fn max_steps(mut self, steps: u64) -> Dynamic<P> {
        self.limits.steps = steps;
        self
    }

    /// Sets how many bytes one rendering may write and compute, by default 256 MiB, and 16 for each byte of the
    /// fields. More are an error of the prompt. Each byte of text that a filter, test or method goes through counts as four.
    ///
    /// ```no_run
    /// # use typed_prompt::{Dynamic, Fields};
    /// # fn example<Ask: Fields>() -> typed_prompt::Result<()> {
    /// let live = Dynamic::<Ask>::load("prompts/ask.prompt")?.max_bytes(1 << 20);
    /// # Ok(())
    /// # }
    /// ```
    pub fn max_bytes(mut self, bytes: usize) -> Dynamic<P> {
        self.limits.bytes = bytes;
        self.limits.bytes_per_data = 0;
        self
    }

    /// Reads the file again.
    ///
    /// # Errors
    /// As [`load`](Dynamic::load), and a template that was parsed from a string, which has no file; the old template then stays.
    pub fn reload(&mut self) -> Result<()>
    where
        P: Fields,
    {
        let Some(path) = &self.path else {
            let message = "this template was parsed from a string, and has no file to read again";
            let error = Error::new(ErrorKind::Template, message);
            return Err(error.with_help("read the file with `Dynamic::load`"));
        };
        self.template = load_template(path, &P::INFO, P::CONTRACT)?;
        Ok(())
    }

    /// The prompt with this template instead of its own, for all functions that accept a prompt, such as
    /// [`Llm::call`](prompt_core::Llm::call).
    pub fn fill<'a>(&'a self, prompt: &'a P) -> Filled<'a, P> {
        Filled {
            template: &self.template,
            limits: self.limits,
            prompt,
        }
    }

    /// The messages of the prompt, by this template.
    ///
    /// # Errors
    /// As [`Prompt::messages`].
    pub fn messages(&self, prompt: &P) -> Result<Messages>
    where
        P: Fields,
    {
        self.fill(prompt).messages()
    }

    /// The text of the template in use: without its front matter, and of a file without the last line break (see [`load`](Dynamic::load)).
    ///
    /// After a [`reload`](Dynamic::reload) that returned an error, it is the text of the old template.
    pub fn source(&self) -> &str {
        &self.template.sources[0].text
    }
}

fn load_template(
    path: &Path,
    info: &PromptInfo,
    contract: &'static Contract,
) -> Result<RunTimeTemplate> {
    parse_template(&file::read_template(path)?, Some(path), info, contract)
}

fn parse_template(
    text: &str,
    path: Option<&Path>,
    info: &PromptInfo,
    contract: &'static Contract,
) -> Result<RunTimeTemplate> {
    let (name, whole) = (path.map(|path| path.display().to_string()), text);
    let mut settings = TemplateSettings::from_contract(contract);
    if path.is_some_and(|path| {
        path.extension()
            .is_some_and(|extension| extension == "prompty")
    }) {
        settings.options.dialect = Dialect::Jinja;
        settings.options.role_lines = true;
    }
    let front = settings.apply_front_matter(text, name.as_deref())?;
    settings.options.role_lines &= settings.role.is_none();
    let line = text[..front].matches('\n').count() + 1;
    let text = match settings.options.dialect {
        // It has its own rule for the last line break.
        Dialect::Jinja => &text[front..],
        _ if path.is_some() => text[front..].strip_suffix('\n').unwrap_or(&text[front..]),
        _ => &text[front..],
    };
    let source = TemplateSource {
        name: name.clone(),
        text: text.to_owned(),
        line,
        path: path.map(Path::to_owned),
    };
    let template = RunTimeTemplate::parse_and_check(source, settings, info.name, contract)?;
    settings.expect_no_blocks(template.has_blocks(), whole, name.as_deref())?;
    Ok(template)
}

impl<P> std::fmt::Debug for Dynamic<P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dynamic")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

/// A prompt with a template of run time: see [`Dynamic::fill`].
#[must_use = "a filled template is a prompt: give it to `llm.call(…)`"]
pub struct Filled<'a, P> {
    template: &'a RunTimeTemplate,
    limits: RenderLimits,
    prompt: &'a P,
}

impl<P: Fields> Filled<'_, P> {
    fn write_to(&self, out: &mut Writer, answer: bool) {
        let fields = (0..P::CONTRACT.fields.len()).map(|index| self.prompt.field(index));
        TemplateRenderer::new(self.template, fields.collect(), self.limits)
            .write_steps(out, answer);
    }
}

#[diagnostic::do_not_recommend]
impl<P: Fields> Prompt for Filled<'_, P> {
    type Output = P::Output;
    const INFO: PromptInfo = P::INFO;

    fn render(&self, out: &mut Writer) {
        self.write_to(out, false);
    }

    fn render_answer(&self, out: &mut Writer) {
        if self.template.answer.is_some() {
            self.write_to(out, true);
        }
    }

    fn output_schema() -> Option<serde_json::Value> {
        P::output_schema()
    }

    fn parse_reply(reply: &Reply) -> Result<P::Output> {
        P::parse_reply(reply)
    }
}
