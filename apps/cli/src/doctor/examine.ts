import { loadConfig, unknownSettings } from '@sotto/relayer';
import { InvalidConfiguration, describeUnknownName } from '@sotto/settings';
import type { Settings } from '../environment.js';
import type { Environment } from '../terminal.js';
import { checkAccounts } from './checks/accounts.js';
import { checkCurator, checkPools, checkSwapOwner, checkVerifiers } from './checks/contracts.js';
import { checkClock, pollNodes } from './checks/node.js';
import { checkPrices } from './checks/prices.js';
import { checkPush } from './checks/push.js';
import { settingsFinding } from './checks/settings.js';
import { checkLedger, checkStore } from './checks/store.js';
import { checkWorkers } from './checks/workers.js';
import { causeOf } from '../cause.js';
import { fine, found, skipped, type CheckFinding, type Finding } from './finding.js';
import { partsOf, type ConnectedSite, type Machine, type Site } from './site.js';

interface Check<S> {
  readonly name: string;
  readonly run: (site: S) => Promise<readonly CheckFinding[]>;
}

/**
 * Checks that query the node. If no node is usable, the doctor skips these checks, because all of
 * them would fail.
 */
const OF_CHAIN: readonly Check<ConnectedSite>[] = [
  { name: 'clock', run: checkClock },
  { name: 'accounts', run: checkAccounts },
  { name: 'pools', run: checkPools },
  { name: 'verifiers', run: checkVerifiers },
  { name: 'swap owner', run: checkSwapOwner },
  { name: 'curator', run: checkCurator },
  { name: 'prices', run: checkPrices },
  { name: 'ledger', run: checkLedger },
];
const OF_SITE: readonly Check<Site>[] = [
  { name: 'push', run: checkPush },
  { name: 'store', run: checkStore },
  { name: 'workers', run: checkWorkers },
];
const NODE = 'node';
const NAMES = [NODE, ...[...OF_CHAIN, ...OF_SITE].map(({ name }) => name)];

/** Deadline of one check, in ms. */
const DEADLINE_MS = 20_000;
const TESTED_NODE = 24;

/**
 * Checks everything that the service needs. All checks run in parallel, each with a deadline.
 * Changes nothing and needs no running service.
 * @param fromFile names of variables in settings files, with their lines
 * @param notes notes on variables that were removed from the environment
 */
export async function examine(
  env: Environment,
  machine: Machine,
  progress: (text: string) => void = () => {},
  fromFile: ReadonlyMap<string, number> = new Map(),
  notes: readonly string[] = [],
): Promise<readonly Finding[]> {
  const before = named('node version', nodeVersion());
  const unknown = [
    ...unknownSettings(env, fromFile).map((name) => describeUnknownName(name)),
    ...notes,
  ].map((problem) => found('SETTING_UNKNOWN', { problem }));
  let settings: Settings;
  try {
    settings = loadConfig({ env });
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error;
    return [
      ...before,
      ...named('settings', [...error.problems.map(settingsFinding), ...unknown]),
      ...NAMES.flatMap((name) => named(name, [skipped('needs settings without a fault')])),
    ];
  }
  const weak = [
    ...unknown,
    ...settings.stale.map((problem) => found('SETTING_UNKNOWN', { problem })),
    ...settings.exposedSecrets.map((name) => found('SECRET_READABLE_BY_ALL', { name })),
    ...settings.weak.map((problem) => found('SETTING_WEAK', { problem })),
    ...(machine.mayDumpCore() ? [found('CORE_DUMPS')] : []),
  ];
  const parts = partsOf(settings);
  const site = { settings, machine, parts };
  const endpoints = parts.nodes();
  try {
    const nodes = pollNodes(site, endpoints);
    const ofNode = bounded(NODE, async () => (await nodes).findings);
    const ofChain = OF_CHAIN.map(({ name, run }) => ({
      name,
      findings: bounded(name, async () => {
        const { usable } = await nodes;
        return usable === null
          ? [skipped('needs a node that can be used')]
          : run({ ...site, node: usable });
      }),
    }));
    const ofSite = OF_SITE.map(({ name, run }) => ({
      name,
      findings: bounded(name, () => run(site)),
    }));
    const all = [{ name: NODE, findings: ofNode }, ...ofChain, ...ofSite];
    const findings = await Promise.all(
      all.map(async ({ name, findings: finding }) => {
        const made = named(name, await finding);
        progress(name);
        return made;
      }),
    );
    return [
      ...before,
      ...named('settings', weak.length > 0 ? weak : [fine('the settings are fine')]),
      ...findings.flat(),
    ];
  } finally {
    for (const node of endpoints) node.close();
  }
}

const named = (check: string, findings: readonly CheckFinding[]): readonly Finding[] =>
  findings.map((finding) => ({ check, ...finding }));

function nodeVersion(): readonly CheckFinding[] {
  const version = process.versions.node;
  return Number(version.split('.')[0]) === TESTED_NODE
    ? [fine(`Node ${version}`)]
    : [found('NODE_VERSION_UNTESTED', { version })];
}

/**
 * Runs a check with a deadline. Never rejects: if the check fails, the failure becomes a finding.
 */
async function bounded(
  check: string,
  run: () => Promise<readonly CheckFinding[]>,
): Promise<readonly CheckFinding[]> {
  const late = Promise.withResolvers<readonly CheckFinding[]>();
  const timer = setTimeout(() => {
    late.resolve([found('CHECK_TIMED_OUT', { check, seconds: DEADLINE_MS / 1_000 })]);
  }, DEADLINE_MS);
  try {
    return await Promise.race([run(), late.promise]);
  } catch (error) {
    return [found('CHECK_FAILED', { check, cause: causeOf(error) })];
  } finally {
    clearTimeout(timer);
  }
}
