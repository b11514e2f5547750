import { describe, expect, it } from '@jest/globals';
import { OneClickStatus } from '../../../src/bridge/one-click.schemas.js';
import { checkOneClickTerms, toOneClickQuote } from '../../../src/bridge/translate-one-click.js';
import { toQuote, toReportedStatus } from '../../../src/bridge/translate.js';
import * as shapes from '../fixtures/published-shapes.js';
import { requested, request, terms } from '../fixtures/published-transfer.js';

describe('1Click echo', () => {
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
    ['depositMode', 'MEMO'],
    ['appFees', [{ recipient: 'a.near', fee: 100 }]],
    ['customRecipientMsg', 'message'],
    ['virtualChainRecipient', '0x1'],
    ['virtualChainRefundRecipient', '0x1'],
  ])(
    'rejects a 1Click quote whose repeated request differs from the sent request in %s',
    (field, value) => {
      const quoteRequest = { ...shapes.oneClickQuoteRequest, [field]: value };
      expect(() =>
        toOneClickQuote({ ...shapes.oneClickQuote, quoteRequest }, requested, request),
      ).toThrow(
        expect.objectContaining({
          code: 'BRIDGE_MALFORMED',
          details: { at: `quoteRequest.${field}` },
        }),
      );
    },
  );

  it('accepts a 1Click quote that repeats the sent values in another notation', () => {
    const quoteRequest = {
      ...shapes.oneClickQuoteRequest,
      amount: '0100000000',
      recipient: shapes.RECIPIENT.replace('0x', '0x0').toUpperCase().replace('0X', '0x'),
      refundTo: shapes.EVM_ADDRESS.toLowerCase(),
      depositMode: null,
      appFees: [],
      customRecipientMsg: null,
    };
    expect(
      toOneClickQuote({ ...shapes.oneClickQuote, quoteRequest }, requested, request),
    ).toMatchObject({ estimatedOutput: terms.estimatedOutput });
  });

  it.each([
    ['quoteRequest.amount', { quoteRequest: { amount: '1' } }],
    ['quoteRequest.recipient', { quoteRequest: { recipient: other } }],
    ['quote.depositAddress', { quote: { depositAddress: `0x${'ab'.repeat(20)}` } }],
  ])(
    'rejects a 1Click status whose repeated quote differs from the stored quote in %s',
    (at, quoteResponse) => {
      const status = OneClickStatus.parse({ ...shapes.oneClickStatus, quoteResponse });
      expect(() => checkOneClickTerms(status, terms)).toThrow(
        expect.objectContaining({ details: { at: `quoteResponse.${at}` } }),
      );
      expect(() =>
        checkOneClickTerms(OneClickStatus.parse(shapes.oneClickStatus), terms),
      ).not.toThrow();
    },
  );
});

describe('specification echo', () => {
  it.each([
    ['from_chain', 'base'],
    ['from_token', 'USDT'],
    ['to_chain', 'base'],
    ['to_token', 'ETH'],
    ['amount', '1000000000'],
    ['amount', 1_000_000_000],
    ['amount', '100 USDC'],
    ['dry_run', true],
    ['recipient', `${shapes.RECIPIENT.slice(0, -1)}3`],
  ])('rejects a bridge quote that repeats the request with a different %s', (field, value) => {
    expect(() => toQuote({ ...shapes.specQuote, [field]: value }, request)).toThrow(
      expect.objectContaining({ code: 'BRIDGE_MALFORMED', details: { at: field } }),
    );
  });

  it.each(['100000000', '0100000000', 100_000_000])(
    'a bridge quote may repeat the request’s fields in another notation, such as the amount %p',
    (amount) => {
      const recipient = shapes.RECIPIENT.replace('0x', '0x0');
      const echoed = { ...shapes.specQuote, recipient, amount, from_chain: null };
      expect(toQuote(echoed, request).estimatedOutput).toBe(terms.estimatedOutput);
    },
  );
});

describe('malformed elements', () => {
  it('omits and counts each malformed element of a list in a bridge response separately', () => {
    const places: string[] = [];
    const leaveOut = (at: string): void => void places.push(at);
    const route = [...shapes.specQuote.route, { step: 'teleport' }, null];
    expect(toQuote({ ...shapes.specQuote, route }, request, leaveOut).route).toHaveLength(2);
    const steps = [
      { step: 'deposit_detected', status: 'completed' },
      { step: 'swap_source_token', status: 7 },
      'bridge',
    ];
    const processing = { ...shapes.specStatus, status: 'processing', steps };
    expect(toReportedStatus(processing, 'tr_1', leaveOut).completedSteps).toBe(1);
    expect(places).toEqual(['route', 'route', 'steps', 'steps']);
  });
});
