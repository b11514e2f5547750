import { afterAll, beforeAll, describe } from '@jest/globals';
import type { KeeperWorld } from './keeper-worlds.js';
import { describeInterest } from './interest-suite.js';
import { describeLending } from './lending-suite.js';
import { describePurchases } from './purchase-suite.js';
import { describeTurbo } from './turbo-suite.js';

/** Declares the suites of the keeper's contracts for the node that `start` starts. */
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
  // This suite runs last, because the interest of its debt remains in the pool's accumulator.
  describe('debt that grows', () => {
    describeInterest(() => world);
  });
}
