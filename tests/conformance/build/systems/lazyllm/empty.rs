//! `EmptyPrompter`: the unchanged input, or the input as one user message. Everything else is ignored.
//!
//! A prompt is text: it contains input that is not text as JSON, which the test parses again.

use serde_json::Value;

use crate::plan::Plan;
use crate::python::is_truthy;
use crate::rust::literal;
use crate::value;

pub(crate) fn plan(case: &Value) -> Plan {
    let call = &case["call"];
    let messages = is_truthy(&call["format"]) || is_truthy(&call["return_dict"]);
    let input = &call["input"];
    let Some(expect) = case.get("expect") else {
        return Plan::unmapped(format!(
            "the original fails with an error that has no counterpart here: {}",
            case["expect_error"]
        ));
    };
    let wanted = match expect {
        Value::String(text) => format!("Wanted::Text({})", literal(text)),
        other => format!("Wanted::Json({})", literal(&other.to_string())),
    };
    let (template, ty, given) = match input {
        Value::String(text) => ("<input>", "&'static str", literal(text)),
        other => ("<input | json>", "serde_json::Value", value::json(other)),
    };
    let end = match (messages, input.is_string()) {
        (false, true) => "text(prompt.to_text(lazyllm::EMPTY)?)",
        (false, false) => {
            "Ok(Got::Json(serde_json::from_str(&prompt.to_text(lazyllm::EMPTY)?).unwrap()))"
        }
        (true, true) => "json(&prompt.messages()?.openai())",
        (true, false) => {
            "Ok(Got::Json(serde_json::json!({\"messages\": [{\"role\": \"user\", \
             \"content\": serde_json::from_str::<serde_json::Value>(&prompt.messages()?[0].text()).unwrap()}]})))"
        }
    };
    let make = if input.is_string() {
        format!("Case::from({given})")
    } else {
        format!("Case {{ input: {given} }}")
    };
    let body = format!(
        "{{\n    #[derive(Prompt)]\n    #[prompt(user = \"{template}\", from)]\n    struct Case {{ input: {ty} }}\n    \
         let prompt = {make};\n    {end}\n}}"
    );
    Plan::Run { body, wanted }
}
