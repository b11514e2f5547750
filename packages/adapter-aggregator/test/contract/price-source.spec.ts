import { ImpulsePriceSource } from '@sotto/adapter-aggregator';
import { toFelt } from '@sotto/kernel';
import type { PriceObservation, PriceSource, PricedAsset } from '@sotto/relayer-core';
import { describePriceSourceContract } from '@sotto/relayer-core/testing';
import { sandboxWorld } from '@sotto/sandbox';
import { startMarket } from '../support/sandbox.js';

const { STRK, WBTC, USDC } = sandboxWorld.tokens;
const ASSETS: readonly PricedAsset[] = ['STRK', 'WBTC', 'USDC'];

/** The wire tells neither when each price was made nor how many stand behind it: this says of both what was staged. */
class WithWhatTheWireOmits implements PriceSource {
  readonly name: string;
  staged: readonly PriceObservation[] = [];

  constructor(private readonly source: PriceSource) {
    this.name = source.name;
  }

  async observe(assets: readonly PricedAsset[]): Promise<readonly PriceObservation[]> {
    const observations = await this.source.observe(assets);
    return observations.map((observation) => {
      const staged = this.staged.find(({ asset }) => asset === observation.asset);
      return staged === undefined ? observation : { ...staged, usdE8: observation.usdE8 };
    });
  }
}

describePriceSourceContract('impulse in the sandbox', async () => {
  const sandbox = await startMarket();
  const tokens = { STRK: toFelt(STRK.address), WBTC: toFelt(WBTC.address), USDC: toFelt(USDC.address) };
  const source = new ImpulsePriceSource({ url: sandbox.aggregatorUrl, tokens, retry: { maxAttempts: 2, firstDelayMs: 1 } });
  const subject = new WithWhatTheWireOmits(source);
  return {
    subject,
    stage: async (observations) => {
      subject.staged = observations;
      for (const asset of ASSETS) {
        const usdE8 = observations.find((observation) => observation.asset === asset)?.usdE8;
        sandbox.control.aggregator.setUsdPrice(sandboxWorld.tokens[asset].address, usdE8 === undefined ? null : Number(usdE8) / 1e8);
      }
    },
    breakDown: async () => sandbox.stop(),
    stop: async () => {
      source.close();
      await sandbox.stop();
    },
  };
});
