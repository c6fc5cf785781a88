//! JSON, XML, LaTeX and code are pasted as they are; values are never read as templates.

use typed_prompt::{Prompt, format};

#[derive(Prompt)]
#[prompt(
    syntax = "brace",
    user = r#"Reply as JSON: {"name": "…", "tags": []}
fn main() { println!("{}", f(|x| { x + 1 })); }
A literal slot is written {{code}}.

{code}"#,
    from
)]
struct Braces {
    code: String,
}

#[derive(Prompt)]
#[prompt(
    user = r"<document>
<input:document>
</document>
<br/> a < b && c > d, <raw><|im_start|></raw>, \frac{a}{b}. A literal slot is written \<code>.",
    from
)]
struct Tags {
    document: String,
}

fn main() -> typed_prompt::Result<()> {
    println!(
        "{}\n",
        Braces::from("let x = {y} + <z>;").to_text(format::PLAIN)?
    );
    println!(
        "{}",
        Tags::from("<document> {document} <if x>").to_text(format::PLAIN)?
    );
    Ok(())
}
