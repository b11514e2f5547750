import { createHash } from 'node:crypto';
import { FIELD_PRIME, toFelt, type Felt } from '@sotto/kernel';
import type { Requested, CallPurpose } from '@sotto/submission-core';
import { PublicInputOutOfRange } from '../../errors.js';

/** Order of the scalar field of BN254. The circuit computes in this field. */
export const BN254_SCALAR_ORDER =
  21888242871839275222246405745257275088548364400416034343698204186575808495617n;
/** Exclusive maximum of leaf indices, which are u32 in the contract. */
const U32_LIMIT = 2n ** 32n;

/** Entrypoint of a pool whose only argument is the proof calldata with its length felt. */
export const WITHDRAW_ENTRYPOINT = 'withdraw';

/**
 * Statement of a withdrawal proof: its seven public inputs, in the sequence that the circuit
 * defines.
 */
export interface WithdrawalStatement {
  readonly root: bigint;
  readonly nullifierHash: bigint;
  readonly recipient: Felt;
  readonly relayer: Felt;
  /** Fee in the smallest unit of the pool's token. */
  readonly fee: bigint;
  readonly batchStart: number;
  readonly batchSize: number;
}

/** Exclusive maximum of each public input, in the sequence that the circuit defines. */
const LIMITS = {
  root: BN254_SCALAR_ORDER,
  nullifierHash: BN254_SCALAR_ORDER,
  recipient: FIELD_PRIME,
  relayer: FIELD_PRIME,
  fee: BN254_SCALAR_ORDER,
  batchStart: U32_LIMIT,
  batchSize: U32_LIMIT,
} as const satisfies Record<keyof WithdrawalStatement, bigint>;

const ORDER = Object.keys(LIMITS);

/**
 * @throws PublicInputOutOfRange with the name of the first input that is missing or out of range,
 *   or with the number of inputs if that is wrong
 */
export function readStatement(publicInputs: readonly bigint[]): WithdrawalStatement {
  if (publicInputs.length !== ORDER.length) {
    throw new PublicInputOutOfRange({
      details: { expected: ORDER.length, given: publicInputs.length },
    });
  }
  const input = (name: keyof WithdrawalStatement): bigint => {
    const value = publicInputs[ORDER.indexOf(name)];
    if (value === undefined || value < 0n || value >= LIMITS[name])
      throw new PublicInputOutOfRange({ details: { input: name } });
    return value;
  };
  return {
    root: input('root'),
    nullifierHash: input('nullifierHash'),
    recipient: toFelt(input('recipient')),
    relayer: toFelt(input('relayer')),
    fee: input('fee'),
    batchStart: Number(input('batchStart')),
    batchSize: Number(input('batchSize')),
  };
}

/**
 * Returns the ledger key of a note's withdrawal: `chain|pool|nullifierHash`, each in canonical hex.
 * The key does not depend on the caller or the terms.
 */
export function withdrawalKey(chainId: Felt, pool: Felt, nullifierHash: bigint): string {
  return `${chainId}|${pool}|${hex(nullifierHash)}`;
}

/** Identifies a note. A pool pays each note only once. */
export interface Note {
  readonly pool: Felt;
  readonly nullifierHash: bigint;
}

/** Kinds of attempts that spend a note. */
export type NoteKind = 'withdraw' | 'private_swap';

/** Purpose of an attempt that spends a note. */
export function notePurpose(kind: NoteKind, { pool, nullifierHash }: Note): CallPurpose {
  return { kind, subject: pool, memo: hex(nullifierHash) };
}

/** Returns the note of a {@link notePurpose}; null if the attempt spends no note. */
export function spentNote({ kind, subject, memo }: CallPurpose): Note | null {
  return spendsNote({ kind }) && memo !== null
    ? { pool: subject, nullifierHash: BigInt(memo) }
    : null;
}

export function spendsNote({ kind }: Pick<CallPurpose, 'kind'>): boolean {
  return kind === 'withdraw' || kind === 'private_swap';
}

/**
 * Returns the digest of a withdrawal's effect: SHA-256 in hex of pool and public inputs. Proofs are
 * malleable and their hints can be chosen freely. So two requests can have the same effect although
 * the bytes of their proofs differ.
 * @param furtherTerms other terms that the request fixes, each in canonical text without `|`
 */
export function withdrawalFingerprint(
  pool: Felt,
  statement: WithdrawalStatement,
  furtherTerms: readonly string[] = [],
): string {
  const { root, nullifierHash, recipient, relayer, fee, batchStart, batchSize } = statement;
  const canonical = [
    pool,
    hex(root),
    hex(nullifierHash),
    recipient,
    relayer,
    hex(fee),
    batchStart,
    batchSize,
    ...furtherTerms,
  ].join('|');
  return createHash('sha256').update(canonical).digest('hex');
}

/**
 * Returns the effect and the fingerprint of a request, for `requestsSame`. The effect covers
 * recipient, amounts, note, and the terms in `shownTerms`. Only the fingerprint covers root and
 * batch: if a request has a new proof of the note on a newer root, its effect is the same.
 * @param shownTerms terms in addition to the proof that are part of the request's call on chain
 */
export function withdrawalRequested(
  pool: Felt,
  statement: WithdrawalStatement,
  furtherTerms: readonly string[] = [],
  shownTerms: readonly string[] = furtherTerms,
): Requested {
  const { nullifierHash, recipient, relayer, fee } = statement;
  const effect = [pool, hex(nullifierHash), recipient, relayer, hex(fee), ...shownTerms].join('|');
  return {
    effect: createHash('sha256').update(effect).digest('hex'),
    fingerprint: withdrawalFingerprint(pool, statement, furtherTerms),
  };
}

const hex = (value: bigint): string => `0x${value.toString(16)}`;
