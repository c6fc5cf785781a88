//! The bytes of a text that the model generates.

use prompt_chat_template::ChatTemplate;
use prompt_core::format::FormatOptions;
use prompt_core::{ChatFormat, Guard, Json, Message, Messages, ToolCall};

#[track_caller]
fn check(source: &str, messages: &Messages, options: &FormatOptions, expected: &[&str]) {
    let template = ChatTemplate::parse(source).unwrap();
    let text = messages
        .to_annotated_text(template.options(options.clone()))
        .unwrap();
    let found: Vec<&str> = text
        .generated()
        .iter()
        .map(|range| &text.as_str()[range.clone()])
        .collect();
    assert_eq!(found, expected, "{source}");
}

#[test]
fn generation_blocks() {
    let chat = Messages::from([
        Message::user("a <|end|>"),
        Message::assistant("b <|end|>"),
        Message::user("c"),
        Message::assistant("d"),
    ]);
    let options = FormatOptions::new().lenient();
    let turn = "{% generation %}{{ m.content }}<|end|>{% endgeneration %}";
    let loops = |turn: &str| {
        format!(
            "{{% for m in messages %}}<|{{{{ m.role }}}}|>{{% if m.role == 'assistant' %}}{turn}{{% else %}}{{{{ m.content }}}}{{% endif %}}\n{{% endfor %}}"
        )
    };
    // What the guard inserts is in the range.
    check(
        &loops(turn),
        &chat,
        &options,
        &["b < |end|><|end|>", "d<|end|>"],
    );
    let allowed = options.clone().guard(Guard::Allow);
    check(
        &loops(turn),
        &chat,
        &allowed,
        &["b <|end|><|end|>", "d<|end|>"],
    );
    // Through a variable and a macro.
    let variable = loops(
        "{% set x %}{{ m.role }}:{% generation %}{{ m.content }}{% endgeneration %}!{% endset %}{{ x }}",
    );
    check(&variable, &chat, &options, &["b <|end|>", "d"]);
    let called =
        "{% macro t(m) %}{% generation %}{{ m.content | trim }}{% endgeneration %}{% endmacro %}"
            .to_owned()
            + &loops("{{ t(m) }}");
    check(&called, &chat, &options, &["b <|end|>", "d"]);
}

#[test]
fn assistant_turns_without_generation_blocks() {
    let chat = Messages::from([
        Message::user("a"),
        Message::assistant("b").with_tool_calls(vec![ToolCall::new("1", "f", r#"{"x": 1}"#)]),
        Message::tool("1", "c"),
        Message::assistant("d"),
    ]);
    let source = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}{% for c in m.tool_calls or [] %}\n<call>{{ c.function.name }}{{ c.function.arguments | tojson }}</call>{% endfor %}<|im_end|>\n{% endfor %}";
    let expected = ["b<call>f{\"x\": 1}</call><|im_end|>\n", "d<|im_end|>\n"];
    check(source, &chat, &FormatOptions::new(), &expected);
    // The model writes the id of a call too.
    let with_id = source.replace("function.name }}", "function.name }}:{{ c.id }}");
    let expected = ["b<call>f:1{\"x\": 1}</call><|im_end|>\n", "d<|im_end|>\n"];
    check(&with_id, &chat, &FormatOptions::new(), &expected);
}

#[test]
fn ranges_without_the_first_token() {
    let template = ChatTemplate::parse(
        "{{ bos_token }}{{ messages[0].content }}{% generation %}x{% endgeneration %}",
    )
    .unwrap()
    .token("bos_token", "<s>");
    let chat = Json::parse(r#"[{"role": "user", "content": "<s>a"}]"#).unwrap();
    for (bos, text) in [(true, "<s>< s>ax"), (false, "< s>ax")] {
        let options = FormatOptions::new().bos(bos);
        let got = template.format_json(&chat, None, &options).unwrap();
        assert_eq!(got.as_str(), text);
        assert_eq!(got.generated().len(), 1);
        assert_eq!(&text[got.generated()[0].clone()], "x");
    }
}

#[test]
fn the_token_after_a_turn_is_the_templates() {
    let chat = Messages::from([Message::assistant("a"), Message::user("<|end|>b")]);
    let source =
        "{% if false %}<|end|>{% endif %}{% for m in messages %}{{ m.content }}{% endfor %}";
    let options = FormatOptions::new().guard(Guard::Allow);
    check(source, &chat, &options, &["a"]);
    // Text of another message between two parts of an answer is not the model's.
    let all = "{% for m in messages %}{{ m.content }}{% endfor %}";
    check(&format!("{all}-{all}"), &chat, &options, &["a", "a"]);
}
