//! Text that would silently mean something else is an error in each dialect, and what only looks like it is text.

use prompt_jinja_syntax::{Jinja, Node};
use prompt_syntax::analysis::FieldInfo;
use prompt_syntax::{Dialect, Kind, KnownNames, Options, XmlTags, parse_in};

/// The messages of the errors of a template with the field `q`, which is text.
fn errors(text: &str, options: Options) -> Vec<String> {
    errors_with(Kind::Text, text, options)
}

/// The same with a field of this kind.
fn errors_with(kind: Kind, text: &str, options: Options) -> Vec<String> {
    let errors = errors_and_helps(kind, text, options);
    errors.into_iter().map(|(message, _)| message).collect()
}

fn errors_and_helps(kind: Kind, text: &str, options: Options) -> Vec<(String, String)> {
    let field = FieldInfo {
        name: "q".into(),
        kind,
        trusted: false,
        excluded_by: None,
        answer: false,
    };
    let names = KnownNames::Fields(std::slice::from_ref(&field));
    let parsed = parse_in::<Jinja>(text, options, &XmlTags::default(), names);
    parsed
        .errors
        .iter()
        .map(|error| {
            let help = error.help().unwrap_or_default();
            (error.message().to_owned(), help.to_owned())
        })
        .collect()
}

/// The help of the first error of a template in the angle dialect, with the field `q`, which is text.
fn first_help(text: &str) -> String {
    let mut errors = errors_and_helps(Kind::Text, text, Options::message(Dialect::Angle));
    errors.swap_remove(0).1
}

/// The dialects in which `q` is a slot of one of these texts.
fn check(dialects: &[Dialect], text: &str, expected: &[&str]) {
    for dialect in dialects {
        let text = text.replace("<q>", &dialect.slot("q"));
        assert_eq!(
            errors(&text, Options::document(*dialect)),
            expected,
            "{text:?} in {}",
            dialect.name()
        );
    }
}

const PLAIN: [Dialect; 3] = [Dialect::Angle, Dialect::Brace, Dialect::Fstring];

#[test]
fn roles() {
    let capitals = ["the tag of a role is lowercase"; 2];
    check(&PLAIN, "<System>S</System><User><q></User>", &capitals);
    check(
        &PLAIN,
        "<SYSTEM>\nS\n</SYSTEM>\n<user><q></user>",
        &capitals[..1],
    );
    check(&PLAIN, "<system>S</System><user><q></user>", &capitals[..1]);
    check(&PLAIN, "\\<System>S\\</System> <q>", &[]);
    check(
        &PLAIN,
        "<system>S</system><user><User>Ann</User> <q></user>",
        &[],
    );
    check(&PLAIN, "Return a List<User>, not <q>.", &[]);
    let of = |written: &str| format!("`{written}` does not begin a message");
    for (text, written) in [
        ("system:\nBe kind.\nuser:\n<q>", "system:"),
        ("System: Be kind.\n\nUser: <q>", "System:"),
        ("\n### System:\nBe kind.\n### User:\n<q>", "### System:"),
        ("**System:**\nBe kind. <q>", "**System:**"),
        ("user:\n<q>", "user:"),
        ("Some text.\nsystem:\nBe kind. <q>", "system:"),
        ("[SYSTEM]\nBe kind.\n[/SYSTEM]\n<q>", "[SYSTEM]"),
        ("[system] Be kind.\n[user] <q>", "[system]"),
        ("# System\nBe kind.\n\n# User\n<q>", "# System"),
        ("system\rBe kind.\ruser\r<q>", "system"),
        ("System message:\nS\nUser message:\n<q>", "System message:"),
        ("# System prompt\nS\n# User prompt\n<q>", "# System prompt"),
        ("=== SYSTEM ===\nS\n=== USER ===\n<q>", "=== SYSTEM ==="),
        ("@system Be kind.\n@user <q>", "@system Be kind."),
        ("(system)\nS\n(assistant)\n<q>", "(system)"),
    ] {
        check(&Dialect::ALL, text, &[&of(written)]);
    }
    check(
        &[Dialect::Angle, Dialect::Brace],
        "{% system %}S{% endsystem %} <q>",
        &[&of("{% system %}")],
    );
    check(
        &[Dialect::Jinja],
        "<system>S</system><user><q></user>",
        &[&of("<system>")],
    );
    check(&[Dialect::Jinja], "<User><q></User>", &[&of("<User>")]);
    for text in [
        "Data:\nSystem: Linux\nShell: bash\n<q>",
        "User: <q>\nAssistant:",
        "The operating system: <q>",
        "[USER] <q>\n[ASSISTANT]",
        "- System: Linux\n- User: root <q>",
        "| System | User |\n| User | x |\n<q>",
        "# System overview\n<q>\n# User guide",
        "System administrators\n<q>\nUser administrators",
        "[SYSTEM] is a word. <q>",
        "# System\nWhat is a user? <q>",
        "# System requirements\n<q>\n# User requirements",
        "## User message\n<q>\n## Assistant message\n<q>\nGrade it.",
        "User question:\n<q>\nAssistant question:",
    ] {
        check(&Dialect::ALL, text, &[]);
    }
    check(&[Dialect::Jinja], "Parse <user><q></user>.", &[]);
    check(&PLAIN, "<user>system:\nS\nuser:\n<q></user>", &[]);
}

/// Messages in elements and sections, which need not be first nor on lines of their own.
#[test]
fn roles_in_blocks() {
    let of = |written: &str| format!("`{written}` does not begin a message");
    for (text, written) in [
        (
            "<message role=\"system\">S</message><message role=\"user\"><q></message>",
            "<message role=\"system\">",
        ),
        (
            "Intro.\n<message role='system'>S</message>\n<q>",
            "<message role='system'>",
        ),
        (
            "<turn id=\"1\" role=\"system\">S</turn><turn role=\"user\"><q></turn>",
            "<turn id=\"1\" role=\"system\">",
        ),
        ("<msg role=user><q></msg>", "<msg role=user>"),
        (
            "\n<turn role=\"user\">a</turn>\n\n<turn role=\"assistant\"><q></turn>\n",
            "<turn role=\"user\">",
        ),
    ] {
        check(&Dialect::ALL, text, &[&of(written)]);
    }
    for (text, written) in [
        ("<q> {{#system}}S{{/system}}", "{{#system}}"),
        (
            "{{#system~}}S{{~/system}}{{#user~}}<q>{{~/user}}",
            "{{#system~}}",
        ),
    ] {
        check(&PLAIN, text, &[&of(written)]);
    }
    check(
        &[Dialect::Angle, Dialect::Fstring],
        "{{#user}}<q>{{/user}}{{#assistant}}a{{/assistant}}",
        &[&of("{{#user}}")],
    );
    for text in [
        "<div role=\"system\">S</div> <q>",
        "<div role=\"user\">S</div> <q>",
        "Rate it:\n<message role=\"user\">a</message>\n<message role=\"assistant\">b</message>\n<q>",
        "<message role=\"system\"> is a tag. <q>",
        "<turn role=\"user\">a</turn>\nContinue this dialogue.\n<turn role=\"assistant\"><q></turn>",
        "<message role=\"system admin\">S</message> <q>",
    ] {
        check(&[Dialect::Angle, Dialect::Brace], text, &[]);
    }
    let one = "<user><message role=\"system\">S</message> <q></user>";
    check(&PLAIN, one, &[]);
    check(&[Dialect::Angle], "{{#system}} <q>", &[]);
}

