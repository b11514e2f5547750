// Thread that shows on the terminal for how many seconds the main thread has been waiting.
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

const FRAMES = '⠋ ⠙ ⠹ ⠸ ⠼ ⠴ ⠦ ⠧ ⠇ ⠏'.split(' ');
const EVERY_MS = 100;
const STANDARD_ERROR = 2;
const { over, sinceMs } = workerData;

let frame = 0;
setInterval(() => {
  if (Atomics.load(over, 0) === 1) return;
  const seconds = Math.floor((Date.now() - sinceMs) / 1_000);
  writeSync(STANDARD_ERROR, `\r${FRAMES[frame % FRAMES.length]} ${seconds} s`);
  frame += 1;
}, EVERY_MS);
