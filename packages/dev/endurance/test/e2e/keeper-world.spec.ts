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

describe('the chain that keepers find', () => {
  it('undoes nothing of what was done before a due time, however soon it is rolled back', async () => {
    const world = await KeeperWorld.prepare(chain, async () => {});
    // Its orders stand in a block.
    await chain.control('mine');
    const nonce = await chain.nonceOf(buyer);
    expect(nonce).toBeGreaterThan(0n);
    await world.give({ ...NOTHING, due: true });
    await chain.control('rollback', { blocks: 2, fate: 'return-to-pool' });
    expect(await chain.nonceOf(buyer)).toBe(nonce);
  });
});
