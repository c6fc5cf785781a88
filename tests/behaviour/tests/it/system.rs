//! Every way by which a run-time string could reach the system message of a prompt, and what each needs.

use typed_prompt::dynamic::Fields;
use typed_prompt::{Dynamic, Prompt};

#[derive(Prompt, Fields, Clone)]
#[prompt(
    system = "{{ own }}",
    user = "{{ q }} {{ letters }} {{ letter }} {{ words }} {{ pairs }} {{ table }} {{ boxed }} {{ nested }} {{ number }}
        {%- if maybe %}{{ maybe }}{% endif %}",
    syntax = "jinja"
)]
struct Jinja {
    #[prompt(trusted)]
    own: String,
    q: String,
    letters: Vec<char>,
    letter: char,
    words: Vec<String>,
    maybe: Option<Vec<String>>,
    pairs: Vec<(String, u8)>,
    table: std::collections::BTreeMap<String, u8>,
    boxed: Box<[Box<char>]>,
    nested: Vec<Vec<char>>,
    number: u32,
}

#[derive(Prompt, Fields)]
#[prompt(
    system = "<own>",
    user = "<q> <letters | join(\"\")> <letter> <words | join(\"\")> <maybe ?? own> <number>"
)]
struct Angle {
    #[prompt(trusted)]
    own: String,
    q: String,
    letters: Vec<char>,
    letter: char,
    words: Vec<String>,
    maybe: Option<String>,
    number: u32,
}

/// What a template that shows untrusted data in the system message is told.
fn refused<P: Fields>(dialect: &str, system: &str) {
    let text = match dialect {
        "jinja" => format!("{{% system %}}{system}{{% endsystem %}}{{% user %}}x{{% enduser %}}"),
        _ => format!("<system>{system}</system><user>x</user>"),
    };
    let error = match Dynamic::<P>::parse(&text) {
        Err(error) => format!("{error:#}"),
        Ok(_) => panic!("accepted in the system message: {system}"),
    };
    assert!(error.contains("in the system message"), "{system}: {error}");
}

