import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { hashOf } from '@sotto/submission-core/testing';
import { CONTRACTS, Chain, FLOOR_FRI } from '../../src/chain/chain.js';
import { Mempool } from '../../src/chain/mempool.js';
import type { Tx } from '../../src/chain/transaction.js';
import { Random } from '../../src/random.js';

const LANE = toFelt('0xa1');

function world() {
  let nowMs = 0;
  const chain = new Chain({
    accounts: [LANE],
    balanceFri: 10n ** 20n,
    random: new Random('chain'),
    nowMs: () => nowMs,
  });
  const pool = new Mempool(chain, { nonceGap: 12n, lifetimeMs: 30_000, nowMs: () => nowMs });
  return { chain, pool, pass: (ms: number) => void (nowMs += ms) };
}

function call(
  nonce: bigint,
  change: Partial<Tx> & {
    readonly key?: number;
    readonly to?: Tx['account'];
    readonly lastBlock?: number;
  } = {},
): Tx {
  const { key = 1, to = CONTRACTS.plain, lastBlock = null, ...rest } = change;
  const fields = {
    account: LANE,
    nonce,
    l2PriceFri: FLOOR_FRI * 2n,
    tipFri: 0n,
    worstCaseFri: 1n,
    calls: [],
  };
  const tx = { ...fields, call: { to, entrypoint: 'pay', key, serial: 1, lastBlock }, ...rest };
  return { hash: hashOf(`${nonce}|${key}|${to}|${tx.l2PriceFri}`), ...tx };
}

describe('chain of the simulation', () => {
  it('the simulated chain executes each transaction of an account once, in nonce order', () => {
    const { chain } = world();
    expect(chain.execute(call(1n))).toBe('nonce');
    expect(chain.execute(call(0n))).toMatchObject({ execution: 'SUCCEEDED' });
    expect(chain.execute(call(0n, { key: 2 }))).toBe('nonce');
    expect(chain.account(LANE).nonce).toBe(1n);
  });

  it('the simulated chain rejects a transaction whose price is below the chain’s price', () => {
    const { chain } = world();
    expect(chain.execute(call(0n, { l2PriceFri: FLOOR_FRI - 1n }))).toBe('price');
    chain.broken.set(LANE, 'WRONG_KEY');
    expect(chain.execute(call(0n))).toBe('invalid');
  });

  it('the contract with nullifiers pays each key only once', () => {
    const { chain } = world();
    const to = CONTRACTS.withNullifiers;
    expect(chain.execute(call(0n, { to }))).toMatchObject({ execution: 'SUCCEEDED' });
    expect(chain.execute(call(1n, { to }))).toMatchObject({
      execution: 'REVERTED',
      revertReason: 'already withdrawn',
    });
    expect(chain.execute(call(2n))).toMatchObject({ execution: 'SUCCEEDED' });
    expect(chain.execute(call(3n))).toMatchObject({ execution: 'SUCCEEDED' });
  });

  it('a contract reverts a call after its last block, unless its owner has extended the time', () => {
    const { chain } = world();
    const outcome = (nonce: bigint, lastBlock: number): unknown =>
      chain.execute(call(nonce, { lastBlock, key: Number(nonce) }));
    chain.close();
    // The block that is being built is block 2.
    expect(outcome(0n, 2)).toMatchObject({ execution: 'SUCCEEDED' });
    expect(outcome(1n, 1)).toMatchObject({ execution: 'REVERTED', revertReason: 'PROOF_EXPIRED' });
    chain.lenientBlocks = 1;
    expect(outcome(2n, 1)).toMatchObject({ execution: 'SUCCEEDED' });
    expect(outcome(3n, 0)).toMatchObject({ execution: 'REVERTED', revertReason: 'PROOF_EXPIRED' });
  });

  it('a rollback of the simulated chain never undoes a block that is accepted on L1', () => {
    const { chain, pass } = world();
    chain.execute(call(0n));
    const onL1 = chain.close();
    pass(1_000);
    chain.provenUpTo(0);
    chain.execute(call(1n, { to: CONTRACTS.withNullifiers }));
    const undone = chain.close();
    expect(chain.rollBack(5)?.map(({ tx }) => tx.nonce)).toEqual([1n]);
    expect(chain.head.hash).toBe(onL1.hash);
    expect(chain.account(LANE).nonce).toBe(1n);
    expect(chain.close().hash).not.toBe(undone.hash);
    expect(chain.execute(call(1n, { to: CONTRACTS.withNullifiers }))).toMatchObject({
      execution: 'SUCCEEDED',
    });
  });

  it('the simulated chain drops pre-confirmed transactions if their block vanishes', () => {
    const { chain } = world();
    chain.execute(call(0n));
    expect(chain.dropPreConfirmed().map(({ tx }) => tx.nonce)).toEqual([0n]);
    expect(chain.account(LANE).nonce).toBe(0n);
  });
});

describe('mempool of the simulation', () => {
  it('the simulated mempool answers “unclear” for a transaction that it may already contain', () => {
    const { chain, pool } = world();
    chain.execute(call(0n));
    expect(pool.add(call(0n))).toMatchObject({
      kind: 'unclear',
      code: 'INVALID_TRANSACTION_NONCE',
    });
    expect(pool.add(call(14n))).toMatchObject({
      kind: 'unclear',
      code: 'INVALID_TRANSACTION_NONCE',
    });
    expect(pool.add(call(1n, { l2PriceFri: 1n }))).toMatchObject({
      kind: 'refused',
      cause: 'price',
    });
    expect(pool.add(call(1n, { worstCaseFri: 10n ** 30n }))).toMatchObject({
      kind: 'refused',
      cause: 'funds',
    });
    pool.rejected.add(7);
    expect(pool.add(call(1n, { key: 7 }))).toMatchObject({ kind: 'refused', cause: 'call' });
  });

  it('the simulated mempool replaces a transaction only if the new transaction pays at least 10 % more', () => {
    const { pool } = world();
    const first = call(0n);
    expect(pool.add(first).kind).toBe('taken');
    expect(pool.add(call(0n, { l2PriceFri: (first.l2PriceFri * 109n) / 100n }))).toMatchObject({
      kind: 'unclear',
    });
    const second = call(0n, { l2PriceFri: (first.l2PriceFri * 110n) / 100n });
    expect(pool.add(second).kind).toBe('taken');
    expect(pool.all()).toEqual([second]);
  });

  it('the simulated mempool drops expired transactions, and transactions whose nonce the chain has consumed', () => {
    const { chain, pool, pass } = world();
    pool.add(call(0n));
    pool.add(call(1n));
    chain.execute(call(0n, { key: 9 }));
    pool.build(() => false);
    expect(pool.all().map(({ nonce }) => nonce)).toEqual([1n]);
    pass(31_000);
    pool.build(() => true);
    expect(pool.all()).toEqual([]);
  });
});
