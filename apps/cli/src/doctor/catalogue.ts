export type Level = 'ok' | 'warning' | 'failure' | 'skipped';

/** Possible finding of the doctor: its severity, its fix and its documentation. */
export interface Problem {
  readonly level: 'warning' | 'failure';
  /** One sentence with `{names}` as placeholders. */
  readonly message: string;
  readonly fix: string;
  /** Heading of the document that explains the finding. */
  readonly docs: string;
}

const failure = (docs: string, message: string, fix: string): Problem => ({
  level: 'failure',
  message,
  fix,
  docs,
});
const warning = (docs: string, message: string, fix: string): Problem => ({
  ...failure(docs, message, fix),
  level: 'warning',
});

const CONFIGURATION = 'docs/reference/configuration.md#configuration';
const PROFILE = 'docs/reference/network-profiles.md#network-profiles';
const START = 'docs/runbook.md#start';
const FIRST_START = 'docs/runbook.md#the-first-start';
const KEYS = 'docs/runbook.md#keys-and-money';
const SIGNER = 'docs/runbook.md#keys-elsewhere';
const POOLS = 'docs/runbook.md#pools-budgets-and-breakers';
const ACCOUNTS = 'docs/runbook.md#accounts-that-accept-no-work';
const VERIFIERS = 'docs/runbook.md#verification-key-and-verifiers';
const BEHIND = 'docs/runbook.md#a-ledger-that-is-behind-its-chain';
const LEDGER_FILE = 'docs/runbook.md#the-ledger-file';
const INSTANCES = 'docs/runbook.md#several-instances';
const NODES = 'docs/nodes.md#nodes';
const PUSH = 'docs/nodes.md#push';

