//! Methods of strings, dicts and lists: one function for each.

use crate::builtin::method;
use crate::builtin::table::shared_methods;
use crate::expr::host::Typed;
use crate::expr::{Arguments, Call, Result, Value};

shared_methods!(functions! {
    /// The method of that name in `prompt_jinja_syntax::builtin::Builtin::function`.
    ///
    /// ```
    /// use prompt_jinja::private::{find_method, template_str};
    ///
    /// assert_eq!(find_method("strip").unwrap()(&template_str(" a "), &[])?.to_string(), "a");
    /// # Ok::<(), typed_prompt::jinja::EvalError>(())
    /// ```
    find_method Call Value<'a>;
});
