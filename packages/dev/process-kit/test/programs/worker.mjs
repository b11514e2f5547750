// Prints its arguments once it is up, and echoes messages. `--deaf` makes it ignore SIGTERM;
// `--ends` makes it exit immediately.
if (process.argv.includes('--deaf')) process.on('SIGTERM', () => process.stdout.write('asked\n'));
process.stdout.write('not yet\n');
process.stdout.write(`${JSON.stringify({ up: process.argv.slice(2), env: process.env.GIVEN })}\n`);
if (process.argv.includes('--ends')) {
  process.stderr.write('a reason\n');
  process.exit(3);
}
process.on('message', (message) => process.send(`${String(message)}, too`));
// The channel to the parent does not keep the process alive.
setInterval(() => {}, 1_000);
