//! Templates that would take all of the memory, the stack or the time end with an error that names the limit.

use std::time::{Duration, Instant};

use prompt_chat_template::ChatTemplate;
use prompt_core::{Error, ErrorKind, Message, Messages, ToolCall};

const MEMORY: &str = "allocates more than";
const OUTPUT: &str = "writes more than";
const STEPS: &str = "takes too many steps";
const DEPTH: &str = "builds values nested more than 127 levels deep";
const NAMESPACE: &str = "a namespace cannot contain a namespace";
const NESTING: &str = "nests more than 100 levels deep";

fn error(source: &str, max_memory: Option<u64>) -> Error {
    let run = |template: ChatTemplate| {
        let template = match max_memory {
            Some(bytes) => template.max_memory(bytes),
            None => template,
        };
        Messages::from([Message::user("Hi")]).to_text(&template)
    };
    ChatTemplate::parse(source).and_then(run).expect_err(source)
}

/// The template `set` runs `count` times with the variable `ns.s`.
fn repeated(start: &str, set: &str, count: usize) -> String {
    format!(
        "{{% set ns = namespace(s={start}) %}}{{% for i in range({count}) %}}{set}{{% endfor %}}{{{{ messages[0].content }}}}"
    )
}

#[test]
fn each_limit_is_named() {
    check_limits(Some(8 << 20));
}

#[test]
#[ignore = "the default limits take a minute"]
fn each_limit_has_a_default() {
    check_limits(None);
}

