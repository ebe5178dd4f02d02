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
  /** The root in PEM, when it was given too: the pages of pictures name it, so that files can be checked against it. */
  authority: string | null;
  /** SHA-256 of the leaf, hex. */
  fingerprint: string;
  /** From when, and until when, every certificate of the chain is valid; ms since 1970. */
  validFrom: number;
  validUntil: number;
  /** The forms of the key that must not be shown: the text as it was given, and each of its lines. */
  secrets: readonly string[];
};

const KEY = 'C2PA_SIGNING_KEY';
const CHAIN = 'C2PA_CERTIFICATE_CHAIN';
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

interface SigningProblem {
  variable: string;
  message: string;
}

/** Every problem of the two settings, which come together or not at all. @param now ms since 1970. */
export function signingProblems(
  env: Readonly<Record<string, string | undefined>>,
  now: number,
): SigningProblem[] {
  const [keyText, chainText] = [env[KEY], env[CHAIN]];
  if (keyText === undefined && chainText === undefined) return [];
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

/** Null when neither is set. The texts have no problems. */
export function readSigning(given: {
  key: string | null;
  certificateChain: string | null;
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
    authority: chain.find(isRoot)?.toString() ?? null,
    fingerprint: createHash('sha256').update(leaf.raw).digest('hex'),
    validFrom: Math.max(...chain.map((one) => one.validFromDate.getTime())),
    validUntil: Math.min(...chain.map((one) => one.validToDate.getTime())),
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
