#[prompt(
    syntax = "jinja",
    user = "# {{ title }}{% if note %} ({{ note }}){% endif %}
{% for p in people | sort(attribute='name') %}{{ loop.index }}. {{ p.name | upper }}
{% endfor %}{% set share = total / people | length %}{{ share | round(1) }} {{ 'many' if total > 10 else 'few' }}"
)]
struct Bill {
    title: String,
    note: Option<String>,
    people: Vec<Person>,
    total: f64,
}
