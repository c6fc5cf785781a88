//! Tests, after `is`: one function for each.

use crate::builtin::table::shared_tests;
use crate::builtin::{Args, Host, test};
use crate::expr::host::Typed;
use crate::expr::{Arguments, Result, Test, Value};

shared_tests!(functions! {
    /// The test of that name in `prompt_jinja_syntax::builtin::Builtin::function`.
    ///
    /// ```
    /// use prompt_jinja::private::find_test;
    /// use typed_prompt::jinja::Value;
    ///
    /// assert!(find_test("odd").unwrap()(&Value::Int(1), &[])?);
    /// # Ok::<(), typed_prompt::jinja::EvalError>(())
    /// ```
    find_test Test bool;
    // What is undefined, and has items, differs.
    typed_tests {
        own::defined ["defined"] "";
        own::iterable ["iterable"] "";
        own::sameas ["sameas"] "";
        own::sequence ["sequence"] "";
        own::undefined ["undefined"] "";
    }
});

mod own {
    use super::*;

    type Tested<'a, 's> = Args<'s, Typed<'a>>;

    /// `is sequence`: what has a length and items, so also text and dicts.
    pub(super) fn sequence<'a>(
        _: &mut Typed<'a>,
        value: &Value<'a>,
        _: Tested<'a, '_>,
    ) -> Result<bool> {
        let value = match value {
            Value::Failed(error) => return Err(error.clone()),
            value => value,
        };
        Ok(matches!(
            value,
            Value::Text(_) | Value::List(_) | Value::Tuple(_) | Value::Dict(_)
        ))
    }

    /// `is iterable`.
    pub(super) fn iterable<'a>(
        host: &mut Typed<'a>,
        value: &Value<'a>,
        args: Tested<'a, '_>,
    ) -> Result<bool> {
        sequence(host, value.as_defined()?, args)
    }

    /// `is defined`.
    pub(super) fn defined<'a>(
        _: &mut Typed<'a>,
        value: &Value<'a>,
        _: Tested<'a, '_>,
    ) -> Result<bool> {
        match value {
            Value::Undefined(_) | Value::Absent => Ok(false),
            value => value.as_defined().map(|_| true),
        }
    }

    /// `is undefined`.
    pub(super) fn undefined<'a>(
        host: &mut Typed<'a>,
        value: &Value<'a>,
        args: Tested<'a, '_>,
    ) -> Result<bool> {
        defined(host, value, args).map(|defined| !defined)
    }

    /// `is sameas(none)`: the same kind and equal. Whether two equal lists are one object cannot be known here: they are.
    pub(super) fn sameas<'a>(
        host: &mut Typed<'a>,
        value: &Value<'a>,
        args: Tested<'a, '_>,
    ) -> Result<bool> {
        let other = args.get_required(0, "other")?;
        let alike = value.as_defined()?.describe_kind() == other.as_defined()?.describe_kind();
        Ok(alike && host.are_equal(value, other)?)
    }
}
