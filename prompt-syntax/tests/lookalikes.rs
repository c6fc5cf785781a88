//! Text that is a slot in another template language: which text is an error, its escapes, and text that is not an error.

use prompt_jinja_syntax::{Jinja, Node, ParsedTemplate};
use prompt_syntax::analysis::FieldInfo;
use prompt_syntax::{Dialect, Kind, KnownNames, Options, XmlTags, parse_in};

fn fields() -> Vec<FieldInfo> {
    let field = |name: &str, excluded_by| FieldInfo {
        name: name.to_owned(),
        kind: Kind::Unknown,
        trusted: false,
        excluded_by,
        answer: false,
    };
    let mut fields = vec![field("turns", Some("history"))];
    for name in ["question", "items", "price", "name", "user"] {
        fields.push(field(name, None));
    }
    fields
}

fn read(dialect: Dialect, text: &str) -> ParsedTemplate {
    let options = Options::message(dialect);
    parse_in::<Jinja>(
        text,
        options,
        &XmlTags::default(),
        KnownNames::Fields(&fields()),
    )
}

/// The reported texts, each with the first suggested replacement.
fn found(parsed: &ParsedTemplate, text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for error in &parsed.errors {
        let help = error.help().unwrap_or_default();
        let right = help.split('`').nth(1).unwrap_or_default();
        found.push((error.span.of(text).to_owned(), right.to_owned()));
    }
    found
}

/// The literal text of a template.
fn literal(parsed: &ParsedTemplate) -> String {
    let mut out = String::new();
    for node in &parsed.template.nodes {
        if let Node::Text(text) = node {
            out.push_str(&text.text);
        }
    }
    out
}

/// Each form is an error in this dialect, alone and beside a proper slot, and text with its escape.
fn check(dialect: Dialect, forms: &[(&str, &str)]) {
    for (form, right) in forms {
        let slots: String = ["question", "items", "price", "name"]
            .map(|name| dialect.slot(name))
            .concat();
        for (before, after) in [
            ("", ""),
            ("Say: ", "."),
            ("(", ")\n"),
            (slots.as_str(), " ok"),
        ] {
            let text = format!("{before}{form}{after}");
            let parsed = read(dialect, &text);
            let expected = [((*form).to_owned(), (*right).to_owned())];
            assert_eq!(
                found(&parsed, &text),
                expected,
                "{text} in {}",
                dialect.name()
            );
        }
        let escaped = match dialect {
            Dialect::Jinja => format!("a {{% raw %}}{form}{{% endraw %}} b"),
            _ => format!("a \\{form} b"),
        };
        let parsed = read(dialect, &escaped);
        assert_eq!(
            found(&parsed, &escaped),
            [],
            "{escaped} in {}",
            dialect.name()
        );
        assert_eq!(
            literal(&parsed),
            format!("a {form} b"),
            "{}",
            dialect.name()
        );
        // Of a name that is not in scope it is text, with its backslash.
        let other = escaped
            .replace("question", "other")
            .replace("QUESTION", "OTHER")
            .replace("Question", "Other")
            .replace("items", "other")
            .replace("Items", "Other");
        let other = other
            .replace("price", "other")
            .replace("name", "other")
            .replace("user", "other");
        let parsed = read(dialect, &other);
        assert_eq!(found(&parsed, &other), [], "{other} in {}", dialect.name());
        if dialect != Dialect::Jinja {
            assert_eq!(literal(&parsed), other);
            let raw = format!("a <raw>{form}</raw> b");
            let parsed = read(dialect, &raw);
            if dialect != Dialect::Fstring {
                assert_eq!(found(&parsed, &raw), [], "{raw} in {}", dialect.name());
                assert_eq!(literal(&parsed), format!("a {form} b"));
            }
        }
    }
}

