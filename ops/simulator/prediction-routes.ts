import {
  type AppliedFault,
  findFault,
  isBodyFault,
  numberOption,
  wireBody,
} from './faults/fault-catalogue.ts';
import { notFound, readBody, sendBytes, sendJson } from './http-answers.ts';
import { isTerminal, type Prediction } from './prediction.ts';
import { isRemoved, viewPolled, viewPrediction } from './prediction-view.ts';
import {
  type Exchange,
  requireToken,
  type SimulatorContext,
  subjectOf,
  viewContext,
} from './simulator-context.ts';

/** `GET /v1/predictions/{id}` */
export async function getPrediction(exchange: Exchange): Promise<void> {
  const { res, context } = exchange;
  requireToken(exchange);
  const prediction = requirePrediction(exchange);
  const fault = context.rules.takeFirst('poll', subjectOf(prediction));
  if (fault?.name === 'poll-5xx') return sendFaultStatus(res, numberOption(fault, 'status', 502));
  await removeWhenExpired(context, prediction);
  sendPrediction(exchange, viewPolled(prediction, viewContext(context)), fault);
}

/**
 * `POST /v1/predictions/{id}/cancel`: 200 and the object, also when it had ended before
 * (docs/provider.md#replicates-predictions-api).
 */
export async function cancelPrediction(exchange: Exchange): Promise<void> {
  const { req, res, params, context } = exchange;
  await readBody(req);
  requireToken(exchange);
  const prediction = context.store.get(params[0] ?? '');
  const fault = prediction && context.rules.takeFirst('cancel', subjectOf(prediction));
  const failedStatus = fault?.name === 'cancel-error' ? numberOption(fault, 'status', 500) : null;
  await context.ledger.append({
    kind: 'cancel',
    at: context.clock.now(),
    predictionId: params[0] ?? '',
    attemptId: prediction?.attemptId ?? null,
    statusBefore: prediction?.status ?? null,
    httpStatus: prediction ? (failedStatus ?? 200) : 404,
    fault: fault?.name ?? null,
  });
  if (!prediction) throw notFound();
  const ignored = findFault(prediction.faults, 'finishes-after-cancel') !== undefined;
  const spared = failedStatus !== null && fault?.options.applied !== true;
  const ending = ignored || spared ? null : context.lifecycle.end(prediction, { status: 'canceled' });
  if (failedStatus !== null) sendFaultStatus(res, failedStatus);
  else sendPrediction(exchange, viewPrediction(prediction, viewContext(context)), fault);
  await ending;
}

/** `GET /v1/webhooks/default/secret` */
export async function getWebhookSecret(exchange: Exchange): Promise<void> {
  requireToken(exchange);
  sendJson(exchange.res, { status: 200, body: { key: exchange.context.webhookSecret } });
}

/**
 * `GET /files/{id}/{name}`, on the simulator's own origin and without a token (docs/provider.md#outputs-and-inputs).
 */
export async function getFile(exchange: Exchange, elsewhere: boolean): Promise<void> {
  const { req, res, params, context } = exchange;
  const prediction = requirePrediction(exchange);
  const removed = await removeWhenExpired(context, prediction);
  const request = { prediction, name: params[1] ?? '', removed, elsewhere, publicUrl: context.publicUrl() };
  await context.files.serve({ ...request, head: req.method === 'HEAD' }, res);
}

/** Deletes the files of an expired prediction; tells whether it is expired. */
async function removeWhenExpired(context: SimulatorContext, prediction: Prediction): Promise<boolean> {
  const removed = isTerminal(prediction.status) && isRemoved(prediction, viewContext(context));
  if (removed) await context.files.remove(prediction.id);
  return removed;
}

function requirePrediction({ params, context }: Exchange): Prediction {
  const prediction = context.store.get(params[0] ?? '');
  if (!prediction) throw notFound();
  return prediction;
}

function sendPrediction({ res }: Exchange, body: unknown, fault: AppliedFault | undefined): void {
  sendBytes(res, { status: 200, ...wireBody(body, isBodyFault(fault) ? fault : undefined) });
}

function sendFaultStatus(res: Exchange['res'], status: number): void {
  sendJson(res, {
    status,
    body: { detail: status >= 500 ? 'Internal server error' : 'Request refused', status },
  });
}
