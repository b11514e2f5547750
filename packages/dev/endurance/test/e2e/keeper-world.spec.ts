import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sandboxWorld } from '@sotto/sandbox';
import { KeeperWorld } from '../../src/keeper/world.js';
import { Chain } from '../../src/stack/chain.js';

const NOTHING = { vaults: 0, due: false, lead: false, drain: false, deposit: false };
const buyer = sandboxWorld.accounts.buyer.address;

let folder: string;
let chain: Chain;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sotto-keeper-world-'));
  chain = await Chain.start(join(folder, 'chain.log'));
});

afterAll(async () => {
  await chain.stop();
  rmSync(folder, { recursive: true });
});

describe('the chain for keepers', () => {
  it('a rollback of two blocks after a due time does not undo the creation of the purchase orders', async () => {
    const world = await KeeperWorld.prepare(chain, async () => {});
    // Add a block that contains the transactions which created the orders.
    await chain.control('mine');
    const nonce = await chain.nonceOf(buyer);
    expect(nonce).toBeGreaterThan(0n);
    await world.give({ ...NOTHING, due: true });
    await chain.control('rollback', { blocks: 2, fate: 'return-to-pool' });
    expect(await chain.nonceOf(buyer)).toBe(nonce);
  });
});
