import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { EMAIL_PROTECTION, issue, keyPem, testSigning } from '../../../ops/dev/signing-certificates.ts';
import { ConfigError, configSecrets, loadWebConfig } from '../../../src/config/config.ts';
import { createScrubber } from '../../../src/telemetry/scrub.ts';
import { web } from '../../support/environments.ts';

const DAY_MS = 86_400_000;
const days = (count: number) => new Date(Date.now() + count * DAY_MS);

let signing: ReturnType<typeof testSigning>;
beforeAll(() => {
  signing = testSigning();
});

function problems(settings: Record<string, string | undefined>, now?: number): string[] {
  try {
    loadWebConfig({ ...web, ...settings }, now);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const value of Object.values(settings))
      for (const line of (value ?? '').split('\n').filter((one) => one.length > 40))
        expect(error.message).not.toContain(line);
    return error.problems.map(({ variable, message }) => `${variable}: ${message}`);
  }
  return [];
}

test('neither is set: nothing is signed', () => {
  expect(loadWebConfig(web).signing).toBeNull();
});

test.each([
  ['prime256v1', 'es256', -7],
  ['secp384r1', 'es384', -35],
])('a key on %s signs with %s', (curve, algorithm, coseId) => {
  const { settings, leaf } = testSigning({ curve });
  const config = loadWebConfig({ ...web, ...settings }).signing;
  expect(config).toMatchObject({ algorithm, coseId, fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(config?.chain).toHaveLength(1);
  expect(leaf.pem.replaceAll('\n', '')).toContain(config?.chain[0]?.toString('base64') ?? 'nothing');
});

test('several lines may be written as one, with \\n', () => {
  const oneLine = Object.fromEntries(
    Object.entries(signing.settings).map(([name, value]) => [name, value.replaceAll('\n', '\\n')]),
  );
  expect(loadWebConfig({ ...web, ...oneLine }).signing?.validUntil).toBe(
    loadWebConfig({ ...web, ...signing.settings }).signing?.validUntil,
  );
});

test('an intermediate is sent with the leaf, the root is not; the chain ends with its first certificate', () => {
  const { root } = signing;
  const middle = issue({ name: 'Middle', issuer: root, isAuthority: true, notAfter: days(20) });
  const leaf = issue({ name: 'Leaf', issuer: middle });
  const chain = `${leaf.pem}${middle.pem}${root.pem}`;
  const config = loadWebConfig({ ...web, C2PA_SIGNING_KEY: keyPem(leaf), C2PA_CERTIFICATE_CHAIN: chain });
  expect(config.signing?.chain).toHaveLength(2);
  expect(Math.abs((config.signing?.validUntil ?? 0) - days(20).getTime())).toBeLessThan(60_000);
});

test('a time-stamp authority is named together with a key', () => {
  const C2PA_TSA_URL = 'http://stamps.example.com/tsa';
  expect(problems({ C2PA_TSA_URL })).toEqual(['C2PA_TSA_URL: expected together with C2PA_SIGNING_KEY']);
  const config = loadWebConfig({ ...web, ...signing.settings, C2PA_TSA_URL });
  expect(config.signing?.timeStampUrl).toBe(C2PA_TSA_URL);
});

test.each(['C2PA_SIGNING_KEY', 'C2PA_CERTIFICATE_CHAIN'] as const)('%s alone is refused', (name) => {
  const [problem, ...others] = problems({ ...signing.settings, [name]: undefined });
  expect(problem).toMatch(new RegExp(`^${name}: expected together with C2PA_`));
  expect(others).toEqual([]);
});

test('values that are no PEM', () => {
  const paths = { C2PA_SIGNING_KEY: '/etc/keys/signing.pem', C2PA_CERTIFICATE_CHAIN: 'MIIB' };
  expect(problems(paths)).toEqual([
    'C2PA_SIGNING_KEY: expected a PEM private key, or unset, found a value that is not shown',
    'C2PA_CERTIFICATE_CHAIN: expected PEM certificates, the leaf first, or unset, found a value that is not shown',
  ]);
});

test('a key that cannot be read, or has a pass phrase', () => {
  const broken = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----';
  const locked = signing.leaf.key
    .export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'word' })
    .toString();
  for (const key of [broken, locked])
    expect(problems({ ...signing.settings, C2PA_SIGNING_KEY: key })).toEqual([
      'C2PA_SIGNING_KEY: expected a PEM private key without a pass phrase',
    ]);
});

