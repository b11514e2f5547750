//! Groth16 over BN254 under a setup whose secrets are known, so that proofs are made without a
//! circuit: each by itself, and many at once in a random linear combination.

use ark_bn254::{Bn254, Fr, G1Affine, G1Projective, G2Affine};
use ark_ec::pairing::{Pairing, PairingOutput};
use ark_ec::{AffineRepr, CurveGroup, VariableBaseMSM};
use ark_ff::{Field, UniformRand, Zero};
use ark_std::rand::{rngs::StdRng, Rng, SeedableRng};
use std::cell::RefCell;

const INPUTS: usize = 7;
type Prepared = <Bn254 as Pairing>::G2Prepared;

struct Secrets {
    alpha: Fr,
    beta: Fr,
    gamma: Fr,
    delta: Fr,
    inputs: [Fr; INPUTS + 1],
}

pub struct Setup {
    secrets: Secrets,
    alpha: G1Affine,
    alpha_beta: PairingOutput<Bn254>,
    beta: Prepared,
    /// Negated, as are the deltas: each is on the other side of the equation.
    gamma: Prepared,
    delta: Prepared,
    inputs: Vec<G1Affine>,
    random: RefCell<StdRng>,
}

#[derive(Clone)]
pub struct Proof {
    a: G1Affine,
    b: G2Affine,
    c: G1Affine,
    inputs: [Fr; INPUTS],
}

impl Proof {
    pub fn spoilt(&self) -> Self {
        let mut inputs = self.inputs;
        inputs[0] += Fr::ONE;
        Self {
            inputs,
            ..self.clone()
        }
    }

    /// On the curve, none at infinity, and the one whose group has cofactors in its subgroup.
    fn is_sound(&self) -> bool {
        let Self { a, b, c, .. } = self;
        !(a.is_zero() || b.is_zero() || c.is_zero())
            && a.is_on_curve()
            && c.is_on_curve()
            && b.is_on_curve()
            && b.is_in_correct_subgroup_assuming_on_curve()
    }
}

fn in_first(scalar: Fr) -> G1Affine {
    (G1Affine::generator() * scalar).into_affine()
}

fn in_second(scalar: Fr) -> G2Affine {
    (G2Affine::generator() * scalar).into_affine()
}

impl Setup {
    pub fn new() -> Self {
        let mut random = StdRng::seed_from_u64(1);
        let mut draw = || Fr::rand(&mut random);
        let (alpha, beta, gamma, delta) = (draw(), draw(), draw(), draw());
        let inputs = std::array::from_fn(|_| draw());
        Self {
            alpha: in_first(alpha),
            alpha_beta: Bn254::pairing(in_first(alpha), in_second(beta)),
            beta: in_second(-beta).into(),
            gamma: in_second(-gamma).into(),
            delta: in_second(-delta).into(),
            inputs: inputs.iter().copied().map(in_first).collect(),
            secrets: Secrets {
                alpha,
                beta,
                gamma,
                delta,
                inputs,
            },
            random: RefCell::new(random),
        }
    }

    pub fn prove(&self, count: usize) -> Vec<Proof> {
        let Secrets {
            alpha,
            beta,
            gamma,
            delta,
            inputs: factors,
        } = &self.secrets;
        let random = &mut *self.random.borrow_mut();
        (0..count)
            .map(|_| {
                let inputs: [Fr; INPUTS] = std::array::from_fn(|_| Fr::rand(random));
                let (a, b) = (Fr::rand(random), Fr::rand(random));
                let sum: Fr = factors[0]
                    + factors[1..]
                        .iter()
                        .zip(inputs)
                        .map(|(factor, input)| *factor * input)
                        .sum::<Fr>();
                let c = (a * b - *alpha * beta - sum * gamma) / delta;
                Proof {
                    a: in_first(a),
                    b: in_second(b),
                    c: in_first(c),
                    inputs,
                }
            })
            .collect()
    }

    pub fn holds(&self, proof: &Proof) -> bool {
        if !proof.is_sound() {
            return false;
        }
        let inputs = G1Projective::msm_unchecked(&self.inputs[1..], &proof.inputs) + self.inputs[0];
        let firsts = [proof.a, inputs.into_affine(), proof.c];
        let seconds = [proof.b.into(), self.gamma.clone(), self.delta.clone()];
        Bn254::multi_pairing(firsts, seconds) == self.alpha_beta
    }

    /// n + 3 Miller loops and one final exponentiation, under 128-bit randomisers.
    pub fn all_hold(&self, proofs: &[Proof]) -> bool {
        if !proofs.iter().all(Proof::is_sound) {
            return false;
        }
        let random = &mut *self.random.borrow_mut();
        let randomisers: Vec<Fr> = proofs
            .iter()
            .map(|_| Fr::from(random.gen::<u128>()))
            .collect();
        let mut scalars = [Fr::zero(); INPUTS + 1];
        for (proof, randomiser) in proofs.iter().zip(&randomisers) {
            scalars[0] += randomiser;
            for (scalar, input) in scalars[1..].iter_mut().zip(proof.inputs) {
                *scalar += input * randomiser;
            }
        }
        let cs: Vec<G1Affine> = proofs.iter().map(|proof| proof.c).collect();
        let mut firsts: Vec<G1Projective> = proofs
            .iter()
            .zip(&randomisers)
            .map(|(proof, randomiser)| proof.a * randomiser)
            .collect();
        firsts.push(self.alpha * scalars[0]);
        firsts.push(G1Projective::msm_unchecked(&self.inputs, &scalars));
        firsts.push(G1Projective::msm_unchecked(&cs, &randomisers));
        let seconds = proofs.iter().map(|proof| proof.b.into()).chain([
            self.beta.clone(),
            self.gamma.clone(),
            self.delta.clone(),
        ]);
        Bn254::multi_pairing(G1Projective::normalize_batch(&firsts), seconds).is_zero()
    }
}
