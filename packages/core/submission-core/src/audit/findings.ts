import type { Felt } from '@sotto/kernel';
import {
  isLive,
  sameRef,
  type Attempt,
  type ExecutionStatus,
  type NonceRow,
  type Settlement,
  type TransactionRow,
} from '../domain/rows.js';
import type { TransactionStatus } from '../domain/transaction-status.js';
import type { AccountTransaction } from '../ports/chain.port.js';
import type { AuditedSubmission } from './audit-store.port.js';

/**
 * Codes of the audit's findings, the gravest first. If a nonce has several findings, only the
 * gravest finding is reported.
 *
 * - `ATTEMPT_PAID_TWICE`: two transactions with the call of one submission have SUCCEEDED.
 * - `ENDED_BUT_INCLUDED`: the chain has a transaction of an attempt that is refused or expired in
 *   the ledger.
 * - `TOLD_BUT_NOT_ON_CHAIN`: an attempt is executed in the ledger, and the chain does not have its
 *   transaction.
 * - `OUTCOME_DIFFERS`: the chain and the ledger have different outcomes for the transaction of an
 *   attempt.
 * - `CARRIES_ANOTHER_CALL`: a transaction is stored for one submission, but its call belongs to
 *   another submission.
 * - `SETTLED_OTHERWISE`: the transaction, block or execution of a nonce differs between chain and
 *   ledger, or the chain has not consumed the nonce.
 * - `NOT_IN_LEDGER`: the chain has a transaction of our account that the ledger neither stores nor
 *   records as foreign.
 * - `FOREIGN`: a third party has signed with the key of our account, and the ledger records the
 *   transaction as foreign.
 * - `NOT_SETTLED`: the chain has consumed a nonce that is still open in the ledger.
 */
export const FINDING_CODES = [
  'ATTEMPT_PAID_TWICE',
  'ENDED_BUT_INCLUDED',
  'TOLD_BUT_NOT_ON_CHAIN',
  'OUTCOME_DIFFERS',
  'CARRIES_ANOTHER_CALL',
  'SETTLED_OTHERWISE',
  'NOT_IN_LEDGER',
  'FOREIGN',
  'NOT_SETTLED',
] as const;
export type FindingCode = (typeof FINDING_CODES)[number];

/**
 * Kind of a finding. Only `contradiction` means that the ledger is wrong. A `foreign` finding
 * agrees with the ledger. A `pending` finding means that the ledger has not caught up yet.
 */
export type FindingKind = 'contradiction' | 'foreign' | 'pending';

export interface Finding {
  readonly code: FindingCode;
  readonly lane: Felt;
  readonly nonce: bigint;
  /** Hash of the transaction on chain, or of the ledger's transaction if the chain has none. */
  readonly transactionHash: Felt | null;
  /** Height of the block that shows the finding; null if the chain shows nothing. */
  readonly block: number | null;
  /** Public id of the attempt that the finding is about. */
  readonly submission: string | null;
  /** Key of the submission. Private: it must not appear in logs and reports. */
  readonly key: string | null;
}

export function kindOf(code: FindingCode): FindingKind {
  if (code === 'FOREIGN') return 'foreign';
  return code === 'NOT_SETTLED' ? 'pending' : 'contradiction';
}

/**
 * Returns the name of a finding. If several reads return the same finding, it has the same name in
 * each read.
 */
export function nameOf({ code, lane, nonce, transactionHash }: Finding): string {
  return [code, lane, nonce, transactionHash].join('|');
}

/**
 * Transaction of one of our accounts, with the key of the submission that its call belongs to. The
 * key is null if it can't be derived from the call.
 */
export interface CarriedTransaction extends AccountTransaction {
  readonly carries: string | null;
}

/**
 * Facts that the audit has read from the chain. If a fact could not be read, it is missing here,
 * and the audit draws no conclusion from this.
 */
