import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  GetTransferStatus,
  QuoteTransfer,
  type BridgeProtocol,
  type TransferStatus,
} from '@sotto/bridge-core';
import { InMemoryTransferStore } from '@sotto/bridge-core/testing';
import { PartnerFindings, type UpstreamSettings } from '@sotto/http-client';
import { LoopbackUpstream } from '@sotto/http-client/testing';
import { ManualClock } from '@sotto/kernel/testing';
import { HttpBridgeProtocol, OneClickBridgeProtocol } from '../../../src/bridge/index.js';
import * as shapes from '../fixtures/published-shapes.js';
import { INACTIVE, START_SECONDS, request } from '../fixtures/published-transfer.js';

/** Serves the published token list, and the given body for every other request. */
function serve(upstream: LoopbackUpstream, body: unknown, status = 200): void {
  upstream.handler = (response, { url = '' }) => {
    const isList = url.startsWith('/v0/tokens');
    response
      .writeHead(isList ? 200 : status, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(isList ? shapes.oneClickTokens : body));
  };
}

type Adapter = BridgeProtocol & { close(): void };

describe.each([
  ['spec', (settings: UpstreamSettings): Adapter => new HttpBridgeProtocol(settings)],
  [
    'oneclick',
    (settings: UpstreamSettings): Adapter =>
      new OneClickBridgeProtocol(settings, new ManualClock(START_SECONDS * 1_000)),
  ],
] as const)('a transfer of the protocol %s', (profile, connect) => {
  let upstream: LoopbackUpstream;
  let adapter: Adapter;
  let store: InMemoryTransferStore;
  let findings: PartnerFindings;
  const clock = new ManualClock(START_SECONDS * 1_000);
  const id = profile === 'spec' ? 'tr_1' : shapes.EVM_ADDRESS;

  beforeEach(async () => {
    upstream = await LoopbackUpstream.start();
    findings = new PartnerFindings('bridge');
    adapter = connect({ url: upstream.url, retry: { maxAttempts: 1 }, findings });
    store = new InMemoryTransferStore();
  });
  afterEach(async () => {
    adapter.close();
    await upstream.stop();
  });

  const quote = async (body: unknown, status = 200): Promise<unknown> => {
    serve(upstream, body, status);
    return new QuoteTransfer(adapter, store, clock)
      .execute({
        fromChain: 'ethereum',
        fromToken: 'USDC',
        toChain: 'starknet',
        toToken: 'STRK',
        amount: '100000000',
        dryRun: false,
        recipient: shapes.RECIPIENT,
        refundTo: shapes.EVM_ADDRESS,
      })
      .catch((error: unknown) => error);
  };
  const quoted = () => quote(profile === 'spec' ? shapes.specQuote : shapes.oneClickQuote);
  const follow = async (body: unknown): Promise<TransferStatus> => {
    serve(upstream, body);
    return new GetTransferStatus(adapter, store, clock).execute({ transactionId: id });
  };

  it('a bridge transfer with a delivery is reported as completed with the delivered amount', async () => {
    await quoted();
    const status = await follow(profile === 'spec' ? shapes.specStatus : shapes.oneClickStatus);
    expect(status).toMatchObject({
      status: 'completed',
      reason: null,
      amounts: { output: profile === 'spec' ? '831.2 STRK' : '830 STRK', shortfall: null },
    });
  });

  it('a bridge transfer that delivered less than quoted is reported as completed with the missing amount', async () => {
    await quoted();
    const status = await follow(
      profile === 'spec'
        ? { ...shapes.specStatus, output_amount: '800' }
        : {
            ...shapes.oneClickStatus,
            swapDetails: {
              ...shapes.oneClickStatus.swapDetails,
              amountOut: '800000000000000000000',
            },
          },
    );
    expect(status).toMatchObject({
      status: 'completed',
      amounts: { output: '800 STRK', shortfall: '31.2 STRK' },
    });
  });

  it('a bridge transfer stays unconfirmed if only its status field states the delivery', async () => {
    await quoted();
    const status = await follow(
      profile === 'spec' ? shapes.specStatusOfNulls : shapes.oneClickRefundedSuccess,
    );
    expect(status).toMatchObject({ status: 'processing', reason: 'unconfirmed' });
    expect(await store.countUnconfirmed(START_SECONDS)).toBe(1);
  });

  it.each(['0x0', `0x${'0'.repeat(64)}`, '0', 'null', 'pending', '0x'])(
    'a bridge transfer stays unconfirmed if the hash of its delivery is %s',
    async (hash) => {
      await quoted();
      const { swapDetails } = shapes.oneClickStatus;
      const status = await follow(
        profile === 'spec'
          ? { transaction_id: id, status: 'completed', output_tx_hash: hash }
          : {
              ...shapes.oneClickStatus,
              swapDetails: {
                ...swapDetails,
                amountOut: null,
                amountOutFormatted: null,
                destinationChainTxHashes: [{ hash, explorerUrl: '' }],
              },
            },
      );
      expect(status).toMatchObject({ status: 'processing', reason: 'unconfirmed' });
    },
  );

  it('reports the missing amount of an incomplete bridge deposit, and the deposit’s deadline', async () => {
    await quoted();
    const status = await follow(
      profile === 'spec'
        ? {
            ...shapes.specStatusOfNulls,
            status: 'incomplete_deposit',
            deposited_amount: '60.5 USDC',
          }
        : shapes.oneClickIncomplete,
    );
    expect(status).toMatchObject({
      reason: 'deposit_incomplete',
      amounts: { deposited: '60.5 USDC', missing: '39.5 USDC' },
      deadlineSeconds: profile === 'spec' ? null : INACTIVE,
    });
  });

  it('reports the refunded amount and the reason of a bridge refund', async () => {
    await quoted();
    const status = await follow(
      profile === 'spec'
        ? {
            ...shapes.specStatusOfNulls,
            status: 'refunded',
            refunded_amount: '99.7',
            reason: 'PARTIAL_DEPOSIT',
          }
        : shapes.oneClickRefunded,
    );
    expect(status).toMatchObject({
      refund: 'refunded',
      reasonText: 'PARTIAL_DEPOSIT',
      amounts: { refunded: '99.7 USDC' },
    });
  });

  it('rejects a bridge quote whose deadline has passed', async () => {
    const past = '2027-01-15T08:00:00Z';
    const answered = await quote(
      profile === 'spec'
        ? { ...shapes.specQuote, deposit_deadline: past }
        : {
            ...shapes.oneClickQuote,
            quote: { ...shapes.oneClickQuote.quote, timeWhenInactive: past },
          },
    );
    expect(answered).toMatchObject({
      code: 'BRIDGE_QUOTE_UNUSABLE',
      details: { reason: 'expired' },
    });
  });

  it('a rejection of a bridge quote contains all texts that the bridge partner returns', async () => {
    expect(
      await quote({ message: ['recipient is not valid', 'x'], statusCode: 400 }, 400),
    ).toMatchObject({
      code: 'BRIDGE_RECIPIENT_INVALID',
      details: { reason: 'refused', text: 'recipient is not valid; x' },
    });
    serve(upstream, { errors: [{ msg: 'Bridge is closed on Sundays' }] }, 422);
    await expect(adapter.quote(request)).rejects.toMatchObject({
      code: 'BRIDGE_MALFORMED',
      details: { status: 422, text: 'Bridge is closed on Sundays' },
    });
  });

  it.each([401, 403])(
    'rejects a bridge quote if the bridge partner rejects the API key with %s',
    async (status) => {
      expect(await quote({ message: 'Invalid token' }, status)).toMatchObject({
        code: 'BRIDGE_UNAUTHORIZED',
        details: { status },
      });
      expect(findings.rejectedWith).toBe(status);
      await quoted();
      expect(findings.rejectedWith).toBeNull();
    },
  );

  it('T17 counts omitted elements of a bridge partner’s response', async () => {
    serve(
      upstream,
      profile === 'spec'
        ? { ...shapes.specStatus, steps: [null, 7] }
        : {
            ...shapes.oneClickStatus,
            swapDetails: {
              ...shapes.oneClickStatus.swapDetails,
              originChainTxHashes: [null],
              destinationChainTxHashes: [{ hash: '' }, { hash: '0x3f1e' }],
            },
          },
    );
    expect(await adapter.status(id, null)).toMatchObject({
      details: { send_to_recipient: { txHash: '0x3f1e' } },
    });
    expect(findings.leftOut).toBe(2);
  });

  it('returns an unknown status of a bridge transfer as text', async () => {
    await quoted();
    const base = profile === 'spec' ? shapes.specStatusOfNulls : shapes.oneClickIncomplete;
    expect(await follow({ ...base, status: 'RECALIBRATING' })).toMatchObject({
      status: 'processing',
      reason: null,
      reasonText: 'RECALIBRATING',
    });
  });
});

describe('1Click status of a transfer that was quoted elsewhere', () => {
  it('a 1Click transfer without a stored quote uses the decimals of the 1Click asset list', async () => {
    const upstream = await LoopbackUpstream.start();
    const adapter = new OneClickBridgeProtocol({ url: upstream.url });
    try {
      serve(upstream, shapes.oneClickStatus);
      expect(await adapter.status(shapes.EVM_ADDRESS, null)).toMatchObject({
        output: { tokens: '830', symbol: 'STRK' },
        deposited: { tokens: '100', symbol: 'USDC' },
      });
    } finally {
      adapter.close();
      await upstream.stop();
    }
  });
});
