//! Chat templates at run time: the engine has the same output as Python's Jinja2.

use prompt_chat_template::ChatTemplate;
use prompt_core::format::{Date, FormatOptions};
use prompt_core::{Guard, Json};

fn template(source: &str) -> ChatTemplate {
    ChatTemplate::parse(source).unwrap()
}

#[test]
fn the_engine_is_pythons() {
    let day = Date {
        year: 2025,
        month: 7,
        day: 6,
    };
    let check = |source: &str, text: &str| {
        let template = template(source);
        let json = Json::parse(
            r#"[{"role": "user", "content": null, "reasoning": "r", "n": [1, 1.0, true, null]}]"#,
        )
        .unwrap();
        let mut options = FormatOptions::new().guard(Guard::Allow).lenient();
        if source.contains("strftime_now") {
            options = options.date(day);
        }
        let got = template
            .format_json(&json, None, &options)
            .map(prompt_core::AnnotatedText::into_string);
        assert_eq!(got.unwrap(), text, "{source}");
    };
    check(
        "{{ 'content' in messages[0] }}{{ messages[0].content is none }}{{ messages[0].reasoning_content }}",
        "FalseFalser",
    );
    check("{{ messages[0].n }}", "[1, 1.0, True, None]");
    check("{{ messages[0].n | tojson }}", "[1, 1.0, true, null]");
    check("{{ messages[0].thinking }}", "r");
    check(
        "{{ {'b': 'é<', 'a': 1} | tojson(sort_keys=true, ensure_ascii=true) }}",
        r#"{"a": 1, "b": "\u00e9<"}"#,
    );
    check("{{ [1, {}] | tojson(indent=2) }}", "[\n  1,\n  {}\n]");
    check("{{ [1, 2] | tojson(separators=(',', ':')) }}", "[1,2]");
    check(
        "{{ tools is iterable }} {{ nope | length }} {{ 'x' is sequence }}",
        "False 0 True",
    );
    check("{{ strftime_now('%d %B') }}", "06 July");
    check(
        "{{ [1, 2] | map('string') | reverse }}{{ [1, 2] | map('string') | reverse | length }}",
        "['2', '1']2",
    );
    check(
        "{% set a, b = ['<'|safe] | first, ['>'|safe] | last %}{{ a is escaped }}{{ b is escaped }}{{ ('<'|safe) | first is escaped }}",
        "TrueTrueFalse",
    );
    check(
        "{% for i in range(9) %}{% if i == 1 %}{% continue %}{% elif i == 3 %}{% break %}{% endif %}{{ i }}{% endfor %}",
        "02",
    );
    check(
        "{% for c in 'aé' %}{{ c }}{% if not loop.last %}, {% endif %}{% endfor %}{% for c in messages[0].role %}{{ loop.last }}{% endfor %}",
        "a, éFalseFalseFalseTrue",
    );
    check(
        "{% generation %}a{% endgeneration %}\r\n  {% if true %}\r\nb{% endif %}",
        "ab",
    );
    check(
        "{{ 'a-b-c'.rsplit('-', 1) }} {{ 'abc'.removeprefix('a') }} {{ 'a=b'.partition('=')[2] }}",
        "['a-b', 'c'] bc b",
    );
    check(
        "{{ [1, 2, 3] | batch(0) | list }} {{ [1] | slice(-2) | list }}",
        "[[], [1, 2, 3]] []",
    );
    check(
        "{{ '%05f|%5.1f|%%' % (1e308 * 10, -2.25) }}",
        "00inf| -2.2|%",
    );
    check(
        "{{ 12345678901234567890123456789 | round(-3) }} {{ -15 | round(-1) }}",
        "12345678901234567890123457000 -20",
    );
    check(
        "{{ '½'.isdigit() }} {{ '²'.isdigit() }} {{ '٣٤' | int }} {{ '10' | int(base=1) }}",
        "False True 34 10",
    );
    check("{{ [1, 1.0, true, 'A', 'a'] | unique | list }}", "[1, 'A']");
    check(
        "{{ 7 ** 30 }} {{ 9223372036854775807 + 1 }} {{ -7 // 2 }} {{ -7 % 3 }} {{ 2 ** -1 }}",
        "22539340290692258087863249 9223372036854775808 -4 2 0.5",
    );
    // The quotient of whole numbers is not that of the floats that are nearest to them.
    check(
        "{{ 10**30 / 10**29 }} {{ 10**400 / 10**399 }} {{ -9007199254740993 / 3 }} {{ 18014398509481989 / 18014398509481985 }} {{ 0 / -7 }} {{ 1 / 10**40 }} {{ 0 / 10**30 }}",
        "10.0 10.0 -3002399751580331.0 1.0000000000000002 -0.0 1e-40 0.0",
    );
    // A default reads the parameters that are given and those before it, and never a name outside that a parameter hides.
    check(
        "{% set a = 'o' %}{% macro m(b=a, a=1, c=b) %}[{{ b }}{{ c }}]{% endmacro %}{{ m() }}{{ m(a=2) }}{{ m(3) }}",
        "[][22][33]",
    );
}

