//! Each error of a template names the message of the conversation that it concerns, beside the line and column of the template.

use prompt_chat_template::ChatTemplate;
use prompt_core::format::FormatOptions;
use prompt_core::{Guard, Json, Role};

const CHAT: &str = r#"[
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Hi <|end|>"},
    {"role": "assistant", "content": "x", "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": {"n": 1}}}]},
    {"role": "tool", "tool_call_id": "1", "name": "f g", "content": "y"},
    {"role": "narrator", "content": "last"}
]"#;

/// The index and the role of a message.
type Concerned = Option<(usize, &'static str)>;

const USER: Concerned = Some((1, "user"));
const ASSISTANT: Concerned = Some((2, "assistant"));
const TOOL: Concerned = Some((3, "tool"));
const NARRATOR: Concerned = Some((4, "narrator"));

/// A template, a part of its error's message, and the message of the conversation that the error names.
const FAULTS: &[(&str, &str, Concerned)] = &[
    // A loop over messages.
    (
        "{% for m in messages %}{% if m.role == 'user' %}{{ raise_exception('no') }}{% endif %}{% endfor %}",
        "refuses the conversation: no",
        USER,
    ),
    (
        "{% for m in messages %}{{ m.tool_calls[0].function.name if m.role != 'tool' or m.a.b }}{% endfor %}",
        "has no attribute 'tool_calls'",
        Some((0, "system")),
    ),
    (
        "{% for m in messages %}{{ m.a.b if m.role == 'tool' }}{% endfor %}",
        "has no attribute 'a'",
        TOOL,
    ),
    (
        "{% for m in messages[1:] if m.role != 'user' or m.a.b %}{{ m.content }}{% endfor %}",
        "has no attribute 'a'",
        USER,
    ),
    (
        "{% for m in messages|reverse %}{{ m.content + 1 }}{% endfor %}",
        "`+` cannot work on text",
        NARRATOR,
    ),
    // The message of the loop outside, whatever else is read.
    (
        "{% for m in messages %}{% for c in m.tool_calls or [] %}{{ c.function.arguments + 1 }}{% endfor %}{% endfor %}",
        "`+` cannot work on a dict",
        ASSISTANT,
    ),
    (
        "{% for m in messages %}{% if m.role == 'user' and messages[loop.index].role == 'assistant' %}{{ m.content / 2 }}{% endif %}{% endfor %}",
        "`/` cannot work on text",
        USER,
    ),
    (
        "{% macro show(m) %}{{ m.a.b }}{% endmacro %}{% for m in messages %}{% if m.tool_calls %}{{ show(m) }}{% endif %}{% endfor %}",
        "has no attribute 'a'",
        ASSISTANT,
    ),
    (
        "{% for m in messages %}{% if m.role == 'tool' %}{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}{% endif %}{% endfor %}",
        "takes too many steps",
        TOOL,
    ),
    (
        "{% for m in messages %}{% if m.role == 'tool' %}{{ m.content * 999999999999 }}{% endif %}{% endfor %}",
        "allocates more than",
        TOOL,
    ),
    // The message that was read last, where no loop visits messages.
    (
        "{% for i in range(messages|length) %}{% set m = messages[i] %}{% if m.role == 'tool' %}{{ m.content.a.b }}{% endif %}{% endfor %}",
        "has no attribute 'a'",
        TOOL,
    ),
    (
        "{% if messages[1].role != 'assistant' %}{{ raise_exception('no') }}{% endif %}",
        "refuses the conversation: no",
        USER,
    ),
    (
        "{% if messages[1]['role'] != 'assistant' %}{{ raise_exception('no') }}{% endif %}",
        "refuses the conversation: no",
        USER,
    ),
    (
        "{{ messages[2].get('a').b.c }}",
        "has no attribute 'b'",
        ASSISTANT,
    ),
    ("{{ messages[-1].a.b }}", "has no attribute 'a'", NARRATOR),
    // No message.
    (
        "{% for m in messages %}{{ m.content }}{% endfor %}{{ raise_exception('no') }}",
        "refuses the conversation: no",
        None,
    ),
    (
        "{% set first = messages[0].content %}{{ tools.a.b }}",
        "has no attribute 'a'",
        None,
    ),
    ("{{ nothing.a }}", "'nothing' is undefined", None),
    // The guard: the data that a template searches decides, not the place of the search.
    (
        "{% for m in messages %}{% if messages[1].content.startswith('Hi') %}{% endif %}{% endfor %}",
        "searches data for its own word `Hi`",
        USER,
    ),
    (
        "{% if messages[4].content < 'm' %}{% endif %}",
        "before or after its own word `m`",
        NARRATOR,
    ),
    (
        "{% for m in messages %}{{ m.name }}{% endfor %}",
        "the name `f g` is not a word",
        TOOL,
    ),
    (
        "{% for m in messages %}{{ m.content }}<|end|>{% endfor %}",
        "message 1 holds `<|end|>`",
        USER,
    ),
];

#[test]
fn each_error_names_its_message() {
    let chat = Json::parse(CHAT).unwrap();
    let options = FormatOptions::new().guard(Guard::Reject).lenient();
    let mut wrong = Vec::new();
    for (source, message, concerned) in FAULTS {
        let template = ChatTemplate::parse(source).unwrap();
        let error = template
            .format_json(&chat, None, &options)
            .expect_err(source);
        let shown = format!("{error:#}");
        let is_of_text = message.starts_with("message ") || message.starts_with("the name ");
        let is_right = match concerned {
            Some((index, role)) => {
                let drawn = format!(", for message {index} ({role})");
                error.message_index() == Some(*index)
                    && (is_of_text || error.role() == Role::from_name(role))
                    && (is_of_text || shown.contains(&drawn))
            }
            None => error.message_index().is_none() && !shown.contains(", for message"),
        };
        if !is_right || !error.message().contains(message) {
            wrong.push(format!("{source}\n{:?}\n{shown}", error.message_index()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