export interface ChainEvidence {
  /** All transactions of our accounts in the blocks that were read. */
  readonly transactions: readonly CarriedTransaction[];
  /** Statuses of the submissions' transactions, by transaction hash. */
  readonly sightings: ReadonlyMap<Felt, TransactionStatus>;
  /** Next nonce of each account at the head block. */
  readonly accountNonces: ReadonlyMap<Felt, bigint>;
  /** Height up to which blocks are deep enough for the audit. */
  readonly deepBlock: number;
}

export interface AuditedLane {
  readonly address: Felt;
  /**
   * First nonce of the account that this ledger must explain; null for a lane that was not
   * introduced.
   */
  readonly firstNonce: bigint | null;
  /**
   * True while the lane is in quarantine. Transactions of the account may then still be missing in
   * the ledger.
   */
  readonly isQuarantined: boolean;
}

/**
 * Rows of the ledger about the audited transactions. The rows must be read after the chain, so that
 * they are never older than the chain data.
 */
export interface LedgerEvidence {
  readonly lanes: readonly AuditedLane[];
  readonly rows: readonly NonceRow[];
  readonly transactions: readonly TransactionRow[];
  readonly submissions: readonly AuditedSubmission[];
}

/**
 * Compares the chain with the ledger. Returns an empty list if each transaction and each outcome on
 * chain matches exactly one in the ledger, and vice versa.
 */
export function findingsOf(chain: ChainEvidence, ledger: LedgerEvidence): readonly Finding[] {
  const included = inclusionsOf(chain);
  return gravestByNonce([
    ...ledger.submissions.flatMap((submission) => [
      ...paidTwice(submission, included),
      ...wrongAnswers(submission, included),
    ]),
    ...chain.transactions.flatMap((transaction) => judgeTransaction(transaction, ledger)),
    ...ledger.rows.filter((row) => isSettledTooEarly(row, chain)).map(settledTooEarly),
  ]);
}

interface Inclusion {
  readonly execution: ExecutionStatus;
  readonly block: number;
}

/**
 * Inclusion of each transaction by hash. The value is null if the transaction is not on chain. A
 * transaction whose status is unreadable has no entry.
 */
type Inclusions = ReadonlyMap<Felt, Inclusion | null>;

function inclusionsOf({ sightings, transactions }: ChainEvidence): Inclusions {
  const included = new Map<Felt, Inclusion | null>();
  for (const [hash, reportedStatus] of sightings) {
    if (reportedStatus.kind === 'unread') continue;
    included.set(
      hash,
      reportedStatus.kind === 'accepted'
        ? { execution: reportedStatus.execution, block: reportedStatus.block.number }
        : null,
    );
  }
  for (const { consumer } of transactions)
    included.set(consumer.hash, { execution: consumer.execution, block: consumer.block.number });
  return included;
}

function paidTwice(
  { key, attempts, transactions }: AuditedSubmission,
  included: Inclusions,
): Finding[] {
  const payments = transactions.flatMap((transaction) => {
    const inclusion = included.get(transaction.hash);
    return inclusion?.execution === 'SUCCEEDED' ? [{ transaction, block: inclusion.block }] : [];
  });
  if (payments.length < 2) return [];
  const last = payments.reduce((latest, payment) =>
    payment.block >= latest.block ? payment : latest,
  );
  const attempt = attempts.find((one) => sameRef(last.transaction.attempt, one));
  return [
    about('ATTEMPT_PAID_TWICE', last.transaction, {
      hash: last.transaction.hash,
      block: last.block,
      attempt,
      key,
    }),
  ];
}

function wrongAnswers(
  { key, attempts, transactions }: AuditedSubmission,
  included: Inclusions,
): Finding[] {
  return attempts.flatMap((attempt) => {
    const own = transactions.filter((transaction) => sameRef(transaction.attempt, attempt));
    switch (attempt.state) {
      case 'accepted':
      case 'broadcast':
        return [];
      case 'succeeded':
      case 'reverted':
        return wrongOutcome({ ...attempt, key }, own, included);
      case 'refused':
      case 'expired':
        return own.flatMap((transaction) => {
          const inclusion = included.get(transaction.hash) ?? null;
          if (inclusion === null) return [];
          return [
            about('ENDED_BUT_INCLUDED', transaction, {
              hash: transaction.hash,
              block: inclusion.block,
              attempt,
              key,
            }),
          ];
        });
    }
  });
}

