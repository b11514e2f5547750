import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the Cairo sources. Each file is a module of the crate `sotto`. */
export const CAIRO_FOLDER = fileURLToPath(new URL('../cairo', import.meta.url));

const CONTRACT = /#\[starknet::contract\]\s*mod (\w+)/;
const MODULE_OF_THE_CRATE = /\bsotto::(\w+)/g;

/**
 * @typedef {object} ContractSource
 * @property {string} name the contract's module, such as `ShieldedPool`
 * @property {string} path name for the compiler, such as `sotto::shielded_pool::ShieldedPool`
 * @property {readonly string[]} modules all modules that it depends on, including its own, in
 *   alphabetical order
 * @property {string} sourceHash SHA-256 over these modules' names and texts, as hex
 */

/**
 * Finds the contracts of `cairo/` by name. Dependencies are the full paths (`sotto::module::…`) in
 * a contract's file and, recursively, in theirs. So modules of the crate must always be named by
 * full paths.
 * @returns {ReadonlyMap<string, ContractSource>}
 * @throws {Error} if a named module does not exist, or two contracts have one name
 */
export function findContracts() {
  const texts = new Map(
    readdirSync(CAIRO_FOLDER)
      .filter((file) => file.endsWith('.cairo'))
      .toSorted()
      .map((file) => [
        file.slice(0, -'.cairo'.length),
        readFileSync(join(CAIRO_FOLDER, file), 'utf8'),
      ]),
  );
  const contracts = new Map();
  for (const [module, text] of texts) {
    const name = CONTRACT.exec(text)?.[1];
    if (name === undefined) continue;
    if (contracts.has(name)) throw new Error(`two contracts are called ${name}`);
    const modules = dependenciesOf(module, texts);
    contracts.set(name, {
      name,
      path: `sotto::${module}::${name}`,
      modules,
      sourceHash: hashOf(modules, texts),
    });
  }
  return contracts;
}

/**
 * @param {string} first
 * @param {ReadonlyMap<string, string>} texts
 */
function dependenciesOf(first, texts) {
  const found = new Set([first]);
  for (const module of found) {
    const text = texts.get(module);
    if (text === undefined) throw new Error(`cairo/${module}.cairo does not exist`);
    for (const [, named] of text.matchAll(MODULE_OF_THE_CRATE))
      if (named !== undefined) found.add(named);
  }
  return [...found].toSorted();
}

/**
 * @param {readonly string[]} modules
 * @param {ReadonlyMap<string, string>} texts
 */
function hashOf(modules, texts) {
  const hash = createHash('sha256');
  for (const module of modules) hash.update(JSON.stringify([module, texts.get(module)]));
  return hash.digest('hex');
}
