import { describe, expect, it } from '@jest/globals';
import { Felts, toFelt, type Felt } from '@sotto/kernel';
import * as fc from 'fast-check';
import { effectsOf, readApplyActions } from '../../src/pools/domain/apply-actions-call.js';
import { ActionsUnreadable, type ServerAction } from '../../src/pools/domain/server-action.js';

const felt = fc.bigInt({ min: 0n, max: 2n ** 250n });
const u128 = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n });
const some = fc.array(felt, { maxLength: 4 });
const three = fc.tuple(felt, felt, felt);

/** One action as felts, with the fields that a relayer reads. */
interface Sample {
  readonly felts: readonly bigint[];
  readonly read: ServerAction;
}

const event = (
  variant: bigint,
  kind: ServerAction['kind'],
  ...fields: readonly fc.Arbitrary<bigint | readonly bigint[]>[]
): fc.Arbitrary<Sample> =>
  fc.tuple(...fields).map((values) => ({
    felts: [variant, ...values.flat()],
    // CAST: events have no field but their kind.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    read: { kind } as ServerAction,
  }));

const transfer = (variant: bigint, kind: 'transfer_from' | 'transfer_to'): fc.Arbitrary<Sample> =>
  fc.tuple(felt, felt, u128).map(([who, token, amount]) => ({
    felts: [variant, who, token, amount],
    read:
      kind === 'transfer_from'
        ? { kind, from: toFelt(who), token: toFelt(token), amount }
        : { kind, to: toFelt(who), token: toFelt(token), amount },
  }));

const invoke = (variant: bigint): fc.Arbitrary<Sample> =>
  fc.tuple(felt, some).map(([contract, calldata]) => ({
    felts: [variant, contract, BigInt(calldata.length), ...calldata],
    read: { kind: 'invoke', contract: toFelt(contract) },
  }));

const sample: fc.Arbitrary<Sample> = fc.oneof(
  fc.tuple(felt, some).map(([address, values]) => ({
    felts: [0n, address, BigInt(values.length), ...values],
    read: { kind: 'write_once' as const, address: toFelt(address) },
  })),
  fc.tuple(felt, three).map(([recipient, info]) => ({
    felts: [1n, recipient, ...info],
    read: { kind: 'append' as const, recipient: toFelt(recipient) },
  })),
  transfer(2n, 'transfer_from'),
  transfer(3n, 'transfer_to'),
  event(4n, 'emit_viewing_key_set', felt, felt, three),
  event(5n, 'emit_withdrawal', three, felt, felt, u128),
  event(6n, 'emit_deposit', felt, felt, u128),
  event(7n, 'emit_open_note_created', three, felt, felt),
  event(8n, 'emit_enc_note_created', felt, felt),
  event(9n, 'emit_note_used', felt),
  invoke(10n),
  invoke(11n),
);
const samples = fc.array(sample, { maxLength: 12 });

const callOf = (actions: readonly Sample[], ...rest: readonly bigint[]): bigint[] => [
  BigInt(actions.length),
  ...actions.flatMap(({ felts }) => felts),
  ...rest,
];
const reasonOf = (calldata: readonly bigint[]): unknown => {
  try {
    readApplyActions(Felts.of(calldata));
    return null;
  } catch (error) {
    if (error instanceof ActionsUnreadable) return error.details;
    throw error;
  }
};

describe('calldata of apply_actions', () => {
  it('readApplyActions returns each action that was written', () => {
    fc.assert(
      fc.property(samples, fc.boolean(), three, (actions, isScreened, attestation) => {
        const screening = isScreened ? [0n, ...attestation] : [1n];
        const read = readApplyActions(Felts.of(callOf(actions, ...screening)));
        expect(read.actions).toEqual(actions.map((action) => action.read));
        expect(read.actionFelts.equals(Felts.of(callOf(actions)))).toBe(true);
      }),
    );
  });

  it('readApplyActions recognises the version by the screening argument', () => {
    fc.assert(
      fc.property(samples, (actions) => {
        expect(readApplyActions(Felts.of(callOf(actions))).version).toBe('before 2.0');
        expect(readApplyActions(Felts.of(callOf(actions, 1n))).version).toBe('2.0');
      }),
    );
  });

  it('readApplyActions rejects a call with any felt removed from its end, or with a felt added', () => {
    fc.assert(
      fc.property(samples, fc.nat(), felt, (actions, cut, added) => {
        const whole = callOf(actions, 1n);
        // Without its last felt, the call is one of the older class.
        expect(reasonOf(whole.slice(0, cut % (whole.length - 1)))).not.toBeNull();
        expect(reasonOf([...whole, added])).toEqual({
          at: whole.length,
          reason: 'FELTS_AFTER_THE_CALL',
        });
      }),
    );
  });

  it.each([
    ['an unknown action', [1n, 12n], { at: 1, reason: 'UNKNOWN_ACTION' }],
    ['a huge variant', [1n, 2n ** 200n], { at: 1, reason: 'UNKNOWN_ACTION' }],
    ['a huge number of actions', [2n ** 64n], { at: 0, reason: 'ENDS_EARLY' }],
    ['more actions than felts', [5n, 9n, 1n], { at: 0, reason: 'ENDS_EARLY' }],
    ['an amount of 2^128', [1n, 3n, 1n, 2n, 2n ** 128n], { at: 4, reason: 'NOT_A_U128' }],
    ['an address of 2^251', [1n, 3n, 2n ** 251n, 2n, 1n], { at: 2, reason: 'NOT_AN_ADDRESS' }],
    ['an unknown screening', [0n, 2n], { at: 1, reason: 'UNKNOWN_SCREENING' }],
    ['a cut attestation', [0n, 0n, 1n, 2n], { at: 2, reason: 'ENDS_EARLY' }],
    ['a storage address of 2^251', [1n, 0n, 2n ** 251n, 0n], { at: 2, reason: 'NOT_AN_ADDRESS' }],
    ['more values than felts', [1n, 0n, 5n, 9n, 1n], { at: 3, reason: 'ENDS_EARLY' }],
  ])('readApplyActions names the felt that it can not read: %s', (_what, calldata, details) => {
    expect(reasonOf(calldata)).toEqual(details);
  });
});

const written = (address: bigint): ServerAction => ({
  kind: 'write_once',
  address: toFelt(address),
});

describe('effects of private actions', () => {
  const [fee, token, other] = [toFelt(7n), toFelt(8n), toFelt(9n)] as const;
  const to = (account: Felt, amount: bigint): ServerAction => ({
    kind: 'transfer_to',
    to: account,
    token,
    amount,
  });

  it('effectsOf finds only the payments to the fee address', () => {
    const { fees } = effectsOf([to(other, 5n), to(fee, 3n), to(fee, 4n)], fee);
    expect(fees).toEqual([
      { token, amount: 3n },
      { token, amount: 4n },
    ]);
  });

  it('effectsOf lists deposits, and each write-once address and invoked contract once', () => {
    const invoked: ServerAction = { kind: 'invoke', contract: other };
    const deposit: ServerAction = { kind: 'transfer_from', from: other, token, amount: 2n };
    expect(
      effectsOf([written(2n), written(1n), written(2n), invoked, invoked, deposit], fee),
    ).toEqual({
      writeOnceAddresses: [toFelt(1n), toFelt(2n)],
      fees: [],
      depositors: [other],
      invokedContracts: [other],
    });
  });
});
