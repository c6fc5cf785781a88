::core::compile_error! {
    "the parameters of a tool need names, and `f64` has none\n  = help: write `Depth { …: f64 }`"
}
#[automatically_derived]
impl ::typed_prompt::__private::tools::Tools for Action {
    fn tools() -> ::typed_prompt::__private::Result<
        ::typed_prompt::__private::tools::Vec<::typed_prompt::__private::tools::Tool>,
    > {
        ::typed_prompt::__private::Result::Ok(
            ::typed_prompt::__private::tools::Vec::new(),
        )
    }
    fn parse(
        call: &::typed_prompt::__private::tools::ToolCall,
    ) -> ::typed_prompt::__private::Result<Self> {
        ::typed_prompt::__private::Result::Err(call.unknown([]))
    }
}
