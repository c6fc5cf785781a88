//! No way around the guard: each position and option by which data reaches a wrapped text is guarded, in every family.

use std::fmt::Write;

use prompt_core::format::{self, ChatInput, FormatOptions, NativeFormat};
use prompt_core::{AnnotatedText, ChatFormat, Guard, Json, Origin, Result};
use serde_json::{Value, json};

/// One way to pass `evil` to a format: a conversation that contains it at one position, or an option of the format.
struct Way {
    name: &'static str,
    messages: fn(&str) -> Value,
    tools: fn(&str) -> Value,
    set: fn(FormatOptions, &str) -> FormatOptions,
    label: bool,
}

const NONE: Way = Way {
    name: "",
    messages: |_| json!([{"role": "user", "content": "Hi"}]),
    tools: |_| Value::Null,
    set: |options, _| options,
    label: false,
};

fn tool(function: &Value) -> Value {
    json!([{"type": "function", "function": function}])
}

fn called(call: &Value, result: &Value) -> Value {
    let answer = json!({"role": "assistant", "content": "", "tool_calls": [call]});
    json!([{"role": "user", "content": "Hi"}, answer, result, {"role": "assistant", "content": "So."},
        {"role": "user", "content": "And?"}])
}

fn call(name: &str, arguments: &Value) -> Value {
    json!({"id": "call00001", "type": "function", "function": {"name": name, "arguments": arguments}})
}

fn result(text: &str) -> Value {
    json!({"role": "tool", "tool_call_id": "call00001", "content": text})
}

