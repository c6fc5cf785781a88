//! Functions that are called by their own name.

use crate::expr::{Arguments, EvalError, Result, Value};

/// `range(stop)`, `range(start, stop)` or `range(start, stop, step)`. The value before the arguments is not looked at.
///
/// # Errors
/// Bounds that are not integers, a step of zero, and more than 100,000 numbers.
///
/// ```
/// use prompt_jinja::private::functions::range;
/// use typed_prompt::jinja::Value;
///
/// assert_eq!(range(&Value::None, &[Some(Value::Int(3))])?.to_string(), "[0, 1, 2]");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn range<'a>(_: &Value<'a>, args: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let whole = |value: &Value<'_>| {
        let number = value.as_defined()?.as_whole();
        number.ok_or_else(|| {
            eval_error!(
                "`range` counts whole numbers, and this is {}",
                value.describe_kind()
            )
        })
    };
    let mut given = Vec::with_capacity(3);
    for value in args.iter().flatten() {
        given.push(whole(value)?);
    }
    let (start, stop, step) = match given[..] {
        [stop] => (0, stop, 1),
        [start, stop] => (start, stop, 1),
        [start, stop, step] => (start, stop, step),
        _ => return Err(EvalError::new("`range` takes one to three numbers")),
    };
    if step == 0 {
        return Err(EvalError::new("the step of `range` cannot be zero"));
    }
    let mut numbers = Vec::new();
    let mut at = start;
    while if step > 0 { at < stop } else { at > stop } {
        if numbers.len() == MAX_RANGE {
            return Err(eval_error!("`range` gives more than {MAX_RANGE} numbers"));
        }
        numbers.push(Value::Int(at));
        at = at.saturating_add(step);
    }
    Ok(Value::List(numbers.into()))
}

/// As Jinja2's sandbox has it: a number from outside must not fill the memory.
const MAX_RANGE: usize = 100_000;
