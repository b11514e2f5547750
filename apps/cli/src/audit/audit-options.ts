import { existsSync } from 'node:fs';
import { InvalidFelt, toFelt, type Felt, unguessableId } from '@sotto/kernel';
import { privacyPools } from '@sotto/network-profile';
import type { AuditedPlace } from '@sotto/relayer/operation';
import { RelayedCalls } from '@sotto/relayer-core';
import { Secret } from '@sotto/settings';
import type { AuditSettings, CallReader } from '@sotto/submission-core';
import { settingsOf, type Settings, type SettingsOptions } from '../environment.js';
import { CannotRun, type Environment } from '../terminal.js';

/** The chain, the ledger and the accounts that an audit compares. */
interface AuditSite extends AuditedPlace {
  /** Accounts that the audit checks in addition to the ledger's lanes. */
  readonly accounts: readonly Felt[];
  /**
   * Reader of the calls to served pools. Null if the audit has no settings, so that the served
   * pools are unknown.
   */
  readonly calls: CallReader | null;
}

export interface AuditOptions {
  readonly site: AuditSite;
  readonly json: boolean;
  readonly start: AuditSettings['start'];
  readonly depth: number;
  readonly confirmAfterMs: number;
}

/** Parsed but unvalidated command line. */
export interface AuditValues extends SettingsOptions {
  readonly store?: string;
  readonly node?: string;
  readonly accounts?: string;
  readonly from?: string;
  readonly hours?: string;
  readonly depth?: string;
  readonly confirm?: string;
  readonly json?: true;
}

const HOUR_MS = 3_600_000;
/** Number of database connections of an audit. Two suffice, because an audit reads sequentially. */
const POOL_SIZE = 2;
/** Timeouts in ms of a node whose address is a command-line option. */
const NODE_TIMEOUTS = { readTimeoutMs: 10_000, sendTimeoutMs: 15_000 };

/** Reads and validates the options. @throws CannotRun */
export function readAuditOptions(values: AuditValues, env: Environment): AuditOptions {
  const from = numberOf('from', values.from);
  const hours = numberOf('hours', values.hours) ?? 24;
  return {
    site: siteOf(values, env),
    json: values.json === true,
    start: from === null ? { lookbackMs: hours * HOUR_MS } : { block: from },
    depth: numberOf('depth', values.depth) ?? 5,
    confirmAfterMs: (numberOf('confirm', values.confirm) ?? 5) * 1_000,
  };
}

function siteOf(values: AuditValues, env: Environment): AuditSite {
  const { store, node } = values;
  const accounts = accountsOf(values.accounts);
  if (store === undefined && node === undefined)
    return siteOfSettings(settingsOf(values, env), accounts);
  if (store === undefined || node === undefined)
    throw new CannotRun('--store and --node belong together');
  if (!URL.canParse(node)) throw new CannotRun('--node: must be a URL');
  const isPostgres = /^postgres(?:ql)?:\/\//.test(store);
  return {
    store: isPostgres
      ? { kind: 'postgres', url: new Secret(store), poolSize: POOL_SIZE }
      : sqlite(store),
    node: { url: node, ...NODE_TIMEOUTS },
    accounts,
    calls: null,
    network: null,
  };
}

function siteOfSettings({ store, node, network }: Settings, accounts: readonly Felt[]): AuditSite {
  const { chainId, pools, swapPool, limits } = network;
  return {
    store: store.kind === 'sqlite' ? sqlite(store.path) : { ...store, poolSize: POOL_SIZE },
    node: {
      url: node.endpoints[0].url.reveal(),
      readTimeoutMs: node.readTimeoutMs,
      sendTimeoutMs: node.sendTimeoutMs,
    },
    accounts,
    network,
    calls: new RelayedCalls({
      chainId,
      pools,
      privacyPools: privacyPools(network).map(({ address }) => address),
      swapPool: swapPool?.address ?? null,
      limits: limits.withdrawalBounds,
      newId: unguessableId,
    }),
  };
}

/**
 * Throws if the ledger file is missing. If the path were opened, an empty ledger would be created,
 * and the audit would find no contradictions.
 */
function sqlite(path: string): AuditedPlace['store'] {
  if (!existsSync(path)) throw new CannotRun(`the ledger ${path} does not exist`);
  return { kind: 'sqlite', path };
}

function accountsOf(text: string | undefined): readonly Felt[] {
  try {
    return (text ?? '').split(',').filter(Boolean).map(toFelt);
  } catch (error) {
    if (error instanceof InvalidFelt)
      throw new CannotRun('--accounts: must be addresses, separated by commas');
    throw error;
  }
}

function numberOf(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new CannotRun(`--${name}: must be a whole number`);
  return value;
}
