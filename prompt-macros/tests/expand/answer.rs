#[prompt(user = "Question: <question>", assistant = "Answer: <label>", output = Answer)]
struct Row { question: String, #[prompt(answer)] label: String }