fn check_limits(max_memory: Option<u64>) {
    let nest = |text: &str| {
        format!(
            "{{{{ {} 1 }}}}{{{{ messages[0].content }}}}",
            text.repeat(100_000)
        )
    };
    let after = |text: &str| {
        format!(
            "{{{{ 1 {} }}}}{{{{ messages[0].content }}}}",
            text.repeat(100_000)
        )
    };
    let double = |set: &str| repeated("'aaaaaaaaaaaaaaaa'", set, 40);
    let wide = |set: &str| repeated("[1]", set, 25);
    let deep = |set: &str| repeated("[]", set, 90_000);
    let text = "x".repeat(100_000);
    let check = |source: &str, message: &str| {
        let start = Instant::now();
        // The default limit of the output is larger than the memory of this test.
        let error = error(source, max_memory.filter(|_| message != OUTPUT));
        assert_eq!(error.kind(), ErrorKind::Template, "{error}");
        let shown = &source[..source.len().min(200)];
        assert!(error.message().contains(message), "{error:#}\n{shown}");
        let setter = match message {
            MEMORY => Some("max_memory"),
            OUTPUT => Some("max_output"),
            STEPS => Some("max_steps"),
            _ => None,
        };
        let help = error.help().unwrap_or_default();
        assert!(setter.is_none_or(|setter| help.contains(setter)), "{error}");
        assert!(start.elapsed() < Duration::from_secs(120), "{shown}");
    };
    for (source, message) in [
        ("{{ 'a\nb' | indent(4000000000) }}", MEMORY),
        ("{{ 'a\nb' | indent(width=4000000000) }}", MEMORY),
        ("{{ ['a\nb'] | map('indent', 4000000000) | list }}", MEMORY),
        ("{{ '%4000000000d' | format(1) }}", MEMORY),
        ("{{ '%.4000000000f' | format(1) }}", MEMORY),
        ("{{ '%*d' | format(4000000000, 1) }}", MEMORY),
        ("{{ '{:4000000000}'.format(1) }}", MEMORY),
        ("{{ '{:{}}'.format(1, 4000000000) }}", MEMORY),
        ("{{ 'x' * 4000000000 }}", MEMORY),
        ("{{ strftime_now('%c' * 40000000) }}", MEMORY),
        ("{{ 4000000000 * [1] }}", MEMORY),
        ("{{ [1] | slice(4000000000) | list }}", MEMORY),
        ("{{ [1] | batch(4000000000, 0) | list }}", MEMORY),
        (
            "{% set s = 'x' * 999999 %}{% for i in range(99999) %}{% if s[1:] %}{% endif %}{% endfor %}",
            MEMORY,
        ),
        (
            "{% set s = range(9999) | list %}{% for i in range(99999) %}{% if s[::-1] %}{% endif %}{% endfor %}",
            MEMORY,
        ),
        ("{{ ('x' * 99999).replace('x', 'x' * 99999) }}", MEMORY),
        ("{{ ('x' * 99999) | replace('x', 'x' * 99999) }}", MEMORY),
        ("{{ range(99999) | join('x' * 99999) }}", MEMORY),
        ("{{ ('x' * 99999).join(['y'] * 99999) }}", MEMORY),
        (
            "{% macro m(a='x' * 4000000000) %}{% endmacro %}{{ m() }}",
            MEMORY,
        ),
        (
            "{% for i in range(99999) %}{{ 'x' * 999 }}{% endfor %}",
            OUTPUT,
        ),
        (
            "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
            STEPS,
        ),
        (
            "{% set a = namespace() %}{% set a.a = [{'b': a}] %}",
            NAMESPACE,
        ),
        // Text between values is counted as values are, and an indentation before it is made.
        ("{{ ([none] * 9999) | tojson(indent=9999) }}", MEMORY),
        ("{{ [[[1]]] | tojson(indent=4000000000) }}", MEMORY),
        (
            "{% set l = [[], {}, none, true] * 999 %}{% for i in range(99999) %}{% if l | tojson %}{% endif %}{% endfor %}",
            MEMORY,
        ),
        (
            "{% set l = [[], {}, none, true] * 999 %}{% for i in range(99999) %}{% if l | string %}{% endif %}{% endfor %}",
            MEMORY,
        ),
        // Comparisons are counted, also where nothing has a byte.
        (
            "{% set l = ['x'] * 9999 %}{% for i in range(99999) %}{% if '' in l %}{% endif %}{% endfor %}",
            MEMORY,
        ),
        (
            "{% set l = [''] * 9999 %}{% set m = [''] * 9999 %}{% for i in range(99999) %}{% if l == m %}{% endif %}{% endfor %}",
            MEMORY,
        ),
        (
            "{% set l = [''] * 9999 %}{% set m = [''] * 9999 %}{% for i in range(99999) %}{% if l < m %}{% endif %}{% endfor %}",
            MEMORY,
        ),
        // The time for the digits of a long number is not linear.
        (
            "{% set n = 2 ** 65000 %}{% for i in range(99999) %}{% if n | round(-1) %}{% endif %}{% endfor %}",
            MEMORY,
        ),
        ("{{ debug() }}", "debug"),
        (
            "{% set a = namespace() %}{% set b = namespace(a=a) %}{% set a.b = b %}{{ a }}",
            NAMESPACE,
        ),
        (
            "{% set a = namespace() %}{% set a.a = a %}{{ a == namespace(a=a) }}",
            NAMESPACE,
        ),
    ] {
        check(&format!("{source}{{{{ messages[0].content }}}}"), message);
    }
    for (source, message) in [
        (double("{% set ns.s = ns.s ~ ns.s %}"), MEMORY),
        (double("{% set ns.s = ns.s + ns.s %}"), MEMORY),
        (double("{% set ns.s = ns.s * 2 %}"), MEMORY),
        (double("{% set ns.s = [ns.s, ns.s] | join %}"), MEMORY),
        (
            double("{% set ns.s = '%s%s' | format(ns.s, ns.s) %}"),
            MEMORY,
        ),
        (double("{% set ns.s = ns.s.replace('a', 'aa') %}"), MEMORY),
        (
            double("{% set x %}{{ ns.s }}{{ ns.s }}{% endset %}{% set ns.s = x %}"),
            MEMORY,
        ),
        (wide("{% set ns.s = ns.s + ns.s %}"), MEMORY),
        (wide("{% set ns.s = [ns.s, ns.s] %}"), MEMORY),
        (wide("{% set ns.s = {'a': ns.s, 'b': ns.s} %}"), MEMORY),
        (wide("{% set ns.s = dict(a=ns.s, b=ns.s) %}"), MEMORY),
        (deep("{% set ns.s = [ns.s] %}"), DEPTH),
        (deep("{% set ns.s = (ns.s,) %}"), DEPTH),
        (deep("{% set ns.s = ns.s, %}"), DEPTH),
        (deep("{% set ns.s = {'a': ns.s} %}"), DEPTH),
        (deep("{% set ns.s = dict(a=ns.s) %}"), DEPTH),
        (deep("{% set ns.s = namespace(a=ns.s) %}"), NAMESPACE),
        (
            deep("{% set t = namespace() %}{% set t.s = ns.s %}{% set ns.s = t %}"),
            NAMESPACE,
        ),
        (
            repeated("[1]", "{% set ns.s = ns.s | batch(1) | list %}", 90_000),
            DEPTH,
        ),
        (
            repeated("[1]", "{% set ns.s = ns.s | groupby(0) %}", 90_000),
            "",
        ),
        (
            format!("{{% set x %}}{{% for i in range(99999) %}}{text}{{% endfor %}}{{% endset %}}"),
            MEMORY,
        ),
        (nest("not "), NESTING),
        (nest("- "), NESTING),
        (nest("("), NESTING),
        (nest("["), NESTING),
        (nest("{1: "), NESTING),
        (nest("not - ("), NESTING),
        (nest("x[ "), NESTING),
        (nest("f( "), NESTING),
        (nest("1 if 1 else "), NESTING),
        (after("| upper"), NESTING),
        (after(".a"), NESTING),
    ] {
        check(&source, message);
    }
}