#[test]
fn prompty() {
    let options = Options {
        role_lines: true,
        ..Options::document(Dialect::Jinja)
    };
    let check =
        |text: &str, expected: &[&str]| assert_eq!(errors(text, options), expected, "{text}");
    check(
        "system: A\nuser: {{ q }}",
        &["`system:` does not begin a message"],
    );
    check("user: {{ q }}", &["`user:` does not begin a message"]);
    check("Hi {{ q }}", &["the text has no role"]);
    check("system:\nA\nuser:\n{{ q }}", &[]);
    // In another dialect, the file has tags: a line is one of another notation, whose help is a tag.
    let angle = Options {
        dialect: Dialect::Angle,
        ..options
    };
    let parsed = prompt_syntax::parse("system:\nA\nuser:\n<q>", angle);
    let help = parsed.errors[0].help().unwrap();
    assert!(help.starts_with("write `<system>…</system>`"), "{help}");
    assert_eq!(errors("<system>A</system><user><q></user>", angle), [""; 0]);
    assert_eq!(errors("A <q>", angle), [""; 0]);
}

#[test]
fn front_matter() {
    let unread = ["front matter is not read here"];
    check(&Dialect::ALL, "---\nmodel: x\n---\nHi <q>", &unread);
    check(
        &Dialect::ALL,
        "\n# A prompt.\n---\nsyntax: jinja\n---\nHi <q>",
        &unread,
    );
    let toml = ["front matter is written between lines `---`"];
    check(
        &Dialect::ALL,
        "+++\nformat = 'x'\n\n[a]\n+++\nHi <q>",
        &toml,
    );
    for text in [
        "--\nsyntax: jinja\n--\nHi <q>",
        "\n----\nformat: chatml\nsyntax: jinja\n---\nHi <q>",
        "—\nmodel: x\n—\nHi <q>",
        "--\r\nsyntax: jinja\r\n--\r\nHi <q>",
    ] {
        check(&Dialect::ALL, text, &toml);
    }
    for text in [
        "--\nTitle: Jinja\n--\n<q>",
        "-----\nname: Ann\ndescription: a cat\n-----\nDescribe <q>",
        "--\nname: Ann\nage: 3\n--\nDescribe <q>",
        "--\nname: <q>\n--\nDescribe <q>",
        "--\n--\n<q>",
        "--\nmodel: x\n<q>",
        "----\n\n<q>\n----",
        "-\nmodel: x\n-\n<q>",
        "- a\n--\nmodel: x\n--\n<q>",
    ] {
        check(&Dialect::ALL, text, &[]);
    }
    let message = errors("--\nmodel: x\n--\nHi <q>", Options::message(Dialect::Angle));
    assert!(message.is_empty(), "{message:?}");
    check(&Dialect::ALL, "+++\nHi\n+++\n<q>", &[]);
    check(&Dialect::ALL, "+++\na = 1\n<q>", &[]);
    check(&Dialect::ALL, "Example:\n---\nmodel: x\n---\nHi <q>", &[]);
    check(&Dialect::ALL, "---\n\n# Title\n\n---\n<q>", &[]);
}

#[test]
fn yaml() {
    for (text, written) in [
        ("template: |\n  Hi <q>\n", "template: |"),
        (
            "# A prompt.\nname: a\nprompt: >-\n  Hi\n\n  <q>\nversion: 1",
            "prompt: >-",
        ),
    ] {
        let message = format!("`{written}` is not read as YAML");
        check(&Dialect::ALL, text, &[&message]);
    }
    for text in [
        "Write this:\ntemplate: |\n  Hi <q>",
        "Answer: |\n<q>",
        "Note: a | b\n<q>",
        "key: <q>",
        "Q: <q>\nA: >",
        "Q: <q>\nA: |\n\nB:\n  a",
    ] {
        check(&Dialect::ALL, text, &[]);
    }
    for text in ["name: <q>\nbio: |\n  <q>", "question: |\n  <q>\nanswer:"] {
        assert!(errors(text, Options::message(Dialect::Angle)).is_empty());
    }
    let kept = "<raw>template: |</raw>\n  <q>";
    check(&[Dialect::Angle, Dialect::Brace], kept, &[]);
    let kept = "{% raw %}template: |{% endraw %}\n  <q>";
    check(&[Dialect::Jinja], kept, &[]);
}

/// An answer of a model or a page has the whole template in a code block.
#[test]
fn templates_in_a_code_block() {
    for (text, written) in [
        ("```jinja\nHi <q>\n```", "```jinja"),
        ("\n~~~ markdown\n# Task\n<q>\n~~~\n\n", "~~~ markdown"),
        ("```text\r\nHi <q>\r\n```\r\n", "```text"),
        ("````Prompt\nHi <q>\n````", "````Prompt"),
    ] {
        let message = format!("the whole text is a code block, and `{written}` is sent");
        check(&Dialect::ALL, text, &[&message]);
    }
    for text in [
        "```jinja\n<q>\n```",
        "```rust\nfn main() { <q> }\n```",
        "```\nHi <q>\n```",
        "Review it:\n```jinja\nHi <q>\n```",
        "```text\nHi <q>\n```\nSummarize it.",
        "```text\nHi <q>\n```\n```text\nHi\n```",
        "```text\nHi <q>",
        "```text\n```\n<q>",
        "```",
    ] {
        match text {
            "```" => assert!(errors(text, Options::document(Dialect::Angle)).is_empty()),
            _ => check(&Dialect::ALL[2..3], &text.replace(['{', '}'], ""), &[]),
        }
        check(&[Dialect::Angle], text, &[]);
    }
    let message = errors("```text\nHi <q>\n```", Options::message(Dialect::Angle));
    assert!(message.is_empty(), "{message:?}");
    check(&PLAIN, "<user>```text\nHi <q>\n```</user>", &[]);
}

/// The ends of blocks without a beginning, of a template that was converted from Jinja.
#[test]
fn ends_of_jinja() {
    for dialect in [Dialect::Angle, Dialect::Brace] {
        for written in [
            "{% endif %}",
            "{%- endfor -%}",
            "{% else %}",
            "{% elif x == 1 %}",
        ] {
            let message = format!("`{written}` is left of a template in Jinja");
            check(&[dialect], &format!("<q> {written}"), &[&message]);
            check(&[dialect], &format!("<q> \\{written}"), &[]);
            check(&[dialect], &format!("<q> Close it with `{written}`."), &[]);
        }
        for text in [
            "{% if x %}a{% elif y %}b{% else %}c{% endif %} <q>",
            "{%- for x in xs -%}{{% x %}}{%- endfor -%} <q>"
                .replace("{{% x %}}", "a")
                .as_str(),
            "\\begin{x} {% a comment of TeX\n% } \\else <q>",
            "{% else if x %} {% end %} {% endblock %} <q>",
            "{% raw %}{% endraw %} <q>",
        ] {
            check(&[dialect], text, &[]);
        }
    }
}

