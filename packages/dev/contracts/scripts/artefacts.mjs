import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { hash } from 'starknet';

const FOLDER = fileURLToPath(new URL('../artefacts', import.meta.url));
const MANIFEST = join(FOLDER, 'manifest.json');

/**
 * @typedef {object} ManifestEntry
 * @property {string} sourceHash SHA-256 of the Cairo sources
 * @property {string} classHash hash of the Sierra class on chain
 * @property {string} compiledClassHash BLAKE hash of the CASM class, which declarations contain and
 *   sign since Starknet 0.14.1
 */

/**
 * @typedef {{ readonly sierra: string, readonly casm: string }} CompiledContract both classes as
 *   minified JSON
 */

/** @returns {Record<string, ManifestEntry>} */
export function readManifest() {
  return existsSync(MANIFEST) ? JSON.parse(readFileSync(MANIFEST, 'utf8')) : {};
}

/** @param {Record<string, ManifestEntry>} entries */
export function writeManifest(entries) {
  const sorted = Object.entries(entries).toSorted(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(MANIFEST, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

/**
 * @param {string} name
 * @returns {CompiledContract}
 */
export function readArtefact(name) {
  const [sierra, casm] = filesOf(name).map((file) => gunzipSync(readFileSync(file)).toString());
  if (sierra === undefined || casm === undefined) throw new Error('two files belong to a contract');
  return { sierra, casm };
}

/**
 * @param {string} name
 * @param {CompiledContract} compiled
 */
export function writeArtefact(name, { sierra, casm }) {
  mkdirSync(FOLDER, { recursive: true });
  const [sierraFile, casmFile] = filesOf(name);
  writeFileSync(sierraFile, gzipSync(sierra, { level: 9 }));
  writeFileSync(casmFile, gzipSync(casm, { level: 9 }));
}

/**
 * Removes the files of deleted contracts.
 * @param {readonly string[]} names names of the existing contracts
 */
export function removeOthers(names) {
  const kept = new Set([MANIFEST, ...names.flatMap(filesOf)]);
  for (const file of readdirSync(FOLDER).map((entry) => join(FOLDER, entry)))
    if (!kept.has(file)) rmSync(file);
}

/**
 * @param {CompiledContract} compiled
 * @returns {Omit<ManifestEntry, 'sourceHash'>}
 */
export function classHashes({ sierra, casm }) {
  return {
    classHash: hash.computeSierraContractClassHash(JSON.parse(sierra)),
    compiledClassHash: hash.computeCompiledClassHashBlake(JSON.parse(casm)),
  };
}

/** @param {string} name @returns {[sierra: string, casm: string]} */
function filesOf(name) {
  return [join(FOLDER, `${name}.sierra.json.gz`), join(FOLDER, `${name}.casm.json.gz`)];
}
