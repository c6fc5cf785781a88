//! Fragments: prompts inside prompts.

use typed_prompt::Prompt;

use crate::user;

#[derive(Prompt)]
#[prompt(fragment = "- <title> (<year>)")]
struct Book {
    title: String,
    year: u16,
}

#[derive(Prompt)]
#[prompt(fragment = "<for book in books><book>\n</for>")]
struct Shelf {
    books: Vec<Book>,
}

#[derive(Prompt)]
#[prompt(user = "My books:\n<shelf><if best>Best: <best>.</if>")]
struct Ask {
    shelf: Shelf,
    best: Option<Book>,
}

fn book(title: &str, year: u16) -> Book {
    Book {
        title: title.to_owned(),
        year,
    }
}

#[test]
fn fragments_nest() {
    let shelf = || Shelf {
        books: vec![book("A", 1), book("<title>", 2)],
    };
    let text = "My books:\n- A (1)\n- <title> (2)\n";
    assert_eq!(
        user(&Ask {
            shelf: shelf(),
            best: None
        }),
        text
    );
    assert_eq!(
        user(&Ask {
            shelf: shelf(),
            best: Some(book("B", 3))
        }),
        format!("{text}Best: - B (3).")
    );
}

#[test]
fn text_of_a_fragment_is_template_text_and_its_values_are_data() {
    let prompt = Ask {
        shelf: Shelf {
            books: vec![book("A", 1)],
        },
        best: None,
    };
    let messages = prompt.messages().unwrap();
    let text = messages[0].texts().next().unwrap();
    let data: Vec<&str> = text
        .data()
        .iter()
        .map(|data| &text.as_str()[data.range.clone()])
        .collect();
    assert_eq!(data, ["A", "1"]);
}
