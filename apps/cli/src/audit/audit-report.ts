import { kindOf, type AuditStatus, type Finding, type FindingKind } from '@sotto/submission-core';
import type { ExitCode } from '../terminal.js';

/** Result of an audit, without private data. */
export interface AuditReport {
  readonly result: 'clean' | 'contradictions' | 'unread';
  readonly firstBlock: number | null;
  readonly lastBlock: number | null;
  readonly findings: readonly ReportedFinding[];
  /** Number of contradictions that a second read did not confirm. */
  readonly unrepeated: number;
  /** Reason why the audit is incomplete; null if it is complete. */
  readonly problem: string | null;
}

type ReportedFinding = Pick<
  Finding,
  'code' | 'lane' | 'transactionHash' | 'block' | 'submission'
> & {
  readonly kind: FindingKind;
  readonly nonce: string;
};

export function reportOf(
  { firstBlock, lastBlock, unrepeated, contradictions }: AuditStatus,
  findings: readonly Finding[],
  problem: string | null,
): AuditReport {
  const complete = problem === null ? 'clean' : 'unread';
  return {
    result: contradictions > 0 ? 'contradictions' : complete,
    firstBlock,
    lastBlock,
    findings: findings.map(({ code, lane, nonce, transactionHash, block, submission }) => {
      return {
        code,
        kind: kindOf(code),
        lane,
        nonce: String(nonce),
        transactionHash,
        block,
        submission,
      };
    }),
    unrepeated,
    problem,
  };
}

export const EXIT_CODES: Readonly<Record<AuditReport['result'], ExitCode>> = {
  clean: 0,
  contradictions: 1,
  unread: 2,
};

/** Formats the report for people. */
export function describeReport({
  result,
  firstBlock,
  lastBlock,
  findings,
  unrepeated,
  problem,
}: AuditReport): string {
  const read =
    lastBlock === null
      ? 'no block is deep enough to be read'
      : `blocks ${firstBlock ?? 0} to ${lastBlock}`;
  const lines = findings.map(({ code, kind, lane, nonce, transactionHash, block, submission }) => {
    const where = block === null ? 'not on chain' : `block ${block}`;
    return `  ${kind}  ${code}  account ${lane}  nonce ${nonce}  transaction ${transactionHash ?? '-'}  ${where}  submission ${submission ?? '-'}`;
  });
  return [
    `${RESULTS[result]} (${read})`,
    ...lines,
    ...(unrepeated === 0
      ? []
      : [`  ${unrepeated} contradictions of a first read were not repeated by a second`]),
    ...(problem === null ? [] : [`  the audit did not come to its end: ${problem}`]),
  ].join('\n');
}

const RESULTS: Readonly<Record<AuditReport['result'], string>> = {
  clean: 'clean: ledger and chain agree',
  contradictions: 'ledger and chain contradict each other',
  unread: 'nothing can be concluded',
};
