import { describe } from '@jest/globals';
import { findDevnet } from '@sotto/deployment';
import type { ChainCapabilities, ChainStart, ChainUnderTest } from './chain-under-test.js';
import { DEVNET_CAPABILITIES, DevnetChain } from './devnet-chain.js';
import { SANDBOX_CAPABILITIES, SandboxChain } from './sandbox-chain.js';

/** The node that the specs of `test/chain` use. */
interface NodeUnderTest {
  readonly name: string;
  readonly capabilities: ChainCapabilities;
  /** Starts a chain that has only the deployed stack. */
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
 * Describes the service on the node that SOTTO_TEST_NODE names (default `sandbox`). Shown as
 * skipped if that node is not installed.
 * @param needs required features of the node; the suite is skipped if one is missing
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
