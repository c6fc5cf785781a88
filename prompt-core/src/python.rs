//! Numbers, strings and values as Python prints them, and the white space of Python's `str`.

mod value;

pub use crate::annotated_text::is_whitespace;
pub use crate::format::native::python::{push_escaped, push_repr};
pub use value::{Python, float_repr, json_float, lines, python, slice_positions};
