import * as runner from '@jest/globals';
import { describe, expect, it } from '@jest/globals';
import {
  StarknetCallSimulator,
  StarknetChainReader,
  StarknetLatestBlock,
  StarknetSnapshots,
  StarknetVaultFunds,
} from '@sotto/adapter-starknet';
import {
  DeployIdleFunds,
  SPECIFIED_METHODS,
  type CuratedVault,
  type VaultId,
  type VaultMethod,
} from '@sotto/curator-core';
import { describeVaultFundsContract } from '@sotto/curator-core/testing/contracts';
import { Felts, systemClock, toFelt } from '@sotto/kernel';
import { RepeatedSubmissions, SubmissionNotifier, SubmissionService } from '@sotto/submission-core';
import { InMemoryLedger } from '@sotto/submission-core/testing';
import type { ChainStack } from '../support/chain-stack.js';
import { describeOnChain, describePortsOnChain } from '../support/node-under-test.js';

const CHAIN_ID = toFelt('0x1');
const IDLE_SATS = 123_456n;

/** Vaults that are deployed on the development chains. */
const DEPLOYED = [
  'sentinel',
  'citadel',
  'trident',
  'delta_neutral',
  'turbo',
  'apex',
] as const satisfies readonly VaultId[];
/** Vault methods that have a different name in the contracts on mainnet. */
const LIVE_METHODS: readonly (VaultMethod & { readonly id: (typeof DEPLOYED)[number] })[] = [
  { id: 'sentinel', entrypoint: 'deploy_to_vesu', calldata: ['amount'] },
  { id: 'citadel', entrypoint: 'stake_to_endur', calldata: ['amount'] },
  { id: 'turbo', entrypoint: 'deploy_to_vesu', calldata: ['amount'] },
];

describePortsOnChain((chain) => {
  describeVaultFundsContract(runner, chain.name, async () => {
    const stack = await chain.start();
    const { tokens, vaults } = stack.world;
    return {
      subject: new StarknetVaultFunds(stack.node, toFelt(tokens.WBTC.address)),
      vaults: [toFelt(vaults.sentinel.address), toFelt(vaults.apex.address)],
      latest: async () => new StarknetSnapshots(stack.node).latest(null),
      deposit: async (vault, sats) => {
        await stack.giveWbtc(vault, sats);
        return new StarknetSnapshots(stack.node).latest(null);
      },
      breakDown: async () => stack.breakDown(),
      stop: async () => stack.stop(),
    };
  });
});

describeOnChain((chain) => {
  describe('submissions of the curator', () => {
    it.each([...DEPLOYED.map((id) => ({ id, ...SPECIFIED_METHODS[id] })), ...LIVE_METHODS])(
      'the curator’s signature is required to deploy the idle funds of the vault $id by a call of $entrypoint',
      async (method) => {
        const stack = await chain.start();
        const { accounts, tokens, vaults } = stack.world;
        try {
          const vault: CuratedVault = { ...method, address: toFelt(vaults[method.id].address) };
          await stack.giveWbtc(vault.address, IDLE_SATS);
          const funds = new StarknetVaultFunds(stack.node, toFelt(tokens.WBTC.address));
          const { target, calldata } = await submittedFor(vault, funds, stack);
          const executions = [];
          for (const signer of [stack.lanes[0], toFelt(accounts.curator.address)]) {
            const hash = await stack.send(
              await stack.sign(signer, target.to, target.entrypoint, calldata),
            );
            await stack.mine();
            executions.push(
              ...(await new StarknetChainReader(stack.node).transactionStatuses([hash])),
            );
          }
          expect(executions).toMatchObject([
            { kind: 'accepted', execution: 'REVERTED', revertReason: 'Not owner' },
            { kind: 'accepted', execution: 'SUCCEEDED' },
          ]);
          const at = await new StarknetSnapshots(stack.node).latest(null);
          expect(await funds.idle(vault.address, at)).toBe(0n);
          expect(await funds.idle(toFelt(vaults[method.id].strategy), at)).toBe(IDLE_SATS);
        } finally {
          await stack.stop();
        }
      },
    );
  });
});

/**
 * Returns the call that is in the ledger after the curator has deployed the idle funds of the vault
 * once.
 */
async function submittedFor(
  vault: CuratedVault,
  funds: StarknetVaultFunds,
  { node, world }: ChainStack,
) {
  const ledger = new InMemoryLedger();
  const settings = {
    answerAt: 'accepted_on_l2',
    deadlineMs: 60_000,
    maxWaitingPerRole: 200,
    newId: () => 'the-deployment',
  } as const;
  const submissions = new SubmissionService(
    ledger,
    new SubmissionNotifier(),
    () => {},
    systemClock,
    settings,
    () => {},
  );
  const curator = new DeployIdleFunds(
    {
      snapshots: new StarknetSnapshots(node),
      funds,
      simulator: new StarknetCallSimulator(node),
      latestBlock: new StarknetLatestBlock(node),
      submissions,
      repeated: new RepeatedSubmissions(ledger),
      clock: systemClock,
    },
    { chainId: CHAIN_ID, vaults: [vault], account: toFelt(world.accounts.curator.address) },
  );
  expect(await curator.execute({ vaultId: vault.id, waitMs: 0 })).toMatchObject({
    status: 'undecided',
    amountSats: IDLE_SATS,
  });
  const [attempt] = await ledger.waiting('curator', 1);
  return {
    target: attempt?.target ?? { to: vault.address, entrypoint: '' },
    calldata: (await ledger.calldata('the-deployment')) ?? Felts.of([]),
  };
}
