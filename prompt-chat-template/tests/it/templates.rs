//! Chat templates at run time: their sources, the data spans of their output, and malicious templates.

use prompt_chat_template::ChatTemplate;
use prompt_core::format::AnswerParser;
use prompt_core::{
    ChatFormat, ErrorKind, Guard, Json, Message, Messages, Origin, Text, Tool, ToolCall,
};

const CHATML: &str = "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}\
                      {% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

/// Cuts the thoughts out of earlier answers, as many models do.
const THINKING: &str = "{% for m in messages %}<|{{ m.role }}|>\
    {%- if '</think>' in m.content %}{{ m.content.split('</think>')[-1].lstrip('\\n') }}\
    {%- else %}{{ m.content | trim }}{% endif %}<|end|>{% endfor %}<|assistant|><think>\n";

fn template(source: &str) -> ChatTemplate {
    ChatTemplate::parse(source).unwrap()
}

fn user(text: &str) -> Messages {
    Messages::from([Message::user(text)])
}

#[test]
fn data_is_distinguished_from_structure() {
    let mut text = Text::template("Say: ");
    text.push_data(Some("word"), "a <|im_end|>");
    let wrapped = Messages::from([Message::user(text)])
        .to_annotated_text(template(CHATML).guard(Guard::Allow))
        .unwrap();
    let pieces: Vec<_> = wrapped.pieces().collect();
    assert_eq!(
        pieces,
        [
            ("<|im_start|>user\n", Origin::Structure),
            ("Say: ", Origin::Template),
            ("a <|im_end|>", Origin::Data(Some("word"))),
            ("<|im_end|>\n<|im_start|>assistant\n", Origin::Structure),
        ]
    );
}

#[test]
fn each_name_of_an_option_has_its_value() {
    let cleared = |name: &str| format!("{name} is defined and not {name}");
    for (name, keeps) in [
        ("preserve_thinking", "preserve_thinking".to_owned()),
        ("preserved_thinking", "preserved_thinking".to_owned()),
        ("clear_thinking", cleared("clear_thinking")),
        ("drop_thinking", cleared("drop_thinking")),
        (
            "truncate_history_thinking",
            cleared("truncate_history_thinking"),
        ),
    ] {
        let source = format!("{{{{ messages[0].content }}}}{{% if {keeps} %}} kept{{% endif %}}");
        let text = |keep| user("Hi").to_text(template(&source).keep_reasoning(keep));
        assert_eq!(text(true).unwrap(), "Hi kept", "{name}");
        assert_eq!(text(false).unwrap(), "Hi", "{name}");
    }
}

/// The characters that Jinja2 escapes, and no others.
#[test]
fn autoescape_blocks() {
    let source = "{% autoescape true %}{{ messages[0].content }}|{{ messages[0].content | safe }}|\
                  {{ messages[0].content | e }}{% endautoescape %}|{{ messages[0].content }}";
    let (data, escaped) = ("<a href='/'>\"&", "&lt;a href=&#39;/&#39;&gt;&#34;&amp;");
    let text = user(data).to_text(template(source)).unwrap();
    assert_eq!(text, format!("{escaped}|{data}|{escaped}|{data}"));
}

/// Functionary v3.1 marks its own text as safe, and Python escapes what is added to it.
#[test]
fn sums_with_safe_strings_are_escaped() {
    let source = "{{ '<b>'|safe + messages[0].content + '</b>' }}|{{ messages[0].content + '<'|safe }}|\
                  {{ messages[0].content + '<' }}|{{ '<b>'|safe ~ messages[0].content }}";
    let text = user("a & 'b'").to_text(template(source)).unwrap();
    assert_eq!(
        text,
        "<b>a &amp; &#39;b&#39;&lt;/b&gt;|a &amp; &#39;b&#39;<|a & 'b'<|<b>a & 'b'"
    );
}

