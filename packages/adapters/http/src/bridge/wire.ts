import type { ReportedAmount } from '@sotto/bridge-core';
import { absentAsNull, partnerText, type LeaveOut } from '@sotto/http-client';
import { z } from 'zod';

/**
 * Schema of a transaction hash in any chain's format: letters and digits. Zero and short words such
 * as `pending` are placeholders without a transaction, so they are rejected.
 */
export const HashText = z
  .string()
  .regex(/^(?!(?:0[xX])?0*$)(?=[A-Za-z]*[0-9]|.{32})[0-9A-Za-z]{1,128}$/);

/** Schema of a transaction hash that is returned to callers; undefined if the value is no hash. */
export const TxHash = HashText.optional().catch(undefined);

/**
 * Limits for Unix times in seconds (years 2001 and 5138): smaller numbers are durations, larger
 * numbers are milliseconds.
 */
const EARLIEST_SECONDS = 1e9;
const LATEST_SECONDS = 1e11;

/**
 * Schema that returns Unix seconds for a number in seconds or milliseconds; undefined for other
 * values.
 */
export const Moment = z
  .number()
  .transform((value) => Math.floor(value < LATEST_SECONDS ? value : value / 1_000))
  .refine((seconds) => seconds >= EARLIEST_SECONDS && seconds < LATEST_SECONDS)
  .optional()
  .catch(undefined);

/** Schema that returns Unix seconds for an ISO date; undefined for other text. */
export const IsoMoment = z.iso
  .datetime({ offset: true })
  .transform((text) => Math.floor(Date.parse(text) / 1_000))
  .optional()
  .catch(undefined);

/**
 * Deadline that affects money, as an ISO date or a number. Null and `{ value: null }` are treated
 * as absent; any other invalid value makes the response malformed.
 */
export const Deadline = z
  .preprocess(
    (value) => absentAsNull(value) ?? undefined,
    z.union([
      z.undefined(),
      z.iso.datetime({ offset: true }).transform((text) => Math.floor(Date.parse(text) / 1_000)),
      z
        .number()
        .transform((value) => Math.floor(value < LATEST_SECONDS ? value : value / 1_000))
        .refine((seconds) => seconds >= EARLIEST_SECONDS && seconds < LATEST_SECONDS),
    ]),
  )
  .optional();

const LONGEST_SHOWN = 200;

/** Text that callers receive; undefined for other values. */
export const ShownText = z.string().max(LONGEST_SHOWN).optional().catch(undefined);

/** Text with which the partner explains a failure. */
export const ReasonText = z
  .string()
  .transform((text) => partnerText(text))
  .optional()
  .catch(undefined);

/** Returns true if two texts are the same amount in smallest units. */
export function isSameAmount(one: string, other: string): boolean {
  return /^[0-9]{1,78}$/.test(one) && BigInt(one) === BigInt(other);
}

/** Text without spaces that is safe in ids, addresses and URLs. */
export const Word = z.string().regex(/^[\x21-\x7e]{1,256}$/);

/** Pattern of an amount such as `0.12 ETH`, `~0.12 ETH` or `0.12`. */
const AMOUNT = /^[~≈]?\s*([0-9]{1,78}(?:\.[0-9]{1,78})?)(?:\s+(\S{1,20}))?$/;

/** Amount in whole tokens; undefined for null, absent and all other values. */
export const TokenAmount = z
  .union([z.string().max(LONGEST_SHOWN), z.number().nonnegative()])
  .transform((value) => amountIn(typeof value === 'number' ? decimal(value) : value))
  .optional()
  .catch(undefined);

function amountIn(text: string): ReportedAmount | undefined {
  const [, tokens, symbol = null] = AMOUNT.exec(text.trim()) ?? [];
  return tokens === undefined ? undefined : { tokens, symbol };
}

/** Formats a number without an exponent. */
function decimal(value: number): string {
  return value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 18 });
}

/** Readable elements of a list, and the number of unreadable elements. */
export interface Elements<T> {
  readonly elements: readonly T[];
  readonly leftOut: number;
}

/** Adds the number of omitted elements to the count for their path in a response. */
export function countLeftOut(
  leaveOut: LeaveOut | undefined,
  at: string,
  { leftOut }: Pick<Elements<unknown>, 'leftOut'>,
): void {
  for (let count = 0; count < leftOut; count += 1) leaveOut?.(at);
}

export function readElements<T>(schema: ElementSchema<T>, list: readonly unknown[]): Elements<T> {
  const elements = list.flatMap((element) => {
    const parsed = schema.safeParse(element);
    return parsed.success ? [parsed.data] : [];
  });
  return { elements, leftOut: list.length - elements.length };
}

/**
 * Returns a schema that reads the elements of an optional list. Any other value is treated as an
 * empty list.
 */
export function elementsOf<T>(schema: ElementSchema<T>, most: number): z.ZodType<Elements<T>> {
  return z
    .array(z.unknown())
    .max(most)
    .nullish()
    .catch(null)
    .transform((list) => readElements(schema, list ?? []));
}

interface ElementSchema<T> {
  safeParse(
    value: unknown,
  ): { readonly success: true; readonly data: T } | { readonly success: false };
}
