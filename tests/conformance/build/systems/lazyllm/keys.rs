//! The key sets of LazyLLM's model groups.

use serde_json::{Value, json};

use crate::plan::Plan;
use crate::rust::literal;

/// One case per group.
pub(crate) fn cases(golden: &Value) -> Vec<Value> {
    let groups = golden.as_object().cloned().unwrap_or_default();
    groups
        .into_iter()
        .map(|(group, keys)| json!({"id": group, "keys": keys}))
        .collect()
}

pub(crate) fn plan(case: &Value) -> Plan {
    let name = literal(case["id"].as_str().unwrap_or_default());
    // Keys that the group does not have keep their defaults: both are equal only if the group has no other keys.
    let keys = format!(
        "serde_json::from_str::<serde_json::Value>({}).unwrap()",
        literal(&case["keys"].to_string())
    );
    Plan::Run {
        body: format!(
            "{{\n    let keys = lazyllm::Keys::default().json(&{keys})?;\n    let named = lazyllm::Keys::from_name({name})?;\n    \
             text(if named == keys {{ String::new() }} else {{ format!(\"{{named:#?}}\\n{{keys:#?}}\") }})\n}}"
        ),
        wanted: "Wanted::Text(\"\")".to_owned(),
    }
}
