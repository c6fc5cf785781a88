//! As fast as it can be: the exact capacity, then one copy of each piece.

use super::Ticket;

const PIECES: [&str; 7] = [
    "You help the customers of ",
    ".\nAnswer from the passages only, in the customer's language, in at most five sentences. If the passages do not \
     say it, write that you do not know and offer to ask a colleague.\n\nCustomer: ",
    "\nOrder: ",
    "\nDays since delivery: ",
    "\n\nPassages:\n",
    "\n\nQuestion: ",
    "\n\nAnswer:",
];

pub(crate) fn text(ticket: &Ticket) -> String {
    let (mut order, mut days) = (itoa::Buffer::new(), itoa::Buffer::new());
    let (order, days) = (order.format(ticket.order), days.format(ticket.days));
    let mut out = String::with_capacity(room(ticket, order, days));
    add(ticket, order, days, &mut out);
    out
}

#[inline(always)]
pub(crate) fn write(ticket: &Ticket, out: &mut String) {
    let (mut order, mut days) = (itoa::Buffer::new(), itoa::Buffer::new());
    let (order, days) = (order.format(ticket.order), days.format(ticket.days));
    out.reserve_exact(room(ticket, order, days));
    add(ticket, order, days, out);
}

#[inline(always)]
fn room(ticket: &Ticket, order: &str, days: &str) -> usize {
    let fixed: usize = PIECES.iter().map(|piece| piece.len()).sum();
    fixed
        + ticket.product.len()
        + ticket.customer.len()
        + order.len()
        + days.len()
        + ticket.passages.len()
        + ticket.question.len()
}

#[inline(always)]
fn add(ticket: &Ticket, order: &str, days: &str, out: &mut String) {
    out.push_str(PIECES[0]);
    out.push_str(&ticket.product);
    out.push_str(PIECES[1]);
    out.push_str(&ticket.customer);
    out.push_str(PIECES[2]);
    out.push_str(order);
    out.push_str(PIECES[3]);
    out.push_str(days);
    out.push_str(PIECES[4]);
    out.push_str(&ticket.passages);
    out.push_str(PIECES[5]);
    out.push_str(&ticket.question);
    out.push_str(PIECES[6]);
}
