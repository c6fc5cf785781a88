//! The control tokens that a template composes: it renders conversations whose text is known.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::config::NAMED_TOKENS;
use crate::engine::{Engine, EngineLimits};
use crate::node::{InputNode, KEYWORDS, TemplateConversation};
use crate::render::Rendering;
use crate::tokens::{PROBE, ROLES, TokenList};
use prompt_core::Json;

/// The tokens that a template contains, and the markers that it writes around messages.
pub(crate) fn find_tokens(engine: &Engine) -> TokenList {
    let mut tokens = TokenList::from_text(engine);
    let left = Arc::new(AtomicU64::new(64 << 20));
    let mut probe = |messages: &str, tools: &str| {
        let text = render_probe(engine, &left, messages, tools);
        if let Some(text) = &text {
            tokens.add_markers(text, &engine.source);
            tokens.add_role_headers(text);
        }
        text.is_some()
    };
    for (messages, tools) in PROBES {
        probe(messages, tools);
    }
    let turn = |role: &str| format!(r#"{{"role":"{role}","content":"{PROBE}"}}"#);
    let all: Vec<String> = ROLES.iter().map(|role| turn(role)).collect();
    // Some templates refuse a role, or such an order of them.
    if !probe(&format!("[{}]", all.join(",")), "null") {
        for role in ROLES {
            for turns in [[turn("user"), turn(role)], [turn(role), turn("user")]] {
                probe(&format!("[{}]", turns.join(",")), "null");
            }
        }
    }
    for (messages, tools) in [(PROBES[0].0, &*probe_tools()), (PROBES[2].0, PROBES[2].1)] {
        if let Some(text) = render_probe(engine, &left, messages, tools) {
            tokens.add_tags_in_tools(&text);
        }
    }
    tokens
}

/// Two tools whose parameters have each keyword of JSON Schema.
fn probe_tools() -> String {
    let entry = |keyword: &&str| {
        let value = match *keyword {
            "type" | "format" => return None,
            "enum" | "examples" | "required" => r#"["zqxjkw"]"#,
            _ => r#""zqxjkw""#,
        };
        Some(format!(",\"{keyword}\":{value}"))
    };
    let keywords: String = KEYWORDS.iter().filter_map(entry).collect();
    let field = format!(r#"{{"type":"string","format":"date"{keywords}}}"#);
    let list = format!(r#"{{"type":"array","items":{field}{keywords}}}"#);
    let parameters = format!(
        r#"{{"type":"object","properties":{{"zqxjkw":{field},"Zqxjkw":{list}}},"additionalProperties":false{keywords}}}"#
    );
    let tool = |name: &str| {
        format!(
            r#"{{"type":"function","function":{{"name":"{name}","description":"zqxjkw","strict":true,"parameters":{parameters}}}}}"#
        )
    };
    format!("[{},{}]", tool("zqxjkw"), tool("Zqxjkw"))
}

/// The text of a conversation. `None` if the template refuses it.
fn render_probe(
    engine: &Engine,
    left: &Arc<AtomicU64>,
    messages: &str,
    tools: &str,
) -> Option<String> {
    let [messages, tools] = [Json::parse(messages).ok()?, Json::parse(tools).ok()?];
    let conversation = TemplateConversation::from_json(&messages, Some(&tools)).ok()?;
    // A template fails where it adds a token that is not defined.
    let variables = NAMED_TOKENS.map(|name| (name.to_owned(), InputNode::template_text("")));
    let run = Rendering {
        conversation,
        variables: variables.into(),
        generation_prompt: true,
        open: false,
        limits: EngineLimits {
            fuel: 100_000,
            output: 1 << 20,
            memory: 16 << 20,
            left: left.clone(),
            moment: None,
        },
    };
    run.render_text(engine).ok()
}

/// Conversations and tools with which markers are searched.
const PROBES: [(&str, &str); 5] = [
    (
        r#"[{"role":"system","content":"zqxjkv"},{"role":"user","content":"zqxjkv"},{"role":"assistant","content":"zqxjkv"},{"role":"user","content":"zqxjkv"}]"#,
        "null",
    ),
    (
        r#"[{"role":"user","content":"zqxjkv"},{"role":"assistant","content":"zqxjkv","reasoning_content":"zqxjkv"},{"role":"user","content":"zqxjkv"}]"#,
        "null",
    ),
    (
        r#"[{"role":"user","content":"zqxjkv"},{"role":"assistant","content":"","tool_calls":[{"id":"zqxjkvabc","type":"function","function":{"name":"zqxjkv","arguments":{"zqxjkv":"zqxjkv"}}}]},{"role":"tool","tool_call_id":"zqxjkvabc","name":"zqxjkv","content":"zqxjkv"},{"role":"assistant","content":"zqxjkv"},{"role":"user","content":"zqxjkv"}]"#,
        r#"[{"type":"function","function":{"name":"zqxjkw","description":"zqxjkw","parameters":{"type":"object","properties":{"zqxjkw":{"type":"string","description":"zqxjkw"}},"required":["zqxjkw"]}}}]"#,
    ),
    (
        r#"[{"role":"user","content":[{"type":"image","image":"zqxjkv"},{"type":"audio","audio":"zqxjkv"},{"type":"video","video":"zqxjkv"},{"type":"text","text":"zqxjkv"}]}]"#,
        "null",
    ),
    (
        r#"[{"role":"user","content":[{"type":"image_url","image_url":{"url":"zqxjkv"}},{"type":"text","text":"zqxjkv"}]}]"#,
        "null",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn of(source: &str) -> TokenList {
        find_tokens(&Engine::new(source).unwrap())
    }

    #[test]
    fn tokens_of_a_text() {
        let tokens = of("{{ '<|im_start|>' + role }}<｜User｜> [INST] <| {{ x }} |>").all;
        assert_eq!(tokens, ["<|im_start|>", "<｜User｜>", "[INST]"]);
    }

    #[test]
    fn composed_markers() {
        let each = |turn: &str| format!("{{% for m in messages %}}{turn}\n{{% endfor %}}");
        for (turn, marker) in [
            ("<|{{ m.role }}|>{{ m.content }}", "<|system|>"),
            ("<{{ m.role }}>{{ m.content }}</{{ m.role }}>", "</tool>"),
            ("[{{ m.role | upper }}] {{ m.content }}", "[ASSISTANT]"),
            ("{{ m.role | title }}: {{ m.content }}", "System:"),
            ("{{ m.role | title }}: {{ m.content | title }}", "System:"),
            ("[{{ m.role | upper }}] {{ m.content | upper }}", "[TOOL]"),
            ("GPT5 {{ m.role }}: {{ m.content }}", "GPT5 user:"),
            ("### {{ m.role }}\n{{ m.content }}", "### user"),
            ("{{ '<|' ~ m.role ~ '_end|>' }}", "<|function_end|>"),
            (
                "<|{{ m.role }}:{{ loop.index }}|>{{ m.content }}",
                "<|tool:",
            ),
            ("<function={{ m.role }}>{{ m.content }}", "<function=tool>"),
            ("<role>{{ m.role }}</role>{{ m.content }}", "</role>"),
            ("@@{{ m.role }}@@{{ m.content }}", "@@tool@@"),
            ("=== {{ m.role }} ===\n{{ m.content }}", "=== tool ==="),
            ("«{{ m.role }}»: {{ m.content }}", "«tool»:"),
            ("{{ m.role[0] | upper }}: {{ m.content }}", "\nU:"),
            ("用户：{{ m.content }}", "用户："),
            ("<call name=\"{{ m.content }}\">", "<call name=\""),
        ] {
            let tokens = of(&each(turn)).all;
            assert!(
                tokens.iter().any(|token| token == marker),
                "{turn}: {tokens:?}"
            );
        }
        let added = of(&each(
            "{% if m.role == 'user' %}{{ ' Q U: ' + m.content }}{% else %}{{ ' A N: ' + m.content + eos_token }}{% endif %}",
        ));
        for marker in ["Q U:", "A N:"] {
            assert!(added.loose.iter().any(|token| token == marker), "{added:?}");
        }
        let prose = of(&each(
            "A user: wrote this, and it is right. {{ m.content }}",
        ));
        assert_eq!(prose.all, Vec::<String>::new());
    }
}
