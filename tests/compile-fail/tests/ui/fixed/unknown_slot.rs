//! Fixes of error 1: the name of a field, or an escape that keeps the tag as text.

use typed_prompt::{Prompt, prompt};

#[derive(Prompt)]
#[prompt(user = "Use <context>, not \\<contxt>.")]
struct Ask {
    context: String,
}

#[derive(Prompt)]
#[prompt(user = r"Solve $\frac{{a}}{{b}} = {x}$", syntax = "brace")]
struct Solve {
    x: f64,
}

#[derive(Prompt)]
#[prompt(user = "Hello <user.name>\\<br>")]
struct Greet {
    user: User,
}

struct User {
    name: String,
}

#[test]
fn renders() {
    let language = "French";
    let all = [
        Ask {
            context: "a".into(),
        }
        .messages()
        .unwrap(),
        Solve { x: 0.5 }.messages().unwrap(),
        Greet {
            user: User { name: "b".into() },
        }
        .messages()
        .unwrap(),
        prompt!("Translate this into <language>.").unwrap(),
        prompt!("<language>: \\<String>, Option\\<u8>").unwrap(),
    ];
    let texts = all.map(|messages| messages[0].text().into_owned());
    assert_eq!(texts[0], "Use a, not <contxt>.");
    assert_eq!(texts[1], r"Solve $\frac{a}{b} = 0.5$");
    assert_eq!(texts[2], "Hello b<br>");
    assert_eq!(texts[3], "Translate this into French.");
    assert_eq!(texts[4], "French: <String>, Option<u8>");
}