#[test]
fn angle() {
    check(
        Dialect::Angle,
        &[
            ("{question}", "<question>"),
            ("{QUESTION}", "<question>"),
            ("{{QUESTION}}", "<question>"),
            ("{{ QUESTION }}", "<question>"),
            ("[[QUESTION]]", "<question>"),
            ("<Input:question>", "<question>"),
            ("{ question }", "<question>"),
            ("{{question}}", "<question>"),
            ("{{ question }}", "<question>"),
            ("{{- question -}}", "<question>"),
            ("{{{question}}}", "<question>"),
            ("{{ question | upper }}", "<question | upper>"),
            ("{{ .question }}", "<question>"),
            ("{{upper question}}", "<question | upper>"),
            ("<upper question>", "<question | upper>"),
            ("<include question>", "<question>"),
            (
                "{{#if (and question (eq name \"a\"))}}",
                "<if question and (name == 'a')>…</if>",
            ),
            ("{{#if (or question name)}}", "<if question or name>…</if>"),
            ("{{#if (gt price 2)}}", "<if price > 2>…</if>"),
            ("{{#with user}}", "user"),
            ("${question}", "<question>"),
            ("#{question}", "<question>"),
            ("@{question}", "<question>"),
            ("%{question}", "<question>"),
            ("{$question}", "<question>"),
            ("{name!r}", "<name>"),
            ("{name!s:>10}", "<name>"),
            ("{price:.2f}", "<price>"),
            ("{price:>10,.2f}", "<price>"),
            ("{name:?}", "<name>"),
            ("{name=}", "<name>"),
            ("{user.name}", "<user.name>"),
            ("{items[0]}", "<items>"),
            ("{question.len()}", "<question>"),
            ("{question | trim}", "<question | trim>"),
            ("{input:question}", "<question>"),
            ("<question >", "<question>"),
            ("< question >", "<question>"),
            ("<question/>", "<question>"),
            ("<question />", "<question>"),
            ("<question.len()>", "<question>"),
            ("<items[0]>", "<items>"),
            ("<<question>>", "<question>"),
            ("<%= question %>", "<question>"),
            ("<%- question -%>", "<question>"),
            ("<% if question %>", "<if question>…</if>"),
            ("<?= $question ?>", "<question>"),
            ("%question%", "<question>"),
            ("%(question)s", "<question>"),
            ("[[question]]", "<question>"),
            ("[[ question ]]", "<question>"),
            ("{% if question %}", "<if question>…</if>"),
            (
                "{%- if not question and x -%}",
                "<if not question and x>…</if>",
            ),
            ("{% for item in items %}", "<for item in items>…</for>"),
            ("{{#if question}}", "<if question>…</if>"),
            ("{{#each items}}", "<for item in items>…</for>"),
            ("{{#items}}", "<if items>…</if>"),
            ("{#each items as item}", "<for item in items>…</for>"),
            ("＜question＞", "<question>"),
            ("｛question｝", "<question>"),
            ("｛｛question｝｝", "<question>"),
            ("<#if question>", "<if question>…</if>"),
            ("<#list items as item>", "<items>"),
            ("<#= question #>", "<question>"),
            ("[% question %]", "<question>"),
            ("[% IF question %]", "<question>"),
            ("%%question%%", "<question>"),
            ("%(price).2f", "<price>"),
            ("{!! $question !!}", "<question>"),
            ("{len(items)}", "<items>"),
            ("{imput(question)}", "<question>"),
            ("&lt;question&gt;", "<question>"),
            ("&lt;input:question&gt;", "<question>"),
            ("<slot:question/>", "<question>"),
            ("{{\n  question\n}}", "<question>"),
            ("{{.Question}}", "<question>"),
            ("{{ self.question }}", "<question>"),
            ("{{inputs.question}}", "<question>"),
            ("{{ len(items) }}", "<items>"),
            ("{{if .Question}}", "<if question>…</if>"),
            ("{{range .Items}}", "<for item in items>…</for>"),
            ("{question, number}", "<question>"),
            ("{question, date, short}", "<question>"),
            ("{price or \"none\"}", "<price>"),
            ("{name if name else 'none'}", "<name>"),
            ("${question:-none}", "<question>"),
            ("${question%.*}", "<question>"),
            ("${#question}", "<question>"),
            ("${question^^}", "<question>"),
            ("@question@", "<question>"),
            ("@@question@@", "<question>"),
            ("##question##", "<question>"),
            ("{{ctx.question}}", "<question>"),
            ("{{ data.question }}", "<question>"),
            ("<var:question>", "<question>"),
            ("<placeholder:question/>", "<question>"),
            ("<in:question>", "<question>"),
            ("<value:question>", "<question>"),
            ("< input:question>", "<question>"),
            ("<input[question]>", "<question>"),
            ("<input['question']/>", "<question>"),
            ("<inputs(\"question\")>", "<question>"),
            ("<input.question/>", "<question>"),
            ("<unless question>", "<if not question>…</if>"),
            ("<foreach item in items>", "<for item in items>…</for>"),
            ("{price:N2}", "<price>"),
            ("{price,10:F2}", "<price>"),
            ("{price:yyyy-MM-dd}", "<price>"),
            ("{price * 1.2}", "<price>"),
            ("{price+1}", "<price>"),
            ("{price - other}", "<price>"),
            ("{\", \".join(items)}", "<items>"),
            ("{items[0].title}", "<items>"),
            ("{question.strip()!r}", "<question>"),
            ("{self.question}", "<question>"),
            ("${props.question}", "<question>"),
            ("{state[\"question\"]}", "<question>"),
        ],
    );
}

