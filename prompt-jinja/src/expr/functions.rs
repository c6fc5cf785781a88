//! Functions that are called by their own name.

use crate::expr::host::Typed;
use crate::expr::{Arguments, Call, Result, Value};

functions! {
    /// The function of that name in `prompt_jinja_syntax::builtin::Builtin::function`.
    ///
    /// ```
    /// use prompt_jinja::private::find_function;
    /// use typed_prompt::jinja::Value;
    ///
    /// let range = find_function("range").unwrap();
    /// assert_eq!(range(&Value::None, &[Some(Value::Int(3))])?.to_string(), "[0, 1, 2]");
    /// # Ok::<(), typed_prompt::jinja::EvalError>(())
    /// ```
    find_function Call Value<'a>;
    typed_functions {
        own::range ["range"] "";
    }
}

mod own {
    use super::*;
    use crate::builtin::{Args, range::Range};

    /// `range(stop)`, `range(start, stop)` or `range(start, stop, step)`, as a list.
    pub(super) fn range<'a>(
        _: &mut Typed<'a>,
        _: &Value<'a>,
        args: Args<'_, Typed<'a>>,
    ) -> Result<Value<'a>> {
        let numbers = Range::from_args(args)?.numbers();
        Ok(Value::List(
            numbers.map(|number| Value::Int(number.into())).collect(),
        ))
    }
}
