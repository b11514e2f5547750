import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  BRIDGE_CHAINS,
  BridgeCounters,
  GetTransferStatus,
  QuoteTransfer,
  STRK,
  type BridgeAsset,
  type BridgeProtocol,
  type QuotedTerms,
  type TransferRequest,
  type TransferStatus,
} from '@sotto/bridge-core';
import { InMemoryTransferStore } from '@sotto/bridge-core/testing';
import { LoopbackUpstream } from '@sotto/http-client/testing';
import { ManualClock } from '@sotto/kernel/testing';
import { HttpBridgeProtocol, OneClickBridgeProtocol } from '../../src/index.js';
import { assetIdOf } from '../../src/one-click-tokens.js';
import { OneClickStatus, Tokens } from '../../src/one-click.schemas.js';
import {
  checkOneClickTerms,
  oneClickQuoteBody,
  toOneClickQuote,
  toOneClickSighting,
} from '../../src/translate-one-click.js';
import { toQuote, toSighting } from '../../src/translate.js';
import { boundedText } from '../../src/wire.js';
import * as shapes from '../fixtures/published-shapes.js';

const START_SECONDS = 1_800_000_000;
const [DEADLINE, INACTIVE] = [START_SECONDS + 3_600, START_SECONDS + 1_800];

function listed(chainId: string, symbol: string): BridgeAsset {
  const chain = BRIDGE_CHAINS.find(({ id }) => id === chainId);
  const token = chain?.tokens.find((candidate) => candidate.symbol === symbol);
  if (chain === undefined || token === undefined) throw new Error('not in the catalogue');
  return { chain: chain.id, family: chain.family, ...token };
}
const USDC = listed('ethereum', 'USDC');

const request: TransferRequest = {
  from: USDC,
  to: STRK,
  amount: 100_000_000n,
  refundTo: shapes.EVM_ADDRESS,
  dryRun: false,
  recipient: shapes.RECIPIENT,
};
const asked = oneClickQuoteBody(
  request,
  {
    origin: shapes.oneClickQuoteRequest.originAsset,
    destination: shapes.oneClickQuoteRequest.destinationAsset,
  },
  { slippageBps: 100, deadlineMs: DEADLINE * 1_000 },
);
const terms: QuotedTerms = {
  from: USDC,
  to: STRK,
  amount: request.amount,
  estimatedOutput: 831_200_000_000_000_000_000n,
  recipient: shapes.RECIPIENT,
  depositAddress: shapes.EVM_ADDRESS,
  depositMemo: null,
  deadlineSeconds: INACTIVE,
};

const spec = {
  quote: (change: object) => toQuote({ ...shapes.specQuote, ...change }, request),
  status: (change: object) => toSighting({ ...shapes.specStatus, ...change }, 'tr_1'),
};
const oneClick = {
  quote: (change: object) =>
    toOneClickQuote(
      { ...shapes.oneClickQuote, quote: { ...shapes.oneClickQuote.quote, ...change } },
      asked,
      request,
    ),
  status: (change: object) =>
    toOneClickSighting(
      OneClickStatus.parse({
        ...shapes.oneClickStatus,
        swapDetails: { ...shapes.oneClickStatus.swapDetails, ...change },
      }),
      terms,
    ),
};
const malformed = expect.objectContaining({ code: 'BRIDGE_MALFORMED' });
const ABSENT = [null, undefined, { value: null }];

