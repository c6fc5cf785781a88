//! The template engine, set up as Hugging Face transformers sets up Jinja2.

use std::fmt;
use std::sync::Arc;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Kwargs, Rest, Value, ValueKind};
use minijinja::{Environment, Error, ErrorKind, tests};

use crate::clock::Moment;
use crate::json::{Form, dump};
use crate::marks::Marks;
use crate::methods;
use crate::print::{text, write};
use prompt_core::python::is_whitespace as is_space;

/// A template that is ready to be rendered.
#[derive(Clone)]
pub(crate) struct Engine {
    environment: Environment<'static>,
    /// The template as it was written, but for its line breaks.
    pub(crate) source: Arc<str>,
}

/// What one rendering may use.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    /// Steps of the engine.
    pub(crate) fuel: u64,
    /// Bytes of text.
    pub(crate) bytes: usize,
    pub(crate) moment: Option<Moment>,
}

/// What a template says when it refuses a conversation.
#[derive(Debug)]
pub(crate) struct Raised(pub(super) String);

impl fmt::Display for Raised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Raised {}

/// The one template of an environment.
const NAME: &str = "chat template";

impl Engine {
    pub(crate) fn new(source: &str) -> Result<Engine, (Error, Arc<str>)> {
        let source: Arc<str> = source.replace("\r\n", "\n").replace('\r', "\n").into();
        let mut environment = Environment::new();
        let syntax = SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build();
        match syntax {
            Ok(syntax) => environment.set_syntax(syntax),
            Err(error) => return Err((error, source)),
        }
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        environment.set_unknown_method_callback(methods::call);
        environment.set_debug(true);
        environment.add_function("raise_exception", raise);
        environment.add_filter("length", length);
        environment.add_filter("count", length);
        environment.add_test("iterable", |value: &Value| {
            !value.is_none() && tests::is_iterable(value)
        });
        environment.add_test("sequence", |value: &Value| {
            value.is_undefined()
                || value.kind() == ValueKind::String
                || value.kind() == ValueKind::Map
                || tests::is_sequence(value)
        });
        match environment.add_template_owned(NAME, without_generation(&source)) {
            Ok(()) => Ok(Engine {
                environment,
                source,
            }),
            Err(error) => Err((error, source)),
        }
    }

    pub(crate) fn render(
        &self,
        variables: Value,
        limits: &Limits,
        marks: Option<&Arc<Marks>>,
    ) -> Result<String, Error> {
        let mut environment = self.environment.clone();
        environment.set_fuel(Some(limits.fuel));
        let marks = marks.cloned();
        let printing = marks.clone();
        environment
            .set_formatter(move |out, state, value| write(out, state, value, printing.as_deref()));
        let printing = marks.clone();
        environment.add_filter("string", move |value: &Value| {
            let text = text(value, printing.as_deref())?;
            Ok::<_, Error>(match (text, value.kind()) {
                (Some(text), _) => text.into(),
                (None, ValueKind::String) => value.clone(),
                (None, _) => value.to_string().into(),
            })
        });
        let printing = marks.clone();
        environment.add_filter("trim", move |value: &Value, chars: Option<&str>| {
            let text = text(value, printing.as_deref())?;
            let text = text.map_or_else(|| value.to_str(), |text| Some(text.into()));
            let text = text.unwrap_or_else(|| value.to_string().into());
            let trimmed = match chars {
                Some(chars) => text.trim_matches(|char| chars.contains(char)),
                None => text.trim_matches(is_space),
            };
            Ok::<_, Error>(trimmed.to_owned())
        });
        environment.add_filter(
            "tojson",
            move |value: &Value, rest: Rest<Value>, kwargs: Kwargs| {
                let form = Form::read(rest.first(), &kwargs)?;
                dump(value, &form, marks.as_deref())
            },
        );
        let moment = limits.moment;
        environment.add_function("strftime_now", move |pattern: &str| {
            moment.unwrap_or_else(Moment::now).format(pattern)
        });
        let template = environment.get_template(NAME)?;
        let mut out = Bounded {
            text: Vec::new(),
            limit: limits.bytes,
        };
        template.render_captured_to(variables, &mut out)?;
        String::from_utf8(out.text)
            .map_err(|_| Error::new(ErrorKind::WriteFailure, "the text is not UTF-8"))
    }
}

/// A text that may not grow for ever.
struct Bounded {
    text: Vec<u8>,
    limit: usize,
}

impl std::io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.text.len().saturating_add(bytes.len()) > self.limit {
            return Err(std::io::ErrorKind::FileTooLarge.into());
        }
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn raise(message: String) -> Result<Value, Error> {
    let error = Error::new(ErrorKind::InvalidOperation, "raised by the template");
    Err(error.with_source(Raised(message)))
}

fn length(value: &Value) -> Result<usize, Error> {
    if value.is_undefined() {
        return Ok(0);
    }
    value.len().ok_or_else(|| {
        let kind = value.kind();
        Error::new(ErrorKind::InvalidOperation, format!("{kind} has no length"))
    })
}

/// The template with `{% generation %}`, which only marks what is trained on, as a block that always holds.
///
/// The words are of the same length, so that places in the template stay where they are.
fn without_generation(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(at) = rest.find("{%") {
        let (before, tag) = rest.split_at(at + 2);
        out.push_str(before);
        rest = tag;
        let words = tag.trim_start_matches(['-', '+']);
        let word = words.trim_start();
        let kept = tag.len() - word.len();
        let block = [
            ("generation", "if true   "),
            ("endgeneration", "endif        "),
        ];
        let found = block.iter().find(|(name, _)| {
            word.strip_prefix(name).is_some_and(|rest| {
                rest.trim_start()
                    .trim_start_matches(['-', '+'])
                    .starts_with("%}")
            })
        });
        if let Some((name, instead)) = found {
            out.push_str(&tag[..kept]);
            out.push_str(instead);
            rest = &tag[kept + name.len()..];
        }
    }
    out.push_str(rest);
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
