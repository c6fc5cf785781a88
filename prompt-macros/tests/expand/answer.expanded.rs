#[automatically_derived]
impl ::typed_prompt::__private::Prompt for Row {
    type Output = Answer;
    const INFO: ::typed_prompt::__private::PromptInfo = ::typed_prompt::__private::PromptInfo::new(
            "Row",
        )
        .with_slots("user question 1 12\nassistant label 1 10\n")
        .with_position("", 1, 2)
        .with_fingerprint(5018515014131058513);
    fn render(&self, out: &mut ::typed_prompt::__private::Writer) {
        use ::typed_prompt::__private::{Role, SlotData};
        out.role(Role::User);
        out.slots(&[("Question: ", "question")], &[SlotData::Str(&self.question)], "");
    }
    fn render_answer(&self, out: &mut ::typed_prompt::__private::Writer) {
        use ::typed_prompt::__private::Role;
        out.role(Role::Assistant);
        out.text("Answer: ");
        if !out.mask() {
            out.slot("label", &self.label);
        }
    }
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
impl ::typed_prompt::__private::AcceptsTools for Row {}
#[allow(unexpected_cfgs)]
const _: () = {
    #[cfg(rust_analyzer)]
    fn slots(input: &Row) {
        if let Row { question, label, .. } = input {
            let _ = ::typed_prompt::__private::core::format_args!(
                r"         {question}"
            );
            let _ = ::typed_prompt::__private::core::format_args!(r"       {label}");
        }
    }
};
