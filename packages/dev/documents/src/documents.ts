import { renderNetworkProfiles } from '@sotto/network-profile';
import type { Variables } from '@sotto/settings';
import { renderConfiguration } from './configuration.js';
import { renderErrors } from './errors.js';
import { renderFields } from './fields.js';

export { renderErrors };

/** What the service itself declares. */
export interface Declared {
  /** From which the configuration is read. */
  readonly variables: Variables;
  /** Of `createRelayer`, by the names of their variables. */
  readonly options: ReadonlyMap<string, string>;
  readonly openApi: object;
}

/** The generated documents by their names in docs/reference. */
export function renderDocuments({
  variables,
  options,
  openApi,
}: Declared): Readonly<Record<string, string>> {
  return {
    'configuration.md': renderConfiguration(variables, options),
    'errors.md': renderErrors(),
    'fields.md': renderFields(openApi),
    'network-profiles.md': renderNetworkProfiles(),
    'openapi.json': `${JSON.stringify(openApi, null, 2)}\n`,
  };
}
