//! The trait of lists with a stable order, which `for` blocks iterate over.

use std::borrow::Cow;
use std::collections::{BTreeSet, LinkedList, VecDeque, btree_set, linked_list, vec_deque};
use std::rc::Rc;
use std::slice;
use std::sync::Arc;

/// A list that a `for` block can walk, in an order that is always the same.
///
/// ```
/// use prompt_core::List;
///
/// let words = vec!["a", "b"];
/// assert_eq!(words.items().copied().collect::<String>(), "ab");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list",
    label = "a loop needs a list",
    note = "slices, arrays, `Vec`, `VecDeque`, `LinkedList` and `BTreeSet` are lists",
    note = "a hash set or map has no order of its own: collect it into a sorted `Vec` first",
    note = "an `Option` of a list needs a condition first: `<if xs><for x in xs>…</for></if>`"
)]
pub trait List {
    /// What the list holds.
    type Item;

    /// What walks over it.
    type Iter<'a>: Iterator<Item = &'a Self::Item>
    where
        Self: 'a;

    /// The items in order.
    fn items(&self) -> Self::Iter<'_>;
}

macro_rules! lists {
    ($([$($generics:tt)*] $ty:ty => $iter:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> List for $ty {
            type Item = T;
            type Iter<'a> = $iter where Self: 'a;

            fn items(&self) -> Self::Iter<'_> {
                self.iter()
            }
        }
    )*};
}

lists! {
    [T] [T] => slice::Iter<'a, T>;
    [T, const N: usize] [T; N] => slice::Iter<'a, T>;
    [T] Vec<T> => slice::Iter<'a, T>;
    [T] VecDeque<T> => vec_deque::Iter<'a, T>;
    [T] LinkedList<T> => linked_list::Iter<'a, T>;
    [T] BTreeSet<T> => btree_set::Iter<'a, T>;
}

macro_rules! pointers {
    ($($ty:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<L: List + ?Sized> List for $ty {
            type Item = L::Item;
            type Iter<'a> = L::Iter<'a> where Self: 'a;

            fn items(&self) -> Self::Iter<'_> {
                (**self).items()
            }
        }
    )*};
}

pointers! { &L &mut L Box<L> Rc<L> Arc<L> }

#[diagnostic::do_not_recommend]
impl<L: List + ToOwned + ?Sized> List for Cow<'_, L> {
    type Item = L::Item;
    type Iter<'a>
        = L::Iter<'a>
    where
        Self: 'a;

    fn items(&self) -> Self::Iter<'_> {
        (**self).items()
    }
}
