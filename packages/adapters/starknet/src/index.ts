export { createAccountKey, type NewAccountKey } from './create-account-key.js';
export { AccountKeyUnusable, type SigningAccount } from './keys/account-key.js';
export { AccountKeys, CHECKED_HASH } from './keys/account-keys.js';
export {
  SignerMalformedAnswer,
  SignerRefused,
  SignerTimedOut,
  SignerUnavailable,
} from './keys/errors.js';
export { HeldKeys } from './keys/held-keys.js';
export { RemoteKeys } from './keys/remote-keys.js';
export type { SignerEndpoint } from './keys/signer-client.js';
export type { PoolEntrypoints } from './pool-entrypoints.js';
export { PragmaBtcPriceSource } from './pragma-btc-price-source.js';
export { PragmaPriceSource, type PragmaPairs, type PragmaSettings } from './pragma-price-source.js';
export { NodeMalformedAnswer, NodeRefusedCall, NodeUnavailable } from './rpc/errors.js';
export { NodeSet, type NodeSetOptions } from './nodes/node-set.js';
export { oneNode, type SendingNodes } from './nodes/sending-nodes.js';
export type { NodeEndpoint } from './nodes/watched-node.js';
export { StarknetNode, type NodeCall } from './rpc/starknet-node.js';
export { NodeClient, type NodeClientOptions, type RawAnswer } from './rpc/node-client.js';
export { PUSH_BOUNDS, PushConnection, type PushBounds } from './push/push-connection.js';
export {
  StarknetChainEvents,
  type ChainEventsOptions,
  type PushEndpoint,
} from './push/starknet-chain-events.js';
export { signDepositConsent } from './sign-deposit-consent.js';
export { SeenNonces } from './seen-nonces.js';
export { networkConfigHash } from './network-config-hash.js';
export { selectorOf, shortStringFelt } from './selectors.js';
export { CALLED_ENTRYPOINTS } from './execute-calls.js';
export { StarknetAccountCheck } from './starknet-account-check.js';
export { StarknetAccountHistory, type AccountHistorySettings } from './starknet-account-history.js';
export { StarknetAccountSigner, type AccountSignerSettings } from './starknet-account-signer.js';
export { StarknetBalances } from './starknet-balances.js';
export { StarknetBroadcaster } from './starknet-broadcaster.js';
export { StarknetCallSimulator } from './starknet-call-simulator.js';
export {
  STRK_TOKEN,
  StarknetChainReader,
  type ChainReaderSettings,
} from './starknet-chain-reader.js';
export { UntrustedNode } from './rpc/untrusted-node.js';
export { StarknetConsentCheck } from './starknet-consent-check.js';
export { StarknetContractOwner } from './starknet-contract-owner.js';
export {
  ASSERT_FLOORS,
  ASSERT_VIEWS,
  GuardCalls,
  LeadingCalls,
  type ContractCall,
} from './guard-calls.js';
export { StarknetContractClasses } from './starknet-contract-classes.js';
export { StarknetPoolEvents, type PoolEventsSettings } from './starknet-pool-events.js';
export { StarknetLatestBlock } from './starknet-latest-block.js';
export { StarknetGasReceipts } from './starknet-gas-receipts.js';
export { StarknetLeveragePositions } from './starknet-leverage-positions.js';
export { StarknetNodeHealthCheck, type NodeFacts } from './starknet-node-health-check.js';
export { StarknetNonceHistory } from './starknet-nonce-history.js';
export { StarknetPoolReader } from './starknet-pool-reader.js';
export { StarknetPrivacyPoolReader } from './starknet-privacy-pool-reader.js';
export { StarknetPurchaseOrders, type PurchaseOrdersSettings } from './starknet-purchase-orders.js';
export { StarknetSnapshots } from './starknet-snapshots.js';
export { StarknetTypedDataSigner } from './starknet-typed-data-signer.js';
export { StarknetVaultFunds } from './starknet-vault-funds.js';
export { VesuLendingPoolReader } from './vesu-lending-pool-reader.js';
