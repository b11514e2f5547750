import { describe } from '@jest/globals';
import { findDevnet } from '@sotto/deployment';
import { sandboxWorld } from '@sotto/sandbox';
import type { ChainCapabilities, ChainStack, Deposits } from './chain-stack.js';
import type { ChainWorld } from './chain-world.js';
import { DEVNET_CAPABILITIES, DevnetChain, runningDevnet } from './devnet-chain.js';
import { FIRST_NODES, type FirstNode } from './node-pair.js';
import { SANDBOX_CAPABILITIES, SandboxStack } from './sandbox-stack.js';

/** The node that the suites of `test/chain` run on. */
export interface NodeUnderTest {
  readonly name: string;
  readonly capabilities: ChainCapabilities;
  /** Names and places, without starting anything. */
  world(): ChainWorld;
  /** A chain on which nothing has happened yet but these deposits. */
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
 * Runs what is described on the node that SOTTO_TEST_NODE names (default `sandbox`); shown as
 * skipped where it is not installed.
 */
export function describeOnChain(suites: (node: NodeUnderTest) => void): void {
  const isDevnet = process.env['SOTTO_TEST_NODE'] === 'devnet';
  const node = isDevnet ? devnet : sandbox;
  (isDevnet && findDevnet() === undefined ? describe.skip : describe)(`on ${node.name}`, () =>
    suites(node),
  );
}

/**
 * Runs contracts of what asks the chain as {@link describeOnChain} does, and over two nodes as one:
 * which node answers is nothing that a port shows.
 * @param first one is enough where each test takes long, as it verifies a proof
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
