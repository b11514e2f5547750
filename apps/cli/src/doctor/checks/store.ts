import { access, constants, open, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import {
  LedgerDamaged,
  LedgerIncomplete,
  LedgerReadOnly,
  type InspectedLedger,
  type StoreInspection,
} from '@sotto/relayer/operation';
import { acceptanceNow, acceptanceText } from '@sotto/submission-core';
import { causeOf } from '../../cause.js';
import { fine, found, type CheckFinding } from '../finding.js';
import { hostOf, type ConnectedSite, type Site } from '../site.js';

const MIB = 2 ** 20;
/**
 * Minimum free disk space in bytes: the space that the busiest service uses in a day, according to
 * the sizing page, plus a reserve.
 */
const LEAST_FREE_BYTES = 512 * MIB;
/**
 * Maximum time in ms by which the store's clock may be ahead of the wall clock. Two reasons allow a
 * difference: the store's time still advances while the wall clock is set back, and leases end some
 * seconds in the future.
 */
const MAX_AHEAD_MS = 60_000;

/** Checks that the ledger can be read and written, and that its disk has free space. */
export async function checkStore(site: Site): Promise<readonly CheckFinding[]> {
  const { store } = site.settings;
  const place = store.kind === 'sqlite' ? await folderFindings(site, resolve(store.path)) : [];
  const poll = await inspectedStore(site);
  const wrong = [...place, ...(poll.failure === null ? [] : [poll.failure])];
  if (poll.inspection !== null) wrong.push(...schemaFindings(poll.inspection));
  const what = poll.inspection === null ? 'the ledger will be made' : 'the ledger can be used';
  return wrong.length > 0 ? wrong : [fine(what)];
}

/** Compares the ledger's content with the chain and the settings. */
export async function checkLedger(site: ConnectedSite): Promise<readonly CheckFinding[]> {
  const { settings, node, machine } = site;
  const { inspection, failure } = await inspectedStore(site);
  if (failure !== null) return [];
  const ledger = inspection?.ledger ?? null;
  // The ledger of an older schema is not read. A missing file is handled as an empty ledger.
  if (inspection !== null && ledger === null && isMade(inspection)) return [];
  if (ledger === null || (ledger.chain === null && !ledger.lanes.some((lane) => lane.isIntroduced)))
    return emptyFindings(site);
  const findings = [
    ...timeFindings(ledger, inspection?.nowMs ?? null, machine.nowMs()),
    ...instanceFindings(ledger, settings.engine.instance, inspection?.nowMs ?? machine.nowMs()),
  ];
  const genesisHash = await node.reader().blockHash(0);
  const { chain } = ledger;
  if (
    chain !== null &&
    (chain.chainId !== settings.network.chainId || chain.genesisHash !== genesisHash)
  )
    findings.push(found('LEDGER_OF_ANOTHER_CHAIN'));
  return findings.length > 0
    ? findings
    : [fine(`the ledger is this chain’s and knows ${ledger.lanes.length} accounts`)];
}

const isMade = ({ ledger, ...migrations }: StoreInspection): boolean =>
  ledger !== null ||
  migrations.unknownMigrations.length > 0 ||
  migrations.skippedMigrations.length > 0 ||
  !migrations.pendingMigrations.includes(FIRST_MIGRATION);

const FIRST_MIGRATION = '0001_submission_machine';

interface Poll {
  /** Null if no ledger exists yet, or if the doctor can't read the ledger. */
  readonly inspection: StoreInspection | null;
  readonly failure: CheckFinding | null;
}

async function inspectedStore({ settings, parts }: Site): Promise<Poll> {
  const { store } = settings;
  const ledger = parts.ledger();
  if (store.kind === 'postgres') {
    const url = store.url.reveal();
    return inspectedAt(ledger.inspect(), (cause) =>
      found('STORE_UNREACHABLE', { host: hostOf(url), cause }),
    );
  }
  const size = await stat(store.path).then(
    (file) => file.size,
    () => 0,
  );
  const failure = fileFailure(ledger.check);
  if (failure !== null || size === 0) return { inspection: null, failure };
  return inspectedAt(ledger.inspect(), (cause) => found('STORE_NOT_READABLE', { cause }));
}

/**
 * Checks the ledger file. Returns a finding if the check fails, or null. The check reads the
 * content of indexes, so it may need minutes for a large file.
 */
function fileFailure(check: () => void): CheckFinding | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof LedgerDamaged)
      return found('LEDGER_DAMAGED', { finding: String(error.details['finding']) });
    if (error instanceof LedgerIncomplete)
      return found('LEDGER_INCOMPLETE', { reason: String(error.details['reason']) });
    // The checks of the folder report a read-only ledger.
    if (error instanceof LedgerReadOnly) return null;
    return found('STORE_NOT_READABLE', { cause: causeOf(error) });
  }
}

