import { publicRevertReason } from '@sotto/kernel';
import { z } from 'zod';

/** The specification's frames, as far as they are looked at. */
const Frame = z.object({ error: z.unknown() });
const Data = z.object({ revert_error: z.unknown() });

/** Calls nest less deep than this before they run out of gas. */
const MAX_DEPTH = 200;
const UNREADABLE = 'the contract reverts without a readable reason';

/** Felts that every frame around a panic adds. They say where, not why. */
const FRAME_WORDS: ReadonlySet<string> = new Set(['ENTRYPOINT_FAILED', 'argent/multicall-failed']);

const QUOTED_FELT = /^0x[0-9a-f]+$/i;

/** Nodes print outer frames first, so the words stand near the end of a long text. */
const MAX_TEXT = 20_000;

/** Where a frame of a trace is. Such felts are never text, even when they read as such. */
const PLACES = /\b(?:contract address|class hash|selector):\s*0x[0-9a-f]*/gi;

/**
 * The contract's own words, fit for callers and the ledger, from what a node says of a revert: the
 * data of a contract error (40), or the trace in a status or receipt. They are those of the
 * innermost frame, with short strings decoded; where nothing can be decoded, the last line. Nodes
 * differ in how they print the same panic: as felts, as quoted felts, as felts with their text
 * beside them, as quoted text. Of the trace around them nothing stays, and no long number:
 * addresses, nullifiers and calldata can't appear.
 */
export function revertReason(data: unknown): string {
  const parsed = Data.safeParse(data);
  const text = innermost(parsed.success ? parsed.data.revert_error : data)?.slice(-MAX_TEXT);
  if (text === undefined) return UNREADABLE;
  const words = publicRevertReason(
    quoted(text) ?? errorMessage(text) ?? decodedFelt(text) ?? lastLine(text),
  );
  return words === '' ? UNREADABLE : words;
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

/**
 * Long panics stand in double quotes, short ones in single quotes beside their felt. Some nodes
 * quote the felts instead.
 */
function quoted(text: string): string | undefined {
  const found = [...text.matchAll(/"([^"]+)"|\('([^']+)'\)/g)].map(
    ([, long, short]) => long ?? short ?? '',
  );
  return found.find((words) => !FRAME_WORDS.has(words) && !QUOTED_FELT.test(words));
}

/** Contracts of Cairo 0 state their reason on a line of its own; the innermost frame comes last. */
function errorMessage(text: string): string | undefined {
  return [...text.matchAll(/^Error message: (.+)$/gm)].at(-1)?.[1];
}

function decodedFelt(text: string): string | undefined {
  const decoded = (text.replaceAll(PLACES, '').match(/0x[0-9a-fA-F]{2,64}/g) ?? []).map(
    shortString,
  );
  return decoded.find((words) => words !== undefined && !FRAME_WORDS.has(words));
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}

/**
 * The text of a felt of printable ASCII characters, undefined for any other: addresses and class
 * hashes are not text.
 */
function shortString(felt: string): string | undefined {
  const digits = felt.slice(2).replace(/^0+/, '');
  const text = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex').toString(
    'latin1',
  );
  return /^[\x20-\x7e]{1,31}$/.test(text) ? text : undefined;
}
