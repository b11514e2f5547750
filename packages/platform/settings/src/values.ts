import { z } from 'zod';
import { Secret } from './secret.js';

/** Creates a schema of a whole number from `min` to `max`, written in decimal digits. */
export function wholeNumber(min: number, max: number): z.ZodType<number, string> {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** Schema of a whole number above zero that fits into a u128. */
export const PositiveBigInt = z
  .string()
  .regex(/^[1-9]\d{0,37}$/, 'must be a whole number above 0')
  .transform(BigInt);

/** Schema of a boolean, written as `true` or `false`. */
export const Flag = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((text) => text === 'true');

/**
 * Schema of a list of origins of web pages, separated by commas: `https://app.example`, or origins
 * of apps and extensions, such as `capacitor://localhost`. A single `*` means any origin.
 */
export const Origins = z.string().transform((text, context): readonly string[] => {
  const origins = text.split(',').map((origin) => origin.trim());
  const message = problemOfOrigins(origins);
  if (message === null) return origins;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

function problemOfOrigins(origins: readonly string[]): string | null {
  if (origins.includes('*'))
    return origins.length === 1 ? null : 'must be * alone, or origins without *';
  if (origins.includes('null'))
    return 'must be origins: null is sent by every sandboxed page, and only * covers those';
  if (origins.every(isOrigin)) return null;
  return 'must be origins separated by commas, such as https://app.example or capacitor://localhost, without a path; or * for any';
}

/**
 * Matches the origin of an app: a custom scheme, a host and an optional port. URL parsers return no
 * origin for such a URL.
 */
const APP_ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[\w.-]+(?::\d{1,5})?$/;
/** Schemes whose pages have the origin `null`, or which have no pages. */
const NO_PAGES = new Set([
  'about:',
  'blob:',
  'data:',
  'file:',
  'ftp:',
  'javascript:',
  'ws:',
  'wss:',
]);

/** Returns true if browsers can send this text as the origin of a page. */
function isOrigin(text: string): boolean {
  // The host of a URL may contain a star. Such a text is rejected, because an operator would expect
  // a pattern, but the text matches no origin.
  if (!URL.canParse(text) || text.includes('*')) return false;
  const { protocol, origin } = new URL(text);
  if (protocol === 'http:' || protocol === 'https:') return origin === text;
  return APP_ORIGIN.test(text) && !NO_PAGES.has(protocol);
}

/** Schema of an HTTP URL. The value is secret, because such URLs often contain an access key. */
export const SecretUrl = z
  .string('is required')
  .refine(
    (text) => URL.canParse(text) && /^\s*https?:\/\/[^/]/i.test(text),
    // Without `abort`, the following rule for a list would receive the text instead of the secret.
    { error: 'must be an http or https URL', abort: true },
  )
  .transform((text) => new Secret(text));

/**
 * Schema of the URL of a PostgreSQL database. The value is secret, because it contains a password.
 */
export const DatabaseUrl = z
  .string()
  .refine(
    isDatabaseUrl,
    'must be a postgres URL: postgres://user:password@host:5432/database, with special characters percent-encoded',
  )
  .transform((text) => new Secret(text));

function isDatabaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, pathname } = new URL(text);
  return (
    /^postgres(ql)?:$/.test(protocol) &&
    pathname.length > 1 &&
    [username, password, pathname].every(isDecodable)
  );
}

/**
 * Returns true if the percent-encoding of the text is valid. Otherwise the driver would throw an
 * error that contains the text.
 */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Matches a token that is valid after `Bearer` in an Authorization header. Source: RFC 6750,
 * b64token.
 */
const BEARER_TOKEN = /^[\w.~+/-]{1,512}=*$/;

/** Schema of a bearer token in the syntax of HTTP. */
export const BearerToken = z
  .string()
  .regex(BEARER_TOKEN, 'must be letters, digits and the signs - . _ ~ + / with = at the end')
  .transform((text) => new Secret(text));

/**
 * Creates a schema of JSON in a variable. Problems contain `form` (a description of the expected
 * format) and not the JSON parser's message, because that message would quote the value.
 */
export const jsonText = (form: string) =>
  z.string('is required').transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: `must be JSON: ${form}` });
      return z.NEVER;
    }
  });

const TOKEN_NAME = /^[a-z][\w.-]{0,39}$/;
const TokenMap = z.record(z.string().regex(TOKEN_NAME), z.string().regex(BEARER_TOKEN));

/**
 * Schema of API tokens by the names of their holders, without duplicates. To change a token, an
 * operator configures the old token and the new token together for a while.
 */
export const NamedTokens = jsonText('{"name": "token"}').transform(
  (value, context): readonly NamedToken[] => {
    const problem = (message: string): never => {
      // One issue is reported for the whole value. The path of a part would contain a name, and an
      // operator may have written a token in place of the name.
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    const tokens = TokenMap.safeParse(value);
    if (!tokens.success)
      return problem(
        'must be an object of tokens by name: names of lower-case letters, tokens as RFC 6750 has them',
      );
    const entries = Object.entries(tokens.data);
    if (entries.length === 0) return problem('must have at least one token');
    if (new Set(Object.values(tokens.data)).size < entries.length)
      return problem('a token is listed twice');
    return entries.map(([name, token]) => ({ name, token: new Secret(token) }));
  },
);

export interface NamedToken {
  readonly name: string;
  readonly token: Secret;
}
