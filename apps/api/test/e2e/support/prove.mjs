import { text } from 'node:stream/consumers';
import { withdrawalCalldata } from '@sotto/prover';
import { loadDevelopmentKeys } from '@sotto/prover/node';
import { proveSignals } from '@sotto/prover/testing';

// A process of its own: a proof takes seconds of a loop, on which chain and prices of a test live.
const signals = JSON.parse(await text(process.stdin), (_name, value) =>
  typeof value === 'string' ? BigInt(value) : value,
);
const keys = await loadDevelopmentKeys();
const calldata = await withdrawalCalldata(await proveSignals(signals, keys), keys.verificationKey);
// Its threads would keep it for a while.
process.stdout.write(JSON.stringify(calldata), () => process.exit(0));