#[test]
fn brace() {
    check(
        Dialect::Brace,
        &[
            ("{ question }", "{question}"),
            ("{name!r}", "{name}"),
            ("{price:.2f}", "{price}"),
            ("{name:?}", "{name}"),
            ("{user.name}", "{user}"),
            ("{items[0]}", "{items}"),
            ("{question | trim}", "{question}"),
            ("{% if question %}", "{question}"),
            ("{#each items as item}", "{items}"),
            ("${ question }", "{question}"),
            ("<question>", "{question}"),
            ("<input:question>", "{question}"),
            ("<question/>", "{question}"),
            ("<question | upper>", "{question}"),
            ("<if question>", "{question}"),
            ("<for item in items>", "{items}"),
            ("<%= question %>", "{question}"),
            ("%question%", "{question}"),
            ("[[question]]", "{question}"),
            ("[[QUESTION]]", "{question}"),
            ("＜question＞", "{question}"),
            ("｛question｝", "{question}"),
            ("｛｛question｝｝", "{question}"),
            ("<#if question>", "{question}"),
            ("<#list items as item>", "{items}"),
            ("<#= question #>", "{question}"),
            ("[% question %]", "{question}"),
            ("[% IF question %]", "{question}"),
            ("%%question%%", "{question}"),
            ("%(price).2f", "{price}"),
            ("{!! $question !!}", "{question}"),
            ("{len(items)}", "{items}"),
            ("{imput(question)}", "{question}"),
            ("{question, number}", "{question}"),
            ("{price or \"none\"}", "{price}"),
            ("{name if name else 'none'}", "{name}"),
            ("${question:-none}", "{question}"),
            ("${question%.*}", "{question}"),
            ("${#question}", "{question}"),
            ("${question^^}", "{question}"),
            ("@question@", "{question}"),
            ("@@question@@", "{question}"),
            ("##question##", "{question}"),
            ("<for item of items>", "{items}"),
            ("{price:N2}", "{price}"),
            ("{price,10:F2}", "{price}"),
            ("{price:yyyy-MM-dd}", "{price}"),
            ("{price * 1.2}", "{price}"),
            ("{price+1}", "{price}"),
            ("{price - other}", "{price}"),
            ("{\", \".join(items)}", "{items}"),
            ("{items[0].title}", "{items}"),
            ("{question.strip()!r}", "{question}"),
            ("{self.question}", "{question}"),
            ("${props.question}", "{question}"),
            ("{state[\"question\"]}", "{question}"),
        ],
    );
}

