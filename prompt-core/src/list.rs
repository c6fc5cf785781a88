//! The lists and pairs with a stable order that `for` blocks iterate over.

use std::borrow::Cow;
use std::collections::{
    BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque, btree_map, btree_set, linked_list,
    vec_deque,
};
use std::rc::Rc;
use std::slice;
use std::sync::Arc;

/// A list with a stable order, which a `for` block can iterate over.
///
/// ```
/// use typed_prompt::value::List;
///
/// let words = vec!["a", "b"];
/// assert_eq!(words.items().copied().collect::<String>(), "ab");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list",
    label = "a loop needs a list",
    note = "slices, arrays, `Vec`, `VecDeque`, `LinkedList` and `BTreeSet` are lists",
    note = "a hash set or map has no order of its own: sort it, `<for x in xs | sort>`; a `BTreeMap` has pairs, `<for key, value in map>`",
    note = "an `Option` of a list needs a condition first: `<if xs><for x in xs>…</for></if>`"
)]
pub trait List {
    /// The type of the items.
    type Item;

    /// The iterator over the items.
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
    ($([$($bound:tt)*] $ty:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<L: List $($bound)* + ?Sized> List for $ty {
            type Item = L::Item;
            type Iter<'a> = L::Iter<'a> where Self: 'a;

            fn items(&self) -> Self::Iter<'_> {
                (**self).items()
            }
        }
    )*};
}

pointers! { [] &L; [] &mut L; [] Box<L>; [] Rc<L>; [] Arc<L>; [+ ToOwned] Cow<'_, L>; }

/// Pairs that a `for` block with two names takes apart: `<for key, value in prices>`.
///
/// A `BTreeMap` has pairs, and so has a list of pairs.
///
/// ```
/// use typed_prompt::value::Pairs;
///
/// let prices = [("tea", 3), ("milk", 2)];
/// assert_eq!(prices.pairs().map(|(_, price)| price).sum::<i32>(), 5);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no pairs",
    label = "a loop with two names needs pairs",
    note = "`BTreeMap` and lists of pairs, as `Vec<(String, u32)>`, have pairs; those of a `HashMap` have to be sorted: `| sort`",
    note = "for the number of an item write `<for item in list>` and `<loop.index>`, which counts from 1"
)]
pub trait Pairs {
    /// The first part of a pair.
    type Key;

    /// The second part of a pair.
    type Value;

    /// The iterator over the pairs.
    type Iter<'a>: Iterator<Item = (&'a Self::Key, &'a Self::Value)>
    where
        Self: 'a;

    /// The pairs in order.
    fn pairs(&self) -> Self::Iter<'_>;
}

/// An item of a list that is a pair.
///
/// ```
/// use typed_prompt::value::Pair;
///
/// assert_eq!(("tea", 3).as_pair(), (&"tea", &3));
/// ```
pub trait Pair {
    /// The first part.
    type First;

    /// The second part.
    type Second;

    /// Both parts.
    fn as_pair(&self) -> (&Self::First, &Self::Second);
}

#[diagnostic::do_not_recommend]
impl<A, B> Pair for (A, B) {
    type First = A;
    type Second = B;

    fn as_pair(&self) -> (&A, &B) {
        (&self.0, &self.1)
    }
}

#[diagnostic::do_not_recommend]
impl<T> Pair for [T; 2] {
    type First = T;
    type Second = T;

    fn as_pair(&self) -> (&T, &T) {
        (&self[0], &self[1])
    }
}

#[diagnostic::do_not_recommend]
impl<P: Pair + ?Sized> Pair for &P {
    type First = P::First;
    type Second = P::Second;

    fn as_pair(&self) -> (&P::First, &P::Second) {
        (**self).as_pair()
    }
}

/// How an item of a list is destructured.
type DestructurePair<'a, P> = fn(&'a P) -> (&'a <P as Pair>::First, &'a <P as Pair>::Second);

#[diagnostic::do_not_recommend]
impl<L: List + ?Sized> Pairs for L
where
    L::Item: Pair,
{
    type Key = <L::Item as Pair>::First;
    type Value = <L::Item as Pair>::Second;
    type Iter<'a>
        = std::iter::Map<L::Iter<'a>, DestructurePair<'a, L::Item>>
    where
        Self: 'a;

    fn pairs(&self) -> Self::Iter<'_> {
        self.items().map(Pair::as_pair)
    }
}

