import { parseArgs } from 'node:util';

/** Of a process, as its caller has set it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What the command line and the environment ask for. */
export interface DemoOptions {
  /** End after the demonstration. */
  readonly once: boolean;
  /** Print one machine-readable line as the last of standard output. */
  readonly json: boolean;
  /** On starknet-devnet, and not on the sandbox. */
  readonly devnet: boolean;
  /** Of the service; 0 takes a free one. */
  readonly port: number;
  /** Folder for ledgers, logs and the prepared withdrawal. */
  readonly stateFolder: string;
  /** Whether the keeper acts on everything, and not only on what it is shown with. */
  readonly keeperAll: boolean;
  /** When the user's command began, in milliseconds since the Unix epoch. */
  readonly startedAtMs: number;
}

/** The command line or a variable is wrong. The message is for people. */
export class UsageError extends Error {}

const USAGE = `usage: npm start -- [--once] [--json]
       npm run start:devnet -- [--once] [--json]

  --once   end after the demonstration; exit code 0 only when the withdrawal SUCCEEDED and nothing else failed
  --json   one JSON line with the result, last on standard output

start:devnet runs on starknet-devnet, which STARKNET_DEVNET names or the PATH has.
PORT (default 3000) is the port of the service; 0 takes a free one. Its other settings are passed on
to it, but for those of which the stack is made.
KEEPER_ALL=true lets the keeper act on everything, and not only on what it is shown with.`;

const DEFAULT_PORT = 3000;
const STATE_FOLDER = '.sotto';

/**
 * Reads what the demonstration is to do.
 * @param processStartMs stands for the user's command when SOTTO_STARTED_MS does not name an
 *   earlier moment
 * @throws UsageError
 */
export function readOptions(
  args: readonly string[],
  env: Environment,
  processStartMs: number,
): DemoOptions {
  const { once, json, devnet } = flagsOf(args);
  const startedAtMs = Number(env['SOTTO_STARTED_MS'] ?? Number.NaN);
  return {
    once,
    json,
    devnet,
    port: portOf(env['PORT']),
    stateFolder: env['SOTTO_STATE_FOLDER'] ?? STATE_FOLDER,
    keeperAll: env['KEEPER_ALL'] === 'true',
    startedAtMs: startedAtMs > 0 && startedAtMs <= processStartMs ? startedAtMs : processStartMs,
  };
}

function flagsOf(args: readonly string[]): { once: boolean; json: boolean; devnet: boolean } {
  const flag = { type: 'boolean', default: false } as const;
  const options = { once: flag, json: flag, devnet: flag } as const;
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (cause) {
    throw new UsageError(
      `${cause instanceof Error ? cause.message : 'unreadable arguments'}\n\n${USAGE}`,
      { cause },
    );
  }
}

function portOf(text: string | undefined): number {
  if (text === undefined || text === '') return DEFAULT_PORT;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new UsageError('PORT must be a whole number from 0 to 65535');
  return port;
}
