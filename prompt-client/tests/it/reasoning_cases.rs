//! Reasoning with a tool call, in the protocols of several providers.

use prompt_client::{ApiKey, ChatModel};
use serde_json::{Value, json};

use crate::server::{Answer, Server};
use crate::{chat, quick};

/// A provider's notation of the reasoning "Add them." and of the call that follows it.
pub(crate) struct Protocol {
    pub(crate) model: &'static str,
    pub(crate) whole: Value,
    /// Empty if the stream has no text.
    pub(crate) events: Vec<Value>,
    /// The position of the reasoning in the next request, and its value.
    pub(crate) back: (&'static str, Value),
    /// One object a line, without the frames of events.
    pub(crate) lines: bool,
}

pub(crate) const THOUGHT: &str = "Add them.";

pub(crate) fn openai(model: &'static str, key: &str, back: (&'static str, Value)) -> Protocol {
    let call = json!({"index": 0, "id": "c1", "type": "function", "function": {"name": "add", "arguments": "{\"a\":1}"}});
    let delta = |delta: Value, end: Value| json!({"model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": end}]});
    Protocol {
        model,
        whole: json!({"model": "m", "choices": [{"index": 0, "finish_reason": "tool_calls", "message": {
            "role": "assistant", "content": null, key: THOUGHT, "tool_calls": [call],
        }}]}),
        events: vec![
            delta(json!({key: "Add "}), Value::Null),
            delta(json!({key: "them."}), Value::Null),
            delta(json!({"tool_calls": [call]}), Value::Null),
            delta(json!({}), json!("tool_calls")),
            json!("[DONE]"),
        ],
        back,
        lines: false,
    }
}

pub(crate) fn anthropic() -> Protocol {
    let thinking = json!({"type": "thinking", "thinking": THOUGHT, "signature": "signed"});
    let redacted = json!({"type": "redacted_thinking", "data": "hidden"});
    let call = json!({"type": "tool_use", "id": "c1", "name": "add", "input": {"a": 1}});
    let at = |index: u8, mut event: Value| {
        event["index"] = json!(index);
        event
    };
    let start = |index, block: Value| {
        at(
            index,
            json!({"type": "content_block_start", "content_block": block}),
        )
    };
    let delta = |index, delta: Value| {
        at(
            index,
            json!({"type": "content_block_delta", "delta": delta}),
        )
    };
    let stop = |index| at(index, json!({"type": "content_block_stop"}));
    Protocol {
        model: "anthropic::m",
        whole: json!({
            "model": "m", "stop_reason": "tool_use", "usage": {"input_tokens": 1, "output_tokens": 2},
            "content": [thinking, redacted, call],
        }),
        events: vec![
            start(
                0,
                json!({"type": "thinking", "thinking": "", "signature": ""}),
            ),
            delta(0, json!({"type": "thinking_delta", "thinking": "Add "})),
            delta(0, json!({"type": "thinking_delta", "thinking": "them."})),
            delta(0, json!({"type": "signature_delta", "signature": "signed"})),
            stop(0),
            start(1, redacted.clone()),
            stop(1),
            start(
                2,
                json!({"type": "tool_use", "id": "c1", "name": "add", "input": {}}),
            ),
            delta(
                2,
                json!({"type": "input_json_delta", "partial_json": "{\"a\":1}"}),
            ),
            stop(2),
            json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"input_tokens": 1, "output_tokens": 2}}),
            json!({"type": "message_stop"}),
        ],
        back: ("/messages/1/content", json!([thinking, redacted, call])),
        lines: false,
    }
}

