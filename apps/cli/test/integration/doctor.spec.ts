import { DatabaseSync } from 'node:sqlite';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSqliteStore } from '@sotto/adapter-store';
import { toFelt } from '@sotto/kernel';
import { loadConfig } from '@sotto/relayer';
import { keyed } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { PROBLEMS, type ProblemCode } from '../../src/doctor/catalogue.js';
import { checkLedger } from '../../src/doctor/checks/store.js';
import type { Finding } from '../../src/doctor/finding.js';
import { partsOf, thisMachine, type Machine } from '../../src/doctor/site.js';
import { alteredNode } from './support/altered-node.js';
import { Hospital, sandboxProfile } from './support/hospital.js';
import { EXPIRED, OF_ANOTHER_NAME, SELF_SIGNED, type Certificate } from './support/self-signed.js';

const { accounts, tokens } = sandboxWorld;
const HOUR_MS = 3_600_000;
const lane = toFelt(accounts.lane1.address);
const poor = toFelt(accounts.feeCollector.address);
/** Address at which no contract is deployed. */
const EMPTY = '0x5a0d';

type Env = Record<string, string>;

interface Planted {
  readonly env?: Env;
  readonly machine?: Partial<Machine>;
  readonly uproot?: () => void;
}

interface Mistake {
  readonly title: string;
  readonly code: ProblemCode;
  /** Name of the check that must report the mistake. */
  readonly check: string;
  /** Part of the expected fix that occurs in no other fix. */
  readonly fix: string;
  readonly plant: (at: Hospital) => Planted | Promise<Planted>;
}

const profileWith = (at: Hospital, changes: object): Planted => ({
  env: { NETWORK_PROFILE: at.json('changed-profile.json', { ...sandboxProfile(), ...changes }) },
});
const poolsWith = (at: Hospital, changes: object): Planted => {
  const [first, ...others] = sandboxProfile().pools;
  return profileWith(at, { pools: [{ ...first, ...changes }, ...others] });
};
const relayed = (address: string, privateKey: bigint): Planted => ({
  env: { RELAY_ACCOUNTS: JSON.stringify([{ address, privateKey: toFelt(privateKey) }]) },
});
const production = (at: Hospital): Env => ({
  MODE: 'production',
  NETWORK_PROFILE: at.json('production-profile.json', sandboxProfile()),
});
const node = async (at: Hospital, answers: object, tls?: Certificate): Promise<Planted> => {
  const altered = await alteredNode(at.sandbox.rpcUrl, { ...answers }, tls);
  return { env: { STARKNET_RPC_URLS: altered.url }, uproot: () => altered.close() };
};
/** Starts a node whose certificate authority is trusted, so that only the certificate is wrong. */
const trustedNode = async (at: Hospital, tls: Certificate): Promise<Planted> => {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, tls.cert]);
  const { env = {}, uproot } = await node(at, {}, tls);
  return {
    env,
    uproot: () => {
      uproot?.();
      setDefaultCACertificates(before);
    },
  };
};

/**
 * Starts a server that plays the role of a dependency of the service. @returns its URL, and a
 * function that ends it
 */
