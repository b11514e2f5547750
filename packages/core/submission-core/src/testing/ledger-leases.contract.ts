import type { TestRunner } from '@sotto/kernel/testing';
import { toFelt } from '@sotto/kernel';
import { LANE_ROLES } from '../domain/rows.js';
import { LedgerDriver, aSubmission } from './ledger-driver.js';
import { LedgerStage, type StartLedger } from './ledger-harness.js';

const LANE = toFelt('0xcafe');
const TTL_MS = 1_000;

/** Tests for row G of the transition table. */
export function describeLeasesContract(runner: TestRunner, start: StartLedger): void {
  const { describe, expect, it } = runner;
  describe('leases', () => {
    const stage = LedgerStage.forEachTest(runner, start);

    it('leases a free lane and increases its fence', async () => {
      await stage.ledger.registerLane(LANE, 'curator');
      const first = await stage.ledger.lease(LANE, 'a', TTL_MS);
      expect(first).toMatchObject({
        address: LANE,
        role: 'curator',
        leasedTo: 'a',
        nextNonce: null,
        quarantine: null,
        pausedFor: null,
      });
      const second = await stage.ledger.lease(LANE, 'a', TTL_MS);
      expect(second?.fence).toBe((first?.fence ?? 0n) + 1n);
    });

    it.each(LANE_ROLES)('stores lanes and calls of role %s', async (role) => {
      await stage.ledger.registerLane(LANE, role);
      expect(await stage.ledger.lease(LANE, 'a', TTL_MS)).toMatchObject({ role });
      await stage.ledger.apply({ type: 'request', submission: aSubmission('a', { role }) });
      expect(await stage.ledger.waiting(role, 10)).toMatchObject([{ id: 'id-of-a', role }]);
    });

    it('a second registration of a lane does not change the lane’s lease and fence', async () => {
      await stage.ledger.registerLane(LANE, 'curator');
      const first = await stage.ledger.lease(LANE, 'a', TTL_MS);
      await stage.ledger.registerLane(LANE, 'relay');
      expect(await stage.ledger.lease(LANE, 'b', TTL_MS)).toBeNull();
      expect(await stage.ledger.renew(LANE, 'a', first?.fence ?? 0n, TTL_MS)).toBe(true);
      expect(await stage.ledger.lease(LANE, 'a', TTL_MS)).toMatchObject({ role: 'relay' });
    });

    it('does not lease a lane that was never registered', async () => {
      expect(await stage.ledger.lease(LANE, 'a', TTL_MS)).toBeNull();
    });

    it('does not lease a lane that another instance holds, until that lease expires', async () => {
      await stage.ledger.registerLane(LANE, 'relay');
      const first = await stage.ledger.lease(LANE, 'a', TTL_MS);
      stage.pass(TTL_MS - 1);
      expect(await stage.ledger.lease(LANE, 'b', TTL_MS)).toBeNull();
      stage.pass(1);
      const stolen = await stage.ledger.lease(LANE, 'b', TTL_MS);
      expect(stolen).toMatchObject({ leasedTo: 'b', fence: (first?.fence ?? 0n) + 1n });
      expect(await stage.ledger.renew(LANE, 'a', first?.fence ?? 0n, TTL_MS)).toBe(false);
    });

    it('extends a lease from the current time on, under the same fence', async () => {
      await stage.ledger.registerLane(LANE, 'relay');
      const { fence } = (await stage.ledger.lease(LANE, 'a', TTL_MS)) ?? { fence: 0n };
      stage.pass(TTL_MS / 2);
      expect(await stage.ledger.renew(LANE, 'a', fence, TTL_MS)).toBe(true);
      stage.pass(TTL_MS - 1);
      expect(await stage.ledger.lease(LANE, 'b', TTL_MS)).toBeNull();
      expect(await stage.ledger.renew(LANE, 'a', fence - 1n, TTL_MS)).toBe(false);
      expect(await stage.ledger.renew(LANE, 'b', fence, TTL_MS)).toBe(false);
    });

    it('only the current holder of a lane’s lease can release the lane', async () => {
      await stage.ledger.registerLane(LANE, 'relay');
      const { fence } = (await stage.ledger.lease(LANE, 'a', TTL_MS)) ?? { fence: 0n };
      await stage.ledger.unlease(LANE, 'b', fence);
      await stage.ledger.unlease(LANE, 'a', fence - 1n);
      expect(await stage.ledger.lease(LANE, 'b', TTL_MS)).toBeNull();
      await stage.ledger.unlease(LANE, 'a', fence);
      expect(await stage.ledger.lease(LANE, 'b', TTL_MS)).toMatchObject({
        leasedTo: 'b',
        fence: fence + 1n,
      });
    });

    it('measures leases by elapsed time, independent of the wall clock', async () => {
      await stage.ledger.registerLane(LANE, 'relay');
      await stage.ledger.lease(LANE, 'a', TTL_MS);
      stage.stepWallClock(3_600_000);
      expect(await stage.ledger.lease(LANE, 'b', TTL_MS)).toBeNull();
      stage.stepWallClock(-7_200_000);
      stage.pass(TTL_MS);
      expect(await stage.ledger.lease(LANE, 'b', TTL_MS)).toMatchObject({ leasedTo: 'b' });
    });

    it('leases a lane to only one of several concurrent instances', async () => {
      await stage.ledger.registerLane(LANE, 'relay');
      const instances = ['a', 'b', 'c', 'd', 'e'];
      const leases = await Promise.all(
        instances.map((instance) => stage.ledger.lease(LANE, instance, TTL_MS)),
      );
      expect(leases.filter((lease) => lease !== null)).toHaveLength(1);
    });

    it('hands a lane over under a new fence, without a moment in which the lane is free', async () => {
      await stage.ledger.registerLane(LANE, 'relay');
      const { fence } = (await stage.ledger.lease(LANE, 'a', TTL_MS)) ?? { fence: 0n };
      await stage.ledger.announce('b', [LANE], TTL_MS);
      expect(await stage.ledger.handOver(LANE, 'a', fence - 1n, 'b', TTL_MS)).toBe(false);
      expect(await stage.ledger.handOver(LANE, 'c', fence, 'b', TTL_MS)).toBe(false);
      stage.pass(TTL_MS - 1);
      expect(await stage.ledger.handOver(LANE, 'a', fence, 'b', TTL_MS)).toBe(true);
      expect(await stage.ledger.renew(LANE, 'a', fence, TTL_MS)).toBe(false);
      stage.pass(TTL_MS - 1);
      expect(await stage.ledger.lease(LANE, 'c', TTL_MS)).toBeNull();
      expect(await stage.ledger.lease(LANE, 'b', TTL_MS)).toMatchObject({
        leasedTo: 'b',
        fence: fence + 2n,
      });
    });

    it('hands no lane over to an instance that has withdrawn its announcement or let it expire', async () => {
      const { ledger } = stage;
      await ledger.registerLane(LANE, 'relay');
      const { fence } = (await ledger.lease(LANE, 'a', TTL_MS)) ?? { fence: 0n };
      const toB = async () => ledger.handOver(LANE, 'a', fence, 'b', TTL_MS);
      expect(await toB()).toBe(false);
      await ledger.announce('b', [LANE], TTL_MS);
      await ledger.announce('b', [], 0);
      expect(await toB()).toBe(false);
      await ledger.announce('b', [LANE], TTL_MS);
      stage.pass(TTL_MS);
      expect(await toB()).toBe(false);
      expect(await ledger.renew(LANE, 'a', fence, TTL_MS)).toBe(true);
      await ledger.announce('b', [LANE], TTL_MS);
      expect(await toB()).toBe(true);
    });

    it('returns each lane with its holder and with the instances that are able to send on it', async () => {
      const { ledger } = stage;
      const others = await ledger.announce('z', [], TTL_MS);
      await ledger.registerLane(LANE, 'curator');
      await ledger.lease(LANE, 'a', TTL_MS);
      await ledger.announce('b', [LANE], TTL_MS);
      await ledger.announce('a', [LANE], TTL_MS);
      stage.pass(TTL_MS / 2);
      const announced = await ledger.announce('c', [], TTL_MS);
      expect(announced.filter(({ address }) => address === LANE)).toEqual([
        {
          address: LANE,
          role: 'curator',
          holder: 'a',
          leasedForMs: TTL_MS / 2,
          candidates: ['a', 'b'],
        },
      ]);
      expect(announced).toHaveLength(others.length + 1);
      await ledger.announce('b', [], TTL_MS);
      stage.pass(TTL_MS / 2);
      const later = await ledger.announce('c', [LANE], TTL_MS);
      expect(later.find(({ address }) => address === LANE)).toEqual({
        address: LANE,
        role: 'curator',
        holder: null,
        leasedForMs: 0,
        candidates: ['c'],
      });
    });

    it('reserves an attempt for only one instance until the reservation expires', async () => {
      const { ledger } = stage;
      expect(await ledger.reserve([], 'a', TTL_MS)).toEqual([]);
      const [ofA, ofB] = await Promise.all([
        ledger.reserve(['x', 'y', 'z'], 'a', TTL_MS),
        ledger.reserve(['z', 'y', 'w'], 'b', TTL_MS),
      ]);
      expect([...ofA, ...ofB].toSorted()).toEqual(['w', 'x', 'y', 'z']);
      expect((await ledger.reserve(ofA, 'a', TTL_MS)).toSorted()).toEqual(ofA.toSorted());
      expect(await ledger.reserve(ofA, 'b', TTL_MS)).toEqual([]);
      stage.pass(TTL_MS);
      expect((await ledger.reserve(ofA, 'b', TTL_MS)).toSorted()).toEqual(ofA.toSorted());
    });

    it('a reservation ends if its instance reserves the attempt for no time', async () => {
      const { ledger } = stage;
      await ledger.reserve(['x'], 'a', TTL_MS);
      await ledger.reserve(['x'], 'b', 0);
      expect(await ledger.reserve(['x'], 'b', TTL_MS)).toEqual([]);
      await ledger.reserve(['x'], 'a', 0);
      expect(await ledger.reserve(['x'], 'b', TTL_MS)).toEqual(['x']);
    });

    it('accepts writes of a holder with an expired lease until another instance leases the lane', async () => {
      const { transaction } = await stage.driver.broadcast('a', 0n);
      stage.pass(10 * 3_600_000);
      expect(await stage.driver.claim(0n, transaction.hash)).toMatchObject({ applied: true });
      await stage.ledger.lease(LedgerDriver.lane, 'another', TTL_MS);
      expect(await stage.driver.claim(0n, transaction.hash)).toMatchObject({
        applied: false,
        because: 'stale_fence',
      });
    });
  });
}
