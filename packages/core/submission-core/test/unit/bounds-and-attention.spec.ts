import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { LogFields, Logger } from '@sotto/kernel';
import { silentLogger } from '@sotto/kernel';
import { QueueFull, type EngineStatus } from '../../src/index.js';
import { LANE, World, flush } from './world.js';

describe('queue of a role', () => {
  let world: World;
  beforeEach(async () => {
    world = new World({}, undefined, undefined, { maxWaitingPerRole: 3 });
    await world.engine.start();
    world.chain.setBalance(LANE, 0n);
    await world.round();
    for (const key of ['a', 'b', 'c']) await world.submit({ key });
  });
  afterEach(() => world.engine.stop());

  it('rejects submissions to a full queue and writes nothing for them', async () => {
    await expect(world.submit({ key: 'd' })).rejects.toThrow(QueueFull);
    await expect(world.submit({ key: 'd' })).rejects.toMatchObject({
      code: 'QUEUE_FULL',
      kind: 'unavailable',
      retryAfterSeconds: 5,
    });
    expect(await world.ledger.lastAttempt('d')).toBeNull();
  });

  it('reports a full queue only for the role of the queue', async () => {
    expect(await world.service.checkQueueCapacity('relay')).toMatchObject({
      code: 'QUEUE_FULL',
      retryAfterSeconds: 5,
    });
    expect(await world.service.checkQueueCapacity('curator')).toBeNull();
    world.chain.setBalance(LANE, 10n ** 24n);
    await world.round();
    expect(await world.service.checkQueueCapacity('relay')).toBeNull();
  });

  it('concurrent submissions do not exceed the limit of a role’s queue', async () => {
    const crowd = new World({}, undefined, undefined, { maxWaitingPerRole: 3 });
    const all = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => crowd.submit({ key: `key ${index}` })),
    );
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await crowd.ledger.countWaiting('relay')).toBe(3);
  });

  it('replies to requests that are in flight or have succeeded, although the queue is full', async () => {
    expect(await world.submit({ key: 'a' })).toMatchObject({ kind: 'same' });
    expect(await world.submit({ key: 'a', effect: 'other', fingerprint: 'other' })).toMatchObject({
      kind: 'conflict',
    });
    expect(await world.submit({ key: 'd', role: 'curator' })).toMatchObject({ kind: 'accepted' });
  });

  it('accepts submissions again after a lane has assigned a nonce to a waiting attempt', async () => {
    world.chain.setBalance(LANE, 10n ** 24n);
    await world.round();
    expect(await world.submit({ key: 'd' })).toMatchObject({ kind: 'accepted' });
  });
});

describe('stuck nonces for the operator', () => {
  const logged: { fields: LogFields; message: string }[] = [];
  const logger: Logger = {
    ...silentLogger,
    error: (fields, message) => void logged.push({ fields, message }),
  };
  let world: World;
  const stuck = (): EngineStatus['stuck'] => world.engine.status().stuck;
  beforeEach(async () => {
    logged.length = 0;
    world = new World({ attentionAfterMs: 60_000 }, undefined, undefined, { logger });
    await world.engine.start();
  });
  afterEach(() => world.engine.stop());

  it('reports no stuck nonces while every nonce is decided in time', async () => {
    await world.submit();
    await world.round(50_000);
    expect(stuck()).toEqual([]);
  });

  it('reports an undecided nonce until it is settled, and logs it once', async () => {
    world.chain.script({ answer: { kind: 'unclear', code: 'TIMED_OUT' }, arrives: true });
    const { attempt } = await world.submit();
    await world.round(61_000);
    expect(stuck()).toEqual([
      {
        lane: LANE,
        nonce: 0n,
        attempt: { id: attempt.id, state: 'broadcast' },
        forMs: 61_000,
        passedByChain: false,
        unwanted: null,
        transactions: [
          {
            hash: world.chain.sent[0],
            kind: 'call',
            priceStep: 0,
            claims: 1,
            lastClaimAgoMs: 61_000,
            gone: null,
            seen: 'waiting',
          },
        ],
      },
    ]);
    await world.round();
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatchObject({
      message: 'a nonce is undecided for too long',
      fields: { lane: LANE, nonce: '0', submission: attempt.id },
    });
    world.chain.includeAll();
    await world.round();
    await world.round();
    expect(stuck()).toEqual([]);
  });

  it('reports why the attempt of an undecided nonce is no longer wanted', async () => {
    const lost = { answer: { kind: 'unclear', code: 'TIMED_OUT' }, arrives: false } as const;
    world.chain.script(lost, lost);
    await world.submit();
    await world.round();
    // The attempt was wanted when it was sent, and is not wanted from now on.
    world.rejection = 'NULLIFIER_SPENT';
    await world.round(61_000);
    await world.round();
    expect(stuck()).toMatchObject([{ unwanted: 'NULLIFIER_SPENT' }]);
  });

  it('reports a nonce that the chain has passed if the transaction that consumed it is not found', async () => {
    await world.submit();
    await flush();
    world.chain.includeAll();
    await world.round();
    world.chain.setNonce(LANE, 3n);
    await world.round();
    await world.submit({ key: 'another' });
    await world.round();
    await world.round(61_000);
    expect(stuck().filter(({ attempt }) => attempt === null)).toMatchObject([
      { nonce: 1n, passedByChain: true, transactions: [] },
      { nonce: 2n, passedByChain: true, transactions: [] },
    ]);
  });
});
