//! A method of the feature `parse` without it.

use typed_prompt::format;

fn main() {
    let _ = format::QWEN3.parse("<|im_start|>user\nHi<|im_end|>\n");
}
