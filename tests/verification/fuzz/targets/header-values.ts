import { isIP } from 'node:net';
import fc from 'fast-check';
import { expect } from 'vitest';
import { isLocale, preferredLocale } from '../../../../i18n/translator.ts';
import { isJson } from '../../../../src/auth/request-body.ts';
import { createSessionCookies } from '../../../../src/auth/session-cookie.ts';
import { PublicError } from '../../../../src/errors/errors.ts';
import { clientAddress } from '../../../../src/http/client-address.ts';
import { matchesEntityTag } from '../../../../src/http/entity-tag.ts';
import { originFault } from '../../../../src/http/origin-rule.ts';
import { requestFault } from '../../../../src/http/request-guard.ts';
import { RequestHeaders } from '../../../../src/http/request-headers.ts';
import { acceptedFormat } from '../../../../src/images/decoding/accepted-format.ts';
import {
  QUALITY_STEPS,
  readRenditionRequest,
  SIDE_STEPS,
} from '../../../../src/images/decoding/rendition-request.ts';
import { networkOf } from '../../../../src/limits/client-network.ts';
import { createWebhookVerifier } from '../../../../src/provider/webhook-signature.ts';
import { defineTarget } from '../target.ts';
import { hostileText } from '../values/hostile-values.ts';

interface FuzzInput {
  readonly text: string;
  readonly other: string;
  readonly address: string;
  readonly query: readonly (readonly [string, string])[];
}

const sessionCookies = createSessionCookies({
  publicBaseUrl: 'https://api.example.com',
  authSecret: 'an-auth-secret-of-at-least-32-characters',
});
const verifier = createWebhookVerifier({
  secrets: [`whsec_${Buffer.alloc(32, 1).toString('base64')}`],
  toleranceSeconds: 300,
  clock: { now: () => 1_700_000_000_000 },
});
const odd = fc.oneof(
  hostileText,
  fc
    .array(
      fc.constantFrom(',', ';', '=', 'q=', '*', '"', 'W/', ' ', 'image/webp', 'es', '%', '.', ':', '0'),
      { maxLength: 30 },
    )
    .map((parts) => parts.join('')),
);

/** Header values and query strings, given directly to the pure functions that read them. */
export const headerValues = defineTarget<unknown, FuzzInput>({
  name: 'header-values',
  about: 'the readers of single headers and of rendition parameters',
  runs: 1_500,
  mustSee: ['read', 'refused'],
  input: () =>
    fc.record({
      text: odd,
      other: odd,
      address: fc.oneof(
        odd,
        fc.ipV4(),
        fc.ipV6(),
        fc.ipV6().map((ip) => `${ip}%eth0`),
        fc.ipV4().map((ip) => `::ffff:${ip}`),
      ),
      query: fc.array(
        fc.tuple(
          fc.oneof(fc.constantFrom('w', 'h', 'fit', 'format', 'q'), odd),
          fc.oneof(fc.nat(5_000).map(String), fc.constantFrom('cover', 'auto', 'avif'), odd),
        ),
        { maxLength: 4 },
      ),
    }),
  feed({ text, other, address, query }) {
    const site = { languages: ['es', 'en'], defaultLanguage: 'es' } as const;
    expect(isLocale(preferredLocale(site, text))).toBe(true);
    expect(['jpeg', 'webp', 'avif']).toContain(acceptedFormat(text));
    matchesEntityTag(text, other);
    isJson(text);
    expect(sessionCookies.signed(text)).toEqual([]);
    expect(sessionCookies.sent(text).length).toBeLessThanOrEqual(2);
    expect(
      verifier.verify({ id: text, timestamp: other, signature: address, body: Buffer.from(text) }),
    ).not.toBe('ok');
    const chosen = clientAddress({
      socket: '192.0.2.1',
      forwardedFor: `${text}, ${address}`,
      trustedProxyHops: 1,
    });
    expect(isIP(chosen)).not.toBe(0);
    expect(networkOf(chosen).length).toBeLessThan(100);
    const headers = new RequestHeaders();
    for (const [name, value] of [
      ['host', text],
      ['origin', other],
      ['referer', address],
      ['x', text],
    ] as const)
      headers.add(name, value);
    originFault({ method: 'POST', headers }, new Set(['https://api.example.com']));
    requestFault({
      path: `/${text}`,
      query: text,
      url: `/${text}?${text}`,
      headers,
      size: { bytes: text.length, headers: 1 },
    });
    return rendition(query);
  },
});

function rendition(query: FuzzInput['query']): string {
  try {
    const asked = readRenditionRequest(
      new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])),
    );
    for (const side of [asked?.width, asked?.height]) if (side != null) expect(SIDE_STEPS).toContain(side);
    if (asked !== null) expect(QUALITY_STEPS).toContain(asked.quality);
    return 'read';
  } catch (error) {
    if (!(error instanceof PublicError) || error.code !== 'INVALID_INPUT') throw error;
    return 'refused';
  }
}
