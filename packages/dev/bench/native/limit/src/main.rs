//! What a withdrawal's computing takes in native code, on one core: the least that any service
//! could spend on this machine. Prints JSON, which `results/native.json` keeps.

mod calldata;
mod groth16;
mod measure;

use measure::{machine, measured};
use serde_json::json;

/// Felts that a withdrawal's transaction hash is of.
const HASHED_FELTS: usize = 2_024;
const BATCHES: [usize; 3] = [4, 16, 32];

fn main() {
    let felts = calldata::felts(HASHED_FELTS);
    let body = calldata::body(&felts);
    let proofs = groth16::Setup::new();
    let one = proofs.prove(1);
    assert!(proofs.holds(&one[0]) && !proofs.holds(&one[0].spoilt()));
    let batches: serde_json::Map<_, _> = BATCHES
        .iter()
        .map(|&size| {
            let batch = proofs.prove(size);
            assert!(proofs.all_hold(&batch));
            let milliseconds = measured(|| proofs.all_hold(&batch));
            (size.to_string(), milliseconds.divided(size).json())
        })
        .collect();
    let report = json!({
        "machine": machine(),
        "programs": {
            "rustc": env!("RUSTC_VERSION"),
            "starknet-crypto": "0.8.1",
            "arkworks": "0.5.0",
            "serde_json": "1.0.143",
        },
        "milliseconds": {
            "poseidon": measured(|| starknet_crypto::poseidon_hash_many(&felts)).json(),
            "proof": measured(|| proofs.holds(&one[0])).json(),
            "proofInBatchOf": batches,
            "signature": measured(|| calldata::signed(felts[0])).json(),
            "json": measured(|| calldata::sent(&calldata::received(&body))).json(),
        },
    });
    println!("{report:#}");
}
