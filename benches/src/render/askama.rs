//! askama, whose templates are compiled too.

use askama::Template;

use super::Ticket;

#[derive(Template)]
#[template(
    ext = "txt",
    source = "You help the customers of {{ product }}.\nAnswer from the passages only, in the customer's language, in at \
              most five sentences. If the passages do not say it, write that you do not know and offer to ask a \
              colleague.\n\nCustomer: {{ customer }}\nOrder: {{ order }}\nDays since delivery: {{ days }}\n\nPassages:\n\
              {{ passages }}\n\nQuestion: {{ question }}\n\nAnswer:"
)]
pub(crate) struct Compiled<'a> {
    product: &'a str,
    customer: &'a str,
    order: u64,
    days: u32,
    passages: &'a str,
    question: &'a str,
}

impl<'a> Compiled<'a> {
    pub(crate) fn of(ticket: &'a Ticket) -> Compiled<'a> {
        Compiled {
            product: &ticket.product,
            customer: &ticket.customer,
            order: ticket.order,
            days: ticket.days,
            passages: &ticket.passages,
            question: &ticket.question,
        }
    }
}

pub(crate) fn text(compiled: &Compiled<'_>) -> String {
    compiled.render().expect("nothing in it can fail")
}

pub(crate) fn write(compiled: &Compiled<'_>, out: &mut String) {
    compiled.render_into(out).expect("nothing in it can fail");
}
