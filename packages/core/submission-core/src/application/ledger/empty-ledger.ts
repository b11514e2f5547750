import { DomainError, type Felt, type Logger } from '@sotto/kernel';
import type { ChainReader } from '../../ports/chain.port.js';
import type { Ledger } from '../../ports/ledger.port.js';
import type { AcceptedAccounts, LedgerAcceptance } from '../settings.js';

export interface AcceptanceSources {
  readonly reader: Pick<ChainReader, 'head'>;
  readonly chainId: Felt;
  /** Addresses of all accounts that sign transactions. */
  readonly accounts: readonly Felt[];
}

/**
 * Thrown if the node serves another chain than the configured chain, or if an account does not
 * exist there.
 */
export class NothingToAccept extends Error {
  override readonly name = 'NothingToAccept';
}

/**
 * Returns the value of the setting `ACCEPT_EMPTY_LEDGER` that matches the chain and the account
 * nonces now (ACCEPTED_ON_L2).
 * @throws NothingToAccept
 * @throws DomainError if the node does not answer
 */
export async function acceptanceNow({
  reader,
  chainId,
  accounts,
}: AcceptanceSources): Promise<string> {
  const head = await reader.head(accounts);
  if (head.chainId !== chainId)
    throw new NothingToAccept('the node serves another chain than the network profile names');
  const nonces = new Map<Felt, bigint>();
  for (const address of accounts) {
    const account = head.accounts.get(address);
    if (account === undefined) throw new NothingToAccept(`the node knows no account ${address}`);
    nonces.set(address, account.nonce);
  }
  return acceptanceText({ chainId, nonces });
}

export interface EmptyStart extends AcceptanceSources {
  readonly ledger: Pick<Ledger, 'state'>;
  readonly acceptance: LedgerAcceptance;
  readonly logger: Logger;
}

/**
 * Logs a warning if an empty ledger is in quarantine because no operator has accepted it. The
 * warning contains the value to set if this is a first start. Never rejects with a `DomainError`.
 */
export async function warnOfEmptyLedger({
  ledger,
  acceptance,
  logger,
  ...sources
}: EmptyStart): Promise<void> {
  if (acceptance === 'always') return;
  try {
    const { chain, lanes } = await ledger.state();
    if (chain !== null || lanes.some(({ nextNonce }) => nextNonce !== null)) return;
    const now = await acceptanceNow(sources);
    if (acceptance !== null && acceptanceText(acceptance) === now) return;
    const why =
      acceptance === null
        ? 'ACCEPT_EMPTY_LEDGER is not set'
        : 'ACCEPT_EMPTY_LEDGER names other accounts or nonces than the chain has now';
    logger.warn(
      { set: `ACCEPT_EMPTY_LEDGER=${now}` },
      `the ledger is empty and ${why}: nothing is sent until every nonce that may be in flight is consumed. If this is a first start, stop, remove this empty ledger and set it`,
    );
  } catch (error) {
    if (!(error instanceof DomainError) && !(error instanceof NothingToAccept)) throw error;
    logger.warn({ error }, 'the empty ledger could not be compared with the chain yet');
  }
}

/**
 * Formats an acceptance as text for the settings: chain, account and nonce, for example
 * `SN_MAIN:0x1a2b…:7,SN_MAIN:0x3c4d…:0`.
 */
export function acceptanceText({ chainId, nonces }: AcceptedAccounts): string {
  const chain = Buffer.from(chainId.slice(2), 'hex').toString('latin1');
  return [...nonces].map(([address, nonce]) => `${chain}:${address}:${nonce}`).join(',');
}
