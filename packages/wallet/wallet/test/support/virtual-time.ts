import { jest } from '@jest/globals';

const later = globalThis.setImmediate;
const STEP_MS = 500;

/**
 * Number of hashes that are being computed. A hash needs real time. On a busy machine, this time is
 * long.
 */
let hashes = 0;
const { subtle } = globalThis.crypto;
const digest = subtle.digest.bind(subtle);
subtle.digest = async (...input) => {
  hashes += 1;
  try {
    return await digest(...input);
  } finally {
    hashes -= 1;
  }
};

/**
 * Runs pending work that does not depend on the clock, then advances the clock. Request bodies need
 * a few ticks.
 */
async function step(ms: number): Promise<void> {
  for (let quiet = 0; quiet < 3; quiet = hashes > 0 ? 0 : quiet + 1)
    await new Promise((resolve) => later(resolve));
  await jest.advanceTimersByTimeAsync(ms);
}

/** Advances the virtual clock. No other code may advance the clock at the same time. */
export async function letPass(ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += STEP_MS)
    await step(Math.min(STEP_MS, ms - passedMs));
}

/**
 * Advances the virtual clock until the work has ended.
 * @throws Error if the work needs more than `mostMs` of virtual time; any error of the work
 */
export async function passTime<T>(work: Promise<T>, mostMs = 3_600_000): Promise<T> {
  const state = { isOver: false };
  const over = (): void => void (state.isOver = true);
  work.then(over, over);
  for (let ms = 0; !state.isOver && ms < mostMs; ms += STEP_MS) await step(STEP_MS);
  if (!state.isOver) throw new Error(`it has not ended after ${mostMs} ms`);
  return work;
}
