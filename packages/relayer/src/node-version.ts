// This module imports nothing and uses only old syntax, because it must also run on a Node version
// that can't load the other modules.

/** Minimum Node version (major, minor) of the packages, equal to `engines` of each package. */
export const LEAST_NODE = [22, 13] as const;

/** Returns the reason why this Node version can't run our programs; null if it can. */
export function nodeProblem(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = LEAST_NODE;
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return null;
  return `this is Node ${version}, which is too old: Node ${leastMajor}.${leastMinor} or later is needed, and Node 24 is tested. Install a newer Node, or put its folder first in PATH.`;
}

/**
 * Ends the process with one sentence if the Node version is too old. Call this function before any
 * other module is imported.
 */
export function requireNode(exitCode = 1): void {
  const problem = nodeProblem(process.versions.node);
  if (problem === null) return;
  process.stderr.write(`${problem}\n`);
  process.exit(exitCode);
}