/** What each row of the tables says, against the published shapes. */
const ROWS: Readonly<Record<string, Readonly<Record<string, () => void>>>> = {
  'BRIDGE_PROTOCOL=spec': {
    estimated_output: () => {
      expect(spec.quote({}).estimatedOutput).toBe(terms.estimatedOutput);
      for (const estimated_output of [...ABSENT, '-831.2 STRK', '831.2', '831.2 USDC'])
        expect(() => spec.quote({ estimated_output })).toThrow(malformed);
    },
    deposit_deadline: () => {
      for (const deposit_deadline of [DEADLINE, DEADLINE * 1_000, '2027-01-15T09:00:00Z'])
        expect(spec.quote({ deposit_deadline }).deposit?.deadlineSeconds).toBe(DEADLINE);
      for (const deposit_deadline of ABSENT)
        expect(spec.quote({ deposit_deadline }).deposit?.deadlineSeconds).toBeNull();
      expect(() => spec.quote({ deposit_deadline: 'tomorrow' })).toThrow(malformed);
    },
    expires_at: () => {
      const both = { deposit_deadline: DEADLINE, expires_at: INACTIVE };
      expect(spec.quote(both).deposit?.deadlineSeconds).toBe(INACTIVE);
    },
    output_amount: () => {
      expect(spec.status({}).output).toEqual({ tokens: '831.2', symbol: 'STRK' });
      for (const output_amount of ['831.2', 831.2])
        expect(spec.status({ output_amount }).output).toEqual({ tokens: '831.2', symbol: null });
      for (const output_amount of [...ABSENT, '-1 STRK', -1])
        expect(spec.status({ output_amount }).output).toBeUndefined();
    },
    output_tx_hash: () => {
      expect(spec.status({}).details.send_to_recipient?.txHash).toBe('0x3f1e');
      for (const output_tx_hash of [...ABSENT, ''])
        expect(spec.status({ output_tx_hash }).details.send_to_recipient?.txHash).toBeUndefined();
    },
    completion_time: () => {
      for (const completion_time of [START_SECONDS, START_SECONDS * 1_000]) {
        const { details } = spec.status({ completion_time });
        expect(details.send_to_recipient?.completedAtSeconds).toBe(START_SECONDS);
      }
      for (const completion_time of ABSENT) {
        const { details } = spec.status({ completion_time });
        expect(details.send_to_recipient?.completedAtSeconds).toBeUndefined();
      }
    },
    deposited_amount: () => {
      const { deposited } = spec.status({ deposited_amount: '60.5 USDC' });
      expect(deposited).toEqual({ tokens: '60.5', symbol: 'USDC' });
      for (const deposited_amount of ABSENT)
        expect(spec.status({ deposited_amount }).deposited).toBeUndefined();
    },
    refunded_amount: () => {
      const { refund } = spec.status({ refunded_amount: '0' });
      expect(refund).toEqual({ tokens: '0', symbol: null });
      for (const refunded_amount of ABSENT)
        expect(spec.status({ refunded_amount }).refund).toBeUndefined();
    },
  },
  'BRIDGE_PROTOCOL=oneclick': {
    'quote.amountIn': () => {
      for (const amountIn of [...ABSENT, '99999999', '-100000000'])
        expect(() => oneClick.quote({ amountIn })).toThrow(malformed);
    },
    'quote.amountOut': () => {
      expect(oneClick.quote({}).estimatedOutput).toBe(terms.estimatedOutput);
      for (const amountOut of [...ABSENT, '-1', '831.2'])
        expect(() => oneClick.quote({ amountOut })).toThrow(malformed);
    },
    'quote.deadline': () => {
      const late = { timeWhenInactive: '2027-01-15T10:00:00Z' };
      expect(oneClick.quote(late).deposit?.deadlineSeconds).toBe(DEADLINE);
      const absent = { deadline: null, timeWhenInactive: null };
      expect(oneClick.quote(absent).deposit?.deadlineSeconds).toBeNull();
      expect(() => oneClick.quote({ deadline: 'tomorrow' })).toThrow(malformed);
    },
    'quote.timeWhenInactive': () => {
      expect(oneClick.quote({}).deposit?.deadlineSeconds).toBe(INACTIVE);
      expect(oneClick.quote({ deadline: null }).deposit?.deadlineSeconds).toBe(INACTIVE);
    },
    'quote.timeEstimate': () => {
      expect(oneClick.quote({}).durationSeconds).toBe(120);
      for (const timeEstimate of [...ABSENT, -1])
        expect(oneClick.quote({ timeEstimate }).durationSeconds).toBeNull();
    },
    'quote.withdrawFee': () => {
      expect(oneClick.quote({}).fees.bridgeFee).toBe('0.5 STRK');
      for (const withdrawFee of ABSENT)
        expect(oneClick.quote({ withdrawFee }).fees.bridgeFee).toBeNull();
    },
    slippageTolerance: () => {
      expect(asked.slippageTolerance).toBe(shapes.oneClickQuoteRequest.slippageTolerance);
    },
    'swapDetails.amountOut': () => {
      expect(oneClick.status({}).output).toEqual({ tokens: '830', symbol: 'STRK' });
      expect(oneClick.status({ amountOut: '0' }).output?.tokens).toBe('0');
      for (const amountOut of [...ABSENT, '-1'])
        expect(oneClick.status({ amountOut, amountOutFormatted: null }).output).toBeUndefined();
    },
    amountOutFormatted: () => {
      const { output } = oneClick.status({ amountOut: null });
      expect(output).toEqual({ tokens: '830.0', symbol: 'STRK' });
    },
    depositedAmount: () => {
      expect(oneClick.status({}).deposited).toEqual({ tokens: '100', symbol: 'USDC' });
      for (const depositedAmount of ABSENT) {
        const change = { depositedAmount, depositedAmountFormatted: null };
        expect(oneClick.status(change).deposited).toBeUndefined();
      }
    },
    refundedAmount: () => {
      for (const refundedAmount of ['0', 0])
        expect(oneClick.status({ refundedAmount }).refund).toEqual({ tokens: '0', symbol: 'USDC' });
      for (const refundedAmount of ABSENT) {
        const change = { refundedAmount, refundedAmountFormatted: null };
        expect(oneClick.status(change).refund).toBeUndefined();
      }
    },
    destinationChainTxHashes: () => {
      expect(oneClick.status({}).details.send_to_recipient?.txHash).toBe('0x3f1e');
      for (const destinationChainTxHashes of [...ABSENT, [], [null], [{ hash: '' }]]) {
        const { details } = oneClick.status({ destinationChainTxHashes });
        expect(details.send_to_recipient?.txHash).toBeUndefined();
      }
      const afterABadOne = { destinationChainTxHashes: [{ hash: null }, { hash: '0x1' }] };
      expect(oneClick.status(afterABadOne).details.send_to_recipient?.txHash).toBe('0x1');
    },
    updatedAt: () => {
      expect(oneClick.status({}).details.send_to_recipient?.completedAtSeconds).toBe(
        START_SECONDS + 120,
      );
    },
    decimals: () => {
      const [strk, usdc] = shapes.oneClickTokens;
      const { elements, leftOut } = Tokens.parse([{ ...strk, decimals: null }, usdc, null, 7]);
      expect(leftOut).toBe(2);
      expect(assetIdOf(elements, USDC)).toBe(usdc?.assetId);
      expect(assetIdOf(elements, STRK)).toBeUndefined();
      // The readable namesake may be another token.
      const twins = Tokens.parse([
        { ...strk, assetId: null },
        { ...strk, assetId: 'nep141:x' },
      ]);
      expect(assetIdOf(twins.elements, STRK)).toBeUndefined();
    },
  },
};

