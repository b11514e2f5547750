import { publicRevertReason } from '@sotto/kernel';
import { z } from 'zod';

/** Fields of the specification's frames that this module reads. */
const Frame = z.object({ error: z.unknown() });
const Data = z.object({ revert_error: z.unknown() });

/** Maximum depth of nested frames. Calls run out of gas before they reach this depth. */
const MAX_DEPTH = 200;
const UNREADABLE = 'the contract reverts without a readable reason';

/**
 * Felts that every frame adds around a panic. These felts report that a frame failed, and are not
 * the reason of the panic.
 */
const FRAME_WORDS: ReadonlySet<string> = new Set(['ENTRYPOINT_FAILED', 'argent/multicall-failed']);

const QUOTED_FELT = /^0x[0-9a-f]+$/i;

/**
 * Number of characters at the end of a trace that are searched. Nodes print outer frames first, so
 * the reason is near the end.
 */
const MAX_TEXT = 20_000;

/**
 * Location of a frame in a trace. The felts of a location are never decoded to text, even if they
 * are printable.
 */
const PLACES = /\b(?:contract address|class hash|selector):\s*0x[0-9a-f]*/gi;

/**
 * Extracts the contract's reason from a node's report of a revert, in a form that is safe for
 * callers and the ledger. The report is the data of a contract error (40), or the trace in a status
 * or receipt.
 *
 * The reason is the text of the innermost frame, with short strings decoded. If nothing can be
 * decoded, the reason is the last line. Nodes print the same panic differently: as felts, as quoted
 * felts, as felts next to their text, or as quoted text.
 *
 * The surrounding trace and all long numbers are removed, so the reason never contains addresses,
 * nullifiers or calldata.
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
 * Finds the reason in quotes. Long panics are in double quotes. Short panics are in single quotes
 * next to their felt. Some nodes quote the felts instead of the text.
 */
function quoted(text: string): string | undefined {
  const found = [...text.matchAll(/"([^"]+)"|\('([^']+)'\)/g)].map(
    ([, long, short]) => long ?? short ?? '',
  );
  return found.find((words) => !FRAME_WORDS.has(words) && !QUOTED_FELT.test(words));
}

/**
 * Returns the reason of a Cairo 0 contract. Such contracts print it on a separate line; the line of
 * the innermost frame comes last.
 */
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
 * Decodes a felt of printable ASCII characters; undefined for any other felt, such as an address or
 * a class hash.
 */
function shortString(felt: string): string | undefined {
  const digits = felt.slice(2).replace(/^0+/, '');
  const text = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex').toString(
    'latin1',
  );
  return /^[\x20-\x7e]{1,31}$/.test(text) ? text : undefined;
}
