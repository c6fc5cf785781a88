const _: () = {
    use tp::__private as _typed_prompt;
    #[automatically_derived]
    impl _typed_prompt::Prompt for Step {
        type Output = _typed_prompt::String;
        const INFO: _typed_prompt::PromptInfo = _typed_prompt::PromptInfo::new("Step")
            .with_slots(
                _typed_prompt::slots_from_lines(
                    "user goal 1 7\nsystem n 1 18\nassistant goal 1 7\n",
                ),
            )
            .with_position("", 1, 2)
            .with_fingerprint(11759555834643452393);
        fn render(&self, out: &mut _typed_prompt::Writer) {
            match self {
                Self::Plan { goal: goal, .. } => {
                    out.role(_typed_prompt::Role::User);
                    out.slots(
                        &[("Plan ", "goal")],
                        &[_typed_prompt::SlotData::Str(goal)],
                        ".",
                    );
                }
                Self::Act { n: n, goal: goal, .. } => {
                    let _ = _typed_prompt::system_safe::<u32>;
                    out.role(_typed_prompt::Role::System);
                    out.slots(
                        &[("You act at step ", "n")],
                        &[_typed_prompt::SlotData::Value(n)],
                        ".",
                    );
                    out.role(_typed_prompt::Role::User);
                    out.slots(
                        &[("", "goal")],
                        &[_typed_prompt::SlotData::Str(goal)],
                        "",
                    );
                    out.role(_typed_prompt::Role::Assistant);
                    out.slots(
                        &[("Yes: ", "goal")],
                        &[_typed_prompt::SlotData::Str(goal)],
                        "",
                    );
                    out.role(_typed_prompt::Role::User);
                    out.text("Go");
                }
                Self::Stop { .. } => {
                    out.role(_typed_prompt::Role::User);
                    out.text("Stop.");
                }
            }
        }
        fn parse_reply(
            reply: &_typed_prompt::Reply,
        ) -> _typed_prompt::Result<_typed_prompt::String> {
            _typed_prompt::parse_text(reply)
        }
    }
    #[automatically_derived]
    impl _typed_prompt::AcceptsTools for Step {}
    #[allow(unexpected_cfgs)]
    const _: () = {
        #[cfg(rust_analyzer)]
        fn slots(input: &Step) {
            if let Step::Plan { goal, id, .. } = input {
                let _ = _typed_prompt::core::format_args!(r"    {goal} ");
            }
            if let Step::Act { n, goal, .. } = input {
                let _ = _typed_prompt::core::format_args!(r"               {n} ");
                let _ = _typed_prompt::core::format_args!(r"    {goal}");
            }
        }
    };
};
