import { z } from 'zod';

/**
 * Chains' own names of transactions are letters and digits; what is not is left out, since it is
 * only shown.
 */
export const TxHash = z
  .string()
  .regex(/^[0-9A-Za-z]{1,128}$/)
  .optional()
  .catch(undefined);

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

/** A text that is passed on to callers as it is. */
export const ShownText = z.string().max(200).optional().catch(undefined);

/** Goes into ids, addresses and URLs. */
export const Word = z.string().regex(/^[\x21-\x7e]{1,256}$/);
