//! The template engine, set up as Hugging Face transformers sets up Jinja2.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Value, ValueKind};
use minijinja::{Environment, Error, ErrorKind, State, tests};

use crate::clock::Moment;
use crate::context::{Exceeded, RenderContext};
use crate::instrument::{CONTEXT, InstrumentError, InstrumentedTemplate, instrument, tag_len};
use crate::json::invalid_operation;
use crate::marks::Marks;
use crate::{fault, methods, ops, print};

/// A template that is ready to be rendered.
#[derive(Clone)]
pub(crate) struct Engine {
    environment: Environment<'static>,
    /// The template as it was written, but for its line breaks.
    pub(crate) source: Arc<str>,
    /// The template that is run.
    instrumented: Arc<InstrumentedTemplate>,
    /// The names that the template reads and does not set, in order.
    inputs: Arc<[String]>,
}

/// The limits of one rendering.
#[derive(Clone, Debug)]
pub(crate) struct EngineLimits {
    /// Steps of the engine.
    pub(crate) fuel: u64,
    /// Bytes of text.
    pub(crate) output: usize,
    /// Bytes that are allocated.
    pub(crate) memory: u64,
    /// Bytes that all renderings of a conversation may still allocate together.
    pub(crate) left: Arc<AtomicU64>,
    pub(crate) moment: Option<Moment>,
}

/// The message with which a template refuses a conversation.
#[derive(Debug)]
pub(crate) struct Raised(pub(super) String);

impl fmt::Display for Raised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Raised {}

/// The one template of an environment.
const TEMPLATE_NAME: &str = "chat template";

impl Engine {
    pub(crate) fn new(source: &str) -> prompt_core::Result<Engine> {
        let source: Arc<str> = source.replace("\r\n", "\n").replace('\r', "\n").into();
        let mut environment = Environment::new();
        let syntax = SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build();
        environment
            .set_syntax(syntax.map_err(|error| fault::from_engine(error, &source, None, 0))?);
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        environment.set_unknown_method_callback(methods::call_method);
        environment.set_formatter(print::write_value);
        environment.set_debug(true);
        environment.add_function("raise_exception", raise_exception);
        environment.add_test("iterable", |value: &Value| {
            value.as_str().is_some() || !value.is_none() && tests::is_iterable(value)
        });
        environment.add_test("sequence", |value: &Value| {
            value.is_undefined()
                || value.kind() == ValueKind::String
                || value.kind() == ValueKind::Map
                || tests::is_sequence(value)
        });
        // It would print all variables.
        environment.remove_global("debug");
        ops::add_operators(&mut environment);
        let runnable = without_generation(&source);
        let instrumented = match instrument(&runnable) {
            Ok(instrumented) => instrumented,
            Err(InstrumentError::Syntax(end)) => {
                // The engine finds the same error.
                let known =
                    environment.add_template_owned(TEMPLATE_NAME, runnable[..end].to_owned());
                return Err(match known {
                    Err(error) => fault::from_engine(error, &source, None, 0),
                    Ok(()) => fault::unsupported_template(
                        "the expression is not supported",
                        &source,
                        end.saturating_sub(1)..end,
                    ),
                });
            }
            Err(InstrumentError::Reserved(range)) => {
                return Err(fault::unsupported_template(
                    "the name is reserved",
                    &source,
                    range,
                ));
            }
            Err(InstrumentError::Nesting(range)) => {
                return Err(fault::nesting_error(&source, range));
            }
            Err(InstrumentError::Raw(range)) => {
                return Err(fault::unsupported_template(
                    "a `raw` block is longer than 1,024 bytes",
                    &source,
                    range,
                ));
            }
        };
        let compiled = environment.add_template_owned(TEMPLATE_NAME, instrumented.text.clone());
        compiled.map_err(|error| fault::from_engine(error, &source, Some(&instrumented), 0))?;
        let inputs = find_inputs(&environment);
        Ok(Engine {
            environment,
            source,
            instrumented: instrumented.into(),
            inputs,
        })
    }

    /// Whether the template reads a variable or calls a function of this name.
    pub(crate) fn reads(&self, name: &str) -> bool {
        self.inputs.iter().any(|input| input == name)
    }