function wrongOutcome(
  attempt: Attempt,
  own: readonly TransactionRow[],
  included: Inclusions,
): Finding[] {
  const { lane, nonce, transactionHash: hash, key } = attempt;
  if (lane === null || nonce === null || hash === null) return [];
  const inclusion = included.get(hash);
  if (inclusion === undefined) return [];
  if (inclusion === null)
    return [about('TOLD_BUT_NOT_ON_CHAIN', { lane, nonce }, { hash, block: null, attempt, key })];
  const { execution, block } = inclusion;
  const stored = own.find((transaction) => transaction.hash === hash);
  const isElsewhere = stored !== undefined && (stored.lane !== lane || stored.nonce !== nonce);
  if (execution !== executionOf(attempt) || isElsewhere)
    return [about('OUTCOME_DIFFERS', { lane, nonce }, { hash, block, attempt, key })];
  if (attempt.state === 'succeeded') return [];
  return own.flatMap((transaction) => {
    const other = included.get(transaction.hash);
    if (other?.execution !== 'SUCCEEDED') return [];
    return [
      about('OUTCOME_DIFFERS', transaction, {
        hash: transaction.hash,
        block: other.block,
        attempt,
        key,
      }),
    ];
  });
}

function executionOf({ state }: Attempt): ExecutionStatus {
  return state === 'succeeded' ? 'SUCCEEDED' : 'REVERTED';
}

function judgeTransaction(transaction: CarriedTransaction, ledger: LedgerEvidence): Finding[] {
  const { sender, nonce, consumer } = transaction;
  const lane = ledger.lanes.find(({ address }) => address === sender);
  // The ledger need not explain transactions that the account sent before its lane was introduced.
  if (lane === undefined || lane.firstNonce === null || nonce < lane.firstNonce) return [];
  const stored = ledger.transactions.find(
    (row) => row.hash === consumer.hash && row.lane === sender && row.nonce === nonce,
  );
  const attempts = ledger.submissions.flatMap((submission) => submission.attempts);
  const attempt = attempts.find((one) => sameRef(stored?.attempt ?? null, one));
  const ended = attempts.filter(
    (one) => one.lane === sender && one.nonce === nonce && one.transactionHash !== null,
  );
  const code = codeOf(transaction, {
    lane,
    row: rowAt(transaction, ledger),
    stored,
    attempt,
    ended,
  });
  if (code === null) return [];
  const subject = attempt ?? ended.at(0);
  const { hash, block } = consumer;
  return [
    about(
      code,
      { lane: sender, nonce },
      { hash, block: block.number, attempt: subject, key: subject?.key ?? null },
    ),
  ];
}

/** Data of the ledger about one transaction that is on chain. */
interface Counterpart {
  readonly lane: AuditedLane;
  readonly row: NonceRow | undefined;
  readonly stored: TransactionRow | undefined;
  /** Attempt that the stored transaction belongs to. */
  readonly attempt: Attempt | undefined;
  /** Attempts that were executed under this nonce, according to the ledger. */
  readonly ended: readonly Attempt[];
}

function codeOf(transaction: CarriedTransaction, counterpart: Counterpart): FindingCode | null {
  const { lane, row, stored, ended } = counterpart;
  const { hash } = transaction.consumer;
  if (ended.some(({ transactionHash }) => transactionHash !== hash)) return 'OUTCOME_DIFFERS';
  const isDeployment = transaction.nonce === 0n && transaction.calls === null;
  if (row === undefined || row.settlement === null) {
    if (stored !== undefined || lane.isQuarantined) return 'NOT_SETTLED';
    return isDeployment ? null : 'NOT_IN_LEDGER';
  }
  if (stored !== undefined)
    return codeOfStored(transaction, row.settlement, stored, counterpart.attempt);
  if (differs(row.settlement, transaction)) return 'SETTLED_OTHERWISE';
  if (!row.settlement.isForeign) return 'NOT_IN_LEDGER';
  // A nonce within an imported range has no stored transaction, even if its outcome was adopted.
  if (ended.length > 0) return isRange(row) ? null : 'SETTLED_OTHERWISE';
  if (isDeployment) return null;
  return lane.isQuarantined ? 'NOT_SETTLED' : 'FOREIGN';
}

