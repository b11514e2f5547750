import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { STRK, type TransferRequest } from '@sotto/bridge-core';
import { ManualClock } from '@sotto/kernel/testing';
import { startSolver, type RunningSolver } from '@sotto/sandbox';
import { OneClickBridgeProtocol } from '../../../src/bridge/index.js';
import { assetIdOf } from '../../../src/bridge/one-click-tokens.js';
import { OneClickStatus } from '../../../src/bridge/one-click.schemas.js';
import {
  oneClickQuoteBody,
  oneClickStatusParams,
  toOneClickQuote,
  toOneClickStatus,
} from '../../../src/bridge/translate-one-click.js';

const EVM_ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const RECIPIENT = '0x59abf82e0bc584a3b4e94fcc5aa4b5f7e9ea946b5fbe236cdecf491ad0b2c72';
const ETH = { chain: 'ethereum', family: 'evm', symbol: 'ETH', decimals: 18 } as const;
const real: TransferRequest = {
  from: ETH,
  to: STRK,
  amount: 10n ** 18n,
  refundTo: EVM_ADDRESS,
  dryRun: false,
  recipient: RECIPIENT,
};
const assets = { origin: 'nep141:eth.omft.near', destination: 'nep141:starknet.omft.near' };
const requested = oneClickQuoteBody(real, assets, {
  slippageBps: 50,
  deadlineMs: 1_800_000_000_000,
});

const answer = {
  quoteRequest: requested,
  quote: {
    amountIn: '1000000000000000000',
    amountOut: '69558139534883720930232',
    depositAddress: EVM_ADDRESS,
    deadline: '2027-01-15T08:00:00.000Z',
    timeEstimate: 42,
    withdrawFee: '2000000000000000000',
  },
};
const withQuote = (changes: object): object => ({
  ...answer,
  quote: { ...answer.quote, ...changes },
});

describe('1Click quote', () => {
  it('requests a 1Click quote with every required field', () => {
    expect(requested).toEqual({
      dry: false,
      swapType: 'EXACT_INPUT',
      slippageTolerance: 50,
      originAsset: 'nep141:eth.omft.near',
      depositType: 'ORIGIN_CHAIN',
      destinationAsset: 'nep141:starknet.omft.near',
      amount: '1000000000000000000',
      refundTo: EVM_ADDRESS,
      refundType: 'ORIGIN_CHAIN',
      recipient: RECIPIENT,
      recipientType: 'DESTINATION_CHAIN',
      deadline: '2027-01-15T08:00:00.000Z',
      depositMode: 'SIMPLE',
    });
  });

  it('uses the deposit address of a 1Click quote as the id of the quote', () => {
    expect(toOneClickQuote(answer, requested, real)).toEqual({
      estimatedOutput: 69_558_139_534_883_720_930_232n,
      route: [],
      fees: { bridgeFee: '2 STRK', gasEstimate: null, swapFees: null },
      durationSeconds: 42,
      deposit: {
        transactionId: EVM_ADDRESS,
        address: EVM_ADDRESS,
        memo: null,
        deadlineSeconds: 1_800_000_000,
      },
    });
  });

  it('the id of a 1Click quote with a memo contains this memo', () => {
    const { deposit } = toOneClickQuote(withQuote({ depositMemo: 'a memo: 1/2' }), requested, real);
    expect(deposit).toMatchObject({ address: EVM_ADDRESS, memo: 'a memo: 1/2' });
    expect(deposit?.transactionId).toMatch(/^[\x21-\x7e]+$/);
    expect(oneClickStatusParams(deposit?.transactionId ?? '')).toEqual({
      depositAddress: EVM_ADDRESS,
      depositMemo: 'a memo: 1/2',
    });
    expect(oneClickStatusParams(EVM_ADDRESS)).toEqual({ depositAddress: EVM_ADDRESS });
  });

  it.each(['', ':memo', 'a:b:c', 'a:%E0%A4%A'])(
    'sends no 1Click status request for the id %p',
    (id) => {
      expect(oneClickStatusParams(id)).toBeNull();
    },
  );

  it.each([
    ['quoteRequest.recipient', { ...answer, quoteRequest: { ...requested, recipient: '0x1' } }],
    [
      'quoteRequest.destinationAsset',
      { ...answer, quoteRequest: { ...requested, destinationAsset: 'nep141:other' } },
    ],
    ['quote.amountIn', withQuote({ amountIn: '1000000000000000001' })],
    ['quote.amountOut', withQuote({ amountOut: '1.5' })],
    ['quote.depositAddress', withQuote({ depositAddress: null })],
    ['quote.depositAddress', withQuote({ depositAddress: 'a:b' })],
    ['quote', { quoteRequest: requested }],
  ])('rejects a 1Click quote that is invalid at %s', (at, body) => {
    expect(() => toOneClickQuote(body, requested, real)).toThrow(
      expect.objectContaining({ code: 'BRIDGE_MALFORMED', details: { at } }),
    );
  });
});

const reportedStatus = (body: object): ReturnType<typeof toOneClickStatus> =>
  toOneClickStatus(OneClickStatus.parse(body));

