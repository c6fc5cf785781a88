const _: () = {
    static __SET: ::typed_prompt::__private::tools::Once = ::typed_prompt::__private::tools::Once::new();
    fn __set() -> ::typed_prompt::__private::Result<
        &'static ::typed_prompt::__private::tools::Set,
    > {
        ::typed_prompt::__private::tools::Set::get(
            &__SET,
            |set| {
                set
                    .tool(
                        "depth",
                        &[" How deep a lake is."],
                        ::typed_prompt::__private::tools::Parameters::new()
                            .field(
                                "lake",
                                &[" The lake's name alone."],
                                false,
                                &::typed_prompt::__private::tools::argument::<String>(),
                            )
                            .field(
                                "unit",
                                &[],
                                true,
                                &::typed_prompt::__private::tools::argument::<Unit>(),
                            ),
                    )
                    .tool(
                        "search",
                        &[],
                        ::typed_prompt::__private::tools::Parameters::of(
                            &::typed_prompt::__private::tools::argument::<Search>(),
                        ),
                    )
                    .tool(
                        "clock",
                        &[],
                        ::typed_prompt::__private::tools::Parameters::new(),
                    )
            },
        )
    }
    #[automatically_derived]
    impl ::typed_prompt::__private::tools::Tools for Action {
        fn tools() -> ::typed_prompt::__private::Result<
            ::typed_prompt::__private::tools::Vec<::typed_prompt::__private::tools::Tool>,
        > {
            ::typed_prompt::__private::Result::Ok(__set()?.tools().to_vec())
        }
        fn parse(
            call: &::typed_prompt::__private::tools::ToolCall,
        ) -> ::typed_prompt::__private::Result<Self> {
            let mut called = __set()?.parse(call)?;
            ::typed_prompt::__private::Result::Ok(
                match called.index() {
                    0usize => {
                        Self::Depth {
                            lake: called
                                .take(
                                    "lake",
                                    &::typed_prompt::__private::tools::argument::<String>(),
                                )?,
                            unit: called
                                .take_or_default(
                                    "unit",
                                    &::typed_prompt::__private::tools::argument::<Unit>(),
                                )?,
                        }
                    }
                    1usize => {
                        Self::Search(
                            called
                                .whole(
                                    &::typed_prompt::__private::tools::argument::<Search>(),
                                )?,
                        )
                    }
                    _ => Self::Now,
                },
            )
        }
    }
};
