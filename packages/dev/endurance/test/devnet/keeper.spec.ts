import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { shortStringFelt } from '@sotto/adapter-starknet';
import { findDevnet } from '@sotto/deployment';
import { DevnetStack } from '@sotto/deployment/testing';
import { toFelt, u256FromHalves, u256ToHalves } from '@sotto/kernel';
import { trapdoorKey } from '@sotto/load-kit';
import { eventually, keyed, serviceEnvironment, Service, writeJson } from '@sotto/process-kit';
import { sandboxWorld, startDoubles, type Doubles } from '@sotto/sandbox';
import { judge, planFrom } from '../../src/keeper/judge.js';
import { Keepers } from '../../src/keeper/keepers.js';
import { ChainRecord } from '../../src/keeper/record.js';
import { KEEPER_ENVIRONMENT, LEVERAGE } from '../../src/keeper/world.js';
import { unsettled } from '../../src/ledger/read-ledger.js';

/**
 * Failpoints at which keepers are killed: after signing, after a send that is not recorded yet, and
 * after an inclusion that is not settled yet.
 */
const POINTS = ['prepared', 'sent', 'settling'] as const;
const TARGETS = [2, 1.5, 2.5] as const;
const STRK = 10n ** 18n;
const [FLOOR, CEILING] = [1_050n * STRK, 1_100n * STRK] as const;
const USDC_PER_PURCHASE = 2_000n * 10n ** 6n;
const HOUR_SECONDS = 3_600n;
const COLLATERAL_SATS = 10_000_000n;
const FUNDED = ['sentinel', 'citadel', 'apex'] as const;
const BPS = 10_000;
const MAX_STEPS = 20;

const program = findDevnet();

