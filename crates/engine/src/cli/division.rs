//! The division of a game's moves for a table in parts, and its files: a part of `solve --estimate`.

use std::collections::BTreeMap;
use std::io::{self, Write};

use grundy_core::table::{Folder, Scratch};
use grundy_core::text::size;
use grundy_session::{Division, Grouping, Tabled};

use super::shared::wrapped;

/// Writes the orbits of the moves, the groups of the table with its files, and other ways to group them. `limit` is the
/// memory that a part and those it is made from may take, in bytes.
pub(super) fn write(
    out: &mut impl Write,
    division: &Division,
    game: &dyn Tabled,
    folder: &Folder,
    limit: Option<u64>,
) -> io::Result<()> {
    let Division { noun, orbits, made, splits } = division;
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    orbits.iter().for_each(|orbit| *counts.entry(orbit.len()).or_default() += 1);
    let counts: Vec<String> =
        counts.iter().rev().map(|(of, orbits)| format!("{orbits} of {of} {noun}")).collect();
    writeln!(out, "orbits of {noun} under the symmetries: {}: {}", orbits.len(), counts.join(", "))?;
    for (number, orbit) in (1..).zip(orbits) {
        writeln!(out, "{}", wrapped(&format!("  orbit {number}: "), &orbit.join(" "), 4))?;
    }
    let table = folder.file(game.name());
    match made.as_slice() {
        [front, back] => {
            writeln!(out, "groups of {noun} of this table: {} in front, {} behind", front.len(), back.len())?;
            for (name, group) in [("front", front), ("back", back)] {
                writeln!(out, "{}", wrapped(&format!("  {name}: "), &group.join(" "), 4))?;
            }
            let parts = Scratch::new(folder.clone(), std::time::Duration::MAX).parts(game.name());
            let parts = parts.map_or_else(String::new, |path| path.display().to_string());
            let files = (front.len() + 1) * (back.len() + 1);
            let (first, second) = (front.len() / 2, back.len() / 2);
            writeln!(
                out,
                "files while it is made: {files}, FRONT-BACK.cells by the {noun} left in each group"
            )?;
            writeln!(out, "  such as {parts}/{first}-{second}.cells; each is removed when nothing needs it")?;
        }
        _ => writeln!(out, "the table is made in one piece")?,
    }
    writeln!(out, "file of the table: {}", table.display())?;
    writeln!(
        out,
        "splits into groups, by the memory of one part and those it is built from, symmetric positions included, a byte each:"
    )?;
    writeln!(out, "groups\t{noun}\tfiles\tlargest part\tmemory")?;
    for Grouping { groups, files, largest, memory } in splits {
        let sizes: Vec<String> = groups.iter().map(|group| group.len().to_string()).collect();
        writeln!(out, "{}\t{}\t{files}\t{largest}\t{}", groups.len(), sizes.join(" "), size(*memory))?;
    }
    if let Some(limit) = limit {
        match splits.iter().find(|split| split.memory <= limit) {
            Some(split) => writeln!(out, "within {}: {} groups", size(limit), split.groups.len())?,
            None => writeln!(out, "within {}: none of these splits", size(limit))?,
        }
    }
    for Grouping { groups, .. } in splits.iter().filter(|split| split.groups.len() > 1) {
        writeln!(out, "{noun} of {} groups:", groups.len())?;
        for (number, group) in (1..).zip(groups) {
            let label = format!("  group {number}, {} {noun}: ", group.len());
            writeln!(out, "{}", wrapped(&label, &group.join(" "), 4))?;
        }
    }
    Ok(())
}
