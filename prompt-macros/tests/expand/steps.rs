#[prompt(crate = "tp")]
enum Step {
    #[prompt(user = "Plan {goal}.", syntax = "brace")]
    Plan { goal: String, #[prompt(skip)] id: u64 },
    #[prompt(system = "You act at step <n>.", user = "<goal>", assistant = "Yes: <goal>", user = "Go")]
    Act { n: u32, goal: String },
    #[prompt(user = "Stop.")]
    Stop,
}
