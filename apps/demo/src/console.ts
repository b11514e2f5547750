/** Prints progress for people, on the error stream: standard output has only results. */
export function say(text: string): void {
  process.stderr.write(`sotto · ${text}\n`);
}

/** Prints a result. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