/// The parts of blocks without a block to which they belong, of a template that was converted from Handlebars.
#[test]
fn parts_of_handlebars() {
    for (written, right) in [
        ("{{else}}", "write `<else>`, or"),
        ("{{else if price}}", "remove it, or"),
        ("{{~else~}}", "write `<else>`, or"),
        ("{{/each}}", "remove it, or"),
        ("{{@index}}", "write `<loop.index0>`, or"),
        ("{{#if @first}}", "write `<if loop.first>…</if>`, or"),
        ("{{#unless @last}}", "write `<if not loop.last>…</if>`, or"),
        (
            "{{this}}",
            "write the path with its first name, that of the item or of a field, or",
        ),
        (
            "{{.}}",
            "write the path with its first name, that of the item or of a field, or",
        ),
        (
            "{{this.price}}",
            "write the path with its first name, that of the item or of a field, or",
        ),
        (
            "{{../price}}",
            "write the path with its first name, that of the item or of a field, or",
        ),
        (
            "{{#if this.price}}",
            "write the path with its first name, that of the item or of a field, or",
        ),
        (
            "{{#each this.prices}}",
            "write the path with its first name, that of the item or of a field, or",
        ),
    ] {
        let message = format!("`{written}` is left of a template in Handlebars");
        let angle = &[Dialect::Angle];
        check(angle, &format!("<q> {written}"), &[&message]);
        check(angle, &format!("<if q><q> {written}</if>"), &[&message]);
        let help = first_help(&format!("<q> {written}"));
        assert!(help.starts_with(right), "{written}: {help}");
        check(angle, &format!("<q> \\{written}"), &[]);
        check(angle, &format!("<q> `{written}` is the tag."), &[]);
        // Of a whole template of Handlebars, for a prompt about it, nothing is a slot.
        let whole = format!("<q> {{{{#each xs}}}}{written}{{{{/each}}}}");
        check(angle, &whole, &[]);
    }
    for text in [
        "<q> {{#if x}}a{{else}}b{{/if}}",
        "<q> {{/* a comment of Go */}} {{ elsewhere }} {{thistle}}",
        "<q> {\"a\": {\"b\": {}}}",
    ] {
        check(&[Dialect::Angle], text, &[]);
    }
    for branch in [
        "{{else if q}}",
        "{{#if x}}{{else if q}}{{/if}}",
        "{% elif q %}",
    ] {
        let help = first_help(branch);
        assert!(
            help.starts_with("write `<else if q>`, or"),
            "{branch}: {help}"
        );
    }
    let help = first_help("{{ this.q }}");
    assert!(help.starts_with("write `<q>`, or"), "{help}");
    // A section alone has no current item.
    let message = "`{{this}}` is left of a template in Handlebars";
    check(
        &[Dialect::Angle],
        "<q> {{#if x}}{{this}}{{/if}}",
        &[message],
    );
}

/// Other tools replace it by a description of the output type.
#[test]
fn descriptions_of_the_output_type() {
    for written in [
        "{{ ctx.output_format }}",
        "{format_instructions}",
        "{{format_instructions}}",
    ] {
        let message = format!("`{written}` is not replaced by a description of the output type");
        check(&[Dialect::Angle], &format!("<q> {written}"), &[&message]);
        check(&[Dialect::Angle], &format!("<q> \\{written}"), &[]);
        let help = first_help(&format!("<q> {written}"));
        assert!(
            help.starts_with("remove it, since a call sends the type of `output`; or write `\\"),
            "{help}"
        );
    }
}

/// BAML begins messages by calls.
#[test]
fn roles_of_baml() {
    let text = "{{ _.role(\"system\") }} Sort. {{ _.role('user') }} <q>";
    let message = "`{{ _.role(\"system\") }}` does not begin a message";
    check(&[Dialect::Angle], text, &[message]);
    let message = "`{{ _.chat(role=\"user\") }}` does not begin a message";
    check(
        &[Dialect::Angle],
        "{{ _.chat(role=\"user\") }} <q>",
        &[message],
    );
    check(&[Dialect::Angle], "{{ _.role(x) }} <q>", &[]);
}

/// The path of a file as the text of a message.
#[test]
fn paths_as_messages() {
    let message = "this is the path of a file, not the text of a template";
    for dialect in Dialect::ALL {
        for text in ["prompts/system.txt", "./system.md"] {
            assert_eq!(errors(text, Options::message(dialect)), [message], "{text}");
        }
        for text in [
            "prompts/system.txt\n",
            "Read prompts/system.txt",
            "https://a.b/c.txt",
            "and/or",
            "system.md",
        ] {
            assert_eq!(errors(text, Options::message(dialect)), [""; 0], "{text}");
        }
    }
}

#[test]
fn comments_of_other_languages() {
    for written in ["{# todo #}", "{#todo#}", "<%# todo %>", "<%-- todo --%>"] {
        for (dialect, title) in [(Dialect::Angle, "angle"), (Dialect::Brace, "brace")] {
            let message = format!("`{written}` is not a comment of the {title} dialect");
            check(&[dialect], &format!("<q> {written}"), &[&message]);
            check(&[dialect], &format!("<q> \\{written}"), &[]);
        }
    }
    for text in ["{{! todo }}", "{{!-- todo --}}"] {
        let message = format!("`{text}` is not a comment of the angle dialect");
        check(&[Dialect::Angle], &format!("<q> {text}"), &[&message]);
    }
    let lines = "`{#` is not a comment of the angle dialect";
    check(&[Dialect::Angle], "{#\ntodo\n#}<q>", &[lines]);
    let long = format!("{{#\n{}\n#}}<q>", "todo ".repeat(1000));
    check(&[Dialect::Angle], &long, &[lines]);
    let line = format!("<q> <%# {} %>", "todo ".repeat(100));
    let shown = format!("<%# {}t…", "todo ".repeat(11));
    let message = format!("`{shown}` is not a comment of the angle dialect");
    check(&[Dialect::Angle], &line, &[&message]);
    for text in [
        "## Title {#a} <q>",
        "{#if x} a {#b} <q>",
        "Get-Item <# of PowerShell #> <q>",
        "<# foreach (var x in xs) { #> <q>",
        "\\def\\a#1{#1#2} <q>",
    ] {
        check(&[Dialect::Angle, Dialect::Brace], text, &[]);
    }
}

/// The comments of other languages around slots are text, with the slots: `{#` and `#}` may be apart or belong to code.
#[test]
fn comments_of_other_languages_with_slots() {
    for text in [
        "{# <q> #} <q>",
        "\\{# <q> #}",
        "<raw>{#</raw> <q> #}",
        "{# <q>",
        "{#if x} <q> {/if} #}",
        "<system>C {# x</system><user><q> #}</user>",
        "main() {# start\n run <q>\n echo \"${path#}\"\n}",
        "<%# <q> %>",
        "<!-- <q> --> /* <q> */ // <q>\n# <q>",
    ] {
        check(&[Dialect::Angle, Dialect::Brace], text, &[]);
    }
    check(&[Dialect::Angle], "<if q>{# </if><q> #}", &[]);
}

