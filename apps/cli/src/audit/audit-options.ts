import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { NodeClientOptions } from '@sotto/adapter-starknet';
import { InvalidFelt, toFelt, type Felt, unguessableId } from '@sotto/kernel';
import { RelayedCalls } from '@sotto/relayer-core';
import type { AuditSettings, CallReader } from '@sotto/submission-core';
import { InvalidConfiguration } from '@sotto/settings';
import { loadConfig } from '@sotto/relayer';

/** The command line is wrong, or the settings that it needs are. The message is for people. */
export class AuditUsage extends Error {}

export type AuditedStore =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** Where chain and ledger of the audit are. */
interface AuditSite {
  readonly store: AuditedStore;
  readonly node: NodeClientOptions;
  /** Accounts that the ledger must know; its own lanes are audited in any case. */
  readonly accounts: readonly Felt[];
  /** Null where no settings say which pools are served. */
  readonly calls: CallReader | null;
}

export interface AuditOptions {
  readonly site: AuditSite;
  readonly json: boolean;
  readonly start: AuditSettings['start'];
  readonly depth: number;
  readonly confirmAfterMs: number;
}

const USAGE = `usage: npm run audit -- [options]

Compares the ledger with the blocks of the chain and changes nothing. Without --store and --node it reads the service's own settings.

  --store <file or postgres:// URL>   the ledger
  --node <URL>                        JSON-RPC endpoint
  --accounts <0x…,0x…>                accounts that the ledger must know, besides its own lanes
  --from <block>                      first block; default: 24 hours ago
  --hours <hours>                     how far back to begin instead
  --depth <blocks>                    blocks below the head that are not read; default 5
  --confirm <seconds>                 time between first and second read of a finding; default 5
  --json                              the report as one JSON line

exit code 0: clean; 1: contradictions; 2: not everything could be read`;

const STRING = { type: 'string' } as const;
const OPTIONS = {
  store: STRING,
  node: STRING,
  accounts: STRING,
  from: STRING,
  hours: STRING,
  depth: STRING,
  confirm: STRING,
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;
const HOUR_MS = 3_600_000;
/** Of a node that the command line names. */
const NODE_TIMEOUTS = { readTimeoutMs: 10_000, sendTimeoutMs: 15_000 };

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws AuditUsage */
export function readAuditOptions(args: readonly string[], env: Environment): AuditOptions {
  const values = parsed(args);
  if (values.help) throw new AuditUsage(USAGE);
  const from = numberOf('from', values.from);
  const hours = numberOf('hours', values.hours) ?? 24;
  return {
    site: siteOf(values, env),
    json: values.json,
    start: from === null ? { lookBackMs: hours * HOUR_MS } : { block: from },
    depth: numberOf('depth', values.depth) ?? 5,
    confirmAfterMs: (numberOf('confirm', values.confirm) ?? 5) * 1_000,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, strict: true, allowPositionals: false })
      .values;
  } catch (error) {
    throw new AuditUsage(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

function siteOf(
  { store, node, accounts: named }: ReturnType<typeof parsed>,
  env: Environment,
): AuditSite {
  const accounts = accountsOf(named);
  if (store === undefined && node === undefined) return siteOfSettings(env, accounts);
  if (store === undefined || node === undefined)
    throw new AuditUsage(`--store and --node belong together\n\n${USAGE}`);
  if (!URL.canParse(node)) throw new AuditUsage('--node: must be a URL');
  const isPostgres = /^postgres(?:ql)?:\/\//.test(store);
  return {
    store: isPostgres ? { kind: 'postgres', url: store } : sqlite(store),
    node: { url: node, ...NODE_TIMEOUTS },
    accounts,
    calls: null,
  };
}

function siteOfSettings(env: Environment, accounts: readonly Felt[]): AuditSite {
  try {
    const { store, node, network } = loadConfig({ env });
    const { chainId, pools, swapPool, limits } = network;
    return {
      store:
        store.kind === 'sqlite'
          ? sqlite(store.path)
          : { kind: 'postgres', url: store.url.reveal() },
      node: { ...node, url: node.endpoints[0].url.reveal() },
      accounts,
      calls: new RelayedCalls({
        chainId,
        pools,
        swapPool: swapPool?.address ?? null,
        limits: limits.withdrawalBounds,
        newId: unguessableId,
      }),
    };
  } catch (error) {
    if (error instanceof InvalidConfiguration) throw new AuditUsage(`${error.message}\n\n${USAGE}`);
    throw error;
  }
}

/** An absent file would become an empty ledger, in which nothing contradicts anything. */
function sqlite(path: string): AuditedStore {
  if (!existsSync(path)) throw new AuditUsage(`the ledger ${path} does not exist`);
  return { kind: 'sqlite', path };
}

function accountsOf(text: string | undefined): readonly Felt[] {
  try {
    return (text ?? '').split(',').filter(Boolean).map(toFelt);
  } catch (error) {
    if (error instanceof InvalidFelt)
      throw new AuditUsage('--accounts: must be addresses, separated by commas');
    throw error;
  }
}

function numberOf(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new AuditUsage(`--${name}: must be a whole number`);
  return value;
}