#[test]
fn values_print_as_pythons() {
    let check = |content: &str, source: &str, text: &str| {
        let json = format!(r#"[{{"role": "user", "content": {content}}}]"#);
        for guard in [Guard::Neutralise, Guard::Allow] {
            let options = FormatOptions::new().guard(guard);
            let source = format!("{{% set it = messages[0].content %}}{source}");
            let wrapped =
                template(&source).format_json(&Json::parse(&json).unwrap(), None, &options);
            assert_eq!(wrapped.unwrap().as_str(), text, "{source} of {content}");
        }
    };
    // Iterators print as Python's, with an address.
    for (source, kind) in [
        ("[1] | reverse", "list_reverseiterator"),
        ("{1: 2} | reverse", "dict_reversekeyiterator"),
        ("(1, 2) | reverse", "reversed"),
        ("range(3) | reverse", "range_iterator"),
        ("[1] | map('abs')", "generator object sync_do_map"),
    ] {
        let source = format!("{{{{ ({source} ~ '').split(' at ')[0] }}}}");
        let printed = match kind.starts_with("generator") {
            true => format!("<{kind}"),
            false => format!("<{kind} object"),
        };
        check("1", &source, &printed);
    }
    for (number, text) in [
        ("1e-7", "1e-07"),
        ("1e16", "1e+16"),
        ("100.0", "100.0"),
        ("-0.0", "-0.0"),
        ("12345678901234567890", "12345678901234567890"),
        (
            "-170141183460469231731687303715884105728",
            "-170141183460469231731687303715884105728",
        ),
    ] {
        for source in [
            "{{ it }}",
            "{{ it | string }}",
            "{{ it | trim }}",
            "{{ it | tojson }}",
        ] {
            check(number, source, text);
        }
        check(&format!("[{number}]"), "{{ it }}", &format!("[{text}]"));
    }
    check(
        r#"[{"type": "text", "text": "it's \ufeff\u00a0 é\u001c\n<"}, null, true]"#,
        "{{ it }}",
        r#"[{'type': 'text', 'text': "it's \ufeff\xa0 é\x1c\n<"}, None, True]"#,
    );
    check(
        r#"["a'\"b", "it's"]"#,
        "{{ it | string }}",
        r#"['a\'"b', "it's"]"#,
    );
    check(r#"["a"]"#, "{{ ('x', it) }}{{ (1,) }}", "('x', ['a'])(1,)");
    check(
        r#"{"b": 1.5e-9, "a": {}}"#,
        "{{ it }}",
        "{'b': 1.5e-09, 'a': {}}",
    );
    check(
        r#"" \u001c\u001f a \u0085""#,
        "[{{ it | trim }}][{{ it.strip() }}]",
        "[a][a]",
    );
    check(r#"" a\u001cb  c ""#, "{{ it.split() }}", "['a', 'b', 'c']");
    check(
        r#""a\u000bb\r\nc\u2028""#,
        "{{ it.splitlines() }}",
        "['a', 'b', 'c']",
    );
}

#[test]
fn slices_are_pythons() {
    let ask = Json::parse(r#"[{"role": "user", "content": ""}]"#).unwrap();
    for (slice, text) in [
        ("''[::-1]", ""),
        ("''[1:]", ""),
        ("''[2:0:-1]", ""),
        ("''[:-1]", ""),
        ("''[-2:]", ""),
        ("''[:0:-1]", ""),
        ("''[-1::-2]", ""),
        ("''[9:-9:-1]", ""),
        ("''[0:9:2]", ""),
        ("''[9223372036854775807::-9223372036854775807]", ""),
        ("''[::9223372036854775807]", ""),
        ("''[:]", ""),
        ("'abcdé'[::-1]", "édcba"),
        ("'abcdé'[1:]", "bcdé"),
        ("'abcdé'[2:0:-1]", "cb"),
        ("'abcdé'[:-1]", "abcd"),
        ("'abcdé'[-2:]", "dé"),
        ("'abcdé'[:0:-1]", "édcb"),
        ("'abcdé'[-1::-2]", "éca"),
        ("'abcdé'[9:-9:-1]", "édcba"),
        ("'abcdé'[0:9:2]", "acé"),
        ("'abcdé'[9223372036854775807::-9223372036854775807]", "é"),
        ("'abcdé'[::9223372036854775807]", "a"),
        ("'abcdé'[:]", "abcdé"),
        ("[1, 2, 3][::-1]", "[3, 2, 1]"),
        ("[1, 2, 3][1:]", "[2, 3]"),
        ("[1, 2, 3][2:0:-1]", "[3, 2]"),
        ("[1, 2, 3][:-1]", "[1, 2]"),
        ("[1, 2, 3][-2:]", "[2, 3]"),
        ("[1, 2, 3][:0:-1]", "[3, 2]"),
        ("[1, 2, 3][-1::-2]", "[3, 1]"),
        ("[1, 2, 3][9:-9:-1]", "[3, 2, 1]"),
        ("[1, 2, 3][0:9:2]", "[1, 3]"),
        (
            "[1, 2, 3][9223372036854775807::-9223372036854775807]",
            "[3]",
        ),
        ("[1, 2, 3][::9223372036854775807]", "[1]"),
        ("[1, 2, 3][:]", "[1, 2, 3]"),
        ("[][::-1]", "[]"),
        ("[][1:]", "[]"),
        ("[][2:0:-1]", "[]"),
        ("[][:-1]", "[]"),
        ("[][-2:]", "[]"),
        ("[][:0:-1]", "[]"),
        ("[][-1::-2]", "[]"),
        ("[][9:-9:-1]", "[]"),
        ("[][0:9:2]", "[]"),
        ("[][9223372036854775807::-9223372036854775807]", "[]"),
        ("[][::9223372036854775807]", "[]"),
        ("[][:]", "[]"),
        ("(1, 2)[::-1]", "(2, 1)"),
        ("(1, 2)[1:]", "(2,)"),
        ("(1, 2)[2:0:-1]", "(2,)"),
        ("(1, 2)[:-1]", "(1,)"),
        ("(1, 2)[-2:]", "(1, 2)"),
        ("(1, 2)[:0:-1]", "(2,)"),
        ("(1, 2)[-1::-2]", "(2,)"),
        ("(1, 2)[9:-9:-1]", "(2, 1)"),
        ("(1, 2)[0:9:2]", "(1,)"),
        ("(1, 2)[9223372036854775807::-9223372036854775807]", "(2,)"),
        ("(1, 2)[::9223372036854775807]", "(1,)"),
        ("(1, 2)[:]", "(1, 2)"),
        ("(messages[::-1] | first).role[::-1]", "resu"),
        ("messages[0].content[::-1]", ""),
        ("'abc'[1:][::-1]", "cb"),
    ] {
        let source = format!("{{{{ {slice} }}}}");
        let options = FormatOptions::new().guard(Guard::Allow).lenient();
        let got = template(&source).format_json(&ask, None, &options);
        assert_eq!(got.unwrap().as_str(), text, "{slice}");
    }
}

/// What Python has no hash of is not a key, and not a name that is looked up.
#[test]
fn values_without_a_hash() {
    let of = |expression: &str| {
        let source = format!(
            "{{% set p = [{{'a': 1}}] %}}{{{{ {expression} }}}}{{{{ messages[0].content }}}}"
        );
        let json = Json::parse(r#"[{"role": "user", "content": "Hi"}]"#).unwrap();
        template(&source).format_json(&json, None, &FormatOptions::new())
    };
    for expression in [
        "p[0].items() is filter",
        "p[0].keys() is test",
        "{p[0].keys(): 1}",
        "{p: 1}",
        "(p | groupby('a') | first) is filter",
        "{(p | groupby('a') | first): 1}",
    ] {
        let error = of(expression).unwrap_err();
        assert!(
            error.message().contains("unhashable type"),
            "{expression}: {error}"
        );
    }
    assert!(of("p[0].values() is filter").is_ok());
    assert!(of("{p[0].values(): 1} | length").is_ok());
}
