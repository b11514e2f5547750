import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { CIRCUIT_FILE, compileCircuit } from '../../scripts/compile-circuit.mjs';

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Returns circom's witness generator of the circuit. Compiles the circuit only if source or tools
 * have changed, because a compilation needs three seconds. The repository does not contain the
 * generator, because circom's generated code contains its GPL run-time.
 */
export async function circomGenerator(): Promise<Uint8Array> {
  const versions = await Promise.all(
    ['circom2', 'circomlib'].map((name) =>
      readFile(join(PACKAGE, 'node_modules', name, 'package.json')),
    ),
  );
  const hash = createHash('sha256').update(await readFile(CIRCUIT_FILE));
  for (const version of versions) hash.update(version);
  const file = join(PACKAGE, 'node_modules', `.circuit-${hash.digest('hex')}.wasm`);
  try {
    return Uint8Array.from(await readFile(file));
  } catch {
    // The folder is on the same file system, so the renamed file is complete at any time.
    const folder = await mkdtemp(join(dirname(file), '.circuit-'));
    try {
      await rename((await compileCircuit(folder)).wasm, file);
      return Uint8Array.from(await readFile(file));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}
