import { text } from 'node:stream/consumers';
import { withdrawalCalldata } from '@sotto/prover';
import { loadDevelopmentKeys } from '@sotto/prover/node';
import { proveSignals } from '@sotto/prover/testing';

// Runs as a separate process: a proof blocks an event loop for seconds, and the chain and price
// source of a test need their event loop.
const signals = JSON.parse(await text(process.stdin), (_name, value) =>
  typeof value === 'string' ? BigInt(value) : value,
);
const keys = await loadDevelopmentKeys();
const calldata = await withdrawalCalldata(await proveSignals(signals, keys), keys.verificationKey);
// Without this exit, the worker threads would delay the end of the process.
process.stdout.write(JSON.stringify(calldata), () => process.exit(0));
