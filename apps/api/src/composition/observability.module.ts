import { BridgeProtocol } from '@sotto/bridge-core';
import { VaultFunds } from '@sotto/curator-core';
import { CallSimulator, GasPriceSource, PoolReader, PoolStatusReader, ProofVerifier } from '@sotto/relayer-core';
import { LendingPoolReader, RewardProgramme } from '@sotto/staking-core';
import { Broadcaster, ChainReader, Ledger, NonceHistory, TransactionSigner } from '@sotto/submission-core';
import { Metrics, PortObserver } from '@sotto/telemetry';
import { countedLedger } from '../observability/counted-ledger.js';
import { OBSERVED_PORTS } from '../observability/observed-ports.js';
import { AggregatorToken, MetricsToken } from './bindings.js';
import { AppModule } from './container.js';

/** Looks over the shoulder of every port that is worth it. Neither cores nor adapters know. */
export const observabilityModule = (): AppModule =>
  new AppModule(({ bind, onActivation }) => {
    const metrics = new Metrics();
    const observer = new PortObserver(metrics, OBSERVED_PORTS);
    bind(MetricsToken).toConstantValue(metrics);
    onActivation(Ledger, (_, port) => observer.observe('ledger', countedLedger(port, metrics)));
    onActivation(Broadcaster, (_, port) => observer.observe('broadcaster', port));
    onActivation(ChainReader, (_, port) => observer.observe('chain_reader', port));
    onActivation(NonceHistory, (_, port) => observer.observe('nonce_history', port));
    onActivation(TransactionSigner, (_, port) => observer.observe('signer', port));
    onActivation(PoolReader, (_, port) => observer.observe('pool_reader', port));
    onActivation(PoolStatusReader, (_, port) => observer.observe('pool_status_reader', port));
    onActivation(CallSimulator, (_, port) => observer.observe('simulator', port));
    onActivation(ProofVerifier, (_, port) => observer.observe('proof_verifier', port));
    onActivation(GasPriceSource, (_, port) => observer.observe('gas_prices', port));
    onActivation(LendingPoolReader, (_, port) => observer.observe('lending_pools', port));
    onActivation(RewardProgramme, (_, port) => observer.observe('reward_programme', port));
    onActivation(VaultFunds, (_, port) => observer.observe('vault_funds', port));
    onActivation(AggregatorToken, (_, port) => observer.observe('swap_aggregator', port));
    onActivation(BridgeProtocol, (_, port) => observer.observe('bridge_protocol', port));
  });
