//! Data never becomes structure, in any layout.

use prompt_compat::aisbench::{MetaRole, MetaTemplate};
use prompt_compat::lazyllm::{Chat, Keys};
use prompt_core::{AnnotatedText, ChatFormat, Messages, Origin, Role};
use proptest::prelude::*;

use crate::hostile::conversation;

/// Whether each byte of a text is data.
fn data(wrapped: &AnnotatedText) -> Vec<bool> {
    let is_data =
        |(piece, source): (&str, Origin)| vec![matches!(source, Origin::Data(_)); piece.len()];
    wrapped.pieces().flat_map(is_data).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    #[test]
    fn no_control_token_is_forged(messages in conversation()) {
        let messages: Messages = messages.iter().filter(|turn| turn.tool_calls.is_empty() && turn.role != Role::Tool).cloned().collect();
        let meta = MetaTemplate::new()
            .role(MetaRole::new("HUMAN").delimiters("<|im_start|>user\n", "<|im_end|>\n"))
            .role(MetaRole::new("BOT").delimiters("[INST]", "</s>").generates());
        let mut formats: Vec<Box<dyn ChatFormat>> = vec![Box::new(meta)];
        let keyed = |group| Chat::new().keys(Keys::from_name(group).unwrap());
        formats.extend(Keys::groups().map(|group| Box::new(keyed(group)) as Box<dyn ChatFormat>));
        for format in &formats {
            let wrapped = messages.to_annotated_text(&**format).unwrap();
            let data = data(&wrapped);
            for token in format.guarded_tokens().into_iter().filter(|token| token.chars().count() > 1) {
                let mut places = wrapped.as_str().match_indices(token).map(|found| found.0);
                let forged = places.any(|at| data[at..at + token.len()].contains(&true));
                prop_assert!(!forged, "{} {:?} {:?}", format.family().name, token, wrapped.as_str());
            }
        }
    }
}
