use integer::{U128sFromFelt252Result, u128s_from_felt252};
use option::OptionTrait;
use sotto::bn254_constants as constants;
use sotto::bn254_field::R;
use traits::{Into, TryInto};

/// A number below r + 2^138 in limbs of 64 bits, low first.
///
/// Range checks are what arithmetic costs on Starknet, and native felts multiply without any. So products are summed in columns that
/// are felts, and a sum is reduced by Montgomery's method with Starknet's own prime p = 2^251 + 17·2^192 + 1 as its radix:
/// the factor m that makes `sum + m·r` a multiple of p is one felt multiplication, and the quotient's limbs follow from the low ones,
/// as p is 1 modulo 2^192. A number x is kept as x·p modulo r; `reduced` divides by p once.
#[derive(Copy, Drop)]
struct Element {
    limb0: felt252,
    limb1: felt252,
    limb2: felt252,
    limb3: felt252,
}

/// A sum of at most six products of elements, in columns of 64 bits that hold up to 2^133.
#[derive(Copy, Drop)]
struct Sum {
    column0: felt252,
    column1: felt252,
    column2: felt252,
    column3: felt252,
    column4: felt252,
    column5: felt252,
    column6: felt252,
}

const SHIFT: felt252 = 0x10000000000000000; // 2^64
const SHIFT_2: felt252 = 0x100000000000000000000000000000000; // 2^128
const SHIFT_3: felt252 = 0x1000000000000000000000000000000000000000000000000; // 2^192
/// (p - 1) / 2^192 modulo 2^64.
const P_LIMB3: felt252 = 0x800000000000011;

fn element_of(value: u256) -> Element {
    let (limb1, limb0) = split_at_64(value.low.into());
    let (limb3, limb2) = split_at_64(value.high.into());
    Element { limb0, limb1, limb2, limb3 }
}

/// The number itself, below r.
fn number_of(element: Element) -> u256 {
    let low: felt252 = element.limb0 + element.limb1 * SHIFT;
    let high: felt252 = element.limb2 + element.limb3 * SHIFT;
    let number = u256 { low: low.try_into().unwrap(), high: high.try_into().unwrap() };
    if number < R {
        number
    } else {
        number - R
    }
}

fn zero_sum() -> Sum {
    Sum { column0: 0, column1: 0, column2: 0, column3: 0, column4: 0, column5: 0, column6: 0 }
}

fn sum_of(element: Element) -> Sum {
    let Element{limb0, limb1, limb2, limb3 } = element;
    Sum {
        column0: limb0,
        column1: limb1,
        column2: limb2,
        column3: limb3,
        column4: 0,
        column5: 0,
        column6: 0
    }
}

fn multiply(a: Element, b: Element) -> Element {
    zero_sum().plus(a, b).reduced()
}

#[generate_trait]
impl SumImpl of SumTrait {
    fn plus(self: Sum, a: Element, b: Element) -> Sum {
        let Element{limb0: a0, limb1: a1, limb2: a2, limb3: a3 } = a;
        let Element{limb0: b0, limb1: b1, limb2: b2, limb3: b3 } = b;
        Sum {
            column0: self.column0 + a0 * b0,
            column1: self.column1 + a0 * b1 + a1 * b0,
            column2: self.column2 + a0 * b2 + a1 * b1 + a2 * b0,
            column3: self.column3 + a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0,
            column4: self.column4 + a1 * b3 + a2 * b2 + a3 * b1,
            column5: self.column5 + a2 * b3 + a3 * b2,
            column6: self.column6 + a3 * b3,
        }
    }

    /// The sum divided by p modulo r.
    fn reduced(self: Sum) -> Element {
        // The upper columns, below 2^133, times what 2^256, 2^320 and 2^384 are modulo r: less than 2^389 in columns below 2^199.
        let (above4, above5, above6) = (self.column4, self.column5, self.column6);
        let column0 = self.column0
            + above4 * constants::SHIFT_4_0
            + above5 * constants::SHIFT_5_0
            + above6 * constants::SHIFT_6_0;
        let column1 = self.column1
            + above4 * constants::SHIFT_4_1
            + above5 * constants::SHIFT_5_1
            + above6 * constants::SHIFT_6_1;
        let column2 = self.column2
            + above4 * constants::SHIFT_4_2
            + above5 * constants::SHIFT_5_2
            + above6 * constants::SHIFT_6_2;
        let column3 = self.column3
            + above4 * constants::SHIFT_4_3
            + above5 * constants::SHIFT_5_3
            + above6 * constants::SHIFT_6_3;

        // sum + m·r = p·quotient, and the quotient is below 2^138 + r.
        let residue = column0 + column1 * SHIFT + column2 * SHIFT_2 + column3 * SHIFT_3;
        let (m_high, m_low) = split(residue * constants::MINUS_INVERSE_OF_R);
        let column0 = column0 + m_low * constants::R_0;
        let column1 = column1 + m_low * constants::R_1;
        let column2 = column2 + m_low * constants::R_2 + m_high * constants::R_0;
        let column3 = column3 + m_low * constants::R_3 + m_high * constants::R_1;

        // quotient = sum + m·r - 2^192·P_LIMB3·quotient modulo 2^256: the lowest limb is all that matters of the last one.
        let (carry3, column1) = split(column1);
        let (carry2, low) = split(column0 + column1 * SHIFT);
        let (limb1, limb0) = split_at_64(low);
        // A multiple of 2^64 keeps the difference from going below zero.
        let (_, column3) = split(column3 + carry3 + SHIFT_2 - P_LIMB3 * limb0);
        let (_, high) = split(column2 + carry2 + column3 * SHIFT);
        let (limb3, limb2) = split_at_64(high);
        Element { limb0, limb1, limb2, limb3 }
    }
}

/// A felt's part from 2^128 on, and the part below.
fn split(value: felt252) -> (felt252, felt252) {
    match u128s_from_felt252(value) {
        U128sFromFelt252Result::Narrow(low) => (0, low.into()),
        U128sFromFelt252Result::Wide((high, low)) => (high.into(), low.into()),
    }
}

/// The part from 2^64 on of a felt below 2^128, and the part below: moved up by 64 bits, the border is where felts split.
fn split_at_64(value: felt252) -> (felt252, felt252) {
    let (high, low) = split(value * SHIFT);
    (high, low * constants::INVERSE_OF_SHIFT)
}
