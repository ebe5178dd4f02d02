import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/**
 * Certificates of an authority that is made up on the spot, for tests and benchmarks: no one trusts them. They are
 * written as DER (RFC 5280), so no program of the system is needed.
 */
export interface Certificate {
  pem: string;
  der: Buffer;
  /** In DER, as a signature of it names it. */
  issuerAndSerial: Buffer;
  name: string;
  key: KeyObject;
  publicKey: KeyObject;
}

interface Issuing {
  name: string;
  /** Null: signed by itself. */
  issuer: Certificate | null;
  curve?: string;
  isAuthority?: boolean;
  notBefore?: Date;
  notAfter?: Date;
  /** Extended key usages of a leaf; default emailProtection. */
  usages?: readonly string[];
}

export const EMAIL_PROTECTION = '1.3.6.1.5.5.7.3.4';
const DAY_MS = 86_400_000;

export function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
export const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
export const octets = (content: Buffer) => der(0x04, content);
const bits = (content: Buffer, unused = 0) => der(0x03, Buffer.from([unused]), content);
const TRUE = der(0x01, Buffer.from([0xff]));

export function oid(text: string): Buffer {
  const [first = 0, second = 0, ...others] = text.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const one of others) {
    const digits = [one & 127];
    for (let rest = one >> 7; rest > 0; rest >>= 7) digits.unshift((rest & 127) | 128);
    bytes.push(...digits);
  }
  return der(0x06, Buffer.from(bytes));
}

/** YYMMDDHHMMSSZ, until 2049. */
const time = (at: Date) => der(0x17, Buffer.from(`${at.toISOString().replace(/\D/g, '').slice(2, 14)}Z`));
const attribute = (type: string, value: string) =>
  der(0x31, sequence(oid(type), der(0x0c, Buffer.from(value))));
const nameOf = (name: string) =>
  sequence(attribute('2.5.4.10', 'Test authority, not to be trusted'), attribute('2.5.4.3', name));
const spki = (key: KeyObject) => key.export({ format: 'der', type: 'spki' });
const keyId = (key: KeyObject) => createHash('sha1').update(spki(key)).digest();

export function issue({ name, issuer, curve = 'prime256v1', ...given }: Issuing): Certificate {
  const { isAuthority = false, usages = [EMAIL_PROTECTION] } = given;
  const { notBefore = new Date(Date.now() - DAY_MS), notAfter = new Date(Date.now() + 365 * DAY_MS) } = given;
  const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: curve });
  const algorithm = sequence(oid('1.2.840.10045.4.3.2'));
  const extension = (type: string, content: Buffer, ...critical: Buffer[]) =>
    sequence(oid(type), ...critical, octets(content));
  const extensions = sequence(
    extension('2.5.29.19', sequence(...(isAuthority ? [TRUE] : [])), TRUE),
    // keyCertSign and cRLSign, or digitalSignature.
    extension('2.5.29.15', isAuthority ? bits(Buffer.from([0x06]), 1) : bits(Buffer.from([0x80]), 7), TRUE),
    extension('2.5.29.14', octets(keyId(publicKey))),
    extension('2.5.29.35', sequence(der(0x80, keyId(issuer?.publicKey ?? publicKey)))),
    ...(isAuthority || usages.length === 0
      ? []
      : [extension('2.5.29.37', sequence(...usages.map(oid)), TRUE)]),
  );
  const serial = der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)]));
  const issuerName = nameOf(issuer?.name ?? name);
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    serial,
    algorithm,
    issuerName,
    sequence(time(notBefore), time(notAfter)),
    nameOf(name),
    spki(publicKey),
    der(0xa3, extensions),
  );
  const signature = sign('sha256', body, issuer?.key ?? key);
  const certificate = sequence(body, algorithm, bits(signature));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  const pem = `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
  return { pem, der: certificate, issuerAndSerial: sequence(issuerName, serial), name, key, publicKey };
}

export const keyPem = ({ key }: Certificate): string =>
  key.export({ format: 'pem', type: 'pkcs8' }).toString();

/** A root and a leaf under it, and the two settings of the web role. */
export function testSigning(leafOptions: Partial<Issuing> = {}) {
  const root = issue({ name: 'Root', issuer: null, isAuthority: true });
  const leaf = issue({ name: 'Leaf', issuer: root, ...leafOptions });
  return {
    root,
    leaf,
    settings: { C2PA_SIGNING_KEY: keyPem(leaf), C2PA_CERTIFICATE_CHAIN: leaf.pem },
  };
}
