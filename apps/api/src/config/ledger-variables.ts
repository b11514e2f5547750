import type { z } from 'zod';
import { AcceptedLedger, Addresses } from './ledger-values.js';
import { Flag, wholeNumber } from './values.js';
import { optional, withDefault } from './variable.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Longest span that a timer may be set to. */
const MAX_DAYS_MS = 2_000_000_000;

/** Variables of how the ledger is held against its chain, and of lanes that are being given up. */
export const LEDGER_VARIABLES = {
  ACCEPT_EMPTY_LEDGER: optional(
    AcceptedLedger,
    'For the first start in production: the operator’s word that nothing of these accounts is in flight, as `<chain id>:<account>:<nonce>`, separated by commas, one for each account. `npm run accept-ledger` prints it. It says nothing as soon as one nonce on chain differs, so it may stay; true and false are refused.',
    'none in production: an empty ledger first takes every nonce in question with no-ops; development accepts by itself',
  ),
  RETIRING_ACCOUNTS: optional(
    Addresses,
    'Addresses, separated by commas, of accounts that are being given up: what they have in flight is followed and they get nothing new. They keep their place in RELAY_ACCOUNTS, SWAP_OWNER_ACCOUNT or CURATOR_ACCOUNT until they have no open nonces.',
    'none',
  ),
  PAUSE_ON_FOREIGN_TRANSACTION: withDefault(
    Flag,
    'true',
    'Whether an account is stopped, until an operator resumes it, when the chain shows a transaction of it that this ledger did not send: something else has its key.',
  ),
  NONCE_WINDOW: withDefault(
    wholeNumber(1, 1_000),
    '32',
    'No nonce is given away that is so far above the account’s on chain; a lost ledger can have no more in flight. At least MAX_IN_FLIGHT_PER_LANE. It may be raised and must never be lowered.',
  ),
  LOOK_TIMEOUT_MS: withDefault(
    wholeNumber(1_000, 10 * MINUTE_MS),
    '15000',
    'A look at the chain for one account that takes longer is given up. No other account waits for it.',
  ),
  MEMPOOL_LIFETIME_MS: withDefault(
    wholeNumber(1_000, DAY_MS),
    '300000',
    'How long the network’s mempool keeps a transaction that it does not include. A ledger that is behind its chain waits so long before it takes the nonces in question.',
  ),
  FINALITY_HORIZON_MS: withDefault(
    wholeNumber(MINUTE_MS, MAX_DAYS_MS),
    '86400000',
    'Where the node does not report L1 finality, a block this old counts as final. Until then the bytes of what it holds are kept, and a call that its contract does not protect gets no second attempt.',
  ),
  ADOPT_BACK_MS: withDefault(
    wholeNumber(MINUTE_MS, MAX_DAYS_MS),
    '7200000',
    'How far back the chain is read for what a lost ledger has sent, when the present one is empty. A restored copy reads from the last block that it knows.',
  ),
  GAS_LEARN_INTERVAL_MS: withDefault(
    wholeNumber(100, DAY_MS),
    '10000',
    'How often receipts of succeeded withdrawals and swaps are read for what they used; fee estimates follow them.',
  ),
  AUDIT_INTERVAL_MS: withDefault(
    wholeNumber(0, DAY_MS),
    '30000',
    'How often the auditor compares the ledger with the blocks of the chain; 0 turns it off.',
  ),
} as const satisfies Readonly<Record<string, z.ZodType>>;
