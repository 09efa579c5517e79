//! Values of children in other shards: requests by cells, and replies with their codes.

use grundy_core::table::Width;
use grundy_session::{Layout, Outbox, SolveError};

use crate::moves::Moves;

/// Positions whose children were requested.
pub(crate) struct Pending {
    pub(crate) moves: Moves,
    /// The codes of the children, as far as they are known.
    pub(crate) codes: Vec<u32>,
    /// For each shard that has not replied: the places of the children that it was asked for.
    asked: Vec<(u32, Vec<u32>)>,
}

/// Positions whose children in other shards are to be requested.
pub(crate) struct Prepared {
    pending: Pending,
    /// For each shard the message, which lacks its id.
    messages: Vec<(u32, Vec<u8>)>,
}

impl Prepared {
    /// Returns the positions, if no reply is needed.
    pub(crate) fn known(&self) -> Option<&Pending> {
        self.messages.is_empty().then_some(&self.pending)
    }
}

/// All requests without a reply.
pub(crate) struct Questions {
    /// Number of codes of each cell.
    each: usize,
    pending: Vec<Option<Pending>>,
}

/// First word of a request.
const ASK: u32 = 0;
/// First word of a reply.
const ANSWER: u32 = 1;

/// A message.
pub(crate) enum Message<'a> {
    /// A request with its id and its cells.
    Ask(u32, &'a [u8]),
    /// A reply with the id of its request and the codes.
    Answer(u32, &'a [u8]),
}

/// Returns the error for a message that no shard of the same table sends.
pub(crate) fn unreadable() -> SolveError {
    SolveError::Broken("a message of another shard cannot be read".to_owned())
}

/// Returns the sum of one word over all reports.
///
/// # Errors
/// A report is too short.
pub(crate) fn sum(reports: &[Vec<u64>], at: usize) -> Result<u64, SolveError> {
    reports.iter().try_fold(0, |sum, report| Ok(sum + report.get(at).ok_or_else(unreadable)?))
}

/// Returns the maximum of one word over all reports.
///
/// # Errors
/// A report is too short.
pub(crate) fn most(reports: &[Vec<u64>], at: usize) -> Result<u64, SolveError> {
    reports.iter().try_fold(0, |most, report| Ok(*report.get(at).ok_or_else(unreadable)?.max(&most)))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Reads a message.
///
/// # Errors
/// It is neither a request nor a reply.
pub(crate) fn read(message: &[u8]) -> Result<Message<'_>, SolveError> {
    let (kind, id) = word(message, 0).zip(word(message, 4)).ok_or_else(unreadable)?;
    match kind {
        ASK => Ok(Message::Ask(id, &message[8..])),
        ANSWER => Ok(Message::Answer(id, &message[8..])),
        _ => Err(unreadable()),
    }
}

/// Reads the cells of a request.
pub(crate) fn cells(bytes: &[u8]) -> impl Iterator<Item = usize> {
    bytes.as_chunks::<4>().0.iter().map(|&cell| u32::from_le_bytes(cell) as usize)
}

/// Writes the reply with these codes to request `id`.
pub(crate) fn answer(id: u32, width: Width, codes: impl Iterator<Item = u32>) -> Vec<u8> {
    let mut bytes = [ANSWER, id].iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    match width {
        Width::Quarter | Width::One => bytes.extend(codes.map(|code| code as u8)),
        Width::Two => bytes.extend(codes.flat_map(|code| (code as u16).to_le_bytes())),
        Width::Four => bytes.extend(codes.flat_map(u32::to_le_bytes)),
    }
    bytes
}

impl Questions {
    /// Creates an empty list of requests for cells of `each` codes.
    pub(crate) fn new(each: usize) -> Questions {
        Questions { each, pending: Vec::new() }
    }

    /// Requests the codes of children from other shards. `own` returns the `nth` code of a cell of this shard; a child for
    /// which `later` holds is left out, and its codes are 0. Returns the positions if no reply is needed.
    ///
    /// # Errors
    /// A move leads beyond the table.
    pub(crate) fn ask(
        &mut self,
        layout: Layout,
        part: u32,
        moves: Moves,
        later: impl Fn(u64) -> bool,
        own: impl Fn(u64, usize) -> u32,
        out: &mut Outbox,
    ) -> Result<Option<Pending>, SolveError> {
        let prepared = self.prepare(layout, part, moves, later, own)?;
        Ok(self.send(prepared, out))
    }

    /// As [`Questions::ask`], without sending the requests.
    ///
    /// # Errors
    /// As [`Questions::ask`].
    pub(crate) fn prepare(
        &self,
        layout: Layout,
        part: u32,
        moves: Moves,
        later: impl Fn(u64) -> bool,
        own: impl Fn(u64, usize) -> u32,
    ) -> Result<Prepared, SolveError> {
        let each = self.each;
        let mut codes = vec![0; each * moves.children.len()];
        let mut asked: Vec<(Vec<u8>, Vec<u32>)> = vec![Default::default(); layout.parts() as usize];
        for (at, &(child, _)) in moves.children.iter().enumerate() {
            if child >= layout.count() {
                let why = format!("a move leads to index {child}, which is beyond the table");
                return Err(SolveError::Broken(why));
            }
            if later(child) {
                continue;
            }
            let (owner, cell) = layout.locate(child);
            if owner == part {
                (0..each).for_each(|nth| codes[each * at + nth] = own(cell, nth));
                continue;
            }
            let (message, places) = &mut asked[owner as usize];
            if message.is_empty() {
                message.extend([ASK, 0].iter().flat_map(|word| word.to_le_bytes()));
            }
            message.extend((cell as u32).to_le_bytes());
            places.push(at as u32);
        }
        let (mut messages, mut open) = (Vec::new(), Vec::new());
        for (owner, (message, places)) in (0..).zip(asked).filter(|(_, (message, _))| !message.is_empty()) {
            messages.push((owner, message));
            open.push((owner, places));
        }
        Ok(Prepared { pending: Pending { moves, codes, asked: open }, messages })
    }

    /// Sends prepared requests; returns the positions if no reply is needed.
    pub(crate) fn send(&mut self, prepared: Prepared, out: &mut Outbox) -> Option<Pending> {
        let Prepared { pending, messages } = prepared;
        if messages.is_empty() {
            return Some(pending);
        }
        let id = self.pending.iter().position(Option::is_none).unwrap_or(self.pending.len());
        for (owner, mut message) in messages {
            message[4..8].copy_from_slice(&(id as u32).to_le_bytes());
            out.send(owner, message);
        }
        if id == self.pending.len() {
            self.pending.push(Some(pending));
        } else {
            self.pending[id] = Some(pending);
        }
        None
    }

    /// Takes a reply; returns the positions if it was the last that they waited for.
    ///
    /// # Errors
    /// There is no such request.
    pub(crate) fn answered(
        &mut self,
        from: u32,
        id: u32,
        codes: &[u8],
        width: Width,
    ) -> Result<Option<Pending>, SolveError> {
        let slot = self.pending.get_mut(id as usize).ok_or_else(unreadable)?;
        let pending = slot.as_mut().ok_or_else(unreadable)?;
        let open = pending.asked.iter().position(|(owner, _)| *owner == from).ok_or_else(unreadable)?;
        let (_, places) = pending.asked.swap_remove(open);
        // A code of less than a byte is sent as a byte.
        let each = self.each;
        if width.max(Width::One).bytes((each * places.len()) as u64) != Some(codes.len() as u64) {
            return Err(unreadable());
        }
        let cells = places.iter().flat_map(|&place| each * place as usize..each * (place as usize + 1));
        match width {
            Width::Quarter | Width::One => {
                cells.zip(codes).for_each(|(at, &code)| pending.codes[at] = u32::from(code));
            }
            Width::Two => {
                let codes = codes.as_chunks().0.iter().map(|&code| u32::from(u16::from_le_bytes(code)));
                cells.zip(codes).for_each(|(at, code)| pending.codes[at] = code);
            }
            Width::Four => {
                let codes = codes.as_chunks().0.iter().map(|&code| u32::from_le_bytes(code));
                cells.zip(codes).for_each(|(at, code)| pending.codes[at] = code);
            }
        }
        Ok(if pending.asked.is_empty() { slot.take() } else { None })
    }
}
