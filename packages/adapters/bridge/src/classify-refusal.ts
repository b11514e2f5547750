import type { QuoteAnswer } from '@sotto/bridge-core';
import { z } from 'zod';
import { BridgeMalformed } from './errors.js';

/** The error body of either shape. */
const Refusal = z.object({
  error: z.string().max(10_000).optional(),
  message: z.string().max(10_000).optional(),
});

const TOO_LOW = /amount is too low|below (?:the )?minimum|minimum (?:swap )?amount/;
/** `try at least 1000`, in smallest units. */
const LEAST_AMOUNT = /try at least ([0-9]{1,78})(?![0-9.,])/;
const RECIPIENT = /recipient (?:is )?(?:not valid|invalid)|invalid recipient/;
const REFUND = /refundto (?:is )?(?:not valid|invalid)|invalid refund/;
const NO_ROUTE =
  /no liquidity|no route|failed to get quote|token(?:in|out)? (?:is )?(?:not valid|not supported|invalid)|unsupported/;

/**
 * The reason of a refused quote, by its text. A wrong reason costs a wrong word to the caller,
 * never money.
 * @throws BridgeMalformed when the text gives none
 */
export function classifyRefusal(status: number, body: unknown): QuoteAnswer {
  const refusal = Refusal.safeParse(body);
  const { error = '', message = '' } = refusal.success ? refusal.data : {};
  const text = `${error} ${message}`.toLowerCase();
  if (TOO_LOW.test(text)) {
    const least = LEAST_AMOUNT.exec(text)?.[1];
    return { kind: 'amount_too_low', minimum: least === undefined ? null : BigInt(least) };
  }
  if (RECIPIENT.test(text)) return { kind: 'recipient_refused' };
  if (REFUND.test(text)) return { kind: 'refund_address_needed' };
  if (NO_ROUTE.test(text)) return { kind: 'no_route' };
  throw new BridgeMalformed({
    message: 'the bridge refuses what it was asked and its reason is unknown',
    details: { status },
  });
}
