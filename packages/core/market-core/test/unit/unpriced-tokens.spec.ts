import { describe, expect, it } from '@jest/globals';
import { toFelt, type LogFields, type Logger } from '@sotto/kernel';
import { warnOfUnpricedTokens } from '../../src/application/fair-values.js';

const ETH = { symbol: 'ETH', address: toFelt('0xe7'), decimals: 18 };

async function warningsFor(wanted: readonly string[]): Promise<readonly unknown[]> {
  const lines: unknown[] = [];
  const at = (level: string) => (fields: LogFields, message: string) =>
    void lines.push({ level, ...fields, message });
  const logger: Logger = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  };
  await warnOfUnpricedTokens(wanted, { offered: async () => [ETH] }, logger);
  return lines;
}

describe('warnOfUnpricedTokens', () => {
  it('S3 logs one warning that lists all tokens without two independent prices', async () => {
    expect(await warningsFor(['LORDS', 'ETH', 'DAI'])).toEqual([
      expect.objectContaining({
        level: 'warn',
        tokens: 'LORDS, DAI',
        message: expect.stringContaining('two independent prices'),
      }),
    ]);
  });

  it('logs no warning if all tokens have two independent prices', async () => {
    expect(await warningsFor(['ETH'])).toEqual([]);
  });
});
