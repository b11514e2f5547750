import { HeldKeys, RemoteKeys, type AccountKeys } from '@sotto/adapter-starknet';
import type { Settings } from '../environment/settings.js';

/**
 * Returns the keys with which accounts sign: the keys of the signer process if the settings name
 * one, otherwise the keys in the settings.
 */
export function accountKeys({
  signer,
  lanes,
  network: { chainId },
}: Pick<Settings, 'signer' | 'lanes' | 'network'>): AccountKeys {
  if (signer === null)
    return new HeldKeys(
      lanes.flatMap(({ address, privateKey }) =>
        privateKey === null ? [] : [{ address, privateKey: privateKey.reveal() }],
      ),
    );
  const { url, tls, timeoutMs } = signer;
  return new RemoteKeys({
    chainId,
    url: url.reveal(),
    tls:
      tls === null ? null : { cert: tls.cert.reveal(), key: tls.key.reveal(), ca: tls.ca.reveal() },
    timeoutMs,
  });
}
