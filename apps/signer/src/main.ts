#!/usr/bin/env node
import { causeCodeOf } from '@sotto/kernel';
import { warmUp } from '@sotto/stark-hash';
import {
  InvalidConfiguration,
  describeUnknownName,
  mayDumpCore,
  namesOfEnvFiles,
  unknownNames,
  type UnknownName,
} from '@sotto/settings';
import { boundedLines, logNodeWarnings } from '@sotto/telemetry';
import { pino, type Logger } from 'pino';
import { CannotStart } from './cannot-start.js';
import { policyCommand } from './policy/policy-command.js';
import { weakPolicy } from './policy/weak-policy.js';
import { VARIABLES, loadSettings, type SignerSettings } from './settings.js';
import { placesOf, startSigner } from './start-signer.js';

const FAILURE = 1;
const STANDARD_OUTPUT = 1;

function exitOf(error: unknown, logger: Pick<Logger, 'error'>, message: string): never {
  if (error instanceof CannotStart) logger.error({ error: error.message }, message);
  else logger.error({ error: placesOf(error) }, message);
  process.exit(FAILURE);
}

function settingsOrExit(unknown: readonly UnknownName[]): SignerSettings {
  try {
    return loadSettings({ env: process.env });
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error;
    const warnings = unknown.map((name) => `warning: ${describeUnknownName(name)}\n`);
    process.stderr.write(`${error.message}\n${warnings.join('')}`);
    process.exit(FAILURE);
  }
}

async function run(): Promise<void> {
  const unknown = unknownNames({
    variables: VARIABLES,
    names: Object.keys(process.env),
    fromFile: namesOfEnvFiles(process.execArgv),
    others: ['SOTTO_COMMIT'],
  });
  const settings = settingsOrExit(unknown);
  // After the settings are loaded, the secrets are removed from the environment, so that child
  // processes do not inherit them.
  for (const name of ['SIGNER_KEYS', 'SIGNER_TLS_KEY']) delete process.env[name];
  const logger = pino(
    { base: null, messageKey: 'message', timestamp: pino.stdTimeFunctions.isoTime },
    boundedLines(STANDARD_OUTPUT),
  );
  process.on('uncaughtException', (error) => exitOf(error, logger, 'uncaught error'));
  logNodeWarnings({ warn: (fields, message) => logger.warn(fields, message) });
  if (mayDumpCore())
    logger.warn('the system may write a core dump with the keys: set its limit to 0');
  for (const name of unknown) logger.warn(name, 'an environment variable is not a setting');
  for (const sentence of weakPolicy(settings.policy))
    logger.warn({ policy: sentence }, 'the policy bounds little');
  warmUp();
  const signer = await startSigner(settings, logger).catch((error: unknown) =>
    exitOf(error, logger, 'the signer did not start'),
  );
  const { place, policy } = settings;
  logger.info(
    { place: place.kind, chain: policy.chainId, accounts: policy.accounts.length },
    'listening',
  );
  const stop = (): void => {
    signer.stop().then(
      () => process.exit(0),
      () => process.exit(FAILURE),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

function printPolicy(command: string, args: readonly string[]): void {
  process.stdout.on('error', (error) => {
    process.stderr.write(`the policy could not be written (${causeCodeOf(error) ?? 'no cause'})\n`);
    process.exitCode = FAILURE;
  });
  process.exitCode = policyCommand(command, args);
}

const [command, ...args] = process.argv.slice(2);
if (command === undefined) await run();
else printPolicy(command, args);
