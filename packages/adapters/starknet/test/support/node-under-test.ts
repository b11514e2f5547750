import { describe } from '@jest/globals';
import { findDevnet } from '@sotto/deployment';
import { sandboxWorld } from '@sotto/sandbox';
import type { ChainCapabilities, ChainStack, Deposits } from './chain-stack.js';
import type { ChainWorld } from './chain-world.js';
import { DEVNET_CAPABILITIES, DevnetChain, runningDevnet } from './devnet-chain.js';
import { FIRST_NODES, type FirstNode } from './node-pair.js';
import { SANDBOX_CAPABILITIES, SandboxStack } from './sandbox-stack.js';

/** Node on which the suites of `test/chain` run. */
export interface NodeUnderTest {
  readonly name: string;
  readonly capabilities: ChainCapabilities;
  /** Returns names and addresses of the development stack without starting a chain. */
  world(): ChainWorld;
  /** Starts an unused chain with only these deposits. */
  start(deposits?: Deposits): Promise<ChainStack>;
}

const sandbox: NodeUnderTest = {
  name: 'sandbox',
  capabilities: SANDBOX_CAPABILITIES,
  world: () => sandboxWorld,
  start: async (deposits) => SandboxStack.start(deposits),
};
const devnet: NodeUnderTest = {
  name: 'starknet-devnet',
  capabilities: DEVNET_CAPABILITIES,
  world: () => runningDevnet().world,
  start: async (deposits) => DevnetChain.start(deposits),
};

const pairOf = (first: FirstNode): NodeUnderTest => ({
  ...sandbox,
  name: `sandbox, by two nodes of which the first ${first}`,
  start: async (deposits) => SandboxStack.start(deposits, first),
});

/**
 * Runs suites on the node that SOTTO_TEST_NODE selects (default `sandbox`). The suites are skipped
 * if the node is not installed.
 */
export function describeOnChain(suites: (node: NodeUnderTest) => void): void {
  const isDevnet = process.env['SOTTO_TEST_NODE'] === 'devnet';
  const node = isDevnet ? devnet : sandbox;
  (isDevnet && findDevnet() === undefined ? describe.skip : describe)(`on ${node.name}`, () =>
    suites(node),
  );
}

/**
 * Runs port contracts like {@link describeOnChain}, and additionally on a set of two nodes. The
 * result of a port must not depend on which node responds.
 * @param first limits the conditions of the first node, for slow suites that verify a proof in each
 *   test
 */
export function describePortsOnChain(
  contracts: (node: NodeUnderTest) => void,
  first: readonly FirstNode[] = FIRST_NODES,
): void {
  describeOnChain((node) => {
    contracts(node);
    if (node === sandbox) for (const each of first) contracts(pairOf(each));
  });
}
