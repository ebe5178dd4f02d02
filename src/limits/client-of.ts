import { networkOf } from './client-network.ts';

/** The name under which work is shared out: people who are signed in have shares for themselves, others by their network. */
export function clientOf({
  user,
  request,
}: {
  readonly user: { readonly id: string } | null;
  readonly request: { readonly remoteAddress: string };
}): string {
  return user === null ? `network ${networkOf(request.remoteAddress)}` : `person ${user.id}`;
}
