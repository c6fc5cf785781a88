//! The Jinja dialect of typed-prompt at run time.
//!
//! - [`Value`] is the value of an expression, [`ToValue`] converts Rust values into it, and [`EvalError`] is the error of an
//!   expression, with its position in the template. Values behave as in Python and Jinja2 3.1.6.
//! - [`untyped`] (feature `untyped`): the language of models' own chat templates, whose input is JSON.
//!
//! ```
//! use typed_prompt::{jinja::ToValue, message::Origin};
//!
//! let found = vec![Some(1.0), None];
//! assert_eq!(found.to_value(Origin::Data(Some("found"))).to_string(), "[1.0, None]");
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

/// An [`EvalError`] with a formatted message.
#[macro_export]
macro_rules! eval_error {
    ($($message:tt)+) => {
        $crate::EvalError::new(format!($($message)+))
    };
}

// A chat template uses more of it than a template of a Rust struct.
#[cfg_attr(not(feature = "untyped"), allow(dead_code))]
mod builtin;
mod expr;
#[cfg(feature = "untyped")]
pub mod untyped;

pub use expr::{Dict, EvalError, Str, ToValue, Value, ValueKind};

/// What generated code uses: values, operators, filters, tests, methods and functions of expressions.
#[doc(hidden)]
pub mod private {
    pub use crate::expr::*;
}
