//! Estimates by their definitions, and the file.

use super::*;

use crate::random::SplitMix64;

/// Contents for four cells of three kinds. Player two sees the board from its other end.
fn contents(model: Model) -> Contents {
    let mut digits = [[0; 256]; 2];
    for (turn, signs) in [b"XO", b"OX"].into_iter().enumerate() {
        (1..).zip(signs).for_each(|(digit, &sign)| digits[turn][usize::from(sign)] = digit);
    }
    let (game, digest, method) = ("four:1".to_owned(), String::new(), "test".to_owned());
    Contents { game, digest, method, games: 12, seed: 7, cells: 4, digits, base: 3, unit: 3 << 16, model }
}

fn drawn(random: &mut SplitMix64, count: usize, most: i16) -> Vec<i16> {
    (0..count).map(|_| random.below(2 * most as usize + 1) as i16 - most).collect()
}

/// Weights over pairs of cells, drawn by lot.
fn tuples() -> Contents {
    let pairs = [[0u16, 1], [1, 2], [2, 3]];
    let images = |back: bool| {
        let cells = |pair: [u16; 2]| pair.map(|cell| if back { 3 - cell } else { cell }).to_vec();
        pairs.iter().zip([0, 9, 0]).map(|(&pair, base)| Image { base, cells: cells(pair) }).collect()
    };
    let weights = drawn(&mut SplitMix64(3), 18, 1000);
    contents(Model::Tuples(Tuples { images: [images(false), images(true)], weights }))
}

/// A network with as many matrices, drawn by lot; its weights are as large as they may be.
fn network(matrices: usize) -> Contents {
    let (hidden, mut random) = (network::HIDDEN, SplitMix64(5));
    let most = Network::largest_input(4);
    contents(Model::Network(Network {
        hidden,
        places: [(0..4).collect(), (0..4).rev().collect()],
        inputs: drawn(&mut random, matrices * 8 * hidden, most),
        biases: drawn(&mut random, matrices * hidden, most),
        outputs: drawn(&mut random, matrices * 2 * hidden, network::LARGEST_OUTPUT),
        offsets: vec![i32::MIN; matrices],
    }))
}

/// The estimate by its definition.
fn plain(contents: &Contents, turn: Player, cells: &[u8]) -> i32 {
    let digit = |view: usize, cell: usize| usize::from(contents.digits[view][usize::from(cells[cell])]);
    match &contents.model {
        Model::Tuples(tuples) => {
            let view = turn.index();
            let sum = |image: &Image| {
                let filling =
                    image.cells.iter().rev().fold(0, |sum, &cell| sum * 3 + digit(view, usize::from(cell)));
                i32::from(tuples.weights[image.base as usize + filling])
            };
            3 * tuples.images[view].iter().map(sum).sum::<i32>()
        }
        Model::Network(network) => {
            let (hidden, matrices) = (network.hidden, network.offsets.len());
            let neurons = |view: usize, neuron: usize| -> i64 {
                let matrix = view % matrices;
                let mut sum = i64::from(network.biases[matrix * hidden + neuron]);
                for cell in 0..4 {
                    let place = usize::from(network.places[view][cell]);
                    if let Some(kind) = digit(view, cell).checked_sub(1) {
                        let at = ((matrix * 4 + place) * 2 + kind) * hidden + neuron;
                        sum += i64::from(network.inputs[at]);
                    }
                }
                sum.clamp(0, 255).pow(2)
            };
            let mover = turn.index();
            let outputs = &network.outputs[mover % matrices * 2 * hidden..];
            let mut sum = i64::from(network.offsets[mover % matrices]);
            for neuron in 0..hidden {
                sum += neurons(mover, neuron) * i64::from(outputs[neuron]);
                sum += neurons(1 - mover, neuron) * i64::from(outputs[hidden + neuron]);
            }
            (3 * (sum / 64) / (255 * 255)) as i32
        }
    }
}

#[test]
fn an_estimate_does_not_depend_on_the_one_before() {
    let (mut memory, mut random) = (Accumulators::default(), SplitMix64(1));
    for contents in [tuples(), network(1), network(2)] {
        let weights = Weights::new(contents).unwrap();
        for _ in 0..500 {
            let cells = [0; 4].map(|_| b".XO"[random.below(3)]);
            let turn = [Player::One, Player::Two][random.below(2)];
            assert_eq!(weights.guess(turn, &cells, &mut memory), plain(weights.contents(), turn, &cells));
        }
        assert_eq!(weights.guess(Player::One, b"XO.", &mut memory), 0, "three cells are no position");
    }
}

#[test]
fn a_file_is_read_as_it_was_written_and_damage_is_refused() {
    for contents in [tuples(), network(2)] {
        let bytes = Weights::new(contents.clone()).unwrap().to_bytes();
        assert_eq!(Weights::from_bytes(&bytes).unwrap().contents(), &contents);
        for at in (0..bytes.len()).step_by(bytes.len().div_ceil(300)) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(Weights::from_bytes(&damaged).is_err(), "byte {at}");
            assert!(Weights::from_bytes(&bytes[..at]).is_err(), "cut at {at}");
        }
    }
    let refusal = |mut contents: Contents, change: fn(&mut Contents)| {
        change(&mut contents);
        Weights::new(contents).unwrap_err().to_string()
    };
    let of_tuples = |change: fn(&mut Contents)| refusal(tuples(), change);
    fn tables(contents: &mut Contents) -> &mut Tuples {
        let Model::Tuples(tuples) = &mut contents.model else { unreachable!() };
        tuples
    }
    assert!(of_tuples(|c| tables(c).images[1][0].base = 10).contains("no table"));
    assert!(of_tuples(|c| tables(c).images[0][0].cells[1] = 4).contains("beyond the last"));
    assert!(of_tuples(|c| c.digits[0][9] = 3).contains("too large"));
    assert!(of_tuples(|c| tables(c).images[0][0].cells = vec![0; 99]).contains("no table"));
    let of_network = |change: fn(&mut Contents)| refusal(network(1), change);
    fn net(contents: &mut Contents) -> &mut Network {
        let Model::Network(network) = &mut contents.model else { unreachable!() };
        network
    }
    assert!(of_network(|c| net(c).hidden = 0).contains("no network"));
    assert!(of_network(|c| net(c).hidden = 100).contains("other sizes"));
    assert!(of_network(|c| net(c).offsets = vec![0; 3]).contains("no network"));
    assert!(of_network(|c| net(c).places[1][0] = 4).contains("beyond the last"));
    assert!(of_network(|c| _ = net(c).places[0].pop()).contains("number of cells"));
    assert!(of_network(|c| net(c).inputs[9] = i16::MIN).contains("too large"));
    assert!(of_network(|c| net(c).outputs[9] = -128).contains("too large"));
    assert!(of_network(|c| c.base = 4).contains("other sizes"));
}

#[test]
fn weights_are_those_of_one_game_and_its_rules() {
    let told = |weights: &Weights, game, digest| weights.check(game, digest).err().map(|why| why.to_string());
    let weights = Weights::new(tuples()).unwrap();
    assert_eq!(told(&weights, "four:1", None), None);
    assert_eq!(told(&weights, "four:2", None).as_deref(), Some("weights of four:1, expected four:2"));
    let contents = Contents { digest: "abc".to_owned(), ..weights.contents().clone() };
    let ruled = Weights::new(contents).unwrap();
    assert_eq!(told(&ruled, "elsewhere", Some("abc")), None);
    assert!(told(&ruled, "four:1", Some("abd")).unwrap().contains("other rules"));
}
