import { text } from 'node:stream/consumers';
import { withdrawalCalldata } from '@sotto/prover';
import { loadDevelopmentKeys } from '@sotto/prover/node';
import { proveSignals } from '@sotto/prover/testing';

// A separate process: a proof blocks an event loop for seconds, and chain and prices of a test need
// theirs.
const signals = JSON.parse(await text(process.stdin), (_name, value) =>
  typeof value === 'string' ? BigInt(value) : value,
);
const keys = await loadDevelopmentKeys();
const calldata = await withdrawalCalldata(await proveSignals(signals, keys), keys.verificationKey);
// The worker threads would keep the process alive for a while.
process.stdout.write(JSON.stringify(calldata), () => process.exit(0));
