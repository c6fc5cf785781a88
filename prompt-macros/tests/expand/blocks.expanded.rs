const _: () = {
    macro_rules! if_typed_prompt_is_renamed__add_the_key__crate_equals_its_path {
        () => {
            use ::typed_prompt::__private as _typed_prompt;
        };
    }
    if_typed_prompt_is_renamed__add_the_key__crate_equals_its_path! {}
    #[automatically_derived]
    impl<T> _typed_prompt::Prompt for Blocks<T> {
        type Output = _typed_prompt::String;
        const INFO: _typed_prompt::PromptInfo = _typed_prompt::PromptInfo::new("Blocks")
            .with_slots(
                _typed_prompt::slots_from_lines(
                    "user title 1 29\nuser note 1 52\nuser docs 1 71\nuser d 1 110\nuser author.name 1 134\nuser place 1 147\n",
                ),
            )
            .with_trusted(&["tools"])
            .with_position("", 1, 2)
            .with_fingerprint(12545727016135190402);
        fn render(&self, out: &mut _typed_prompt::Writer) {
            out.history(&self.turns);
            out.role(_typed_prompt::Role::User);
            if let (_typed_prompt::Some(title), true) = (
                _typed_prompt::given_value(&self.title),
                !_typed_prompt::is_given(&self.hidden),
            ) {
                out.slots(
                    &[("# ", "title")],
                    &[_typed_prompt::SlotData::Str(title)],
                    "\n",
                );
            } else if let _typed_prompt::Some(note) = _typed_prompt::given_value(
                &self.note,
            ) {
                out.slots(
                    &[("", "note")],
                    &[
                        _typed_prompt::SlotData::Value(
                            &_typed_prompt::filter::upper(note),
                        ),
                    ],
                    "",
                );
            }
            out.slots(
                &[("", "docs")],
                &[
                    _typed_prompt::SlotData::Value(
                        &_typed_prompt::filter::join(&self.docs, ", "),
                    ),
                ],
                " ",
            );
            let mut empty = true;
            for d in _typed_prompt::iter_list(&self.docs) {
                empty = false;
                out.slots(&[("- ", "d")], &[_typed_prompt::SlotData::Str(d)], "\n");
            }
            if empty {
                out.text("nothing");
            }
            out.slots(
                &[("", "author.name")],
                &[
                    _typed_prompt::SlotData::Value({
                        #[diagnostic::on_unimplemented(
                            message = "`{Self}` cannot fill the slot `author.name`",
                            label = "neither text, number, `bool`, `char` nor path",
                            note = "the slot is here\n --> 1:134\n  |\n1 | …pper></if><docs | join(\\\", \\\")> <for d in docs>- <d>\\n<else>nothing</for><author.name><place ?? \\\"nowhere\\\">\"\n  |                                                                           ^^^^^^^^^^^^^ this slot",
                            note = "a type of your own: derive `Label` for an enum without fields; make a struct, also one that is a prompt, a fragment: `#[prompt(fragment = \"…\")]`; or implement `ToPrompt`",
                            note = "a type that prints itself, also of another crate: write `<author.name | display>`; one with `Debug` only, such as a tuple or a `Duration`: `<author.name | debug>`",
                            note = "an `Option` needs a condition, `<if author.name>…<author.name>…</if>`, or a default, `<author.name ?? 'none'>`",
                            note = "a list needs a loop, `<for item in author.name>…<item>…</for>`, or a filter, `<author.name | join(', ')>`"
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
                        slot({
                            macro_rules! slot_in__line_1_column_135__add_derive_Fields_to_Author {
                                ($value:expr) => {
                                    & $value .name
                                };
                            }
                            let root: _typed_prompt::CheckedPath<
                                '_,
                                _,
                                {
                                    #[allow(unused_imports)]
                                    use _typed_prompt::NoFields as _;
                                    _typed_prompt::expect_path(
                                        _typed_prompt::FieldsOf::<Author>::FIELDS,
                                        "author",
                                        &["name"],
                                        " --> 1:135\n  |\n1 | …pper></if><docs | join(\\\", \\\")> <for d in docs>- <d>\\n<else>nothing</for><author.name><place ?? \\\"nowhere\\\">\"\n  |                                                                            ^^^^^^^^^^^ unknown field",
                                    )
                                },
                            > = _typed_prompt::CheckedPath(&self.author);
                            slot_in__line_1_column_135__add_derive_Fields_to_Author!(
                                (* root.0)
                            )
                        })
                    }),
                ],
                "",
            );
            match _typed_prompt::optional_value(&self.place) {
                _typed_prompt::Some(place) => out.slot("place", &place),
                _typed_prompt::None => out.text("nowhere"),
            }
            out.tools(&self.tools);
            out.extra("knowledge", &self.knowledge);
        }
        fn parse_reply(
            reply: &_typed_prompt::Reply,
        ) -> _typed_prompt::Result<_typed_prompt::String> {
            _typed_prompt::parse_text(reply)
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
                let _ = _typed_prompt::core::format_args!(
                    r"  {title}       {hidden}                   {note}                   {docs}                         {docs}                          {author}     {place}               "
                );
            }
        }
    };
};
