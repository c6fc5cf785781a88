//! Conditions, loops, filters and defaults.

use typed_prompt::{Prompt, format};

#[derive(Prompt)]
#[prompt(user = r#"Write a release note for version <version>.
<if highlights>The most important: <highlights | join(", ")>.
</if><for change in changes>- <change.title | trim><if change.breaking> (breaking)</if>
<else>Nothing has changed.
</for>Tone: <tone ?? "matter-of-fact">. At most <words> words."#)]
struct ReleaseNote {
    version: String,
    highlights: Vec<String>,
    changes: Vec<Change>,
    tone: Option<String>,
    words: usize,
}

struct Change {
    title: String,
    breaking: bool,
}

fn main() -> typed_prompt::Result<()> {
    let note = ReleaseNote {
        version: "2.0".into(),
        highlights: vec!["speed".into(), "memory".into()],
        changes: vec![
            Change {
                title: " Faster start ".into(),
                breaking: false,
            },
            Change {
                title: "No more `open`".into(),
                breaking: true,
            },
        ],
        tone: None,
        words: 80,
    };
    println!("{}", note.to_text(format::PLAIN)?);
    Ok(())
}
