//! The standard library's `format!`.

use std::fmt::Write;

use super::Ticket;

macro_rules! with_template {
    ($macro:ident, $ticket:expr $(, $out:expr)?) => {{
        let Ticket { product, customer, order, days, passages, question } = $ticket;
        $macro!(
            $($out,)?
            "You help the customers of {product}.\nAnswer from the passages only, in the customer's language, in at most \
             five sentences. If the passages do not say it, write that you do not know and offer to ask a colleague.\n\n\
             Customer: {customer}\nOrder: {order}\nDays since delivery: {days}\n\nPassages:\n{passages}\n\n\
             Question: {question}\n\nAnswer:"
        )
    }};
}

pub(crate) fn text(ticket: &Ticket) -> String {
    with_template!(format, ticket)
}

pub(crate) fn write(ticket: &Ticket, out: &mut String) {
    with_template!(write, ticket, out).expect("a string takes everything");
}
