//! Values as JSON.

use crate::builtin::Args;
use crate::builtin::print::{JsonOptions, print_json};
use crate::expr::host::{PlainText, Typed};
use crate::expr::{Result, Str, Value};
use prompt_base::json::Escapes;

/// `tojson(indent=none)`: JSON as Jinja2 writes it, with the keys in order, a space after `,` and `:`, and all that is not
/// ASCII, and `<`, `>`, `&` and `'`, as `\u003c`.
pub(crate) fn tojson<'a>(
    host: &mut Typed<'a>,
    value: &Value<'a>,
    args: Args<'_, Typed<'a>>,
) -> Result<Value<'a>> {
    let options = JsonOptions {
        sorted: true,
        ..JsonOptions::new(host, args.get_some(0), Escapes::Html)?
    };
    let printed: PlainText<'a> = print_json(host, value, &options)?;
    Ok(Str::from_shared(printed.0, value.source()).into())
}
