import { NodeClient, StarknetChainReader } from '@sotto/adapter-starknet';
import { loadConfig } from '@sotto/relayer';
import { DomainError } from '@sotto/kernel';
import { InvalidConfiguration } from '@sotto/settings';
import { NothingToAccept, acceptanceNow } from '@sotto/submission-core';

const NOTE = `Set this for the first start, and only when nothing else signs with these accounts and all that they have sent is included.
It is void as soon as one of the nonces differs.
`;

/**
 * Reads the service's own settings and prints the line for an empty ledger. Nothing is written and
 * nothing is sent.
 * @returns the exit code
 */
export async function acceptLedger(
  _args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  try {
    const value = await currentAcceptance(env);
    process.stderr.write(NOTE);
    process.stdout.write(`ACCEPT_EMPTY_LEDGER=${value}\n`);
    return 0;
  } catch (error) {
    const isExpected =
      error instanceof InvalidConfiguration ||
      error instanceof NothingToAccept ||
      error instanceof DomainError;
    if (!isExpected) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

async function currentAcceptance(env: NodeJS.ProcessEnv): Promise<string> {
  // What stands there now may be what is to be mended.
  const { node, network, lanes } = loadConfig({
    env: { ...env, ACCEPT_EMPTY_LEDGER: undefined },
  });
  const client = new NodeClient({
    url: node.endpoints[0].url.reveal(),
    readTimeoutMs: node.readTimeoutMs,
    sendTimeoutMs: node.sendTimeoutMs,
  });
  try {
    const reader = new StarknetChainReader(client, { feeToken: network.tokens.STRK.address });
    const accounts = lanes.map(({ address }) => address);
    return await acceptanceNow({ reader, chainId: network.chainId, accounts });
  } finally {
    client.close();
  }
}
