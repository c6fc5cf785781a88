//! Engines that read their templates at run time; reading them is not measured.

use handlebars::Handlebars;
use minijinja::{Environment, context};
use tera::{Context, Tera};

use super::Ticket;

const JINJA: &str = "You help the customers of {{ product }}.\nAnswer from the passages only, in the customer's language, \
    in at most five sentences. If the passages do not say it, write that you do not know and offer to ask a colleague.\n\n\
    Customer: {{ customer }}\nOrder: {{ order }}\nDays since delivery: {{ days }}\n\nPassages:\n{{ passages }}\n\n\
    Question: {{ question }}\n\nAnswer:";

const NAME: &str = "ticket.txt";

pub(crate) struct Engines {
    minijinja: Environment<'static>,
    tera: Tera,
    handlebars: Handlebars<'static>,
}

impl Engines {
    pub(crate) fn new() -> Engines {
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
            .register_template_string(NAME, JINJA)
            .expect("the template is right");
        Engines {
            minijinja,
            tera,
            handlebars,
        }
    }

    pub(crate) fn minijinja(&self, ticket: &Ticket) -> String {
        let template = self.minijinja.get_template(NAME).expect("it was added");
        let context = context! {
            product => ticket.product.as_str(),
            customer => ticket.customer.as_str(),
            order => ticket.order,
            days => ticket.days,
            passages => ticket.passages.as_str(),
            question => ticket.question.as_str(),
        };
        template.render(context).expect("nothing in it can fail")
    }

    pub(crate) fn tera(&self, ticket: &Ticket) -> String {
        let context = Context::from_serialize(ticket).expect("a ticket is an object");
        self.tera
            .render(NAME, &context)
            .expect("nothing in it can fail")
    }

    pub(crate) fn handlebars(&self, ticket: &Ticket) -> String {
        self.handlebars
            .render(NAME, ticket)
            .expect("nothing in it can fail")
    }
}