#[test]
fn data_of_a_run_time_template_in_jinja() {
    for system in [
        "{{ q }}",
        "{{ letter }}",
        "{{ letters | join }}",
        "{{ letters | join('') }}",
        "{{ letters }}",
        "{{ letters[0] }}",
        "{{ boxed | join }}",
        "{{ nested | sum(start=[]) | join }}",
        "{% for row in nested %}{{ row | join }}{% endfor %}",
        "{% for c in letters %}{{ c }}{% endfor %}",
        "{% for c in q %}{{ c }}{% endfor %}",
        "{% for c in letters %}{{ loop.previtem }}{% endfor %}",
        "{% for c in words %}{% if not loop.last %}{{ loop.nextitem }}{% endif %}{% endfor %}",
        "{% for i in [1, 2] %}{{ loop.cycle(q, q) }}{% endfor %}",
        "{{ words | first }}",
        "{{ words | last }}",
        "{{ words | join(', ') }}",
        "{{ words | map('upper') | join }}",
        "{{ words | list | string }}",
        "{{ words | tojson }}",
        "{{ words[0] }}",
        "{{ words[-1:] }}",
        "{{ (words | sort)[0] }}",
        "{% if maybe %}{{ maybe | join }}{% endif %}",
        "{{ pairs[0][0] }}",
        "{% for name, n in pairs %}{{ name }}{% endfor %}",
        "{% for name in table %}{{ name }}{% endfor %}",
        "{% for name, n in table.items() %}{{ name }}{% endfor %}",
        "{{ table.keys() | join }}",
        "{{ table }}",
        "{{ q ~ own }}",
        "{{ own ~ q }}",
        "{{ own + q }}",
        "{{ own * 2 ~ q }}",
        "{{ q * 2 }}",
        "{{ '%s' | format(q) }}",
        "{{ '%s' % q }}",
        "{{ own.replace('x', q) }}",
        "{{ own | replace('x', q) }}",
        "{{ q.join(['a', 'b']) }}",
        "{{ [1, 2] | join(q) }}",
        "{{ own.join([q]) }}",
        "{{ q if own else own }}",
        "{{ own if own else q }}",
        "{{ own and q }}",
        "{{ own or q }}",
        "{{ q | default('x') }}",
        "{{ {'a': q}.a }}",
        "{{ {q: 1} }}",
        "{{ {q: 1} | tojson }}",
        "{{ [q, own][0] }}",
        "{{ (q, own) | join }}",
        "{{ dict(a=q).a }}",
        "{% set a = q %}{{ a }}",
        "{% set a, b = q, own %}{{ a }}",
        "{% set a %}{{ q }}{% endset %}{{ a }}",
        "{% set a = q %}{% set b = a %}{{ b ~ own }}",
        "{% set a = [q] %}{{ a[0] }}",
        "{% set ns = namespace(a=q) %}{{ ns.a }}",
        "{% set ns = namespace(a='') %}{% set ns.a = q %}{{ ns.a }}",
        "{% set ns = namespace(a='') %}{% for w in words %}{% set ns.a = ns.a ~ w %}{% endfor %}{{ ns.a }}",
        "{% with a = q %}{{ a }}{% endwith %}",
        "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(q) }}",
        "{% macro m(a=q) %}{{ a }}{% endmacro %}{{ m() }}",
        "{% macro m() %}{{ q }}{% endmacro %}{{ m() }}",
        "{% macro m() %}{{ q }}{% endmacro %}{{ m() | upper }}",
        "{% macro m() %}{{ q }}{% endmacro %}{% set a = m() %}{{ a }}",
        "{% filter upper %}{{ q }}{% endfilter %}",
        "{% filter replace('x', q) %}x{% endfilter %}",
        "{{ '%c' | format(letters | first) }}",
        "{{ q | length | string ~ q }}",
        "{{ words | groupby(0) | string }}",
        "{{ words | batch(2) | list }}",
        "{{ pairs | map(attribute=0) | join }}",
        "{{ words | select | join }}",
        "{{ words | max }}",
        "{{ q.split()[0] }}",
        "{{ q[::-1] }}",
        "{{ q | list | join }}",
        "{{ q.format() }}",
    ] {
        // What the dialect does not read is an error of its own, which is as good.
        let text = format!("{{% system %}}{system}{{% endsystem %}}{{% user %}}x{{% enduser %}}");
        match Dynamic::<Jinja>::parse(&text) {
            Ok(_) => panic!("accepted in the system message: {system}"),
            Err(error) if format!("{error:#}").contains("in the system message") => {}
            Err(error) => println!("{system}: {error}"),
        }
    }
}

#[test]
fn data_of_a_run_time_template_in_angle() {
    for system in [
        "<q>",
        "<letter>",
        "<letters | join(\"\")>",
        "<for c in letters><c></for>",
        "<words | join(\", \")>",
        "<for w in words><w></for>",
        "<if maybe><maybe></if>",
        "<maybe ?? own>",
        "<maybe ?? \"none\">",
        "<q | upper>",
        "<q | json>",
        "<q | lines>",
        "<q | truncate(3)>",
        "<words | join(own)>",
        "<input:q>",
    ] {
        refused::<Angle>("angle", system);
    }
}

/// Numbers, counts and conditions are not text.
#[test]
fn what_cannot_carry_instructions() {
    for system in [
        "{{ number }}",
        "{% if q %}yes{% endif %}",
        "{{ own | upper }}",
    ] {
        let text = format!(
            "{{% system %}}{system}{{% endsystem %}}{{% user %}}{{{{ q }}}}{{{{ own }}}}{{{{ letters }}}}{{{{ letter }}}}{{{{ words }}}}{{% if maybe %}}{{{{ maybe }}}}{{% endif %}}{{{{ pairs }}}}{{{{ table }}}}{{{{ boxed }}}}{{{{ nested }}}}{{{{ number }}}}{{% enduser %}}"
        );
        if let Err(error) = Dynamic::<Jinja>::parse(&text) {
            panic!("{system}: {error:#}");
        }
    }
}
