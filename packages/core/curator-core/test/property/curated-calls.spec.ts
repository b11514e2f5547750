import { describe, expect, it } from '@jest/globals';
import { FIELD_PRIME, Felts, toFelt } from '@sotto/kernel';
import { RepeatedSubmissions, type SeriesCalls } from '@sotto/submission-core';
import { confirming, took } from '@sotto/submission-core/testing';
import * as fc from 'fast-check';
import { curatedCalls, VAULT_IDS, type CuratedVault } from '../../src/index.js';
import { deployedSats } from '../../src/domain/deployment.js';
import {
  deployedAmount,
  deploymentCalldata,
  methodOf,
  type CalldataRecipe,
} from '../../src/domain/vault.js';
import { CHAIN_ID, VaultWorld, sentinel, trident } from '../support/world.js';

const LANE = toFelt('0x1a2e');
const amounts = fc.bigInt({ min: 1n, max: 2n ** 256n - 1n });
const recipes: fc.Arbitrary<CalldataRecipe> = fc
  .tuple(
    fc.array(fc.nat(), { maxLength: 3 }),
    fc.array(fc.oneof(fc.nat(), fc.constant('amount' as const)), { maxLength: 3 }),
  )
  .map(([before, after]) => [...before, 'amount', ...after]);

let ids = 0;
function readerOf(
  world: VaultWorld,
  vaults: readonly CuratedVault[] = [sentinel, trident],
): SeriesCalls {
  return curatedCalls(new RepeatedSubmissions(world.ledger), {
    chainId: CHAIN_ID,
    vaults,
    newId: () => `read-${(ids += 1)}`,
  });
}

/**
 * Submits one deployment to the ledger. Returns its attempt and the calldata of the attempt's call.
 */
async function submitted(world: VaultWorld) {
  await world.deploy();
  const attempt = await world.theLive();
  const calldata = await world.ledger.calldata(attempt.id);
  if (calldata === null) throw new Error('nothing was kept of the call');
  return { attempt, calldata };
}

describe('a deployment read back from the chain', () => {
  it('derives the key and the amount of a vault’s next deployment from calldata, for every deployment method', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...VAULT_IDS),
        fc.option(recipes, { nil: undefined }),
        amounts,
        async (id, calldata, amount) => {
          const vault: CuratedVault = {
            id,
            address: toFelt('0x7a'),
            ...(calldata === undefined ? {} : { calldata }),
          };
          const world = new VaultWorld({ vaults: [vault] });
          world.funds.add(vault.address, amount);
          const reader = readerOf(world, [vault]);
          await reader.learn();
          await world.deploy({ vaultId: id });
          const attempt = await world.theLive();
          const sent = await world.ledger.calldata(attempt.id);
          const read = sent === null ? null : reader.submissionOf(attempt.target, sent);
          expect(read).toMatchObject({
            key: attempt.key,
            role: 'curator',
            target: attempt.target,
            replayProtected: false,
            terms: null,
          });
          expect([deployedSats(attempt), read && deployedSats(read)]).toEqual([amount, amount]);
          expect(read?.fingerprint).not.toBe(attempt.fingerprint);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('returns null for felts that are not calldata of the deployment method', () => {
    fc.assert(
      fc.property(
        recipes,
        fc.array(fc.bigInt({ min: 0n, max: FIELD_PRIME - 1n }), { maxLength: 8 }),
        amounts,
        (recipe, felts, amount) => {
          const calldata = deploymentCalldata(recipe, amount);
          expect(deployedAmount(recipe, calldata)).toBe(amount);
          expect(deployedAmount(recipe, calldata.slice(0, calldata.length - 1))).toBeNull();
          const read = deployedAmount(recipe, Felts.of(felts));
          expect(read === null || deploymentCalldata(recipe, read).equals(Felts.of(felts))).toBe(
            true,
          );
        },
      ),
    );
    expect(deployedAmount([3], Felts.of([3n]))).toBeNull();
    expect(deployedAmount(['amount'], Felts.of([2n ** 128n, 0n]))).toBeNull();
  });

  it('returns null for a call of another contract or method than the vault’s deployment', async () => {
    const world = new VaultWorld();
    const reader = readerOf(world);
    const { entrypoint, calldata: recipe } = methodOf(sentinel);
    const calldata = deploymentCalldata(recipe, 5n);
    expect(reader.submissionOf({ to: sentinel.address, entrypoint }, calldata)).toBeNull();
    await reader.learn();
    expect(reader.submissionOf({ to: sentinel.address, entrypoint }, calldata)).toMatchObject({
      fingerprint: 'idle|5|unknown',
    });
    expect(reader.submissionOf({ to: toFelt('0xdead'), entrypoint }, calldata)).toBeNull();
    expect(
      reader.submissionOf({ to: sentinel.address, entrypoint: 'withdraw' }, calldata),
    ).toBeNull();
  });

  it('settles a queued attempt from an older ledger copy when the attempt’s call is on chain', async () => {
    const world = new VaultWorld();
    world.funds.add(sentinel.address, 700n);
    await world.deploy();
    await world.land(await world.theLive());
    world.funds.add(sentinel.address, 800n);
    const { attempt, calldata } = await submitted(world);
    expect(attempt).toMatchObject({
      key: `${CHAIN_ID}|${sentinel.address}|idle|1`,
      state: 'accepted',
    });

    const reader = readerOf(world);
    await reader.learn();
    const submission = reader.submissionOf(attempt.target, calldata);
    if (submission === null) throw new Error('the call is not read');
    const consumer = took(toFelt('0xada'));
    await world.consume(1n, consumer);
    const adopted = await world.ledger.apply({
      type: 'adopt',
      lane: LANE,
      nonce: 1n,
      submission,
      consumer,
      evidence: confirming(consumer.block),
    });
    expect(adopted).toMatchObject({
      applied: true,
      attempt: { id: attempt.id, state: 'succeeded', transactionHash: '0xada' },
    });
    expect(await world.live()).toEqual([]);
  });

  it('adopts a deployment from the chain only once', async () => {
    const world = new VaultWorld();
    const reader = readerOf(world);
    await reader.learn();
    const { entrypoint, calldata } = methodOf(sentinel);
    const submission = reader.submissionOf(
      { to: sentinel.address, entrypoint },
      deploymentCalldata(calldata, 700n),
    );
    if (submission === null) throw new Error('the call is not read');
    const { number, hash } = world.funds.snapshots.mine();
    const consumer = took(toFelt('0xada'), { block: { number, hash } });
    await world.consume(0n, consumer);
    const evidence = confirming(consumer.block);
    await world.ledger.apply({
      type: 'adopt',
      lane: LANE,
      nonce: 0n,
      submission,
      consumer,
      evidence,
    });
    // Two deployments are missing from the ledger. The second one is not written under a number
    // that already succeeded.
    const again = took(toFelt('0xadb'));
    await world.consume(1n, again);
    const second = await world.ledger.apply({
      type: 'adopt',
      lane: LANE,
      nonce: 1n,
      submission,
      consumer: again,
      evidence: confirming(again.block),
    });
    expect(second).toMatchObject({ applied: false, because: 'already_succeeded' });
    world.funds.add(sentinel.address, 5n);
    expect(await world.deploy()).toMatchObject({ status: 'undecided', amountSats: 5n });
    expect(await world.theLive()).toMatchObject({ key: `${CHAIN_ID}|${sentinel.address}|idle|1` });
  });
});
