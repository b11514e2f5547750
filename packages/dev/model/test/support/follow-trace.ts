import { isDeepStrictEqual } from 'node:util';
import type { TraceAction, TraceStep } from '../../src/traces.mjs';
import { TracePlayer } from './trace-player.js';
import { expectedRows, type RowsInWords } from './trace-rows.js';

/** Where the real machine does something other than the trace. */
export interface Deviation {
  readonly at: TraceAction;
  /**
   * Why it stood back; `written` where the trace says that it has to stand back, `other rows` where
   * it writes something else.
   */
  readonly because: string;
  /** The steps up to there. */
  readonly after: readonly string[];
  readonly rows: RowsInWords;
  readonly expected: RowsInWords;
}

/** A command of a trace in a word or two, and what the ledger answered to it. */
export type Noted = (command: string, answer: string) => void;

/**
 * Plays a trace up to the first step at which the real machine does something else; null when it
 * follows the trace to its end.
 */
export async function followTrace(
  {
    options,
    steps,
  }: { readonly options: Record<string, unknown>; readonly steps: readonly TraceStep[] },
  note: Noted = () => undefined,
): Promise<Deviation | null> {
  const player = await TracePlayer.start(options);
  for (const [index, step] of steps.entries()) {
    const answer = await player.play(step);
    if (answer === null) continue;
    note(
      [step.do, step.kind].filter(Boolean).join(' '),
      answer.applied ? 'written' : answer.because,
    );
    const [rows, expected] = [player.rows(), expectedRows(step.after)];
    // The model takes a nonce for final in the very step that settles it.
    const isWhole = steps[index + 1]?.do !== 'final';
    const isSame =
      answer.applied === step.applied && (!isWhole || isDeepStrictEqual(rows, expected));
    if (isSame) continue;
    const because =
      answer.applied === step.applied ? 'other rows' : answer.applied ? 'written' : answer.because;
    return {
      at: step.do,
      because,
      after: steps.slice(0, index + 1).map(({ words }) => words),
      rows,
      expected,
    };
  }
  return null;
}
