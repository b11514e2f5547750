import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { createLogger } from '@sotto/telemetry';
import { tellOfUnpricedTokens } from '../../src/lifecycle/unpriced-tokens.js';

const ETH = { symbol: 'ETH', address: toFelt('0xe7'), decimals: 18 };

async function warningsFor(wanted: readonly string[]): Promise<readonly unknown[]> {
  const lines: string[] = [];
  const logger = createLogger({
    level: 'info',
    destination: { write: (line) => void lines.push(line) },
  });
  await tellOfUnpricedTokens(wanted, { offered: async () => [ETH] }, logger);
  return lines.map((line): unknown => JSON.parse(line));
}

describe('output tokens at the start', () => {
  it('S3 are named in one warning where they have not two prices', async () => {
    expect(await warningsFor(['LORDS', 'ETH', 'DAI'])).toEqual([
      expect.objectContaining({
        level: 'warn',
        tokens: 'LORDS, DAI',
        message: expect.stringContaining('two independent prices'),
      }),
    ]);
  });

  it('are not worth a word where all of them have', async () => {
    expect(await warningsFor(['ETH'])).toEqual([]);
  });
});
