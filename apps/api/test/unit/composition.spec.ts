import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Felts, toFelt } from '@sotto/kernel';
import { loadConfig } from '@sotto/relayer';
import { PrivateSwaps, createContainer, type AppContainer } from '@sotto/relayer/composition';
import { environment, files } from '@sotto/relayer/testing';
import { FairValues, SwapOutcomes } from '@sotto/relayer-core';
import { SubmissionEngine } from '@sotto/submission-core';
import { Metrics } from '@sotto/telemetry';
import { appModules } from '../../src/composition/app-modules.js';
import { HttpPolicy } from '../../src/composition/bindings.js';
import { CuratorTokens } from '../../src/http/credentials.js';
import { refused } from '../integration/answers-fixture.js';

describe('composition by settings', () => {
  let folder: string;
  let container: AppContainer | undefined;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sotto-'));
  });
  afterEach(async () => {
    await container?.unbindAllAsync();
    rmSync(folder, { recursive: true });
  });

  function composed(env: Readonly<Record<string, string | undefined>> = {}): AppContainer {
    const own = { DATABASE_PATH: join(folder, 'ledger.sqlite'), LOG_LEVEL: 'silent' };
    container = createContainer(
      ...appModules(loadConfig({ env: { ...environment, ...own, ...env }, readFile: files() })),
    );
    return container;
  }

  it('refuses private swaps where there are none, with a code that says so', async () => {
    const without = composed({ AGGREGATOR_URL: undefined, SWAP_OWNER_ACCOUNT: undefined });
    const swaps = await without.getAsync(PrivateSwaps);
    const one = toFelt('0x1');
    const swap = {
      wbtcPool: one,
      proofCalldata: Felts.of([1n]),
      newCommitment: 1n,
      outputToken: one,
      slippagePpm: 1,
      waitMs: 0,
    };
    await expect(swaps.execute(swap)).rejects.toMatchObject({
      code: 'PRIVATE_SWAP_DISABLED',
      kind: 'unavailable',
    });
    expect(await (await without.getAsync(SwapOutcomes)).describe(refused)).toBeNull();
    expect((await without.getAsync(HttpPolicy)).swap).toBeNull();
  });

  it('keeps the curator’s lane where no caller has a token: what it has sent is still followed', async () => {
    const silent = composed({ CURATOR_API_TOKENS: undefined });
    expect((await silent.getAsync(CuratorTokens)).isEmpty).toBe(true);
    expect(
      (await silent.getAsync(SubmissionEngine)).status().lanes.map(({ role }) => role),
    ).toContain('curator');
  });

  it('exposes the series that the runbook explains, those of the keeper among them', async () => {
    const metrics = await composed().getAsync(Metrics);
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

  it('gives callers the swap pool and its output tokens where there are private swaps', async () => {
    const swapping = composed({ MAX_PRICE_IMPACT_BPS: '250', MIN_SLIPPAGE_BPS: '20' });
    expect((await swapping.getAsync(HttpPolicy)).swap).toEqual({
      swapPool: '0xaa5',
      minSlippagePpm: 2_000,
      maxPriceImpactBps: 250,
    });
    const fairValues = await swapping.getAsync(FairValues);
    // Neither source can be asked here, so that only the settings decide.
    expect(await fairValues.offered()).toEqual([{ symbol: 'USDC', address: '0xdc', decimals: 6 }]);
  });
});
