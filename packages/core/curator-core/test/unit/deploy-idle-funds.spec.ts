import { once } from 'node:events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt, type Felt } from '@sotto/kernel';
import { LedgerBehindChain, QueueFull } from '@sotto/submission-core';
import { withChanged } from '@sotto/submission-core/testing';
import type { VaultFunds } from '../../src/index.js';
import { SPECIFIED_METHODS, VAULT_DEPLOYMENT_LIMITS, VAULT_IDS } from '../../src/index.js';
import { CHAIN_ID, CURATOR, VaultWorld, sentinel, trident, untilIdle } from '../support/world.js';

const AMOUNT = 20_000n;

describe('DeployIdleFunds', () => {
  let world: VaultWorld;
  beforeEach(() => {
    world = new VaultWorld();
    world.funds.add(sentinel.address, AMOUNT);
  });

  it.each([
    ['sentinel', 'deploy_to_lending', ['0x7', '0x1']],
    ['citadel', 'stake_to_staking', ['0x7', '0x1']],
    ['trident', 'execute_staking_loop', ['0x7', '0x1', '0x3']],
    ['delta_neutral', 'deploy_collateral', ['0x7', '0x1']],
    ['turbo', 'deploy_to_lending', ['0x7', '0x1']],
    ['apex', 'deploy_split', ['0x7', '0x1']],
  ] as const)(
    'the deployment of the vault %s calls the specified method %s with the whole idle balance',
    async (id, entrypoint, calldata) => {
      const vaults = VAULT_IDS.map((each, index) => ({
        id: each,
        address: toFelt(BigInt(index + 1)),
      }));
      const address = vaults.find((vault) => vault.id === id)?.address ?? toFelt(0n);
      world = new VaultWorld({ vaults });
      world.funds.add(address, 2n ** 128n + 7n);
      expect(await world.deploy({ vaultId: id })).toMatchObject({
        status: 'undecided',
        amountSats: 2n ** 128n + 7n,
      });
      const attempt = await world.theLive();
      expect(attempt).toMatchObject({
        key: `${CHAIN_ID}|${address}|idle|0`,
        role: 'curator',
        target: { to: address, entrypoint },
        limits: VAULT_DEPLOYMENT_LIMITS,
        terms: null,
      });
      expect((await world.ledger.calldata(attempt.id))?.toHex()).toEqual(calldata);
    },
  );

  it('a deployment uses the method of the profile instead of the specification’s method', async () => {
    const method = { entrypoint: 'deploy_to_vesu', calldata: [5, 'amount', 0] } as const;
    world = new VaultWorld({ vaults: [{ ...sentinel, ...method }] });
    world.funds.add(sentinel.address, AMOUNT);
    await world.deploy();
    const { id, target } = await world.theLive();
    expect(target.entrypoint).toBe('deploy_to_vesu');
    expect((await world.ledger.calldata(id))?.toHex()).toEqual(['0x5', '0x4e20', '0x0', '0x0']);
  });

  it('simulates the deployment as a transaction of the curator before anything is written', async () => {
    await world.deploy();
    const { id, target } = await world.theLive();
    expect(world.simulator.simulated).toEqual([
      { ...target, calldata: await world.ledger.calldata(id), as: CURATOR },
    ]);
  });

  it('no deployment is sent if its simulation reverts, and the request fails with the contract’s reason', async () => {
    world.simulator.revert('Not owner');
    await expect(world.deploy()).rejects.toMatchObject({
      code: 'SIMULATION_REVERTED',
      details: { reason: 'Not owner' },
    });
    expect(await world.attempts()).toEqual([]);
  });

  it('a dry run of a deployment returns amount and gas, and writes nothing', async () => {
    world.simulator.use({ l2Gas: 3_000_000n, l1Gas: 2n, l1DataGas: 640n });
    const { l2GasFri, l1GasFri, l1DataGasFri } = await world.latestBlock.gasPrices();
    expect(await world.subject.dryRun({ vaultId: 'sentinel' })).toEqual({
      status: 'deployable',
      method: 'deploy_to_lending',
      amountSats: AMOUNT,
      gas: { l2Gas: 3_000_000n, l1Gas: 2n, l1DataGas: 640n },
      costFri: 3_000_000n * l2GasFri + 2n * l1GasFri + 640n * l1DataGasFri,
    });
    expect(await world.attempts()).toEqual([]);
    expect(await world.subject.dryRun({ vaultId: 'trident' })).toEqual({
      status: 'no_idle_funds',
      method: 'execute_staking_loop',
    });
    await expect(world.subject.dryRun({ vaultId: 'apex' })).rejects.toMatchObject({
      code: 'VAULT_NOT_FOUND',
    });
    world.simulator.revert('Not owner');
    await expect(world.subject.dryRun({ vaultId: 'sentinel' })).rejects.toMatchObject({
      code: 'SIMULATION_REVERTED',
    });
  });

  it('a dry run returns the vault’s deployment that has not ended', async () => {
    await world.deploy();
    expect(await world.subject.dryRun({ vaultId: 'sentinel' })).toEqual({
      status: 'in_flight',
      method: 'deploy_to_lending',
      submissionId: 'deployment-1',
      amountSats: AMOUNT,
    });
    expect(await world.attempts()).toHaveLength(1);
  });

  it('no deployment is created from a balance from before the last deployment’s block', async () => {
    await world.deploy();
    await world.land(await world.theLive());
    world.funds.add(sentinel.address, 7n);
    world.funds.snapshots.mine(10);
    world.funds.snapshots.lag(20);
    await expect(world.deploy()).rejects.toMatchObject({ code: 'NODE_BEHIND' });
    expect(await world.live()).toEqual([]);
    world.funds.snapshots.lag(10);
    expect(await world.deploy()).toMatchObject({ status: 'undecided', amountSats: 7n });
  });

  it('the specification has a method for every vault', () => {
    expect(Object.keys(SPECIFIED_METHODS)).toEqual([...VAULT_IDS]);
  });

  it('sends nothing for a vault without idle funds', async () => {
    expect(await world.deploy({ vaultId: 'trident', waitMs: 60_000 })).toEqual({
      status: 'no_idle_funds',
    });
    expect(await world.attempts()).toEqual([]);
  });

  it.each(['apex', '', 'SENTINEL', '__proto__'])(
    'rejects the unknown vault "%s" without reading a balance',
    async (vaultId) => {
      await expect(world.deploy({ vaultId })).rejects.toMatchObject({
        code: 'VAULT_NOT_FOUND',
        kind: 'not_found',
        details: {},
      });
      expect(world.funds.reads).toBe(0);
    },
  );

  it('waits for the execution of a deployment, and returns its hash and amount', async () => {
    const answer = world.deploy({ waitMs: 60_000 });
    await untilIdle();
    const attempt = await world.theLive();
    await world.land(attempt);
    expect(await answer).toEqual({
      status: 'deployed',
      submissionId: attempt.id,
      transactionHash: world.hashOf(attempt),
      amountSats: AMOUNT,
    });
    expect(world.funds.idleSats(sentinel.address)).toBe(0n);
  });

  it('returns a deployment as undecided when the wait times out, with the transaction hash if it is signed', async () => {
    expect(await world.deploy()).toEqual({
      status: 'undecided',
      submissionId: 'deployment-1',
      transactionHash: null,
      amountSats: AMOUNT,
    });
    const attempt = await world.theLive();
    await world.send(attempt);
    expect(await world.deploy()).toMatchObject({
      status: 'undecided',
      transactionHash: world.hashOf(attempt),
    });
  });

  it('a caller that disconnects ends only its own wait, not the deployment', async () => {
    const leaving = new AbortController();
    const answer = world.deploy({ waitMs: 60_000, signal: leaving.signal });
    await untilIdle();
    leaving.abort();
    expect(await answer).toMatchObject({ status: 'undecided' });
    expect((await world.theLive()).state).toBe('accepted');
  });

  it('a reverted deployment fails with the vault’s revert reason, from which numbers are removed', async () => {
    await world.deploy();
    const attempt = await world.theLive();
    const answer = world.deploy({ waitMs: 60_000 });
    await untilIdle();
    await world.land(attempt, 'REVERTED', 'caller 0x4ec7fdb1679450fb88eae9f is Not owner\u0000');
    const transactionHash = world.hashOf(attempt);
    await expect(answer).rejects.toMatchObject({
      code: 'DEPLOYMENT_REVERTED',
      kind: 'upstream_failed',
      details: { transactionHash, reason: 'caller # is Not owner' },
    });
    expect(world.funds.idleSats(sentinel.address)).toBe(AMOUNT);
  });

  it.each([
    ['refused', 'DEPLOYMENT_REFUSED', 'upstream_failed'],
    ['expired', 'DEPLOYMENT_EXPIRED', 'unavailable'],
  ] as const)('the request fails if the deployment was %s', async (state, code, kind) => {
    const answer = world.deploy({ waitMs: 60_000 });
    await untilIdle();
    await Promise.all([
      expect(answer).rejects.toMatchObject({ code, kind, details: { refusal: 'ANY_CODE' } }),
      world.end(await world.theLive(), state, 'ANY_CODE'),
    ]);
  });

  it('measures the wait for a deployment by the monotonic clock', async () => {
    const answer = world.deploy({ waitMs: 60_000 });
    await untilIdle();
    world.clock.step(-3_600_000);
    world.clock.advance(60_000);
    expect(await answer).toMatchObject({ status: 'undecided' });
    const another = world.deploy({ waitMs: 60_000 });
    await untilIdle();
    world.clock.step(3_600_000);
    await world.land(await world.theLive());
    expect(await another).toMatchObject({ status: 'deployed' });
  });

  it.each(['QUEUE_FULL', 'LEDGER_BEHIND_CHAIN'] as const)(
    'a deployment is rejected with %s before the balance is read',
    async (code) => {
      const Rejection = code === 'QUEUE_FULL' ? QueueFull : LedgerBehindChain;
      const refusing = world.anInstance({
        slowSubmissions: (kept) =>
          withChanged(kept, {
            checkQueueCapacity: async () => new Rejection({ retryAfterSeconds: 5 }),
          }),
      });
      await expect(world.deploy({}, refusing)).rejects.toMatchObject({
        code,
        kind: 'unavailable',
        retryAfterSeconds: 5,
      });
      expect(world.funds.reads).toBe(0);
    },
  );

  it('a deployment fails with the node’s error, but the next call succeeds', async () => {
    world.funds.failReads();
    await expect(world.deploy()).rejects.toMatchObject({ code: 'FAKE_NODE_DOWN' });
    expect(await world.attempts()).toEqual([]);
    world.funds.failReads(null);
    expect(await world.deploy()).toMatchObject({ status: 'undecided', amountSats: AMOUNT });
  });
});

