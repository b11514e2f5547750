import { isDeepStrictEqual } from 'node:util';
import type { TraceAction, TraceStep } from '../../src/traces.mjs';
import { TracePlayer } from './trace-player.js';
import { expectedRows, type RowsInWords } from './trace-rows.js';

/** First difference between the real machine and the trace. */
export interface Deviation {
  readonly at: TraceAction;
  /**
   * Reason with which the real machine rejected the command. If the trace rejects a command that
   * the machine wrote, `written`. If the machine wrote different rows, `other rows`.
   */
  readonly because: string;
  /** Steps of the trace up to the deviation. */
  readonly after: readonly string[];
  readonly rows: RowsInWords;
  readonly expected: RowsInWords;
}

/** Callback that receives a short name of each command and the answer of the ledger. */
export type Noted = (command: string, answer: string) => void;

/**
 * Replays a trace up to the first step at which the real machine deviates. Returns null if the
 * machine follows the trace to its end.
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
    // The model makes a nonce final in the same step that settles the nonce.
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
