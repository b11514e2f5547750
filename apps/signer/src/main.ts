#!/usr/bin/env node
import { warmUp } from '@sotto/stark-hash';
import { InvalidConfiguration, mayDumpCore } from '@sotto/settings';
import { pino } from 'pino';
import { policyCommand } from './policy/policy-command.js';
import { weakPolicy } from './policy/weak-policy.js';
import { loadSettings, type SignerSettings } from './settings.js';
import { startSigner } from './start-signer.js';

const FAILURE = 1;

function settingsOrExit(): SignerSettings {
  try {
    return loadSettings({ env: process.env });
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(FAILURE);
  }
}

async function run(): Promise<void> {
  const settings = settingsOrExit();
  // What is held here is not in the environment of this process any more, nor of a child's.
  for (const name of ['SIGNER_KEYS', 'SIGNER_TLS_KEY']) delete process.env[name];
  const logger = pino({
    base: null,
    messageKey: 'message',
    timestamp: pino.stdTimeFunctions.isoTime,
  });
  if (mayDumpCore())
    logger.warn('the system may write a core dump with the keys: set its limit to 0');
  for (const sentence of weakPolicy(settings.policy))
    logger.warn({ policy: sentence }, 'the policy bounds little');
  warmUp();
  const signer = await startSigner(settings, logger);
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

const [command, ...args] = process.argv.slice(2);
if (command === undefined) await run();
else process.exitCode = policyCommand(command, args);
