//! A template that is loaded at run time: it is refused, or renders within its limits, whatever its fields contain.

#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use typed_prompt::{ChatFormat, Dynamic, Fields, Guard, Prompt, format};

#[derive(Prompt, Fields)]
#[prompt(
    system = "<count>",
    user = "<text><for item in list><item></for><if note><note></if><if flag>!</if><for key, value in map><key><value></for>"
)]
struct Ask<'a> {
    text: &'a str,
    list: Vec<&'a str>,
    note: Option<&'a str>,
    count: u32,
    flag: bool,
    map: BTreeMap<&'a str, f64>,
}

fuzz_target!(|input: (&str, &str, u8)| {
    let (template, data, count) = input;
    let Ok(live) = Dynamic::<Ask>::parse(template) else {
        return;
    };
    let live = live.max_steps(100_000).max_bytes(1 << 20);
    let ask = Ask {
        text: data,
        list: data.split('\n').collect(),
        note: (count % 2 == 0).then_some(data),
        count: count.into(),
        flag: count % 3 == 0,
        map: [(data, 0.5)].into(),
    };
    if let Ok(messages) = live.messages(&ask) {
        for format in format::MODEL_FORMATS
            .iter()
            .skip(usize::from(count) % 8)
            .step_by(8)
        {
            let _ = messages.to_text(*format);
            let _ = messages.to_text((*format).guard(Guard::Reject));
        }
    }
});
