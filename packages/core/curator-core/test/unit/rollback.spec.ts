import { beforeEach, describe, expect, it } from '@jest/globals';
import { withChanged } from '@sotto/submission-core/testing';
import { CHAIN_ID, VaultWorld, sentinel } from '../support/world.js';

const AMOUNT = 20_000n;

describe('deployments of one vault whose blocks are not final', () => {
  let world: VaultWorld;
  beforeEach(() => {
    world = new VaultWorld();
    world.funds.add(sentinel.address, AMOUNT);
  });

  it('retries a reverted deployment only after the revert is final', async () => {
    await world.deploy();
    const first = await world.theLive();
    await world.land(first, 'REVERTED');
    await expect(world.deploy()).rejects.toMatchObject({
      code: 'PREVIOUS_ATTEMPT_NOT_FINAL',
      kind: 'unavailable',
    });
    await world.finalize(first);
    expect(await world.deploy()).toMatchObject({ status: 'undecided' });
    expect(await world.theLive()).toMatchObject({
      key: first.key,
      attempt: 2,
      replayProtected: false,
    });
  });

  it('every instance finds a deployment that a rollback has undone, and none creates it again', async () => {
    for (const amount of [1n, 2n, 3n]) {
      await world.deploy();
      await world.land(await world.theLive());
      world.funds.add(sentinel.address, amount);
    }
    const [last] = await world.unfinal();
    if (last === undefined) throw new Error('no attempt could be rolled back');
    await world.deploy();
    const other = await world.theLive();
    await world.end(other, 'refused', 'ANY_CODE');
    await world.rollBack(last);
    for (const instance of [world.subject, world.anInstance()]) {
      expect(await world.deploy({}, instance)).toMatchObject({
        status: 'undecided',
        submissionId: last.id,
      });
    }
    await world.land(last);
    expect(await world.deploy()).toMatchObject({ status: 'undecided', amountSats: 3n });
  });

  it('a rolled-back deployment is found even if the ledger has not yet rolled back a later deployment', async () => {
    for (const amount of [1n, 2n, 3n, 4n]) {
      await world.deploy();
      await world.land(await world.theLive());
      world.funds.add(sentinel.address, amount);
    }
    const [, earlier] = await world.unfinal();
    if (earlier === undefined) throw new Error('no attempt could be rolled back');
    await world.rollBack(earlier);
    expect(await world.deploy()).toMatchObject({ status: 'undecided', submissionId: earlier.id });
  });

  it('final deployments are not read again', async () => {
    const requested: string[] = [];
    const instance = world.anInstance({
      slowSubmissions: (kept) =>
        withChanged(kept, {
          last: (key) => {
            requested.push(key);
            return kept.last(key);
          },
        }),
    });
    for (let turn = 0; turn < 5; turn += 1) {
      await world.deploy({}, instance);
      await world.land(await world.theLive());
      world.funds.add(sentinel.address, AMOUNT);
    }
    for (const attempt of await world.unfinal()) await world.finalize(attempt);
    await world.deploy({ vaultId: 'sentinel' }, instance);
    requested.length = 0;
    await world.deploy({}, instance);
    expect(new Set(requested)).toEqual(new Set([`${CHAIN_ID}|${sentinel.address}|idle|5`]));
  });
});
