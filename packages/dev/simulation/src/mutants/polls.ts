import { AsyncLocalStorage } from 'node:async_hooks';
import type { Felt } from '@sotto/kernel';
import type { OpenNonce, MachineState } from '@sotto/submission-core';
import { instead, over, type Mutant, type MutantPorts } from './mutant.js';

interface OldRows {
  readonly lane: Felt;
  readonly open: Promise<readonly OpenNonce[]>;
}

/**
 * Wraps the engine as in the first design. A poll reads its rows before it queries the chain, acts
 * on these rows until its end, and treats transactions that are missing in them as foreign.
 * Concurrent work (a dispatcher, a send) reads the current rows.
 */
function rowsFirst({ reader, ledger, accountHistory, ...ports }: MutantPorts): MutantPorts {
  const poll = new AsyncLocalStorage<OldRows>();
  const latest = new Map<Felt, OldRows>();
  return {
    ...ports,
    reader: over(reader, {
      // The function must not be async: the context that it enters must belong to the poll that
      // calls it.
      head: (accounts: readonly Felt[]) => {
        const [lane, ...others] = accounts;
        if (lane === undefined || others.length > 0) return reader.head(accounts);
        const old = { lane, open: ledger.openNonces(lane) };
        poll.enterWith(old);
        latest.set(lane, old);
        return old.open.then(() => reader.head(accounts));
      },
    }),
    ledger: over(ledger, {
      openNonces: (lane: Felt) => {
        const old = poll.getStore();
        return old?.lane === lane && latest.get(lane) === old ? old.open : ledger.openNonces(lane);
      },
    }),
    accountHistory: over(accountHistory, {
      // The first design did not check whether a foreign transaction carries one of our calls.
      transaction: async (hash: Felt, accounts: readonly Felt[]) => {
        const sent = await accountHistory.transaction(hash, accounts);
        if (sent === null || poll.getStore() === undefined) return sent;
        const rows = await ledger.openNonces(sent.sender);
        const isKnown = rows.some(({ transactions }) =>
          transactions.some((stored) => stored.hash === hash),
        );
        return isKnown ? { ...sent, calls: null } : sent;
      },
    }),
  };
}

/** Hashes of the transactions under each nonce, at each version of the nonce's row. */
class Remembered {
  readonly #hashes = new Map<string, Map<number, ReadonlySet<Felt>>>();

  see({ nonce, transactions }: MachineState): void {
    if (nonce === null) return;
    const name = `${nonce.lane}/${nonce.nonce}`;
    const versions = this.#hashes.get(name) ?? new Map<number, ReadonlySet<Felt>>();
    this.#hashes.set(name, versions);
    versions.set(nonce.version, new Set(transactions.map(({ hash }) => hash)));
  }

  /**
   * Returns the hashes at a version. Every write that increments a version was based on rows of the
   * previous version. So each version that a command can contain was recorded here.
   */
  at(lane: Felt, nonce: bigint, version: number): ReadonlySet<Felt> {
    return this.#hashes.get(`${lane}/${nonce}`)?.get(version) ?? new Set();
  }
}

export const POLL_MUTANTS: readonly Mutant[] = [
  {
    name: 'M1: settle checks neither version nor rows',
    kind: 'slow polls',
    ports: rowsFirst,
    decide: (decide) => {
      const remembered = new Remembered();
      return (event, view) => {
        remembered.see(view);
        if (event.type !== 'settle' || view.nonce === null) return decide(event, view);
        const known = remembered.at(event.lane, event.nonce, event.version);
        return decide(
          { ...event, version: view.nonce.version },
          { ...view, transactions: view.transactions.filter(({ hash }) => known.has(hash)) },
        );
      };
    },
  },
  {
    name: 'M2: store checks no version, and uses the owner of the row as its attempt',
    kind: 'slow polls',
    ports: rowsFirst,
    decide: instead('store', (event, view, decide) => {
      const attempt =
        event.attempt !== null && view.nonce !== null && view.nonce.owner !== null
          ? view.nonce.owner
          : event.attempt;
      return decide({ ...event, version: view.nonce?.version ?? 0, attempt }, view);
    }),
  },
  {
    name: 'the cached rows of a lane are never updated',
    ports: ({ ledger, ...ports }) => ({
      ...ports,
      ledger: over(ledger, {
        apply: async (event) => {
          const result = await ledger.apply(event);
          return result.applied ? { ...result, written: {} } : result;
        },
      }),
    }),
    coveredBy:
      'the cache decides only which work is tried; the write checks every guard against its rows',
  },
  {
    name: 'settle checks the rows, but no version',
    kind: 'slow polls',
    ports: rowsFirst,
    decide: instead('settle', (event, view, decide) =>
      decide({ ...event, version: view.nonce?.version ?? 0 }, view),
    ),
    coveredBy:
      'the rows of the write decide which attempt owns the transaction that used the nonce; either hash or version alone prevents M1',
  },
  {
    name: 'store checks no version, but names its attempt',
    kind: 'slow polls',
    ports: rowsFirst,
    decide: instead('store', (event, view, decide) =>
      decide({ ...event, version: view.nonce?.version ?? 0 }, view),
    ),
    coveredBy:
      'only the owner of the row may replace its transaction (owner or version suffices); a no-op against another owner costs only money',
  },
  {
    name: 'a send of a transaction marked as gone may be claimed',
    kind: 'slow polls',
    ports: rowsFirst,
    decide: instead('claim', (event, view, decide) =>
      decide(event, {
        ...view,
        transactions: view.transactions.map((row) =>
          row.hash === event.hash ? { ...row, gone: null } : row,
        ),
      }),
    ),
  },
];
