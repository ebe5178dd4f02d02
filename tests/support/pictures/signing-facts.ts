import { randomUUID } from 'node:crypto';
import { testSigning } from '../../../ops/dev/signing-certificates.ts';
import { readSigning, type SigningConfig } from '../../../src/config/signing.ts';

/** A key with its certificates. */
export const signing = testSigning();

/** What a role reads of the settings of a key. */
export const signingConfig = (settings = signing.settings): SigningConfig => {
  const read = readSigning({
    key: settings.C2PA_SIGNING_KEY,
    certificateChain: settings.C2PA_CERTIFICATE_CHAIN,
    timeStampUrl: null,
  });
  if (read === null) throw new Error('the settings cannot be read');
  return read;
};

/** What is signed of a picture, where a test does not look at it. */
export const FACTS = {
  manifestId: `urn:c2pa:${randomUUID()}`,
  stagedImageId: randomUUID(),
  original: { imageId: randomUUID(), format: null, checksum: '', address: 'https://api.example.com/' },
  providerModel: null,
  recordAddress: 'https://api.example.com/',
  changes: [],
  stagedAt: 0,
  signedAt: 0,
  thumbnail: null,
  provided: null,
  operator: 'Harbor Homes',
  version: '1',
};
