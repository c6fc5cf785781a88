//! Limits of run-time templates, and time that grows linearly with their length.

use std::time::{Duration, Instant};

use typed_prompt::Fields;
use typed_prompt::{Dynamic, Prompt};

#[derive(Prompt, Fields)]
#[prompt(user = "{{ q }}{{ words }}", syntax = "jinja")]
struct Jinja {
    q: String,
    words: Vec<String>,
}

#[derive(Prompt, Fields)]
#[prompt(user = "<q>")]
struct Angle {
    q: String,
}

#[derive(Prompt, Fields)]
#[prompt(user = "{q}", syntax = "brace")]
struct Brace {
    q: String,
}

/// Each template exceeds a limit; the error names it and the function that raises it.
#[test]
fn limits_of_a_rendering() {
    let nested = "{% for _a in range(1000) %}".repeat(6) + "x" + &"{% endfor %}".repeat(6);
    let deep = format!(
        "{{% set a = [] %}}{}{{{{ a }}}}",
        "{% set a = [a] %}".repeat(200)
    );
    let wide = format!(
        "{{% set a = [1] %}}{}{{{{ a | string | length }}}}",
        "{% set a = [a, a] %}".repeat(40)
    );
    for (template, limit) in [
        (format!("{{% set a = q %}}{}{{{{ a }}}}", "{% set a = a ~ a %}".repeat(40)), "max_bytes"),
        (format!("{{% set a = q %}}{}{{{{ a }}}}", "{% set a = a + a %}".repeat(40)), "max_bytes"),
        (format!("{{% set a = q * 1000 %}}{}{{{{ a }}}}", "{% set a = a | replace('q', a) %}".repeat(5)), "too large"),
        ("{% set a = q * 100000000 %}{{ a }}{{ a }}{{ a }}".to_owned(), "max_bytes"),
        ("{% for i in range(100000) %}{{ q * 100000 }}{{ i }}{% endfor %}".to_owned(), "max_bytes"),
        ("{% set a %}{% for i in range(100000) %}{{ i }}{{ 'x' * 10000 }}{% endfor %}{% endset %}{{ a }}".to_owned(), "max_bytes"),
        (wide, "max_bytes"),
        (nested, "max_steps"),
        (deep, "levels deep"),
        ("{{ 'a\nb' | indent(4000000000) }}".to_owned(), "too large"),
        ("{{ '%4000000000d' | format(1) }}".to_owned(), "too large"),
        ("{{ ('\n' * 100000) | indent(100000, true, true) }}".to_owned(), "too large"),
        (format!("{{{{ '{}' | format({}) }}}}", "%90000000d".repeat(9), ["1"; 9].join(", ")), "too large"),
        ("{{ range(100000) | join('x' * 10000) }}".to_owned(), "too large"),
        ("{{ ('q' * 100000) | replace('q', 'x' * 10000) }}".to_owned(), "too large"),
        ("{{ q * 4000000000 }}".to_owned(), "too large"),
        ("{{ [q] * 4000000000 }}".to_owned(), "too large"),
    ] {
        let shown: String = template.chars().take(60).collect();
        let template = format!("{template}{{{{ q }}}}{{{{ words | length }}}}");
        let start = Instant::now();
        let live = Dynamic::<Jinja>::parse(&template).unwrap_or_else(|error| panic!("{shown}: {error:#}"));
        let live = live.max_bytes(32 << 20).max_steps(200_000);
        let ask = Jinja { q: "q".to_owned(), words: Vec::new() };
        let error = match live.fill(&ask).to_plain_text() {
            Ok(text) => panic!("{shown}: {} bytes", text.len()),
            Err(error) => format!("{error:#}"),
        };
        assert!(error.contains(limit), "{shown}: {error}");
        assert!(start.elapsed() < Duration::from_secs(60), "{shown}: {:?}", start.elapsed());
    }
}

/// What goes through large values counts their bytes each time: the steps alone do not limit it.
#[test]
fn each_operation_is_counted() {
    for operation in [
        "l | sum",
        "l | max",
        "l | sort | length",
        "l | unique | list | length",
        "l | select('number') | list | length",
        "l | select('in', l) | list",
        "l == m",
        "l < m",
        "-1 in l",
        "-1 not in l",
        "1 is in(l)",
        "l is eq(m)",
        "s == t",
        "'z' in s",
        "s.count('b')",
        "s.startswith(t)",
        "s is lower",
        "'z' in words",
        "words == words",
        "words | max",
        "words | map('center', 999) | list",
    ] {
        let template = format!(
            "{{% set l = range(999) | list %}}{{% set m = range(999) | list %}}{{% set s = 'a' * 9999 %}}{{% set t = 'a' * 9999 ~ 'c' %}}\
             {{% for _i in range(100000) %}}{{% if {operation} %}}{{% endif %}}{{% endfor %}}{{{{ [l, m, s, t] | length }}}}{{{{ q }}}}\
             {{{{ words | length }}}}"
        );
        let live = Dynamic::<Jinja>::parse(&template)
            .unwrap_or_else(|error| panic!("{operation}: {error:#}"));
        let words = vec!["w".to_owned(); 999];
        let ask = Jinja {
            q: "q".to_owned(),
            words,
        };
        let error = live
            .max_bytes(1 << 20)
            .fill(&ask)
            .to_plain_text()
            .unwrap_err();
        assert!(
            error.to_string().contains("max_bytes"),
            "{operation}: {error}"
        );
    }
}