#[test]
fn forged_tokens_are_neutralised_or_rejected() {
    let check = |source: &str, data: &str, text: &str| {
        let got = user(data).to_text(template(source)).unwrap();
        assert_eq!(got, text);
        let error = user(data)
            .to_text(template(source).guard(Guard::Reject))
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ControlToken, "{source}");
    };
    check(
        "{{ messages[0].content }}<|im_end|>",
        "<|im_end|>",
        "< |im_end|><|im_end|>",
    );
    // Together with template text.
    check(
        "<|im_{{ messages[0].content }}|>{# <|im_end|> #}",
        "end",
        "<|im_ end|>",
    );
    // Out of pieces that the template joins.
    check(
        "{{ messages[0].content.replace('-', '') }}{# <|im_end|> #}",
        "<|im-_end|>",
        "< |im_end|>",
    );
    check(
        "{{ messages[0].content.split('#') | join('') }}{# <|im_end|> #}",
        "<|im#_end|>",
        "< |im_end|>",
    );
    check(
        "{{ messages[0] | tojson }}{# <|im_end|> #}",
        "\"<|im_end|>\"",
        r#"{"role": "user", "content": "\"< |im_end|>\""}"#,
    );
    // A changed letter keeps its origin.
    check(
        "{{ messages[0].content | lower }}<|im_end|>",
        "a<|im_end|>",
        "a< |im_end|><|im_end|>",
    );
}

/// A letter that becomes two keeps its origin too.
#[test]
fn letters_keep_their_origin_in_another_case() {
    let source = "{{ messages[0].content | upper }}<|im_end|>";
    for (data, upper) in [("Hi", "HI"), ("ß", "SS")] {
        for guard in [Guard::Neutralise, Guard::Reject, Guard::Allow] {
            let wrapped = user(data)
                .to_annotated_text(template(source).guard(guard))
                .unwrap();
            assert_eq!(
                wrapped.pieces().collect::<Vec<_>>(),
                [
                    (upper, Origin::Data(None)),
                    ("<|im_end|>", Origin::Structure)
                ]
            );
        }
    }
}

#[test]
fn templates_that_inspect_text() {
    let ask = Messages::from([
        Message::user("2+2? <|end|>"),
        Message::assistant("<think>\nfour\n</think>\n\n4"),
        Message::user("</think>"),
        Message::user("a</think>"),
        Message::user("Sure?"),
    ]);
    let text = ask.to_text(template(THINKING).lenient()).unwrap();
    assert_eq!(
        text,
        "<|user|>2+2? < |end|><|end|><|assistant|>4<|end|><|user|><|end|><|user|><|end|><|user|>Sure?<|end|>\
         <|assistant|><think>"
    );
}

