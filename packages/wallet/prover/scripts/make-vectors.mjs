#!/usr/bin/env node
// Writes test/vectors/withdrawal.json: one withdrawal, proven with the development keys of keys/.
// The statement is always the same, but the proof differs each time: Groth16 proofs are randomised.
// Run this script whenever keys/ changes.
import { writeFile } from 'node:fs/promises';
import { noteOf, proveWithdrawal, serialiseNote, withdrawalCalldata } from '../dist/index.js';
import { loadDevelopmentKeys } from '../dist/node.js';
import { malleate } from '../dist/testing/index.js';

// The tree has two full batches of three and one waiting deposit. The note is in the middle of the
// second batch.
const notes = Array.from({ length: 7 }, (_, index) =>
  noteOf(1_000_001n * BigInt(index + 1), 2_000_003n * BigInt(index + 1)),
);
const leafIndex = 4;
const note = notes[leafIndex];
const request = {
  note,
  leaves: notes.map(({ commitment }) => commitment),
  recipient: 0x0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdefn,
  relayer: 0x05e1a7e2000000000000000000000000000000000000000000000000000000f1n,
  feeAmount: 150n,
  batchStart: 3,
  batchSize: 3,
};

const keys = await loadDevelopmentKeys();
const proven = await proveWithdrawal(request, keys);
const malleated = malleate(proven);
const vector = {
  verificationKey: keys.verificationKey,
  proof: proven.proof,
  publicInputs: proven.publicInputs,
  calldata: await withdrawalCalldata(proven, keys.verificationKey),
  malleatedProof: malleated.proof,
  malleatedCalldata: await withdrawalCalldata(malleated, keys.verificationKey),
  note: {
    text: serialiseNote(note),
    nullifier: String(note.nullifier),
    secret: String(note.secret),
    commitment: String(note.commitment),
    nullifierHash: String(note.nullifierHash),
  },
  leaves: request.leaves.map(String),
  leafIndex,
  recipient: `0x${request.recipient.toString(16)}`,
  relayer: `0x${request.relayer.toString(16)}`,
  feeSats: String(request.feeAmount),
  batchStart: request.batchStart,
  batchSize: request.batchSize,
};
await writeFile(
  new URL('../test/vectors/withdrawal.json', import.meta.url),
  `${JSON.stringify(vector, null, 1)}\n`,
);
process.stdout.write('test/vectors/withdrawal.json written\n');
