import { spawn } from 'node:child_process';

/**
 * Runs the program in its arguments, and ends it whenever the process that started this one has
 * ended. A program in another language cannot watch its parent.
 */
const [program, ...args] = process.argv.slice(2);
if (program === undefined) throw new Error('the supervisor needs a program to run');

const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
child.once('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
// This process ends together with the program.
child.once('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));

// The program has no state worth an orderly shutdown, and SIGKILL cannot be blocked.
const end = (): void => {
  child.kill('SIGKILL');
};
process.once('disconnect', end);
process.once('SIGTERM', end);
// Ctrl-C reaches the whole group; the process that started this one decides when devnet ends.
process.on('SIGINT', () => undefined);
