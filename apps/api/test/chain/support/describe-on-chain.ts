import { describe } from '@jest/globals';
import { findDevnet } from '@sotto/deployment';
import type { ChainCapabilities, ChainStart, ChainUnderTest } from './chain-under-test.js';
import { DEVNET_CAPABILITIES, DevnetChain } from './devnet-chain.js';
import { SANDBOX_CAPABILITIES, SandboxChain } from './sandbox-chain.js';

/** The node that the specs of `test/chain` run on. */
interface NodeUnderTest {
  readonly name: string;
  readonly capabilities: ChainCapabilities;
  /** A chain on which nothing has happened yet but the deployment of the stack. */
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
 * Describes the service over the node that SOTTO_TEST_NODE names (default `sandbox`); shown as
 * skipped where that is not installed.
 * @param needs what the node must be able to show; skipped where it is not
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
