//! Whose a session or a snapshot is. All clients may read them; only their maker changes them, as long as it is here.

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    pub client: u64,
    /// As the client introduced itself.
    pub name: Option<String>,
}

/// Who asks, and who else is here.
pub struct Caller<'c> {
    pub owner: Owner,
    pub is_here: &'c dyn Fn(u64) -> bool,
}

impl Caller<'_> {
    /// Whether it made this itself, perhaps before it had to connect again.
    pub(super) fn is(&self, owner: &Owner) -> bool {
        let has_come_back =
            || self.owner.name.is_some() && self.owner.name == owner.name && !(self.is_here)(owner.client);
        self.owner.client == owner.client || has_come_back()
    }

    pub(super) fn may_change(&self, owner: &Owner) -> bool {
        self.owner.client == owner.client || !(self.is_here)(owner.client)
    }

    /// How an owner is called, to this caller.
    pub fn calls(&self, owner: &Owner) -> String {
        if self.owner.client == owner.client {
            return "you".to_owned();
        }
        let name = owner.name.as_deref().unwrap_or("another client");
        if (self.is_here)(owner.client) { name.to_owned() } else { format!("{name} (gone)") }
    }
}
