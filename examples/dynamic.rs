//! A template that is loaded at run time: it can be edited without a rebuild, and has the checks of the compiler.

use typed_prompt::{Dynamic, Fields, Prompt};

#[derive(Prompt, Fields)]
#[prompt(file = "examples/prompts/support.prompt")]
struct Support<'a> {
    #[prompt(trusted)]
    product: &'a str,
    question: &'a str,
    order: Option<u64>,
}

fn main() -> typed_prompt::Result<()> {
    let ask = Support {
        product: "Acme Router",
        question: "Where is my parcel?",
        order: Some(4711),
    };

    // The file as it is now; it may have changed since the program was built.
    let mut live = Dynamic::<Support>::load("examples/prompts/support.prompt")?;
    println!("{}", live.messages(&ask)?.preview());

    // A mistake in it is found before it reaches a model, and the old template stays.
    live.reload()?;
    if let Err(error) =
        Dynamic::<Support>::parse("Help with <quesion>: <product>, <order ?? \"no order\">")
    {
        println!("{error:#}");
    }

    // Whatever takes a prompt takes it with this template.
    println!("{}", live.fill(&ask).to_text(typed_prompt::format::CHATML)?);
    Ok(())
}