// A blanket implementation for references would overlap with that of lists.
macro_rules! maps {
    ($($ty:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<K, V> Pairs for $ty {
            type Key = K;
            type Value = V;
            type Iter<'a> = btree_map::Iter<'a, K, V> where Self: 'a;

            fn pairs(&self) -> Self::Iter<'_> {
                self.iter()
            }
        }
    )*};
}

maps! {
    BTreeMap<K, V> &BTreeMap<K, V> &&BTreeMap<K, V> &mut BTreeMap<K, V> Box<BTreeMap<K, V>> Rc<BTreeMap<K, V>>
    Arc<BTreeMap<K, V>>
}

/// A collection that the filter `sort` can sort: a set, a map, or a list of items with an order.
///
/// ```
/// use typed_prompt::value::Sort;
///
/// assert_eq!(["b", "a"].sorted(), [&"a", &"b"]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be sorted",
    label = "neither a set, nor a map, nor a list of items with an order (`Ord`)"
)]
pub trait Sort {
    /// An item of the sorted list.
    type Item<'a>
    where
        Self: 'a;

    /// The items in order.
    fn sorted(&self) -> Vec<Self::Item<'_>>;
}

#[diagnostic::do_not_recommend]
impl<L: List + ?Sized> Sort for L
where
    L::Item: Ord,
{
    type Item<'a>
        = &'a L::Item
    where
        Self: 'a;

    fn sorted(&self) -> Vec<&L::Item> {
        let mut items: Vec<_> = self.items().collect();
        items.sort();
        items
    }
}

macro_rules! unordered {
    ($([$($generics:tt)*] $ty:ty, $item:ty, $key:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Sort for $ty {
            type Item<'a> = $item where Self: 'a;

            fn sorted(&self) -> Vec<Self::Item<'_>> {
                let mut items: Vec<_> = self.iter().collect();
                items.sort_by_key($key);
                items
            }
        }
    )*};
}

unordered! {
    [T: Ord, S] HashSet<T, S>, &'a T, |item| *item;
    [T: Ord, S] &HashSet<T, S>, &'a T, |item| *item;
    [T: Ord, S] Box<HashSet<T, S>>, &'a T, |item| *item;
    [T: Ord, S] Rc<HashSet<T, S>>, &'a T, |item| *item;
    [T: Ord, S] Arc<HashSet<T, S>>, &'a T, |item| *item;
    [K: Ord, V, S] HashMap<K, V, S>, (&'a K, &'a V), |pair| pair.0;
    [K: Ord, V, S] &HashMap<K, V, S>, (&'a K, &'a V), |pair| pair.0;
    [K: Ord, V, S] Box<HashMap<K, V, S>>, (&'a K, &'a V), |pair| pair.0;
    [K: Ord, V, S] Rc<HashMap<K, V, S>>, (&'a K, &'a V), |pair| pair.0;
    [K: Ord, V, S] Arc<HashMap<K, V, S>>, (&'a K, &'a V), |pair| pair.0;
    [K: Ord, V] BTreeMap<K, V>, (&'a K, &'a V), |pair| pair.0;
    [K: Ord, V] &BTreeMap<K, V>, (&'a K, &'a V), |pair| pair.0;
}

/// The state of a loop: `loop` in a template of the angle dialect.
#[derive(Clone, Copy, Debug)]
pub struct LoopState {
    /// The number of the item, counted from 1.
    pub index: usize,
    /// The number of the item, counted from 0.
    pub index0: usize,
    /// Whether it is the first item.
    pub first: bool,
    /// Whether it is the last item.
    pub last: bool,
    /// The number of items.
    pub length: usize,
}

/// The items, each with the state of the loop.
pub fn enumerate_loop<T>(items: impl Iterator<Item = T>) -> impl Iterator<Item = (LoopState, T)> {
    let items: Vec<T> = items.collect();
    let length = items.len();
    items.into_iter().enumerate().map(move |(index0, item)| {
        let state = LoopState {
            index: index0 + 1,
            index0,
            first: index0 == 0,
            last: index0 + 1 == length,
            length,
        };
        (state, item)
    })
}