function codeOfStored(
  transaction: CarriedTransaction,
  settlement: Settlement,
  stored: TransactionRow,
  attempt: Attempt | undefined,
): FindingCode | null {
  if (settlement.isForeign || differs(settlement, transaction)) return 'SETTLED_OTHERWISE';
  const { carries, consumer, sender, nonce } = transaction;
  if (stored.kind === 'noop') return null;
  if (attempt === undefined) return 'NOT_IN_LEDGER';
  if (carries !== null && carries !== attempt.key) return 'CARRIES_ANOTHER_CALL';
  // When a nonce is settled, the attempt that holds this nonce ends too. If the attempt already
  // holds another nonce by then, the attempt gets the outcome of this transaction later, when the
  // other nonce is settled.
  const isHere =
    attempt.state === 'broadcast' && attempt.lane === sender && attempt.nonce === nonce;
  const isForgotten = attempt.state === 'accepted' && consumer.execution === 'SUCCEEDED';
  return isLive(attempt.state) && (isHere || isForgotten) ? 'OUTCOME_DIFFERS' : null;
}

function differs(
  { hash, execution, block }: Settlement,
  { consumer }: AccountTransaction,
): boolean {
  if (hash !== null && hash !== consumer.hash) return true;
  if (execution !== null && execution !== consumer.execution) return true;
  return block !== null && block.hash !== consumer.block.hash;
}

function rowAt(
  { sender, nonce }: AccountTransaction,
  { rows }: LedgerEvidence,
): NonceRow | undefined {
  return rows.find((row) => row.lane === sender && row.nonce <= nonce && nonce <= row.through);
}

function isRange({ nonce, through }: NonceRow): boolean {
  return through > nonce;
}

/**
 * True if the ledger has recorded the row's nonce as consumed in a deep block, but the account's
 * nonce at the head is still too low for this.
 */
function isSettledTooEarly(
  { lane, through, settlement }: NonceRow,
  { accountNonces, deepBlock }: ChainEvidence,
): boolean {
  const accountNonce = accountNonces.get(lane);
  if (settlement === null || accountNonce === undefined || through < accountNonce) return false;
  return settlement.block === null || settlement.block.number <= deepBlock;
}

function settledTooEarly({ lane, through, settlement }: NonceRow): Finding {
  return about(
    'SETTLED_OTHERWISE',
    { lane, nonce: through },
    { hash: settlement?.hash ?? null, block: null, attempt: undefined, key: null },
  );
}

function about(
  code: FindingCode,
  { lane, nonce }: Pick<NonceRow, 'lane' | 'nonce'>,
  {
    hash,
    block,
    attempt,
    key,
  }: {
    readonly hash: Felt | null;
    readonly block: number | null;
    readonly attempt: Pick<Attempt, 'id'> | undefined;
    readonly key: string | null;
  },
): Finding {
  return { code, lane, nonce, transactionHash: hash, block, submission: attempt?.id ?? null, key };
}

function gravestByNonce(findings: readonly Finding[]): readonly Finding[] {
  const gravest = new Map<string, Finding>();
  for (const finding of findings) {
    const place = `${finding.lane}|${finding.nonce}`;
    const before = gravest.get(place);
    if (before === undefined || gravity(finding) < gravity(before)) gravest.set(place, finding);
  }
  return [...gravest.values()];
}

const gravity = ({ code }: Finding): number => FINDING_CODES.indexOf(code);
