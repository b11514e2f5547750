import { parseArgs } from 'node:util';

/** Environment of a process, as set by its caller. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Options from the command line and the environment. */
export interface DemoOptions {
  /** True to exit after the demonstration. */
  readonly once: boolean;
  /** True to print one machine-readable line at the end of standard output. */
  readonly json: boolean;
  /** True to run on starknet-devnet instead of the sandbox. */
  readonly devnet: boolean;
  /** Port of the service. 0 selects a free port. */
  readonly port: number;
  /** Folder for ledgers, logs and the prepared withdrawal. */
  readonly stateFolder: string;
  /** True if the keeper acts on every subject, not only on the subjects of the demonstration. */
  readonly keeperAll: boolean;
  /** Start of the user's command, in ms since the Unix epoch. */
  readonly startedAtMs: number;
}

/** Error for an invalid command line or environment variable. The message is for users. */
export class UsageError extends Error {}

const USAGE = `usage: npm start -- [--once] [--json]
       npm run start:devnet -- [--once] [--json]

  --once   end after the demonstration; exit code 0 only if the withdrawal SUCCEEDED and nothing else failed
  --json   one JSON line with the result, last on standard output

start:devnet runs on starknet-devnet, from the path in STARKNET_DEVNET or from PATH.
PORT (default 3000) is the port of the service; 0 chooses a free port. All other settings of the
service are passed to it, except those that the stack itself makes.
KEEPER_ALL=true lets the keeper act on all subjects, and not only on those of the demonstration.`;

const DEFAULT_PORT = 3000;
const STATE_FOLDER = '.sotto';

/**
 * Reads the options of the demonstration.
 * @param processStartMs start of the command in ms, unless SOTTO_STARTED_MS contains an earlier
 *   time
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
