//! Unknown keys, keys twice, elsewhere, and without what they need.

use typed_prompt::Tools;

#[derive(Tools)]
#[tool(name = "actions")]
enum Action {
    #[tool(nam = "weather")]
    Weather {
        #[tool(default = 3)]
        days: u8,
        #[tool(name)]
        city: String,
        #[tool(default, default)]
        unit: u8,
    },
    #[tool]
    Now,
    #[tool(default)]
    Later,
    #[tool(name = now)]
    Soon,
}

fn main() {}
