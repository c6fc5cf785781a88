//! `AnswerParser` without the feature `parse`.

use typed_prompt::format::AnswerParser;

fn main() {
    let _ = AnswerParser::new(&typed_prompt::format::QWEN3);
}
