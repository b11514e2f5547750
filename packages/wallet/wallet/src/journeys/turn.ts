import { WalletError } from '../errors.js';
import type { WalletStorage } from '../storage.js';
import { Journal, type JournalOptions, type JournalRun } from './journal.js';

export interface TurnOptions extends JournalOptions {
  readonly signal: AbortSignal;
  /** Called once if another tab has the turn. */
  readonly onWait: () => void;
}

/**
 * Runs work that only one tab may run at a time. The work may start again after its turn was lost,
 * for example because the machine slept.
 * @param kind kind of the work; with `id` it is the name of the turn
 * @param work gets the turn, whose `write` fails once another tab has the turn
 * @throws any error of the work; any error of the storage; the signal's reason when the signal
 *   aborts
 */
export async function inTurn<T>(
  storage: WalletStorage,
  kind: string,
  id: string,
  { signal, onWait, ...options }: TurnOptions,
  work: (turn: JournalRun<object>) => Promise<T>,
): Promise<T> {
  const turns = new Journal<object>(storage, kind, options);
  for (;;) {
    const turn = await take(turns, id, storage, kind, { signal, onWait });
    try {
      return await work(turn);
    } catch (error) {
      if (!turn.lost.aborted || signal.aborted) throw error;
    } finally {
      await turn.release();
    }
  }
}

/** Waits for the turn. A damaged record is replaced, because a turn's record has no content. */
async function take(
  turns: Journal<object>,
  id: string,
  storage: WalletStorage,
  kind: string,
  options: Pick<TurnOptions, 'signal' | 'onWait'>,
): Promise<JournalRun<object>> {
  for (;;) {
    try {
      await turns.begin(id, {});
      return await turns.take(id, options);
    } catch (error) {
      const code = error instanceof WalletError ? error.code : undefined;
      // JOURNEY_UNKNOWN: another tab has just replaced the record.
      if (code === 'JOURNEY_UNKNOWN') continue;
      if (code !== 'JOURNAL_UNREADABLE') throw error;
      const key = `sotto/${kind}/${id}`;
      const text = await storage.read(key);
      if (text !== undefined) await storage.replace(key, text, undefined);
    }
  }
}
