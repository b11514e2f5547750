import { expect } from '@jest/globals';
import { z } from 'zod';
import type { DemoProcess } from './demo-process.js';

const Amount = z.string().regex(/^\d+$/).transform(BigInt);
const Line = z.strictObject({
  transaction_hash: z.string().regex(/^0x[0-9a-f]+$/),
  execution_status: z.string(),
  feeSats: Amount,
  gasFri: Amount,
  recipientBefore: Amount,
  recipientAfter: Amount,
  seconds: z.number().positive(),
});

const DENOMINATION_SATS = 20_000n;

/** The result that `--json` prints last. */
export function resultOf({ stdout }: DemoProcess): z.output<typeof Line> {
  return Line.parse(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? ''));
}

/** Asserts that the withdrawal did all that it should, and each of the other lines as well. */
export function expectFullShow(demo: DemoProcess): void {
  expect(demo.stderr).not.toContain('failed');
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
  for (const count of [1, 2, 3, 4, 5])
    expect(demo.stderr).toMatch(new RegExp(`bridge: \\w+ is completed \\(${count} of 5\\)`));
}
