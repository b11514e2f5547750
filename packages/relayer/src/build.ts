import { readFileSync } from 'node:fs';
import { z } from 'zod';

const UNKNOWN = 'unknown';
const Manifest = z.object({ version: z.string() });
const Commit = z.string().regex(/^[0-9a-f]{7,40}$/);

/** What runs: the version of this package, the commit that the build names, and Node. */
export function thisBuild(env: Readonly<Record<string, string | undefined>>): {
  readonly version: string;
  readonly commit: string;
  readonly node: string;
} {
  const commit = Commit.safeParse(env['SOTTO_COMMIT']);
  return {
    version: versionOf(new URL('../package.json', import.meta.url)),
    commit: commit.success ? commit.data : UNKNOWN,
    node: process.versions.node,
  };
}

/** A bundle may lack the file, and nothing that runs depends on it. */
function versionOf(manifest: URL): string {
  try {
    return Manifest.parse(JSON.parse(readFileSync(manifest, 'utf8'))).version;
  } catch {
    return UNKNOWN;
  }
}
