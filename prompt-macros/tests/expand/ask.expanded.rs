const _: () = {
    macro_rules! if_typed_prompt_is_renamed__add_the_key__crate_equals_its_path {
        () => {
            use ::typed_prompt::__private as _typed_prompt;
        };
    }
    if_typed_prompt_is_renamed__add_the_key__crate_equals_its_path! {}
    #[automatically_derived]
    impl<'a> _typed_prompt::Prompt for Ask<'a> {
        type Output = Answer;
        const INFO: _typed_prompt::PromptInfo = _typed_prompt::PromptInfo::new("Ask")
            .with_doc("Answers a customer's question from retrieved passages.")
            .with_slots(
                _typed_prompt::slots_from_lines(
                    "system product 1 29\nuser p 1 23\nuser question 1 46\n",
                ),
            )
            .with_trusted(&["product"])
            .with_position("", 1, 2)
            .with_fingerprint(11321805579766683688);
        fn render(&self, out: &mut _typed_prompt::Writer) {
            out.role(_typed_prompt::Role::System);
            out.slots(
                &[("You are a support agent of ", "product")],
                &[_typed_prompt::SlotData::Str(self.product)],
                ". Answer only from the passages.",
            );
            out.role(_typed_prompt::Role::User);
            for p in _typed_prompt::iter_list(&self.passages) {
                out.slots(&[("- ", "p")], &[_typed_prompt::SlotData::Str(p)], "\n");
            }
            out.slots(
                &[("Question: ", "question")],
                &[_typed_prompt::SlotData::Str(self.question)],
                "",
            );
        }
        fn output_schema() -> _typed_prompt::OutputSchema {
            _typed_prompt::answer::<Answer>().schema()
        }
        fn parse_reply(reply: &_typed_prompt::Reply) -> _typed_prompt::Result<Answer> {
            _typed_prompt::answer::<Answer>().parse(reply)
        }
    }
    #[automatically_derived]
    impl<'a> _typed_prompt::AcceptsTools for Ask<'a> {}
    #[allow(unexpected_cfgs)]
    const _: () = {
        #[cfg(rust_analyzer)]
        fn slots<'a>(input: &Ask<'a>) {
            if let Ask { product, passages, question, .. } = input {
                let _ = _typed_prompt::core::format_args!(
                    r"                          {product}                                "
                );
                let _ = _typed_prompt::core::format_args!(
                    r"        {passages}                               {question}"
                );
            }
        }
    };
};
