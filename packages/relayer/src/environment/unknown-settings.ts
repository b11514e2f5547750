import { unknownNames, type ConfigSources, type UnknownName } from '@sotto/settings';
import { REMOVED_SETTINGS } from './constants.js';
import { VARIABLES } from './variables.js';

/** Names of variables that the image, the command and the development stack read. */
const OTHER_PROGRAMS = [
  'SOTTO_COMMIT',
  'SOTTO_IMAGE',
  'SOTTO_URL',
  'SOTTO_STARTED_BY',
  'SOTTO_STARTED_MS',
  'STARKNET_DEVNET',
];
/**
 * Names that no warning is needed for: names that other programs read, and names of former
 * settings, which `removedSettings` reports.
 */
const others = [...OTHER_PROGRAMS, ...REMOVED_SETTINGS.keys()];

/**
 * Finds names that are probably misspelt settings of the service or of the keeper.
 * @param fromFile names in files of settings, with their lines. Unknown names in these files are
 *   always returned
 */
export const unknownSettings = (
  env: ConfigSources['env'],
  fromFile: ReadonlyMap<string, number>,
): readonly UnknownName[] =>
  unknownNames({ variables: VARIABLES, names: Object.keys(env), fromFile, others });
