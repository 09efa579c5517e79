//! A small network, and how it learns.
//!
//! The weights change by Adam after every batch of samples; each sample is seen through a random symmetry of the
//! board. The averages of the weights over the last steps are stored, rounded to the integers of [`Network`]; weights stay
//! within the limits in which integers cannot overflow.
//!
//! Sources: D. P. Kingma and J. Ba, "Adam: a method for stochastic optimization", 2015; B. T. Polyak and A. B. Juditsky,
//! "Acceleration of stochastic approximation by averaging", 1992.

use grundy_core::game::Player;
use grundy_core::random::{SplitMix64, mix_pair};
use grundy_core::weights::network::{LARGEST_OUTPUT, ONE, OUTPUT, UNIT};
use grundy_core::weights::{Contents, Model, Network};

use crate::model::{Aim, Learner, MOST};

/// Samples of a step.
const BATCH: usize = 128;
/// The size of the first steps, and the number of steps after which it has halved.
const RATE: f32 = 0.001;
const HALVED: f32 = 100_000.0;
/// The share of the older gradients in their means, and of their squares.
const MEAN: f32 = 0.9;
const SQUARES: f32 = 0.999;
/// The share of the older weights in their averages.
const AVERAGE: f32 = 0.9995;

/// A network that learns.
pub struct Net {
    aim: Aim,
    digits: [[u8; 256]; 2],
    cells: usize,
    /// Kinds of cells but free ones.
    kinds: usize,
    hidden: usize,
    matrices: usize,
    places: [Vec<u16>; 2],
    /// The images of the cells by the symmetries of the board.
    group: Vec<Vec<u16>>,
    /// Input weights, biases, output weights and offsets, in the order of [`Network`].
    weights: Vec<f32>,
    averages: Vec<f32>,
    gradients: Vec<f32>,
    means: Vec<f32>,
    squares: Vec<f32>,
    /// The largest size of an input weight or bias.
    most: f32,
    steps: u32,
    /// Samples since the last step.
    samples: usize,
    random: SplitMix64,
    /// The inputs of the sample at hand and the sums of its neurons, for the player to move and the other.
    inputs: [Vec<usize>; 2],
    sums: [Vec<f32>; 2],
}

impl Net {
    /// Returns a network of small random weights. `shape` has sizes and digits, `group` the symmetries of the board, the
    /// identity first. With `turned`, the cell of player one's view that each cell of the board is for player two, the
    /// players share weights.
    pub fn new(
        shape: &Contents,
        group: Vec<Vec<u16>>,
        turned: Option<&[u16]>,
        aim: Aim,
        hidden: usize,
    ) -> Net {
        let (cells, kinds) = (shape.cells, usize::from(shape.base) - 1);
        let plain: Vec<u16> = (0..cells as u16).collect();
        let matrices = if turned.is_some() { 1 } else { 2 };
        let (inputs, outputs) = (matrices * cells * kinds * hidden, 2 * matrices * hidden);
        let most = f32::from(Network::largest_input(cells)) / f32::from(ONE);
        let mut random = SplitMix64(mix_pair(shape.seed, 2));
        let mut draw = |count: usize, size: f32| -> Vec<f32> {
            (0..count).map(|_| (random.below(20_001) as f32 / 10_000.0 - 1.0) * size).collect()
        };
        let mut weights = draw(inputs, (1.0 / (cells as f32).sqrt()).min(most));
        weights.extend(vec![most.min(0.1); matrices * hidden]);
        weights.extend(draw(outputs, 1.0 / (2.0 * hidden as f32).sqrt()));
        weights.extend(vec![0.0; matrices]);
        let count = weights.len();
        Net {
            aim,
            digits: shape.digits,
            cells,
            kinds,
            hidden,
            matrices,
            places: [plain.clone(), turned.map_or(plain, <[u16]>::to_vec)],
            group,
            averages: weights.clone(),
            weights,
            gradients: vec![0.0; count],
            means: vec![0.0; count],
            squares: vec![0.0; count],
            most,
            steps: 0,
            samples: 0,
            random,
            inputs: [Vec::new(), Vec::new()],
            sums: [vec![0.0; hidden], vec![0.0; hidden]],
        }
    }

    /// Returns the index of the first bias, of the first output weight and of the first offset.
    fn begins(&self) -> (usize, usize, usize) {
        let biases = self.matrices * self.cells * self.kinds * self.hidden;
        let outputs = biases + self.matrices * self.hidden;
        (biases, outputs, outputs + 2 * self.matrices * self.hidden)
    }

    /// Returns the matrix of a player's view.
    fn matrix(&self, view: usize) -> usize {
        view % self.matrices
    }

