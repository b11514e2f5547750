import type { Felt } from '@sotto/kernel';
import type { ChainChange, TransactionStatus } from '@sotto/submission-core';
import { over, type Mutant, type MutantPorts } from './mutant.js';

/** Calls `heard` with each pushed message, before the engine receives the message. */
function hearing(
  { events }: MutantPorts,
  heard: (change: ChainChange) => unknown,
): MutantPorts['events'] {
  return over(events, {
    subscribe: (lanes: readonly Felt[], changed: (change: ChainChange) => void) =>
      events.subscribe(lanes, (change) => {
        heard(change);
        changed(change);
      }),
  });
}

/**
 * For a transaction that no accepted block contains yet, changes the first status that is read
 * after a pushed message.
 */
function believing(
  ports: MutantPorts,
  kind: ChainChange,
  seen: (head: { readonly number: number; readonly hash: Felt }) => TransactionStatus,
): MutantPorts {
  let isBelieved = false;
  const { reader } = ports;
  return {
    ...ports,
    events: hearing(ports, (change) => {
      if (change === kind) isBelieved = true;
    }),
    reader: over(reader, {
      transactionStatuses: async (hashes, sentTo) => {
        const shown = await reader.transactionStatuses(hashes, sentTo);
        if (!isBelieved) return shown;
        isBelieved = false;
        const { blockNumber, blockHash } = await reader.head([]);
        return shown.map((status) =>
          status.kind === 'accepted' ? status : seen({ number: blockNumber, hash: blockHash }),
        );
      },
    }),
  };
}

export const PUSH_MUTANTS: readonly Mutant[] = [
  {
    name: 'a pushed message settles a sent transaction',
    ports: (ports) =>
      believing(ports, 'transaction', (block) => ({
        kind: 'accepted',
        execution: 'SUCCEEDED',
        revertReason: null,
        feeFri: 1n,
        block,
      })),
  },
  {
    name: 'a pushed message pre-confirms a sent transaction',
    ports: (ports) =>
      believing(ports, 'transaction', () => ({
        kind: 'pre_confirmed',
        execution: 'SUCCEEDED',
        revertReason: null,
      })),
  },
  {
    name: 'a pushed message frees the nonce of a transaction that is being sent',
    ports: (ports) => {
      let heard = 0;
      const { broadcaster } = ports;
      return {
        ...ports,
        events: hearing(ports, () => (heard += 1)),
        broadcaster: {
          nodeFor: (last) => broadcaster.nodeFor(last),
          send: async (bytes, node) => {
            const before = heard;
            const answer = await broadcaster.send(bytes, node);
            return heard === before ? answer : { kind: 'refused', code: 'PUSHED', cause: 'call' };
          },
        },
      };
    },
  },
];
