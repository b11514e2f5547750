import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { Chain, FLOOR_FRI } from '../../src/chain/chain.js';
import { Mempool } from '../../src/chain/mempool.js';
import { Network, type SendFate } from '../../src/chain/network.js';
import { NodePorts } from '../../src/chain/node-ports.js';
import { decoded } from '../../src/chain/transaction.js';
import { Random, Streams } from '../../src/random.js';
import { Scheduler } from '../../src/scheduler.js';

const LANE = toFelt('0xa1');
const BLOCK_MS = 1_000;
const unwatched = {
  closed: () => undefined,
  preConfirmed: () => undefined,
  rolledBack: () => undefined,
  l1Undone: () => undefined,
  vanished: () => undefined,
  happened: () => undefined,
};

function world() {
  const scheduler = new Scheduler();
  const streams = new Streams('network');
  const nowMs = (): number => scheduler.nowMs;
  const chain = new Chain({
    accounts: [LANE],
    balanceFri: 10n ** 20n,
    random: streams.of('chain'),
    nowMs,
  });
  const pool = new Mempool(chain, { nonceGap: 12n, lifetimeMs: 30_000, nowMs });
  const options = {
    replicas: 1,
    blockMs: BLOCK_MS,
    l1DelayMs: 10_000,
    inclusion: 1,
    aimedRollback: 0,
  };
  const network = new Network(chain, pool, scheduler, streams, unwatched, options);
  const node = new NodePorts(network, streams.of('replica'), {
    unread: 0,
    reportsL1: true,
    isOneUrl: true,
  });
  const bytes = new TextEncoder().encode(`${LANE} 0 ${FLOOR_FRI * 2n} 0 1 0 `);
  const { hash } = decoded(bytes);
  return {
    chain,
    pool,
    network,
    hash,
    send: (fate: SendFate) => network.send(bytes, 'node-0', fate, new Random('send')),
    pass: (ms: number) => scheduler.run(scheduler.nowMs + ms, () => false),
    seen: async () => (await node.transactionStatuses([hash]))[0]?.kind,
  };
}

describe('network of the simulation', () => {
  it('the simulated network reports a transaction as waiting, then as pre-confirmed, and then as accepted', async () => {
    const { network, send, pass, seen, chain, hash } = world();
    expect(send('answered').kind).toBe('taken');
    expect(await seen()).toBe('waiting');
    network.preConfirm();
    expect(await seen()).toBe('pre_confirmed');
    network.start();
    await pass(3 * BLOCK_MS);
    expect(await seen()).toBe('accepted');
    expect(chain.blocks.flatMap(({ inclusions }) => inclusions).map(({ tx }) => tx.hash)).toEqual([
      hash,
    ]);
  });

  it('a transaction is in the simulated mempool if its answer was lost, but not if its request was lost', async () => {
    const kept = world();
    expect(kept.send('answer lost')).toEqual({ kind: 'unclear', code: 'TIMED_OUT' });
    expect(kept.pool.all()).toHaveLength(1);
    const lost = world();
    expect(lost.send('lost')).toEqual({ kind: 'unclear', code: 'TIMED_OUT' });
    expect([...lost.network.copies]).toEqual([]);
  });

  it('only a lying provider of the simulation stores a transaction that it rejected', async () => {
    const honest = world();
    expect(honest.send('refused').kind).toBe('refused');
    await honest.pass(100_000);
    expect(honest.pool.all()).toEqual([]);
    const lying = world();
    expect(lying.send('refused and kept').kind).toBe('refused');
    await lying.pass(100_000);
    expect(lying.pool.all()).toHaveLength(1);
  });

  it('the simulated network accepts an evicted transaction again', () => {
    const { network, pool, send, hash } = world();
    send('answered');
    const [tx] = pool.all();
    if (tx === undefined) throw new Error('nothing waits');
    pool.drop(tx);
    network.arrive(tx);
    expect(pool.all()).toEqual([tx]);
    network.forget(new Set([hash]));
    network.arrive(tx);
    expect(pool.all()).toEqual([]);
  });

  it('a lagging replica of the simulated network returns an old state of the chain', async () => {
    const { network, send, pass, seen } = world();
    send('answered');
    const [replica] = network.replicas;
    if (replica === undefined) throw new Error('there is no replica');
    replica.lagMs = 1_000_000;
    network.start();
    await pass(3 * BLOCK_MS);
    expect(await seen()).not.toBe('accepted');
  });
});
