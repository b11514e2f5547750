import { NodeClient, StarknetChainReader } from '@sotto/adapter-starknet';
import { Fault } from '@sotto/kernel';
import { lanesOf } from './composition/lanes.js';
import { InvalidConfiguration } from '@sotto/settings';
import { loadConfig } from './environment/load-config.js';
import { NothingToAccept, acceptanceNow } from './lifecycle/acceptance.js';

const FAILURE = 1;

const NOTE = `Set this for the first start, and only when nothing else signs with these accounts and all that they have sent is included.
It is void as soon as one of the nonces differs.
`;

/**
 * Reads the service's own settings and prints the line for an empty ledger. Nothing is written and
 * nothing is sent.
 */
async function main(): Promise<void> {
  // What stands there now may be what is to be mended.
  const settings = loadConfig({ env: { ...process.env, ACCEPT_EMPTY_LEDGER: undefined } });
  const { node, network } = settings;
  const client = new NodeClient({
    url: node.url.reveal(),
    readTimeoutMs: node.readTimeoutMs,
    sendTimeoutMs: node.sendTimeoutMs,
  });
  try {
    const reader = new StarknetChainReader(client, { feeToken: network.tokens.STRK.address });
    const accounts = lanesOf(settings).map(({ address }) => address);
    const value = await acceptanceNow({ reader, chainId: network.chainId, accounts });
    process.stderr.write(NOTE);
    process.stdout.write(`ACCEPT_EMPTY_LEDGER=${value}\n`);
  } finally {
    client.close();
  }
}

try {
  await main();
} catch (error) {
  const isExpected =
    error instanceof InvalidConfiguration ||
    error instanceof NothingToAccept ||
    error instanceof Fault;
  if (!isExpected) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(FAILURE);
}
