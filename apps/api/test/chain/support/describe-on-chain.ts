import { describe } from '@jest/globals';
import { findDevnet } from '@sotto/deployment';
import type { ChainCapabilities, ChainStart, ChainUnderTest } from './chain-under-test.js';
import { DEVNET_CAPABILITIES, DevnetChain } from './devnet-chain.js';
import { SANDBOX_CAPABILITIES, SandboxChain } from './sandbox-chain.js';

/** Node on which the specs of `test/chain` run. */
interface NodeUnderTest {
  readonly name: string;
  readonly capabilities: ChainCapabilities;
  /** Starts a chain that contains the development stack and nothing else. */
  readonly start: (start: ChainStart) => Promise<ChainUnderTest>;
}

const sandbox: NodeUnderTest = {
  name: 'the sandbox',
  capabilities: SANDBOX_CAPABILITIES,
  start: (how) => SandboxChain.start(how),
};
const devnet: NodeUnderTest = {
  name: 'starknet-devnet',
  capabilities: DEVNET_CAPABILITIES,
  start: ({ blockMs }) => DevnetChain.start('unchecked', blockMs),
};

/**
 * Defines tests of the service on the node that SOTTO_TEST_NODE selects (default `sandbox`). If
 * that node is not installed, the tests are reported as skipped.
 * @param needs required features of the node; if one is missing, the suite is skipped
 */
export function describeOnChain(
  subject: string,
  specs: (node: NodeUnderTest) => void,
  needs?: keyof ChainCapabilities,
): void {
  const isDevnet = process.env['SOTTO_TEST_NODE'] === 'devnet';
  const node = isDevnet ? devnet : sandbox;
  const isMissing = isDevnet && findDevnet() === undefined;
  const isUnable = needs !== undefined && !node.capabilities[needs];
  (isMissing || isUnable ? describe.skip : describe)(`${subject}, on ${node.name}`, () =>
    specs(node),
  );
}
