use serde_core::Serialize;
use serde_core::ser::{
    Error as _, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant,
};

use crate::python::text::push_repr;
use crate::python::{Printed, Printer};

/// Items with `, ` between them, and what closes them.
pub(super) struct Items<'a> {
    out: &'a mut String,
    first: bool,
    end: &'static str,
}

impl<'a> Items<'a> {
    pub(super) fn new(out: &'a mut String, start: &str, end: &'static str) -> Items<'a> {
        out.push_str(start);
        Items {
            out,
            first: true,
            end,
        }
    }

    /// A variant with content, as serde's JSON has it: a dict of one entry.
    pub(super) fn variant(
        out: &'a mut String,
        name: &str,
        start: &str,
        end: &'static str,
    ) -> Items<'a> {
        out.push('{');
        push_repr(out, name);
        out.push_str(": ");
        Items::new(out, start, end)
    }

    pub(super) fn printer(&mut self) -> Printer<'_> {
        Printer {
            out: self.out,
            nested: true,
        }
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Printed {
        if !std::mem::take(&mut self.first) {
            self.out.push_str(", ");
        }
        value.serialize(self.printer())
    }

    fn entry<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Printed {
        self.item(key)?;
        self.out.push_str(": ");
        value.serialize(self.printer())
    }

    pub(super) fn close(self) -> Printed {
        self.out.push_str(self.end);
        Ok(())
    }
}

macro_rules! sequences {
    ($($name:ident $method:ident),*) => {$(
        impl $name for Items<'_> {
            type Ok = ();
            type Error = serde_json::Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Printed {
                self.item(value)
            }

            fn end(self) -> Printed {
                self.close()
            }
        }
    )*};
}

sequences! {
    SerializeSeq serialize_element, SerializeTuple serialize_element, SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field
}

macro_rules! structs {
    ($($name:ident),*) => {$(
        impl $name for Items<'_> {
            type Ok = ();
            type Error = serde_json::Error;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Printed {
                self.entry(key, value)
            }

            fn end(self) -> Printed {
                self.close()
            }
        }
    )*};
}

structs! { SerializeStruct, SerializeStructVariant }

impl SerializeMap for Items<'_> {
    type Ok = ();
    type Error = serde_json::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Printed {
        self.item(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Printed {
        if self.first {
            return Err(serde_json::Error::custom(
                "a map gives a value before its key",
            ));
        }
        self.out.push_str(": ");
        value.serialize(self.printer())
    }

    fn end(self) -> Printed {
        self.close()
    }
}
