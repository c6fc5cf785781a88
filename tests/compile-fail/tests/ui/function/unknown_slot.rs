//! Error 1: a slot of a function that names no argument.

#[typed_prompt::function(user = "Classify <tiket>.")]
fn triage(ticket: &str) -> bool;

fn main() {}
