///The prompt that [`triage`](fn@triage) makes.
#[allow(non_camel_case_types, dead_code)]
#[must_use = "a prompt is asked with `llm.call(…)`"]
pub struct triage<'product, 'ticket, T> {
    product: &'product str,
    ticket: Cow<'ticket, str>,
    __answer: ::typed_prompt::__private::core::marker::PhantomData<fn() -> (T,)>,
}
/// Sorts.
#[allow(clippy::needless_lifetimes)]
pub fn triage<'product, 'ticket, T>(
    product: &'product str,
    ticket: Cow<'ticket, str>,
) -> triage<'product, 'ticket, T> {
    triage {
        product,
        ticket,
        __answer: ::typed_prompt::__private::core::marker::PhantomData,
    }
}
#[automatically_derived]
impl<'product, 'ticket, T> ::typed_prompt::__private::Prompt
for triage<'product, 'ticket, T> {
    type Output = Vec<T>;
    const INFO: ::typed_prompt::__private::PromptInfo = ::typed_prompt::__private::PromptInfo::new(
            "triage",
        )
        .with_doc("Sorts.")
        .with_slots("system product 1 15\nuser ticket 1 11\n")
        .with_trusted(&["product"])
        .with_position("", 1, 2)
        .with_fingerprint(12240394253592536956);
    fn render(&self, out: &mut ::typed_prompt::__private::Writer) {
        use ::typed_prompt::__private::{Role, SlotData};
        out.role(Role::System);
        out.slots(&[("You work for ", "product")], &[SlotData::Str(self.product)], ".");
        out.role(Role::User);
        out.slots(&[("Classify ", "ticket")], &[SlotData::Value(&self.ticket)], ".");
    }
    fn output_schema() -> ::typed_prompt::__private::OutputSchema {
        ::typed_prompt::__private::answer::<Vec<T>>().schema()
    }
    fn parse_reply(
        reply: &::typed_prompt::__private::Reply,
    ) -> ::typed_prompt::__private::Result<Vec<T>> {
        ::typed_prompt::__private::answer::<Vec<T>>().parse(reply)
    }
}
#[automatically_derived]
impl<'product, 'ticket, T> ::typed_prompt::__private::AcceptsTools
for triage<'product, 'ticket, T> {}
#[allow(unexpected_cfgs)]
const _: () = {
    #[cfg(rust_analyzer)]
    fn slots<'product, 'ticket, T>(input: &triage<'product, 'ticket, T>) {
        if let triage { product, ticket, __answer, .. } = input {
            let _ = ::typed_prompt::__private::core::format_args!(
                r"            {product} "
            );
            let _ = ::typed_prompt::__private::core::format_args!(r"        {ticket} ");
        }
    }
};
