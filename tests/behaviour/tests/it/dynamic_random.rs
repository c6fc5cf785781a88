//! Random run-time templates: each one renders, fails with a position, or is rejected with a position.

use typed_prompt::jinja::ToValue;
use typed_prompt::{Dynamic, Fields, Prompt};

#[derive(ToValue)]
struct Row {
    name: &'static str,
    age: i64,
    nick: Option<&'static str>,
}

#[derive(Prompt, Fields)]
#[prompt(
    template = "{{ t }}{{ n }}{{ f }}{{ l }}{{ rows }}{{ o | default('') }}{{ j }}",
    syntax = "jinja"
)]
struct All {
    t: &'static str,
    n: i64,
    f: f64,
    l: Vec<&'static str>,
    rows: Vec<Row>,
    o: Option<i64>,
    j: serde_json::Value,
}

/// So that no field is without a slot.
const REST: &str = "{{ t }}{{ n }}{{ f }}{{ l }}{{ rows }}{{ o | default('') }}{{ j }}";

const ATOMS: &str = "t n f l rows o j j.a j.é 'é' '' 0 -1 1.5 9223372036854775807 true none [1,'a'] (1,) {'k':n} loop.index rows[0].name x range(5) l[0]";

const OPERATORS: &str = "+ - * / // % ** ~ == < in and or not~in if~n~else";

const SUFFIXES: &str = "|upper |length |sort |sort(attribute='age') |map('upper') |map(attribute='nick') |selectattr('nick') |select('odd') \
    |round(2) |round(-400) |int |float |join(',') |tojson(indent=1) |truncate(3) |wordwrap(1) |indent(2,true) |list |first |last |reverse \
    |unique |sum |min |batch(2) |slice(3) |groupby('age') |dictsort |items |default('d') |default('d',true) |replace('a','') |title \
    |center(9) |urlencode |format(1,2) |abs |e |wordcount [0] [-1] [::-1] [1:9223372036854775807:2] .upper() .split() .items() .missing \
    ~is~odd ~is~defined ~is~none ~is~divisibleby(0)";

/// The same numbers in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).unwrap()
    }

    fn word(&mut self, words: &str) -> String {
        let words: Vec<&str> = words.split(' ').filter(|word| !word.is_empty()).collect();
        words[self.below(words.len())].replace('~', " ")
    }

    fn expression(&mut self) -> String {
        let mut text = String::new();
        for part in 0..=self.below(3) {
            if part > 0 {
                // A lone `~` is the operator.
                let operator = self.word(OPERATORS);
                let operator = if operator.trim().is_empty() {
                    "~"
                } else {
                    &operator
                };
                text += &format!(" {operator} ");
            }
            text += &self.word(ATOMS);
            for _ in 0..self.below(4) {
                text += &self.word(SUFFIXES);
            }
        }
        text
    }

    fn template(&mut self) -> String {
        let expression = self.expression();
        let shown = match self.below(5) {
            0 => format!(
                "{{% for x in {expression} %}}{{{{ x }}}}{{{{ loop.index }}}}{{% else %}}-{{% endfor %}}"
            ),
            1 => format!("{{% if {expression} %}}y{{% endif %}}"),
            2 => format!("{{% set x = {expression} %}}{{{{ x }}}}"),
            3 => format!(
                "{{% macro m(a) %}}{{{{ a }}}}{{% endmacro %}}{{{{ m({expression}) | upper }}}}"
            ),
            _ => format!("{{{{ {expression} }}}}"),
        };
        shown + REST
    }
}

#[test]
fn random_templates() {
    let row = |name, age, nick| Row { name, age, nick };
    let all = All {
        t: "Tést {{ x }} ǆß",
        n: i64::MIN,
        f: f64::NAN,
        l: vec!["a", "", "b\r\n"],
        rows: vec![row("x", 3, None), row("", -1, Some("N"))],
        o: None,
        j: serde_json::json!({"a": [1, {"b": null}, 1.5e308], "é": "x"}),
    };
    let mut random = Random(88_172_645_463_325_252);
    let (mut rendered, mut faults, mut refused) = (0, 0, 0);
    for _ in 0..2200 {
        let template = random.template();
        let error = match Dynamic::<All>::parse(&template) {
            Err(error) => {
                refused += 1;
                error
            }
            Ok(live) => match live.messages(&all) {
                Err(error) => {
                    faults += 1;
                    error
                }
                Ok(_) => {
                    rendered += 1;
                    continue;
                }
            },
        };
        let drawn = format!("{error:#}");
        assert!(drawn.contains("\n --> 1:"), "{template}\n{drawn}");
    }
    assert!(
        rendered > 100 && faults > 100 && refused > 100,
        "{rendered} {faults} {refused}"
    );
    all.messages().unwrap();
}
