#[automatically_derived]
impl ::typed_prompt::__private::ToPrompt for Passage {
    fn write(&self, out: &mut ::typed_prompt::__private::Writer) {
        use ::typed_prompt::__private::SlotData;
        out.slots(
            &[("", "title"), (": ", "photo")],
            &[
                SlotData::Str(&self.title),
                SlotData::Value({
                    #[diagnostic::on_unimplemented(
                        message = "`{Self}` cannot fill the slot `photo`",
                        label = "neither text, number, `bool`, `char` nor path",
                        note = "the slot is here\n --> 1:11\n  |\n1 | \"<title>: <photo>\"\n  |           ^^^^^^^ this slot",
                        note = "a type that prints itself, also of another crate: write `<photo | display>`",
                        note = "a type of your own: derive `Label` for an enum without fields, derive a fragment, `#[prompt(fragment = \"…\")]`, or implement `ToPrompt`",
                        note = "an `Option` needs a condition, `<if photo>…<photo>…</if>`, or a default, `<photo ?? \"none\">`",
                        note = "a list needs a loop, `<for item in photo>…<item>…</for>`, or a filter, `<photo | join(\", \")>`"
                    )]
                    trait Slot: ::typed_prompt::__private::ToPrompt {}
                    #[diagnostic::do_not_recommend]
                    impl<
                        T: ::typed_prompt::__private::ToPrompt
                            + ?::typed_prompt::__private::core::marker::Sized,
                    > Slot for T {}
                    fn slot<T: Slot>(
                        value: &T,
                    ) -> &dyn ::typed_prompt::__private::ToPrompt {
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
impl ::typed_prompt::__private::Truthy for Passage {}
#[automatically_derived]
impl ::typed_prompt::__private::expr::ToValue for Passage {
    fn to_value(
        &self,
        source: ::typed_prompt::__private::Origin,
    ) -> ::typed_prompt::__private::expr::Value<'_> {
        ::typed_prompt::__private::expr::written(self, source)
    }
}
