import { personHeader } from './browser-sender.ts';

/**
 * Sends a mutation while the page is being left. A page that is left runs nothing any more: the browser itself brings the
 * call on its way, and no one is left to see an error.
 */
export function sendLast(
  procedure: 'ai.rejectStagedVariant' | 'favorites.setNote',
  { personId, input }: { readonly personId: string | null | undefined; readonly input: unknown },
): void {
  void fetch(`/api/trpc/${procedure}`, {
    method: 'POST',
    keepalive: true,
    headers: {
      ...personHeader(personId),
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify({ json: input }),
  }).catch(() => undefined);
}
