//! The common interface of all buffers, so that the store can treat them alike.

use std::collections::HashMap;

use super::Store;
use super::accounting::BufferReport;
use crate::kind::Kind;

pub(crate) trait Buffer {
    fn report(&self) -> BufferReport;

    /// Memory that its entries take.
    fn bytes(&self) -> usize;

    /// Gives each test the buffer's whole limits.
    fn make_per_test(&mut self);

    /// Empties it for lack of room: all entries count as dropped.
    fn drop_all(&mut self);

    /// Evicts a test, or with `None` the entries outside of tests. Returns how many entries were evicted.
    fn evict_test(&mut self, test_id: Option<&str>) -> usize;

    /// Removes the entries of a test on request, or with `None` all entries. Returns how many were removed, and adds
    /// them up for each test.
    fn take_out(&mut self, test_id: Option<&str>, of_tests: &mut HashMap<String, usize>) -> usize;

    /// The cursor of each test's newest entry.
    fn newest_of_tests<'s>(&'s self) -> Box<dyn Iterator<Item = (Option<&'s str>, u64)> + 's>;
}

macro_rules! define_buffers {
    ($(
        $(#[$meta:meta])*
        $kind:ident = $name:literal, $entry:ident, $buffer:ident: $room:ident($($size:ident),*), $how:ident $push:ident, $($batch:ident)::+, $path:literal;
    )*) => {
        impl Store {
            pub(super) fn buffers(&self) -> [(Kind, &dyn Buffer); Kind::ALL.len()] {
                [$((Kind::$kind, &self.$buffer),)* (Kind::Connections, &self.connections)]
            }

            pub(super) fn buffers_mut(&mut self) -> [&mut dyn Buffer; Kind::ALL.len()] {
                [$(&mut self.$buffer,)* &mut self.connections]
            }

            /// How full the buffer of a kind is, and what happened to everything that it received.
            pub fn report(&self, kind: Kind) -> BufferReport {
                match kind {
                    $(Kind::$kind => self.$buffer.report(),)*
                    Kind::Connections => self.connections.report(),
                }
            }
        }
    };
}

for_each_kind!(define_buffers);
