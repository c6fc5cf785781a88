//! A module without the prelude that does not import `diagnostic`.

mod prompts {
    #![no_implicit_prelude]

    use ::tp::Prompt;

    #[derive(Prompt)]
    #[prompt(user = "<first> <second>", crate = "::tp")]
    pub struct Ask {
        pub first: ::tp::Message,
        pub second: ::tp::Message,
    }
}

fn main() {}
