#[automatically_derived]
impl<'a> ::typed_prompt::__private::Prompt for Ask<'a> {
    type Output = Answer;
    const INFO: ::typed_prompt::__private::PromptInfo = ::typed_prompt::__private::PromptInfo::new(
            "Ask",
        )
        .with_doc("Answers a customer's question from retrieved passages.")
        .with_slots("system product 1 29\nuser p 1 23\nuser question 1 46\n")
        .with_trusted(&["product"])
        .with_position("", 1, 2)
        .with_fingerprint(11321805579766683688);
    fn render(&self, out: &mut ::typed_prompt::__private::Writer) {
        use ::typed_prompt::__private::{Role, SlotData};
        out.role(Role::System);
        out.slots(
            &[("You are a support agent of ", "product")],
            &[SlotData::Str(self.product)],
            ". Answer only from the passages.",
        );
        out.role(Role::User);
        for p in ::typed_prompt::__private::items(&self.passages) {
            out.slots(&[("- ", "p")], &[SlotData::Str(p)], "\n");
        }
        out.slots(&[("Question: ", "question")], &[SlotData::Str(self.question)], "");
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
impl<'a> ::typed_prompt::__private::AcceptsTools for Ask<'a> {}
#[allow(unexpected_cfgs)]
const _: () = {
    #[cfg(rust_analyzer)]
    fn slots<'a>(input: &Ask<'a>) {
        if let Ask { product, passages, question, .. } = input {
            let _ = ::typed_prompt::__private::core::format_args!(
                r"                          {product}                                "
            );
            let _ = ::typed_prompt::__private::core::format_args!(
                r"        {passages}                               {question}"
            );
        }
    }
};
