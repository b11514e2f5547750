import {
  bigintOf,
  bigintOrNull,
  numberOf,
  numberOrNull,
  textOf,
  type Golden,
  type GoldenRow,
} from './golden.js';

/** Expected rows after the migrations, derived from the rows that a release wrote. */
export interface ReadRows {
  readonly states: readonly string[];
  readonly attemptOf: (row: GoldenRow) => object;
  readonly nonceOf: (row: GoldenRow) => object;
  readonly laneOf: (row: GoldenRow) => object;
  /** Returns the owner of a nonce; null if the nonce has no owner. */
  readonly ownerOf: (nonce: GoldenRow) => object | null;
  readonly transactionsUnder: (nonce: GoldenRow) => readonly object[];
  readonly transactionsBy: (attempt: GoldenRow) => readonly object[];
  readonly quoteOf: (row: GoldenRow) => object;
  readonly ledger: object;
}

/**
 * Expected rows of the first release, which stored no settlements, no next nonce per lane and no
 * chain.
 */
export class FirstRows implements ReadRows {
  constructor(private readonly golden: Golden) {}

  readonly states = [
    'accepted',
    'broadcast',
    'expired',
    'prepared',
    'refused',
    'reverted',
    'succeeded',
  ];
  readonly ledger = { chain: null, lastBlock: null, disprovedRefusals: 0 };
  readonly attemptOf = attemptOf;
  readonly quoteOf = (row: GoldenRow): object => ({
    ...quoteOf(row),
    operation: 'withdraw',
    leafIndex: null,
  });

  readonly laneOf = (row: GoldenRow): object => {
    const highest = this.golden
      .rows('nonces')
      .findLast((nonce) => nonce['lane'] === row['address']);
    return {
      ...leaseOf(row),
      nextNonce: highest === undefined ? null : bigintOf(highest, 'nonce') + 1n,
      quarantine: null,
      pausedFor: null,
    };
  };

  readonly nonceOf = (row: GoldenRow): object => {
    const owner = this.#ownerRow(row);
    const isForeign = row['settled_by'] === 'stranger';
    const executions: Readonly<Record<string, string>> = {
      succeeded: 'SUCCEEDED',
      reverted: 'REVERTED',
    };
    return {
      lane: row['lane'],
      nonce: bigintOf(row, 'nonce'),
      through: bigintOf(row, 'nonce'),
      state: row['state'],
      version: 1,
      owner: refOrNull(row, 'owner_key', 'owner_attempt'),
      settlement:
        row['state'] === 'open'
          ? null
          : {
              hash: isForeign ? null : row['settled_by'],
              isForeign,
              execution: executions[owner?.['state'] ?? ''] ?? null,
              block: null,
              feeFri: bigintOrNull(row, 'gas_paid_fri'),
              disprovesRejection: false,
              atMs: owner === undefined ? 0 : numberOf(owner, 'ended_at_ms'),
              isFinal: true,
            },
    };
  };

  readonly ownerOf = (nonce: GoldenRow): object | null => {
    const owner = this.#ownerRow(nonce);
    return owner === undefined ? null : attemptOf(owner);
  };

  readonly transactionsUnder = (nonce: GoldenRow): readonly object[] =>
    this.#rowsUnder(nonce).map(transactionOf);

  readonly transactionsBy = (attempt: GoldenRow): readonly object[] =>
    this.golden
      .rows('nonces')
      .flatMap(this.#rowsUnder)
      .filter(isOf(attempt))
      .toSorted(bySequence)
      .map(transactionOf);

  /**
   * Returns the transactions under a nonce, each with the nonce's state. The nonce's state
   * determines if a transaction that can no longer be included counts as lost.
   */
  readonly #rowsUnder = (nonce: GoldenRow): readonly GoldenRow[] =>
    this.golden
      .rows('transactions')
      .filter(isUnder(nonce))
      .map((row) => ({ ...row, nonce_state: nonce['state'] ?? null }));

  #ownerRow(nonce: GoldenRow): GoldenRow | undefined {
    return ownerRow(this.golden, nonce);
  }
}

/** Expected rows of all releases since `0005_settlements`. */
export class SettledRows implements ReadRows {
  /** @param purposeOf returns the purpose and terms of an attempt */
  constructor(
    private readonly golden: Golden,
    private readonly purposeOf = purposeInKey,
  ) {}

  readonly states = ['accepted', 'broadcast', 'expired', 'refused', 'reverted', 'succeeded'];
  readonly ledger = {
    chain: { chainId: '0x534e5f4d41494e', genesisHash: '0x47c3' },
    lastBlock: 140,
    disprovedRefusals: 1,
  };

