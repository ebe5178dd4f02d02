import { useSyncExternalStore } from 'react';
import { systemTiming } from '../../../../typescript/timing.ts';
import type { SiteApi } from '../../../api/site-api.ts';
import { kept } from '../../../site/keeper.ts';
import type { Site } from '../../../site/site.ts';
import { useSite } from '../../../site/use-site.ts';
import { createDecisions, type Decision, type Decisions } from './decisions.ts';
import { sendDecision } from './send-decision.ts';
import { keepDecisions, takeDecisions } from './unsent-decisions.ts';

/** One for a person and a document: a decision is sent whatever page is shown by then. */
const running = new WeakMap<SiteApi, Running>();
interface Running {
  readonly personId: string;
  readonly decisions: Decisions;
  /** Sends what pages before have left. */
  readonly resume: () => void;
}

/** Null while no one is signed in. */
function runningOf(site: Site): Running | null {
  const { api, person } = site;
  const personId = person?.current();
  if (typeof personId !== 'string') return null;
  const known = running.get(api);
  if (known?.personId === personId) return known;
  const page = crypto.randomUUID();
  const whose = () => ({ personId, page, at: systemTiming.now() });
  const left = new Set<Decision>();
  const isOwn = (): boolean => person?.current() === personId;
  const decisions = createDecisions({
    isOwn,
    after: systemTiming.after,
    send: (decision) => sendDecision(site, decision, left.has(decision)),
  });
  decisions.subscribe(() => {
    if (isOwn()) keepDecisions(kept, whose(), decisions.current());
  });
  addEventListener('pagehide', () => decisions.sendAll());
  const resume = (): void => {
    for (const decision of takeDecisions(kept, whose())) {
      left.add(decision);
      decisions.resume(decision);
    }
  };
  const made = { personId, decisions, resume };
  running.set(api, made);
  return made;
}

/** Sends the decisions that pages before have left. */
export const resumeDecisions = (site: Site): void => runningOf(site)?.resume();

/** Decisions that can be taken back, and those on their way. */
export function useDecisions() {
  const site = useSite();
  const decisions = site.sender === null ? null : runningOf(site)?.decisions;
  const waiting = useSyncExternalStore(
    decisions?.subscribe ?? (() => () => {}),
    () => decisions?.current() ?? NONE,
    () => NONE,
  );
  return {
    waiting,
    undoable: decisions?.undoable(),
    decide: (decision: Decision) => decisions?.decide(decision),
    undo: () => decisions?.undo(),
  };
}

const NONE: ReturnType<Decisions['current']> = [];