/// Names of other languages have no underscores.
#[test]
fn camel_case() {
    let fields = [FieldInfo {
        name: "user_name".to_owned(),
        kind: Kind::Text,
        trusted: false,
        excluded_by: None,
        answer: false,
    }];
    for (text, is_found) in [
        ("{userName}", true),
        ("{{userName}}", true),
        ("{{ userName }}", true),
        ("${userName}", true),
        ("[[userName]]", true),
        ("{USER_NAME}", true),
        ("{UserName}", false),
        ("{{UserName}}", false),
        ("{username}", false),
        ("${USER_NAME}", false),
        ("{userNames}", false),
    ] {
        let names = KnownNames::Fields(&fields);
        let parsed = parse_in::<Jinja>(text, Options::default(), &XmlTags::default(), names);
        let expected = [(text.to_owned(), "<user_name>".to_owned())];
        let expected = if is_found { &expected[..] } else { &[] };
        assert_eq!(found(&parsed, text), expected, "{text}");
    }
}

/// The texts inside are not part of what is reported.
#[test]
fn choices_of_icu() {
    for dialect in [Dialect::Angle, Dialect::Brace] {
        let text = "{question, plural, one {# reply} other {# replies}}";
        let right = dialect.slot("question");
        let expected = [("{question, plural,".to_owned(), right)];
        assert_eq!(found(&read(dialect, text), text), expected);
        let json = "{question, plural: {\"a\": 1}}";
        assert_eq!(found(&read(dialect, json), json), []);
    }
}

/// A character without width inside a name is pasted unseen.
#[test]
fn invisible_characters() {
    for (dialect, text) in [
        (Dialect::Angle, "<quest\u{200b}ion>"),
        (Dialect::Angle, "{{quest\u{200b}ion}}"),
        (Dialect::Angle, "<question\u{feff}>"),
        (Dialect::Brace, "{question\u{ad}}"),
        (Dialect::Brace, "<quest\u{200b}ion>"),
        (Dialect::Fstring, "<quest\u{200b}ion>"),
    ] {
        let right = dialect.slot("question");
        assert_eq!(
            found(&read(dialect, text), text),
            [(text.to_owned(), right)]
        );
    }
}

#[test]
fn fstring() {
    check(
        Dialect::Fstring,
        &[
            ("<question>", "{question}"),
            ("<input:question>", "{question}"),
            ("<question />", "{question}"),
            ("<%= question %>", "{question}"),
            ("%question%", "{question}"),
            ("%(question)s", "{question}"),
            ("[[question]]", "{question}"),
            ("＜question＞", "{question}"),
            ("｛question｝", "{question}"),
            ("｛｛question｝｝", "{question}"),
            ("<#if question>", "{question}"),
            ("<#list items as item>", "{items}"),
            ("<#= question #>", "{question}"),
            ("[% question %]", "{question}"),
            ("[% IF question %]", "{question}"),
            ("%%question%%", "{question}"),
            ("%(price).2f", "{price}"),
            ("@question@", "{question}"),
            ("@@question@@", "{question}"),
            ("##question##", "{question}"),
        ],
    );
}