async function inspectedAt(
  inspecting: Promise<StoreInspection>,
  failureOf: (cause: string) => CheckFinding,
): Promise<Poll> {
  try {
    return { inspection: await inspecting, failure: null };
  } catch (error) {
    return { inspection: null, failure: failureOf(causeOf(error)) };
  }
}

async function folderFindings({ machine }: Site, path: string): Promise<readonly CheckFinding[]> {
  const folder = dirname(path);
  try {
    await access(folder, constants.F_OK);
  } catch (error) {
    return [found('STORE_FOLDER_MISSING', { cause: causeOf(error) })];
  }
  try {
    await tryToWrite(folder, path);
  } catch (error) {
    return [found('STORE_NOT_WRITABLE', { cause: causeOf(error) })];
  }
  const free = await machine.freeBytes(folder);
  return free >= LEAST_FREE_BYTES
    ? []
    : [found('DISK_NEARLY_FULL', { free: Math.floor(free / MIB) })];
}

/**
 * Creates and removes a file in the ledger's folder, because SQLite creates files next to the
 * ledger.
 */
async function tryToWrite(folder: string, path: string): Promise<void> {
  const probe = join(folder, `.${basename(path)}.doctor-${process.pid}`);
  // The file may exist already if an earlier doctor was killed.
  await (await open(probe, 'w', 0o600)).close();
  await rm(probe, { force: true });
  const exists = await access(path, constants.F_OK).then(
    () => true,
    () => false,
  );
  if (exists) await (await open(path, 'r+')).close();
}

function schemaFindings({
  pendingMigrations,
  skippedMigrations,
  unknownMigrations,
  differingMigrations,
}: StoreInspection): readonly CheckFinding[] {
  const findings: CheckFinding[] = [];
  if (unknownMigrations.length > 0)
    findings.push(found('STORE_NEWER', { migrations: unknownMigrations.join(', ') }));
  else if (skippedMigrations.length > 0)
    findings.push(found('STORE_HALF_MIGRATED', { migrations: skippedMigrations.join(', ') }));
  else if (pendingMigrations.length > 0 && !pendingMigrations.includes(FIRST_MIGRATION))
    findings.push(found('MIGRATIONS_PENDING', { migrations: pendingMigrations.join(', ') }));
  if (differingMigrations.length > 0)
    findings.push(found('STORE_SCHEMA_DIFFERS', { migrations: differingMigrations.join(', ') }));
  return findings;
}

async function emptyFindings({ settings, node }: ConnectedSite): Promise<readonly CheckFinding[]> {
  const { acceptance } = settings.engine;
  if (acceptance === 'always') return [fine('the ledger is empty, as in development it may be')];
  if (acceptance === null) return [found('LEDGER_EMPTY')];
  const { network, lanes } = settings;
  const now = await acceptanceNow({
    reader: node.reader(),
    chainId: network.chainId,
    accounts: lanes.map(({ address }) => address),
  });
  return acceptanceText(acceptance) === now
    ? [fine('the ledger is empty, and ACCEPT_EMPTY_LEDGER fits the chain')]
    : [found('ACCEPTANCE_VOID')];
}

/**
 * Checks that the store's time is not ahead of this machine's clock. A database reports its clock.
 * For a file, the newest time of a lease is used.
 */
function timeFindings(
  { lanes }: InspectedLedger,
  databaseMs: number | null,
  nowMs: number,
): CheckFinding[] {
  const newestMs = databaseMs ?? Math.max(0, ...lanes.map(({ leasedAtMs }) => leasedAtMs));
  const aheadMs = newestMs - nowMs;
  return aheadMs > MAX_AHEAD_MS
    ? [found('STORE_CLOCK_OFF', { seconds: Math.round(aheadMs / 1_000) })]
    : [];
}

function instanceFindings(
  { lanes }: InspectedLedger,
  instance: string,
  nowMs: number,
): CheckFinding[] {
  return lanes.some(({ leasedTo, leaseUntilMs }) => leasedTo === instance && leaseUntilMs > nowMs)
    ? [found('INSTANCE_ID_IN_USE', { instance })]
    : [];
}
