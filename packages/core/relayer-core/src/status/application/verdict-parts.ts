import type { ReasonCode } from '@sotto/facts';
import { settle, type Clock, type ErrorDetails } from '@sotto/kernel';
import {
  LedgerUnavailable,
  type EngineStatus,
  type Ledger,
  type NotJudged,
  type StoreHealth,
  type SubmissionEngine,
} from '@sotto/submission-core';
import type { EarlyChecks } from '../../circuit-breaker/application/early-checks.js';
import type { PoolCircuitBreaker } from '../../circuit-breaker/application/pool-circuit-breaker.js';
import type { PoolVerdict } from '../../circuit-breaker/domain/pool-circuit-breaker.js';
import type { MarketPrices } from '@sotto/market-core';
import type { GetPoolStatus } from '../../pools/application/get-pool-status.js';
import type { InspectContracts } from '../../pools/application/inspect-contracts.js';
import type { NotePool } from '../../pools/domain/pool.js';
import type { ContractClasses } from '../../pools/ports/contract-classes.port.js';
import type { PoolReader } from '../../pools/ports/pool-reader.port.js';
import type { ProofVerifier } from '../../withdrawals/ports/proof-verifier.port.js';
import type { NodeDirectory } from '../ports/node-directory.port.js';
import type { Obstacle, VerdictPart } from '../domain/verdict.js';
import { causeOf } from './watched-part.js';

/**
 * Milliseconds between two checks of contracts. The check reads many contracts, which seldom
 * change.
 */
const CONTRACTS_MS = 10_000;
const VIEWS_MS = 30_000;
/**
 * Milliseconds between two checks of the signer. Each check requires a signature and its
 * verification.
 */
const SIGNER_MS = 5_000;

/** Checks that the store commits durably, and that its schema is not from a newer release. */
export const storePart = (health: StoreHealth): VerdictPart => ({
  component: 'store',
  scope: 'instance',
  failure: 'STORE_NOT_WRITABLE',
  async poll() {
    try {
      await health.probe();
      return [];
    } catch (error) {
      if (!(error instanceof LedgerUnavailable) || error.causeCode !== 'SCHEMA_IS_NEWER')
        throw error;
      return [{ code: 'SCHEMA_IS_NEWER', details: error.details }];
    }
  },
});

/** Checks that the store can be read. Repeated requests and status queries need only reads. */
export const storeReadsPart = (ledger: Pick<Ledger, 'state'>): VerdictPart => ({
  component: 'store_reads',
  scope: 'instance',
  failure: 'STORE_UNREACHABLE',
  async poll() {
    await ledger.state();
    return [];
  },
});

/** Reason codes for a ledger that blocks all new transactions. */
const LEDGER_CODES = {
  NOT_READ: 'LEDGER_NOT_READ',
  NOT_JUDGED: 'LEDGER_NOT_JUDGED',
  LEDGER_OF_ANOTHER_CHAIN: 'LEDGER_OF_ANOTHER_CHAIN',
  LEDGER_BEHIND_CHAIN: 'LEDGER_BEHIND_CHAIN',
} as const satisfies Readonly<Record<NonNullable<EngineStatus['ledger']>, ReasonCode>>;

/** Checks that the ledger was compared with its chain and is complete. */
export const ledgerPart = (engine: Pick<SubmissionEngine, 'status'>): VerdictPart => ({
  component: 'ledger',
  scope: 'instance',
  failure: 'LEDGER_NOT_READ',
  async poll() {
    const { ledger, notJudged } = engine.status();
    if (ledger === null) return [];
    const code = LEDGER_CODES[ledger];
    return [notJudged === null ? { code } : { code, details: detailsOf(notJudged) }];
  },
});

function detailsOf(notJudged: NotJudged): ErrorDetails {
  return 'nonce' in notJudged ? { ...notJudged, nonce: String(notJudged.nonce) } : notJudged;
}

const NOWHERE = { x: 0n, y: 0n };
const NO_PROOF = {
  a: NOWHERE,
  b: { x: [0n, 0n], y: [0n, 0n] },
  c: NOWHERE,
  publicInputs: [],
} as const;

/**
 * Checks that a verifier thread responds. The thread verifies an invalid proof, because an invalid
 * proof is the cheapest to verify.
 */
export const verifierPart = (verifier: ProofVerifier): VerdictPart => ({
  component: 'verifier',
  scope: 'instance',
  failure: 'VERIFIER_UNAVAILABLE',
  poll: async () => ((await verifier.holds(NO_PROOF)) ? [{ code: 'VERIFIER_UNSOUND' }] : []),
});

/**
 * Checks that the remote signer proves its possession of a key. @param probe rejects if the signer
 * has no proof
 */
export const signerPart = (probe: () => Promise<unknown>): VerdictPart => ({
  component: 'signer',
  scope: 'instance',
  failure: 'SIGNER_UNAVAILABLE',
  everyMs: SIGNER_MS,
  async poll() {
    await probe();
    return [];
  },
});

