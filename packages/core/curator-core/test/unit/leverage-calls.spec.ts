import { describe, expect, it } from '@jest/globals';
import { Felts, toFelt } from '@sotto/kernel';
import { RepeatedSubmissions, type SeriesCalls } from '@sotto/submission-core';
import { confirming, LedgerDriver, took } from '@sotto/submission-core/testing';
import { leverageCalls, leverageCalldata, type LeverageCall } from '../../src/index.js';
import { LEVER, LeverageWorld, turbo } from '../support/leverage-world.js';
import { CHAIN_ID } from '../support/world.js';

const round: LeverageCall = {
  direction: 'up',
  expectedDebt: 0n,
  amount: 700n,
  minimumOut: 1n,
  routes: Felts.of([0n]),
};

async function readerOf(world: LeverageWorld): Promise<SeriesCalls> {
  const reader = leverageCalls(new RepeatedSubmissions(world.ledger), {
    chainId: CHAIN_ID,
    vaults: [world.vault],
    newId: () => 'read-back',
  });
  await reader.learn();
  return reader;
}

describe('a round of leverage read back from the chain', () => {
  it.each([
    ['up', 'leverage_round'],
    ['down', 'deleverage_round'],
  ] as const)(
    'a leverage round on chain is read as the vault’s next submission, direction %s',
    async (direction, entrypoint) => {
      const world = new LeverageWorld();
      const reader = await readerOf(world);
      const calldata = leverageCalldata(world.vault.layout, { ...round, direction });
      expect(reader.submissionOf({ to: turbo.address, entrypoint }, calldata)).toMatchObject({
        key: `${CHAIN_ID}|leverage|${turbo.address}|0`,
        kind: 'leverage_round',
        subject: turbo.address,
        memo: `${direction} 700`,
        role: 'curator',
        replayProtected: true,
      });
    },
  );

  it('reads the direction of a round from calldata if one entry point serves both directions', async () => {
    const reader = await readerOf(new LeverageWorld(LEVER));
    for (const direction of ['up', 'down'] as const) {
      const calldata = leverageCalldata(LEVER, { ...round, direction });
      const target = { to: turbo.address, entrypoint: 'modify_lever' };
      expect(reader.submissionOf(target, calldata)).toMatchObject({ memo: `${direction} 700` });
    }
  });

  it('a call of another contract, entry point or layout is not read as a leverage round', async () => {
    const world = new LeverageWorld();
    const reader = await readerOf(world);
    const calldata = leverageCalldata(world.vault.layout, round);
    const entrypoint = 'leverage_round';
    expect(reader.submissionOf({ to: toFelt('0x1'), entrypoint }, calldata)).toBeNull();
    const { address: to } = turbo;
    expect(reader.submissionOf({ to, entrypoint: 'deploy_to_lending' }, calldata)).toBeNull();
    expect(reader.submissionOf({ to, entrypoint }, calldata.slice(0, 6))).toBeNull();
  });

  it('a new ledger counts a leverage round that is already on chain', async () => {
    const lost = new LeverageWorld();
    await lost.targets.set(turbo.address, 30_000);
    await lost.attend();
    const sent = await lost.theLive();
    const calldata = await lost.ledger.calldata(sent.id);
    if (calldata === null) throw new Error('the calldata is not stored');

    const world = new LeverageWorld();
    const reader = await readerOf(world);
    const submission = reader.submissionOf(sent.target, calldata);
    if (submission === null) throw new Error('the call is not read');
    expect(submission.key).toBe(sent.key);
    const driver = new LedgerDriver(world.ledger);
    await driver.lease();
    const { number, hash } = world.positions.change(turbo.address, { debt: 9_000_000_000n });
    const consumer = took(toFelt('0xada'), { block: { number, hash } });
    await driver.introduce(0n);
    await driver.import(0n);
    await driver.settle(0n, consumer);
    const { lane } = LedgerDriver;
    const evidence = confirming(consumer.block);
    await world.ledger.apply({ type: 'adopt', lane, nonce: 0n, submission, consumer, evidence });
    await world.targets.set(turbo.address, 30_000);
    expect(await world.attend()).toMatchObject({ outcome: 'acted' });
    const next = await world.theLive();
    expect(next.key).toBe(`${CHAIN_ID}|leverage|${turbo.address}|1`);
    expect((await world.callOf(next)).expectedDebt).toBe(9_000_000_000n);
  });
});