describe('1Click status', () => {
  it.each([
    ['PENDING_DEPOSIT', { completedSteps: 0, next: 'pending' }],
    ['KNOWN_DEPOSIT_TX', { completedSteps: 0, next: 'processing' }],
    ['INCOMPLETE_DEPOSIT', { completedSteps: 0, next: 'processing' }],
    ['PROCESSING', { completedSteps: 1, next: 'processing' }],
    ['SUCCESS', { completedSteps: 5 }],
    ['REFUNDED', { completedSteps: 1, next: 'failed', refunded: true }],
    ['FAILED', { completedSteps: 0, next: 'failed', refunded: false }],
    ['SOMETHING_NEW', { completedSteps: 0, next: 'processing' }],
  ])('the 1Click status %s is read with the expected progress', (status, expected) => {
    expect(reportedStatus({ status })).toMatchObject(expected);
  });

  it('a failed 1Click transfer is reported as failed after the deposit step if its deposit was detected', () => {
    const swapDetails = { originChainTxHashes: [{ hash: '0xdeb0' }], destinationChainTxHashes: [] };
    expect(reportedStatus({ status: 'FAILED', swapDetails })).toMatchObject({
      completedSteps: 1,
      next: 'failed',
    });
  });

  it('reads transactions and time from a 1Click status', () => {
    const swapDetails = {
      originChainTxHashes: [{ hash: '0xdeb0' }],
      destinationChainTxHashes: [{ hash: '0xout', explorerUrl: 'x' }],
    };
    expect(
      reportedStatus({ status: 'SUCCESS', updatedAt: '2027-01-15T08:00:00.000Z', swapDetails })
        .details,
    ).toEqual({
      deposit_detected: { txHash: '0xdeb0' },
      send_to_recipient: { txHash: '0xout', completedAtSeconds: 1_800_000_000 },
    });
  });

  it('a 1Click status response is accepted even if it contains only the status field', () => {
    for (const swapDetails of [
      null,
      'none',
      { originChainTxHashes: null, destinationChainTxHashes: [{}] },
    ]) {
      expect(
        reportedStatus({ status: 'PROCESSING', updatedAt: 'today', swapDetails }),
      ).toMatchObject({
        completedSteps: 1,
      });
    }
  });
});

describe('asset in the 1Click list', () => {
  const listed = {
    assetId: 'nep141:eth.omft.near',
    decimals: 18,
    blockchain: 'eth',
    symbol: 'ETH',
  };

  it('finds an asset in the 1Click list by chain and symbol', () => {
    expect(
      assetIdOf([listed, { ...listed, blockchain: 'arb', assetId: 'nep141:arb.omft.near' }], ETH),
    ).toBe('nep141:eth.omft.near');
  });

  it.each([
    ['other decimals', [{ ...listed, decimals: 8 }]],
    ['a namesake', [listed, { ...listed, assetId: 'nep141:fake.near' }]],
    ['another chain only', [{ ...listed, blockchain: 'base' }]],
    ['another symbol only', [{ ...listed, symbol: 'eth' }]],
  ])('does not guess an asset’s 1Click id from a list with: %s', (_, tokens) => {
    expect(assetIdOf(tokens, ETH)).toBeUndefined();
  });
});

describe('OneClickBridgeProtocol', () => {
  let solver: RunningSolver;
  let subject: OneClickBridgeProtocol;
  const clock = new ManualClock(Date.now());
  beforeEach(async () => {
    solver = await startSolver();
    subject = new OneClickBridgeProtocol(
      { url: solver.oneClickUrl, tokensTtlMs: 60_000, headers: { Authorization: 'Bearer key' } },
      clock,
    );
  });
  afterEach(async () => {
    subject.close();
    await solver.stop();
  });
  const requiresTokens = (): number =>
    solver.control.requests().filter(({ endpoint }) => endpoint === 'tokens').length;

  it('requires a refund address before any request to 1Click', async () => {
    expect(await subject.quote({ ...real, refundTo: null })).toEqual({
      kind: 'refund_address_needed',
    });
    expect(solver.control.requests()).toEqual([]);
  });

  it('caches the list of 1Click assets, and reads it again after its lifetime', async () => {
    await Promise.all([subject.quote(real), subject.quote(real), subject.quote(real)]);
    await subject.quote(real);
    expect(requiresTokens()).toBe(1);
    clock.advance(60_000);
    await subject.quote(real);
    expect(requiresTokens()).toBe(2);
  });

  it('does not cache a list of 1Click assets that could not be read', async () => {
    solver.control.addFault({ endpoint: 'tokens', fault: { kind: 'answer', body: 'no list' } });
    await expect(subject.quote(real)).rejects.toMatchObject({ code: 'BRIDGE_MALFORMED' });
    expect(await subject.quote(real)).toMatchObject({ kind: 'quoted' });
  });

  it('finds no bridge route for an asset that 1Click does not list', async () => {
    solver.control.addFault({ endpoint: 'tokens', fault: { kind: 'answer', body: [] } });
    expect(await subject.quote(real)).toEqual({ kind: 'no_route' });
  });

  it('sends the configured headers with every request to 1Click', async () => {
    await subject.quote(real);
    await subject.status(EVM_ADDRESS, null);
    expect(solver.control.requests().map(({ headers }) => headers['authorization'])).toEqual([
      'Bearer key',
      'Bearer key',
      'Bearer key',
    ]);
  });
});
