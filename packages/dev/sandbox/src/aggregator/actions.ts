import { z } from 'zod';
import { Natural } from '../control/natural.js';
import { HTTP_FAULTS } from '../http/faults.js';
import type { Aggregator, AggregatorSettings } from './aggregator.js';
import { HOSTILE_DEEDS, HOSTILE_QUOTES } from './hostility.js';

/**
 * Control interface of the aggregator as JSON. The members of a control command have the names of
 * the parameters of the {@link Aggregator} methods.
 */

const Pair = { sellToken: Natural, buyToken: Natural };

const Fault = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('refuse'),
    status: z.int().min(400).max(599),
    messages: z.array(z.string()).optional(),
    revertError: z.string().optional(),
  }),
  ...HTTP_FAULTS,
  z.strictObject({ kind: z.literal('no-route') }),
  z.strictObject({ kind: z.literal('hostile'), deed: z.enum(HOSTILE_DEEDS) }),
  z.strictObject({ kind: z.literal('hostile-quotes'), deed: z.enum(HOSTILE_QUOTES) }),
]);

const Shape = z.enum(['spec', 'avnu']);
const Settings = z.strictObject({
  quoteShape: Shape.optional(),
  buildShape: Shape.optional(),
  routeForm: z.enum(['direct', 'split', 'branch']).optional(),
  quoteLifetimeMs: z.int().nonnegative().optional(),
  priceImpact: z.number().optional(),
  estimatedSlippage: z.number().optional(),
});

/** Control command for the aggregator: the name of a method and its arguments. */
export const AggregatorOrder = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('configure'), settings: Settings }),
  z.strictObject({
    action: z.literal('setRate'),
    ...Pair,
    sellAmount: Natural,
    buyAmount: Natural,
  }),
  z.strictObject({
    action: z.literal('moveRate'),
    ...Pair,
    byBps: z.int(),
    when: z.enum(['now', 'after-build']).optional(),
  }),
  z.strictObject({
    action: z.literal('setUsdPrice'),
    token: Natural,
    usd: z.union([z.number().nonnegative(), z.null(), z.literal('oracle')]),
  }),
  z.strictObject({
    action: z.literal('setHistory'),
    token: Natural,
    shape: z.strictObject({
      meanUsd: z.number().positive().optional(),
      waveUsd: z.number().nonnegative().optional(),
    }),
  }),
  z.strictObject({
    action: z.literal('setClose'),
    token: Natural,
    daysAgo: z.int().positive(),
    usd: z.number().positive().nullable(),
    source: z.enum(['first', 'second']).optional(),
  }),
  z.strictObject({ action: z.literal('clearCloses'), token: Natural }),
  z.strictObject({ action: z.literal('expireQuotes') }),
  z.strictObject({
    action: z.literal('addFault'),
    endpoint: z.enum(['quotes', 'build', 'prices', 'history', 'secondHistory', '*']),
    fault: Fault,
    times: z.int().positive().optional(),
  }),
  z.strictObject({ action: z.literal('clearFaults') }),
  z.strictObject({ action: z.literal('counters') }),
  z.strictObject({ action: z.literal('requests') }),
  z.strictObject({ action: z.literal('resetCounters') }),
]);

/**
 * Performs a control command and returns the result of the method. @throws RangeError if the
 * command is impossible
 */
export function performOrder(
  aggregator: Aggregator,
  order: z.output<typeof AggregatorOrder>,
): unknown {
  switch (order.action) {
    case 'configure':
      return aggregator.configure(given(order.settings));
    case 'setRate':
      return aggregator.setRate(order);
    case 'moveRate':
      return aggregator.moveRate(order, order.byBps, order.when);
    case 'setUsdPrice':
      return aggregator.setUsdPrice(order.token, order.usd);
    case 'setHistory': {
      const { meanUsd, waveUsd } = order.shape;
      return aggregator.setHistory(order.token, {
        ...(meanUsd !== undefined && { meanUsd }),
        ...(waveUsd !== undefined && { waveUsd }),
      });
    }
    case 'setClose':
      return aggregator.setClose(order.token, order.daysAgo, order.usd, order.source);
    case 'clearCloses':
      return aggregator.clearCloses(order.token);
    case 'expireQuotes':
      return aggregator.expireQuotes();
    case 'addFault':
      return aggregator.addFault(order);
    case 'clearFaults':
      return aggregator.clearFaults();
    case 'counters':
      return aggregator.counters();
    case 'requests':
      return aggregator.requests();
    case 'resetCounters':
      return aggregator.resetCounters();
  }
}

function given({
  quoteShape,
  buildShape,
  routeForm,
  quoteLifetimeMs,
  priceImpact,
  estimatedSlippage,
}: z.output<typeof Settings>): Partial<AggregatorSettings> {
  return {
    ...(quoteShape !== undefined && { quoteShape }),
    ...(buildShape !== undefined && { buildShape }),
    ...(routeForm !== undefined && { routeForm }),
    ...(quoteLifetimeMs !== undefined && { quoteLifetimeMs }),
    ...(priceImpact !== undefined && { priceImpact }),
    ...(estimatedSlippage !== undefined && { estimatedSlippage }),
  };
}
