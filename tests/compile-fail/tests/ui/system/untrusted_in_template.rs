//! Error 7: a field in the system message that is not trusted, in a literal with roles.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(
    "
    <system>
    You know <context>.
    </system>
    <user>Go.</user>"
)]
struct Ask {
    context: String,
}

fn main() {}
