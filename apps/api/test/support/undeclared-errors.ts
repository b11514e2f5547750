import { afterEach } from '@jest/globals';

const UNDECLARED = 'the route does not declare this error';
const found: string[] = [];

afterEach(() => {
  const lines = found.splice(0);
  if (lines.length > 0)
    throw new Error(
      `a use case threw an error that its \`throws\` does not name: ${lines.join('')}`,
    );
});

/** Fails the test if the output of a service reports an error that its route does not declare. */
export function noteUndeclared(output: string): void {
  found.push(...output.split(/^/m).filter((line) => line.includes(UNDECLARED)));
}
