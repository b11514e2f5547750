import { curatedCalls, leverageCalls, repaymentCalls } from '@sotto/curator-core';
import {
  AdoptOutcome,
  conversionCalls,
  FirstOf,
  PoolEvents,
  RelayedCalls,
  SpentNotes,
  topUpCalls,
  fundedLanes,
} from '@sotto/relayer-core';
import { Clock, unguessableId } from '@sotto/kernel';
import {
  AccountHistory,
  CallReader,
  ChainReader,
  Ledger,
  RepeatedSubmissions,
} from '@sotto/submission-core';
import type { Settings } from '../environment/settings.js';
import { convertedTokens, leveragedVaults, notePools, privacyPools } from '@sotto/network-profile';
import { RepeatedCalls } from './bindings.js';
import { AppModule, assemble, every } from './container.js';

type AdoptionModuleSettings = Pick<Settings, 'network' | 'lanes' | 'keeper'>;

/**
 * Adopts transactions that this service sent but its ledger does not know. The transactions are
 * read from the chain.
 */
export const adoptionModule = ({ network, lanes, keeper }: AdoptionModuleSettings): AppModule =>
  new AppModule(({ bind, provide }) => {
    const accounts = lanes.map(({ address }) => address);
    bind(RelayedCalls).toConstantValue(
      new RelayedCalls({
        chainId: network.chainId,
        pools: notePools(network),
        privacyPools: privacyPools(network).map(({ address }) => address),
        // Swaps that were executed are read even if the profile no longer contains a swap pool.
        swapPool: network.swapPool?.address ?? null,
        limits: network.limits.withdrawalBounds,
        newId: unguessableId,
      }),
    );
    bind(RepeatedCalls).toResolvedValue(
      (repeated) =>
        curatedCalls(repeated, {
          chainId: network.chainId,
          vaults: network.vaults,
          newId: unguessableId,
        }),
      [RepeatedSubmissions],
    );
    const vaults = leveragedVaults(network);
    if (vaults.length > 0)
      bind(RepeatedCalls).toResolvedValue(
        (repeated) =>
          leverageCalls(repeated, { chainId: network.chainId, vaults, newId: unguessableId }),
        [RepeatedSubmissions],
      );
    if (vaults.length > 0 && keeper.treasury.account !== null)
      bind(RepeatedCalls).toResolvedValue(
        (repeated) =>
          repaymentCalls(repeated, { chainId: network.chainId, vaults, newId: unguessableId }),
        [RepeatedSubmissions],
      );
    const converted = convertedTokens(network, keeper.treasury.conversions);
    if (converted.length > 0)
      bind(RepeatedCalls).toResolvedValue(
        (repeated) =>
          conversionCalls(repeated, {
            chainId: network.chainId,
            strk: network.tokens.STRK.address,
            tokens: converted,
            routers: network.swapPool?.routers ?? [],
            newId: unguessableId,
          }),
        [RepeatedSubmissions],
      );
    if (keeper.treasury.account !== null)
      bind(RepeatedCalls).toResolvedValue(
        (repeated) =>
          topUpCalls(repeated, {
            chainId: network.chainId,
            strk: network.tokens.STRK.address,
            lanes: fundedLanes(lanes, keeper.treasury.levels),
            newId: unguessableId,
          }),
        [RepeatedSubmissions],
      );
    assemble(
      bind(CallReader),
      { relayed: RelayedCalls, repeated: every(RepeatedCalls) },
      ({ relayed, repeated }) => new FirstOf([relayed, ...repeated]),
    );
    provide(AdoptOutcome, [CallReader, Ledger, ChainReader]);
    provide(
      SpentNotes,
      {
        events: PoolEvents,
        history: AccountHistory,
        adoptOutcome: AdoptOutcome,
        clock: Clock,
      },
      { accounts },
    );
  });
