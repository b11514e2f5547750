import { Devnet, findDevnet } from '@sotto/deployment';

let devnet;

/** Starts one devnet for all test files, if starknet-devnet is installed. */
export async function setup() {
  if (findDevnet() === undefined) return;
  devnet = await Devnet.start();
  process.env.SOTTO_DEVNET = devnet.url;
}

export async function teardown() {
  await devnet?.stop();
}
