import { describe, expect, it } from '@jest/globals';
import { aSignedTransaction } from '../../src/testing/index.js';
import { LANE, World, flush } from '../unit/world.js';
import { Table, stoodBack } from './table.js';

const DEARER = 40_000_000_000n;

describe('transition table: sends', () => {
  const table = Table.forEachTest();

  it('C: a claim is counted, two stand for more than one, and a prepared attempt is broadcast', async () => {
    const { attempt, transaction } = await table.driver.prepared('a', 0n);
    for (const claims of [1, 2, 2]) {
      await table.driver.claim(0n, transaction.hash);
      expect(await table.nonce(0n)).toEqual({ owner: attempt.key, transactions: [`call 0 c=${claims}`] });
    }
    expect(await table.attempt(attempt)).toMatchObject({ state: 'broadcast' });
  });

  it('C stands back for a dead transaction, a settled nonce and an old fence', async () => {
    const a = await table.driver.prepared('a', 0n);
    await table.release(0n);
    expect(await table.driver.claim(0n, a.transaction.hash)).toMatchObject(stoodBack('transaction_dead'));
    const b = await table.driver.broadcast('b', 0n);
    await table.driver.succeed(b);
    expect(await table.driver.claim(0n, b.transaction.hash)).toMatchObject(stoodBack('nonce_settled'));
    const c = await table.driver.broadcast('c', 1n);
    await table.loseLane();
    expect(await table.driver.claim(1n, c.transaction.hash)).toMatchObject(stoodBack('stale_fence'));
  });

  it("C': the machine makes no use of it: every request on the wire has a claim of its own", async () => {
    const world = new World();
    const record = world.ledger.record.bind(world.ledger);
    let claims = 0;
    world.ledger.record = async (event) => {
      const recorded = await record(event);
      if (recorded.written && (event.type === 'claim' || (event.type === 'prepare' && event.claim))) claims += 1;
      return recorded;
    };
    await world.engine.start();
    world.chain.script(...Array.from({ length: 3 }, () => ({ answer: { kind: 'unclear', code: 'TIMED_OUT' } as const, arrives: false })));
    await world.submit();
    for (let round = 0; round < 5; round += 1) await world.round(10_000);
    expect(world.chain.sent).toHaveLength(4);
    expect(claims).toBe(4);
    await world.engine.stop();
  });

  it.each([
    ['52', { kind: 'unclear', code: 'INVALID_TRANSACTION_NONCE' }],
    ['59', { kind: 'taken' }],
    ['64', { kind: 'unclear', code: 'REPLACEMENT_TRANSACTION_UNDERPRICED' }],
    ['any other 63', { kind: 'unclear', code: 'UNEXPECTED_ERROR' }],
    ['an unknown code', { kind: 'unclear', code: 'UNKNOWN_RPC_ERROR' }],
    ['no JSON', { kind: 'unclear', code: 'NODE_MALFORMED_ANSWER' }],
    ['a time-out', { kind: 'unclear', code: 'UPSTREAM_TIMED_OUT' }],
  ] as const)('K1: %s concludes nothing; it is looked for, and sent again', async (_what, answer) => {
    const world = new World();
    await world.engine.start();
    world.chain.script({ answer, arrives: false });
    await world.submit();
    await flush();
    expect(await world.last()).toMatchObject({ state: 'broadcast', nonce: 0n });
    await world.round(10_000);
    expect(new Set(world.chain.sent).size).toBe(1);
    expect(world.chain.sent).toHaveLength(2);
    await world.engine.stop();
  });

  it('K2: a conclusive refusal of the first and only claimed send makes the transaction dead, with its code', async () => {
    const { attempt, transaction } = await table.driver.broadcast('a', 0n);
    await table.refusal(0n, transaction);
    const [row] = await table.ledger.transactionsOf(attempt);
    expect(row).toMatchObject({ dead: true, refusalCode: 'VALIDATION_FAILURE' });
  });

  it('K3: something else that could land keeps the attempt where it is', async () => {
    const { attempt } = await table.driver.broadcast('a', 0n);
    const dearer = aSignedTransaction('a', DEARER);
    await table.replace(0n, dearer);
    await table.driver.claim(0n, dearer.hash);
    await table.refusal(0n, dearer);
    expect(await table.attempt(attempt)).toMatchObject({ state: 'broadcast', nonce: 0n });
    expect(await table.nonce(0n)).toEqual({ owner: attempt.key, transactions: ['call 0 c=1', 'dead'] });
  });

  it.each([
    ['price', 'accepted'],
    ['funds', 'accepted'],
    ['call', 'refused'],
  ] as const)('K3: with nothing left, a refusal for the %s frees the nonce, and the attempt is %s', async (cause, state) => {
    const { attempt, transaction } = await table.driver.broadcast('a', 0n);
    await table.refusal(0n, transaction, { cause });
    expect(await table.attempt(attempt)).toMatchObject({ state, nonce: null, readmit: state === 'accepted' });
    expect(await table.nonce(0n)).toEqual({ owner: null, transactions: ['dead'] });
  });

  it('K3: a refused no-op says nothing about the call whose nonce it was to take', async () => {
    const { attempt, transaction } = await table.driver.broadcast('a', 0n);
    const noop = aSignedTransaction('no-op', DEARER);
    await table.cancel(0n, noop);
    await table.driver.claim(0n, noop.hash);
    await table.refusal(0n, transaction);
    await table.refusal(0n, noop);
    expect(await table.attempt(attempt)).toMatchObject({ state: 'accepted' });
  });

  it('K2: a refusal counts once: told again, it takes the nonce from nobody who has got it meanwhile', async () => {
    const a = await table.driver.broadcast('a', 0n);
    await table.refusal(0n, a.transaction);
    const b = await table.driver.broadcast('b', 0n);
    expect(await table.refusal(0n, a.transaction)).toMatchObject(stoodBack('transaction_dead'));
    expect(await table.attempt(b.attempt)).toMatchObject({ state: 'broadcast', nonce: 0n });
  });

  it('K4: after a second claim, or under another fence, a refusal proves nothing', async () => {
    const a = await table.driver.broadcast('a', 0n);
    await table.driver.claim(0n, a.transaction.hash);
    expect(await table.refusal(0n, a.transaction)).toMatchObject(stoodBack('proves_nothing'));
    const b = await table.driver.broadcast('b', 1n);
    await table.loseLane();
    expect(await table.refusal(1n, b.transaction)).toMatchObject(stoodBack('stale_fence'));
    const fence = table.driver.fence + 1n;
    expect(await table.refusal(1n, b.transaction, { fence })).toMatchObject(stoodBack('proves_nothing'));
    expect(await table.attempt(b.attempt)).toMatchObject({ state: 'broadcast' });
  });

  it('O: what PRE_CONFIRMED shows is a note on the transaction, needs no fence, comes and goes', async () => {
    const { attempt, transaction } = await table.driver.broadcast('a', 0n);
    await table.loseLane();
    for (const execution of ['REVERTED', null, 'SUCCEEDED'] as const) {
      await table.observe(0n, transaction, execution);
      const [row] = await table.ledger.transactionsOf(attempt);
      expect(row?.seen?.execution ?? null).toBe(execution);
      expect(await table.attempt(attempt)).toMatchObject({ state: 'broadcast' });
    }
  });

  it('O stands back once the nonce is settled: the receipt is what counts', async () => {
    const sent = await table.driver.broadcast('a', 0n);
    await table.driver.succeed(sent);
    expect(await table.observe(0n, sent.transaction, 'REVERTED')).toMatchObject(stoodBack('nonce_settled'));
  });

  it('G: a new fence looks first, and a claim without a recorded refusal means that it may be out', async () => {
    const world = new World();
    await world.engine.start();
    world.chain.script({ answer: { kind: 'unclear', code: 'CRASHED' }, arrives: true });
    await world.submit();
    await flush();
    const next = world.restarted();
    await next.engine.start();
    await flush();
    // The node has it: nothing is sent, nothing concluded.
    expect(world.chain.sent).toHaveLength(1);
    expect(await next.last()).toMatchObject({ state: 'broadcast', lane: LANE, nonce: 0n });
    world.chain.drop(world.chain.sent[0] ?? LANE);
    await next.round();
    expect(world.chain.sent).toHaveLength(2);
    expect(new Set(world.chain.sent).size).toBe(1);
    await world.engine.stop();
    await next.engine.stop();
  });
});
