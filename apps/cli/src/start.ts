import { runCommand } from './cli.js';
import { Output } from './output.js';
import { EXIT } from './terminal.js';

const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort());
process.once('SIGTERM', () => interrupted.abort());
// The command `follow` must end when the reader of its output is gone.
const results = new Output(process.stdout, () => interrupted.abort());
const progress = new Output(process.stderr);

// Checked at the exit, because a write may fail only after the command has ended.
process.once('exit', () => {
  const { lost, failure } = results;
  // A reader such as `head` closes the pipe when it has read enough, which is no error.
  const isBroken = failure !== null && failure !== 'EPIPE';
  if (isBroken) progress.write(`the result could not be written (${failure})`);
  if (lost > 0) progress.write(`${lost} lines of the result were lost: their reader has stopped`);
  if (isBroken || lost > 0) process.exitCode = EXIT.notRun;
});

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  nodeOptions: process.execArgv,
  result: (text) => results.write(text),
  progress: (text) => progress.write(text),
  interrupted: interrupted.signal,
});
// An operator has ended the command. Without this exit, the process would wait for a reader that
// has stopped reading.
if (interrupted.signal.aborted) process.exit();
