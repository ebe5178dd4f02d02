import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Whose mails a link ends: those about a search, about saved homes, or all alerts. */
export type AlertTopic =
  | { readonly userId: string; readonly about: 'SEARCH'; readonly searchId: string }
  | { readonly userId: string; readonly about: 'SAVED_HOMES' | 'ALL' };

/** The path of the route that ends alerts (docs/contract.md#mail). */
export const ALERT_SWITCH_PATH = '/api/alert-switches';

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const SIGNED = new RegExp(`^(${UUID})\\.(SAVED_HOMES|ALL|${UUID})\\.([\\w-]{43})$`);

const nameOf = (topic: AlertTopic): string => (topic.about === 'SEARCH' ? topic.searchId : topic.about);

/**
 * Signed names of what a link in an alert ends: the holder of the mail may end alerts by mail, and nothing else. They never
 * expire, as an old mail's button must still work.
 */
export function createAlertTokens(authSecret: string) {
  const key = Buffer.from(hkdfSync('sha256', authSecret, '', 'proscenium alert switches v1', 32));
  const macOf = (topic: AlertTopic): Buffer =>
    createHmac('sha256', key)
      .update(`${topic.userId}.${nameOf(topic)}`)
      .digest();
  return {
    sign: (topic: AlertTopic): string =>
      `${topic.userId}.${nameOf(topic)}.${macOf(topic).toString('base64url')}`,
    /** Null for a text that this secret has not signed. */
    read(text: string): AlertTopic | null {
      const [, userId = '', named = '', mac = ''] = SIGNED.exec(text) ?? [];
      if (named === '') return null;
      const topic: AlertTopic =
        named === 'ALL' || named === 'SAVED_HOMES'
          ? { userId, about: named }
          : { userId, about: 'SEARCH', searchId: named };
      return timingSafeEqual(macOf(topic), Buffer.from(mac, 'base64url')) ? topic : null;
    },
  };
}
export type AlertTokens = ReturnType<typeof createAlertTokens>;
