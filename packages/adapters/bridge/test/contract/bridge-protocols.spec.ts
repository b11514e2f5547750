import { describeBridgeProtocolContract } from '@sotto/bridge-core/testing';
import { HttpBridgeProtocol, OneClickBridgeProtocol } from '../../src/index.js';
import { startHarness } from '../support/solver-harness.js';

const retry = { maxAttempts: 1 };

describeBridgeProtocolContract('the protocol of the specification', () =>
  startHarness(
    ({ bridgeUrl }) => new HttpBridgeProtocol({ url: bridgeUrl, retry }),
    'bridge-never-quoted',
  ),
);

describeBridgeProtocolContract(
  '1Click',
  () =>
    startHarness(
      ({ oneClickUrl }) => new OneClickBridgeProtocol({ url: oneClickUrl, retry }),
      `0x${'ab'.repeat(20)}`,
    ),
  { showsEveryStep: false },
);