const page = readFileSync(
  new URL('../../../../../docs/operations/bridge-data.md', import.meta.url),
  'utf8',
);
const sections = page.split(/^## /m).slice(1);

describe.each(Object.entries(ROWS))('the table of %s', (profile, rows) => {
  const section = sections.find((text) => text.startsWith(`${profile}\n`)) ?? '';
  const cells = section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()));

  it('has a checked row for each field, with all of its columns', () => {
    expect(cells.map(([, field = '']) => field.replaceAll('`', ''))).toEqual(Object.keys(rows));
    for (const [, ...columns] of cells) {
      expect(columns.slice(0, 6).every((column) => column !== '')).toBe(true);
      expect(columns[5]).toMatch(/^20\d\d-\d\d-\d\d$/);
    }
  });

  it.each(Object.entries(rows))('is right about %s', (_, check) => {
    expect(check).not.toThrow();
  });
});

describe('an echo of 1Click', () => {
  const other = `${shapes.RECIPIENT.slice(0, -1)}3`;
  it.each([
    ['dry', true],
    ['swapType', 'FLEX_INPUT'],
    ['slippageTolerance', 1_000],
    ['originAsset', 'nep141:eth.omft.near'],
    ['depositType', 'INTENTS'],
    ['destinationAsset', 'nep141:eth.omft.near'],
    ['amount', '1000000000'],
    ['refundTo', '0x52908400098527886E0F7030069857D2E4169EE7'],
    ['refundType', 'INTENTS'],
    ['recipient', other],
    ['recipientType', 'INTENTS'],
  ])('with another %s is rejected', (field, value) => {
    const quoteRequest = { ...shapes.oneClickQuoteRequest, [field]: value };
    expect(() =>
      toOneClickQuote({ ...shapes.oneClickQuote, quoteRequest }, asked, request),
    ).toThrow(
      expect.objectContaining({
        code: 'BRIDGE_MALFORMED',
        details: { at: `quoteRequest.${field}` },
      }),
    );
  });

  it('is accepted in another form of the same value', () => {
    const quoteRequest = {
      ...shapes.oneClickQuoteRequest,
      amount: '0100000000',
      recipient: shapes.RECIPIENT.replace('0x', '0x0').toUpperCase().replace('0X', '0x'),
      refundTo: shapes.EVM_ADDRESS.toLowerCase(),
    };
    expect(
      toOneClickQuote({ ...shapes.oneClickQuote, quoteRequest }, asked, request),
    ).toMatchObject({ estimatedOutput: terms.estimatedOutput });
  });

  it.each([
    ['quoteRequest.amount', { quoteRequest: { amount: '1' } }],
    ['quoteRequest.recipient', { quoteRequest: { recipient: other } }],
    ['quote.depositAddress', { quote: { depositAddress: `0x${'ab'.repeat(20)}` } }],
  ])('in a status with another %s is rejected', (at, quoteResponse) => {
    const status = OneClickStatus.parse({ ...shapes.oneClickStatus, quoteResponse });
    expect(() => checkOneClickTerms(status, terms)).toThrow(
      expect.objectContaining({ details: { at: `quoteResponse.${at}` } }),
    );
    expect(() =>
      checkOneClickTerms(OneClickStatus.parse(shapes.oneClickStatus), terms),
    ).not.toThrow();
  });
});

