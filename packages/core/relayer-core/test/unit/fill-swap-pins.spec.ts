import { describe, expect, it } from '@jest/globals';
import { FakeUpstreamDown, ManualClock } from '@sotto/kernel/testing';
import { Felts, toFelt, type Felt } from '@sotto/kernel';
import type { AccountTransaction, NonceRow } from '@sotto/submission-core';
import { took } from '@sotto/submission-core/testing';
import { privateSwapCalldata } from '../../src/pools/domain/private-swap-call.js';
import { BN254_SCALAR_ORDER } from '../../src/pools/domain/withdrawal.js';
import { FillSwapPins } from '../../src/index.js';
import { InMemorySwapPins, InMemorySwapRecords } from '../../src/testing/index.js';
import { NEW_COMMITMENT, STRK, aSwapWorld, swapPolicy } from '../support/swap-world.js';
import { calldataWith, goodCalldata, vector } from '../support/vector.js';
import { policy, pool } from '../support/world.js';

const NULLIFIER = BigInt(vector.publicInputs[1] ?? 0);
const { swapPool, swapOwner } = swapPolicy;
const { chainId } = policy;

function swapCall(newCommitment = NEW_COMMITMENT, minimumOut = 77n, proof = goodCalldata) {
  const terms = { newCommitment, outputToken: STRK, slippagePpm: 1 };
  const calldata = privateSwapCalldata(pool.address, proof, terms, {
    minimumOut,
    routes: Felts.of([0n]),
  });
  return { target: { to: swapPool, entrypoint: 'private_swap' }, calldata };
}

const pinned = {
  chainId,
  pool: pool.address,
  nullifierHash: NULLIFIER,
  newCommitment: NEW_COMMITMENT,
  outputToken: STRK,
  floor: 77n,
};

const hashOf = (nonce: bigint): Felt => toFelt(0xa000n + nonce);

/** Swap owner with past transactions, and a store that may lack records of these transactions. */
function aWorld() {
  const clock = new ManualClock();
  const pins = new InMemorySwapPins();
  const records = new InMemorySwapRecords();
  const sent: AccountTransaction[] = [];
  const state = {
    known: [] as NonceRow[],
    searched: [] as bigint[],
    isHidden: false,
    isDown: false,
    chainId,
    onSearch: () => {},
  };
  const subject = () =>
    new FillSwapPins(
      {
        pins,
        records,
        clock,
        reader: {
          head: async () => {
            if (state.isDown) throw new FakeUpstreamDown('the node is down');
            const accounts = new Map([[swapOwner, { nonce: BigInt(sent.length), balanceFri: 0n }]]);
            const prices = { l2GasFri: 1n, l1GasFri: 1n, l1DataGasFri: 1n };
            return {
              chainId: state.chainId,
              blockNumber: 9,
              blockHash: toFelt('0x9'),
              timestamp: 0,
              gasPrices: prices,
              l1BlockNumber: null,
              accounts,
            };
          },
        },
        nonces: {
          consumerOf: async (_, nonce) => {
            state.searched.push(nonce);
            state.onSearch();
            return nonce < BigInt(sent.length) ? hashOf(nonce) : null;
          },
        },
        history: {
          transaction: async (hash) =>
            state.isHidden ? null : (sent.find(({ consumer }) => consumer.hash === hash) ?? null),
        },
        store: {
          nonces: async (lane, from, through) => ({
            rows: state.known.filter(
              ({ nonce }) => nonce >= from && nonce <= through && lane === swapOwner,
            ),
            transactions: [],
            keys: [],
            next: null,
          }),
        },
      },
      { chainId, swapPool, swapOwner },
    );
  const send = (
    calls: AccountTransaction['calls'],
    execution: 'SUCCEEDED' | 'REVERTED' = 'REVERTED',
  ) => {
    const nonce = BigInt(sent.length);
    sent.push({ sender: swapOwner, nonce, consumer: took(hashOf(nonce), { execution }), calls });
  };
  return { clock, pins, records, sent, state, send, subject };
}

