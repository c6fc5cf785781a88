//! The analysis of templates: the rules, and where run-time templates differ from compiled ones.

use prompt_jinja_syntax::analysis::JinjaState;
use prompt_jinja_syntax::{Jinja, parse};
use prompt_syntax::analysis::{Analyzer, Context, FieldInfo};
use prompt_syntax::{
    Dialect, Error, Kind, KnownNames, Node, Options, Slot, XmlTags, parse_in, problem,
};

fn field(name: &str, kind: Kind) -> FieldInfo {
    FieldInfo {
        name: name.to_owned(),
        kind,
        trusted: false,
        excluded_by: None,
        answer: false,
    }
}

/// The messages of the errors of a template, each with the marked text.
fn errors(dialect: Dialect, template: &str, run_time: bool) -> Vec<String> {
    let nodes = parse(template, Options::message(dialect));
    assert!(nodes.errors.is_empty(), "{template}: {:?}", nodes.errors);
    let option = |kind| Kind::Option(Box::new(kind));
    let fields = [
        field("text", Kind::Text),
        field("count", Kind::Number),
        field("items", Kind::list(Kind::Unknown)),
        field("prices", Kind::Dict(Box::new(Kind::Int))),
        field("note", option(Kind::Unknown)),
        field("other", option(Kind::Unknown)),
        field("picture", Kind::Media),
    ];
    let context = Context {
        dialect,
        fields: &fields,
        owner: "Ask",
        captures: false,
        tags: &XmlTags::default(),
        unparsed_names: &[],
        fields_unparsed: false,
        run_time,
        reserved: &[],
    };
    let nodes = &nodes.template.nodes;
    let mut analyzer = Analyzer::new(context, template, nodes, JinjaState::default(), true);
    analyzer.resolve_message(nodes);
    let (errors, _) = analyzer.finish();
    let shown = |error: &prompt_syntax::Error| {
        format!(
            "{}: {}",
            &template[error.span.start..error.span.end],
            error.message()
        )
    };
    errors.iter().map(shown).collect()
}

/// Both kinds of templates have these errors.
#[track_caller]
fn check(dialect: Dialect, template: &str, expected: &[&str]) {
    assert_eq!(errors(dialect, template, false), expected, "{template}");
    assert_eq!(
        errors(dialect, template, true),
        expected,
        "{template}, at run time"
    );
}

/// Only a compiled template has these errors.
#[track_caller]
fn compiled(dialect: Dialect, template: &str, expected: &[&str]) {
    assert_eq!(errors(dialect, template, false), expected, "{template}");
    assert!(
        errors(dialect, template, true).is_empty(),
        "{template}, at run time"
    );
}

#[test]
fn names() {
    use Dialect::{Angle, Brace, Jinja};
    check(Angle, "<txet>", &["txet: unknown slot `txet`"]);
    check(Brace, "{txet}", &["txet: unknown slot `txet`"]);
    check(Jinja, "{{ txet }}", &["txet: unknown slot `txet`"]);
    check(
        Angle,
        "<for i in items>-</for>",
        &["i: the loop variable `i` is never used"],
    );
    check(
        Angle,
        "<for i in items><for i in items><i></for></for>",
        &["i: `i` is bound again inside of its own loop"],
    );
    let unused = ["item: the loop variable `item` is never used"];
    let other = "<for item in items>a</for> <for item in items><item></for>";
    check(Angle, other, &unused);
    check(
        Jinja,
        "{% for text in items %}{{ text }}{% endfor %}",
        &["text: the loop variable `text` has the name of a field"],
    );
    check(Jinja, "{% set x = 1 %}", &["x: `x` is set and never used"]);
    check(
        Jinja,
        "{% set x = 0 %}{% for i in items %}{{ i }}{% set x = x + 1 %}{% endfor %}{{ x }}",
        &["x: `x` is set for this block alone, and never used in it"],
    );
    check(
        Jinja,
        "{% set x = 0 %}{% for i in items %}{% if i %}{{ i }}{% set x = x + 1 %}{% endif %}{% endfor %}{{ x }}",
        &["x: `x` is set for this block alone, and never used in it"],
    );
    check(
        Jinja,
        "{% set x = 0 %}{% for i in items %}{% if i %}{% set x = x + 1 %}{% endif %}{{ i }}{{ x }}{% endfor %}{{ x }}",
        &[],
    );
    // The first name is another one for the field.
    check(
        Jinja,
        "{% set x = count %}{{ x }}{% set x = x + 1 %}",
        &["x: `x` is set and never used"],
    );
    // The other name is made of the value.
    check(
        Jinja,
        "{% set x, y = 0, 1 %}{% if text %}{% set x, y = y, x + y %}{% endif %}{{ x }}",
        &[],
    );
    check(
        Jinja,
        "{% set x = 0 %}{% set x = x + 1 %}",
        &["x: `x` is set and never used"],
    );
    check(
        Jinja,
        "{% for name, price in prices %}{{ name }}{{ price }}{% endfor %}",
        &["prices: a loop over a map has its keys alone"],
    );
    check(
        Jinja,
        "{% for name, price in prices.items() %}{{ name }}{{ price }}{% endfor %}{% for name in prices %}{{ name }}{% endfor %}",
        &[],
    );
    check(
        Jinja,
        "{% macro m(a) %}{{ a }}{{ b }}{% endmacro %}{{ m(1) }}{{ m(2) }}",
        &["b: unknown slot `b`"],
    );
}

