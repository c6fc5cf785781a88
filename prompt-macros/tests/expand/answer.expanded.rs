const _: () = {
    macro_rules! if_typed_prompt_is_renamed__add_the_key__crate_equals_its_path {
        () => {
            use ::typed_prompt::__private as _typed_prompt;
        };
    }
    if_typed_prompt_is_renamed__add_the_key__crate_equals_its_path! {}
    #[automatically_derived]
    impl _typed_prompt::Prompt for Row {
        type Output = Answer;
        const INFO: _typed_prompt::PromptInfo = _typed_prompt::PromptInfo::new("Row")
            .with_slots(
                _typed_prompt::slots_from_lines(
                    "user question 1 12\nassistant label 1 10\n",
                ),
            )
            .with_position("", 1, 2)
            .with_fingerprint(5018515014131058513);
        fn render(&self, out: &mut _typed_prompt::Writer) {
            out.role(_typed_prompt::Role::User);
            out.slots(
                &[("Question: ", "question")],
                &[_typed_prompt::SlotData::Str(&self.question)],
                "",
            );
        }
        fn render_answer(&self, out: &mut _typed_prompt::Writer) {
            out.role(_typed_prompt::Role::Assistant);
            out.text("Answer: ");
            if !out.mask() {
                out.slot("label", &self.label);
            }
        }
        fn output_schema() -> _typed_prompt::OutputSchema {
            _typed_prompt::answer::<Answer>().schema()
        }
        fn parse_reply(reply: &_typed_prompt::Reply) -> _typed_prompt::Result<Answer> {
            _typed_prompt::answer::<Answer>().parse(reply)
        }
    }
    #[automatically_derived]
    impl _typed_prompt::AcceptsTools for Row {}
    #[allow(unexpected_cfgs)]
    const _: () = {
        #[cfg(rust_analyzer)]
        fn slots(input: &Row) {
            if let Row { question, label, .. } = input {
                let _ = _typed_prompt::core::format_args!(r"         {question}");
                let _ = _typed_prompt::core::format_args!(r"       {label}");
            }
        }
    };
};
