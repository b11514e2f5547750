const MAX_LENGTH = 200;
/**
 * Pattern of felts in any notation. Traces contain addresses, nullifiers and amounts in addition to
 * the error's text.
 */
const NUMBERS = /0x[0-9a-f]+|\b[0-9a-f]{16,}\b|[0-9]{6,}/gi;

/**
 * Returns a contract's revert text in a form that callers may see: printable ASCII, without the
 * numbers that the call contains, at most 200 characters.
 */
export function publicRevertReason(text: string): string {
  const readable = text
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .replaceAll(NUMBERS, '#')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
  return readable.length > MAX_LENGTH ? `${readable.slice(0, MAX_LENGTH - 3)}...` : readable;
}
