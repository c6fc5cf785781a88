#[derive(Clone)]
pub struct Translate {
    ///Fills the slot `text`.
    pub text: _typed_prompt_Translate::String,
    ///Fills the slot `note`.
    pub note: _typed_prompt_Translate::Option<_typed_prompt_Translate::String>,
    ///Marked `skip`.
    pub id: u8,
}
macro_rules! if_typed_prompt_is_renamed__add_the_key__crate_equals_its_path {
    () => {
        use ::typed_prompt::__private as _typed_prompt_Translate;
    };
}
if_typed_prompt_is_renamed__add_the_key__crate_equals_its_path! {}
#[automatically_derived]
impl _typed_prompt_Translate::Prompt for Translate {
    type Output = _typed_prompt_Translate::String;
    const INFO: _typed_prompt_Translate::PromptInfo = _typed_prompt_Translate::PromptInfo::new(
            "Translate",
        )
        .with_slots(
            _typed_prompt_Translate::slots_from_lines("user text 1 2\nuser note 1 18\n"),
        )
        .with_position("", 1, 2)
        .with_fingerprint(494585269394223741);
    fn render(&self, out: &mut _typed_prompt_Translate::Writer) {
        out.role(_typed_prompt_Translate::Role::User);
        out.slots(
            &[("", "text")],
            &[_typed_prompt_Translate::SlotData::Value(&self.text)],
            " ",
        );
        if let _typed_prompt_Translate::Some(note) = _typed_prompt_Translate::given_value(
            &self.note,
        ) {
            out.slots(
                &[("", "note")],
                &[_typed_prompt_Translate::SlotData::Value(&note)],
                "",
            );
        }
    }
    fn parse_reply(
        reply: &_typed_prompt_Translate::Reply,
    ) -> _typed_prompt_Translate::Result<_typed_prompt_Translate::String> {
        _typed_prompt_Translate::parse_text(reply)
    }
}
#[automatically_derived]
impl _typed_prompt_Translate::AcceptsTools for Translate {}
