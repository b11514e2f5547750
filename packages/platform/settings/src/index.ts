export {
  InvalidConfiguration,
  attempt,
  deepFreeze,
  placeOf,
  readVariables,
  rulesOver,
  type ConfigSources,
  type ReadVariables,
  type Rule,
} from './read-variables.js';
export { mayDumpCore } from './core-dumps.js';
export { Secret } from './secret.js';
export {
  describeUnknownName,
  namesOfEnvFiles,
  unknownNames,
  type UnknownName,
} from './unknown-names.js';
export {
  BearerToken,
  DatabaseUrl,
  Flag,
  NamedTokens,
  Origins,
  PositiveBigInt,
  SecretUrl,
  jsonText,
  wholeNumber,
  type NamedToken,
} from './values.js';
export {
  environmentNames,
  essential,
  formerly,
  optional,
  required,
  secret,
  settingsOf,
  variableRows,
  withDefault,
  type SettingsOf,
  type ValuesOf,
  type Variable,
  type Variables,
} from './variables.js';
