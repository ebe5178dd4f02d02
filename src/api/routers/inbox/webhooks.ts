import {
  addTest,
  deliveriesOf,
  type RequestFault,
  resend,
} from '../../../../persistence/webhooks/deliveries.ts';
import {
  addEndpoint,
  changeEndpoint,
  type EndpointFault,
  endpointOf,
  endpointsOf,
  MAX_ENDPOINTS,
  removeEndpoint,
  rotateSecret,
} from '../../../../persistence/webhooks/endpoints.ts';
import { isLoopbackHost } from '../../../config/host-rules.ts';
import { PublicError } from '../../../errors/errors.ts';
import { found } from '../../../errors/found.ts';
import { isCallable } from '../../../outside/public-address.ts';
import {
  createdWebhook,
  createWebhookInput,
  deliveryIdInput,
  deliveryIdOutput,
  listDeliveriesInput,
  listDeliveriesOutput,
  rotatedOutput,
  toDelivery,
  toWebhook,
  updateWebhookInput,
  webhook,
  webhookIdInput,
  webhookIdOutput,
  webhooksOutput,
} from '../../../wire/inbox/webhooks.ts';
import { iso, noInput, pageOf } from '../../../wire/text.ts';
import { agentProcedure, router } from '../../base.ts';
import type { Services } from '../../services.ts';

/** `webhooks.*` (docs/contract.md#webhooks-out): where an agent's programs learn of changes of the agent's listings. */
export function webhooksRouter(services: Services) {
  return router({ ...endpointProcedures(services), ...deliveryProcedures(services) });
}

function endpointProcedures({ pool, clock, chance, settings, webhookSecrets }: Services) {
  const rule = { allowsLoopback: isLoopbackHost(new URL(settings.publicBaseUrl).hostname) };
  const requireCallable = (url: string | undefined): void => {
    if (url !== undefined && !isCallable(new URL(url), rule))
      throw new PublicError('WEBHOOK_ADDRESS_REFUSED');
  };
  const shown = async (owner: string, endpointId: string) =>
    toWebhook(found(await endpointOf(pool, { owner, endpointId })), clock.now());
  return {
    /** The answer has the secret, which is shown this once. */
    create: agentProcedure
      .meta({ errors: ['WEBHOOK_ADDRESS_REFUSED', 'WEBHOOK_EXISTS', 'TOO_MANY_WEBHOOKS', 'NOT_FOUND'] })
      .input(createWebhookInput)
      .output(createdWebhook)
      .mutation(async ({ ctx: { user }, input }) => {
        requireCallable(input.url);
        const [endpointId, secret] = [chance.id(), webhookSecrets.make()];
        const sealedSecret = webhookSecrets.seal(secret, endpointId);
        settle(
          await addEndpoint(pool, { ...input, owner: user.id, endpointId, sealedSecret, at: clock.now() }),
        );
        return { webhook: await shown(user.id, endpointId), secret };
      }),
    list: agentProcedure
      .input(noInput)
      .output(webhooksOutput)
      .query(async ({ ctx: { user } }) => ({
        items: (await endpointsOf(pool, user.id)).map((one) => toWebhook(one, clock.now())),
        limit: MAX_ENDPOINTS.agent,
      })),
    update: agentProcedure
      .meta({ errors: ['NOT_FOUND', 'WEBHOOK_ADDRESS_REFUSED', 'WEBHOOK_EXISTS'] })
      .input(updateWebhookInput)
      .output(webhook)
      .mutation(async ({ ctx: { user }, input: { webhookId, ...change } }) => {
        requireCallable(change.url);
        settle(
          await changeEndpoint(pool, {
            ...change,
            owner: user.id,
            endpointId: webhookId,
            at: clock.now(),
          }),
        );
        return shown(user.id, webhookId);
      }),
    /** Idempotent, for any id. */
    remove: agentProcedure
      .input(webhookIdInput)
      .output(webhookIdOutput)
      .mutation(async ({ ctx: { user }, input }) => {
        await removeEndpoint(pool, { owner: user.id, endpointId: input.webhookId });
        return input;
      }),
    /** The answer has the new secret, which is shown this once. */
    rotateSecret: agentProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(webhookIdInput)
      .output(rotatedOutput)
      .mutation(async ({ ctx: { user }, input: { webhookId } }) => {
        const secret = webhookSecrets.make();
        const sealedSecret = webhookSecrets.seal(secret, webhookId);
        const rotation = { owner: user.id, endpointId: webhookId, sealedSecret, at: clock.now() };
        const until = found(await rotateSecret(pool, rotation));
        return { webhookId, secret, formerSecretUntil: iso(until) };
      }),
  };
}

function deliveryProcedures({ pool, clock, chance }: Services) {
  return {
    sendTest: agentProcedure
      .meta({ errors: ['NOT_FOUND', 'WEBHOOK_OFF'] })
      .input(webhookIdInput)
      .output(deliveryIdOutput)
      .mutation(async ({ ctx: { user, keepAnswer }, input: { webhookId: endpointId } }) => {
        const answer = { deliveryId: chance.id() };
        const test = { owner: user.id, endpointId, id: answer.deliveryId, at: clock.now() };
        requested(await addTest(pool, test, (client) => keepAnswer(client, answer)));
        return answer;
      }),
    listDeliveries: agentProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(listDeliveriesInput)
      .output(listDeliveriesOutput)
      .query(async ({ ctx: { user }, input: { webhookId: endpointId, cursor = null, limit } }) => {
        found(await endpointOf(pool, { owner: user.id, endpointId }));
        const page = { owner: user.id, endpointId, before: cursor, limit: limit + 1 };
        const { items, nextCursor } = pageOf(await deliveriesOf(pool, page), limit, ({ seq }) => seq);
        return { items: items.map(toDelivery), nextCursor };
      }),
    resend: agentProcedure
      .meta({ errors: ['NOT_FOUND', 'WEBHOOK_OFF'] })
      .input(deliveryIdInput)
      .output(deliveryIdOutput)
      .mutation(async ({ ctx: { user, keepAnswer }, input: { deliveryId } }) => {
        const request = { owner: user.id, deliveryId, at: clock.now() };
        requested(await resend(pool, request, (client) => keepAnswer(client, { deliveryId })));
        return { deliveryId };
      }),
  };
}

const ENDPOINT_FAULTS = {
  missing: 'NOT_FOUND',
  known: 'WEBHOOK_EXISTS',
  full: 'TOO_MANY_WEBHOOKS',
} as const;

function settle(fault: EndpointFault | null): void {
  if (fault !== null) throw new PublicError(ENDPOINT_FAULTS[fault]);
}

/** The count begins again with the hour. */
const RETRY_S = 600;

function requested(fault: RequestFault | null): void {
  if (fault === 'often') throw new PublicError('RATE_LIMITED', { retryAfterSeconds: RETRY_S });
  if (fault !== null) throw new PublicError(fault === 'off' ? 'WEBHOOK_OFF' : 'NOT_FOUND');
}
