#[prompt(user = "Look at <a>.", output = Answer)]
struct Mistake { b: String, #[prompt(skip)] c: u8 }