#[test]
fn kinds() {
    use Dialect::{Angle, Jinja};
    check(Angle, "<items>", &["<items>: `items` is a list"]);
    check(
        Angle,
        "<for t in text><t></for>",
        &["text: `text` is a string, not a list"],
    );
    check(
        Angle,
        "<text ?? 'x'>",
        &["text: `text` is always there, so its default is never used"],
    );
    check(
        Angle,
        "<picture | upper>",
        &["picture: `picture` is not text, so it has no filters"],
    );
    check(
        Jinja,
        "{{ text + 1 }}",
        &["text + 1: `+` joins a string and a whole number"],
    );
    check(
        Jinja,
        "{% for c in count %}{{ c }}{% endfor %}",
        &["count: `count` is a number, not a list"],
    );
    check(
        Jinja,
        "{{ items[count] }}{{ items[:count] }}{{ '-' * count }}{{ text | center(count) }}",
        &[],
    );
}

#[test]
fn options() {
    use Dialect::{Angle, Jinja};
    let note = "`note` can be `None`: it is an `Option`";
    check(Angle, "<note>", &[&format!("<note>: {note}")]);
    check(Angle, "<if note><note></if><note ?? 'x'>", &[]);
    check(Jinja, "{{ note | upper }}", &[&format!("note: {note}")]);
    check(
        Jinja,
        "{% if note is defined and note %}{{ note }}{% endif %}",
        &[],
    );
    check(
        Jinja,
        "{% if note or other %}{{ note }}{% endif %}",
        &[&format!("{{{{ note }}}}: {note}")],
    );
}

/// Generated code can bind the value of an `Option` in one branch only; the interpreter needs no binding.
#[test]
fn run_time_templates_narrow_every_branch_and_operand() {
    use Dialect::{Angle, Jinja};
    let note = "`note` can be `None`: it is an `Option`";
    let slot = format!("{{{{ note }}}}: {note}");
    compiled(
        Angle,
        "<if not note>-<else><note></if>",
        &[&format!("<note>: {note}")],
    );
    compiled(
        Jinja,
        "{% if not note %}-{% elif text %}{{ note }}{% endif %}",
        &[&slot],
    );
    compiled(
        Jinja,
        "{% if note is none or text %}-{% else %}{{ note }}{% endif %}",
        &[&slot],
    );
    compiled(
        Jinja,
        "{{ note and note | upper }}",
        &[&format!("note: {note}")],
    );
    compiled(
        Jinja,
        "{{ '-' if note is none else note }}",
        &[&format!("{{{{ '-' if note is none else note }}}}: {note}")],
    );
}

