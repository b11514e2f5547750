import type { Sites } from './sites/sites.js';
import type { TokensInShell } from './stack/tokens.js';

import type { KeeperFigures } from './domains/keeper-figures.js';

/**
 * Result of the demonstration. Amounts are integers in smallest units: sats of WBTC, fri of STRK.
 */
export interface DemoResult {
  readonly transactionHash: string;
  readonly executionStatus: 'SUCCEEDED' | 'REVERTED' | 'UNKNOWN';
  readonly revertReason: string | null;
  /** Fee that the fee address received, in sats. */
  readonly feeSats: bigint;
  /** Gas fee that the service's account paid, in fri. */
  readonly gasFri: bigint;
  readonly recipientBefore: bigint;
  readonly recipientAfter: bigint;
  /** Time from the user's command to the service's response, in seconds. */
  readonly seconds: number;
}

const STRK_DECIMALS = 18;
const SHOWN_DECIMALS = 6;

/**
 * Formats an amount in fri as STRK with six decimals, truncated: `123456789000000000` becomes
 * `0.123456`.
 */
export function formatStrk(fri: bigint): string {
  const digits = fri.toString().padStart(STRK_DECIMALS + 1, '0');
  const whole = digits.slice(0, -STRK_DECIMALS);
  return `${whole}.${digits.slice(-STRK_DECIMALS).slice(0, SHOWN_DECIMALS)}`;
}

/** Formats the result as readable text. */
export function describeResult(result: DemoResult): string {
  const rows: readonly (readonly [string, string])[] = [
    ['transaction hash', result.transactionHash],
    [
      'status',
      result.revertReason === null
        ? result.executionStatus
        : `${result.executionStatus}: ${result.revertReason}`,
    ],
    ['fee earned', `${result.feeSats} sats`],
    ['gas paid', `${formatStrk(result.gasFri)} STRK (${result.gasFri} fri)`],
    ['recipient before', `${result.recipientBefore} sats`],
    ['recipient after', `${result.recipientAfter} sats`],
    ['time', `${result.seconds.toFixed(1)} s from the command to the answer`],
  ];
  return ['', ...rows.map(([name, value]) => describeRow(name, value)), ''].join('\n');
}

/** Formats one line of a result with its name. */
export function describeRow(name: string, value: string): string {
  return `  ${name.padEnd(17)} ${value}`;
}

/**
 * Formats the result as one line of JSON. Amounts are decimal strings.
 * @param keeper results of those keeper demonstrations that succeeded; null if the withdrawal
 *   failed
 */
export function resultLine(result: DemoResult, keeper: Partial<KeeperFigures> | null): string {
  const line = {
    transaction_hash: result.transactionHash,
    execution_status: result.executionStatus,
    feeSats: String(result.feeSats),
    gasFri: String(result.gasFri),
    recipientBefore: String(result.recipientBefore),
    recipientAfter: String(result.recipientAfter),
    seconds: Number(result.seconds.toFixed(3)),
    keeper,
  };
  return JSON.stringify(line, (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

/** Values that the printed commands contain. */
export interface Shown {
  readonly baseUrl: string;
  readonly withdrawalFile: string;
  readonly submissionPath: string;
  readonly tokens: TokensInShell;
}

/** Formats commands that the user can try while the service runs. */
export function describeCommands({
  baseUrl,
  withdrawalFile,
  submissionPath,
  tokens,
}: Shown): string {
  const json = "-H 'content-type: application/json'";
  const body = `${json} -d @${withdrawalFile}`;
  return [
    `The service stays up at ${baseUrl} until Ctrl-C. Another proven withdrawal waits in ${withdrawalFile}. Try:`,
    '',
    '# every check that it has to pass, without sending it',
    `curl -s -X POST '${baseUrl}/api/relayer/withdraw?dryRun=true' ${body}`,
    '',
    '# send it; the same again gets the same answer',
    `curl -s -X POST ${baseUrl}/api/relayer/withdraw ${body}`,
    '',
    '# outcome of the demonstration’s withdrawal',
    `curl -s ${baseUrl}${submissionPath}`,
    '',
    '# yields of lending WBTC, and routes of the bridge',
    `curl -s ${baseUrl}/api/staking`,
    `curl -s ${baseUrl}/api/bridge/routes`,
    '',
    '# with a token: deploy idle funds of a vault, and read the state of accounts, pools and money',
    `curl -s -X POST ${baseUrl}/api/curator -H "authorization: Bearer ${tokens.curator}" ${json} -d '{"vaultId":"sentinel"}'`,
    `curl -s ${baseUrl}/api/operator/status -H "authorization: Bearer ${tokens.operator}"`,
    '',
    '# the service’s health, and its whole interface',
    `curl -s ${baseUrl}/health/ready`,
    `curl -s ${baseUrl}/openapi.json`,
    '',
  ].join('\n');
}

/** Formats the URLs of all running processes and their pages. */
export function describeAddresses({
  baseUrl,
  rpcUrl,
  aggregatorUrl,
  bridgeUrl,
  rewardsUrl,
}: Pick<Sites, 'baseUrl' | 'rpcUrl' | 'aggregatorUrl' | 'bridgeUrl' | 'rewardsUrl'>): string {
  const rows: readonly (readonly [string, string])[] = [
    ['service, a page', baseUrl],
    ['a wallet to try', `${baseUrl}/wallet`],
    ['its documents', `${baseUrl}/docs`],
    ['its status', `${baseUrl}/status`],
    ['Starknet node', rpcUrl],
    ['prices and swaps', aggregatorUrl],
    ['bridge', bridgeUrl],
    ['lending rewards', rewardsUrl],
  ];
  return [...rows.map(([name, value]) => describeRow(name, value)), ''].join('\n');
}
