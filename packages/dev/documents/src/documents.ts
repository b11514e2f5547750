import { buildOpenApi } from '../../../../apps/api/src/http/openapi.js';
import { ROUTES } from '@sotto/routes';
import { renderConfiguration } from './configuration.js';
import { renderErrors } from './errors.js';
import { renderNetworkProfiles } from '@sotto/network-profile';

/** The generated documents by their names in docs/reference. */
export function renderDocuments(): Readonly<Record<string, string>> {
  return {
    'configuration.md': renderConfiguration(),
    'errors.md': renderErrors(),
    'network-profiles.md': renderNetworkProfiles(),
    'openapi.json': `${JSON.stringify(buildOpenApi(ROUTES), null, 2)}\n`,
  };
}
