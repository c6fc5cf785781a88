//! `ToolLoop` without the feature `tools`.

use typed_prompt::tool::ToolLoop;

fn main() {
    let _: Option<ToolLoop<'_, typed_prompt::MockLlm, typed_prompt::Messages>> = None;
}
