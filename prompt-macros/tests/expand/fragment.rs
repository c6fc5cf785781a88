#[prompt(fragment = "<title>: <photo>")]
struct Passage { title: String, photo: Image }
