import { describe, expect, test } from 'vitest';
import { clientAddress, socketAddress } from '../../../src/http/client-address.ts';

describe('the address of the socket', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['0000:0000:0000:0000:0000:ffff:7f00:0001', '127.0.0.1'],
    ['0000:0000:0000:0000:0000:0000:0000:0001', '0000:0000:0000:0000:0000:0000:0000:0001'],
  ])('%s is %s', (text, address) => {
    expect(socketAddress(text)).toBe(address);
  });
});

describe('the address of the client', () => {
  const socket = '10.0.0.1';
  test.each([
    ['no proxy is trusted', 0, '192.0.2.1', socket],
    ['one proxy appended what it saw', 1, 'forged, 192.0.2.1', '192.0.2.1'],
    ['two proxies did', 2, 'forged, 192.0.2.1, 10.0.0.2', '192.0.2.1'],
    ['the list is shorter than the chain', 3, '192.0.2.1', '192.0.2.1'],
    ['there is no list', 1, undefined, socket],
    ['the entry is no address', 1, '192.0.2.1, unknown', socket],
    ['the entry is IPv6', 1, '2001:db8::1', '2001:db8::1'],
    ['the entry has a port', 1, '203.0.113.5:4711', '203.0.113.5'],
    ['the entry is IPv6 in brackets', 1, '[2001:db8::1]', '2001:db8::1'],
    ['the entry is IPv6 with a port', 1, 'forged, [2001:db8::1]:443', '2001:db8::1'],
    ['the entry has more than a port', 1, '203.0.113.5:4711:80', socket],
    ['the entry is empty', 1, '203.0.113.5, ', socket],
  ])('when %s', (_name, trustedProxyHops, forwardedFor, address) => {
    expect(clientAddress({ socket, forwardedFor, trustedProxyHops })).toBe(address);
  });
});
