//! Two variants with the same name, and two fields of one name.

use typed_prompt::Tools;

#[derive(Tools)]
enum Action {
    GetURL,
    GetUrl {
        #[tool(name = "address")]
        url: String,
        address: String,
    },
    #[tool(name = "get_url")]
    Fetch,
}

fn main() {}
