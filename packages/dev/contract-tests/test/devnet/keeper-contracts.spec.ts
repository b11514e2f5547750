import { describeOnDevnet } from '../support/describe-on-devnet.js';
import { describeKeeperContracts } from '../support/keeper-contracts.js';
import { onDevnet } from '../support/keeper-worlds.js';

describeOnDevnet('the keeper’s contracts on starknet-devnet', () => {
  describeKeeperContracts(onDevnet);
});