/// In the dialects with doubled braces they are an error of the dialect, or text as in Python.
#[test]
fn helpers_of_handlebars() {
    for written in ["{{gen 'answer'}}", "{{ gen \"answer\" }}"] {
        let message = format!("`{written}` is a helper of Handlebars");
        check(&[Dialect::Angle], &format!("<q> {written}"), &[&message]);
    }
    for written in [
        "{{gen 'answer' n=3}}",
        "{{gen \"answer\" max_tokens=100}}",
        "{{~gen stop='.' n=3~}}",
    ] {
        let message = format!("`{written}` is a helper of Handlebars");
        check(
            &[Dialect::Angle, Dialect::Brace],
            &format!("<q> {written}"),
            &[&message],
        );
        check(
            &[Dialect::Angle, Dialect::Brace],
            &format!("<q> <raw>{written}</raw>"),
            &[],
        );
        check(&[Dialect::Angle], &format!("<q> \\{written}"), &[]);
    }
    let message = "`{{upper q n=3}}` is not a slot in the angle dialect";
    check(&[Dialect::Angle], "<q> {{upper q n=3}}", &[message]);
    for text in [
        "title = {{The \"Best\" of Us}}",
        "{{ include \"a\" . }} {{ printf \"%s\" .x }} {{ x | f \"a\" }} {{ a == \"b\" }}",
        "{{ the user's \"x\" }} {{ \"a\" }} {{ 'a' b=3 }} {{ insert your name }}",
        "{{ t(x=\"a\") }} {{a=\"b\"}} {{ x: \"a\" }} {{ $x \"a\" }} {{ a = b }} {{ a b= }}",
        "{{ greeting or 'hi' }} {{ y in 'abc' }} {{ not 'x' }} {{ define \"main\" }} {{let x=1}}",
        "{{ template \"header\" }} {{ include \"a\" }} {{ printf \"%s\" }} {{ return \"a\" }}",
        "title = {{Attention is all you \"need\"}} {{ insert the word 'hello' }} {{generate 'answer'}}",
    ] {
        check(&[Dialect::Angle], &format!("<q> {text}"), &[]);
    }
}

/// A slot has no attributes. Those of markup are text.
#[test]
fn slots_with_attributes() {
    let of = |written: &str, title| format!("`{written}` is not a slot in the {title} dialect");
    for written in [
        "<q default=\"none\">",
        "<q fallback=\"\">",
        "<q join=\", \">",
        "<q truncate='200'>",
    ] {
        for (dialect, title) in [
            (Dialect::Angle, "angle"),
            (Dialect::Brace, "brace"),
            (Dialect::Fstring, "f-string"),
            (Dialect::Jinja, "Jinja"),
        ] {
            check(
                &[dialect],
                &format!("a <q> {written}"),
                &[&of(written, title)],
            );
        }
        check(&PLAIN, &format!("a <q> \\{written}"), &[]);
    }
    for text in [
        "<q id=\"1\"> <q default> <x default=\"none\"> <q default=none> <q-x default=\"a\">",
        "<q default=\"none\">a</q> <input:q>",
        "<q type=\"a\" default=\"b\">",
        "<q default=\"none\"/> <q upper=''> <q truncate=\"a\">",
    ] {
        check(&[Dialect::Angle], text, &[]);
    }
    for text in [
        "<q display=\"none\"/>",
        "<q indent=\"4\"/>",
        "<q sort=\"Hobbit, The\"/>",
        "<q default='none' />",
    ] {
        for dialect in Dialect::ALL {
            check(&[dialect], &format!("{} {text}", dialect.slot("q")), &[]);
        }
    }
    let help = |kind: Kind, text: &str| {
        let field = FieldInfo {
            name: "q".into(),
            kind,
            trusted: false,
            excluded_by: None,
            answer: false,
        };
        let names = KnownNames::Fields(std::slice::from_ref(&field));
        let options = Options::message(Dialect::Angle);
        let parsed = parse_in::<Jinja>(text, options, &XmlTags::default(), names);
        let help = parsed.errors[0].help().unwrap_or_default();
        help.split('`').nth(1).unwrap_or_default().to_owned()
    };
    let option = || Kind::Option(Box::new(Kind::Text));
    assert_eq!(help(option(), "<q default=\"none\">"), "<q ?? 'none'>");
    assert_eq!(help(Kind::Text, "<q default=\"none\">"), "<q>");
    let list = Kind::List(Box::new(Kind::Text));
    assert_eq!(help(list, "<q join=\"; \">"), "<q | join('; ')>");
    assert_eq!(help(Kind::Text, "<q join=\"; \">"), "<q>");
    let truncated = help(Kind::Text, "<q truncate=\"200\">");
    assert_eq!(truncated, "<q | truncate(200)>");
}

/// OpenAI's other name of the system role.
#[test]
fn the_role_developer() {
    let of = |written: &str| format!("`{written}` does not begin a message");
    for (text, written) in [
        ("\n<Developer>Be kind. <q></Developer>", "<Developer>"),
        ("developer:\nBe kind.\nuser:\n<q>", "developer:"),
        ("developer: Be kind.\nuser: <q>", "developer:"),
        ("\n**Developer:**\nS\n**User:**\n<q>", "**Developer:**"),
        (
            "<message role=\"developer\">S</message> <q>",
            "<message role=\"developer\">",
        ),
    ] {
        check(&Dialect::ALL, text, &[&of(written)]);
    }
    let json = "[{\"role\": \"developer\", \"content\": \"<q>\"}]";
    let message = of("\"role\": \"developer\"");
    check(&[Dialect::Angle, Dialect::Brace], json, &[&message]);
    let beside = "<developer>S</developer>\n<user><q></user>";
    check(&[Dialect::Jinja], beside, &[&of("<developer>")]);
    let unknown = ["unknown role `developer`"];
    check(&PLAIN, "<developer>S</developer><user><q></user>", &unknown);
    for text in [
        "Developer: Ann\nProject: x\n<q>",
        "Ask <developer>Ann</developer>: <q>",
        "# Developer guide\n<q>\n# User guide",
        "<developers>Ann</developers> <q>",
        "<developer id=\"1\">Ann</developer> <q>",
        "<developer>Ann</developer>\n<q>",
        "<developer><name>Ann</name></developer>\nSummarize: <q>",
        "Roles in the ticket\nDeveloper:\n- writes code\nTester:\n- tests <q>",
        "You are <q>.\nDeveloper:\n  writes code",
        "Personas: <q>\n**Developer:** prefers speed\n**User:** prefers ease",
        "Developer:\nAnn\nUser: Bob\n<q>",
        "# Developer\nAnn\n# User\nBob <q>",
        "Developer: Ann\nUser: Bob\nProject: <q>",
        "role: Developer\nname: Ann\ncontent: <q>",
        "# Job\nrole: developer\ncontent: <q>",
    ] {
        check(&Dialect::ALL, text, &[]);
    }
    check(&PLAIN, "<user><developer>Ann</developer> <q></user>", &[]);
}

