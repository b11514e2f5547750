// SPDX-License-Identifier: MIT
pragma circom 2.1.0;

include "circomlib/circuits/poseidon.circom";
include "circomlib/circuits/bitify.circom";

/*
 * Withdrawal of one note from a shielded pool.
 *
 * Public:  root, nullifierHash, recipient, relayer, fee, batchStart, batchSize (this order is the verifier's).
 * Private: the note (nullifier, secret) and the path from its commitment to the root.
 *
 * This circuit defines its own commitment: commitment = Poseidon(nullifier, secret) and
 * nullifierHash = Poseidon(nullifier), circomlib's Poseidon over the BN254 scalar field. Published descriptions of
 * comparable pools contradict one another on this point (order and number of the hashed values), so only what stands
 * here counts: a note made by another rule cannot be withdrawn with this circuit.
 */
template Withdraw(levels, rangeBits) {
    signal input root;
    signal input nullifierHash;
    signal input recipient;
    signal input relayer;
    signal input fee;
    signal input batchStart;
    signal input batchSize;

    signal input nullifier;
    signal input secret;
    signal input pathElements[levels];
    signal input pathIndices[levels];

    // A leaf index must fit the range checks below, or a full tree would hold leaves that nobody can withdraw.
    assert(levels <= rangeBits);

    // 1. The nullifier hash belongs to the note. Without this a note could be spent once per invented hash.
    component spent = Poseidon(1);
    spent.inputs[0] <== nullifier;
    spent.out === nullifierHash;

    // 2. The prover knows the note: its commitment can only be rebuilt from nullifier and secret. Both are hashed, so
    //    publishing the nullifier's hash does not help anybody to find the commitment.
    component commitment = Poseidon(2);
    commitment.inputs[0] <== nullifier;
    commitment.inputs[1] <== secret;

    // 3. The commitment is a leaf under the root. Each path index is a bit (0: our node is the left child); any other
    //    value would blend the children and let the prover steer towards a root that holds no such leaf.
    signal node[levels + 1];
    signal toLeft[levels];
    component parent[levels];
    var leafIndex = 0;
    node[0] <== commitment.out;
    for (var i = 0; i < levels; i++) {
        pathIndices[i] * (1 - pathIndices[i]) === 0;
        leafIndex += pathIndices[i] * (1 << i);

        // One product serves both children: left + right is always node + sibling.
        toLeft[i] <== pathIndices[i] * (pathElements[i] - node[i]);
        parent[i] = Poseidon(2);
        parent[i].inputs[0] <== node[i] + toLeft[i];
        parent[i].inputs[1] <== pathElements[i] - toLeft[i];
        node[i + 1] <== parent[i].out;
    }
    node[levels] === root;

    // 4. The leaf lies in [batchStart, batchStart + batchSize). The pool pays out of the batch that the proof names, so
    //    a note must not reach into a batch it does not belong to. All terms are range-checked before they are
    //    compared: in the field -1 is a huge number, and with 2^rangeBits far below the field's order no difference of
    //    checked terms can wrap into the accepted range.
    component startRange = Num2Bits(rangeBits);
    startRange.in <== batchStart;
    component sizeRange = Num2Bits(rangeBits);
    sizeRange.in <== batchSize;

    // batchStart <= leafIndex
    signal offset;
    offset <== leafIndex - batchStart;
    component offsetRange = Num2Bits(rangeBits);
    offsetRange.in <== offset;

    // offset < batchSize. As offset >= 0 this also says batchSize >= 1: an empty batch holds no leaf.
    component remainingRange = Num2Bits(rangeBits);
    remainingRange.in <== batchSize - 1 - offset;

    // 5. Recipient, relayer and fee are part of the statement. No rule above mentions them, and a public input that
    //    occurs in no constraint could be changed after proving without the verifier noticing. Squaring puts each
    //    into one constraint, so nobody who carries the proof can redirect the payout or raise the fee.
    signal recipientSquare <== recipient * recipient;
    signal relayerSquare <== relayer * relayer;
    signal feeSquare <== fee * fee;
}

// Ten levels are 1,024 leaves; 12 bits leave room above them for a batch that ends with the last leaf.
component main { public [root, nullifierHash, recipient, relayer, fee, batchStart, batchSize] } = Withdraw(10, 12);
