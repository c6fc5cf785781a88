//! `RecordedLlm` without the feature `recording`.

use typed_prompt::llm::RecordedLlm;

fn main() {
    let _ = RecordedLlm::replay("answers.jsonl");
}
