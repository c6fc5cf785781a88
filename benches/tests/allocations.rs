//! A new text takes one allocation, a reused `String` none.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    user = "You help the customers of <product>.\nCustomer: <customer>\nOrder: <order>\nDays since delivery: <days>\n\n\
            Passages:\n<passages>\n\nQuestion: <question>\n\nAnswer:"
)]
struct Ask<'a> {
    product: &'a str,
    customer: String,
    order: u64,
    days: i32,
    passages: &'a str,
    question: &'a str,
}

/// Checks a prompt of about this many bytes.
#[track_caller]
fn check(bytes: usize) {
    let passages = "x".repeat(bytes);
    let ask = Ask {
        product: "Acme Router 3000",
        customer: "Ada Lovelace".to_owned(),
        order: 1_815_121_042,
        days: -36,
        passages: &passages,
        question: "May I send back a router that I have opened?",
    };
    let expected = format!(
        "You help the customers of Acme Router 3000.\nCustomer: Ada Lovelace\nOrder: 1815121042\nDays since delivery: -36\n\n\
         Passages:\n{passages}\n\nQuestion: May I send back a router that I have opened?\n\nAnswer:"
    );
    let mut text = String::new();
    let fresh = allocation_counter::measure(|| text = ask.to_plain_text().unwrap());
    assert_eq!(text, expected);
    // The text, and the list of the ranges that are data.
    assert_eq!(fresh.count_total, 2);
}

#[test]
fn allocations_of_a_plain_text() {
    check(0);
    check(600);
    check(2_400);
    check(20_000);
}