    /// Computes the inputs of a position seen through a symmetry, the sums of its neurons and the output.
    fn forward(&mut self, turn: Player, cells: &[u8], symmetry: usize, averaged: bool) -> f32 {
        let (biases, outputs, offsets) = self.begins();
        let (mover, hidden) = (turn.index(), self.hidden);
        let image = &self.group[symmetry];
        let weights = if averaged { &self.averages } else { &self.weights };
        let begin = outputs + 2 * self.matrix(mover) * hidden;
        let mut output = weights[offsets + self.matrix(mover)];
        for (side, view) in [mover, 1 - mover].into_iter().enumerate() {
            let matrix = self.matrix(view);
            let (inputs, sums) = (&mut self.inputs[side], &mut self.sums[side]);
            inputs.clear();
            sums.copy_from_slice(&weights[biases + matrix * hidden..][..hidden]);
            for (&byte, &to) in cells.iter().zip(image) {
                let Some(kind) = self.digits[view][usize::from(byte)].checked_sub(1) else { continue };
                let place = usize::from(self.places[view][usize::from(to)]);
                let input = ((matrix * self.cells + place) * self.kinds + usize::from(kind)) * hidden;
                inputs.push(input);
                sums.iter_mut().zip(&weights[input..input + hidden]).for_each(|(sum, weight)| *sum += weight);
            }
            let weights = &weights[begin + side * hidden..][..hidden];
            let neurons = sums.iter().zip(weights);
            output += neurons.map(|(sum, weight)| sum.clamp(0.0, 1.0).powi(2) * weight).sum::<f32>();
        }
        output.clamp(-MOST, MOST)
    }

    /// Adds the gradient of the position of the last [`Net::forward`]; `error` is that of its output.
    fn backward(&mut self, turn: Player, error: f32) {
        let (biases, outputs, offsets) = self.begins();
        let (mover, hidden) = (turn.index(), self.hidden);
        let begin = outputs + 2 * self.matrix(mover) * hidden;
        let offset = offsets + self.matrix(mover);
        self.gradients[offset] += error;
        for (side, view) in [mover, 1 - mover].into_iter().enumerate() {
            let at = begin + side * hidden;
            // Each sum becomes its share of the error.
            for (neuron, sum) in self.sums[side].iter_mut().enumerate() {
                let value = sum.clamp(0.0, 1.0);
                self.gradients[at + neuron] += error * value * value;
                let inside = if *sum > 0.0 && *sum < 1.0 { 2.0 * value } else { 0.0 };
                *sum = error * self.weights[at + neuron] * inside;
            }
            let bias = biases + self.matrix(view) * hidden;
            for &input in self.inputs[side].iter().chain([&bias]) {
                let gradients = self.gradients[input..input + hidden].iter_mut();
                gradients.zip(&self.sums[side]).for_each(|(gradient, sum)| *gradient += sum);
            }
        }
    }

    /// Changes the weights by the gradients of a batch.
    fn step(&mut self) {
        self.steps += 1;
        self.samples = 0;
        let steps = self.steps as f32;
        let (_, outputs, offsets) = self.begins();
        let rate = RATE / (1.0 + steps / HALVED);
        let (mean_scale, square_scale) = (1.0 / (1.0 - MEAN.powf(steps)), 1.0 / (1.0 - SQUARES.powf(steps)));
        let kept = AVERAGE.min((1.0 + steps) / (10.0 + steps));
        let largest = f32::from(LARGEST_OUTPUT) / f32::from(OUTPUT);
        for (range, most) in
            [(0..outputs, self.most), (outputs..offsets, largest), (offsets..self.weights.len(), MOST)]
        {
            let weights = self.weights[range.clone()].iter_mut().zip(&mut self.averages[range.clone()]);
            let moments = self.means[range.clone()].iter_mut().zip(&mut self.squares[range.clone()]);
            let gradients = self.gradients[range].iter_mut();
            for (((weight, average), (mean, square)), gradient) in weights.zip(moments).zip(gradients) {
                let slope = *gradient / BATCH as f32;
                *gradient = 0.0;
                *mean = MEAN * *mean + (1.0 - MEAN) * slope;
                *square = SQUARES * *square + (1.0 - SQUARES) * slope * slope;
                let change = rate * *mean * mean_scale / ((*square * square_scale).sqrt() + 1e-8);
                *weight = (*weight + change).clamp(-most, most);
                *average = kept * *average + (1.0 - kept) * *weight;
            }
        }
    }
}

impl Learner for Net {
    fn size(&self) -> usize {
        self.weights.len()
    }

    fn take(&mut self, contents: &Contents) -> bool {
        let Model::Network(network) = &contents.model else { return false };
        let fits = network.hidden == self.hidden
            && network.places == self.places
            && network.offsets.len() == self.matrices
            && contents.digits == self.digits;
        if fits {
            let (_, outputs, offsets) = self.begins();
            // A margin's unit may have been another.
            let share = contents.unit as f32 / unit(self.aim) as f32;
            let inputs = network
                .inputs
                .iter()
                .chain(&network.biases)
                .map(|&weight| f32::from(weight) / f32::from(ONE));
            self.weights[..outputs].iter_mut().zip(inputs).for_each(|(weight, given)| *weight = given);
            let given = network.outputs.iter().map(|&weight| share * f32::from(weight) / f32::from(OUTPUT));
            self.weights[outputs..offsets].iter_mut().zip(given).for_each(|(weight, given)| *weight = given);
            let given = network.offsets.iter().map(|&offset| share * offset as f32 / one());
            self.weights[offsets..].iter_mut().zip(given).for_each(|(weight, given)| *weight = given);
            self.averages.clone_from(&self.weights);
        }
        fits
    }