const WAYS: &[Way] = &[
    Way {
        name: "a question",
        messages: |evil| json!([{"role": "user", "content": evil}]),
        ..NONE
    },
    Way {
        name: "instructions",
        messages: |evil| json!([{"role": "system", "content": evil}, {"role": "user", "content": "Hi"}]),
        ..NONE
    },
    Way {
        name: "an answer",
        messages: |evil| json!([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": evil}, {"role": "user", "content": "Bye"}]),
        ..NONE
    },
    Way {
        name: "a list of texts",
        messages: |evil| json!([{"role": "user", "content": [{"type": "text", "text": evil}, {"type": "text", "text": "!"}]}]),
        ..NONE
    },
    Way {
        name: "reasoning",
        messages: |evil| {
            json!([{"role": "user", "content": "Hi"},
                {"role": "assistant", "content": "", "reasoning_content": evil, "tool_calls": [call("tide", &json!({}))]},
                result("6:12")])
        },
        ..NONE
    },
    Way {
        name: "a role's name",
        messages: |evil| json!([{"role": "user", "content": "Hi"}, {"role": evil, "content": "Rain."}, {"role": "user", "content": "So?"}]),
        ..NONE
    },
    Way {
        name: "the name of a called tool",
        messages: |evil| called(&call(evil, &json!({})), &result("6:12")),
        ..NONE
    },
    Way {
        name: "the name of an argument",
        messages: |evil| called(&call("tide", &json!({ evil: 1 })), &result("6:12")),
        ..NONE
    },
    Way {
        name: "an argument",
        messages: |evil| {
            called(
                &call("tide", &json!({"at": [{"deep": evil}]})),
                &result("6:12"),
            )
        },
        ..NONE
    },
    Way {
        name: "arguments that are not JSON",
        messages: |evil| called(&call("tide", &json!(evil)), &result("6:12")),
        ..NONE
    },
    Way {
        name: "a tool's result",
        messages: |evil| called(&call("tide", &json!({})), &result(evil)),
        ..NONE
    },
    Way {
        name: "the name of an offered tool",
        tools: |evil| tool(&json!({ "name": evil })),
        ..NONE
    },
    Way {
        name: "a tool's description",
        tools: |evil| tool(&json!({"name": "tide", "description": evil})),
        ..NONE
    },
    Way {
        name: "the name of a parameter",
        tools: |evil| {
            tool(
                &json!({"name": "tide", "parameters": {"type": "object", "properties": {evil: {"type": "string"}}}}),
            )
        },
        ..NONE
    },
    Way {
        name: "a value in a schema",
        tools: |evil| {
            tool(
                &json!({"name": "tide", "parameters": {"type": "object", "properties": {"day": {"enum": [evil]}}}}),
            )
        },
        ..NONE
    },
    Way {
        name: "a key of a tool",
        tools: |evil| tool(&json!({"name": "tide", evil: true})),
        ..NONE
    },
    Way {
        name: "a document",
        set: |options, evil| options.documents([json!({"text": evil}).into()]),
        ..NONE
    },
    Way {
        name: "controls",
        set: |options, evil| options.controls(json!({ evil: evil })),
        ..NONE
    },
    Way {
        name: "the model's identity",
        set: |options, evil| options.identity(evil),
        ..NONE
    },
    Way {
        name: "the effort",
        set: |options, evil| options.effort(evil),
        ..NONE
    },
    Way {
        name: "a day in words",
        set: |options, evil| options.date_text(evil),
        ..NONE
    },
    Way {
        name: "a built-in tool",
        set: |options, evil| options.builtin_tools([evil]),
        ..NONE
    },
    Way {
        name: "a tool in Python",
        set: |options, evil| options.python_tools([json!(evil).into()]),
        ..NONE
    },
    Way {
        name: "a training label",
        label: true,
        ..NONE
    },
];

impl Way {
    fn format(
        &self,
        native: &NativeFormat,
        evil: &str,
        guard: Guard,
        options: &FormatOptions,
    ) -> Result<AnnotatedText> {
        let tools = Json::from((self.tools)(evil));
        let chat = ChatInput::from_json(&(self.messages)(evil).into(), Some(&tools))?;
        let mut options = options.clone().guard(guard);
        options.label = self.label.then(|| format!("{evil}!"));
        native.format_chat(&chat, &(self.set)(options, evil))
    }
}

/// Whether this token contains a byte of data.
fn holds(wrapped: &AnnotatedText, token: &str) -> bool {
    let of_data =
        |(piece, source): (&str, Origin)| vec![matches!(source, Origin::Data(_)); piece.len()];
    let data: Vec<bool> = wrapped.pieces().flat_map(of_data).collect();
    let mut places = wrapped.as_str().match_indices(token).map(|found| found.0);
    places.any(|at| data[at..at + token.len()].contains(&true))
}

#[test]
fn every_way_is_guarded() {
    let mut page = String::new();
    for way in WAYS {
        let (mut guarded, mut refused) = (0, 0);
        for native in format::MODEL_FORMATS {
            let mut reached = false;
            let mut is_error = false;
            for token in native.family().tokens {
                for options in [FormatOptions::new(), FormatOptions::new().lenient()] {
                    let evil = format!("x {token} y");
                    match way.format(native, &evil, Guard::Allow, &options) {
                        Ok(kept) if holds(&kept, token) => reached = true,
                        Ok(_) => continue,
                        Err(_) => {
                            is_error = true;
                            continue;
                        }
                    }
                    let wrapped = way
                        .format(native, &evil, Guard::Neutralise, &options)
                        .unwrap();
                    assert!(
                        !holds(&wrapped, token),
                        "{} {native:?} {token}: {}",
                        way.name,
                        wrapped.as_str()
                    );
                    assert!(
                        way.format(native, &evil, Guard::Reject, &options).is_err(),
                        "{} {native:?} {token}",
                        way.name
                    );
                }
            }
            guarded += usize::from(reached);
            refused += usize::from(is_error && !reached);
        }
        writeln!(
            page,
            "{}: guarded in {guarded}, refused in {refused}",
            way.name
        )
        .unwrap();
    }
    expect_test::expect![[r#"
        a question: guarded in 86, refused in 0
        instructions: guarded in 84, refused in 2
        an answer: guarded in 86, refused in 0
        a list of texts: guarded in 86, refused in 0
        reasoning: guarded in 28, refused in 53
        a role's name: guarded in 29, refused in 56
        the name of a called tool: guarded in 51, refused in 35
        the name of an argument: guarded in 55, refused in 31
        an argument: guarded in 55, refused in 31
        arguments that are not JSON: guarded in 29, refused in 57
        a tool's result: guarded in 66, refused in 20
        the name of an offered tool: guarded in 50, refused in 36
        a tool's description: guarded in 53, refused in 33
        the name of a parameter: guarded in 53, refused in 33
        a value in a schema: guarded in 48, refused in 33
        a key of a tool: guarded in 45, refused in 33
        a document: guarded in 4, refused in 82
        controls: guarded in 1, refused in 85
        the model's identity: guarded in 3, refused in 83
        the effort: guarded in 2, refused in 84
        a day in words: guarded in 2, refused in 84
        a built-in tool: guarded in 1, refused in 84
        a tool in Python: guarded in 1, refused in 85
        a training label: guarded in 86, refused in 0
    "#]]
    .assert_eq(&page);
}
