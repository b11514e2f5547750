/** Prints progress on standard error, because standard output contains only results. */
export function say(text: string): void {
  process.stderr.write(`sotto · ${text}\n`);
}

/** Prints a result on standard output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
