//! An enum: one prompt per variant.

use typed_prompt::Prompt;

#[derive(Prompt)]
enum Step {
    #[prompt(system = "You plan. Never act.", user = "Goal: <goal>")]
    Plan { goal: String },
    #[prompt(system = "You act. Step <number> of <of>.", user = "Plan:\n<plan>")]
    Act {
        number: usize,
        of: usize,
        plan: String,
    },
}

fn main() -> typed_prompt::Result<()> {
    let steps = [
        Step::Plan { goal: "tea".into() },
        Step::Act {
            number: 1,
            of: 3,
            plan: "boil water".into(),
        },
    ];
    for step in &steps {
        println!("{}", step.messages()?.preview());
    }
    Ok(())
}