#[test]
fn slices_of_any_numbers_do_not_panic() {
    for slice in [
        "::-9223372036854775808",
        "0:2:-1",
        "::-9223372036854775807",
        "9223372036854775807::9223372036854775807",
    ] {
        let source = format!("{{{{ 'abc'[{slice}] }}}}{{{{ messages[0].content }}}}");
        let template = ChatTemplate::parse(&source).unwrap();
        drop(Messages::from([Message::user("Hi")]).to_text(template));
    }
}

/// A lazy list around a lazy list, 100,000 times, would overflow the stack.
#[test]
fn slices_of_slices_are_not_nested() {
    let source = format!(
        "{{% set s = messages %}}{}{{{{ s[0].content }}}}",
        "{% set s = s[0:] %}{% set s = s[::-1] %}".repeat(50_000)
    );
    let text = Messages::from([Message::user("Hi")]).to_text(ChatTemplate::parse(&source).unwrap());
    assert_eq!(text.unwrap(), "Hi");
}

#[test]
fn a_lazy_list_stays_short() {
    let source = repeated("[1]", "{% set ns.s = ns.s | reverse %}", 3000);
    let text = Messages::from([Message::user("Hi")]).to_text(ChatTemplate::parse(&source).unwrap());
    assert_eq!(text.unwrap(), "Hi");
}

/// A list of small numbers takes longer to print than its text would cost.
#[test]
fn printed_items_are_counted() {
    for print in ["tojson", "string"] {
        let source = format!(
            "{{% set l = range(1000) | list %}}{{% for i in range(40) %}}{{% if l | {print} %}}{{% endif %}}{{% endfor %}}"
        );
        let error = error(&source, Some(1 << 20));
        assert!(error.message().contains(MEMORY), "{print}: {error}");
    }
}

/// Operations that look at long values, some without a result of that length, each a thousand times.
#[test]
fn each_operation_on_a_long_value_is_counted() {
    let values = "{% set s = 'x' * 100000 %}{% set t = 'x' * 100000 %}{% set n = range(10000) | list %}{% set u = (s, s) %}{% set d = {'a': n} %}";
    for operation in [
        "{% if n in [n, n] %}{% endif %}",
        "{% if u not in {1: 2} %}{% endif %}",
        "{% if s in {1: 2} %}{% endif %}",
        "{% if {1: 2}[s] %}{% endif %}",
        "{% if {1: 2}[u] %}{% endif %}",
        "{% if messages[0][s] %}{% endif %}",
        "{% if messages[0].get(s) %}{% endif %}",
        "{% if {'a': 1}.get(u) %}{% endif %}",
        "{% if {u: 1} %}{% endif %}",
        "{% if {s: 1} %}{% endif %}",
        "{% if s[-1] %}{% endif %}",
        "{% if s[99999] %}{% endif %}",
        "{% if s | length %}{% endif %}",
        "{% if s | reverse %}{% endif %}",
        "{% if s.startswith(t) %}{% endif %}",
        "{% if s.endswith(t) %}{% endif %}",
        "{% if s == t == s %}{% endif %}",
        "{% if t < s %}{% endif %}",
        "{% if [s] == [t] %}{% endif %}",
        "{% if loop.changed(n) %}{% endif %}",
        "{% if loop.changed(1, s) %}{% endif %}",
        "{% if n | select('none') | first %}{% endif %}",
        "{% if n | reject('number') | first %}{% endif %}",
        "{% if [n] | map('sort') | first %}{% endif %}",
        "{% if [n] | map('list') | map('last') | first %}{% endif %}",
        "{% if s | min %}{% endif %}",
        "{% if s | unique | first %}{% endif %}",
        "{% if [s, t] | sort | length %}{% endif %}",
        "{% if n | map(attribute=s, default=1) | first %}{% endif %}",
        "{% if [n].count(n) %}{% endif %}",
        "{% if n * 0 %}{% endif %}",
        "{% if 1 | tojson(indent=s) %}{% endif %}",
        "{% if 1 | tojson(separators=[s, t]) %}{% endif %}",
        "{% if 'a'.replace(s, 'b') %}{% endif %}",
        "{% if 'a'.split(s) %}{% endif %}",
        "{% if 'a' | trim(s) %}{% endif %}",
        "{% if s | safe | safe is none %}{% endif %}",
        "{% if d.a is in [n] %}{% endif %}",
    ] {
        let source = format!(
            "{values}{{% for i in range(1000) %}}{operation}{{% endfor %}}{{{{ messages[0].content }}}}"
        );
        let error = error(&source, Some(16 << 20));
        assert!(error.message().contains(MEMORY), "{operation}: {error}");
    }
}

