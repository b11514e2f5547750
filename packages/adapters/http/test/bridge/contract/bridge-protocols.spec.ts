import * as runner from '@jest/globals';
import { describeBridgeProtocolContract } from '@sotto/bridge-core/testing/contracts';
import { HttpBridgeProtocol, OneClickBridgeProtocol } from '../../../src/bridge/index.js';
import { startHarness } from '../support/solver-harness.js';

const retry = { maxAttempts: 1 };

describeBridgeProtocolContract(runner, 'the protocol of the specification', () =>
  startHarness(
    ({ bridgeUrl }) => new HttpBridgeProtocol({ url: bridgeUrl, retry }),
    'bridge-never-quoted',
  ),
);

describeBridgeProtocolContract(
  runner,
  '1Click',
  () =>
    startHarness(
      ({ oneClickUrl }) => new OneClickBridgeProtocol({ url: oneClickUrl, retry }),
      `0x${'ab'.repeat(20)}`,
    ),
  { showsEveryStep: false },
);