  readonly attemptOf = (row: GoldenRow): object => ({
    ...attemptOf(row),
    ...this.purposeOf(row),
    replayProtected: row['replay_protected'] === '1',
    avoidLane: row['avoid_lane'],
    isFinal: row['is_final'] === '1',
    undone:
      row['undone_hash'] === null
        ? null
        : {
            transactionHash: row['undone_hash'],
            execution: row['undone_execution'],
            undoneAtMs: numberOf(row, 'undone_at_ms'),
          },
  });

  readonly nonceOf = (row: GoldenRow): object => ({
    lane: row['lane'],
    nonce: bigintOf(row, 'nonce'),
    through: bigintOf(row, 'through'),
    state: row['state'],
    version: numberOf(row, 'version'),
    owner: refOrNull(row, 'owner_key', 'owner_attempt'),
    settlement:
      row['state'] === 'open'
        ? null
        : {
            hash: row['settled_by'],
            isForeign: row['is_foreign'] === '1',
            execution: row['execution'],
            block:
              row['block_hash'] === null
                ? null
                : { number: numberOf(row, 'block_number'), hash: row['block_hash'] },
            feeFri: bigintOrNull(row, 'fee_fri'),
            disprovesRejection: row['disproves_refusal'] === '1',
            atMs: numberOf(row, 'settled_at_ms'),
            isFinal: row['is_final'] === '1',
          },
  });

  readonly laneOf = (row: GoldenRow): object => ({
    ...leaseOf(row),
    nextNonce: bigintOrNull(row, 'next_nonce'),
    quarantine:
      row['quarantine_cause'] === null
        ? null
        : {
            cause: row['quarantine_cause'],
            until: bigintOf(row, 'quarantine_until'),
            sinceMs: numberOf(row, 'quarantine_since_ms'),
            isAged: row['quarantine_is_aged'] === '1',
          },
    pausedFor: row['paused_for'],
  });

  readonly ownerOf = (nonce: GoldenRow): object | null => {
    const owner = ownerRow(this.golden, nonce);
    return owner === undefined ? null : this.attemptOf(owner);
  };

  readonly transactionsUnder = (nonce: GoldenRow): readonly object[] =>
    this.#transactions(isUnder(nonce));

  readonly transactionsBy = (attempt: GoldenRow): readonly object[] =>
    this.#transactions(isOf(attempt));

  readonly quoteOf = (row: GoldenRow): object => ({
    ...quoteOf(row),
    operation: row['operation'],
    leafIndex: numberOrNull(row, 'leaf_index'),
  });

  #transactions(of: (row: GoldenRow) => boolean): readonly object[] {
    return this.golden
      .rows('transactions')
      .filter(of)
      .toSorted(bySequence)
      .map((row) => ({ ...transactionOf(row), gone: row['gone'] }));
  }
}

const isUnder = (nonce: GoldenRow) => (row: GoldenRow) =>
  row['lane'] === nonce['lane'] && row['nonce'] === nonce['nonce'];
const isOf = (attempt: GoldenRow) => (row: GoldenRow) =>
  row['attempt_key'] === attempt['key'] && row['attempt_number'] === attempt['attempt'];
const bySequence = (a: GoldenRow, b: GoldenRow): number => numberOf(a, 'seq') - numberOf(b, 'seq');

function ownerRow(golden: Golden, nonce: GoldenRow): GoldenRow | undefined {
  return golden
    .rows('attempts')
    .find((row) => row['key'] === nonce['owner_key'] && row['attempt'] === nonce['owner_attempt']);
}

const leaseOf = (row: GoldenRow): object => ({
  address: row['address'],
  role: row['role'],
  leasedTo: row['leased_to'],
  fence: bigintOf(row, 'fence'),
});

const quoteOf = (row: GoldenRow): object => ({
  id: row['id'],
  chainId: row['chain_id'],
  pool: row['pool'],
  relayer: row['relayer'],
  feeAmount: bigintOf(row, 'fee_amount'),
  expiresAtMs: numberOf(row, 'expires_at_ms'),
});

/**
 * Returns the purpose of an attempt from a release before `0012_purposes`. Such releases stored the
 * purpose only in the key and the fingerprint; in some fingerprints the effect is missing.
 */
function purposeInKey(row: GoldenRow): object {
  const [effect = '', fingerprint = effect] = textOf(row, 'fingerprint').split('.');
  return { effect, fingerprint, ...subjectInKey(row) };
}

