#[derive(Clone)]
pub struct Translate {
    ///Fills the slot `text`.
    pub text: ::typed_prompt::__private::String,
    ///Fills the slot `note`.
    pub note: ::typed_prompt::__private::Option<::typed_prompt::__private::String>,
    ///Marked `skip`.
    pub id: u8,
}
#[automatically_derived]
impl ::typed_prompt::__private::Prompt for Translate {
    type Output = ::typed_prompt::__private::String;
    const INFO: ::typed_prompt::__private::PromptInfo = ::typed_prompt::__private::PromptInfo::new(
            "Translate",
        )
        .with_slots("user text 1 2\nuser note 1 18\n")
        .with_position("", 1, 2)
        .with_fingerprint(494585269394223741);
    fn render(&self, out: &mut ::typed_prompt::__private::Writer) {
        use ::typed_prompt::__private::{Role, SlotData};
        out.role(Role::User);
        out.slots(&[("", "text")], &[SlotData::Value(&self.text)], " ");
        if let ::typed_prompt::__private::Some(note) = ::typed_prompt::__private::present(
            &self.note,
        ) {
            out.slots(&[("", "note")], &[SlotData::Value(&note)], "");
        }
    }
    fn parse_reply(
        reply: &::typed_prompt::__private::Reply,
    ) -> ::typed_prompt::__private::Result<::typed_prompt::__private::String> {
        ::typed_prompt::__private::parse_text(reply)
    }
}
#[automatically_derived]
impl ::typed_prompt::__private::AcceptsTools for Translate {}
