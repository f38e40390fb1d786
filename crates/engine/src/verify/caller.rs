//! Ownership of sessions and snapshots. All clients may read them; only their owner changes them, as long as it is
//! connected.

/// The client that made a session or snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// The server's number of the client.
    pub client: u64,
    /// The name that the client introduced itself with.
    pub name: Option<String>,
}

/// The client that is asking, and which others are connected.
pub struct Caller<'c> {
    /// The asking client.
    pub owner: Owner,
    /// Whether the client with this number is connected.
    pub is_here: &'c dyn Fn(u64) -> bool,
}

impl Caller<'_> {
    /// Whether the caller is this owner, possibly before it reconnected.
    pub(super) fn is(&self, owner: &Owner) -> bool {
        let has_come_back =
            || self.owner.name.is_some() && self.owner.name == owner.name && !(self.is_here)(owner.client);
        self.owner.client == owner.client || has_come_back()
    }

    pub(super) fn may_change(&self, owner: &Owner) -> bool {
        self.owner.client == owner.client || !(self.is_here)(owner.client)
    }

    /// How to refer to an owner in an answer to this caller.
    pub fn calls(&self, owner: &Owner) -> String {
        if self.owner.client == owner.client {
            return "you".to_owned();
        }
        let name = owner.name.as_deref().unwrap_or("another client");
        if (self.is_here)(owner.client) { name.to_owned() } else { format!("{name} (gone)") }
    }
}