/// A conversation may be rendered in several shapes: all of them together have a limit.
#[test]
fn shapes_have_one_limit() {
    // The template fails with each shape of the message, after work that all but takes its memory.
    let calls = Messages::from([
        Message::user("Hi"),
        Message::calls([ToolCall::new("1", "f", "{}")]),
    ]);
    for (count, expected) in [
        (2, "is undefined"),
        (90, "allocates more than 2000000 bytes"),
    ] {
        let source = format!(
            "{{% set x = 'x' * 10000 %}}{{% for i in range({count}) %}}{{% set y = x ~ x[5:6] %}}{{% endfor %}}{{{{ nope.nope }}}}"
        );
        let template = ChatTemplate::parse(&source).unwrap();
        let error = calls.to_text(template.max_memory(2_000_000)).unwrap_err();
        assert!(error.message().contains(expected), "{count}: {error}");
    }
}

/// Macros and loops that call themselves in deep expressions end with an error, and do not exhaust the stack of a thread.
#[test]
fn recursion_has_a_limit() {
    let deep = |inner: &str| {
        format!(
            "{}{inner}{}",
            "(".repeat(40),
            " | upper | trim ~ '')".repeat(40)
        )
    };
    for source in [
        format!("{{% macro f(x) %}}{{{{ {} }}}}{{% endmacro %}}{{{{ f(1) }}}}", deep("f(x)")),
        "{% macro f(x) %}{% if 1 %}{% for a in [1] %}{% if a %}{{ f(x) if 1 else 2 }}{% endif %}{% endfor %}{% endif %}{% endmacro %}{{ f(1) }}".to_owned(),
        "{% macro f() %}{% call f() %}{{ caller() }}{% endcall %}{% endmacro %}{{ f() }}".to_owned(),
        "{% macro f(x=f()) %}{% endmacro %}{{ f() }}".to_owned(),
        "{% for x in [[1]] recursive %}{{ loop([x]) }}{% endfor %}".to_owned(),
        "{% macro f(x) %}{{ ([1] | map('string') | list)[0] ~ {'a': [f(x)]}['a'][0] }}{% endmacro %}{{ f(1) }}".to_owned(),
    ] {
        let error = error(&(source + "{{ messages[0].content }}"), None);
        assert!(error.message().contains("recursion"), "{error:#}");
    }
}

#[test]
fn limits_are_set() {
    let ask = Messages::from([Message::user("Hi")]);
    let template = |source: &str| ChatTemplate::parse(source).unwrap();
    let message = |template: ChatTemplate| ask.to_text(template).unwrap_err().to_string();
    assert_eq!(
        message(template("{{ messages[0].content * 9 }}").max_memory(10)),
        "the chat template allocates more than 10 bytes; allow more with `max_memory`"
    );
    assert_eq!(
        message(template("{{ messages[0].content }}{{ messages[0].content }}").max_output(3)),
        "the chat template writes more than 3 bytes; allow more with `max_output`"
    );
    assert_eq!(
        message(
            template("{% for i in range(99) %}{% endfor %}{{ messages[0].content }}").max_steps(20)
        ),
        "the chat template takes too many steps, more than 20; allow more with `max_steps`"
    );
    // A long chain of operators is not nested.
    let chain = format!(
        "{{{{ messages[0].content{}{} }}}}",
        " ~ 'x'".repeat(1500),
        " + 'y'".repeat(3)
    );
    assert_eq!(ask.to_text(template(&chain)).unwrap().len(), 1505);
    // Nor is a long chain of conditions, and text is as long as it is.
    let text = "x".repeat(100_000);
    for (source, expected) in [
        (format!("{{{{ 9 {} }}}}", "- 1".repeat(10_000)), "-9991"),
        (format!("{{{{ 1 {} }}}}", "and 1 ".repeat(10_000)), "1"),
        (
            format!(
                "{{% if 0 %}}{}{{% else %}}e{{% endif %}}",
                "{% elif 0 %}".repeat(10_000)
            ),
            "e",
        ),
        (format!("{{% raw %}}{text}{{% endraw %}}"), &*text),
    ] {
        let source = source + "{{ messages[0].content }}";
        let got = ask.to_text(template(&source)).unwrap();
        assert_eq!(got, format!("{expected}Hi"));
    }
}
