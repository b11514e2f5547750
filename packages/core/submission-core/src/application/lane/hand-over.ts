import { bounded } from '../bounded.js';
import type { Lane } from './lane.js';

/**
 * Maximum time for which a hand-over waits for answers to sends, in ms. The lane accepts no new
 * work during this time.
 */
const ANSWERS_MS = 1_000;

/**
 * Gives the lane to another instance after all queued work and running sends have ended. Returns
 * false if the lane could not be handed over now.
 * @throws DomainError if the work lasts too long; then the lane is not handed over later either
 */
export async function handOver(lane: Lane, to: string): Promise<boolean> {
  let isDone = false;
  let isAbandoned = false;
  const work = lane.inTurn(async () => {
    // A send without an answer may still be refused, and only this fence can record the refusal.
    if (!(await isIdleSoon(lane))) return;
    // The next holder may have stopped since, or this instance may have leased the lane again.
    if (!isAbandoned) isDone = await lane.lease.handOver(to);
  });
  try {
    await bounded(lane.deps.clock, lane.settings.lookTimeoutMs, work);
  } finally {
    isAbandoned = true;
  }
  return isDone;
}

/** Returns true if the responses to all sends are recorded within a second. */
async function isIdleSoon({ sender, deps }: Lane): Promise<boolean> {
  const over = new AbortController();
  const late = deps.clock.sleep(ANSWERS_MS, over.signal).then(() => false);
  try {
    return await Promise.race([sender.idle().then(() => true), late]);
  } finally {
    over.abort('over');
  }
}
