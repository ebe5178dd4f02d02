import { z } from 'zod';
import {
  type AppliedFault,
  BODY_FAULT_PLACES,
  FAULT_NAMES,
  FAULTS,
  type FaultName,
  type FaultPoint,
} from './fault-catalogue.ts';

/**
 * Body of `POST /__control/faults`. `nth` counts, from 1, the calls since the rule was set that match the rest of
 * `match`; `share` picks this part of them, evenly spread.
 */
export const faultRuleSchema = z.strictObject({
  match: z
    .strictObject({
      attemptId: z.string().optional(),
      promptIncludes: z.string().optional(),
      nth: z.int().min(1).optional(),
      share: z.number().min(0).max(1).optional(),
    })
    .default({}),
  fault: z.enum(FAULT_NAMES as [FaultName, ...FaultName[]]),
  times: z.union([z.int().min(1), z.literal('always')]).default(1),
  options: z.looseObject({ on: z.enum(BODY_FAULT_PLACES).optional() }).default({}),
});
export type FaultRuleInput = z.input<typeof faultRuleSchema>;
type ParsedRule = z.output<typeof faultRuleSchema>;

interface FaultRule extends ParsedRule {
  id: number;
  /** Calls that matched attemptId and promptIncludes. */
  seen: number;
  used: number;
}

/** The values that a rule is compared with; null when the call has none. */
interface FaultSubject {
  attemptId: string | null;
  prompt: string;
}

export interface FaultRules {
  add(rule: ParsedRule): FaultRule;
  clear(): number;
  list(): readonly FaultRule[];
  /** Uses up the first rule that matches a call. */
  takeFirst(point: FaultPoint, subject: FaultSubject): AppliedFault | undefined;
  /** Uses up every rule that matches. */
  takeAll(point: FaultPoint, subject: FaultSubject): AppliedFault[];
}

/**
 * The faults waiting for a request, in memory only. After a restart the provider has no faults, except predictions
 * that already have one (the ledger stores those).
 */
export function createFaultRules(): FaultRules {
  let rules: FaultRule[] = [];
  let lastId = 0;
  const take = (point: FaultPoint, subject: FaultSubject, limit: number): AppliedFault[] => {
    const taken: AppliedFault[] = [];
    for (const rule of rules) {
      if (pointOf(rule) !== point || !fits(rule, subject)) continue;
      rule.seen += 1;
      if (taken.length < limit && isDue(rule)) {
        rule.used += 1;
        taken.push({ name: rule.fault, options: rule.options });
      }
    }
    return taken;
  };
  return {
    add(parsed) {
      lastId += 1;
      const rule = { ...parsed, id: lastId, seen: 0, used: 0 };
      rules.push(rule);
      return rule;
    },
    clear() {
      const count = rules.length;
      rules = [];
      return count;
    },
    list: () => rules,
    takeFirst: (point, subject) => take(point, subject, 1)[0],
    takeAll: (point, subject) => take(point, subject, Number.POSITIVE_INFINITY),
  };
}

function pointOf(rule: ParsedRule): FaultPoint {
  if (!rule.fault.startsWith('body-') || rule.options.on === undefined) return FAULTS[rule.fault].point;
  return rule.options.on === 'webhook' ? 'accepted' : rule.options.on;
}

function fits(rule: ParsedRule, subject: FaultSubject): boolean {
  const { attemptId, promptIncludes } = rule.match;
  if (attemptId !== undefined && attemptId !== subject.attemptId) return false;
  return promptIncludes === undefined || subject.prompt.includes(promptIncludes);
}

function isDue(rule: FaultRule): boolean {
  const { nth, share = 1 } = rule.match;
  if (nth !== undefined && rule.seen < nth) return false;
  if (Math.floor(rule.seen * share) === Math.floor((rule.seen - 1) * share)) return false;
  return rule.times === 'always' || rule.used < rule.times;
}
