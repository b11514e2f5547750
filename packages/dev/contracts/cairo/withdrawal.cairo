use array::{ArrayTrait, SpanTrait};
use option::OptionTrait;
use sotto::bn254_field::R;
use sotto::groth16_verifier_interface::{IGroth16VerifierDispatcher, IGroth16VerifierDispatcherTrait};
use starknet::ContractAddress;
use traits::{Into, TryInto};

/// The protocol's hard maximum.
const MAX_FEE_BPS: u32 = 1000;
const BPS: u256 = 10000;

/// The public inputs of the withdrawal circuit, in the verifier's order.
#[derive(Copy, Drop)]
struct ProvenWithdrawal {
    root: u256,
    nullifier_hash: u256,
    recipient: u256,
    relayer: u256,
    fee: u256,
    batch_start: u256,
    batch_size: u256,
}

/// What a proof states, or none when the verifier does not accept it.
fn verified_withdrawal(
    verifier: ContractAddress, proof_with_hints: Span<felt252>
) -> Option<ProvenWithdrawal> {
    let verifier = IGroth16VerifierDispatcher { contract_address: verifier };
    let inputs = match verifier.verify_groth16_proof_bn254(proof_with_hints) {
        Result::Ok(inputs) => inputs,
        Result::Err(_) => {
            return Option::None(());
        },
    };
    if inputs.len() != 7 {
        return Option::None(());
    }
    Option::Some(
        ProvenWithdrawal {
            root: *inputs.at(0),
            nullifier_hash: *inputs.at(1),
            recipient: *inputs.at(2),
            relayer: *inputs.at(3),
            fee: *inputs.at(4),
            batch_start: *inputs.at(5),
            batch_size: *inputs.at(6),
        }
    )
}

/// Largest fee of a payout, rounded down.
fn max_fee_of(amount: u256, max_fee_bps: u32) -> u256 {
    let max_fee_bps: felt252 = max_fee_bps.into();
    amount * max_fee_bps.into() / BPS
}

/// Whether a number can be a leaf: not empty, and of the field that the tree hashes over.
fn is_commitment(value: u256) -> bool {
    value != 0 && value < R
}

/// A public input may be any number below r; one that is no address panics with Cairo's own text.
fn address_of(value: u256) -> ContractAddress {
    let felt: felt252 = value.try_into().unwrap();
    felt.try_into().unwrap()
}
