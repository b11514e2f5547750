#!/usr/bin/env node
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOptions, UsageError, type DemoOptions } from './arguments.js';
import { print, say } from './console.js';
import { demonstrate, prepareAnother } from './demonstration.js';
import { describeCommands, describeResult, resultLine } from './report.js';
import { PortTaken } from './stack/claim-port.js';
import { Stack } from './stack/stack.js';

/** The exit code of a program that somebody stopped before it was done. Source: POSIX shells, 128 + SIGINT. */
const INTERRUPTED = 130;

process.exit(await main());

async function main(): Promise<number> {
  const interrupted = interruption();
  try {
    const options = readOptions(process.argv.slice(2), process.env, performance.timeOrigin);
    const starting = Stack.start(options.port, options.stateFolder);
    const early = await Promise.race([starting, interrupted]);
    if (early === 'interrupted') {
      say('stopping');
      await starting.then((stack) => stack.stop()).catch(() => undefined);
      return INTERRUPTED;
    }
    return await withStack(early, options, interrupted);
  } catch (error) {
    say(describeFailure(error));
    return 1;
  }
}

async function withStack(stack: Stack, options: DemoOptions, interrupted: Promise<'interrupted'>): Promise<number> {
  try {
    const failure = stack.failed().then((name) => Promise.reject(new Error(`the ${name} ended unexpectedly`)));
    const outcome = await Promise.race([show(stack, options), interrupted, failure]);
    if (outcome === 'succeeded' && !options.once) {
      await Promise.race([interrupted, failure]);
    }
    if (outcome === 'failed') {
      await stack.abandon();
      say(`the withdrawal did not succeed; the service's log is ${stack.serviceLog}`);
      return 1;
    }
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

async function show(stack: Stack, { once, json, stateFolder, startedAtMs }: DemoOptions): Promise<'succeeded' | 'failed'> {
  const { result, submissionPath } = await demonstrate(stack, startedAtMs);
  print(describeResult(result));
  const succeeded = result.executionStatus === 'SUCCEEDED';
  if (succeeded && !once) {
    say('preparing another withdrawal for you to send');
    const withdrawalFile = join(stateFolder, 'withdrawal.json');
    writeFileSync(withdrawalFile, JSON.stringify(await prepareAnother(stack)));
    print(describeCommands(stack.baseUrl, withdrawalFile, submissionPath));
  }
  if (json) print(resultLine(result));
  return succeeded ? 'succeeded' : 'failed';
}

/** Resolves at the first signal, or when the program that started this one is gone. Further signals change nothing: stopping has limits of its own. */
function interruption(): Promise<'interrupted'> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve('interrupted'));
    process.on('disconnect', () => resolve('interrupted'));
  });
}

function describeFailure(error: unknown): string {
  if (error instanceof PortTaken || error instanceof UsageError) return error.message;
  return `failed: ${error instanceof Error ? error.message : String(error)}`;
}
