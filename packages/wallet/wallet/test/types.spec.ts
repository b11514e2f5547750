import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const PACKAGE = fileURLToPath(new URL('../', import.meta.url));
const TIMEOUT_MS = 120_000;

/** Program that compiles only if every wrong use of the package in it is a type error. */
const MISUSES = `
import {
  acceptQuote,
  Withdrawal,
  type AcceptedQuote,
  type DepositAccount,
  type SignedFeeQuote,
  type WithdrawalEvent,
  type WithdrawalOptions,
} from '../../src/advanced.js';
import type { Account, WalletAccount } from 'starknet';

declare const reply: SignedFeeQuote;
declare const rest: Omit<WithdrawalOptions, 'quote'>;
declare const terms: { signerKey: string; chainId: string; pool: string };

const quote: AcceptedQuote = acceptQuote(reply, { ...terms, maxFee: 100n });
Withdrawal.begin({ ...rest, quote });
Withdrawal.begin(rest);

// @ts-expect-error a reply that was not accepted
Withdrawal.begin({ ...rest, quote: reply });
// @ts-expect-error what looks like an accepted quote
Withdrawal.begin({ ...rest, quote: { ...reply, fee: 26n, expiresAtMs: 0, signerKey: '0x1' } });
// @ts-expect-error a changed copy of an accepted quote
Withdrawal.begin({ ...rest, quote: { ...quote, fee: 1n } });
// @ts-expect-error amounts are bigint
acceptQuote(reply, { ...terms, maxFee: 100 });
// @ts-expect-error a maximum is always given
acceptQuote(reply, terms);
// @ts-expect-error the fee of an accepted quote is fixed
quote.fee = 1n;
// @ts-expect-error a withdrawal is begun or resumed
new Withdrawal('id', rest.storage, rest, {});

export function textOf(event: WithdrawalEvent): string {
  switch (event.type) {
    case 'proving':
      return String(event.progress.fraction);
    case 'posting':
      return event.relayer;
    case 'accepted':
      return event.submission;
    case 'included':
    case 'settled':
      return event.transactionHash;
    case 'waiting':
    case 'unknown':
    case 'needs-new-quote':
    case 'failed':
      return event.error.message;
    // @ts-expect-error misspelt
    case 'setled':
      return '';
    default: {
      const nothingLeft: never = event;
      return nothingLeft;
    }
  }
}

export const accounts = (given: Account | WalletAccount): DepositAccount => given;
`;

describe('the types', () => {
  let folder = '';
  // Create the folder inside this package, so that the compiler finds its dependencies.
  beforeAll(() => {
    folder = mkdtempSync(join(PACKAGE, 'node_modules/.types-'));
    writeFileSync(join(folder, 'misuses.ts'), MISUSES);
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: join(PACKAGE, 'tsconfig.test.json'), include: ['*.ts'] }),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it(
    'the types reject a quote that acceptQuote has not returned',
    () => {
      const tsc = join(PACKAGE, 'node_modules/.bin/tsc');
      expect(
        spawnSync(tsc, ['-p', folder, '--pretty', 'false'], { encoding: 'utf8' }),
      ).toMatchObject({ stdout: '', status: 0 });
    },
    TIMEOUT_MS,
  );
});
