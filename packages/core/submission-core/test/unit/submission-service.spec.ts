import { describe, expect, it } from '@jest/globals';
import { Felts } from '@sotto/kernel';
import {
  LedgerBehindChain,
  PreviousAttemptNotFinal,
  QueueFull,
  SubmissionNotifier,
  SubmissionService,
} from '../../src/index.js';
import { gate } from '../support/gate.js';
import { LANE, World, flush, submission } from './world.js';

const { key } = submission();

/**
 * Creates a service whose queue is full with one waiting attempt. The last attempt of the default
 * key has ended with `end`. No engine is started.
 */
async function full(end: 'succeeded' | 'refused'): Promise<World> {
  const world = new World({}, undefined, undefined, { maxWaitingPerRole: 1 });
  const last = world.ledger.lastAttempt.bind(world.ledger);
  await world.submit();
  world.ledger.lastAttempt = async (of) => {
    const attempt = await last(of);
    return attempt === null ? null : { ...attempt, state: end };
  };
  return world;
}

async function behind(): Promise<World> {
  const world = new World({ acceptance: null });
  await world.engine.start();
  return world;
}

describe('full queue', () => {
  it('a repeated request is rejected by a full queue if its last attempt ended without success', async () => {
    await expect((await full('refused')).submit()).rejects.toThrow(QueueFull);
  });

  it('the length of the queue includes attempts that are accepted during the count', async () => {
    const world = new World({}, undefined, undefined, { maxWaitingPerRole: 2 });
    const slow = gate();
    const count = world.ledger.countWaiting.bind(world.ledger);
    world.ledger.countWaiting = async (role) => {
      const waiting = await count(role);
      await slow.opened;
      return waiting;
    };
    const early = world.service.checkQueueCapacity('relay');
    await flush();
    world.ledger.countWaiting = count;
    await world.submit({ key: 'a' });
    await world.submit({ key: 'b' });
    slow.open();
    expect(await early).toBeNull();
    await expect(world.submit({ key: 'c' })).rejects.toThrow(QueueFull);
  });

  it('a request whose attempt has already succeeded gets its response even if the queue is full', async () => {
    expect(await (await full('succeeded')).submit()).toMatchObject({ kind: 'same' });
  });
});

describe('SubmissionService without an engine', () => {
  it('returns the last attempt of a key', async () => {
    const world = new World();
    expect(await world.service.last(key)).toBeNull();
    const { attempt } = await world.submit();
    expect(await world.service.last(key)).toEqual(attempt);
  });

  it('a newer call with the same effect replaces the call of a waiting attempt that is not signed yet', async () => {
    const world = new World();
    const { attempt } = await world.submit();
    const newer = {
      effect: attempt.effect,
      fingerprint: 'newer',
      calldata: Felts.of([9n]),
    };
    expect(await world.service.renew(attempt, newer)).toBe(true);
    expect(await world.service.last(key)).toMatchObject({ fingerprint: 'newer' });
    expect((await world.ledger.calldata(attempt.id))?.equals(Felts.of([9n]))).toBe(true);
    await world.engine.start();
    await flush();
    expect(await world.service.last(key)).toMatchObject({ state: 'broadcast' });
    expect(await world.service.renew(attempt, newer)).toBe(false);
    await world.engine.stop();
  });

  it('the lanes of all instances are notified when an attempt gets a newer call', async () => {
    const { ledger, clock } = new World();
    const heard: string[] = [];
    const bus = { report: ({ kind }: { kind: string }) => void heard.push(kind), hear: () => {} };
    const service = new SubmissionService(
      ledger,
      new SubmissionNotifier(bus),
      () => void heard.push('woken'),
      clock,
      { answerAt: 'preconfirmed', deadlineMs: 60_000, maxWaitingPerRole: 9, newId: () => 'id' },
      () => undefined,
    );
    const { attempt } = await service.submit(submission());
    heard.length = 0;
    const { effect } = attempt;
    const newer = { effect, fingerprint: 'newer', calldata: Felts.of([9n]) };
    expect(await service.renew(attempt, newer)).toBe(true);
    expect(heard).toEqual(['woken', 'work']);
    expect(await service.renew(attempt, newer)).toBe(false);
    expect(heard).toHaveLength(2);
  });

  it('reports free queue capacity if the service has no check for a ledger behind its chain', async () => {
    const { ledger, changes, clock } = new World();
    const service = new SubmissionService(
      ledger,
      changes,
      () => undefined,
      clock,
      { answerAt: 'preconfirmed', deadlineMs: 1, maxWaitingPerRole: 1, newId: () => 'id' },
      () => undefined,
    );
    expect(await service.checkQueueCapacity('relay')).toBeNull();
  });

  it('submit throws if the ledger rejects the request without returning an attempt', async () => {
    const world = new World();
    world.ledger.apply = async () => ({ applied: false, because: 'already_live', attempt: null });
    await expect(world.submit()).rejects.toThrow('without an attempt');
  });
});

