//! Games without perfect information: values against brute force, published values, other methods, and forgers.

mod bimatrix;
mod examples;
mod forged;
mod matrix;
mod plugins;
mod read;
mod repeated;
mod tree;
