import { useSyncExternalStore } from 'react';
import { systemTiming } from '../../../../typescript/timing.ts';
import type { SiteApi } from '../../../api/site-api.ts';
import { kept } from '../../../site/keeper.ts';
import type { Site } from '../../../site/site.ts';
import { useSite } from '../../../site/use-site.ts';
import { createDecisions, type Decision, type Decisions } from './decisions.ts';
import { sendDecision } from './send-decision.ts';
import { keepDecisions, unsentDecisions } from './unsent-decisions.ts';

/** One for a person and a document: a decision is sent whatever page is shown by then. */
const running = new WeakMap<SiteApi, { readonly personId: string; readonly decisions: Decisions }>();

/** Null while no one is signed in. */
function decisionsOf(site: Site): Decisions | null {
  const { api, person } = site;
  const personId = person?.current();
  if (typeof personId !== 'string') return null;
  const known = running.get(api);
  if (known?.personId === personId) return known.decisions;
  const left = unsentDecisions(kept, personId);
  const isOwn = (): boolean => person?.current() === personId;
  const decisions = createDecisions({
    isOwn,
    after: systemTiming.after,
    send: (decision) => sendDecision(site, decision, left.includes(decision)),
  });
  running.set(api, { personId, decisions });
  decisions.subscribe(() => {
    if (isOwn()) keepDecisions(kept, personId, decisions.current());
  });
  for (const decision of left) decisions.resume(decision);
  addEventListener('pagehide', () => decisions.sendAll());
  return decisions;
}

/** Sends the decisions that a page before has left, unless they are on their way. */
export function resumeDecisions(site: Site): void {
  decisionsOf(site);
}

/** Decisions that can be taken back, and those on their way. */
export function useDecisions() {
  const site = useSite();
  const decisions = site.sender === null ? null : decisionsOf(site);
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