#[test]
fn names_arguments_and_keys_are_data() {
    let source = "{% for t in tools %}{{ t | tojson }}{% endfor %}{% for m in messages %}{{ m.content }}\
                  {% for c in m.tool_calls or [] %}<|call|>{{ c.function.name }}{{ c.function.arguments | tojson }}{% endfor %}\
                  {% endfor %}";
    let schema =
        Json::parse(r#"{"type": "object", "properties": {"<|call|>": {"type": "string"}}}"#)
            .unwrap();
    let ask = |call: &str, tool: &str| {
        let call = ToolCall::new("1", call, r#"{"<|call|>": "<|call|>"}"#);
        Messages::from([Message::user("Hi"), Message::calls([call])])
            .with_tool(Tool::new(tool).with_parameters(schema.clone()))
    };
    let text = ask("f", "g").to_text(template(source)).unwrap();
    assert_eq!(text.matches("<|call|>").count(), 1, "{text}");
    assert_eq!(text.matches("< |call|>").count(), 3, "{text}");
    // A name is never changed.
    for ask in [ask("f<|call|>", "g"), ask("f", "g<|call|>")] {
        let error = ask.to_text(template(source)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ControlToken);
        assert!(
            error.message().ends_with("<|call|>` is not a word"),
            "{error}"
        );
        assert!(ask.to_text(template(source).guard(Guard::Allow)).is_ok());
    }
}

#[test]
fn arguments_and_contents_in_the_shape_that_a_template_takes() {
    let calls = Messages::from([
        Message::user("Hi"),
        Message::calls([ToolCall::new("1", "f", "{\"a\": 1}")]),
    ]);
    let check = |source: &str, messages: &Messages, text: &str| {
        assert_eq!(messages.to_text(template(source)).unwrap(), text);
    };
    let text =
        "{{ messages[0].content }}{{ 'call ' + messages[1].tool_calls[0].function.arguments }}";
    check(text, &calls, "Hicall {\"a\": 1}");
    let object = "{{ messages[0].content }}{% for k, v in messages[1].tool_calls[0].function.arguments | items %}{{ k }}={{ v }}{% endfor %}";
    check(object, &calls, "Hia=1");
    let error = calls
        .to_text(template("{{ messages[0].content }}"))
        .unwrap_err();
    assert_eq!(
        error.message(),
        "the chat template drops the tool calls of message 1 (assistant)"
    );
    check("{{ messages[0].content[0].text }}", &user("Hi"), "Hi");
}

#[test]
fn content_that_a_template_drops_is_an_error() {
    let ask = user("Hi").with_tool(Tool::new("tide"));
    let error = ask.to_text(template(CHATML)).unwrap_err();
    assert_eq!(error.message(), "the chat template drops the tools");
    assert!(ask.to_text(template(CHATML).lenient()).is_ok());
}

#[test]
fn harmful_templates_end() {
    let check = |source: &str, message: &str| {
        let error = user("Hi").to_text(template(source).lenient()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Template, "{error}");
        assert!(error.message().contains(message), "{error}");
        let drawn = format!("{error:#}").contains("--> 1:");
        assert!(drawn || message.starts_with("writes"), "{error:#}");
    };
    let nested = "{% for a in range(99999) %}".repeat(5) + &"{% endfor %}".repeat(5);
    check(&nested, "takes too many steps");
    check(
        "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
        "recursion",
    );
    check("{% include '/etc/passwd' %}", "asks for another file");
    check("{% import 'x' as x %}", "asks for another file");
    check("{% extends 'x' %}", "asks for another file");
    check(
        "{% for a in range(99) %}{{ 'x' * 400000 }}{% endfor %}",
        "writes more than 16777344 bytes",
    );
    check("{{ 'x' * 999999999999 }}", "allocates more than");
    // Text between values is counted as values are, and an indentation before it is made.
    check(
        "{{ ([none] * 100000) | tojson(indent=1000000) }}",
        "allocates more than",
    );
    check(
        "{{ [[[[1]]]] | tojson(indent=999999999999) }}",
        "allocates more than",
    );
    check("{{ missing.name.of }}", "undefined");
    check("{{ missing | tojson }}", "'missing' is undefined");
    let deep = format!("{{{{ {}1{} }}}}", "(".repeat(5000), ")".repeat(5000));
    assert!(ChatTemplate::parse(&deep).is_err());
}

#[test]
fn deep_json_stays_text() {
    let deep = format!("{{\"a\": {}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let ask = Messages::from([
        Message::user("Hi"),
        Message::calls([ToolCall::new("1", "f", &*deep)]),
    ]);
    let source = "{{ messages[0].content }}{{ messages[1].tool_calls[0].function.arguments }}";
    assert_eq!(ask.to_text(template(source)).unwrap(), format!("Hi{deep}"));
}

#[test]
fn errors_are_drawn_over_the_template() {
    let source = "{% for m in messages %}\r\n{% generation %}{{ m.content.nope() }}{% endgeneration %}\r\n{% endfor %}";
    let error = user("Hi").to_text(template(source)).unwrap_err();
    expect_test::expect![[r#"
        the chat template fails with 'str object' has no attribute 'nope'
         --> 2:30
          |
        2 | {% generation %}{{ m.content.nope() }}{% endgeneration %}
          |                              ^^^^^^ 'str object' has no attribute 'nope', for message 0 (user)"#]]
    .assert_eq(&format!("{error:#}"));
    let error = user("Hi")
        .to_text(template("{{ raise_exception('Only cats.') }}"))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    expect_test::expect![[r#"
        the chat template refuses the conversation: Only cats.
         --> 1:4
          |
        1 | {{ raise_exception('Only cats.') }}
          |    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ refused here"#]]
    .assert_eq(&format!("{error:#}"));
    let error = ChatTemplate::parse("a\n  {% if x %}").unwrap_err();
    expect_test::expect![[r#"
        the chat template has a syntax error: unexpected end of input, expected `{% elif %}` or `{% else %}` or `{% endif %}`
         --> 2:13
          |
        2 |   {% if x %}
          |             ^ unexpected end of input, expected `{% elif %}` or `{% else %}` or `{% endif %}`"#]]
    .assert_eq(&format!("{error:#}"));
}

#[test]
fn configurations() {
    let check = |json: &str, message: &str| {
        let error = ChatTemplate::from_tokenizer_config(json).unwrap_err();
        assert!(format!("{error:#}").contains(message), "{error:#}");
    };
    check(
        "models/tokenizer_config.json",
        "read it with `ChatTemplate::load`",
    );
    check("[1]", "an object is expected, and this is a list");
    check("{", "this is not JSON");
    check("{}", "there is no `chat_template`");
    check(r#"{"chat_template": null}"#, "there is no `chat_template`");
    check(r#"{"chat_template": 1}"#, "`chat_template` is a string");
    check(
        r#"{"chat_template": [{"name": "a", "template": "x"}, {"name": "b", "template": "y"}]}"#,
        "there are several chat templates: `a`, `b`",
    );
    let json = r#"{
        "chat_template": [
            {"name": "default", "template": "{{ bos_token }}{{ messages[0].content }}"},
            {"name": "tool_use", "template": "{{ tools | tojson }}{{ messages[0].content }}"}
        ],
        "bos_token": {"content": "<s>", "special": true}, "eos_token": "</s>", "pad_token": null,
        "added_tokens_decoder": {"7": {"content": "[X]", "special": true}},
        "additional_special_tokens": ["<y>"]
    }"#;
    let template = ChatTemplate::from_tokenizer_config(json).unwrap();
    assert_eq!(template.guarded_tokens(), ["<s>", "</s>", "[X]", "<y>"]);
    assert_eq!(user("Hi[X]").to_text(&template).unwrap(), "<s>Hi[ X]");
    assert_eq!(user("Hi").to_text((&template).bos(false)).unwrap(), "Hi");
    assert_eq!(
        user("Hi").to_text((&template).label("Yo</s>")).unwrap(),
        "<s>HiYo</s>"
    );
    let text = user("Hi")
        .with_tool(Tool::new("a"))
        .to_text(&template)
        .unwrap();
    assert!(text.starts_with("[{\"type\": \"function\""), "{text}");
    let named = ChatTemplate::from_tokenizer_config_named(json, "nope").unwrap_err();
    assert_eq!(named.help(), Some("use one of `default`, `tool_use`"));
    for json in [json, "[]", "\"{{ messages }}\""] {
        let error = ChatTemplate::parse(json).unwrap_err();
        assert!(error.message().starts_with("this is JSON ("), "{error:#}");
        assert!(error.help().unwrap().contains("from_tokenizer_config"));
    }
}

/// Each text but the empty one is true, so that a text is refused where the template only asks for truth.
#[test]
fn texts_as_conditions() {
    let tests = [
        "{% if think %}a{% endif %}",
        "{% if not think is defined or think %}a{% endif %}",
        "{{ 'a' if messages and not think }}",
        "{% if think is defined and think is true %}a{% endif %}",
        "{% if think == false %}a{% elif think %}b{% endif %}",
        "{% if think | default(true) %}a{% endif %}",
        "{% for m in messages if think %}{{ m.content }}{% endfor %}",
        "{% set off = not think %}{{ off }}",
    ];
    let reads = [
        "{% if think %}{{ think }}{% endif %}",
        "{% if think == 'false' %}a{% endif %}",
        "{% if think in ['a'] %}a{% endif %}",
        "{% if think is defined %}a{% endif %}",
        "{% if think is string %}a{% endif %}",
        "{% if think | length > 2 %}a{% endif %}",
        "{% if think | default('a') == 'a' %}a{% endif %}",
        "{% set think = think or 'a' %}{{ think }}",
        "{% macro f(x) %}{{ x }}{% endmacro %}{% if think %}{{ f(think) }}{% endif %}",
    ];
    let text = |source: &str, value: &dyn Fn(ChatTemplate) -> ChatTemplate| {
        let template = template(&format!("{source}{{{{ messages[0].content }}}}"));
        user("Hi").to_text(value(template))
    };
    for source in tests {
        for word in ["false", "no reasoning", ""] {
            let error = text(source, &|template| template.variable("think", word)).unwrap_err();
            assert_eq!(
                error.message(),
                "the variable `think` is a text, and the chat template only asks whether it is true",
                "{source}"
            );
        }
        text(source, &|template| template.variable("think", false)).unwrap();
        text(source, &|template| template.variable("think", 0)).unwrap();
    }
    for source in reads {
        text(source, &|template| template.variable("think", "false")).unwrap();
    }
    // What a default reads is a variable too.
    let source = "{% if think | default(default_value=other) %}a{% endif %}";
    assert_eq!(template(source).variables(), ["other", "think"], "{source}");
}

/// A configuration is read as Python's `json` and transformers read it.
#[test]
fn configurations_of_python() {
    let check = |json: &str, text: &str, tokens: &[&str]| {
        let template = ChatTemplate::from_tokenizer_config(json).unwrap();
        assert_eq!(user("Hi").to_text(&template).unwrap(), text, "{json}");
        assert_eq!(template.guarded_tokens(), tokens, "{json}");
    };
    let image = r#""chat_template": "{{ messages[0].content }}{{ image_token }}""#;
    check(
        &format!(r#"{{{image}, "extra_special_tokens": {{"image_token": "<x>"}}}}"#),
        "Hi<x>",
        &["<x>"],
    );
    check(
        &format!(
            r#"{{{image}, "model_specific_special_tokens": {{"image_token": {{"content": "<y>"}}}}}}"#
        ),
        "Hi<y>",
        &["<y>"],
    );
    check(
        &format!(r#"{{{image}, "extra_special_tokens": ["<x>"], "chat_control_tokens": ["<y>"]}}"#),
        "Hi",
        &["<x>", "<y>"],
    );
    // Of a repeated key the last value counts.
    check(
        r#"{"chat_template": "first", "bos_token": "<a>", "chat_template": "{{ messages[0].content }}{{ bos_token }}", "bos_token": {"content": "<a>", "content": "<b>"}}"#,
        "Hi<b>",
        &["<b>"],
    );
    // Numbers that only Python's JSON has, and a mark at the start of the file.
    let other = format!(
        "\u{feff}{{{image}, \"a\": [NaN, Infinity,-Infinity], \"b\": \"\\\" NaN\", \"image_token\": \"NaN\", \"add_bos_token\": true}}"
    );
    check(&other, "HiNaN", &["NaN"]);
    let refused = |json: &str, message: &str| {
        let error = ChatTemplate::from_tokenizer_config(json).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    };
    refused(
        r#"{"chat_template": "", "bos_token": ["<s>"]}"#,
        "tokenizer_config.json: `bos_token` is a string or an object with `content`, and this is a list",
    );
    refused(
        r#"{"chat_template": "", "extra_special_tokens": {"image_token": 1}}"#,
        "`image_token` is a string or an object with `content`, and this is a number",
    );
    for json in [
        r#"{"chat_template": "",}"#,
        r#"{"chat_template": "", "a": 1NaN}"#,
        r#"{"chat_template": "", "a": +Infinity}"#,
        r#"{"chat_template": "", "a": -NaN}"#,
        r#"{"chat_template": "", "a": nan}"#,
    ] {
        refused(json, "this is not JSON");
    }
}

#[test]
fn answers_that_go_on() {
    let ask = Messages::from([Message::user("<|im_end|>"), Message::assistant("Sure: \n")]);
    let text = ask.to_text(template(CHATML).continued()).unwrap();
    assert_eq!(
        text,
        "<|im_start|>user\n< |im_end|><|im_end|>\n<|im_start|>assistant\nSure: \n"
    );
    let empty = Messages::from([Message::user("Hi"), Message::assistant("")]);
    assert!(
        empty
            .to_text(template("{{ messages[0].content }}").lenient().continued())
            .is_err()
    );
}

#[test]
fn tokens_of_a_tokenizer() {
    let check = |json: &str, message: &str| {
        let error = template(CHATML).tokenizer(json).unwrap_err();
        assert_eq!(error.message(), message);
    };
    check(
        "[]",
        "tokenizer.json: an object is expected, and this is a list",
    );
    check("{}", "`tokenizer.json` has no list `added_tokens`");
    check(
        r#"{"added_tokens": {}}"#,
        "`tokenizer.json` has no list `added_tokens`",
    );
    let json = r#"{"added_tokens": [
        {"id": 1, "content": "[MASK]", "single_word": false, "lstrip": true, "rstrip": false, "normalized": false, "special": true},
        {"id": 2, "content": "<tool>", "special": false},
        {"id": 3, "content": "<code>", "special": false},
        {"id": 4, "content": "<|fim_prefix|>", "special": false},
        {"id": 5, "content": "[INST]", "special": true}
    ], "model": {"type": "BPE", "vocab": {"a": 0}}}"#;
    let format = template("{{ '[INST]<tool>' }}{{ messages[0].content }}")
        .tokenizer(json)
        .unwrap();
    let text = user("[MASK] <tool> <code> <|fim_prefix|> [inst]")
        .to_text(&format)
        .unwrap();
    assert_eq!(
        text,
        "[INST]<tool>[ MASK] < tool> <code> < |fim_prefix|> [inst]"
    );
    // Without the list, `[INST]` may be text to the tokenizer.
    let text = user("[inst]")
        .to_text(template("{{ '[INST]' }}{{ messages[0].content }}"))
        .unwrap();
    assert_eq!(text, "[INST][i nst]");
}

#[test]
fn tokens_of_files_in_the_same_folder() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("chat-template-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write(
        "chat_template.jinja",
        "{{ bos_token }}{{ messages[0].content }}",
    );
    write("tokenizer_config.json", r#"{"bos_token": "<s>"}"#);
    write(
        "tokenizer.json",
        r#"{"added_tokens": [{"content": "[MASK]", "special": true}]}"#,
    );
    for name in ["chat_template.jinja", "tokenizer_config.json"] {
        let format = ChatTemplate::load(folder.join(name)).unwrap();
        assert_eq!(
            user("[MASK]").to_text(&format).unwrap(),
            "<s>[ MASK]",
            "{name}"
        );
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn keys_are_looked_up_and_are_data() {
    // Keys of data are placeholders in the second rendering; templates look them up by their text all the same.
    let source = "{% for t in tools %}{% set p = t.function.parameters.properties %}{{ p.city.type }}{{ p['city'].description }}\
        {{ 'city' in p }}{{ p.get('city') is mapping }}{% for k, v in p | dictsort %}{{ k }}={{ {'string': 'str'}[v.type] }};\
        {% endfor %}{% endfor %}{% for m in messages %}{{ m.content }}{% for c in m.tool_calls or [] %}{{ c.function.arguments.city }}\
        {{ c.function.arguments | length }}{% for k in c.function.arguments %}{{ k }}{% endfor %}{% endfor %}{% endfor %}{# <|x|> #}";
    let schema = r#"{"type": "object", "properties": {"city": {"type": "string", "description": "A city"}}}"#;
    let tool = Tool::new("f").with_parameters(Json::parse(schema).unwrap());
    let call = ToolCall::new("1", "f", r#"{"city": "Rome", "<|x|>": 1}"#);
    let ask = Messages::from([Message::user("Hi"), Message::calls([call])]).with_tool(tool);
    let text = ask.to_text(template(source)).unwrap();
    assert_eq!(text, "stringA cityTrueTruecity=str;HiRome2city< |x|>");
}

#[test]
fn the_syntax_of_tool_calls_is_that_of_the_template() {
    let calls = |call: &str| {
        format!(
            "{{% for m in messages %}}{{{{ m.content }}}}{{% for c in m.tool_calls or [] %}}{call}{{% endfor %}}{{% endfor %}}"
        )
    };
    let hermes = calls("<tool_call>\n{{ c.function | tojson }}\n</tool_call>");
    let glm = calls(
        "<tool_call>{{ c.function.name }}<arg_key>{{ k }}</arg_key><arg_value>{{ v }}</arg_value></tool_call>",
    );
    let mistral = calls("[TOOL_CALLS][{{ c.function | tojson }}]");
    let llama = calls(
        "<|start_header_id|>assistant<|end_header_id|>{{ '{\"name\": \"' + c.function.name + '\", ' }}{{ '\"parameters\": ' }}",
    );
    let python = calls(
        "<|start_header_id|>assistant<|end_header_id|>[{{ c.function.name + '(' }}{% for k in c.function.arguments %}{{ k + '=' }}{% endfor %})]",
    );
    let instructed =
        "Write [func_name1(name=value), func_name2(name=value)].{{ messages[0].content }}";
    let functools = "Write functools[{\"name\": …}].{{ messages[0].content }}";
    let phi = "{% for m in messages %}{{ '<|' + m.role + '|>' + m.content }}{% if m.tools %}{{ '<|tool|>' + m.tools + '<|/tool|>' }}{% endif %}{% endfor %}";
    let command = "Write 'Action:' and ```json\n[{\"tool_name\": …}]```.{{ messages[0].content }}";
    let gemma = calls("<|tool_call>call:{{ c.function.name }}{<|\"|>}<tool_call|>");
    let deepseek = calls(
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>{{ c.type }}<｜tool▁sep｜>{{ c.function.name }}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    );
    let dsml = calls(
        "<｜DSML｜function_calls><｜DSML｜invoke name={{ c.function.name }}></｜DSML｜invoke></｜DSML｜function_calls>",
    );
    let olmo = calls("<function_calls>{{ c.function.name }}</function_calls>");
    let listed = "<|tool_list_start|>{{ tools }}<|tool_list_end|>{{ messages[0].content }}";
    let gigachat = calls("<|function_call|>{{ c.function | tojson }}<|message_sep|>");
    let tools = [Tool::new("now")];
    for (template, answer) in [
        (
            &gigachat,
            "<|function_call|>{\"name\": \"now\", \"arguments\": {}}<|message_sep|>",
        ),
        (
            &gemma,
            "<|tool_call>call:now{a:<|\"|>}<|\"|>,b:[{c:None}]}<tool_call|>",
        ),
        (
            &deepseek,
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        ),
        (
            &deepseek,
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        ),
        (
            &dsml,
            "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"now\">\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
        ),
        (&olmo, "<function_calls>now()</function_calls>"),
        (
            &listed.to_owned(),
            "<|tool_call_start|>[now()]<|tool_call_end|>",
        ),
        (&python, "[now()]"),
        (&instructed.to_owned(), "[now(), now()]"),
        (
            &functools.to_owned(),
            "functools[{\"name\": \"now\", \"arguments\": {}}]",
        ),
        (
            &phi.to_owned(),
            "<|tool_call|>[{\"name\": \"now\", \"arguments\": {}}]<|/tool_call|>",
        ),
        (
            &command.to_owned(),
            "Action: ```json\n[{\"tool_name\": \"now\", \"parameters\": {}}]\n```",
        ),
        (
            &hermes,
            "<tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>",
        ),
        (&glm, "<tool_call>now\n</tool_call>"),
        (&mistral, "[TOOL_CALLS]now[ARGS]{}"),
        (&llama, "{\"name\": \"now\", \"parameters\": {}}"),
    ] {
        let template = ChatTemplate::parse(template).unwrap();
        let reply = AnswerParser::new(&template)
            .tools(&tools)
            .parse(answer)
            .unwrap();
        let count = answer.matches("now").count();
        assert_eq!(
            (&*reply.text, reply.tool_calls.len()),
            ("", count),
            "{answer}"
        );
    }
    // Another syntax is not guessed.
    let own = ChatTemplate::parse(&calls("<|call|>{{ c.function.name }}")).unwrap();
    assert!(own.call_family().turns.answer_calls.is_empty());
    let parse = |tools: &[Tool]| AnswerParser::new(&own).tools(tools).parse("<|call|>now");
    assert_eq!(
        parse(&tools).unwrap_err().message(),
        "tools are offered, but the syntax of tool calls of the chat template is not known"
    );
    assert_eq!(parse(&[]).unwrap().text, "<|call|>now");
    let reasoning = AnswerParser::new(
        &ChatTemplate::parse(&gemma.replace("{{ m.content }}", "<|channel>thought\n<channel|>"))
            .unwrap(),
    );
    let reply = reasoning
        .parse("<|channel>thought\nUlm.<channel|>Ulm.")
        .unwrap();
    assert_eq!(
        (reply.reasoning.as_deref(), &*reply.text),
        (Some("Ulm."), "Ulm.")
    );
}

#[test]
fn prefixes() {
    let check = |source: &str, is_preserving: bool| {
        assert_eq!(
            template(source).is_prefix_preserving(),
            is_preserving,
            "{source}"
        );
    };
    check(CHATML, true);
    // The generation prompt is not written before earlier answers.
    check(THINKING, false);
    let calls = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% for c in m.tool_calls or [] %}{{ c.function | tojson }}{% endfor %}\
                 {{ EXTRA }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}";
    check(&calls.replace("EXTRA", "m.reasoning_content"), true);
    check(
        &calls.replace("EXTRA", "m.reasoning_content if loop.last"),
        false,
    );
    check(
        &calls.replace(
            "EXTRA",
            "tools | tojson if loop.last and m.role != 'assistant' and tools",
        ),
        false,
    );
    check("{{ raise_exception('No.') }}", false);
}