    /// The variables that the template reads, in order.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &str> {
        let is_function = |name: &str| {
            FUNCTIONS.contains(&name) || self.environment.globals().any(|global| global.0 == name)
        };
        let names = self.inputs.iter().map(String::as_str);
        names.filter(move |name| !is_function(name))
    }

    pub(crate) fn render(
        &self,
        variables: Value,
        limits: &EngineLimits,
        marks: Option<&Arc<Marks>>,
    ) -> prompt_core::Result<String> {
        // A placeholder is up to four times as long as its character.
        let longer = if marks.is_some() { 4 } else { 1 };
        let mut out = BoundedOutput {
            text: Vec::new(),
            limit: limits.output.saturating_mul(longer),
            is_full: false,
        };
        // The engine computes some positions of slices without checks: `'abc'[0:2:-1]` panics where overflows do.
        let render = AssertUnwindSafe(|| self.render_to(variables, limits, marks, &mut out));
        let rendered =
            catch_unwind(render).unwrap_or_else(|_| Err(invalid_operation("the engine fails")));
        let text = rendered.and_then(|()| {
            let text = String::from_utf8(std::mem::take(&mut out.text));
            text.map_err(|_| Error::new(ErrorKind::WriteFailure, "the text is not UTF-8"))
        });
        text.map_err(|error| {
            let error = match out.is_full {
                true => Exceeded::Output(limits.output).into(),
                false => error,
            };
            fault::from_engine(error, &self.source, Some(&self.instrumented), limits.fuel)
        })
    }

    fn render_to(
        &self,
        variables: Value,
        limits: &EngineLimits,
        marks: Option<&Arc<Marks>>,
        out: &mut BoundedOutput,
    ) -> Result<(), Error> {
        let mut environment = self.environment.clone();
        environment.set_fuel(Some(limits.fuel));
        let left = limits.left.load(Ordering::Relaxed);
        let context = Arc::new(RenderContext::new(marks.cloned(), limits.memory, left));
        environment.add_global(CONTEXT, Value::from_dyn_object(context.clone()));
        let before = context.memory_left();
        let moment = limits.moment;
        environment.add_function("strftime_now", move |state: &State, pattern: &str| {
            // `%c`, the longest directive, becomes 24 characters.
            RenderContext::from_state(state)?.charge_bytes(pattern.len().saturating_mul(12))?;
            Ok::<_, Error>(moment.unwrap_or_else(Moment::now).format_pattern(pattern))
        });
        let template = environment.get_template(TEMPLATE_NAME)?;
        let rendered = template.render_captured_to(variables, out).map(drop);
        let used = before - context.memory_left();
        limits.left.store(left - used, Ordering::Relaxed);
        rendered
    }
}

/// Functions that each rendering adds.
const FUNCTIONS: &[&str] = &["strftime_now"];

/// The names that a template reads and does not set, in order.
fn find_inputs(environment: &Environment<'_>) -> Arc<[String]> {
    // The template that is run, because a long chain of operators is not nested there. The names that were added to it are reserved.
    let template = environment.get_template(TEMPLATE_NAME);
    let names = template.map(|template| template.undeclared_variables(false));
    let is_input = |name: &String| !name.starts_with("__");
    let mut names: Vec<String> = names.into_iter().flatten().filter(is_input).collect();
    names.sort_unstable();
    names.into()
}

/// A text with a limit.
struct BoundedOutput {
    text: Vec<u8>,
    limit: usize,
    is_full: bool,
}

impl std::io::Write for BoundedOutput {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.text.len().saturating_add(bytes.len()) > self.limit {
            self.is_full = true;
            return Err(std::io::ErrorKind::FileTooLarge.into());
        }
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn raise_exception(message: String) -> Result<Value, Error> {
    let error = Error::new(ErrorKind::InvalidOperation, "raised by the template");
    Err(error.with_source(Raised(message)))
}

/// The template with each `{% generation %}` block, which selects text for training only, replaced by `{% if true %}`.
///
/// The replacements have the length of the keywords, so that positions in the template stay the same.
fn without_generation(source: &str) -> String {
    const KEYWORDS: [(&str, &str); 2] = [
        ("generation", "if true   "),
        ("endgeneration", "endif        "),
    ];
    let mut out = source.to_owned();
    for (at, open) in source.match_indices("{%") {
        let inside = at + open.len();
        for (keyword, instead) in KEYWORDS {
            if tag_len(&source[inside..], keyword).is_some()
                && let Some(start) = source[inside..].find(keyword)
            {
                let start = inside + start;
                out.replace_range(start..start + keyword.len(), instead);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests_of_engine {
    use super::*;

    #[test]
    fn generation_becomes_a_condition() {
        let source = "{%- generation -%}a{% endgeneration %}{% generations %}";
        let text = without_generation(source);
        assert_eq!(
            text,
            "{%- if true    -%}a{% endif         %}{% generations %}"
        );
        assert_eq!(text.len(), source.len());
    }
}
