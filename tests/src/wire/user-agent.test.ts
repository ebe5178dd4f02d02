import { expect, test } from 'vitest';
import { coarseNetworkOf } from '../../../src/limits/client-network.ts';
import { deviceNames } from '../../../src/wire/user-agent.ts';

const MOZILLA = 'Mozilla/5.0';

test.each([
  [`${MOZILLA} (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0`, 'Firefox', 'Linux'],
  [`${MOZILLA} (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36`, 'Chrome', 'Windows'],
  [`${MOZILLA} (Windows NT 10.0) Chrome/140.0 Safari/537.36 OPR/120.0`, 'Opera', 'Windows'],
  [
    `${MOZILLA} (Linux; Android 15; SM-S921B) SamsungBrowser/28.0 Chrome/130.0`,
    'Samsung Internet',
    'Android',
  ],
  [`${MOZILLA} (iPad; CPU OS 18_0 like Mac OS X) CriOS/140.0 Mobile Safari/604.1`, 'Chrome', 'iPad'],
  [`${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15`, 'Safari', 'macOS'],
  [`${MOZILLA} (X11; CrOS x86_64 16000) Chrome/140.0`, 'Chrome', 'ChromeOS'],
  ['Proscenium/12 CFNetwork/1568.100.1 Darwin/24.0.0', 'App', 'iOS'],
  ['okhttp/4.12.0', 'App', 'Android'],
  ['curl/8.5.0', null, null],
  ['', null, null],
  [null, null, null],
])('%s is %s on %s', (userAgent, client, system) => {
  expect(deviceNames(userAgent)).toEqual({ client, system });
});

test('names are searched only in the beginning of the text', () => {
  expect(deviceNames(`${'Version/1'.repeat(100_000)} Firefox/1`)).toEqual({ client: null, system: null });
});

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:12:34:56::1', '2001:db8:12::/48'],
  ['2001:0db8:0000:0000:0000:0000:0000:0000', '2001:db8:0::/48'],
  ['no address', null],
  ['', null],
])('the network around %s is %s', (address, network) => {
  expect(coarseNetworkOf(address)).toBe(network);
});
