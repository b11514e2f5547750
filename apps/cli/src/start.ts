import { runCommand } from './cli.js';

const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort());
process.once('SIGTERM', () => interrupted.abort());
// The reader of a pipe has gone, as `head` does when it has enough: what is written from here on is
// lost. A command that goes on until it is ended has to end then.
const isGone = (error: Error): boolean => 'code' in error && error.code === 'EPIPE';
process.stdout.on('error', (error) => {
  if (!isGone(error)) throw error;
  interrupted.abort();
});
process.stderr.on('error', (error) => {
  if (!isGone(error)) throw error;
});

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  result: (text) => void process.stdout.write(`${text}\n`),
  progress: (text) => void process.stderr.write(`${text}\n`),
  interrupted: interrupted.signal,
});
