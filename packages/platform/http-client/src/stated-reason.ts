import { publicRevertReason } from '@sotto/kernel';

/**
 * Names of the fields in which partners give reasons for a rejection. The value is a text, or a
 * list of texts or objects.
 */
const FIELDS: ReadonlySet<string> = new Set([
  'message',
  'messages',
  'error',
  'errors',
  'detail',
  'details',
  'msg',
  'reason',
  'revertError',
]);
const MAX_TEXTS = 20;
const MAX_DEPTH = 4;
/**
 * Maximum length of a text in characters. An error can contain the trace of a contract, so the
 * maximum is large.
 */
const MAX_TEXT = 100_000;
/**
 * Maximum length of a text that is checked and shortened. Callers get at most 200 characters of it.
 */
const MAX_SHOWN = 2_000;
/** Words of at least this length may be addresses, hashes or keys, but also names of errors. */
const LONG_WORD = /[0-9A-Za-z_-]{24,}/g;
/** Matches names of errors: they contain letters of only one case, and no digits. */
const NAME = /^(?:[a-z_-]+|[A-Z_-]+)$/;

/**
 * Returns the texts in the body of a rejection that contain reasons. All body formats that the
 * partners have published are supported.
 */
export function statedTexts(body: unknown): readonly string[] {
  const texts: string[] = [];
  const collect = (value: unknown, depth: number): void => {
    if (depth > MAX_DEPTH || texts.length >= MAX_TEXTS) return;
    if (typeof value === 'string') {
      if (value.length <= MAX_TEXT) texts.push(value);
    } else if (Array.isArray(value)) for (const each of value) collect(each, depth + 1);
    else if (typeof value === 'object' && value !== null)
      for (const [field, each] of Object.entries(value))
        if (FIELDS.has(field)) collect(each, depth + 1);
  };
  if (typeof body === 'object') collect(body, 0);
  return texts;
}

/**
 * Shortens a partner's text for callers to at most 200 printable characters, without long numbers,
 * addresses, hashes and keys. Undefined if no text is left.
 */
export function partnerText(text: string): string | undefined {
  const readable = text
    .slice(0, MAX_TEXT)
    .replaceAll(LONG_WORD, (word) => (NAME.test(word) ? word : '#'));
  const shown = publicRevertReason(readable);
  return shown === '' ? undefined : shown;
}

/**
 * Returns the reasons in a rejection's body, in the format of {@link partnerText}. Undefined if no
 * reason is left.
 * @param hidden secret texts of the operator, such as keys; a reason that repeats most of such a
 *   text is omitted, also if the text is in capitals or URL-encoded
 */
export function statedReason(body: unknown, hidden: readonly string[]): string | undefined {
  const parts = hidden.flatMap(telltaleParts);
  const isSafe = (text: string): boolean => {
    const bare = bareText(text);
    return !parts.some((part) => bare.includes(part));
  };
  const safe = statedTexts(body)
    .map((text) => text.slice(0, MAX_SHOWN))
    .filter(isSafe);
  // Two texts may each contain a part of a secret, so the joined texts are checked too.
  return isSafe(safe.join('')) ? partnerText(safe.join('; ')) : undefined;
}

/**
 * Returns the first two thirds and the last two thirds of a secret, because partners may abbreviate
 * a secret that they repeat.
 */
function telltaleParts(secret: string): readonly string[] {
  const bare = bareText(secret);
  if (bare === '') return [];
  const length = Math.ceil((bare.length * 2) / 3);
  return [bare.slice(0, length), bare.slice(-length)];
}

/** Returns the letters and digits of a text in lower case, after decoding URL escapes. */
function bareText(text: string): string {
  return text
    .replaceAll(/%([0-7][0-9a-f])/gi, (_escape, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
