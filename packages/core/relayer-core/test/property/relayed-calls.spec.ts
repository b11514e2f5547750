import { describe, expect, it } from '@jest/globals';
import { FIELD_PRIME, Felts, toFelt } from '@sotto/kernel';
import * as fc from 'fast-check';
import { swapTermsText } from '../../src/swaps/domain/private-swap.js';
import {
  privateSwapCalldata,
  readPrivateSwapCalldata,
  shownSwapTermsText,
} from '../../src/pools/domain/private-swap-call.js';
import { FirstOf, RelayedCalls, WithdrawalAdmission } from '../../src/index.js';
import { WITHDRAWAL_LIMITS } from '../../src/testing/index.js';
import type { WithdrawalRequest } from '../../src/withdrawals/application/admission-facts.js';
import { swapPolicy } from '../support/swap-world.js';
import { calldataWith, goodCalldata, malleatedCalldata } from '../support/vector.js';
import { aWorld, policy, pool } from '../support/world.js';

const R = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
const below = (limit: bigint): fc.Arbitrary<bigint> => fc.bigInt({ min: 0n, max: limit - 1n });
const statements = fc.record(
  {
    root: below(R),
    nullifierHash: below(R),
    recipient: below(FIELD_PRIME),
    fee: below(R),
    batchStart: below(2n ** 32n),
    batchSize: below(2n ** 32n),
  },
  { requiredKeys: [] },
);
const swaps = fc.record({
  newCommitment: fc.bigInt({ min: 1n, max: R - 1n }),
  outputToken: below(FIELD_PRIME).map((value) => toFelt(value)),
  slippagePpm: fc.integer({ min: 1, max: 150_000 }),
});
const routes = fc.record({
  minimumOut: below(2n ** 256n),
  routes: fc
    .array(below(FIELD_PRIME), { minLength: 1, maxLength: 40 })
    .map((felts) => Felts.of(felts)),
});

const admission = new WithdrawalAdmission(aWorld().ports, policy);
const { swapPool } = swapPolicy;
let ids = 0;
const subject = new RelayedCalls({
  chainId: policy.chainId,
  pools: [pool],
  swapPool,
  privacyPools: [],
  limits: WITHDRAWAL_LIMITS,
  newId: () => `id-${(ids += 1)}`,
});
const withdraw = { to: pool.address, entrypoint: 'withdraw' };
const privateSwap = { to: swapPool, entrypoint: 'private_swap' };

function requestOf(...read: Parameters<WithdrawalAdmission['read']>): WithdrawalRequest {
  const { request } = admission.read(...read);
  if (request?.known !== true) throw new Error('the request can not be read');
  return request.value;
}