describe('deployments of one vault', () => {
  let world: VaultWorld;
  beforeEach(() => {
    world = new VaultWorld();
    world.funds.add(sentinel.address, AMOUNT);
  });

  it('fifty concurrent calls to two instances share one deployment and its result', async () => {
    const other = world.anInstance();
    const answers = Array.from({ length: 50 }, (_, index) =>
      world.deploy({ waitMs: 60_000 }, index % 2 === 0 ? world.subject : other),
    );
    await untilIdle();
    const attempt = await world.theLive();
    await world.land(attempt);
    const transactionHash = world.hashOf(attempt);
    const deployed = {
      status: 'deployed',
      submissionId: attempt.id,
      transactionHash,
      amountSats: AMOUNT,
    };
    expect(await Promise.all(answers)).toEqual(answers.map(() => deployed));
    expect(await world.attempts()).toHaveLength(1);
  });

  it('an undecided deployment is not repeated after a further deposit or a restart', async () => {
    await world.deploy();
    await world.send(await world.theLive());
    const first = await world.deploy();
    world.funds.add(sentinel.address, 5n);
    expect(await world.deploy()).toEqual(first);
    expect(await world.deploy({}, world.anInstance())).toEqual(first);
    expect(await world.attempts()).toHaveLength(1);
  });

  it('deploys only the balance that was read; the next call deploys funds that arrive later', async () => {
    await world.deploy();
    const first = await world.theLive();
    world.funds.add(sentinel.address, 700n);
    await world.land(first);
    expect(await world.amountOf(first)).toBe(AMOUNT);
    expect(world.funds.idleSats(sentinel.address)).toBe(700n);
    expect(await world.deploy()).toMatchObject({ amountSats: 700n });
    const second = await world.theLive();
    expect(second).toMatchObject({ key: `${CHAIN_ID}|${sentinel.address}|idle|1`, attempt: 1 });
    await world.land(second);
    expect(await world.deploy()).toEqual({ status: 'no_idle_funds' });
  });

  it('deploys the balance that was read even if a deposit arrives before the submission', async () => {
    const { funds } = world;
    const slow = (): VaultFunds => ({
      async idle(vault: Felt, at) {
        const read = await funds.idle(vault, at);
        funds.add(vault, 700n);
        return read;
      },
    });
    expect(await world.deploy({}, world.anInstance({ slowFunds: slow }))).toMatchObject({
      amountSats: AMOUNT,
    });
    expect(await world.amountOf(await world.theLive())).toBe(AMOUNT);
  });

  it('a restarted service finds the vault’s unended deployment after 21 earlier deployments', async () => {
    for (let turn = 1; turn <= 21; turn += 1) {
      await world.deploy();
      await world.land(await world.theLive());
      world.funds.add(sentinel.address, BigInt(turn));
    }
    expect(await world.deploy({}, world.anInstance())).toMatchObject({
      status: 'undecided',
      amountSats: 21n,
    });
    expect((await world.theLive()).key).toBe(`${CHAIN_ID}|${sentinel.address}|idle|21`);
  });

  it.each(['reverted', 'refused', 'expired'] as const)(
    'retries a vault’s deployment with the current idle balance after the last deployment was %s',
    async (state) => {
      await world.deploy();
      const first = await world.theLive();
      if (state === 'reverted') {
        await world.land(first, 'REVERTED');
        await world.finalize(first);
      } else await world.end(first, state, 'ANY_CODE');
      world.funds.add(sentinel.address, 1n);
      expect(await world.deploy()).toMatchObject({ status: 'undecided', amountSats: AMOUNT + 1n });
      expect(await world.theLive()).toMatchObject({ key: first.key, attempt: 2 });
    },
  );

  it('a slow caller receives the deployment that succeeded before the caller’s submission', async () => {
    const gate = new AbortController();
    const open = once(gate.signal, 'abort');
    const slowFunds = (funds: VaultFunds): VaultFunds => ({
      async idle(vault, at) {
        const read = await funds.idle(vault, at);
        await open;
        return read;
      },
    });
    const late = world.deploy({}, world.anInstance({ slowFunds }));
    await untilIdle();
    await world.deploy();
    const attempt = await world.theLive();
    await world.land(attempt);
    gate.abort();
    expect(await late).toMatchObject({
      status: 'deployed',
      submissionId: attempt.id,
      amountSats: AMOUNT,
    });
    expect(await world.attempts()).toHaveLength(1);
  });

  it('a deployment does not wait for another vault’s deployment', async () => {
    world.funds.add(trident.address, 9n);
    await world.deploy();
    expect(await world.deploy({ vaultId: 'trident' })).toMatchObject({
      status: 'undecided',
      amountSats: 9n,
    });
    expect(await world.live()).toHaveLength(2);
  });
});