fn gemini() -> Protocol {
    let thought = json!({"text": THOUGHT, "thought": true});
    let call = json!({"functionCall": {"id": "c1", "name": "add", "args": {"a": 1}}, "thoughtSignature": "signed"});
    let candidate = |parts: Value, end: Value| json!({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": end}]});
    Protocol {
        model: "gemini::m",
        whole: candidate(json!([thought, call]), json!("STOP")),
        events: vec![
            candidate(json!([{"text": "Add ", "thought": true}]), Value::Null),
            candidate(json!([{"text": "them.", "thought": true}]), Value::Null),
            candidate(json!([call]), json!("STOP")),
        ],
        back: ("/contents/1/parts", json!([call])),
        lines: false,
    }
}

fn responses() -> Protocol {
    let summary = json!([{"type": "summary_text", "text": THOUGHT}]);
    let thought = json!({"type": "reasoning", "id": "rs1", "summary": summary, "encrypted_content": "sealed"});
    let call = json!({"type": "function_call", "id": "fc1", "call_id": "c1", "name": "add", "arguments": "{\"a\":1}"});
    let whole = json!({
        "id": "r", "model": "m", "status": "completed", "output": [thought, call],
        "usage": {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3},
    });
    let delta = |text: &str| json!({"type": "response.reasoning_summary_text.delta", "delta": text, "item_id": "rs1", "output_index": 0, "summary_index": 0});
    Protocol {
        model: "openai_resp::m",
        events: vec![
            delta("Add "),
            delta("them."),
            json!({"type": "response.output_item.done", "output_index": 0, "item": thought}),
            json!({"type": "response.output_item.added", "output_index": 1, "item": call}),
            json!({"type": "response.output_item.done", "output_index": 1, "item": call}),
            json!({"type": "response.completed", "response": whole}),
        ],
        whole,
        back: (
            "/input/1",
            json!({"type": "reasoning", "encrypted_content": "sealed", "summary": []}),
        ),
        lines: false,
    }
}

fn ollama() -> Protocol {
    let call = json!({"id": "c1", "function": {"name": "add", "arguments": {"a": 1}}});
    let said = |message: Value, done: bool| {
        let mut said = json!({"model": "m", "message": message, "done": done});
        if done {
            said["done_reason"] = json!("stop");
        }
        said
    };
    Protocol {
        model: "ollama::m",
        whole: said(
            json!({"role": "assistant", "content": "", "thinking": THOUGHT, "tool_calls": [call]}),
            true,
        ),
        events: vec![
            said(
                json!({"role": "assistant", "content": "", "thinking": "Add "}),
                false,
            ),
            said(
                json!({"role": "assistant", "content": "", "thinking": "them."}),
                false,
            ),
            said(
                json!({"role": "assistant", "content": "", "tool_calls": [call]}),
                false,
            ),
            said(json!({"role": "assistant", "content": ""}), true),
        ],
        back: ("/messages/1/thinking", json!(THOUGHT)),
        lines: true,
    }
}

pub(crate) fn protocols() -> Vec<Protocol> {
    let field = ("/messages/1/reasoning_content", json!(THOUGHT));
    let mistral = json!([{"type": "thinking", "thinking": [{"type": "text", "text": THOUGHT}]}]);
    vec![
        openai("at", "reasoning_content", field.clone()),
        openai("at", "reasoning", field.clone()),
        openai("deepseek::m", "reasoning_content", field.clone()),
        openai("open_router::m", "reasoning", field),
        openai(
            "mistral::m",
            "reasoning_content",
            ("/messages/1/content", mistral),
        ),
        openai("groq::m", "reasoning", ("/messages/1/content", Value::Null)),
        anthropic(),
        gemini(),
        responses(),
        ollama(),
    ]
}

impl Protocol {
    pub(crate) fn chat(&self, server: &Server) -> ChatModel {
        if self.model == "at" {
            return chat(server);
        }
        let llm = ChatModel::new(self.model).unwrap().base_url(&server.url);
        let llm = llm.unwrap().key(ApiKey::new("k3y")).retry(quick());
        llm.reasoning(true)
    }

    pub(crate) fn stream(&self) -> Answer {
        self.events.iter().fold(Answer::stream(), |answer, event| {
            match event.get("type").and_then(Value::as_str) {
                _ if self.lines => answer.bytes(format!("{event}\n")),
                _ if event.is_string() => answer.event(event.as_str().unwrap()),
                Some(name) => answer.bytes(format!("event: {name}\ndata: {event}\n\n")),
                None => answer.event(&event.to_string()),
            }
        })
    }
}