    fn estimate(&mut self, turn: Player, cells: &[u8]) -> f32 {
        self.forward(turn, cells, 0, true)
    }

    fn learn(&mut self, turn: Player, cells: &[u8], worth: f32) {
        let symmetry = self.random.below(self.group.len());
        let estimate = self.forward(turn, cells, symmetry, false);
        self.backward(turn, self.aim.error(estimate, worth));
        self.samples += 1;
        if self.samples == BATCH {
            self.step();
        }
    }

    fn stored(&self) -> (Model, u32) {
        let (biases, outputs, offsets) = self.begins();
        let rounded = |weights: &[f32], one: i16, most: i16| -> Vec<i16> {
            let most = f32::from(most);
            weights.iter().map(|weight| (weight * f32::from(one)).round().clamp(-most, most) as i16).collect()
        };
        let (averages, largest) = (&self.averages, Network::largest_input(self.cells));
        let network = Network {
            hidden: self.hidden,
            places: self.places.clone(),
            inputs: rounded(&averages[..biases], ONE, largest),
            biases: rounded(&averages[biases..outputs], ONE, largest),
            outputs: rounded(&averages[outputs..offsets], OUTPUT, LARGEST_OUTPUT),
            offsets: averages[offsets..].iter().map(|offset| (offset * one()).round() as i32).collect(),
        };
        (Model::Network(network), unit(self.aim))
    }
}

/// Returns an output of 1 in the units of stored offsets.
fn one() -> f32 {
    UNIT as f32 * f32::from(OUTPUT)
}

/// Returns the hundredths of an output of 1, in units of 2^-16.
fn unit(aim: Aim) -> u32 {
    (aim.hundredths() * 65536.0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::model::tests::{guess, shape};

    const SAMPLES: [(&[u8; 3], f32); 4] = [(b"XX.", 0.9), (b"OO.", -0.9), (b"XOX", 0.4), (b"..O", -0.3)];

    /// Lets a network learn the samples for each player.
    fn taught(turned: Option<&[u16]>, aim: Aim) -> Net {
        let group = vec![vec![0, 1, 2], vec![2, 1, 0]];
        let mut net = Net::new(&shape(), group, turned, aim, 16);
        for round in 0..40_000 {
            let (cells, worth) = SAMPLES[round % SAMPLES.len()];
            net.learn(Player::One, cells, worth);
        }
        net
    }

    #[test]
    fn a_network_learns_what_it_is_told_and_files_estimate_the_same() {
        let mut net = taught(Some(&[0, 1, 2]), Aim::Result);
        for (cells, worth) in SAMPLES {
            let estimate = net.estimate(Player::One, cells);
            assert!((Aim::Result.worth(estimate) - worth).abs() < 0.1, "{worth} {estimate}");
            let turned = cells.map(|cell| match cell {
                b'X' => b'O',
                b'O' => b'X',
                free => free,
            });
            assert!(
                (net.estimate(Player::Two, &turned) - estimate).abs() < 1e-4,
                "by the exchange of players"
            );
            let mut image = *cells;
            image.reverse();
            let mirrored = net.estimate(Player::One, &image);
            assert!((Aim::Result.worth(mirrored) - worth).abs() < 0.1, "by the symmetry: {mirrored}");
            let (contents, hundredths) = guess(&net, Player::One, cells);
            assert!((hundredths as f32 - 100.0 * estimate).abs() < 8.0, "{hundredths} {estimate}");
            let mut again = Net::new(&shape(), vec![vec![0, 1, 2]], Some(&[0, 1, 2]), Aim::Result, 16);
            assert!(again.take(&contents));
            assert!((again.estimate(Player::One, cells) - estimate).abs() < 0.08);
        }
        let (contents, _) = guess(&net, Player::One, b"XX.");
        let mut other = Net::new(&shape(), vec![vec![0, 1, 2]], None, Aim::Result, 16);
        assert!(!other.take(&contents), "the players have weights of their own");
    }

    #[test]
    fn the_gradient_is_the_change_of_the_loss() {
        let mut net = taught(None, Aim::Margin(10.0));
        let (cells, worth) = (b"XO.", 0.7);
        let loss = |net: &mut Net| (worth - net.forward(Player::Two, cells, 0, false)).powi(2) / 4.0;
        net.gradients.fill(0.0);
        let estimate = net.forward(Player::Two, cells, 0, false);
        net.backward(Player::Two, net.aim.error(estimate, worth));
        let gradients = net.gradients.clone();
        for (at, &gradient) in gradients.iter().enumerate() {
            let weight = net.weights[at];
            net.weights[at] = weight + 0.01;
            let above = loss(&mut net);
            net.weights[at] = weight - 0.01;
            let slope = (loss(&mut net) - above) / 0.02;
            net.weights[at] = weight;
            assert!((slope - gradient).abs() < 0.02, "weight {at}: {slope} {gradient}");
        }
        assert!(gradients.iter().filter(|gradient| gradient.abs() > 0.01).count() > 20);
    }
}