/** All possible findings of the doctor, by code. */
export const PROBLEMS = {
  NODE_VERSION_UNTESTED: warning(
    START,
    'this is Node {version}, which the service is not tested with',
    'Run the service with Node 24.',
  ),
  SETTING_MISSING: failure(CONFIGURATION, '{problem}', 'Set {name}: {meaning}'),
  SETTING_INVALID: failure(CONFIGURATION, '{problem}', 'Correct {name}: {meaning}'),
  FILE_UNREADABLE: failure(
    CONFIGURATION,
    '{problem}',
    'Put the file at the path in {name}, and let the service’s user read it.',
  ),
  PROFILE_INVALID: failure(
    PROFILE,
    '{problem}',
    'Correct this field of the file that NETWORK_PROFILE names.',
  ),
  DEVELOPMENT_KEY: failure(
    VERIFIERS,
    '{name} is a development key: any attacker can forge proofs under it',
    'Name in {name} the verification key of the pools’ own ceremony.',
  ),
  SAMPLE_KEY: failure(
    KEYS,
    '{problem}',
    'Make a key of your own with `sotto keys new`, and put it into {name}.',
  ),
  ACCOUNT_TWICE: failure(
    KEYS,
    '{problem}',
    'Give {name} an account that no other setting contains: `sotto keys new` makes one.',
  ),
  UNKNOWN_POOL: failure(
    POOLS,
    '{problem}',
    'Name in PAUSED_POOLS only keys of `pools` and `swapPool` of the network profile.',
  ),
  SECRET_READABLE_BY_ALL: warning(
    KEYS,
    '{name} names a file that any user of this machine may read',
    'chmod 600 the file that {name} names, and make the service’s user its owner.',
  ),

  SETTING_WEAK: warning(
    CONFIGURATION,
    '{problem}',
    'Go back to the default of the setting, or write down why this service needs another value.',
  ),
  SETTING_UNKNOWN: warning(
    CONFIGURATION,
    '{problem}',
    'Correct the name, or remove the variable if the release has no such setting.',
  ),
  CORE_DUMPS: warning(
    KEYS,
    'the system may write the memory of a process that crashes here, with its keys, to a disk',
    'Start the programs with `ulimit -c 0`, or by the units, compose file or image of apps/production.',
  ),

  NODE_UNREACHABLE: failure(
    NODES,
    'the node at {host} can not be reached ({cause})',
    'Check host and port in STARKNET_RPC_URLS, and that this machine may connect to them.',
  ),
  NODE_NAME_UNKNOWN: failure(
    NODES,
    'the name of the node at {host} is not known ({cause})',
    'Correct the host name in STARKNET_RPC_URLS, or this machine’s DNS.',
  ),
  NODE_TLS_NOT_TRUSTED: failure(
    NODES,
    'the certificate of the node at {host} is not trusted ({cause})',
    'Start the service with NODE_EXTRA_CA_CERTS naming the file of the certificate’s authority, or use a node with a public certificate.',
  ),
  NODE_TLS_EXPIRED: failure(
    NODES,
    'the certificate of the node at {host} has expired',
    'Have the node’s certificate renewed, or use another node; if its dates are valid, correct this machine’s clock.',
  ),
  NODE_TLS_OTHER_NAME: failure(
    NODES,
    'the certificate of the node at {host} has another name',
    'Use a host name in STARKNET_RPC_URLS that the node’s certificate contains.',
  ),
  NODE_TIMED_OUT: failure(
    NODES,
    'the node at {host} does not answer in time',
    'Use a node that answers within NODE_TIMEOUT_MS, or raise that.',
  ),
  NODE_REFUSES_ACCESS: failure(
    NODES,
    'the node at {host} answers with HTTP {status}',
    'Check path and access key in STARKNET_RPC_URLS with the node’s provider.',
  ),
  NODE_NOT_UNDERSTOOD: failure(
    NODES,
    'the server at {host} is not a Starknet node ({cause})',
    'Let STARKNET_RPC_URLS name the JSON-RPC endpoint of a Starknet node, version included.',
  ),
  WRONG_CHAIN: failure(
    NODES,
    'the node serves chain {found}, the network profile names {expected}',
    'Name a node of {expected} in STARKNET_RPC_URLS, or the profile of {found} in NETWORK_PROFILE.',
  ),
  SPEC_VERSION_UNSUPPORTED: failure(
    NODES,
    'the node speaks JSON-RPC {found}',
    'Use an endpoint of JSON-RPC {supported}: providers have one for each version, often in the path (/rpc/v0_10).',
  ),
  HEAD_TOO_OLD: failure(
    NODES,
    'the node’s newest block is {seconds} seconds old',
    'Use a node that follows the chain: this node is behind the chain, or the chain has stopped.',
  ),
  PUSH_NOT_HAD: warning(
    PUSH,
    'the node at {host} does not push changes ({cause})',
    'Check host, path and access key in STARKNET_WS_URL with the node’s provider; WebSocket needs JSON-RPC 0.9 or later. Without pushed changes the chain is polled at intervals.',
  ),
  PUSH_OF_OTHER_CHAIN: warning(
    PUSH,
    'the node at {host} pushes changes of another chain',
    'Name in STARKNET_WS_URL the address of the node of STARKNET_RPC_URLS.',
  ),
  CLOCK_OFF: failure(
    START,
    'this machine’s clock is {seconds} seconds {direction} the node’s',
    'Synchronise this machine’s clock (timedatectl set-ntp true, or chrony).',
  ),

  ACCOUNT_NOT_DEPLOYED: failure(
    ACCOUNTS,
    'no contract is deployed at the {role} account {account}',
    'Fund {account} and deploy it, or correct its address in the settings.',
  ),
  NO_ACCOUNT_CLASS: failure(
    ACCOUNTS,
    'the contract at the {role} account {account} has no is_valid_signature',
    'Name in the settings an account of SRC-6, such as OpenZeppelin’s, in the place of {account}.',
  ),
  WRONG_KEY: failure(
    ACCOUNTS,
    'the {role} account {account} does not accept signatures by its key',
    'Correct the privateKey of {account} in the settings.',
  ),
  SIGNER_UNREACHABLE: failure(
    SIGNER,
    'the signer of SIGNER_URL does not answer as it should ({cause})',
    'Start the signer, and check SIGNER_URL: with a socket, that the service’s user is in its group; with https, the certificates of both sides.',
  ),
  SIGNER_OF_ANOTHER_CHAIN: failure(
    SIGNER,
    'the server at SIGNER_URL signs for another chain, or is no signer',
    'Let SIGNER_URL name the signer whose policy has the chain of the network profile.',
  ),
  SIGNER_WITHOUT_ACCOUNT: failure(
    SIGNER,
    'the signer holds no key of the {role} account {account}',
    'List {account} in the signer’s policy and its keys, and start the signer again.',
  ),
  BALANCE_BELOW_BOUNDS: failure(
    KEYS,
    'the {role} account {account} holds {balance} STRK, and one call may need {needed}',
    'Send at least {missing} STRK to {account}.',
  ),

  POOL_WITHOUT_CONTRACT: failure(
    POOLS,
    'no contract is deployed at the address of pool {pool}',
    'Correct the address of {pool} in the network profile.',
  ),
  POOL_NOT_READABLE: failure(
    POOLS,
    'the views of pool {pool} can not be read ({cause})',
    'Check that the address of {pool} is a pool, and its views’ names in entrypoints.pool of the network profile.',
  ),
  POOL_PAUSED: warning(
    POOLS,
    'pool {pool} is paused by the settings',
    'Remove {pool} from PAUSED_POOLS when the reason is gone.',
  ),
  CLASS_CHARGED_BY_STEPS: warning(
    'docs/measured/gas.md#gas',
    'the class of {role} {address} is charged by steps: a withdrawal through it costs several times as much gas',
    'Deploy {role} with a class of Sierra 1.7 or later.',
  ),
  VERIFIER_NOT_NAMED: warning(
    VERIFIERS,
    'the network profile names no verifier for pool {pool}: nothing compares the verification key with it',
    'Give {pool} `verifier` and `verifierClass` in the network profile.',
  ),
  VERIFIER_NOT_DEPLOYED: failure(
    VERIFIERS,
    'no contract is deployed at the address of the verifier in the network profile',
    'Correct `verifier` of the pools in the network profile.',
  ),
  VERIFIER_CLASS_UNEXPECTED: failure(
    VERIFIERS,
    'a verifier has another class than `verifierClass` of the network profile',
    'Find out why the verifier’s class was changed, before anything is relayed; then correct `verifierClass`.',
  ),
  GUARD_NOT_DEPLOYED: failure(
    POOLS,
    'no contract is at the guard that the network profile pins',
    'Correct `guard.address` in the network profile, or deploy the guard.',
  ),
  GUARD_CLASS_UNEXPECTED: failure(
    POOLS,
    'the guard has another class than `guard.classHash` of the network profile',
    'Find out which of both is wrong; calls are sent without the guard until then.',
  ),
  VERIFIER_CLASS_NOT_OF_KEY: failure(
    VERIFIERS,
    'a verifier’s class was not generated from the verification key',
    'Use the verification key that the pools’ verifier was generated from.',
  ),
  SWAP_OWNER_DIFFERS: failure(
    KEYS,
    'the swap pool’s owner is {found}, not the account that would swap',
    'Put the account {found} into SWAP_OWNER_ACCOUNT, or let it hand the pool over to {account}.',
  ),
  SWAP_OWNER_UNKNOWN: warning(
    KEYS,
    'the swap pool does not return its owner',
    'Compare SWAP_OWNER_ACCOUNT with the owner in the deployment of the pool.',
  ),
  CURATOR_WITHOUT_RIGHTS: failure(
    KEYS,
    'the owner of vault {vault} is {found}, not the curator’s account',
    'Put the account {found} into CURATOR_ACCOUNT, or let it hand {vault} over to {account}.',
  ),
  CURATOR_RIGHTS_UNKNOWN: warning(
    KEYS,
    'vault {vault} does not return the account that may deploy its funds',
    'Compare CURATOR_ACCOUNT with the account in the deployment of {vault}.',
  ),
  VAULT_NOT_READABLE: failure(
    KEYS,
    'the owner of vault {vault} cannot be read ({cause})',
    'Correct the address of vault {vault} in the network profile.',
  ),

  PRICE_SOURCE_UNAVAILABLE: failure(
    POOLS,
    'the price source {source} does not answer ({cause})',
    'Check PRICE_API_URL for impulse, the exchange’s address for kraken, and the oracle’s in the network profile for pragma; then that this machine can reach it.',
  ),
  PRICE_MISSING: failure(
    POOLS,
    'the price source {source} has no price of {asset} that counts',
    'Check the pair of {asset} in oracle.pairs of the network profile, and PRICE_MIN_PUBLISHERS.',
  ),
  PRICE_STALE: failure(
    POOLS,
    'the price of {asset} by {source} is {seconds} seconds old',
    'Wait until {source} has a new price of {asset}, or raise PRICE_MAX_AGE_MS if this is how often it has one.',
  ),
  PRICES_DISAGREE: failure(
    POOLS,
    'the price sources disagree on {asset}',
    'Compare the sources’ prices of {asset} with the market; PRICE_MAX_DEVIATION_BPS is the maximum difference between them.',
  ),

  STORE_UNREACHABLE: failure(
    INSTANCES,
    'the database at {host} can not be used ({cause})',
    'Check host, user, password and database in DATABASE_URL, and that the server accepts connections.',
  ),
  STORE_NOT_READABLE: failure(
    LEDGER_FILE,
    'the ledger’s file can not be read ({cause})',
    'Let DATABASE_PATH name the ledger’s file, and let the service’s user read it.',
  ),
  STORE_FOLDER_MISSING: failure(
    LEDGER_FILE,
    'the folder of DATABASE_PATH does not exist ({cause})',
    'Make the folder of DATABASE_PATH, owned by the service’s user.',
  ),
  STORE_NOT_WRITABLE: failure(
    LEDGER_FILE,
    'the ledger’s file or folder can not be written ({cause})',
    'Let the service’s user write the folder of DATABASE_PATH and all files in it.',
  ),
  LEDGER_DAMAGED: failure(
    LEDGER_FILE,
    'the ledger’s file or its log is damaged ({finding})',
    'Restore the ledger’s newest backup.',
  ),
  LEDGER_INCOMPLETE: failure(
    LEDGER_FILE,
    'the ledger’s files do not belong together: {reason}',
    'Put file and log back together, restore the newest backup, or accept the loss with sotto accept-loss.',
  ),
  DISK_NEARLY_FULL: failure(
    LEDGER_FILE,
    'the disk of the ledger has {free} MiB left',
    'Free space on the disk of DATABASE_PATH, or move the ledger to a larger one.',
  ),
  MIGRATIONS_PENDING: warning(
    LEDGER_FILE,
    'the ledger has an older schema: {migrations} are applied at the next start',
    'Back the ledger up before the start: an older release can’t open it afterwards.',
  ),
  STORE_HALF_MIGRATED: failure(
    LEDGER_FILE,
    'the ledger lacks the migrations {migrations}, but has later ones: a start refuses it',
    'Restore the ledger’s newest backup: this one was changed by hand, put together of two, or its restore broke off.',
  ),
  STORE_NEWER: failure(
    LEDGER_FILE,
    'a newer release has changed the ledger’s schema, and this release may not run at the same time ({migrations})',
    'Start the newer release again; this one can’t open its ledger.',
  ),
  STORE_SCHEMA_DIFFERS: failure(
    LEDGER_FILE,
    'the ledger was made by migrations of another text ({migrations})',
    'Start the release that made this ledger.',
  ),
  LEDGER_OF_ANOTHER_CHAIN: failure(
    BEHIND,
    'the ledger belongs to another chain than the node’s',
    'Name the ledger of this chain in DATABASE_PATH or DATABASE_URL; it is never used for two.',
  ),
  LEDGER_EMPTY: failure(
    FIRST_START,
    'the ledger is empty, and ACCEPT_EMPTY_LEDGER is not set',
    'If this is a first start, set the line that `sotto accept-ledger` prints; otherwise restore the ledger.',
  ),
  ACCEPTANCE_VOID: failure(
    FIRST_START,
    'the ledger is empty, and ACCEPT_EMPTY_LEDGER names other accounts or nonces than the chain has now',
    'Find out which transactions were sent since then, then set the line that `sotto accept-ledger` prints now.',
  ),
  STORE_CLOCK_OFF: failure(
    LEDGER_FILE,
    'the ledger holds times that are {seconds} seconds ahead of this machine’s clock',
    'Correct this machine’s clock. Until then, the ledger’s time continues from its newest entry.',
  ),
  INSTANCE_ID_IN_USE: warning(
    INSTANCES,
    'a process with this INSTANCE_ID ({instance}) holds accounts now',
    'Fine if that process is this service; otherwise give each process a separate INSTANCE_ID.',
  ),

  PROOF_WORKER_FAILED: failure(
    START,
    'the worker that checks proofs does not start ({cause})',
    'Install the release again, with dist/pairing-worker.js of @sotto/groth16 and its modules.',
  ),
  HASH_WORKER_FAILED: failure(
    START,
    'the worker that hashes calldata does not start ({cause})',
    'Install the release again, with dist/calldata-hash-worker.js of @sotto/adapter-starknet and its modules.',
  ),
  CHECK_TIMED_OUT: failure(
    START,
    'the check {check} did not end within {seconds} seconds',
    'Run the check again. If it hangs each time, check the server that {check} waits for: node, price source or database.',
  ),
  CHECK_FAILED: failure(
    START,
    'the check {check} could not be made ({cause})',
    'Run `sotto doctor` again. If the failure remains, check the server that {check} queries: node, price source or database.',
  ),
} as const satisfies Readonly<Record<string, Problem>>;

export type ProblemCode = keyof typeof PROBLEMS;
