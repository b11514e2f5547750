// Prints its arguments once it has started, and echoes messages. With `--deaf`, it ignores SIGTERM.
// With `--ends`, it exits immediately.
if (process.argv.includes('--deaf')) process.on('SIGTERM', () => process.stdout.write('asked\n'));
process.stdout.write('not yet\n');
process.stdout.write(`${JSON.stringify({ up: process.argv.slice(2), env: process.env.GIVEN })}\n`);
if (process.argv.includes('--ends')) {
  process.stderr.write('a reason\n');
  process.exit(3);
}
process.on('message', (message) => process.send(`${String(message)}, too`));
// The timer keeps the process running, because the message channel to the parent process does not
// keep it running.
setInterval(() => {}, 1_000);
