//! Expressions at run time, with the semantics of Jinja2 3.1.6 and Python: what `{{ a.b | sort | join(", ") }}` calls.
//!
//! Generated code and `Dynamic` prompts call the same functions. Each takes values and returns a value or a
//! [`EvalError`] with a message; [`EvalError::at`] adds the position, and [`fill_slot`], [`check_condition`] and [`ok_or_fail`] keep it in the
//! writer until it is finished.
//!
//! - Operators: [`add`], [`sub`], [`mul`], [`div`], [`floor_div`], [`rem`], [`pow`], [`neg`], [`pos`], [`concat`],
//!   [`eq`] and its kin, [`contains`], [`Value::is_true`], [`index()`], [`attribute`], [`slice`].
//! - [`filters`], [`tests`], [`methods`] and [`functions`]: one function for each name of the language, all of one type
//!   ([`Call`], [`Test`]). The arguments come in the order of the parameters in `prompt_jinja_syntax::builtin`, `None` where
//!   one is not given.
//! - [`map_by`], [`sort_by`] and the like: the same for lists of Rust structs, with a closure for the key.
//!
//! A missing value is [`Value::Undefined`]: every use except `is defined` and `default` is an error, as with
//! Jinja2's `StrictUndefined`.

/// Functions of the language for [`Value`]s, and one that finds them by name.
macro_rules! functions {
    (
        $(#[$doc:meta])* $find:ident $call:ident $result:ty;
        $($section:ident {
            $($module:ident::$name:ident [$($written:literal)+] $parameters:literal;)*
        })*
    ) => {
        $($(
            #[doc = concat!("`", stringify!($name), "` of the language.")]
            ///
            /// # Errors
            /// A value or an argument of another kind.
            pub fn $name<'a>(value: &Value<'a>, args: Arguments<'_, 'a>) -> Result<$result> {
                $module::$name(&mut Typed::new(), value, $crate::builtin::Args(args))
            }
        )*)*

        $(#[$doc])*
        pub fn $find(name: &str) -> Option<$call> {
            Some(match name {
                $($($($written)|+ => $name,)*)*
                _ => return None,
            })
        }
    };
}

mod compare;
mod convert;
mod error;
mod host;
mod index;
mod json;
mod loops;
mod number;
mod print;
mod run_time;
mod text;
mod to_value;
mod value;

pub mod filters;
pub mod functions;
mod keyed;
pub mod methods;
pub mod tests;

pub use self::compare::{contains, eq, ge, gt, le, lt, ne};
pub use self::convert::{function_result, to_bool, to_float, to_int, to_text};
pub use self::error::{EvalError, Result, TemplateText};
pub use self::filters::find_filter;
pub use self::functions::find_function;
pub use self::index::{attribute, attribute_path, index, slice};
pub use self::index::{iterate_value, unpack, unpack_each, unpack_targets};
pub use self::keyed::{
    count, first, group_by, last, map_by, map_groups, reject_by, reversed, select_by, sliced,
    sort_by, unique_by,
};
pub use self::loops::{
    Changed, Loop, LoopIterations, WithNeighbours, enumerate_loop, neighbour_value, with_neighbours,
};
pub use self::methods::find_method;
pub use self::number::{add, div, floor_div, mul, neg, pos, pow, rem, sub};
pub use self::print::{
    InSlot, Printed, assigned_value, check_condition, concat, fill_slot, ok_or_fail,
};
pub use self::run_time::{
    describe_kind, draw_error, entry_named, expect_computed, expect_defined, label_error,
    origin_of, printed_text, tag_slot, text_with_origins, undefined_value, whole_number,
};
pub use self::tests::find_test;
pub use self::text::Str;
pub use self::to_value::{ToValue, block_text, fragment_text, struct_kind, text_kind};
pub use self::value::{
    Dict, Value, clone_value, dict, field_value, list, record, require_defined, template_str, tuple,
};
pub use prompt_base::ValueKind;
pub use prompt_core::Origin;

/// The arguments of a filter, test or method, in the order of its parameters; `None` where one is not given.
pub type Arguments<'s, 'a> = &'s [Option<Value<'a>>];

/// A filter, method or function.
pub type Call = for<'a> fn(&Value<'a>, Arguments<'_, 'a>) -> Result<Value<'a>>;

/// A test: what follows `is`.
pub type Test = for<'a> fn(&Value<'a>, Arguments<'_, 'a>) -> Result<bool>;
