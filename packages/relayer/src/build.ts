import { readFileSync } from 'node:fs';
import { z } from 'zod';

const UNKNOWN = 'unknown';
const Commit = z.string().regex(/^[0-9a-f]{7,40}$/);
/**
 * Manifest of this package. npm stores the commit as `gitHead`; the manifest in the bundled folder
 * also contains it.
 */
const Manifest = z.object({ version: z.string(), gitHead: z.string().optional() });

/**
 * Returns the running build: version of this package, commit from which it was built, and Node
 * version.
 */
export function thisBuild(env: Readonly<Record<string, string | undefined>>): {
  readonly version: string;
  readonly commit: string;
  readonly node: string;
} {
  const { version, gitHead } = manifestIn(new URL('../package.json', import.meta.url));
  const commit = Commit.safeParse(env['SOTTO_COMMIT'] || gitHead);
  return {
    version,
    commit: commit.success ? commit.data : UNKNOWN,
    node: process.versions.node,
  };
}

/** Reads the manifest. A bundle may lack this file, and the relayer works without it. */
function manifestIn(manifest: URL): z.output<typeof Manifest> {
  try {
    return Manifest.parse(JSON.parse(readFileSync(manifest, 'utf8')));
  } catch {
    return { version: UNKNOWN };
  }
}
