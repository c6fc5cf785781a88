//! Templates of Lamini 0.0.19, with `{#input(Type)}`, `{#output(Type)}` and `{#cue(Type)}`.

use prompt_core::{Error, ErrorKind, Messages, Result, ToPrompt, Writer};

/// A template of Lamini 0.0.19 (`BasePrompt.construct_prompt`), which is filled from the fields of an input and of an output type.
///
/// `{#input(Type)}` is a line for each field of the input, `{#output(Type)}` a line for each field of the output, and `{#cue(Type)}`
/// the name of the first output field, where the answer begins. The line of an input field is a template with `{#field}`,
/// `{#context}` (its description) and `{#value}`. All other text is literal, and values are never scanned for markers.
///
/// ```
/// use typed_prompt::{Prompt, compat::lamini::{self, Input, Output, TypedTemplate}, value::python};
///
/// let input = [
///     Input { name: "city", description: "where the traveller stays", value: &"Zürich" },
///     Input { name: "pets", description: "with animals", value: &python(true) },
/// ];
/// let output = [Output { name: "hotel", description: "name of one hotel" }];
/// let ask = lamini::GENERAL.fill(&input, &output)?;
/// assert_eq!(
///     ask.to_plain_text()?,
///     "Given:\ncity (where the traveller stays): Zürich\npets (with animals): True\n\
///      Generate:\nhotel (name of one hotel), after \"hotel:\"\nhotel: "
/// );
///
/// let two = TypedTemplate::new("{#input(Question)} {#input(Hints)}", "{#value}");
/// assert_eq!(
///     two.fill(&input, &output).unwrap_err().message(),
///     "the template has a marker, `{#input(Hints)}`, that nothing fills in: the input is `Question`"
/// );
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TypedTemplate {
    template: &'static str,
    line: &'static str,
}

/// A field of the input of a [`TypedTemplate`]. [`python`](prompt_core::python::python()) prints a value as Lamini does.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    /// The name of the field.
    pub name: &'static str,
    /// The description, which is Lamini's `Context`.
    pub description: &'static str,
    /// The value.
    pub value: &'a dyn ToPrompt,
}

/// A field of the output of a [`TypedTemplate`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Output {
    /// The name of the field.
    pub name: &'static str,
    /// The description, which is Lamini's `Context`.
    pub description: &'static str,
}

/// Lamini's `GeneralPrompt` (0.0.19): all fields with their descriptions. [`TypedTemplate`] has an example.
pub const GENERAL: TypedTemplate = TypedTemplate::new(
    "Given:\n{#input(Question)}\nGenerate:\n{#output(Answer)}\n{#cue(Answer)}",
    "{#field} ({#context}): {#value}",
);

/// Lamini's `QAPrompt` (0.0.19): the values of the input below an instruction.
///
/// ```
/// use typed_prompt::{Prompt, compat::lamini::{self, Input}};
///
/// let question = Input { name: "question", description: "a question", value: &"What are prompts?" };
/// let text = lamini::QA.fill(&[question], &[])?.to_plain_text()?;
/// assert!(text.ends_with("\n### Instruction:What are prompts?\n\n### Response:"));
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub const QA: TypedTemplate = TypedTemplate::new(
    "Below is an instruction that describes a task. Write a response that appropriately completes the request.\n\
     ### Instruction:{#input(Question)}\n\n### Response:",
    "{#value}",
);

impl TypedTemplate {
    /// A template, and the line of each field of the input.
    pub const fn new(template: &'static str, line: &'static str) -> TypedTemplate {
        TypedTemplate { template, line }
    }

    /// Renders the template as one user message.
    ///
    /// # Errors
    /// A marker that is unknown or not filled in: one of a second type, and `{#cue(…)}` without an output field. A template that
    /// does not contain the input's values. A value that cannot be written.
    pub fn fill(&self, input: &[Input<'_>], output: &[Output]) -> Result<Messages> {
        let template = parse_parts(self.template, &["input(Type)", "output(Type)", "cue(Type)"])?;
        let line = parse_parts(self.line, &["field", "context", "value"])?;
        check_markers("the template", &template, "input", "{#input(Type)}", input)?;
        check_markers("the line of a field", &line, "value", "{#value}", input)?;
        for kind in ["input", "output"] {
            one_type(&template, kind)?;
        }
        let mut out = Writer::new();
        for part in &template {
            match part {
                PatternPart::Text(text) => out.text(text),
                PatternPart::Marker { name: "input", .. } => {
                    write_separated(&mut out, input, |out, field| {
                        write_line(out, &line, field);
                    });
                }
                PatternPart::Marker { name: "output", .. } => {
                    write_separated(&mut out, output, |out, field| {
                        for text in [
                            field.name,
                            " (",
                            field.description,
                            "), after \"",
                            field.name,
                            ":\"",
                        ] {
                            out.text(text);
                        }
                    });
                }
                PatternPart::Marker { source, .. } => {
                    let Some(first) = output.first() else {
                        let message = format!(
                            "the template has a marker, `{source}`, that nothing fills in: the output has no fields"
                        );
                        return Err(Error::new(ErrorKind::Template, message)
                            .with_help("pass the fields of the output, or remove the marker"));
                    };
                    out.text(first.name);
                    out.text(": ");
                }
            }
        }
        out.finish()
    }
}

fn write_separated<T>(out: &mut Writer, items: &[T], write: impl Fn(&mut Writer, &T)) {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.text("\n");
        }
        write(out, item);
    }
}

