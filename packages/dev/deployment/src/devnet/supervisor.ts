import { spawn } from 'node:child_process';

/**
 * Runs the program that its arguments name, and ends it when the process that started this one is
 * gone, however that went. A program in another language cannot watch its parent by itself.
 */
const [program, ...args] = process.argv.slice(2);
if (program === undefined) throw new Error('the supervisor needs a program to run');

const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
child.once('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
// The program's own end is this one's end.
child.once('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));

// Nothing that the program keeps is worth an orderly shutdown, and SIGKILL cannot be held up.
const end = (): void => {
  child.kill('SIGKILL');
};
process.once('disconnect', end);
process.once('SIGTERM', end);
// Ctrl-C reaches the whole group; the process that started this one decides when devnet ends.
process.on('SIGINT', () => undefined);
