//! Navigation from a slot to its field and to all its references, with the requests that an editor sends to rust-analyzer.
//!
//! It needs rust-analyzer: `rustup component add rust-analyzer`, then `cargo test -p editor -- --ignored`.

use std::path::Path;

use editor::{Place, Project, Session};

/// A name in a template (`^` is the cursor, at its start), its field, and the hover text.
struct Case {
    slot: &'static str,
    field: &'static str,
    hover: &'static str,
}

const CASES: &[Case] = &[
    Case {
        slot: "<input:^cooked>",
        field: "pub ^cooked: String",
        hover: "cooked: &String",
    },
    Case {
        slot: "<^bare>",
        field: "pub ^bare: u32",
        hover: "bare: &u32",
    },
    Case {
        slot: "one of <^maker>",
        field: "pub ^maker: &'a str",
        hover: "maker: &&",
    },
    Case {
        slot: "<if ^hint>",
        field: "pub ^hint: Option",
        hover: "hint: &Option",
    },
    Case {
        slot: "doc in ^docs>",
        field: "pub ^docs: &'a [T]",
        hover: "docs: &&",
    },
    Case {
        slot: "<^customer.surname>",
        field: "pub ^customer: Customer",
        hover: "customer: &Customer",
    },
    Case {
        slot: "{^braced}",
        field: "pub ^braced: String",
        hover: "braced: &String",
    },
    Case {
        slot: "{input:^prefixed}",
        field: "pub ^prefixed: String",
        hover: "prefixed: &String",
    },
    Case {
        slot: "Rate {{ ^film }}",
        field: "pub ^film: String",
        hover: "film: &String",
    },
    Case {
        slot: "{% if ^critic %}",
        field: "pub ^critic: String",
        hover: "critic: &String",
    },
    Case {
        slot: "As {{ ^critic | upper }}",
        field: "pub ^critic: String",
        hover: "critic: &String",
    },
    Case {
        slot: "for scene in ^scenes %}",
        field: "pub ^scenes: Vec<String>",
        hover: "scenes: &Vec<String>",
    },
    Case {
        slot: "{{ ^stars + 1 }}",
        field: "pub ^stars: u8",
        hover: "stars: &u8",
    },
    Case {
        slot: "Plan for <^aim>",
        field: "Plan { ^aim: String }",
        hover: "aim: &String",
    },
    Case {
        slot: "Do <^action>",
        field: "Act { ^action: String }",
        hover: "action: &String",
    },
];

#[test]
#[ignore = "needs rust-analyzer: `rustup component add rust-analyzer`"]
fn a_slot_leads_to_its_field() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("edited");
    let project = Project::write(&folder, include_str!("../fixture/lib.rs"))
        .expect("the project can be written");
    let mut session = Session::open(&project).expect("rust-analyzer opens the project");
    let wrong: Vec<String> = CASES
        .iter()
        .filter_map(|case| check(&mut session, &project.source, case).err())
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn check(session: &mut Session, source: &str, case: &Case) -> Result<(), String> {
    let (slot, field) = (Place::of(source, case.slot), Place::of(source, case.field));
    let failed = |error| format!("{}: {error}", case.slot);
    let definition = session.definition(slot).map_err(failed)?;
    if definition != [field] {
        return Err(format!(
            "{}: defined at {definition:?}, not {field:?}",
            case.slot
        ));
    }
    let references = session.references(slot).map_err(failed)?;
    if ![slot, field].iter().all(|place| references.contains(place)) {
        return Err(format!(
            "{}: found at {references:?}, not {slot:?} and {field:?}",
            case.slot
        ));
    }
    let hover = session.hover(slot).map_err(failed)?;
    if !hover.contains(case.hover) {
        return Err(format!("{}: hovering shows {hover}", case.slot));
    }
    Ok(())
}