(program === undefined ? describe.skip : describe)(
  'two keepers on one ledger on devnet, killed in turn',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'sotto-keeper-devnet-'));
    let devnet: DevnetStack;
    let doubles: Doubles;
    let keepers: Keepers;
    beforeAll(async () => {
      devnet = await DevnetStack.start({ devnet: { stateArchive: true } });
      const { stack } = devnet;
      doubles = await startDoubles({ ...stack, chainId: BigInt(shortStringFelt(stack.chainId)) });
      keepers = new Keepers(startKeeper);
    });
    afterAll(async () => {
      await keepers?.stop();
      await doubles?.stop();
      await devnet?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    const databaseFile = join(folder, 'ledger.sqlite');
    async function startKeeper(env: Readonly<Record<string, string>>): Promise<Service> {
      const { accounts } = devnet.stack;
      const settings = {
        networkProfile: writeJson(folder, 'devnet.json', devnet.profile),
        verificationKeyFile: writeJson(folder, 'verification-key.json', trapdoorKey),
        databaseFile,
        rpcUrl: devnet.rpcUrl,
        lanes: [accounts.lane1],
        feeAddress: toFelt(accounts.feeCollector.address),
        instanceId: 'keeper',
      };
      const service = new Service({
        program: import.meta.resolve('@sotto/api'),
        env: serviceEnvironment(settings, {
          ...KEEPER_ENVIRONMENT,
          PRICE_API_URL: doubles.aggregatorUrl,
          AGGREGATOR_URL: doubles.aggregatorUrl,
          REWARDS_URL: doubles.rewardsUrl,
          BRIDGE_URL: doubles.bridgeUrl,
          SWAP_OWNER_ACCOUNT: JSON.stringify(keyed(accounts.swapOwner)),
          CURATOR_ACCOUNT: JSON.stringify(keyed(accounts.curator)),
          KEEPER_ACCOUNTS: JSON.stringify([accounts.keeper1, accounts.keeper2].map(keyed)),
          TREASURY_ACCOUNT: JSON.stringify(keyed(accounts.treasury)),
          TREASURY_FLOORS: JSON.stringify({
            swap_owner: { floor: String(FLOOR), ceiling: String(CEILING) },
          }),
          ...env,
        }),
      });
      await service.listening();
      return service;
    }

    it('keepers perform each due action exactly once', async () => {
      const { stack } = devnet;
      const { accounts, purchases, tokens, vaults } = stack;
      const record = new ChainRecord(devnet.rpcUrl);
      const u256 = async (contract: bigint, name: string, ...calldata: readonly bigint[]) => {
        const [low = 0n, high = 0n] = await record.view(contract, name, calldata);
        return u256FromHalves(low, high);
      };
      const holdingAt = async (block: number | 'latest') => {
        const [low = 0n, high = 0n, debtLow = 0n, debtHigh = 0n] = await record.view(
          vaults.turbo.address,
          'position',
          [],
          block,
        );
        const [heldLow = 0n, heldHigh = 0n] = await record.view(
          tokens.USDC.address,
          'balance_of',
          [vaults.turbo.address],
          block,
        );
        return {
          collateral: u256FromHalves(low, high),
          debt: u256FromHalves(debtLow, debtHigh),
          repaysWith: u256FromHalves(heldLow, heldHigh),
        };
      };
      const from = (await record.height()) + 1;
      const lacks =
        CEILING - (await u256(tokens.STRK.address, 'balance_of', accounts.swapOwner.address));
      await devnet.mint('STRK', accounts.treasury.address, 1_000n * STRK);
      const funds = new Map<bigint, bigint[]>();
      const fund = async (vault: bigint, sats: bigint): Promise<void> => {
        funds.set(vault, [...(funds.get(vault) ?? []), sats]);
        await devnet.mint('WBTC', vault, sats);
      };
      let orders = 0;
      const openOrder = async (): Promise<void> => {
        const { address } = tokens.USDC;
        const terms = [address, ...u256ToHalves(USDC_PER_PURCHASE), HOUR_SECONDS, 2n, 0n];
        await devnet.send(accounts.buyer, [
          {
            contract: address,
            entrypoint: 'approve',
            calldata: [purchases.address, ...u256ToHalves(2n * USDC_PER_PURCHASE)],
          },
          { contract: purchases.address, entrypoint: 'create_order', calldata: terms },
        ]);
        orders += 1;
      };
      const targets: number[] = [];
      const isDone = async (): Promise<boolean> => {
        if (unsettled(databaseFile) !== 0) return false;
        for (const vault of funds.keys())
          if ((await u256(tokens.WBTC.address, 'balance_of', vault)) !== 0n) return false;
        for (let order = 1; order <= orders; order += 1)
          if ((await record.view(purchases.address, 'get_order', [BigInt(order)]))[6] !== 1n)
            return false;
        const { address } = accounts.swapOwner;
        if ((await u256(tokens.STRK.address, 'balance_of', address)) < FLOOR) return false;
        const target = targets.at(-1) ?? BPS;
        return planFrom(await holdingAt('latest'), target, LEVERAGE).kind === 'at_target';
      };

      await fund(vaults.turbo.address, COLLATERAL_SATS);
      await openOrder();
      const killed: string[] = [];
      const todo = POINTS.map((name) => ({ name }));
      const finish = (): Promise<unknown> =>
        eventually('the keepers to finish', async () => {
          for (const { point } of await keepers.died()) {
            killed.push(point?.name ?? 'none');
            await keepers.start(todo.shift() ?? null);
          }
          return isDone();
        });
      await keepers.start(todo.shift() ?? null);
      await keepers.start(todo.shift() ?? null);
      await finish();
      // Any running keeper may do the work. So the test creates work until each keeper has reached
      // its failpoint.
      let steps = 0;
      while (steps < TARGETS.length || (killed.length < POINTS.length && steps < MAX_STEPS)) {
        const step = steps;
        const target = TARGETS[step % TARGETS.length] ?? 1;
        steps += 1;
        for (const [index, name] of FUNDED.entries())
          await fund(vaults[name].address, 1_000_000n + BigInt(step * BPS + index));
        await openOrder();
        targets.push(target * BPS);
        await keepers.lead(target);
        await finish();
      }

      const { curator, keeper1, keeper2, lane1, swapOwner, treasury } = accounts;
      const judgement = await judge({
        places: {
          purchases: purchases.address,
          strk: tokens.STRK.address,
          wbtc: tokens.WBTC.address,
          turbo: vaults.turbo.address,
          deployMethods: Object.values(sandboxWorld.vaults).flatMap(({ methods }) => [...methods]),
        },
        given: {
          accounts: [curator, keeper1, keeper2, lane1, swapOwner, treasury].map(
            ({ address }) => address,
          ),
          funds,
          dueTimes: new Map(Array.from({ length: orders }, (_, index) => [BigInt(index + 1), 1])),
          lacks: new Map([[swapOwner.address, [lacks]]]),
          batches: new Map(),
          targets,
        },
        leverage: LEVERAGE,
        transactions: await record.transactions(from),
        holdingAt,
      });
      expect(judgement.findings).toEqual([]);
      expect(killed).toEqual(expect.arrayContaining([...POINTS]));
      expect(killed).toHaveLength(POINTS.length);
      expect(judgement).toMatchObject({
        executions: 1 + steps,
        deployments: 1 + FUNDED.length * steps,
        topUps: 1,
      });
      expect(judgement.rounds).toBeGreaterThan(TARGETS.length);
    });
  },
);