describe('a call recognized on chain', () => {
  it('a withdrawal that is recognized on chain has the key of its original request', () => {
    fc.assert(
      fc.property(statements, (inputs) => {
        const request = requestOf(pool.address, calldataWith(inputs));
        expect(subject.submissionOf(withdraw, request.calldata)).toMatchObject({
          key: request.key,
          ...request.requested,
          role: 'relay',
          target: withdraw,
          replayProtected: true,
        });
        expect(request.shown).toEqual(request.requested);
      }),
      { numRuns: 50 },
    );
  });

  it('a private swap that is recognized on chain has the key of its original request', () => {
    fc.assert(
      fc.property(statements, swaps, routes, (inputs, terms, route) => {
        const request = requestOf(
          pool.address,
          calldataWith(inputs),
          swapTermsText(terms),
          shownSwapTermsText(terms),
        );
        const calldata = privateSwapCalldata(pool.address, request.calldata, terms, route);
        const read = subject.submissionOf(privateSwap, calldata);
        expect(read).toMatchObject({
          key: request.key,
          ...request.shown,
          role: 'swap_owner',
          target: privateSwap,
          replayProtected: true,
        });
        expect(read?.calldata.equals(calldata)).toBe(true);
        expect(read?.fingerprint).not.toBe(request.requested.fingerprint);
        expect(read?.fingerprint).not.toBe(
          requestOf(pool.address, request.calldata).requested.fingerprint,
        );
      }),
      { numRuns: 50 },
    );
  });

  it('fingerprints of swaps depend on commitment and output token, but not on tolerance and route', () => {
    fc.assert(
      fc.property(swaps, swaps, routes, routes, (terms, others, route, anotherRoute) => {
        const shown = (...[of, way]: [typeof terms, typeof route]) =>
          subject.submissionOf(
            privateSwap,
            privateSwapCalldata(pool.address, goodCalldata, of, way),
          )?.fingerprint;
        const isSame =
          terms.newCommitment === others.newCommitment && terms.outputToken === others.outputToken;
        expect(shown(terms, route) === shown(others, anotherRoute)).toBe(isSame);
        expect(shown({ ...terms, slippagePpm: others.slippagePpm }, anotherRoute)).toBe(
          shown(terms, route),
        );
      }),
      { numRuns: 50 },
    );
  });

  it('a proof and its malleated copy have the same key and fingerprint, but separate ids', () => {
    const [first, second] = [goodCalldata, malleatedCalldata].map((calldata) =>
      subject.submissionOf(withdraw, calldata),
    );
    expect([first?.key, first?.fingerprint]).toEqual([second?.key, second?.fingerprint]);
    expect(first?.id).not.toBe(second?.id);
  });

  it('recognizes no call in arbitrary felts', () => {
    fc.assert(
      fc.property(
        fc.array(below(FIELD_PRIME), { maxLength: 60 }),
        fc.constantFrom(withdraw, privateSwap),
        (felts, target) => {
          expect(subject.submissionOf(target, Felts.of(felts))).toBeNull();
        },
      ),
    );
  });

  it('does not recognize a swap with truncated calldata or a commitment out of range', () => {
    const terms = { newCommitment: 5n, outputToken: toFelt('0x7'), slippagePpm: 1 };
    const calldata = privateSwapCalldata(pool.address, goodCalldata, terms, {
      minimumOut: 9n,
      routes: Felts.of([0n]),
    });
    expect(readPrivateSwapCalldata(calldata)).toMatchObject({
      wbtcPool: pool.address,
      newCommitment: 5n,
      outputToken: '0x7',
    });
    fc.assert(
      fc.property(fc.nat(calldata.length - 1), (length) => {
        expect(readPrivateSwapCalldata(calldata.slice(0, length))).toBeNull();
      }),
    );
    for (const half of [0, 1]) {
      const felts = Array.from({ length: calldata.length }, (_, index) => calldata.at(index));
      expect(
        readPrivateSwapCalldata(Felts.of(felts.with(1 + goodCalldata.length + half, 2n ** 128n))),
      ).toBeNull();
    }
  });

  it.each([
    ['another contract', { ...withdraw, to: toFelt('0xdead') }],
    ['another method', { ...withdraw, entrypoint: 'deposit' }],
    ['a batch, whose first leaf is in no call', { ...withdraw, entrypoint: 'deploy_batch' }],
    ['a swap elsewhere', { ...privateSwap, to: pool.address }],
  ])('does not recognize a call in %s', (_where, target) => {
    expect(subject.submissionOf(target, goodCalldata)).toBeNull();
  });

  it('does not recognize a call with a public input that is out of range', () => {
    expect(subject.submissionOf(withdraw, calldataWith({ batchSize: 2n ** 32n }))).toBeNull();
    const without = new RelayedCalls({
      chainId: policy.chainId,
      pools: [pool],
      swapPool: null,
      privacyPools: [],
      limits: WITHDRAWAL_LIMITS,
      newId: () => 'id',
    });
    const terms = { newCommitment: 5n, outputToken: toFelt('0x7'), slippagePpm: 1 };
    const calldata = privateSwapCalldata(pool.address, goodCalldata, terms, {
      minimumOut: 9n,
      routes: Felts.of([0n]),
    });
    expect(subject.submissionOf(privateSwap, calldata)).not.toBeNull();
    expect(without.submissionOf(privateSwap, calldata)).toBeNull();
  });

  it('FirstOf returns the result of the first reader that recognizes the call', () => {
    const nothing = { submissionOf: () => null };
    const read = new FirstOf([nothing, subject, nothing]).submissionOf(withdraw, goodCalldata);
    expect(read?.key).toBe(subject.submissionOf(withdraw, goodCalldata)?.key);
    expect(new FirstOf([nothing]).submissionOf(withdraw, goodCalldata)).toBeNull();
    expect(new FirstOf([]).submissionOf(withdraw, goodCalldata)).toBeNull();
  });
});
