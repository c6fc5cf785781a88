//! The properties of a prompt type, which need no value.

use typed_prompt::{Prompt, write::PromptInfo};

/// Answers questions.
#[derive(Prompt)]
#[prompt(
    system = "You serve <shop>.",
    user = "<question> <if more>More: <more></if>"
)]
#[allow(dead_code)]
struct Ask<'a> {
    #[prompt(trusted)]
    shop: &'a str,
    question: &'a str,
    more: Option<&'a str>,
    #[prompt(skip)]
    id: u8,
}

#[test]
fn info_contains_slots_and_location() {
    let info: &'static PromptInfo = &Ask::INFO;
    assert_eq!((info.name, info.doc.trim()), ("Ask", "Answers questions."));
    assert!(info.file.ends_with("info.rs"), "{}", info.file);
    let slots: Vec<&str> = info.slots.iter().map(|slot| slot.name).collect();
    assert_eq!(slots, ["shop", "question", "more"]);
    let roles: Vec<&str> = info
        .slots
        .iter()
        .map(|slot| slot.role.map_or("", |role| role.name()))
        .collect();
    assert_eq!(roles, ["system", "user", "user"]);
}

mod same {
    #[derive(typed_prompt::Prompt)]
    #[prompt(user = "Say <word>.")]
    #[allow(dead_code)]
    pub(super) struct Say {
        word: u8,
    }
}

mod other {
    #[derive(typed_prompt::Prompt)]
    #[prompt(user = "Say <word>!")]
    #[allow(dead_code)]
    pub(super) struct Say {
        word: u8,
    }
}

#[test]
fn a_fingerprint_changes_with_the_template() {
    assert_ne!(same::Say::INFO.fingerprint, other::Say::INFO.fingerprint);
    assert_eq!(
        same::Say::INFO.fingerprint,
        <&same::Say as Prompt>::INFO.fingerprint
    );
    const _: u64 = same::Say::INFO.fingerprint.0;
}
