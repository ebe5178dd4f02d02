import { type CreateRequest, checkCreate, problemOf } from './create-request.ts';
import {
  type AppliedFault,
  findFault,
  isBodyFault,
  numberOption,
  wireBody,
} from './faults/fault-catalogue.ts';
import { HttpProblem, parseJsonObject, problem, readBody, sendBytes, sendJson } from './http-answers.ts';
import type { CreateEntry } from './ledger-entries.ts';
import { applyTiming } from './lifecycle.ts';
import { attemptIdOf, isTerminal, type Prediction } from './prediction.ts';
import { viewPrediction } from './prediction-view.ts';
import { drawDelays } from './settings.ts';
import { type Exchange, requireToken, viewContext } from './simulator-context.ts';

/** Where the request names the model: in the path, or in the body's `version` (`POST /v1/predictions`). */
export type CreateTarget = { model: string } | 'version';

type CreateNote = Pick<CreateEntry, 'model' | 'webhook' | 'attemptId' | 'userId'>;

/**
 * One create POST, from its bytes to its answer. Each is recorded in the ledger before its answer is sent. An
 * accepted one is a purchase from that moment, even if the answer is lost: there is no idempotency key
 * (docs/provider.md#replicates-predictions-api).
 */
export async function createPrediction(exchange: Exchange, target: CreateTarget): Promise<void> {
  const { req, context } = exchange;
  const note: CreateNote = { model: null, webhook: null, attemptId: null, userId: null };
  let fault: AppliedFault | undefined;
  try {
    const bytes = await readBody(req);
    requireToken(exchange);
    const body = parseJsonObject(req, bytes);
    takeNote(note, body);
    fault = context.rules.takeFirst('create', { attemptId: note.attemptId, prompt: promptIn(body) });
    if (fault?.name === 'timeout-before-acceptance')
      return await refuse(exchange, { note, fault, answer: null });
    const problem = fault && problemOf(fault);
    if (problem) throw problem;
    note.model = target === 'version' ? modelOfVersion(body) : target.model;
    const cancelAfter = singleHeader(req.headers['cancel-after']);
    const { version: _version, ...rest } = body;
    const request = checkCreate(target === 'version' ? rest : body, { model: note.model, cancelAfter });
    await accept(exchange, { request, note, fault });
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    await refuse(exchange, { note, fault, answer: error });
  }
}

async function refuse(
  { res, context }: Exchange,
  rejection: { note: CreateNote; fault: AppliedFault | undefined; answer: HttpProblem | null },
): Promise<void> {
  const { note, fault, answer } = rejection;
  await context.ledger.append({
    kind: 'create',
    at: context.clock.now(),
    accepted: false,
    httpStatus: answer?.status ?? null,
    reason: fault?.name ?? (answer ? detailOf(answer) : null),
    predictionId: null,
    faults: fault ? [fault] : [],
    prediction: null,
    ...note,
  });
  if (answer) sendJson(res, answer);
}

async function accept(
  exchange: Exchange,
  purchase: { request: CreateRequest; note: CreateNote; fault: AppliedFault | undefined },
): Promise<void> {
  const { context } = exchange;
  const { request, note, fault } = purchase;
  const attached = context.rules.takeAll('accepted', {
    attemptId: note.attemptId,
    prompt: String(request.input.prompt),
  });
  const prediction = newPrediction(exchange, { request, faults: attached });
  const withheld = fault?.name === 'timeout-after-acceptance' || fault?.name === 'accept-then-reset';
  const failedStatus = fault?.name === 'error-after-charging' ? numberOption(fault, 'status', 500) : 201;
  await context.ledger.append({
    kind: 'create',
    at: prediction.createdAtMs,
    accepted: true,
    httpStatus: withheld ? null : failedStatus,
    reason: fault?.name ?? null,
    predictionId: prediction.id,
    faults: fault ? [fault, ...attached] : attached,
    prediction: structuredClone(prediction),
    ...note,
  });
  // It may have been released while it was written.
  prediction.held &&= context.settings.hold;
  context.store.add(prediction);
  const created = viewPrediction(prediction, viewContext(context));
  if (findFault(attached, 'webhook-before-answer')) await context.lifecycle.complete(prediction);
  const waitMs = preferredWaitMs(exchange);
  if (waitMs !== null || withheld) context.lifecycle.begin(prediction);
  if (waitMs !== null) await context.lifecycle.ended(prediction, waitMs);
  const body = waitMs === null ? created : viewPrediction(prediction, viewContext(context));
  answerAccepted(exchange, {
    body,
    fault,
    status: waitMs !== null && !isTerminal(prediction.status) ? 202 : 201,
  });
  if (waitMs === null && !withheld) context.lifecycle.begin(prediction);
}

