import { statedTexts } from '@sotto/http-client';

/** Known reasons for which the aggregator rejects a request. */
export type RejectionReason = 'quote_expired' | 'no_liquidity' | 'slippage_too_tight';

export const BAD_REQUEST = 400;
/** Status of an internal error. The aggregator also uses it if its own run of the swap reverts. */
export const SERVER_ERROR = 500;

/**
 * Texts that report an expired quote, for protocols without error codes. The patterns match from
 * the beginning, so that a quoted parameter cannot imitate them.
 */
const EXPIRED = [
  /^invalid quote ?id\b/,
  /^(?:the |this |your )?quote(?: ?id)?(?: [\w-]{1,64})? (?:is |has |was )?(?:been )?(?:already )?(?:expired|invalid|unknown|not found)\b/,
  /^expired quote\b/,
];
/** Texts that report missing liquidity, as the specification defines them. */
const NO_LIQUIDITY = [/\binsufficient liquidity\b/];
/**
 * Texts that report a slippage tolerance that is too tight. The second text is the revert reason of
 * the router itself.
 */
const TOO_TIGHT = [/\bslippage\b/, /\binsufficient tokens received\b/];

/**
 * Possible reasons of a rejection, by HTTP status, in order of precedence. With status 500 a quote
 * is never reported as expired, because a failing server does not know this.
 */
const REASONS_OF: ReadonlyMap<number, readonly (readonly [RejectionReason, readonly RegExp[]])[]> =
  new Map([
    [
      BAD_REQUEST,
      [
        ['quote_expired', EXPIRED],
        ['no_liquidity', NO_LIQUIDITY],
        ['slippage_too_tight', TOO_TIGHT],
      ],
    ],
    [
      SERVER_ERROR,
      [
        ['no_liquidity', NO_LIQUIDITY],
        ['slippage_too_tight', TOO_TIGHT],
      ],
    ],
  ]);

/**
 * Returns the reason of a rejection, by its status first and its texts second; undefined if neither
 * reveals a reason. A wrong reason causes an extra request or a misleading message, never a loss:
 * the built calls are checked regardless of the aggregator's response.
 */
export function classifyRejection(status: number, body: unknown): RejectionReason | undefined {
  const texts = statedTexts(body).map((text) => text.trim().toLowerCase().replaceAll(/\s+/g, ' '));
  const found = REASONS_OF.get(status)?.find(([, patterns]) =>
    texts.some((text) => patterns.some((pattern) => pattern.test(text))),
  );
  return found?.[0];
}
