import { Felts, toFelt, u256ToHalves, type Felt } from '@sotto/kernel';
import { packPayload, type PrivateActionPayload } from '@sotto/relayer-core';
import * as fc from 'fast-check';

export const PRIVACY_POOL = toFelt('0x9001');
export const STRK = toFelt('0x4718');
export const USER_ACCOUNT = toFelt('0xacc');
export const APPLY_ACTIONS = { to: PRIVACY_POOL, entrypoint: 'apply_actions' };

/** Payload with all optional parts. */
export const PAYLOAD: PrivateActionPayload = {
  calldata: Felts.of([1n, 3n, 0xfeen, 0x70n, 5n]),
  facts: Felts.of([0x50524f4f4630n, 2n, 3n]),
  proof: Uint8Array.from({ length: 70 }, (_, index) => 255 - index),
  poolFee: { token: STRK, amountFri: 2n ** 130n + 7n },
  outsideExecution: { account: USER_ACCOUNT, calldata: Felts.of([9n, 8n]) },
};

/** Payload with the calldata of `apply_actions` alone. */
export const PLAIN_PAYLOAD: PrivateActionPayload = {
  ...PAYLOAD,
  facts: Felts.of([]),
  proof: new Uint8Array(),
  poolFee: null,
  outsideExecution: null,
};

export const packed = (changes: Partial<PrivateActionPayload> = {}): Felts =>
  packPayload({ ...PAYLOAD, ...changes });

/** Call in the format of starknet.js. */
export interface WireCall {
  readonly contractAddress: Felt;
  readonly entrypoint: string;
  readonly calldata: string[];
}

/** Returns the calls of a payload in the format of starknet.js, written independently. */
export function callsOf(
  { calldata, poolFee, outsideExecution: outside }: PrivateActionPayload,
  pool: Felt = PRIVACY_POOL,
): readonly WireCall[] {
  const calls: WireCall[] = [];
  if (outside !== null)
    calls.push({
      contractAddress: outside.account,
      entrypoint: 'execute_from_outside_v2',
      calldata: outside.calldata.toHex(),
    });
  if (poolFee !== null)
    calls.push({
      contractAddress: poolFee.token,
      entrypoint: 'approve',
      calldata: [pool, ...u256ToHalves(poolFee.amountFri).map((half) => toFelt(half))],
    });
  calls.push({
    contractAddress: pool,
    entrypoint: 'apply_actions',
    calldata: calldata.toHex(),
  });
  return calls;
}

const felt = fc.bigInt({ min: 0n, max: 2n ** 251n });
const felts = fc.array(felt, { maxLength: 6 }).map((values) => Felts.of(values));
const someFelts = fc.array(felt, { minLength: 1, maxLength: 6 }).map((values) => Felts.of(values));

/** Any payload that the core can pack. */
export const anyPayload: fc.Arbitrary<PrivateActionPayload> = fc.record({
  calldata: felts,
  facts: felts,
  proof: fc.uint8Array({ maxLength: 200 }),
  poolFee: fc.option(
    fc.record({ token: felt.map(toFelt), amountFri: fc.bigInt({ min: 1n, max: 2n ** 200n }) }),
  ),
  outsideExecution: fc.option(fc.record({ account: felt.map(toFelt), calldata: someFelts })),
});
