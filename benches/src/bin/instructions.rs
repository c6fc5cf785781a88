//! Does one piece of work as often as it is told: `instructions CASE TIMES`. `.ci/instructions` counts what that takes.

use std::hint::black_box;
use std::process::ExitCode;

use typed_prompt::{Message, Messages, Prompt, format};

#[derive(Prompt)]
#[prompt(
    user = "You help the customers of <product>.\nAnswer from the passages only.\n\nCustomer: <customer>\nOrder: <order>\n\
            Days since delivery: <days>\n\nPassages:\n<passages>\n\nQuestion: <question>\n\nAnswer:"
)]
struct Ask<'a> {
    product: &'a str,
    customer: &'a str,
    order: u64,
    days: u32,
    passages: &'a str,
    question: &'a str,
}

const CASES: [&str; 5] = ["plain", "kept", "messages", "chatml", "json"];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [case, times] = &arguments[..] else {
        println!("{}", CASES.join("\n"));
        return ExitCode::SUCCESS;
    };
    let Ok(times) = times.parse::<usize>() else {
        eprintln!("error: `{times}` is no number");
        return ExitCode::FAILURE;
    };
    let passages = "Goods may be sent back within 60 days. ".repeat(50);
    let ask = Ask {
        product: "Acme Router 3000",
        customer: "Ada Lovelace",
        order: 1_815_121_042,
        days: 36,
        passages: &passages,
        question: "May I send back a router that I have opened?",
    };
    let chat: Messages = (0..21)
        .map(|turn| match turn % 2 {
            0 => Message::user("When is high water at Brest?"),
            _ => Message::assistant("At six, and again after twelve hours and a half."),
        })
        .collect();
    let mut text = String::new();
    let mut work: Box<dyn FnMut() -> usize> = match case.as_str() {
        "plain" => Box::new(|| ask.plain().map_or(0, |text| text.len())),
        "kept" => Box::new(|| {
            text.clear();
            usize::from(ask.plain_into(&mut text).is_ok())
        }),
        "messages" => Box::new(|| ask.messages().len()),
        "chatml" => Box::new(|| chat.to_text(format::CHATML).map_or(0, |text| text.len())),
        "json" => Box::new(|| serde_json::to_vec(&chat).map_or(0, |json| json.len())),
        _ => {
            eprintln!("error: there is no case `{case}`");
            return ExitCode::FAILURE;
        }
    };
    for _ in 0..times {
        black_box(work());
    }
    ExitCode::SUCCESS
}
