import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { partnerRows } from '@sotto/http-client/testing';
import { toSupplyAprE18 } from '../../../src/rewards/translate.js';
import { PRIME } from '../support/sandbox.js';

const PAGE = readFileSync(
  new URL('../../../../../../docs/operations/partner-data.md', import.meta.url),
  'utf8',
);

/** Returns the rate that is read from a published response whose asset has these statistics. */
function rateOf(stats: object): bigint {
  const assets = [{ address: PRIME.asset, name: 'Wrapped BTC', decimals: 8, stats }];
  const body = { data: { id: PRIME.pool, name: 'Prime', isDeprecated: false, assets, pairs: [] } };
  return toSupplyAprE18(JSON.stringify(body), PRIME);
}

it('T17 reward rates are read as the table in partner-data.md states', () => {
  expect(partnerRows(PAGE, 'Rewards')).toEqual([
    {
      field: 'stats.btcFiSupplyApr',
      unit: 'fraction, `value` / 10^`decimals`',
      sign: 'none',
      absent: '0: no programme, or one that has ended',
    },
  ]);
  // This value is a rate of 1.2 %.
  const rate = { value: '12000000000000000', decimals: 18 };
  expect(rateOf({ btcFiSupplyApr: rate, lstApr: null })).toBe(12_000_000_000_000_000n);
  for (const none of [{ btcFiSupplyApr: null }, { btcFiSupplyApr: { value: null } }, {}])
    expect(rateOf({ ...none, defiSpringSupplyApr: null })).toBe(0n);
});
