import { endpointOf, subscribe, unsubscribe } from '../../../../persistence/push/push-subscriptions.ts';
import { isLoopbackHost } from '../../../config/host-rules.ts';
import { PublicError } from '../../../errors/errors.ts';
import { isCallable } from '../../../outside/public-address.ts';
import {
  pushKeyOutput,
  subscribeInput,
  subscribeOutput,
  unsubscribeInput,
  unsubscribeOutput,
} from '../../../wire/inbox/push.ts';
import { noInput } from '../../../wire/text.ts';
import { router, sessionProcedure } from '../../base.ts';
import type { Services } from '../../services.ts';

/** `push.*` (docs/contract.md#push-notices): where the browser of the caller's session gets notices. */
export function pushRouter({ pool, clock, settings }: Services) {
  const { push, publicBaseUrl } = settings;
  const rule = { allowsLoopback: isLoopbackHost(new URL(publicBaseUrl).hostname) };
  return router({
    getKey: sessionProcedure
      .input(noInput)
      .output(pushKeyOutput)
      .query(async ({ ctx: { user } }) => {
        if (push === null) return { publicKey: null, endpoint: null };
        const { publicKey } = push;
        const endpoint = await endpointOf(pool, { sessionId: user.sessionId, serverKey: publicKey });
        return { publicKey, endpoint };
      }),
    subscribe: sessionProcedure
      .meta({ errors: ['PUSH_UNAVAILABLE', 'PUSH_ADDRESS_REFUSED'] })
      .input(subscribeInput)
      .output(subscribeOutput)
      .mutation(async ({ ctx: { user }, input }) => {
        if (push === null) throw new PublicError('PUSH_UNAVAILABLE');
        if (!isCallable(new URL(input.endpoint), rule)) throw new PublicError('PUSH_ADDRESS_REFUSED');
        const { id: userId, sessionId } = user;
        const serverKey = push.publicKey;
        const isKept = await subscribe(pool, { ...input, sessionId, userId, serverKey, at: clock.now() });
        // The session has ended since it was read.
        if (!isKept) throw new PublicError('UNAUTHORIZED');
        return { endpoint: input.endpoint };
      }),
    unsubscribe: sessionProcedure
      .input(unsubscribeInput)
      .output(unsubscribeOutput)
      .mutation(async ({ ctx: { user }, input: { endpoint } }) => {
        await unsubscribe(pool, { userId: user.id, endpoint });
        return { endpoint };
      }),
  });
}