/// In a block that is not reached for a value of its kind, a run-time template has no errors of this kind.
#[test]
fn run_time_templates_test_kinds() {
    let show = "{% macro show(v) %}{% if v is mapping and v.name %}{% for k, w in v.items() %}{{ k }}={{ w }}{% endfor %}\
                {% elif v is string %}{{ v | upper }}{% elif v is number %}{{ v + 1 }}\
                {% elif v is iterable and v is not string %}{% for x in v %}{{ x }}{% endfor %}{% else %}{{ v }}{% endif %}{% endmacro %}";
    for argument in ["text", "count", "items", "prices", "none", "true", "[text]"] {
        let template = format!("{show}{{{{ show({argument}) }}}}");
        assert_eq!(
            errors(Dialect::Jinja, &template, true),
            [""; 0],
            "{argument}"
        );
    }
    for template in [
        "{{ text.items() if text is mapping else text }}",
        "{% macro m(x=none) %}{% if x %}{{ x.name }}{% endif %}{% endmacro %}{{ m() }}",
    ] {
        assert_eq!(
            errors(Dialect::Jinja, template, true),
            [""; 0],
            "{template}"
        );
    }
    // Blocks that are reached.
    check(
        Dialect::Jinja,
        "{% if items is mapping %}-{% else %}{{ items | upper }}{% endif %}{% if text is string %}{{ text.items() }}{% endif %}{% if not text is string or prices | upper %}-{% endif %}",
        &[
            "items: filter `upper` takes a string",
            "text: method `items` takes a map",
            "prices: filter `upper` takes a string",
        ],
    );
}

#[test]
fn run_time_templates_may_leave_variables_undefined_and_recurse() {
    use Dialect::Jinja;
    compiled(
        Jinja,
        "{% if text %}{% set x = 1 %}{% endif %}{{ x }}",
        &["x: `x` may have no value here"],
    );
    compiled(
        Jinja,
        "{% macro m(n) %}{{ n }}{% if n %}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(3) }}",
        &["m: the macro `m` calls itself"],
    );
    let template = "{% macro m(n) %}{{ n }}{{ m(unknown) }}{% endmacro %}{{ m(3) }}";
    assert_eq!(
        errors(Jinja, template, true),
        ["unknown: unknown slot `unknown`"]
    );
}

/// A template from an untrusted author must not take exponential time to load.
#[test]
fn macros_that_call_others_twice_are_analyzed_in_bounded_time() {
    let mut template = "{% macro m0() %}x{% endmacro %}".to_owned();
    for index in 1..64 {
        let called = index - 1;
        template += &format!(
            "{{% macro m{index}() %}}{{{{ m{called}() }}}}{{{{ m{called}() }}}}{{% endmacro %}}"
        );
    }
    template += "{{ m63() }}";
    assert!(errors(Dialect::Jinja, &template, true).is_empty());
}

#[test]
fn uses() {
    let used = |dialect, template: &str| -> Vec<String> {
        let names = parse(template, Options::message(dialect)).names;
        let used = names.into_iter().map(|used| {
            let uses = [
                (used.shown, "shown"),
                (used.guarded, "guarded"),
                (used.defaulted, "defaulted"),
                (used.list, "list"),
                (used.unclear, "unclear"),
            ];
            let uses = uses.into_iter().filter(|(is, _)| *is).map(|(_, name)| name);
            format!("{}: {}", used.name, uses.collect::<Vec<_>>().join(" "))
        });
        used.collect()
    };
    assert_eq!(
        used(
            Dialect::Angle,
            "<a><if b><b></if><c ?? 'x'><for d in e><d></for><f | join>"
        ),
        [
            "a: shown",
            "b: guarded",
            "c: defaulted",
            "e: list",
            "f: list"
        ]
    );
    assert_eq!(
        used(
            Dialect::Jinja,
            "{% set x = a %}{{ x }}{% for i in b %}{{ i.c }}{{ loop.index }}{% endfor %}{{ d | f(e=g) }}"
        ),
        ["a: unclear", "b: list unclear", "d: shown", "g: unclear"]
    );
}

/// Python has no `null`.
#[test]
fn null_in_jinja() {
    let fields = [field("note", Kind::Option(Box::new(Kind::Text)))];
    for (template, help) in [
        (
            "{% if note == null %}x{% endif %}",
            "write `note is none` or `note is not none`",
        ),
        (
            "{% if note != nil and 1 %}x{% endif %}",
            "write `note is none` or `note is not none`",
        ),
    ] {
        let parsed = parse(template, Options::message(Dialect::Jinja));
        let context = Context {
            dialect: Dialect::Jinja,
            fields: &fields,
            owner: "Ask",
            captures: false,
            tags: &XmlTags::default(),
            unparsed_names: &[],
            fields_unparsed: false,
            run_time: false,
            reserved: &[],
        };
        let nodes = &parsed.template.nodes;
        let mut analyzer = Analyzer::new(context, "", nodes, JinjaState::default(), true);
        analyzer.resolve_message(nodes);
        let (errors, _) = analyzer.finish();
        assert_eq!(errors.len(), 1, "{template}: {errors:?}");
        assert_eq!(errors[0].help(), Some(help), "{template}");
    }
}