/// Roles in the notations of POML and of XML.
#[test]
fn roles_with_attributes_and_suffixes() {
    let of = |written: &str| format!("`{written}` does not begin a message");
    for (text, written) in [
        (
            "<system-msg>S</system-msg>\n<human-msg><q></human-msg>",
            "<system-msg>",
        ),
        (
            "<system_prompt>S</system_prompt><user_prompt><q></user_prompt>",
            "<system_prompt>",
        ),
        (
            "<human-msg>a</human-msg><ai-msg><q></ai-msg>",
            "<human-msg>",
        ),
    ] {
        check(&Dialect::ALL, text, &[&of(written)]);
    }
    for text in [
        "<system_prompt>S</system_prompt>\nGrade it: <q>",
        "Grade <system-msg>S</system-msg><human-msg><q></human-msg>",
        "<system-msg>S</system-msg><user_prompt><q></user_prompt>",
        "<user-agent>S</user-agent><system-agent><q></system-agent>",
        "<user_message><q></user_message>\n<assistant_message>ok</assistant_message>\nRate the answer.",
        "<system_instructions>Obey.</system_instructions> Then answer <q> in <assistant_instructions>.",
        "<system_prompt>Fill in <user_prompt>x</user_prompt>: <q></system_prompt>",
        "<user_role>admin</user_role>\n<system_role><q></system_role>",
    ] {
        check(&PLAIN, text, &[]);
    }
    let text = "<system>S</system>\n<user name=\"Ann\">\n<q>\n</user>";
    let options = Options::document(Dialect::Angle);
    let messages = errors(text, options);
    assert_eq!(messages[0], of("<user name=\"Ann\">"), "{messages:?}");
    for text in [
        "<user>Ann: <user id=\"3\">Bob</user> <q></user>",
        "\\<user id=\"3\">Bob</user> <q>",
    ] {
        let messages = errors(text, options);
        assert!(!messages.contains(&of("<user id=\"3\">")), "{messages:?}");
    }
    assert!(errors("\\<user id=\"3\">Bob\\</user> <q>", options).is_empty());
    let comment = "a comment of HTML is text, and it is outside of the roles";
    check(&PLAIN, "<!-- v3 -->\n<user><q></user>", &[comment]);
}

/// The whole text with its roles was given as one message.
#[test]
fn roles_in_the_text_of_one_message() {
    let errors = |text: &str, dialect: Dialect| {
        let text = text.replace("<q>", &dialect.slot("q"));
        errors(&text, Options::message(dialect))
    };
    let message = "the role `system` is used in the text of one message";
    for dialect in PLAIN {
        for text in [
            "<system>Be brief.</system>\n<user><q></user>",
            "\n<system>Be brief. <q></system>",
        ] {
            assert_eq!(errors(text, dialect), [message], "{text}");
        }
        for text in [
            "\\<system>Be brief.\\</system><q>",
            "Grade <system>Be brief.</system> <q>",
            "<system><os>Linux</os></system>\n<q>",
            "<user>Ann</user> asks <q>",
            "<systems>a</systems> <q>",
        ] {
            assert_eq!(errors(text, dialect), [""; 0], "{text}");
        }
    }
}

/// A comment of Liquid and blocks are errors; JSON in doubled braces is text, as code in other languages has it.
#[test]
fn leftovers_of_other_languages() {
    for (dialect, title) in [(Dialect::Angle, "angle"), (Dialect::Brace, "brace")] {
        for written in ["{% comment %}", "{%- comment -%}"] {
            let message = format!("`{written}` is not a comment of the {title} dialect");
            check(
                &[dialect],
                &format!("{written}a{{% endcomment %}} <q>"),
                &[&message],
            );
        }
    }
    for text in [
        "<q> {{\"answer\": \"…\", \"page\": 1}}",
        "<q>\n{{\n  \"answer\" : {{}}\n}}",
        "prompt = f\"\"\"Answer as {{\"answer\": 1}} <q>\"\"\"",
        "({{\"a\": 1}}) [{{\"a\": 1}}] <Foo data= {{ \"a\": 1 }} /> <q>",
        "<div style={{\"color\": \"red\"}}> <q>",
        "x := []map[string]int{{\"a\": 1}} <q>",
        "{{{\"a\": 1}}} {{\"a\"}} {{\"a\", \"b\"}} {{ \"a\" | t }} <q>",
        "<raw>{{\"a\": 1}}</raw> <q>",
    ] {
        check(&[Dialect::Angle], text, &[]);
    }
    let slot = "`< if q >` is not a slot in the angle dialect";
    check(&[Dialect::Angle], "< if q >a: <q>< /if >", &[slot]);
    check(&[Dialect::Angle], "a < if x > b, c < q <q>", &[]);
    let slot = "`<when q>` is not a slot in the angle dialect";
    check(&[Dialect::Angle], "<q> <when q>a</when>", &[slot]);
}

/// Values of `prompt!` are names.
#[test]
fn expressions_in_the_macro() {
    let captured = |text: &str| {
        let field = FieldInfo {
            name: "q".into(),
            kind: Kind::Unknown,
            trusted: true,
            excluded_by: None,
            answer: false,
        };
        let names = KnownNames::Captured(std::slice::from_ref(&field));
        let options = Options::message(Dialect::Angle);
        let parsed = parse_in::<Jinja>(text, options, &XmlTags::default(), names);
        parsed.errors.len()
    };
    for text in [
        "<text.to_uppercase()>",
        "<chrono::now()>",
        "<now()>",
        "<items[0]>",
        "<x default=\"none\">",
    ] {
        assert_eq!(captured(&format!("<q> {text}")), 1, "{text}");
        assert_eq!(captured(&format!("<q> \\{text}")), 0, "{text}");
    }
    for text in [
        "<x:y></x:y>",
        "<a href=\"f(x)\">",
        "Vec<[u8]>",
        "a <b && c(d) > e",
        "<x id=\"1\">",
        "Promise<string[]> Array<number[]> Task<Foo.Bar[]>",
        "std::function<void()> Option<fn()> foo<x()>()",
        "Usage: cp <file(s)> <dir(s)>",
        "<path[:line]> <key[=value]> <score(1-5)> <n[k]>",
        "<T[]>x <f(x)>",
    ] {
        assert_eq!(captured(&format!("<q> {text}")), 0, "{text}");
    }
}

/// The filter `json` writes the quotes of a string.
#[test]
fn json_between_quotes() {
    let of = |slot: &str| format!("the filter writes quotes, and `{slot}` is between quotes");
    let angle = of("<q | json>");
    check(&[Dialect::Angle], "{\"a\": \"<q | json>\"}", &[&angle]);
    let jinja = of("{{ q | tojson }}");
    check(
        &[Dialect::Jinja],
        "{\"a\": \"{{ q | tojson }}\"}",
        &[&jinja],
    );
    for text in [
        "{\"a\": <q | json>}",
        "\"\"\"<q | json>\"\"\"",
        "\"<q | upper>\"",
        "\"a <q | json>\"",
    ] {
        check(&[Dialect::Angle], text, &[]);
    }
    let option = || Kind::Option(Box::new(Kind::Text));
    for (dialect, text) in [
        (Dialect::Angle, "{\"a\": \"<q | json>\"}"),
        (Dialect::Jinja, "{\"a\": \"{{ q | tojson }}\"}"),
    ] {
        let options = Options::message(dialect);
        assert_eq!(errors_with(option(), text, options).len(), 1, "{text}");
        for kind in [Kind::Int, Kind::Float, Kind::Bool, Kind::Unknown] {
            assert!(errors_with(kind, text, options).is_empty(), "{text}");
        }
    }
}