test.each(['secp256k1', 'secp521r1'])('a key on the curve %s', (curve) => {
  const wrong = testSigning({ curve });
  expect(problems(wrong.settings)).toEqual(['C2PA_SIGNING_KEY: expected a key on the curve P-256 or P-384']);
});

test('an RSA key, and both problems at once: it is not that of the certificate either', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  expect(problems({ ...signing.settings, C2PA_SIGNING_KEY: key })).toEqual([
    'C2PA_SIGNING_KEY: expected a key on the curve P-256 or P-384',
    'C2PA_SIGNING_KEY: expected the key of the first certificate of C2PA_CERTIFICATE_CHAIN',
  ]);
});

test('the key of another certificate', () => {
  const key = keyPem(testSigning().leaf);
  expect(problems({ ...signing.settings, C2PA_SIGNING_KEY: key })).toEqual([
    'C2PA_SIGNING_KEY: expected the key of the first certificate of C2PA_CERTIFICATE_CHAIN',
  ]);
});

test('an expired certificate, and one that is not valid yet', () => {
  const old = testSigning({ notBefore: days(-9), notAfter: days(-1) });
  expect(problems(old.settings)).toEqual([
    expect.stringMatching(/^C2PA_CERTIFICATE_CHAIN: certificate 1 has expired at 20/),
  ]);
  const early = testSigning({ notBefore: days(1) });
  expect(problems(early.settings)).toEqual([
    expect.stringMatching(/^C2PA_CERTIFICATE_CHAIN: certificate 1 is not valid before 20/),
  ]);
  // The clock decides, not the file.
  expect(problems(early.settings, days(2).getTime())).toEqual([]);
});

test('a chain in another order, or with a foreign issuer', () => {
  const { leaf, root, settings } = signing;
  const backwards = problems({ ...settings, C2PA_CERTIFICATE_CHAIN: `${root.pem}${leaf.pem}` });
  expect(backwards).toContain(
    'C2PA_CERTIFICATE_CHAIN: expected a leaf certificate first, found one of an authority',
  );
  expect(backwards).toContain(
    'C2PA_CERTIFICATE_CHAIN: expected the issuer of certificate 1 as certificate 2',
  );
  const foreign = `${leaf.pem}${testSigning().root.pem}`;
  expect(problems({ ...settings, C2PA_CERTIFICATE_CHAIN: foreign })).toEqual([
    'C2PA_CERTIFICATE_CHAIN: expected the issuer of certificate 1 as certificate 2',
  ]);
});

test('a leaf for another purpose, an unreadable certificate, and too many', () => {
  const server = testSigning({ usages: ['1.3.6.1.5.5.7.3.1'] });
  expect(problems(server.settings)).toEqual([
    'C2PA_CERTIFICATE_CHAIN: expected a leaf certificate with the extended key usage emailProtection',
  ]);
  expect(problems(testSigning({ usages: ['1.3.6.1.5.5.7.3.1', EMAIL_PROTECTION] }).settings)).toEqual([]);
  const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
  expect(problems({ ...signing.settings, C2PA_CERTIFICATE_CHAIN: broken })).toEqual([
    'C2PA_CERTIFICATE_CHAIN: expected PEM certificates, found one that cannot be read',
  ]);
  const many = signing.leaf.pem.repeat(6);
  expect(problems({ ...signing.settings, C2PA_CERTIFICATE_CHAIN: many })).toEqual([
    'C2PA_CERTIFICATE_CHAIN: expected 1 to 5 PEM certificates, the leaf first, found 6',
  ]);
});

