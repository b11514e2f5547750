import type { QuoteRejection } from '@sotto/bridge-core';
import { statedTexts, type Upstream } from '@sotto/http-client';
import { BridgeMalformed } from './errors.js';

const TOO_LOW = /amount is too low|below (?:the )?minimum|minimum (?:swap )?amount/;
/** Pattern of the minimum amount in a text such as `try at least 1000`, in smallest units. */
const LEAST_AMOUNT = /try at least ([0-9]{1,78})(?![0-9.,])/;
const RECIPIENT = /recipient (?:is )?(?:not valid|invalid)|invalid recipient/;
const REFUND = /refundto (?:is )?(?:not valid|invalid)|invalid refund/;
const NO_ROUTE =
  /no liquidity|no route|failed to get quote|token(?:in|out)? (?:is )?(?:not valid|not supported|invalid)|unsupported/;

/**
 * Returns the reason of a rejected quote by its text. A wrong reason causes a misleading message,
 * never a loss.
 * @throws BridgeMalformed if the text matches no known reason
 */
export function classifyRejection(
  http: Pick<Upstream, 'reasonOf'>,
  status: number,
  body: unknown,
): QuoteRejection {
  const words = statedTexts(body).join('; ').toLowerCase();
  const text = http.reasonOf(body);
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
    message: 'the bridge rejects the request for an unknown reason',
    details: { status, ...explained },
  });
}
