//! Filters: one function for each.
//!
//! A result that is an iterator in Jinja2, such as that of `map`, is a list here: it can be printed, counted and has a length,
//! and is false when it is empty. Left out are filters whose result is not the same each time, or that make HTML
//! (`prompt_jinja_syntax::problem::subset::REFUSED`). `escape` returns plain text, and `safe` changes nothing: there is no
//! automatic escaping.

use crate::builtin::list::{self as lists, attribute_path};
use crate::builtin::table::shared_filters;
use crate::builtin::{list, number, percent, text, wrap};
use crate::expr::host::Typed;
use crate::expr::{Arguments, Call, Result, Value, iterate_value, json};

shared_filters!(functions! {
    /// The filter of that name in `prompt_jinja_syntax::builtin::Builtin::function`; `map`, `select` and their kin, which take a
    /// function, are none.
    ///
    /// ```
    /// use prompt_jinja::private::{find_filter, template_str};
    ///
    /// assert_eq!(find_filter("upper").unwrap()(&template_str("a"), &[])?.to_string(), "A");
    /// # Ok::<(), typed_prompt::jinja::EvalError>(())
    /// ```
    find_filter Call Value<'a>;
    // Chat templates have these in another form.
    typed_filters {
        list::first ["first"] "";
        list::last ["last"] "";
        percent::format ["format"] "";
        json::tojson ["tojson"] "";
    }
});

/// `map("upper")`: the result of a function for each item.
///
/// # Errors
/// A value without items, and an item that the function does not accept.
///
/// ```
/// use prompt_jinja::private::{add, filters::map, list};
/// use typed_prompt::jinja::Value;
///
/// let numbers = list(vec![Value::Int(1), Value::Int(2)]);
/// assert_eq!(map(&numbers, |n| add(n, n))?.to_string(), "[2, 4]");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn map<'a>(
    value: &Value<'a>,
    mut change: impl FnMut(&Value<'a>) -> Result<Value<'a>>,
) -> Result<Value<'a>> {
    let items = (iterate_value(value)?, None);
    lists::map_items(&mut Typed::new(), items, |_, item| change(item))
}

/// `map(attribute="user.name", default=none)`.
///
/// # Errors
/// A value without items.
pub fn map_attribute<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<Value<'a>> {
    let args = crate::builtin::Args::<Typed<'a>>(args);
    let (attribute, default) = (args.get_required(0, "attribute")?, args.get_some(1));
    let items = (iterate_value(value)?, None);
    lists::map_items(&mut Typed::new(), items, |host, item| {
        attribute_path(host, item, attribute, default)
    })
}

/// `select("odd")`: the items that a test accepts. For `selectattr`, the test looks at [`attribute_path`](crate::expr::attribute_path).
///
/// # Errors
/// A value without items, and an item that the test does not accept.
pub fn select<'a>(
    value: &Value<'a>,
    mut keep: impl FnMut(&Value<'a>) -> Result<bool>,
) -> Result<Value<'a>> {
    let items = (iterate_value(value)?, None);
    lists::select_items(&mut Typed::new(), items, |_, item| keep(item))
}

/// `reject("odd")`: the items that a test rejects.
///
/// # Errors
/// A value without items, and an item that the test does not accept.
pub fn reject<'a>(
    value: &Value<'a>,
    mut drop: impl FnMut(&Value<'a>) -> Result<bool>,
) -> Result<Value<'a>> {
    select(value, |item| drop(item).map(|drop| !drop))
}

#[cfg(test)]
mod cases {
    use crate::expr::{list, template_str, tuple};

    use super::*;

    #[test]
    fn each_name_of_the_language_has_its_function() {
        use prompt_jinja_syntax::builtin::{ExtraArgs, FILTERS, FUNCTIONS, METHODS, TESTS};

        for builtin in FILTERS {
            let takes_function = matches!(
                builtin.rest,
                ExtraArgs::Filter | ExtraArgs::Test | ExtraArgs::AttributeTest
            );
            let found = find_filter(builtin.function);
            assert_eq!(found.is_none(), takes_function, "{}", builtin.name);
        }
        for builtin in TESTS {
            let found = crate::expr::find_test(builtin.function);
            assert!(found.is_some(), "{}", builtin.name);
        }
        for builtin in METHODS {
            let found = crate::expr::find_method(builtin.function);
            assert!(found.is_some(), "{}", builtin.name);
        }
        for builtin in FUNCTIONS {
            let found = crate::expr::find_function(builtin.function);
            assert!(found.is_some(), "{}", builtin.name);
        }
    }

    /// Unusual formats give Python's text, or an error.
    #[test]
    fn many_digits() {
        let filled = |pattern: &'static str| {
            let values = tuple(vec![Value::Float(0.5)]);
            crate::expr::rem(&template_str(pattern), &values).map(|text| text.to_string())
        };
        assert_eq!(filled("%.70000f").unwrap().len(), 70_002);
        assert_eq!(filled("%.70000e").unwrap().len(), 70_006);
        assert_eq!(filled("%.70000g").unwrap(), "0.5");
        assert_eq!(filled("%70000f").unwrap().len(), 70_000);
        assert!(filled("%999999999999f").is_err());
    }

    #[test]
    fn values_keep_their_kind() {
        let items = list(vec![
            template_str("b"),
            template_str("C"),
            template_str("a"),
        ]);
        assert_eq!(sort(&items, &[]).unwrap().to_string(), "['a', 'b', 'C']");
        let absent = default(&Value::Absent, &[Some(template_str("-"))]);
        assert_eq!(absent.unwrap().to_string(), "-");
    }
}
