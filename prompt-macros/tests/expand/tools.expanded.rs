const _: () = {
    macro_rules! if_typed_prompt_is_renamed__add_the_key__crate_equals_its_path {
        () => {
            use ::typed_prompt::__private as _typed_prompt;
        };
    }
    if_typed_prompt_is_renamed__add_the_key__crate_equals_its_path! {}
    static __SET: _typed_prompt::tools::Once = _typed_prompt::tools::Once::new();
    fn __set() -> _typed_prompt::Result<&'static _typed_prompt::tools::Set> {
        _typed_prompt::tools::Set::get(
            &__SET,
            |set| {
                set
                    .tool(
                        "depth",
                        &[" How deep a lake is."],
                        _typed_prompt::tools::Parameters::new()
                            .field(
                                "lake",
                                &[" The lake's name alone."],
                                false,
                                &_typed_prompt::tools::argument::<String>(),
                            )
                            .field(
                                "unit",
                                &[],
                                true,
                                &_typed_prompt::tools::argument::<Unit>(),
                            ),
                    )
                    .tool(
                        "search",
                        &[],
                        _typed_prompt::tools::Parameters::from_argument(
                            &_typed_prompt::tools::argument::<Search>(),
                        ),
                    )
                    .tool("clock", &[], _typed_prompt::tools::Parameters::new())
            },
        )
    }
    #[automatically_derived]
    impl _typed_prompt::tools::Tools for Action {
        fn tools() -> _typed_prompt::Result<
            _typed_prompt::tools::Vec<_typed_prompt::tools::Tool>,
        > {
            _typed_prompt::Result::Ok(__set()?.tools().to_vec())
        }
        fn parse(call: &_typed_prompt::tools::ToolCall) -> _typed_prompt::Result<Self> {
            let mut called = __set()?.parse(call)?;
            _typed_prompt::Result::Ok(
                match called.index() {
                    0usize => {
                        Self::Depth {
                            lake: called
                                .take("lake", &_typed_prompt::tools::argument::<String>())?,
                            unit: called
                                .take_or_default(
                                    "unit",
                                    &_typed_prompt::tools::argument::<Unit>(),
                                )?,
                        }
                    }
                    1usize => {
                        Self::Search(
                            called
                                .parse_whole(&_typed_prompt::tools::argument::<Search>())?,
                        )
                    }
                    _ => Self::Now,
                },
            )
        }
    }
};
