//! Values of children that lie in other shards: questions by the numbers of cells, and answers by their codes.

use grundy_core::table::Width;
use grundy_session::{Layout, Outbox, SolveError};

use crate::moves::Moves;

/// Positions whose children have been asked for.
pub(crate) struct Pending {
    pub(crate) moves: Moves,
    /// The codes of the children, as many for each as were asked for, as far as they are known.
    pub(crate) codes: Vec<u32>,
    /// For each shard that has been asked and has not answered: the places of the children among all.
    asked: Vec<(u32, Vec<u32>)>,
}

/// Everything that has been asked and not been answered.
pub(crate) struct Questions {
    /// How many codes each cell has.
    each: usize,
    pending: Vec<Option<Pending>>,
}

/// First word of a message that asks.
const ASK: u32 = 0;
/// First word of a message that answers.
const ANSWER: u32 = 1;

/// A message.
pub(crate) enum Message<'a> {
    /// The question of this number, about these cells.
    Ask(u32, &'a [u8]),
    /// The answer to it: codes.
    Answer(u32, &'a [u8]),
}

/// What is wrong with a message that no shard of the same table sends.
pub(crate) fn unreadable() -> SolveError {
    SolveError::Broken("a message of another shard cannot be read".to_owned())
}

/// The sum of a word of all reports.
pub(crate) fn sum(reports: &[Vec<u64>], at: usize) -> Result<u64, SolveError> {
    reports.iter().try_fold(0, |sum, report| Ok(sum + report.get(at).ok_or_else(unreadable)?))
}

/// The largest of a word of all reports.
pub(crate) fn most(reports: &[Vec<u64>], at: usize) -> Result<u64, SolveError> {
    reports.iter().try_fold(0, |most, report| Ok(*report.get(at).ok_or_else(unreadable)?.max(&most)))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Reads a message.
pub(crate) fn read(message: &[u8]) -> Result<Message<'_>, SolveError> {
    let (kind, id) = word(message, 0).zip(word(message, 4)).ok_or_else(unreadable)?;
    match kind {
        ASK => Ok(Message::Ask(id, &message[8..])),
        ANSWER => Ok(Message::Answer(id, &message[8..])),
        _ => Err(unreadable()),
    }
}

/// The cells that a question is about.
pub(crate) fn cells(bytes: &[u8]) -> impl Iterator<Item = usize> {
    bytes.as_chunks::<4>().0.iter().map(|&cell| u32::from_le_bytes(cell) as usize)
}

/// The answer with these codes to a question.
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
    /// None yet, about cells of so many codes each.
    pub(crate) fn new(each: usize) -> Questions {
        Questions { each, pending: Vec::new() }
    }

    /// Asks other shards for the children of positions. `own` gives the codes of a cell of this shard; a child that is
    /// `later` is left out, and its codes are 0.
    ///
    /// # Errors
    /// A move leads to a number beyond the table.
    pub(crate) fn ask(
        &mut self,
        layout: Layout,
        part: u32,
        moves: Moves,
        later: impl Fn(u64) -> bool,
        own: impl Fn(u64, usize) -> u32,
        out: &mut Outbox,
    ) -> Result<Option<Pending>, SolveError> {
        let each = self.each;
        let mut codes = vec![0; each * moves.children.len()];
        let mut asked: Vec<(Vec<u8>, Vec<u32>)> = vec![Default::default(); layout.parts() as usize];
        let id = self.pending.iter().position(Option::is_none).unwrap_or(self.pending.len());
        for (at, &(child, _)) in moves.children.iter().enumerate() {
            if child >= layout.count() {
                let why = format!("a move leads to number {child}, which is beyond the table");
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
                message.extend([ASK, id as u32].iter().flat_map(|word| word.to_le_bytes()));
            }
            message.extend((cell as u32).to_le_bytes());
            places.push(at as u32);
        }
        let mut open = Vec::new();
        for (owner, (message, places)) in (0..).zip(asked) {
            if !places.is_empty() {
                out.send(owner, message);
                open.push((owner, places));
            }
        }
        let pending = Pending { moves, codes, asked: open };
        if pending.asked.is_empty() {
            return Ok(Some(pending));
        }
        if id == self.pending.len() {
            self.pending.push(Some(pending));
        } else {
            self.pending[id] = Some(pending);
        }
        Ok(None)
    }

    /// Takes an answer; gives the positions where it was the last one that they waited for.
    ///
    /// # Errors
    /// Nothing like that was asked.
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
        // A code that takes less room than a byte is sent as one.
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
