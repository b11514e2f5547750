import { afterEach, describe, expect, it } from '@jest/globals';
import { LANE, World, flush } from '../unit/world.js';
import { Table, rejectedWith } from './table.js';

const LOST = { answer: { kind: 'unclear', code: 'TIMED_OUT' }, arrives: false } as const;

describe('transition table: sends', () => {
  const table = Table.forEachTest();

  it('C: two or more claims are stored as 2', async () => {
    const { attempt, transaction } = await table.driver.broadcast('a', 0n);
    for (const atMs of [6_000, 7_000]) {
      table.nowMs = atMs;
      expect(await table.driver.claim(0n, transaction.hash)).toMatchObject({ applied: true });
      expect(await table.nonce(0n)).toEqual({
        owner: attempt.key,
        version: 1,
        transactions: ['call 0 c=2'],
      });
      expect(await table.ledger.transactionsOf(attempt)).toMatchObject([
        { claimedAtMs: atMs, claimFence: table.driver.fence },
      ]);
    }
  });

  it('C: the fence of the last claim is stored', async () => {
    const { attempt, transaction } = await table.driver.broadcast('a', 0n);
    await table.driver.lease();
    await table.driver.claim(0n, transaction.hash);
    expect(await table.ledger.transactionsOf(attempt)).toMatchObject([
      { claimFence: table.driver.fence, sendCount: 2 },
    ]);
  });

  it('C: a send to another node is a second claim, so that a refusal no longer proves anything', async () => {
    const { attempt, transaction } = await table.driver.broadcast('a', 0n);
    await table.driver.claim(0n, transaction.hash, 'node-1');
    expect(await table.ledger.transactionsOf(attempt)).toMatchObject([
      { claimNode: 'node-1', sendCount: 2 },
    ]);
    expect(await table.rejection(0n, transaction)).toMatchObject(rejectedWith('proves_nothing'));
  });

  it('C: a claim is rejected for a refused or unknown transaction, a settled nonce, and with an old fence', async () => {
    const a = await table.driver.broadcast('a', 0n);
    await table.rejection(0n, a.transaction);
    expect(await table.driver.claim(0n, a.transaction.hash)).toMatchObject(
      rejectedWith('transaction_gone'),
    );
    const b = await table.driver.broadcast('b', 0n);
    expect(await table.driver.claim(0n, LANE)).toMatchObject(rejectedWith('unknown_row'));
    await table.driver.succeed(b);
    expect(await table.driver.claim(0n, b.transaction.hash)).toMatchObject(
      rejectedWith('nonce_settled'),
    );
    const c = await table.driver.broadcast('c', 1n);
    await table.loseLane();
    expect(await table.driver.claim(1n, c.transaction.hash)).toMatchObject(
      rejectedWith('stale_fence'),
    );
  });

  it('C: a second send of a no-op can be claimed while the ledger is behind its chain, but not of a call', async () => {
    const { transaction } = await table.driver.broadcast('a', 0n);
    const noop = (await table.noop(0n)).applied
      ? (await table.ledger.openNonces(table.driver.lane))[0]?.transactions[1]
      : undefined;
    await table.fallBehind();
    expect(await table.driver.claim(0n, transaction.hash)).toMatchObject(
      rejectedWith('ledger_behind'),
    );
    expect(await table.driver.claim(0n, noop?.hash ?? LANE)).toMatchObject({ applied: true });
  });

  it('O: a PRE_CONFIRMED result is stored and removed without a fence', async () => {
    const { attempt, transaction } = await table.driver.broadcast('a', 0n);
    await table.loseLane();
    for (const execution of ['REVERTED', null, 'SUCCEEDED'] as const) {
      await table.driver.observe(
        0n,
        transaction.hash,
        execution === null ? null : { execution, revertReason: null },
      );
      const [row] = await table.ledger.transactionsOf(attempt);
      expect(row?.seen?.execution ?? null).toBe(execution);
      expect(await table.attempt(attempt)).toMatchObject({ state: 'broadcast' });
      expect(await table.nonce(0n)).toMatchObject({ version: 1 });
    }
  });

  it('O: a PRE_CONFIRMED result is rejected for a settled nonce', async () => {
    const sent = await table.driver.broadcast('a', 0n);
    const seen = { execution: 'REVERTED', revertReason: null } as const;
    expect(await table.driver.observe(1n, sent.transaction.hash, seen)).toMatchObject(
      rejectedWith('unknown_row'),
    );
    expect(await table.driver.observe(0n, LANE, seen)).toMatchObject(rejectedWith('unknown_row'));
    await table.driver.succeed(sent);
    expect(await table.driver.observe(0n, sent.transaction.hash, seen)).toMatchObject(
      rejectedWith('nonce_settled'),
    );
  });
});

describe('sends by the machine', () => {
  let world: World;
  afterEach(() => world.engine.stop());
  const start = async (): Promise<void> => {
    world = new World();
    await world.engine.start();
  };

  it('C: every request to a node has a separate claim', async () => {
    world = new World();
    const record = world.ledger.apply.bind(world.ledger);
    let claims = 0;
    world.ledger.apply = async (event) => {
      const recorded = await record(event);
      if (recorded.applied && (event.type === 'claim' || event.type === 'store')) claims += 1;
      return recorded;
    };
    await world.engine.start();
    world.chain.script(LOST, LOST, LOST);
    await world.submit();
    for (let round = 0; round < 5; round += 1) await world.round(10_000);
    expect(world.chain.sent).toHaveLength(4);
    expect(claims).toBe(4);
  });

  it.each([
    ['52', { kind: 'unclear', code: 'INVALID_TRANSACTION_NONCE' }],
    ['59', { kind: 'taken' }],
    ['64', { kind: 'unclear', code: 'REPLACEMENT_TRANSACTION_UNDERPRICED' }],
    ['any other 63', { kind: 'unclear', code: 'UNEXPECTED_ERROR' }],
    ['an unknown code', { kind: 'unclear', code: 'UNKNOWN_RPC_ERROR' }],
    ['no JSON', { kind: 'unclear', code: 'NODE_MALFORMED_ANSWER' }],
    ['a time-out', { kind: 'unclear', code: 'UPSTREAM_TIMED_OUT' }],
  ] as const)(
    'K1: the node’s response %s proves nothing, so the transaction is polled and sent again',
    async (_what, answer) => {
      await start();
      world.chain.script({ answer, arrives: false });
      await world.submit();
      await flush();
      expect(await world.last()).toMatchObject({ state: 'broadcast', nonce: 0n });
      await world.round(10_000);
      expect(new Set(world.chain.sent).size).toBe(1);
      expect(world.chain.sent).toHaveLength(2);
    },
  );

  it('G: an instance with a new fence polls before it sends claimed bytes again', async () => {
    await start();
    world.chain.script({ answer: { kind: 'unclear', code: 'CRASHED' }, arrives: true });
    await world.submit();
    await flush();
    const next = world.restarted();
    await next.engine.start();
    await flush();
    // The node has the transaction, so it is neither sent again nor ended.
    expect(world.chain.sent).toHaveLength(1);
    expect(await next.last()).toMatchObject({ state: 'broadcast', lane: LANE, nonce: 0n });
    world.chain.drop(world.chain.sent[0] ?? LANE);
    await next.round();
    expect(world.chain.sent).toHaveLength(2);
    expect(new Set(world.chain.sent).size).toBe(1);
    await next.engine.stop();
  });
});
