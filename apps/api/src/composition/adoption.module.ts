import { CuratedCalls } from '@sotto/curator-core';
import {
  AdoptOutcome,
  FirstOf,
  RelayedCalls,
  SpentNotes,
  SpentNullifiers,
} from '@sotto/relayer-core';
import { Clock, unguessableId } from '@sotto/kernel';
import { AccountHistory, CallReader, Ledger, RepeatedSubmissions } from '@sotto/submission-core';
import type { Settings } from '../environment/settings.js';
import { AppModule, assemble } from './container.js';
import { notePools } from '@sotto/network-profile';

type AdoptionModuleSettings = Pick<Settings, 'network' | 'lanes'>;

/** Reads what this service has sent back from the chain, where its ledger does not know it. */
export const adoptionModule = ({ network, lanes }: AdoptionModuleSettings): AppModule =>
  new AppModule(({ bind }) => {
    const accounts = lanes.map(({ address }) => address);
    bind(RelayedCalls).toConstantValue(
      new RelayedCalls({
        chainId: network.chainId,
        pools: notePools(network),
        // Swaps that were carried out once are read even where there are none any more.
        swapPool: network.swapPool?.address ?? null,
        limits: network.limits.withdrawalBounds,
        newId: unguessableId,
      }),
    );
    bind(CuratedCalls).toResolvedValue(
      (repeated) => {
        const { chainId, vaults } = network;
        return new CuratedCalls(repeated, { chainId, vaults, newId: unguessableId });
      },
      [RepeatedSubmissions],
    );
    bind(CallReader).toResolvedValue(
      (relayed, curated) => new FirstOf([relayed, curated]),
      [RelayedCalls, CuratedCalls],
    );
    assemble(
      bind(SpentNotes),
      {
        spentNullifiers: SpentNullifiers,
        history: AccountHistory,
        calls: CallReader,
        ledger: Ledger,
        clock: Clock,
      },
      ({ spentNullifiers, history, calls, ledger, clock }) =>
        new SpentNotes(
          { spentNullifiers, history, adoptOutcome: new AdoptOutcome(calls, ledger), clock },
          { accounts },
        ),
    );
  });