/**
 * Checks that the pools' verifiers match the profile and the verification key. Verifiers for which
 * neither profile nor key determines a class are not checked.
 */
export const poolVerifiersPart = (contracts: Pick<InspectContracts, 'problem'>): VerdictPart => ({
  component: 'pool_verifiers',
  scope: 'instance',
  failure: 'VERIFIERS_NOT_LOOKED_AT',
  async poll() {
    const code = contracts.problem();
    return code === null ? [] : [{ code }];
  },
});

/**
 * Checks that the guard contract has the class that the profile requires. If its class differs,
 * calls are sent without a guard call.
 */
export const guardPart = (checks: Pick<EarlyChecks, 'problem' | 'details'>): VerdictPart => ({
  component: 'guard',
  scope: 'warning',
  failure: 'NODE_UNREACHABLE',
  async poll() {
    const code = checks.problem();
    return code === null ? [] : [{ code, details: checks.details() }];
  },
});

/**
 * Checks that a contract is deployed at each pool's address. If no pool is deployed, the node
 * serves a different chain that has the same chain id.
 */
export const contractsPart = (
  classes: Pick<ContractClasses, 'hashesAt'>,
  pools: readonly NotePool[],
): VerdictPart => ({
  component: 'contracts',
  scope: 'instance',
  failure: 'NODE_UNREACHABLE',
  everyMs: CONTRACTS_MS,
  async poll() {
    const hashes = await classes.hashesAt(pools.map(({ address }) => address));
    const missing = pools.filter((_, index) => (hashes[index] ?? null) === null);
    const isEmptyChain = pools.length > 0 && missing.length === pools.length;
    return [
      ...(isEmptyChain ? [{ code: 'CHAIN_WITHOUT_OUR_CONTRACTS' } as const] : []),
      ...missing.map(({ address }) => ({ code: 'POOL_WITHOUT_CONTRACT', pool: address }) as const),
    ];
  },
});

/** Checks that each pool returns the views that the admission of withdrawals uses. */
export const poolViewsPart = (
  { status, swaps }: { status: Pick<GetPoolStatus, 'execute'>; swaps: Pick<PoolReader, 'figures'> },
  pools: readonly NotePool[],
): VerdictPart => ({
  component: 'pool_views',
  scope: 'pools',
  failure: 'POOL_NOT_READABLE',
  everyMs: VIEWS_MS,
  poll: async () =>
    collect(pools, async ({ kind, address }) => {
      const read = await settle<unknown>(
        kind === 'swap_output' ? swaps.figures(address) : status.execute(address),
      );
      return read.known ? [] : [{ code: 'POOL_NOT_READABLE', details: causeOf(read.failure) }];
    }),
});

/**
 * Checks that a price is known for each pool's fee. The swap pool needs a price for at least one of
 * its tokens.
 */
export const pricesPart = (
  prices: Pick<MarketPrices, 'forFees'>,
  pools: readonly NotePool[],
): VerdictPart => ({
  component: 'prices',
  scope: 'instance',
  failure: 'PRICES_UNAVAILABLE',
  async poll() {
    const priceOf = await prices.forFees();
    const found = await collect(pools, async (pool) => {
      const tokens = pool.kind === 'swap_output' ? pool.tokens : [pool.token];
      const reads = await Promise.all(
        tokens.map(({ symbol }) => settle(Promise.resolve(symbol).then(priceOf))),
      );
      if (reads.some(({ known }) => known)) return [];
      const failure = reads.flatMap((read) => (read.known ? [] : [read.failure])).at(0);
      if (failure === undefined) return [{ code: 'PRICES_UNAVAILABLE' }];
      const { details, causeCode: cause } = failure;
      return [
        {
          code: 'PRICES_UNAVAILABLE',
          details: { ...details, ...(cause === null ? {} : { cause }) },
        },
      ];
    });
    const [first] = found;
    if (first === undefined || found.length < pools.length) return found;
    const { pool: _pool, ...ofAll } = first;
    return [ofAll, ...found];
  },
});

/**
 * Checks that every price source has a usable price. If no source has a usable price, this is
 * reported by {@link pricesPart} and not here.
 */
export const priceSourcesPart = (prices: Pick<MarketPrices, 'sources'>): VerdictPart => ({
  component: 'price_sources',
  scope: 'warning',
  failure: 'PRICE_SOURCE_DOWN',
  async poll() {
    const sources = prices.sources();
    const down = sources.filter(({ isUsable }) => !isUsable);
    if (down.length === 0 || down.length === sources.length) return [];
    const cause = down.find(({ failure }) => failure !== null)?.failure;
    const details = {
      sources: down.map(({ source }) => source).join(', '),
      ...(cause === undefined || cause === null ? {} : causeOf(cause)),
    };
    return [{ code: 'PRICE_SOURCE_DOWN', details }];
  },
});

