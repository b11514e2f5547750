import { Revert, type CallContext, type Entrypoint } from '../engine/contract.js';
import { Arguments, boolFelt, noArguments } from './calldata.js';
import type { ContractStorage } from './storage.js';

/** Order of BN254's scalar field. A commitment is a Poseidon hash in this field. */
const BN254_R = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
/** Exclusive upper limit of a ContractAddress. */
const ADDRESS_BOUND = 2n ** 251n;
/** Maximum fee that the protocol allows, in 1/10,000. */
const MAX_FEE_BPS = 1_000;
const BPS = 10_000n;
const READ_L2_GAS = 20_000n;

/** L2 gas to verify a proof. The engine adds the gas of the calldata. */
export const VERIFY_L2_GAS = 23_000_000n;

/**
 * Storage key of the pause flag. While the flag is not zero, every entry point that changes state
 * reverts.
 */
export const PAUSED = 'paused';

/** Checks a maximum fee. @throws RangeError if `maxFeeBps` is not an integer from 0 to 1,000. */
export function requireFeeBps(maxFeeBps: number): void {
  if (!Number.isInteger(maxFeeBps) || maxFeeBps < 0 || maxFeeBps > MAX_FEE_BPS) {
    throw new RangeError(`maxFeeBps must be an integer from 0 to ${MAX_FEE_BPS}`);
  }
}

/** Returns the maximum fee of a payout of `amount`, in the same unit, rounded down. */
export function maxFee(amount: bigint, maxFeeBps: number): bigint {
  return (amount * BigInt(maxFeeBps)) / BPS;
}

/**
 * Returns true if a number can be a leaf: it is not zero and is in the field of the tree's hash.
 */
export function isCommitment(value: bigint): boolean {
  return value > 0n && value < BN254_R;
}

export function isKnownCommitment(storage: ContractStorage, commitment: bigint): boolean {
  return storage.get(commitmentKey(commitment)) !== 0n;
}

export function rememberCommitment(storage: ContractStorage, commitment: bigint): void {
  storage.set(commitmentKey(commitment), 1n);
}

export function isSpent(storage: ContractStorage, nullifierHash: bigint): boolean {
  return storage.get(nullifierKey(nullifierHash)) !== 0n;
}

export function spend(storage: ContractStorage, nullifierHash: bigint): void {
  storage.set(nullifierKey(nullifierHash), 1n);
}

/**
 * Reverts if a value is not a ContractAddress. A public input may be any number below r. The
 * conversion panics with Cairo's text.
 */
export function requireAddresses(...values: readonly bigint[]): void {
  if (values.some((value) => value >= ADDRESS_BOUND)) throw new Revert('Option::unwrap failed.');
}

/** Creates a view without arguments. */
export function view(read: (context: CallContext) => bigint[]): Entrypoint {
  return (context, calldata) => {
    noArguments(calldata);
    context.useL2Gas(READ_L2_GAS);
    return read(context);
  };
}

/** Creates a view whose argument is a u256 and whose result is a boolean. */
export function question(query: (context: CallContext, value: bigint) => boolean): Entrypoint {
  return (context, calldata) => {
    const args = new Arguments(calldata);
    const value = args.u256();
    args.end();
    context.useL2Gas(READ_L2_GAS);
    return [boolFelt(query(context, value))];
  };
}

function commitmentKey(commitment: bigint): string {
  return `commitment:${commitment.toString(16)}`;
}

function nullifierKey(nullifierHash: bigint): string {
  return `nullifier:${nullifierHash.toString(16)}`;
}
