///The prompt that [`triage`](fn@triage) makes.
#[allow(non_camel_case_types, dead_code)]
#[must_use = "a prompt is asked with `llm.call(…)`"]
pub struct triage<'product, 'ticket, T> {
    product: &'product str,
    ticket: Cow<'ticket, str>,
    __answer: [fn() -> (T,); 0],
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
        __answer: [],
    }
}
const _: () = {
    macro_rules! if_typed_prompt_is_renamed__add_the_key__crate_equals_its_path {
        () => {
            use ::typed_prompt::__private as _typed_prompt;
        };
    }
    if_typed_prompt_is_renamed__add_the_key__crate_equals_its_path! {}
    #[automatically_derived]
    impl<'product, 'ticket, T> _typed_prompt::Prompt for triage<'product, 'ticket, T> {
        type Output = Vec<T>;
        const INFO: _typed_prompt::PromptInfo = _typed_prompt::PromptInfo::new("triage")
            .with_doc("Sorts.")
            .with_slots(
                _typed_prompt::slots_from_lines(
                    "system product 1 15\nuser ticket 1 11\n",
                ),
            )
            .with_trusted(&["product"])
            .with_position("", 1, 2)
            .with_fingerprint(12240394253592536956);
        fn render(&self, out: &mut _typed_prompt::Writer) {
            out.role(_typed_prompt::Role::System);
            out.slots(
                &[("You work for ", "product")],
                &[_typed_prompt::SlotData::Str(self.product)],
                ".",
            );
            out.role(_typed_prompt::Role::User);
            out.slots(
                &[("Classify ", "ticket")],
                &[_typed_prompt::SlotData::Value(&self.ticket)],
                ".",
            );
        }
        fn output_schema() -> _typed_prompt::OutputSchema {
            _typed_prompt::answer::<Vec<T>>().schema()
        }
        fn parse_reply(reply: &_typed_prompt::Reply) -> _typed_prompt::Result<Vec<T>> {
            _typed_prompt::answer::<Vec<T>>().parse(reply)
        }
    }
    #[automatically_derived]
    impl<'product, 'ticket, T> _typed_prompt::AcceptsTools
    for triage<'product, 'ticket, T> {}
    #[allow(unexpected_cfgs)]
    const _: () = {
        #[cfg(rust_analyzer)]
        fn slots<'product, 'ticket, T>(input: &triage<'product, 'ticket, T>) {
            if let triage { product, ticket, __answer, .. } = input {
                let _ = _typed_prompt::core::format_args!(r"            {product} ");
                let _ = _typed_prompt::core::format_args!(r"        {ticket} ");
            }
        }
    };
};