/** Partner service, with the HTTP status with which it last rejected the operator's key. */
interface PartnerAnswer {
  readonly partner: string;
  /** 401 or 403; null if the partner accepts the key. */
  readonly rejectedWith: number | null;
}

/**
 * Checks that no partner rejects the operator's key. If a rejection blocks a function of the
 * service, that function also reports the problem.
 */
export const partnersPart = (partners: () => readonly PartnerAnswer[]): VerdictPart => ({
  component: 'partners',
  scope: 'warning',
  failure: 'PARTNER_KEY_REJECTED',
  async poll() {
    const rejecting = partners().filter(({ rejectedWith }) => rejectedWith !== null);
    const [first] = rejecting;
    if (first === undefined) return [];
    const names = rejecting.map(({ partner }) => partner).join(', ');
    const details = { partners: names, status: first.rejectedWith ?? 0 };
    return [{ code: 'PARTNER_KEY_REJECTED', details }];
  },
});

/**
 * Checks that all nodes are usable and agree. If no node is usable, this is reported by {@link
 * nodePart} and not here. Withdrawals continue as long as one node is usable.
 */
export const nodesPart = (nodes: NodeDirectory): VerdictPart => ({
  component: 'nodes',
  scope: 'warning',
  failure: 'NODE_DOWN',
  async poll() {
    const all = nodes.status();
    const down = all.filter(({ up }) => !up);
    const differing = all.filter(({ disagreements }) => disagreements.length > 0);
    const found: Obstacle[] = [];
    if (down.length > 0 && down.length < all.length) {
      const cause = down.find(({ lastErrorCode }) => lastErrorCode !== null)?.lastErrorCode;
      const names = down.map(({ name }) => name).join(', ');
      const details = { nodes: names, ...(typeof cause === 'string' ? { cause } : {}) };
      found.push({ code: 'NODE_DOWN', details });
    }
    if (differing.length > 0) {
      const details = {
        nodes: differing.map(({ name }) => name).join(', '),
        what: [...new Set(differing.flatMap(({ disagreements }) => disagreements))].join(', '),
      };
      found.push({ code: 'NODES_DISAGREE', details });
    }
    return found;
  },
});

/**
 * Checks that no pool is paused by an operator or because of consecutive failures, and that each
 * pool has a remaining budget.
 */
export const breakersPart = (guard: Pick<PoolCircuitBreaker, 'pools'>): VerdictPart => ({
  component: 'breakers',
  scope: 'pools',
  failure: 'STORE_UNREACHABLE',
  poll: async () =>
    (await guard.pools()).flatMap(({ pool, relays }) =>
      breakerObstacles(relays).map((obstacle) => ({ ...obstacle, pool: pool.address })),
    ),
});

function breakerObstacles(verdict: PoolVerdict): readonly Obstacle[] {
  switch (verdict.kind) {
    case 'open':
    case 'trial':
      return [];
    case 'paused':
      return [{ code: 'POOL_PAUSED', details: { cause: verdict.cause } }];
    case 'exhausted':
      return [{ code: 'BUDGET_EXHAUSTED', details: { scope: verdict.scope } }];
  }
}

/** Checks that the queue of the relay lanes can accept more work. */
export const queuePart = (
  ledger: Pick<Ledger, 'countWaiting'>,
  maxWaiting: number,
): VerdictPart => ({
  component: 'queue',
  scope: 'pools',
  failure: 'STORE_UNREACHABLE',
  async poll() {
    const waiting = await ledger.countWaiting('relay');
    return waiting < maxWaiting ? [] : [{ code: 'QUEUE_FULL', details: { waiting, maxWaiting } }];
  },
});

/** Checks that transactions in flight still reach an outcome. */
export const workPart = (
  engine: Pick<SubmissionEngine, 'status'>,
  clock: Pick<Clock, 'monotonicMs'>,
  afterMs: number,
): VerdictPart => {
  let open = '';
  let movedAtMs = clock.monotonicMs();
  return {
    component: 'work',
    scope: 'pools',
    failure: 'WORK_DOES_NOT_MOVE',
    async poll() {
      const { stuck, lanes } = engine.status();
      const now = lanes.map(({ address, openNonces }) => `${address} ${openNonces}`).join(' ');
      if (now !== open || stuck.length === 0) movedAtMs = clock.monotonicMs();
      open = now;
      const stoodMs = clock.monotonicMs() - movedAtMs;
      return stoodMs < afterMs
        ? []
        : [{ code: 'WORK_DOES_NOT_MOVE', details: { stuck: stuck.length } }];
    },
  };
};

async function collect(
  pools: readonly NotePool[],
  poll: (pool: NotePool) => Promise<readonly Obstacle[]>,
): Promise<readonly Obstacle[]> {
  const found = await Promise.all(
    pools.map(async (pool) =>
      (await poll(pool)).map((obstacle) => ({ ...obstacle, pool: pool.address })),
    ),
  );
  return found.flat();
}
