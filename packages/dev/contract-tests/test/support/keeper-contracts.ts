import { afterAll, beforeAll, describe } from '@jest/globals';
import type { KeeperWorld } from './keeper-worlds.js';
import { describeInterest } from './interest-suite.js';
import { describeLending } from './lending-suite.js';
import { describePurchases } from './purchase-suite.js';
import { describeTurbo } from './turbo-suite.js';

/** What the keeper's contracts do, on whichever node `start` starts them. */
export function describeKeeperContracts(start: () => Promise<KeeperWorld>): void {
  let world: KeeperWorld;
  beforeAll(async () => {
    world = await start();
  });
  afterAll(() => world.stop());

  describe('recurring purchases', () => {
    describePurchases(() => world);
  });
  describe('the lending pool', () => {
    describeLending(() => world);
  });
  describe('the turbo vault', () => {
    describeTurbo(() => world);
  });
  // Last: interest stays in the pool's accumulator.
  describe('debt that grows', () => {
    describeInterest(() => world);
  });
}
