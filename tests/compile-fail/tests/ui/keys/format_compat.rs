//! Error 4: the name of a layout that needs a feature.

use typed_prompt::Prompt;

#[derive(Prompt)]
#[prompt(system = "Be brief.", format = lazyllm_alpaca)]
struct Ask;

fn main() {}