test('no line of the key can be logged', () => {
  const config = loadWebConfig({ ...web, ...signing.settings });
  const scrub = createScrubber(configSecrets(config));
  const key = signing.settings.C2PA_SIGNING_KEY;
  for (const shown of [key, key.split('\n')[1] ?? '', JSON.stringify(key)])
    expect(scrub(`before ${shown} after`)).toMatch(/^before .*\[redacted\].* after$/s);
  expect(JSON.stringify(config.signing?.key)).toBe('{}');
});

describe('certificates that are not the current one', () => {
  const [first, second] = ['ab', 'cd'].map((pair) => pair.repeat(32));
  const retired = (text: string, settings: Record<string, string> = {}) =>
    problems({ ...settings, C2PA_RETIRED_CERTIFICATES: text }).map((one) =>
      one.replace('C2PA_RETIRED_CERTIFICATES: ', ''),
    );

  test('none are named when the setting is unset', () => {
    expect(loadWebConfig(web).retiredCertificates).toEqual([]);
  });

  test('they are read with reasons and ends, as OpenSSL writes a fingerprint too, also without a key', () => {
    const colons = first?.toUpperCase().match(/../g)?.join(':');
    const text = `${colons}/superseded/2027-01-01T00:00:00Z, ${second}/compromised/2026-01-02T03:04:05.678Z`;
    expect(loadWebConfig({ ...web, C2PA_RETIRED_CERTIFICATES: text }).retiredCertificates).toEqual([
      { fingerprint: first, reason: 'superseded', until: Date.parse('2027-01-01T00:00:00Z') },
      { fingerprint: second, reason: 'compromised', until: Date.parse('2026-01-02T03:04:05.678Z') },
    ]);
  });

  test.each([
    ['a fingerprint alone', first, ['1: expected fingerprint/reason/end']],
    ['three empty parts', '//', ['expected the SHA-256', 'expected one of', 'expected an end such']],
    ['a SHA-1', `${'ab'.repeat(20)}/superseded/2026-01-01T00:00:00Z`, ['expected the SHA-256 fingerprint']],
    [
      'an unknown reason',
      `${first}/expired/2026-01-01T00:00:00Z`,
      ['expected one of superseded, compromised'],
    ],
    ['a day', `${first}/superseded/2026-01-01`, ['expected an end such as 2026-11-30T00:00:00Z']],
    ['no day', `${first}/superseded/2026-13-01T00:00:00Z`, ['expected an end such as']],
    ['a leak in the future', `${first}/compromised/2099-01-01T00:00:00Z`, ['expected an end in the past']],
    ['an empty entry', `${first}/superseded/2026-01-01T00:00:00Z,`, ['2: expected fingerprint/reason/end']],
  ])('%s is named', (_, text, wanted) => {
    const said = retired(text ?? '');
    for (const one of wanted) expect(said).toContainEqual(expect.stringContaining(one));
  });

  test('one that is there twice, the current one, and too many of them', () => {
    const entry = `${first}/superseded/2026-01-01T00:00:00Z`;
    expect(retired(`${entry},${entry}`)).toEqual([
      'certificate 2: found a certificate that is listed before',
    ]);
    const current = new X509Certificate(signing.leaf.pem).fingerprint256;
    expect(retired(`${current}/compromised/2026-01-01T00:00:00Z`, signing.settings)).toEqual([
      'certificate 1: found the first certificate of C2PA_CERTIFICATE_CHAIN',
    ]);
    const many = Array.from({ length: 21 }, (_, index) => entry.replace(/^abab/, String(1000 + index)));
    expect(retired(many.join(','))).toEqual(['expected at most 20, found 21']);
    expect(retired(many.slice(1).join(','))).toEqual([]);
  });
});
