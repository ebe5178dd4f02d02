import { describe, expect, test } from 'vitest';
import {
  isInternalHost,
  isLoopbackHost,
  isSameSite,
  webhookBaseProblem,
} from '../../../src/config/host-rules.ts';

const PROVIDER = 'https://api.replicate.com';

describe('one site', () => {
  test.each([
    ['https://api.example.com', 'https://www.example.com', true],
    ['https://api.example.com', 'https://example.com:8443', true],
    ['https://api.example.co.uk', 'https://www.example.co.uk', true],
    ['https://a.co.uk', 'https://b.co.uk', false],
    ['https://api.example.com', 'http://www.example.com', false],
    ['https://api.example.com', 'https://example.net', false],
    ['https://api.example.com', 'https://notexample.com', false],
    ['http://localhost:3000', 'http://localhost:5173', true],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:5173', true],
    ['http://127.0.0.1:3000', 'http://127.1.0.1:5173', false],
    ['http://localhost:3000', 'http://127.0.0.1:5173', false],
  ])('%s and %s: %s', (one, other, same) => {
    expect(isSameSite(new URL(one), new URL(other))).toBe(same);
  });
});

describe('PROVIDER_WEBHOOK_BASE_URL', () => {
  test.each([
    ['https://api.example.com'],
    ['https://api.example.com:8443'],
    ['https://203.0.113.7'],
    ['https://[2606:4700::1111]'],
  ])('accepts %s', (value) => {
    expect(webhookBaseProblem(value, PROVIDER)).toBeNull();
  });

  test.each([
    ['api.example.com'],
    ['http://api.example.com'],
    ['ftp://api.example.com'],
    ['https://api.example.com/'],
    ['https://api.example.com/hooks'],
    ['https://api.example.com?x=1'],
    ['https://api.example.com#x'],
    ['https://user:pw@api.example.com'],
    ['https://api.example.com:443'],
    ['https://API.example.com'],
    [' https://api.example.com'],
    ['https://localhost'],
    ['https://localhost.'],
    ['https://api.localhost'],
    ['https://127.0.0.1'],
    ['https://127.9.9.9:3000'],
    ['https://[::1]'],
    ['https://10.1.2.3'],
    ['https://172.16.0.1'],
    ['https://172.31.255.255'],
    ['https://192.168.1.1'],
    ['https://169.254.169.254'],
    ['https://100.64.0.1'],
    ['https://0.0.0.0'],
    ['https://[fd00::1]'],
    ['https://[fe80::1]'],
    ['https://[::ffff:a01:203]'],
    ['https://web'],
    ['https://web.internal'],
    ['https://web.default.svc'],
    ['https://printer.local'],
    ['https://router.home.arpa'],
  ])('rejects %s', (value) => {
    expect(webhookBaseProblem(value, PROVIDER)).not.toBeNull();
  });

  test('loopback is allowed only while the provider is on loopback too', () => {
    expect(webhookBaseProblem('http://127.0.0.1:3000', 'http://127.0.0.1:4010')).toBeNull();
    expect(webhookBaseProblem('http://localhost:3000', 'http://[::1]:4010')).toBeNull();
    expect(webhookBaseProblem('http://127.0.0.1:3000/', 'http://127.0.0.1:4010')).not.toBeNull();
    expect(webhookBaseProblem('http://192.168.1.1', 'http://127.0.0.1:4010')).not.toBeNull();
    expect(webhookBaseProblem('http://127.0.0.1:3000', PROVIDER)).not.toBeNull();
    expect(webhookBaseProblem('http://127.0.0.1:3000', 'nonsense')).not.toBeNull();
  });
});

test('addresses next to special ranges are public', () => {
  for (const host of ['172.32.0.1', '11.0.0.1', '169.253.0.1', '100.128.0.1', '2606:4700::1']) {
    expect(isInternalHost(host), host).toBe(false);
  }
  expect(isLoopbackHost('128.0.0.1')).toBe(false);
  expect(isLoopbackHost('notlocalhost')).toBe(false);
  expect(isLoopbackHost('[::ffff:7f00:1]')).toBe(true);
});
