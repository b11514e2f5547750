import type { Felt } from '@sotto/kernel';
import {
  refOf,
  type ChainHead,
  type Ledger,
  type SubmissionSettings,
} from '@sotto/submission-core';
import { instead, over, type Mutant, type MutantPorts } from './mutant.js';

/**
 * Mutant that changes reads of the ledger's state: every such read expires the attempts that have
 * waited longer than the queue's time limit.
 */
function expiringEarly(): Pick<Mutant, 'settings' | 'ports'> {
  let queueTimeoutMs = Infinity;
  return {
    settings: (settings: SubmissionSettings) => {
      ({ queueTimeoutMs } = settings);
      return settings;
    },
    ports: ({ ledger, ...ports }) => ({
      ...ports,
      ledger: over(ledger, {
        state: async () => {
          const state = await ledger.state();
          await expire(ledger, state.nowMs, queueTimeoutMs);
          return state;
        },
      }),
    }),
  };
}

async function expire(ledger: Ledger, nowMs: number, queueTimeoutMs: number): Promise<void> {
  for (const role of ['relay', 'curator'] as const)
    for (const attempt of await ledger.waiting(role, 100)) {
      const notBeforeMs = attempt.acceptedAtMs + queueTimeoutMs;
      if (attempt.readmit || nowMs < notBeforeMs) continue;
      await ledger.apply({
        type: 'end_waiting',
        attempt: refOf(attempt),
        to: 'expired',
        code: 'NOT_SENT_IN_TIME',
        notBeforeMs,
      });
    }
}

/**
 * Mutant in which the engine believes an account nonce above the ledger's nonce only after two
 * consecutive reads have returned it.
 */
function shownTwice({ reader, ledger, ...ports }: MutantPorts): MutantPorts {
  const before = new Map<Felt, bigint>();
  const believed = async (head: ChainHead): Promise<ChainHead> => {
    const { lanes } = await ledger.state();
    const accounts = [...head.accounts].map(([address, account]) => {
      const known = lanes.find((lane) => lane.address === address)?.nextNonce ?? account.nonce;
      const last = before.get(address) ?? known;
      before.set(address, account.nonce);
      const most = last > known ? last : known;
      return [address, { ...account, nonce: account.nonce < most ? account.nonce : most }] as const;
    });
    return { ...head, accounts: new Map(accounts) };
  };
  return {
    ...ports,
    ledger,
    reader: over(reader, {
      head: async (accounts: readonly Felt[]) => believed(await reader.head(accounts)),
      heads: async (accounts: readonly Felt[]) =>
        Promise.all((await reader.heads(accounts)).map(believed)),
    }),
  };
}

/**
 * Mutant that skips further comparisons of all accounts once the ledger was compared with its
 * chain.
 */
function comparedOnce({ reader, ledger, ...ports }: MutantPorts): MutantPorts {
  let isJudged = false;
  let last: readonly ChainHead[] = [];
  return {
    ...ports,
    ledger: over(ledger, {
      waiting: (role, limit) => {
        isJudged = true;
        return ledger.waiting(role, limit);
      },
    }),
    reader: over(reader, {
      heads: async (accounts: readonly Felt[]) => {
        if (isJudged) return last.map((head) => ({ ...head, accounts: new Map() }));
        last = await reader.heads(accounts);
        return last;
      },
    }),
  };
}

export const COPY_MUTANTS: readonly Mutant[] = [
  {
    name: 'a node that lags judges the ledger',
    kind: 'young copy',
    settings: (settings) => ({ ...settings, needsYoungHead: false }),
  },
  {
    name: 'only the nonces of one node are compared',
    kind: 'young copy',
    ports: ({ reader, ...ports }) => ({
      ...ports,
      reader: over(reader, {
        heads: async (accounts: readonly Felt[]) => (await reader.heads(accounts)).slice(0, 1),
      }),
    }),
  },
  {
    name: 'a copy does not wait for the mempool',
    kind: 'young copy',
    ports: ({ ledger, ...ports }) => ({
      ...ports,
      ledger: over(ledger, {
        state: async () => ({ ...(await ledger.state()), possibleCopySinceMs: null }),
      }),
    }),
  },
  {
    name: 'an attempt expires before its ledger is judged',
    kind: 'young copy',
    ...expiringEarly(),
  },
  {
    name: 'an adopted outcome corrects no expired or refused attempt',
    kind: 'young copy',
    decide: instead('adopt', (event, view, decide) =>
      decide(
        event,
        view.lastAttempt?.state === 'expired' || view.lastAttempt?.state === 'refused'
          ? { ...view, lastAttempt: { ...view.lastAttempt, state: 'reverted' } }
          : view,
      ),
    ),
  },
  {
    name: 'a nonce jump is forgotten when a rollback follows',
    kind: 'young copy',
    ports: shownTwice,
  },
  {
    name: 'an unprotected call is sent without another comparison',
    kind: 'young copy',
    ports: comparedOnce,
  },
];