function answerAccepted(
  { res }: Exchange,
  answer: { body: Record<string, unknown>; fault: AppliedFault | undefined; status: number },
): void {
  const { body, fault, status } = answer;
  switch (fault?.name) {
    case 'timeout-after-acceptance':
      return;
    case 'accept-then-reset': {
      if (fault.options.partial === true) {
        const { bytes, type } = wireBody(body);
        res.writeHead(201, { 'content-type': type, 'content-length': String(bytes.length) });
        res.write(bytes.subarray(0, bytes.length / 2), () => res.socket?.resetAndDestroy());
      } else res.socket?.resetAndDestroy();
      return;
    }
    case 'error-after-charging':
      sendChargedError(res, numberOption(fault, 'status', 500));
      return;
    default: {
      const location = String((body.urls as { get: string }).get);
      sendBytes(res, {
        status,
        ...wireBody(body, isBodyFault(fault) ? fault : undefined),
        headers: { location },
      });
    }
  }
}

/** 500 has a JSON body; 502 and 504 come from the proxy in front and have HTML. */
function sendChargedError(res: Exchange['res'], status: number): void {
  if (status === 500) {
    sendJson(res, { status, body: { detail: 'Internal server error' } });
    return;
  }
  const page = `<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>`;
  sendBytes(res, { status, bytes: Buffer.from(page), type: 'text/html' });
}

function newPrediction(
  { context }: Exchange,
  { request, faults }: { request: CreateRequest; faults: AppliedFault[] },
): Prediction {
  const createdAtMs = context.clock.now();
  const prediction: Prediction = {
    id: context.newPredictionId(),
    seq: context.store.takeSeq(),
    model: request.model,
    input: request.input,
    webhook: request.webhook,
    webhookEvents: request.webhookEvents,
    attemptId: attemptIdOf(request.webhook),
    status: 'starting',
    createdAtMs,
    startedAtMs: null,
    completedAtMs: null,
    deadlineMs: request.cancelAfterMs === null ? null : createdAtMs + request.cancelAfterMs,
    ...drawDelays(context.settings.speed, context.random),
    held: context.settings.hold,
    output: null,
    error: null,
    logs: '',
    faults,
  };
  applyTiming(prediction);
  return prediction;
}

/**
 * Milliseconds of `Prefer: wait` or `wait=1..60` (docs/provider.md#replicates-predictions-api); null for any other
 * value, which is ignored.
 */
function preferredWaitMs({ req }: Exchange): number | null {
  const prefer = singleHeader(req.headers.prefer as string | string[] | undefined);
  const match = prefer === undefined ? null : /^wait(?:=([1-9]|[1-5][0-9]|60))?$/.exec(prefer);
  return match ? Number(match[1] ?? 60) * 1000 : null;
}

function takeNote(note: CreateNote, body: Record<string, unknown>): void {
  note.webhook = typeof body.webhook === 'string' ? body.webhook : null;
  note.attemptId = attemptIdOf(note.webhook);
  const userId = (body.input as Record<string, unknown> | null | undefined)?.user_id;
  note.userId = typeof userId === 'string' ? userId : null;
}

function promptIn(body: Record<string, unknown>): string {
  return String((body.input as Record<string, unknown> | null | undefined)?.prompt ?? '');
}

/** The model of `version`: `owner/name` or `owner/name:<64 hex>`. @throws HttpProblem 422 */
function modelOfVersion(body: Record<string, unknown>): string {
  const model = /^([\w.-]+\/[\w.-]+)(?::[0-9a-f]{64})?$/.exec(String(body.version ?? ''))?.[1];
  if (model !== undefined) return model;
  const detail = "The specified version does not exist (or perhaps you don't have permission to use it?)";
  throw problem(422, 'Invalid version or not permitted', detail);
}

function detailOf(answer: HttpProblem): string {
  const body = answer.body as { detail?: unknown };
  return typeof body.detail === 'string' ? body.detail : answer.message;
}

function singleHeader(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
