const _: () = {
    macro_rules! if_typed_prompt_is_renamed__add_the_key__crate_equals_its_path {
        () => {
            use ::typed_prompt::__private as _typed_prompt;
        };
    }
    if_typed_prompt_is_renamed__add_the_key__crate_equals_its_path! {}
    #[automatically_derived]
    impl _typed_prompt::ToPrompt for Passage {
        fn write(&self, out: &mut _typed_prompt::Writer) {
            out.slots(
                &[("", "title"), (": ", "photo")],
                &[
                    _typed_prompt::SlotData::Str(&self.title),
                    _typed_prompt::SlotData::Value({
                        #[diagnostic::on_unimplemented(
                            message = "`{Self}` cannot fill the slot `photo`",
                            label = "neither text, number, `bool`, `char` nor path",
                            note = "the slot is here\n --> 1:11\n  |\n1 | \"<title>: <photo>\"\n  |           ^^^^^^^ this slot",
                            note = "a type of your own: derive `Label` for an enum without fields; make a struct, also one that is a prompt, a fragment: `#[prompt(fragment = \"…\")]`; or implement `ToPrompt`",
                            note = "a type that prints itself, also of another crate: write `<photo | display>`; one with `Debug` only, such as a tuple or a `Duration`: `<photo | debug>`",
                            note = "an `Option` needs a condition, `<if photo>…<photo>…</if>`, or a default, `<photo ?? 'none'>`",
                            note = "a list needs a loop, `<for item in photo>…<item>…</for>`, or a filter, `<photo | join(', ')>`"
                        )]
                        trait Slot: _typed_prompt::ToPrompt {}
                        #[diagnostic::do_not_recommend]
                        impl<
                            T: _typed_prompt::ToPrompt
                                + ?_typed_prompt::core::marker::Sized,
                        > Slot for T {}
                        fn slot<T: Slot>(value: &T) -> &dyn _typed_prompt::ToPrompt {
                            value
                        }
                        slot(&self.photo)
                    }),
                ],
                "",
            );
        }
    }
    #[automatically_derived]
    impl _typed_prompt::Truthy for Passage {}
    #[automatically_derived]
    impl _typed_prompt::expr::ToValue for Passage {
        fn kind() -> _typed_prompt::expr::ValueKind {
            _typed_prompt::expr::text_kind()
        }
        fn to_value(
            &self,
            source: _typed_prompt::Origin,
        ) -> _typed_prompt::expr::Value<'_> {
            _typed_prompt::expr::fragment_text(self, source)
        }
        fn print(&self, out: &mut _typed_prompt::Writer) {
            _typed_prompt::ToPrompt::write(self, out)
        }
    }
};