describe('ledger that is behind its chain', () => {
  it('new submissions are rejected while the ledger is behind its chain', async () => {
    const world = await behind();
    const expected = { code: 'LEDGER_BEHIND_CHAIN', kind: 'unavailable', retryAfterSeconds: 30 };
    expect(await world.service.checkQueueCapacity('relay')).toMatchObject(expected);
    await expect(world.submit()).rejects.toThrow(LedgerBehindChain);
    await expect(world.submit()).rejects.toMatchObject(expected);
    expect(await world.service.last(key)).toBeNull();
    await world.engine.stop();
  });

  it('reports that the ledger is behind its chain, even if the queue is also full', async () => {
    const world = new World({ acceptance: null }, undefined, undefined, { maxWaitingPerRole: 0 });
    await world.engine.start();
    expect(await world.service.checkQueueCapacity('relay')).toMatchObject({
      code: 'LEDGER_BEHIND_CHAIN',
    });
    await world.engine.stop();
  });
});

describe('call that its contract does not protect', () => {
  it('an unprotected call gets PREVIOUS_ATTEMPT_NOT_FINAL until its first attempt is final', async () => {
    const world = new World();
    await world.engine.start();
    const unprotected = { replayProtected: false };
    await world.submit(unprotected);
    await flush();
    world.chain.includeAll({ execution: 'REVERTED' });
    await world.round();
    await expect(world.submit(unprotected)).rejects.toThrow(PreviousAttemptNotFinal);
    await expect(world.submit(unprotected)).rejects.toMatchObject({
      code: 'PREVIOUS_ATTEMPT_NOT_FINAL',
      kind: 'unavailable',
      retryAfterSeconds: 600,
    });
    expect(await world.last()).toMatchObject({ attempt: 1 });
    world.chain.acceptOnL1(1);
    await world.round();
    expect(await world.submit(unprotected)).toMatchObject({
      kind: 'accepted',
      attempt: { attempt: 2 },
    });
    await world.engine.stop();
  });

  it('accepts the second attempt of a protected call as soon as the first attempt has reverted', async () => {
    const world = new World();
    await world.engine.start();
    await world.submit();
    await flush();
    world.chain.include(world.chain.sent[0] ?? LANE, { execution: 'REVERTED' });
    await world.round();
    expect(await world.submit()).toMatchObject({ kind: 'accepted', attempt: { attempt: 2 } });
    await world.engine.stop();
  });
});

describe('waiting caller', () => {
  it('waitFor rejects if the submission id does not exist', async () => {
    await expect(new World().service.waitFor('no such id', 0)).rejects.toThrow('does not exist');
  });

  it('a caller with a waiting time of 0 gets a response at once', async () => {
    const world = new World();
    const { attempt } = await world.submit();
    expect(await world.service.waitFor(attempt.id, 0)).toMatchObject({ kind: 'pending' });
    expect(world.clock.sleeping).toBe(0);
  });

  it('waitFor with an abort signal continues until its timeout if the signal is not aborted', async () => {
    const world = new World();
    const { attempt } = await world.submit();
    let isOver = false;
    const wait = async (): Promise<void> => {
      await world.service.waitFor(attempt.id, 2_000, new AbortController().signal);
      isOver = true;
    };
    const waiting = wait();
    await flush();
    expect(isOver).toBe(false);
    for (let second = 0; second < 2; second += 1) {
      world.clock.advance(1_000);
      await flush();
    }
    await waiting;
    expect(isOver).toBe(true);
  });

  it('waitFor uses only one timer per call, after any number of changes of the attempt', async () => {
    const world = new World();
    const { attempt } = await world.submit();
    const waiting = world.service.waitFor(attempt.id, 500);
    for (let change = 0; change < 3; change += 1) {
      await flush();
      world.changes.changed(attempt.id);
    }
    await flush();
    expect(world.clock.sleeping).toBe(1);
    world.clock.advance(500);
    await waiting;
  });
});
