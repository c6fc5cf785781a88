//! typed-prompt.

use typed_prompt::{Messages, Prompt};

use super::Ticket;

#[derive(Prompt)]
#[prompt(
    user = "You help the customers of <product>.\nAnswer from the passages only, in the customer's language, in at most \
            five sentences. If the passages do not say it, write that you do not know and offer to ask a colleague.\n\n\
            Customer: <customer>\nOrder: <order>\nDays since delivery: <days>\n\nPassages:\n<passages>\n\n\
            Question: <question>\n\nAnswer:"
)]
pub(crate) struct Ask<'a> {
    product: &'a str,
    customer: &'a str,
    order: u64,
    days: u32,
    passages: &'a str,
    question: &'a str,
}

impl<'a> Ask<'a> {
    pub(crate) fn of(ticket: &'a Ticket) -> Ask<'a> {
        Ask {
            product: &ticket.product,
            customer: &ticket.customer,
            order: ticket.order,
            days: ticket.days,
            passages: &ticket.passages,
            question: &ticket.question,
        }
    }
}

pub(crate) fn text(ask: &Ask<'_>) -> String {
    ask.to_plain_text().expect("nothing in it can fail")
}

pub(crate) fn write(ask: &Ask<'_>, out: &mut String) {
    out.push_str(&text(ask));
}

pub(crate) fn shown(messages: &Messages) -> String {
    messages[0].text().into_owned()
}
