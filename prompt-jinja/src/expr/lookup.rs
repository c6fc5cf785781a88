//! Filters, tests, methods and functions by name.

use crate::expr::{Call, Test, filters, functions, methods, tests};

macro_rules! table {
    ($name:ident as $ty:ty: $($module:ident::$function:ident $(as $written:literal)?,)*) => {
        match $name {
            $(table!(@name $function $($written)?) => $module::$function as $ty,)*
            _ => return None,
        }
    };
    (@name $function:ident) => { stringify!($function) };
    (@name $function:ident $written:literal) => { $written };
}

/// The filter of that name in [`prompt_syntax::builtin::Builtin::function`]; `map`, `select` and their kin, which take a
/// function, are none.
///
/// ```
/// use prompt_jinja::private::{find_filter, template_str};
///
/// assert_eq!(find_filter("upper").unwrap()(&template_str("a"), &[])?.to_string(), "A");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn find_filter(name: &str) -> Option<Call> {
    Some(table! { name as Call:
        filters::abs, filters::batch, filters::capitalize, filters::center, filters::default,
        filters::dictsort, filters::escape, filters::filesizeformat, filters::first, filters::float,
        filters::format, filters::groupby, filters::indent, filters::int, filters::items,
        filters::join, filters::last, filters::length, filters::list, filters::lower, filters::max,
        filters::min, filters::replace, filters::reverse, filters::round, filters::slice,
        filters::sort, filters::string, filters::sum, filters::title, filters::tojson,
        filters::trim, filters::truncate, filters::unique, filters::upper, filters::urlencode,
        filters::wordcount, filters::wordwrap,
    })
}

/// The test of that name in [`prompt_syntax::builtin::Builtin::function`].
///
/// ```
/// use prompt_jinja::private::find_test;
/// use typed_prompt::jinja::Value;
///
/// assert!(find_test("odd").unwrap()(&Value::Int(1), &[])?);
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn find_test(name: &str) -> Option<Test> {
    Some(table! { name as Test:
        tests::boolean, tests::defined, tests::divisibleby, tests::eq, tests::even, tests::float,
        tests::ge, tests::gt, tests::integer, tests::iterable, tests::le, tests::lower, tests::lt,
        tests::mapping, tests::ne, tests::none, tests::number, tests::odd, tests::sameas,
        tests::sequence, tests::string, tests::undefined, tests::upper,
        tests::r#true as "true", tests::r#false as "false", tests::r#in as "in",
    })
}

/// The method of that name in [`prompt_syntax::builtin::Builtin::function`].
///
/// ```
/// use prompt_jinja::private::{find_method, template_str};
///
/// assert_eq!(find_method("strip").unwrap()(&template_str(" a "), &[])?.to_string(), "a");
/// # Ok::<(), typed_prompt::jinja::EvalError>(())
/// ```
pub fn find_method(name: &str) -> Option<Call> {
    Some(table! { name as Call:
        methods::capitalize, methods::count, methods::endswith, methods::find, methods::get,
        methods::index, methods::isalpha, methods::isdigit, methods::items, methods::join,
        methods::keys, methods::lower, methods::lstrip, methods::replace, methods::rsplit,
        methods::rstrip, methods::split, methods::splitlines, methods::startswith, methods::strip,
        methods::title, methods::upper, methods::values,
    })
}

/// The function of that name in [`prompt_syntax::builtin::Builtin::function`].
///
/// ```
/// use prompt_jinja::private::find_function;
///
/// assert!(find_function("range").is_some());
/// ```
pub fn find_function(name: &str) -> Option<Call> {
    Some(table! { name as Call: functions::range, })
}

#[cfg(test)]
mod names {
    use prompt_syntax::builtin::{ExtraArgs, FILTERS, FUNCTIONS, METHODS, TESTS};

    use super::*;

    #[test]
    fn each_name_of_the_language_has_its_function() {
        for builtin in FILTERS {
            let takes_function = matches!(
                builtin.rest,
                ExtraArgs::Filter | ExtraArgs::Test | ExtraArgs::AttributeTest
            );
            assert_eq!(
                find_filter(builtin.function).is_none(),
                takes_function,
                "{}",
                builtin.name
            );
        }
        assert!(
            TESTS
                .iter()
                .all(|builtin| find_test(builtin.function).is_some())
        );
        assert!(
            METHODS
                .iter()
                .all(|builtin| find_method(builtin.function).is_some())
        );
        assert!(
            FUNCTIONS
                .iter()
                .all(|builtin| find_function(builtin.function).is_some())
        );
    }
}
