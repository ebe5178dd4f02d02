import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { isCallable, publicLookup, requirePublic } from '../../../src/outside/public-address.ts';

/** A resolver that gives these addresses, one list after the other, and counts its questions. */
function resolver(...answers: string[][]) {
  const asked: string[] = [];
  const resolve: Parameters<typeof publicLookup>[1] = (host, _options, done) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(host);
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { asked, resolve };
}
const found = (addresses: string[], allowsLoopback = false) =>
  new Promise((resolve) => {
    const lookup = publicLookup({ allowsLoopback }, resolver(addresses).resolve);
    lookup('push.example.com', { all: true }, (error, all) => resolve(error === null ? all : error.name));
  });

test.each([
  ['203.0.113.7', true],
  ['2606:4700::1111', true],
  ['10.0.0.1', false],
  ['127.0.0.1', false],
  ['169.254.169.254', false],
  ['192.168.1.1', false],
  ['100.64.0.1', false],
  ['0.0.0.0', false],
  ['::1', false],
  ['fd12::1', false],
  ['fe80::1', false],
  ['::ffff:10.0.0.1', false],
  ['64:ff9b::a00:1', false],
])('a name that leads to %s is called: %s', async (address, isPublic) => {
  const family = address.includes(':') ? 6 : 4;
  expect(await found([address])).toEqual(isPublic ? [{ address, family }] : 'AddressRefused');
});

test('one private address among public ones refuses the name', async () => {
  expect(await found(['203.0.113.7', '10.0.0.1'])).toBe('AddressRefused');
});

test('loopback is called only where the rule allows it', async () => {
  expect(await found(['127.0.0.1'], true)).toEqual([{ address: '127.0.0.1', family: 4 }]);
  expect(await found(['10.0.0.1'], true)).toBe('AddressRefused');
  const url = new URL('http://127.0.0.1:3000/push');
  expect([isCallable(url, { allowsLoopback: true }), isCallable(url, { allowsLoopback: false })]).toEqual([
    true,
    false,
  ]);
  expect(() => requirePublic(url, { allowsLoopback: false })).toThrow('not public');
});

test('the connection is made to the address that was checked, whatever the name says a moment later', async () => {
  const seen: string[] = [];
  const server = createServer(({ headers }, response) => {
    seen.push(String(headers.host));
    response.end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  // Asked again, it would lead to the metadata service of a cloud.
  const { asked, resolve } = resolver(['127.0.0.1'], ['169.254.169.254']);
  const agent = new Agent({ connect: { lookup: publicLookup({ allowsLoopback: true }, resolve) } });
  try {
    const address = `http://push.example.com:${port}/`;
    const { statusCode, body } = await request(address, { dispatcher: agent });
    await body.dump();
    expect([statusCode, asked]).toEqual([200, ['push.example.com']]);
    await agent.destroy();
    const next = new Agent({ connect: { lookup: publicLookup({ allowsLoopback: true }, resolve) } });
    await expect(request(address, { dispatcher: next })).rejects.toThrow('private address');
    await next.destroy();
    expect(seen).toHaveLength(1);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