/// A text or a number is always true or always false.
#[test]
fn constants_in_conditions() {
    use Dialect::{Angle, Jinja};
    for (condition, constant) in [
        ("text == 'a' or 'b'", "'b'"),
        ("'b' or text == 'a'", "'b'"),
        ("text == 'a' or text == 'b' or 'c'", "'c'"),
        ("count == 1 and 2", "2"),
        ("not 'a'", "'a'"),
        ("'a'", "'a'"),
    ] {
        let message = format!("{constant}: a constant is not a condition");
        check(Angle, &format!("<if {condition}>a</if>"), &[&message]);
        if !condition.contains([' ']) || condition.starts_with("not") {
            check(Jinja, &format!("{{% if {condition} %}}a{{% endif %}}"), &[]);
            continue;
        }
        let jinja = format!("{{% if {condition} %}}a{{% endif %}}");
        check(Jinja, &jinja, &[&message]);
        let jinja = format!("{{% if text %}}b{{% elif {condition} %}}a{{% endif %}}");
        check(Jinja, &jinja, &[&message]);
    }
    check(
        Jinja,
        "{{ text or 'none' }}{% if true or text %}a{% endif %}{% if (text or 'none') %}a{% elif 1 and text %}b{% endif %}",
        &[],
    );
}

/// All errors of a template whose fields are known, each with the marked text and the help.
fn errors_with_help(options: Options, template: &str) -> Vec<String> {
    let option = |kind| Kind::Option(Box::new(kind));
    let turns = FieldInfo {
        excluded_by: Some("history"),
        ..field("turns", Kind::Unknown)
    };
    let fields = [
        field("q", Kind::Text),
        field("user", Kind::Text),
        field("mode", Kind::Text),
        field("note", option(Kind::Text)),
        field("flag", Kind::Bool),
        field("n", Kind::Int),
        field("docs", Kind::list(Kind::Text)),
        turns,
    ];
    let names = KnownNames::Fields(&fields);
    let parsed = parse_in::<Jinja>(template, options, &XmlTags::default(), names);
    let mut errors = parsed.errors;
    if errors.is_empty() {
        let context = Context {
            dialect: options.dialect,
            fields: &fields,
            owner: "Ask",
            captures: false,
            tags: &XmlTags::default(),
            unparsed_names: &[],
            fields_unparsed: false,
            run_time: false,
            reserved: &[],
        };
        let nodes = &parsed.template.nodes;
        let mut analyzer = Analyzer::new(context, template, nodes, JinjaState::default(), true);
        let is_turns = |slot: &Slot<Jinja>| slot.span.of(template).contains("turns");
        match nodes.iter().any(|node| matches!(node, Node::Role(_))) {
            true => drop(analyzer.resolve_messages(nodes, is_turns)),
            false => drop(analyzer.resolve_message(nodes)),
        }
        errors = analyzer.finish().0;
    }
    let shown = |error: &Error| {
        let help = error.help().unwrap_or_default();
        let marked = error.span.of(template);
        format!("{marked}: {}: {help}", error.message())
    };
    errors.iter().map(shown).collect()
}

/// A mistake has one error, which is at this text and contains this help, and the template with the help applied has none.
#[track_caller]
fn corrected(options: Options, template: &str, marked: &str, help: &str, right: &str) {
    let errors = errors_with_help(options, template);
    let [error] = &errors[..] else {
        panic!("{template}: {errors:#?}");
    };
    let is_there = error.starts_with(&format!("{marked}: "));
    assert!(is_there, "{template}: {error}");
    assert!(error.contains(help), "{template}: {error}");
    let none: [String; 0] = [];
    assert_eq!(errors_with_help(options, right), none, "{right}");
}

