import { Revert, type CallContext, type ContractModel } from '../engine/contract.js';
import { Arguments, modelClassHash } from './calldata.js';
import { INVOKED } from './privacy-pool-actions.js';
import { depositResult } from './privacy-swap.js';
import type { ContractStorage } from './storage.js';

/**
 * Condition under which the hostile contract misbehaves.
 *
 * - `odd-blocks`: in blocks with an odd number, so it can differ between simulation and inclusion.
 * - `signed`: in transactions with a signature, which a simulation often does not have.
 * - `not-query`: in transactions that do not have the query version of simulations.
 */
export const HOSTILE_CONDITIONS = ['never', 'always', 'odd-blocks', 'signed', 'not-query'] as const;
export type HostileCondition = (typeof HOSTILE_CONDITIONS)[number];

/**
 * Result of a call of the hostile contract.
 *
 * - `deposit`: the requested deposit into the open note.
 * - `no-deposit`: no deposit, so the open note stays empty.
 * - `other-token`: a deposit of another token than the one of the open note.
 * - `garbage`: felts in another format.
 * - `reenter`: the contract calls `apply_actions` of its caller.
 */
export const HOSTILE_RESULTS = [
  'deposit',
  'no-deposit',
  'other-token',
  'garbage',
  'reenter',
] as const;
export type HostileResult = (typeof HOSTILE_RESULTS)[number];

/** Changes of the hostile contract's behaviour. Omitted members do not change. */
export interface HostileChanges {
  /** L2 gas that a call uses while `burnWhen` holds. */
  readonly burnL2Gas?: bigint | undefined;
  readonly burnWhen?: HostileCondition | undefined;
  readonly revertWhen?: HostileCondition | undefined;
  readonly result?: HostileResult | undefined;
}

const STORAGE = {
  burnL2Gas: 'burn_l2_gas',
  burnWhen: 'burn_when',
  revertWhen: 'revert_when',
  result: 'result',
} as const;

/** Bit that the query version of a transaction has in addition to its version. */
const QUERY_BIT = 2n ** 128n;
const CALL_L2_GAS = 100_000n;

/**
 * Hostile contract that actions of the privacy pool can invoke. Initially it makes the requested
 * deposit from its own tokens. Parameters: note id, token, amount (u128); none for no deposit.
 */
export const hostileContract: ContractModel = {
  name: 'Hostile',
  classHash: modelClassHash('Hostile'),
  entrypoints: {
    [INVOKED.invoke]: (context, calldata) => misbehave(context, calldata),
    [INVOKED.invokeWithComputation]: (context, [, ...calldata]) => misbehave(context, calldata),
  },
};

/** Changes the hostile contract's behaviour in its storage. */
export function setHostile(
  storage: ContractStorage,
  { burnL2Gas, burnWhen, revertWhen, result }: HostileChanges,
): void {
  if (burnL2Gas !== undefined) storage.set(STORAGE.burnL2Gas, burnL2Gas);
  if (burnWhen !== undefined)
    storage.set(STORAGE.burnWhen, BigInt(HOSTILE_CONDITIONS.indexOf(burnWhen)));
  if (revertWhen !== undefined)
    storage.set(STORAGE.revertWhen, BigInt(HOSTILE_CONDITIONS.indexOf(revertWhen)));
  if (result !== undefined) storage.set(STORAGE.result, BigInt(HOSTILE_RESULTS.indexOf(result)));
}

function misbehave(context: CallContext, calldata: readonly bigint[]): bigint[] {
  context.useL2Gas(CALL_L2_GAS);
  if (holds(context, STORAGE.burnWhen)) context.useL2Gas(context.get(STORAGE.burnL2Gas));
  if (holds(context, STORAGE.revertWhen)) throw new Revert('hostile contract');
  if (calldata.length === 0) return [0n];
  const args = new Arguments(calldata);
  const [note, token, amount] = [args.felt(), args.address(), args.u128()];
  args.end();
  const wanted: HostileResult = HOSTILE_RESULTS[Number(context.get(STORAGE.result))] ?? 'deposit';
  switch (wanted) {
    case 'no-deposit':
      return [0n];
    case 'other-token':
      return [1n, note, token + 1n, amount];
    case 'garbage':
      return [7n];
    case 'reenter':
      return context.call(context.caller, 'apply_actions', [0n, 1n]);
    case 'deposit':
      return depositResult(context, { note, token, amount });
  }
}

function holds(context: CallContext, key: string): boolean {
  const { signature, version } = context.transaction;
  const condition: HostileCondition = HOSTILE_CONDITIONS[Number(context.get(key))] ?? 'never';
  switch (condition) {
    case 'always':
      return true;
    case 'odd-blocks':
      return context.block.number % 2 === 1;
    case 'signed':
      return signature.length > 0;
    case 'not-query':
      return version < QUERY_BIT;
    case 'never':
      return false;
  }
}
