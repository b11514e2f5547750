import { describe, expect, it } from '@jest/globals';
import { STEP_NAMES, STRK, type TransferRequest } from '@sotto/bridge-core';
import { quoteBody, toQuote, toReportedStatus } from '../../../src/bridge/translate.js';

const ETH = { chain: 'ethereum', family: 'evm', symbol: 'ETH', decimals: 18 } as const;
const dry: TransferRequest = {
  from: STRK,
  to: ETH,
  amount: 10n ** 18n,
  refundTo: null,
  dryRun: true,
  recipient: null,
};
const real: TransferRequest = {
  ...dry,
  dryRun: false,
  recipient: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
};

const answer = {
  transaction_id: 'tx-1',
  deposit_address: '0x123',
  estimated_output: '0.12 ETH',
  route: [
    { step: 'swap', from: 'STRK', to: 'USDC', dex: 'someDex' },
    { step: 'bridge', from: 'starknet', to: 'ethereum' },
  ],
  fees: { bridge_fee: '0.001 ETH', gas_estimate: '0.0002 ETH', swap_fees: '0.1 STRK' },
};

describe('quote of the specification', () => {
  it('a request for a bridge quote contains all required fields, and omits the recipient if the caller states none', () => {
    const fields = {
      from_chain: 'starknet',
      from_token: 'STRK',
      to_chain: 'ethereum',
      to_token: 'ETH',
      amount: '1000000000000000000',
    };
    expect(quoteBody(dry)).toEqual({ ...fields, dry_run: true });
    expect(quoteBody(real)).toEqual({ ...fields, dry_run: false, recipient: real.recipient });
  });

  it('reads a bridge quote with route and fees', () => {
    expect(toQuote({ ...answer, more: { than: 'expected' } }, real)).toEqual({
      estimatedOutput: 120_000_000_000_000_000n,
      route: [
        { step: 'swap', from: 'STRK', to: 'USDC', dex: 'someDex' },
        { step: 'bridge', from: 'starknet', to: 'ethereum', dex: null },
      ],
      fees: { bridgeFee: '0.001 ETH', gasEstimate: '0.0002 ETH', swapFees: '0.1 STRK' },
      durationSeconds: null,
      deposit: { transactionId: 'tx-1', address: '0x123', memo: null, deadlineSeconds: null },
    });
  });

  it('returns no deposit for a dry run of a bridge quote, even if the response contains a deposit', () => {
    expect(toQuote(answer, dry).deposit).toBeNull();
  });

  it('accepts a bridge quote without the fields that are only displayed', () => {
    const { transaction_id, deposit_address, estimated_output } = answer;
    expect(toQuote({ transaction_id, deposit_address, estimated_output }, real)).toMatchObject({
      route: [],
      fees: { bridgeFee: null, gasEstimate: null, swapFees: null },
    });
    expect(toQuote({ ...answer, route: 'direct', fees: { bridge_fee: 3 } }, real)).toMatchObject({
      route: [],
      fees: { bridgeFee: null },
    });
  });

  it.each([
    ['0.12 ETH', 120_000_000_000_000_000n],
    ['~0.12 ETH', 120_000_000_000_000_000n],
    ['≈ 3 ETH', 3n * 10n ** 18n],
  ])('reads the estimated output %p of a bridge quote', (text, output) => {
    expect(toQuote({ ...answer, estimated_output: text }, dry).estimatedOutput).toBe(output);
  });

  it.each([
    '0.12',
    '0.12 STRK',
    'ETH',
    '1,200 ETH',
    '0.1.2 ETH',
    '-1 ETH',
    'NaN ETH',
    '1e3 ETH',
    '',
  ])('rejects the estimated output %p of a bridge quote', (text) => {
    expect(() => toQuote({ ...answer, estimated_output: text }, dry)).toThrow(
      expect.objectContaining({ code: 'BRIDGE_MALFORMED', details: { at: 'estimated_output' } }),
    );
  });

  it.each(['transaction_id', 'deposit_address', 'estimated_output'])(
    'rejects a bridge quote without %s unless the quote is a dry run',
    (field) => {
      for (const value of [undefined, null, 7, '']) {
        expect(() => toQuote({ ...answer, [field]: value }, real)).toThrow(
          expect.objectContaining({ code: 'BRIDGE_MALFORMED', details: { at: field } }),
        );
      }
    },
  );
});

