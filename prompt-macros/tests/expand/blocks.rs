#[prompt(
    user = "<if title and not hidden># <title>\n<else if note><note | upper></if><docs | join(\", \")> <for d in docs>- <d>\n<else>nothing</for><author.name><place ?? \"nowhere\">",
)]
struct Blocks<T> {
    title: Option<String>,
    hidden: bool,
    note: Option<T>,
    docs: Vec<String>,
    author: Author,
    place: Option<String>,
    #[prompt(extra)] knowledge: T,
    #[prompt(tools, trusted)] tools: Vec<Tool>,
    #[prompt(history)] turns: History,
    #[prompt(skip)] id: u64,
}
