//! Lists by ply that keep their memory.

/// An empty list for each ply, lent out while the ply is searched.
pub(super) struct Pool<T>(Vec<Vec<T>>);

impl<T> Default for Pool<T> {
    fn default() -> Pool<T> {
        Pool(Vec::new())
    }
}

impl<T> Pool<T> {
    /// Takes the empty list of this ply, to be returned by [`Pool::keep`].
    #[inline]
    pub(super) fn take(&mut self, ply: u32) -> Vec<T> {
        let ply = ply as usize;
        if self.0.len() <= ply {
            self.0.resize_with(ply + 1, Vec::new);
        }
        std::mem::take(&mut self.0[ply])
    }

    /// Empties a list and returns it to this ply.
    #[inline]
    pub(super) fn keep(&mut self, ply: u32, mut list: Vec<T>) {
        list.clear();
        self.0[ply as usize] = list;
    }
}