describe('DeployIdleFunds with a deployment that a block shows already', () => {
  let world: VaultWorld;
  beforeEach(async () => {
    world = new VaultWorld();
    world.funds.add(sentinel.address, AMOUNT);
    await world.deploy();
    const attempt = await world.theLive();
    await world.send(attempt);
    await world.show(attempt);
  });

  it('reads the vault’s balance again after the last deployment’s block was accepted', async () => {
    const attempt = await world.theLive();
    const next = world.deploy({ waitMs: 60_000 });
    await untilIdle();
    expect(world.clock.sleeping).toBe(1);
    await world.land(attempt);
    world.clock.advance(500);
    expect(await next).toEqual({ status: 'no_idle_funds' });
  });

  it('returns the result of the last deployment if the wait for its block times out', async () => {
    const attempt = await world.theLive();
    const next = world.deploy({ waitMs: 800 });
    for (const ms of [500, 300]) {
      await untilIdle();
      world.clock.advance(ms);
    }
    expect(await next).toMatchObject({
      status: 'deployed',
      transactionHash: world.hashOf(attempt),
      amountSats: AMOUNT,
    });
    expect(await world.attempts()).toHaveLength(1);
  });

  it('no deployment is sent while the revert of the last deployment is not final', async () => {
    const attempt = await world.theLive();
    await world.show(attempt, 'REVERTED');
    await expect(world.deploy()).rejects.toMatchObject({
      code: 'DEPLOYMENT_REVERTED',
      details: { reason: 'paused' },
    });
    const next = world.deploy({ waitMs: 60_000 });
    await untilIdle();
    expect(await world.attempts()).toHaveLength(1);
    await world.land(attempt, 'REVERTED');
    await world.finalize(attempt);
    world.clock.advance(500);
    await untilIdle();
    await world.land(await world.theLive());
    expect(await next).toMatchObject({ status: 'deployed', submissionId: 'deployment-2' });
  });
});
