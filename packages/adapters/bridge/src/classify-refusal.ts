import type { QuoteRefusal } from '@sotto/bridge-core';
import { BridgeMalformed } from './errors.js';
import { boundedText } from './wire.js';

/** Parts of a refusal that are read. */
const MAX_TEXTS = 20;
const MAX_LENGTH = 10_000;
/** Fields in which partners and their frameworks explain a refusal. */
const FIELDS = ['error', 'message', 'messages', 'errors', 'detail', 'details', 'reason', 'msg'];

/** Texts of an error body: a text, an object with texts in known fields, or a list of either. */
function textsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > 3) return [];
  if (Array.isArray(value))
    return value.slice(0, MAX_TEXTS).flatMap((element) => textsIn(element, depth + 1));
  return FIELDS.flatMap((name) => textsIn(Reflect.get(value, name), depth + 1));
}

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
 * @throws BridgeMalformed when the text is of no known kind
 */
export function classifyRefusal(status: number, body: unknown): QuoteRefusal {
  const whole = textsIn(body).slice(0, MAX_TEXTS).join('; ').slice(0, MAX_LENGTH);
  const words = whole.toLowerCase();
  const text = boundedText(whole);
  const explained = text === undefined ? {} : { text };
  if (TOO_LOW.test(words)) {
    const least = LEAST_AMOUNT.exec(words)?.[1];
    const minimum = least === undefined ? null : BigInt(least);
    return { kind: 'amount_too_low', minimum, ...explained };
  }
  if (RECIPIENT.test(words)) return { kind: 'recipient_refused', ...explained };
  if (REFUND.test(words)) return { kind: 'refund_address_needed', ...explained };
  if (NO_ROUTE.test(words)) return { kind: 'no_route', ...explained };
  throw new BridgeMalformed({
    message: 'the bridge refuses what it was asked and its reason is unknown',
    details: { status, ...explained },
  });
}
