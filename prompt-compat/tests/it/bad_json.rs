//! Configurations with odd values are parsed or are an error, and never a panic.

use prompt_compat::aisbench::MetaTemplate;
use prompt_compat::lazyllm::{self, Keys};
use prompt_core::{Json, Message, Messages};

use crate::bad_values::filled;

#[test]
fn meta_templates() {
    let meta = [
        "$",
        r#"{"round":$}"#,
        r#"{"round":[$]}"#,
        r#"{"round":[{"role":"HUMAN","begin":$,"end":$},{"role":"BOT","generate":$}],"begin":$,"end":$}"#,
        r#"{"round":[{"role":"HUMAN","api_role":$,"prompt":$},{"role":$}],"reserved_roles":$}"#,
        r#"{"round":[{"role":"HUMAN"},{"role":"BOT","generate":true}],"begin":{"role":$,"prompt":$,"fallback_role":"HUMAN"}}"#,
    ];
    for text in filled(&meta) {
        let Ok(json) = Json::parse(&text) else {
            continue;
        };
        let vocabulary = |_| Some("t".to_owned());
        let read = [
            MetaTemplate::from_json(&json),
            MetaTemplate::from_json_with(&json, vocabulary),
        ];
        for meta in read.into_iter().flatten() {
            let _ = Messages::from([Message::user("x")]).to_text(meta);
        }
    }
}

#[test]
fn keys() {
    for text in filled(&[
        "$",
        r#"{"soh":$,"eoh":$}"#,
        r#"{"stop_words":$}"#,
        r#"{"stop_words":[$]}"#,
    ]) {
        let Ok(json) = serde_json::from_str(&text) else {
            continue;
        };
        if let Ok(keys) = Keys::default().json(&json) {
            let _ = Messages::from([Message::user("x")]).to_text(lazyllm::Chat::new().keys(keys));
        }
    }
}
