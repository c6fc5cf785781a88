//! `value::python` without the feature `python`.

use typed_prompt::value::python;

fn main() {
    let _ = python(true);
}
