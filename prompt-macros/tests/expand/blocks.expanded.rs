#[automatically_derived]
impl<T> ::typed_prompt::__private::Prompt for Blocks<T> {
    type Output = ::typed_prompt::__private::String;
    const INFO: ::typed_prompt::__private::PromptInfo = ::typed_prompt::__private::PromptInfo::new(
            "Blocks",
        )
        .with_slots(
            "user title 1 29\nuser note 1 52\nuser docs 1 71\nuser d 1 110\nuser author.name 1 134\nuser place 1 147\n",
        )
        .with_trusted(&["tools"])
        .with_position("", 1, 2)
        .with_fingerprint(12545727016135190402);
    fn render(&self, out: &mut ::typed_prompt::__private::Writer) {
        use ::typed_prompt::__private::{Role, SlotData};
        out.history(&self.turns);
        out.role(Role::User);
        if let (::typed_prompt::__private::Some(title), true) = (
            ::typed_prompt::__private::present(&self.title),
            !::typed_prompt::__private::truthy(&self.hidden),
        ) {
            out.slots(&[("# ", "title")], &[SlotData::Str(title)], "\n");
        } else if let ::typed_prompt::__private::Some(note) = ::typed_prompt::__private::present(
            &self.note,
        ) {
            out.slots(
                &[("", "note")],
                &[SlotData::Value(&::typed_prompt::__private::filter::upper(note))],
                "",
            );
        }
        out.slots(
            &[("", "docs")],
            &[
                SlotData::Value(
                    &::typed_prompt::__private::filter::join(&self.docs, ", "),
                ),
            ],
            " ",
        );
        let mut empty = true;
        for d in ::typed_prompt::__private::items(&self.docs) {
            empty = false;
            out.slots(&[("- ", "d")], &[SlotData::Str(d)], "\n");
        }
        if empty {
            out.text("nothing");
        }
        out.slots(
            &[("", "author.name")],
            &[
                SlotData::Value({
                    #[diagnostic::on_unimplemented(
                        message = "`{Self}` cannot fill the slot `author.name`",
                        label = "neither text, number, `bool`, `char` nor path",
                        note = "the slot is here\n --> 1:134\n  |\n1 | …pper></if><docs | join(\\\", \\\")> <for d in docs>- <d>\\n<else>nothing</for><author.name><place ?? \\\"nowhere\\\">\"\n  |                                                                           ^^^^^^^^^^^^^ this slot",
                        note = "a type that prints itself, also of another crate: write `<author.name | display>`",
                        note = "a type of your own: derive `Label` for an enum without fields, derive a fragment, `#[prompt(fragment = \"…\")]`, or implement `ToPrompt`",
                        note = "an `Option` needs a condition, `<if author.name>…<author.name>…</if>`, or a default, `<author.name ?? \"none\">`",
                        note = "a list needs a loop, `<for item in author.name>…<item>…</for>`, or a filter, `<author.name | join(\", \")>`"
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
                    slot({
                        macro_rules! slot_in__line_1_column_135__add_derive_Fields_to_Author {
                            ($value:expr) => {
                                & $value .name
                            };
                        }
                        let root: ::typed_prompt::__private::CheckedPath<
                            '_,
                            _,
                            {
                                #[allow(unused_imports)]
                                use ::typed_prompt::__private::NoFields as _;
                                ::typed_prompt::__private::expect_path(
                                    ::typed_prompt::__private::FieldsOf::<Author>::FIELDS,
                                    "author",
                                    &["name"],
                                    " --> 1:135\n  |\n1 | …pper></if><docs | join(\\\", \\\")> <for d in docs>- <d>\\n<else>nothing</for><author.name><place ?? \\\"nowhere\\\">\"\n  |                                                                            ^^^^^^^^^^^ unknown field",
                                )
                            },
                        > = ::typed_prompt::__private::CheckedPath(&self.author);
                        slot_in__line_1_column_135__add_derive_Fields_to_Author!(
                            (* root.0)
                        )
                    })
                }),
            ],
            "",
        );
        match ::typed_prompt::__private::optional(&self.place) {
            ::typed_prompt::__private::Some(place) => out.slot("place", &place),
            ::typed_prompt::__private::None => out.text("nowhere"),
        }
        out.tools(&self.tools);
        out.extra("knowledge", &self.knowledge);
    }
    fn parse_reply(
        reply: &::typed_prompt::__private::Reply,
    ) -> ::typed_prompt::__private::Result<::typed_prompt::__private::String> {
        ::typed_prompt::__private::parse_text(reply)
    }
}
#[allow(unexpected_cfgs)]
const _: () = {
    #[cfg(rust_analyzer)]
    fn slots<T>(input: &Blocks<T>) {
        if let Blocks {
            title,
            hidden,
            note,
            docs,
            author,
            place,
            knowledge,
            tools,
            turns,
            id,
            ..
        } = input {
            let _ = ::typed_prompt::__private::core::format_args!(
                r"  {title}       {hidden}                   {note}                   {docs}                         {docs}                          {author}     {place}               "
            );
        }
    }
};
