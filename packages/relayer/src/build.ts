import { readFileSync } from 'node:fs';
import { z } from 'zod';

const UNKNOWN = 'unknown';
const Commit = z.string().regex(/^[0-9a-f]{7,40}$/);
/** `gitHead` is where npm keeps the commit too; the bundled folder has it. */
const Manifest = z.object({ version: z.string(), gitHead: z.string().optional() });

/** What runs: the version of this package, the commit that it was built from, and Node. */
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

/** A bundle may lack the file, and nothing that runs depends on it. */
function manifestIn(manifest: URL): z.output<typeof Manifest> {
  try {
    return Manifest.parse(JSON.parse(readFileSync(manifest, 'utf8')));
  } catch {
    return { version: UNKNOWN };
  }
}
