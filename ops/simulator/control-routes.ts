import { z } from 'zod';
import { faultRuleSchema } from './faults/fault-rules.ts';
import { HttpProblem, notFound, parseJsonObject, readBody, sendJson } from './http-answers.ts';
import { isTerminal, TERMINAL_STATUSES } from './prediction.ts';
import { viewPrediction } from './prediction-view.ts';
import { settingsChangeSchema } from './settings.ts';
import { type Exchange, viewContext } from './simulator-context.ts';

const finishSchema = z.strictObject({
  status: z.enum(TERMINAL_STATUSES),
  error: z.string().optional(),
  output: z.unknown().optional(),
});

/** `GET /__control/ledger` -> `{entries}`, oldest first. */
export async function getLedger({ res, context }: Exchange): Promise<void> {
  sendJson(res, { status: 200, body: { entries: context.ledger.entries() } });
}

/** `POST /__control/faults` -> 201 and the rule with its id. */
export async function addFault(exchange: Exchange): Promise<void> {
  const rule = exchange.context.rules.add(await readChecked(exchange, faultRuleSchema));
  sendJson(exchange.res, { status: 201, body: rule });
}

/** `GET /__control/faults` -> `{rules}`, each with how often it was seen and used. */
export async function listFaults({ res, context }: Exchange): Promise<void> {
  sendJson(res, { status: 200, body: { rules: context.rules.list() } });
}

/** `DELETE /__control/faults`: predictions that already have a fault keep it. */
export async function clearFaults({ res, context }: Exchange): Promise<void> {
  sendJson(res, { status: 200, body: { cleared: context.rules.clear() } });
}

export async function getSettings({ res, context }: Exchange): Promise<void> {
  sendJson(res, { status: 200, body: context.settings });
}

/** `POST /__control/settings`: changes the given settings; `hold: false` releases as well. */
export async function changeSettings(exchange: Exchange): Promise<void> {
  const { res, context } = exchange;
  const change = await readChecked(exchange, settingsChangeSchema);
  Object.assign(context.settings, change);
  if (change.hold === false) await context.lifecycle.release();
  sendJson(res, { status: 200, body: context.settings });
}

/** `POST /__control/release`: ends `hold`; every held prediction continues. */
export async function release({ req, res, context }: Exchange): Promise<void> {
  await readBody(req);
  sendJson(res, { status: 200, body: { released: await context.lifecycle.release() } });
}

/**
 * `POST /__control/predictions/{id}/finish {status, error?, output?}`: ends the prediction now. Without `output`,
 * `succeeded` makes the picture as usual. Answers after the first try of the callback; 409 when it had ended
 * before.
 */
export async function finish(exchange: Exchange): Promise<void> {
  const { res, params, context } = exchange;
  const { status, error, output } = await readChecked(exchange, finishSchema);
  const prediction = context.store.get(params[0] ?? '');
  if (!prediction) throw notFound();
  if (isTerminal(prediction.status)) {
    throw new HttpProblem(409, { detail: `The prediction has already ${prediction.status}.`, status: 409 });
  }
  if (status === 'succeeded' && output === undefined) await context.lifecycle.complete(prediction);
  else {
    const value = status === 'succeeded' ? { kind: 'value' as const, value: output } : null;
    await context.lifecycle.end(prediction, { status, error: error ?? null, output: value });
  }
  sendJson(res, { status: 200, body: viewPrediction(prediction, viewContext(context)) });
}

/** @throws HttpProblem 400 with the schema's messages */
async function readChecked<Schema extends z.ZodType>(
  { req }: Exchange,
  schema: Schema,
): Promise<z.output<Schema>> {
  const parsed = schema.safeParse(parseJsonObject(req, await readBody(req)));
  if (parsed.success) return parsed.data;
  throw new HttpProblem(400, { title: 'Bad request', detail: z.prettifyError(parsed.error), status: 400 });
}
