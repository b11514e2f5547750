import { describe, expect, it } from '@jest/globals';
import { UNNAMED_CALLER, type Caller } from '@sotto/kernel';
import type { LaneRole } from '@sotto/submission-core';
import { aSubmission } from '@sotto/submission-core/testing';
import { queueShareRejection } from '../../src/circuit-breaker/domain/queue-share.js';
import { SNAPSHOT_MS } from '../support/guard-world.js';
import { codeOf, note } from '../support/losses.js';
import { aWorld, pool } from '../support/world.js';

/** Number of slots in the queue in these tests. */
const PLACES = 200;

/** Returns a caller in one /48 network. Each caller has a separate /56 and /64 network. */
const rented = (index: number): Caller => ({
  name: `2001:db8:1:${index}::/64`,
  networks: [`2001:db8:1:${index}::/56`, '2001:db8:1::/48'],
});
const elsewhere = (index: number): Caller => ({
  name: `198.51.${index}.1`,
  networks: [`198.51.${index}.0/24`],
});

/** World in which all attempts wait until the test sends them. */
function aStuckWorld() {
  const world = aWorld();
  const { submissions, clock, guarding } = world;
  let begun = 0;
  const begin = async (by: Caller, role: LaneRole = 'relay'): Promise<string> => {
    begun += 1;
    const key = `key ${begun}`;
    const request = { pool, key, requested: { effect: key }, caller: by, role };
    const end = await codeOf(
      guarding.guard.confirm({ ...request, kind: 'relay', costFri: 0n }, () =>
        submissions.submit({ ...aSubmission(key), key, role }),
      ),
    );
    if (end === 'accepted')
      guarding.money.begin({
        key,
        kind: role === 'relay' ? 'withdraw' : 'private_swap',
        subject: pool.address,
        role,
        isWaiting: true,
        acceptedAtMs: clock.nowMs(),
        costFri: 0n,
      });
    return end;
  };
  /** Makes this many requests. Returns how many of them get a slot in the queue. */
  const accepted = async (
    count: number,
    callerOf: (index: number) => Caller,
    role?: LaneRole,
  ): Promise<number> => {
    let places = 0;
    for (let index = 0; index < count; index += 1)
      if ((await begin(callerOf(index), role)) === 'accepted') places += 1;
    return places;
  };
  /** Marks all waiting calls as signed by a lane account. */
  const sendAll = (): void => {
    guarding.money.sendAll();
    clock.pass(SNAPSHOT_MS);
  };
  return { ...world, begin, accepted, sendAll };
}

describe('a network’s share of the queue', () => {
  it('T6 W1: 40 addresses of one /48 network get at most about half of the queue', async () => {
    const { accepted, begin } = aStuckWorld();
    expect(await accepted(300, (index) => rented(index % 40))).toBe(PLACES / 2 + 1);
    expect(await begin(rented(41))).toBe('QUEUE_FULL');
    expect(await accepted(21, () => elsewhere(1))).toBe(21);
  });

  it('T6 W1 a network gets at most a quarter of the queue while other networks wait', async () => {
    const { accepted } = aStuckWorld();
    expect(await accepted(60, elsewhere)).toBe(60);
    expect(await accepted(300, (index) => rented(index % 40))).toBe(PLACES / 4);
  });

  it('T6 W2 a new network still gets queue slots although ten networks request all slots', async () => {
    const { accepted } = aStuckWorld();
    expect(await accepted(3_000, (index) => elsewhere(index % 10))).toBe(182);
    expect(await accepted(15, () => rented(1))).toBe(9);
  });

  it('T6 W1 a network’s share of the queue is checked before the proof and before any read', async () => {
    const world = aStuckWorld();
    const { accepted, subject, verifier, log } = world;
    await accepted(PLACES, () => rented(1));
    const withdraw = (caller: Caller): Promise<string> =>
      codeOf(
        subject.execute({
          poolAddress: pool.address,
          calldata: note(world, 1n),
          caller,
          waitMs: 0,
        }),
      );
    expect(await withdraw(rented(2))).toBe('QUEUE_FULL');
    expect([verifier.checks, log.ports()]).toEqual([0, []]);
    expect(await withdraw(elsewhere(1))).toBe('accepted');
  });

  it('a network’s share of the queue is free again once its attempts have left the queue', async () => {
    const { accepted, begin, sendAll } = aStuckWorld();
    await accepted(PLACES, () => rented(1));
    expect(await begin(rented(1))).toBe('QUEUE_FULL');
    sendAll();
    expect(await begin(rented(1))).toBe('accepted');
  });

  it('a network’s share of the queue also limits concurrent requests of this network', async () => {
    const { begin } = aStuckWorld();
    const ends = await Promise.all(
      Array.from({ length: 300 }, (_, index) => begin(rented(index % 40))),
    );
    expect(ends.filter((end) => end === 'accepted')).toHaveLength(PLACES / 2 + 1);
  });

  it('a network’s share of the queue is computed separately for each role', async () => {
    const { accepted } = aStuckWorld();
    await accepted(PLACES, () => rented(1), 'swap_owner');
    expect(await accepted(1, () => rented(1))).toBe(1);
  });

  it.each([
    [4, 'welcome'],
    [5, 'QUEUE_FULL'],
  ])(
    'small queues have no shares: a network that has all but one of %i queue slots gets the result %s for its next request',
    (places, heard) => {
      const entry = { kind: 'withdraw', subject: pool.address, role: 'relay' } as const;
      const waiting = Array.from({ length: places - 1 }, (_, index) => ({
        ...entry,
        key: `key ${index}`,
        isWaiting: true,
        acceptedAtMs: 0,
        costFri: 0n,
      }));
      const rejection = queueShareRejection(rented(1), waiting, () => rented(2), places);
      expect(rejection?.code ?? 'welcome').toBe(heard);
    },
  );

  it('requests without a known caller may use the whole queue', async () => {
    const { accepted } = aStuckWorld();
    expect(await accepted(PLACES, () => UNNAMED_CALLER)).toBe(PLACES);
  });
});