describe('an echo of the protocol of the specification', () => {
  it.each([
    ['from_chain', 'base'],
    ['from_token', 'USDT'],
    ['to_chain', 'base'],
    ['to_token', 'ETH'],
    ['amount', '1000000000'],
    ['dry_run', true],
    ['recipient', `${shapes.RECIPIENT.slice(0, -1)}3`],
  ])('with another %s is rejected', (field, value) => {
    expect(() => spec.quote({ [field]: value })).toThrow(
      expect.objectContaining({ code: 'BRIDGE_MALFORMED', details: { at: field } }),
    );
  });

  it('may be absent, or the same in another form', () => {
    const recipient = shapes.RECIPIENT.replace('0x', '0x0');
    expect(spec.quote({ recipient, amount: '100000000', from_chain: null })).toMatchObject({
      estimatedOutput: terms.estimatedOutput,
    });
  });
});

describe('malformed elements', () => {
  it('are left out one by one and counted', () => {
    const counters = new BridgeCounters();
    const route = [...shapes.specQuote.route, { step: 'teleport' }, null];
    expect(toQuote({ ...shapes.specQuote, route }, request, counters).route).toHaveLength(2);
    const steps = [
      { step: 'deposit_detected', status: 'completed' },
      { step: 'swap_source_token', status: 7 },
      'bridge',
    ];
    const processing = { ...shapes.specStatus, status: 'processing', steps };
    expect(toSighting(processing, 'tr_1', counters).completedSteps).toBe(1);
    expect([counters.count('leg'), counters.count('step')]).toEqual([2, 2]);
  });
});

