// Imports nothing and uses no younger syntax: it has to run where the rest can't even be linked.

/** The least that the packages take; as `engines` of each says. */
export const LEAST_NODE = [22, 13] as const;

/** Why this Node can't run a program of ours; null where it can. */
export function nodeProblem(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = LEAST_NODE;
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return null;
  return `this is Node ${version}, which is too old: Node ${leastMajor}.${leastMinor} or later is needed, and Node 24 is what is tested. Install it, or put its folder first in PATH.`;
}

/** Ends the process with one sentence where Node is too old: before all else is imported. */
export function requireNode(exitCode = 1): void {
  const problem = nodeProblem(process.versions.node);
  if (problem === null) return;
  process.stderr.write(`${problem}\n`);
  process.exit(exitCode);
}
