//! The presentation of a misere quotient: generators, relations, and its elements as words (T. E. Plambeck and A. N. Siegel,
//! "Misere quotients for impartial games", 2008).
//!
//! The elements of heaps that smaller heaps do not generate are the generators `a`, `b`, .. The word of an element is the least
//! product that equals it: the shortest, and of these the first in the alphabet. The relations are the least products that are
//! no words; all other equations follow from them.

use std::collections::BTreeSet;

/// A product of generators by their indices, rising; empty for the empty sum.
type Product = Vec<usize>;

/// A quotient by generators and relations. Elements are words: `1` is the empty sum, `ab^2` the product of `a` and two `b`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presentation {
    /// The element of each heap, by size from 0.
    pub heaps: Vec<String>,
    /// All elements, the shortest words first.
    pub elements: Vec<String>,
    /// The elements in which the player to move loses.
    pub lost: Vec<String>,
    /// The relations: a product and the word of its element.
    pub relations: Vec<[String; 2]>,
}

impl Presentation {
    /// Returns the presentation of a quotient: the products of its elements, the element of each heap, and the elements in
    /// which the player to move loses, as bits.
    pub(super) fn of(products: &[Vec<u8>], heaps: &[u8], lost: u128) -> Presentation {
        let generators = generators(products, heaps);
        let times = |element: u8, at: usize| products[usize::from(element)][usize::from(generators[at])];
        let mut words: Vec<Option<Product>> = vec![None; products.len()];
        words[0] = Some(Product::new());
        let (mut elements, mut relations) = (vec![0], Vec::new());
        // Products of one length that are words.
        let mut last = vec![Product::new()];
        while !last.is_empty() {
            let longer: BTreeSet<Product> =
                last.iter().flat_map(|word| (0..generators.len()).map(move |at| with(word, at))).collect();
            let mut next = Vec::new();
            for product in longer {
                // Where a part is no word, its relation decides.
                let is_word = |at| last.contains(&without(&product, at));
                if !(0..product.len()).all(is_word) {
                    continue;
                }
                let element = product.iter().fold(0, |element, &at| times(element, at));
                match &words[usize::from(element)] {
                    Some(word) => relations.push([shown(&product), shown(word)]),
                    None => {
                        words[usize::from(element)] = Some(product.clone());
                        elements.push(element);
                        next.push(product);
                    }
                }
            }
            last = next;
        }
        let word = |element: u8| words[usize::from(element)].as_deref().map(shown).unwrap_or_default();
        Presentation {
            heaps: heaps.iter().map(|&heap| word(heap)).collect(),
            lost: elements.iter().filter(|&&e| lost >> e & 1 == 1).map(|&e| word(e)).collect(),
            elements: elements.into_iter().map(word).collect(),
            relations,
        }
    }
}

/// Returns the elements of heaps that those of smaller heaps do not generate.
fn generators(products: &[Vec<u8>], heaps: &[u8]) -> Vec<u8> {
    let mut found = Vec::new();
    let mut generated = BTreeSet::from([0]);
    for &heap in heaps {
        if generated.contains(&heap) {
            continue;
        }
        found.push(heap);
        let mut open: Vec<u8> = generated.iter().copied().collect();
        while let Some(element) = open.pop() {
            let next = products[usize::from(element)][usize::from(heap)];
            if generated.insert(next) {
                open.push(next);
            }
        }
    }
    found
}

/// Returns a product with one generator more.
fn with(product: &[usize], generator: usize) -> Product {
    let at = product.partition_point(|&other| other <= generator);
    [&product[..at], &[generator], &product[at..]].concat()
}

/// Returns a product without its factor with this index.
fn without(product: &[usize], at: usize) -> Product {
    [&product[..at], &product[at + 1..]].concat()
}

/// Returns a product in letters with exponents.
fn shown(product: &[usize]) -> String {
    if product.is_empty() {
        return "1".to_owned();
    }
    let power = |factors: &[usize]| {
        let letter = ('a'..='z').chain('A'..='Z').nth(factors[0]).unwrap_or('?');
        match factors.len() {
            1 => letter.to_string(),
            exponent => format!("{letter}^{exponent}"),
        }
    };
    product.chunk_by(|one, other| one == other).map(power).collect()
}
