//! Chess against numbers and programs that others made.

mod rules;
