/** Limits of a JSON text. */
export interface StructureLimits {
  /** Maximum number of values and keys. */
  readonly values: number;
  /** Maximum depth of nested arrays and objects. */
  readonly levels: number;
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Returns true if a JSON text exceeds a limit. One pass over the bytes is far cheaper than parsing
 * a text of many small values. The function does not check that the text is JSON.
 */
export function exceedsStructure(bytes: Buffer, limits: StructureLimits): boolean {
  let values = 1;
  let levels = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) {
      at = endOfText(bytes, at);
      continue;
    }
    if (byte === COMMA || byte === COLON) values += 1;
    else if (OPENING.has(byte)) {
      values += 1;
      levels += 1;
    } else if (CLOSING.has(byte)) levels -= 1;
    if (values > limits.values || levels > limits.levels) return true;
  }
  return false;
}

/** Returns the index of the quote that ends the text whose first quote is at `start`. */
function endOfText(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let before = end;
    while (bytes[before - 1] === BACKSLASH) before -= 1;
    // An odd number of backslashes escapes the quote.
    if ((end - before) % 2 === 0) return end;
  }
  return bytes.length;
}
