import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Felts, toFelt } from '@sotto/kernel';
import { loadConfig, type Settings } from '@sotto/relayer';
import { openRelayer } from '@sotto/relayer/service';
import { environment, files } from '@sotto/process-kit/environment';
import { ROUTES } from '@sotto/routes';
import { OperatorTokens } from '../../src/http/credentials.js';
import { httpPolicy } from '../../src/http/http-policy.js';
import { routesOf } from '../../src/http/routes.js';
import { refused } from '../integration/answers-fixture.js';

describe('composition by settings', () => {
  let folder: string;
  let relayer: Awaited<ReturnType<typeof openRelayer>> | undefined;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-'));
  });
  afterEach(async () => {
    await relayer?.stop();
    rmSync(folder, { recursive: true });
  });

  const settingsOf = (env: Readonly<Record<string, string | undefined>> = {}): Settings =>
    loadConfig({
      env: {
        ...environment,
        DATABASE_PATH: join(folder, 'ledger.sqlite'),
        LOG_LEVEL: 'silent',
        ...env,
      },
      readFile: files(),
    });

  async function opened(settings = settingsOf()): ReturnType<typeof openRelayer> {
    relayer = await openRelayer(settings);
    return relayer;
  }

  it('the service that is composed from valid settings has exactly the documented routes', async () => {
    const settings = settingsOf();
    const routes = routesOf(await opened(settings), httpPolicy(settings), new OperatorTokens([]));
    expect(routes.map(({ definition }) => definition.operationId).toSorted()).toEqual(
      ROUTES.map(({ operationId }) => operationId).toSorted(),
    );
  });

  it('private swaps are rejected with the error code for disabled swaps if they are disabled', async () => {
    const settings = settingsOf({ AGGREGATOR_URL: undefined, SWAP_OWNER_ACCOUNT: undefined });
    const { privateSwaps, swapOutcomes } = await opened(settings);
    const one = toFelt('0x1');
    const swap = {
      wbtcPool: one,
      proofCalldata: Felts.of([1n]),
      newCommitment: 1n,
      outputToken: one,
      slippagePpm: 1,
      waitMs: 0,
    };
    await expect(privateSwaps.execute(swap)).rejects.toMatchObject({
      code: 'PRIVATE_SWAP_DISABLED',
      kind: 'unavailable',
    });
    expect(await swapOutcomes.describe(refused)).toBeNull();
    expect(httpPolicy(settings).swap).toBeNull();
  });

  it('the id of the verification key is a digest that callers can compute from the JSON file that snarkjs writes', () => {
    const key = JSON.parse(files()('/etc/sotto/keys/verification_key.json'));
    const points: readonly (readonly unknown[])[] = [
      key.vk_alpha_1,
      key.vk_beta_2,
      key.vk_gamma_2,
      key.vk_delta_2,
      ...key.IC,
    ];
    const coordinates = points.flatMap((point) => point.slice(0, 2).flat());
    expect(httpPolicy(settingsOf()).verificationKey).toBe(
      createHash('sha256').update(coordinates.join(',')).digest('hex'),
    );
  });

  it('the service exposes all metrics that the runbook explains', async () => {
    const { metrics } = await opened();
    const text = await metrics.text();
    const exposed = [...text.matchAll(/^# HELP (sotto_\w+)/gm)].map(([, name = '']) => name);
    expect(exposed).toEqual(
      expect.arrayContaining([
        'sotto_keeper_looks_total',
        'sotto_keeper_budget_left_strk',
        'sotto_keeper_subjects',
        'sotto_keeper_outcome_seconds',
        'sotto_keeper_spent_strk',
        'sotto_keeper_earned',
        'sotto_keeper_not_held_seconds',
      ]),
    );
    const runbook = readFileSync(new URL('../../../../docs/runbook.md', import.meta.url), 'utf8');
    expect(
      exposed.filter((name) => !new RegExp(`^\\|.*\`${name}[\`{]`, 'm').test(runbook)),
    ).toEqual([]);
  });

  it('the service offers the swap pool and its output tokens if the settings enable private swaps', async () => {
    const settings = settingsOf({ MAX_PRICE_IMPACT_BPS: '250', MIN_SLIPPAGE_BPS: '20' });
    expect(httpPolicy(settings).swap).toEqual({
      swapPool: '0xaa5',
      minSlippagePpm: 2_000,
      maxPriceImpactBps: 250,
    });
    const { fairValues } = await opened(settings);
    // Neither of the two price sources can be queried in this test, so the offered tokens depend
    // only on the settings.
    expect(await fairValues.offered()).toEqual([{ symbol: 'USDC', address: '0xdc', decimals: 6 }]);
  });
});