#[test]
fn jinja() {
    check(
        Dialect::Jinja,
        &[
            ("{question}", "{{ question }}"),
            ("{QUESTION}", "{{ question }}"),
            ("{ question }", "{{ question }}"),
            ("${question}", "{{ question }}"),
            ("{name!r}", "{{ name }}"),
            ("{price:.2f}", "{{ price }}"),
            ("<question>", "{{ question }}"),
            ("<input:question>", "{{ question }}"),
            ("<if question>", "{% if question %}…{% endif %}"),
            (
                "<for item in items>",
                "{% for item in items %}…{% endfor %}",
            ),
            ("<%= question %>", "{{ question }}"),
            ("%question%", "{{ question }}"),
            ("[[question]]", "{{ question }}"),
            ("＜question＞", "{{ question }}"),
            ("｛question｝", "{{ question }}"),
            ("｛｛question｝｝", "{{ question }}"),
            ("<#if question>", "{% if question %}…{% endif %}"),
            ("<#list items as item>", "{{ items }}"),
            ("<#= question #>", "{{ question }}"),
            ("[% question %]", "{{ question }}"),
            ("[% IF question %]", "{{ question }}"),
            ("%%question%%", "{{ question }}"),
            ("%(price).2f", "{{ price }}"),
            ("{!! $question !!}", "{{ question }}"),
            ("{len(items)}", "{{ items }}"),
            ("{imput(question)}", "{{ question }}"),
            ("{question, number}", "{{ question }}"),
            ("{price or \"none\"}", "{{ price }}"),
            ("{name if name else 'none'}", "{{ name }}"),
            ("${question:-none}", "{{ question }}"),
            ("${question%.*}", "{{ question }}"),
            ("${question^^}", "{{ question }}"),
            ("@question@", "{{ question }}"),
            ("@@question@@", "{{ question }}"),
            ("##question##", "{{ question }}"),
            ("{price:N2}", "{{ price }}"),
            ("{price,10:F2}", "{{ price }}"),
            ("{price:yyyy-MM-dd}", "{{ price }}"),
            ("{price * 1.2}", "{{ price }}"),
            ("{price+1}", "{{ price }}"),
            ("{price - other}", "{{ price }}"),
            ("{\", \".join(items)}", "{{ items }}"),
            ("{items[0].title}", "{{ items }}"),
            ("{question.strip()!r}", "{{ question }}"),
            ("{self.question}", "{{ question }}"),
            ("${props.question}", "{{ question }}"),
            ("{state[\"question\"]}", "{{ question }}"),
        ],
    );
}

/// Common text in code, markup and prose is not reported, also with names that are in scope.
#[test]
fn text_that_is_not_a_misspelt_slot() {
    for text in [
        "{\"question\": \"…\", \"name\": 1}",
        "{question: string, name: string}",
        "${NAME}/${QUESTION}",
        "\\section{Question} <Question of=\"1\">",
        "{Question}",
        "{question: \"What?\"}",
        "{ question, name }",
        "{{ \"question\": 1 }}",
        "style={{name: 1}}",
        "{{ the question of the user }}",
        "<question of=\"x\">",
        "<question=1>",
        "a < question && name > b",
        "if (x < price) { y(); }",
        "a < price ? b : c->d",
        "<ns:question>",
        "100%name%20",
        "$question $name",
        "[question](url) [name]",
        "(question) ((name))",
        "array[[0, question], 1]",
        "std::name :question: :name",
        "\\frac{x}{y}",
        "__name__",
        "<document></document>",
        "f(question) { return name; }",
        "<!-- question -->",
        "a &lt; question &gt; b",
        "&lt;question of=&quot;x&quot;&gt;",
        "“question” «name» 〈name〉 《name》 ‹question›",
        "<question other> <the question>",
        "<language code> <name of the user>",
        "100%%name%% %(name) of it",
        "{{.Values.name}} {{ page.question }} {{ .Name.x }}",
        "{ f(name) }",
        "{\n  question\n}",
        "@question #question :question ?question",
        "a@name.example <name@items.example> #question# ### question ###",
        "{question or name} {if question} {name, price} {items, number of them}",
        "const { question, date } = f({name,time}); let {price, number, items} = x; {name, select}",
        "<param name=\"question\"> \\(question)",
        "{{ question of the price }}",
        "*question* **name** __name__ ~name~ |name|",
        "<in:question>a</in:question> <dc:name> <input[other]> <main:name> a < input:other> b",
        "if a < inputs[question] and b > c",
        "x_{price+1} x^{price - 1} \\frac{price + 1}{price - 2} \\{price - 1\\}",
        "{user-name} {price*items} {name - the price} {price -> name} {\"a\", \"b\".join}",
        "{page.question} {question[0] > 1} {items.map(x => x.y) + 1}",
    ] {
        let parsed = read(Dialect::Angle, text);
        assert_eq!(found(&parsed, text), [], "{text}");
        assert_eq!(literal(&parsed), text);
    }
    // Closed XML tags are not slots of another language.
    for dialect in Dialect::ALL {
        let text = "<question>\nWhat?\n</question> <question /> <question >";
        let parsed = read(dialect, text);
        assert_eq!(found(&parsed, text), [], "{}", dialect.name());
    }
}

