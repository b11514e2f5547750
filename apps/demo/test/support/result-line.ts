import { expect } from '@jest/globals';
import { z } from 'zod';
import type { DemoProcess } from './demo-process.js';

const Amount = z.string().regex(/^\d+$/).transform(BigInt);
const Hash = z.string().regex(/^0x[0-9a-f]+$/);
const Text = z.string().regex(/^\d+\.\d+$/);
const Sent = { transactionHash: Hash, gasFri: Amount };
const Rounds = z
  .array(
    z.strictObject({
      collateralSats: Amount,
      debtUsdcE6: Amount,
      leverage: Text,
      healthFactor: Text.nullable(),
    }),
  )
  .min(2);
const Keeper = z.strictObject({
  idleFunds: z.strictObject({ ...Sent, vault: z.string(), deployedSats: Amount }),
  purchase: z.strictObject({
    ...Sent,
    order: z.string(),
    mayerMultiple: Text,
    band: z.string(),
    closes: z.int(),
    soldUsdcE6: Amount,
    ownerSats: Amount,
    feeSats: Amount,
  }),
  turbo: z.strictObject({ up: Rounds, down: Rounds }),
  lane: z.strictObject({ ...Sent, lane: z.string(), paidFri: Amount, balanceFri: Amount }),
});
const Line = z.strictObject({
  transaction_hash: Hash,
  execution_status: z.string(),
  feeSats: Amount,
  gasFri: Amount,
  recipientBefore: Amount,
  recipientAfter: Amount,
  seconds: z.number().positive(),
  keeper: Keeper.nullable(),
});

const DENOMINATION_SATS = 20_000n;

/** Returns the result that `--json` printed as the last line. */
export function resultOf({ stdout }: DemoProcess): z.output<typeof Line> {
  return Line.parse(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? ''));
}

/**
 * Expects that the output contains the withdrawal and every further line, and that none of them
 * failed.
 * @param hasPrivacyPool true if the chain has the network's own privacy pool
 */
export function expectFullShow(
  demo: DemoProcess,
  { hasPrivacyPool }: { readonly hasPrivacyPool: boolean },
): void {
  expect(demo.stderr).not.toContain('failed');
  // Failed lines are checked first, because they contain the reason of the failure.
  expect(demo.stdout.split('\n').filter((line) => line.includes('failed:'))).toEqual([]);
  const line = resultOf(demo);
  expect(line.execution_status).toBe('SUCCEEDED');
  expect(line.feeSats).toBeGreaterThan(0n);
  expect(line.gasFri).toBeGreaterThan(0n);
  expect(line.recipientAfter - line.recipientBefore).toBe(DENOMINATION_SATS - line.feeSats);
  expect(demo.stdout).toMatch(
    /^ {2}yields +Vesu PRIME 3\.77 % \(2\.57 % interest, 1\.20 % rewards\); Vesu Re7 xBTC .* 4\.50 % rewards\)$/m,
  );
  expect(demo.stdout).toMatch(
    /^ {2}curator run +sentinel: deployed 1250000 sats in 0x[0-9a-f]+; a second run: no idle funds$/m,
  );
  expect(demo.stdout).toMatch(
    /^ {2}bridge transfer +100 USDC on Ethereum → \d+(\.\d+)? STRK: 5 steps completed in \d+\.\d s$/m,
  );
  if (hasPrivacyPool) expectPrivateShow(demo);
  else expect(demo.stdout).not.toContain('private ');
  expectKeeperShow(demo, line.keeper);
  for (const count of [1, 2, 3, 4, 5])
    expect(demo.stderr).toMatch(new RegExp(`bridge: \\w+ is completed \\(${count} of 5\\)`));
}

/** Expects that the output contains a private transfer and a private withdrawal. */
function expectPrivateShow({ stdout }: DemoProcess): void {
  const relayed =
    'fee \\d+\\.\\d{6} STRK, accepted in (0x[1-9a-f][0-9a-f]+); the repeat has the same hash$';
  const lines = [
    `^  private transfer +${relayed}`,
    `^  private payment +withdrew 5 STRK to a fresh account; ${relayed}`,
  ];
  const hashes = lines.map((line) => new RegExp(line, 'm').exec(stdout)?.[1]);
  expect(hashes).toEqual([expect.any(String), expect.any(String)]);
  expect(new Set(hashes).size).toBe(2);
}

/** Expects that the output contains the keeper's actions of the demonstration. */
function expectKeeperShow({ stdout }: DemoProcess, keeper: z.output<typeof Line>['keeper']): void {
  expect(keeper).toMatchObject({
    idleFunds: { vault: 'apex', deployedSats: 1_250_000n },
    // The order sells 1,250 USDC at 100,000 USD per BTC. The keeper receives a thousandth of the
    // bought WBTC.
    purchase: {
      order: '1',
      mayerMultiple: expect.stringMatching(/^0\.(900|8999)/),
      band: '1.25',
      closes: expect.any(Number),
      soldUsdcE6: 1_250_000_000n,
      ownerSats: 1_248_750n,
      feeSats: 1_250n,
    },
    lane: { lane: 'keeper-0', balanceFri: 1_001n * 10n ** 18n },
  });
  const { turbo, lane, purchase } = keeper ?? {};
  // In the first hour of a day, the price sources may not know the last of the 200 daily closing
  // prices.
  expect([200, 199]).toContain(purchase?.closes);
  expect(purchase?.gasFri).toBeGreaterThan(0n);
  expect(lane?.paidFri).toBe(10n ** 18n + (purchase?.gasFri ?? 0n));
  expect(Number(turbo?.up.at(-1)?.leverage)).toBeGreaterThan(2.9);
  expect(Number(turbo?.up.at(-1)?.healthFactor)).toBeGreaterThan(1.05);
  expect(Number(turbo?.down.at(-1)?.leverage)).toBeLessThan(1.05);
  for (const pattern of [
    /^ {2}idle funds +apex: deployed 1250000 sats without a request; gas paid 0\.\d+ STRK$/m,
    /^ {2}purchase +order 1 executed at Mayer Multiple 0\.90, band 1\.25×, of (200|199) daily closes: 1250 USDC bought 1248750 sats for its owner; keeper’s fee 1250 sats, gas paid 0\.\d+ STRK$/m,
    /^ {2}turbo +led to 3× in \d rounds: 1\.\d\d× \(health factor 1\.\d\d\), .*; back to 1× in \d rounds: .*1\.00× \(no debt\)$/m,
    /^ {2}lane +keeper-0 fell below its floor and got 1\.\d+ STRK from the treasury; it has 1001\.000000 STRK$/m,
  ])
    expect(stdout).toMatch(pattern);
}
