import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { STRK } from '@sotto/bridge-core';
import { partnerRows } from '@sotto/http-client/testing';
import { assetIdOf } from '../../../src/bridge/one-click-tokens.js';
import { OneClickStatus, Tokens } from '../../../src/bridge/one-click.schemas.js';
import { toOneClickQuote, toOneClickStatus } from '../../../src/bridge/translate-one-click.js';
import { toQuote, toReportedStatus } from '../../../src/bridge/translate.js';
import * as shapes from '../fixtures/published-shapes.js';
import {
  DEADLINE,
  INACTIVE,
  START_SECONDS,
  USDC,
  requested,
  request,
  terms,
} from '../fixtures/published-transfer.js';

const spec = {
  quote: (change: object) => toQuote({ ...shapes.specQuote, ...change }, request),
  status: (change: object) => toReportedStatus({ ...shapes.specStatus, ...change }, 'tr_1'),
};
const oneClick = {
  quote: (change: object) =>
    toOneClickQuote(
      { ...shapes.oneClickQuote, quote: { ...shapes.oneClickQuote.quote, ...change } },
      requested,
      request,
    ),
  status: (change: object) =>
    toOneClickStatus(
      OneClickStatus.parse({
        ...shapes.oneClickStatus,
        swapDetails: { ...shapes.oneClickStatus.swapDetails, ...change },
      }),
      terms,
    ),
};
const malformed = expect.objectContaining({ code: 'BRIDGE_MALFORMED' });
const ABSENT = [null, undefined, { value: null }];

/** Checks of each row of the tables with published responses, by protocol and field. */
const ROWS: Readonly<Record<string, Readonly<Record<string, () => void>>>> = {
  spec: {
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
  oneclick: {
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
      expect(requested.slippageTolerance).toBe(shapes.oneClickQuoteRequest.slippageTolerance);
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
      // Two entries have the same name. The readable entry may belong to a different token, so
      // neither is used.
      const twins = Tokens.parse([
        { ...strk, assetId: null },
        { ...strk, assetId: 'nep141:x' },
      ]);
      expect(assetIdOf(twins.elements, STRK)).toBeUndefined();
    },
  },
};

const PAGE = readFileSync(
  new URL('../../../../../../docs/operations/partner-data.md', import.meta.url),
  'utf8',
);

describe.each(Object.entries(ROWS))('table of BRIDGE_PROTOCOL=%s', (protocol, rows) => {
  it('the table of each bridge protocol in partner-data.md has a tested row for each field', () => {
    const stated = partnerRows(PAGE, `Bridge, \`BRIDGE_PROTOCOL=${protocol}\``);
    expect(stated.map(({ field }) => field)).toEqual(Object.keys(rows));
    for (const { unit, sign, absent } of stated) expect([unit, sign, absent]).not.toContain('');
  });

  it.each(Object.entries(rows))('the row of %s in partner-data.md is correct', (_, check) => {
    expect(check).not.toThrow();
  });
});
