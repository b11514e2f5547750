import { StarknetCallSimulator, networkConfigHash } from '@sotto/adapter-starknet';
import { Clock, toFelt } from '@sotto/kernel';
import { MarketPrices } from '@sotto/market-core';
import { notRecipients, privacyPools, privateActionGas } from '@sotto/network-profile';
import {
  ExclusiveLocks,
  FairSemaphore,
  LearnGas,
  PoolCircuitBreaker,
  PrivacyPoolReader,
  PrivateActionAdmission,
  PrivateActionRevalidator,
  PromisedFees,
  QuotePrivateAction,
  SponsorBudgets,
  SubmitPrivateAction,
  sponsorKeyDigest,
} from '@sotto/relayer-core';
import { poseidon } from '@sotto/stark-hash';
import { LatestBlock, Ledger, Submissions } from '@sotto/submission-core';
import type { Settings } from '../environment/settings.js';
import { UntrustedSimulations } from './bindings.js';
import { AppModule, assemble } from './container.js';

type PrivateActionModuleSettings = Pick<Settings, 'network' | 'relay' | 'lanes' | 'sponsors'>;

/** Binds private actions of the network's own privacy pool (STRK20). */
export const privateActionModule = ({
  network,
  relay,
  lanes,
  sponsors,
}: PrivateActionModuleSettings): AppModule =>
  new AppModule(({ bind, provide }) => {
    const { chainId, privacyPool } = network;
    const { feeAddress, firstAccount, feeMarginPercent: marginPercent } = relay;
    const pools = privacyPools(network);
    const strk = { symbol: 'STRK', ...network.tokens.STRK } as const;
    const keys = sponsors.map(({ key, ...sponsor }) => ({
      ...sponsor,
      keyDigest: sponsorKeyDigest(key.reveal()),
    }));
    const assumed = { ...privateActionGas(network), l1Gas: 0n };
    const maxPoolFeeFri = privacyPool?.maxPoolFeeFri ?? 0n;
    const common = { pools, strk, sponsors: keys, feeAddress, maxPoolFeeFri };

    bind(PromisedFees).toResolvedValue((clock) => new PromisedFees(relay.quotes, clock), [Clock]);
    assemble(
      bind(PrivateActionAdmission),
      {
        pools: PrivacyPoolReader,
        untrusted: UntrustedSimulations,
        latestBlock: LatestBlock,
        marketPrices: MarketPrices,
        promised: PromisedFees,
        clock: Clock,
        learnGas: LearnGas,
      },
      ({ untrusted, promised, clock, learnGas, ...ports }) => {
        const simulator = new StarknetCallSimulator(untrusted);
        return new PrivateActionAdmission({ ...ports, simulator }, promised, clock, {
          ...common,
          chainId,
          acceptsNoProof: privacyPool?.acceptsNoProof ?? false,
          invokedContracts: privacyPool?.invokedContracts ?? [],
          ownContracts: [
            feeAddress,
            ...notRecipients(network),
            ...lanes.map(({ address }) => address),
          ],
          programHashes: privacyPool?.programHashes ?? null,
          poseidon: (felts) => toFelt(poseidon(felts.toBytes())),
          configHash: networkConfigHash(chainId, strk.address),
          triedAs: firstAccount.address,
          gas: (pool) => learnGas.figureOf(pool, 'apply_actions') ?? assumed,
        });
      },
    );
    if (pools.length > 0)
      provide(PrivateActionRevalidator, [PrivateActionAdmission, Ledger, Clock]);
    assemble(
      bind(SubmitPrivateAction),
      {
        admission: PrivateActionAdmission,
        submissions: Submissions,
        guard: PoolCircuitBreaker,
        slots: FairSemaphore,
        locks: ExclusiveLocks,
        budgets: SponsorBudgets,
        promised: PromisedFees,
        clock: Clock,
      },
      ({ admission, submissions, ...guards }) =>
        new SubmitPrivateAction(admission, submissions, guards, network.limits.withdrawalBounds),
    );
    assemble(
      bind(QuotePrivateAction),
      {
        pools: PrivacyPoolReader,
        latestBlock: LatestBlock,
        marketPrices: MarketPrices,
        guard: PoolCircuitBreaker,
        promised: PromisedFees,
        clock: Clock,
        learnGas: LearnGas,
      },
      ({ learnGas, ...ports }) =>
        new QuotePrivateAction(ports, {
          ...common,
          marginPercent,
          gas: (pool) => learnGas.figureOf(pool, 'apply_actions') ?? assumed,
        }),
    );
  });
