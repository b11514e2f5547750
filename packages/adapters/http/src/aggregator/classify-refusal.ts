import { statedTexts } from '@sotto/http-client';

/** Why the aggregator does not do what it was asked, as far as it can be known. */
export type RefusalReason = 'quote_expired' | 'no_liquidity' | 'slippage_too_tight';

export const BAD_REQUEST = 400;
/** Also the answer when the aggregator's own run of the swap reverts. */
export const SERVER_ERROR = 500;

/**
 * Protocols that publish no codes leave only texts: these say it from their first word on, so that
 * no quoted parameter can.
 */
const EXPIRED = [
  /^invalid quote ?id\b/,
  /^(?:the |this |your )?quote(?: ?id)?(?: [\w-]{1,64})? (?:is |has |was )?(?:been )?(?:already )?(?:expired|invalid|unknown|not found)\b/,
  /^expired quote\b/,
];
/** The specification: messages mentioning these. */
const NO_LIQUIDITY = [/\binsufficient liquidity\b/];
/** The second is the router's own revert. */
const TOO_TIGHT = [/\bslippage\b/, /\binsufficient tokens received\b/];

/**
 * Reasons that each status can have: a server that fails knows nothing of the quote's age. In order
 * of precedence.
 */
const REASONS_OF: ReadonlyMap<number, readonly (readonly [RefusalReason, readonly RegExp[]])[]> =
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
 * The reason of a refusal, by its status first and its texts last; undefined when they give none. A
 * wrong reason costs a further question or a wrong word to the caller, never money: what was built
 * is checked whatever the aggregator says.
 */
export function classifyRefusal(status: number, body: unknown): RefusalReason | undefined {
  const texts = statedTexts(body).map((text) => text.trim().toLowerCase().replaceAll(/\s+/g, ' '));
  const found = REASONS_OF.get(status)?.find(([, patterns]) =>
    texts.some((text) => patterns.some((pattern) => pattern.test(text))),
  );
  return found?.[0];
}
