import { Devnet, findDevnet } from '@sotto/deployment';
import { DevnetStack } from '@sotto/deployment/testing';

let devnet;

/**
 * Starts one devnet with the development stack for all test files; does nothing if devnet is not
 * installed.
 */
export async function setup() {
  if (findDevnet() === undefined) return;
  devnet = await Devnet.start({ blockGeneration: 'demand', stateArchive: true });
  const { stack } = await DevnetStack.deployOn(devnet);
  await devnet.controls.createBlock();
  const running = {
    url: devnet.url,
    world: stack,
    owner: stack.owner,
    baseline: await heightOf(devnet.url),
  };
  process.env.SOTTO_DEVNET = JSON.stringify(running, (_name, value) =>
    typeof value === 'bigint' ? `0x${value.toString(16)}` : value,
  );
}

export async function teardown() {
  await devnet?.stop();
}

async function heightOf(url) {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'starknet_blockNumber',
    params: [],
  });
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return (await response.json()).result;
}
