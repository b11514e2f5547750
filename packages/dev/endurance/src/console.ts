/** What is going on, for people: on the error stream, so that results stay alone on the other. */
export function say(text: string): void {
  process.stderr.write(`sotto · ${text}\n`);
}

/** Results. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
