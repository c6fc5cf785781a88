//! Engines that read their templates at run time; reading them is not measured.

use handlebars::Handlebars;
use minijinja::{Environment, Value, context};
use tera::{Context, Tera};

use super::Found;

const JINJA: &str = "Passages:\n{% for p in passages %}- {{ p.title }}, p. {{ p.page }}: {{ p.text }}\n{% endfor %}\
    Question: {{ question }}";

const HANDLEBARS: &str = "Passages:\n{{#each passages}}- {{title}}, p. {{page}}: {{text}}\n{{/each}}Question: {{question}}";

const NAME: &str = "found.txt";

pub(super) struct Engines {
    minijinja: Environment<'static>,
    tera: Tera,
    handlebars: Handlebars<'static>,
}

impl Engines {
    pub(super) fn new() -> Engines {
        let mut minijinja = Environment::new();
        minijinja
            .add_template(NAME, JINJA)
            .expect("the template is right");
        let mut tera = Tera::default();
        tera.add_raw_template(NAME, JINJA)
            .expect("the template is right");
        let mut handlebars = Handlebars::new();
        handlebars.register_escape_fn(handlebars::no_escape);
        handlebars
            .register_template_string(NAME, HANDLEBARS)
            .expect("the template is right");
        Engines {
            minijinja,
            tera,
            handlebars,
        }
    }

    pub(super) fn minijinja(&self, found: &Found) -> String {
        let template = self.minijinja.get_template(NAME).expect("it was added");
        let passages = found.passages.iter();
        let passages: Vec<Value> = passages
            .map(
                |p| context! { title => p.title.as_str(), text => p.text.as_str(), page => p.page },
            )
            .collect();
        let context = context! {
            passages => passages,
            question => found.question.as_str(),
        };
        template.render(context).expect("nothing in it can fail")
    }

    pub(super) fn tera(&self, found: &Found) -> String {
        let context = Context::from_serialize(found).expect("what was found is an object");
        self.tera
            .render(NAME, &context)
            .expect("nothing in it can fail")
    }

    pub(super) fn handlebars(&self, found: &Found) -> String {
        self.handlebars
            .render(NAME, found)
            .expect("nothing in it can fail")
    }
}
