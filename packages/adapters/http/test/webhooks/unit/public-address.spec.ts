import { describe, expect, it } from '@jest/globals';
import { isPublicAddress } from '../../../src/webhooks/public-address.js';

describe('isPublicAddress', () => {
  it.each([
    ['unspecified', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['loopback', '127.0.0.1'],
    ['loopback, elsewhere', '127.200.3.4'],
    ['private, 10/8', '10.0.0.1'],
    ['private, 172.16/12, first', '172.16.0.0'],
    ['private, 172.16/12, last', '172.31.255.255'],
    ['private, 192.168/16', '192.168.1.1'],
    ['carrier-grade NAT, first', '100.64.0.0'],
    ['carrier-grade NAT, last', '100.127.255.255'],
    ['metadata in carrier-grade NAT', '100.100.100.200'],
    ['link-local', '169.254.1.1'],
    ['metadata', '169.254.169.254'],
    ['metadata of another cloud', '168.63.129.16'],
    ['protocol assignments', '192.0.0.192'],
    ['documentation', '192.0.2.1'],
    ['benchmarks', '198.19.255.255'],
    ['documentation, second', '198.51.100.7'],
    ['documentation, third', '203.0.113.9'],
    ['6to4 relays', '192.88.99.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '250.1.1.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified, IPv6', '::'],
    ['loopback, IPv6', '::1'],
    ['mapped loopback', '::ffff:127.0.0.1'],
    ['mapped loopback in hex', '::ffff:7f00:1'],
    ['mapped loopback, long', '0:0:0:0:0:ffff:7f00:0001'],
    ['mapped public address', '::ffff:8.8.8.8'],
    ['compatible loopback', '::127.0.0.1'],
    ['translated', '::ffff:0:127.0.0.1'],
    ['NAT64 of loopback', '64:ff9b::7f00:1'],
    ['NAT64 of metadata', '64:ff9b::169.254.169.254'],
    ['local NAT64', '64:ff9b:1::a00:1'],
    ['6to4 of a private address', '2002:a00:1::'],
    ['6to4 of loopback', '2002:7f00:1::1'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['ORCHID', '2001:20::1'],
    ['documentation, IPv6', '2001:db8::1'],
    ['documentation, second, IPv6', '3fff::1'],
    ['unique local', 'fd00:ec2::254'],
    ['unique local, first half', 'fc00::1'],
    ['link-local, IPv6', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast, IPv6', 'ff02::1'],
    ['discard', '100::1'],
    ['segment routing', '5f00::1'],
    ['no address', 'localhost'],
    ['decimal', '2130706433'],
    ['octal', '0177.0.0.1'],
    ['empty', ''],
  ])('rejects an address that is not public, %s: %s', (_name, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '11.0.0.1', '2606:4700::1111'])(
    'accepts the public address %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});
