import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Felts, toFelt } from '@sotto/kernel';
import { PriceSources, type PriceObservation } from '@sotto/relayer-core';
import { appModules } from '../../src/composition/app-modules.js';
import { ExecutePrivateSwapToken, HttpPolicyToken, SwapOutcomesToken } from '../../src/composition/bindings.js';
import { createContainer, type AppContainer } from '../../src/composition/container.js';
import { WellPublishedPrices } from '../../src/composition/well-published-prices.js';
import { loadConfig } from '../../src/config/load-config.js';
import { refused } from '../integration/answers-fixture.js';
import { environment, files } from './environment-fixture.js';

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
    container = createContainer(...appModules(loadConfig({ env: { ...environment, ...own, ...env }, readFile: files() })));
    return container;
  }

  it('asks the oracle first and the second source beside it', async () => {
    const sources = await composed().getAsync(PriceSources);
    expect(sources.map(({ name }) => name)).toEqual(['pragma', 'impulse']);
  });

  it('asks the oracle alone where development names no second source', async () => {
    const sources = await composed({ MODE: 'development', PRICE_API_URL: undefined }).getAsync(PriceSources);
    expect(sources.map(({ name }) => name)).toEqual(['pragma']);
  });

  it('refuses private swaps where there are none, and tells so', async () => {
    const without = composed({ AGGREGATOR_URL: undefined, SWAP_OWNER_ACCOUNT: undefined });
    const swaps = await without.getAsync(ExecutePrivateSwapToken);
    const one = toFelt('0x1');
    const swap = { wbtcPool: one, proofCalldata: Felts.of([1n]), newCommitment: 1n, outputToken: one, slippagePpm: 1, waitMs: 0 };
    await expect(swaps.execute(swap)).rejects.toMatchObject({ code: 'PRIVATE_SWAP_DISABLED', kind: 'unavailable' });
    expect(await (await without.getAsync(SwapOutcomesToken)).describe(refused)).toBeNull();
    expect((await without.getAsync(HttpPolicyToken)).swap).toBeNull();
  });

  it('tells callers of the swap pool and its output tokens where there are private swaps', async () => {
    expect((await composed().getAsync(HttpPolicyToken)).swap).toEqual({
      swapPool: '0xaa5',
      outputTokens: [{ symbol: 'USDC', address: '0xdc', decimals: 6 }],
    });
  });
});

const seen = (asset: PriceObservation['asset'], sourceCount: number): PriceObservation => ({
  asset,
  sourceCount,
  usdE8: 1n,
  observedAtMs: 1,
});

describe('WellPublishedPrices', () => {
  it('leaves out what too few publishers stand behind', async () => {
    const source = { name: 'oracle', observe: async () => [seen('STRK', 2), seen('WBTC', 3), seen('USDC', 4)] };
    const prices = new WellPublishedPrices(source, 3);
    expect(prices.name).toBe('oracle');
    expect((await prices.observe([])).map(({ asset }) => asset)).toEqual(['WBTC', 'USDC']);
  });
});
