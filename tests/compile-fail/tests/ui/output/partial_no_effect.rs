//! Keys of `partial` where no struct is generated: an error, and not a key that is ignored.

use typed_prompt::output::Partial;

#[derive(Partial, serde::Deserialize)]
#[partial(name = "SizeSoFar", derive(PartialEq))]
enum Size {
    #[partial(skip)]
    Small,
    Other(#[partial(complete)] String),
}

#[derive(Partial, serde::Deserialize)]
struct Title(#[partial(skip)] String);

#[derive(Partial, serde::Deserialize)]
struct Point(#[partial(complete)] u8, #[partial(complet)] u8);

#[derive(Partial, serde::Deserialize)]
#[partial(name = "StreetSoFar")]
#[serde(from = "String")]
struct Street {
    #[partial(complete)]
    name: String,
}

impl From<String> for Street {
    fn from(name: String) -> Street {
        Street { name }
    }
}

#[derive(Partial, serde::Deserialize)]
#[partial(derive(PartialEq))]
#[serde(transparent)]
struct Id {
    text: String,
}

fn main() {}