const inPlace = async (
  listener: RequestListener,
  socket: string | null = null,
): Promise<{ readonly url: string; readonly uproot: () => void }> => {
  const server = createServer(listener);
  const begun = once(server, 'listening');
  if (socket === null) server.listen(0, '127.0.0.1');
  else server.listen(socket);
  await begun;
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    uproot: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
/** Returns settings of a service whose keys are in a signer process. */
const signed = (at: Hospital): Env => ({
  RELAY_ACCOUNTS: JSON.stringify([{ address: lane }]),
  SWAP_OWNER_ACCOUNT: '',
  CURATOR_ACCOUNT: '',
  AGGREGATOR_URL: '',
  SIGNER_URL: `unix:${join(at.folder, 'signer.sock')}`,
});
/**
 * Starts a signer without keys for a chain with this id. @returns settings of a service that uses
 * this signer
 */
const signedBy = async (at: Hospital, chain: string): Promise<Planted> => {
  const answer = JSON.stringify({
    chain_id: `0x${Buffer.from(chain).toString('hex')}`,
    accounts: [],
  });
  const { uproot } = await inPlace(
    (_, response) => response.end(answer),
    join(at.folder, 'signer.sock'),
  );
  return { env: signed(at), uproot };
};
/** Returns an SQL statement that adds a lane whose lease this instance holds. */
const leased = (instance: string, atMs: number): string =>
  `insert into lanes (address, role, leased_to, fence, leased_at_ms, lease_until_ms, next_nonce)
   values ('${lane}', 'relay', '${instance}', 1, ${atMs}, ${atMs + HOUR_MS}, 1)`;
/** Creates a ledger of the service and changes it with an SQL statement. */
const ledgerChanged = async (at: Hospital, name: string, statement: string): Promise<Planted> => {
  const path = await at.ledger(name);
  const database = new DatabaseSync(path);
  database.exec(statement);
  database.close();
  return { env: { DATABASE_PATH: path } };
};

const MISTAKES: readonly Mistake[] = [
  {
    title: 'a required variable is missing',
    code: 'SETTING_MISSING',
    check: 'settings',
    fix: 'Set PRICE_API_URL: ',
    plant: (at) => ({ env: { ...production(at), PRICE_API_URL: '' } }),
  },
  {
    title: 'a variable is no number',
    code: 'SETTING_INVALID',
    check: 'settings',
    fix: 'Correct MAX_CONNECTIONS: ',
    plant: () => ({ env: { MAX_CONNECTIONS: 'many' } }),
  },
  {
    title: 'the key of the development setup in production',
    code: 'DEVELOPMENT_KEY',
    check: 'settings',
    fix: 'Name in VERIFICATION_KEY_PATH the verification key of the pools’ own ceremony.',
    plant: (at) => ({ env: production(at) }),
  },
  {
    title: 'a sample key in production',
    code: 'SAMPLE_KEY',
    check: 'settings',
    fix: 'Make a key of your own with `sotto keys new`, and put it into RELAY_ACCOUNTS.',
    plant: (at) => ({
      env: {
        ...production(at),
        RELAY_ACCOUNTS: JSON.stringify([{ address: lane, privateKey: '0x1' }]),
      },
    }),
  },
  {
    title: 'a file of secrets that is not there',
    code: 'FILE_UNREADABLE',
    check: 'settings',
    fix: 'Put the file at the path in OPERATOR_API_TOKEN_FILE, and let the service’s user read it.',
    plant: (at) => ({ env: { OPERATOR_API_TOKEN_FILE: join(at.folder, 'nothing') } }),
  },
  {
    title: 'one account in two places',
    code: 'ACCOUNT_TWICE',
    check: 'settings',
    fix: 'Give SWAP_OWNER_ACCOUNT an account that no other setting contains',
    plant: () => ({ env: { SWAP_OWNER_ACCOUNT: JSON.stringify(keyed(accounts.lane1)) } }),
  },
  {
    title: 'a pause of a pool that is not served',
    code: 'UNKNOWN_POOL',
    check: 'settings',
    fix: 'Name in PAUSED_POOLS only keys of `pools` and `swapPool`',
    plant: () => ({ env: { PAUSED_POOLS: '{"sentinel_9x": "maintenance"}' } }),
  },
  {
    title: 'a field of the profile that is no address',
    code: 'PROFILE_INVALID',
    check: 'settings',
    fix: 'Correct this field of the file that NETWORK_PROFILE names.',
    plant: (at) => poolsWith(at, { address: 'here' }),
  },
  {
    title: 'a file of secrets that any user may read',
    code: 'SECRET_READABLE_BY_ALL',
    check: 'settings',
    fix: 'chmod 600 the file that OPERATOR_API_TOKEN_FILE names',
    plant(at) {
      const file = at.file('token', 'a'.repeat(40));
      chmodSync(file, 0o644);
      return { env: { OPERATOR_API_TOKEN_FILE: file } };
    },
  },
  {
    title: 'a setting that weakens a guard',
    code: 'SETTING_WEAK',
    check: 'settings',
    fix: 'Go back to the default of the setting',
    plant: () => ({ env: { LOSS_BUDGET_CALLER_PERCENT: '100' } }),
  },
  {
    title: 'a misspelt name of a setting (O5)',
    code: 'SETTING_UNKNOWN',
    check: 'settings',
    fix: 'Correct the name',
    plant: () => ({ env: { LOSS_BUDGET_PER_POL_FRI: '1' } }),
  },
  {
    title: 'memory that may be written to a disk',
    code: 'CORE_DUMPS',
    check: 'settings',
    fix: 'Start the programs with `ulimit -c 0`',
    plant: () => ({ machine: { mayDumpCore: () => true } }),
  },
  {
    title: 'a node’s address that refuses connections',
    code: 'NODE_UNREACHABLE',
    check: 'node',
    fix: 'Check host and port in STARKNET_RPC_URLS',
    plant: async (at) => {
      const { env = {}, uproot } = await node(at, {});
      uproot?.();
      return { env };
    },
  },
  {
    title: 'an unknown host name of a node',
    code: 'NODE_NAME_UNKNOWN',
    check: 'node',
    fix: 'Correct the host name in STARKNET_RPC_URLS',
    plant: () => ({ env: { STARKNET_RPC_URLS: 'http://node.invalid:5050' } }),
  },
  {
    title: 'a certificate of an unknown authority',
    code: 'NODE_TLS_NOT_TRUSTED',
    check: 'node',
    fix: 'Start the service with NODE_EXTRA_CA_CERTS',
    plant: (at) => node(at, {}, SELF_SIGNED),
  },
  {
    title: 'a path of the node that is not there',
    code: 'NODE_REFUSES_ACCESS',
    check: 'node',
    fix: 'Check path and access key in STARKNET_RPC_URLS',
    plant: (at) => ({ env: { STARKNET_RPC_URLS: at.sandbox.rewardsUrl } }),
  },
  {
    title: 'a node of another chain',
    code: 'WRONG_CHAIN',
    check: 'node',
    fix: 'Name a node of SN_SOTTO_SANDBOX in STARKNET_RPC_URLS, or the profile of SN_OTHER',
    plant: (at) => node(at, { starknet_chainId: '0x534e5f4f54484552' }),
  },
  {
    title: 'a version of JSON-RPC that is too old',
    code: 'SPEC_VERSION_UNSUPPORTED',
    check: 'node',
    fix: 'Use an endpoint of JSON-RPC 0.8, 0.9, 0.10',
    plant: (at) => node(at, { starknet_specVersion: '0.7.1' }),
  },
  {
    title: 'a clock that is an hour ahead',
    code: 'CLOCK_OFF',
    check: 'clock',
    fix: 'Synchronise this machine’s clock',
    plant: () => ({ machine: { nowMs: () => Date.now() + HOUR_MS } }),
  },
  {
    title: 'a clock that is an hour behind',
    code: 'CLOCK_OFF',
    check: 'clock',
    fix: 'Synchronise this machine’s clock',
    plant: () => ({ machine: { nowMs: () => Date.now() - HOUR_MS } }),
  },
  {
    title: 'an account that was not deployed',
    code: 'ACCOUNT_NOT_DEPLOYED',
    check: 'accounts',
    fix: `Fund ${EMPTY} and deploy it`,
    plant: () => relayed(EMPTY, accounts.lane1.privateKey),
  },
  {
    title: 'another account’s key',
    code: 'WRONG_KEY',
    check: 'accounts',
    fix: `Correct the privateKey of ${lane} in the settings.`,
    plant: () => relayed(lane, accounts.lane3.privateKey),
  },
  {
    title: 'a contract that is no account',
    code: 'NO_ACCOUNT_CLASS',
    check: 'accounts',
    fix: `Name in the settings an account of SRC-6, such as OpenZeppelin’s, in the place of ${toFelt(tokens.WBTC.address)}`,
    plant: () => relayed(toFelt(tokens.WBTC.address), accounts.lane1.privateKey),
  },
  {
    title: 'an account without STRK',
    code: 'BALANCE_BELOW_BOUNDS',
    check: 'accounts',
    fix: `Send at least 29.982 STRK to ${poor}.`,
    plant: () => relayed(poor, accounts.feeCollector.privateKey),
  },
  {
    title: 'a pool’s address without a contract',
    code: 'POOL_WITHOUT_CONTRACT',
    check: 'pools',
    fix: 'Correct the address of sentinel_1x in the network profile.',
    plant: (at) => poolsWith(at, { address: EMPTY }),
  },
  {
    title: 'a pool view with another name',
    code: 'POOL_NOT_READABLE',
    check: 'pools',
    fix: 'Check that the address of sentinel_1x is a pool, and its views’ names',
    plant: (at) => profileWith(at, { entrypoints: { pool: { maxFee: 'most_fee' } } }),
  },
  {
    title: 'a pool that was left paused',
    code: 'POOL_PAUSED',
    check: 'pools',
    fix: 'Remove sentinel_2x from PAUSED_POOLS when the reason is gone.',
    plant: () => ({ env: { PAUSED_POOLS: '{"sentinel_2x": "maintenance"}' } }),
  },
  {
    title: 'a verifier that is not there',
    code: 'VERIFIER_NOT_DEPLOYED',
    check: 'verifiers',
    fix: 'Correct `verifier` of the pools in the network profile.',
    plant: (at) => poolsWith(at, { verifier: EMPTY }),
  },
  {
    title: 'a verifier of another class',
    code: 'VERIFIER_CLASS_UNEXPECTED',
    check: 'verifiers',
    fix: 'Find out why the verifier’s class was changed',
    plant: (at) => poolsWith(at, { verifierClass: '0xc1a55' }),
  },
  {
    title: 'a guard that is not there',
    code: 'GUARD_NOT_DEPLOYED',
    check: 'verifiers',
    fix: 'Correct `guard.address` in the network profile',
    plant: (at) => profileWith(at, { guard: { address: EMPTY, classHash: '0xc1a55' } }),
  },
  {
    title: 'a guard of another class than the pinned one',
    code: 'GUARD_CLASS_UNEXPECTED',
    check: 'verifiers',
    fix: 'Find out which of both is wrong',
    plant: (at) =>
      profileWith(at, {
        guard: { address: toFelt(sandboxWorld.guard.address), classHash: '0xc1a55' },
      }),
  },
  {
    title: 'a verifier that was made from another key',
    code: 'VERIFIER_CLASS_NOT_OF_KEY',
    check: 'verifiers',
    fix: 'Use the verification key that the pools’ verifier was generated from.',
    plant: (at) => {
      const key = JSON.parse(readFileSync(at.environment()['VERIFICATION_KEY_PATH'] ?? '', 'utf8'));
      return {
        env: {
          VERIFICATION_KEY_PATH: at.json('other-key.json', {
            ...key,
            verifierClassHashes: ['0xc1a55'],
          }),
        },
      };
    },
  },
  {
    title: 'a swap owner that the pool does not know',
    code: 'SWAP_OWNER_DIFFERS',
    check: 'swap owner',
    fix: `Put the account ${toFelt(accounts.swapOwner.address)} into SWAP_OWNER_ACCOUNT`,
    plant: () => ({ env: { SWAP_OWNER_ACCOUNT: JSON.stringify(keyed(accounts.lane3)) } }),
  },
  {
    title: 'a curator without rights',
    code: 'CURATOR_WITHOUT_RIGHTS',
    check: 'curator',
    fix: `Put the account ${toFelt(accounts.curator.address)} into CURATOR_ACCOUNT, or let it hand sentinel over`,
    plant: () => ({ env: { CURATOR_ACCOUNT: JSON.stringify(keyed(accounts.lane3)) } }),
  },
  {
    title: 'a vault’s address without a contract',
    code: 'VAULT_NOT_READABLE',
    check: 'curator',
    fix: 'Correct the address of vault sentinel in the network profile.',
    plant: (at) => profileWith(at, { vaults: [{ id: 'sentinel', address: EMPTY }] }),
  },
  {
    title: 'an unavailable price source',
    code: 'PRICE_SOURCE_UNAVAILABLE',
    check: 'prices',
    fix: 'Check PRICE_API_URL for impulse',
    plant(at) {
      const { aggregator } = at.sandbox.control;
      aggregator.addFault({ endpoint: 'prices', fault: { kind: 'html' }, times: 100 });
      return { uproot: () => aggregator.clearFaults() };
    },
  },
  {
    title: 'a token that a source has no price of',
    code: 'PRICE_MISSING',
    check: 'prices',
    fix: 'Check the pair of WBTC in oracle.pairs',
    plant(at) {
      const { aggregator } = at.sandbox.control;
      aggregator.setUsdPrice(tokens.WBTC.address, null);
      return { uproot: () => aggregator.setUsdPrice(tokens.WBTC.address, 'oracle') };
    },
  },
  {
    title: 'prices that disagree',
    code: 'PRICES_DISAGREE',
    check: 'prices',
    fix: 'Compare the sources’ prices of STRK with the market',
    plant(at) {
      const { aggregator } = at.sandbox.control;
      aggregator.setUsdPrice(tokens.STRK.address, 7);
      return { uproot: () => aggregator.setUsdPrice(tokens.STRK.address, 'oracle') };
    },
  },
  {
    title: 'a ledger’s folder that is not there',
    code: 'STORE_FOLDER_MISSING',
    check: 'store',
    fix: 'Make the folder of DATABASE_PATH, owned by the service’s user.',
    plant: (at) => ({ env: { DATABASE_PATH: join(at.folder, 'missing', 'ledger.sqlite') } }),
  },
  {
    title: 'a ledger’s folder that can’t be written',
    code: 'STORE_NOT_WRITABLE',
    check: 'store',
    fix: 'Let the service’s user write the folder of DATABASE_PATH and all files in it.',
    // Even the superuser cannot create files in this folder.
    plant: () => ({ env: { DATABASE_PATH: '/proc/self/ledger.sqlite' } }),
  },
  {
    title: 'a ledger file with other content',
    code: 'STORE_NOT_READABLE',
    check: 'store',
    fix: 'Let DATABASE_PATH name the ledger’s file',
    plant: (at) => ({
      env: { DATABASE_PATH: at.file('notes.txt', 'no ledger at all. '.repeat(99)) },
    }),
  },
  {
    title: 'T17: a ledger whose pages are damaged',
    code: 'LEDGER_DAMAGED',
    check: 'store',
    fix: 'Restore the ledger’s newest backup.',
    plant: async (at) => {
      const path = await at.ledger('damaged.sqlite');
      const bytes = readFileSync(path);
      bytes.fill(0xa5, 4_096, 4_110);
      writeFileSync(path, bytes);
      return { env: { DATABASE_PATH: path } };
    },
  },
  {
    title: 'T17: a ledger that was replaced by an older one',
    code: 'LEDGER_INCOMPLETE',
    check: 'store',
    fix: 'Put file and log back together, restore the newest backup, or accept the loss',
    plant: async (at) => {
      const path = await at.ledger('replaced.sqlite');
      const older = readFileSync(path);
      const { ledger, close } = await openSqliteStore({ path });
      await ledger.noteBlock(1);
      await close();
      writeFileSync(path, older);
      return { env: { DATABASE_PATH: path } };
    },
  },
  {
    title: 'a disk that is nearly full',
    code: 'DISK_NEARLY_FULL',
    check: 'store',
    fix: 'Free space on the disk of DATABASE_PATH',
    plant: () => ({ machine: { freeBytes: async () => 99 * 2 ** 20 } }),
  },
  {
    title: 'a ledger of a newer release',
    code: 'STORE_NEWER',
    check: 'store',
    fix: 'Start the newer release again',
    plant: (at) =>
      ledgerChanged(
        at,
        'newer.sqlite',
        `insert into kysely_migration (name, timestamp) values ('9999_of_the_future', '2099')`,
      ),
  },
  {
    title: 'a ledger of an older release',
    code: 'MIGRATIONS_PENDING',
    check: 'store',
    fix: 'Back the ledger up before the start',
    plant: (at) =>
      ledgerChanged(
        at,
        'older.sqlite',
        `delete from kysely_migration where name = (select max(name) from kysely_migration)`,
      ),
  },
  {
    title: 'a ledger that lacks a migration in the middle',
    code: 'STORE_HALF_MIGRATED',
    check: 'store',
    fix: 'Restore the ledger’s newest backup: this one was changed by hand',
    plant: (at) =>
      ledgerChanged(
        at,
        'half.sqlite',
        `delete from kysely_migration where name = (select min(name) from kysely_migration)`,
      ),
  },
  {
    title: 'a ledger whose restore was interrupted',
    code: 'STORE_HALF_MIGRATED',
    check: 'store',
    fix: 'or its restore broke off',
    plant: (at) => ledgerChanged(at, 'broken-off.sqlite', 'delete from kysely_migration'),
  },
  {
    title: 'a ledger that other migrations made',
    code: 'STORE_SCHEMA_DIFFERS',
    check: 'store',
    fix: 'Start the release that made this ledger.',
    plant: (at) =>
      ledgerChanged(
        at,
        'differs.sqlite',
        `update migration_hashes set sha256 = 'other' where name = '0002_quotes'`,
      ),
  },
  {
    title: 'a ledger of another chain',
    code: 'LEDGER_OF_ANOTHER_CHAIN',
    check: 'ledger',
    fix: 'Name the ledger of this chain in DATABASE_PATH or DATABASE_URL',
    plant: async (at) => ({ env: { DATABASE_PATH: await at.ledger('other-chain.sqlite') } }),
  },
  {
    title: 'an acceptance that does not match the nonces',
    code: 'ACCEPTANCE_VOID',
    check: 'ledger',
    fix: 'Find out which transactions were sent since then, then set the line that `sotto accept-ledger` prints now.',
    plant: () => ({ env: { ACCEPT_EMPTY_LEDGER: `SN_SOTTO_SANDBOX:${lane}:7` } }),
  },
  {
    title: 'a database that refuses connections',
    code: 'STORE_UNREACHABLE',
    check: 'store',
    fix: 'Check host, user, password and database in DATABASE_URL',
    plant: () => ({
      env: { DATABASE_PATH: '', DATABASE_URL: 'postgres://sotto:secret@127.0.0.1:1/sotto' },
    }),
  },
  {
    title: 'an unavailable signer',
    code: 'SIGNER_UNREACHABLE',
    check: 'accounts',
    fix: 'Start the signer, and check SIGNER_URL',
    plant: (at) => ({ env: signed(at) }),
  },
  {
    title: 'a signer of another chain',
    code: 'SIGNER_OF_ANOTHER_CHAIN',
    check: 'accounts',
    fix: 'Let SIGNER_URL name the signer whose policy has the chain',
    plant: (at) => signedBy(at, 'SN_OTHER'),
  },
  {
    title: 'a signer that does not have the account',
    code: 'SIGNER_WITHOUT_ACCOUNT',
    check: 'accounts',
    fix: `List ${lane} in the signer’s policy`,
    plant: (at) => signedBy(at, 'SN_SOTTO_SANDBOX'),
  },
  {
    title: 'a key in the settings in addition to a signer',
    code: 'SETTING_INVALID',
    check: 'settings',
    fix: 'Correct RELAY_ACCOUNTS: ',
    plant: (at) => ({
      env: { ...signed(at), RELAY_ACCOUNTS: JSON.stringify([keyed(accounts.lane1)]) },
    }),
  },
  {
    title: 'accounts that are no list',
    code: 'SETTING_INVALID',
    check: 'settings',
    fix: 'Correct RELAY_ACCOUNTS: ',
    plant: () => ({ env: { RELAY_ACCOUNTS: JSON.stringify(keyed(accounts.lane1)) } }),
  },
  {
    title: 'an invalid key',
    code: 'SETTING_INVALID',
    check: 'settings',
    fix: 'Correct RELAY_ACCOUNTS: ',
    plant: () => ({
      env: { RELAY_ACCOUNTS: JSON.stringify([{ address: lane, privateKey: 'secret@key' }]) },
    }),
  },
  {
    title: 'two ledgers',
    code: 'SETTING_INVALID',
    check: 'settings',
    fix: 'Correct DATABASE_URL: ',
    plant: () => ({ env: { DATABASE_URL: 'postgres://sotto:secret@127.0.0.1/sotto' } }),
  },
  {
    title: 'a node that accepts connections but stays silent',
    code: 'NODE_TIMED_OUT',
    check: 'node',
    fix: 'Use a node that answers within NODE_TIMEOUT_MS',
    async plant() {
      const { url, uproot } = await inPlace(() => {});
      return { env: { STARKNET_RPC_URLS: url, NODE_TIMEOUT_MS: '1000' }, uproot };
    },
  },
  {
    title: 'a web page instead of a node',
    code: 'NODE_NOT_UNDERSTOOD',
    check: 'node',
    fix: 'Let STARKNET_RPC_URLS name the JSON-RPC endpoint of a Starknet node',
    async plant() {
      const { url, uproot } = await inPlace((_, response) => response.end('<html>hello</html>'));
      return { env: { STARKNET_RPC_URLS: url }, uproot };
    },
  },
  {
    title: 'a certificate that has expired',
    code: 'NODE_TLS_EXPIRED',
    check: 'node',
    fix: 'Have the node’s certificate renewed',
    plant: (at) => trustedNode(at, EXPIRED),
  },
  {
    title: 'a certificate of another name',
    code: 'NODE_TLS_OTHER_NAME',
    check: 'node',
    fix: 'Use a host name in STARKNET_RPC_URLS that the node’s certificate contains',
    plant: (at) => trustedNode(at, OF_ANOTHER_NAME),
  },
  {
    title: 'an address without push subscriptions',
    code: 'PUSH_NOT_HAD',
    check: 'push',
    fix: 'Check host, path and access key in STARKNET_WS_URL',
    async plant() {
      const { url, uproot } = await inPlace((_, response) => response.writeHead(404).end());
      return { env: { STARKNET_WS_URL: `${url.replace('http', 'ws')}/secret@` }, uproot };
    },
  },
  {
    title: 'a node that pushes another chain',
    code: 'PUSH_OF_OTHER_CHAIN',
    check: 'push',
    fix: 'Name in STARKNET_WS_URL the address of the node of STARKNET_RPC_URLS.',
    plant: (at) => ({
      env: {
        STARKNET_WS_URL: at.sandbox.wsUrl,
        NETWORK_PROFILE: at.json('other-chain.json', { ...sandboxProfile(), chainId: 'SN_OTHER' }),
      },
    }),
  },
  {
    title: 'a ledger whose times are ahead',
    code: 'STORE_CLOCK_OFF',
    check: 'ledger',
    fix: 'Correct this machine’s clock. Until then, the ledger’s time continues',
    plant: (at) => ledgerChanged(at, 'ahead.sqlite', leased('other', Date.now() + HOUR_MS)),
  },
  {
    title: 'the INSTANCE_ID of a process that runs',
    code: 'INSTANCE_ID_IN_USE',
    check: 'ledger',
    fix: 'Fine if that process is this service',
    plant: (at) => ledgerChanged(at, 'in-use.sqlite', leased('doctor', Date.now())),
  },
  {
    title: 'a worker that checks proofs whose file is missing',
    code: 'PROOF_WORKER_FAILED',
    check: 'workers',
    fix: 'Install the release again, with dist/pairing-worker.js',
    plant: () => ({ machine: { tryProofWorker: () => Promise.reject(missingModule()) } }),
  },
  {
    title: 'a worker that hashes calldata whose file is missing',
    code: 'HASH_WORKER_FAILED',
    check: 'workers',
    fix: 'Install the release again, with dist/calldata-hash-worker.js',
    plant: () => ({ machine: { tryHashWorker: () => Promise.reject(missingModule()) } }),
  },
];

const missingModule = (): Error =>
  Object.assign(new Error('Cannot find module'), { code: 'ERR_MODULE_NOT_FOUND' });

const isBad = ({ level }: Finding): boolean => level === 'failure' || level === 'warning';

describe('the doctor', () => {
  let at: Hospital;

  beforeAll(async () => {
    at = await Hospital.open();
  }, 60_000);
  afterAll(() => at.close());

  it('the doctor command finds no problem in a correct environment', async () => {
    const findings = await at.examine(at.environment());
    expect(findings.filter(isBad)).toEqual([]);
    expect(findings.map(({ check }) => check)).toEqual([
      'node version',
      'settings',
      'node',
      'clock',
      'accounts',
      'pools',
      'verifiers',
      'swap owner',
      'curator',
      'prices',
      'ledger',
      'push',
      'store',
      'workers',
    ]);
  });

  it.each(MISTAKES)(
    'the doctor command finds that $title, and reports a fix',
    async ({ plant, ...expected }) => {
      const { env = {}, machine, uproot } = await plant(at);
      try {
        const findings = (await at.examine(at.environment(env), machine)).filter(isBad);
        const { code, check, fix } = expected;
        expect(findings).toContainEqual(
          expect.objectContaining({
            code,
            check,
            level: PROBLEMS[code].level,
            fix: expect.stringContaining(fix),
          }),
        );
        // Further findings may follow, but no finding contains private data.
        const said = JSON.stringify(findings);
        expect(said).not.toMatch(/\{\w+\}|secret@/);
        for (const { privateKey } of Object.values(accounts))
          expect(said).not.toContain(toFelt(privateKey).slice(2));
      } finally {
        uproot?.();
      }
    },
    60_000,
  );

  it('the doctor command reports a working push node', async () => {
    const findings = await at.examine(at.environment({ STARKNET_WS_URL: at.sandbox.wsUrl }));
    expect(findings.filter(isBad)).toEqual([]);
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'push',
        message: `${new URL(at.sandbox.wsUrl).host} pushes changes`,
      }),
    );
  });

  it('the doctor command reports an outdated price', async () => {
    const findings = await at.examine(at.environment({ PRICE_MAX_AGE_MS: '1000' }), {
      nowMs: () => Date.now() + 20_000,
    });
    expect(findings.filter(isBad)).toContainEqual(
      expect.objectContaining({
        code: 'PRICE_STALE',
        fix: 'Wait until pragma has a new price of STRK, or raise PRICE_MAX_AGE_MS if this is how often it has one.',
      }),
    );
  });

  it('the doctor command reports an empty ledger that the operator has not accepted', async () => {
    const settings = loadConfig({ env: at.environment() });
    const parts = partsOf(settings);
    const [nodeParts] = parts.nodes();
    if (nodeParts === undefined) throw new Error('no node');
    const findings = await checkLedger({
      settings: { ...settings, engine: { ...settings.engine, acceptance: null } },
      machine: thisMachine,
      parts,
      node: nodeParts,
    });
    nodeParts.close();
    expect(findings).toEqual([
      expect.objectContaining({
        code: 'LEDGER_EMPTY',
        fix: 'If this is a first start, set the line that `sotto accept-ledger` prints; otherwise restore the ledger.',
      }),
    ]);
  });

  it('the doctor command warns of an unavailable node, and continues with the second node', async () => {
    const { STARKNET_RPC_URLS: url = '', ...env } = at.environment();
    const findings = await at.examine({
      ...env,
      STARKNET_RPC_URLS: `http://127.0.0.1:1,${url}`,
    });
    expect(findings.filter(isBad)).toEqual([
      expect.objectContaining({ code: 'NODE_UNREACHABLE', level: 'warning' }),
    ]);
  });

  it('the doctor command warns of former names of settings and of settings whose value is now fixed', async () => {
    const findings = await at.examine(
      at.environment({ CURATOR_API_TOKENS: '', CURATOR_API_TOKEN: 'one', SMALL_BATCH_BELOW: '3' }),
    );
    expect(findings.filter(isBad)).toEqual([
      expect.objectContaining({
        code: 'SETTING_UNKNOWN',
        message:
          'CURATOR_API_TOKEN is the former name of CURATOR_API_TOKENS: use CURATOR_API_TOKENS',
      }),
      expect.objectContaining({
        code: 'SETTING_UNKNOWN',
        message: 'SMALL_BATCH_BELOW is no longer a setting: it is always 3; remove it',
      }),
    ]);
  });

  it('the doctor command reports all mistakes of the settings at once', async () => {
    const findings = await at.examine({
      ...at.environment({ MAX_CONNECTIONS: 'many', PAUSED_POOLS: '{"nine": "x"}' }),
    });
    expect(findings.filter(isBad).map(({ code }) => code)).toEqual([
      'SETTING_INVALID',
      'UNKNOWN_POOL',
    ]);
  });
});

describe('the table of mistakes', () => {
  it('the doctor’s table of mistakes has at least twenty different codes, each with a unique fix', () => {
    const codes = MISTAKES.map(({ code }) => code);
    expect(new Set(codes).size).toBeGreaterThanOrEqual(20);
    for (const { code, fix } of MISTAKES) {
      const others = Object.entries(PROBLEMS).filter(([name]) => name !== code);
      expect(others.filter(([, problem]) => problem.fix.includes(fix))).toEqual([]);
    }
  });
});
