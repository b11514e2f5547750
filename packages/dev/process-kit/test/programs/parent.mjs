// Starts a child that keeps running, prints the child's process id, and waits to be killed.
import { Child } from '../../dist/child.js';

const program = new URL('./worker.mjs', import.meta.url).href;
const child = new Child({ name: 'worker', program });
await child.line((line) => line.startsWith('{') || undefined);
process.stdout.write(`${child.pid}\n`);
