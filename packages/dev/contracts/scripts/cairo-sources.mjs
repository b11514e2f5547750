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
 * @property {string} name name of the contract's module, such as `ShieldedPool`
 * @property {string} path name for the compiler, such as `sotto::shielded_pool::ShieldedPool`
 * @property {readonly string[]} modules the contract's own module and all modules on which it
 *   depends, in alphabetical order
 * @property {string} sourceHash SHA-256 over the names and texts of these modules, as hex
 */

/**
 * Returns the contracts of `cairo/` by name. A contract depends on the modules whose full paths
 * (`sotto::module::…`) occur in its file, and on the dependencies of these modules. So always write
 * full paths for modules of the crate.
 * @returns {ReadonlyMap<string, ContractSource>}
 * @throws {Error} if a path refers to a missing module, or two contracts have the same name
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
