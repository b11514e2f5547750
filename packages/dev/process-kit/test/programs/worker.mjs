// Says that it is up, and its arguments; what it is sent, it sends back. `--deaf` makes it refuse
// to end when it is asked to, `--ends` ends it at once.
if (process.argv.includes('--deaf')) process.on('SIGTERM', () => process.stdout.write('asked\n'));
process.stdout.write('not yet\n');
process.stdout.write(`${JSON.stringify({ up: process.argv.slice(2), env: process.env.GIVEN })}\n`);
if (process.argv.includes('--ends')) {
  process.stderr.write('a reason\n');
  process.exit(3);
}
process.on('message', (message) => process.send(`${String(message)}, too`));
// The channel to its parent keeps no child alive.
setInterval(() => {}, 1_000);
