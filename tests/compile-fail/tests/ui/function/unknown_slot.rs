//! Error 1: a slot of a function without an argument.

#[typed_prompt::function(user = "Classify <tiket>.")]
fn triage(ticket: &str) -> bool;

fn main() {}
