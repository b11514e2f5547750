/** Says what goes on, on the error stream so that the report stays alone on the other. */
export function say(text: string): void {
  process.stderr.write(`sotto · ${text}\n`);
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