/// The help is the code to type.
#[test]
fn helps() {
    for (dialect, text, expected) in [
        (
            Dialect::Angle,
            "<q> <q.to_uppercase()>",
            "write `<q | upper>`",
        ),
        (
            Dialect::Angle,
            "<q> {{ q | upcase }}",
            "write `<q | upper>`",
        ),
        (Dialect::Angle, "<q> <if q is 'a'>a</if>", "write `== 'a'`"),
        (
            Dialect::Angle,
            "<q> <if q.contains('a')>a</if>",
            "compute it in Rust",
        ),
        (
            Dialect::Angle,
            "<q> <if q>a</else>b</if>",
            "remove it, or write `<else>`",
        ),
        (
            Dialect::Angle,
            "<s> <s?.home?.city ?? 'unknown'>",
            "write `<if s><s.home.city><else>…</if>`",
        ),
        (
            Dialect::Angle,
            "<s> {{ s?.city }}",
            "write `<if s><s.city></if>`",
        ),
        (Dialect::Brace, "{q} {len(q)}", "write `{q}`, and compute"),
        (
            Dialect::Angle,
            "<s> {% unless s %}",
            "write `<if not s>…</if>`",
        ),
        (
            Dialect::Angle,
            "<s> {% if s.is_short %}",
            "write `<if s>…</if>`",
        ),
        (
            Dialect::Angle,
            "<s> {{ this.s | upper }}",
            "write `<s | upper>`",
        ),
        (Dialect::Brace, "{s} {abs(s)}", "write `{s}`, and compute"),
        (
            Dialect::Fstring,
            "{q} {% if q %}a{% endif %}",
            "add `syntax = \"jinja\"`",
        ),
        (
            Dialect::Fstring,
            "{% set a = {'x': 1} %} {q}",
            "add `syntax = \"jinja\"` if all slots are written so; or write `{{% set a = {{'x': 1}} %}}`",
        ),
        (
            Dialect::Jinja,
            "{{ q }} {{#items~}}",
            "write `{% if items %}`",
        ),
        (
            Dialect::Jinja,
            "{{ q }} {{#user~}}",
            "write `{% user %}…{% enduser %}`",
        ),
        (
            Dialect::Jinja,
            "{{ q }} {% cache \"user\" %}",
            "write `{{ … }}` for a value",
        ),
        (
            Dialect::Jinja,
            "{{ q }} {% for x in a.b limit:3 %}",
            "write `a.b[:3]`",
        ),
        (
            Dialect::Jinja,
            "{{ q }} {% for x in a | sort offset:3 %}",
            "write `(a | sort)[3:]`",
        ),
        (
            Dialect::Jinja,
            "{{ q }} {% for x in a limit:3 %}",
            "write `a[:3]`",
        ),
        (
            Dialect::Jinja,
            "{{ q }}{% if q %}a{% endif % }",
            "write `{% endif %}`",
        ),
    ] {
        let fields = ["q", "s"].map(|name| FieldInfo {
            name: name.into(),
            kind: Kind::Text,
            trusted: false,
            excluded_by: None,
            answer: false,
        });
        let names = KnownNames::Fields(&fields);
        let options = Options::message(dialect);
        let parsed = parse_in::<Jinja>(text, options, &XmlTags::default(), names);
        let help = parsed.errors.first().and_then(|error| error.help());
        let help = help.unwrap_or_default();
        assert!(help.starts_with(expected), "{text}: {help}");
    }
}

#[test]
fn slots_behind_a_word() {
    let glued = |text: &str| vec![format!("`{text}` may contain a slot or be text")];
    let check = |text: &str, expected: Vec<String>| {
        assert_eq!(
            errors(text, Options::message(Dialect::Angle)),
            expected,
            "{text}"
        );
    };
    check("(?P<q>\\d{4}) <input:q>", glued("?P<q>"));
    check("(?<q>\\d{4}) <input:q>", glued("?<q>"));
    check("Promise<q> <input:q>", glued("Promise<q>"));
    check("foo::<q>() <input:q>", glued("foo::<q>"));
    check("v<q>", glued("v<q>"));
    for text in [
        "Promise\\<q> <q>",
        "v<input:q>",
        "Promise<result> <q>",
        "(?P<year>\\d{4}) <q>",
        "(?<year>\\d{4}) <q>",
        "问题<q>",
        "#<q>, (<q>), \"<q>\", -<q>",
    ] {
        check(text, Vec::new());
    }
}

#[test]
fn other_mistakes() {
    let check = |text: &str, expected: &[&str]| {
        assert_eq!(
            errors(text, Options::message(Dialect::Angle)),
            expected,
            "{text}"
        );
    };
    // An escaped tag and a verbatim block are text, with their white space.
    for text in [
        "\\<input:\u{2000}x>",
        "\\<if\u{a0}x>",
        "<raw><if\u{a0}x></raw>",
    ] {
        let parsed = parse_in::<Jinja>(
            text,
            Options::message(Dialect::Angle),
            &XmlTags::default(),
            KnownNames::Unknown,
        );
        assert!(parsed.errors.is_empty(), "{text}: {:?}", parsed.errors);
        let [Node::Text(found)] = &parsed.template.nodes[..] else {
            panic!("{text}: {:?}", parsed.template.nodes);
        };
        let expected = text
            .replace("<raw>", "")
            .replace("</raw>", "")
            .replace('\\', "");
        assert_eq!(found.text, expected);
    }
    let space = ["the space in this tag is U+00A0, which only looks like an ordinary space"];
    check("<if\u{a0}q>Q: <q></if>", &space);
    check("<if q\u{a0}and q><q></if>", &space);
    check("<q\u{a0}| upper>", &space);
    check("10\u{a0}km, <a\u{a0}b> <q>", &[]);
    check("<if q><else><q\u{a0}|</if>", &[]);
    check(
        "<include 'a.prompt'><q>",
        &["`<include 'a.prompt'>` is not an include of the angle dialect"],
    );
    check("\\<include \"a\"/> <include a=\"b\"> #include <q>", &[]);
    check("<include \"a\">x</include> <q>", &[]);
    check("<for i in 0..9><q></for>", &["a loop has no ranges"]);
    for list in [
        "0 .. n",
        "0..=9",
        "(1..=n).rev()",
        "a..b",
        "a.x..=b.y",
        "..n",
        "1..",
        "1...n",
        "1..<n",
        "0..n+1",
        "0..xs.len()",
        "(0..n).step_by(2)",
        "[1..5]",
        "1 to n",
        "0 until n",
        "range(n)",
        "range(1, n)",
    ] {
        check(
            &format!("<for i in {list}><q></for>"),
            &["a loop has no ranges"],
        );
    }
    check("<for i = 1..n><q></for>", &["a loop has no ranges"]);
    check("<for i of 1..=n><q></for>", &["a loop has no ranges"]);
    let constants = ["a loop needs a list, and a template has no constant lists"];
    check("<for i in [1, 2]><q></for>", &constants);
    let path = ["a condition has no paths of Rust"];
    check("<if q == Plan::Pro><q></if>", &path);
    check("<if Plan::Pro == q><q></if>", &path);
    check("<if q is Plan::Pro><q></if>", &path);
    check("<if let Plan::Pro = q><q></if>", &path);
    check(
        "<if matches!(q, Plan::Pro)><q></if>",
        &["a template calls no macros of Rust"],
    );
    check(
        "<if q > u32::MAX><q></if>",
        &["expected the end, found `::`"],
    );
    check("<for x in q[1..3]><q></for>", &["`[` has no meaning here"]);
    check("Pages 1..3, <q>, for i in 1..=n, `for i in 0..n {}`", &[]);
    check("<for i in q | split(\"..\")><q></for>", &[]);
}