#[test]
fn text_beside_roles() {
    let angle = Options::document(Dialect::Angle);
    for (template, marked, help, right) in [
        (
            "<system>S</system>\n<history />\n<user><q></user>",
            "<history />",
            "write `<turns>`",
            "<system>S</system>\n<turns>\n<user><q></user>",
        ),
        (
            "<system>S</system>\n<examples/>\n<user><q></user>",
            "<examples/>",
            "`#[prompt(examples)]` field, such as `<examples>`",
            "<system>S</system>\n<turns>\n<user><q></user>",
        ),
        (
            "<developer>S</developer>\n<user><q></user>",
            "developer",
            "write `<system>…</system>`",
            "<system>S</system>\n<user><q></user>",
        ),
        (
            "<system>S</system>\n<human>A</human>\n<ai>B</ai><user><q></user>",
            "human",
            "write `<user>…</user>`",
            "<system>S</system>\n<user>A</user>\n<assistant>B</assistant><user><q></user>",
        ),
        (
            "Hello <user>, <q>",
            "Hello",
            "write `<input:user>` for the field `user`",
            "Hello <input:user>, <q>",
        ),
    ] {
        corrected(angle, template, marked, help, right);
    }
    // Pasted text that mentions roles is one message.
    let pasted = Options {
        input_only: true,
        ..angle
    };
    let none: [String; 0] = [];
    let text = "Review this:\n<system>x</system>\n<input:q>";
    assert_eq!(errors_with_help(pasted, text), none);
}

#[test]
fn tags_of_other_tools() {
    let angle = Options::document(Dialect::Angle);
    corrected(
        angle,
        "<raw>Use <q> here. <q>",
        "<raw>",
        "this block is never closed: add `</raw>`",
        "<raw>Use <q></raw> here. <q>",
    );
    let jinja = Options::document(Dialect::Jinja);
    for tag in [
        "role \"system\"",
        "chat role=\"system\"",
        "message role='system'",
        "system_prompt",
    ] {
        let word = tag.split(' ').next().unwrap_or_default();
        corrected(
            jinja,
            &format!("{{% {tag} %}}S{{% end{word} %}}{{% user %}}{{{{ q }}}}{{% enduser %}}"),
            word,
            "write `{% system %}…{% endsystem %}`",
            "{% system %}S{% endsystem %}{% user %}{{ q }}{% enduser %}",
        );
    }
}

/// The help for what other languages write keeps paths and comparisons.
#[test]
fn tags_of_other_languages() {
    let fields = [
        field("q", Kind::Text),
        field("mode", Kind::Text),
        field("person", Kind::Unknown),
    ];
    for (written, right) in [
        ("{{person.name}}", "<person.name>"),
        ("${person.name.first}", "<person.name.first>"),
        ("{person.name}", "<person.name>"),
        ("{{ mode.length }}", "<mode>"),
        ("{{#if (eq mode 'a')}}", "<if mode == 'a'>…</if>"),
        ("{{#if mode}}", "<if mode>…</if>"),
        ("{% if mode == \"a\" %}", "<if mode == 'a'>…</if>"),
        (
            "{% if mode != 'a' and person %}",
            "<if mode != 'a' and person>…</if>",
        ),
        ("<% if (mode === 'a') { %>", "<if mode == 'a'>…</if>"),
        ("{{ if eq .mode \"a\" }}", "<if mode == 'a'>…</if>"),
        ("{% unless mode == 'a' %}", "<if not (mode == 'a')>…</if>"),
        ("{% unless mode %}", "<if not mode>…</if>"),
        (
            "<switch mode>",
            "<if mode == '…'>…<else if mode == '…'>…</if>",
        ),
        (
            "<match mode>",
            "<if mode == '…'>…<else if mode == '…'>…</if>",
        ),
    ] {
        let text = format!("<q> <mode> <person.x> {written} a");
        let options = Options::message(Dialect::Angle);
        let names = KnownNames::Fields(&fields);
        let errors = parse_in::<Jinja>(&text, options, &XmlTags::default(), names).errors;
        let [error] = &errors[..] else {
            panic!("{text}: {errors:?}");
        };
        let help = error.help().unwrap_or_default();
        assert!(
            help.starts_with(&format!("write `{right}`")),
            "{written}: {help}"
        );
    }
}

