import { SCALAR_FIELD, TREE_DEPTH } from '@sotto/wallet/advanced';

import { ELEMENT_BYTES, modulo, writeElement } from '../fields.js';
import { PUBLIC_INPUTS, type WithdrawalSignals } from '../statement.js';
import { wiredPoseidon, type WiredHash } from './poseidon-wires.js';

/** Number of bits of the circuit's range checks. */
const RANGE_BITS = 12;

/**
 * Computes the witness of circuits/withdraw.circom without generated code: 32 bytes for each wire,
 * low byte first, in the wire order of the development key. Signals are reduced modulo the field's
 * order, as the circuit does.
 * @throws Error naming the violated rule, without any value
 */
export function withdrawalWitness(signals: WithdrawalSignals): Uint8Array {
  const values = wiresOf(signals);
  const witness = new Uint8Array(values.length * ELEMENT_BYTES);
  values.forEach((value, wire) => writeElement(witness, wire * ELEMENT_BYTES, value));
  return witness;
}

const element = (value: bigint): bigint => modulo(value, SCALAR_FIELD);

function wiresOf(signals: WithdrawalSignals): bigint[] {
  const [hashOne, hashTwo] = hashes();
  const publicInputs = PUBLIC_INPUTS.map((name) => element(signals[name]));
  const nullifier = element(signals.nullifier);
  const secret = element(signals.secret);
  const siblings = signals.pathElements.map(element);
  const bits = signals.pathIndices.map(BigInt);
  require(siblings.length === TREE_DEPTH &&
    bits.length === TREE_DEPTH, 'the path has a wrong length');
  require(bits.every((bit) => bit === 0n || bit === 1n), 'a path index is not a bit');

  const spent: bigint[] = [];
  const nullifierHash = hashOne([nullifier], spent);
  require(nullifierHash ===
    element(signals.nullifierHash), 'the nullifier hash is of another note');
  const commitment: bigint[] = [];
  const nodes = [hashTwo([nullifier, secret], commitment)];
  const steps: bigint[] = [];
  const parents: bigint[] = [];
  siblings.forEach((sibling, height) => {
    const node = nodes[height] ?? 0n;
    // Left child minus node: 0 if the node is the left child.
    const step = bits[height] === 1n ? element(sibling - node) : 0n;
    steps.push(step);
    nodes.push(hashTwo([element(node + step), element(sibling - step)], parents));
  });
  require(nodes[TREE_DEPTH] === element(signals.root), 'the path does not end in the root');

  const leafIndex = bits.reduce((sum, bit, height) => sum + (bit << BigInt(height)), 0n);
  const start = element(signals.batchStart);
  const size = element(signals.batchSize);
  const offset = element(leafIndex - start);
  const [recipient, relayer, fee] = [signals.recipient, signals.relayer, signals.fee];
  return [
    1n,
    ...publicInputs,
    nullifier,
    secret,
    ...siblings,
    ...bits,
    ...nodes.slice(0, TREE_DEPTH),
    ...steps,
    ...[recipient, relayer, fee].map((value) => element(value * value)),
    ...commitment,
    ...rangeBits(offset, 'the leaf is before the batch'),
    ...parents,
    ...rangeBits(element(size - 1n - offset), 'the leaf is after the batch'),
    ...rangeBits(size, 'the batch size is out of range'),
    ...spent,
    ...rangeBits(start, 'the batch start is out of range'),
  ];
}

/** Returns the wires of a range check. The highest bit is linear in the others and has no wire. */
function rangeBits(value: bigint, rule: string): bigint[] {
  require(value < 1n << BigInt(RANGE_BITS), rule);
  return Array.from({ length: RANGE_BITS - 1 }, (_, bit) => (value >> BigInt(bit)) & 1n);
}

let made: readonly [WiredHash, WiredHash] | undefined;

/** Computes the parameters of both hashes once, on the first proof. */
function hashes(): readonly [WiredHash, WiredHash] {
  made ??= [wiredPoseidon(2), wiredPoseidon(3)];
  return made;
}

function require(holds: boolean, rule: string): void {
  if (!holds) throw new Error(rule);
}
