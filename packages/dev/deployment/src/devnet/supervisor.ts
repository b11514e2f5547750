import { spawn } from 'node:child_process';

/**
 * Runs the program given in the arguments, and stops it when the parent process of the supervisor
 * has ended. The program itself cannot detect the end of that process.
 */
const [program, ...args] = process.argv.slice(2);
if (program === undefined) throw new Error('the supervisor needs a program to run');

const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
child.once('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
// The supervisor ends when the program ends.
child.once('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));

// Use SIGKILL, which cannot be blocked: the program has no state that needs an orderly shutdown.
const end = (): void => {
  child.kill('SIGKILL');
};
process.once('disconnect', end);
process.once('SIGTERM', end);
// Ignore SIGINT: Ctrl-C reaches the whole process group, but the parent process decides when devnet
// ends.
process.on('SIGINT', () => undefined);
