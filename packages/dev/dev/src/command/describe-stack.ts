import type { DevDescription } from '../description.js';

const NAME_COLUMNS = 14;

/**
 * Returns a text for the user that contains all addresses of the stack, and commands to start with.
 */
export function describeStack({
  serviceUrl,
  nodeUrl,
  helpersUrl,
  chainId,
  pools,
  accounts,
}: DevDescription): string {
  const { sentinel_1x: pool } = pools;
  const rows: readonly (readonly [string, string])[] = [
    ['service', `${serviceUrl} (documents at /docs)`],
    ['Starknet node', `${nodeUrl} (${chainId})`],
    ['helpers', helpersUrl],
    ['pool', `${pool.address} (${pool.denomination} sats of ${pool.token})`],
    ['funded account', `${accounts.depositor.address}, key ${accounts.depositor.privateKey}`],
  ];
  const json = "-H 'content-type: application/json'";
  return [
    ...rows.map(([name, value]) => `${name.padEnd(NAME_COLUMNS)}  ${value}`),
    '',
    'It runs until Ctrl-C. A withdrawal that needs no proving, and its relay:',
    '',
    `curl -s ${helpersUrl}/ready-withdrawal -d '{"recipient":"${accounts.recipient1.address}"}' > withdrawal.json`,
    `curl -s ${serviceUrl}/api/relayer/withdraw ${json} -d @withdrawal.json`,
    '',
  ].join('\n');
}
