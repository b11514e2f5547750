import {
  bigintOf,
  bigintOrNull,
  numberOf,
  numberOrNull,
  textOrNull,
  type Golden,
  type GoldenRow,
} from './golden.js';

/**
 * Rows of the first release as the machine has to read them after `0005_settlements`, worked out
 * from what that release wrote.
 */
export class MigratedRows {
  constructor(private readonly golden: Golden) {}

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
              disprovesRefusal: false,
              atMs: owner === undefined ? 0 : numberOf(owner, 'ended_at_ms'),
              isFinal: true,
            },
    };
  };

  readonly ownerOf = (nonce: GoldenRow): object | null => {
    const owner = this.#ownerRow(nonce);
    return owner === undefined ? null : attemptOf(owner);
  };

  readonly transactionsUnder = (nonce: GoldenRow): readonly GoldenRow[] =>
    this.golden
      .rows('transactions')
      .filter((row) => row['lane'] === nonce['lane'] && row['nonce'] === nonce['nonce'])
      .map((row) => ({ ...row, nonce_state: nonce['state'] ?? null }));

  /** With the state of its nonce, which says whether a dead one was lost. */
  readonly transactionsBy = (attempt: GoldenRow): readonly GoldenRow[] =>
    this.golden
      .rows('nonces')
      .flatMap(this.transactionsUnder)
      .filter(
        (row) =>
          row['attempt_key'] === attempt['key'] && row['attempt_number'] === attempt['attempt'],
      )
      .toSorted((a, b) => numberOf(a, 'seq') - numberOf(b, 'seq'));

  #ownerRow(nonce: GoldenRow): GoldenRow | undefined {
    const key = textOrNull(nonce, 'owner_key');
    return this.golden
      .rows('attempts')
      .find((row) => row['key'] === key && row['attempt'] === nonce['owner_attempt']);
  }
}

export function attemptOf(row: GoldenRow): object {
  return {
    key: row['key'],
    attempt: numberOf(row, 'attempt'),
    id: row['id'],
    state: row['state'] === 'prepared' ? 'broadcast' : row['state'],
    fingerprint: row['fingerprint'],
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
    endedAtMs: numberOrNull(row, 'ended_at_ms'),
    refusalCode: row['refusal_code'],
    transactionHash: row['transaction_hash'],
    revertReason: row['revert_reason'],
    gasPaidFri: bigintOrNull(row, 'gas_paid_fri'),
    isFinal: row['transaction_hash'] !== null,
    undone: null,
  };
}

/** @param row with the state of its nonce */
export function transactionOf(row: GoldenRow): object {
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
    gone: goneOf(row),
    refusalCode: row['refusal_code'],
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