describe('a text of a partner', () => {
  it('is bounded to one line without addresses, hashes and keys', () => {
    const text = `${shapes.RECIPIENT}\n is not\u0000 a   recipient ${'very '.repeat(100)}`;
    const bounded = boundedText(text);
    expect(bounded).toMatch(/^… is not a recipient very /);
    expect(bounded?.length).toBeLessThanOrEqual(200);
    expect(boundedText(' \n')).toBeUndefined();
  });
});

/** Answers the token list with the published one, and every other request with the body. */
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
  [
    'spec',
    (url: string, counters: BridgeCounters): Adapter =>
      new HttpBridgeProtocol({ url, retry: { maxAttempts: 1 } }, counters),
  ],
  [
    'oneclick',
    (url: string, counters: BridgeCounters): Adapter =>
      new OneClickBridgeProtocol(
        { url, retry: { maxAttempts: 1 } },
        new ManualClock(START_SECONDS * 1_000),
        counters,
      ),
  ],
] as const)('a transfer of the protocol %s', (profile, connect) => {
  let upstream: LoopbackUpstream;
  let adapter: Adapter;
  let store: InMemoryTransferStore;
  let counters: BridgeCounters;
  const clock = new ManualClock(START_SECONDS * 1_000);
  const id = profile === 'spec' ? 'tr_1' : shapes.EVM_ADDRESS;

  beforeEach(async () => {
    upstream = await LoopbackUpstream.start();
    counters = new BridgeCounters();
    adapter = connect(upstream.url, counters);
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

  it('is completed with the delivered amount', async () => {
    await quoted();
    const status = await follow(profile === 'spec' ? shapes.specStatus : shapes.oneClickStatus);
    expect(status).toMatchObject({
      status: 'completed',
      reason: null,
      amounts: { output: profile === 'spec' ? '831.2 STRK' : '830 STRK', shortfall: null },
    });
  });

  it('is completed with a shortfall', async () => {
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

  it('stays unconfirmed when only the word says that it was delivered', async () => {
    await quoted();
    const status = await follow(
      profile === 'spec' ? shapes.specStatusOfNulls : shapes.oneClickRefundedSuccess,
    );
    expect(status).toMatchObject({ status: 'processing', reason: 'unconfirmed' });
    expect(await store.countUnconfirmed(START_SECONDS)).toBe(1);
  });

  it('shows what is missing from an incomplete deposit, and until when', async () => {
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

  it('shows how much was refunded, and why', async () => {
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

  it('is not quoted once the deadline has passed', async () => {
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

  it('is refused with the partner’s texts, in list form as well', async () => {
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

  it.each([401, 403])('is refused for credentials that the partner rejects: %s', async (code) => {
    expect(await quote({ message: 'Invalid token' }, code)).toMatchObject({
      code: 'BRIDGE_ACCESS_DENIED',
    });
    expect(counters.count('access_denied')).toBe(1);
  });

  it('passes on an unknown status word as text', async () => {
    await quoted();
    const base = profile === 'spec' ? shapes.specStatusOfNulls : shapes.oneClickIncomplete;
    expect(await follow({ ...base, status: 'RECALIBRATING' })).toMatchObject({
      status: 'processing',
      reason: null,
      reasonText: 'RECALIBRATING',
    });
  });
});

describe('a status of 1Click for a transfer that was quoted elsewhere', () => {
  it('has units from the token list', async () => {
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
