import { expect, test } from 'vitest';
import { networkOf } from '../../../src/limits/client-network.ts';

test.each([
  ['198.51.100.7', '198.51.100.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1:2:3:4%eth0', 'fe80:0:0:0::/64'],
  ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['64:ff9b::198.51.100.7', '198.51.100.7'],
  ['', ''],
  ['unknown', 'unknown'],
])('%j belongs to the network %j', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
