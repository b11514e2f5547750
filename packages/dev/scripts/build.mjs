import { run, say } from './run.mjs';

/**
 * Builds a workspace package with all its dependencies. If the build fails, this process exits with
 * the code `failure`.
 */
export function build(name, failure = 1) {
  say('building (about a minute the first time, then only changed packages)');
  const status = run(
    'turbo',
    ['run', 'build', `--filter=${name}...`, '--output-logs=errors-only', '--ui=stream'],
    { quiet: true },
  );
  if (status === 0) return;
  say('the build failed; the error is printed above');
  process.exit(failure);
}