describe('pins after an update or a loss of the store', () => {
  it('S1: pins are rebuilt from the owner’s transactions, even from reverted swaps', async () => {
    const { pins, send, subject, records } = aWorld();
    send(null);
    send([swapCall()], 'REVERTED');
    send([]);
    send([swapCall(5n, 9n, calldataWith({ nullifierHash: 3n }))], 'SUCCEEDED');
    await subject().complete();
    expect(pins.all).toEqual([
      pinned,
      { ...pinned, nullifierHash: 3n, newCommitment: 5n, floor: 9n },
    ]);
    expect(await records.readUpTo(swapOwner)).toBe(4n);
  });

  it('S1: a note is pinned to the terms of its first swap, even if a later swap by a thief succeeded', async () => {
    const { pins, send, subject } = aWorld();
    send([swapCall()]);
    send([swapCall(NEW_COMMITMENT + 1n)], 'SUCCEEDED');
    await subject().complete();
    expect(pins.all).toEqual([pinned]);
  });

  it('pins are rebuilt only from calls to the swap pool', async () => {
    const { pins, send, subject } = aWorld();
    const elsewhere = {
      ...swapCall(8n, 1n, calldataWith({ nullifierHash: 3n })),
      target: { to: toFelt('0xbad'), entrypoint: 'private_swap' },
    };
    send([
      elsewhere,
      { ...swapCall(9n), target: { to: swapPool, entrypoint: 'pause' } },
      swapCall(),
    ]);
    send([{ target: { to: swapPool, entrypoint: 'private_swap' }, calldata: Felts.of([1n, 2n]) }]);
    await subject().complete();
    expect(pins.all).toEqual([pinned]);
  });

  it('pins are rebuilt from stored calls even if these calls are not on chain', async () => {
    const { pins, records, subject } = aWorld();
    records.keep({ swapPool, calldata: swapCall().calldata });
    records.keep({
      swapPool: toFelt('0xbad'),
      calldata: swapCall(1n, 1n, calldataWith({ nullifierHash: 3n })).calldata,
    });
    await subject().complete();
    expect(pins.all).toEqual([pinned]);
  });

  it('a note can only be withdrawn if its swap on chain used the commitment of another note’s pin', async () => {
    const { pins, send, subject } = aWorld();
    send([swapCall()]);
    send([swapCall(NEW_COMMITMENT, 1n, calldataWith({ nullifierHash: 3n }))]);
    await subject().complete();
    expect(pins.all[1]).toMatchObject({
      nullifierHash: 3n,
      newCommitment: BN254_SCALAR_ORDER + 3n,
    });
  });

  it('each transaction is read only once during several searches for pins', async () => {
    const { send, subject, state } = aWorld();
    send([swapCall()]);
    await subject().complete();
    await subject().complete();
    expect(state.searched).toEqual([0n]);
    send([]);
    state.onSearch = () => {
      state.onSearch = () => {};
      send([]);
    };
    await subject().complete();
    expect(state.searched).toEqual([0n, 1n, 2n]);
  });

  it('no block is searched for a nonce whose transaction is in the ledger', async () => {
    const { send, subject, state, pins } = aWorld();
    send([swapCall()]);
    const settlement = { hash: toFelt(0xa000n) };
    // CAST: nothing else of the row is looked at.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    state.known = [{ lane: swapOwner, nonce: 0n, settlement } as NonceRow];
    await subject().complete();
    expect([state.searched, pins.all]).toEqual([[], [pinned]]);
  });

  it.each<readonly [string, (world: ReturnType<typeof aWorld>) => void]>([
    ['the node is down', ({ state }) => (state.isDown = true)],
    ['the node does not show a transaction yet', ({ state }) => (state.isHidden = true)],
    ['the node is of another chain', ({ state }) => (state.chainId = toFelt('0xbad'))],
    ['the store is down', ({ records }) => records.fail()],
  ])('the pins remain incomplete, and no progress is stored, while %s', async (_, make) => {
    const world = aWorld();
    world.send([swapCall()]);
    make(world);
    await expect(world.subject().complete()).rejects.toMatchObject({
      code: 'SWAP_PINS_INCOMPLETE',
      kind: 'unavailable',
      retryAfterSeconds: 10,
    });
    world.records.fail(null);
    expect(await world.records.readUpTo(swapOwner)).toBe(0n);
  });

  it('a request waits for the pins only for a limited time', async () => {
    const { send, subject, state, clock, pins } = aWorld();
    send([swapCall()]);
    const { promise: slow, resolve: answer } = Promise.withResolvers<void>();
    const filler = subject();
    const searched = new Promise<void>((resolve) => (state.onSearch = resolve));
    const pin = pins.pin.bind(pins);
    pins.pin = async (wanted) => {
      await slow;
      return pin(wanted);
    };
    const waiting = filler.complete().catch((error: unknown) => error);
    await searched;
    clock.advance(3_000);
    expect(await waiting).toMatchObject({ code: 'SWAP_PINS_INCOMPLETE' });
    answer();
    await filler.complete();
    expect(pins.all).toEqual([pinned]);
  });
});

describe('a swap while pins are incomplete', () => {
  it('S1: a swap is rejected before its proof leaves the service while the pins are incomplete', async () => {
    const world = aSwapWorld();
    world.fillPins.complete = async () => {
      throw new FakeUpstreamDown('not read');
    };
    await expect(world.swap()).rejects.toMatchObject({ code: 'FAKE_UPSTREAM_DOWN' });
    expect([world.simulator.simulated, world.pins.all, world.aggregator.requested]).toEqual([
      [],
      [],
      [],
    ]);
    expect(await world.submit()).toMatchObject({ submissionId: 'attempt-1' });
  });
});
