import { describe, expect, it } from '@jest/globals';
import { classifyRejection } from '../../../src/aggregator/classify-rejection.js';

const UUID = '7f0c1a0e-2f4b-4a39-9d57-0c3b4f1f0a11';

describe('classifyRefusal', () => {
  it.each([
    ['Invalid quote id', 'quote_expired'],
    ['  invalid QUOTE   id.\n', 'quote_expired'],
    ['Invalid quoteId', 'quote_expired'],
    [`Invalid quote id: ${UUID}`, 'quote_expired'],
    ['Quote expired', 'quote_expired'],
    ['The quote has expired', 'quote_expired'],
    ['The quote is already expired.', 'quote_expired'],
    [`Quote ${UUID} has expired`, 'quote_expired'],
    [`Quote id ${UUID} not found`, 'quote_expired'],
    ['Expired quote', 'quote_expired'],
    ['Insufficient liquidity', 'no_liquidity'],
    ['Not enough routes: insufficient liquidity for this pair', 'no_liquidity'],
    ['Slippage too low', 'slippage_too_tight'],
    ['The swap exceeds the slippage', 'slippage_too_tight'],
    ['Insufficient tokens received', 'slippage_too_tight'],
    ['Contract error: Insufficient tokens received', 'slippage_too_tight'],
  ])(
    'classifies the aggregator’s rejection with status 400 and the text %j as %s',
    (text, reason) => {
      expect(classifyRejection(400, { messages: [text] })).toBe(reason);
      expect(classifyRejection(400, { messages: ['Bad Request', text] })).toBe(reason);
      expect(classifyRejection(400, { messages: [], revertError: text })).toBe(reason);
    },
  );

  it.each([
    // The text of the rejection quotes a request parameter, or a name within a request parameter.
    'Bad parameter takerAddress: quote expired',
    "No token with symbol 'invalid quote id'",
    'Unknown field expired',
    'The quota has expired',
    'Your API key has expired',
    'Session expired',
    'Certificate expired: quote not found',
    'Invalid quotes parameter',
    'Invalid quote idp',
    'Quoted price unknown to the market',
    'Requote expired',
    `Quote ${'x'.repeat(65)} has expired`,
    'Liquidity insufficient',
    'insufficient  liquidityprovider',
    'Insufficient balance',
    'slippages',
    'Token from balance is too low',
    '',
    ' ',
    'x'.repeat(100_000),
    '\u0130nvalid quote id',
  ])('finds no reason in the aggregator’s rejection with status 400 and the text %j', (text) => {
    expect(classifyRejection(400, { messages: [text] })).toBeUndefined();
  });

  it.each([
    [
      'the age of the quote before anything else',
      ['slippage', 'insufficient liquidity', 'Invalid quote id'],
      'quote_expired',
    ],
    [
      'missing liquidity before the tolerance',
      ['Insufficient liquidity for this slippage'],
      'no_liquidity',
    ],
  ])(
    'uses the reason with the highest precedence if an aggregator’s rejection contains several texts: %s',
    (_what, messages, reason) => {
      expect(classifyRejection(400, { messages })).toBe(reason);
    },
  );

  it.each([
    ['Contract error', 'Insufficient tokens received', 'slippage_too_tight'],
    [
      'Contract error: 0x496e73756666696369656e7420746f6b656e73207265636569766564 (Insufficient tokens received)',
      null,
      'slippage_too_tight',
    ],
    ['Contract error', 'Insufficient liquidity', 'no_liquidity'],
    ['Contract error', 'Token from balance is too low', undefined],
    ['Contract error', 'Invalid quote id', undefined],
    ['Quote expired', undefined, undefined],
  ])(
    'classifies the aggregator’s rejection with status 500, the message %j and the revert error %j as %s',
    (message, revertError, reason) => {
      expect(classifyRejection(500, { messages: [message], revertError })).toBe(reason);
    },
  );

  it.each([200, 401, 403, 404, 409, 429, 502, 503])(
    'ignores the texts of an aggregator’s response with status %d',
    (status) => {
      const messages = ['Invalid quote id', 'Insufficient liquidity', 'slippage'];
      expect(classifyRejection(status, { messages })).toBeUndefined();
    },
  );

  it.each([
    ['no JSON', undefined],
    ['null', null],
    ['a text', 'Invalid quote id'],
    ['fields that state no reason', { quote: { text: 'Invalid quote id' } }],
    ['an endless message', { messages: [`Invalid quote id${' '.repeat(100_000)}`] }],
  ])('finds no reason in the body of an aggregator’s rejection: %s', (_what, body) => {
    expect(classifyRejection(400, body)).toBeUndefined();
  });

  it.each([
    ['a list', ['Invalid quote id']],
    ['one error', { error: 'Invalid quote id' }],
    ['one message', { message: 'Invalid quote id' }],
    ['validation errors', { errors: [{ field: 'quoteId', message: 'Invalid quote id' }] }],
    ['details in a list', { detail: [{ loc: ['body'], msg: 'Invalid quote id' }] }],
    ['an object for the revert', { messages: ['Invalid quote id'], revertError: {} }],
  ])('T17 reads the reason from the body of an aggregator’s rejection: %s', (_what, body) => {
    expect(classifyRejection(400, body)).toBe('quote_expired');
  });

  it('classifies an aggregator’s text quickly even if the text is designed to slow down the patterns', () => {
    const texts = [
      'quote '.repeat(16_000),
      `quote ${'a-'.repeat(32)} `.repeat(1_000),
      ' '.repeat(100_000),
      'insufficient '.repeat(7_000),
    ];
    for (const text of texts) expect(classifyRejection(400, { messages: [text] })).toBeUndefined();
  });
});
