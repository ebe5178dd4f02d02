import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { WEBHOOK_SECRET } from '../../../support/http/api-host.ts';
import { defineTarget } from '../target.ts';
import { brokenJson, hostileText, hostileValue } from '../values/hostile-values.ts';
import { mutated, retexted } from '../values/mutated.ts';
import { predictions } from '../values/predictions.ts';
import { toJsonText } from '../values/raw-json.ts';
import { type HostWorld, percentEncoded, sendLoosely } from '../worlds/host-world.ts';

const KEY = Buffer.from(WEBHOOK_SECRET.slice('whsec_'.length), 'base64');

interface Callback {
  readonly attempt: string;
  readonly body: Buffer;
  readonly webhookId: string;
  readonly timestamp: string;
  /** Null: signed as the provider does. */
  readonly signature: string | null;
  readonly leftOut: string | null;
}

/** Every text that a header can hold. */
const headerText = hostileText.map((text) => text.replace(/[^\t\x20-\x7e]/g, '?').slice(0, 3_000));
const now = () => Math.floor(Date.now() / 1_000);

/** Callbacks of the provider: unsigned ones, and anything from a sender that can sign. */
export const webhooks = defineTarget<HostWorld, Callback>({
  name: 'webhooks',
  about: 'webhook headers and bodies, with valid signatures over anything too',
  runs: 200,
  mustSee: ['accepted', 'refused'],
  input: ({ ids, rows }) =>
    fc.record({
      attempt: fc.oneof(
        { arbitrary: fc.constantFrom(...rows.hidden.attempt), weight: 4 },
        { arbitrary: fc.constantFrom(...ids), weight: 1 },
        {
          arbitrary: hostileText
            .filter((text) => text.length < 2_000 && !/^\.{0,2}$/.test(text))
            .map(percentEncoded),
          weight: 1,
        },
      ),
      body: fc
        .oneof(
          { arbitrary: predictions.map(toJsonText), weight: 3 },
          { arbitrary: mutated(predictions).map(toJsonText), weight: 3 },
          { arbitrary: retexted(predictions).map(toJsonText), weight: 3 },
          { arbitrary: hostileValue.map(toJsonText), weight: 1 },
          { arbitrary: brokenJson, weight: 1 },
          { arbitrary: fc.uint8Array({ maxLength: 64 }), weight: 1 },
        )
        .map((body) => Buffer.from(body)),
      webhookId: fc.oneof(
        fc.uuid().map((id) => `msg_${id}`),
        headerText,
      ),
      timestamp: fc.oneof(
        { arbitrary: fc.integer({ min: -290, max: 290 }).map((off) => String(now() + off)), weight: 8 },
        { arbitrary: fc.oneof(headerText, fc.integer().map(String)), weight: 1 },
      ),
      signature: fc.oneof(
        { arbitrary: fc.constant(null), weight: 6 },
        { arbitrary: headerText.map((text) => `v1,${text}`), weight: 1 },
        { arbitrary: headerText, weight: 1 },
      ),
      leftOut: fc.option(
        fc.constantFrom('webhook-id', 'webhook-timestamp', 'webhook-signature', 'content-type'),
        {
          freq: 8,
        },
      ),
    }),
  feed({ attempt, body, webhookId, timestamp, signature, leftOut }, world) {
    const signed = createHmac('sha256', KEY)
      .update(`${webhookId}.${timestamp}.`)
      .update(body)
      .digest('base64');
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'webhook-id': webhookId,
      'webhook-timestamp': timestamp,
      'webhook-signature': `${world.planted} ${signature ?? `v1,${signed}`}`,
    };
    if (leftOut !== null) delete headers[leftOut];
    const path = `/api/webhooks/provider/staging/${attempt}`;
    return world.judge('route', () => sendLoosely(world.people.nobody, 'POST', path, { headers, body }), {
      unlogged: [signed],
      // A callback with a valid signature is recorded, even for an unknown attempt.
      mayChange: ['ai_provider_webhook_receipts'],
    });
  },
});