/// The text of a template of one text.
fn text_of(text: &str, dialect: Dialect) -> String {
    let parsed = parse_in::<Jinja>(
        text,
        Options::message(dialect),
        &XmlTags::default(),
        KnownNames::Fields(&[]),
    );
    assert!(parsed.errors.is_empty(), "{text:?}: {:?}", parsed.errors);
    let texts = parsed.template.nodes.iter().map(|node| match node {
        Node::Text(text) => text.text.as_str(),
        _ => "*",
    });
    texts.collect()
}

#[test]
fn comments() {
    for dialect in [Dialect::Angle, Dialect::Brace] {
        let slot = dialect.slot("q");
        for (text, expected) in [
            ("<!--# Be brief. -->", ""),
            ("a <!--# b -->c", "a c"),
            ("a\n  <!--# b\n c <q> -->  \nd", "a\nd"),
            ("<!--# b -->\n<q>", "*"),
            ("<q><!--# b --><q>", "**"),
            ("<q>\n<!--# b -->", "*\n"),
            ("a <!--# {{ \"x -->\n", "a \n"),
            ("\\<!--# b -->", "<!--# b -->"),
            ("<!-- b --> <q>", "<!-- b --> *"),
        ] {
            assert_eq!(
                text_of(&text.replace("<q>", &slot), dialect),
                expected,
                "{text:?} in {}",
                dialect.name()
            );
        }
        assert_eq!(
            errors("a <!--# b", Options::message(dialect)),
            ["this comment is never closed"]
        );
    }
    assert_eq!(text_of("<!--# b -->", Dialect::Fstring), "<!--# b -->");
}

#[test]
fn statements_of_other_languages() {
    let check = |text: &str, expected: &[&str]| {
        assert_eq!(
            errors(text, Options::message(Dialect::Angle)),
            expected,
            "{text}"
        );
    };
    for text in [
        "<set x = 3>",
        "<set x = \"3\">",
        "<let n := \"a\">",
        "<assign x = q * 2/>",
        "<define x := 'a'>",
    ] {
        let message = format!("`{text}` is not an assignment of the angle dialect");
        check(&format!("Hi {text} <q>"), &[&message]);
    }
    for text in [
        "<import 'a/b.txt'>",
        "<extends \"base.prompt\"/>",
        "<include a/b.txt>",
        "<include http://x/y.txt>",
    ] {
        let message = format!("`{text}` is not an include of the angle dialect");
        check(&format!("{text} <q>"), &[&message]);
    }
    for (text, what) in [
        ("{% include 'a.txt' %}", "an include"),
        ("{%- extends \"base.j2\" -%}", "an include"),
        ("{% set x = 3 %}", "an assignment"),
    ] {
        let message = |title: &str| format!("`{text}` is not {what} of the {title} dialect");
        check(&format!("{text} <q>"), &[&message("angle")]);
        check(&format!("\\{text} <q>"), &[]);
        let options = Options::message(Dialect::Brace);
        assert_eq!(
            errors(&format!("{text} {{q}}"), options),
            [message("brace")]
        );
    }
    let message = "`<case \"a\">` is not a tag of the angle dialect";
    check("<q><case \"a\">A", &[message]);
    for text in [
        "<set x = 3>a</set> <q>",
        "\\<set x = 3> <q>",
        "\\<set x = 3>a</set> <q>",
        "<li value = \"3\"><option value = \"x\"><p class = \"x\"> <q>",
        "Begin each step with <step name = \"a\">: <q>",
        "<search \"query\"> <say \"Hello.\"> <URLPattern 'admin/'> <q>",
        "diff <a 'b/c' >out <q>",
        "<img width=3><a href=\"x\"> <br /> <q>",
        "<a b = \"c\"/> <class 'str'> <td colspan=3> <q>",
        "template <class T = int> fn<const N: usize = 3>() <q>",
        "if a <b and c = 3 <q>",
        "<your name here> <x == 3> <q>",
    ] {
        check(text, &[]);
    }
    for text in ["<set x = 3>a</set>", "<img width = 3>"] {
        let escaped = format!("\\{text}");
        assert_eq!(text_of(&escaped, Dialect::Angle), text);
    }
}

#[test]
fn slots_of_other_forms() {
    let check = |text: &str, expected: &[&str]| {
        assert_eq!(
            errors(text, Options::message(Dialect::Angle)),
            expected,
            "{text}"
        );
    };
    let of = |written: &str| format!("`{written}` is not a slot in the angle dialect");
    for (text, written) in [
        ("<q> <q * 2>", "<q * 2>"),
        ("<q> <q, q>", "<q, q>"),
        ("<q> <q q>", "<q q>"),
        ("<q>\n- <q", "<q"),
        ("Dear <q, thanks for <q>", "<q"),
    ] {
        check(text, &[&of(written)]);
    }
    for (text, written) in [
        ("<loop a in q>x</loop> <q>", "<loop a in q>"),
        ("<each q as a>x</each> <q>", "<each q as a>"),
    ] {
        let options = Options::message(Dialect::Angle);
        for kind in [Kind::Unknown, Kind::List(Box::new(Kind::Text))] {
            assert_eq!(errors_with(kind, text, options), [of(written)], "{text}");
        }
        check(text, &[]);
    }
    for text in [
        "<q\n  id=\"3\"> <input:q> </q>",
        "for i <n, j <q>",
        "<item q>x</item> <q>",
        "<summary part of q>x</summary> <q>",
        "<q name> <name q> <q>",
        "a<q\n <input:q>",
        "<q> x <q",
    ] {
        check(text, &[]);
    }
    check(
        "<if q>a<else:>b</if>",
        &["nothing else is allowed in `<else>`"],
    );
}

