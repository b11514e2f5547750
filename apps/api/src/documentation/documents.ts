import { createRoutes } from '../http/routes.js';
import { buildOpenApi } from '../http/openapi.js';
import { renderConfiguration } from './configuration.js';
import { renderErrors } from './errors.js';

/** The generated documents by their names in docs/. */
export function renderDocuments(): Readonly<Record<string, string>> {
  return {
    'configuration.md': renderConfiguration(),
    'errors.md': renderErrors(),
    'openapi.json': `${JSON.stringify(buildOpenApi(createRoutes(unused)), null, 2)}\n`,
  };
}

const unavailable = (): never => {
  throw new Error('routes that are only described handle nothing');
};
const unused = {
  submitWithdrawal: { execute: unavailable, dryRun: unavailable },
  getSubmission: { execute: unavailable },
  readiness: { report: unavailable },
  waitForConfirmationMs: 0,
};
