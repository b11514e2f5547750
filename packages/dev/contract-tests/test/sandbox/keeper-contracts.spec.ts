import { describe } from '@jest/globals';
import { describeKeeperContracts } from '../support/keeper-contracts.js';
import { onSandbox } from '../support/keeper-worlds.js';

describe('the keeper’s contracts on the sandbox', () => {
  describeKeeperContracts(onSandbox);
});
