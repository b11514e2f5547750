//! Calldata as it comes in a body, as felts, and as it goes to the node.

use serde_json::{json, Value};
use starknet_crypto::{poseidon_hash_many, rfc6979_generate_k, sign, Felt};

const PRIVATE_KEY: Felt = Felt::from_hex_unchecked("0x5f1b2c8d9e0a4b7c6d3e2f1a0b9c8d7e6");
/// Felts of a transaction's hash besides its calldata, and those of its fee.
const TRANSACTION_FELTS: usize = 10;
const FEE_FELTS: usize = 4;

/// So many of the full length, none like another.
pub fn felts(count: usize) -> Vec<Felt> {
    (0..count)
        .map(|index| poseidon_hash_many(&[Felt::from(index as u64)]))
        .collect()
}

pub fn body(felts: &[Felt]) -> Vec<u8> {
    let calldata: Vec<String> = felts.iter().map(Felt::to_hex_string).collect();
    json!({ "poolAddress": "0x1", "calldata": calldata })
        .to_string()
        .into_bytes()
}

pub fn received(body: &[u8]) -> Vec<Felt> {
    let parsed: Value = serde_json::from_slice(body).expect("the body is JSON");
    let texts = parsed["calldata"].as_array().expect("with calldata");
    texts
        .iter()
        .map(|text| Felt::from_hex(text.as_str().expect("of texts")).expect("which are felts"))
        .collect()
}

pub fn sent(felts: &[Felt]) -> Vec<u8> {
    let calldata: Vec<String> = felts.iter().map(Felt::to_hex_string).collect();
    json!({ "type": "INVOKE", "version": "0x3", "calldata": calldata, "nonce": "0x1" })
        .to_string()
        .into_bytes()
}

/// Hash of a transaction from that of its calldata, and the signature under it.
pub fn signed(calldata_hash: Felt) -> (Felt, Felt) {
    let fee = poseidon_hash_many(&[Felt::ONE; FEE_FELTS]);
    let mut fields = [Felt::TWO; TRANSACTION_FELTS];
    fields[0] = fee;
    fields[1] = calldata_hash;
    let hash = poseidon_hash_many(&fields);
    let k = rfc6979_generate_k(&hash, &PRIVATE_KEY, None);
    let signature = sign(&PRIVATE_KEY, &hash, &k).expect("the number drawn suits");
    (signature.r, signature.s)
}
