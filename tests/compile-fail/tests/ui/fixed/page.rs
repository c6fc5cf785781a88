//! For each error one mistake, repaired: the fixes that `docs/errors.md` shows beside the mistakes. Each compiles.

mod error_1 {
    use typed_prompt::Prompt;

    #[derive(Prompt)]
    #[prompt(user = "Answer this: <context>")]
    struct Ask {
        context: String,
    }
}

mod error_2 {
    use typed_prompt::Prompt;

    #[derive(Prompt)]
    #[prompt(user = "Answer this: <question>\n<context>")]
    struct Ask {
        question: String,
        context: String,
    }
}

mod error_3 {
    use typed_prompt::Prompt;

    #[derive(Prompt)]
    #[prompt(user = "Answer this: <if context>Context: <context></if>")]
    struct Ask {
        context: String,
    }
}

mod error_4 {
    use typed_prompt::Prompt;

    #[derive(Prompt)]
    #[prompt(user = "<question>", output = String)]
    struct Ask {
        question: String,
    }
}

mod error_5 {
    use typed_prompt::Prompt;

    #[derive(Prompt)]
    #[prompt(user = "<question>")]
    struct Ask {
        question: String,
    }
}

mod error_6 {
    use typed_prompt::Prompt;

    #[derive(Prompt)]
    #[prompt(system = "Be brief.", user = "<question>")]
    struct Ask {
        question: String,
    }
}

mod error_7 {
    use typed_prompt::Prompt;

    #[derive(Prompt)]
    #[prompt(system = "Answer what you are asked.", user = "<context>")]
    struct Ask {
        context: String,
    }
}

mod error_8 {
    use typed_prompt::Prompt;

    #[derive(Prompt)]
    #[prompt(user = "Answer this: <context>", format = llama3)]
    struct Ask {
        context: String,
    }
}

mod error_9 {
    use typed_prompt::Prompt;

    #[derive(Prompt)]
    #[prompt(user = "Question: <question>", assistant = "<label>")]
    struct Row {
        question: String,
        #[prompt(answer)]
        label: String,
    }
}

mod error_10 {
    use typed_prompt::Prompt;

    #[derive(Prompt)]
    #[prompt(user = "Answer this: <context><input:context></context>")]
    struct Ask {
        context: String,
    }
}

mod error_11 {
    use typed_prompt::Prompt;

    #[derive(Prompt)]
    #[prompt(user = "Hello <name>")]
    struct Greet {
        name: String,
    }
}

mod error_12 {
    use typed_prompt::Prompt;

    #[derive(Prompt)]
    #[prompt(syntax = "jinja", user = "{{ text }}")]
    struct Ask {
        text: String,
    }
}

mod error_13 {
    use typed_prompt::Prompt;

    #[derive(Prompt)]
    #[prompt(file = "tests/ui/prompts/right.prompt")]
    struct Ask {
        question: String,
    }
}

mod error_14 {
    use typed_prompt::Prompt;

    #[derive(Prompt)]
    #[prompt(fragment = "<name>")]
    struct Person {
        name: String,
    }

    #[derive(Prompt)]
    #[prompt(user = "Hello <person>")]
    struct Greet {
        person: Person,
    }
}

mod error_15 {
    use typed_prompt::Prompt;

    #[derive(Prompt)]
    #[prompt(user = "<if context>Answer this: <context></if>")]
    struct Ask {
        context: Option<String>,
    }
}

mod error_16 {
    use typed_prompt::Prompt;

    #[derive(Prompt)]
    #[prompt(user = "Answer this: <for p in context | lines><p></for>")]
    struct Ask {
        context: String,
    }
}

mod error_17 {
    use typed_prompt::Prompt;

    #[derive(Prompt)]
    #[prompt(user = "Answer this: <context | truncate(200)>")]
    struct Ask {
        context: String,
    }
}

mod error_18 {
    use typed_prompt::Prompt;

    #[derive(Prompt)]
    #[prompt(user = "<question>", format = chatml)]
    struct Ask {
        question: String,
        #[prompt(history)]
        history: typed_prompt::History,
    }
}

mod error_19 {
    use typed_prompt::{Llm, MockLlm, Prompt, Tools};

    #[derive(Tools)]
    enum Action {
        /// What time it is.
        Now,
    }

    #[derive(Prompt)]
    #[prompt(user = "<question>")]
    struct Ask {
        question: String,
    }

    async fn answer(llm: &MockLlm, ask: &Ask) {
        let answer = llm.with_tools(ask).answer(async |_: Action| Ok("noon"));
        let _ = answer.await;
    }
}

mod error_20 {
    use typed_prompt::Prompt;

    #[derive(Prompt)]
    #[prompt(user = "<question> <context>")]
    struct Ask {
        question: String,
        context: String,
    }

    fn ask() -> Ask {
        Ask {
            question: "Why?".into(),
            context: String::new(),
        }
    }
}

mod error_21 {
    use typed_prompt::Prompt;

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Answer {
        text: String,
    }

    #[derive(Prompt)]
    #[prompt(user = "<question>", output = Answer)]
    struct Ask {
        question: String,
    }
}

mod error_22 {
    use typed_prompt::Prompt;

    #[derive(Prompt)]
    #[prompt(system = "Answer this.", user = "<picture>")]
    struct Ask {
        #[prompt(media)]
        picture: typed_prompt::Media,
    }
}

mod error_23 {
    use typed_prompt::Prompt;

    #[derive(Prompt)]
    #[prompt(
        user = "<ticket> (<urgency>)",
        assistant = "<label>",
        examples = "tests/ui/prompts/right_examples.jsonl"
    )]
    struct Triage {
        ticket: String,
        urgency: u8,
        #[prompt(answer)]
        label: String,
    }
}

mod error_24 {
    use typed_prompt::Prompt;

    #[derive(Prompt)]
    #[prompt(
        syntax = "jinja",
        user = "{% include 'tests/ui/prompts/words.prompt' %}"
    )]
    struct Ask;
}