/// Blocks of Razor, Blade, Velocity and Handlebars, and Salesforce's merge fields.
#[test]
fn blocks_with_signs() {
    let of = |written: &str, title| format!("`{written}` is not a slot in the {title} dialect");
    for (text, written) in [
        ("<q> @if(q) a @endif", "@if(q)"),
        ("<q> @if ($q) { a }", "@if ($q)"),
        ("<q> @foreach(x in q) { a }", "@foreach(x in q)"),
        ("<q> @if(count($q) > 0)a@endif", "@if(count($q) > 0)"),
        ("<q> #if($q)a#end", "#if($q)"),
        ("<q>\n#foreach($x in $q)a#end", "#foreach($x in $q)"),
        ("<q> {{> q}}", "{{> q}}"),
        ("<q> {!q}", "{!q}"),
        ("<q> {!q!}", "{!q!}"),
    ] {
        let message = of(written, "angle");
        check(&[Dialect::Angle], text, &[&message]);
    }
    for (dialect, title) in [
        (Dialect::Brace, "brace"),
        (Dialect::Fstring, "f-string"),
        (Dialect::Jinja, "Jinja"),
    ] {
        let message = of("@if(q)", title);
        check(&[dialect], "<q> @if(q) a @endif", &[&message]);
    }
    for text in [
        "\\@if(q) <q>",
        "\\#if(q) <q>",
        "\\{!q} <q>",
        "@if(x) a @endif <q>",
        "@if a @q $q <q>",
        "me@if(q) @@if(q) <q>",
        "@Model.q #include <q>",
        "@dataclass\nclass A: <q>",
        "#if defined(Q)\n#endif <q>",
        "{{> 1}} {{ 2 > 1 }} <q>",
    ] {
        check(&[Dialect::Angle], text, &[]);
    }
    let include = "`{{> header}}` is not an include of the angle dialect";
    check(&[Dialect::Angle], "<q> {{> header}}", &[include]);
    check(&[Dialect::Angle], "<q> \\{{> header}}", &[]);
    check(
        &[Dialect::Jinja],
        "<q> {{> header}}",
        &["`{{> header}}` is of Handlebars"],
    );
    for written in ["{{#if q}}", "{{> header}}", "{{^q}}", "{{~#each q}}"] {
        let message = format!("`{written}` is a block of Handlebars");
        check(&[Dialect::Brace], &format!("<q> {written}a"), &[&message]);
    }
    let sections = [of("{{^q}}", "angle")];
    check(&[Dialect::Angle], "<q> {{^q}}a{{/q}}", &[&sections[0]]);
}

#[test]
fn messages_as_data() {
    let of = |written: &str| format!("`{written}` does not begin a message");
    for (text, written) in [
        (
            "messages:\n  - role: system\n    content: Be kind.\n  - role: user\n    content: <q>",
            "role: system",
        ),
        (
            "- role: \"system\"\n  content: x\n- role: user\n  content: <q>",
            "role: \"system\"",
        ),
        (
            "model: m\nmessages:\n  - content: a\n    role: user\n    x: <q>",
            "role: user",
        ),
        (
            "[{\"role\": \"system\", \"content\": \"x\"}, {\"role\": \"user\", \"content\": \"<q>\"}]",
            "\"role\": \"system\"",
        ),
        (
            "roles: two\n- role_id: 1\n  role: user\n  content: <q>",
            "role: user",
        ),
        (
            "[\n  {\n    \"role_id\": 1,\n    \"role\": \"user\",\n    \"content\": \"<q>\"\n  }\n]",
            "\"role\": \"user\"",
        ),
        (
            "{\n  \"messages\": [\n    { \"role\": \"user\", \"content\": \"<q>\" }\n  ]\n}",
            "\"role\": \"user\"",
        ),
        ("- role: system\n  content: |\n    <q>", "role: system"),
        ("role: system\ncontent: <q>", "role: system"),
        (
            "{\"role\": \"system\", \"content\": \"<q>\"}",
            "\"role\": \"system\"",
        ),
        (
            "# A prompt.\n- role: system\n  content: <q>",
            "role: system",
        ),
    ] {
        check(&[Dialect::Angle, Dialect::Brace], text, &[&of(written)]);
    }
    for text in [
        "Continue:\n- role: user\n  content: <q>",
        "# Dialogue\n- role: user\n  content: <q>",
        "role: system\nname: <q>",
        "role: your role is <q>",
        "title: a\nrole: user of the shop\nq: <q>",
        "role: assistant\ntone: formal\nQuestion: <q>",
        "role: assistant\ntone: semi-formal\ncontent: <q>",
        "---\nname: Ada\nrole: user\ncontent: <q>",
        "name: Ada\nrole: user\nSummarize <q>",
        "- name: Ada\n  role: user\nSummarize <q>",
        "<user>- role: user\n  content: <q></user>",
    ] {
        check(&PLAIN, text, &[]);
    }
    let person = "{\"name\": \"Ada\", \"role\": \"user\"}\nSummarize <q>";
    check(&[Dialect::Angle, Dialect::Brace], person, &[]);
}

/// In the brace dialect, code and LaTeX are text, and a block of another language is an error.
#[test]
fn blocks_in_braces() {
    let check = |text: &str, expected: &[&str]| {
        let errors = errors(text, Options::message(Dialect::Brace));
        assert_eq!(errors, expected, "{text}");
    };
    // A message has no roles.
    let section = "`{{#system}}` is a block of Handlebars";
    check("{{#system}}S{{/system}} {q}", &[section]);
    let message = "`{if q}` is not a slot in the brace dialect";
    check("{q} {if q} yes", &[message]);
    for text in [
        "{q} () => {if (q) {return 1}}",
        "{q} {match q {A => 1}}",
        "{q} \\text{if q is even}",
        "{q} \\text{for all q}",
        "{q} $x_{if q}$",
    ] {
        check(text, &[]);
    }
}

/// `\n` as two characters beside the tag of a block, in a text without escapes.
#[test]
fn line_breaks_beside_blocks() {
    let options = prompt_syntax::Options::message(Dialect::Angle);
    for (text, at) in [
        ("Items:\n<for p in xs>- <p>\\n</for>", Some(25)),
        ("<for p in xs>- <p>\\n</for>", Some(18)),
        ("A\n<if on>\\nYes</if>", Some(9)),
        ("A\n<if on>Yes<else>\\n</if>", Some(18)),
        ("A\n<if on>Yes</if>\\nB", Some(17)),
        ("A\n<if on>Yes</if>\\n\\nB", Some(17)),
        ("A\nB\\n<if on>Yes</if>", Some(3)),
        // Code, TeX, quotes, and what is kept.
        ("A\nprintf(\"<if on>a</if>\\n\")", None),
        ("A\nprintf(\"%d\\n\", <x>)", None),
        ("A\n<if on>Yes</if>\\newline", None),
        ("A\n<if on>Yes</if><raw>\\n</raw>", None),
        ("A\n<x>\\nB", None),
    ] {
        let parsed = prompt_syntax::parse(text, options);
        assert!(parsed.errors.is_empty(), "{text}: {:?}", parsed.errors);
        let nodes = &parsed.template.nodes;
        let error = prompt_syntax::typed_line_break(Dialect::Angle, nodes, text);
        assert_eq!(error.map(|error| error.span.start), at, "{text}");
    }
}
