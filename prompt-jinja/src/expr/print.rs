//! Values as Python prints them, and how they are written into a prompt.

use std::fmt;

use crate::builtin::Host;
use crate::builtin::print::print_repr;
use crate::expr::host::{PlainText, Typed};
use crate::expr::{EvalError, Result, Str, TemplateText, ToValue, Value};
use prompt_core::{Media, Origin, Text, ToPrompt, Writer};

impl<'a> Value<'a> {
    /// Python's `str(x)`.
    ///
    /// # Errors
    /// A value that is not defined.
    pub(crate) fn to_str(&self) -> Result<Str<'a>> {
        Typed::new().to_str(self)
    }

    /// The text that Python's `str(x)` prints, with the parts of it that are data.
    ///
    /// # Errors
    /// A value that is not defined.
    ///
    /// ```
    /// use typed_prompt::{jinja::ToValue, message::Origin};
    ///
    /// let text = [true, false].to_value(Origin::Data(Some("flags"))).to_text()?;
    /// assert_eq!(text.as_str(), "[True, False]");
    /// # Ok::<(), typed_prompt::jinja::EvalError>(())
    /// ```
    pub fn to_text(&self) -> std::result::Result<Text, EvalError> {
        Ok(self.to_str()?.to_text())
    }

    /// Shows the same text, which is not kept.
    ///
    /// # Errors
    /// A value that is not defined.
    pub(super) fn with_printed<R>(&self, show: impl FnOnce(&str) -> R) -> Result<R> {
        match self {
            Value::Text(text) => Ok(show(text)),
            // Most numbers are small, and those are printed faster.
            Value::Int(number) => Ok(match i64::try_from(*number) {
                Ok(number) => show(itoa::Buffer::new().format(number)),
                Err(_) => show(itoa::Buffer::new().format(*number)),
            }),
            other => {
                other.check_printable()?;
                Ok(show(&other.print_repr()))
            }
        }
    }

    /// Python's `repr(x)`, also of a value that is not defined.
    pub(super) fn print_repr(&self) -> String {
        let printed = print_repr(&mut Typed::new(), self);
        printed.map_or_else(
            |error| error.to_string(),
            |printed: PlainText<'_>| printed.0,
        )
    }

    pub(super) fn check_printable(&self) -> Result<()> {
        match self.as_defined()? {
            Value::List(items) | Value::Tuple(items) => {
                items.iter().try_for_each(Value::check_printable)
            }
            Value::Dict(dict) => dict
                .entries()
                .iter()
                .try_for_each(|(_, value)| value.check_printable()),
            _ => Ok(()),
        }
    }
}

/// As Python's `str(x)` prints it.
impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => f.write_str(text),
            other => f.write_str(&other.print_repr()),
        }
    }
}

/// Fills a slot with a value as Python prints it. The slot's name is that of the field the value comes from; words of the
/// template that no field has a part in stay the template's.
///
/// An error is kept by the writer and reported with its position by `Writer::finish`.
///
/// ```
/// use prompt_jinja::private::{self as expr, TemplateText};
/// use typed_prompt::{jinja::Value, write::Writer};
///
/// const TEMPLATE: TemplateText = TemplateText { name: None, text: "{{ n / 2 }}", line: 1, column: 0 };
/// let mut out = Writer::new();
/// expr::fill_slot(&mut out, Some("n"), &TEMPLATE, expr::div(&Value::Int(3), &Value::Int(2)));
/// assert_eq!(out.finish()?[0].text(), "1.5");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub fn fill_slot(
    out: &mut Writer,
    slot: Option<&'static str>,
    template: &TemplateText,
    value: Result<Value<'_>>,
) {
    let filled = match (value, slot) {
        (Ok(Value::Text(text)), Some(slot)) => return out.slot(slot, &text),
        (Ok(Value::Text(text)), None) => return text.write_to(out),
        (Ok(value), _) => {
            let slot = slot.or_else(|| match value.source() {
                Origin::Data(slot) => slot,
                Origin::Structure | Origin::Template => None,
            });
            value.with_printed(|text| match slot {
                Some(_) => out.text_from(Origin::Data(slot), text),
                None => out.text_from(Origin::Template, text),
            })
        }
        (Err(fault), _) => Err(fault),
    };
    if let Err(fault) = filled {
        out.fail(fault.into_error(template));
    }
}

#[diagnostic::do_not_recommend]
impl ToPrompt for Str<'_> {
    fn write(&self, out: &mut Writer) {
        Str::write_to(self, out);
    }
}

