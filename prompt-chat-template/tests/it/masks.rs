//! The bytes of a text that the model generates.

use prompt_chat_template::ChatTemplate;
use prompt_core::format::FormatOptions;
use prompt_core::{ChatFormat, Guard, Json, Message, Messages, ToolCall};

#[track_caller]
fn check(source: &str, messages: &Messages, options: &FormatOptions, expected: &[&str]) {
    let template = ChatTemplate::parse(source).unwrap();
    check_template(&template, messages, options, expected);
}

#[track_caller]
fn check_template(
    template: &ChatTemplate,
    messages: &Messages,
    options: &FormatOptions,
    expected: &[&str],
) {
    let text = messages
        .to_annotated_text(template.options(options.clone()))
        .unwrap();
    let found: Vec<&str> = text
        .generated()
        .unwrap()
        .iter()
        .map(|range| &text.as_str()[range.clone()])
        .collect();
    assert_eq!(found, expected, "{}", template.source());
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

/// Conversations in which turns begin with a text, a call with and without arguments, reasoning, and nothing.
fn turns() -> Messages {
    let call = |id: &str, arguments: &str| ToolCall::new(id, "ports", arguments);
    Messages::from([
        Message::user("Hi"),
        Message::assistant("Hello"),
        Message::user("Which?"),
        Message::calls([call("c1", "{}")]),
        Message::tool("c1", "Ulm"),
        Message::calls([call("c2", r#"{"a": 1}"#), call("c3", "{}")]).with_reasoning("Hm."),
        Message::tool("c2", "Bonn"),
        Message::tool("c3", "Köln"),
        Message::assistant("").with_reasoning("So."),
        Message::user("And?"),
        Message::assistant("<b>").with_tool_calls(vec![call("c4", "{}")]),
        Message::tool("c4", "Rom"),
        Message::assistant("Rom."),
    ])
}

const CALLS: &str = r#"{% for c in m.tool_calls or [] %}{{ '\n<tool_call>\n{"name": "' + c.function.name + '", "arguments": ' + c.function.arguments | tojson + '}\n</tool_call>' }}{% endfor %}"#;

/// The generated text of [`turns`]: `open` is written before the text of a turn, `reason` is the reasoning and `end` the end.
fn generated_turns(open: &str, reason: impl Fn(&str) -> String, end: &str) -> Vec<String> {
    let call = |arguments: &str| {
        format!("\n<tool_call>\n{{\"name\": \"ports\", \"arguments\": {arguments}}}\n</tool_call>")
    };
    let (none, one) = (call("{}"), call(r#"{"a": 1}"#));
    [
        reason("") + "Hello",
        reason("") + &none,
        reason("Hm.") + &one + &none,
        reason("So."),
        reason("") + "<b>" + &none,
        reason("") + "Rom.",
    ]
    .iter()
    .map(|turn| [open, turn, end].concat())
    .collect()
}

/// The ranges do not depend on what a turn begins with, nor on the generation prompt.
#[test]
fn turns_without_generation_blocks() {
    let think =
        r"{% if m.reasoning %}{{ '<think>\n' + m.reasoning + '\n</think>\n\n' }}{% endif %}";
    let reasoning = |text: &str| match text {
        "" => String::new(),
        text => format!("<think>\n{text}\n</think>\n\n"),
    };
    let other = "{% if m.role != 'assistant' %}";
    let prompt = |text: &str| format!("{{% if add_generation_prompt %}}{text}{{% endif %}}");
    let chatml = |prompt: &str| {
        format!(
            "{{% for m in messages %}}<|im_start|>{{{{ m.role }}}}\n{think}{{{{ m.content }}}}{CALLS}<|im_end|>\n{{% endfor %}}{prompt}"
        )
    };
    let chatml_turns = generated_turns("", reasoning, "<|im_end|>\n");
    let cases = [
        (chatml(&prompt("<|im_start|>assistant\n")), chatml_turns.clone()),
        // The prompt begins the reasoning, or closes an empty one.
        (chatml(&prompt("<|im_start|>assistant\n<think>\n")), chatml_turns.clone()),
        (chatml(&prompt("<|im_start|>assistant\n<think>\n\n</think>\n\n")), chatml_turns.clone()),
        // A prompt in any case.
        (chatml(r"{{ '<|im_start|>assistant\n' }}"), chatml_turns),
        // The line break of the header is written together with what follows it.
        (
            format!("{{% for m in messages %}}<|im_start|>{{{{ m.role }}}}{{% if m.reasoning %}}{{{{ '\n<think>' + m.reasoning + '</think>' }}}}{{% endif %}}{{% if m.content or not m.tool_calls %}}{{{{ '\n' + m.content }}}}{{% endif %}}{CALLS}<|im_end|>\n{{% endfor %}}{}", prompt("<|im_start|>assistant\n")),
            vec![
                "Hello<|im_end|>\n".to_owned(),
                "<tool_call>\n{\"name\": \"ports\", \"arguments\": {}}\n</tool_call><|im_end|>\n".to_owned(),
                "<think>Hm.</think>\n<tool_call>\n{\"name\": \"ports\", \"arguments\": {\"a\": 1}}\n</tool_call>\n<tool_call>\n{\"name\": \"ports\", \"arguments\": {}}\n</tool_call><|im_end|>\n".to_owned(),
                "<think>So.</think>\n<|im_end|>\n".to_owned(),
                "<b>\n<tool_call>\n{\"name\": \"ports\", \"arguments\": {}}\n</tool_call><|im_end|>\n".to_owned(),
                "Rom.<|im_end|>\n".to_owned(),
            ],
        ),
        // The prompt inside of the loop.
        (
            format!("{{% for m in messages %}}<|{{{{ m.role }}}}|>\n{think}{{{{ m.content }}}}{CALLS}</s>\n{{% if loop.last and add_generation_prompt %}}<|assistant|>\n{{% endif %}}{{% endfor %}}"),
            generated_turns("", reasoning, "</s>\n"),
        ),
        // No header: the end of a question is the prompt. The space before an answer is the model's.
        (
            format!("{{% for m in messages %}}{other}[INST] {{{{ m.content }}}} [/INST]{{% else %}} {think}{{{{ m.content }}}}{CALLS}</s>{{% endif %}}{{% endfor %}}"),
            generated_turns(" ", reasoning, "</s>"),
        ),
        // What follows a result is another prompt.
        (
            format!("{{% for m in messages %}}{{% if m.role == 'user' %}}<User>{{{{ m.content }}}}{{% elif m.role == 'tool' %}}<output>{{{{ m.content }}}}</output>{{% else %}}{{% if loop.index0 > 0 and messages[loop.index0 - 1].role == 'tool' %}}<end>{{% else %}}<Assistant>{{% endif %}}{think}{{{{ m.content }}}}{CALLS}</s>{{% endif %}}{{% endfor %}}{{% if messages[-1].role == 'tool' %}}<end>{{% elif add_generation_prompt %}}<Assistant>{{% endif %}}"),
            generated_turns("", reasoning, "</s>"),
        ),
    ];
    for (source, expected) in &cases {
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        let template = ChatTemplate::parse(source).unwrap();
        for guard in [Guard::Allow, Guard::Neutralise] {
            for prompt in [true, false] {
                let options = FormatOptions::new().guard(guard).generation_prompt(prompt);
                check_template(&template, &turns(), &options, &expected);
            }
        }
    }
}

/// What the template writes behind its loop ends the last turn.
#[test]
fn the_end_of_the_last_turn() {
    let chat = Messages::from([Message::user("a"), Message::assistant("b")]);
    let source = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>\n{% endfor %}\
                  {% if add_generation_prompt %}<|assistant|>{% else %}<|endoftext|>{% endif %}";
    let options = FormatOptions::new();
    check(source, &chat, &options, &["b<|end|>\n"]);
    let without = options.clone().generation_prompt(false);
    check(source, &chat, &without, &["b<|end|>\n<|endoftext|>"]);
    // A text that the model continues has no end.
    check(source, &chat, &options.continued(), &["b"]);
}

/// The first message is the assistant's, and nothing is before it.
#[test]
fn a_first_turn() {
    let chat = Messages::from([Message::assistant("a"), Message::user("b")]);
    let source = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}\
                  {% if add_generation_prompt %}<|assistant|>{% endif %}";
    check(source, &chat, &FormatOptions::new(), &["a<|end|>"]);
}

/// A range that is not known is an error of the mask, and not of the text.
#[test]
fn turns_that_are_unknown() {
    let all = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}";
    let cases = [
        // The header is not the generation prompt.
        (format!("{all}{{% if add_generation_prompt %}}<|answer|>{{% endif %}}"), "it does not begin as the generation prompt of the template"),
        (format!("{all}{all}"), "the template writes it in several parts"),
        ("{% for i in range(2) %}{{ messages[i].content }}<|end|>{% endfor %}".to_owned(), "the template writes it outside of a loop over the messages"),
        ("{% for m in messages %}{% if m.role == 'assistant' %}{{ messages[0].content }}{{ m.content }}<|end|>{% endif %}{% endfor %}".to_owned(), "the template writes other messages inside of it"),
        ("{% for m in messages %}{{ m.content }}{% endfor %}".to_owned(), "the template writes nothing at its end, so that a model would not learn to end it"),
        (format!("{{% if messages | length < 2 %}}{{{{ raise_exception('two') }}}}{{% endif %}}{all}"), "the template does not render the messages before it"),
    ];
    let chat = Messages::from([Message::user("a"), Message::assistant("b")]);
    for (source, why) in cases {
        let template = ChatTemplate::parse(&source).unwrap().lenient();
        let text = chat.to_annotated_text(template.clone()).unwrap();
        let error = text.generated().unwrap_err();
        let expected = format!(
            "the text that the model generates for message 1 (assistant) is unknown: {why}"
        );
        assert_eq!(error.message(), expected, "{source}");
        assert!(error.help().unwrap().contains("`{% generation %}`"));
        // Without an answer, nothing is unknown; and the tags mark one.
        let ask = Messages::from([Message::user("a"), Message::user("b")]);
        assert!(
            ask.to_annotated_text(template)
                .unwrap()
                .generated()
                .unwrap()
                .is_empty()
        );
    }
    // Results inside the turn of the calls, or behind the last call.
    let called = [
        Message::user("a"),
        Message::calls([ToolCall::new("1", "f", "{}")]),
    ];
    let chats = [
        called.to_vec(),
        [&called[..], &[Message::tool("1", "c")]].concat(),
    ];
    let chats = chats.map(Messages::from);
    let (others, parts) = (
        "unknown: the template writes other messages inside of it",
        "unknown: the template writes it in several parts",
    );
    for (results, expected) in [
        (
            "{% for k in range(loop.index, messages | length) %}<result>{{ messages[k].content }}{% endfor %}",
            [others, others],
        ),
        (
            "{% for r in messages[loop.index:] %}<result>{{ r.content }}{% endfor %}",
            [others, parts],
        ),
    ] {
        let source = format!(
            "{{% for m in messages %}}{{% if m.role == 'user' %}}<|user|>{{{{ m.content }}}}{{% elif m.role == 'assistant' %}}<|model|>{{{{ m.content }}}}{{% for c in m.tool_calls or [] %}}<call>{{{{ c.function.name }}}}{{% endfor %}}{results}<|end|>{{% endif %}}{{% endfor %}}{{% if add_generation_prompt %}}<|model|>{{% endif %}}"
        );
        let template = ChatTemplate::parse(&source).unwrap();
        for (chat, expected) in chats.iter().zip(expected) {
            let text = chat.to_annotated_text(template.clone()).unwrap();
            let error = text.generated().unwrap_err();
            assert!(error.message().ends_with(expected), "{error}");
        }
    }
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
        assert_eq!(got.generated().unwrap().len(), 1);
        assert_eq!(&text[got.generated().unwrap()[0].clone()], "x");
    }
}