#[test]
fn values_of_another_kind() {
    let angle = Options::message(Dialect::Angle);
    let jinja = Options::message(Dialect::Jinja);
    for (options, template, marked, help, right) in [
        (
            jinja,
            "{% for a, b in docs %}{{ a }}{{ b }}{% endfor %}",
            "docs",
            "write `{% for b in docs %}`, and `{{ loop.index }}` instead of `{{ a }}`",
            "{% for b in docs %}{{ loop.index }}{{ b }}{% endfor %}",
        ),
        (
            jinja,
            "{% if flag == 'true' %}a{% endif %}",
            "flag == 'true'",
            "write `true` without quotes",
            "{% if flag == true %}a{% endif %}",
        ),
        (
            jinja,
            "{% if n != '4' %}a{% endif %}",
            "n != '4'",
            "write `4` without quotes",
            "{% if n != 4 %}a{% endif %}",
        ),
        (
            angle,
            "<if n or 1>a</if>",
            "1",
            "write `n == 1`",
            "<if n == 1>a</if>",
        ),
        (
            jinja,
            "{% if n == 'inf' %}a{% endif %}",
            "n == 'inf'",
            "make a number of it",
            "{% if n | string == 'inf' %}a{% endif %}",
        ),
        (
            jinja,
            "{% if n == 'four' %}a{% endif %}",
            "n == 'four'",
            "make a number of it",
            "{% if n | string == 'four' %}a{% endif %}",
        ),
        (
            jinja,
            "{#if note}Note: {{ note }}{/if} {{ q }}",
            "{#",
            "write `{% if note %}…{% endif %}`",
            "{% if note %}Note: {{ note }}{% endif %} {{ q }}",
        ),
        (
            jinja,
            "{#each docs as d}{{ d }}",
            "{#",
            "write `{% for d in docs %}…{% endfor %}`",
            "{% for d in docs %}{{ d }}{% endfor %}",
        ),
        (
            angle,
            "<for d in docs | sort | lines><d></for>",
            "docs | sort",
            "join the list first",
            "<for d in docs | sort><d></for>",
        ),
        (
            angle,
            "Ann <<q>> asks",
            "<<q>>",
            "`<raw><</raw><q>>` for the value in angle brackets",
            "Ann <raw><</raw><q>> asks",
        ),
        (
            angle,
            "<if mode or note == 'x'><q></if>",
            "note",
            "write `note and note == 'x'`",
            "<if mode or note and note == 'x'><q></if>",
        ),
        (
            angle,
            "<if not note == 'x'><q></if>",
            "note",
            "write `note and note == 'x'`",
            "<if not (note and note == 'x')><q></if>",
        ),
        (
            angle,
            "<if n >= 3 and <= 5>a</if>",
            "<=",
            "write `n <= 5`",
            "<if n >= 3 and n <= 5>a</if>",
        ),
        (
            angle,
            "<if mode == 'a' and (n == 3 or == 5)>a</if>",
            "==",
            "write `n == 5`",
            "<if mode == 'a' and (n == 3 or n == 5)>a</if>",
        ),
        (
            angle,
            "<if docs == []>a</if>",
            "[",
            "write `not docs` to ask whether `docs` is empty",
            "<if not docs>a</if>",
        ),
        (
            jinja,
            "{{ q.upper }}",
            "upper",
            "write `q.upper()`",
            "{{ q.upper() }}",
        ),
        (
            jinja,
            "{{ q.trim }}",
            "trim",
            "write `q | trim`",
            "{{ q | trim }}",
        ),
    ] {
        corrected(options, template, marked, help, right);
    }
    for (condition, help) in [
        ("count == '4'", "write `4` without quotes"),
        ("count != 'True'", "write `true` without quotes"),
        ("count == 'four'", "write a number, `true` or `false`"),
    ] {
        let fields = [field("count", Kind::Number)];
        let template = format!("<if {condition}>a</if>");
        let nodes = parse(&template, Options::message(Dialect::Angle))
            .template
            .nodes;
        let context = Context {
            dialect: Dialect::Angle,
            fields: &fields,
            owner: "Ask",
            captures: false,
            tags: &XmlTags::default(),
            unparsed_names: &[],
            fields_unparsed: false,
            run_time: false,
            reserved: &[],
        };
        let state = JinjaState::default();
        let mut analyzer = Analyzer::new(context, &template, &nodes, state, true);
        analyzer.resolve_message(&nodes);
        let (errors, _) = analyzer.finish();
        assert_eq!(errors[0].help(), Some(help), "{condition}");
    }
    let pairs = problem::value::list_as_text(Dialect::Angle, "shots", &Kind::Tuple(Vec::new()));
    assert!(
        pairs
            .help()
            .unwrap()
            .starts_with("write `<for first, second in shots><first>: <second></for>`")
    );
}