#[test]
fn backslashes_are_halved_before_a_look_alike() {
    for (text, expected) in [
        (r"\{question}", Some("{question}")),
        (r"\\{question}", None),
        (r"\\\{question}", Some(r"\{question}")),
        (
            r"\${question} \{other} \\x",
            Some(r"${question} \{other} \\x"),
        ),
        (r"\\<b> \{name} Vec<T>\<c> \{name}", None),
        (
            r"\<b> \{name} Vec<T>\<c> \{name}",
            Some("<b> {name} Vec<T><c> {name}"),
        ),
    ] {
        let parsed = read(Dialect::Angle, text);
        match expected {
            Some(expected) => {
                assert!(parsed.errors.is_empty(), "{text}: {:?}", parsed.errors);
                assert_eq!(literal(&parsed), expected, "{text}");
            }
            None if text.contains("<b>") => {
                assert!(matches!(parsed.template.nodes[1], Node::Slot(_)));
            }
            None => assert_eq!(parsed.errors.len(), 1, "{text}"),
        }
    }
}

#[test]
fn names_of_blocks_are_in_scope() {
    for (dialect, text, expected) in [
        (
            Dialect::Angle,
            "<for x in items><x> {x}</for> {x}",
            vec!["{x}"],
        ),
        (
            Dialect::Jinja,
            "{% for x in items %}<x>{% endfor %}<x>",
            vec!["<x>"],
        ),
        (Dialect::Jinja, "{x}{% set x = 1 %}{x}", vec!["{x}"]),
        (Dialect::Angle, "{turns}", vec!["{turns}"]),
    ] {
        let parsed = read(dialect, text);
        let found: Vec<String> = found(&parsed, text)
            .into_iter()
            .map(|(found, _)| found)
            .collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn generics_and_html_are_text_unless_in_scope() {
    let slots = |text: &str| {
        let parsed = read(Dialect::Angle, text);
        let slots = parsed
            .template
            .nodes
            .iter()
            .filter(|node| matches!(node, Node::Slot(_)));
        (slots.count(), literal(&parsed))
    };
    for text in [
        "Vec<String>",
        "foo::<T>()",
        "Box<dyn Fn()>",
        "Vec<Vec<u8>>",
        "Option<a.B>",
        "Array<string | number>",
        "<br>",
        "<img> <hr><wbr>",
        "Vec<Question>",
    ] {
        assert_eq!(slots(text), (0, text.to_owned()), "{text}");
    }
    for text in [
        "v<question>",
        "a::<name>",
        "v<qestion>",
        "<other>",
        "<b> c",
        "v<input:other>",
    ] {
        assert_eq!(slots(text).0, 1, "{text}");
    }
}

#[test]
fn tags_of_other_messages() {
    let tags = XmlTags::from_texts(["<a.b></a.b> </question >"]);
    let fields = fields();
    let text = "<question> <a.b> <other>";
    let parsed = parse_in::<Jinja>(text, Options::default(), &tags, KnownNames::Fields(&fields));
    let names: Vec<&str> = parsed.tags.iter().map(|tag| tag.name.as_str()).collect();
    assert_eq!(names, ["question", "a.b"]);
    assert!(parsed.tags.iter().all(|tag| tag.close.is_none()));
}

/// `prompt!` cannot see which names are in scope.
#[test]
fn captured_names() {
    let fields = fields();
    let found = |text: &str| {
        let parsed = parse_in::<Jinja>(
            text,
            Options::default(),
            &XmlTags::default(),
            KnownNames::Captured(&fields),
        );
        found(&parsed, text)
    };
    for text in [
        "Hi {you}",
        "Hi {you}, {\"a\": 1}",
        "Hi ${you}",
        "Hi {{ you }}",
        "{you.name}",
    ] {
        assert_eq!(found(text).len(), 1, "{text}");
    }
    for text in [
        "Hi \\{you}",
        "{\"a\": {you}}",
        "{\n  a: {you}\n}",
        "[{\"a\": 1}, {you}]",
        "\\frac{a}{b}",
        "{a, b} {a: string}",
        "{you!r}",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}