const status = (changes: object): ReturnType<typeof toReportedStatus> =>
  toReportedStatus({ transaction_id: 'tx-1', status: 'processing', ...changes }, 'tx-1');
const steps = (...words: readonly string[]): object => ({
  steps: STEP_NAMES.map((step, index) => ({
    step,
    status: words[index] ?? 'pending',
    timestamp: null,
  })),
});

describe('status of the specification', () => {
  it.each([
    ['pending', { completedSteps: 0, next: 'pending', refunded: false }],
    ['processing', { completedSteps: 1, next: 'processing', refunded: false }],
    ['Completed', { completedSteps: 5, next: 'pending', refunded: false }],
    ['failed', { completedSteps: 0, next: 'failed', refunded: false }],
    ['refunding', { completedSteps: 1, next: 'failed', refunded: false }],
    ['refunded', { completedSteps: 1, next: 'failed', refunded: true }],
    ['daydreaming', { completedSteps: 0, next: 'processing', refunded: false }],
  ])('reads the progress of a bridge transfer from the status %s', (word, expected) => {
    expect(status({ status: word })).toMatchObject(expected);
  });

  it.each([
    [['processing'], 0, 'processing'],
    [['completed', 'processing'], 1, 'processing'],
    [['completed', 'pending'], 1, 'pending'],
    [['completed', 'completed', 'confirming'], 2, 'processing'],
    [['completed', 'failed'], 1, 'failed'],
    [['pending', 'pending', 'completed', 'processing'], 3, 'processing'],
    [['completed', 'completed', 'completed', 'completed', 'completed'], 5, 'pending'],
  ] as const)(
    'reads the progress of a bridge transfer from the steps %j if the response has steps',
    (words, completedSteps, next) => {
      expect(status(steps(...words))).toMatchObject({ completedSteps, next, refunded: false });
    },
  );

  it('derives the outcome of a bridge transfer from its status, and the progress from its steps', () => {
    expect(
      status({ ...steps('completed', 'completed', 'processing'), status: 'refunded' }),
    ).toMatchObject({
      completedSteps: 2,
      next: 'failed',
      refunded: true,
    });
    expect(status({ ...steps('completed'), status: 'completed' })).toMatchObject({
      completedSteps: 5,
    });
  });

  it('reads times and transactions of a bridge transfer, and omits malformed times and transactions', () => {
    const report = status({
      status: 'completed',
      output_tx_hash: '0xout',
      completion_time: 1_800_000_050,
      steps: [
        {
          step: 'deposit_detected',
          status: 'completed',
          timestamp: 1_800_000_000,
          tx_hash: '0xdeb0',
        },
        {
          step: 'swap_source_token',
          status: 'completed',
          timestamp: 1_800_000_010_000,
          tx_hash: '<script>',
        },
        { step: 'unheard_of', status: 'completed', timestamp: 1 },
      ],
    });
    expect(report.details).toEqual({
      deposit_detected: { completedAtSeconds: 1_800_000_000, txHash: '0xdeb0' },
      swap_source_token: { completedAtSeconds: 1_800_000_010 },
      bridge_to_destination: {},
      swap_destination_token: {},
      send_to_recipient: { completedAtSeconds: 1_800_000_050, txHash: '0xout' },
    });
  });

  it.each([45, -1, 0, 1e300, '2027-01-15', null])(
    'does not read %p as the completion time of a bridge transfer',
    (completion_time) => {
      expect(
        status({ completion_time }).details.send_to_recipient?.completedAtSeconds,
      ).toBeUndefined();
    },
  );

  it.each([
    ['transaction_id', {}],
    ['transaction_id', { transaction_id: 'tx-2', status: 'completed' }],
    ['status', { transaction_id: 'tx-1' }],
    ['status', { transaction_id: 'tx-1', status: 3 }],
  ])('rejects a bridge status whose %s is missing or different', (at, body) => {
    expect(() => toReportedStatus(body, 'tx-1')).toThrow(
      expect.objectContaining({ code: 'BRIDGE_MALFORMED', details: { at } }),
    );
  });
});
