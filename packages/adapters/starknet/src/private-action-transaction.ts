import { Felts, u256ToHalves, type Felt } from '@sotto/kernel';
import {
  APPLY_ACTIONS_ENTRYPOINT,
  unpackPayload,
  type PrivateActionPayload,
} from '@sotto/relayer-core';
import { poseidon } from '@sotto/stark-hash';
import type { CallTarget } from '@sotto/submission-core';
import { calldataText } from './calldata-text.js';
import type { ContractCall } from './guard-calls.js';
import { selectorOf } from './selectors.js';

/** Entry point of a user's account (SNIP-9) that may run before private actions. */
export const OUTSIDE_EXECUTION_ENTRYPOINT = 'execute_from_outside_v2';
export const APPROVE_ENTRYPOINT = 'approve';

/** Private part of a transaction with private actions. */
export interface PrivateActionText {
  /**
   * JSON in UTF-8: the elements of `calldata` with the closing bracket, then the fields
   * `proof_facts` and `proof` if they are not empty.
   */
  readonly bytes: Uint8Array;
  /** Number of bytes before the field `proof`. The transaction hash covers only these bytes. */
  readonly hashedLength: number;
  /** Poseidon hash of the proof facts; null if there are none. */
  readonly proofFactsHash: bigint | null;
}

/** Returns true if the calldata of an attempt with this target is a packed payload. */
export function isPrivateAction({ entrypoint }: CallTarget): boolean {
  return entrypoint === APPLY_ACTIONS_ENTRYPOINT;
}

/**
 * Returns the felts of the `__execute__` calldata of a transaction with private actions.
 * @param pool privacy pool
 * @param packed payload that the core has packed
 * @throws Error if the felts are not a packed payload
 */
export function privateActionFelts(pool: Felt, packed: Felts): readonly Felts[] {
  return executeFelts(callsOf(pool, payloadOf(packed)));
}

/**
 * Cache of the texts with their pools, because the same payload is converted three times: it is
 * simulated, signed and sent.
 */
const texts = new WeakMap<Felts, { readonly pool: Felt; readonly text: PrivateActionText }>();

/**
 * Returns the private part of a transaction with private actions. The result is cached for as long
 * as the packed felts are referenced.
 * @throws Error if the felts are not a packed payload
 */
export function privateActionText(pool: Felt, packed: Felts): PrivateActionText {
  const cached = texts.get(packed);
  if (cached?.pool === pool) return cached.text;
  const text = textOf(pool, payloadOf(packed));
  texts.set(packed, { pool, text });
  return text;
}

function textOf(pool: Felt, payload: PrivateActionPayload): PrivateActionText {
  const { facts, proof } = payload;
  const hasFacts = facts.length > 0;
  const hashed = Buffer.concat([
    calldataText(Felts.join(...executeFelts(callsOf(pool, payload)))),
    Buffer.from(']'),
    ...(hasFacts ? [Buffer.from(',"proof_facts":['), calldataText(facts), Buffer.from(']')] : []),
  ]);
  const base64 = Buffer.from(proof.buffer, proof.byteOffset, proof.byteLength).toString('base64');
  return {
    bytes:
      proof.length === 0 ? hashed : Buffer.concat([hashed, Buffer.from(`,"proof":"${base64}"`)]),
    hashedLength: hashed.length,
    proofFactsHash: hasFacts ? poseidon(facts.toBytes()) : null,
  };
}

function payloadOf(packed: Felts): PrivateActionPayload {
  const payload = unpackPayload(packed);
  if (payload === null) throw new Error('the calldata of private actions is not a packed payload');
  return payload;
}

function callsOf(
  pool: Felt,
  { calldata, poolFee, outsideExecution: outside }: PrivateActionPayload,
): readonly ContractCall[] {
  return [
    ...(outside === null
      ? []
      : [callOf(outside.account, OUTSIDE_EXECUTION_ENTRYPOINT, outside.calldata)]),
    ...(poolFee === null
      ? []
      : [
          callOf(
            poolFee.token,
            APPROVE_ENTRYPOINT,
            Felts.of([BigInt(pool), ...u256ToHalves(poolFee.amountFri)]),
          ),
        ]),
    callOf(pool, APPLY_ACTIONS_ENTRYPOINT, calldata),
  ];
}

function callOf(to: Felt, entrypoint: string, calldata: Felts): ContractCall {
  return { target: { to, entrypoint }, calldata };
}

/** Encodes calls in the layout of Cairo 1 accounts. */
function executeFelts(calls: readonly ContractCall[]): readonly Felts[] {
  return [
    Felts.of([BigInt(calls.length)]),
    ...calls.flatMap(({ target, calldata }) => [callOpening(target, calldata), calldata]),
  ];
}

/** Encodes the target and the selector of a call and the length of its calldata. */
export function callOpening({ to, entrypoint }: CallTarget, calldata: Felts): Felts {
  return Felts.of([BigInt(to), BigInt(selectorOf(entrypoint)), BigInt(calldata.length)]);
}
