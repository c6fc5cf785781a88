//! Engines that parse their templates at run time. Parsing is not measured.

use handlebars::Handlebars;
use minijinja::{Environment, Value};
use serde::Serialize;
use tera::{Context, Tera};

const NAME: &str = "template.txt";

/// Each with one template.
pub(crate) struct Engines {
    minijinja: Environment<'static>,
    tera: Tera,
    handlebars: Handlebars<'static>,
}

impl Engines {
    pub(crate) fn new(jinja: &'static str, handlebars: &str) -> Engines {
        let mut engines = Engines {
            minijinja: Environment::new(),
            tera: Tera::default(),
            handlebars: Handlebars::new(),
        };
        engines
            .minijinja
            .add_template(NAME, jinja)
            .expect("the template is right");
        engines
            .tera
            .add_raw_template(NAME, jinja)
            .expect("the template is right");
        engines.handlebars.register_escape_fn(handlebars::no_escape);
        engines
            .handlebars
            .register_template_string(NAME, handlebars)
            .expect("the template is right");
        engines
    }

    /// minijinja receives the value of `context!`, which costs less than serializing.
    pub(crate) fn minijinja(&self, context: Value) -> String {
        let template = self.minijinja.get_template(NAME).expect("it was added");
        template.render(context).expect("nothing in it can fail")
    }

    pub(crate) fn tera(&self, values: &impl Serialize) -> String {
        let context = Context::from_serialize(values).expect("the values are an object");
        self.tera
            .render(NAME, &context)
            .expect("nothing in it can fail")
    }

    pub(crate) fn handlebars(&self, values: &impl Serialize) -> String {
        self.handlebars
            .render(NAME, values)
            .expect("nothing in it can fail")
    }
}
