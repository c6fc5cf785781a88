//! Methods of strings, dicts and lists: one function for each.

use crate::builtin::method;
use crate::expr::host::Typed;
use crate::expr::{Arguments, Call, Result, Value};

functions! {
    /// The method of that name in [`prompt_syntax::builtin::Builtin::function`].
    ///
    /// ```
    /// use prompt_jinja::private::{find_method, template_str};
    ///
    /// assert_eq!(find_method("strip").unwrap()(&template_str(" a "), &[])?.to_string(), "a");
    /// # Ok::<(), typed_prompt::jinja::EvalError>(())
    /// ```
    find_method Call Value<'a>;
    method: capitalize casefold center count endswith expandtabs find get index isalnum isalpha isascii isdecimal isdigit
        isidentifier islower isnumeric isprintable isspace istitle isupper items join keys ljust lower lstrip partition
        removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip
        swapcase title upper values zfill;
}