/// A field that fills a slot as Python prints it: `True`, `1.0`, `['a']`.
///
/// ```
/// use prompt_jinja::private::Printed;
/// use typed_prompt::write::Writer;
///
/// let mut out = Writer::new();
/// out.slot("done", &Printed(&true));
/// assert_eq!(out.finish()?[0].text(), "True");
/// # Ok::<(), typed_prompt::Error>(())
/// ```
#[derive(Debug)]
pub struct Printed<'a, T: ?Sized>(pub &'a T);

#[diagnostic::do_not_recommend]
impl<T: InSlot + ?Sized> ToPrompt for Printed<'_, T> {
    fn write(&self, out: &mut Writer) {
        self.0.write_in_slot(out);
    }
}

/// A value that can fill a slot alone: one of an expression, or an image, audio, video or file.
///
/// ```
/// use prompt_jinja::private::InSlot;
/// use typed_prompt::{Media, write::Writer};
///
/// let mut out = Writer::new();
/// Media::image_url("https://example.com/a.png").write_in_slot(&mut out);
/// assert!(!out.finish()?[0].is_text());
/// # Ok::<(), typed_prompt::Error>(())
/// ```
pub trait InSlot {
    /// Writes the value.
    fn write_in_slot(&self, out: &mut Writer);
}

#[diagnostic::do_not_recommend]
impl<T: ToValue + ?Sized> InSlot for T {
    fn write_in_slot(&self, out: &mut Writer) {
        self.print(out);
    }
}

#[diagnostic::do_not_recommend]
impl InSlot for Media {
    fn write_in_slot(&self, out: &mut Writer) {
        self.write(out);
    }
}

#[diagnostic::do_not_recommend]
impl InSlot for &Media {
    fn write_in_slot(&self, out: &mut Writer) {
        self.write(out);
    }
}

/// Whether a condition is true. An error is kept by the writer, and the condition is false.
///
/// ```
/// use prompt_jinja::private::{self as expr, TemplateText};
/// use typed_prompt::{jinja::Value, write::Writer};
///
/// const TEMPLATE: TemplateText = TemplateText { name: None, text: "{% if 1 %}{% endif %}", line: 1, column: 0 };
/// assert!(expr::check_condition(&mut Writer::new(), &TEMPLATE, Ok(Value::Int(1))));
/// ```
pub fn check_condition(
    out: &mut Writer,
    template: &TemplateText,
    value: Result<Value<'_>>,
) -> bool {
    value
        .and_then(|value| value.is_true())
        .unwrap_or_else(|fault| {
            out.fail(fault.into_error(template));
            false
        })
}

/// The result of an expression, or nothing: an error is kept by the writer.
///
/// ```
/// use prompt_jinja::private::{self as expr, TemplateText};
/// use typed_prompt::{jinja::Value, write::Writer};
///
/// const TEMPLATE: TemplateText = TemplateText { name: None, text: "{% for x in [1] %}{% endfor %}", line: 1, column: 0 };
/// let list = expr::list(vec![Value::Int(1)]);
/// assert_eq!(expr::ok_or_fail(&mut Writer::new(), &TEMPLATE, expr::iterate_value(&list)).unwrap().len(), 1);
/// ```
pub fn ok_or_fail<T>(out: &mut Writer, template: &TemplateText, value: Result<T>) -> Option<T> {
    value
        .map_err(|fault| out.fail(fault.into_error(template)))
        .ok()
}

/// The value of a variable. A part of the template that could not be written is an error, also if the variable is never used.
///
/// ```
/// use prompt_jinja::private::{TemplateText, assigned_value};
/// use typed_prompt::{jinja::Value, write::Writer};
///
/// const TEMPLATE: TemplateText = TemplateText { name: None, text: "{% set x = 1 %}", line: 1, column: 0 };
/// assert_eq!(assigned_value(&mut Writer::new(), &TEMPLATE, Ok(Value::Int(1))).to_string(), "1");
/// ```
pub fn assigned_value<'a>(
    out: &mut Writer,
    template: &TemplateText,
    value: Result<Value<'a>>,
) -> Value<'a> {
    ok_or_fail(out, template, value.and_then(Value::require_computed)).unwrap_or(Value::None)
}

/// `a ~ b ~ c`: the strings of the values, one after the other.
///
/// ```
/// use prompt_jinja::private::{concat, template_str};
/// use typed_prompt::jinja::Value;
///
/// assert_eq!(concat(&[template_str("n = "), Value::Float(1.0)])?.to_string(), "n = 1.0");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn concat<'a>(values: &[Value<'a>]) -> Result<Value<'a>> {
    let mut out = Text::new();
    for value in values {
        value.to_str()?.push_to(&mut out);
    }
    Ok(out.into())
}
