import { beforeEach, describe, expect, it } from '@jest/globals';
import { failure } from '@sotto/kernel/testing';
import { LedgerUnavailable } from '@sotto/submission-core';
import { WatchTasks } from '../../src/index.js';
import { INTERVAL_MS, LEASE_MS, World } from '../support/world.js';

describe('WatchTasks in a process that runs no task', () => {
  let world: World;
  let watch: WatchTasks;
  const watching = (): WatchTasks =>
    new WatchTasks(world, [
      { name: 'curator', intervalMs: INTERVAL_MS },
      { name: 'leverage', intervalMs: INTERVAL_MS },
    ]);
  beforeEach(() => {
    world = new World();
    watch = watching();
  });
  const line = {
    level: 'error',
    fields: { task: 'curator', reason: 'NOT_HELD' },
    message: 'a task of the keeper needs an operator',
  };
  const die = async (): Promise<void> => {
    await world.instance('killed').run();
    world.clock.advance(LEASE_MS + 4 * INTERVAL_MS);
  };

  it('logs one line for each crash of a task’s keepers', async () => {
    await watch.run();
    await world.instance('first').run();
    await watch.run();
    expect(world.logger.lines).toEqual([]);
    await die();
    await watch.run();
    await watch.run();
    expect(world.logger.lines).toEqual([line]);
    await world.instance('next').run();
    await watch.run();
    await die();
    await watch.run();
    expect(world.logger.lines).toEqual([line, line]);
  });

  it('logs the crash of a task’s keepers again after the watching process has restarted', async () => {
    await die();
    await watch.run();
    await watching().run();
    expect(world.logger.lines).toEqual([line, line]);
  });

  it('logs no crash for a task that an operator has paused', async () => {
    await world.store.pause('curator', null, 'off for good');
    await die();
    await watch.run();
    expect(world.logger.lines).toEqual([]);
  });

  it('WatchTasks rejects while the store is unavailable', async () => {
    world.leases.fail();
    expect(await failure(watch.run())).toBeInstanceOf(LedgerUnavailable);
  });
});
