import { describe, expect, it } from '@jest/globals';
import {
  describeAddresses,
  describeCommands,
  describeResult,
  formatStrk,
  resultLine,
  type DemoResult,
} from '../../src/report.js';

const result: DemoResult = {
  transactionHash: '0x5d2a',
  executionStatus: 'SUCCEEDED',
  revertReason: null,
  feeSats: 100n,
  gasFri: 282_345_678_901_234_567n,
  recipientBefore: 0n,
  recipientAfter: 19_900n,
  seconds: 12.34567,
};

describe('formatStrk', () => {
  it.each([
    [0n, '0.000000'],
    [1n, '0.000000'],
    [999_999_999_999n, '0.000000'],
    [1_000_000_000_000n, '0.000001'],
    [282_345_678_901_234_567n, '0.282345'],
    [1_000_000_000_000_000_000n, '1.000000'],
    [1_234_567_890_000_000_000_000n, '1234.567890'],
  ])('the demonstration formats %d fri as %s STRK', (fri, text) => {
    expect(formatStrk(fri)).toBe(text);
  });
});

describe('resultLine', () => {
  it('the demonstration’s result is one line of JSON with exactly the documented fields', () => {
    const purchase = { order: '1', mayerMultiple: '0.900000', band: '1.25', closes: 200 };
    const amounts = { soldUsdcE6: 1n, ownerSats: 2n, feeSats: 3n, gasFri: 4n };
    const line = resultLine(result, {
      purchase: { ...purchase, ...amounts, transactionHash: '0x6' },
    });
    expect(line).not.toContain('\n');
    expect(JSON.parse(line)).toEqual({
      transaction_hash: '0x5d2a',
      execution_status: 'SUCCEEDED',
      feeSats: '100',
      gasFri: '282345678901234567',
      recipientBefore: '0',
      recipientAfter: '19900',
      seconds: 12.346,
      keeper: {
        purchase: {
          ...purchase,
          soldUsdcE6: '1',
          ownerSats: '2',
          feeSats: '3',
          gasFri: '4',
          transactionHash: '0x6',
        },
      },
    });
  });
});

describe('describeResult', () => {
  it('the demonstration’s readable result contains hash, status, fee, gas and both balances', () => {
    const text = describeResult(result);
    for (const part of [
      '0x5d2a',
      'SUCCEEDED',
      '100 sats',
      '0.282345 STRK',
      '0 sats',
      '19900 sats',
      '12.3 s',
    ])
      expect(text).toContain(part);
  });

  it('the demonstration’s readable result contains the reason of a reverted withdrawal', () => {
    expect(
      describeResult({ ...result, executionStatus: 'REVERTED', revertReason: 'unknown root' }),
    ).toContain('REVERTED: unknown root');
  });
});

describe('describeCommands', () => {
  const text = describeCommands({
    baseUrl: 'http://127.0.0.1:3000',
    withdrawalFile: '.sotto/withdrawal.json',
    submissionPath: '/api/relayer/submissions/abc',
    tokens: { curator: '$(cat .sotto/curator-token)', operator: '$OPERATOR_API_TOKEN' },
  });

  it('the commands that the demonstration prints send the prepared withdrawal, first as a dry run', () => {
    const body = "-H 'content-type: application/json' -d @.sotto/withdrawal.json";
    expect(text).toContain(`curl -s -X POST http://127.0.0.1:3000/api/relayer/withdraw ${body}\n`);
    expect(text).toContain(
      `curl -s -X POST 'http://127.0.0.1:3000/api/relayer/withdraw?dryRun=true' ${body}\n`,
    );
  });

  it('the commands that the demonstration prints read the demonstration’s submission', () => {
    expect(text).toContain('curl -s http://127.0.0.1:3000/api/relayer/submissions/abc\n');
  });

  it('the commands that the demonstration prints read the API tokens of curator and operator with shell expressions', () => {
    expect(text).toMatch(
      /^curl -s -X POST http:\/\/127\.0\.0\.1:3000\/api\/curator -H "authorization: Bearer \$\(cat \.sotto\/curator-token\)" .*$/m,
    );
    expect(text).toContain(
      'curl -s http://127.0.0.1:3000/api/operator/status -H "authorization: Bearer $OPERATOR_API_TOKEN"\n',
    );
  });
});

describe('describeAddresses', () => {
  it('the demonstration lists the URLs of the service and its pages, of the node and of the simulated external services', () => {
    const text = describeAddresses({
      baseUrl: 'http://127.0.0.1:3000',
      rpcUrl: 'http://127.0.0.1:1',
      aggregatorUrl: 'http://127.0.0.1:2',
      bridgeUrl: 'http://127.0.0.1:3',
      rewardsUrl: 'http://127.0.0.1:4',
    });
    expect(text.match(/http:\S+/g)).toEqual([
      'http://127.0.0.1:3000',
      'http://127.0.0.1:3000/wallet',
      'http://127.0.0.1:3000/docs',
      'http://127.0.0.1:3000/status',
      'http://127.0.0.1:1',
      'http://127.0.0.1:2',
      'http://127.0.0.1:3',
      'http://127.0.0.1:4',
    ]);
  });
});
