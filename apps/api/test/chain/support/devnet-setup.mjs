import { Devnet, findDevnet, networkProfile, verifierFromEnvironment } from '@sotto/deployment';
import { DevnetStack } from '@sotto/deployment/testing';

let devnet;

/**
 * Starts one devnet with the development stack for all spec files. Does nothing if devnet is not
 * installed.
 */
export async function setup() {
  if (findDevnet() === undefined) return;
  devnet = await Devnet.start({ blockGeneration: 'demand', stateArchive: true });
  const deployment = await DevnetStack.deployOn(devnet);
  // The stack with a real verifier is started in addition to the usual stack. Most specs need the
  // usual stack, because they forge proofs, which a real verifier rejects.
  const real = verifierFromEnvironment(process.env);
  const verified =
    real === undefined
      ? undefined
      : await DevnetStack.deployOn(devnet, { salt: 'real verifier', ...real });
  await devnet.controls.createBlock();
  const running = {
    url: devnet.url,
    ...standing(deployment),
    real: verified && standing(verified),
    baseline: await heightOf(devnet.url),
  };
  process.env.SOTTO_DEVNET = JSON.stringify(running, (_name, value) =>
    typeof value === 'bigint' ? `0x${value.toString(16)}` : value,
  );
}

function standing(deployment) {
  const { stack } = deployment;
  return { world: stack, profile: networkProfile('devnet', deployment), owner: stack.owner };
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