function subjectInKey(row: GoldenRow): object {
  const [, subject, word = '', value = ''] = textOf(row, 'key').split('|');
  switch (word) {
    case 'deposit':
      return { kind: 'deposit', subject, memo: value };
    case 'deploy':
      return { kind: 'deploy_batch', subject, memo: null };
    case 'idle':
      return { kind: 'deploy_idle_funds', subject, memo: textOf(row, 'fingerprint').split('|')[1] };
    default:
      return {
        kind: row['role'] === 'swap_owner' ? 'private_swap' : 'withdraw',
        subject,
        memo: word,
      };
  }
}

/**
 * Returns the purpose of an attempt from a release since `0012_purposes`, which has columns for the
 * purpose.
 */
export function purposeInColumns(row: GoldenRow): object {
  const { effect, fingerprint, kind, subject, memo } = row;
  return { effect, fingerprint, kind, subject, memo };
}

function attemptOf(row: GoldenRow): object {
  return {
    key: row['key'],
    attempt: numberOf(row, 'attempt'),
    id: row['id'],
    state: row['state'] === 'prepared' ? 'broadcast' : row['state'],
    ...purposeInKey(row),
    role: row['role'],
    target: { to: row['target_to'], entrypoint: row['target_entrypoint'] },
    limits: {
      l2Gas: bigintOf(row, 'limit_l2_gas'),
      l1Gas: bigintOf(row, 'limit_l1_gas'),
      l1DataGas: bigintOf(row, 'limit_l1_data_gas'),
      priceMultiplier: bigintOf(row, 'price_multiplier'),
    },
    terms:
      row['fee_amount'] === null
        ? null
        : {
            feeAmount: bigintOf(row, 'fee_amount'),
            feeToken: row['fee_token'],
            costFri: bigintOf(row, 'cost_fri'),
            strkUsdE8: bigintOf(row, 'strk_usd_e8'),
            feeTokenUsdE8: bigintOf(row, 'fee_token_usd_e8'),
          },
    replayProtected: row['role'] !== 'curator',
    lane: row['lane'],
    nonce: bigintOrNull(row, 'nonce'),
    readmit: row['readmit'] === '1',
    avoidLane: null,
    acceptedAtMs: numberOf(row, 'accepted_at_ms'),
    deadlineMs: numberOf(row, 'deadline_ms'),
    deadlineBlock: null,
    endedAtMs: numberOrNull(row, 'ended_at_ms'),
    rejectionCode: row['refusal_code'],
    transactionHash: row['transaction_hash'],
    revertReason: row['revert_reason'],
    gasPaidFri: bigintOrNull(row, 'gas_paid_fri'),
    isFinal: row['transaction_hash'] !== null,
    undone: null,
  };
}

/** @param row transaction row, extended by the state of its nonce */
function transactionOf(row: GoldenRow): object {
  return {
    hash: row['hash'],
    lane: row['lane'],
    nonce: bigintOf(row, 'nonce'),
    kind: row['kind'],
    attempt: refOrNull(row, 'attempt_key', 'attempt_number'),
    priceStep: numberOf(row, 'price_step'),
    bounds: {
      l2Gas: {
        maxAmount: bigintOf(row, 'l2_max_amount'),
        maxPriceFri: bigintOf(row, 'l2_max_price_fri'),
      },
      l1Gas: {
        maxAmount: bigintOf(row, 'l1_max_amount'),
        maxPriceFri: bigintOf(row, 'l1_max_price_fri'),
      },
      l1DataGas: {
        maxAmount: bigintOf(row, 'l1_data_max_amount'),
        maxPriceFri: bigintOf(row, 'l1_data_max_price_fri'),
      },
      tipFri: bigintOf(row, 'tip_fri'),
    },
    sendCount: numberOf(row, 'claims'),
    claimFence: bigintOrNull(row, 'claim_fence'),
    claimedAtMs: numberOrNull(row, 'claimed_at_ms'),
    claimNode: row['claim_node'] ?? null,
    gone: goneOf(row),
    rejectionCode: row['refusal_code'],
    seen:
      row['seen_execution'] === null
        ? null
        : { execution: row['seen_execution'], revertReason: row['seen_revert_reason'] },
  };
}

function goneOf(row: GoldenRow): 'refused' | 'lost' | null {
  if (row['dead'] !== '1') return null;
  return row['refusal_code'] === null && row['nonce_state'] === 'settled' ? 'lost' : 'refused';
}

function refOrNull(row: GoldenRow, key: string, attempt: string): object | null {
  return row[key] === null ? null : { key: row[key], attempt: numberOf(row, attempt) };
}