/// Nesting in the template is an error, never an overflow of the stack.
#[test]
fn deep_nesting_is_an_error() {
    let n = 100_000;
    for template in [
        format!("{{{{ {}q }}}}", "not ".repeat(n)),
        format!("{{{{ {}q }}}}", "-".repeat(n)),
        format!("{{{{ {}q{} }}}}", "(".repeat(n), ")".repeat(n)),
        format!("{{{{ {}q{} }}}}", "[".repeat(n), "]".repeat(n)),
        format!("{{{{ {}q{} }}}}", "{0: ".repeat(n), "}".repeat(n)),
        format!("{{{{ q{} }}}}", " | upper".repeat(n)),
        format!("{{{{ q{} }}}}", "[0]".repeat(n)),
        format!("{{{{ {}q }}}}", "q if q else ".repeat(n)),
        format!("{}q{}", "{% if q %}".repeat(n), "{% endif %}".repeat(n)),
        format!(
            "{}q{}",
            "{% for a in words %}".repeat(n),
            "{% endfor %}".repeat(n)
        ),
    ] {
        assert!(Dynamic::<Jinja>::parse(&template).is_err());
    }
    for template in [
        format!("{}<q>{}", "<if q>".repeat(n), "</if>".repeat(n)),
        format!("<if {}q><q></if>", "not ".repeat(n)),
        format!("<if {}q{}><q></if>", "(".repeat(n), ")".repeat(n)),
        format!("<q{}>", " | upper".repeat(n)),
    ] {
        assert!(Dynamic::<Angle>::parse(&template).is_err());
    }
}

/// 25 KB of any repeated text, and 100 KB in a release build, are parsed quickly: a quadratic step would take longer.
#[test]
fn parsing_is_linear() {
    const SIZE: usize = if cfg!(debug_assertions) {
        25_000
    } else {
        100_000
    };

    let units = [
        "{",
        "}",
        "<",
        ">",
        "[",
        "]",
        "(",
        ")",
        "$",
        "%",
        "#",
        "\\",
        "/",
        "\"",
        "'",
        "|",
        "?",
        ":",
        ".",
        ",",
        "-",
        "!",
        "~",
        "a",
        "1",
        "_",
        " ",
        "\t",
        "\n",
        "\r",
        "é",
        "😀",
        "{{",
        "}}",
        "{%",
        "%}",
        "{#",
        "#}",
        "<a",
        "</",
        "</a>",
        "<a>",
        "<a.",
        "<if",
        "<if ",
        "<if a>",
        "<else>",
        "<for ",
        "</if>",
        "<input:",
        "{input:",
        "{a",
        "{a}",
        "{ a }",
        "{{a",
        "{{ a",
        "{{ \"",
        "{{ a }}",
        "{% if",
        "{% set a = ",
        "{% raw %}",
        "<a | ",
        "<a | \"",
        "<a ?? ",
        "\\<",
        "\\{",
        "<q:>",
        "{ q",
        "[ q",
        "$q",
        "%q",
        "%(q",
        "<system>",
        "</system>",
        "<user>",
        "<!--",
        "{$",
        "$$",
        "<<",
        "<q ",
        "qq<",
        "input",
        "<input",
        "{%- ",
        "-%}",
        "{{-",
        "{{q}",
        "<q/>",
        "r#",
        "<r#",
    ];
    let check = |name: &str, unit: &str, size: usize, parse: &dyn Fn(&str)| {
        let text = unit.repeat(size / unit.len());
        let start = Instant::now();
        parse(&text);
        let taken = start.elapsed();
        assert!(
            taken < Duration::from_secs(3),
            "{name}: {size} bytes of {unit:?} take {taken:?}"
        );
    };
    for unit in units {
        check("angle", unit, SIZE, &|text| {
            drop(Dynamic::<Angle>::parse(text));
        });
    }
    for unit in units {
        check("brace", unit, SIZE, &|text| {
            drop(Dynamic::<Brace>::parse(text));
        });
        check("jinja", unit, SIZE, &|text| {
            drop(Dynamic::<Jinja>::parse(text));
        });
    }
    for unit in [
        "{% set a = [a] %}",
        "{% set a = (a, a) %}",
        "{% set a = {'a': a} %}",
    ] {
        check("jinja", unit, SIZE, &|text| {
            drop(Dynamic::<Jinja>::parse(&format!(
                "{{% set a = q %}}{text}{{{{ a }}}}"
            )));
        });
    }
}

/// Mistakes that are not drawn are counted.
#[test]
fn many_mistakes_are_counted() {
    let error = Dynamic::<Angle>::parse(&"<q ?? 'x'>\n".repeat(1_000))
        .err()
        .unwrap();
    let drawn = format!("{error:#}");
    assert_eq!(drawn.matches("`q` is always there").count(), 100, "{drawn}");
    assert!(
        drawn.contains("the template has 900 more mistakes"),
        "{drawn}"
    );
}

/// A device that never ends is not read to its end.
#[test]
#[cfg(unix)]
fn devices_are_not_read() {
    let error = Dynamic::<Angle>::load("/dev/zero").unwrap_err().to_string();
    assert!(error.contains("it is a device or a pipe"), "{error}");
}
