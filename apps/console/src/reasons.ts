import type { ReasonCode } from '@sotto/facts';

/** Text of a verdict's reason on the page, with its remedy. */
export interface ReasonWords {
  readonly headline: string;
  readonly mend: string;
  /** Path of a section in the documents, relative to `docs`. */
  readonly runbook: string;
}

const alert = (name: string): string => `operations/alerts.md#${name.toLowerCase()}`;
const runbook = (section: string): string => `runbook.md#${section}`;

const LEDGER = runbook('a-ledger-that-is-behind-its-chain');
const ACCOUNTS = runbook('accounts-that-accept-no-work');
const VERIFIERS = runbook('verification-key-and-verifiers');
const POOLS = runbook('pools-budgets-and-breakers');

/** Short texts by reason code. */
export const REASON_WORDS: Readonly<Record<ReasonCode, ReasonWords>> = {
  STOPPING: {
    headline: 'This instance is stopping',
    mend: 'Nothing, if you are stopping it. Otherwise find out why the process ends.',
    runbook: runbook('stop'),
  },
  STORE_UNREACHABLE: {
    headline: 'The store does not answer',
    mend: 'Bring the database or its disk back. Nothing has to be restarted.',
    runbook: alert('StoreNotWritable'),
  },
  STORE_NOT_WRITABLE: {
    headline: 'The store does not accept writes',
    mend: 'Free or repair the disk, or make the database available again. Acknowledged data is safe.',
    runbook: alert('StoreNotWritable'),
  },
  SCHEMA_IS_NEWER: {
    headline: 'A newer release has changed the ledger',
    mend: 'Stop this instance and start the newer release.',
    runbook: 'operations/upgrade.md#upgrade',
  },
  NODE_UNREACHABLE: {
    headline: 'No Starknet node answers',
    mend: 'Bring the node back, or name another one in STARKNET_RPC_URLS.',
    runbook: alert('NodeUnreachable'),
  },
  NODES_DISAGREE: {
    headline: 'Starknet nodes disagree',
    mend: 'Compare both with an explorer, and remove the wrong one from STARKNET_RPC_URLS.',
    runbook: alert('NodesDisagree'),
  },
  NODE_DOWN: {
    headline: 'A Starknet node is down, others serve',
    mend: 'Bring it back before another one fails.',
    runbook: alert('NodeUnreachable'),
  },
  WRONG_CHAIN: {
    headline: 'The node serves another chain',
    mend: 'Correct STARKNET_RPC_URLS or the network profile.',
    runbook: alert('NodeUnreachable'),
  },
  CHAIN_WITHOUT_OUR_CONTRACTS: {
    headline: 'The chain has none of our contracts',
    mend: 'The node serves an empty or a restarted chain: name the right one.',
    runbook: alert('NodeUnreachable'),
  },
  CLOCK_WRONG: {
    headline: 'The clock of the machine is wrong',
    mend: 'Start time synchronisation (NTP) on the machine.',
    runbook: alert('ClockSkew'),
  },
  LEDGER_TIME_WRONG: {
    headline: 'The clock is right, times in the ledger are not',
    mend: 'Nothing, if the ledger is ahead: the clock will reach its times. If the ledger is behind, restart the process.',
    runbook: alert('ClockSkew'),
  },
  HEAD_TOO_OLD: {
    headline: 'The node is behind the chain, or the clock is ahead',
    mend: 'Check the machine’s clock. Compare the block with an explorer: change the node if the network has newer blocks, otherwise wait.',
    runbook: alert('HeadTooOld'),
  },
  PRICES_UNAVAILABLE: {
    headline: 'No usable price',
    mend: 'See that the price API and the oracle can be reached and publish.',
    runbook: alert('PriceSourceDown'),
  },
  PRICE_SOURCE_DOWN: {
    headline: 'A price source is down, others serve',
    mend: 'See that it can be reached before another one fails.',
    runbook: alert('PriceSourceDown'),
  },
  PARTNER_KEY_REJECTED: {
    headline: 'A partner rejects this service’s key',
    mend: 'Set the key of the partner that the details name.',
    runbook: alert('PartnerKeyRejected'),
  },
  LEDGER_NOT_READ: {
    headline: 'The ledger has not been read yet',
    mend: 'Wait some seconds after a start. If it lasts, the store or the node does not answer.',
    runbook: alert('LedgerBehindChain'),
  },
  LEDGER_NOT_JUDGED: {
    headline: 'The ledger has not been compared with its chain yet',
    mend: 'Wait for two blocks after a start. If it lasts, the details name the cause: no node shows a block that is younger than the service, a block’s time is ahead of the clock, or a nonce is undecided.',
    runbook: alert('LedgerBehindChain'),
  },
  LEDGER_OF_ANOTHER_CHAIN: {
    headline: 'The ledger belongs to another chain',
    mend: 'The database or the node in the settings is wrong: correct the settings, because this does not end automatically.',
    runbook: LEDGER,
  },
  LEDGER_BEHIND_CHAIN: {
    headline: 'The ledger is behind its chain',
    mend: 'After a restore, wait: this ends when all transactions that may be in flight have settled.',
    runbook: LEDGER,
  },
  LANES_RESTING: {
    headline: 'No account can relay',
    mend: 'Check the accounts: each names the reason why it rests.',
    runbook: ACCOUNTS,
  },
  LANES_PAUSED: {
    headline: 'All accounts are paused',
    mend: 'Find out why, then resume one under Accounts.',
    runbook: ACCOUNTS,
  },
  LANES_SHORT_OF_FUNDS: {
    headline: 'No account has enough STRK',
    mend: 'Send STRK to the accounts. It is noticed within seconds.',
    runbook: alert('NoUsableLane'),
  },
  LANES_QUARANTINED: {
    headline: 'All accounts are in quarantine',
    mend: 'Wait: it ends when nothing of them can be in flight any more.',
    runbook: ACCOUNTS,
  },
  LANES_RETIRING: {
    headline: 'All accounts are retiring',
    mend: 'Name an account in RELAY_ACCOUNTS that is not in RETIRING_ACCOUNTS.',
    runbook: ACCOUNTS,
  },
  LANES_HELD_ELSEWHERE: {
    headline: 'Another process holds the accounts',
    mend: 'Give each service separate accounts, or let both share one store.',
    runbook: ACCOUNTS,
  },
  LANES_NOT_LOOKED_AT: {
    headline: 'The accounts have not been checked yet',
    mend: 'Wait some seconds after a start. If it lasts, the node does not answer.',
    runbook: ACCOUNTS,
  },
  SIGNER_UNAVAILABLE: {
    headline: 'The signer does not answer',
    mend: 'Start the signer, and compare its address and certificates with the settings.',
    runbook: runbook('keys-elsewhere'),
  },
  SIGNER_REFUSED: {
    headline: 'The signer refuses',
    mend: 'Check the code: the signer’s budget is spent, or its policy does not allow the call.',
    runbook: alert('SignerRefuses'),
  },
  VERIFIER_UNAVAILABLE: {
    headline: 'Proofs can’t be verified',
    mend: 'The verifying threads do not answer: check the log, and restart the instance.',
    runbook: VERIFIERS,
  },
  VERIFIER_UNSOUND: {
    headline: 'The verifier accepts an invalid proof',
    mend: 'Stop the instance, and install the release again: the instance must not continue to run.',
    runbook: VERIFIERS,
  },
  VERIFIER_NOT_DEPLOYED: {
    headline: 'A verifier is not on the chain',
    mend: 'Compare the verifier’s address in the profile with the deployment.',
    runbook: VERIFIERS,
  },
  VERIFIER_CLASS_UNEXPECTED: {
    headline: 'A verifier has another class than expected',
    mend: 'Find out who replaced it before you trust it in the profile.',
    runbook: VERIFIERS,
  },
  VERIFIER_CLASS_NOT_OF_KEY: {
    headline: 'A verifier does not fit the verification key',
    mend: 'Use the key that the contract was generated from.',
    runbook: VERIFIERS,
  },
  GUARD_NOT_DEPLOYED: {
    headline: 'The guard is not on the chain',
    mend: 'Compare `guard.address` in the profile with the deployment. Calls are sent without it.',
    runbook: POOLS,
  },
  GUARD_CLASS_UNEXPECTED: {
    headline: 'The guard has another class than pinned',
    mend: 'Compare `guard` in the profile with the deployment. Calls are sent without it.',
    runbook: POOLS,
  },
  VERIFIERS_NOT_LOOKED_AT: {
    headline: 'The verifiers have not been read yet',
    mend: 'Wait some seconds after a start. If it lasts, the node does not answer.',
    runbook: VERIFIERS,
  },
  POOL_WITHOUT_CONTRACT: {
    headline: 'The pool has no contract',
    mend: 'Compare the pool’s address in the profile with the deployment.',
    runbook: alert('WithdrawalsImpossible'),
  },
  POOL_NOT_READABLE: {
    headline: 'The pool can’t be read',
    mend: 'Check the node first, then the contract.',
    runbook: alert('WithdrawalsImpossible'),
  },
  POOL_PAUSED: {
    headline: 'The pool is paused',
    mend: 'An operator’s pause ends with Resume. A pause by the breaker ends automatically, or with Resume after its cause is mended.',
    runbook: POOLS,
  },
  BUDGET_EXHAUSTED: {
    headline: 'The gas of the hour is spent',
    mend: 'Check whether fees have paid for the gas. The pause ends automatically; a higher GAS_BUDGET ends it at once.',
    runbook: alert('CapacityUsedUp'),
  },
  QUEUE_FULL: {
    headline: 'The queue is full',
    mend: 'See that all accounts work. If they do, add accounts to RELAY_ACCOUNTS.',
    runbook: alert('QueueGrowing'),
  },
  WORK_DOES_NOT_MOVE: {
    headline: 'Submissions do not move',
    mend: 'Check the open nonces and the node: no sent transaction has ended.',
    runbook: alert('StuckNonces'),
  },
  TIMED_OUT: {
    headline: 'A part did not answer in time',
    mend: 'The result of the previous check remains. If this lasts, the named part or its server hangs.',
    runbook: alert('NotReady'),
  },
  LOOK_FAILED: {
    headline: 'A part could not be checked',
    mend: 'The log has the error with its stack. Report it.',
    runbook: alert('ServerErrors'),
  },
};
