#!/usr/bin/env node
import { readArguments, type CommandOptions } from './command/arguments.js';
import { describeStack } from './command/describe-stack.js';
import { DevError } from './dev-error.js';
import { startDev } from './start-dev.js';

/**
 * Exit codes of a program interrupted by a signal. Source: POSIX shells, 128 + the signal's number.
 */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

const requested = readArguments(process.argv.slice(2));
if (requested.kind === 'print') {
  (requested.exitCode === 0 ? process.stdout : process.stderr).write(requested.text);
  process.exitCode = requested.exitCode;
} else if (isTooOld(process.versions.node)) {
  process.stderr.write(`sotto-dev needs Node 22.13 or later; this is ${process.versions.node}\n`);
  process.exitCode = 2;
} else process.exitCode = await run(requested.options);

/**
 * Returns true if the Node version is below the version in `engines` of the manifest. In this case,
 * npm only prints a warning.
 */
function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < 22 || (major === 22 && minor < 13);
}

async function run({ json, verbose, ...ports }: CommandOptions): Promise<number> {
  const startMs = performance.now();
  const say = (text: string): void => {
    const seconds = ((performance.now() - startMs) / 1_000).toFixed(2);
    process.stderr.write(verbose ? `${seconds} s  ${text}\n` : `${text}\n`);
  };
  const interrupted = interruption();
  const start = new AbortController();
  try {
    const starting = startDev({
      ...ports,
      signal: start.signal,
      settings: process.env,
      onProgress: verbose ? say : () => undefined,
    });
    const early = await Promise.race([starting, interrupted]);
    if (typeof early === 'number') {
      start.abort();
      await starting.then((stack) => stack.stop()).catch(() => undefined);
      return early;
    }
    await using stack = early;
    if (verbose) say('ready');
    const unused = stack.unusedSettings;
    if (unused.length > 0) say(`set, and not used, because it is made here: ${unused.join(', ')}`);
    const { ended, ...description } = stack;
    process.stdout.write(
      json ? `${JSON.stringify(description, bigintAsText)}\n` : describeStack(description),
    );
    const end = await Promise.race([interrupted, ended]);
    if (typeof end === 'number') return 0;
    await stack.stop({ keep: true });
    say(`the ${end} ended unexpectedly; the service's log is ${stack.serviceLog}`);
    return 1;
  } catch (error) {
    say(error instanceof DevError ? error.message : `failed: ${String(error)}`);
    return 1;
  }
}

function bigintAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** Resolves at the first signal, with the exit code for this signal. */
function interruption(): Promise<number> {
  return new Promise((resolve) => {
    for (const [signal, code] of Object.entries(SIGNALS)) process.on(signal, () => resolve(code));
  });
}
