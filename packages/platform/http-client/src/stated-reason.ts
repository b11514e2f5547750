import { publicRevertReason } from '@sotto/kernel';

/** Fields in which partners state why they refuse, as text or as a list of texts or objects. */
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
/** One error can hold the trace of a contract. */
const MAX_TEXT = 100_000;

/** Texts by which the body of a refusal states its reasons, in any published form of such bodies. */
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
 * The stated reasons as bounded text that a caller may see: at most 200 printable characters,
 * without long numbers. Undefined if none is stated.
 * @param hidden texts of the operator, such as keys: a reason that repeats one is left out
 */
export function statedReason(body: unknown, hidden: readonly string[]): string | undefined {
  const safe = statedTexts(body).filter((text) => !hidden.some((secret) => text.includes(secret)));
  const reason = publicRevertReason(safe.join('; '));
  return reason === '' ? undefined : reason;
}
