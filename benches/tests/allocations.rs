//! A text that is kept costs no allocation.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(user = "What is <word> in <field>, on page <page>?")]
struct Ask<'a> {
    word: &'a str,
    field: String,
    page: u32,
}

#[test]
fn a_kept_text_costs_none() {
    let ask = Ask {
        word: "entropy",
        field: "physics".to_owned(),
        page: 1815,
    };
    let mut text = ask.plain().unwrap();
    text.clear();
    let measured = allocation_counter::measure(|| ask.plain_into(&mut text).unwrap());
    assert_eq!(text, "What is entropy in physics, on page 1815?");
    assert_eq!(measured.count_total, 0);
}
