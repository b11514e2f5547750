/// Stands where a real verifier would: reads Garaga's proof layout for seven public inputs and returns them. It holds lengths,
/// counts, limbs and inputs to their ranges and DOES NOT CHECK THE PAIRING, so whatever has the layout is a proof to it.
#[starknet::contract]
mod UncheckedGroth16Verifier {
    use array::{ArrayTrait, SpanTrait};
    use option::OptionTrait;
    use sotto::bn254_field::R;
    use sotto::groth16_verifier_interface::IGroth16Verifier;
    use traits::{Into, TryInto};

    /// Integers below 2^96, low first: coordinates of four, field elements in hints of three.
    const LIMB_BOUND: u128 = 0x1000000000000000000000000;
    const INPUTS: u32 = 7;

    const POINT_LIMBS: u32 = 32;
    /// Lambda root and its inverse of 36 limbs each, scaling factor of 18.
    const LAMBDA_LIMBS: u32 = 90;
    const LINES: felt252 = 34;
    const LINE_LIMBS: u32 = 1224; // 36 for each
    const BIG_Q: felt252 = 190;
    const BIG_Q_LIMBS: u32 = 570; // 3 for each
    const MSM_HINT_FELTS: u32 = 84; // 12 for each input

    #[storage]
    struct Storage {}

    #[external(v0)]
    impl Verifier of IGroth16Verifier<ContractState> {
        fn verify_groth16_proof_bn254(
            self: @ContractState, full_proof_with_hints: Span<felt252>
        ) -> Result<Span<u256>, felt252> {
            match public_inputs(full_proof_with_hints) {
                Option::Some(inputs) => Result::Ok(inputs),
                Option::None(()) => Result::Err('Groth16: not a proof layout'),
            }
        }
    }

    /// The public inputs of a proof, or none when the span has another layout.
    fn public_inputs(mut proof: Span<felt252>) -> Option<Span<u256>> {
        take_limbs(ref proof, POINT_LIMBS)?;
        take_count(ref proof, INPUTS.into())?;
        let inputs = take_inputs(ref proof)?;
        take_limbs(ref proof, LAMBDA_LIMBS)?;
        take_count(ref proof, LINES)?;
        take_limbs(ref proof, LINE_LIMBS)?;
        take_count(ref proof, BIG_Q)?;
        take_limbs(ref proof, BIG_Q_LIMBS)?;
        // The challenge z, any felt.
        proof.pop_front()?;
        take_count(ref proof, MSM_HINT_FELTS.into())?;
        if proof.len() != MSM_HINT_FELTS {
            return Option::None(());
        }
        Option::Some(inputs)
    }

    fn take_count(ref proof: Span<felt252>, expected: felt252) -> Option<()> {
        if *proof.pop_front()? != expected {
            return Option::None(());
        }
        Option::Some(())
    }

    fn take_limbs(ref proof: Span<felt252>, count: u32) -> Option<()> {
        if proof.len() < count {
            return Option::None(());
        }
        let end = proof.len() - count;
        loop {
            if proof.len() == end {
                break Option::Some(());
            }
            let limb: Option<u128> = (*proof.pop_front().unwrap()).try_into();
            match limb {
                Option::Some(limb) => {
                    if limb >= LIMB_BOUND {
                        break Option::None(());
                    }
                },
                Option::None(()) => {
                    break Option::None(());
                },
            };
        }
    }

    fn take_inputs(ref proof: Span<felt252>) -> Option<Span<u256>> {
        let mut inputs = ArrayTrait::new();
        loop {
            if inputs.len() == INPUTS {
                break Option::Some(inputs.span());
            }
            match take_input(ref proof) {
                Option::Some(input) => inputs.append(input),
                Option::None(()) => {
                    break Option::None(());
                },
            };
        }
    }

    fn take_input(ref proof: Span<felt252>) -> Option<u256> {
        let low: u128 = (*proof.pop_front()?).try_into()?;
        let high: u128 = (*proof.pop_front()?).try_into()?;
        let input = u256 { low, high };
        if input >= R {
            return Option::None(());
        }
        Option::Some(input)
    }
}