fn write_line(out: &mut Writer, line: &[PatternPart], field: &Input<'_>) {
    for part in line {
        match part {
            PatternPart::Text(text) => out.text(text),
            PatternPart::Marker { name: "field", .. } => out.text(field.name),
            PatternPart::Marker {
                name: "context", ..
            } => out.text(field.description),
            PatternPart::Marker { .. } => out.slot(field.name, field.value),
        }
    }
}

enum PatternPart {
    Text(&'static str),
    /// `{#name}` or `{#name(ty)}`.
    Marker {
        source: &'static str,
        name: &'static str,
        ty: &'static str,
    },
}

/// Text and markers of a template. `{#` before a letter begins a marker; `known` are the markers that there are.
fn parse_parts(text: &'static str, known: &[&'static str]) -> Result<Vec<PatternPart>> {
    let mut parts = Vec::new();
    let mut rest = text;
    let mut searched = 0;
    while let Some(at) = rest[searched..].find("{#") {
        let open = searched + at;
        let inner = &rest[open + 2..];
        if !inner.starts_with(char::is_alphabetic) {
            searched = open + 2;
            continue;
        }
        let length = inner.find(['}', '\n']).unwrap_or(inner.len());
        let is_closed = inner[length..].starts_with('}');
        let end = open + 2 + length + usize::from(is_closed);
        let (source, inner) = (&rest[open..end], &inner[..length]);
        let (name, ty) = match inner
            .strip_suffix(')')
            .and_then(|inner| inner.split_once('('))
        {
            Some(split) => split,
            None => (inner, ""),
        };
        let is_known = is_closed
            && known.iter().any(|known| match known.split_once('(') {
                Some((known, _)) => name == known && inner.ends_with(')'),
                None => inner == *known,
            });
        if !is_known {
            let known: Vec<String> = known
                .iter()
                .map(|known| format!("`{{#{known}}}`"))
                .collect();
            let message = format!("`{source}` is not a marker");
            let help = format!("write one of {}", known.join(", "));
            return Err(Error::new(ErrorKind::Template, message).with_help(help));
        }
        parts.push(PatternPart::Text(&rest[..open]));
        parts.push(PatternPart::Marker { source, name, ty });
        rest = &rest[end..];
        searched = 0;
    }
    parts.push(PatternPart::Text(rest));
    Ok(parts)
}

/// An error if the values of the input would not be in the prompt.
fn check_markers(
    what: &str,
    parts: &[PatternPart],
    wanted: &str,
    source: &str,
    input: &[Input<'_>],
) -> Result<()> {
    let mut markers = parts.iter().filter_map(|part| match part {
        PatternPart::Marker { name, .. } => Some(*name),
        PatternPart::Text(_) => None,
    });
    if input.is_empty() || markers.any(|name| name == wanted) {
        return Ok(());
    }
    let message = format!("{what} has no `{source}`, so the input's values would be lost");
    Err(Error::new(ErrorKind::Template, message).with_help(format!("add `{source}`")))
}

/// An error if the markers of a kind name two types.
fn one_type(parts: &[PatternPart], kind: &str) -> Result<()> {
    let mut first = None;
    for part in parts {
        let PatternPart::Marker { source, name, ty } = part else {
            continue;
        };
        if *name == kind && first.is_some_and(|first| first != *ty) {
            let first = first.unwrap_or_default();
            let message = format!(
                "the template has a marker, `{source}`, that nothing fills in: the {kind} is `{first}`"
            );
            let help = format!("write `{{#{kind}({first})}}`, or remove the marker");
            return Err(Error::new(ErrorKind::Template, message).with_help(help));
        }
        if *name == kind {
            first = Some(*ty);
        }
    }
    Ok(())
}
