import { renderNetworkProfiles } from '@sotto/network-profile';
import type { Variables } from '@sotto/settings';
import { renderConfiguration } from './configuration.js';
import { renderErrors } from './errors.js';
import { renderFields } from './fields.js';

export { renderErrors };

/** Declarations of the service that the documents are rendered from. */
export interface Declared {
  /** Environment variables from which the service reads its configuration. */
  readonly variables: Variables;
  /**
   * Names of the options of `createRelayer`, by the names of the corresponding environment
   * variables.
   */
  readonly options: ReadonlyMap<string, string>;
  readonly openApi: object;
}

/** Renders all generated documents and returns them by their file names in docs/reference. */
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
