import { z } from 'zod';
import { ReasonText } from './wire.js';

/** The specification's frames, as far as they are looked at. */
const Frame = z.object({ error: z.unknown() });
const Data = z.object({ revert_error: z.unknown() });

/** Calls nest less deep than this before they run out of gas. */
const MAX_DEPTH = 200;
const UNREADABLE = 'the contract reverts without a readable reason';

/** Felts that every frame around a panic adds. They say where, not why. */
const FRAME_WORDS: ReadonlySet<string> = new Set(['ENTRYPOINT_FAILED', 'argent/multicall-failed']);

/**
 * The contract's own words in the data of a contract error (40): of the innermost frame, with short strings decoded.
 * The text as it stands where nothing can be decoded. Nodes differ in how they print the same panic: as felts, as felts with
 * their text beside them, as quoted text.
 */
export function revertReason(data: unknown): string {
  const parsed = Data.safeParse(data);
  const text = innermost(parsed.success ? parsed.data.revert_error : data);
  if (text === null) return UNREADABLE;
  const words = quoted(text) ?? decodedFelt(text) ?? text.trim();
  return words === '' ? UNREADABLE : ReasonText.parse(words);
}

function innermost(error: unknown): string | null {
  let current = error;
  for (let depth = 0; depth < MAX_DEPTH && typeof current !== 'string'; depth += 1) {
    const frame = Frame.safeParse(current);
    if (!frame.success) return null;
    current = frame.data.error;
  }
  return typeof current === 'string' ? current : null;
}

/** Long panics stand in double quotes, short ones in single quotes beside their felt. */
function quoted(text: string): string | undefined {
  const found = [...text.matchAll(/"([^"]+)"|\('([^']+)'\)/g)].map(([, long, short]) => long ?? short ?? '');
  return found.find((words) => !FRAME_WORDS.has(words));
}

function decodedFelt(text: string): string | undefined {
  const decoded = (text.match(/0x[0-9a-fA-F]{2,64}/g) ?? []).map(shortString);
  return decoded.find((words) => words !== undefined && !FRAME_WORDS.has(words));
}

/** The text of a felt of printable ASCII characters, undefined for any other: addresses and class hashes are not text. */
function shortString(felt: string): string | undefined {
  const digits = felt.slice(2).replace(/^0+/, '');
  const text = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex').toString('latin1');
  return /^[\x20-\x7e]{1,31}$/.test(text) ? text : undefined;
}
