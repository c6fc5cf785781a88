//! Runs the cases of a system, prints the failures and a summary line.

use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;

use crate::case::{Case, Check, Got, Outcome, System, Wanted};
use crate::{compile_fail, diff, table};

/// Runs all cases and fails if one of them fails.
pub(crate) fn drive(system: &System) {
    if compile_fail::is_child(system) {
        return compile_fail::compile(system);
    }
    if table::is_wanted() {
        return table::write(system);
    }
    table::check(system);
    let stderrs = compile_fail::run(system);
    let mut report = String::new();
    let mut failed = 0;
    for case in system.cases {
        if let Err(why) = check(case, &stderrs) {
            failed += 1;
            writeln!(report, "{}: {} failed\n{why}", system.name, case.id)
                .expect("a string takes everything");
        }
    }
    let passed = system.cases.len() - failed;
    let skipped = match system.skipped.len() {
        0 => String::new(),
        skipped => format!(", {skipped} skipped"),
    };
    println!(
        "{report}{}: {passed} passed, {failed} failed{skipped}",
        system.name
    );
    assert_eq!(failed, 0, "{failed} cases of {} failed", system.name);
}

fn check(case: &Case, stderrs: &compile_fail::Stderrs) -> Result<(), String> {
    match &case.check {
        Check::Run { run, wanted } => compare(execute(*run)?, *wanted),
        Check::Reject { file, words, .. } => compile_fail::check(stderrs, file, words),
        Check::Refused {
            wanted: Wanted::Error(_) | Wanted::Fails,
            ..
        } => Ok(()),
        Check::Refused { says, .. } => Err(format!("    does not compile: {says}")),
        Check::Unmapped(why) => Err(format!("    no Rust for this case: {why}")),
    }
}

/// Runs one case. A panic is a failure of that case only.
pub(crate) fn execute(run: fn() -> Outcome) -> Result<Outcome, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| {
        let words = panic.downcast_ref::<String>().map(String::as_str);
        let words = words
            .or(panic.downcast_ref::<&str>().copied())
            .unwrap_or("(no message)");
        format!("    panicked: {words}")
    })
}

fn compare(outcome: Outcome, wanted: Wanted) -> Result<(), String> {
    match (outcome, wanted) {
        (Ok(Got::Text(got)), Wanted::Text(wanted)) => equal(wanted, &got),
        (Ok(Got::Guarded(guarded, got)), Wanted::Text(wanted)) => {
            equal(wanted, &got)?;
            // The guard may insert a space into control tokens in data, and must not change anything else.
            let dense = |text: &str| text.replace(' ', "");
            if dense(&guarded) == dense(&got) {
                Ok(())
            } else {
                Err(diff::texts(wanted, &guarded))
            }
        }
        (Ok(Got::Json(got)), Wanted::Json(wanted)) => {
            let wanted: Value =
                serde_json::from_str(wanted).map_err(|error| format!("    {error}"))?;
            let same = got == wanted && definitions(&got) == definitions(&wanted);
            if same {
                Ok(())
            } else {
                Err(diff::values(&wanted, &got))
            }
        }
        (Ok(Got::Twins(got, plain)), Wanted::Twins) => equal(&plain, &got),
        (Ok(_), Wanted::Renders) | (Err(_), Wanted::Fails) => Ok(()),
        (Ok(got), Wanted::Fails) => Err(format!(
            "    expected an error, got:\n    {:?}",
            got.into_text()
        )),
        (Ok(got), Wanted::Error(kind)) => Err(format!(
            "    expected an error ({kind}), got:\n    {:?}",
            got.into_text()
        )),
        (Ok(got), _) => Err(format!(
            "    text where JSON was expected, or the reverse: {:?}",
            got.into_text()
        )),
        (Err(error), Wanted::Error(kind)) if format!("{:?}", error.kind()) == kind => Ok(()),
        (Err(error), Wanted::Error(kind)) => Err(format!(
            "    expected an error ({kind}), got one of another kind ({:?}): {error}",
            error.kind()
        )),
        (Err(error), _) => Err(format!("    error: {error}")),
    }
}

fn equal(wanted: &str, got: &str) -> Result<(), String> {
    if got == wanted {
        Ok(())
    } else {
        Err(diff::texts(wanted, got))
    }
}

/// The definitions of tools as text, because the order of their keys matters.
fn definitions(body: &Value) -> Vec<String> {
    let tools = body["tools"].as_array().map_or(&[][..], Vec::as_slice);
    tools
        .iter()
        .map(|tool| tool["function"].to_string())
        .collect()
}
