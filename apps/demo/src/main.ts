#!/usr/bin/env node
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DevnetMissing } from '@sotto/deployment';
import { PortTaken } from '@sotto/dev';
import { readOptions, UsageError, type DemoOptions } from './arguments.js';
import { print, say } from './console.js';
import { demonstrate, prepareAnother } from './demonstration.js';
import type { KeeperFigures } from './domains/keeper-figures.js';
import { showDomains } from './domains/show-domains.js';
import {
  describeAddresses,
  describeCommands,
  describeResult,
  describeRow,
  resultLine,
} from './report.js';
import { Stack } from './stack/stack.js';

/** Exit code of an interrupted program: 128 + SIGINT, as in POSIX shells. */
const INTERRUPTED = 130;

process.exit(await main());

async function main(): Promise<number> {
  const interrupted = interruption();
  const start = new AbortController();
  try {
    const options = readOptions(process.argv.slice(2), process.env, performance.timeOrigin);
    const starting = Stack.start({ ...options, given: process.env, signal: start.signal });
    const early = await Promise.race([starting, interrupted]);
    if (early === 'interrupted') {
      say('stopping');
      start.abort();
      await starting.then((stack) => stack.stop()).catch(() => undefined);
      return INTERRUPTED;
    }
    return await withStack(early, options, interrupted);
  } catch (error) {
    say(describeFailure(error));
    return 1;
  }
}

async function withStack(
  stack: Stack,
  options: DemoOptions,
  interrupted: Promise<'interrupted'>,
): Promise<number> {
  try {
    const failure = stack
      .failed()
      .then((name) => Promise.reject(new Error(`the ${name} ended unexpectedly`)));
    const outcome = await Promise.race([show(stack, options), interrupted, failure]);
    if (outcome !== 'interrupted' && outcome.length > 0) {
      await stack.abandon();
      say(
        `the ${outcome.join(' and the ')} did not succeed; the service's log is ${stack.serviceLog}`,
      );
      return 1;
    }
    if (outcome !== 'interrupted' && !options.once) await Promise.race([interrupted, failure]);
    say('stopping');
    await stack.stop();
    return outcome === 'interrupted' ? INTERRUPTED : 0;
  } catch (error) {
    await stack.abandon();
    say(describeFailure(error));
    say(`the service's log is ${stack.serviceLog}`);
    return 1;
  }
}

/** Runs all demonstrations. Returns the names of those that failed. */
async function show(
  stack: Stack,
  { once, json, stateFolder, startedAtMs }: DemoOptions,
): Promise<readonly string[]> {
  const { result, submissionPath } = await demonstrate(stack.sites, startedAtMs);
  print(describeResult(result));
  const { failed, keeper } =
    result.executionStatus === 'SUCCEEDED'
      ? await showOthers(stack)
      : { failed: ['withdrawal'], keeper: null };
  if (failed.length === 0 && !once) {
    say('preparing another withdrawal for you to send');
    const withdrawalFile = join(stateFolder, 'withdrawal.json');
    writeFileSync(withdrawalFile, JSON.stringify(await prepareAnother(stack.sites)));
    const { sites, tokensInShell: tokens } = stack;
    const { baseUrl } = sites;
    print(describeCommands({ baseUrl, withdrawalFile, submissionPath, tokens }));
    print(describeAddresses(sites));
  }
  if (json) print(resultLine(result, keeper));
  return failed;
}

async function showOthers(
  stack: Stack,
): Promise<{ readonly failed: readonly string[]; readonly keeper: Partial<KeeperFigures> }> {
  const failed: string[] = [];
  let keeper: Partial<KeeperFigures> = {};
  for await (const { name, text, succeeded, figures } of showDomains(stack.sites)) {
    keeper = { ...keeper, ...figures };
    print(describeRow(name, text));
    if (!succeeded) failed.push(name);
  }
  print('');
  return { failed, keeper };
}

/**
 * Resolves at the first signal, or when the parent process has ended. Further signals have no
 * effect, because the shutdown has time limits.
 */
function interruption(): Promise<'interrupted'> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => resolve('interrupted'));
    process.on('disconnect', () => resolve('interrupted'));
  });
}

function describeFailure(error: unknown): string {
  if (error instanceof PortTaken) return `${error.message}: PORT=3001 npm start`;
  if (error instanceof UsageError || error instanceof DevnetMissing) return error.message;
  return `failed: ${error instanceof Error ? error.message : String(error)}`;
}
