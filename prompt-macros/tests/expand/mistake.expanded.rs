::core::compile_error! {
    "unknown slot `a`\n --> 1:11\n  |\n1 | \"Look at <a>.\"\n  |           ^ not a field of `Mistake`\n  = help: use `b`; or add a field `a`; or write `\\\\<a>` to keep it as text"
}
const _: () = {
    macro_rules! if_typed_prompt_is_renamed__add_the_key__crate_equals_its_path {
        () => {
            use ::typed_prompt::__private as _typed_prompt;
        };
    }
    if_typed_prompt_is_renamed__add_the_key__crate_equals_its_path! {}
    #[automatically_derived]
    impl _typed_prompt::Prompt for Mistake {
        type Output = Answer;
        const INFO: _typed_prompt::PromptInfo = _typed_prompt::PromptInfo::new(
            "Mistake",
        );
        fn render(&self, out: &mut _typed_prompt::Writer) {}
        fn output_schema() -> _typed_prompt::OutputSchema {
            _typed_prompt::answer::<Answer>().schema()
        }
        fn parse_reply(reply: &_typed_prompt::Reply) -> _typed_prompt::Result<Answer> {
            _typed_prompt::answer::<Answer>().parse(reply)
        }
    }
    #[automatically_derived]
    impl _typed_prompt::AcceptsTools for Mistake {}
};
