import { createHash, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

/** The signature of a staged picture's manifest, by the curve of its key. */
const ALGORITHMS = {
  prime256v1: { algorithm: 'es256', hash: 'sha256', coseId: -7 },
  secp384r1: { algorithm: 'es384', hash: 'sha384', coseId: -35 },
} as const;
type SignatureKind = (typeof ALGORITHMS)[keyof typeof ALGORITHMS];

/** What signs the marks of staged pictures (docs/contract.md#marks). A KeyObject shows nothing of the key when logged. */
export type SigningConfig = SignatureKind & {
  key: KeyObject;
  /** DER, the leaf first, without the root. */
  chain: readonly Buffer[];
  /** SHA-256 of the leaf, hex. */
  fingerprint: string;
  /** From when, and until when, every certificate of the chain is valid; ms since 1970. */
  validFrom: number;
  validUntil: number;
  /** The time-stamp authority (RFC 3161); null: signatures have no time stamp. */
  timeStampUrl: string | null;
  /** The forms of the key that must not be shown: the text as it was given, and each of its lines. */
  secrets: readonly string[];
};

/** Why a certificate is no longer used: another one took its place, or its key is in other hands. */
const RETIRED_REASONS = ['superseded', 'compromised'] as const;

/** A certificate that this site signed with before, or will sign with after a rotation. */
export interface RetiredCertificate {
  /** SHA-256 of the certificate, hex. */
  fingerprint: string;
  reason: (typeof RETIRED_REASONS)[number];
  /** Until when this site signs with it; ms since 1970. */
  until: number;
}

const KEY = 'C2PA_SIGNING_KEY';
const CHAIN = 'C2PA_CERTIFICATE_CHAIN';
const STAMPS = 'C2PA_TSA_URL';
const RETIRED = 'C2PA_RETIRED_CERTIFICATES';
/** Decades of rotations. */
const MOST_RETIRED = 20;
const FINGERPRINT = /^[0-9a-f]{64}$/;
const UTC_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z$/;
const EMAIL_PROTECTION = '1.3.6.1.5.5.7.3.4';
/** A leaf, its issuers, and the root: longer chains are a mistake. */
const MOST_CERTIFICATES = 5;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Environments that cannot hold several lines write `\n`. */
const lines = (pem: string): string => pem.replaceAll('\\n', '\n');

function readKey(pem: string): KeyObject | null {
  try {
    return createPrivateKey(lines(pem));
  } catch {
    return null;
  }
}

function readChain(pem: string): X509Certificate[] | null {
  try {
    return (lines(pem).match(CERTIFICATE) ?? []).map((one) => new X509Certificate(one));
  } catch {
    return null;
  }
}

function signatureKind(key: KeyObject): SignatureKind | undefined {
  const { namedCurve = '' } = key.asymmetricKeyDetails ?? {};
  return Object.entries(ALGORITHMS).find(([curve]) => curve === namedCurve)?.[1];
}

const isRoot = (one: X509Certificate): boolean => one.checkIssued(one) && one.verify(one.publicKey);
const isIssuedBy = (one: X509Certificate, issuer: X509Certificate): boolean =>
  one.checkIssued(issuer) && one.verify(issuer.publicKey);

/** What is wrong with the certificates by themselves. @param now ms since 1970. */
function chainProblems(chain: X509Certificate[], now: number): string[] {
  const [leaf] = chain;
  if (leaf === undefined || chain.length > MOST_CERTIFICATES)
    return [`expected 1 to ${MOST_CERTIFICATES} PEM certificates, the leaf first, found ${chain.length}`];
  const problems: string[] = [];
  if (leaf.ca || isRoot(leaf)) problems.push('expected a leaf certificate first, found one of an authority');
  else if (!(leaf.keyUsage ?? []).includes(EMAIL_PROTECTION))
    problems.push('expected a leaf certificate with the extended key usage emailProtection');
  for (const [at, one] of chain.entries()) {
    const issuer = chain[at + 1];
    if (issuer !== undefined && !isIssuedBy(one, issuer))
      problems.push(`expected the issuer of certificate ${at + 1} as certificate ${at + 2}`);
    if (one.validFromDate.getTime() > now)
      problems.push(`certificate ${at + 1} is not valid before ${one.validFromDate.toISOString()}`);
    if (one.validToDate.getTime() <= now)
      problems.push(`certificate ${at + 1} has expired at ${one.validToDate.toISOString()}`);
  }
  return problems;
}

const fingerprintOf = ({ raw }: X509Certificate): string => createHash('sha256').update(raw).digest('hex');

interface SigningProblem {
  variable: string;
  message: string;
}

/** Every problem of key and chain, which come together or not at all, and of what needs them. @param now ms since 1970. */
export function signingProblems(
  env: Readonly<Record<string, string | undefined>>,
  now: number,
): SigningProblem[] {
  const [keyText, chainText] = [env[KEY], env[CHAIN]];
  if (keyText === undefined && chainText === undefined)
    return env[STAMPS] === undefined ? [] : [{ variable: STAMPS, message: `expected together with ${KEY}` }];
  if (keyText === undefined || chainText === undefined) {
    const [missing, given] = keyText === undefined ? [KEY, CHAIN] : [CHAIN, KEY];
    return [{ variable: missing, message: `expected together with ${given}, found only the other one` }];
  }
  const problems: SigningProblem[] = [];
  const key = readKey(keyText);
  const chain = readChain(chainText);
  if (key === null)
    problems.push({ variable: KEY, message: 'expected a PEM private key without a pass phrase' });
  else if (signatureKind(key) === undefined)
    problems.push({ variable: KEY, message: 'expected a key on the curve P-256 or P-384' });
  if (chain === null)
    problems.push({ variable: CHAIN, message: 'expected PEM certificates, found one that cannot be read' });
  for (const message of chain === null ? [] : chainProblems(chain, now))
    problems.push({ variable: CHAIN, message });
  const leaf = chain?.[0];
  if (key !== null && leaf !== undefined && !leaf.checkPrivateKey(key))
    problems.push({ variable: KEY, message: `expected the key of the first certificate of ${CHAIN}` });
  return problems;
}

/** One entry: fingerprint, reason and end, with slashes between them. OpenSSL writes fingerprints with colons. */
function readRetired(entry: string): Partial<RetiredCertificate> {
  const [fingerprint = '', reason = '', until = ''] = entry.split('/').map((part) => part.trim());
  const digits = fingerprint.replaceAll(':', '').toLowerCase();
  const known = RETIRED_REASONS.find((one) => one === reason);
  const at = UTC_TIME.test(until) ? Date.parse(until) : Number.NaN;
  return {
    ...(FINGERPRINT.test(digits) ? { fingerprint: digits } : {}),
    ...(known === undefined ? {} : { reason: known }),
    ...(Number.isNaN(at) ? {} : { until: at }),
  };
}

const entriesOf = (text: string): string[] => text.split(',').map((entry) => entry.trim());

/** The certificates of `C2PA_RETIRED_CERTIFICATES`. The text has no problems. */
export const readRetiredCertificates = (text: string | null): RetiredCertificate[] =>
  text === null ? [] : entriesOf(text).map((entry) => readRetired(entry) as RetiredCertificate);

/** Every problem of `C2PA_RETIRED_CERTIFICATES`, by the number of the entry. @param now ms since 1970. */
export function retiredProblems(
  env: Readonly<Record<string, string | undefined>>,
  now: number,
): SigningProblem[] {
  const text = env[RETIRED];
  if (text === undefined) return [];
  const entries = entriesOf(text);
  if (entries.length > MOST_RETIRED)
    return [{ variable: RETIRED, message: `expected at most ${MOST_RETIRED}, found ${entries.length}` }];
  const [leaf] = readChain(env[CHAIN] ?? '') ?? [];
  const current = leaf === undefined ? null : fingerprintOf(leaf);
  const seen = new Set<string>();
  return entries.flatMap((entry, index) => {
    if (entry.split('/').length !== 3)
      return [{ variable: RETIRED, message: `certificate ${index + 1}: expected fingerprint/reason/end` }];
    const { fingerprint, reason, until } = readRetired(entry);
    const wrong: string[] = [];
    if (fingerprint === undefined) wrong.push('expected the SHA-256 fingerprint of a certificate');
    else if (fingerprint === current) wrong.push(`found the first certificate of ${CHAIN}`);
    else if (seen.has(fingerprint)) wrong.push('found a certificate that is listed before');
    if (reason === undefined) wrong.push(`expected one of ${RETIRED_REASONS.join(', ')}`);
    if (until === undefined) wrong.push('expected an end such as 2026-11-30T00:00:00Z');
    else if (reason === 'compromised' && until > now) wrong.push('expected an end in the past');
    if (fingerprint !== undefined) seen.add(fingerprint);
    return wrong.map((one) => ({ variable: RETIRED, message: `certificate ${index + 1}: ${one}` }));
  });
}

/** Null when neither is set. The texts have no problems. */
export function readSigning(given: {
  key: string | null;
  certificateChain: string | null;
  timeStampUrl: string | null;
}): SigningConfig | null {
  if (given.key === null || given.certificateChain === null) return null;
  const key = readKey(given.key);
  const kind = key === null ? undefined : signatureKind(key);
  const chain = readChain(given.certificateChain) ?? [];
  const [leaf] = chain;
  if (key === null || kind === undefined || leaf === undefined) return null;
  return {
    ...kind,
    key,
    // A verifier has the root already, or does not trust it.
    chain: chain.filter((one) => !isRoot(one)).map(({ raw }) => raw),
    fingerprint: fingerprintOf(leaf),
    validFrom: Math.max(...chain.map((one) => one.validFromDate.getTime())),
    validUntil: Math.min(...chain.map((one) => one.validToDate.getTime())),
    timeStampUrl: given.timeStampUrl,
    secrets: keySecrets(given.key),
  };
}

function keySecrets(pem: string): string[] {
  const body = lines(pem)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length > 20 && !line.startsWith('-----'));
  return [pem, ...body];
}
