import type { ReportedAmount } from '@sotto/bridge-core';
import { absentAsNull, partnerText, type LeaveOut } from '@sotto/http-client';
import { z } from 'zod';

/**
 * A transaction in the form in which chains name them: letters and digits. Zero and short words
 * such as `pending` stand in answers without a transaction, so they are no evidence of one.
 */
export const HashText = z
  .string()
  .regex(/^(?!(?:0[xX])?0*$)(?=[A-Za-z]*[0-9]|.{32})[0-9A-Za-z]{1,128}$/);

/** A hash that callers see; undefined for other values. */
export const TxHash = HashText.optional().catch(undefined);

/** Seconds of the year 2001 and of the year 5138: below is a duration, above are milliseconds. */
const EARLIEST_SECONDS = 1e9;
const LATEST_SECONDS = 1e11;

/**
 * Unix seconds from a number that is seconds or milliseconds; undefined for what is no point in
 * time.
 */
export const Moment = z
  .number()
  .transform((value) => Math.floor(value < LATEST_SECONDS ? value : value / 1_000))
  .refine((seconds) => seconds >= EARLIEST_SECONDS && seconds < LATEST_SECONDS)
  .optional()
  .catch(undefined);

/** Unix seconds from an ISO date; undefined for other text. */
export const IsoMoment = z.iso
  .datetime({ offset: true })
  .transform((text) => Math.floor(Date.parse(text) / 1_000))
  .optional()
  .catch(undefined);

/**
 * A time that decides about money, as an ISO date or a number. Null and `{ value: null }` count as
 * absent; another value that is no time makes the answer malformed.
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

/** A text that is passed on to callers; undefined for other values. */
export const ShownText = z.string().max(LONGEST_SHOWN).optional().catch(undefined);

/** A text of the partner that explains a failure. */
export const ReasonText = z
  .string()
  .transform((text) => partnerText(text))
  .optional()
  .catch(undefined);

/** True if two texts are one amount in smallest units. */
export function isSameAmount(one: string, other: string): boolean {
  return /^[0-9]{1,78}$/.test(one) && BigInt(one) === BigInt(other);
}

/** Goes into ids, addresses and URLs. */
export const Word = z.string().regex(/^[\x21-\x7e]{1,256}$/);

/** `0.12 ETH`, `~0.12 ETH` or `0.12`. */
const AMOUNT = /^[~≈]?\s*([0-9]{1,78}(?:\.[0-9]{1,78})?)(?:\s+(\S{1,20}))?$/;

/** An amount in whole tokens; undefined for null, absent and other values. */
export const TokenAmount = z
  .union([z.string().max(LONGEST_SHOWN), z.number().nonnegative()])
  .transform((value) => amountIn(typeof value === 'number' ? decimal(value) : value))
  .optional()
  .catch(undefined);

function amountIn(text: string): ReportedAmount | undefined {
  const [, tokens, symbol = null] = AMOUNT.exec(text.trim()) ?? [];
  return tokens === undefined ? undefined : { tokens, symbol };
}

/** Without an exponent. */
function decimal(value: number): string {
  return value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 18 });
}

/** Elements of a list that a schema reads, and the number of those that it does not. */
export interface Elements<T> {
  readonly elements: readonly T[];
  readonly leftOut: number;
}

/** Counts each element that was left out at a place of an answer. */
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

/** Elements of an optional list. Something other than a list has none. */
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
