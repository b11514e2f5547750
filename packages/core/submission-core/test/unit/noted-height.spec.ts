import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryLedger } from '../../src/testing/index.js';
import { LostLedger } from '../support/lost-ledger.js';
import { World } from './world.js';

let lost: LostLedger;
beforeEach(() => {
  lost = new LostLedger();
});
afterEach(async () => {
  await lost.stop();
});

describe('height that a ledger notes', () => {
  it('the ledger stores the chain’s block height at the start and once a minute', async () => {
    await lost.start();
    await lost.world.round();
    const first = (await lost.world.ledger.state()).lastBlock;
    expect(first).toBe(0);
    lost.world.chain.mine(7);
    await lost.world.round();
    expect((await lost.world.ledger.state()).lastBlock).toBe(first);
    await lost.world.round(60_000);
    expect((await lost.world.ledger.state()).lastBlock).toBe(7);
  });

  it('the ledger stores no block height while it is behind its chain', async () => {
    await lost.start({ acceptance: null });
    lost.world.chain.mine(7);
    await lost.world.round(61_000);
    await lost.world.round(61_000);
    expect((await lost.world.ledger.state()).lastBlock).toBeNull();
  });
});

describe('height that a ledger notes from wrong nodes', () => {
  const HIGH = 1_000_000_000;
  /** Returns heads with a height that no chain has. */
  const lying = (head: World['chain']['head']): World['chain']['head'] => {
    return async (accounts) => ({ ...(await head(accounts)), blockNumber: HIGH });
  };

  it('a block height that the evidence does not confirm is not stored in the ledger', async () => {
    lost.use(new World());
    const head = lost.world.chain.head.bind(lost.world.chain);
    lost.world.chain.mine(100);
    lost.world.chain.head = lying(head);
    await lost.world.engine.start();
    await lost.rounds(3);
    expect((await lost.world.ledger.state()).lastBlock).toBeNull();
    lost.world.chain.head = head;
    await lost.rounds(1);
    expect((await lost.world.ledger.state()).lastBlock).toBe((await head([])).blockNumber);
  });

  it('the ledger stores the lowest block height of all nodes', async () => {
    lost.use(new World());
    const head = lost.world.chain.head.bind(lost.world.chain);
    lost.world.chain.mine(100);
    lost.world.chain.addNodes({ head: lying(head) });
    await lost.world.engine.start();
    await lost.rounds(3);
    expect((await lost.world.ledger.state()).lastBlock).toBe(100);
  });

  it('a recovery does not begin at a stored block height that the chain does not have', async () => {
    await lost.start();
    lost.world.chain.mine(100);
    await lost.pay(1n);
    const empty = new InMemoryLedger({ clock: lost.world.clock });
    await empty.noteBlock(HIGH);
    await lost.lose({}, empty);
    await lost.rounds(45);
    expect(await lost.world.last('key 1')).toMatchObject({ state: 'succeeded' });
  });
});
