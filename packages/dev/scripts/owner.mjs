// Reads values that only the owner of the repository knows, from the file owner.json in the root.
// All values are optional. If a value is missing, outputs that contain the value omit it.
//
// Format: { "repository": "https://…", "codeOwners": ["@…"] }
//
// node packages/dev/scripts/owner.mjs writes .github/CODEOWNERS.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const KNOWN = new Set(['repository', 'codeOwners']);

/**
 * Parses the text of owner.json.
 * @throws Error if a field is unknown or has a wrong type; the message contains the field's name
 */
export function parseOwner(text) {
  const owner = JSON.parse(text);
  for (const name of Object.keys(owner))
    if (!KNOWN.has(name)) throw new Error(`owner.json: ${name} is not a field`);
  const { repository, codeOwners } = owner;
  if (repository !== undefined && !URL.canParse(repository))
    throw new Error('owner.json: repository must be a URL');
  if (codeOwners !== undefined && !(Array.isArray(codeOwners) && codeOwners.every(isName)))
    throw new Error('owner.json: codeOwners must be a list of names');
  return owner;
}

const isName = (name) => typeof name === 'string' && /^\S+$/.test(name);

/**
 * Returns the fields of a manifest that refer to the repository; no fields if the repository is
 * unknown.
 */
export function repositoryFields({ repository }, directory) {
  if (repository === undefined) return {};
  return {
    repository: { type: 'git', url: repository, ...(directory === undefined ? {} : { directory }) },
    bugs: `${repository.replace(/\.git$/, '')}/issues`,
  };
}

/** Returns the text of CODEOWNERS; null if there are no code owners. */
export function codeOwnersText({ codeOwners = [] }) {
  return codeOwners.length === 0 ? null : `* ${codeOwners.join(' ')}\n`;
}

/** Returns the owner's values of this checkout. @throws Error if the file is invalid */
export function readOwner(root = ROOT) {
  const file = join(root, 'owner.json');
  return existsSync(file) ? parseOwner(readFileSync(file, 'utf8')) : {};
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = codeOwnersText(readOwner());
  if (text === null) console.error('owner.json names no codeOwners: nothing was written');
  else writeFileSync(join(ROOT, '.github', 'CODEOWNERS'), text);
}
