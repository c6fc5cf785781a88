::core::compile_error! {
    "unknown slot `a`\n --> 1:11\n  |\n1 | \"Look at <a>.\"\n  |           ^ not a field of `Mistake`\n  = help: use `b`; or add a field `a`; or write `\\\\<a>` to keep it as text"
}
#[automatically_derived]
impl ::typed_prompt::__private::Prompt for Mistake {
    type Output = Answer;
    const INFO: ::typed_prompt::__private::PromptInfo = ::typed_prompt::__private::PromptInfo::new(
        "Mistake",
    );
    fn render(&self, out: &mut ::typed_prompt::__private::Writer) {}
    fn output_schema() -> ::typed_prompt::__private::OutputSchema {
        ::typed_prompt::__private::answer::<Answer>().schema()
    }
    fn parse_reply(
        reply: &::typed_prompt::__private::Reply,
    ) -> ::typed_prompt::__private::Result<Answer> {
        ::typed_prompt::__private::answer::<Answer>().parse(reply)
    }
}
#[automatically_derived]
impl ::typed_prompt::__private::AcceptsTools for Mistake {}
