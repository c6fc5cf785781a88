::core::compile_error! {
    "the parameters of a tool need names, and `f64` has none\n  = help: write `Depth { …: f64 }`"
}
const _: () = {
    macro_rules! if_typed_prompt_is_renamed__add_the_key__crate_equals_its_path {
        () => {
            use ::typed_prompt::__private as _typed_prompt;
        };
    }
    if_typed_prompt_is_renamed__add_the_key__crate_equals_its_path! {}
    #[automatically_derived]
    impl _typed_prompt::tools::Tools for Action {
        fn tools() -> _typed_prompt::Result<
            _typed_prompt::tools::Vec<_typed_prompt::tools::Tool>,
        > {
            _typed_prompt::Result::Ok(_typed_prompt::tools::Vec::new())
        }
        fn parse(call: &_typed_prompt::tools::ToolCall) -> _typed_prompt::Result<Self> {
            _typed_prompt::Result::Err(call.unknown([]))
        }
    }
};
